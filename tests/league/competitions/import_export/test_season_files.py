"""Out and in: a season goes into files and comes back as the same."""

import csv
import io
import json
import zipfile
from copy import deepcopy

import pytest

from league.accounts.models import Role
from league.competitions.import_export.exporting import EVERYBODY, to_json
from league.competitions.import_export.reading import differences
from league.competitions.import_export.season_exporting import NAMES, season_file, season_files
from league.competitions.import_export.season_importing import (
    confirm_season_import,
    import_season,
    preview_season_import,
)
from league.competitions.import_export.season_reading import read_season
from league.competitions.models import Competition, PlayOff, Registration, Season
from league.competitions.seasons.next_season import make_play_offs
from league.competitions.seasons.queries import season_page
from league.competitions.seasons.services import draw_season, publish_season
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Record, Result
from league.players.models import Player
from tests.league.competitions.import_export.test_transfer import give
from tests.league.competitions.season_world import (
    LAST,
    MIDDLE,
    TOP,
    founded,
    play_out,
    play_season,
    published_season,
)

pytestmark = pytest.mark.django_db
PLACES = ((0, 1, 0), (1, 1, 1), (1, 0, 0))
COUNTED = (Season, Competition, Player, Match, Record, Registration, PlayOff)


def played(world, **changes) -> Season:
    """With its play-offs."""
    season = published_season(world, **{"places": PLACES} | changes)
    play_season(world, season)
    for one in make_play_offs(season, user=world.owner):
        play_out(world, one.competition)
    return season


def exported(world, season, user=None, league="harbour"):
    return json.loads(to_json(season_file(user or world.owner, league, season.slug)))


def bring(world, value, by=None):
    read = read_season(value)
    assert read.mistakes == ()
    return import_season(world.elsewhere, read.filed, user=by or world.charlie, value=value)


def wrong(value) -> list[tuple[str, str]]:
    return [(one.place, one.code) for one in read_season(value).mistakes]


def counts() -> list[int]:
    return [model.objects.count() for model in COUNTED]


def test_a_season_comes_back_from_its_file_as_it_went(world):
    value = exported(world, played(world))
    assert [len(value[name]) for name in ("divisions", "dates", "play_offs", "ends")] == [3, 3, 1, 12]
    done = bring(world, value)
    assert done.created
    again = exported(world, done.season, world.charlie, "hills")
    assert differences(value, again) == []
    results = Result.objects.filter(game__match__league=world.elsewhere)
    assert {(one.known_by, one.state) for one in results} == {("score", "provisional")}
    second = give(world.elsewhere)
    with pytest.raises(NotAllowed):
        confirm_season_import(done.season, user=world.charlie)
    assert confirm_season_import(done.season, user=second) == 19
    assert confirm_season_import(done.season, user=second) == 0
    publish_season(done.season, user=world.charlie)
    official = exported(world, done.season, world.charlie, "hills")
    assert official["ends"] == value["ends"]
    assert [one["competition"]["standings"] for one in official["divisions"]] == [
        one["competition"]["standings"] for one in value["divisions"]
    ]


def test_a_draft_comes_back_with_its_places_and_dates_and_without_a_draw(world):
    season = founded(world, places=PLACES)
    value = exported(world, season)
    done = bring(world, value)
    assert differences(value, exported(world, done.season, world.charlie, "hills")) == []
    assert list(done.season.divisions.values_list("promote", "relegate", "play_off")) == list(PLACES)
    assert draw_season(done.season, user=world.charlie) == 3


def test_the_same_file_again_changes_nothing(world):
    value = exported(world, played(world))
    first = bring(world, value)
    before = counts()
    seen = preview_season_import(world.elsewhere, read_season(value).filed, user=world.charlie, value=value)
    assert (seen.known, seen.differs, seen.may_store) == (first.season, (), False)
    again = bring(world, value)
    assert (again.created, again.season, counts()) == (False, first.season, before)


def test_into_the_league_that_it_comes_from_it_is_known(world):
    season = played(world)
    value = exported(world, season)
    before = counts()
    done = import_season(world.league, read_season(value).filed, user=world.owner, value=value)
    assert (done.created, done.season, counts()) == (False, season, before)


def test_a_file_that_says_something_else_than_before_is_refused_with_its_places(world):
    value = exported(world, published_season(world))
    bring(world, value)
    value["divisions"][1]["promote"] = 2
    value["divisions"][0]["competition"]["entrants"][2]["name"] = "Somebody Else"
    with pytest.raises(Refused) as refused:
        bring(world, value)
    assert refused.value.code == "import-differs"
    assert refused.value.facts["places"] == "divisions[1].competition.entrants[3].name, divisions[2].promote"


def test_a_preview_stores_nothing_and_says_what_it_comes_to(world):
    value = exported(world, played(world))
    before = counts()
    seen = preview_season_import(world.elsewhere, read_season(value).filed, user=world.charlie, value=value)
    assert (seen.may_store, seen.mistakes, counts()) == (True, (), before)
    assert seen.counts == {"divisions": 3, "matches": 19, "games": 19, "new": 12, "known": 0}


def test_mistakes_are_named_by_their_places_in_the_whole_file(world):
    good = exported(world, published_season(world))

    def spoiled(act):
        value = deepcopy(good)
        act(value)
        return wrong(value)

    assert wrong([]) == wrong({"format": "domino-league-competition"}) == [("format", "no-season")]
    assert spoiled(lambda v: v.update(edition=9)) == [("edition", "other-edition")]
    assert spoiled(lambda v: v.update(divisions=[])) == [("divisions", "no-divisions")]
    assert spoiled(lambda v: v["season"].update(starts_on="soon")) == [
        ("season.starts_on", "bad-day"), ("season.starts_on", "bad-day"),
    ]  # fmt: skip
    assert spoiled(lambda v: v["dates"][1].update(starts_at="x")) == [("dates[2].starts_at", "bad-hour")]
    assert spoiled(lambda v: v["divisions"][2].update(level=7)) == [("divisions[3].level", "bad-level")]
    assert spoiled(lambda v: v["divisions"][1].update(promote=-1)) == [("divisions[2].promote", "bad-number")]
    inside = spoiled(lambda v: v["divisions"][1]["competition"]["entrants"][0].update(key=7))
    assert inside[0] == ("divisions[2].competition.entrants[1].key", "bad-value")
    assert spoiled(lambda v: v["divisions"].append(v["divisions"][0] | {"level": 4})) == [
        ("divisions[4].competition.key", "key-twice")
    ]


def test_what_is_sound_in_itself_and_cannot_be_a_season_is_said_before_it_is_stored(world):
    good = exported(world, published_season(world))

    def seen(act):
        value = deepcopy(good)
        act(value)
        read = read_season(value)
        assert read.mistakes == ()
        found = preview_season_import(world.elsewhere, read.filed, user=world.charlie, value=value)
        return [(one.place, one.code) for one in found.mistakes]

    assert seen(lambda v: v["divisions"][0].update(promote=1)) == [("divisions", "bad-places")]
    assert seen(lambda v: v["divisions"][1].update(name="division 1")) == [("divisions", "bad-divisions")]
    assert seen(lambda v: v["season"].update(ends_on="2020-01-01")) == [("season.ends_on", "bad-day")]
    assert seen(lambda v: v["season"].update(name=" ")) == [("season.name", "bad-name")]
    assert seen(lambda v: v["dates"].reverse()) == [("dates", "bad-dates")]
    knock_out = {"format": "single_elimination"}
    assert seen(lambda v: v["divisions"][0]["competition"]["stages"][0].update(knock_out)) == [
        ("divisions[1].competition.stages", "no-division")
    ]
    founded_there = Season.objects.create(league=world.elsewhere, name="winter 2027", slug="w", starts_on="2027-01-05")
    assert seen(lambda v: None) == [("season.name", "season-name-taken")]
    founded_there.delete()
    assert Season.objects.count() == 1


def test_somebody_in_two_divisions_stores_nothing(world):
    value = exported(world, founded(world))
    value["divisions"][1]["competition"]["entrants"][0]["name"] = "Ana Ruiz"
    before = counts()
    with pytest.raises(Refused) as refused:
        bring(world, value)
    assert (refused.value.code, counts()) == ("in-two-divisions", before)


def test_only_managers_import(world):
    value = exported(world, founded(world))
    helper = give(world.elsewhere, Role.Kind.REFEREE, "other")
    for user in (world.owner, helper):
        with pytest.raises(NotAllowed):
            import_season(world.elsewhere, read_season(value).filed, user=user)


def test_everybody_gets_what_everybody_sees(world):
    season = founded(world)
    with pytest.raises(Season.DoesNotExist):
        season_file(EVERYBODY, "harbour", season.slug)
    draw_season(season, user=world.owner)
    publish_season(season, user=world.owner)
    Player.objects.filter(name="Eva Fox").update(born=2015)
    value = season_file(EVERYBODY, "harbour", season.slug)
    text = to_json(value).decode() + "".join(
        make().decode("utf-8-sig") for name, make in season_files(value).items() if name.endswith("csv")
    )
    assert ("Eva Fox" in text, "E. F." in text, "payments" in text) == (False, True, False)


def rows_of(files, name):
    return list(csv.DictReader(io.StringIO(files[name]().decode("utf-8-sig"))))


def test_the_tables_say_the_same_and_no_cell_is_a_formula(world):
    season = played(world)
    season.divisions.filter(level=2).update(name="=1+1")
    Player.objects.filter(name="Eva Fox").update(name="@SUM(A1)")
    value = season_file(world.owner, "harbour", season.slug)
    files = season_files(value)
    assert tuple(files) == NAMES
    assert sorted(zipfile.ZipFile(io.BytesIO(files["all.zip"]())).namelist()) == sorted(NAMES[1:])
    for name in NAMES[2:]:
        assert not [cell for row in rows_of(files, name) for cell in row.values() if cell[:1] in "=@" and cell]
    assert [(one["level"], one["name"], one["entrants"]) for one in rows_of(files, "divisions.csv")] == [
        ("1", "Division 1", "4"), ("2", "'=1+1", "4"), ("3", "Division 3", "4"),
    ]  # fmt: skip
    games = rows_of(files, "games.csv")
    assert [sum(row["division"] == name for row in games) for name in ("Division 1", "'=1+1")] == [6, 6]
    assert [(row["for"], row["player_a"]) for row in rows_of(files, "play-offs.csv")] == [("Division 1", "Cy Diaz")]
    ends = {row["name"]: (row["from_level"], row["to_level"], row["why"]) for row in rows_of(files, "promotions.csv")}
    assert ends["Di Eze"] == ("1", "2", "relegated")
    assert ends["'@SUM(A1)"] == ("2", "1", "promoted")
    assert {len(ends), len(TOP + MIDDLE + LAST)} == {12}


def test_what_a_published_import_links_to_can_be_seen(world):
    value = exported(world, played(world))
    season = bring(world, value).season
    publish_season(season, user=world.charlie)
    assert not PlayOff.objects.filter(upper__season=season, competition__published_at=None).exists()
    assert len(exported(world, season, EVERYBODY, "hills")["play_offs"]) == 1


def test_a_play_off_that_is_still_a_draft_is_in_nobodys_file(world):
    season = played(world)
    Competition.objects.filter(play_off__upper__season=season).update(published_at=None)
    assert exported(world, season, EVERYBODY)["play_offs"] == []
    assert season_page(EVERYBODY, "harbour", season.slug).play_offs == []
    assert len(exported(world, season)["play_offs"]) == 1
