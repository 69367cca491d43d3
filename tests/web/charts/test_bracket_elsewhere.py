"""The bracket on the screen of a hall, on paper, and before its draw."""

import re
from datetime import date
from itertools import pairwise

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Stage
from league.competitions.registration.entries import register
from league.matches.models import Match, Result
from league.players.services import enrol
from league.web.charts.bracket import MARGIN, drawing
from league.web.charts.bracket_layout import PAPER, TITLE
from league.web.charts.bracket_parts import sections
from league.web.charts.bracket_seeds import skeleton
from league.web.charts.bracket_sheets import EDGE_MM, HEAD_MM, LEAST, SIZES, fit_one_sheet, sheets, size_of
from tests.league.tampering import drop_triggers
from tests.web import world as small
from tests.web.lives import two_lives

BRACKET = "/competitions/harbour/cup/bracket/"
WALL = f"{BRACKET}current/"
PAPERS = [size_of(one.key) for one in SIZES]


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def seeded(entrants: int, **stage: object):
    """A bracket of so many by their seeds, without the database: its parts, each with its drawing for paper."""
    one = Stage(competition=Competition(), **{"format": Stage.Format.SINGLE_ELIMINATION, **stage})
    return [(part, drawing(part, metrics=PAPER)) for part in sections(skeleton(one, entrants), apart=True)]


# --- The screen of a hall ---


def test_the_wall_follows_the_round_that_is_played_now(world, browse) -> None:
    cup = small.knock_out(world, players=16, played=0)
    client = browse()

    def told() -> str:
        return text_of(client.get(WALL).content.decode())

    assert "Round of 16" in told()
    assert "· 1/2" in told()
    assert "Semi-finals" in told()
    assert "Final" not in told()
    # Eight matches are over: nothing of that round is left, and the next one is on the wall.
    first = Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__number=1)
    first.update(state=Match.State.DECIDED)
    assert "The draw" not in told()
    second = Match.objects.filter(slot__matchday__stage__competition=cup).exclude(pk__in=first)
    assert not second.exists()
    assert "Final" in told()  # nobody has a match to play: the end of the draw


def test_the_wall_turns_from_screen_to_screen_also_without_a_script(world, browse) -> None:
    small.knock_out(world, players=16, played=0)
    first, second = (browse().get(WALL, {"page": page}).content.decode() for page in (1, 2))
    assert '<meta http-equiv="refresh" content="20;url=?page=2">' in first
    assert '<meta http-equiv="refresh" content="20;url=?page=1">' in second
    for html in (first, second):
        assert html.count('class="box') == 7
        assert 'data-theme="hall"' in html
    assert text_of(first) != text_of(second)
    assert browse().get(WALL, {"page": "99"}).content.decode().count("2/2") == 1


def test_both_lives_are_on_the_wall_while_both_are_played(world, browse) -> None:
    people = [enrol(league=world.league, name=f"Guest {n}", since=date(2026, 1, 1)) for n in range(8)]
    cup = found(world.league, Plan(name="Cup", ruleset="udl", format="double_elimination"), user=world.owner)
    register(cup, people)
    assert browse().get(WALL).status_code == 404  # a draft
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    html = browse().get(WALL).content.decode()
    assert "Winners’ round 1" in text_of(html)
    assert "Losers" not in text_of(html)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup)[:2]:
        record = small.hand_in(match.games.get(number=1), world.ref)
        small.judge(record)
        small.enter(record, official_by=world.owner)
        advance(match.pk)
    names = [text_of(browse().get(WALL, {"page": page}).content.decode()) for page in (1, 2)]
    assert "Winners’ round 1" in names[0]
    assert "Losers’ round 1" in names[1]


def test_what_the_staff_alone_see_is_neither_on_the_wall_nor_on_paper(world, browse) -> None:
    small.knock_out(world, release=Competition.Release.ROUND_BY_ROUND)
    Competition.objects.filter(slug="cup").update(published_at=None)
    for address in (WALL, f"{BRACKET}print/"):
        for who in (None, world.owner):
            assert browse(who).get(address).status_code == 404


# --- Paper ---


@pytest.mark.parametrize("size", PAPERS, ids=lambda size: size.key)
@pytest.mark.parametrize("entrants", [2, 5, 16, 33, 64])
def test_every_match_is_whole_on_a_sheet_and_no_letter_is_below_seven_points(entrants: int, size) -> None:
    parts = seeded(entrants)
    made = sheets(parts, size)
    for part, one in parts:
        printed = {box.slot.id for sheet in made if sheet.part is part for box in sheet.boxes}
        assert printed == {box.slot.id for box in one.boxes}
    for sheet in made:
        assert sheet.scale >= LEAST
        width, height = (size.height, size.width) if sheet.wide else (size.width, size.height)
        assert sheet.width * sheet.scale <= width - 2 * EDGE_MM + 0.01
        assert (sheet.height + TITLE) * sheet.scale <= height - 2 * EDGE_MM - HEAD_MM + 0.01
        for box in sheet.boxes:
            assert sheet.left + MARGIN <= box.x
            assert box.right <= sheet.left + sheet.width
            assert sheet.top <= box.top
            assert box.top + box.height <= sheet.top + sheet.height
    assert [sheet.number for sheet in made] == list(range(1, len(made) + 1))
    assert {sheet.count for sheet in made} == {len(made)}


def test_sixty_four_fit_one_a3_and_three_a4_and_four_letters() -> None:
    for third_place in (False, True):
        parts = seeded(64, third_place=third_place)
        assert [len(sheets(parts, size)) for size in PAPERS] == [3, 1, 4]


def test_where_two_sheets_meet_a_match_stands_on_both_and_the_map_says_where_each_lies() -> None:
    made = sheets(seeded(64), size_of("a4"))
    for before, after in pairwise(made):
        assert {box.slot.id for box in before.boxes} & {box.slot.id for box in after.boxes}
    for sheet in made:
        assert [(cell.number, cell.here) for cell in sheet.cells] == [(n, n == sheet.number) for n in (1, 2, 3)]
    assert sheets(seeded(4), size_of("a4"))[0].cells == []


def test_both_brackets_and_the_final_of_a_double_elimination_are_printed() -> None:
    made = sheets(seeded(16, format=Stage.Format.DOUBLE_ELIMINATION, reset=True), size_of("a4"))
    assert [sheet.part.name for sheet in made] == ["Winners’ bracket", "Losers’ bracket", "Final"]


@pytest.mark.parametrize(("entrants", "fit"), [(3, "a4 a3 letter"), (8, "a4 a3"), (16, "a3"), (17, ""), (64, "")])
def test_both_brackets_share_a_sheet_where_they_fit_one(entrants: int, fit: str) -> None:
    one = Stage(competition=Competition(), format=Stage.Format.DOUBLE_ELIMINATION, reset=True)
    [whole] = sections(skeleton(one, entrants))
    made = drawing(whole, metrics=PAPER)
    found_ = {size.key: fit_one_sheet([(whole, made)], size) for size in PAPERS}
    assert [key for key, sheet in found_.items() if sheet] == fit.split()
    for [sheet] in filter(None, found_.values()):
        assert sheet.scale >= LEAST
        assert sum(not box.slot.bye for box in sheet.boxes) == 2 * entrants - 1
        told = [title.text for title in (*sheet.titles, *sheet.inner)]
        assert sorted(told) == sorted(title.text for title in made.titles)
        assert {"Losers’ round 1", "Final", "Deciding match"} <= {title.text for title in sheet.inner}
        assert all(sheet.top < title.y < sheet.top + sheet.height for title in sheet.inner)


def test_both_brackets_of_eight_are_printed_on_one_page_and_those_of_twenty_apart(world, browse) -> None:
    two_lives(world, 8)
    page = "/competitions/harbour/two-lives/bracket/print/?paper=a4"
    html = text_of(browse().get(page).content.decode())
    assert "Page 1 of 1" in html
    for told in ("Winners’ round 1", "Losers’ round 4", "Deciding match", "Match L13"):
        assert told in html
    Competition.objects.filter(slug="two-lives").update(slug="small")
    two_lives(world, 20)
    html = text_of(browse().get(page).content.decode())
    assert "Two Lives , Winners’ bracket" in html
    assert "Two Lives , Losers’ bracket" in html


def test_a_sheet_says_where_it_came_from_and_of_when_it_is(world, browse) -> None:
    small.knock_out(world)
    html = browse().get(f"{BRACKET}print/?paper=letter").content.decode()
    assert "http://testserver/competitions/harbour/cup/bracket/" in html
    assert re.search(r"As of \d+ \w+ \d{4}, \d\d:\d\d · Page 1 of 1", text_of(html))
    assert 'class="bracket-sheet letter-wide"' in html
    assert 'value="letter" selected' in html
    assert 'class="bracket-sheet a4-wide"' in browse().get(f"{BRACKET}print/?paper=<b>").content.decode()


def test_of_a_large_bracket_one_part_is_printed(world, browse) -> None:
    small.knock_out(world, players=150, played=0)
    whole = browse().get(f"{BRACKET}print/?paper=a3").content.decode()
    assert "Last rounds" in text_of(whole)
    part = browse().get(f"{BRACKET}print/?paper=a3&section=1").content.decode()
    assert "Part 1" in text_of(part)
    assert "Ana Ruiz" in text_of(part) + text_of(whole)


# --- Before the draw ---


def test_before_the_draw_the_shape_is_shown_by_seeds_without_a_name(world, browse) -> None:
    cup = found(world.league, Plan(name="Cup", ruleset="udl", format="single_elimination"), user=world.owner)
    more = [enrol(league=world.league, name=f"Guest {n}", since=date(2026, 1, 1)) for n in range(13)]
    register(cup, [*world.entrants, *more])
    assert browse().get(BRACKET).status_code == 404
    html = browse(world.owner).get(BRACKET).content.decode()
    told = text_of(html.split('<div class="twin">')[1])
    assert "Match 1 Seed 1 Seed 16" in told
    assert "Quarter-finals" in told
    assert "Ana Ruiz" not in told
    assert html.count('class="box') == 15


def test_a_play_off_that_is_not_drawn_yet_shows_its_shape_to_everybody(world, browse) -> None:
    plan = Plan(name="Cup", ruleset="udl", then="single_elimination", advance_each=2)
    cup = found(world.league, plan, user=world.owner)
    register(cup, world.entrants)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    html = browse().get(BRACKET).content.decode()
    assert "The draw has not been made yet." in html
    assert "Final Match 1 Seed 1 Seed 2" in text_of(html)


# --- What is heard ---


def test_each_match_is_told_in_a_sentence_with_where_its_winner_goes(world, browse) -> None:
    cup = small.knock_out(world, third_place=True)
    html = browse().get(BRACKET).content.decode()
    said = re.findall(r'data-said="([^"]+)"', html)
    assert said == [
        "Bye, Ana Ruiz, winner plays semi-final 1",
        "Quarter-final 2, Guest 0 150, Guest 1 95, winner plays semi-final 1",
        "Bye, Bo Chen, winner plays semi-final 2",
        "Quarter-final 4, Cleo Diaz 150, Guest 2 95, Unconfirmed, winner plays semi-final 2",
        "Semi-final 1, Ana Ruiz, Guest 0, winner plays the final",
        "Semi-final 2, Bo Chen, winner of match 2, winner plays the final",
        "Final, winner of match 3, winner of match 4",
        "Third place, loser of match 3, loser of match 4",
    ]
    drop_triggers()
    Result.objects.filter(state="official").update(winner=None, scores={"1": 100, "2": 100})
    assert cup.slug == "cup"
    assert "No winner" in browse().get(BRACKET).content.decode().split('data-said="')[2].split('"')[0]
