"""The result of a match as a sentence on its page (`league.web.words.result_sentence`)."""

from types import SimpleNamespace

import pytest
from django.utils.translation import override

from league.matches.queries.lines import SideScore
from league.players.shown import Person
from league.web.words.result_sentence import result_sentence, winning_words
from tests.web import world as small

STATES = {"contested": False, "needs_decision": False, "void": False}


def side(number: int, name: str, score: int | None, *, won: bool = False, people: int = 1) -> SideScore:
    return SideScore(
        number=number,
        entrant_id=number,
        name=name,
        code=f"P{number}",
        apart="",
        points=[],
        games_won=0,
        score=score,
        won=won,
        people=tuple(Person(name, f"P{number}{one}", "") for one in range(people)),
    )


def line(*sides: SideScore, **states: bool) -> SimpleNamespace:
    return SimpleNamespace(sides=list(sides), **STATES | states)


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def test_the_winner_comes_first_with_the_points() -> None:
    told = line(side(1, "Ana", 35), side(2, "Hugo", 150, won=True))
    assert plain(result_sentence(told)) == "Hugo beats Ana 150–35"
    assert plain(winning_words(told)) == "Hugo wins 150–35"
    with override("es"):
        assert plain(result_sentence(told)) == "Hugo vence a Ana por 150–35"
        assert plain(winning_words(told)) == "Hugo gana por 150–35"


def test_a_pair_beats_in_the_plural_and_a_table_of_three_lists_the_others() -> None:
    pair = line(side(1, "Ana / Bo", 150, won=True, people=2), side(2, "Cleo / Dan", 80, people=2))
    assert plain(result_sentence(pair)) == "Ana / Bo beat Cleo / Dan 150–80"
    assert plain(winning_words(pair)) == "Ana / Bo win 150–80"
    three = line(side(1, "Ana", 90), side(2, "Bo", 150, won=True), side(3, "Cleo", 40))
    assert plain(result_sentence(three)) == "Bo wins with 150: Ana 90, Cleo 40"
    assert plain(winning_words(three)) == "Bo wins 150–90–40"


@pytest.mark.parametrize("state", STATES)
def test_a_result_that_may_still_change_its_winner_has_no_sentence(state) -> None:
    told = line(side(1, "Ana", 35), side(2, "Hugo", 150, won=True), **{state: True})
    assert result_sentence(told) == winning_words(told) == ""


def test_without_a_winner_there_is_no_sentence() -> None:
    assert result_sentence(line(side(1, "Ana", 1), side(2, "Hugo", 1))) == ""
    assert result_sentence(line(side(1, "Ana", None), side(2, "Hugo", None))) == ""


def test_the_page_is_headed_by_the_result_and_names_players_instead_of_seats(world, browse) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    owed = {"claimant": "A", "against": "B", "sum": "5+5", "count": 10, "points": 10}
    missed = {"seat": "B", "sum": "4+1", "count": 5, "points": 5}
    one = small.CORRECTION | {"severity": "note", "message": "muggins for A"}
    found = [
        one | {"line": 8, "code": "claim-upheld", "say": "claim-owed", "facts": owed},
        one | {"line": 9, "code": "missed-points", "say": "missed-points", "facts": missed},
    ]
    small.judge(record, findings=found)
    small.enter(record)
    html = plain(browse().get(f"/matches/{world.match.pk}/").content.decode())
    assert '<h1 class="headline">Ana Ruiz beats Bo Chen 150–95</h1>' in html
    assert "<title>Ana Ruiz beats Bo Chen 150–95" in html
    assert "Bo Chen didn’t announce 10 (5+5 = 10), so Ana Ruiz takes it by muggins" in html
    assert "Bo Chen didn’t announce 5 (4+1 = 5), and nobody called muggins" in html
