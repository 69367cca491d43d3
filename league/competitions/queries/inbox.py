"""The inbox: everything that an account may settle now, on home and at the desk.

At most 23 statements for any number of items.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, Min, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from league.accounts.models import League, Role, User
from league.accounts.permissions import ALLOWED, OFFICIALS, Act, Asker
from league.accounts.services import waiting_invitations
from league.competitions.agreed_hours import open_proposals
from league.competitions.draw.forfeits import left_columns, left_sides
from league.competitions.models import Applicant, Competition, Stage
from league.competitions.official_results import waiting_results_of
from league.competitions.queries.lists import Whereabouts, competition_of
from league.competitions.queries.rounds import OPEN
from league.competitions.registration.admission import still_drawn
from league.matches import permissions
from league.matches.amendments import waiting_amendments
from league.matches.models import IN_ORDER, Amendment, Game, KnownBy, Match, Record, Result, log_unchecked
from league.matches.officials import alone_in, taking_one
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.results.judges import judged_by
from league.players.models import Entrant, Membership, plays_for
from league.players.queries import claims_to_decide

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Unplayed(TypedDict):
        broken: bool
        log: int
        logged_at: datetime
        first_left: int | None
        last_left: int | None
        left_at: datetime


MOST = 200
"""Most results, and most logs, that are looked through at once."""


class InboxKind(StrEnum):
    """Kinds of items, the most urgent first."""

    REVIEW = "review"
    DECIDE = "decide"
    RULE = "rule"
    AMENDMENT = "amendment"
    FIX = "fix"
    CONFIRM = "confirm"
    HOURS = "hours"
    IMPORTED = "imported"
    SIGN_UPS = "sign-ups"
    LINK = "link"
    ROLE = "role"


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A thing to settle, since when it waits, and its row.

    `row`: a Result, Game, Amendment, HourProposal, Competition, PlayerClaim or RoleInvitation, by the kind. `match_id`:
    of a match, whose `line` and `place` are filled in by `with_matches`. `count`: of results or sign-ups of a
    competition; `left`: of its withdrawn sign-ups that are still in the draw. `decides`: the asker ends the review as
    an official or judge, not as a side.
    """

    kind: InboxKind
    since: datetime
    league: League
    row: Any
    game: Game | None = None
    match_id: int | None = None
    count: int = 0
    left: int = 0
    decides: bool = False
    line: MatchLine | None = None
    place: Whereabouts | None = None


def inbox(user: Asker, *, league: League | None = None, competition: Competition | None = None) -> list[Item]:
    """List what the asker may settle, the most urgent kind and the longest waiting first.

    `league`: only of this league; `competition`: only of this competition, and of the people of its league.
    """
    if not user.is_authenticated:
        return []
    asked = _asked(user, competition.league if competition else league, competition)
    found = [*_of_matches(asked), *_hours(asked), *_imports(asked), *_sign_ups(asked), *_links(asked), *_roles(asked)]
    order = list(InboxKind)
    return sorted(found, key=lambda one: (order.index(one.kind), one.since))


def with_matches(items: Sequence[Item], user: Asker) -> list[Item]:
    """Fill in the lines and places of the matches, for the items of one page. At most five statements."""
    keys = {one.match_id for one in items if one.match_id}
    lines = {line.id: line for line in match_lines(Match.objects.filter(pk__in=keys), user)} if keys else {}
    places = competition_of(keys) if keys else {}
    return [
        replace(one, line=lines[one.match_id], place=places.get(one.match_id)) if one.match_id else one for one in items
    ]


@dataclass(frozen=True, slots=True)
class _Asked:
    """The asker's leagues and roles, and the part of the site that is looked through."""

    user: User
    leagues: Mapping[int, League]
    kinds: Mapping[int, set[str]]
    league: League | None
    competition: Competition | None

    def where(self, roles: Iterable[str]) -> list[int]:
        """Return the leagues in which the asker has one of these roles."""
        return [pk for pk, kinds in self.kinds.items() if not kinds.isdisjoint(roles)]

    def within(self, match: str) -> Q:
        """Condition for the path of a match: it is in the part that is looked through."""
        if self.competition:
            return Q(**{f"{match}__slot__matchday__stage__competition": self.competition})
        return Q(**{f"{match}__league": self.league}) if self.league else Q()

    def competitions(self, roles: Iterable[str]) -> Q:
        """Condition for a competition: the asker has one of these roles in its league."""
        of_league = Q(league__in=self.where(roles))
        return of_league & Q(pk=self.competition.pk) if self.competition else of_league


def _asked(user: User, league: League | None, competition: Competition | None) -> _Asked:
    roles = Role.objects.filter(user=user).select_related("league")
    if league:
        roles = roles.filter(league=league)
    leagues: dict[int, League] = {}
    kinds: dict[int, set[str]] = {}
    for role in roles:
        leagues[role.league_id] = role.league
        kinds.setdefault(role.league_id, set()).add(role.kind)
    return _Asked(user, leagues, kinds, league, competition)


# --- Matches ---


@dataclass(slots=True)
class _OfMatches:
    """Rows of matches that may be for the asker, before the permissions are looked at."""

    results: list[Result] = field(default_factory=list)
    games: "list[WithAnnotations[Game, Unplayed]]" = field(default_factory=list)
    amendments: list[Amendment] = field(default_factory=list)

    @property
    def matches(self) -> dict[int, Match]:
        games = [*(one.game for one in self.results), *(one.game for one in self.amendments), *self.games]
        return {game.match_id: game.match for game in games}


def _of_matches(asked: _Asked) -> Iterator[Item]:
    judged = judged_by(asked.user)
    found = _OfMatches(_results(asked, judged), _without_result(asked), _amendments(asked))
    if not found.matches:
        return
    actors = _actors(asked, found.matches)
    entries = _entries_under_review([one.game_id for one in found.results if one.contested])
    for one in found.results:
        actor = actors[one.game.match_id]
        decides = _decides(actor, one, entries.get(one.game_id, ()), is_judge=one.game.match_id in judged)
        kind = _kind_of(actor, one, decides=decides)
        if kind:
            yield _item(kind, one.entered_at, one, one.game, decides=decides)
    for game in found.games:
        if game.broken and permissions.why_not_submit(actors[game.match_id]) is None:
            yield _item(InboxKind.FIX, game.logged_at, game, game)
    unruled = {game.match_id: game for game in reversed(found.games) if game.first_left}
    for match_id, game in unruled.items():
        if permissions.why_not_rule(actors[match_id]) is None:
            yield _item(InboxKind.RULE, game.left_at, game, game)
    withheld = permissions.withheld_amendments(asked.user.pk, [row.pk for row in found.amendments])
    for row in found.amendments:
        if permissions.why_not_confirm_amendment(actors[row.game.match_id], row, withheld) is None:
            yield _item(InboxKind.AMENDMENT, row.proposed_at, row, row.game)


def _item(
    kind: InboxKind, since: datetime, row: Result | Game | Amendment, game: Game, *, decides: bool = False
) -> Item:
    league, match_id = game.match.league, game.match_id
    return Item(kind=kind, since=since, league=league, row=row, game=game, match_id=match_id, decides=decides)


def _results(asked: _Asked, judged: Iterable[int]) -> list[Result]:
    """Results of open matches that wait, and official ones under review. Two statements: each has its index."""
    mine = _mine(asked, "game__match") | Q(game__match__in=judged, contested=True)
    rows = Result.objects.filter(mine, asked.within("game__match"), current=True).exclude(log_unchecked())
    rows = rows.select_related("record", "game__match__league").order_by("entered_at", "pk")
    waiting = (
        rows.filter(state=Result.State.PROVISIONAL, game__match__state__in=OPEN)
        .exclude(record__submitted_by=asked.user, record__for_side__isnull=False, contested=False)
        # Imported results are confirmed all at once.
        .exclude(
            contested=False,
            needs_decision=False,
            record__via=Record.Via.IMPORT,
            record__score_sheet__data__official=True,
        )
    )
    return [*waiting[:MOST], *rows.filter(state=Result.State.OFFICIAL, contested=True)[:MOST]]


def _mine(asked: _Asked, match: str) -> Q:
    """Condition for the path of a match: the asker plays in it, or is an official of its league."""
    plays = Q(**{f"{match}__in": permissions.sides_of(asked.user).values("match")})
    return plays | Q(**{f"{match}__league__in": asked.where(OFFICIALS)})


def _without_result(asked: _Asked) -> "list[WithAnnotations[Game, Unplayed]]":
    """Games without a result: `broken` if their last log (its key is `log`) proves none, or a side has left."""
    logs = Record.objects.filter(game=OuterRef("pk"), kind=KnownBy.LOG, withdrawn_at=None)
    last = logs.order_by(*(f"-{name}" for name in IN_ORDER))
    broken = Q(Exists(logs), ~Exists(logs.filter(state=Record.State.RECEIVED)))
    unruled = Q(Exists(left_sides().filter(match=OuterRef("match"))), match__league__in=asked.where(OFFICIALS))
    rows = Game.objects.filter(
        broken | unruled,
        ~Exists(Result.objects.filter(game=OuterRef("pk"), current=True)),
        _mine(asked, "match"),
        asked.within("match"),
        match__state__in=OPEN,
    )
    left = left_columns("match")
    dated = rows.annotate(
        broken=ExpressionWrapper(broken, BooleanField()),
        log=Subquery(last.values("pk")[:1]),
        logged_at=Subquery(last.values("submitted_at")[:1]),
        first_left=left["first_left"],
        last_left=left["last_left"],
        left_at=left["left_at"],
    )
    return list(dated.select_related("match__league").order_by(Coalesce("logged_at", "left_at"), "pk")[:MOST])


def _amendments(asked: _Asked) -> list[Amendment]:
    return list(waiting_amendments(asked.where(OFFICIALS)).filter(asked.within("game__match")))


def _actors(asked: _Asked, matches: Mapping[int, Match]) -> dict[int, permissions.Actor]:
    """The asker's part in each match. Three statements."""
    own = permissions.sides_of(asked.user).filter(match__in=matches)
    sides = dict(own.order_by("-number").values_list("match", "number"))
    alone = taking_one(matches)
    return {
        pk: permissions.actor_from(
            asked.user, match, asked.kinds.get(match.league_id, set()), sides.get(pk), takes_one=pk in alone
        )
        for pk, match in matches.items()
    }


def _entries_under_review(games: Sequence[int]) -> dict[int, list[Result]]:
    """Contested entries by game. One statement, none without a review."""
    found: dict[int, list[Result]] = {}
    rows = Result.objects.filter(game__in=games, contested=True, record__withdrawn_at=None)
    for row in rows.select_related("record"):
        found.setdefault(row.game_id, []).append(row)
    return found


def _decides(one: permissions.Actor, result: Result, entries: Iterable[Result], *, is_judge: bool) -> bool:
    """Tell whether the asker may take one of the entries under review; if one is official, only that one."""
    if not result.contested or (permissions.why_not_rule(one) is not None and not is_judge):
        return False
    takable = [result] if result.state == Result.State.OFFICIAL else entries
    return any(not permissions.is_own(one, entry.record) for entry in takable)


def _kind_of(one: permissions.Actor, result: Result, *, decides: bool) -> InboxKind | None:
    """Return the kind of a result for the asker; None if others settle it.

    A side ends a review by its own entry or by accepting the other's.
    """
    if result.contested:
        as_side = one.plays and one.sees and result.state != Result.State.OFFICIAL
        return InboxKind.REVIEW if decides or as_side else None
    if permissions.why_not_confirm(one, result) is not None:
        return None
    return InboxKind.DECIDE if result.needs_decision else InboxKind.CONFIRM


def _hours(asked: _Asked) -> Iterator[Item]:
    """Hours that the other side of a match proposes. One statement."""
    mine = Entrant.objects.filter(plays_for(asked.user))
    rows = open_proposals(timezone.now()).filter(asked.within("match"), match__sides__entrant__in=mine)
    rows = rows.exclude(entrant__in=mine).select_related("match__league")
    for one in rows.order_by("made_at", "pk")[:MOST]:
        yield Item(kind=InboxKind.HOURS, since=one.made_at, league=one.match.league, row=one, match_id=one.match_id)


# --- Competitions and people ---


def _imports(asked: _Asked) -> Iterator[Item]:
    rows = Competition.objects.filter(asked.competitions(OFFICIALS), imported_at__isnull=False)
    of_competition = "game__match__slot__matchday__stage__competition"
    counted = waiting_results_of(rows).order_by().values(of_competition)
    waits = counted.annotate(count=Count("pk"), since=Min("entered_at"))
    found = {pk: (count, since) for pk, count, since in waits.values_list(of_competition, "count", "since")}
    waiting = list(Competition.objects.filter(pk__in=found).select_related("imported_by")) if found else []
    alone = alone_in([asked.leagues[one.league_id] for one in waiting], asked.user) if waiting else frozenset()
    for one in waiting:
        count, since = found[one.pk]
        if one.imported_by_id != asked.user.pk or one.league_id in alone:
            yield _of_competition(InboxKind.IMPORTED, asked, one, since, count)


def _of_competition(kind: InboxKind, asked: _Asked, one: Competition, since: datetime, count: int) -> Item:
    one.league = asked.leagues[one.league_id]
    place = Whereabouts(one.name, one.league.slug, one.slug, "")
    return Item(kind=kind, since=since, league=one.league, row=one, count=count, place=place)


def _sign_ups(asked: _Asked) -> Iterator[Item]:
    """Sign-ups that wait, or were withdrawn since a draw that still has their entrant. One statement."""
    managed = asked.competitions(ALLOWED[Act.MANAGE_COMPETITIONS])
    waits = Q(applicants__state=Applicant.State.WAITING)
    unfinished = Exists(Stage.objects.filter(competition=OuterRef("pk"), finished_at=None))
    leaves = Q(unfinished, applicants__in=still_drawn())
    rows = Competition.objects.filter(managed, waits | leaves, cancelled_at=None).annotate(
        count=Count("applicants", filter=waits),
        left=Count("applicants__entrant", filter=~waits, distinct=True),
        since=Min(Coalesce("applicants__leaves_since", "applicants__made_at")),
    )
    for one in rows:
        yield replace(_of_competition(InboxKind.SIGN_UPS, asked, one, one.since, one.count), left=one.left)


def _links(asked: _Asked) -> Iterator[Item]:
    """Link requests; one's own only as the single manager of the league."""
    managed = asked.where(ALLOWED[Act.MANAGE_PEOPLE])
    here = Membership.objects.filter(player=OuterRef("player"), league__in=managed).order_by("-since", "pk")
    claims = list(claims_to_decide(*managed).annotate(of_league=Subquery(here.values("league")[:1])))
    shared = _with_other_managers(asked, [one.of_league for one in claims if one.user_id == asked.user.pk])
    for one in claims:
        if one.user_id != asked.user.pk or one.of_league not in shared:
            yield Item(kind=InboxKind.LINK, since=one.made_at, league=asked.leagues[one.of_league], row=one)


def _with_other_managers(asked: _Asked, leagues: Sequence[int]) -> set[int]:
    if not leagues:
        return set()
    managers = Role.objects.filter(league__in=leagues, kind__in=ALLOWED[Act.MANAGE_PEOPLE], user__is_active=True)
    return set(managers.exclude(user=asked.user).values_list("league", flat=True))


def _roles(asked: _Asked) -> Iterator[Item]:
    for one in waiting_invitations(*asked.where(ALLOWED[Act.RUN_LEAGUE])):
        since = one.taken_at or one.made_at
        yield Item(kind=InboxKind.ROLE, since=since, league=asked.leagues[one.league_id], row=one)
