"""The results grid of the desk: a row for each open game of the current rounds.

Constant statement counts.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from league.accounts.models import League, Role, User
from league.competitions.draw.forfeits import left_columns, left_sides
from league.competitions.draw.schedule.seating import natural
from league.competitions.formats.registry import KNOCK_OUTS
from league.competitions.models import Competition, Matchday
from league.matches import permissions
from league.matches.clock.queries import clocks_in
from league.matches.clock.state import ClockState
from league.matches.models import LEVELS, Game, KnownBy, Match, Record, Result, Side
from league.matches.officials import taking_one
from league.matches.queries.lines import MatchLine, by_side, line_of, needed
from league.matches.results.entering import UNDO, is_undoable
from league.matches.results.match_outcome import GameOutcome, provisional_standing
from league.matches.results.standing import PRESSED, takes_score_beside
from league.players.models import PEOPLE

A_DAY = timedelta(days=1)
MOST_RECENT = 12
NEVER_BEGUN = frozenset({ClockState.NOT_STARTED, ClockState.OVER})


@dataclass(frozen=True, slots=True, kw_only=True)
class GridEntry:
    """Entry of a game from one source.

    `side`: the name of the side that made it, empty for the desk; `points` in the order of the sides.
    """

    result: Result
    record: Record
    points: list[int]
    side: str
    may_choose: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GridRow:
    """A game with its entries and the asker's acts.

    `entries`: empty without any; the current entry comes first, entries that differ from it follow. `after`: the
    asker's last entry (`enter_sheet`). `undo`: the entry that can still be taken back. `left`: numbers of the sides
    that have left a match which the asker may rule.
    """

    game: Game
    match: Match
    line: MatchLine
    competition: str
    matchday: str
    entries: list[GridEntry]
    playing: bool
    checking: bool
    after: int
    own: bool
    may_enter: bool
    may_rule: bool
    may_confirm: bool
    may_correct: bool
    undo: Record | None
    left: frozenset[int] = frozenset()

    @property
    def current(self) -> GridEntry | None:
        return self.entries[0] if self.entries else None

    @property
    def official(self) -> bool:
        return bool(self.current and self.current.result.state == Result.State.OFFICIAL)

    @property
    def missing(self) -> bool:
        """Whether there is no entry yet."""
        return not self.entries and not self.checking

    @property
    def unconfirmed(self) -> bool:
        """Whether there is a result that is neither official nor under review."""
        return len(self.entries) == 1 and not self.official and not self.contested

    @property
    def contested(self) -> bool:
        return bool(self.current and self.current.result.contested)

    @property
    def needs_decision(self) -> bool:
        return bool(self.current and self.current.result.needs_decision)

    @property
    def level(self) -> str:
        """Required kind of record if a score is not enough, else empty."""
        return "" if self.match.level == KnownBy.SCORE else self.match.level


@dataclass(frozen=True, slots=True)
class Recent:
    """A recent entry by the asker, with the names and points of the sides in order."""

    record: Record
    table: str
    names: list[str]
    points: list[int]


@dataclass(frozen=True, slots=True)
class Grid:
    rows: list[GridRow]
    recent: list[Recent]


def grid(user: User, league: League, competition: Competition | None, now: datetime) -> Grid:
    """Return the grid, by table in natural order.

    For users that may enter results in the league.
    """
    matches = _matches(league, competition, now)
    games = [game.pk for match in matches for game in match.games.all()]
    records = _records(games)
    kinds = set(Role.objects.filter(user=user, league=league).values_list("kind", flat=True))
    clocks = {view.game_id: view.reading.state for view in clocks_in([one.pk for one in matches], now)}
    rows = _Rows(records, clocks, now)
    alone = taking_one([one.pk for one in matches])
    found = []
    for match in matches:
        own = [side.number for side in match.sides.all() if side.entrant.is_of(user.pk)]
        side = own[0] if own else None
        found += rows.of(match, permissions.actor_from(user, match, kinds, side, takes_one=match.pk in alone))
    return Grid(sorted(found, key=_by_table), recent(user, league, now, competition))


def rows_of_match(match_id: int, one: permissions.Actor, now: datetime) -> list[GridRow]:
    """The rows of one match with its table, for an actor that may see it."""
    match = _loaded(Match.objects.filter(pk=match_id)).get()
    games = [game.pk for game in match.games.all()]
    clocks = {view.game_id: view.reading.state for view in clocks_in([match.pk], now)}
    return _Rows(_records(games), clocks, now).of(match, one)


def _loaded(matches: QuerySet[Match]) -> QuerySet[Match]:
    related = matches.select_related("league", "table", "slot__matchday__stage__competition")
    related = related.annotate(**left_columns("pk"))
    return related.prefetch_related(*needed())


def recent(user: User, league: League, now: datetime, competition: Competition | None = None) -> list[Recent]:
    """Entries that the asker can take back, the latest first, of the league or a competition. Two statements."""
    shown = Q(game__match__league=league)
    if competition is not None:
        shown &= Q(game__match__slot__matchday__stage__competition=competition)
    sides = Prefetch("game__match__sides", Side.objects.select_related(*PEOPLE).order_by("number"))
    records = (
        Record.objects.filter(shown, submitted_by=user, submitted_at__gte=now - UNDO, withdrawn_at=None)
        .exclude(kind=KnownBy.LOG)
        .exclude(Q(result__confirmed_how__in=PRESSED) | Q(result__decided=True))
        .exclude(result__state=Result.State.AMENDED)
        .select_related("result", "game__match__table")
        .prefetch_related(sides)
        .order_by("-submitted_at", "-pk")[:MOST_RECENT]
    )
    return [
        Recent(
            record=one,
            table=one.game.match.table.name if one.game.match.table else "",
            names=[str(side.entrant) for side in one.game.match.sides.all()],
            points=in_order_of_sides(one.result),
        )
        for one in records
    ]


def in_order_of_sides(result: Result) -> list[int]:
    points = by_side(result.scores)
    return [points[number] for number in sorted(points)]


def _matches(league: League, competition: Competition | None, now: datetime) -> list[Match]:
    """Matches of the grid. Five statements.

    Of current rounds all, decided ones too; of rounds before them those that are late; of other rounds those that have
    begun or that an entrant has left, and with a dispatcher all known ones of a knock-out; matches outside of
    competitions; and contested matches.
    """
    differs = Exists(Result.objects.filter(game__match=OuterRef("pk"), contested=True, current=True))
    begun = Q(state__in=[Match.State.PLAYING, Match.State.PROVISIONAL]) | Q(starts_at__lte=now)
    loose = Q(slot=None) & (Q(starts_at=None) | Q(starts_at__lte=now + A_DAY))
    # Hours are a forecast there: the two of a knock-out's match are known, so they can play.
    ready = Q(slot__matchday__stage__format__in=KNOCK_OUTS, slot__matchday__stage__competition__dispatches=True)
    unruled = Exists(left_sides().filter(match=OuterRef("pk")))
    is_open = ~Q(state=Match.State.DECIDED) & (begun | loose | ready | unruled)
    running, before = _running(league, competition)
    late = Q(slot__matchday__in=before) & ~Q(state=Match.State.DECIDED)
    wanted = Match.objects.filter(
        Q(slot__matchday__in=running) | late | is_open | Q(differs), league=league, published_at__isnull=False
    )
    if competition:
        wanted = wanted.filter(slot__matchday__stage__competition=competition)
    return list(_loaded(wanted))


def _running(league: League, competition: Competition | None) -> tuple[list[int], list[int]]:
    """Current rounds of unfinished stages, and earlier rounds with open matches.

    The current round of a stage is the first round with an open match, or, if rounds are published one after the other,
    the last; without any, the last published round.
    """
    seen = Q(slots__match__published_at__isnull=False)
    days = (
        Matchday.objects.filter(stage__competition__league=league, stage__finished_at__isnull=True)
        .annotate(
            shown=Count("slots", filter=seen),
            open=Count("slots", filter=seen & ~Q(slots__match__state=Match.State.DECIDED)),
        )
        .filter(shown__gt=0)
        .order_by("stage", "number")
    )
    if competition:
        days = days.filter(stage__competition=competition)
    last: dict[int, int] = {}
    opened: dict[int, list[int]] = {}
    for stage, pk, is_open, release in days.values_list("stage", "pk", "open", "stage__competition__release"):
        last[stage] = pk
        if is_open and (release == Competition.Release.ROUND_BY_ROUND or stage not in opened):
            opened.setdefault(stage, []).append(pk)
    running = [opened.get(stage, [pk])[-1] for stage, pk in last.items()]
    return running, [pk for days_of_stage in opened.values() for pk in days_of_stage[:-1]]


def _records(games: Sequence[int]) -> Mapping[int, list[Record]]:
    """Records by game, the oldest first, withdrawn records included. One statement."""
    found: dict[int, list[Record]] = {}
    rows: QuerySet[Record] = Record.objects.filter(game__in=games).select_related(
        "submitted_by", "result__confirmed_by"
    )
    for one in rows.order_by("pk"):
        found.setdefault(one.game_id, []).append(one)
    return found


@dataclass(frozen=True, slots=True)
class _Rows:
    """Data of the rows. Makes no statement."""

    records: Mapping[int, list[Record]]
    clocks: Mapping[int, ClockState]
    now: datetime

    def of(self, match: Match, one: permissions.Actor) -> list[GridRow]:
        line = replace(line_of(match), table=match.table.name if match.table else "")
        return [self._row(game, match, line, one) for game in _games(match)]

    def _row(self, game: Game, match: Match, line: MatchLine, one: permissions.Actor) -> GridRow:
        entries = self._entries(game, line, one)
        standing = entries[0].result if entries else None
        official = standing is not None and standing.state == Result.State.OFFICIAL
        better = standing is not None and standing.known_by in {KnownBy.LOG, KnownBy.RULED}
        is_open = match.state != Match.State.DECIDED and not official
        slot = getattr(match, "slot", None)
        may_rule = is_open and not better and permissions.why_not_rule(one) is None
        return GridRow(
            game=game,
            match=match,
            line=line,
            competition=str(slot.matchday.stage.competition) if slot else "",
            matchday=str(slot.matchday) if slot else "",
            entries=entries,
            playing=self.clocks.get(game.pk, ClockState.NOT_STARTED) not in NEVER_BEGUN
            or match.state == Match.State.PLAYING,
            checking=game.has_unchecked_log,
            after=self._last_word(game, one),
            own=one.plays,
            may_enter=is_open
            and (standing is None or takes_score_beside(standing))
            and permissions.why_not_enter(one) is None
            and LEVELS.index(KnownBy.SCORE) <= LEVELS.index(KnownBy(match.level)),
            may_rule=may_rule,
            may_confirm=is_open
            and standing is not None
            and not standing.contested
            and not standing.needs_decision
            and not game.has_unchecked_log
            and permissions.why_not_confirm(one, standing) is None,
            may_correct=official
            and standing is not None
            and not standing.contested
            and permissions.why_not_amend(one) is None,
            undo=self._undo(entries, one),
            left=frozenset(filter(None, (match.first_left, match.last_left))) if may_rule else frozenset(),
        )

    def _entries(self, game: Game, line: MatchLine, one: permissions.Actor) -> list[GridEntry]:
        known = [record for record in self.records.get(game.pk, ()) if not record.withdrawn_at]
        shown = [record for record in known if (made := getattr(record, "result", None)) and _stands(made)]
        names = {side.number: side.name for side in line.sides}
        return [
            GridEntry(
                result=record.result,
                record=record,
                points=in_order_of_sides(record.result),
                side=names.get(record.for_side or 0, ""),
                may_choose=_may_choose(record, shown, one),
            )
            for record in sorted(shown, key=lambda record: not record.result.current)
        ]

    def _last_word(self, game: Game, one: permissions.Actor) -> int:
        own = [
            record.pk
            for record in self.records.get(game.pk, ())
            if record.kind != KnownBy.LOG
            and (record.for_side == one.side if one.plays else record.for_side is None)
            and (one.plays or record.submitted_by_id == one.user_id)
        ]
        return own[-1] if own else 0

    def _undo(self, entries: Sequence[GridEntry], one: permissions.Actor) -> Record | None:
        """The newest entry of the row that the asker may take back.

        Where two entries differ an official chooses between them, and takes back only an own entry.
        """
        for record in sorted((entry.record for entry in entries), key=lambda record: -record.pk):
            own = len(entries) == 1 or one.plays or record.submitted_by_id == one.user_id
            if own and is_undoable(record, one, self.now):
                return record
        return None


def _stands(result: Result) -> bool:
    return result.current or result.contested


def _may_choose(record: Record, shown: Sequence[Record], one: permissions.Actor) -> bool:
    """Tell whether the actor may choose this entry among entries that differ.

    If one of them is official, only that entry can be upheld.
    """
    differ = any(other.result.contested for other in shown)
    if not differ or permissions.why_not_rule(one) is not None or permissions.is_own(one, record):
        return False
    official = [other for other in shown if other.result.state == Result.State.OFFICIAL]
    return not official or record in official


def _games(match: Match) -> list[Game]:
    """The games to look at or to enter; of a finished match the last game."""
    games = list(match.games.all())
    made = {game.pk: game.current_results[0] for game in games if game.current_results}
    waits = [game for game in games if game.pk in made and _waits(made[game.pk])]
    if match.state != Match.State.DECIDED and not _over(match, made.values()):
        waits += [game for game in games if game.pk not in made][:1]
    return waits or [game for game in games if game.pk in made][-1:]


def _waits(result: Result) -> bool:
    return result.contested or result.state != Result.State.OFFICIAL


def _over(match: Match, made: Iterable[Result]) -> bool:
    outcomes = [
        GameOutcome(one.winner, one.state == Result.State.OFFICIAL, needs_decision=one.needs_decision) for one in made
    ]
    return provisional_standing(match.best_of, outcomes, sides=len(match.sides.all())).over


def _by_table(row: GridRow) -> tuple[bool, list[tuple[int, str]], int, int]:
    return not row.line.table, natural(row.line.table), row.match.pk, row.game.number
