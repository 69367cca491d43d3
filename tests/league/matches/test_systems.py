"""A game of every rule system, from the log to the page: what the service knows of none of them by name."""

import pytest
from django.urls import reverse

from games.rulesets import KEYS, get
from league.matches.annotated_log import finding_lines
from league.matches.logs.submission import verify_record
from league.matches.models import Record, StoredVerdict
from referee.playouts.simulate import Hidden, simulate
from tests.league.world import make_world

pytestmark = pytest.mark.django_db


def handed_in(key: str, hidden: Hidden, seed: int = 3) -> Record:
    world = make_world()
    world.match = world.fixture(ruleset=key)
    (text,) = simulate(key, games=1, seed=seed, hidden=hidden)
    record = world.submit(text)
    verify_record(record.pk)
    return record


@pytest.mark.parametrize("hidden", Hidden, ids=lambda hidden: hidden.value)
@pytest.mark.parametrize("key", KEYS)
def test_a_log_of_every_system_becomes_a_result(key, hidden):
    record = handed_in(key, hidden)
    verdict = StoredVerdict.objects.get(record=record)
    assert verdict.status == ("consistent" if verdict.rests_on_word else "verified")
    assert record.result.known_by == ("card" if verdict.rests_on_word else "log")
    assert verdict.evidence == ("complete" if hidden is Hidden.NOTHING else "partial")
    assert record.result.scores == {"1": verdict.scores["A"], "2": verdict.scores["B"]}


@pytest.mark.parametrize("key", KEYS)
def test_the_match_page_shows_a_game_of_every_system(key, client):
    record = handed_in(key, Hidden.NOTHING)
    page = client.get(reverse("matches:detail", args=[record.game.match_id]))
    assert page.status_code == 200
    text = page.content.decode()
    assert get(key).name in text
    assert "Verified" in text


@pytest.mark.parametrize("key", KEYS)
def test_a_finding_is_told_with_the_rule_of_its_system_and_its_house_rules(key):
    rules = get(key)
    slug = "target"
    stored = [{"line": 1, "code": "wrong-result", "severity": "correction", "rule": rules.rule_id(slug), "say": "x"}]
    stored[0]["message"] = "the game ended 1-2"
    (line,) = finding_lines(stored, f'[Ruleset "{key}"]\n[Option.target "77"]\n', {})
    assert line.rule_number == rules.rules[slug].number
    assert "77 points" in line.rule_text


def test_what_a_rule_says_is_told_at_the_first_finding_that_cites_it():
    call = {"line": 1, "code": "claim-upheld", "severity": "note", "rule": "udl.muggins", "say": "x", "message": "so"}
    lines = finding_lines([call, {**call, "rule": "udl.chips"}, call], '[Ruleset "udl"]\n', {})
    assert [bool(line.rule_text) for line in lines] == [True, True, False]
    assert [line.rule_number for line in lines] == ["0.26", "0.30", "0.26"]
