"""Disputes over the API: protest, facts, ruling, second official, appeal; and only what the asker may see."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role, User
from league.api.models import StoredAnswer
from league.disputes.court_rules import WantedRules, change_rules
from league.disputes.models import Dispute, DisputeLook
from referee.rulings.amending import verify_amended
from referee.rulings.reading import read_ruling
from tests.league.api.conftest import Program, problem_of
from tests.league.api.disputed import PICTURE, PROTEST, RULING, disputed
from tests.league.api.played import Played
from tests.league.world import person


def post(client, path, data=None, **headers):
    return client.post(f"/api/v1/{path}", data or {}, content_type="application/json", headers=headers)


@pytest.fixture
def people(played: Played, program: Program):
    world = played.world
    users = {"bo": world.bob, "ana": world.alice, "judge": world.referee, "second": world.second_referee}
    return {name: program(user) for name, user in users.items()} | {"nobody": program(None)}


def protested(played: Played, client, **more) -> str:
    answer = post(client, f"games/{played.game.code}/disputes", PROTEST | more)
    assert answer.status_code == 201, answer.content
    return answer.json()["code"]


def case(client, code):
    return client.get(f"/api/v1/disputes/{code}").json()


def test_a_protest_is_asked_about_then_filed_then_joined(played: Played, people) -> None:
    path = f"games/{played.game.code}/disputes"
    asked = post(people["bo"], f"{path}/preview", PROTEST)
    assert (asked.status_code, asked.json()["rule"]) == (200, "udl.record")
    assert not Dispute.objects.exists()
    made = post(people["bo"], path, PROTEST).json()
    assert (made["game"], made["kind"], made["line"], made["side"], made["state"]) == (
        *(played.game.code, "muggins", 12, 2, "open"),
    )
    joined = post(people["ana"], path, PROTEST | {"sentence": "Mine too"}).json()
    assert joined["code"] == made["code"]
    listed = people["nobody"].get(f"/api/v1/disputes?game={played.game.code}").json()["results"]
    assert listed == [people["nobody"].get("/api/v1/disputes").json()["results"][0]]
    assert [one["code"] for one in listed] == [made["code"]]


def test_from_the_facts_to_the_confirmed_ruling_and_its_text(played: Played, people) -> None:
    code = protested(played, people["bo"])
    early = post(people["judge"], f"disputes/{code}/rulings", RULING)
    assert problem_of(early)["code"] == "facts-first"
    asked = case(people["judge"], code)
    assert (asked["question"]["fact"], asked["proposal"]) == ("called", None)
    post(people["judge"], f"disputes/{code}/facts", {"answer": "no", "seen": asked["seen"]})
    found = case(people["judge"], code)
    assert (found["state"], found["proposal"]["certainty"]) == ("found", "follows if")
    assert found["proposal"]["decided"]["scores"] == [{"side": 1, "points": 115}, {"side": 2, "points": 165}]
    assert "udl.muggins" in {rule["id"] for rule in found["proposal"]["rules"]}
    preview = post(people["judge"], f"disputes/{code}/rulings/preview", RULING).json()
    assert (preview["waits"], preview["appeal"], preview["effect"] is not None) == (True, True, True)
    assert not Dispute.objects.filter(state="waiting").exists()
    given = post(people["judge"], f"disputes/{code}/rulings", RULING | {"seen": found["seen"]}).json()
    assert given["state"] == "waiting"
    own = problem_of(post(people["judge"], f"disputes/{code}/confirmation"))
    assert (own["status"], own["code"]) == (403, "own-ruling")
    done = post(people["second"], f"disputes/{code}/confirmation").json()
    assert (done["state"], done["outcome"]) == ("ruled", "call")
    (ruled,) = [one for one in case(people["nobody"], code)["entries"] if one["kind"] == "ruled"]
    text = people["nobody"].get(ruled["text"])
    assert text.headers["Content-Disposition"] == f'attachment; filename="{code}-{ruled["number"]}.ruling"'
    (amended,) = verify_amended(played.game.records.first().sealed.text, [read_ruling(text.content.decode())])
    assert amended.verdict.totals == (115, 165)
    (row,) = people["nobody"].get("/api/v1/leagues/harbour/rulings").json()["results"]
    assert (row["code"], row["reason"], row["players"]) == (code, "The call was late", ["Ana Ruiz", "Bo Chen"])


CARD = {
    "scores": [150, 95],
    "ended": "target",
    "winner": 0,
    "rounds": [{"play": [130, 95], "muggins": [20, 0], "totals": [150, 95]}],
}


def test_a_hand_of_a_card_follows_the_rule_of_proof(played: Played, people) -> None:
    path = f"games/{played.open_game.code}"
    entered = post(people["ana"], f"{path}/sheets", {"kind": "card", "sheet": CARD})
    assert entered.status_code == 201, entered.content
    body = {
        "kind": "muggins",
        "hand": 1,
        "column": "muggins",
        "against": 1,
        "number": 10,
        "sentence": "Ten, not twenty",
    }
    code = post(people["bo"], f"{path}/disputes", body).json()["code"]
    post(people["judge"], f"disputes/{code}/facts", {"answer": None})
    found = case(people["judge"], code)
    assert (found["question"], found["proposal"]["certainty"]) == (None, "not known")
    assert found["proposal"]["decided"]["scores"] == [{"side": 1, "points": 140}, {"side": 2, "points": 95}]
    dismissed = RULING | {"outcome": "dismissed"}
    assert post(people["judge"], f"disputes/{code}/rulings", dismissed).json()["outcome"] == "dismissed"


def test_a_second_decision_meets_409(played: Played, people) -> None:
    code = protested(played, people["bo"])
    seen = case(people["judge"], code)["seen"]
    post(people["judge"], f"disputes/{code}/facts", {"answer": "yes", "seen": seen})
    late = problem_of(post(people["second"], f"disputes/{code}/facts", {"answer": "no", "seen": seen}))
    assert (late["status"], late["code"]) == (409, "decided-meanwhile")


def test_an_offer_is_accepted_by_the_other_side(played: Played, people) -> None:
    code = protested(played, people["bo"])
    offer = {"scores": [115, 165], "winner": 2, "ended": "target"}
    post(people["bo"], f"disputes/{code}/offers", offer)
    (made,) = [one for one in case(people["ana"], code)["entries"] if one["kind"] == "offered"]
    assert made["offer"] == offer
    own = post(people["bo"], f"disputes/{code}/agreement", {"offer": made["number"]})
    assert problem_of(own)["code"] == "own-offer"
    agreed = post(people["ana"], f"disputes/{code}/agreement", {"offer": made["number"]}).json()
    assert agreed["state"] == "agreed"
    assert people["nobody"].get("/api/v1/leagues/harbour/rulings").json()["count"] == 0


def test_a_protest_is_withdrawn_by_its_side_alone(played: Played, people) -> None:
    code = protested(played, people["bo"])
    assert post(people["ana"], f"disputes/{code}/withdrawal").status_code == 403
    assert post(people["bo"], f"disputes/{code}/withdrawal").json()["state"] == "withdrawn"


def test_an_appeal_goes_to_somebody_else(played: Played, people) -> None:
    code = protested(played, people["bo"])
    post(people["judge"], f"disputes/{code}/facts", {"answer": "yes"})
    post(people["judge"], f"disputes/{code}/rulings", RULING | {"outcome": "dismissed"})
    appealed = post(people["bo"], f"disputes/{code}/appeal", {"sentence": "Nobody asked Cy"}).json()
    assert appealed["state"] == "appealed"
    again = problem_of(post(people["judge"], f"disputes/{code}/facts", {"answer": "no"}))
    assert (again["status"], again["code"]) == (403, "decided-before")


def texts_of(answer) -> str:
    return answer.content.decode()


def test_words_and_proposal_reach_nobody_else(played: Played, people) -> None:
    """Every address of a case, for every asker, at each stage."""
    code = protested(played, people["bo"])
    post(people["ana"], f"disputes/{code}/statements", {"text": "I called at once"})
    told = {name: texts_of(client.get(f"/api/v1/disputes/{code}")) for name, client in people.items()}
    assert {name for name, text in told.items() if "I announced five" in text} == {"bo"}
    assert {name for name, text in told.items() if "I called at once" in text} == {"ana"}
    post(people["judge"], f"disputes/{code}/facts", {"answer": "no"})
    told = {name: case(client, code) for name, client in people.items()}
    assert {name for name, one in told.items() if one["proposal"]} == {"judge", "second"}
    assert {name for name, one in told.items() if any(entry["answer"] for entry in one["entries"])} == {
        *("judge", "second"),
    }
    post(people["judge"], f"disputes/{code}/rulings", RULING)
    told = {name: case(client, code) for name, client in people.items()}
    outcomes = {
        name: [entry["outcome"] for entry in one["entries"] if entry["kind"] == "ruled"] for name, one in told.items()
    }
    assert {name for name, found in outcomes.items() if found == ["call"]} == {"judge", "second"}
    assert {name for name, one in told.items() if "The call was late" in str(one)} <= {"judge", "second"}
    number = max(entry["number"] for entry in told["judge"]["entries"])
    answers = {name: client.get(f"/api/v1/disputes/{code}/rulings/{number}.ruling") for name, client in people.items()}
    assert {name for name, answer in answers.items() if answer.status_code == 200} == {"judge", "second"}


def test_the_desk_acts_in_the_name_of_a_side(played: Played, people) -> None:
    path = f"games/{played.game.code}/disputes"
    made = post(people["judge"], path, PROTEST | {"side": 2}).json()
    assert (made["side"], Dispute.objects.get().via) == (2, "desk")
    code = made["code"]
    assert (
        post(people["judge"], f"disputes/{code}/statements", {"text": "I called at once", "side": 1}).status_code == 200
    )
    again = problem_of(post(people["ana"], f"disputes/{code}/statements", {"text": "Once more"}))
    assert (again["status"], again["code"]) == (409, "stated-already")
    assert post(people["judge"], f"disputes/{code}/withdrawal", {"side": 2}).json()["state"] == "withdrawn"


def test_a_look_at_the_words_is_logged_and_no_stored_answer_has_them(played: Played, people) -> None:
    code = protested(played, people["bo"])
    key = {"Idempotency-Key": "once"}
    acts = [("bo", "statements", {"text": "She called late"}), ("judge", "facts", {"answer": "yes"})]
    for name, act, body in acts:
        assert post(people[name], f"disputes/{code}/{act}", body, **key).json()["code"] == code
    assert not DisputeLook.objects.exists()
    case(people["second"], code)
    assert not DisputeLook.objects.exists()
    assert "She called late" in str(case(people["judge"], code))
    assert DisputeLook.objects.get().user == played.world.referee
    stored = [one.body for one in StoredAnswer.objects.all()]
    assert len(stored) == 2
    assert not any("She called late" in body or "I announced five" in body for body in stored)


def test_disputes_about_conduct_are_for_the_sides_and_the_staff(played: Played, people, program: Program) -> None:
    body = {"kind": "conduct", "sentence": "He shouted"}
    code = post(people["bo"], f"games/{played.game.code}/disputes", body).json()["code"]
    player = person("ella")
    Role.objects.create(user=player, league=played.world.league, kind=Role.Kind.PLAYER)
    everybody = people | {"other": program(player)}
    seen = {name for name, one in everybody.items() if one.get(f"/api/v1/disputes/{code}").status_code == 200}
    assert seen == {"bo", "ana", "judge", "second"}
    listed = {name for name, one in everybody.items() if one.get("/api/v1/disputes").json()["count"]}
    assert listed == seen


def test_a_case_takes_the_same_number_of_statements_with_more_entries(played: Played, people) -> None:
    code = protested(played, people["bo"])
    counts = []
    for turn in range(3):
        case(people["second"], code)  # the use of the token is noted with the first
        with CaptureQueriesContext(connection) as found:
            assert case(people["second"], code)["seen"] == 1 + turn * 2
        counts.append(len(found))
        for name in ("bo", "ana"):
            post(people[name], f"disputes/{code}/offers", {"scores": []})
    assert len(set(counts)) == 1


def test_one_idempotency_key_is_one_protest(played: Played, people) -> None:
    answers = [
        post(people["bo"], f"games/{played.game.code}/disputes", PROTEST, **{"Idempotency-Key": "once"})
        for _ in range(2)
    ]
    assert answers[0].content == answers[1].content
    assert Dispute.objects.get().entries.count() == 1


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"kind": "guess", "sentence": "x"}, "bad-field"),
        ({"kind": "count", "sentence": "x" * 281}, "bad-field"),
        ({"kind": "count", "sentence": "x", "line": 1}, "no-such-line"),
        ({"kind": "count", "sentence": "x", "line": 12}, "not-admitted"),
        ({"kind": "count", "sentence": "x", "line": 12, "record": 987654}, "bad-field"),
        ({"kind": "catch", "sentence": "x", "line": 12, "against": 5}, "no-side"),
    ],
)
def test_a_protest_that_cannot_be_is_refused(played: Played, people, body, code: str) -> None:
    found = problem_of(post(people["bo"], f"games/{played.game.code}/disputes", body))
    assert (found["status"], found["code"]) == (422, code)
    assert not Dispute.objects.exists()


def test_a_photo_is_for_the_judge_of_the_case_and_each_look_is_logged(played: Played, people) -> None:
    code = protested(played, people["bo"])
    path = f"/api/v1/disputes/{code}/photos"
    added = people["bo"].post(path, PICTURE, content_type="image/png", headers={"Idempotency-Key": "one"})
    assert (added.status_code, added.json()["seen"]) == (201, 2)
    again = people["bo"].post(path, PICTURE, content_type="image/png", headers={"Idempotency-Key": "one"})
    assert (again.headers["Idempotent-Replay"], again.content) == ("true", added.content)
    for name in ("bo", "ana", "judge", "second"):
        refused = people[name].get(f"{path}/2")
        assert (refused.status_code, problem_of(refused)["code"]) == (403, "private")
        assert case(people[name], code)["entries"][1]["photo"] is None
    assert people["nobody"].get(f"{path}/2").status_code == 403
    post(people["judge"], f"disputes/{code}/judge")
    (shown,) = [one["photo"] for one in case(people["judge"], code)["entries"] if one["kind"] == "photo"]
    looks = DisputeLook.objects.filter(entry__isnull=False)
    assert not looks.exists()
    photo = people["judge"].get(shown)
    assert (photo.status_code, photo.headers["Content-Type"], photo.content[:2]) == (200, "image/jpeg", b"\xff\xd8")
    assert [one.user for one in looks] == [played.world.referee]
    assert people["judge"].get(f"{path}/1").status_code == 404
    assert people["second"].get(shown).status_code == 403
    refused = people["bo"].post(path, b"no picture", content_type="image/png")
    assert (refused.status_code, problem_of(refused)["code"]) == (422, "no-picture")
    assert people["bo"].post(f"{path}?side=9", PICTURE, content_type="image/png").status_code in {400, 422}
    assert people["bo"].post(path, "{}", content_type="application/json").status_code == 415


def test_a_judge_is_named_and_accepted_where_no_official_is_free(played: Played, people, program: Program) -> None:
    code = disputed(played, "nobody is free").code
    free = {"name": "Ella Diaz"}
    named = post(people["judge"], f"disputes/{code}/judge/naming", free)
    assert named.status_code == 200
    assert case(people["bo"], code)["judge"] == {"name": "Ella Diaz", "accepted": []}
    other = post(people["bo"], f"disputes/{code}/judge/acceptance", {"name": "Bo Chen"})
    assert (other.status_code, problem_of(other)["code"]) == (409, "judge-changed")
    for side in ("bo", "ana"):
        assert post(people[side], f"disputes/{code}/judge/acceptance", free).status_code == 200
    assert case(people["bo"], code)["judge"]["accepted"] == [1, 2]
    ella = program(User.objects.get(username="ella"))
    assert post(ella, f"disputes/{code}/facts", {"answer": "no"}).status_code == 200


def test_the_rules_of_the_court_are_read(played: Played, people) -> None:
    change_rules(played.world.league, played.world.owner, WantedRules(proof="claimant", penalties={"out-of-turn": 10}))
    told = people["nobody"].get("/api/v1/leagues/harbour/court").json()
    assert told == {
        "minutes_in_hall": 10,
        "minutes_elsewhere": 1440,
        "hold_minutes": 5,
        "appeal_minutes": 1440,
        "hears": "head",
        "proof": "claimant",
        "penalties": {"out-of-turn": 10},
    }
