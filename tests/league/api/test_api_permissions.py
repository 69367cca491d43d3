"""Who may do what: every address × who asks × whose row, from one table. Foreign and absent answers are equal."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.test import Client
from django.urls import URLPattern, get_resolver

from league.accounts.models import Role, User
from league.api.base.tokens import revoke, tokens_of
from league.api.base.views import ApiView, ListView, RowsView
from league.api.models import TokenScope
from league.api.resources.organize.imports import EXAMPLE
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.publishing import publish
from league.competitions.models import Circuit, Competition, Season
from league.competitions.ratings.services import rate_league
from league.matches.amendments import Wanted
from league.matches.models import Amendment, Game, KnownBy, Match, Result
from league.players.models import Entrant
from tests.league.api.conftest import Program, problem_of
from tests.league.api.disputed import DISPUTES, disputed, hidden_dispute, ruling_text
from tests.league.api.managed import LADDER, MANAGED, OF_LEAGUE, OWN_SIGN_UPS
from tests.league.api.played import Played, competition_of
from tests.league.world import NOON, person, played_log

ASKERS = (
    "anonymous",
    "player",
    "other player",
    "referee",
    "owner",
    "other owner",
    "helper",
    "browser",
    "read token",
    "submit token",
    "revoked token",
    "disabled user",
    "disabled browser",
)
DEAD = {"revoked token", "disabled user"}
# Those who see the drafts of Harbour.
STAFF = {"referee", "owner", "helper"}
# A browser whose account is closed is nobody.
NOBODY = {"anonymous", "disabled browser"}


def client_of(name: str, played: Played, program: Program) -> Client:
    world = played.world
    if name == "anonymous":
        return Client()
    if name in {"browser", "disabled browser"}:
        client = Client()
        client.force_login(world.alice)
        if name == "disabled browser":
            User.objects.filter(pk=world.alice.pk).update(is_active=False)
        return client
    people = {
        "player": world.alice,
        "other player": other_player(played),
        "referee": world.referee,
        "owner": played.owner,
        "other owner": world.charlie,
        "helper": helper(played),
    }
    scopes = {"read token": [TokenScope.READ], "submit token": [TokenScope.SUBMIT]}.get(name, TokenScope.values)
    user = people.get(name, world.alice)
    client = program(user, *scopes)
    if name == "revoked token":
        revoke(tokens_of(user).get(), user=user)
    if name == "disabled user":
        User.objects.filter(pk=user.pk).update(is_active=False)
    return client


def other_player(played: Played) -> User:
    """Of Harbour, but not of the match."""
    user = person("dora")
    Role.objects.create(user=user, league=played.world.league, kind=Role.Kind.PLAYER)
    return user


def helper(played: Played) -> User:
    user = person("helen")
    Role.objects.create(user=user, league=played.world.league, kind=Role.Kind.DESK_HELPER)
    return user


# --- Reading ---

# Address → the row that everybody sees, the one that Harbour's staff sees, one that is not there.
READING: dict[str, Callable[[Played], tuple[dict, dict | None, dict | None]]] = {
    "leagues": lambda _: ({}, None, None),
    "leagues/{slug}": lambda _: ({"slug": "harbour"}, None, {"slug": "nowhere"}),
    # Nobody writes a notice about a draft.
    "leagues/{slug}/notices": lambda _: ({"slug": "harbour"}, None, {"slug": "nowhere"}),
    # Every rated match is published, so there is no row that only Harbour's staff sees.
    "leagues/{slug}/ratings": lambda _: ({"slug": "harbour"}, None, {"slug": "nowhere"}),
    "leagues/{slug}/ratings/{ruleset}/{code}": lambda p: (rating_of(p, p.world.ana), None, rating_of(p, None)),
    "players": lambda _: ({}, None, None),
    "players/{code}": lambda p: ({"code": p.world.ana.player.code}, None, {"code": "AAAAAAAA"}),
    "competitions": lambda _: ({}, None, None),
    "competitions/{league}/{slug}": lambda _: (slugs("autumn"), slugs("winter"), slugs("summer")),
    "competitions/{league}/{slug}/ranking": lambda _: (slugs("autumn"), slugs("winter"), slugs("summer")),
    "competitions/{league}/{slug}/standings": lambda _: (slugs("autumn"), slugs("winter"), slugs("summer")),
    "competitions/{league}/{slug}/rounds": lambda _: (slugs("autumn"), slugs("winter"), slugs("summer")),
    "seasons": lambda _: ({}, None, None),
    # A circuit is public from the start; its drafts are not shown.
    "circuits": lambda _: ({}, None, None),
    "circuits/{league}/{slug}": lambda p: (circuit(p), None, slugs("summer")),
    "circuits/{league}/{slug}/ranking": lambda p: (circuit(p), None, slugs("summer")),
    "seasons/{league}/{slug}": lambda p: (season(p, "year", NOON), season(p, "next-year", None), slugs("summer")),
    "seasons/{league}/{slug}/files": lambda p: (
        season(p, "year", NOON),
        season(p, "next-year", None),
        slugs("summer"),
    ),
    "seasons/{league}/{slug}/files/{name}": lambda p: (
        season(p, "year", NOON) | {"name": "dates.csv"},
        season(p, "next-year", None) | {"name": "dates.csv"},
        slugs("summer") | {"name": "dates.csv"},
    ),
    "competitions/{league}/{slug}/files": lambda _: (slugs("autumn"), slugs("winter"), slugs("summer")),
    "competitions/{league}/{slug}/files/{name}": lambda _: (
        slugs("autumn") | {"name": "games.csv"},
        slugs("winter") | {"name": "games.csv"},
        slugs("summer") | {"name": "games.csv"},
    ),
    "matches": lambda _: ({}, None, None),
    "matches/{match_id}": lambda p: (
        {"match_id": p.match.pk},
        {"match_id": p.hidden_match.pk},
        {"match_id": 987654},
    ),
    "games": lambda _: ({}, None, None),
    "games/{code}": lambda p: ({"code": p.game.code}, {"code": hidden_code(p)}, {"code": "AAAAAAAA"}),
    "games/{code}/records": lambda p: ({"code": p.game.code}, {"code": hidden_code(p)}, {"code": "AAAAAAAA"}),
    "records/{record_id}": lambda p: (
        {"record_id": p.record.pk},
        {"record_id": hidden_record(p)},
        {"record_id": 987654},
    ),
    "records/{record_id}/verdict": lambda p: (
        {"record_id": p.record.pk},
        {"record_id": hidden_record(p)},
        {"record_id": 987654},
    ),
    "results": lambda _: ({}, None, None),
    "results/{result_id}": lambda p: (
        {"result_id": p.result.pk},
        {"result_id": hidden_result(p)},
        {"result_id": 987654},
    ),
    "disputes": lambda _: ({}, None, None),
    "disputes/{code}": lambda p: ({"code": disputed(p).code}, {"code": hidden_dispute(p).code}, {"code": "AAAAAAAA"}),
    "disputes/{code}/rulings/{number}.ruling": lambda p: (ruling_text(p), None, ruling_text(p) | {"number": 99}),
    "leagues/{slug}/court": lambda _: ({"slug": "harbour"}, None, {"slug": "nowhere"}),
    "leagues/{slug}/rulings": lambda _: ({"slug": "harbour"}, None, {"slug": "nowhere"}),
    "games/{code}/amendments": lambda p: (
        {"code": p.game.code},
        {"code": hidden_code(p)},
        {"code": "AAAAAAAA"},
    ),
    "amendments/{amendment_id}": lambda p: (
        {"amendment_id": amended(p, p.game)},
        {"amendment_id": amended(p, p.hidden_match.games.get())},
        {"amendment_id": 987654},
    ),
    "rulesets": lambda _: ({}, None, None),
    "rulesets/{key}": lambda _: ({"key": "udl"}, None, {"key": "chess"}),
    "schema/": lambda _: ({}, None, None),
}
# For the staff of its league; what is published is no exception.
STAFF_READING = {"competitions/{league}/{slug}/day"}
# For the judge of the case: test_disputes.py.
PRIVATE = {"disputes/{code}/photos/{number}"}
ACTING = {
    "leagues/{slug}/imports",
    "leagues/{slug}/imports/preview",
    "games/{code}/logs",
    "games/{code}/sheets",
    "games/{code}/amendments/preview",
    "amendments/{amendment_id}/confirmation",
    "amendments/{amendment_id}/closing",
    "muggins",
    "results/{result_id}/confirmation",
    "verify",
}


def rating_of(played: Played, entrant: Entrant | None) -> dict[str, str]:
    rate_league(played.world.league.pk)
    return {"slug": "harbour", "ruleset": "udl", "code": entrant.player.code if entrant else "AAAAAAAA"}


def season(played: Played, slug: str, published_at: datetime | None) -> dict[str, str]:
    facts = {"name": slug, "starts_on": NOON.date(), "published_at": published_at}
    Season.objects.get_or_create(league=played.world.league, slug=slug, defaults=facts)
    return slugs(slug)


def circuit(played: Played) -> dict[str, str]:
    Circuit.objects.get_or_create(league=played.world.league, slug="tuesdays", defaults={"name": "Tuesdays"})
    return slugs("tuesdays")


def slugs(slug: str) -> dict[str, str]:
    return {"league": "harbour", "slug": slug}


def amended(played: Played, game: Game) -> int:
    """The result of a game becomes another one: proposed by the referee, confirmed by the second."""
    Result.objects.filter(game=game, current=True).update(state="official")
    wanted = Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2}, reason="two racks")
    proposal = propose_amendment(game, played.world.referee, wanted)
    return confirm_amendment(proposal, played.world.second_referee).pk


def hidden_code(played: Played) -> str:
    return played.hidden_match.games.get().code


def hidden_record(played: Played) -> int:
    return played.hidden_match.games.get().records.get().pk


def hidden_result(played: Played) -> int:
    return played.hidden_match.games.get().results.get().pk


def patterns(prefix: str = "api/v1/") -> Iterator[URLPattern]:
    for one in get_resolver("league.api.urls").url_patterns:
        if str(one.pattern) == prefix:
            yield from one.url_patterns


def addresses() -> set[str]:
    return {re.sub(r"<\w+:(\w+)>", r"{\1}", str(one.pattern)) for one in patterns()} - {""}


def test_every_address_is_in_the_table() -> None:
    # The last five tables are gone through in test_managing_permissions.py, test_ladder_rows.py and
    # test_dispute_permissions.py.
    told = {*READING, *STAFF_READING, *PRIVATE, *ACTING, *DISPUTES, *MANAGED, *OF_LEAGUE, *OWN_SIGN_UPS, *LADDER}
    assert addresses() == told


@pytest.mark.parametrize("asker", ASKERS)
def test_the_day_of_a_competition_is_told_to_the_staff_alone(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    expected = 401 if asker in DEAD else 403 if asker == "submit token" else 200 if asker in STAFF else 404
    answers = {slug: client.get(f"/api/v1/competitions/harbour/{slug}/day") for slug in ("autumn", "winter", "summer")}
    codes = [answer.status_code for answer in answers.values()]
    assert codes == [expected, expected, 404 if expected == 200 else expected]
    if expected == 404:
        assert len({plain(answer, {"slug": slug})[:2] for slug, answer in answers.items()}) == 1


def test_the_day_of_a_running_competition_names_the_players_of_its_open_matches(played: Played) -> None:
    running = competition_of(played.world, "Spring")
    publish(running, user=played.owner)
    client = Client()
    client.force_login(played.owner)
    told = client.get("/api/v1/competitions/harbour/spring/day").json()
    [held] = [match for step in told["steps"] for hold in step["holds"] for match in hold["matches"]]
    ana, bo = played.world.ana, played.world.bo
    assert held["players"] == [
        {
            "code": one.code,
            "name": str(one),
            "apart": "",
            "players": [{"code": one.code, "name": str(one), "apart": ""}],
        }
        for one in (ana, bo)
    ]


# The least that is allowed, the greatest that is refused a draft, and each other answer; the rest are slow.
EDGES = {"anonymous", "helper", "other owner", "submit token", "revoked token"}
REST = pytest.mark.slow("the other askers of the table of reading")


@pytest.mark.parametrize("asker", [one if one in EDGES else pytest.param(one, marks=REST) for one in ASKERS])
def test_who_reads_what(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    for address, rows in READING.items():
        own, hidden, absent = rows(played)
        expected = 401 if asker in DEAD else 403 if asker == "submit token" else 200
        assert client.get(f"/api/v1/{address.format(**own)}").status_code == expected, address
        if absent is None:
            continue
        nothing = client.get(f"/api/v1/{address.format(**absent)}")
        assert nothing.status_code == (404 if expected == 200 else expected), address
        if hidden is None:
            continue
        foreign = client.get(f"/api/v1/{address.format(**hidden)}")
        assert foreign.status_code == (200 if asker in STAFF else nothing.status_code), address
        if asker not in STAFF:
            assert plain(foreign, hidden) == plain(nothing, absent), address


def plain(answer: Any, names: dict[str, object]) -> tuple[int, str, dict[str, str]]:
    """The answer as it would be for any name: what was asked is replaced by a star."""
    text = answer.content.decode()
    for name in names.values():
        text = text.replace(f"/{name}", "/*")
    headers = {name: value for name, value in answer.headers.items() if name not in {"ETag", "Content-Length"}}
    return answer.status_code, text, headers


def test_a_foreign_row_answers_byte_by_byte_as_when_it_is_gone(played: Played, program: Program) -> None:
    """With nothing replaced: the very address, before and after its row was there."""
    client = program(played.world.alice)
    late = Match.objects.order_by("-pk").first().pk + 1
    before = client.get(f"/api/v1/matches/{late}")
    hidden = played.world.fixture(published_at=None)
    assert hidden.pk == late
    after = client.get(f"/api/v1/matches/{late}")
    assert (after.status_code, after.content) == (404, before.content)
    assert problem_of(after)["code"] == "not-found"


@pytest.mark.parametrize("asker", [asker for asker in ASKERS if asker not in {*DEAD, "submit token"}])
def test_lists_hold_what_the_asker_sees(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    more = asker in STAFF
    matches = {one["id"] for one in client.get("/api/v1/matches").json()["results"]}
    assert (played.hidden_match.pk in matches) == more
    games = {one["code"] for one in client.get("/api/v1/games").json()["results"]}
    assert (hidden_code(played) in games) == more
    results = {one["id"] for one in client.get("/api/v1/results").json()["results"]}
    assert (hidden_result(played) in results) == more
    slugs = {one["slug"] for one in client.get("/api/v1/competitions").json()["results"]}
    assert slugs == ({"autumn", "winter"} if more else {"autumn"})
    for name, hour in (("year", NOON), ("next-year", None)):
        season(played, name, hour)
    seasons = {one["slug"] for one in client.get("/api/v1/seasons").json()["results"]}
    assert seasons == ({"year", "next-year"} if more else {"year"})
    counted = client.get("/api/v1/leagues/harbour").json()["competitions"]
    assert counted == len(slugs)
    code = played.world.ana.player.code
    filtered = client.get(f"/api/v1/matches?player={code}&competition=winter").json()["count"]
    assert filtered == int(more)


# --- Acting ---

# What handing in a log of the open match, of the hidden one, and of none gives.
LOGS = {
    "anonymous": (401, 401, 401),
    "player": (202, 404, 404),
    "other player": (403, 404, 404),
    "referee": (202, 202, 404),
    "owner": (202, 202, 404),
    "other owner": (403, 404, 404),
    "helper": (403, 403, 404),
    "browser": (202, 404, 404),
    "read token": (403, 403, 403),
    "submit token": (202, 404, 404),
    "revoked token": (401, 401, 401),
    "disabled user": (401, 401, 401),
    "disabled browser": (401, 401, 401),
}
# What confirming a result gives that Alice handed in, the hidden one that the referee handed in, and none.
CONFIRMATIONS = {
    "anonymous": (401, 401, 401),
    "player": (403, 404, 404),
    "other player": (403, 404, 404),
    "referee": (200, 403, 404),
    "owner": (200, 200, 404),
    "other owner": (403, 404, 404),
    "helper": (403, 403, 404),
    "browser": (403, 404, 404),
    "read token": (403, 403, 403),
    "submit token": (403, 403, 403),
    "revoked token": (401, 401, 401),
    "disabled user": (401, 401, 401),
    "disabled browser": (401, 401, 401),
}


def test_the_tables_have_every_asker() -> None:
    assert list(LOGS) == list(CONFIRMATIONS) == list(ASKERS)


@pytest.mark.parametrize("asker", ASKERS)
def test_who_hands_in_logs(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    codes = (played.open_game.code, hidden_code(played), "AAAAAAAA")
    answers = [
        client.post(f"/api/v1/games/{code}/logs", data=played_log(9), content_type="text/plain") for code in codes
    ]
    assert tuple(answer.status_code for answer in answers) == LOGS[asker]
    assert played.open_game.records.exists() == (LOGS[asker][0] == 202)
    if LOGS[asker][1] == LOGS[asker][2]:
        assert plain(answers[1], {"code": codes[1]}) == plain(answers[2], {"code": codes[2]})


# Of the hidden game a log is known: a score beside it is kept, and what differs is put under review.
SHEETS = {asker: tuple({202: 201}.get(code, code) for code in codes) for asker, codes in LOGS.items()} | {
    "referee": (201, 201, 404),
    "owner": (201, 201, 404),
    "helper": (201, 201, 404),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_enters_scores(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    body = {"kind": "score", "sheet": {"scores": [150, 95]}}
    codes = (played.open_game.code, hidden_code(played), "AAAAAAAA")
    answers = [client.post(f"/api/v1/games/{code}/sheets", body, content_type="application/json") for code in codes]
    assert tuple(answer.status_code for answer in answers) == SHEETS[asker]
    assert played.open_game.records.exists() == (SHEETS[asker][0] == 201)
    if SHEETS[asker][1] == SHEETS[asker][2]:
        assert plain(answers[1], {"code": codes[1]}) == plain(answers[2], {"code": codes[2]})


@pytest.mark.parametrize("asker", ASKERS)
def test_who_confirms_results(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    ids = (played.result.pk, hidden_result(played), 987654)
    answers = [client.post(f"/api/v1/results/{one}/confirmation") for one in ids]
    assert tuple(answer.status_code for answer in answers) == CONFIRMATIONS[asker]
    assert (played.result.state == "official") == (CONFIRMATIONS[asker][0] == 200)
    if CONFIRMATIONS[asker][1] == CONFIRMATIONS[asker][2]:
        assert plain(answers[1], {"id": ids[1]}) == plain(answers[2], {"id": ids[2]})


# What an amendment gives, of a game whose result is official, of a hidden one with one, and of none: to look at what it
# would change and to propose it; then what confirming one gives that the second referee proposed.
AMENDMENTS = {
    "anonymous": (401, 401, 401),
    "player": (403, 404, 404),
    "other player": (403, 404, 404),
    "referee": (200, 200, 404),
    "owner": (200, 200, 404),
    "other owner": (403, 404, 404),
    "helper": (403, 403, 404),
    "browser": (403, 404, 404),
    "read token": (403, 403, 403),
    "submit token": (403, 404, 404),
    "revoked token": (401, 401, 401),
    "disabled user": (401, 401, 401),
    "disabled browser": (401, 401, 401),
}
RULING = {"kind": "ruled", "sheet": {"scores": [0, 150], "winner": 2, "ended": "forfeit"}, "reason": "two racks"}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_amends_results(played: Played, program: Program, asker: str) -> None:
    Result.objects.filter(current=True).update(state="official")
    client = client_of(asker, played, program)
    codes = (played.game.code, hidden_code(played), "AAAAAAAA")
    paths = [f"/api/v1/games/{code}/amendments" for code in codes]
    looked = [client.post(f"{path}/preview", RULING, content_type="application/json") for path in paths]
    assert tuple(answer.status_code for answer in looked) == AMENDMENTS[asker]
    assert not Amendment.objects.exists()
    made = [client.post(path, RULING, content_type="application/json") for path in paths]
    expected = tuple(201 if code == 200 else code for code in AMENDMENTS[asker])
    assert tuple(answer.status_code for answer in made) == expected
    assert Amendment.objects.count() == expected.count(201)


@pytest.mark.parametrize("asker", ASKERS)
def test_who_confirms_and_closes_amendments(played: Played, program: Program, asker: str) -> None:
    Result.objects.filter(current=True).update(state="official")
    wanted = Wanted(kind=KnownBy.RULED, data=RULING["sheet"], reason="two racks")
    own, hidden = (
        propose_amendment(game, played.world.second_referee, wanted)
        for game in (played.game, played.hidden_match.games.get())
    )
    client = client_of(asker, played, program)
    # One that waits is seen by the staff alone.
    asleep = AMENDMENTS[asker][0] == 401
    staff = {"referee": 200, "owner": 200, "helper": 403}
    expected = 401 if asleep else 403 if asker in {"read token", "submit token"} else staff.get(asker, 404)
    closed = client.post(f"/api/v1/amendments/{hidden.pk}/closing")
    confirmed = client.post(f"/api/v1/amendments/{own.pk}/confirmation", {}, content_type="application/json")
    assert (closed.status_code, confirmed.status_code) == (expected, expected)
    states = [Amendment.objects.get(pk=one.pk).state for one in (hidden, own)]
    assert states == (["refused", "confirmed"] if expected == 200 else ["proposed", "proposed"])


@pytest.mark.parametrize("asker", ASKERS)
def test_anybody_verifies_a_text(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    answer = client.post("/api/v1/verify", data=played_log(7), content_type="text/plain")
    assert answer.status_code == (401 if asker in DEAD else 200)


# --- No view forgets ---

WITHOUT_ROWS = {"MugginsQuestion", "RulesetList", "RulesetDetail", "Verification", "SchemaView", "Nothing"}


def views() -> dict[str, type[ApiView]]:
    return {one.callback.view_class.__name__: one.callback.view_class for one in patterns()}


def forgets_the_asker(view: type[RowsView], user: User) -> bool:
    """Whether the rows are the same statement for somebody as for nobody."""
    return str(view.rows(user).query) == str(view.rows(AnonymousUser()).query)


def test_the_rows_of_every_view_depend_on_who_asks(played: Played) -> None:
    plain = {name for name, view in views().items() if not issubclass(view, RowsView)}
    assert plain == WITHOUT_ROWS
    assert [
        name
        for name, view in views().items()
        if name not in WITHOUT_ROWS and forgets_the_asker(view, played.world.referee)
    ] == []


def test_a_view_that_forgets_the_asker_is_found(played: Played) -> None:
    """The control."""

    def everything(_asker: object) -> QuerySet[Match]:
        return Match.objects.all()

    class Leaky(ListView):
        rows = everything

    assert forgets_the_asker(Leaky, played.world.referee)


# What importing gives into a league, and into none.
IMPORTS = {
    "anonymous": (401, 401),
    "player": (403, 404),
    "other player": (403, 404),
    "referee": (403, 404),
    "owner": (201, 404),
    "other owner": (403, 404),
    "helper": (403, 404),
    "browser": (403, 404),
    "read token": (403, 403),
    "submit token": (403, 403),
    "revoked token": (401, 401),
    "disabled user": (401, 401),
    "disabled browser": (401, 401),
}


@pytest.mark.parametrize("asker", ASKERS)
def test_who_imports_competitions(played: Played, program: Program, asker: str) -> None:
    client = client_of(asker, played, program)
    paths = [f"/api/v1/leagues/{slug}/imports" for slug in ("harbour", "nowhere")]
    body = EXAMPLE.value
    looked = [client.post(f"{path}/preview", body, content_type="application/json").status_code for path in paths]
    assert looked == [200 if code == 201 else code for code in IMPORTS[asker]]
    assert not Competition.objects.filter(key="PAST2025").exists()
    made = [client.post(path, body, content_type="application/json").status_code for path in paths]
    assert tuple(made) == IMPORTS[asker]
    assert Competition.objects.filter(key="PAST2025").exists() == (IMPORTS[asker][0] == 201)
