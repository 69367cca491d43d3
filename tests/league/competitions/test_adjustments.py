"""Bonuses and deductions: counted and told wherever a table is, removable, and with a history."""

import json

import pytest
from django.test import Client

from league.competitions.adjustments import give_adjustment, history_of, remove_adjustment
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw, draw_next
from league.competitions.draw.undo import undo
from league.competitions.honours import settle_missed
from league.competitions.import_export.exporting import EVERYBODY, competition_file, competition_files
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.reading import read
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Adjustment, Competition, Honour, Registration
from league.competitions.seasons.tables import division_tables, kept_division_table
from league.competitions.snapshots import undoable
from league.errors import NotAllowed, Refused
from league.players.erasing import erase
from tests.league.competitions.cup import drafted, published
from tests.league.competitions.queries.test_final_places import play
from tests.league.competitions.season_world import play_season, published_season

pytestmark = pytest.mark.django_db

ORDER = ["match_points", "direct_encounter", "difference"]


def robin(world, count=3, **plan):
    return published(world, count, **{"format": "round_robin", "tie_breaks": ORDER} | plan)


def give(world, competition, entrant=None, points=-3, reason="came late"):
    return give_adjustment(competition, entrant or world.ana, points=points, reason=reason, user=world.owner)


def points(competition):
    rows = Client().get(f"/api/v1/competitions/harbour/{competition.slug}/standings").json()["rows"]
    return {row["player"]["name"]: (row["rank"], row["match_points"], row["bonus"]) for row in rows}


def table_page():
    """The standings without the stamp, which has the time."""
    return Client().get("/competitions/harbour/cup/standings/").content.decode().split("<main")[1].split("stamp")[0]


def test_a_deduction_counts_and_is_told_on_every_page_in_text_files_and_the_api(world):
    competition = robin(world)
    play(world, competition)
    before = table_page()
    assert points(competition) == {"Ana Ruiz": (1, 4, 0), "Bo Chen": (2, 2, 0), "P3": (3, 0, 0)}
    made = give(world, competition)
    assert points(competition) == {"Bo Chen": (1, 2, 0), "Ana Ruiz": (2, 1, -3), "P3": (3, 0, 0)}
    told = Client().get("/api/v1/competitions/harbour/cup/standings?terms=all").json()
    assert [(one["player"]["name"], one["points"], one["reason"]) for one in told["adjustments"]] == [
        ("Ana Ruiz", -3, "came late")
    ]
    assert told["rows"][1]["figures"][0]["terms"][-1] | {"own": None, "theirs": None} == {
        "round": 0,
        "opponent": None,
        "others": [],
        "place": None,
        "adds": "-3",
        "theirs": None,
        "own": None,
        "counted": True,
        "notes": ["bonus"],
    }
    page = Client().get("/competitions/harbour/cup/standings/").content.decode()
    assert '<small class="apart">−3 match points</small>' in page
    assert "<bdi>Ana Ruiz</bdi>: −3 match points, <bdi>came late</bdi>" in page
    row = Client().get(f"/competitions/harbour/cup/standings/{world.ana.player.code}/").content.decode()
    assert "2 + 2 − 3 = 1" in row
    text = Client().get("/competitions/harbour/cup/text/").content.decode()
    assert "2. Ana Ruiz: P 2 · " in text
    assert "\n\nAna Ruiz: −3 match points, came late" in text
    files = competition_files(EVERYBODY, "harbour", "cup")
    assert b'"Ana Ruiz",-3,"came late"' in files["adjustments.csv"]
    rows = files["standings.csv"].decode("utf-8-sig")
    assert '"official",0,2,"Ana Ruiz"' in rows
    assert remove_adjustment(made, user=world.owner)
    assert table_page() == before
    assert "adjustments.csv" not in competition_files(EVERYBODY, "harbour", "cup")


def test_it_is_removed_once_and_the_history_keeps_who_gave_it(world):
    competition = robin(world)
    made = give(world, competition, points=2, reason="  fair\nplay ")
    give(world, competition, points=-1)
    assert Registration.objects.get(competition=competition, entrant=world.ana).bonus == 1
    assert remove_adjustment(made, user=world.owner) is True
    assert remove_adjustment(made, user=world.owner) is False
    assert [(one.points, one.reason, str(one.made_by), str(one.undone_by)) for one in history_of(competition)] == [
        (-1, "came late", "owner", "None"),
        (2, "fair play", "owner", "owner"),
    ]
    assert Registration.objects.get(competition=competition, entrant=world.ana).bonus == -1


def test_the_check_of_all_rows_names_a_bonus_that_no_adjustment_gives(world):
    competition = robin(world)
    give(world, competition)
    assert draw_differences(competition) == []
    Registration.objects.filter(entrant=world.bo, competition=competition).update(bonus=5)
    [one] = draw_differences(competition)
    assert (one.what, one.says, one.should) == ("bonus", 5, 0)


def test_a_finished_table_and_its_title_follow(world):
    competition = robin(world)
    play(world, competition)
    settle_missed()
    assert Honour.objects.get(competition=competition, place=1).entrant == world.ana
    give(world, competition)
    settle_missed()
    assert Honour.objects.get(competition=competition, place=1).entrant == world.bo


def test_a_division_counts_it_too(world):
    season = published_season(world)
    play_season(world, season)
    division = season.divisions.select_related("competition").prefetch_related("competition__stages").get(level=1)
    Competition.objects.filter(pk=division.competition_id).update(tie_breaks=ORDER)
    division.competition.refresh_from_db()
    first = division_tables([division])[0].rows[0]
    kept_division_table(division)
    entrant = Registration.objects.get(competition=division.competition, entrant=first.entrant_id).entrant
    give_adjustment(division.competition, entrant, points=-50, reason="left early", user=world.owner)
    [table] = division_tables([division])
    assert table.rows[-1].entrant_id == kept_division_table(division).rows[-1].entrant_id == first.entrant_id
    assert table.rows[-1].match_points == first.match_points - 50


def test_a_file_carries_it_to_another_league(world):
    competition = robin(world)
    play(world, competition)
    give(world, competition)
    value = json.loads(json.dumps(competition_file(world.owner, "harbour", "cup")))
    [told] = [one["adjustments"] for one in value["entrants"] if "adjustments" in one]
    assert [(one["points"], one["reason"]) for one in told] == [(-3, "came late")]
    filed = read(value | {"key": "another-key"}).filed
    made = import_competition(world.elsewhere, filed, user=world.charlie).competition
    assert Adjustment.objects.filter(registration__competition=made).values_list("points", "reason").get() == (
        -3,
        "came late",
    )
    assert draw_differences(made) == []
    broken = value["entrants"][0] | {"adjustments": [{"points": 0, "reason": "x"}]}
    [mistake] = read(value | {"entrants": [broken, *value["entrants"][1:]]}).mistakes
    assert (mistake.place, mistake.code) == ("entrants[1].adjustments[1].points", "bad-number")


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("bad-points", {"points": 0}),
        ("bad-points", {"points": 101}),
        ("no-reason", {"reason": " "}),
        ("long-reason", {"reason": "x" * 201}),
    ],
)
def test_what_is_refused(world, code, changes):
    with pytest.raises(Refused) as refused:
        give(world, robin(world), **changes)
    assert refused.value.code == code
    assert not Adjustment.objects.exists()


@pytest.mark.parametrize(
    ("code", "make"),
    [
        ("not-published", lambda world: drafted(world, 3, format="round_robin", tie_breaks=ORDER)),
        ("no-match-points", lambda world: published(world, 3, format="round_robin", tie_breaks=["wins"])),
        ("no-match-points", lambda world: published(world, 4)),
        ("no-match-points", lambda world: published(world, 4, format="ladder", challenge_reach=2)),
    ],
)
def test_where_it_is_refused(world, code, make):
    with pytest.raises(Refused) as refused:
        give(world, make(world))
    assert refused.value.code == code


def test_the_points_of_a_table_from_which_the_next_stage_is_drawn_stay(world):
    plan = {"format": "groups", "groups": 2, "then": "single_elimination", "advance_each": 1, "tie_breaks": ORDER}
    competition = published(world, 6, **plan)
    made = give(world, competition)
    play(world, competition)
    draw_next(competition, user=world.owner)
    for act in (lambda: give(world, competition), lambda: remove_adjustment(made, user=world.owner)):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.code == "next-stage-drawn"


def test_a_reopened_draft_that_is_drawn_again_and_undone_keeps_them(world):
    competition = robin(world)
    give(world, competition)
    reopen(competition, user=world.owner)
    draw(competition, user=world.owner)
    newest = undoable(competition).first().pk
    undo(competition, newest, newest=newest, user=world.owner)
    assert Registration.objects.get(competition=competition, entrant=world.ana).bonus == -3
    assert draw_differences(competition) == []
    assert history_of(competition).count() == 1


def test_managers_alone_give_and_remove(world):
    competition = robin(world)
    made = give(world, competition)
    for act in (
        lambda: give_adjustment(competition, world.bo, points=1, reason="x", user=world.referee),
        lambda: remove_adjustment(made, user=world.referee),
    ):
        with pytest.raises(NotAllowed):
            act()


def test_the_reason_goes_with_an_erased_name(world):
    made = give(world, robin(world))
    erase(world.ana.player)
    made.refresh_from_db()
    assert (made.reason, made.points) == ("–", -3)
