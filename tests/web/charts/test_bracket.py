"""Knock-outs on pages: the drawing, its twin as a list, the path of a player, rounds and the final ranking."""

import re
from itertools import pairwise

import pytest

from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Slot
from league.competitions.queries.bracket import bracket_page, part_views
from league.competitions.registration.entries import register
from league.matches.models import Match, Result
from league.players.models import Player
from league.players.services import enrol
from league.web.charts.bracket import BOX_WIDTH, MARGIN, drawing, fitting
from league.web.charts.bracket_layout import SCREEN
from league.web.charts.bracket_parts import parts_of
from tests.league.tampering import drop_triggers
from tests.web import world as small

PAGE = "/competitions/harbour/cup/"
BRACKET = "/competitions/harbour/cup/bracket/"


def text_of(html):
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def drawn(html):
    return html.split('<svg class="bracket"')[1].split("</section>", maxsplit=1)[0]


def twin(html):
    return html.split('<div class="twin">')[1].split("</section>", maxsplit=1)[0]


def parts(world, cup):
    page = bracket_page(world.ref, "harbour", cup.slug)
    return [plan.filled(part_views(world.ref, page, plan.keys)) for plan in parts_of(page.days, page.shape.sources)]


def test_the_drawing_and_its_twin_say_the_same(world, browse) -> None:
    small.knock_out(world)
    html = browse().get(BRACKET).content.decode()
    for part in (text_of(drawn(html)), text_of(twin(html))):
        for told in ("Quarter-finals", "Semi-finals", "Final", "Match 1", "Ana Ruiz", "Guest 2", "150", "Unconfirmed"):
            assert told in part
        assert part.count("Winner of match") == 3
    assert 'aria-hidden="true"' in drawn(html)[:300]


def test_the_twin_is_a_list_of_rounds_of_matches_of_two_players(world, browse) -> None:
    small.knock_out(world)
    html = twin(browse().get(BRACKET).content.decode())
    assert html.count("<h3>") == html.count("<ol>") == 3
    first = text_of(html.split("<ol>")[1].split("</ol>")[0])
    assert first.startswith("Bye Ana Ruiz Match 1 · Table 1 · 6 Nov, 21:00 Guest 0 150 winner Guest 1 95 Confirmed")
    assert "Bye Bo Chen" in first


def test_a_bye_is_drawn_with_a_line_to_the_next_match(world, browse) -> None:
    small.knock_out(world)
    html = drawn(browse().get(BRACKET).content.decode())
    byes = re.findall(r'<g class="box  bye" data-slot="(\d+)" data-after="(\d+)".*?</g>\n</g>', html, re.DOTALL)
    assert len(byes) == 2
    boxes = [text_of(one) for one in re.findall(r'<g class="box  bye".*?</g>\n</g>', html, re.DOTALL)]
    assert boxes == ["Bye Ana Ruiz", "Bye Bo Chen"]
    assert 'data-said="Bye, Ana Ruiz, winner plays semi-final 1"' in html
    for start, end in byes:
        assert f'data-from="{start}" data-to="{end}"' in html
    assert html.count("None") == 0


def test_the_drawing_grows_with_the_letters_of_the_reader(world, browse) -> None:
    small.knock_out(world)
    svg = drawn(browse().get(BRACKET).content.decode())
    sizes = re.search(r'width="([\d.]+)em" height="([\d.]+)em" viewBox="0 0 (\d+) (\d+)"', svg).groups()
    width, height, units_wide, units_high = map(float, sizes)
    assert (width * 16, height * 16) == (units_wide, units_high)
    assert "style=" not in svg


def test_the_path_of_a_player_is_drawn_by_the_server(world, browse) -> None:
    small.knock_out(world)
    code = world.entrants[0].player.code  # a bye, then the winner of match 1, then the final
    html = browse().get(f"{BRACKET}?player={code.lower()}").content.decode()
    svg = drawn(html)
    assert re.findall(r'<g class="box (\w+)', svg) == ["on", "off", "off", "off", "on", "off", "future"]
    assert sorted(re.findall(r'<path class="edge (\w+)', svg)) == ["future", "off", "off", "off", "off", "on"]
    assert "<mark><bdi>Ana Ruiz</bdi>" in twin(html)
    assert f'<option value="{code}" selected>' in html
    for odd in ("", "NOBODY", "%00x"[:0], "'><script>"):
        plain = browse().get(BRACKET, {"player": odd}).content.decode()
        assert set(re.findall(r'<g class="box (\w*)', drawn(plain))) == {""}
        assert "<script>alert" not in plain


def test_a_lost_match_ends_the_path(world) -> None:
    cup = small.knock_out(world)
    [part] = parts(world, cup)
    [(_day, slots), *_later] = part.days
    loser = slots[1].berths[1].entrant
    assert [box.tone for box in drawing(part, loser.code).boxes] == ["off", "on", "off", "off", "off", "off", "off"]


def test_no_two_boxes_overlap_and_connectors_meet_them(world) -> None:
    for players in (2, 3, 5, 13, 64):
        cup = small.knock_out(world, players=players, name=f"Cup {players}", played=0, third_place=players > 3)
        [part] = parts(world, cup)
        made = drawing(part)
        columns: dict[int, list[int]] = {}
        for box in made.boxes:
            columns.setdefault(box.x, []).append(box.middle)
        for middles in columns.values():
            heights = sorted(middles)
            assert all(after - before >= SCREEN.pitch for before, after in pairwise(heights))
        assert sum(not box.slot.bye for box in made.boxes) == players - 1 + (players > 3)
        assert sum(box.slot.bye for box in made.boxes) == (1 << (players - 1).bit_length()) - players
        assert max(box.right for box in made.boxes) + MARGIN == made.width
        assert max(box.top + box.height for box in made.boxes) < made.height
        starts = {(box.right, box.middle) for box in made.boxes}
        ends = {(box.x, box.middle) for box in made.boxes}
        for one in made.connectors:
            x, y, _turn, down, right = map(int, re.findall(r"\d+", one.path))
            assert (x, y) in starts
            assert (right, down) in ends


def test_a_bracket_of_more_than_64_is_drawn_in_parts_with_the_last_64_as_their_overview(world, browse) -> None:
    cup = small.knock_out(world, players=100, played=0)
    client = browse()
    overview = client.get(BRACKET).content.decode()
    assert drawn(overview).count("<rect") == 63
    assert len(overview) < 220_000
    found = parts(world, cup)
    assert [(one.name, len(one.days)) for one in found] == [("Part 1", 1), ("Part 2", 1), ("Last rounds", 6)]
    shown = [slot.id for one in found for slot in one.slots]
    assert len(shown) == len(set(shown)) == 127
    # From the overview one comes to the part in which the names are, and back.
    for number, other in ((1, 3), (2, 3)):
        assert f"?section={number}" in drawn(overview)
        part = client.get(BRACKET, {"section": number}).content.decode()
        assert f"?section={other}" in drawn(part)
        assert 0 < drawn(part).count("<rect") <= 32
    # Who is followed is shown where they stand; what is no part is the overview.
    guest = world.entrants[2].player.code  # a bye, so in the overview already
    assert "followed" in drawn(client.get(BRACKET, {"player": guest}).content.decode())
    assert "followed" in drawn(client.get(BRACKET, {"player": " bo CHEN "}).content.decode())
    assert "followed" in drawn(client.get(BRACKET, {"player": "Guest 90"}).content.decode())
    unknown = client.get(BRACKET, {"player": "Nobody <b>"}).content.decode()
    assert "No player called “Nobody &lt;b&gt;” is in this bracket" in unknown
    assert 'value="Nobody &lt;b&gt;"' in unknown
    assert drawn(client.get(BRACKET, {"section": "99"}).content.decode()) == drawn(overview)


def test_each_part_of_a_large_double_elimination_is_drawn_and_no_slot_is_lost(world) -> None:
    people = [enrol(league=world.league, name=f"Guest {number}", since=small.FIRST.date()) for number in range(133)]
    cup = found(world.league, Plan(name="Two Lives", ruleset="udl", format="double_elimination"), user=world.owner)
    register(cup, people)
    draw(cup, user=world.owner)
    made = parts(world, cup)
    shown = [slot.id for one in made for slot in one.slots]
    assert len(shown) == len(set(shown)) == Slot.objects.filter(matchday__stage__competition=cup).count()
    assert all(drawing(one).boxes for one in made)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Ana Ruiz", "Ana Ruiz"),
        ("W" * 60, "WWWWWWWWW…"),
        ("多" * 30, "多多多多多多多多多…"),
        ("👩‍👩‍👧‍👦" * 5, "👩‍👩‍👧‍👦" * 2 + "…"),  # none of them without her children
        ("क्षि" * 15, "क्षि" * 4 + "…"),
    ],
)
def test_a_long_name_is_cut_to_its_box(name, kept) -> None:
    assert fitting(name, 150) == kept
    assert BOX_WIDTH > 150


def test_on_paper_a_name_that_is_cut_stands_in_full_behind_the_sheets(world, browse) -> None:
    small.knock_out(world)
    path = f"{PAGE}bracket/print/"
    assert "Names in full" not in browse().get(path).content.decode()
    long = "Maria-Magdalena Wolfeschlegelsteinhausenbergerdorff-Schmidt"
    Player.objects.filter(pk=world.entrants[0].player_id).update(name=long)
    html = browse().get(path).content.decode().split("Names in full")[1]
    assert html.count(f"<dd><bdi>{long}</bdi></dd>") == 1


def test_only_a_knock_out_has_a_bracket_and_a_draft_has_none_for_others(world, browse) -> None:
    assert browse().get("/competitions/harbour/autumn/bracket/").status_code == 404
    small.knock_out(world)
    assert "Bracket" in browse().get(PAGE).content.decode()
    for model in (Competition, Matchday, Match):
        model.objects.update(published_at=None)
    for who in (None, world.alice, world.charlie):
        assert browse(who).get(PAGE).status_code == 404
        assert browse(who).get(BRACKET).status_code == 404
    assert browse(world.ref).get(BRACKET).status_code == 200


def test_rounds_show_table_hour_bye_and_who_comes_from_where(world, browse) -> None:
    small.knock_out(world, third_place=True)
    page = browse().get(PAGE).content.decode()
    html = text_of(page)
    assert "Bye: Ana Ruiz , Bo Chen" in html
    assert "Match 3 · Table 1" in html
    assert "Bo Chen Winner of match 2 Match 4 · Table 2" in html
    assert "Loser of match 3 Loser of match 4 Third place · Match 6 · Table 2" in html
    assert "Final ranking 5–6 Guest 1" in html, "who is out has a place; nobody else has"
    assert 'class="podium"' not in page


def test_the_final_ranking_is_shown_when_it_is_decided(world, browse) -> None:
    small.knock_out(world, players=2)
    html = text_of(browse().get(PAGE).content.decode())
    assert "Winner Ana Ruiz Runner-up Bo Chen" in html


def test_a_match_that_nobody_won_waits_for_an_official(world, browse) -> None:
    small.knock_out(world)
    drop_triggers()
    Result.objects.filter(state="official").update(winner=None, scores={"1": 100, "2": 100})
    for address in (PAGE, BRACKET):
        assert "No winner: an official decides" in text_of(browse().get(address).content.decode())
    assert "No winner" in text_of(drawn(browse().get(BRACKET).content.decode()))


def test_a_round_that_is_not_published_shows_its_shape_only(world, browse) -> None:
    cup = small.knock_out(world, release=Competition.Release.ROUND_BY_ROUND)
    html = browse().get(BRACKET).content.decode()
    assert "This round is not published yet." in html
    assert "Ana Ruiz" not in text_of(twin(html).split("</ol>")[1])
    assert "Semi-finals" not in browse().get(PAGE).content.decode()
    assert "Not published yet: only officials see this" in browse(world.ref).get(PAGE).content.decode()
    day = Matchday.objects.get(stage__competition=cup, number=2)
    publish_matchday(day, user=world.owner, reason="<b>the hall closes</b>")
    html = browse().get(PAGE).content.decode()
    assert (
        "Published while 1 confirmed result of Quarter-finals was missing: &lt;b&gt;the hall closes&lt;/b&gt;" in html
    )
    advance(Match.objects.filter(slot__matchday__stage__competition=cup).first().pk)
    assert "Published early" in browse().get(BRACKET).content.decode()


# The front page reads the last rounds, and their ends and names only if a place is certain; it tells a finished round.
@pytest.mark.parametrize(("players", "of_page"), [(4, 24), (60, 16), (300, 14)])
def test_bracket_and_front_page_take_no_more_statements_for_300_than_for_4(
    world, browse, django_assert_num_queries, players, of_page
) -> None:
    small.knock_out(world, players=players)
    client = browse()
    client.get(BRACKET)  # the shape of the draw is in the cache from then on
    for address, count in ((f"{BRACKET}?section=1", 12), (PAGE, of_page)):
        with django_assert_num_queries(count):
            client.get(address)
