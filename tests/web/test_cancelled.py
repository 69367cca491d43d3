"""Every address of a cancelled competition says that it was cancelled, and why."""

from http import HTTPStatus

import pytest

from league.competitions.cancelling import cancel
from league.competitions.models import Competition, Stage
from league.competitions.registration.fees import take_fee
from league.matches.models import Match
from tests.league.competitions.draw.test_reopening import again, slots
from tests.league.competitions.test_cancelling import STORM, play, published
from tests.league.world import World, make_world
from tests.web.walk import API, Scope, description, paths

# What a role does not see at any time: staff's pages and addresses of acts.
OF_COMPETITION = ("competitions/", "organize/", "embed/", "share/{}/competitions/", f"{API}competitions/")
CLOSED_TO = {"visitor": {302, 401, 404, 405}, "owner": {405}}


@pytest.fixture
def world(db) -> World:
    return make_world()


def cancelled(world, **plan) -> tuple[Competition, Match, Match]:
    """A knock-out in which one match was played, and one that was not."""
    made = published(world, Stage.Format.SINGLE_ELIMINATION, **plan)
    first, second = (slot.match for slot in slots(made)[:2] if slot.match)
    play(world, first)
    assert cancel(made, user=world.owner, reason=STORM)
    return again(made), first, second


@pytest.mark.parametrize("role", ["visitor", "owner"])
def test_every_address_of_it_is_gone_with_the_reason(world, browse, role) -> None:
    made, _first, _second = cancelled(world)
    client = browse(world.owner if role == "owner" else None)
    wrong, gone = [], 0
    for address, path in paths(Scope(made.pk)):
        if not address.path.startswith(OF_COMPETITION) or path.endswith("/cash/"):
            continue
        answer = client.get(path)
        if answer.status_code in CLOSED_TO[role]:
            continue
        gone += 1
        if answer.status_code != HTTPStatus.GONE or STORM not in answer.content.decode():
            wrong.append(f"{answer.status_code} {path}")
        elif address.path.startswith(API) and (differs := description().differs(address, answer)):
            wrong.append(f"{path}: {differs}")
    assert not wrong, "\n".join(wrong)
    assert gone > 30


def test_it_is_in_no_list_and_its_played_match_is_there(world, browse) -> None:
    made, first, second = cancelled(world)
    league, visitor = made.league.slug, browse()
    for path in ("/", "/competitions/", f"/leagues/{league}/", f"/hall/{league}/", "/search/?q=Cup"):
        answer = visitor.get(path)
        assert (answer.status_code, f"/{league}/{made.slug}/" in answer.content.decode()) == (200, False), path
    assert visitor.get(f"/{API}competitions").json()["results"] == []
    assert visitor.get(f"/matches/{first.pk}/").status_code == 200
    for path in (f"/matches/{second.pk}/", f"/t/{second.door}/"):
        answer = visitor.get(path)
        assert (answer.status_code, STORM in answer.content.decode()) == (410, True), path


def test_the_desk_gives_the_fees_back(world, browse) -> None:
    made = published(world, fee=500, currency="€")
    payment = take_fee(made, made.registrations.first().entrant, user=world.owner, owed=500)
    cancel(made, user=world.owner, reason=STORM)
    owner = browse(world.owner)
    path = f"/organize/{made.league.slug}/competitions/{made.slug}/"
    assert "5.00 €" in owner.get(path).content.decode()
    assert "Given back" in owner.get(f"{path}cash/").content.decode()
    assert owner.post(f"{path}cash/", {"payment": payment.pk}).status_code == 302
    payment.refresh_from_db()
    assert payment.returned_by == world.owner
    assert "5.00 €" not in owner.get(path).content.decode()


def test_the_form_shows_what_follows_and_keeps_what_was_typed(world, browse) -> None:
    made = published(world)
    play(world, slots(made)[0].match)
    owner, path = browse(world.owner), f"/organize/{made.league.slug}/competitions/{made.slug}/cancel/"
    page = owner.get(path).content.decode()
    assert "1 match with a confirmed result stays." in page
    assert "35 matches are not played." in page
    answer = owner.post(path, {"reason": STORM, "rated": "yes", "word": "Cap"})
    assert answer.status_code == 422
    assert f'value="{STORM}"' in answer.content.decode()
    assert again(made).cancelled_at is None
    assert owner.post(path, {"reason": STORM, "rated": "yes", "word": made.name}).status_code == 302
    made = again(made)
    assert (made.cancel_reason, made.cancelled_by, made.rated) == (STORM, world.owner, True)
