"""The practice table of Uno Dominoes (RULES.md 4.3): turns, penalties, uno, catches, challenges, colours, dead ends."""

import pytest

from games.errors import IllegalMove, Reason
from games.moves import Play
from games.rulesets import get
from league.house import uno_levels
from league.house.levels import Level
from league.play.dealer import WrongMoment
from league.play.table import PLAYER
from league.play.uno_table import UnoTable
from referee import verify
from tests.league.play.tables import says
from tests.league.play.uno_tables import QUICK_LEVELS, lively, played_uno, uno_at, uno_step, uno_terms
from tests.volume import seeds

TILES = get("uno-dominoes").tiles
A = "A hand g9-g9 gS-b4 g1-y9 r3-rS b1-WD4 r2-g9"
B = "B hand r3-r3 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2"
C = "C hand r2-r2 b2-y6 b3-y7 y4-r5 b7-r8 g6-DE"
RANDOM, CAREFUL = Level.RANDOM, Level.CAREFUL


def play(tile: str, on: str = "", colour: str | None = None) -> Play:
    return Play(PLAYER, TILES.tile(tile), TILES.tile(on) if on else None, None, colour)


def refusal(table: UnoTable, move: Play) -> Reason:
    before = table.lines[:]
    with pytest.raises(IllegalMove) as caught:
        table.move(move)
    assert table.lines == before
    return caught.value.reason


# ---- The deal, turns and penalties


def test_each_player_has_six_tiles_and_the_highest_numeric_doublet_leads() -> None:
    for seed in seeds(40, least=12):
        table = UnoTable(uno_terms(seed, seats=2 + seed % 3))
        table.deal()
        dealt = [line.split()[2:] for line in table.lines if " hand " in line]
        assert [len(tiles) for tiles in dealt] == [6] * (2 + seed % 3)
        doublets = [name for tiles in dealt for name in tiles if len({*name.split("-")}) == 1 and name[1].isdigit()]
        if doublets and table.colours.layout.table:
            highest = max(int(name[1]) for name in doublets)
            lead = next(line for line in table.lines if line[2:3] in "rgyb" and len(line.split()) == 2)
            assert int(lead[3]) == highest


def test_where_nobody_holds_a_numeric_doublet_it_is_drawn_for() -> None:
    drawn = 0
    for seed in range(60):
        table = UnoTable(uno_terms(f"lead {seed}", seats=2))
        table.deal()
        assert table.colours.starter_seen
        if (after := table.lines[3:4]) and after[0].startswith("A draw "):
            drawn += 1
            lead = next((line for line in table.lines[4:] if line[2:3] in "rgyb"), "")
            assert not lead or lead.split()[1] in " ".join(table.lines[3:])
    assert drawn > 2


def test_a_skip_takes_the_turn_of_the_next_player() -> None:
    table = uno_at(A, B, C, "A g9-g9", "B g2-b5 on g9-g9", "C g6-DE on g9-g9")
    before = table.lines[:]
    table.move(play("gS-b4", "g9-g9"))
    assert not any(line.startswith("B ") for line in says(table, [*before, "A"])[:1])
    assert says(table, before)[1].startswith("C")


def test_a_draw_two_is_drawn_at_once_and_the_turn_is_lost() -> None:
    table = uno_at(A.replace("r3-rS", "b4-gD2"), B, C, "A g9-g9", "B g2-b5 on g9-g9", "C g6-DE on g9-g9")
    before = table.lines[:]
    table.move(play("gD2-b4", "g9-g9"))
    drawn, then = says(table, before)[1:3]
    assert drawn.startswith("B draw ")
    assert len(drawn.split()) == 4
    assert then.startswith("C")


def test_a_drawn_tile_that_fits_may_be_kept_and_one_that_does_not_ends_the_turn() -> None:
    kept = passed = 0
    for seed in range(30):
        table = uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9", seed=seed)
        before = table.lines[:]
        table.draw_or_pass()
        assert says(table, before)[0].startswith("A draw ")
        if table.colours.drew:
            drawn = says(table, before)[0].split()[2]
            assert {*play.tile.name.split("-")} == {*drawn.split("-")} if (play := table.plays[0]) else False
            table.draw_or_pass()
            kept += 1
        else:
            passed += 1
        assert says(table, before)[1] == "A pass"
    assert min(kept, passed) > 0


def test_after_a_draw_only_the_drawn_tile_may_be_played() -> None:
    for seed in range(30):
        table = uno_at(A, B, "A g9-g9", "B g2-b5 on g9-g9", seed=seed)
        table.draw_or_pass()
        if table.colours.drew:
            assert refusal(table, play("gS-b4", "g9-g9")) is Reason.MUST_PLAY_DRAWN
            return
    raise AssertionError("no drawn tile fits")


def test_the_half_written_first_touches() -> None:
    table = uno_at(A, B, "A g9-g9", "B b9-g5 on g9-g9")
    assert refusal(table, play("y9-g1", "b9-g5")) is Reason.DOES_NOT_MATCH
    table.move(play("g1-y9", "b9-g5"))
    assert "A g1-y9 on b9-g5" in table.lines


def test_of_several_places_one_is_chosen_and_the_only_one_is_found() -> None:
    table = uno_at(A, B, "A g9-g9", "B b9-g5 on g9-g9")
    assert refusal(table, play("gS-b4")) is Reason.AMBIGUOUS_PLAY
    table.move(play("y9-g1"))
    assert "A y9-g1 on g9-g9" in table.lines


# ---- Colours


def test_a_wild_half_left_exposed_needs_its_colour() -> None:
    rack = "A hand g9-g9 b1-WD4 b6-g9 r3-rS y3-r6 r2-g9"
    table = uno_at(rack, B, "A g9-g9", "B g2-b5 on g9-g9")
    assert refusal(table, play("b1-WD4", "g2-b5")) is Reason.BAD_EVENT
    before = table.lines[:]
    table.move(play("b1-WD4", "g2-b5", "red"))
    answer = says(table, before)
    assert answer[0] == "A b1-WD4 on g2-b5 colour red"
    assert len(answer[1].split()) < 6  # its number touches: nobody draws four


def test_a_colour_without_a_wild_half_is_refused() -> None:
    table = uno_at(A, B, "A g9-g9", "B b9-g5 on g9-g9")
    assert refusal(table, play("gS-b4", "g9-g9", "red")) is Reason.BAD_EVENT


# ---- Wild Draw Four

FOUR = (
    "A hand g9-g9 r3-rS r2-g9 y5-g8 y3-r6 r5-g6",
    "B hand b1-WD4 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2",
    "A g9-g9",
)


def four(rack: str = FOUR[1], seats: tuple[str, ...] = ()) -> UnoTable:
    """The computer has put a Wild Draw Four on the green nine; with this rack it holds green."""
    return uno_at(FOUR[0], rack, *seats, FOUR[2], "B WD4-b1 on g9-g9")


LAWFUL = "B hand b1-WD4 y1-r4 b3-y7 b2-y6 y4-r5 b7-r8"


def test_the_victim_of_four_accepts_or_challenges_before_anything_else() -> None:
    table = four()
    assert (table.victim, table.awaited, table.plays) == (PLAYER, PLAYER, ())
    for act in (lambda: table.move(play("r2-g9", "g9-g9")), table.draw_or_pass, table.wait, table.deal):
        with pytest.raises(WrongMoment):
            act()


def test_four_that_are_accepted_are_drawn_and_the_turn_is_lost() -> None:
    table = four()
    before = table.lines[:]
    table.take_four()
    drawn = says(table, before)
    assert drawn[0].startswith("A draw ")
    assert len(drawn[0].split()) == 6
    assert drawn[1].startswith("B ")


def test_a_right_challenge_lets_the_other_draw_four_and_gives_the_turn() -> None:
    table = four()
    before = table.lines[:]
    table.doubt_four()
    told = says(table, before)
    assert (told[0], told[2]) == ("A challenges", "upheld")
    assert sorted(told[1].split()[2:]) == ["b5-g2", "b6-g7", "b9-g5", "r4-y1", "r7-yD2"]
    assert told[3].startswith("B draw ")
    assert len(told[3].split()) == 6
    assert (len(told), table.awaited) == (4, PLAYER)


def test_a_wrong_challenge_draws_six_and_loses_the_turn() -> None:
    table = four(LAWFUL)
    before = table.lines[:]
    table.doubt_four()
    told = says(table, before)
    assert told[2] == "rejected"
    assert told[3].startswith("A draw ")
    assert len(told[3].split()) == 8
    assert told[4].startswith("B ")


def test_as_a_house_rule_a_wrong_challenge_draws_four() -> None:
    table = uno_at(FOUR[0], LAWFUL, FOUR[2], "B WD4-b1 on g9-g9", failed_challenge="4")
    before = table.lines[:]
    table.doubt_four()
    assert len(says(table, before)[3].split()) == 6


def mine(rack: str, level: Level = CAREFUL) -> UnoTable:
    """The player may put a Wild Draw Four on the green nine."""
    return uno_at(rack, "B hand g9-g9 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2", "B g9-g9", level=level)


def test_the_careful_computer_challenges_a_full_rack_and_a_bluff_draws_four() -> None:
    table = mine("A hand b1-WD4 r2-g9 y5-g8 y3-r6 r5-g6 r3-rS")
    before = table.lines[:]
    table.move(play("WD4-b1", "g9-g9"))
    told = says(table, before)
    assert told[1] == "B challenges"
    assert told[2].startswith("A shows ")
    assert told[3] == "upheld"
    assert told[4].startswith("A draw ")
    assert len(told[4].split()) == 6
    assert told[5].startswith("B ")


def test_a_lawful_four_that_the_computer_challenges_costs_it_six() -> None:
    table = mine("A hand b1-WD4 y4-r5 b3-y7 b2-y6 r3-rS b7-r8")
    before = table.lines[:]
    table.move(play("WD4-b1", "g9-g9"))
    told = says(table, before)
    assert told[3] == "rejected"
    assert told[4].startswith("B draw ")
    assert len(told[4].split()) == 8
    assert table.awaited == PLAYER


def test_the_computer_challenges_the_computer_and_bluffs() -> None:
    """Both happen, and both outcomes of each."""
    told = set()
    for seed in range(90):
        lines = played_uno(uno_terms(f"bluff {seed}", RANDOM, seats=3, target="100"), uno_habit).lines
        for line, after in zip(lines, lines[2:], strict=False):
            if line.endswith(" challenges") and after in ("upheld", "rejected"):
                told.add((line[0], after))
    assert told >= {("B", "upheld"), ("B", "rejected"), ("C", "upheld"), ("C", "rejected")}


def uno_habit(table: UnoTable, _chance: object) -> None:
    uno_step(table)


# ---- Uno and catches


def two_left(level: Level = CAREFUL, seed: object = "here") -> UnoTable:
    """The player is to act with two tiles, with three opponents."""
    return uno_at(
        "A hand g9-g9 g1-y9 r3-rS",
        "B hand g2-b5 g5-b9 y1-r4",
        "C hand b2-y6 b3-y7 y4-r5",
        "D hand b7-r8 g6-DE r7-b3",
        "A g9-g9",
        "B g2-b5 on g9-g9",
        "C draw r2-g6",
        "C pass",
        "D g6-DE on g9-g9",
        level=level,
        seed=seed,
        hand="3",
    )


def test_uno_is_said_with_two_tiles_and_the_turn_and_no_computer_catches() -> None:
    table = two_left()
    table.say_uno(PLAYER)
    table.move(play("y9-g1", "g9-g9"))
    assert not [line for line in table.lines if line.endswith("catches A")]


def test_uno_can_not_be_said_with_three_tiles_or_twice() -> None:
    table = uno_at(A, B, "A g9-g9", "B b9-g5 on g9-g9")
    with pytest.raises(WrongMoment):
        table.say_uno(PLAYER)
    other = two_left()
    other.say_uno(PLAYER)
    with pytest.raises(WrongMoment):
        other.say_uno(PLAYER)


def test_the_careful_computer_catches_a_player_that_says_nothing() -> None:
    table = two_left()
    before = table.lines[:]
    table.move(play("y9-g1", "g9-g9"))
    told = says(table, before)
    assert told[1] == "B catches A"
    assert told[2].startswith("A draw ")
    assert len(told[2].split()) == 4


def test_a_lower_level_overlooks_some_and_uno_can_still_be_said() -> None:
    overlooked = late = 0
    for seed in range(40):
        table = two_left(RANDOM, seed)
        table.move(play("y9-g1", "g9-g9"))
        if "A" not in {line.split()[-1] for line in table.lines if " catches " in line}:
            overlooked += 1
            if table.may_say_uno(PLAYER):
                table.say_uno(PLAYER)
                late += 1
    assert 5 < overlooked < 30
    assert late


def one_left(*said: str, level: Level = CAREFUL) -> UnoTable:
    """B has one tile, and C would be next."""
    return uno_at(
        "A hand g9-g9 g1-y9 r3-rS r2-g9",
        "B hand g2-b5 g5-b9",
        "C hand b2-y6 b3-y7 y4-r5 b8-DE",
        "A g9-g9",
        "B g2-b5 on g9-g9",
        *said,
        level=level,
    )


def test_before_the_next_computer_moves_the_player_has_time_to_catch() -> None:
    table = one_left()
    assert table.paused
    before = table.lines[:]
    table.catch(PLAYER, 1)
    told = says(table, before)
    assert told[0] == "A catches B"
    assert told[1].startswith("B draw ")
    assert len(told[1].split()) == 4
    assert table.paused
    table.wait()
    assert not table.paused


@pytest.mark.parametrize("said", [(), ("B uno",)])
def test_the_pause_comes_whether_uno_was_said_or_not(said) -> None:
    """Seen where computers come down to one tile: forgetting or not, the next computer waits."""
    assert one_left(*said).paused


def test_every_last_tile_but_one_of_a_computer_waits_for_the_player() -> None:
    """Control: both kinds, said and not said, occur."""
    kinds = set()
    for seed in range(12):
        table = UnoTable(uno_terms(f"pause {seed}", RANDOM, target="100"))
        while not table.over:
            uno_step(table)
            if table.paused:
                last = table.colours.last_tile
                assert last is not None
                assert table.colours.held[last.seat] == 1
                kinds.add(last.called)
    assert kinds == {True, False}


def test_a_catch_of_a_player_that_said_uno_has_no_effect() -> None:
    table = one_left("B uno")
    before = table.lines[:]
    table.catch(PLAYER, 1)
    assert says(table, before) == ["A catches B"]
    assert verify(table.log).findings[-1].severity == "note"


def test_who_does_not_wait_leaves_the_catch_to_the_other_computers() -> None:
    table = one_left()
    before = table.lines[:]
    table.wait()
    assert says(table, before)[0] == "C catches B"


@pytest.mark.parametrize("whom", [PLAYER, -1, 3])
def test_a_catch_needs_another_player(whom) -> None:
    with pytest.raises(WrongMoment):
        one_left().catch(PLAYER, whom)


def test_the_computer_forgets_uno_less_at_each_level() -> None:
    silent = {level: silences(level) for level in QUICK_LEVELS}
    assert silent[Level.RANDOM] > silent[Level.GREEDY] > silent[CAREFUL] == 0


def silences(level: Level) -> int:
    """Tiles of computers after which one was left and uno was not said, in games whose player catches nobody."""
    missed = 0
    for seed in range(12):
        table = UnoTable(uno_terms(f"silent {seed}", level, target="200"))
        while not table.over:
            uno_step(table)
            last = table.colours.last_tile if table.live else None
            missed += last is not None and last.seat != PLAYER and not last.called
    return missed


# ---- Dead ends, the end

CLOSED = (
    "A g9-g9",
    "B g5-DE on g9-g9",
    "A g1-DE on g9-g9",
    "B g6-DE on g9-g9",
    "A g9-b6 on g9-g9",
)


def closed() -> UnoTable:
    """The computer has closed the last arm; the player holds W-W, and may reopen it."""
    hands = "A hand g9-g9 g1-DE g9-b6 r3-rS W-W", "B hand g5-DE g6-DE b8-DE y1-r4 r7-yD2"
    return uno_at(*hands, *CLOSED, "B b8-DE on g9-b6", hand="5", reopening="true")


def test_a_dead_end_is_the_last_player_s_without_the_variation() -> None:
    table = uno_at(
        "A hand g9-g9 g1-DE b8-DE r3-rS W-W", "B hand g5-DE g6-DE b6-g9 y1-r4 r7-yD2",
        "A g9-g9", "B g5-DE on g9-g9", "A g1-DE on g9-g9", "B g9-b6 on g9-g9", "A draw r2-g9", "A pass",
        "B g6-DE on g9-g9", hand="5",
    )  # fmt: skip
    table.move(play("b8-DE"))
    assert table.between
    assert table.game.card.scores[0] == sum(TILES.tile(name).pips for name in ("y1-r4", "r7-yD2"))


def test_the_holder_of_the_wild_doublet_may_reopen_a_dead_end() -> None:
    table = closed()
    assert (table.reopener, table.between, table.paused) == (PLAYER, False, False)
    with pytest.raises(WrongMoment):
        table.deal()
    with pytest.raises(WrongMoment):
        table.open_again(TILES.tile("g1-DE"), "red")
    before = table.lines[:]
    table.open_again(TILES.tile("g9-g9"), "red")
    assert says(table, before)[0] == "A reopens W-W on g9-g9 colour red"
    assert verify(table.log).status == "incomplete"


def test_a_dead_end_that_is_left_closed_is_settled() -> None:
    table = closed()
    table.leave()
    assert table.between
    assert table.game.card.scores[1] == sum(TILES.tile(name).pips for name in ("r3-rS", "W-W"))


def test_the_computer_reopens_a_dead_end_of_the_player() -> None:
    table = uno_at(
        "A hand g9-g9 g1-DE b8-DE r3-rS y3-r6", "B hand g5-DE g6-DE b6-g9 y1-r4 W-W",
        "A g9-g9", "B g5-DE on g9-g9", "A g1-DE on g9-g9", "B g9-b6 on g9-g9", "A draw r2-g9", "A pass",
        "B g6-DE on g9-g9", hand="5", reopening="true",
    )  # fmt: skip
    table.move(play("b8-DE"))
    assert any(line.startswith("B reopens W-W on ") for line in table.lines)
    assert table.live is not None


def test_every_act_between_two_hands_but_the_deal_is_refused() -> None:
    table = UnoTable(uno_terms("ended"))
    table.deal()
    while table.live is not None:
        uno_step(table)
    for act in (table.draw_or_pass, table.take_four, table.doubt_four, table.wait, table.leave):
        with pytest.raises(WrongMoment):
            act()
    with pytest.raises(WrongMoment):
        table.say_uno(PLAYER)
    with pytest.raises(WrongMoment):
        table.catch(PLAYER, 1)
    table.deal()
    assert table.live is not None


def test_the_referee_verifies_every_finished_log(monkeypatch) -> None:
    """Games of a player that tries every button."""
    monkeypatch.setattr(uno_levels, "UNO_SAMPLES", 20)
    for seed in seeds(60, least=20):
        options = {"target": "200"} | ({"reopening": "true", "all_doublet": "true"} if seed % 4 == 0 else {})
        table = played_uno(uno_terms(seed, list(Level)[seed % 4], 2 + seed % 3, **options))
        verdict = verify(table.log)
        assert verdict.status == "verified", (seed, verdict.findings)
        assert {one.severity for one in verdict.findings} <= {"note"}
        assert max(table.game.card.scores) >= 200


def test_the_log_alone_gives_the_table_back() -> None:
    table = UnoTable(uno_terms("again", target="100"))
    while not table.over:
        again = UnoTable(table.terms, table.lines)
        for one in (table, again):
            uno_step(one)
        assert again.lines == table.lines


def test_a_habit_reaches_every_button() -> None:
    """Control of the games above: catches, challenges both ways, colours and passes are in their logs."""
    lines = [line for seed in range(24) for line in played_uno(uno_terms(seed, RANDOM, 2 + seed % 3), lively).lines]
    words = {" ".join(line.split()[:2]) for line in lines}
    assert words >= {"A challenges", "B challenges", "A uno", "B uno", "A pass", "A catches", "B catches"}
    assert any(" colour " in line for line in lines if line.startswith("A "))
