"""The dealer plays any number of seats, and knows no player."""

from random import Random

import pytest

from games.errors import IllegalMove, Reason
from games.moves import Call, Draw, Pass, Said
from games.ruleset import Announce
from games.rulesets import get
from games.scorecard import awards_of_a_play
from league.play.dealer import Dealer, WrongMoment
from league.play.hands import hand_of
from league.play.table import log_tags
from referee import verify
from tests.volume import seeds

SYSTEMS = ("double-six", "muggins", "all-fives", "udl")


def dealer(seed: object, system: str, seats: int, **options: str) -> Dealer:
    return Dealer(log_tags(system, "ABCD"[:seats], options), str(seed))


def act(table: Dealer, chance: Random) -> None:
    """Let the seat to act do something legal, and sometimes let a seat call."""
    live = table.live
    if live is None:
        table.deal()
        return
    seat = live.to_act or 0  # None: nobody holds a double, so it is drawn for, from seat A
    plays = table.plays_of(seat)
    if not plays:
        table.draw(seat)
        return
    table.make(chance.choice(plays))
    rules = table.game.rules
    if rules.announce is Announce.MANUAL and chance.random() < 0.5 and table.live:
        table.call(Call(seat, Said.COUNT, chance.choice(awards_of_a_play(rules))))


GAMES = [(system, seats) for system in SYSTEMS for seats in (2, 3, 4) if get(system).seats_allowed(seats)]


@pytest.mark.parametrize(("system", "seats"), GAMES)
def test_games_of_any_number_of_seats_are_legal(system, seats) -> None:
    for seed in seeds(6):
        table, chance = dealer(seed, system, seats, lead_first="lot", clock_s="0"), Random(seed)
        while not table.over:
            act(table, chance)
        assert {one.severity for one in verify(table.log).findings} <= {"note", "correction"}
        assert verify(table.log).won_by == table.game.card.winner


def test_the_table_is_the_same_after_every_line() -> None:
    table, chance = dealer("again", "muggins", 3), Random(1)
    for _move in range(40):
        act(table, chance)
        again = Dealer(table.tags, table.seed, table.lines)
        assert (again.lines, again.boneyard, again.live and again.live.hands) == (
            table.lines,
            table.boneyard,
            table.live and table.live.hands,
        )
        for seat in table.seats:
            held = {tile.name for tile in table.game.rules.tiles.in_mask(table.game.need_round().hands[seat])}
            assert {one.name for one in hand_of(again, seat)} == held


def test_another_seat_than_the_one_to_act_is_refused() -> None:
    table = dealer("turn", "muggins", 3)
    table.deal()
    others = [seat for seat in table.seats if seat != table.live.to_act]
    before = table.lines[:]
    for seat in others:
        assert table.plays_of(seat) == ()
        for move in (Draw(seat, 1), Pass(seat)):
            with pytest.raises(IllegalMove) as caught:
                table.make(move)
            assert caught.value.reason is Reason.OUT_OF_TURN
    assert table.lines == before


def test_lines_have_the_time_of_their_act_and_the_bell_ends_the_game() -> None:
    table, chance = dealer("clock", "udl", 2, clock_s="60"), Random(2)
    table.deal()
    table.at = 45
    table.make(chance.choice(table.plays_of(table.live.to_act)))
    assert table.lines[-1].startswith("0:04.5 ")
    table.at = 600
    table.ring()
    assert table.lines[-1] != "0:60 bell"
    table.settle()
    log = verify(table.log)
    assert log.ended == "bell" or table.game.card.overtime


def test_a_bell_without_a_clock_and_calls_at_a_wrong_time_are_refused() -> None:
    table = dealer("no clock", "muggins", 2)
    for act_of in (table.ring, lambda: table.call(Call(0, Said.MUGGINS)), lambda: table.draw(0)):
        with pytest.raises(WrongMoment):
            act_of()
    table.deal()
    with pytest.raises(WrongMoment):
        table.deal()


def test_a_forfeit_ends_the_game_for_the_others() -> None:
    table = dealer("left", "udl", 2, clock_s="0")
    table.deal()
    table.forfeit(1, "away")
    assert verify(table.log).ended == "forfeit"
    assert table.game.card.winner == 0
    with pytest.raises(WrongMoment):
        table.forfeit(0, "away too")
