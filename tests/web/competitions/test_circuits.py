"""The pages of a circuit: founded by a form, ranked in public, as text and as a table, changed and removed."""

import pytest

from league.competitions.circuits import CircuitPlan, found_circuit
from league.competitions.formats.circuit import PointsBy
from league.competitions.honours import settle_missed
from league.competitions.models import Circuit
from tests.web import world as small


@pytest.fixture
def cups(world):
    return [small.finished_knock_out(world, players=players, name=f"Cup {players}") for players in (4, 2)]


def circuit_of(world, *competitions, **changes):
    keys = [one.pk for one in competitions]
    usual = {"name": "Tuesdays", "points_by": PointsBy.LIST, "points": (10, 8, 6, 5), "competitions": keys}
    made = found_circuit(world.league, CircuitPlan(**usual | changes), user=world.owner)
    settle_missed()
    return made


def test_an_organizer_founds_one_with_a_form_and_everybody_sees_the_ranking(world, browse, cups):
    owner = browse(world.owner)
    assert owner.get("/organize/harbour/new-circuit/").status_code == 200
    sent = {"name": "Tuesdays", "points_by": "list", "points": "10, 8; 6 5", "counted": "1"}
    sent |= {"competitions": [one.pk for one in cups]}
    answer = owner.post("/organize/harbour/new-circuit/", sent)
    assert answer["Location"] == "/circuits/harbour/tuesdays/"
    settle_missed()
    page = browse().get("/circuits/harbour/tuesdays/").content.decode()
    for told in ("2 of 2 evenings finished", "<td>(10)</td>", "<td>5.50</td>", "Points by place: 10, 8, 6, 5."):
        assert told in page
    assert "/organize/" not in page.split("<main")[1].split("</main>")[0]
    assert '<a class="open" href="/circuits/harbour/tuesdays/">' in browse().get("/leagues/harbour/").content.decode()
    assert '<a class="open" href="/circuits/harbour/tuesdays/">' in browse().get("/circuits/harbour/").content.decode()


def test_as_text_and_as_a_table(world, browse, cups):
    circuit_of(world, *cups, counted=1)
    text = browse().get("/circuits/harbour/tuesdays/text/").content.decode()
    assert "1. Ana Ruiz: 10 · 10, (10)\n2. Bo Chen: 8 · 8, (8)\n3. " in text
    assert ": 5.50 · 5.50, –" in text
    table = browse().get("/circuits/harbour/tuesdays/ranking.csv")
    assert table["Content-Disposition"] == 'attachment; filename="tuesdays-ranking.csv"'
    assert len(table.content.decode("utf-8-sig").splitlines()) == 5


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"points": "10, x"}, "Write whole numbers with commas between them"),
        ({"points": ""}, "Write the points from the first place on"),
        ({"counted": "0"}, "greater than or equal to 1"),
        ({"name": "Tuesdays"}, "has a circuit “Tuesdays” already"),
        ({"competitions": ["987654"]}, "A circuit has competitions of Harbour only."),
    ],
)
def test_a_refused_form_says_why_and_keeps_what_was_typed(world, browse, cups, changes, told):
    circuit_of(world)
    sent = {"name": "Other", "points_by": "list", "points": "7, 3", "competitions": [cups[0].pk]} | changes
    answer = browse(world.owner).post("/organize/harbour/new-circuit/", sent)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert told in page
    assert f'value="{sent["name"]}"' in page
    assert Circuit.objects.count() == 1


def test_it_is_changed_and_removed(world, browse, cups):
    circuit_of(world, cups[0])
    owner, address = browse(world.owner), "/organize/harbour/circuits/tuesdays/"
    page = owner.get(address).content.decode()
    assert f'value="{cups[0].pk}" checked' in page
    assert f'value="{cups[1].pk}" checked' not in page
    sent = {"name": "Wednesdays", "points_by": "percent", "points": "", "competitions": [cups[1].pk]}
    assert owner.post(address, sent)["Location"] == "/circuits/harbour/tuesdays/"
    settle_missed()
    page = browse().get("/circuits/harbour/tuesdays/").content.decode()
    assert "Wednesdays" in page
    assert '<td class="strong">100</td>' in page
    assert owner.post(address, {"do": "remove"})["Location"] == "/circuits/harbour/"
    assert browse().get("/circuits/harbour/tuesdays/").status_code == 404


def test_a_draft_among_the_evenings_is_shown_to_the_staff_alone(world, browse, cups):
    type(cups[0]).objects.filter(pk=cups[0].pk).update(published_at=None)
    circuit_of(world, *cups)
    assert "Cup 4" not in browse().get("/circuits/harbour/tuesdays/").content.decode()
    assert "Cup 4" in browse(world.ref).get("/circuits/harbour/tuesdays/").content.decode()
