"""Places of a game that a protest may be about."""

import pytest

from league.disputes.models import Dispute
from league.matches.logs.submission import verify_record
from league.matches.queries.match import match_page
from league.matches.rules import rules_agreed
from league.web.disputes.places import ChosenPlace, chosen, place_of_step, places_of, words_of
from league.web.disputes.protest_form import ProtestForm, kinds_of
from league.web.matches.rounds import sheet_of
from tests.league.world import make_world, played_log

pytestmark = pytest.mark.django_db


def test_a_log_offers_every_step_and_a_card_its_hands() -> None:
    world = make_world()
    verify_record(world.submit(played_log()).pk)
    page = match_page(world.referee, world.match.pk)
    hands = places_of(sheet_of(page.games[0], page.sides))
    first = hands[0]
    assert first.title == "Hand 1"
    assert first.places[0].value == "hand:1"
    assert "Ana Ruiz" in first.places[3].words
    step = first.places[3]
    assert place_of_step(hands, step.anchor) == step.value
    assert place_of_step(hands, "r99.1") == ""
    assert words_of(hands, chosen(step.value)).startswith("Hand 1: 3.")


def test_a_place_that_is_none_is_the_result() -> None:
    assert chosen("line:37") == ChosenPlace(line=37)
    assert chosen("hand:2") == ChosenPlace(hand=2)
    assert chosen("result") == chosen("line:x") == chosen("") == ChosenPlace()


def test_kinds_follow_the_rules() -> None:
    assert Dispute.Kind.CATCH not in kinds_of(rules_agreed("udl", {}))
    assert Dispute.Kind.COUNT not in kinds_of(rules_agreed("uno-dominoes", {}))


def test_a_player_gets_neither_the_sides_nor_the_pin() -> None:
    form = ProtestForm({"where": "result", "kind": "result", "sentence": "x"}, hands=[], rules=None)
    assert form.is_valid(), form.errors
    assert (form.line, form.hand, form.for_side) == (None, None, None)
    long = ProtestForm({"where": "result", "kind": "result", "sentence": "x" * 281}, hands=[], rules=None)
    assert list(long.errors) == ["sentence"]
