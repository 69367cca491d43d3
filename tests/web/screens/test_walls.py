"""The screens of a hall, and one's own pairing on top of a round."""

import re
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.draw.forfeits import forfeit_match
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Slot, Withdrawal
from league.competitions.queries.bracket import being_played, bracket_page
from league.competitions.registration.entries import register
from league.matches.models import Match
from league.matches.results.entering import rule
from league.players.models import Player
from league.players.services import enrol
from league.web.components.text_width import sizes_on_wall
from tests.web import world as small

ROBIN = "/competitions/harbour/autumn/"
WALL = f"{ROBIN}standings/wall/"


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def many(world, players: int, **plan: object) -> Competition:
    people = [enrol(league=world.league, name=f"Guest {n:02}", since=small.FIRST.date()) for n in range(players)]
    made = found(world.league, Plan(**{"name": "Many", "ruleset": "udl"} | plan), user=world.owner)
    register(made, people)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    return made


def test_the_standings_turn_ten_places_at_a_time(world, browse) -> None:
    many(world, 23, format="swiss", rounds=1)
    wall = "/competitions/harbour/many/standings/wall/"
    pages = [browse().get(wall, {"page": page}).content.decode() for page in (1, 2, 3)]
    assert [html.count('<td class="rank">') for html in pages] == [10, 10, 3]
    nexts = [re.search(r'data-next="([^"]+)" data-seconds="20"', html).group(1) for html in pages]
    assert nexts == ["?page=2", "?page=3", "?page=1"]
    assert all(f'content="20;url={following}"' in html for html, following in zip(pages, nexts, strict=True))
    assert "As of" in text_of(pages[0])
    assert "· 1/3" in text_of(pages[0])


def test_after_the_last_place_of_a_group_comes_the_next_group(world, browse) -> None:
    many(world, 9, format="groups", groups=3)
    wall = "/competitions/harbour/many/standings/wall/"
    told, address = [], "?group=1"
    for _screen in range(4):
        html = browse().get(wall + address).content.decode()
        told.append(re.search(r"Group \d", text_of(html)).group())
        address = re.search(r'data-next="([^"]+)"', html).group(1).replace("&amp;", "&")
    assert told == ["Group 1", "Group 2", "Group 3", "Group 1"]


def test_the_wall_says_where_results_are_provisional(world, browse) -> None:
    assert "Including unconfirmed results" not in browse().get(WALL).content.decode()
    record = small.hand_in(world.game(), world.ref)
    small.judge(record)
    small.enter(record)
    html = text_of(browse().get(WALL).content.decode())
    assert "Including unconfirmed results" in html
    assert "1 Ana Ruiz 1 1" in html


def test_what_has_no_table_has_no_standings_on_the_wall(world, browse) -> None:
    small.knock_out(world)
    assert browse().get("/competitions/harbour/cup/standings/wall/").status_code == 404
    Competition.objects.filter(slug="autumn").update(published_at=None)
    assert browse(world.owner).get(WALL).status_code == 404


def test_each_list_leads_to_its_wall(world, browse) -> None:
    small.knock_out(world)
    for page, wall in (
        (ROBIN, WALL),
        (f"{ROBIN}rounds/1/", "?wall=1"),
        ("/competitions/harbour/cup/bracket/", "/competitions/harbour/cup/bracket/current/"),
    ):
        assert f'href="{wall}"' in browse().get(page).content.decode()
        answer = browse().get(wall if wall.startswith("/") else page + wall)
        assert 'data-theme="hall"' in answer.content.decode()


def test_ones_own_pairing_says_against_whom_and_in_how_many_minutes(world, browse) -> None:
    slot = Slot.objects.get(match=world.match)
    page = f"{ROBIN}rounds/{slot.matchday.number}/"

    def told(who, starts_at) -> str:
        Match.objects.filter(pk=world.match.pk).update(starts_at=starts_at)
        html = browse(who).get(page).content.decode()
        return text_of(html.split('<p class="mine screen">')[1].split("</p>")[0]) if "mine screen" in html else ""

    now = timezone.now()
    hour = f"{timezone.localtime(now + timedelta(minutes=5.5), timezone.zoneinfo.ZoneInfo('Europe/Lisbon')):%H:%M}"
    assert told(world.alice, now + timedelta(minutes=5.5)) == f"Table 1 · you v Bo Chen · starts {hour} · in 6 min"
    assert "you v Ana Ruiz" in told(world.bob, now + timedelta(minutes=5.5))
    assert "min" not in told(world.alice, now - timedelta(minutes=1))
    assert "min" not in told(world.alice, now + timedelta(hours=4))
    assert told(world.charlie, now) == told(None, now) == ""


def test_a_round_that_is_not_published_says_when_play_starts_and_who_is_here(world, browse) -> None:
    small.knock_out(world, release=Competition.Release.ROUND_BY_ROUND)
    first, second = (f"/competitions/harbour/cup/rounds/{number}/" for number in (1, 2))

    def told(address: str) -> list[str]:
        return [text_of(browse().get(address + query).content.decode()) for query in ("", "?wall=1")]

    for said in told(second):
        assert "This round is not published yet." in said
        assert "0 of 6 players are checked in." in said
        assert "The draw comes before" not in said
    Matchday.objects.filter(stage__competition__slug="cup").update(published_at=None)
    for said in told(first):
        assert "The draw comes before the start: Friday 6 November, 21:00." in said


def test_forfeited_matches_and_those_of_who_has_left_are_not_called_on_the_wall(world, browse) -> None:
    cup = many(world, 6, format="single_elimination")
    first, second = Slot.objects.filter(matchday__stage__competition=cup, match__isnull=False).select_related("match")
    loser, left = (slot.match.sides.first().entrant for slot in (first, second))
    page = f"/competitions/harbour/many/rounds/{first.matchday.number}/"

    def shown(address: str, match: Match) -> list[bool]:
        html = browse().get(address).content.decode()
        return [str(side.entrant) in html for side in match.sides.all()]

    assert shown(f"{page}?wall=1", first.match) == shown(f"{page}?wall=1", second.match) == [True, True]
    forfeit_match(first.match, loser.pk, user=world.ref, reason="absent")
    assert shown(f"{page}?wall=1", first.match) == [False, False]
    assert shown(f"{page}?wall=1", second.match) == [True, True]
    Withdrawal.objects.create(competition=cup, entrant=left, reason="ill", made_at=timezone.now(), made_by=world.ref)
    assert shown(f"{page}?wall=1", second.match) == [False, False]
    assert shown(page, first.match) == shown(page, second.match) == [True, True], "the list for phones has all"


def test_a_match_of_which_one_game_is_forfeited_is_still_called(world, browse) -> None:
    cup = many(world, 2, format="single_elimination", best_of=3)
    match = Match.objects.get(slot__matchday__stage__competition=cup)
    rule(match.games.get(number=1), world.ref, scores=[0, 150], winner=2, reason="late")
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    assert 'class="pairing-row' in browse().get("/competitions/harbour/many/rounds/1/?wall=1").content.decode()
    assert being_played(bracket_page(AnonymousUser(), "harbour", "many")) == {match.slot.pk}


def test_the_bracket_turns_to_matches_that_somebody_plays(world) -> None:
    cup = many(world, 6, format="single_elimination")
    first, second = Slot.objects.filter(matchday__stage__competition=cup, match__isnull=False).select_related("match")
    assert being_played(bracket_page(AnonymousUser(), "harbour", "many")) == {first.pk, second.pk}
    forfeit_match(first.match, first.match.sides.first().entrant_id, user=world.ref, reason="absent")
    Match.objects.filter(pk=first.match_id).update(state=Match.State.PROVISIONAL)
    assert being_played(bracket_page(AnonymousUser(), "harbour", "many")) == {second.pk}
    left = second.match.sides.first().entrant
    Withdrawal.objects.create(competition=cup, entrant=left, reason="ill", made_at=timezone.now(), made_by=world.ref)
    assert being_played(bracket_page(AnonymousUser(), "harbour", "many")) == frozenset()


def test_long_names_take_smaller_letters_and_are_never_cut(world, browse) -> None:
    cup = many(world, 4, format="single_elimination")
    long = "Maximiliana Fernández de Córdoba y Valenzuela de la Asunción"
    Player.objects.filter(entrants__registrations__competition=cup).update(name=long)
    html = browse().get("/competitions/harbour/many/rounds/1/?wall=1").content.decode()
    assert html.count('class="pairing-row narrow-longer wide-long') == 4
    assert long in html
    drawing = browse().get("/competitions/harbour/many/bracket/current/").content.decode().split("<svg")[1]
    assert "…" not in drawing
    assert 'class="halves"' in drawing
    assert sizes_on_wall(["Ana Ruiz", "Bo Chen"]) == ""
    assert sizes_on_wall(["Juan José Martínez Fernández", "Bo Chen"]) == "narrow-long", "one line on a wide screen"
    assert sizes_on_wall([f"{long} & {long}"] * 2) == "narrow-longest wide-longest"
