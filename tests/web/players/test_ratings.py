"""Pages of ratings: the list, the curve of a player, and what explains each change."""

import csv
import re
from datetime import date, timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.models import Competition, Rating, RatingList
from league.competitions.ratings import queries as rating_pages
from league.competitions.ratings import services as ratings
from league.competitions.ratings.glicko2 import USUAL, after, expected, idle
from league.players.models import Player
from league.players.services import enrol, erase
from league.web.charts import rating
from league.web.players.ratings import cell
from tests.league.competitions.rated import competition, met
from tests.league.world import make_world
from tests.web import world as small

NEW = USUAL.start
NOBODY = AnonymousUser()


@pytest.fixture
def world(db):
    return make_world()


@pytest.fixture
def cup(world) -> Competition:
    return competition(world)


def weeks_ago(weeks: int):
    """Noon of the Monday so many weeks ago."""
    now = timezone.now()
    monday = now - timedelta(days=now.weekday())
    return monday.replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(weeks=weeks)


def played(world, cup, *weeks: int, winner: int = 1) -> None:
    for ago in weeks:
        ratings.rate_match(met(world, cup, world.ana, world.bo, winner, at=weeks_ago(ago)).pk)


def plain(answer) -> str:
    text = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return " ".join(text.split())


def list_of(world):
    rows = rating_pages.ranked(NOBODY).filter(rating_list__league=world.league)
    return [rating_pages.rating_now(row, timezone.now()) for row in rows]


def test_the_list_tells_rank_rating_range_games_and_the_last_change(world, cup, client):
    played(world, cup, 0)
    page = plain(client.get("/leagues/harbour/ratings/"))
    won, lost = after(NEW, [(NEW, 1)]), after(NEW, [(NEW, 0)])
    for rank, name, found in ((1, "Ana Ruiz", won), (2, "Bo Chen", lost)):
        low, high = round(found.rating - 2 * found.deviation), round(found.rating + 2 * found.deviation)
        change = f"{round(found.rating - 1500):+d}".replace("-", "−")
        assert f"{rank} {name} {round(found.rating)} {low}–{high} 1 {change}" in page


def test_who_is_level_shares_a_rank(world, cup):
    third = enrol(league=world.league, name="Cy Diaz", since=date(2026, 1, 1))
    ratings.rate_match(met(world, cup, world.ana, world.bo, None).pk)
    ratings.rate_match(met(world, cup, third, world.bo, 2, at=weeks_ago(0)).pk)
    Rating.objects.filter(player=third.player).update(rating=1500)
    found = list_of(world)
    assert (str(found[0].player), [one.rank for one in found]) == ("Bo Chen", [1, 2, 2])
    mine = {
        one.rating_list.ruleset: one.rank for one in rating_pages.ratings_of_player(NOBODY, third.player, weeks_ago(0))
    }
    assert mine == {"udl": 2}


def test_the_range_of_today_has_grown_since_the_last_game(world, cup):
    played(world, cup, 5)
    row = Rating.objects.get(player=world.ana.player)
    ana = next(one for one in list_of(world) if one.player == world.ana.player)
    assert ana.strength == idle(rating_pages.strength_after(row), 4)
    assert ana.strength.deviation > row.deviation


def test_a_league_without_ratings_says_so(world, client):
    assert "No ratings yet" in plain(client.get("/leagues/harbour/ratings/"))
    assert client.get("/leagues/harbour/ratings/csv/").status_code == 404
    assert client.get("/leagues/nowhere/ratings/").status_code == 404


def test_each_ruleset_has_its_own_list(world, cup, client):
    fives = competition(world, "Fives", ruleset="all-fives")
    played(world, cup, 0)
    played(world, fives, 0, winner=2)
    first = plain(client.get("/leagues/harbour/ratings/"))
    assert first.index("Bo Chen") < first.index("Ana Ruiz")  # All Fives comes first by its key
    udl = plain(client.get("/leagues/harbour/ratings/?ruleset=udl"))
    assert udl.index("Ana Ruiz") < udl.index("Bo Chen")
    assert client.get("/leagues/harbour/ratings/?ruleset=chess").status_code == 404
    assert "No ratings yet" in plain(client.get("/leagues/harbour/ratings/?ruleset=muggins"))


def test_a_minor_has_initials_and_an_erased_name_is_a_code(world, cup, client):
    played(world, cup, 0, 1)
    Player.objects.filter(pk=world.bo.player_id).update(born=timezone.now().year - 10)
    erase(world.ana.player)
    paths = ("", "csv/", f"udl/players/{world.bo.player.code}/", f"udl/players/{world.ana.player.code}/")
    for path in paths:
        text = client.get(f"/leagues/harbour/ratings/{path}").content.decode()
        assert "Chen" not in text
        assert "Ruiz" not in text
        assert "B. C." in text
        assert world.ana.player.code in text


# --- One player ---


def test_each_period_says_who_was_met_with_what_chance(world, cup):
    """Won in one week, and lost in the fourth after it: three without a game."""
    played(world, cup, 6)
    played(world, cup, 2, winner=2)
    code = world.ana.player.code
    history = rating_pages.rating_history(NOBODY, world.league, "udl", code, timezone.now())
    last, first = rating_pages.explained(history, history.rows[::-1])
    won, lost = after(NEW, [(NEW, 1)]), after(NEW, [(NEW, 0)])
    ana, bo = idle(won, 3), idle(lost, 3)
    assert (first.before, first.after, first.pause) == (NEW, won, 0)
    assert (last.before, last.after, last.pause) == (ana, after(ana, [(bo, 0)]), 3)
    (game,) = last.games
    assert (game.opponent, game.strength, game.points) == (world.bo.player, bo, 0)
    assert game.expected == expected(ana, bo)
    assert (last.points, last.expected) == (0, game.expected)
    assert (first.first, first.last) == (weeks_ago(6).date(), weeks_ago(6).date() + timedelta(days=6))


def test_the_page_of_a_player_has_the_curve_the_table_and_the_games(world, cup, client):
    played(world, cup, 6)
    played(world, cup, 2, winner=2)
    answer = client.get(f"/leagues/harbour/ratings/udl/players/{world.ana.player.code.lower()}/")
    page = plain(answer)
    ana, bo = (Rating.objects.get(player=one.player, latest=True) for one in (world.ana, world.bo))
    assert f"Bo Chen {round(bo.rating_before)} ± {round(2 * bo.deviation_before)}" in page
    before = f"{round(ana.rating_before)} ± {round(2 * ana.deviation_before)}"
    assert f"{before} {round(ana.rating)} ± {round(2 * ana.deviation)}" in page
    assert "After 3 periods without a game." in page
    assert b'class="band"' in answer.content
    assert client.get("/leagues/harbour/ratings/udl/players/AAAAAAAA/").status_code == 404
    assert client.get(f"/leagues/harbour/ratings/muggins/players/{world.ana.player.code}/").status_code == 404
    assert client.get(f"/leagues/hills/ratings/udl/players/{world.ana.player.code}/").status_code == 404


def test_the_profile_tells_the_rating_and_leads_to_its_page(world, cup, client):
    played(world, cup, 0)
    answer = client.get(f"/players/{world.ana.player.code}/")
    assert f"/leagues/harbour/ratings/udl/players/{world.ana.player.code}/" in answer.content.decode()
    assert "rank 1, 1 game" in plain(answer)


def test_the_curve_is_in_proportion_to_time_and_the_band_to_the_deviation():
    days = [date(2026, 1, 5), date(2026, 1, 12), date(2026, 2, 2)]
    points = [rating.RatingPoint(day, 1500 + 100 * place, 50) for place, day in enumerate(days)]
    chart = rating.rating_chart(points)
    places = [tuple(map(float, place.split())) for place in chart.path[1:].split("L")]
    assert places[0][0] == chart.left
    assert places[2][0] == chart.right
    assert (places[1][0] - places[0][0]) * 3 == pytest.approx(places[2][0] - places[1][0], abs=0.5)
    outline = [tuple(map(float, place.split())) for place in chart.band[1:-1].split("L")]
    assert [x for x, _y in outline] == [x for x, _y in [*places, *places[::-1]]]
    a_point = (places[0][1] - places[2][1]) / 200
    assert places[0][1] - outline[0][1] == pytest.approx(100 * a_point, abs=0.2)
    assert outline[-1][1] - places[0][1] == pytest.approx(100 * a_point, abs=0.2)
    assert [tick.label for tick in chart.ticks] == ["1400", "1500", "1600", "1700", "1800"]
    assert len(chart.marks) == 3


def test_one_period_makes_no_curve():
    assert rating.rating_chart([]) is None
    assert rating.rating_chart([rating.RatingPoint(date(2026, 1, 5), 1500, 350)]) is None


def test_many_periods_have_no_marks_that_touch():
    points = [rating.RatingPoint(date(2020, 1, 6) + timedelta(weeks=week), 1500 + week, 60) for week in range(300)]
    chart = rating.rating_chart(points)
    assert chart.marks == []
    assert chart.path.count("L") == 299
    assert len(chart.ticks) <= rating.MOST_TICKS + 1


# --- For a spreadsheet ---


def test_the_csv_has_everybody_with_the_numbers(world, cup, client):
    played(world, cup, 0)
    answer = client.get("/leagues/harbour/ratings/csv/?ruleset=udl")
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="ratings-harbour-udl.csv"'
    head, *rows = csv.reader(StringIO(answer.content.decode()))
    won = after(NEW, [(NEW, 1)])
    assert head == ["rank", "code", "name", "rating", "deviation", "low", "high", "games", "change", "period_from"]
    numbers = [won.rating, won.deviation, won.rating - 2 * won.deviation, won.rating + 2 * won.deviation]
    told = [str(round(number, 2)) for number in numbers]
    change, since = str(round(won.rating - 1500, 2)), str(weeks_ago(0).date())
    assert rows[0] == ["1", world.ana.player.code, "Ana Ruiz", *told, "1", change, since]
    assert [row[2] for row in rows] == ["Ana Ruiz", "Bo Chen"]


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "\t", "\r", "＝", "＠"])
def test_no_name_is_a_formula(sign):
    assert cell(f"{sign}1+1") == f"'{sign}1+1"


def test_a_hostile_name_is_defused_in_the_csv(world, cup, client):
    played(world, cup, 0)
    Player.objects.filter(pk=world.ana.player_id).update(name='=HYPERLINK("http://evil")')
    rows = list(csv.reader(StringIO(client.get("/leagues/harbour/ratings/csv/").content.decode())))
    assert rows[1][2] == '\'=HYPERLINK("http://evil")'


# --- Settings ---


@pytest.fixture
def manager(world, browse):
    user = small.account("max")
    Role.objects.create(user=user, league=world.league, kind=Role.Kind.MANAGER)
    return browse(user)


def test_a_manager_decides_what_a_list_is_computed_with(world, cup, manager):
    played(world, cup, 0)
    sent = {"period_days": 30, "start_rating": 1200, "start_deviation": 300, "start_volatility": 0.05, "tau": 0.4}
    answer = manager.post("/leagues/harbour/ratings/udl/settings/", sent)
    assert (answer.status_code, answer["Location"]) == (302, "/leagues/harbour/ratings/?ruleset=udl")
    one = RatingList.objects.get()
    assert {name: getattr(one, name) for name in sent} == sent
    assert Rating.objects.get(player=world.ana.player).rating_before == 1200
    shown = manager.get("/leagues/harbour/ratings/udl/settings/").content.decode()
    assert 'value="1200.0"' in shown
    assert manager.get("/leagues/harbour/ratings/chess/settings/").status_code == 404


@pytest.mark.parametrize(
    "changed", [{"tau": 0}, {"tau": "nan"}, {"tau": "inf"}, {"period_days": 400}, {"start_rating": ""}]
)
def test_what_cannot_be_computed_with_is_refused_on_the_form(world, cup, manager, changed):
    sent = {"period_days": 30, "start_rating": 1200, "start_deviation": 300, "start_volatility": 0.05, "tau": 0.4}
    answer = manager.post("/leagues/harbour/ratings/udl/settings/", sent | changed)
    assert answer.status_code == 422
    assert f'id="id_{next(iter(changed))}_error"' in answer.content.decode()
    assert not RatingList.objects.exists()


def test_a_competition_is_counted_and_not_counted_by_a_button(world, cup, manager):
    played(world, cup, 0)
    path = f"/organize/harbour/competitions/{cup.slug}/"
    assert "Counts for the ratings" in plain(manager.get(path))
    assert manager.post(f"{path}rated/", {"rated": "0"})["Location"] == path
    assert not Rating.objects.exists()
    assert "Does not count for the ratings" in plain(manager.get(path))
    manager.post(f"{path}rated/", {"rated": "1"})
    assert Rating.objects.count() == 2
