"""The standings page: what each number was made from, as it stood after a round, sorted, and what is still possible."""

import gzip
import re

import pytest
from django.utils import translation

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Registration
from league.competitions.registration.entries import register
from league.competitions.standings.tiebreaks.figures import Figure
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS, TieBreakEntry
from league.players.services import enrol
from league.web.words.tie_breaks import COLUMNS, Column
from tests.web import world as small

PAGE = "/competitions/harbour/autumn/"
EVERYTHING = ["match_points", "sonneborn_berger", "buchholz_cut_1", "average", "difference", "lot"]


def text(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def section(html: str, key: str) -> str:
    return text(html.split(f'<h2 id="{key}">')[1].split("</section>", maxsplit=1)[0])


def body_of(html: str) -> list[str]:
    rows = html.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0].split("</tr>")[:-1]
    return [text(row) for row in rows]


def all_played(world) -> None:
    """The first side of each match wins 150–95."""
    for match in world.matches:
        small.played(world, match, official=True)


def standing(world, place: int = 0) -> str:
    return f"{PAGE}standings/{world.entrants[place].player.code}/"


def test_each_number_of_the_table_leads_to_what_it_was_made_from(world, browse) -> None:
    Competition.objects.update(tie_breaks=EVERYTHING)
    all_played(world)
    html = browse().get(PAGE).content.decode()
    code = world.entrants[0].player.code
    for key in EVERYTHING:
        assert f'href="standings/{code}/#{key}"' in html
    assert browse().get(standing(world)).status_code == 200


def test_the_sum_is_written_out_for_whoever_checks_it_by_hand(world, browse) -> None:
    Competition.objects.update(tie_breaks=EVERYTHING)
    all_played(world)
    html = browse().get(standing(world)).content.decode()
    # Ana has beaten Bo and lost to Cleo; all three have two points. The matches are those of rounds 2 and 3.
    assert "2 + 0 = 2" in section(html, "match_points") or "0 + 2 = 2" in section(html, "match_points")
    product = section(html, "sonneborn_berger")
    assert product.startswith("Sonneborn-Berger: 4")
    assert "2 × 2" in product
    assert "2 × 0" in product
    cut = section(html, "buchholz_cut_1")
    assert cut.startswith("Buchholz without the lowest: 2")
    assert "The lowest: it is left out." in cut
    assert "(95 + 150) ÷ 2 ≈ 122.50" in section(html, "average") or "(150 + 95) ÷ 2 ≈ 122.50" in section(
        html, "average"
    )
    difference = section(html, "difference")
    assert "150 − 95" in difference
    assert "95 − 150" in difference
    assert "It is not drawn yet." in section(html, "lot")


def test_a_lot_that_was_drawn_is_shown(world, browse) -> None:
    Competition.objects.update(tie_breaks=["lot"])
    for lot, entrant in enumerate(world.entrants, start=1):
        Registration.objects.filter(entrant=entrant).update(lot=4 - lot)
    assert [row.split(" ", 2)[0] + row.split(" ", 2)[1] for row in body_of(browse().get(PAGE).content.decode())] == [
        "1Cleo",
        "2Bo",
        "3Ana",
    ]
    assert section(browse().get(standing(world)).content.decode(), "lot").startswith("Lot: 3")


def test_a_row_that_is_not_there_is_not_found(world, browse) -> None:
    small.knock_out(world, players=4)
    assert browse().get(f"{PAGE}standings/NOBODY/").status_code == 404
    code = world.entrants[0].player.code
    assert browse().get(f"/competitions/harbour/cup/standings/{code}/").status_code == 404
    assert browse().get(f"{PAGE}standings/{code.lower()}/").status_code == 200


def test_the_table_as_it_stood_after_a_round(world, browse) -> None:
    all_played(world)
    now = browse().get(PAGE).content.decode()
    assert 'name="after"' in now
    then = browse().get(f"{PAGE}?after=1").content.decode()
    assert "After round 1." in then
    assert sorted(row.split()[3] for row in body_of(then)) == ["0", "1", "1"]
    assert f"standings/{world.entrants[0].player.code}/?after=1#wins" in then
    assert "After round 1." in browse().get(f"{standing(world)}?after=1").content.decode()
    for odd in ("?after=x", "?after=-1", "?after=99999999999", "?after="):
        assert body_of(browse().get(PAGE + odd).content.decode()) == body_of(now)


def test_places_won_and_lost_since_the_round_before(world, browse) -> None:
    small.played(world, world.matches[0], official=True)
    first = browse().get(PAGE).content.decode()
    assert "since the round before" not in first
    all_but_first = [match for match in world.matches if match != world.matches[0]]
    for match in all_but_first:
        small.played(world, match, official=True)
    assert "since the round before" in browse().get(PAGE).content.decode()


@pytest.mark.parametrize("sort", ["name", "difference", "played", "lost", "points_against", "lot"])
def test_the_table_is_sorted_by_links(world, browse, sort) -> None:
    Competition.objects.update(tie_breaks=["wins", "difference", "lot"])
    for lot, entrant in enumerate(world.entrants, start=1):
        Registration.objects.filter(entrant=entrant).update(lot=lot)
    small.played(world, official=True)
    html = browse().get(f"{PAGE}?sort={sort}").content.decode()
    order = [row.split(" ", 3)[1] for row in body_of(html)]
    assert (
        order
        == {
            "name": ["Bo", "Cleo", "Ana"],
            "difference": ["Ana", "Cleo", "Bo"],
            "played": ["Ana", "Bo", "Cleo"],
            "lost": ["Bo", "Ana", "Cleo"],
            "points_against": ["Bo", "Ana", "Cleo"],
            "lot": ["Ana", "Bo", "Cleo"],
        }[sort]
    )
    assert html.count("aria-sort=") == 1
    assert f"?sort={sort}" in html


def test_whoever_looks_reads_what_is_still_possible(world, browse) -> None:
    small.played(world, official=True)
    told = browse(world.alice).get(PAGE).content.decode()
    assert '<p class="prospect"><b><bdi>Ana Ruiz</bdi>:</b>' in told
    assert "A win against Cleo Diaz, by any score, gives place 1." in told or (
        "Places 1 to 3 are still possible." in told
    )
    # Nobody is followed where nobody is asked for; anybody can be.
    assert "prospect" not in browse().get(PAGE).content.decode()
    assert "<bdi>Bo Chen</bdi>:</b>" in (
        browse().get(f"{PAGE}?player={world.entrants[1].player.code}").content.decode()
    )
    assert "prospect" not in browse().get(f"{PAGE}?player=NOBODY").content.decode()


def test_when_all_is_played_nothing_is_still_possible(world, browse) -> None:
    all_played(world)
    assert "prospect" not in browse(world.alice).get(PAGE).content.decode()


def test_the_next_opponent_is_not_told_before_the_round_is_published(db, browse) -> None:
    world = small.build()
    days = world.competition.stages.get().matchdays
    days.filter(number__gt=1).update(published_at=None)
    for match in world.matches:
        if match.slot.matchday.number > 1:
            match.published_at = None
            match.save()
    html = browse(world.alice).get(PAGE).content.decode()
    assert '<p class="prospect">' in html
    assert "against" not in html.split('<p class="prospect">')[1].split("</p>")[0]


@pytest.mark.parametrize("count", [1, 3])
def test_the_pages_take_the_same_statements_for_one_and_three_results(
    world, browse, django_assert_num_queries, count
) -> None:
    Competition.objects.update(tie_breaks=EVERYTHING)
    for match in world.matches[:count]:
        small.played(world, match, official=True)
    client = browse()
    for address, statements in ((PAGE, 15), (f"{PAGE}?after=1&sort=lot", 15), (standing(world), 6)):
        client.get(address)
        with django_assert_num_queries(statements):
            client.get(address)


def test_a_table_of_forty_stays_light(db, browse) -> None:
    world = small.build(players=40)
    Competition.objects.update(tie_breaks=[*EVERYTHING[:-1], "direct_encounter"])
    for match in world.matches[:60]:
        small.played(world, match, official=True)
    page = browse().get(PAGE).content
    assert len(page) < 110_000
    assert len(gzip.compress(page)) < 12_000  # as it is sent


def test_the_legend_tells_the_points_and_every_tie_break(world, browse) -> None:
    Competition.objects.update(tie_breaks=EVERYTHING, win_points=3, bye_points=3)
    legend = text(browse().get(PAGE).content.decode().split('class="legend"')[1].split("</details>")[0])
    assert "Match points: 3 for a win, 1 for a draw, 0 for a loss, 3 for a bye." in legend
    for title in ("Match points (Pts)", "Sonneborn-Berger (SB)", "Buchholz without the lowest (BH-C1)", "Lot (Lot)"):
        assert title in legend


def test_a_new_tie_break_has_its_column(world, browse, monkeypatch) -> None:
    rest = TieBreakEntry(
        key="rest", name="rest", figure=lambda table, one: Figure(9 - len(table.bouts[one])), lowest_first=True
    )
    monkeypatch.setitem(TIE_BREAKS, "rest", rest)
    monkeypatch.setitem(COLUMNS, "rest", Column("rest", "R", "Rounds of rest", "Rounds without a match."))
    Competition.objects.update(tie_breaks=["rest", "wins"])
    small.played(world, official=True)  # Ana and Bo
    html = browse().get(f"{PAGE}?sort=rest").content.decode()
    assert "Rounds of rest (R) Rounds without a match." in text(html)
    assert 'aria-sort="ascending"' in html.split('title="Rounds of rest"')[0][-200:]
    assert [row.split(" ", 1)[0] for row in body_of(html)] == ["1", "2", "3"]
    code = world.entrants[0].player.code
    assert re.search(rf'href="standings/{code}/#rest"[^>]*>8<', html)


def test_the_chat_gets_every_tie_break(world, browse) -> None:
    Competition.objects.update(tie_breaks=EVERYTHING)
    small.played(world, official=True)
    with translation.override("en"):
        html = browse().get(f"{PAGE}text/").content.decode()
    assert "1. Ana Ruiz: P 1 · Pts 2 · SB 0 · BH-C1 0 · Avg 150 · +/− +55 · Lot –" in html


def test_ratings_at_the_start_open_to_whom_they_are_of(world, browse) -> None:
    Competition.objects.update(tie_breaks=["opponents_rating", "performance"])
    for rating, entrant in ((1612, world.entrants[0]), (1488, world.entrants[1])):
        Registration.objects.filter(entrant=entrant).update(rating=rating)
    all_played(world)
    html = browse().get(standing(world, 2)).content.decode()  # Cleo met both
    assert "(1612 + 1488) ÷ 2 ≈ 1550" in section(html, "opponents_rating") or "(1488 + 1612) ÷ 2 ≈ 1550" in section(
        html, "opponents_rating"
    )
    assert "50 % of the points that could be made are worth 0." in section(html, "performance")
    assert "No rating at the start" in text(html)
    ana = browse().get(standing(world)).content.decode()
    assert "Rating at the start: 1612" in text(ana)
    assert "Without a rating: it does not count." in section(ana, "opponents_rating")
    Competition.objects.update(tie_breaks=["wins"])
    assert "at the start" not in text(browse().get(standing(world)).content.decode())


def test_a_long_table_comes_in_pages_of_fifty_and_opens_where_one_stands(world, browse) -> None:
    people = [enrol(league=world.league, name=f"Guest {number:03}", since=small.FIRST.date()) for number in range(120)]
    made = found(world.league, Plan(name="Many", ruleset="udl", format="swiss"), user=world.owner)
    register(made, people)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    client, path = browse(), f"/competitions/harbour/{made.slug}/"
    assert names_in(client.get(path)) == [f"Guest {number:03}" for number in range(50)]
    assert names_in(client.get(path, {"rows": "3"})) == [f"Guest {number:03}" for number in range(100, 120)]
    assert names_in(client.get(path, {"rows": "99"})) == [f"Guest {number:03}" for number in range(100, 120)]
    code = people[70].player.code
    assert "Guest 070" in names_in(client.get(path, {"player": code}))
    standing = client.get(f"{path}standings/{code}/")
    assert standing.status_code == 200
    assert "of 120" in standing.content.decode()


def names_in(answer):
    body = answer.content.decode().split("<tbody>")[1].split("</tbody>")[0]
    return re.findall(r'class="plain-link" href="[^"]+">.*?<bdi>([^<]+)</bdi>', body)


def test_the_row_of_the_reader_is_marked_with_an_account_and_with_a_slip(world, browse) -> None:
    by_slip = browse()
    by_slip.get(f"/me/{world.entrants[1].door}/")
    marked = {}
    for name, client in (("account", browse(world.bob)), ("slip", by_slip), ("nobody", browse())):
        html = client.get(f"{PAGE}standings/").content.decode()
        marked[name] = re.findall(r'<tr class="followed">.*?<bdi>(.*?)</bdi>', html)
    assert marked == {"account": ["Bo Chen"], "slip": ["Bo Chen"], "nobody": []}
