"""The organizers' desk of a league: competitions, and facts for their next step.

Constant statement counts.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Case, Count, Exists, F, OuterRef, Prefetch, Q, QuerySet, When

from league.accounts.models import League, Role, User
from league.accounts.permissions import OFFICIALS
from league.competitions.draw.laying_out import fewest
from league.competitions.formats.registry import FEWEST, PAIRED_BY_ROUND
from league.competitions.models import Berth, Competition, Matchday, Registration, Slot, Stage
from league.competitions.standings.tiebreaks.registry import Needs, any_needs
from league.matches import permissions
from league.matches.models import Game, Match, Record, Result, log_unchecked
from league.matches.officials import taking_one
from league.matches.permissions import sides_of
from league.matches.queries.lines import MatchLine, match_lines
from league.players.models import PEOPLE

FINISHED_SHOWN = 12
MOST_FURTHER = 48
A_DAY = timedelta(days=1)


@dataclass(slots=True, kw_only=True)
class RoundFacts:
    """A round: number of its matches, and of those without an official result."""

    matchday: Matchday
    matches: int = 0
    open: int = 0

    @property
    def shown(self) -> bool:
        return self.matchday.published_at is not None


@dataclass(slots=True, kw_only=True)
class DeskLine:
    """A competition that is not over.

    Matches by reason: `differ`: two entries differ, one of them may be official; `decide`: the result needs a decision;
    `waiting`: for a confirmation; `mend`: the logs give no result. `draws_on`: rounds are still to be drawn from
    results. `fewest`: the least number of entrants for its draw.
    """

    competition: Competition
    entrants: int
    fewest: int
    rounds: list[RoundFacts] = field(default_factory=list)
    differ: list[MatchLine] = field(default_factory=list)
    decide: list[MatchLine] = field(default_factory=list)
    waiting: list[MatchLine] = field(default_factory=list)
    mend: list[MatchLine] = field(default_factory=list)
    draws_on: bool = False

    @property
    def being_played(self) -> RoundFacts | None:
        """The first published round with a match to play."""
        return next((one for one in self.rounds if one.shown and one.open), None)

    @property
    def hidden(self) -> RoundFacts | None:
        """The next round to publish."""
        return next((one for one in self.rounds if not one.shown), None)


@dataclass(frozen=True, slots=True)
class Desk:
    """The desk of a league.

    `to_lot`: finished competitions whose standings end with a lot that is not drawn yet.
    """

    lines: list[DeskLine]
    finished: list[Competition]
    to_lot: frozenset[int]


def desk(user: User, league: League) -> Desk:
    """List the competitions of a league: those being played, then drafts.

    Ask only for its staff.
    """
    unfinished = Stage.objects.filter(competition=OuterRef("pk"), finished_at__isnull=True)
    drawn = Stage.objects.filter(competition=OuterRef("pk"), matchdays__isnull=False)
    to_draw = unfinished.filter(Q(format__in=PAIRED_BY_ROUND) | Q(matchdays__isnull=True))
    lotless = Registration.objects.filter(competition=OuterRef("pk"), lot=None)
    rows = (
        Competition.objects.filter(league=league)
        .annotate(
            entrant_count=Count("registrations"),
            unfinished=Exists(unfinished),
            drawn=Exists(drawn),
            draws_on=Exists(to_draw),
            without_lot=Exists(lotless),
        )
        .select_related("league")
        .prefetch_related(Prefetch("stages", Stage.objects.filter(number=1), to_attr="first_stages"))
        .order_by(F("published_at").desc(nulls_last=True), "name", "pk")
    )
    over = [one for one in rows if one.cancelled_at or (one.published_at and one.drawn and not one.unfinished)]
    current = [one for one in rows if one not in over]
    lines = {
        one.pk: DeskLine(
            competition=one,
            entrants=one.entrant_count,
            fewest=fewest(one.first_stages[0]) if one.first_stages else FEWEST,
            draws_on=one.draws_on,
        )
        for one in current
    }
    _add_rounds(lines)
    _add_results(lines, user)
    finished = over[:FINISHED_SHOWN]
    drawn_by_lot = [one for one in finished if any_needs(one.tie_breaks, Needs.LOTS)]
    to_lot = {one.pk for one in drawn_by_lot if one.without_lot and one.cancelled_at is None}
    return Desk(list(lines.values()), [*finished], frozenset(to_lot))


def _add_rounds(lines: dict[int, DeskLine]) -> None:
    days = Matchday.objects.filter(stage__competition__in=lines).select_related("stage")
    rounds = {day.pk: RoundFacts(matchday=day) for day in days.order_by("stage__number", "number")}
    for one in rounds.values():
        lines[one.matchday.stage.competition_id].rounds.append(one)
    for day, state in _slots(lines).values_list("matchday", "match__state"):
        rounds[day].matches += 1
        rounds[day].open += state != Match.State.DECIDED


def _slots(lines: Iterable[int]) -> QuerySet[Slot]:
    """Slots without byes, which are not played."""
    slots = Slot.objects.filter(matchday__stage__competition__in=lines, not_needed=False)
    return slots.annotate(berth_count=Count("berths")).exclude(berth_count=1)


def _add_results(lines: dict[int, DeskLine], user: User) -> None:
    """Sort the matches with an entry by the reason for their delay.

    Of decided matches only those whose official result is contested.
    """
    has_record = Exists(Record.objects.filter(game__match=OuterRef("pk")))
    of_these = Match.objects.filter(has_record, slot__matchday__stage__competition__in=lines)
    open_ones = of_these.filter(~Q(state=Match.State.DECIDED) | Q(_differs()))
    place = dict(open_ones.values_list("pk", "slot__matchday__stage__competition"))
    for match in match_lines(open_ones.order_by("table__name", "pk"), user):
        line = lines[place[match.id]]
        if match.contested:
            line.differ.append(match)
        elif match.needs_decision:
            line.decide.append(match)
        elif match.no_result:
            line.mend.append(match)
        elif not match.checking and any(not game.outcome.official for game in match.games):
            line.waiting.append(match)


def _differs() -> Exists:
    """Condition of a match: two entries of a game differ, one of them may be official."""
    return Exists(Result.objects.filter(game__match=OuterRef("pk"), current=True, contested=True))


# --- The page of tables ---


@dataclass(slots=True, kw_only=True)
class MatchActs:
    """Acts that the asker may do on a match from the page of tables.

    `confirm`: results to confirm; `submit`: code of the game that still needs a log; `slot_id`: the slot whose table
    and hour can be changed.
    """

    confirm: list[Result] = field(default_factory=list)
    submit: str = ""
    slot_id: int | None = None
    competition_slug: str = ""
    # The round that can be published without this match, and the sides with a countdown to a forfeit.
    next_round: Matchday | None = None
    awaited: list[Berth] = field(default_factory=list)


def match_acts(user: User, league: League, match_ids: Sequence[int]) -> dict[int, MatchActs]:
    """Return the asker's acts on each match, for staff of the league.

    At most nine statements for any number of matches.
    """
    acts = {match_id: MatchActs() for match_id in match_ids}
    kinds = set(Role.objects.filter(user=user, league=league).values_list("kind", flat=True))
    _add_slots(acts)
    own = sides_of(user).filter(match__in=acts)
    sides = dict(own.order_by("-number").values_list("match", "number"))
    waiting = list(_to_confirm(acts))
    alone = taking_one({result.game.match_id for result in waiting if result.record.submitted_by_id == user.pk})
    for result in waiting:
        match = result.game.match
        actor = permissions.actor_from(user, match, kinds, sides.get(match.pk), takes_one=match.pk in alone)
        if permissions.why_not_confirm(actor, result) is None:
            acts[match.pk].confirm.append(result)
    if kinds & OFFICIALS:
        for match_id, code in _games_without_official_result(acts):
            acts[match_id].submit = acts[match_id].submit or code
    return acts


def _add_slots(acts: dict[int, MatchActs]) -> None:
    slots = list(Slot.objects.filter(match__in=acts).select_related("matchday__stage__competition", "match"))
    hidden: dict[int, Matchday] = {}
    days = Matchday.objects.filter(stage__in={slot.matchday.stage_id for slot in slots}, published_at=None)
    running = {"stage__competition__published_at__isnull": False, "stage__competition__cancelled_at": None}
    for day in days.filter(**running).order_by("-number"):
        hidden[day.stage_id] = day
    awaited: dict[int, list[Berth]] = {}
    rows = Berth.objects.filter(slot__in=slots, awaited_since__isnull=False, slot__match__state=Match.State.SCHEDULED)
    for berth in rows.select_related(*PEOPLE).order_by("number"):
        awaited.setdefault(berth.slot_id, []).append(berth)
    for slot in slots:
        one = acts[slot.match_id]
        one.slot_id, one.competition_slug = slot.pk, slot.matchday.stage.competition.slug
        one.awaited = awaited.get(slot.pk, [])
        coming = hidden.get(slot.matchday.stage_id)
        if coming and coming.number > slot.matchday.number and slot.match.state != Match.State.DECIDED:
            one.next_round = coming


def _to_confirm(match_ids: Iterable[int]) -> QuerySet[Result]:
    """Results to confirm; decisions are made on the page of the match, with the log."""
    return (
        Result.objects.filter(game__match__in=match_ids, current=True, state=Result.State.PROVISIONAL)
        .filter(needs_decision=False)
        .exclude(game__match__state=Match.State.DECIDED)
        .exclude(log_unchecked())
        .select_related("record", "game__match")
        .order_by("game__number")
    )


def _games_without_official_result(match_ids: Iterable[int]) -> QuerySet[Game, tuple[int, str]]:
    official = Result.objects.filter(game=OuterRef("pk"), current=True, state=Result.State.OFFICIAL)
    games = Game.objects.filter(~Exists(official), match__in=match_ids).exclude(match__state=Match.State.DECIDED)
    return games.order_by("match", "number").values_list("match", "code")


def further_matches(
    user: User, league: League, slug: str | None, shown: Iterable[int], now: datetime
) -> list[MatchLine]:
    """Published matches that need attention but are at no table now.

    Matches without an official result, and contested ones. Those without an official result have no table, or should be
    over. Matches with a result come first, then by their hour.
    """
    begun = ~Q(state=Match.State.SCHEDULED) | Q(starts_at__lte=now)
    loose = Q(table=None) & (Q(starts_at=None) | Q(starts_at__lt=now + A_DAY))
    matches = Match.objects.filter(begun | loose, league=league, published_at__isnull=False)
    matches = matches.filter(~Q(state=Match.State.DECIDED) | Q(_differs())).exclude(pk__in=list(shown))
    if slug:
        matches = matches.filter(slot__matchday__stage__competition__slug=slug)
    untouched = Case(When(state=Match.State.SCHEDULED, then=1), default=0)
    rows = matches.order_by(untouched, F("starts_at").asc(nulls_last=True), "pk")[:MOST_FURTHER]
    return match_lines(rows, user)


def in_play(league: League) -> list[Competition]:
    """Published competitions of a league that are neither over nor cancelled."""
    unfinished = Stage.objects.filter(competition=OuterRef("pk"), finished_at__isnull=True)
    running = league.competitions.filter(Exists(unfinished), published_at__isnull=False, cancelled_at=None)
    return list(running.order_by("name", "pk"))
