"""Compare the rows of a draw with its format and its registrations.

No record proves first rounds, seeds and settings, because the organizer sets them; this finds rows that contradict each
other.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from league.competitions.adjustments import bonus_by_registration
from league.competitions.draw.laying_out import fewest, opener, rounds_of
from league.competitions.draw.rebuilding import Disagreement
from league.competitions.formats.drawn import DrawnRound
from league.competitions.formats.single_elimination import drawn_with
from league.competitions.models import Berth, Challenge, Competition, Matchday, Slot, Stage, Withdrawal
from league.matches.models import Side

MOST_LATE = 4
"""The most late entries that may have taken byes of a finished layout."""


def draw_differences(competition: Competition) -> list[Disagreement]:
    """Find every contradiction in a draw, in a constant number of statements."""
    slots = Slot.objects.filter(matchday__stage__competition=competition).select_related("matchday__stage", "match")
    rows = list(slots.prefetch_related("berths").order_by("matchday__number", "number"))
    days = list(Matchday.objects.filter(stage__competition=competition).order_by("number").select_related("stage"))
    return [
        *_entrants(competition, rows),
        *_bonuses(competition),
        *_matches(competition, rows, {day.pk: day for day in days}),
        *_numbers(days, rows),
        *_challenges(competition, rows),
        *_layouts(competition, days, rows),
    ]


def _entrants(competition: Competition, slots: Iterable[Slot]) -> Iterator[Disagreement]:
    """Every entrant of the draw, of a stage or with a withdrawal is registered."""
    known = set(competition.registrations.values_list("entrant", flat=True))
    for slot in slots:
        for berth in slot.berths.all():
            if berth.entrant_id is not None and berth.entrant_id not in known:
                yield Disagreement(f"slot {slot.pk}, berth {berth.number}", "entrant", berth.entrant_id, "registered")
    for stage in competition.stages.prefetch_related("entries"):
        for entry in stage.entries.all():
            if entry.entrant_id not in known:
                yield Disagreement(f"stage entry {entry.pk}", "entrant", entry.entrant_id, "registered")
    for row in Withdrawal.objects.filter(competition=competition).exclude(entrant__in=known):
        yield Disagreement(f"withdrawal {row.pk}", "entrant", row.entrant_id, "registered")


def _bonuses(competition: Competition) -> Iterator[Disagreement]:
    """The bonus of every registration is the sum of its adjustments that count."""
    should = bonus_by_registration(competition)
    for key, says in competition.registrations.order_by("pk").values_list("pk", "bonus"):
        if says != should.get(key, 0):
            yield Disagreement(f"registration {key}", "bonus", says, should.get(key, 0))


def _matches(competition: Competition, slots: Sequence[Slot], days: Mapping[int, Matchday]) -> Iterator[Disagreement]:
    """Every match has the league and the rules of its competition."""
    openers: dict[int, set[int]] = {}
    sides = Side.objects.filter(match__in=[slot.match_id for slot in slots if slot.match_id])
    for key, first in sides.filter(entrant__partner__isnull=False).values_list("match", "opener"):
        openers.setdefault(key, set()).add(first)
    for slot in slots:
        match = slot.match
        if match is None:
            continue
        for what, says, should in (
            ("league", match.league_id, competition.league_id),
            ("ruleset", match.ruleset, competition.ruleset),
            ("options", match.options, competition.options),
            ("published", match.published_at is not None, _is_shown(competition, slot)),
        ):
            if says != should:
                yield Disagreement(f"match {match.pk}", what, says, should)
        first = opener(competition, days[slot.matchday_id], third_place=slot.third_place)
        if competition.imported_at is None and (found := openers.get(match.pk, {first})) != {first}:
            yield Disagreement(f"match {match.pk}", "first game by", sorted(found), first)


def _is_shown(competition: Competition, slot: Slot) -> bool:
    """Tell whether the match of a slot is public: its round is, and it was not open when all was cancelled."""
    dropped = competition.cancelled_at is not None and slot.match is not None and slot.match.set_aside_at is not None
    return slot.matchday.published_at is not None and not dropped


def _numbers(days: Sequence[Matchday], slots: Iterable[Slot]) -> Iterator[Disagreement]:
    """Rounds count from 1 through the competition, and berths from 1 in their slot."""
    numbers = [day.number for day in days]
    if numbers != list(range(1, len(days) + 1)):
        yield Disagreement("rounds", "numbers", numbers, f"1 to {len(days)}")
    for slot in slots:
        berths = sorted(berth.number for berth in slot.berths.all())
        if berths != list(range(1, len(berths) + 1)):
            yield Disagreement(f"slot {slot.pk}", "berths", berths, f"1 to {len(berths)}")


def _challenges(competition: Competition, slots: Sequence[Slot]) -> Iterator[Disagreement]:
    """Every match of a ladder belongs to its challenge."""
    rows = {one.slot_id: one for one in Challenge.objects.filter(stage__competition=competition, slot__isnull=False)}
    by_key = {slot.pk: slot for slot in slots if slot.matchday.stage.is_ladder}
    for key in sorted({*rows, *by_key}):
        slot, one = by_key.get(key), rows.get(key)
        says = (one.stage_id, one.challenged_id, one.challenger_id) if one else None
        should = (slot.matchday.stage_id, *_in_order(slot.berths.all())) if slot else None
        if says != should:
            yield Disagreement(f"slot {key}", "stage and the two of its challenge", says, should)


def _in_order(berths: Iterable[Berth]) -> list[int | None]:
    return [berth.entrant_id for berth in sorted(berths, key=lambda one: one.number)]


# --- The layout ---


def _layouts(competition: Competition, days: Sequence[Matchday], slots: Sequence[Slot]) -> Iterator[Disagreement]:
    """An imported draw has the layout of its file."""
    if competition.imported_at is not None:
        return
    for stage in competition.stages.all():
        own = [day for day in days if day.stage_id == stage.pk]
        inside = [slot for slot in slots if slot.matchday.stage_id == stage.pk]
        if own and stage.spec.has_fixed_layout:
            yield from _layout(stage, own, inside)
        elif own:
            yield from _plain_rounds(own, inside)


def _plain_rounds(days: Sequence[Matchday], slots: Iterable[Slot]) -> Iterator[Disagreement]:
    """Rounds drawn from results have one part, no groups, no match for third place."""
    for nth, day in enumerate(days, start=1):
        says = (day.section, day.kind, day.nth)
        if says != (should := ("", Matchday.Kind.ROUND.value, nth)):
            yield Disagreement(f"round {day.number}", "part, kind and number", says, should)
    for slot in slots:
        marks = (slot.third_place, slot.group, slot.conditional)
        if marks != (False, 0, False):
            yield Disagreement(f"slot {slot.pk}", "third place, group, only if needed", marks, (False, 0, False))


def _layout(stage: Stage, days: Sequence[Matchday], slots: Sequence[Slot]) -> Iterator[Disagreement]:
    drawn = {one.entrant_id for slot in slots for one in slot.berths.all() if one.from_slot_id is None}
    says = [_of_day(day, [slot for slot in slots if slot.matchday_id == day.pk]) for day in days]
    sizes = _sizes(stage, len(drawn))
    if stage.is_knock_out and sizes:
        laid_out = [_knock_out(stage, days[0], slots)]
    else:
        laid_out = [rounds_of(stage, number) for number in sizes]
    if any(says == _of_rounds(one) for one in laid_out) or _is_extended(stage, days, slots):
        return
    if not sizes:
        yield Disagreement(f"stage {stage.pk}", "entrants", len(drawn), f"{fewest(stage)} or more")
        return
    should = _of_rounds(rounds_of(stage, sizes[0]))
    if len(says) != len(should):
        yield Disagreement(f"stage {stage.pk}", "rounds", len(says), len(should))
        return
    for day, have, want in zip(days, says, should, strict=True):
        if have != want:
            yield Disagreement(f"round {day.number} of stage {stage.pk}", "layout", have, want)


def _knock_out(stage: Stage, first: Matchday, slots: Iterable[Slot]) -> list[DrawnRound]:
    """Lay out a knock-out whose first round has these byes."""
    own = [slot for slot in slots if slot.matchday_id == first.pk]
    number, late = drawn_with(len(own), [slot.number for slot in own if len(slot.berths.all()) > 1])
    return rounds_of(stage, number, late=late)


def _sizes(stage: Stage, drawn: int) -> Sequence[int]:
    """Return the possible sizes of a layout, the likely one first."""
    return range(drawn, max(fewest(stage) - 1, drawn - MOST_LATE - 1), -1)


def _is_extended(stage: Stage, days: Sequence[Matchday], slots: Sequence[Slot]) -> bool:
    """Tell whether a draw of everybody against everybody has its layout, with matches added for the last entrants."""
    if not stage.spec.annuls:
        return False
    entrants = {slot.pk: [one.entrant_id for one in slot.berths.all()] for slot in slots}
    drawn = {one for both in entrants.values() for one in both}
    in_order = list(stage.competition.registrations.filter(entrant__in=drawn).order_by("seed"))
    first = {one for slot in slots if slot.matchday_id == days[0].pk for one in entrants[slot.pk]}
    least = max(len(first) - MOST_LATE, fewest(stage))
    for size in range(least, min(len(first) + MOST_LATE, len(drawn) - 1) + 1):
        late = {row.entrant_id for row in in_order[size:]}
        laid_out = rounds_of(stage, size)
        of_layout = {(day.pk, at) for day, one in zip(days, laid_out, strict=False) for at in _numbers_in(one)}
        added = [slot for slot in slots if (slot.matchday_id, slot.number) not in of_layout]
        rest = [slot for slot in slots if slot not in added]
        says = [_of_day(day, [slot for slot in rest if slot.matchday_id == day.pk]) for day in days]
        should = _of_rounds(laid_out)
        new: list[Layout] = [("", Matchday.Kind.ROUND.value, nth, []) for nth in range(len(should) + 1, len(days) + 1)]
        if says == [*should, *new] and _are_matches(added, entrants, late):
            return True
    return False


def _numbers_in(one: DrawnRound) -> range:
    return range(1, len(one.slots) + 1)


def _are_matches(
    added: Iterable[Slot], entrants: Mapping[int, Sequence[int | None]], late: Collection[int | None]
) -> bool:
    """Tell whether added slots are plain matches of two, one of them late, and nobody is twice in a round of them."""
    plain = all(
        len(entrants[one.pk]) == 2
        and not one.third_place
        and not one.conditional
        and not set(late).isdisjoint(entrants[one.pk])
        for one in added
    )
    seats = [(one.matchday_id, who) for one in added for who in entrants[one.pk]]
    return plain and len(set(seats)) == len(seats)


Layout = tuple[str, str, int, list[tuple[int, bool, int, bool]]]
"""Part, kind and number of a round.

Of each slot its number, whether for third place, group, whether conditional.
"""


def _of_day(day: Matchday, slots: Iterable[Slot]) -> Layout:
    own = [(one.number, one.third_place, one.group, one.conditional) for one in slots]
    return day.section, day.kind, day.nth, sorted(own)


def _of_rounds(rounds: Iterable[DrawnRound]) -> list[Layout]:
    found = []
    nth: dict[str, int] = {}
    for one in rounds:
        nth[one.section] = nth.get(one.section, 0) + 1
        kind = Matchday.Kind.DECIDER.value if all(slot.conditional for slot in one.slots) else one.kind.value
        slots = [
            (number, slot.third_place, slot.group, slot.conditional) for number, slot in enumerate(one.slots, start=1)
        ]
        found.append((one.section.value, kind, nth[one.section], slots))
    return found
