"""Score card check: `check` finds contradictions on a card (docs/cards.md).

The findings have the shape of a verdict's. A card that passes may still be false: it proves nothing about legal plays
or muggins, and many wrong numbers look right.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from games.moves import SEATS, Seat
from games.ruleset import BellMode, EndCheck, Tie
from games.scorecard import chips_by_seat
from referee.cards.findings import CardCheck, CardFinding, CardReason, card_severity, found
from referee.cards.ledger import ANY, Ledger, at_target, ledger
from referee.cards.round_checks import ROUND_CHECKS, CardRule, finds, off, text_of, total_step
from referee.cards.sheet import Card, CardError, CardForm, CardRound, form, read
from referee.cards.yields import bounded, largest_play, most_at_round_end, most_in_play, plays_of_all, plays_of_one

__all__ = [
    "CHECKS",
    "Card",
    "CardCheck",
    "CardError",
    "CardFinding",
    "CardForm",
    "CardReason",
    "CardRound",
    "card_severity",
    "check",
    "form",
    "known_totals",
    "read",
]

CHECKS: Final[dict[CardReason, CardRule]] = dict(ROUND_CHECKS)
"""All checks of a card by finding code, in the order of checking."""

_HALF_A_DAY: Final = 12 * 60
_MINUTE: Final = 60


def check(card: Card) -> CardCheck:
    """Check a card. The same card gives the same answer.

    >>> from games.rulesets import get
    >>> check(read({"scores": [150, 95], "chips": [11, 0]}, get("udl"))).status
    'verified'
    """
    sheet = ledger(card)
    findings = [finding for one in CHECKS.values() for finding in one(sheet)]
    findings.sort(key=lambda finding: finding.row)
    return CardCheck(card.scores, _winner(card), _ended(card), tuple(findings))


def known_totals(card: Card) -> list[tuple[int | None, ...]]:
    """Return the total of each seat after each round, written or computed.

    ``None`` where the card leaves it open.
    """
    return [tuple(least if least == most else None for least, most in line.after) for line in ledger(card).lines]


def _leader(card: Card) -> Seat | None:
    best = max(card.scores)
    return card.scores.index(best) if card.scores.count(best) == 1 else None


def _winner(card: Card) -> Seat | None:
    """Return the winner as written, else the leader."""
    return _leader(card) if card.winner is None else card.winner


def _ended(card: Card) -> str | None:
    """Return the end of the game as written.

    Without a clock a score at the target proves it.
    """
    if card.ended is None and not card.rules.clock_s and at_target(card.rules, max(card.scores)):
        return "target"
    return card.ended


def _whole(sheet: Ledger, reason: CardReason, say: str = "", /, **facts: Any) -> CardFinding:
    """Make a finding about the card as a whole."""
    sheet.explained.add(0)
    return found(sheet.card.rules, reason, 0, say, **facts)


# ---- Forfeits


@finds(CardReason.WRONG_FORFEIT, CHECKS)
def _wrong_forfeit(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a forfeit not written as the target to nothing, between two (RULES.md 10).

    Points played do not matter.
    """
    card = sheet.card
    if card.ended != "forfeit" or card.seats != 2:
        return
    target = card.rules.target
    if sorted(card.scores) != [0, target]:
        due = [0, target] if card.winner == 1 or (card.winner is None and _leader(card) == 1) else [target, 0]
        yield _whole(sheet, CardReason.WRONG_FORFEIT, due=text_of(due), scores=text_of(card.scores))
    elif card.winner is not None and not card.scores[card.winner]:
        facts = {"seat": SEATS[card.winner], "scores": text_of(card.scores)}
        yield _whole(sheet, CardReason.WRONG_FORFEIT, "wrong-forfeit-winner", **facts)


# ---- Final score


@finds(CardReason.LEVEL, CHECKS)
def _level(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a level final score: it is played on, or off (0.25, 1.20, 4.18)."""
    card = sheet.card
    # Scores capped at the target may have been different.
    cut = card.rules.cap_at_target and max(card.scores) == card.rules.target
    if card.ended != "forfeit" and _leader(card) is None and not cut:
        yield _whole(sheet, CardReason.LEVEL, scores=text_of(card.scores))


@finds(CardReason.WRONG_SCORE, CHECKS)
def _wrong_score(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a final score that is not the sum of the rounds."""
    card = sheet.card
    if card.ended == "forfeit" or 0 in sheet.explained or sheet.blurred(len(sheet.lines)):
        return
    wrong = off(sheet.end, card.scores, "wrong-score")
    if wrong is not None:
        say, facts = wrong
        yield _whole(sheet, CardReason.WRONG_SCORE, say, **facts)


def _not_fives(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a final score that is no multiple of the step of its parts (C6)."""
    card, step = sheet.card, total_step(sheet)
    for seat, points in enumerate(card.scores):
        odd = points % step and not (card.rules.cap_at_target and points == card.rules.target)
        if odd and card.ended != "forfeit" and not sheet.lines:
            yield _whole(sheet, CardReason.NOT_FIVES, seat=SEATS[seat], points=points, step=step)
            return


def _both(first: CardRule, second: CardRule) -> CardRule:
    def both(sheet: Ledger) -> Iterator[CardFinding]:
        yield from first(sheet)
        yield from second(sheet)

    return both


CHECKS[CardReason.NOT_FIVES] = _both(ROUND_CHECKS[CardReason.NOT_FIVES], _not_fives)


@finds(CardReason.TWO_AT_TARGET, CHECKS)
def _two_at_target(sheet: Ledger) -> Iterator[CardFinding]:
    """Find two scores at the target, where the first to reach it wins at once.

    Source: RULES.md 0.23, 3.20.
    """
    card, rules = sheet.card, sheet.card.rules
    at_once = rules.end_check is EndCheck.IMMEDIATE and card.seats == 2 and not rules.muggins_on_round_end
    if at_once and 0 not in sheet.explained and all(at_target(rules, points) for points in card.scores):
        yield _whole(sheet, CardReason.TWO_AT_TARGET, scores=text_of(card.scores), target=rules.target)


@finds(CardReason.TOO_FAR, CHECKS)
def _too_far(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a score out of reach of the last award (C7, Q18).

    The award starts below the target, or from level scores in overtime.
    """
    card, rules = sheet.card, sheet.card.rules
    leader = _leader(card)
    if card.ended == "forfeit" or 0 in sheet.explained or leader is None:
        return
    points, second = card.scores[leader], sorted(card.scores)[-2]
    facts = {"seat": SEATS[leader], "points": points, "target": rules.target}
    if rules.cap_at_target:
        if points > rules.target:
            yield _whole(sheet, CardReason.TOO_FAR, "too-far-cap", **facts)
        return
    award = _largest_award(sheet)
    if card.ended == "overtime" and rules.tie is Tie.OVERTIME and points - second > award:
        yield _whole(sheet, CardReason.TOO_FAR, "too-far-overtime", scores=text_of(card.scores), most=award)
    elif not at_target(rules, second):
        below = rules.target - (0 if rules.target_strict else 1)
        below -= below % total_step(sheet)
        at_once = rules.end_check is EndCheck.IMMEDIATE
        most = below + (award if at_once else _largest_round(sheet))
        if points > most:
            yield _whole(sheet, CardReason.TOO_FAR, "too-far" if at_once else "too-far-round", most=most, **facts)


def _last_penalty(sheet: Ledger) -> int:
    return max((n or 0 for line in sheet.lines[-1:] for n in line.round.penalties), default=0)


def _largest_award(sheet: Ledger) -> int:
    """Return the largest possible single award, written penalties included."""
    rules = sheet.card.rules
    if not bounded(rules):
        return ANY
    return max(largest_play(rules), most_at_round_end(rules, sheet.card.seats), _last_penalty(sheet))


def _largest_round(sheet: Ledger) -> int:
    """Return the most points of one seat in one round, by plays of all with muggins."""
    card = sheet.card
    if not bounded(card.rules):
        return ANY
    plays = plays_of_all(card.rules, card.seats)
    if not form(card.rules, card.seats).muggins:
        plays = min(plays, plays_of_one(card.rules, card.seats))
    return most_in_play(card.rules, plays) + most_at_round_end(card.rules, card.seats) + _last_penalty(sheet)


@finds(CardReason.WRONG_WINNER, CHECKS)
def _wrong_winner(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a winner with fewer points, unless the game was forfeited."""
    card, leader = sheet.card, _leader(sheet.card)
    if card.ended != "forfeit" and card.winner is not None and leader is not None and card.winner != leader:
        facts = {"leader": SEATS[leader], "winner": SEATS[card.winner], "scores": text_of(card.scores)}
        yield found(card.rules, CardReason.WRONG_WINNER, 0, **facts)


# ---- End of the game


@finds(CardReason.NO_CLOCK, CHECKS)
def _no_clock(sheet: Ledger) -> Iterator[CardFinding]:
    card = sheet.card
    if card.rules.clock_s:
        return
    if card.ended in ("bell", "overtime"):
        yield _whole(sheet, CardReason.NO_CLOCK)
    for line in sheet.lines:
        if line.round.ended == "bell":
            yield found(card.rules, CardReason.NO_CLOCK, line.round.number)


@finds(CardReason.WRONG_END, CHECKS)
def _wrong_end(sheet: Ledger) -> Iterator[CardFinding]:
    """Find a written end that the score does not allow (0.23 to 0.25, Q16)."""
    card, rules = sheet.card, sheet.card.rules
    if 0 in sheet.explained:
        return
    best = max(card.scores)
    reached = at_target(rules, best) or (rules.cap_at_target and best == rules.target)
    say = ""
    if card.ended == "target" and not reached:
        say = "wrong-end-target"
    elif card.ended is None and not rules.clock_s and not reached:
        say = "not-over"
    elif card.ended == "bell" and at_target(rules, best):
        say = "wrong-end-bell"
    elif card.ended == "overtime" and rules.tie is Tie.REPLAY and at_target(rules, best):
        say = "wrong-end-overtime"
    elif card.ended == "bell" and any(line.round.ended == "bell" for line in sheet.lines[:-1]):
        say = "wrong-end-after-bell"
    if say:
        yield found(rules, CardReason.WRONG_END, 0, say, scores=text_of(card.scores), target=rules.target)


# ---- Chips


@finds(CardReason.NO_CHIPS, CHECKS)
def _no_chips(sheet: Ledger) -> Iterator[CardFinding]:
    if not sheet.card.rules.chips and any(number is not None for number in sheet.card.chips):
        yield found(sheet.card.rules, CardReason.NO_CHIPS, 0)


@finds(CardReason.WRONG_CHIPS, CHECKS)
def _wrong_chips(sheet: Ledger) -> Iterator[CardFinding]:
    """Find chips that do not match the score (C1 to C5, C7).

    Five points a chip, and none below nothing.
    """
    card, rules = sheet.card, sheet.card.rules
    if not rules.chips or 0 in sheet.explained:
        return
    due = chips_by_seat(rules.chips, card.scores)
    # A capped score hides payments beyond the target.
    capped = rules.cap_at_target and max(card.scores) == rules.target
    for written, number in zip(card.chips, due, strict=True):
        if written is not None and (written > number or (written < number and not capped)):
            facts = {"scores": text_of(card.scores), "due": text_of(due), "chips": text_of(card.chips)}
            yield found(rules, CardReason.WRONG_CHIPS, 0, **facts)
            return


# ---- Times


def _minutes(card: Card) -> int | None:
    """Return the minutes from start to stop, over midnight if needed."""
    if card.started is None or card.stopped is None:
        return None
    return (card.stopped - card.started) % (24 * 60)


def _hour(minutes: int | None) -> str:
    return "" if minutes is None else f"{minutes // 60:02d}:{minutes % 60:02d}"


def _clock(seconds: int) -> str:
    return f"{seconds // 60}:{seconds % 60:02d}"


@finds(CardReason.WRONG_CLOCK, CHECKS)
def _wrong_clock(sheet: Ledger) -> Iterator[CardFinding]:
    """Find contradictions between times of day, game clock and bell (0.24, Q17).

    Times of day are exact to a minute.
    """
    card, rules = sheet.card, sheet.card.rules
    minutes, shown, bell = _minutes(card), card.clock_s, rules.clock_s
    facts: dict[str, Any] = {"started": _hour(card.started), "stopped": _hour(card.stopped)}
    facts |= {"shown": _clock(shown or 0), "bell": _clock(bell)}
    say = ""
    if minutes is not None and minutes > _HALF_A_DAY:
        say = "wrong-clock-backwards"
    elif minutes is not None and shown is not None and shown > _MINUTE * (minutes + 1):
        say = "wrong-clock-hours"
    elif minutes is not None and bell and card.ended in ("bell", "overtime") and bell > _MINUTE * (minutes + 1):
        say = "wrong-clock-bell"
    elif bell and shown is not None and card.ended in ("bell", "overtime") and shown < bell:
        say = "wrong-clock-early"
    elif bell and shown is not None and card.ended == "target" and rules.bell_mode is BellMode.STOP:
        # For some seconds after the bell the last tile may be announced, or called.
        late = max(rules.announce_grace_s, rules.post_bell_claim_s)
        say = "wrong-clock-over" if shown > bell + late and rules.tie is not Tie.REPLAY else ""
    if say:
        yield found(rules, CardReason.WRONG_CLOCK, 0, say, **facts)


@finds(CardReason.LONG_GAME, CHECKS)
def _long_game(sheet: Ledger) -> Iterator[CardFinding]:
    """Note a long game: time may be given back, so it is no more than a note."""
    card, minutes = sheet.card, _minutes(sheet.card)
    if minutes is None or not card.rules.clock_s or card.ended in ("overtime", "forfeit") or minutes > _HALF_A_DAY:
        return
    if _MINUTE * (minutes - 1) > card.rules.clock_s:
        facts = {"started": _hour(card.started), "stopped": _hour(card.stopped), "bell": _clock(card.rules.clock_s)}
        yield found(card.rules, CardReason.LONG_GAME, 0, **facts)
