"""Hidden hands: each code by a hand-written log, with the sentence of NOTATION.md section 4 that it follows."""

from random import Random

import pytest

from games.notation.reading import dumps, loads
from games.rulesets import RULESETS, get
from referee import verify_text
from referee.game import ReplayedGame
from referee.hands.deals import NoDeal, witness
from referee.lines import HANDLERS
from referee.playouts.pips import Habits, playout
from tests.benchmarks.bench_hidden import WAYS, hide
from tests.referee.brute import play_out
from tests.referee.logs import found, lines_found, pip, udl
from tests.referee.tiny import TinyTable

# Lines begin in line 5 where there are no hands: see tests/referee/logs.py.
FIRST = 5


def hidden(lines, tags=""):
    """The verdict on a round of which nobody saw the deal."""
    return udl(lines, hands="", tags=tags)


def sentences(verdict, code):
    return [finding.message for finding in verdict.findings if finding.code == code]


# ---- "when counting proves them: hands shown at the end, tiles played later, or the set running out"


def test_a_tile_shown_at_the_end_proves_that_an_early_draw_was_wrong():
    lines = "A 6-6\nB draw ?\nB 6-1\nA 6-2 on 6-6\nbell\nB shows 6-3 6-4 5-5 4-4 3-3 2-2 1-1"
    verdict = hidden(lines)
    # 8 tiles of B: 6-1 and the seven shown; two of 6-1, 6-3, 6-4 at least were there before the draw.
    assert found(verdict) == [(6, "draw-when-able")]
    assert verdict.status == "violation"
    assert sentences(verdict, "draw-when-able") == ["B drew; every deal that fits the record gives B a tile to play"]
    (finding,) = [f for f in verdict.findings if f.code == "draw-when-able"]
    assert finding.rule == "udl.draw"


def test_where_one_deal_has_no_offence_nothing_is_said():
    verdict = hidden("A 6-6\nB draw ?\nB 6-1\nA 6-2 on 6-6\nbell\nB shows ? ? 5-5 4-4 3-3 2-2 1-1")
    assert found(verdict) == []


def test_a_tile_played_later_proves_that_an_early_pass_was_wrong():
    # B draws the boneyard empty, so no later draw can have brought 6-1.
    verdict = hidden("A 6-6\nB draw 14\nB pass\nA 6-2\nB 6-1 on 6-6")
    assert (7, "pass-when-able") in found(verdict)


def test_the_set_runs_out_of_tiles_that_do_not_fit():
    # Open are 5, 4, 3 and 2. Five tiles that were not played have none of them, and B holds five at the first draw.
    lines = "A 6-6\nB 6-5\nA 6-4\nB 6-3 on 6-6\nA 6-2 on 6-6\nB draw ?"
    assert found(hidden(lines)) == []
    assert found(hidden(lines + "\nB draw ?")) == [(11, "draw-when-able")]


def test_every_draw_past_a_playable_tile_is_found():  # NOTATION.md 7.2
    lines = "A 6-6\nB draw ?\nB draw ?\nB draw ?\nB 6-1\nbell\nB shows 6-2 6-3 6-4 6-5 6-0 5-5 4-4 3-3 2-2"
    assert found(hidden(lines)) == [(6, "draw-when-able"), (7, "draw-when-able"), (8, "draw-when-able")]


def test_draws_of_one_line_are_one_offence():  # 7.2: one finding a line and code
    lines = "A 6-6\nB draw 3\nB 6-1\nbell\nB shows 6-2 6-3 6-4 6-5 6-0 5-5 4-4 3-3 2-2"
    assert found(hidden(lines)) == [(6, "draw-when-able")]


# ---- "findings proved by known tiles" are made in replay, once


def test_what_known_tiles_prove_is_told_once_with_the_tiles():
    verdict = udl("A 6-6\nB draw ?\nB 6-3", hands="B hand 6-3 ? ? ? ? ? ?\n")
    assert found(verdict) == [(7, "draw-when-able")]
    assert sentences(verdict, "draw-when-able") == ["B drew and could play 6-3"]


# ---- wrong-lead


def test_a_higher_double_in_a_dealt_hand_is_shown_later():
    lines = "A 5-5\nB 5-1\nA 5-2 on 5-5\nbell\nB shows 6-6 5-0 4-0 3-0 2-0 1-0"
    assert found(hidden(lines)) == [(5, "wrong-lead")]
    assert sentences(hidden(lines), "wrong-lead") == [
        "5-5 was led by A; every deal that fits the record has a higher lead in a hand"
    ]


def test_a_higher_double_may_have_been_drawn_after_the_lead():
    lines = "A 5-5\nB draw ?\nB 5-1\nA 5-2 on 5-5\nbell\nB shows 6-5 4-4 4-0 3-0 2-0 1-0 0-0"
    assert found(hidden(lines.replace("6-5", "6-4"))) == []
    assert found(hidden(lines)) == [(6, "draw-when-able")]  # 6-5 or 5-1 was dealt
    lines = lines.replace("5-1", "6-5 on 5-5").replace("shows 6-5", "shows 6-6")
    assert found(hidden(lines)) == [(10, "unclear-offence")]


def test_any_tile_led_is_wrong_where_a_double_is_drawn_for():  # RULES.md 3.4
    lines = "B 6-5\nA 6-4"
    assert found(hidden(lines)) == []
    assert found(hidden(lines, '[Option.no_double "draw_until"]\n')) == [(6, "wrong-lead")]


def test_the_holder_of_the_highest_double_leads_with_any_tile_where_it_is_not_forced():
    tags = '[Option.lead_forced "false"]\n'
    lines = "A 6-1\nB 6-2 on 6-1\nbell\nB shows 6-6 5-0 4-0 3-0 2-0 1-0"
    assert found(hidden(lines, tags)) == [(6, "wrong-lead")]
    lines = "A 6-1\nB 6-2 on 6-1\nbell\nB shows 5-5 5-0 4-0 3-0 2-0 1-0"
    assert found(hidden(lines, tags)) == []  # A may have 6-6


# ---- draws for the lead: "first double drawn is led by its drawer" (RULES.md 3.4)

NO_DOUBLE = "A hand 6-5 6-4 6-3 6-2 6-1 6-0 5-4\nB hand 5-3 5-2 5-1 5-0 4-3 4-2 4-1\n"
"""Lines after these begin in line 7."""


def drawn_for(lines, hands=NO_DOUBLE):
    return pip("all-fives", "round 1\n" + hands + lines)


def test_a_higher_double_drawn_after_a_lower_one_is_no_lead():
    # A's only unseen tile is 2-2: A drew it, so B's draw was wrong, and the lead with what it brought.
    lines = "A draw ?\nB draw ?\nB 5-5\nA 5-4 on 5-5\nB 5-2 on 5-5\n"
    assert found(drawn_for(lines)) == []
    assert found(drawn_for(lines + "A 2-2 on 5-2")) == [(8, "draw-when-able"), (9, "wrong-lead")]


def test_the_first_double_drawn_is_led_though_a_higher_one_was_drawn_after_it():
    lines = "A draw ?\nB draw ?\nA 2-2\nB 5-2\nA 6-2 on 2-2\nB 5-5 on 5-2\n"
    assert found(drawn_for(lines)) == [(8, "draw-when-able")]
    assert found(drawn_for(lines.replace("B draw ?", "B draw 5-5"))) == [(8, "draw-when-able")]


def test_where_a_double_may_have_been_dealt_the_record_cannot_say_whose_lead_it_was():
    # A drew 2-2 and B 5-5, or A was dealt 2-2, or B was dealt 5-5: B's draw was wrong, and one more line, but which?
    lines = "A draw ?\nB draw ?\nB 5-5\nA 5-4 on 5-5\nB 5-2 on 5-5\nA 2-2 on 5-2\n"
    assert found(drawn_for(lines, "A hand 7\nB hand 7\n")) == [(8, "draw-when-able"), (12, "unclear-offence")]


# ---- must-play-drawn

MUST = '[Option.voluntary_draw "true"]\n'


def test_a_drawn_tile_that_fits_must_be_played_where_draws_are_by_choice():
    # A can't have drawn 6-1, its hand is known; what was drawn is shown at the end.
    hands = "A hand 6-6 6-1 5-4 5-3 5-2 5-1 5-0\n"
    lines = "A 6-6\nB 6-2\nA draw ?\nA 6-1 on 6-6\nbell\nA shows 6-3 5-4 5-3 5-2 5-1 5-0"
    verdict = udl(lines, hands=hands, tags=MUST)
    assert found(verdict) == [(10, "must-play-drawn")]
    assert sentences(verdict, "must-play-drawn") == [
        "A drew a tile that fits and did not play it; no deal that fits is without this"
    ]


def test_a_tile_that_fits_is_played_before_another_one_is_drawn():
    lines = "A 6-6\nB 6-2\nA draw ? 6-3\nA 6-3 on 6-6"
    assert found(hidden(lines, MUST)) == []
    assert found(hidden(lines.replace("? 6-3", "6-3 ?"), MUST)) == [(8, "must-play-drawn")]
    assert found(hidden(lines.replace("? 6-3", "6-3\nA draw ?"), MUST)) == [(9, "must-play-drawn")]
    lines = "A 6-6\nB 6-2\nA draw 6-3\nA 6-1 on 6-6"
    assert found(hidden(lines, MUST)) == [(9, "must-play-drawn")]


# ---- "the fewest further offences (two at most): a unique smallest set is reported"; else unclear-offence


def test_somebody_broke_a_rule_and_the_record_cannot_say_who():
    # 6-6 was dealt to B, or B drew it and had 5-1 or 5-0 when it drew.
    lines = "A 5-5\nB draw ?\nB 5-1\nA 5-2 on 5-5\nbell\nB shows 6-6 4-3 4-0 3-0 2-0 1-0 0-0"
    verdict = hidden(lines)
    assert found(verdict) == [(10, "unclear-offence")]
    assert sentences(verdict, "unclear-offence") == ["a rule was broken, and the record cannot say where: lines 5, 6"]
    assert verdict.status == "violation"
    (finding,) = [f for f in verdict.findings if f.code == "unclear-offence"]
    assert finding.rule == "udl.record"


# ---- no-consistent-deal


def test_a_tile_of_a_known_hand_is_played_by_another_seat():  # 7.1
    verdict = udl("A 6-6\nB 6-5 on 6-6\nA 6-2 on 6-6", hands="A hand 6-6 6-5 6-2 4-4 3-3 2-2 1-1\n")
    assert (verdict.status, verdict.winner, verdict.ended) == ("impossible", None, None)
    assert found(verdict, "incomplete", "wrong-result") == [(7, "no-consistent-deal")]
    assert [play.line for play in verdict.plays] == [6, 7, 8]  # replay stops after the round, not before the line
    assert sentences(verdict, "no-consistent-deal") == ["6-5 cannot have been with two players: lines 5, 7"]


def test_more_tiles_were_shown_than_the_hand_can_have_had():
    verdict = hidden("A 6-6\nbell\nA shows 5-5 4-4 3-3 2-2 1-1 0-0 6-5")
    assert found(verdict) == [(7, "no-consistent-deal"), (7, "tile-count")]
    assert sentences(verdict, "no-consistent-deal") == [
        "0-0 1-1 2-2 3-3 4-4 5-5 6-5 6-6, played or shown, can have been only 7 unseen tiles: lines 5, 7"
    ]


ALL_DEALT = '[Option.hand "14"]\n'


def test_one_of_two_passes_was_wrong():
    # All tiles are dealt. 15 of those left have no 6 and no 5: 13 of them can be in one hand, not 26 in two.
    verdict = hidden("A 6-6\nB 6-5\nA pass\nB pass\n", ALL_DEALT)
    assert found(verdict) == [(9, "unclear-offence")]
    assert sentences(verdict, "unclear-offence") == ["a rule was broken, and the record cannot say where: lines 8, 9"]


def test_a_block_is_a_fact():
    verdict = hidden("A 6-6\nB 6-5\nblocked\n", ALL_DEALT)
    assert found(verdict) == [(8, "no-consistent-deal")]
    assert sentences(verdict, "no-consistent-deal") == [
        "these 26 unseen tiles can hold only 15 of the tiles left: line 8"
    ]


def test_replay_stops_after_the_round_and_later_rounds_are_not_read():
    lines = "A 6-6\nB 6-5 on 6-6\nbell\nsettled\nround 2\nA 9-9\n"
    verdict = udl(lines, hands="A hand 6-6 6-5 6-2 4-4 3-3 2-2 1-1\n")
    assert found(verdict) == [(7, "no-consistent-deal")]
    assert len(verdict.rounds) == 1


def test_points_of_the_round_are_booked_before_the_analysis():
    lines = "A 5-5 call 10\nB 5-0 on 5-5 call 10\nscore 10-10\nbell"
    verdict = udl(lines, hands="A hand 5-5 5-0 6-2 4-4 3-3 2-2 1-1\n")
    assert (verdict.scores, verdict.status) == ({"A": 10, "B": 10}, "impossible")


# ---- honest games with hidden hands are never worse than consistent


HOUSES = [("udl", 2), ("muggins", 2), ("muggins", 4), ("all-fives", 2), ("all-fives", 3), ("double-six", 2)]
HOUSE_RULES = [{}, {"voluntary_draw": "true", "must_play_drawn": "true"}, {"lead_forced": "false"}]


@pytest.mark.parametrize("ways", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("key", "seats"), HOUSES)
def test_an_honest_game_stays_in_order_whatever_is_hidden(key, seats, ways):
    for seed in range(9):
        names = ("Ana", "Bo", "Cy", "Dee")[:seats]
        habits = Habits(style="random", seconds=2.5)
        game = playout(key, rng=Random(seed), seats=names, habits=habits, options=HOUSE_RULES[seed % 3])
        (verdict,) = verify_text(hide(game.log, ways, result=game.log.tags["Result"]))
        assert verdict.status in ("consistent", "verified"), (seed, verdict.findings)
        assert verdict.scores == game.scores


def test_draws_for_the_lead_go_on_in_seat_order_also_where_they_are_by_choice_and_unseen():  # RULES.md 3.4
    hands = "A hand 6-5 6-4 6-3 6-2 6-1 6-0 5-4\nB hand 5-3 5-2 5-1 5-0 4-3 4-2 4-1\n"
    text = '[Ruleset "all-fives"]\n[Option.voluntary_draw "true"]\nround 1\n' + hands + "A draw ?\nB draw ?\nA draw ?\n"
    (verdict,) = verify_text(text + "A 3-3\nB 4-3")
    assert found(verdict) == []


@pytest.mark.parametrize("key", [key for key in RULESETS if get(key).tiles.name == "double-six"])
@pytest.mark.parametrize("options", [{}, {"voluntary_draw": "true"}, {"lead_forced": "false"}])
def test_an_honest_round_of_every_system_has_no_violation(key, options):
    rules = get(key).with_options(options)
    low, high = rules.seats
    for seed in range(20):
        rng = Random(seed)
        seats = rng.randint(low, high)
        table = TinyTable(rules, seats, rng, offend=0)
        table.play_round()
        text = table.written(rng.choice((0.3, 0.7, 1))).replace('"tiny"]', f'"{key}"]')
        text = text.replace("round 1", "".join(f'[Option.{k} "{v}"]\n' for k, v in options.items()) + "round 1", 1)
        (verdict,) = verify_text(text)
        assert {f.severity for f in verdict.findings} <= {"note"}, (text, verdict.findings)


# ---- a deal to look at


def replayed(text):
    (log,) = loads(text)
    game = ReplayedGame(log, get(log.ruleset).with_options(log.options))
    try:
        for game.line, at, event in log.entries:
            HANDLERS[type(event)](game, at, event)
        game.close_settlement()
    except NoDeal:
        pass
    return game, log


def test_a_witness_is_a_deal_with_the_offences_that_were_found_and_no_other(monkeypatch):
    told = 0
    for seed in range(60):
        rng = Random(seed)
        rules = get("udl")
        table = TinyTable(rules, 2, rng, offend=rng.choice((0, 0.2)))
        table.play_round()
        text = table.written(rng.choice((0.5, 1))).replace('"tiny"]', '"udl"]')
        (verdict,) = verify_text(text)
        if verdict.status == "impossible" or verdict.evidence == "complete":
            continue
        game, log = replayed(text)
        ((_, facts),) = game.hidden.rounds
        deal = witness(facts)
        assert deal is not None
        everything = [*deal.boneyard, *(t for some in (*deal.dealt, *deal.drawn.values()) for t in some)]
        assert sorted(t.index for t in everything if t in deal.boneyard) == sorted(t.index for t in deal.boneyard)
        if facts.all_dealt_seen:
            continue
        broken, _ = play_out(log.entries, rules, rules.lead_first, deal.dealt, deal.drawn)
        judged = {"draw-when-able", "pass-when-able", "wrong-lead"}
        if "unclear-offence" not in {f.code for f in verdict.findings}:
            assert broken == {(f.line, f.code) for f in verdict.findings if f.code in judged}, text
            told += bool(broken)
    assert told > 3


def test_no_witness_where_there_is_no_deal():
    game, _ = replayed('[Ruleset "udl"]\nround 1\nA hand 6-6 6-5 6-2 4-4 3-3 2-2 1-1\nA 6-6\nB 6-5 on 6-6\n')
    ((number, facts),) = game.hidden.rounds
    assert (number, game.hidden.no_deal, witness(facts)) == (1, True, None)


def test_the_same_log_gives_the_same_verdict():
    text = dumps(playout("udl", rng=Random(5), habits=Habits(style="random")).log).replace("draw", "draw")
    assert verify_text(text)[0].as_json() == verify_text(text)[0].as_json()


def test_a_tile_that_another_seat_has_played_is_no_tile_to_play():
    """B's hand names 4-4, A plays it: no deal has that, and what B draws for the open four breaks no rule."""
    lines = "round 1\nB hand 6-4 4-4 1-1\nB 6-4\nA 4-4\nB draw 2-2\nB pass"
    verdict = pip("muggins", lines, tags="hand=3")
    assert lines_found(verdict, 4) == [(4, "no-consistent-deal"), (6, "pass-with-boneyard")]
