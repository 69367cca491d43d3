"""Walk through every address of the site with every row that it can name.

The addresses come from the URL configuration. Answers of the API are compared with its description.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import jsonschema_rs
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from league.accounts.models import League, Role, RoleInvitation
from league.api.models import Token
from league.competitions.import_export.season_exporting import NAMES as SEASON_FILES
from league.competitions.models import (
    Applicant,
    Circuit,
    Competition,
    DrawJob,
    Invitation,
    Matchday,
    Notice,
    Rating,
    Registration,
    Rehearsal,
    Season,
    Slot,
    Withdrawal,
)
from league.disputes.models import Dispute, RefereeCall, SealedRuling
from league.matches.models import Amendment, Game, Match, Record, Result, Table
from league.play.models import OnlineGame, OnlineSeat, PracticeGame
from league.players.models import Membership, Player, PlayerClaim, PlayerMerge
from league.web.competitions.exports import TOLD as FILES

API = "api/v1/"
# Django's own admin site has pages for every model: tests/league/site/test_admin.py. The other one says by 503 what is
# wrong with a site, here that nobody works for it: tests/league/site/test_health.py.
NOT_WALKED = ("admin/", "readyz")
Arguments = tuple[object, ...]
Rows = Callable[[Any], Iterable[Arguments]]


@dataclass(frozen=True)
class Scope:
    """The competitions to walk; None: all of them, and everything else on the site."""

    competition: int | None = None

    def of(self, rows: Any, path: str = "") -> Any:
        """Filter rows of one model by the competition, if there is one.

        `path`: from the row to it.
        """
        return rows if self.competition is None else rows.filter(**{path or "pk": self.competition})


OF_MATCH = "slot__matchday__stage__competition"


def competitions(scope: Scope) -> Iterator[Arguments]:
    yield from scope.of(Competition.objects).order_by("pk").values_list("league__slug", "slug")


def with_each(*more: object) -> Rows:
    """Combine each competition with each of these."""
    return lambda scope: ((*one, other) for one in competitions(scope) for other in more)


def of_competition(rows: Any, *names: str, path: str = "competition") -> Rows:
    """Name rows of a competition by its address and these columns of the row."""
    columns = [f"{path}__league__slug", f"{path}__slug", *names]
    return lambda scope: scope.of(rows, path).order_by("pk").values_list(*columns)


def of_match(rows: Any, *names: str, path: str = OF_MATCH) -> Rows:
    return lambda scope: scope.of(rows, path).order_by("pk").values_list(*names)


def of_site(rows: Any, *names: str) -> Rows:
    """Name rows outside of competitions, for a walk through everything."""
    return lambda scope: () if scope.competition else rows.order_by("pk").values_list(*names)


def once(*arguments: object) -> Rows:
    return lambda scope: () if scope.competition else [arguments]


PEOPLE = Registration.objects.filter(entrant__partner=None)
PLAYERS = of_site(Player.objects, "code")
LEAGUES = of_site(League.objects, "slug")
MATCHES, GAMES = Match.objects, Game.objects
SEASONS = of_site(Season.objects, "league__slug", "slug")
CIRCUITS = of_site(Circuit.objects, "league__slug", "slug")
LANGUAGE = ("en",)


def pictured(rows: Rows) -> Rows:
    return lambda scope: [(*LANGUAGE, *one) for one in rows(scope)]


def seasons_with(names: Iterable[str]) -> Rows:
    return lambda scope: [(*one, name) for one in SEASONS(scope) for name in names]


def pairs_of_players(_scope: Scope) -> Iterator[Arguments]:
    codes = list(Player.objects.order_by("pk").values_list("code", flat=True)[:3])
    return ((one, other) for one in codes for other in codes)


def of_league(rows: Any, *names: str) -> Rows:
    return of_site(rows, "league__slug", *names)


RATED = of_site(Rating.objects, "rating_list__league__slug", "rating_list__ruleset", "player__code")


# The beginning of an address, `{}` for each argument → what the arguments are. The longest with as many counts, so that
# an address that comes below one of them is walked by itself.
WAYS: dict[str, Rows] = {
    "": once(),
    "competitions/{}/{}/": competitions,
    "competitions/{}/{}/standings/{}/": of_competition(PEOPLE, "entrant__player__code"),
    "competitions/{}/{}/files/{}": with_each(*FILES),
    "competitions/{}/{}/rounds/{}/": of_competition(Matchday.objects, "number", path="stage__competition"),
    "organize/{}/": LEAGUES,
    "organize/{}/seasons/{}/": SEASONS,
    "organize/{}/seasons/{}/files/{}": seasons_with(SEASON_FILES),
    "organize/{}/competitions/{}/": competitions,
    "organize/{}/competitions/{}/files/{}": with_each(*FILES),
    "organize/{}/competitions/{}/rehearsals/{}/": of_competition(Rehearsal.objects, "pk"),
    "organize/{}/competitions/{}/rounds/{}/": of_competition(Matchday.objects, "number", path="stage__competition"),
    "organize/{}/competitions/{}/registration/invitations/{}/": of_competition(Invitation.objects, "pk"),
    "organize/{}/competitions/{}/slots/{}/": of_competition(Slot.objects, "pk", path="matchday__stage__competition"),
    "organize/{}/competitions/{}/entrants/{}/": of_competition(PEOPLE, "entrant"),
    "organize/{}/competitions/{}/withdrawals/{}/": of_competition(Withdrawal.objects, "pk"),
    "embed/{}/{}/": competitions,
    "share/{}/matches/{}.png": pictured(of_match(MATCHES, "pk")),
    "share/{}/competitions/{}/{}.png": pictured(competitions),
    "share/{}/rounds/{}/{}/{}.png": pictured(of_competition(Matchday.objects, "number", path="stage__competition")),
    "share/{}/players/{}.png": pictured(PLAYERS),
    "share/{}/seasons/{}/{}.png": pictured(SEASONS),
    "share/{}/leagues/{}.png": pictured(LEAGUES),
    "matches/{}/": of_match(MATCHES, "pk"),
    "matches/{}/games/{}/": of_match(GAMES, "match", "number", path=f"match__{OF_MATCH}"),
    "matches/{}/clock/{}/": of_match(GAMES, "match", "number", path=f"match__{OF_MATCH}"),
    "matches/{}/referee/{}/": of_match(RefereeCall.objects, "match", "pk", path=f"match__{OF_MATCH}"),
    "matches/{}/logs/{}/": of_match(Record.objects, "game__match", "pk", path=f"game__match__{OF_MATCH}"),
    "matches/{}/amendments/{}/": of_match(Amendment.objects, "game__match", "pk", path=f"game__match__{OF_MATCH}"),
    "disputes/judge/{}/": once("no-such-secret"),
    "disputes/{}/": of_match(Dispute.objects, "code", path=f"match__{OF_MATCH}"),
    "disputes/{}/photos/{}/": of_match(Dispute.objects, "code", "game__number", path=f"match__{OF_MATCH}"),
    "leagues/{}/rulings/{}/": of_site(Dispute.objects, "match__league__slug", "code"),
    "live/matches/{}/": of_match(MATCHES, "pk"),
    "live/competitions/{}/": of_site(Competition.objects, "pk"),
    "live/leagues/{}/": of_site(League.objects, "pk"),
    "live/halls/{}/": of_site(League.objects, "pk"),
    "live/desks/{}/": of_site(League.objects, "slug"),
    "t/{}/": of_match(MATCHES, "door"),
    "t/{}/pad/{}/": of_match(GAMES, "match__door", "number", path=f"match__{OF_MATCH}"),
    "submit/{}/": of_match(GAMES, "code", path=f"match__{OF_MATCH}"),
    "play/{}/": of_site(PracticeGame.objects, "code"),
    "play/leagues/{}/": LEAGUES,
    "play/fixtures/{}/": of_match(GAMES, "code", path=f"match__{OF_MATCH}"),
    "play/online/{}/": of_site(OnlineGame.objects, "code"),
    "play/online/{}/seat/{}/": of_site(OnlineSeat.objects, "game__code", "key"),
    "players/link/{}/": once("no-such-secret"),
    "invitation/{}/": once("no-such-secret"),
    "leagues/{}/roles/invitations/{}/": of_site(RoleInvitation.objects, "league__slug", "pk"),
    "players/{}/": PLAYERS,
    "players/{}/against/{}/": pairs_of_players,
    "seasons/{}/": LEAGUES,
    "circuits/{}/": LEAGUES,
    "circuits/{}/{}/": CIRCUITS,
    "organize/{}/circuits/{}/": CIRCUITS,
    "seasons/{}/{}/": SEASONS,
    "seasons/{}/{}/files/{}": seasons_with(SEASON_FILES),
    "leagues/{}/": LEAGUES,
    "leagues/{}/tables/{}/": of_league(Table.objects, "pk"),
    "leagues/{}/notices/{}/": of_league(Notice.objects, "pk"),
    "leagues/{}/roles/{}/": of_league(Role.objects, "pk"),
    "leagues/{}/roles/{}/reset-link/": of_league(Role.objects, "user__code"),
    "leagues/{}/claims/{}/": of_site(PlayerClaim.objects, "player__memberships__league__slug", "pk"),
    "leagues/{}/players/{}/": of_league(Membership.objects, "player__code"),
    "leagues/{}/players/{}/merges/{}/": of_site(
        PlayerMerge.objects, "kept__memberships__league__slug", "kept__code", "pk"
    ),
    "leagues/{}/ratings/{}/settings/": lambda scope: [(*one, "udl") for one in LEAGUES(scope)],
    "leagues/{}/ratings/{}/players/{}/": RATED,
    "hall/{}/": LEAGUES,
    "me/{}/": once("no-such-secret"),
    "sign-ups/invited/{}/": once("no-such-secret"),
    "sign-ups/{}/": once("no-such-secret"),
    "sign-up/confirm/{}/": once("no-such-key"),
    "password/new/{}-{}/": once("1", "no-such-key"),
    "account/tokens/{}/": of_site(Token.objects, "pk"),
    f"{API}leagues/{{}}": LEAGUES,
    f"{API}leagues/{{}}/ratings/{{}}/{{}}": RATED,
    f"{API}leagues/{{}}/discarded/{{}}/": once("harbour", 987654),
    f"{API}players/{{}}": PLAYERS,
    f"{API}competitions/{{}}/{{}}": competitions,
    f"{API}competitions/{{}}/{{}}/rounds/{{}}/": of_competition(Matchday.objects, "number", path="stage__competition"),
    f"{API}competitions/{{}}/{{}}/earlier-states/{{}}/": with_each(987654),
    f"{API}competitions/{{}}/{{}}/files/{{}}": with_each(*FILES),
    f"{API}sign-ups/{{}}": of_site(Applicant.objects, "pk"),
    f"{API}invitations/{{}}/": of_site(Invitation.objects, "pk"),
    f"{API}seedings/{{}}/": once(987654),
    f"{API}draws/{{}}": lambda scope: scope.of(DrawJob.objects, "competition").values_list("pk"),
    f"{API}rehearsals/{{}}": of_site(Rehearsal.objects, "pk"),
    f"{API}challenges/{{}}/": once(987654),
    f"{API}seasons/{{}}/{{}}": SEASONS,
    f"{API}circuits/{{}}/{{}}": CIRCUITS,
    f"{API}seasons/{{}}/{{}}/files/{{}}": seasons_with(SEASON_FILES),
    f"{API}matches/{{}}": of_match(MATCHES, "pk"),
    f"{API}games/{{}}": of_match(GAMES, "code", path=f"match__{OF_MATCH}"),
    f"{API}amendments/{{}}": of_match(Amendment.objects, "pk", path=f"game__match__{OF_MATCH}"),
    f"{API}disputes/{{}}": of_match(Dispute.objects, "code", path=f"match__{OF_MATCH}"),
    f"{API}disputes/{{}}/photos/{{}}": of_match(Dispute.objects, "code", "game__number", path=f"match__{OF_MATCH}"),
    f"{API}disputes/{{}}/rulings/{{}}": of_match(
        SealedRuling.objects, "entry__dispute__code", "entry__number", path=f"entry__dispute__match__{OF_MATCH}"
    ),
    f"{API}records/{{}}": of_match(Record.objects, "pk", path=f"game__match__{OF_MATCH}"),
    f"{API}results/{{}}": of_match(Result.objects, "pk", path=f"game__match__{OF_MATCH}"),
    f"{API}rulesets/{{}}": lambda scope: () if scope.competition else [("udl",), ("uno-dominoes",)],
}


@dataclass(frozen=True)
class Address:
    """`path` with `{}` for each argument, and as the API's description writes it."""

    path: str
    described: str


def addresses(patterns: list[URLPattern | URLResolver] | None = None, before: str = "") -> Iterator[Address]:
    for one in get_resolver().url_patterns if patterns is None else patterns:
        here = before + str(one.pattern)
        if here.startswith(NOT_WALKED):
            continue
        if isinstance(one, URLResolver):
            yield from addresses(one.url_patterns, here)
        else:
            plain = re.sub(r"\(\?P<(\w+)>.*?\)(?=[-/]|\$)", r"<\1>", here).lstrip("^").rstrip("$")
            yield Address(re.sub(r"<[^>]+>", "{}", plain), "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", plain))


def way_of(address: Address, ways: dict[str, Rows] = WAYS) -> Rows | None:
    """Return the source of its arguments; None if `ways` has none."""
    wanted = address.path.count("{}")
    fitting = [one for one in ways if address.path.startswith(one) and one.count("{}") == wanted]
    return ways[max(fitting, key=len)] if fitting else None


# --- Asking ---


@dataclass
class Walk:
    """The requests of a walk and their answers, by status."""

    asked: Counter[int] = field(default_factory=Counter)
    compared: int = 0
    faults: list[str] = field(default_factory=list)

    def take(self, clients: dict[str, Client], addresses: Iterable[tuple[Address, str]]) -> None:
        """Ask for each address by every role."""
        for address, path in addresses:
            for role, client in clients.items():
                self.ask(role, client, address, path)

    def ask(self, role: str, client: Client, address: Address, path: str) -> None:
        answer = client.get(path)
        if getattr(answer, "streaming", False):
            b"".join(answer.streaming_content)
        self.asked[answer.status_code] += 1
        if answer.status_code >= 500:
            self.faults.append(f"{answer.status_code} {path} as {role}: {answer.exc_info and answer.exc_info[1]!r}")
        elif address.path.startswith(API):
            self.compared += 1
            if wrong := description().differs(address, answer):
                self.faults.append(f"{path} as {role}: {wrong}")


def paths(scope: Scope, most: int | None = None) -> Iterator[tuple[Address, str]]:
    """Yield every address with its arguments, at most so many of each."""
    for address in addresses():
        rows = list(way_of(address)(scope))
        for arguments in dict.fromkeys(rows[:most]):
            yield address, "/" + address.path.format(*arguments)


class Description:
    """The OpenAPI document, to check answers against."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.paths = document["paths"]
        self.components = with_nulls(document["components"])
        self._validators: dict[tuple[str, str], Any] = {}

    def differs(self, address: Address, answer: Any) -> str:
        """Return the difference of an answer from its description; empty if there is none."""
        operation = self.paths.get(address.described, {}).get("get")
        if operation is None:
            return "" if answer.status_code in {404, 405, 401, 403} else f"{answer.status_code}, and not described"
        told = operation["responses"].get(str(answer.status_code))
        kind = answer.headers.get("Content-Type", "").partition(";")[0]
        if told is None:
            return f"{answer.status_code} is not described"
        if not told.get("content") and not answer.content:  # as of a redirect
            return ""
        if kind not in told.get("content", {}):
            return f"{kind} is not described"
        if not kind.endswith("json") or "schema" not in told["content"][kind]:
            return ""
        key = address.described, str(answer.status_code)
        if key not in self._validators:
            schema = with_nulls(told["content"][kind]["schema"])
            self._validators[key] = jsonschema_rs.Draft202012Validator({**schema, "components": self.components})
        return "; ".join(str(one.message)[:300] for one in self._validators[key].iter_errors(answer.json()))


_described: list[Description] = []


def description() -> Description:
    if not _described:
        _described.append(Description(Client().get(f"/{API}schema/").json()))
    return _described[0]


def with_nulls(schema: Any) -> Any:
    """Turn `nullable` of OpenAPI 3.0 into a type of JSON Schema."""
    if isinstance(schema, list):
        return [with_nulls(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    found = {name: with_nulls(one) for name, one in schema.items() if name != "nullable"}
    return {"anyOf": [found, {"type": "null"}]} if schema.get("nullable") is True else found
