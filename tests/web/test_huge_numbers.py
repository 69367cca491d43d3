"""A number in an address that no database column holds is found nowhere, on any page."""

import re
from collections.abc import Iterator

from django.urls import URLPattern, get_resolver

HUGE = "99999999999999999999"


def addresses(patterns, before: str = "") -> Iterator[str]:
    for one in patterns:
        whole = before + str(one.pattern)
        if isinstance(one, URLPattern):
            yield whole
        else:
            yield from addresses(one.url_patterns, whole)


def filled(route: str, code: str) -> str:
    own = "autumn" if re.search(r"competitions/|embed/|organize/", route) else "harbour"
    route = re.sub(r"<int:\w+>", HUGE, route)
    route = re.sub(r"<\w+:(league_slug|league)>", "harbour", route)
    route = re.sub(r"<\w+:slug>", own, route)
    route = re.sub(r"<\w+:(code|player)>", code, route)
    return "/" + re.sub(
        r"<uuid:\w+>", "00000000-0000-4000-8000-000000000000", re.sub(r"<(str|slug):\w+>", "udl", route)
    )


def test_no_address_with_a_number_breaks_on_one_that_is_too_large(world, browse) -> None:
    client = browse(world.owner)
    client.raise_request_exception = False
    routes = [one for one in addresses(get_resolver().url_patterns) if "<int:" in one and not one.startswith("admin")]
    paths = {filled(one, world.entrants[0].player.code) for one in routes}
    assert f"/leagues/harbour/notices/{HUGE}/" in paths
    answers = {(path, ask): getattr(client, ask)(path).status_code for path in paths for ask in ("get", "post")}
    assert {key: code for key, code in answers.items() if code >= 500} == {}
