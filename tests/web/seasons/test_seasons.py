"""The pages of a season, from the empty form to the season that follows."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.competitions import jobs
from league.competitions.adjustments import give_adjustment
from league.competitions.models import Competition, DrawJob, Season
from league.competitions.seasons.next_season import carry_over
from league.competitions.seasons.services import draw_season
from league.matches.models import Match
from league.web.organize import season as organize_seasons
from tests.league.competitions.amended import amend
from tests.league.competitions.cup import enter_result
from tests.league.competitions.season_world import (
    FIRST,
    LAST,
    MIDDLE,
    TOP,
    founded,
    play_out,
    play_season,
    published_season,
    who,
)
from tests.league.competitions.seasons.test_next_season import NEXT, PLAY_OFFS, circle
from tests.league.competitions.seasons.test_season_amending import match_of, winner_is
from tests.league.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def organizer(client, world):
    client.force_login(world.owner)
    return client


def words(answer) -> str:
    """What a reader reads, in one line."""
    text = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", answer.content.decode(), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def page(season):
    return reverse("organize:season", args=[season.league.slug, season.slug])


def public(season):
    return reverse("seasons:detail", args=[season.league.slug, season.slug])


NEW = "/organize/harbour/new-season/"
FORM = {
    "name": "Winter 2027",
    "starts_on": "2027-01-05",
    "ruleset": "udl",
    "format": "round_robin",
    "best_of": "1",
    "play_off_best_of": "3",
    "tie_break_1": "wins",
    "tie_break_2": "difference",
    "first_at": "2027-01-05T19:00",
    "every": "7",
    "divisions": "2",
    "d0-name": "Top",
    "d0-names": "\n".join(TOP),
    "d0-relegate": "1",
    "d1-name": "Second",
    "d1-names": "\n".join(MIDDLE),
    "d1-promote": "1",
    "d1-play_off": "1",
    "d1-own_best_of": "3",
    "do": "create",
}


# --- Founding ---


def test_a_season_is_made_in_one_form(organizer, world):
    answer = organizer.post(NEW, FORM)
    season = Season.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, page(season))
    assert [(one.name, who(one), one.competition.best_of) for one in season.divisions.all()] == [
        ("Top", TOP, 1),
        ("Second", MIDDLE, 3),
    ]
    assert [(one.promote, one.relegate, one.play_off) for one in season.divisions.all()] == [(0, 1, 0), (1, 0, 1)]
    assert (season.play_off_best_of, season.dates.count(), season.dates.first().starts_at) == (3, 3, FIRST)
    # Sent twice it is made once, and says so beside the name.
    again = organizer.post(NEW, FORM)
    assert (again.status_code, Season.objects.count()) == (422, 1)
    assert "Harbour has a season “Winter 2027” already." in words(again)


def test_the_preview_tells_what_it_comes_to_and_stores_nothing(organizer, world):
    answer = organizer.post(NEW, {**FORM, "do": "preview"})
    assert answer.status_code == 200
    assert "Top : 4 players Second : 4 players 3 rounds: 5 January 2027, 19:00 – 19 January 2027, 19:00" in words(
        answer
    )
    assert not Season.objects.exists()
    assert not Competition.objects.exists()


def test_another_division_keeps_everything_that_was_typed_without_a_word_of_blame(organizer, world):
    answer = organizer.post(NEW, {**FORM, "name": "", "do": "more"})
    text = answer.content.decode()
    assert (answer.status_code, text.count('class="field part division"'), text.count('class="error"')) == (200, 3, 0)
    assert "Eva Fox" in text
    assert 'value="Second"' in text
    fewer = organizer.post(NEW, {**FORM, "divisions": "1", "do": "fewer"}).content.decode()
    assert fewer.count('class="field part division"') == 1


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"name": ""}, "This field is required."),
        ({"d1-names": "Leo Mar\nLeo Mar"}, "these lines need a decision: 2."),
        ({"d1-names": "Ana Ruiz\nLeo Mar"}, "Ana Ruiz is named in Top and in Second."),
        ({"d0-name": ""}, "This field is required."),
        ({"d1-name": "top"}, "Each division has a name of its own."),
        ({"holidays": "2027-13-01"}, "Line 1 is not a date: “2027-13-01”."),
        ({"first_at": "", "dates": "2027-01-05 19:00\nsoon"}, "Line 2 is not a date and time: “soon”."),
        ({"first_at": "", "dates": "2027-01-05"}, "Line 1 is not a date and time: “2027-01-05”."),
        ({"first_at": "", "dates": "2027-01-05 19:00"}, "Top has 3 rounds, and there are dates for 1."),
        ({"dates": "2027-01-05 19:00"}, "not both"),
        ({"tie_break_2": "wins"}, "This is in the order twice."),
        ({"every": "0"}, "greater than or equal to 1"),
        ({"d1-promote": "65"}, "less than or equal to 64"),
        ({"ends_on": "2026-01-01"}, "A season ends after it has begun."),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_typed_is_lost(organizer, world, changes, told):
    answer = organizer.post(NEW, {**FORM, **changes})
    assert answer.status_code == 422
    assert told in words(answer)
    assert "Gus Hay" in answer.content.decode() or "d1-names" in changes
    assert not Season.objects.exists()


def test_dates_are_pasted_one_a_line_and_keep_the_hour_of_the_line_before(organizer, world):
    dates = "2027-01-05 19:30\n2027-01-19\n2027-02-02 20:00"
    organizer.post(NEW, {**FORM, "first_at": "", "dates": dates})
    season = Season.objects.get()
    assert [f"{one.starts_at:%d.%m. %H:%M}" for one in season.dates.all()] == [
        "05.01. 19:30",
        "19.01. 19:30",
        "02.02. 20:00",
    ]


def test_a_name_worth_a_second_look_is_shown_before_anybody_is_made(organizer, world):
    form = {**FORM, "d1-names": "Ána Ruiz\nEva Fox"}
    answer = organizer.post(NEW, form)
    assert (answer.status_code, Season.objects.count()) == (200, 0)
    assert "Names to look at" in words(answer)
    assert "Ána Ruiz . New player. Or is it Ana Ruiz" in words(answer)
    organizer.post(NEW, {**form, "seen": answer.context["seen"]})
    assert Season.objects.count() == 1


# --- Running ---


def test_a_draft_is_drawn_and_published_on_its_page(organizer, world):
    season = founded(world)
    assert "Players done : 12 players Dates done : 3 rounds Draw now : Not drawn: Division 1, Division 2" in words(
        organizer.get(page(season))
    )
    assert organizer.get(public(season)).status_code == 200
    drawn = organizer.post(page(season), {"do": "draw"}, follow=True)
    assert "3 divisions are drawn." in words(drawn)
    organizer.post(page(season), {"do": "publish"})
    season.refresh_from_db()
    assert season.published_at is not None
    assert "Play now : 0 of 18 matches confirmed" in words(organizer.get(page(season)))


def test_a_large_season_is_drawn_in_the_background_with_its_progress_on_the_page(organizer, world, monkeypatch):
    season = founded(world)
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    asked = organizer.post(page(season), {"do": "draw"}, follow=True)
    assert asked.redirect_chain[-1][0].endswith("#drawing")
    assert "The draw is being made" in words(asked)
    assert b'http-equiv="refresh"' in asked.content
    assert (b"<progress" in asked.content, b'value="publish"' in asked.content) == (True, False)
    jobs.carry_out(DrawJob.objects.get().pk)
    done = organizer.get(page(season))
    assert b"<progress" not in done.content
    assert "Every division is drawn" in words(done)


def test_why_a_draw_in_the_background_was_refused_is_said_on_the_page(organizer, world, monkeypatch):
    season = founded(world, names=(TOP, MIDDLE, ["Ida Jay"]), places=((0, 1, 0), (1, 0, 0), (0, 0, 0)))
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    organizer.post(page(season), {"do": "draw"})
    jobs.carry_out(DrawJob.objects.get().pk)
    assert "Division 3: This draw takes 2 entrants or more, and there are 1." in words(organizer.get(page(season)))
    at_once = monkeypatch.undo() or organizer.post(page(season), {"do": "draw"})
    assert (at_once.status_code, "Division 3: This draw takes 2" in words(at_once)) == (422, True)


def test_name_and_days_are_changed_on_the_page_of_a_published_season(organizer, world):
    season = published_season(world)
    days = {"starts_on": "2027-01-05", "ends_on": "2027-06-01"}
    done = organizer.post(page(season), {"do": "settings", "name": "Spring 2027", **days}, follow=True)
    assert "Name and days are changed." in words(done)
    season.refresh_from_db()
    assert (season.name, str(season.ends_on)) == ("Spring 2027", "2027-06-01")
    wrong = organizer.post(page(season), {"do": "settings", "name": "", **days})
    assert (wrong.status_code, "Name of the season: This field is required." in words(wrong)) == (422, True)
    early = organizer.post(page(season), {"do": "settings", "name": "X", **days, "ends_on": "2026-01-01"})
    assert (early.status_code, "A season ends after it has begun." in words(early)) == (422, True)


def test_both_pages_of_a_season_are_in_parts_and_ask_as_often_for_any_size(
    organizer, world, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(organize_seasons, "DIVISIONS_A_PAGE", 2)
    monkeypatch.setattr(organize_seasons, "PLAYERS_A_PAGE", 3)
    monkeypatch.setattr(organize_seasons, "DAYS_A_PAGE", 2)
    one = founded(world, name="One", names=[["A A", "B B"]], places=[(0, 0, 0)])
    draw_season(one, user=world.owner)
    season = founded(world)
    draw_season(season, user=world.owner)
    for path in (page, public):
        # The tables of their divisions are in the cache from then on.
        organizer.get(path(one))
        organizer.get(path(season))
        with CaptureQueriesContext(connection) as asked:
            organizer.get(path(one))
        with django_assert_num_queries(len(asked)):
            organizer.get(path(season))
    first = organizer.get(page(season))
    assert [one.division.level for one in first.context["divisions"]] == [1, 2]
    assert [len(first.context[name]) for name in ("players", "days")] == [3, 2]
    assert 'href="?page=2#divisions"' in first.content.decode()
    second = organizer.get(page(season), {"page": 2, "division": 3, "players": 2, "days": 2})
    assert [one.division.level for one in second.context["divisions"]] == [3]
    assert [str(row.entrant) for row in second.context["players"]] == ["Leo Mar"]
    assert [day.number for day in second.context["days"]] == [3]
    organizer.post(page(season) + "?page=2", {"do": "places", "levels": ["3"], "p3-promote": "2"})
    assert list(season.divisions.values_list("promote", "relegate")) == [(0, 1), (1, 1), (2, 0)]
    organizer.post(page(season), {"do": "places", "levels": "abc", "p1-promote": "2", "p3-promote": "1"})
    assert list(season.divisions.values_list("promote", "relegate")) == [(0, 1), (1, 1), (2, 0)]


def test_a_refusal_is_said_on_the_page(organizer, world):
    season = founded(world)
    answer = organizer.post(page(season), {"do": "publish"})
    assert answer.status_code == 422
    assert "Division 1: Draw Winter 2027: Division 1 before you publish it." in words(answer)
    assert organizer.post(page(season), {"do": "nothing"}).status_code == 404


def test_places_dates_and_divisions_of_a_draft_are_changed_on_its_page(organizer, world):
    season = founded(world)
    wrong = organizer.post(page(season), {"do": "places", "p1-relegate": "9", "p2-promote": "1"})
    assert (wrong.status_code, "9 places of Division 1 lead up or down" in words(wrong)) == (422, True)
    assert 'value="9"' in wrong.content.decode()
    organizer.post(page(season), {"do": "places", "p1-relegate": "2", "p2-promote": "2", "p2-relegate": "1"})
    assert list(season.divisions.values_list("promote", "relegate")) == [(0, 2), (2, 1), (0, 0)]
    organizer.post(page(season), {"do": "transfer", "entrant": world.ana.pk, "to": "3"})
    assert who(season.divisions.get(level=3)) == [*LAST, "Ana Ruiz"]
    bad = organizer.post(page(season), {"do": "dates", "dates": "never"})
    assert (bad.status_code, "Line 1 is not a date and time: “never”." in words(bad)) == (422, True)
    organizer.post(page(season), {"do": "dates", "first_at": "2027-02-01T20:00", "every": "2"})
    assert season.dates.count() == 5


def test_a_matchday_is_moved_on_the_page_and_a_refusal_keeps_what_was_typed(organizer, world):
    season = published_season(world)
    answer = organizer.post(page(season), {"do": "move", "number": "2", "starts_at": "2027-01-13T20:00"}, follow=True)
    assert "Round 2 is moved, and 6 matches with it." in words(answer)
    busy = organizer.post(page(season), {"do": "move", "number": "3", "starts_at": "2027-01-13T20:00"})
    assert (busy.status_code, "Nothing was moved." in words(busy)) == (422, True)
    assert 'value="2027-01-13T20:00"' in busy.content.decode()
    assert organizer.post(page(season), {"do": "move", "number": "3", "starts_at": "x"}).status_code == 422


def test_the_organizer_goes_from_the_season_to_the_results_and_cancels_no_division(organizer, world):
    season = published_season(world)
    assert 'href="/organize/harbour/grid/"' in organizer.get(page(season)).content.decode()
    division = f"/organize/harbour/competitions/{season.divisions.get(level=1).competition.slug}/"
    assert f"{division}cancel/" not in organizer.get(division).content.decode()


def test_a_division_of_a_draft_is_published_with_its_season(organizer, world):
    season = founded(world)
    organizer.post(page(season), {"do": "draw"})
    division = f"/organize/harbour/competitions/{season.divisions.get(level=1).competition.slug}/"
    shown = organizer.get(division).content.decode()
    assert f'href="{page(season)}#draw"' in shown
    assert f"{division}publish/" not in shown
    assert f"{division}discard/" not in shown, "it stays with its season"
    refused = organizer.post(f"{division}publish/", follow=True)
    assert "which is published as a whole" in words(refused)
    assert not Competition.objects.exclude(published_at=None).filter(division__season=season).exists()
    assert "The season is published" in words(organizer.post(page(season), {"do": "publish"}, follow=True))


def test_play_offs_and_the_next_season_are_made_on_the_page(organizer, world):
    season = published_season(world, places=PLAY_OFFS)
    play_season(world, season)
    assert "Play-offs now : 2 play-offs are to be made" in words(organizer.get(page(season)))
    made = organizer.post(page(season), {"do": "play-offs", "starts_at": "2027-02-02T19:00"}, follow=True)
    assert "2 play-offs are made." in words(made)
    early = organizer.post(page(season), {"do": "next", "name": "Winter 2028", "starts_on": "2028-01-01"})
    assert "These play-offs have no confirmed result" in words(early)
    for one in Competition.objects.filter(play_off__isnull=False):
        play_out(world, one)
    answer = organizer.post(page(season), {"do": "next", "name": "Winter 2028", "starts_on": "2028-01-01"}, follow=True)
    assert answer.redirect_chain[-1][0] == "/organize/harbour/seasons/winter-2028/"
    assert "Winter 2028 is made as a draft." in words(answer)
    assert "promoted" in words(organizer.get(page(season)))


def test_what_the_league_refuses_stays_typed_and_unfolded(organizer, world):
    season = published_season(world)
    other = founded(world, name="Other", names=(["Yan A", "Yan B", "Yan C"], ["Yan D", "Yan E"], ["Yan F", "Yan G"]))
    named = organizer.post(page(season), {"do": "settings", "name": "Other", "starts_on": "2027-02-03"})
    assert "already. Choose another name" in words(named)
    assert (named.context["settings_form"]["starts_on"].value(), named.context["settings_form"].errors) == (
        "2027-02-03",
        {},
    )
    dated = organizer.post(page(other), {"do": "dates", "every": "7", "dates": "2027-01-12 19:00"})
    assert dated.status_code == 422
    assert '<details class="flow" id="dates" open>' in dated.content.decode()
    assert "2027-01-12 19:00</textarea>" in dated.content.decode()
    play_season(world, season)
    taken = organizer.post(page(season), {"do": "next", "name": "Other", "starts_on": "2028-01-03"})
    assert 'value="2028-01-03"' in taken.content.decode()
    moved = organizer.post(page(season), {"do": "move", "number": "1", "starts_at": "2027-03-03T19:00"})
    assert "has begun: there is nothing to move" in words(moved)


def test_a_lot_is_drawn_on_the_page_where_it_matters(organizer, world):
    season = published_season(world)
    circle(world, season)
    told = words(organizer.get(page(season)))
    assert "Division 1: Bo Chen, Cy Diaz, Di Eze are level in everything" in told
    organizer.post(page(season), {"do": "lots", "level": "1"})
    assert "are level in everything" not in words(organizer.get(page(season)))


def test_a_season_is_closed_without_a_next_one(organizer, world):
    season = published_season(world)
    play_season(world, season)
    organizer.post(page(season), {"do": "close"})
    assert "Closed" in words(organizer.get(page(season)))


# --- For everybody ---


def test_before_the_first_result_no_place_leads_anywhere(client, world):
    season = published_season(world, places=PLAY_OFFS)
    top = season.divisions.get(level=1).competition
    for address in (public(season), f"/competitions/harbour/{top.slug}/"):
        told = words(client.get(address))
        assert (told.count("goes down"), told.count("plays off to stay")) == (1, 1), "in the legend alone"
    enter_result(world, Match.objects.filter(slot__matchday__stage__competition=top).first(), 1)
    for address in (public(season), f"/competitions/harbour/{top.slug}/"):
        assert words(client.get(address)).count("goes down") == 2


def test_the_page_marks_the_places_with_words_and_a_legend(client, world):
    season = published_season(world, places=PLAY_OFFS)
    play_season(world, season)
    text = words(client.get(public(season) + "?division=2"))
    assert "1 goes up Eva Fox 3 3" in text
    assert "2 plays off to go up Fay Gil 3 2" in text
    assert "3 plays off to stay Gus Hay 3 1" in text
    assert "4 goes down Hal Ito 3 0" in text
    assert "goes up 1 place plays off to go up 1 place plays off to stay 1 place goes down 1 place" in text
    top = words(client.get(public(season)))
    assert "goes up" not in top


def test_the_page_of_a_division_leads_to_its_season_and_marks_the_places(client, world):
    season = published_season(world)
    play_season(world, season)
    division = season.divisions.get(level=2)
    answer = client.get(reverse("competitions:detail", args=["harbour", division.competition.slug]))
    assert "Season Winter 2027" in words(answer)
    assert "1 goes up Eva Fox" in words(answer)
    assert "4 goes down Hal Ito" in words(answer)
    assert f"{public(season)}?division=2" in answer.content.decode()


def test_matchdays_are_shown_by_date_with_the_results_of_every_division(client, world):
    season = published_season(world)
    play_season(world, season, {})
    text = words(client.get(public(season) + "?matchday=2"))
    assert "Tuesday 12 January 2027, 19:00" in text
    assert [text.index(f"Division {number} Round 2") for number in (1, 2, 3)] == sorted(
        text.index(f"Division {number} Round 2") for number in (1, 2, 3)
    )
    assert client.get(public(season) + "?matchday=99&division=99&rows=x&page=x").status_code == 200


def test_a_draft_is_seen_by_staff_alone(client, world):
    season = founded(world)
    assert client.get(public(season)).status_code == 404
    assert words(client.get("/leagues/harbour/")).count("Winter 2027") == 0
    assert client.get(reverse("seasons:calendar", args=["harbour", season.slug])).status_code == 404
    client.force_login(world.referee)
    assert client.get(public(season)).status_code == 200
    assert "Winter 2027" in words(client.get("/seasons/harbour/"))


def test_the_league_lists_its_seasons(client, world):
    published_season(world)
    assert "Winter 2027" in words(client.get("/leagues/harbour/"))
    assert "3 divisions" in words(client.get("/seasons/harbour/"))


def test_the_calendar_has_every_match_of_every_division(client, world, monkeypatch):
    season = published_season(world)
    monkeypatch.setattr(timezone, "now", lambda: FIRST)  # it forgets matches after a year
    text = client.get(reverse("seasons:calendar", args=["harbour", season.slug])).content.decode()
    assert (text.count("BEGIN:VEVENT"), "X-WR-CALNAME:Winter 2027" in text) == (18, True)


def test_both_pages_say_that_a_next_season_stands_although_a_result_was_amended(organizer, client, world):
    season = published_season(world)
    play_season(world, season)
    made = carry_over(season, NEXT, user=world.owner)
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    for address in (page(season), page(made), public(season), public(made)):
        assert "keeps the earlier result" not in words(organizer.get(address))
    amend(world, match, winner_is(match, "Di Eze"))
    assert "Cy Diaz : is in division 1, would be in division 2" in words(organizer.get(page(season)))
    for address in (page(made), public(season), public(made)):
        told = words(organizer.get(address))
        assert "keeps the earlier result" in told
        assert "Cy Diaz : stays" in told
    # Outsiders see the draft of the next season nowhere.
    client.logout()
    assert client.get(public(made)).status_code == 404


def test_a_followed_season_asks_for_no_further_play_offs(organizer, world):
    season = published_season(world, places=PLAY_OFFS)
    play_season(world, season)
    organizer.post(page(season), {"do": "play-offs"})
    for one in Competition.objects.filter(play_off__isnull=False):
        play_out(world, one)
    carry_over(season, NEXT, user=world.owner)
    assert "All play-offs are decided" in words(organizer.get(page(season)))
    match = match_of(season, 1, "Bo Chen", "Cy Diaz")
    amend(world, match, winner_is(match, "Cy Diaz"))
    told = words(organizer.get(page(season)))
    assert "keeps the earlier result" in told
    assert "to be made" not in told


def test_hostile_names_are_shown_as_they_are(organizer, world):
    season = published_season(world, name="<b>Winter</b>", names=(["<i>Ann</i>", "Bob"],), places=((0, 0, 0),))
    for address in (page(season), public(season), "/leagues/harbour/", "/seasons/harbour/"):
        text = organizer.get(address).content.decode()
        assert "<b>Winter</b>" not in text
        assert "<i>Ann</i>" not in text


def test_the_reason_of_a_deduction_is_below_the_table_of_its_division(client, world):
    season = published_season(world)
    division = season.divisions.get(level=1).competition
    Competition.objects.filter(pk=division.pk).update(tie_breaks=["match_points", "wins"])
    registration = division.registrations.first()
    give_adjustment(division, registration.entrant, points=-2, reason="came late", user=world.owner)
    assert ": −2 match points, came late" in words(client.get(public(season)))
