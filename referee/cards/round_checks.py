"""Checks of a card's rounds: awards, spinner, tiles left, running totals."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import comb
from typing import Any

from games.moves import SEATS, Seat
from games.ruleset import EndCheck, Lead, Matching, Muggins, NoDouble, Ruleset, Spinner, Tie
from referee.cards.findings import CardFinding, CardReason, found
from referee.cards.ledger import Ledger, LedgerLine, Spans, at_target, shared
from referee.cards.sheet import NO_SPINNER, CardRound, Numbers
from referee.cards.yields import bonus_step, most_at_round_end, penalty_step, play_step

CardRule = Callable[[Ledger], Iterator[CardFinding]]
ROUND_CHECKS: dict[CardReason, CardRule] = {}
"""Checks of rounds, in order: later checks skip rounds that are explained."""


def finds(reason: CardReason, table: dict[CardReason, CardRule]) -> Callable[[CardRule], CardRule]:
    """Register a check under the code that it finds."""

    def enter(check: CardRule) -> CardRule:
        table[reason] = check
        return check

    return enter


def _at(sheet: Ledger, line: LedgerLine, reason: CardReason, say: str = "", /, **facts: Any) -> CardFinding:
    """Make a finding at a round, and mark the round as explained."""
    sheet.explained.add(line.round.number)
    return found(sheet.card.rules, reason, line.round.number, say, **facts)


def _given(numbers: Numbers) -> Iterator[tuple[Seat, int]]:
    """Yield the seats with points, as written."""
    return ((seat, number) for seat, number in enumerate(numbers) if number)


def text_of(numbers: Sequence[int | None]) -> str:
    """Write numbers by seat as on a card."""
    return "-".join("?" if number is None else str(number) for number in numbers)


# ---- Features that the system lacks


@finds(CardReason.NO_PLAY_POINTS, ROUND_CHECKS)
def _no_play_points(sheet: Ledger) -> Iterator[CardFinding]:
    if sheet.card.rules.matching is not Matching.MARKINGS:
        return
    for line in sheet.lines:
        for seat, points in _given(line.round.play):
            yield _at(sheet, line, CardReason.NO_PLAY_POINTS, seat=SEATS[seat], points=points)
            break


@finds(CardReason.NO_MUGGINS, ROUND_CHECKS)
def _no_muggins(sheet: Ledger) -> Iterator[CardFinding]:
    if sheet.card.rules.muggins is not Muggins.OFF:
        return
    for line in sheet.lines:
        for seat, points in _given(line.round.muggins):
            yield _at(sheet, line, CardReason.NO_MUGGINS, seat=SEATS[seat], points=points)
            break


# ---- Awards


@finds(CardReason.NOT_FIVES, ROUND_CHECKS)
def _not_fives(sheet: Ledger) -> Iterator[CardFinding]:
    """Find awards that are no multiple of their step, or else totals (C6)."""
    rules, seats = sheet.card.rules, sheet.card.seats
    for line in sheet.lines:
        if line.round.number in sheet.explained:
            continue
        row = line.round
        steps = (
            (row.play, play_step(rules)),
            (row.muggins, play_step(rules)),
            (row.bonus, bonus_step(rules, seats)),
            (row.penalties, penalty_step(rules)),
            (row.totals, total_step(sheet)),
        )
        for numbers, step in steps:
            capped = rules.target if rules.cap_at_target and line.last and numbers is row.totals else None
            odd = [(seat, n) for seat, n in _given(numbers) if n % step and n != capped]
            if odd:
                seat, points = odd[0]
                yield _at(sheet, line, CardReason.NOT_FIVES, seat=SEATS[seat], points=points, step=step)
                break


def total_step(sheet: Ledger) -> int:
    """Return the step of totals: 5 if all awards are multiples of five, else 1."""
    rules = sheet.card.rules
    steps = (play_step(rules), bonus_step(rules, sheet.card.seats))
    penalties = [n for line in sheet.lines for n in line.round.penalties if n]
    return 5 if all(step % 5 == 0 for step in steps) and all(n % 5 == 0 for n in penalties) else 1


@finds(CardReason.ROUND_TOO_MUCH, ROUND_CHECKS)
def _too_much(sheet: Ledger) -> Iterator[CardFinding]:
    """Find more points than a round can give.

    Limits: a seat's own plays, all plays, and the round's end.
    """
    most_at_end = most_at_round_end(sheet.card.rules, sheet.card.seats)
    for line in sheet.lines:
        row = line.round
        if row.number in sheet.explained:
            continue
        together = sum(points for numbers in (row.play, row.muggins) for _, points in _given(numbers))
        over = [(seat, n) for seat, n in _given(row.play) if n > line.most_of_one]
        rich = [(seat, n) for seat, n in _given(row.bonus) if n > most_at_end]
        if over:
            seat, points = over[0]
            facts: Mapping[str, Any] = {"seat": SEATS[seat], "points": points, "most": line.most_of_one}
            yield _at(sheet, line, CardReason.ROUND_TOO_MUCH, **facts)
        elif together > line.most_of_all:
            facts = {"points": together, "most": line.most_of_all}
            yield _at(sheet, line, CardReason.ROUND_TOO_MUCH, "round-too-much-together", **facts)
        elif rich:
            seat, points = rich[0]
            facts = {"seat": SEATS[seat], "points": points, "most": most_at_end}
            yield _at(sheet, line, CardReason.ROUND_TOO_MUCH, "round-too-much-bonus", **facts)


# ---- End of a round


@finds(CardReason.NO_BONUS, ROUND_CHECKS)
def _no_bonus(sheet: Ledger) -> Iterator[CardFinding]:
    """Find round-end points in a round cut by the bell (0.24)."""
    for line in sheet.lines:
        given = list(_given(line.round.bonus))
        if line.round.ended == "bell" and given:
            seat, points = given[0]
            yield _at(sheet, line, CardReason.NO_BONUS, seat=SEATS[seat], points=points)


@finds(CardReason.VOID_POINTS, ROUND_CHECKS)
def _void_points(sheet: Ledger) -> Iterator[CardFinding]:
    """Find round-end points after the game was won in play.

    By the target (E03), or by the first points of an overtime (Q18).
    """
    card = sheet.card
    for line in sheet.lines[-1:]:
        if line.round.number in sheet.explained or not any(points for points, _ in line.bonus):
            continue
        if card.ended == "overtime" and card.rules.tie is Tie.OVERTIME and any(least for least, _ in line.in_play):
            yield _at(sheet, line, CardReason.VOID_POINTS, "void-points-overtime")
        elif card.rules.end_check is EndCheck.IMMEDIATE:
            totals = [one.plus(other) for one, other in zip(line.before, line.in_play, strict=True)]
            for seat, (least, _) in enumerate(totals):
                if at_target(card.rules, least) and _leads(totals, seat):
                    yield _at(sheet, line, CardReason.VOID_POINTS, seat=SEATS[seat], points=least)
                    break


def _leads(totals: Sequence[Any], seat: Seat) -> bool:
    """Return whether no other seat can have as many points."""
    return all(span.most < totals[seat].least for other, span in enumerate(totals) if other != seat)


@finds(CardReason.WRONG_PIPS, ROUND_CHECKS)
def _wrong_pips(sheet: Ledger) -> Iterator[CardFinding]:
    """Find impossible pips or tiles left in the hands (1.2, 4.1)."""
    for line in sheet.lines:
        wrong = _hands(sheet.card.rules, line.round)
        if wrong is not None:
            say, facts = wrong
            yield _at(sheet, line, CardReason.WRONG_PIPS, say, **facts)


def _hands(rules: Ruleset, row: CardRound) -> tuple[str, Mapping[str, Any]] | None:
    """Return the sentence on impossible leftovers, or ``None``."""
    pips, tiles = sum(n or 0 for n in row.pips), sum(n or 0 for n in row.tiles)
    weights = sorted(rules.tiles.pips, reverse=True)
    if pips > sum(weights):
        return "wrong-pips", {"points": pips, "most": sum(weights)}
    if tiles > len(weights) - 1:
        return "wrong-pips-tiles", {"points": tiles, "most": len(weights) - 1}
    for seat, (held, count) in enumerate(zip(row.pips, row.tiles, strict=True)):
        if held is not None and count is not None and held > sum(weights[:count]):
            return "wrong-pips-few", {"seat": SEATS[seat], "points": held, "tiles": count}
    return _out(row)


def _out(row: CardRound) -> tuple[str, Mapping[str, Any]] | None:
    if row.ended == "blocked" and 0 in row.tiles:
        return "wrong-pips-blocked", {"seat": SEATS[row.tiles.index(0)]}
    if row.ended != "domino":
        return None
    for left in (row.pips, row.tiles):
        own = None if row.winner is None else left[row.winner]
        if own and row.winner is not None:
            return "wrong-pips-out", {"seat": SEATS[row.winner], "points": own}
        if all(left) and None not in left:
            return "wrong-pips-nobody", {}
    return None


@finds(CardReason.WRONG_ROUND_WINNER, ROUND_CHECKS)
def _wrong_round_winner(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a winner of a blocked round without the only lowest hand (0.21, 0.22)."""
    for line in sheet.lines:
        row = line.round
        if row.ended == "blocked" and line.due is not None and row.winner not in (None, line.due.winner):
            facts = {"seat": SEATS[row.winner or 0], "left": _left(row)}
            yield _at(sheet, line, CardReason.WRONG_ROUND_WINNER, **facts)


def _left(row: CardRound) -> str:
    return text_of(row.pips if None not in row.pips else row.tiles)


@finds(CardReason.BONUS_OF_LOSER, ROUND_CHECKS)
def _bonus_of_loser(sheet: Ledger) -> Iterator[CardFinding]:
    """Find round-end points of a loser, unless a tie is split (Q12)."""
    if shared(sheet.card.rules, sheet.card.seats):
        return
    for line in sheet.lines:
        row, given = line.round, list(_given(line.round.bonus))
        if row.number in sheet.explained:
            continue
        losers = [(seat, points) for seat, points in given if row.winner not in (None, seat)]
        if losers:
            seat, points = losers[0]
            yield _at(sheet, line, CardReason.BONUS_OF_LOSER, seat=SEATS[seat], points=points)
        elif len(given) > 1:
            yield _at(sheet, line, CardReason.BONUS_OF_LOSER, "bonus-of-several")


@finds(CardReason.WRONG_BONUS, ROUND_CHECKS)
def _wrong_bonus(sheet: Ledger) -> Iterator[CardFinding]:
    """Find round-end points that differ from the hands left (0.20, 0.21 and the like)."""
    calls = sheet.card.rules.muggins_on_round_end
    for line in sheet.lines:
        row, due = line.round, line.due
        if due is None or row.number in sheet.explained:
            continue
        if calls:
            wrong = [0] if None not in row.bonus and sum(n or 0 for n in row.bonus) != sum(due.points) else []
        else:
            wrong = [seat for seat, n in enumerate(row.bonus) if n is not None and n != due.points[seat]]
        if wrong:
            seat = wrong[0]
            facts = {"left": _left(row), "seat": SEATS[seat], "due": due.points[seat], "points": row.bonus[seat]}
            yield _at(sheet, line, CardReason.WRONG_BONUS, **facts)


# ---- Spinner


@finds(CardReason.NO_SPINNER, ROUND_CHECKS)
def _no_spinner(sheet: Ledger) -> Iterator[CardFinding]:
    if sheet.card.rules.spinner is Spinner.NONE:
        for line in sheet.lines:
            if line.round.spinner not in (None, NO_SPINNER):
                yield found(sheet.card.rules, CardReason.NO_SPINNER, line.round.number, spinner=line.round.spinner)


@finds(CardReason.NOT_A_DOUBLE, ROUND_CHECKS)
def _not_a_double(sheet: Ledger) -> Iterator[CardFinding]:
    rules = sheet.card.rules
    if rules.spinner is Spinner.NONE:
        return
    doubles = {tile.name for tile in rules.tiles.in_mask(rules.tiles.doubles)}
    for line in sheet.lines:
        if line.round.spinner not in (None, NO_SPINNER, *doubles):
            yield found(rules, CardReason.NOT_A_DOUBLE, line.round.number, spinner=line.round.spinner)


def _double_is_led(sheet: Ledger, number: int) -> bool:
    """Return whether the card proves a forced lead of the highest double.

    ``number`` is the index of the round.
    """
    rules = sheet.card.rules
    if rules.matching is not Matching.PIPS or rules.spinner is Spinner.NONE or not rules.lead_forced:
        return False
    line = sheet.lines[number]
    if line.round.ended == "bell" or (line.last and line.round.ended is None and rules.clock_s):
        # The bell may have cut the round before the lead.
        return False
    if not number:
        return rules.lead_first is Lead.HIGHEST_DOUBLE
    before = sheet.lines[number - 1].round.ended
    after = {"domino": (rules.lead_later,), "blocked": (rules.lead_after_block,), "bell": (Lead.HIGHEST_DOUBLE,)}
    return set(after.get(before or "", (rules.lead_later, rules.lead_after_block))) == {Lead.HIGHEST_DOUBLE}


def _undealt(sheet: Ledger) -> int:
    return len(sheet.card.rules.tiles.tiles) - sheet.card.seats * sheet.card.rules.hand_size(sheet.card.seats)


@finds(CardReason.WRONG_LEAD, ROUND_CHECKS)
def _wrong_lead(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a spinner that can't be the highest double of all hands (0.4).

    The highest double is led and is the spinner; higher doubles are then in the boneyard.
    """
    rules, undealt = sheet.card.rules, _undealt(sheet)
    doubles = [tile.name for tile in rules.tiles.in_mask(rules.tiles.doubles)]
    all_may_lie = undealt >= len(doubles)
    for number, line in enumerate(sheet.lines):
        spinner = line.round.spinner
        if not _double_is_led(sheet, number) or spinner is None:
            continue
        if spinner == NO_SPINNER:
            if rules.no_double is NoDouble.DRAW_UNTIL or not all_may_lie:
                yield found(rules, CardReason.WRONG_LEAD, line.round.number)
        elif spinner in doubles and not all_may_lie and len(doubles) - 1 - doubles.index(spinner) > undealt:
            facts = {"spinner": spinner, "left": undealt}
            yield found(rules, CardReason.WRONG_LEAD, line.round.number, "wrong-lead-low", **facts)


@finds(CardReason.RARE_LEAD, ROUND_CHECKS)
def _rare_lead(sheet: Ledger) -> Iterator[CardFinding]:
    """Note a round without a spinner where the highest double is led.

    Nobody was dealt a double (0.5: 0.29 % with two hands of seven).
    """
    rules, undealt = sheet.card.rules, _undealt(sheet)
    tiles, doubles = len(rules.tiles.tiles), rules.tiles.doubles.bit_count()
    if rules.no_double is NoDouble.DRAW_UNTIL or undealt < doubles:
        return
    odds = comb(tiles, undealt) // comb(tiles - doubles, undealt - doubles)
    for number, line in enumerate(sheet.lines):
        if line.round.spinner == NO_SPINNER and _double_is_led(sheet, number):
            yield found(rules, CardReason.RARE_LEAD, line.round.number, odds=odds)


# ---- Running totals


@finds(CardReason.WRONG_TOTAL, ROUND_CHECKS)
def _wrong_total(sheet: Ledger) -> Iterator[CardFinding]:
    """Find running totals that are not the sum of the rounds (C3, N4)."""
    for line in sheet.lines:
        row = line.round
        if row.number in sheet.explained or sheet.blurred(row.number - 1):
            continue
        wrong = off(line.reckoned, row.totals, "wrong-total")
        if wrong is not None:
            say, facts = wrong
            yield found(sheet.card.rules, CardReason.WRONG_TOTAL, row.number, say, **facts)


def off(spans: Spans, written: Numbers, say: str) -> tuple[str, Mapping[str, Any]] | None:
    """Return sentence and facts for the first number outside its span, or ``None``."""
    for seat, (span, points) in enumerate(zip(spans, written, strict=True)):
        if points is None or span.holds(points):
            continue
        facts = {"seat": SEATS[seat], "points": points, "due": span.least if points < span.least else span.most}
        if span.least == span.most:
            return say, facts
        return f"{say}-least" if points < span.least else f"{say}-most", facts
    return None


@finds(CardReason.OVER_BEFORE, ROUND_CHECKS)
def _over_before(sheet: Ledger) -> Iterator[CardFinding]:
    """Find rounds after the end: the target or a bell came earlier (Q16, 0.24)."""
    card = sheet.card
    for line in sheet.lines[:-1]:
        over = [
            (seat, least)
            for seat, (least, _) in enumerate(line.after)
            if at_target(card.rules, least) and _leads(line.after, seat)
        ]
        if over:
            seat, points = over[0]
            yield found(card.rules, CardReason.OVER_BEFORE, line.round.number, seat=SEATS[seat], points=points)
            return
        totals = [least for least, most in line.after if least == most]
        if line.round.ended == "bell" and len(totals) == card.seats and totals.count(max(totals)) == 1:
            facts = {"scores": text_of(totals)}
            yield found(card.rules, CardReason.OVER_BEFORE, line.round.number, "over-before-bell", **facts)
            return
