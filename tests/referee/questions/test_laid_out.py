"""``python -m referee deal``: one deal that fits a log, as a log in which every tile is named."""

import json
from random import Random

import pytest

from games.notation.reading import loads
from referee import verify, verify_text
from referee.__main__ import main
from referee.playouts.pips import Habits, playout
from referee.questions.laid_out import LaidGame, lay_out
from referee.replay import replayed
from tests.benchmarks.bench_hidden import WAYS, hide
from tests.referee.logs import HEADER, pip_header

TABLES = [("udl", 2), ("muggins", 2), ("muggins", 4), ("all-fives", 2), ("all-fives", 3), ("double-six", 2)]
RESTS_SEEN = {name: ways for name, ways in WAYS.items() if name != "hidden"}


def findings(verdict):
    return {(finding.line, finding.code) for finding in verdict.findings}


def findings_of_laid(laid):
    """What is found in a laid out log, at the lines of the log that it was made from; hands put in are line 0."""
    (log,) = loads(laid.text())
    before = {entry.line: was.line for entry, was in zip(log.entries, laid.log.entries, strict=True)}
    verdict = verify(log)
    assert verdict.evidence == "complete"
    return {(before.get(line, line), code) for line, code in findings(verdict)}


@pytest.mark.slow("play-outs")
@pytest.mark.parametrize("ways", RESTS_SEEN.values(), ids=RESTS_SEEN)
@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_a_laid_out_game_has_no_finding_that_the_log_did_not_have(key, seats, ways):
    for seed in range(8):
        habits = Habits(style="random" if seed % 2 else "greedy", seconds=2.5 if seed % 3 else 12)
        game = playout(key, rng=Random(seed), seats=("Ana", "Bo", "Cy", "Dee")[:seats], habits=habits)
        text = hide(game.log, ways, result=game.log.tags["Result"])
        (log,) = loads(text)
        verdict, laid = verify(log), lay_out(log)
        assert isinstance(laid, LaidGame)
        assert findings_of_laid(laid) <= findings(verdict), seed
        (again,) = verify_text(laid.text())
        assert (again.status, again.scores, again.winner) == (verdict.status, verdict.scores, verdict.winner)
        assert lay_out(log).text() == laid.text(), "the same log gives the same deal"


def one_round(lines, header=HEADER):
    (log,) = loads(header + "round 1\n" + lines)
    return lay_out(log)


def test_rests_that_nobody_saw_are_filled_in_too():
    laid = one_round("A 6-6\nB 6-5\nA draw ?\nA 6-4 on 6-6\nbell\nA shows ? ? 4-4 ? ? ?\nB shows ? ? ? ? ? 4-3\n")
    (deal,) = laid.rounds
    events = [entry.event for entry in laid.log.entries]
    assert events[5].tiles[0] is deal.drawn[0]
    names = {seat: {tile.name for tile in hand} for seat, hand in deal.hands.items()}
    assert {"6-6", "6-4", "4-4"} <= names[0] | {deal.drawn[0].name}
    assert {"6-5", "4-3"} <= names[1]
    assert len(deal.left) == 13
    assert findings_of_laid(laid) == {(11, "incomplete")}


def test_a_seat_that_shows_more_tiles_than_it_has_still_does():
    laid = one_round("A 6-6\nB 6-5\nbell\nB shows ? ? ? ? ? ? ? 4-3\n")
    assert findings_of_laid(laid) == {(8, "incomplete"), (8, "tile-count")}
    assert str(laid.log.entries[-1].event.tiles).count("None") == 2


def test_hands_without_a_line_get_one_behind_the_others():
    header = pip_header("muggins", 3, "hand=2")
    (log,) = loads(header + "round 1\nA lot 6-6\nB lot 5-5\nC lot 1-0\nB hand 5-4 4-4\nA 6-5\nB 5-4\n")
    laid = lay_out(log)
    assert [line.split()[:2] for line in laid.text().splitlines()[6:13]] == [
        ["round", "1"],
        ["A", "lot"],
        ["B", "lot"],
        ["C", "lot"],
        ["B", "hand"],
        ["A", "hand"],
        ["C", "hand"],
    ]
    assert laid.text().splitlines()[13].startswith("# drawn, in this order: nothing; left in the boneyard: ")


def test_what_the_record_proves_is_found_in_the_deal_too():
    lines = "A 6-6\nB draw ?\nB 6-1\nA 6-2 on 6-6\nbell\nB shows 6-3 6-4 5-5 4-4 3-3 2-2 1-1\n"
    assert findings_of_laid(one_round(lines)) == {(6, "draw-when-able"), (10, "incomplete")}


def test_where_the_record_cannot_say_who_broke_a_rule_the_deal_has_as_few_offences_as_can_be():
    # 6-6 was dealt to B, or B drew it and had 5-1 or 5-0 when it drew.
    lines = "A 5-5 call 10\nB draw ?\nB 5-1\nA 5-2 on 5-5\nbell\nB shows 6-6 4-3 4-0 3-0 2-0 1-0 0-0\n"
    found = findings_of_laid(one_round(lines)) - {(10, "incomplete")}
    assert found in ({(5, "wrong-lead")}, {(6, "draw-when-able")})


def test_a_game_seen_whole_is_laid_out_as_it_was():
    log = playout("udl", rng=Random(1)).log
    laid = lay_out(log)
    assert laid.log == log
    assert all(len(r.drawn) + len(r.left) == 14 for r in laid.rounds)
    assert replayed(log).hidden.rounds == []


# ---- the command

NO_DEAL = HEADER + "round 1\nA hand 6-6 6-5 6-2 4-4 3-3 2-2 1-1\nA 6-6\nB 6-5 on 6-6\nA 6-2 on 6-6\n"
UNO = '[Ruleset "uno-dominoes"]\nround 1\n'


def command(tmp_path, capsys, *texts, json_too=False):
    """Exit status, standard output and standard error of the command on these files."""
    files = []
    for n, text in enumerate(texts):
        files.append(tmp_path / f"{n}.domino")
        files[-1].write_text(text, encoding="utf-8")
    status = main(["deal", *map(str, files), *(["--json"] if json_too else [])])
    captured = capsys.readouterr()
    return status, captured.out, captured.err.replace(str(tmp_path) + "/", "")


def test_what_the_command_prints_can_be_read_again(tmp_path, capsys):
    text = HEADER + "round 1\nA 6-6\nB 6-5\n"
    status, out, err = command(tmp_path, capsys, text + "\n" + text)
    assert (status, err) == (0, "")
    assert [verdict.evidence for verdict in verify_text(out)] == ["complete", "complete"]
    status, again, _ = command(tmp_path, capsys, out)
    assert loads(again) == loads(out)


def test_where_there_is_no_deal_the_clash_is_told_and_the_other_games_are_laid_out(tmp_path, capsys):
    status, out, err = command(tmp_path, capsys, NO_DEAL + "\n" + HEADER + "round 1\nA 6-6\n")
    told = "0.domino, game 1: no deal fits the record. Line 7: 6-5 cannot have been with two players: lines 5, 7\n"
    assert (status, err) == (1, told)
    assert len(loads(out)) == 1


def test_any_line_that_cannot_be_true_leaves_no_deal(tmp_path, capsys):
    status, out, err = command(tmp_path, capsys, HEADER + "round 1\nA 6-6\nA 6-5\n")
    assert (status, out) == (1, "")
    assert err == "0.domino, game 1: no deal fits the record. Line 6: it is the turn of B, not of A\n"


def test_racks_of_uno_are_not_laid_out(tmp_path, capsys):
    status, out, err = command(tmp_path, capsys, UNO)
    assert (status, out) == (2, "")
    assert err == (
        "0.domino, game 1: a deal is laid out in the games with pips; in Uno Dominoes nothing is known of a rack "
        "that was not seen\n"
    )


def test_files_that_cannot_be_read_are_told(tmp_path, capsys):
    status, _, err = command(tmp_path, capsys, "[Ruleset]\n", HEADER + "round 1\n")
    assert status == 2
    assert "line 1, column" in err
    assert main(["deal", str(tmp_path / "missing")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_json_is_one_object_a_game(tmp_path, capsys):
    small = pip_header("muggins", 2, "hand=12")
    text = small + "round 1\nA hand 12\nA 6-6\nB 6-5\nA draw ?\nA 6-4\n"
    status, out, _ = command(tmp_path, capsys, text, NO_DEAL, UNO, "[Ruleset]\n", json_too=True)
    laid, clash, uno, unreadable = map(json.loads, out.splitlines())
    assert status == 2
    assert (laid["file"].endswith("0.domino"), laid["game"], laid["ruleset"], laid["found"], laid["clash"]) == (
        True,
        1,
        "muggins",
        True,
        None,
    )
    (deal,) = laid["rounds"]
    assert (deal["number"], deal["drawn"]) == (1, 1)
    assert len({*deal["hands"]["A"], *deal["hands"]["B"], *deal["boneyard"]}) == 28
    assert f"A draw {deal['boneyard'][0]}\n" in laid["log"]
    assert [clash[key] for key in ("found", "rounds", "log")] == [uno[key] for key in ("found", "rounds", "log")]
    assert (clash["clash"]["line"], clash["clash"]["code"], uno["clash"]) == (7, "no-consistent-deal", None)
    assert unreadable["status"] == "unreadable"
