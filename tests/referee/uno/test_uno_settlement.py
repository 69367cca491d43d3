"""How rounds and games of Uno Dominoes end, and the verdict on them (RULES.md 2.26 to 2.38)."""

import pytest

from games.rulesets import get
from referee import verify_text
from referee.report import report
from tests.referee.logs import found
from tests.referee.uno_logs import EMPTY, FIRST, FULL, two, uno


def test_u07_who_must_draw_after_the_last_tile_draws_before_the_count():
    """RULES.md 9.6, U07: 4 + 8 + 13 = 25."""
    hands = ("y9-y9 rD2-y4", "r1-b3 y8-rR")
    lines = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\nB draw y2-g6 r3-gR\n"
    verdict = two(*hands, lines + "B shows r1-b3 y2-g6 r3-gR\nA scores 25\nscore 25-0\nsettled")
    assert found(verdict) == []
    assert verdict.rounds[0].as_json() == {
        "number": 1,
        "spinner": None,
        "led": "A",
        "ended": "domino",
        "winner": "A",
        "points": {"A": 25, "B": 0},
        "scores": {"A": 25, "B": 0},
    }


LAST = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\n"


@pytest.mark.parametrize(
    ("lines", "findings"),
    [
        ("B shows r1-b3", [(11, "forced-draw")]),
        ("A scores 4", [(11, "forced-draw")]),
        ("score 4-0", [(11, "forced-draw")]),
        ("settled", [(11, "forced-draw")]),
        ("round 2", [(11, "forced-draw")]),
        ("end", [(11, "forced-draw")]),
        ("", []),
        ("B draw y2-g6\nA scores 12", [(12, "forced-draw")]),
        ("B draw y2-g6 r3-gR\nB draw y1-y1", [(12, "round-over")]),
        ("B draw y2-g6 r3-gR y1-y1", [(11, "out-of-turn")]),
        ("A draw y2-g6", [(11, "round-over")]),
        ("B pass", [(11, "round-over")]),
        ("B r1-b3", [(11, "round-over")]),
        ("B draw y2-g6 r3-gR\nA scores 25\nA scores 25", [(13, "bad-event")]),
        ("B draw y2-g6 r3-gR\nA scores 20", [(12, "wrong-points")]),
        ("B draw y2-g6 r3-gR\nB scores 20", [(12, "wrong-points")]),
        ("B draw y2-g6 r3-gR\nscore 20-0", [(12, "wrong-total")]),
        ("B draw y2-g6 r3-gR\nB shows r1-b3 y2-g6", [(12, "tile-count")]),
        ("B draw y2-g6 r3-gR\nB shows r1-b3 y2-g6 y8-y8", [(12, "tile-not-in-hand")]),
        ("B draw y2-g6 r3-gR\nsettled\nB shows none", [(13, "bad-event")]),
    ],
)
def test_the_settlement_after_an_active_draw_two(lines, findings):
    """RULES.md 2.31; NOTATION.md 7.18: forced draws stand before the first settlement line."""
    assert found(two("y9-y9 rD2-y4", "r1-b3 y8-rR", LAST + lines)) == findings


DRAWN = "B draw y2-g6 r3-gR\nB shows r1-b3 y2-g6 r3-gR\nA scores 25\nsettled\nscore 25-0\nend\n"


@pytest.mark.parametrize("options", [{}, {"bell_mode": "turn"}, {"bell_mode": "round"}])
@pytest.mark.parametrize(
    "lines",
    [LAST + "bell\n" + DRAWN, LAST + "B draw y2-g6\nbell\nB draw r3-gR\n" + DRAWN.partition("\n")[2]],
    ids=["before the draw", "during the draw"],
)
def test_a_bell_after_the_last_tile_leaves_the_forced_draw(lines, options):
    """RULES.md 2.31; NOTATION.md 4: a bell after the round ended keeps its points, with the drawn tiles."""
    verdict = two("y9-y9 rD2-y4", "r1-b3 y8-rR", lines, clock_s=600, **options)
    assert found(verdict) == []
    assert (verdict.rounds[0].ended, verdict.scores, verdict.ended) == ("domino", {"A": 25, "B": 0}, "bell")


def test_a_last_tile_in_the_turn_after_the_bell_leaves_the_forced_draw():
    """NOTATION.md 7.7, `bell_mode` `turn`: the round has its own end with its points."""
    lines = LAST.replace("A rD2-y4", "bell\nA rD2-y4") + DRAWN
    verdict = two("y9-y9 rD2-y4", "r1-b3 y8-rR", lines, clock_s=600, bell_mode="turn")
    assert found(verdict) == []
    assert (verdict.rounds[0].ended, verdict.scores, verdict.ended) == ("domino", {"A": 25, "B": 0}, "bell")


@pytest.mark.parametrize(
    ("lines", "findings"),
    [
        ("bell\nB shows r1-b3", [(13, "forced-draw")]),
        ("bell\nA draw y2-g6", [(13, "after-bell")]),
        ("bell\nB draw y2-g6 r3-gR\nB draw y1-y1", [(14, "after-bell")]),
        ("bell\nB draw y2-g6 r3-gR y1-y1", [(13, "out-of-turn")]),
        ("bell\nB r1-b3", [(13, "after-bell")]),
        ("bell\nC draw y2-g6", [(13, "bad-event")]),
    ],
)
def test_no_other_tile_moves_after_that_bell(lines, findings):
    """RULES.md Q17: no draw or play after the bell."""
    assert found(two("y9-y9 rD2-y4", "r1-b3 y8-rR", LAST + lines, clock_s=600)) == findings


def test_a_bell_in_mid_round_ends_forced_draws():
    """NOTATION.md 7.7: a round cut by the bell has no points, so nobody draws for them."""
    hands, lines = ("y9-y9 rD2-y4 b5-b5", "r1-b3 y8-rR b6-g7"), LAST + "bell\n"
    assert found(two(*hands, lines + "A scores 0", clock_s=600)) == []
    assert found(two(*hands, lines + "B draw y2-g6 r3-gR", clock_s=600)) == [(13, "after-bell")]


def test_the_last_wild_draw_four_is_challenged_and_six_are_counted():
    """RULES.md 2.32; NOTATION.md 7.21: the colour may be left out."""
    hands = ("y9-y9 WD4-WD4", "r1-b3 y8-rR")
    lines = "A y9-y9\nB y8-rR\nA WD4-WD4 on rR-y8\nB challenges\nA shows none\nrejected\n"
    verdict = two(*hands, lines + "B draw y2-g6 r3-gR\nB draw b5-b5 y1-y1 r2-r2 r3-r3\nA scores 47\nsettled")
    assert found(verdict) == []
    assert (verdict.rulings[0].upheld, verdict.rounds[0].points) == (False, (47, 0))
    four_only = two(*hands, lines + "B draw y2-g6 r3-gR b5-b5 y1-y1\nA scores 37")
    assert found(four_only) == [(15, "forced-draw")]


def dead(lines, **options):
    """One arm of y8-y8 is closed by B, and three by A's last tiles."""
    a = "y8-y8 DE-y8 g5-DE g6-DE y5-g8 y1-r4"
    b = "DE-b8 y6-b2 g4-b2 y9-g1 W-W rS-rS"
    head = "A y8-y8\nB b8-DE\nA y8-DE on y8-y8\nB draw y7-bS\nB pass\nA g8-y5 on y8-y8\nB y9-g1 on y8-y8\n"
    return two(a, b, head + "A g5-DE on y5-g8\nB draw r3-r3\nB pass\nA g6-DE on g1-y9\n" + lines, **options)


def test_u12_a_dead_end_is_won_by_who_closed_it():
    """RULES.md 9.6, U12, and 2.36: her own tiles are not scored."""
    verdict = dead("A scores 107\nscore 107-0\nsettled")
    (record,) = verdict.rounds
    left = 8 + 6 + 50 + 20 + 17 + 6  # y6-b2 g4-b2 W-W rS-rS y7-bS r3-r3; A's own y1-r4 is not scored
    assert (record.ended, record.winner, record.points) == ("dead-end", 0, (left, 0))
    assert found(verdict) == []
    assert "dead end, closed by A" in report(verdict)


def test_a_dead_end_is_opened_again_before_its_settlement():
    """RULES.md 2.37; NOTATION.md 7.21: a re-opening is no entry of plays."""
    opened = "B reopens W-W on y8-y8 colour red\n"
    verdict = dead(opened + "A r4-y1 on W-W", reopening=True)
    assert found(verdict) == []
    assert [play["tile"] for play in verdict.as_json()["plays"]][-2:] == ["g6-DE", "r4-y1"]
    assert (verdict.rounds[0].ended, verdict.rounds[0].points) == ("domino", (57, 0))
    refused = {
        "B reopens W-W on g8-g8 colour red": "unknown-tile",
        "B reopens W-W on g5-DE colour red": "does-not-match",
        "B reopens W-W on g9-g9 colour red": "no-open-end",
        "B reopens rS-rS on y8-y8 colour red": "does-not-match",
        "A reopens W-W on y8-y8 colour red": "tile-not-in-hand",
        "A scores 107\nB reopens W-W on y8-y8 colour red": "bad-event",
        "settled\nB reopens W-W on y8-y8 colour red": "bad-event",
        opened + "B reopens W-W on y8-y8 colour red": "bad-event",
        "C reopens W-W on y8-y8 colour red": "bad-event",
        opened + "B r3-r3": "out-of-turn",
    }
    for lines, code in refused.items():
        assert [c for _, c in found(dead(lines, reopening=True))] == [code], lines
    assert [c for _, c in found(dead(opened))] == ["bad-event"]


def blocked(lines, block="low"):
    return uno("A g9-g9\nB pass\nC pass\nA pass\n" + lines, hands=FULL, tags=f'{EMPTY}[Option.block "{block}"]\n')


def test_a_block_that_nobody_saw_into_books_what_is_recorded():
    """NOTATION.md 7.10."""
    verdict = blocked("B scores 600\nscore 0-600-0")
    assert (found(verdict), verdict.scores) == ([], {"A": 0, "B": 600, "C": 0})
    assert (verdict.rounds[0].ended, verdict.rounds[0].winner) == ("blocked", 1)
    assert [f.code for f in verdict.findings if f.severity == "note"] == ["unverified-points"]
    void = blocked("B scores 40", block="void")
    assert (verdict.rounds[0].ended, void.scores["B"], [c for _, c in found(void)]) == ("blocked", 0, ["wrong-points"])


def test_unseen_racks_leave_the_points_open_until_they_are_shown():
    hands = ("y9-y9 rD2-y4", "? ?")
    lines = "A y9-y9\nB y8-rR\nA rD2-y4 on rR-y8\nB draw ? r3-gR\n"
    open_ = two(*hands, lines + "A scores 25\nsettled")
    assert (found(open_, "unverified-points"), open_.scores["A"]) == ([(12, "unverified-points")], 25)
    assert (open_.evidence, open_.status) == ("partial", "incomplete")
    seen = two(*hands, lines + "B shows r1-b3 y2-g6 r3-gR\nA scores 20\nsettled")
    assert (found(seen), seen.scores["A"]) == ([(13, "wrong-points")], 25)


def test_points_of_unseen_racks_lie_between_those_of_the_deals_that_fit():
    """NOTATION.md 4: a dealt rack held no doublet that comes before the one that was led; a drawn tile may be one."""
    tiles = get("uno-dominoes").tiles
    led = tiles.tile("b5-b5")
    unseen = [tile for tile in tiles.tiles if tile.name not in ("b5-b5", "r5-g6")]
    higher = tiles.starters[: tiles.starters.index(led.index)]
    dealt = sorted(tile.pips for tile in unseen if tile.index not in higher)
    drawn = max(tiles.pips[starter] for starter in higher)
    lines = "A b5-b5\nB draw ?\nB pass\nA r5-g6 on b5-b5\nA scores {}\nsettled"
    bounds = tuple(two("b5-b5 r5-g6", "? ?", lines.format(said)).scores["A"] for said in (0, 99_999))
    assert bounds == (sum(dealt[:3]), max(sum(dealt[-2:]) + drawn, sum(dealt[-3:])))
    assert two("b5-b5 r5-g6", "? ?", lines.format(bounds[0])).points_on_word == bounds[0]


# ---- the verdict


def test_plays_are_written_as_played():
    """NOTATION.md 6, 7.21."""
    verdict = uno("A g9-g9\nB y9-g1")
    assert verdict.as_json()["plays"] == [
        {
            "line": FIRST + n,
            "seat": seat,
            "tile": tile,
            "on": on,
            "count": None,
            "worth": 0,
            "announced": None,
            "awarded": {},
        }
        for n, (seat, tile, on) in enumerate([("A", "g9-g9", None), ("B", "y9-g1", "g9-g9")])
    ]
    assert "chips" not in verdict.as_json()


def test_the_target_is_looked_at_when_the_round_is_settled():
    """RULES.md 2.35."""
    hands = ("y9-y9 rD2-y4", "r1-b3 y8-rR")
    lines = LAST + "B draw y2-g6 r3-gR\nA scores 25\nsettled"
    verdict = two(*hands, lines, target=25)
    assert (verdict.ended, verdict.winner, verdict.status) == ("target", "A", "verified")
    assert two(*hands, lines, target=25, target_strict=True).ended is None
    assert found(two(*hands, lines + "\nround 2", target=25)) == [(15, "game-over")]


def test_the_report_speaks_of_no_spinner():
    assert "spinner" not in report(uno("A g9-g9"))


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_play(seats):
    header = '[Ruleset "uno-dominoes"]\n' + "".join(f'[Seat.{letter} ""]\n' for letter in "ABCDEFG"[:seats])
    assert verify_text(header + "round 1")[0].status == "unreadable"


def test_an_option_of_another_system_is_unreadable():
    """NOTATION.md 7.15."""
    (verdict,) = verify_text('[Ruleset "uno-dominoes"]\n[Option.spinner "all"]\nround 1\n')
    assert (verdict.status, verdict.findings[0].line) == ("unreadable", 2)
    assert "all_doublet" in verdict.findings[0].message
