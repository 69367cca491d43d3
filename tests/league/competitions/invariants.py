"""What holds of a competition after every act, whatever the act was (RELIABILITY.md, T-26). Everything is worked out
here from the rows of the draw and of the results, in another way than the code does; nothing is asked of a service.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import combinations

from django.db.models import Sum

from league.accounts.models import User
from league.competitions.draw import rebuilding
from league.competitions.draw.swiss_rounds import BY_HAND
from league.competitions.entrants import standing_withdrawals
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Competition, Matchday, Payment, RatingList, Slot, Stage
from league.competitions.official_results import results_hash
from league.competitions.queries.competition import competition_page
from league.competitions.ratings import services as ratings
from league.competitions.registration.fees import cash
from league.matches.integrity.running import check_range
from league.matches.models import Match, Record, Result
from tests.league.competitions.kept import wrong_kept
from tests.league.competitions.lines import Line, add_byes, lines_at_tables, lines_of_two

ONCE = (Stage.Format.ROUND_ROBIN, Stage.Format.GROUPS, Stage.Format.SWISS)
"""Formats in which nobody meets the same opponent twice."""
RULED = "ruled"


@dataclass(frozen=True)
class SlotFacts:
    """A place of the draw as its row and its match say. `missed`: who belongs to this table and is not there; they are
    none of the entrants.
    """

    key: int
    group: int
    table: int | None
    starts_at: datetime | None
    changed_at: datetime | None
    entrants: tuple[int | None, ...]
    match: int | None
    by_hand: bool
    missed: tuple[int, ...] = ()

    @property
    def pair(self) -> frozenset[int]:
        return frozenset(one for one in self.entrants if one is not None)


@dataclass(frozen=True)
class DayFacts:
    key: int
    number: int
    format: str
    published: bool
    version: int
    results_hash: str
    slots: tuple[SlotFacts, ...]


@dataclass(frozen=True)
class End:
    """A decided match by its official results. `points` and `games` won by entrant; `winner` None where nobody won."""

    points: Mapping[int, int]
    winner: int | None
    forfeit: bool
    games: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Scene:
    """One moment of a competition. `gone`: who has left. `results`: the hash of the official results."""

    days: tuple[DayFacts, ...] = ()
    gone: frozenset[int] = frozenset()
    ends: Mapping[int, End] = field(default_factory=dict)
    results: str = ""

    @property
    def slots(self) -> list[tuple[DayFacts, SlotFacts]]:
        return [(day, slot) for day in self.days for slot in day.slots]


def scene(competition: Competition) -> Scene:
    rows = Slot.objects.filter(matchday__stage__competition=competition).select_related("match")
    slots: dict[int, list[SlotFacts]] = {}
    for one in rows.prefetch_related("berths").order_by("number"):
        berths = sorted(one.berths.all(), key=lambda berth: berth.number)
        facts = SlotFacts(
            key=one.pk,
            group=one.group,
            table=one.table_id,
            starts_at=one.starts_at,
            changed_at=one.changed_at,
            entrants=tuple(berth.entrant_id for berth in berths if berth.absent_since is None),
            match=one.match_id,
            by_hand=any(reason["code"] == BY_HAND for reason in one.reasons),
            missed=tuple(berth.entrant_id for berth in berths if berth.absent_since is not None),
        )
        slots.setdefault(one.matchday_id, []).append(facts)
    days = Matchday.objects.filter(stage__competition=competition).select_related("stage")
    return Scene(
        days=tuple(
            DayFacts(
                key=day.pk,
                number=day.number,
                format=day.stage.format,
                published=day.published_at is not None,
                version=day.version,
                results_hash=day.results_hash,
                slots=tuple(slots.get(day.pk, ())),
            )
            for day in days.order_by("stage__number", "number")
        ),
        gone=frozenset(standing_withdrawals(competition).values_list("entrant", flat=True)),
        ends=ends(competition),
        results=results_hash(competition),
    )


def ends(competition: Competition) -> dict[int, End]:
    """By match, from its official results alone."""
    games: dict[Match, list[Result]] = {}
    official = Result.objects.filter(
        game__match__slot__matchday__stage__competition=competition, current=True, state=Result.State.OFFICIAL
    )
    for result in official.select_related("game__match").order_by("game__number"):
        games.setdefault(result.game.match, []).append(result)
    sides = {match: dict(match.sides.values_list("number", "entrant")) for match in games}
    found = {match.pk: _end(match, games[match], sides[match]) for match in games}
    return {match: end for match, end in found.items() if end is not None}


def _end(match: Match, results: Sequence[Result], sides: Mapping[int, int]) -> End | None:
    wins = Counter(result.winner for result in results if result.winner)
    best = max(wins.values(), default=0)
    # Two stop once one of them cannot be reached; at a table every game is played.
    if (best * 2 <= match.best_of or len(sides) > 2) and len(results) < match.best_of:
        return None
    ahead = [number for number, count in wins.items() if count == best]
    return End(
        points={one: sum(result.scores[str(number)] for result in results) for number, one in sides.items()},
        winner=sides[ahead[0]] if len(ahead) == 1 else None,
        forfeit=all(result.known_by == RULED and result.ended == "forfeit" for result in results),
        games={one: wins[number] for number, one in sides.items()},
    )


# --- What is wrong at one moment ---


def wrong(competition: Competition, reader: User, now: Scene, *, friendly: Iterable[int] = ()) -> list[str]:
    """Every promise that does not hold, in words. `reader`: somebody of the staff, who sees all of it. `friendly`:
    matches of the league that belong to no draw.
    """
    return [
        *once_a_round(now),
        *booked_twice(competition),
        *matches_without_slot(competition, friendly),
        *(str(one) for one in rebuilding.differences(competition)),
        *(str(one) for one in draw_differences(competition)),
        *(str(one) for part in check_range() for one in part.found),
        *open_matches_of_the_gone(competition, now),
        *gone_who_sit(now),
        *in_two_pairs(competition),
        *wrong_tables(competition, reader, now),
        *wrong_kept(competition, reader),
        *wrong_ratings(competition),
        *wrong_fees(competition),
    ]


def once_a_round(now: Scene) -> Iterator[str]:
    """A ladder has a round a month, in which one challenge comes after the other."""
    for day in (day for day in now.days if day.format != Stage.Format.LADDER):
        counted = Counter(one for slot in day.slots for one in slot.pair)
        yield from (
            f"entrant {one} is in round {day.number} {count} times" for one, count in counted.items() if count > 1
        )


def booked_twice(competition: Competition) -> Iterator[str]:
    """In the whole league: a match that is decided holds neither its table nor its people any more."""
    slots = Slot.objects.filter(matchday__stage__competition__league=competition.league_id, starts_at__isnull=False)
    slots = slots.filter(berths__number=2, not_needed=False).exclude(match__state=Match.State.DECIDED)
    rows = list(slots.select_related("matchday__stage__competition").prefetch_related("berths"))
    for one, other in combinations(rows, 2):
        first, then = sorted((one, other), key=lambda slot: slot.starts_at)
        if first.starts_at + timedelta(minutes=first.matchday.stage.competition.minutes) <= then.starts_at:
            continue
        if one.table_id and one.table_id == other.table_id:
            yield f"table {one.table} is booked twice: slots {one.pk} and {other.pk}"
        both = _known(one) & _known(other)
        if both:
            yield f"entrants {sorted(both)} are booked twice: slots {one.pk} and {other.pk}"


def _known(slot: Slot) -> set[int]:
    return {berth.entrant_id for berth in slot.berths.all() if berth.entrant_id and berth.absent_since is None}


def matches_without_slot(competition: Competition, friendly: Iterable[int]) -> Iterator[str]:
    """A match that lost its place in the draw is void, or was never made."""
    lost = Match.objects.filter(league=competition.league_id, slot=None, voided_by=None, set_aside_at=None).exclude(
        pk__in=list(friendly)
    )
    yield from (f"match {one} has no slot" for one in lost.values_list("pk", flat=True))


def open_matches_of_the_gone(competition: Competition, now: Scene) -> Iterator[str]:
    """Whoever has left plays nothing more: what is shown was ruled, unless both have left, or an official took the
    ruling back.
    """
    of_two = [slot for day, slot in now.slots if day.published and day.format != Stage.Format.TABLE_ROUNDS]
    keys = [slot.match for slot in of_two if slot.match and len(slot.pair & now.gone) == 1]
    ruled = [record for one in standing_withdrawals(competition) for record in one.forfeits]
    taken_back = Record.objects.filter(pk__in=ruled, withdrawn_at__isnull=False)
    still_open = Match.objects.filter(pk__in=keys, state__in=[Match.State.SCHEDULED, Match.State.PLAYING])
    still_open = still_open.exclude(pk__in=taken_back.values("game__match"))
    yield from (f"match {one.pk} is open, though one of the two has left" for one in still_open)


def gone_who_sit(now: Scene) -> Iterator[str]:
    """At a table of several the others play without whoever has left, unless it had begun before."""
    for day, slot in now.slots:
        gone = slot.pair & now.gone if day.format == Stage.Format.TABLE_ROUNDS and slot.match else frozenset()
        if gone and not Record.objects.filter(game__match=slot.match).exists():
            yield f"entrants {sorted(gone)} have left and sit at table {slot.key} of round {day.number}"


def in_two_pairs(competition: Competition) -> Iterator[str]:
    rows = competition.registrations.values_list("entrant__player", "entrant__partner")
    counted = Counter(one for both in rows for one in both if one is not None)
    yield from (f"player {one} takes part {count} times" for one, count in counted.items() if count > 1)


# --- Tables ---


def wrong_tables(competition: Competition, reader: User, now: Scene) -> Iterator[str]:
    first = competition_page(reader, competition.league.slug, competition.slug)
    if first.table is None:
        return
    for group in first.groups or [0]:
        page = competition_page(reader, competition.league.slug, competition.slug, group=group) if group else first
        yield from _wrong_table(competition, page, now, group)


def _wrong_table(competition: Competition, page, now: Scene, group: int) -> Iterator[str]:
    days = [
        day for day in now.days if day.format not in (Stage.Format.SINGLE_ELIMINATION, Stage.Format.DOUBLE_ELIMINATION)
    ]
    annulled = page.table.rules.scoring.annulled
    if not annulled <= now.gone:
        yield f"group {group}: the matches of {annulled - now.gone} count for nobody"
    slots = [slot for day in days for slot in day.slots if slot.group == group and not annulled & set(slot.entrants)]
    stage = competition.stages.get(number=1)
    if stage.is_at_tables:
        should, points = lines_at_tables(stage.points_by_place, slots, now.ends)
    else:
        should, points = lines_of_two(competition, slots, now.ends)
    if stage.is_at_tables or stage.format == Stage.Format.SWISS:
        byes = [slot for day in days if day.published for slot in day.slots if len(slot.entrants) < 2]
        points += add_byes(should, byes, competition.bye_points)
    rows = {row.entrant_id: row for row in page.official}
    for one, row in rows.items():
        line = should.pop(one, Line())
        said = Line(row.won, row.drawn, row.lost, row.points_for, row.points_against, row.match_points)
        if said != line:
            yield f"group {group}, entrant {one}: {said}, should be {line}"
        if row.difference != row.points_for - row.points_against:
            yield f"group {group}, entrant {one}: a difference of {row.difference}"
    yield from (f"group {group}: entrant {one} is not in the table" for one in should)
    if sum(row.match_points for row in rows.values()) != points:
        yield f"group {group}: match points do not come to {points}"
    ranks = [row.rank or len(rows) + 1 for row in page.official]
    if ranks != sorted(ranks) or any(not row.rank and row.entrant_id not in now.gone for row in page.official):
        yield f"group {group}: ranks {ranks}"


def wrong_ratings(competition: Competition) -> Iterator[str]:
    for one in RatingList.objects.filter(league=competition.league_id).select_related("league"):
        yield from ratings.differences(one)


def wrong_fees(competition: Competition) -> Iterator[str]:
    """The sums that the desk sees are those of the payments; nobody has paid more than the fee."""
    kept = Payment.objects.filter(competition=competition, returned_at=None)
    seen, total = cash(competition), kept.aggregate(sum=Sum("amount"))["sum"] or 0
    if (seen.total, sum(till.amount for till in seen.tills)) != (total, total):
        yield f"the cash is {seen.total}, the payments come to {total}"
    by_entrant = dict(kept.order_by().values("entrant").annotate(sum=Sum("amount")).values_list("entrant", "sum"))
    yield from (f"entrant {one} has paid {paid}" for one, paid in by_entrant.items() if paid > competition.fee)
    rows = competition.registrations.filter(free_reason="").values_list("entrant", flat=True)
    owed = sum(competition.fee - by_entrant.get(one, 0) for one in rows)
    if seen.owed != owed:
        yield f"{seen.owed} are owed, should be {owed}"


# --- What is wrong with a step ---


def wrong_step(before: Scene, now: Scene) -> list[str]:
    """What an act must not do: change what is published without saying so, or pair what it must not."""
    earlier = {day.key: day for day in before.days}
    found: list[str] = []
    for day in now.days:
        if day.key in earlier:
            found += _unexplained(earlier[day.key], day)
            found += _shown_too_late(earlier[day.key], day, before.results)
        else:
            found += _newly_paired(day, now)
    kept = {day.key for day in now.days}
    found += [
        f"round {day.number} was published and is gone" for day in before.days if day.published and day.key not in kept
    ]
    return found


def _unexplained(before: DayFacts, now: DayFacts) -> Iterator[str]:
    """Somebody who becomes known is no change; another pairing, table or hour is one, and says so."""
    if not before.published:
        return
    if not now.published:
        yield f"round {now.number} is not published any more"
    if now.version < before.version:
        yield f"round {now.number} has version {now.version} after {before.version}"
    slots = {slot.key: slot for slot in now.slots}
    for slot in before.slots:
        after = slots.get(slot.key)
        if after is None and now.format == Stage.Format.LADDER:
            if now.version == before.version:
                yield f"a challenge of round {now.number} is gone, which has no new version"
        elif after is None:
            yield f"slot {slot.key} of the published round {now.number} is gone"
        elif _differs(slot, after) and (after.changed_at == slot.changed_at or now.version == before.version):
            yield f"slot {slot.key} of the published round {now.number} changed and does not say so"


def _shown_too_late(before: DayFacts, now: DayFacts, results: str) -> Iterator[str]:
    """What was paired from results is published while they are still the same."""
    if now.published and not before.published and before.results_hash not in {"", results}:
        yield f"round {now.number} was published although it was paired from other results"


def _differs(before: SlotFacts, now: SlotFacts) -> bool:
    others = any(was is not None and was != one for was, one in zip(before.entrants, now.entrants, strict=False))
    return (
        others
        or len(before.entrants) != len(now.entrants)
        or (before.table, before.starts_at) != (now.table, now.starts_at)
    )


def _newly_paired(day: DayFacts, now: Scene) -> Iterator[str]:
    """Of a round that was not there before."""
    if day.format == Stage.Format.SWISS:
        if gone := {one for slot in day.slots for one in slot.pair} & now.gone:
            yield f"round {day.number} pairs {sorted(gone)}, who have left"
        if not day.results_hash:
            yield f"round {day.number} does not say from which results it was paired"
    if day.format in ONCE:
        met = Counter(
            slot.pair
            for other in now.days
            if other.number < day.number and other.format == day.format
            for slot in other.slots
            if len(slot.pair) == 2 and not (slot.match in now.ends and now.ends[slot.match].forfeit)
        )
        again = [slot for slot in day.slots if len(slot.pair) == 2 and met[slot.pair] and not slot.by_hand]
        yield from (f"round {day.number}: {sorted(slot.pair)} meet again" for slot in again)
