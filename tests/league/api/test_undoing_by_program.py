"""What the pages of seeds, draws, earlier states, discarded drafts and rehearsals do, by a program."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from league.api.models import TokenScope
from league.competitions import jobs
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, DrawJob, EarlierState, Matchday, Rehearsal
from league.competitions.registration.entries import register
from league.competitions.snapshots import undoable
from league.players.models import Entrant
from league.players.services import enrol
from league.rehearsals import services as rehearsals
from tests.league.api.conftest import Program, problem_of
from tests.league.api.managed import founded
from tests.league.competitions.cup import published
from tests.league.competitions.registration.test_seeding import rate
from tests.league.world import NOON, World, make_world

CUP = "competitions/harbour/cup"
Send = Callable[..., Any]


@pytest.fixture
def world(db) -> World:
    return make_world()


@pytest.fixture
def people(world: World) -> list[Entrant]:
    return [world.ana, world.bo, *(enrol(league=world.league, name=name, since=NOON.date()) for name in ("Cy", "Dee"))]


@pytest.fixture
def cup(world: World, people: list[Entrant]) -> Competition:
    made = founded(world, "Cup")
    register(made, people)
    return made


@pytest.fixture
def owner(world: World, program: Program) -> Client:
    return program(world.owner, TokenScope.READ, TokenScope.MANAGE)


@pytest.fixture
def send(owner: Client) -> Send:
    def sent(path: str, body: dict[str, Any] | None = None, *, key: str = "") -> Any:
        headers = {"Idempotency-Key": key} if key else {}
        return owner.post(f"/api/v1/{path}", body or {}, content_type="application/json", headers=headers)

    return sent


@pytest.fixture
def told(owner: Client) -> Callable[[str], Any]:
    def asked(path: str) -> Any:
        answer = owner.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.content
        return answer.json()

    return asked


def names(cup: Competition) -> list[str]:
    rows = cup.registrations.order_by("seed").select_related("entrant__player")
    return [one.entrant.player.name.split()[0] for one in rows]


def codes(people: list[Entrant]) -> list[str]:
    return [one.player.code for one in people]


# --- Seeds ---


def test_seeds_by_hand_and_back(cup, people, send, told) -> None:
    before = told(f"{CUP}/seeds")
    assert [(one["seed"], one["full_name"]) for one in before["seeds"]][:2] == [(1, "Ana Ruiz"), (2, "Bo Chen")]
    wanted = {"by": "hand", "order": codes(people[::-1]), "seen": before["stand"]}
    after = send(f"{CUP}/seeds", wanted, key="once").json()
    assert send(f"{CUP}/seeds", wanted, key="once").json() == after
    assert [one["player"]["code"] for one in after["seeds"]] == codes(people[::-1])
    assert names(cup) == ["Dee", "Cy", "Bo", "Ana"]
    [change] = after["history"]
    assert (change["how"], change["made_by"], after["undoable"]) == ("hand", "owner", change["id"])
    back = send(f"seedings/{change['id']}/undoing")
    assert (back.status_code, names(cup), back.json()["stand"]) == (200, ["Ana", "Bo", "Cy", "Dee"], before["stand"])
    again = problem_of(send(f"seedings/{change['id']}/undoing"))
    assert (again["status"], again["code"]) == (409, "not-the-last")


def test_an_order_that_somebody_changed_meanwhile_is_not_written_over(cup, people, send, told) -> None:
    seen = told(f"{CUP}/seeds")["stand"]
    send(f"{CUP}/seeds", {"by": "hand", "order": codes(people[::-1])})
    found = problem_of(send(f"{CUP}/seeds", {"by": "hand", "order": codes(people), "seen": seen}))
    assert (found["status"], found["code"], found["errors"][0]["field"]) == (409, "seeds-changed", "seen")
    assert names(cup) == ["Dee", "Cy", "Bo", "Ana"]


def test_lots_are_drawn_once(cup, send) -> None:
    first = send(f"{CUP}/seeds", {"by": "lot"})
    assert (first.status_code, first.json()["lot"]) == (200, first.json()["history"][0]["id"])
    again = problem_of(send(f"{CUP}/seeds", {"by": "lot"}))
    assert (again["status"], again["code"], again["errors"][0]["field"]) == (409, "lots-drawn", "by")


def test_seeds_by_rating(world, cup, people, send) -> None:
    assert problem_of(send(f"{CUP}/seeds", {"by": "rating"}))["code"] == "nobody-rated"
    rate(world, Cy=1610)
    seeds = send(f"{CUP}/seeds", {"by": "rating"}).json()["seeds"]
    assert [(one["full_name"], one["rating"]) for one in seeds][:2] == [("Cy", 1610.0), ("Ana Ruiz", None)]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "by"),
        ({"by": "age"}, "by"),
        ({"by": "hand"}, "order"),
        ({"by": "lot", "order": []}, "order"),
        ({"by": "hand", "order": ["AAAAAAAA"]}, "order"),
        ({"by": "hand", "order": "AAAAAAAA"}, "order"),
    ],
)
def test_an_order_that_cannot_be(cup, send, body: dict, field: str) -> None:
    found = problem_of(send(f"{CUP}/seeds", body))
    assert (found["status"], found["code"], [one["field"] for one in found["errors"]]) == (422, "bad-field", [field])
    assert names(cup) == ["Ana", "Bo", "Cy", "Dee"]


def test_an_order_without_somebody_is_refused(cup, people, send) -> None:
    found = problem_of(send(f"{CUP}/seeds", {"by": "hand", "order": codes(people[:3])}))
    assert (found["status"], found["code"], found["errors"][0]["field"]) == (409, "other-entrants", "order")


# --- Draws ---


def test_a_draw_is_asked_for_and_published_once(cup, send, told) -> None:
    asked = send(f"{CUP}/draws", {"what": "first"}, key="draw")
    made = asked.json()
    assert (asked.status_code, asked.headers["Location"], made["state"]) == (201, made["url"], "done")
    assert (made["made"], made["progress"], made["asked_by"], made["code"]) == (1, 100, "owner", "")
    assert send(f"{CUP}/draws", {"what": "first"}, key="draw").json() == made
    assert DrawJob.objects.count() == 1
    assert told(f"draws/{made['id']}") == made
    assert told(f"{CUP}/draws")["results"] == [made]
    said = [send(f"{CUP}/publication").json() for _ in range(2)]
    assert [one["changed"] for one in said] == [True, False]
    assert said[0]["published_at"] == said[1]["published_at"]
    assert Competition.objects.get().published_at is not None


def test_a_draw_that_cannot_be_made_says_why(world, send) -> None:
    founded(world, "Cup")
    answer = send(f"{CUP}/draws", {"what": "first"})
    made = answer.json()
    assert (answer.status_code, made["state"], made["code"], made["made"]) == (201, "refused", "too-few", None)
    assert made["detail"]
    assert problem_of(send(f"{CUP}/publication"))["code"] == "not-drawn"


def test_a_large_draw_is_made_in_the_background(cup, send, told, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    answers = [send(f"{CUP}/draws", {"what": "first"}) for _ in range(2)]
    assert [one.status_code for one in answers] == [202, 202]
    assert answers[0].json() == answers[1].json()
    job = answers[0].json()
    assert (job["state"], job["done_at"]) == ("waiting", None)
    assert jobs.carry_out(job["id"])
    assert told(f"draws/{job['id']}")["state"] == "done"


def test_a_draw_with_those_who_are_here(cup, people, send) -> None:
    cup.registrations.filter(seed__lte=3).update(checked_in_at=NOON)
    other = send(f"{CUP}/draws", {"what": "here", "absent": codes(people[:1])}).json()
    assert (other["state"], other["code"]) == ("refused", "others-absent")
    done = send(f"{CUP}/draws", {"what": "here", "absent": codes(people[3:])}).json()
    assert (done["state"], names(cup)) == ("done", ["Ana", "Bo", "Cy"])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "what"),
        ({"what": "all"}, "what"),
        ({"what": "here"}, "absent"),
        ({"what": "first", "absent": []}, "absent"),
        ({"what": "here", "absent": ["AAAAAAAA"]}, "absent"),
    ],
)
def test_a_draw_that_cannot_be_asked_for(cup, send, body: dict, field: str) -> None:
    found = problem_of(send(f"{CUP}/draws", body))
    assert (found["code"], [one["field"] for one in found["errors"]]) == ("bad-field", [field])
    assert not DrawJob.objects.exists()


def test_rounds_are_published_one_by_one_in_their_turn(world, people, send) -> None:
    swiss = founded(world, "Cup", format="swiss", rounds=3)
    register(swiss, people)
    draw(swiss, user=world.owner)
    send(f"{CUP}/publication")
    first = send(f"{CUP}/rounds/1/publication").json()
    assert first["changed"] is False
    assert send(f"{CUP}/draws", {"what": "next"}).json()["code"] == "results-missing"
    assert problem_of(send(f"{CUP}/rounds/2/publication"))["code"] == "not-found"
    assert problem_of(send(f"{CUP}/rounds/1/publication", {"reason": 3 * ["x"]}))["code"] == "bad-field"


# --- Earlier states ---


def test_an_act_is_undone_once(world, cup, people, send, told) -> None:
    draw(cup, user=world.owner)
    send(f"{CUP}/seeds", {"by": "hand", "order": codes(people[::-1])})
    assert not Matchday.objects.exists()
    [state] = told(f"{CUP}/earlier-states")["results"]
    assert (state["before"], state["made_by"], state["entrants"], state["rounds"]) == ("seeded", "owner", 4, 2)
    assert (state["in_the_way"], state["restored_at"]) == (None, None)
    path, body = f"{CUP}/earlier-states/{state['id']}/restoration", {"newest": state["id"]}
    done = [send(path, body, key="undo").json() for _ in range(2)]
    assert done == [{"done": True, "left_out": []}] * 2
    assert send(path, body).json() == {"done": False, "left_out": []}
    assert (names(cup), Matchday.objects.count()) == (["Ana", "Bo", "Cy", "Dee"], 2)
    newest, old = told(f"{CUP}/earlier-states")["results"]
    assert (newest["before"], old["restored_by"], old["in_the_way"]["code"]) == ("undone", "owner", "restored-already")


def test_nothing_is_undone_that_was_not_looked_at(world, cup, people, send) -> None:
    for order in (people[::-1], people):
        send(f"{CUP}/seeds", {"by": "hand", "order": codes(order)})
    last, first = undoable(cup)
    found = problem_of(send(f"{CUP}/earlier-states/{first.pk}/restoration", {"newest": first.pk}))
    assert (found["status"], found["code"]) == (409, "changed-meanwhile")
    found = problem_of(send(f"{CUP}/earlier-states/987654/restoration", {"newest": last.pk}))
    assert (found["status"], found["code"]) == (409, "state-gone")
    for body in ({}, {"newest": "x"}, {"newest": 0}):
        found = problem_of(send(f"{CUP}/earlier-states/{first.pk}/restoration", body))
        assert (found["code"], found["errors"][0]["field"]) == ("bad-field", "newest")


def test_what_is_published_is_not_undone_and_says_so(world, cup, people, send, told) -> None:
    send(f"{CUP}/seeds", {"by": "hand", "order": codes(people[::-1])})
    draw(cup, user=world.owner)
    send(f"{CUP}/publication")
    [state] = told(f"{CUP}/earlier-states")["results"]
    assert state["in_the_way"]["code"] == "already-published"
    assert "Cup" in state["in_the_way"]["detail"]
    found = problem_of(send(f"{CUP}/earlier-states/{state['id']}/restoration", {"newest": state["id"]}))
    assert (found["status"], found["code"]) == (409, "already-published")
    assert problem_of(send(f"{CUP}/discarding"))["code"] == "already-published"


def test_a_draft_is_discarded_and_brought_back(world, cup, send, told) -> None:
    gone = [send(f"{CUP}/discarding", key="away") for _ in range(2)]
    assert [one.status_code for one in gone] == [200, 200]
    assert gone[0].content == gone[1].content
    assert send(f"{CUP}/discarding").status_code == 404
    [state] = told("leagues/harbour/discarded")["results"]
    assert state == gone[0].json()
    assert (state["name"], state["before"], state["entrants"]) == ("Cup", "discarded", 4)
    back = [send(f"leagues/harbour/discarded/{state['id']}/return").json() for _ in range(2)]
    assert back[0] == back[1]
    assert (back[0]["slug"], names(Competition.objects.get())) == ("cup", ["Ana", "Bo", "Cy", "Dee"])
    assert told("leagues/harbour/discarded")["results"] == []
    found = problem_of(send("leagues/harbour/discarded/987654/return"))
    assert (found["status"], found["code"]) == (409, "state-gone")
    assert EarlierState.objects.get().restored_by == world.owner


# --- Rehearsals ---


def test_a_rehearsal_is_played_and_its_report_read(cup, send, told) -> None:
    body = {"entrants": 5, "seed": 9, "mishaps": {"protest": True}}
    answer = send(f"{CUP}/rehearsals", body, key="r")
    made = answer.json()
    assert (answer.status_code, answer.headers["Location"]) == (201, made["url"])
    assert (made["state"], made["progress"], made["seed"], made["entrants"]) == ("done", 100, 9, 5)
    assert made["mishaps"]["protest"] is True
    assert [event["what"] for event in made["report"]["events"]] == ["protest"]
    assert made["report"]["ended"]
    assert send(f"{CUP}/rehearsals", body, key="r").json() == made
    assert told(f"rehearsals/{made['id']}") == made
    [listed] = told(f"{CUP}/rehearsals")["results"]
    assert listed == {name: value for name, value in made.items() if name != "report"}
    gone = send(f"rehearsals/{made['id']}/removal", key="x")
    assert gone.json() == {"changed": 1}
    assert send(f"rehearsals/{made['id']}/removal", key="x").content == gone.content
    assert send(f"rehearsals/{made['id']}/removal").status_code == 404
    assert not Rehearsal.objects.exists()


def test_a_large_rehearsal_is_played_in_the_background(cup, send, told, monkeypatch) -> None:
    monkeypatch.setattr(rehearsals, "AT_ONCE", 0)
    answers = [send(f"{CUP}/rehearsals", {"entrants": size}) for size in (4, 8)]
    assert [one.status_code for one in answers] == [202, 202]
    assert answers[0].json() == answers[1].json(), "one at a time"
    job = answers[0].json()
    cache.set(f"rehearsal:{job['id']}", 40)
    waits = told(f"rehearsals/{job['id']}")
    assert (waits["state"], waits["progress"], waits["report"]) == ("waiting", 40, {})
    assert rehearsals.carry_out(job["id"])
    assert told(f"rehearsals/{job['id']}")["report"]["ended"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "entrants"),
        ({"entrants": 1}, "entrants"),
        ({"entrants": 4, "seed": -1}, "seed"),
        ({"entrants": 4, "mishaps": {"withdraw_after": 1000}}, "mishaps"),
        ({"entrants": 4, "mishaps": ["rain"]}, "mishaps"),
    ],
)
def test_a_rehearsal_that_cannot_be(cup, send, body: dict, field: str) -> None:
    found = problem_of(send(f"{CUP}/rehearsals", body))
    assert (found["code"], [one["field"] for one in found["errors"]]) == ("bad-field", [field])
    assert not Rehearsal.objects.exists()


def test_a_rehearsal_that_is_too_large_is_refused_at_its_field(cup, send, monkeypatch) -> None:
    monkeypatch.setattr(rehearsals, "MOST_MATCHES", {"sqlite": 2, "postgresql": 2})
    found = problem_of(send(f"{CUP}/rehearsals", {"entrants": 16}))
    assert (found["status"], found["code"], found["errors"][0]["field"]) == (422, "rehearsal-too-large", "entrants")


# --- Late entries ---


def test_a_bye_of_a_double_elimination_by_program(world, send, told) -> None:
    made = published(world, 5, name="Double", format="double_elimination")
    path = f"competitions/{made.league.slug}/{made.slug}/late-entries"
    offered = told(path)["offers"]
    assert [one["places"][0]["more_matches"] for one in offered] == [1, 1, 1]
    last = offered[-1]["places"][0]
    answer = send(path, {"name": "Zoe Late", "slot": last["slot"]})
    assert (answer.status_code, answer.json()["places"], answer.json()["seed"]) == (201, [last], 6)
    again = problem_of(send(path, {"name": "Zed Later", "slot": last["slot"]}))
    assert (again["status"], again["code"]) == (422, "bye-taken")
    player = told(path)["undoable"]
    assert player == answer.json()["player"]
    undone = send(f"{path}/undoing", {"player": player["code"]})
    assert (undone.status_code, undone.json()) == (200, {"offers": offered, "undoable": None})
