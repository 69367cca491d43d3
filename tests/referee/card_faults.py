"""One error put into a true card or tally: each planter gives the sheet with it and the row where it must be found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any, NamedTuple

from games.ruleset import EndCheck, Lead, Matching, Muggins, NoDouble, Spinner
from referee.cards.findings import CardReason
from referee.cards.ledger import ledger, shared
from referee.cards.sheet import form, read
from referee.cards.yields import bonus_step, bounded, largest_play, play_step
from tests.referee.true_cards import TrueGame


class Planted(NamedTuple):
    """A sheet with one error. ``tally`` tells that it is one of taps."""

    data: dict[str, Any]
    row: int
    tally: bool = False


Planter = Callable[[TrueGame, dict[str, Any], Random], Planted | None]
CARD_PLANTERS: dict[str, tuple[CardReason, Planter]] = {}


def plants_in_card(reason: CardReason) -> Callable[[Planter], Planter]:
    def enter(planter: Planter) -> Planter:
        CARD_PLANTERS[planter.__name__] = (reason, planter)
        return planter

    return enter


def plant_in(game: TrueGame, name: str, rng: Random) -> Planted | None:
    return CARD_PLANTERS[name][1](game, deepcopy(game.card), rng)


def rows(card: dict[str, Any], rng: Random) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rounds with their numbers, in any order."""
    numbered = list(enumerate(card["rounds"], 1))
    rng.shuffle(numbered)
    yield from numbered


def loser_of(game: TrueGame) -> int:
    scores = game.card["scores"]
    return scores.index(min(scores))


def bare(game: TrueGame, **said: Any) -> dict[str, Any]:
    return {"scores": game.card["scores"][:], **said}


# ---- awards


@plants_in_card(CardReason.NOT_FIVES)
def an_award_that_is_no_multiple_of_five(game, card, rng):
    if game.rules.matching is Matching.MARKINGS or play_step(game.rules) != 5:
        return None
    for number, row in rows(card, rng):
        row["play"][rng.randrange(game.seats)] += rng.choice((1, 2, 3, 4))
        return Planted(card, number)
    return None


@plants_in_card(CardReason.NOT_FIVES)
def a_final_score_that_is_no_multiple_of_five(game, card, rng):
    if game.rules.matching is Matching.MARKINGS or play_step(game.rules) != 5 or game.rules.cap_at_target:
        return None
    if bonus_step(game.rules, game.seats) != 5:
        return None
    said = bare(game, ended=game.card["ended"])
    said["scores"][game.card["winner"]] += 2
    return Planted(said, 0)


@plants_in_card(CardReason.ROUND_TOO_MUCH)
def more_than_all_plays_of_a_round_give(game, card, rng):
    if game.rules.matching is Matching.MARKINGS:
        return None
    for number, row in rows(card, rng):
        row["play"][rng.randrange(game.seats)] += 5000
        return Planted(card, number)
    return None


@plants_in_card(CardReason.ROUND_TOO_MUCH)
def more_than_the_tiles_left_can_give(game, card, rng):
    for number, row in rows(card, rng):
        if row["ended"] == "domino":
            row["bonus"][row["winner"]] += 5000
            return Planted(card, number)
    return None


@plants_in_card(CardReason.NO_PLAY_POINTS)
def points_for_a_play_where_no_play_scores(game, card, rng):
    if game.rules.matching is not Matching.MARKINGS:
        return None
    for number, row in rows(card, rng):
        row["play"] = [10, *[0] * (game.seats - 1)]
        return Planted(card, number)
    return None


@plants_in_card(CardReason.NO_MUGGINS)
def muggins_where_there_is_none(game, card, rng):
    if game.rules.muggins is not Muggins.OFF:
        return None
    for number, row in rows(card, rng):
        row["muggins"] = [*[0] * (game.seats - 1), 10]
        return Planted(card, number)
    return None


# ---- spinners


@plants_in_card(CardReason.NO_SPINNER)
def a_spinner_where_there_is_none(game, card, rng):
    if game.rules.spinner is not Spinner.NONE:
        return None
    for number, row in rows(card, rng):
        row["spinner"] = "4-4"
        return Planted(card, number)
    return None


@plants_in_card(CardReason.NOT_A_DOUBLE)
def a_spinner_that_is_no_double(game, card, rng):
    if game.rules.spinner is Spinner.NONE:
        return None
    for number, row in rows(card, rng):
        row["spinner"] = rng.choice(("6-5", "1-0", "7-7"))
        return Planted(card, number)
    return None


@plants_in_card(CardReason.WRONG_LEAD)
def no_spinner_where_a_double_is_drawn_for(game, card, rng):
    rules = game.rules
    if rules.spinner is Spinner.NONE or rules.lead_first is not Lead.HIGHEST_DOUBLE or not rules.lead_forced:
        return None
    first = card["rounds"][0]
    if rules.no_double is not NoDouble.DRAW_UNTIL or first["ended"] in (None, "bell"):
        return None
    first["spinner"] = "none"
    return Planted(card, 1)


@plants_in_card(CardReason.RARE_LEAD)
def no_spinner_in_the_first_round(game, card, rng):
    rules = game.rules
    if rules.spinner is Spinner.NONE or rules.lead_first is not Lead.HIGHEST_DOUBLE or not rules.lead_forced:
        return None
    first = card["rounds"][0]
    if rules.no_double is NoDouble.DRAW_UNTIL or first["ended"] in (None, "bell") or first["spinner"] == "none":
        return None
    first["spinner"] = "none"
    return Planted(card, 1)


# ---- the end of a round


def settled(game: TrueGame, card: dict[str, Any], rng: Random) -> Iterator[tuple[int, dict[str, Any], Any]]:
    """Rounds whose end the hands that were left prove, with how."""
    lines = ledger(read(card, game.rules, game.seats)).lines
    for number, row in rows(card, rng):
        if lines[number - 1].due is not None:
            yield number, row, lines[number - 1].due


@plants_in_card(CardReason.WRONG_BONUS)
def round_end_points_that_the_hands_do_not_give(game, card, rng):
    for number, row, due in settled(game, card, rng):
        if due.winner is not None:
            row["bonus"][due.winner] += 5
            return Planted(card, number)
    return None


@plants_in_card(CardReason.BONUS_OF_LOSER)
def round_end_points_for_a_loser(game, card, rng):
    if shared(game.rules, game.seats):
        return None
    for number, row in rows(card, rng):
        if row["winner"] is not None and max(row["bonus"]):
            row["bonus"] = row["bonus"][1:] + row["bonus"][:1]
            return Planted(card, number)
    return None


@plants_in_card(CardReason.WRONG_ROUND_WINNER)
def another_winner_of_a_blocked_round(game, card, rng):
    for number, row, due in settled(game, card, rng):
        if row["ended"] == "blocked" and due.winner is not None:
            row["winner"] = (due.winner + 1) % game.seats
            return Planted(card, number)
    return None


@plants_in_card(CardReason.WRONG_PIPS)
def pips_left_to_who_went_out(game, card, rng):
    for number, row in rows(card, rng):
        if row["ended"] == "domino" and row["pips"]:
            row["pips"][row["winner"]] = 3
            return Planted(card, number)
    return None


@plants_in_card(CardReason.WRONG_PIPS)
def more_pips_than_the_set_has(game, card, rng):
    for number, row in rows(card, rng):
        if row["pips"]:
            row["pips"][loser_of(game)] = 5000
            return Planted(card, number)
    return None


@plants_in_card(CardReason.NO_BONUS)
def round_end_points_after_the_bell(game, card, rng):
    for number, row in rows(card, rng):
        if row["ended"] == "bell":
            row["bonus"][0] = 20
            return Planted(card, number)
    return None


@plants_in_card(CardReason.VOID_POINTS)
def round_end_points_after_the_target_was_reached(game, card, rng):
    last, winner, rules = card["rounds"][-1], card["winner"], game.rules
    at_once = rules.end_check is EndCheck.IMMEDIATE and card["ended"] == "target" and not rules.cap_at_target
    if not at_once or last["ended"] is not None:
        return None
    last["bonus"][winner] += 20
    last["totals"] = card["scores"] = [n + 20 * (seat == winner) for seat, n in enumerate(card["scores"])]
    card.pop("chips", None)
    return Planted(card, len(card["rounds"]))


# ---- totals and the final score


@plants_in_card(CardReason.WRONG_TOTAL)
def a_total_that_does_not_add_up(game, card, rng):
    step = 5 if play_step(game.rules) == 5 else 1
    for number, row in rows(card, rng):
        if "totals" in row and not game.rules.cap_at_target:
            row["totals"] = row["totals"][:]
            row["totals"][loser_of(game)] += step
            return Planted(card, number)
    return None


@plants_in_card(CardReason.WRONG_SCORE)
def a_final_score_that_the_rounds_do_not_make(game, card, rng):
    loser = loser_of(game)
    if card["scores"][loser] + 5 >= min(game.rules.target, max(card["scores"])):
        return None
    card["scores"][loser] += 5
    card.pop("chips", None)
    return Planted(card, 0)


@plants_in_card(CardReason.OVER_BEFORE)
def a_round_after_the_game_was_over(game, card, rng):
    if card["ended"] != "target" or game.rules.cap_at_target:
        return None
    card["rounds"].append({"totals": card["scores"][:]})
    return Planted(card, len(card["rounds"]) - 1)


@plants_in_card(CardReason.TWO_AT_TARGET)
def two_who_reached_the_target(game, card, rng):
    if game.rules.end_check is not EndCheck.IMMEDIATE or game.seats != 2 or game.rules.cap_at_target:
        return None
    target = game.rules.target
    return Planted({"scores": [target + 10, target + 5], "ended": "target"}, 0)


@plants_in_card(CardReason.TOO_FAR)
def further_than_one_award_goes(game, card, rng):
    said = bare(game, ended="target")
    said["scores"][card["winner"]] = game.rules.target + 5000
    return Planted(said, 0)


@plants_in_card(CardReason.LEVEL)
def a_level_score(game, card, rng):
    low = min(card["scores"])
    if low >= game.rules.target:
        return None
    return Planted({"scores": [low] * game.seats}, 0)


@plants_in_card(CardReason.WRONG_WINNER)
def the_other_as_winner(game, card, rng):
    scores = card["scores"]
    if scores.count(max(scores)) > 1:
        return None
    card["winner"] = loser_of(game)
    return Planted(card, 0)


@plants_in_card(CardReason.WRONG_END)
def an_end_at_the_bell_with_the_target_reached(game, card, rng):
    if not game.rules.clock_s or card["ended"] != "target" or game.rules.cap_at_target:
        return None
    card["ended"] = "bell"
    return Planted(card, 0)


@plants_in_card(CardReason.WRONG_END)
def a_target_that_was_not_reached(game, card, rng):
    if card["ended"] != "bell":
        return None
    card["ended"] = "target"
    return Planted(card, 0)


@plants_in_card(CardReason.NO_CLOCK)
def a_bell_without_a_clock(game, card, rng):
    if game.rules.clock_s:
        return None
    card["ended"] = "bell"
    return Planted(card, 0)


@plants_in_card(CardReason.WRONG_FORFEIT)
def points_for_who_forfeited(game, card, rng):
    return Planted({"scores": [game.rules.target, 35], "ended": "forfeit"}, 0) if game.seats == 2 else None


# ---- chips and times


@plants_in_card(CardReason.WRONG_CHIPS)
def a_chip_too_many(game, card, rng):
    if not game.rules.chips:
        return None
    card["chips"][rng.randrange(2)] += 1
    return Planted(card, 0)


@plants_in_card(CardReason.NO_CHIPS)
def chips_where_there_are_none(game, card, rng):
    if game.rules.chips:
        return None
    card["chips"] = [4] * game.seats
    return Planted(card, 0)


@plants_in_card(CardReason.WRONG_CLOCK)
def a_bell_before_its_time(game, card, rng):
    if card["ended"] != "bell":
        return None
    card["clock_s"] = game.rules.clock_s - 61
    return Planted(card, 0)


@plants_in_card(CardReason.WRONG_CLOCK)
def a_stop_before_the_start(game, card, rng):
    card["started"], card["stopped"] = "19:40", "19:25"
    return Planted(card, 0)


@plants_in_card(CardReason.LONG_GAME)
def an_hour_more_than_the_clock(game, card, rng):
    if not game.rules.clock_s or card["ended"] == "overtime":
        return None
    card["started"], card["stopped"] = "19:00", "21:00"
    return Planted(card, 0)


# ---- taps


def taps_of(game: TrueGame) -> list[dict[str, Any]]:
    return [dict(tap) for tap in game.taps]


def numbered(taps: list[dict[str, Any]]) -> dict[str, Any]:
    return {"taps": [{**tap, "n": n} for n, tap in enumerate(taps, 1)]}


def small_of_loser(game: TrueGame, extra: int) -> int | None:
    """Index of a tap of points to the loser who would still be the loser, below the target, with more of them."""
    scores = game.card["scores"]
    loser = loser_of(game)
    if scores[loser] + extra >= min(game.rules.target, max(scores)) or game.card["ended"] == "overtime":
        return None
    mine = [n for n, tap in enumerate(game.taps) if tap["kind"] == "points" and tap["seat"] == loser]
    return mine[0] if mine else None


@plants_in_card(CardReason.AFTER_END)
def a_tap_after_the_game_was_over(game, card, rng):
    if game.rules.end_check is not EndCheck.IMMEDIATE or card["ended"] != "target" or play_step(game.rules) != 5:
        return None
    taps = taps_of(game)
    taps.insert(-1, {"kind": "points", "seat": card["winner"], "points": 5})
    return Planted(numbered(taps), len(taps) - 1, tally=True)


@plants_in_card(CardReason.AWARD_TOO_BIG)
def a_tap_of_more_than_a_play_gives(game, card, rng):
    if not bounded(game.rules):
        return None
    most = largest_play(game.rules) + 5
    at = small_of_loser(game, most)
    if at is None:
        return None
    taps = taps_of(game)
    taps[at]["points"] = most
    return Planted(numbered(taps), at + 1, tally=True)


@plants_in_card(CardReason.NOT_FIVES)
def a_tap_that_is_no_multiple_of_five(game, card, rng):
    at = small_of_loser(game, 4)
    if at is None or play_step(game.rules) != 5:
        return None
    taps = taps_of(game)
    taps[at]["points"] += 3
    return Planted(numbered(taps), at + 1, tally=True)


@plants_in_card(CardReason.NO_MUGGINS)
def a_tap_of_muggins_where_there_is_none(game, card, rng):
    at = small_of_loser(game, 0)
    if at is None or game.rules.muggins is not Muggins.OFF:
        return None
    taps = taps_of(game)
    taps[at]["kind"] = "muggins"
    return Planted(numbered(taps), at + 1, tally=True)


@plants_in_card(CardReason.CLOCK_BACKWARDS)
def a_tap_with_an_earlier_time(game, card, rng):
    if len(game.taps) < 5 or game.rules.clock_s:
        return None
    taps = [{**tap, "clock_ms": 1000 * n} for n, tap in enumerate(game.taps)]
    taps[3]["clock_ms"] = 500
    return Planted(numbered(taps), 4, tally=True)


@plants_in_card(CardReason.MISSING_SPINNER)
def a_round_end_without_a_word_on_the_spinner(game, card, rng):
    if not form(game.rules, game.seats).spinner:
        return None
    taps = taps_of(game)
    for number, tap in enumerate(taps, 1):
        if tap["kind"] == "round_end":
            tap["spinner"] = None
            return Planted(numbered(taps), number, tally=True)
    return None
