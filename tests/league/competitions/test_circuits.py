"""Circuits: finished evenings count, drafts and running ones don't, and an amendment moves the ranking."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.competitions.circuits import CircuitPlan, change_circuit, found_circuit, remove_circuit
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.formats.circuit import PointsBy
from league.competitions.honours import honour_differences, settle_missed
from league.competitions.import_export.league import league_file, league_files
from league.competitions.models import Circuit, CircuitPlace, Competition, Stage
from league.competitions.queries.circuits import circuit_page
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from league.players.models import Entrant
from league.players.services import enrol, merge, unmerge
from tests.league.competitions.amended import amend, played_out, score
from tests.league.competitions.cup import KNOCK_OUT, drafted, published, slot
from tests.league.competitions.queries.test_final_places import play
from tests.league.world import NOON

pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()


def plan(*competitions, **changes):
    usual = {"name": "Tuesdays", "points_by": PointsBy.LIST, "points": (10, 8, 6, 5)}
    return CircuitPlan(**usual | {"competitions": [one.pk for one in competitions]} | changes)


def founded(world, *competitions, **changes):
    return found_circuit(world.league, plan(*competitions, **changes), user=world.owner)


def evening(world, name, count=4, **facts):
    """A finished evening of Ana, Bo, P3 …, the same each time; the better seed has won each match."""
    plan = {"name": name, "ruleset": "udl", "format": KNOCK_OUT, "starts_at": NOON} | facts
    made = found(world.league, Plan(**plan), user=world.owner)
    register(made, [world.ana, world.bo, *(_called(world, f"P{number}") for number in range(3, count + 1))][:count])
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    play(world, made)
    return made


def _called(world, name):
    known = Entrant.objects.filter(league=world.league, player__name=name).first()
    return known or enrol(league=world.league, name=name, since=NOON.date())


def ranking(circuit, asker=NOBODY):
    page = circuit_page(asker, "harbour", circuit.slug)
    return [(line.row.rank, line.entrant.name, str(line.row.points)) for line in page.lines]


def test_finished_evenings_of_every_format_count(world):
    cup, double, robin = (
        evening(world, name, format=kind)
        for name, kind in (("Cup", "single_elimination"), ("Two lives", "double_elimination"), ("All", "round_robin"))
    )
    circuit = founded(world, cup, double, robin)
    assert ranking(circuit) == [], "places are copied after the commit"
    settle_missed()
    # 10 each time; 8 each time; 5.5 + 6 + 6, 5.5 + 5 + 5.
    assert ranking(circuit) == [
        (1, "Ana Ruiz", "30"),
        (2, "Bo Chen", "24"),
        (3, "P3", "35/2"),
        (4, "P4", "31/2"),
    ]


def test_neither_drafts_nor_running_evenings_count_and_nobody_sees_a_draft(world):
    done, running, draft = evening(world, "Done"), published(world, 4, name="Running"), drafted(world, 4, name="Draft")
    circuit = founded(world, done, running, draft)
    settle_missed()
    assert ranking(circuit)[0] == (1, "Ana Ruiz", "10")
    seen = {who: circuit_page(user, "harbour", circuit.slug) for who, user in (("all", NOBODY), ("staff", world.owner))}
    assert {one.name for one in seen["all"].evenings} == {"Done", "Running"}
    assert {one.name for one in seen["staff"].evenings} == {"Done", "Running", "Draft"}
    assert [one.name for one in seen["staff"].counting] == ["Done"]
    Stage.objects.filter(competition=done).update(finished_at=None)
    assert ranking(circuit) == [], "an evening that is open again"


def test_an_amended_final_moves_the_ranking_and_the_check_finds_a_wrong_copy(world):
    cup, _first = played_out(world)
    circuit = founded(world, cup)
    settle_missed()
    assert [name for _rank, name, _points in ranking(circuit)][:2] == ["Ana Ruiz", "Bo Chen"]
    amend(world, slot(cup, 2, 1).match, score(80, 150))
    assert ranking(circuit) == []
    settle_missed()
    assert [name for _rank, name, _points in ranking(circuit)][:2] == ["Bo Chen", "Ana Ruiz"]
    assert honour_differences(cup) == []
    CircuitPlace.objects.filter(registration__entrant=world.bo).update(first=2, last=2)
    [found] = honour_differences(cup)
    assert (found.where, found.says, found.should) == (f"place in circuits of entrant {world.bo.pk}", (2, 2), (1, 1))


def test_merged_players_have_one_row_and_two_again_when_it_is_undone(world):
    double = enrol(league=world.league, name="Anna Ruiz", since=NOON.date())
    first, second = evening(world, "One", 2), drafted(world, 2, name="Two")
    second.registrations.filter(entrant=world.ana).update(entrant=double)
    draw(second, user=world.owner)
    publish(second, user=world.owner)
    play(world, second)
    circuit = founded(world, first, second)
    settle_missed()
    apart = [(1, "Bo Chen", "16"), (2, "Ana Ruiz", "10"), (2, "Anna Ruiz", "10")]
    assert ranking(circuit) == apart
    done = merge(kept=world.ana.player, absorbed=double.player, league=world.league, by=world.owner)
    assert ranking(circuit) == [(1, "Ana Ruiz", "20"), (2, "Bo Chen", "16")]
    Competition.objects.update(honours_at=None)
    settle_missed()
    unmerge(done, league=world.league, by=world.owner)
    assert ranking(circuit) == apart


def test_statements_do_not_grow_with_evenings_and_entrants(world):
    def statements(*competitions):
        circuit = founded(world, *competitions, name=f"Of {len(competitions)}")
        settle_missed()
        with CaptureQueriesContext(connection) as asked:
            assert ranking(circuit)
        return len(asked)

    cups = [evening(world, f"Cup {number}", number + 2) for number in range(3)]
    assert statements(cups[0]) == statements(*cups) == 3


@pytest.mark.parametrize(
    ("code", "changes"),
    [
        ("bad-name", {"name": " "}),
        ("name-taken", {"name": "TUESDAYS"}),
        ("bad-points", {"points": ()}),
        ("bad-points", {"points": (10, -1)}),
        ("bad-counted", {"counted": 201}),
        ("not-of-league", {"competitions": [987654]}),
        ("too-many-evenings", {"competitions": range(1, 300)}),
    ],
)
def test_what_a_circuit_refuses(world, code, changes):
    founded(world)
    with pytest.raises(Refused) as refused:
        founded(world, **{"name": "Another"} | changes)
    assert refused.value.code == code
    assert Circuit.objects.count() == 1


def test_pairs_and_single_players_have_circuits_of_their_own(world):
    single, pairs = published(world, 2, name="Single"), drafted(world, 2, name="Pairs")
    Competition.objects.filter(pk=pairs.pk).update(pairs=True)
    with pytest.raises(Refused) as refused:
        founded(world, single, pairs)
    assert refused.value.code == "pairs-and-singles"


def test_a_manager_changes_and_removes_it_and_nobody_else(world):
    cup = evening(world, "Cup")
    circuit = founded(world)
    for act in (
        lambda: found_circuit(world.league, plan(name="Mine"), user=world.referee),
        lambda: change_circuit(circuit, plan(cup), user=world.referee),
        lambda: remove_circuit(circuit, user=world.referee),
    ):
        with pytest.raises(NotAllowed):
            act()
    change_circuit(circuit, plan(cup, name="Wednesdays", points_by=PointsBy.ENTRANTS), user=world.owner)
    settle_missed()
    circuit.refresh_from_db()
    assert (circuit.name, circuit.slug, circuit.points) == ("Wednesdays", "tuesdays", [])
    assert ranking(circuit)[0] == (1, "Ana Ruiz", "4")
    remove_circuit(circuit, user=world.owner)
    assert not Circuit.objects.exists()
    assert Competition.objects.filter(pk=cup.pk).exists()


def test_the_files_of_a_league_have_its_circuits(world):
    circuit = founded(world, evening(world, "Cup"), counted=1)
    settle_missed()
    told = {"slug": "tuesdays", "name": "Tuesdays", "points_by": "list", "points": [10, 8, 6, 5], "counted": 1}
    assert league_file(NOBODY, world.league)["circuits"] == [told | {"competitions": ["cup"]}]
    rows = league_files(NOBODY, world.league)[f"circuit-{circuit.slug}.csv"].decode("utf-8-sig").splitlines()
    assert rows[0] == '"place","code","name","points","evenings","won","cup place","cup points","cup counts"'
    ana, p3 = world.ana.player.code, circuit.competitions.get().registrations.get(seed=3).entrant.player.code
    assert rows[1] == f'1,"{ana}","Ana Ruiz",10,1,1,1,10,"true"'
    assert rows[3] == f'3,"{p3}","P3",5.5,1,0,"3–4",5.5,"true"'
