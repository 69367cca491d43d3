"""What a ruleset says of itself: every rule that findings cite, in the words that its options make."""

import pytest

from games.rulesets import KEYS, get
from games.wording.rulebook import article, articles, settings

PIP_SYSTEMS = [key for key in KEYS if key != "uno-dominoes"]


def said(ruleset, slug, **options):
    return article(get(ruleset).with_options(options), slug).text


@pytest.mark.parametrize("ruleset", KEYS)
def test_every_rule_in_force_has_words(ruleset):
    rules = get(ruleset)
    page = articles(rules)
    assert all(one.text.endswith(".") and "%" not in one.text for one in page)
    assert {one.id for one in page} <= {rules.rule_id(slug) for slug in rules.rules}
    # Left out are only rules of what the system does not have: a clock, chips, calls, variations.
    absent = {"bell", "overtime", "chips", "muggins", "announce", "reopening", "all-doublet"}
    assert {slug for slug in rules.rules if rules.rule_id(slug) not in {one.id for one in page}} <= absent


@pytest.mark.parametrize("ruleset", PIP_SYSTEMS)
def test_the_pip_systems_have_the_same_rules_by_name(ruleset):
    assert set(get(ruleset).rules) == set(get("udl").rules)


def test_numbers_come_from_the_options():
    assert said("udl", "target", target="100") == "The first player with 100 points wins at once, also in mid-round."
    assert said("udl", "bell", clock_s="1210", bell_mode="round").startswith("At 20:10 the bell rings; the round is")
    assert "36" not in said("uno-dominoes", "challenge")
    assert "draws 4 in all" in said("uno-dominoes", "challenge", failed_challenge="4")


def test_a_clock_as_a_house_rule_brings_the_rules_of_the_bell():
    ids = {one.id for one in articles(get("all-fives").with_options({"clock_s": "600"}))}
    assert {"all-fives.bell", "all-fives.overtime"} <= ids


@pytest.mark.parametrize(
    ("ruleset", "options", "text"),
    [
        ("udl", {}, "The winner scores the pips of all other hands. The sum is rounded to the nearest five."),
        (
            "muggins",
            {},
            (
                "The winner scores the pips of all hands. The sum is rounded to the nearest five. "
                "That is divided by 5, fractions dropped."
            ),
        ),
        ("muggins", {"bonus_scope": "opponents", "bonus_divisor": "1"}, "the pips of all other hands"),
        ("all-fives", {}, "The winner scores the pips of all other hands. The sum is not rounded."),
        ("all-fives", {"round_bonus": "true", "round_per_hand": "true"}, "Each hand is rounded to the nearest five"),
        ("double-six", {}, "The winner scores five points for each tile that another hand holds more."),
    ],
)
def test_what_a_domino_gives(ruleset, options, text):
    assert text in said(ruleset, "domino", **options)


def test_a_large_hand_is_told_for_the_players_that_it_leaves_tiles_for():
    text = article(get("all-fives").with_options({"hand": "9"}), "hand").text
    assert text.startswith("With 2 players each draws 9 tiles")
    assert "With 4 players" not in text


def test_a_setting_is_written_as_a_header_writes_it():
    rules = get("all-fives").with_options({"hand": "9/7/5", "lead_forced": "false"})
    found = {one.key: (one.value, one.overridden) for one in settings(rules)}
    assert found["hand"] == ("9/7/5", True)
    assert found["lead_forced"] == ("false", True)
    assert found["spinner"] == ("first", False)
    # What is written there can be given back.
    given = {one.key: one.value for one in settings(rules) if one.value != "as the settlement says"}
    assert get("all-fives").with_options(given).hand == rules.hand
