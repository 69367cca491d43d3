"""Practice games are started, played and forgotten in one transaction each; the log alone is the game."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from games.moves import Play
from games.notation.reading import dumps
from league.errors import Refused
from league.house.levels import Level
from league.play import services, tasks
from league.play.models import PracticeGame
from league.play.services import PracticeAct, act, start
from referee import verify_text
from tests.league.play.tables import next_move, saved
from tests.league.play.uno_tables import uno_at

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 6, 19, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _known_deals(monkeypatch) -> None:
    monkeypatch.setattr("league.play.terms.secrets.token_hex", lambda _bytes: "5eed")


def asked(game: PracticeGame, level: Level = Level.GREEDY) -> PracticeAct:
    table = game.table()
    if table.live is None:
        return PracticeAct("deal")
    move = next_move(table, level)
    return (
        PracticeAct("play", move.tile.name, move.on.name if move.on else "")
        if isinstance(move, Play)
        else PracticeAct("draw")
    )


def go_on(game: PracticeGame) -> PracticeGame:
    return act(game.code, len(game.lines.splitlines()), asked(game))


def finished(**options: str) -> PracticeGame:
    game = start("double-six", "greedy", {"target": "50", **options})
    while game.ended_at is None:
        game = go_on(game)
    return game


def refused(game: PracticeGame, line: int, what: PracticeAct) -> str:
    before = PracticeGame.objects.values().get(pk=game.pk)
    with pytest.raises(Refused) as caught:
        act(game.code, line, what)
    assert PracticeGame.objects.values().get(pk=game.pk) == before
    return caught.value.code


def test_a_game_starts_with_a_deal_and_a_code_that_nobody_guesses() -> None:
    one, other = start("double-six", "careful", {}), start("double-six", "careful", {})
    assert one.lines.splitlines()[0] == "round 1"
    assert len(one.code) == 16
    assert one.code != other.code


def test_usual_values_of_options_are_no_house_rules() -> None:
    game = start("double-six", "random", {"target": "250", "spinner": "first"})
    assert game.options == {"spinner": "first"}


@pytest.mark.parametrize(
    ("ruleset", "level", "options"),
    [
        ("checkers", "greedy", {}),
        ("uno-dominoes", "greedy", {"spinner": "all"}),
        ("double-six", "perfect", {}),
        ("double-six", "greedy", {"target": "1"}),
        ("double-six", "greedy", {"clock_s": "60"}),
    ],
)
def test_a_game_that_the_table_does_not_have_is_refused(ruleset, level, options) -> None:
    with pytest.raises(Refused) as caught:
        start(ruleset, level, options)
    assert caught.value.code == "bad-terms"
    assert not PracticeGame.objects.exists()


@pytest.mark.parametrize(("ruleset", "seats"), [("uno-dominoes", 5), ("uno-dominoes", 1), ("double-six", 3)])
def test_a_number_of_players_that_the_table_does_not_have_is_refused(ruleset, seats) -> None:
    with pytest.raises(Refused) as caught:
        start(ruleset, "greedy", {}, seats)
    assert caught.value.code == "bad-terms"


def test_a_finished_game_is_verified_from_its_log() -> None:
    game = finished()
    assert game.status == "verified"
    [verdict] = verify_text(dumps(game.table().log))
    assert verdict.status == "verified"
    assert verdict.ended == "target"


def test_a_move_for_an_earlier_line_is_refused_and_changes_nothing() -> None:
    game = start("double-six", "greedy", {})
    line, what = len(game.lines.splitlines()), asked(game)
    act(game.code, line, what)
    assert refused(game, line, what) == "stale-table"


def test_an_illegal_move_is_refused_and_changes_nothing() -> None:
    game = start("double-six", "greedy", {})
    line = len(game.lines.splitlines())
    for tile, on in (("9-9", ""), ("", ""), ("6-6\n", ""), ("6-6", "x")):
        assert refused(game, line, PracticeAct("play", tile, on)) == "illegal-move"
    assert refused(game, line, PracticeAct("deal")) == "illegal-move"


def test_nothing_moves_after_the_end() -> None:
    game = finished()
    line = len(game.lines.splitlines())
    assert refused(game, line, PracticeAct("deal")) == "illegal-move"
    assert refused(game, line, PracticeAct("draw")) == "illegal-move"


def test_old_games_are_forgotten_and_a_game_in_play_is_not() -> None:
    now = timezone.now()
    kept, left = start("double-six", "greedy", {}), start("double-six", "greedy", {})
    over, long_over = finished(), finished()
    ages = {kept: ("moved_at", 6), left: ("moved_at", 8), over: ("ended_at", 300), long_over: ("ended_at", 366)}
    for game, (column, days) in ages.items():
        PracticeGame.objects.filter(pk=game.pk).update(**{column: now - timedelta(days=days)})
    assert tasks.forget_old() == 2
    assert {*PracticeGame.objects.values_list("pk", flat=True)} == {kept.pk, over.pk}
    assert services.forget_old(now) == 0


def test_the_schedule_forgets_old_games(settings) -> None:
    assert {"task": tasks.forget_old.name, "schedule": 3600} in settings.CELERY_BEAT_SCHEDULE.values()


def test_a_start_takes_one_statement_and_a_move_two(django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        game = start("double-six", "greedy", {})
    for _move in range(3):
        with django_assert_num_queries(4):  # with the beginning and the end of the transaction
            game = go_on(game)


def uno(*lines: str) -> PracticeGame:
    return saved(uno_at("A hand g9-g9 b1-WD4 b6-g9 r3-rS y3-r6 r2-g9", *lines))


OTHER = "B hand r3-r3 g2-b5 g5-b9 y1-r4 b6-g7 r7-yD2", "A g9-g9", "B g2-b5 on g9-g9"


def test_uno_of_four_is_started_and_acts_take_the_same_statements(django_assert_num_queries) -> None:
    with django_assert_num_queries(1):
        game = start("uno-dominoes", "careful", {"target": "200"}, 4)
    assert (game.seats, len(game.table().seats)) == (4, 4)
    game = uno(*OTHER)
    for what in (PracticeAct("catch", whom=1), PracticeAct("play", "b6-g9", "g2-b5")):
        with django_assert_num_queries(4):  # with the beginning and the end of the transaction
            game = act(game.code, len(game.lines.splitlines()), what)
    assert "A catches B" in game.lines
    assert "A b6-g9 on g2-b5" in game.lines


@pytest.mark.parametrize(
    ("what", "sentence"),
    [
        (PracticeAct("play", "b1-WD4", "g2-b5"), "Choose the colour"),
        (PracticeAct("play", "r3-rS", "g9-g9"), "r3-rS does not match there"),
        (PracticeAct("play", "g2-b5", "g9-g9"), "g2-b5 lies on the table already"),
        (PracticeAct("play", "x", "g9-g9"), "Choose one of your tiles first"),
        (PracticeAct("challenge"), "no Wild Draw Four"),
        (PracticeAct("four"), "no four tiles"),
        (PracticeAct("uno"), "with two tiles at your turn"),
        (PracticeAct("reopen", on="g9-g9", colour="red"), "not possible now"),
    ],
)
def test_an_illegal_act_of_uno_is_refused_and_changes_nothing(what, sentence) -> None:
    game = uno(*OTHER)
    with pytest.raises(Refused, match=sentence) as caught:
        act(game.code, len(game.lines.splitlines()), what)
    assert caught.value.code == "illegal-move"
    assert PracticeGame.objects.get().lines == game.lines


def test_the_lead_of_uno_is_named_in_its_refusal() -> None:
    game = saved(uno_at("A hand g9-g9 b1-WD4 b6-g9 r3-rS y3-r6 r2-g9", OTHER[0]))
    with pytest.raises(Refused, match="the highest doublet of numbers is led"):
        act(game.code, 3, PracticeAct("play", "b6-g9"))


def test_a_tile_out_of_turn_is_refused() -> None:
    lines = ("A hand g9-g9 g1-y9 r3-rS r2-g9", "B hand g2-b5 g5-b9", "C hand b2-y6 b3-y7 y4-r5 b8-DE")
    game = saved(uno_at(*lines, "A g9-g9", "B g2-b5 on g9-g9"))
    with pytest.raises(Refused, match="not your turn"):
        act(game.code, len(game.lines.splitlines()), PracticeAct("play", "g9-r2", "g9-g9"))
