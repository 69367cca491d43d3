"""`python -m referee deal --check`: the log opens its deal, and a changed tile or word is found."""

import json
from random import Random

import pytest

from games.notation.gamelog import GameLog
from games.notation.reading import dumps, loads
from league.play.dealer import Dealer
from league.play.table import log_tags
from referee.__main__ import main
from referee.deal_check import check_deal, deal_tags, hash_of, seed_of
from tests.league.play.test_dealer import act

SECRET, WORDS = "5ec2e7", ["by the sea", "über alle Berge"]


def game(system: str = "muggins", **options: str) -> GameLog:
    tags = log_tags(system, ("Ana", "Bo"), {"clock_s": "0", "lead_first": "lot", **options})
    table, chance = Dealer({**tags, **deal_tags(SECRET, WORDS)}, seed_of(SECRET, WORDS)), Random(3)
    while not table.over:
        act(table, chance)
    [log] = loads(dumps(table.log))
    return log


def with_tag(log: GameLog, name: str, value: str) -> GameLog:
    return GameLog({**log.tags, name: value}, log.entries)


@pytest.mark.parametrize("system", ["double-six", "muggins", "all-fives", "udl"])
def test_a_true_deal_is_repeated(system) -> None:
    assert check_deal(game(system)) == []


def test_another_secret_is_found_by_its_hash() -> None:
    [fault] = check_deal(with_tag(game(), "Deal.Secret", "5ec2e8"))
    assert "hash" in fault.message


def test_other_words_or_another_secret_give_another_deal() -> None:
    log = game()
    hands = len(log.rounds)
    assert len(check_deal(with_tag(log, "Deal.Words.B", "uber alle Berge"))) == hands
    both = with_tag(with_tag(log, "Deal.Secret", "x"), "Deal.Hash", hash_of("x"))
    assert len(check_deal(both)) == hands


def test_a_changed_hand_lot_or_draw_is_found_in_its_line() -> None:
    text = dumps(game("muggins"))
    lines = text.splitlines()
    for sort in (" lot ", " hand ", " draw "):
        number = next(n for n, line in enumerate(lines) if sort in line)
        words = lines[number].split()
        words[-1] = "6-6" if words[-1] != "6-6" else "5-5"
        [log] = loads("\n".join([*lines[:number], " ".join(words), *lines[number + 1 :], ""]))
        assert check_deal(log)[0].line == number + 1


def test_a_log_that_opens_nothing_is_said() -> None:
    log = game()
    plain = GameLog({name: value for name, value in log.tags.items() if not name.startswith("Deal.")}, log.entries)
    [fault] = check_deal(plain)
    assert fault.message == "the log does not open its deal: no Deal.Hash, Deal.Secret, Deal.Words.A, Deal.Words.B"


def test_the_command_answers_in_words_and_json(tmp_path, capsys) -> None:
    good, bad = tmp_path / "good.domino", tmp_path / "bad.domino"
    good.write_text(dumps(game()), "utf-8")
    bad.write_text(dumps(with_tag(game(), "Deal.Words.A", "other")), "utf-8")
    assert main(["deal", "--check", str(good)]) == 0
    assert "every tile lies as the seed says" in capsys.readouterr().out
    assert main(["deal", "--check", "--json", str(good), str(bad)]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["dealt"], second["dealt"]) == (True, False)
    assert second["faults"][0]["line"] > 0
    assert main(["deal", "--check", str(tmp_path / "none")]) == 2
