"""Typing a whole card: made from the ruleset, nothing that was typed is lost, what is wrong stands where it is."""

import re
from html import unescape

import pytest

from league.matches.models import KnownBy, Match, Record, Result

CARD = {
    "scores-0": "150",
    "scores-1": "95",
    "ended": "target",
    "winner": "",
    "chips-0": "11",
    "chips-1": "0",
    "started": "19:05",
    "stopped": "19:19",
    "clock": "13:52",
    "rounds": "3",
    "1-spinner": "6-6",
    "1-ended": "domino",
    "1-winner": "0",
    "1-play-0": "45",
    "1-play-1": "30",
    "1-muggins-0": "0",
    "1-muggins-1": "10",
    "1-bonus-0": "20",
    "1-bonus-1": "0",
    "1-pips-0": "0",
    "1-pips-1": "21",
    "1-totals-0": "65",
    "1-totals-1": "40",
    "2-spinner": "none",
    "2-totals-0": "150",
    "2-totals-1": "95",
}
SHEET = {
    "scores": [150, 95],
    "ended": "target",
    "chips": [11, 0],
    "started": "19:05",
    "stopped": "19:19",
    "clock_s": 832,
    "rounds": [
        {
            "spinner": "6-6",
            "ended": "domino",
            "winner": 0,
            "play": [45, 30],
            "muggins": [0, 10],
            "bonus": [20, 0],
            "pips": [0, 21],
            "totals": [65, 40],
        },
        {"spinner": "none", "totals": [150, 95]},
    ],
}


@pytest.fixture
def send(world, browse):
    def post(fields, user=None):
        return browse(user or world.alice).post(f"/submit/{world.game().code}/card/", fields)

    return post


def text(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def values(answer):
    """What stands in the fields of the form."""
    page = answer.content.decode()
    found = {
        name: unescape(value)
        for name, value in re.findall(r'<input class="input"[^>]* name="([^"]+)" value="([^"]*)"', page)
    }
    for name, options in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        found[name] = (re.findall(r'<option value="([^"]*)" selected', options) or [""])[0]
    return found


def at(answer, name):
    """The error at a field, if it has one."""
    found = re.search(rf'id="e-{re.escape(name)}">([^<]*)<', answer.content.decode())
    return unescape(found[1]) if found else None


def part(answer, number):
    """The fieldset of a round, 0 for the game."""
    page = answer.content.decode().split("<fieldset")
    return unescape(page[number + 1])


def test_a_card_is_entered_as_it_stands(world, send) -> None:
    answer = send(CARD)
    assert (answer.status_code, answer.url) == (302, f"/matches/{world.match.pk}/")
    record = Record.objects.get()
    assert (record.kind, record.submitted_by, record.signed) == (KnownBy.CARD, world.alice, False)
    assert record.score_sheet.data == SHEET
    result = Result.objects.get()
    assert (result.scores, result.known_by, result.needs_decision) == ({"1": 150, "2": 95}, "card", False)
    assert record.verdict.rounds[1]["scores"] == {"A": 150, "B": 95}
    assert "The card was entered." in text(answer.client.get(answer.url))


def test_the_final_score_alone_is_a_bare_score(send) -> None:
    assert send({"scores-0": "150", "scores-1": "95", "rounds": "3"}).status_code == 302
    assert Result.objects.get().known_by == KnownBy.SCORE


def test_the_form_is_made_from_the_ruleset(world, browse) -> None:
    path = f"/submit/{world.game().code}/card/"
    page = text(browse(world.alice).get(path))
    for words in (
        "UDL Dominoes",
        "Chips left",
        "Muggins taken",
        "Spinner",
        "Pips left in hand",
        "Clock at the end",
        "Bell",
    ):
        assert words in page
    assert "Tiles left in hand" not in page
    Match.objects.filter(pk=world.match.pk).update(ruleset="double-six", options={})
    page = text(browse(world.alice).get(path))
    for words in ("Chips left", "Muggins taken", "Pips left in hand", "Clock at the end", "Bell"):
        assert words not in page
    assert "Tiles left in hand" in page
    Match.objects.filter(pk=world.match.pk).update(ruleset="uno-dominoes", options={})
    page = text(browse(world.alice).get(path))
    assert "Points in play" not in page
    assert "Spinner" not in page
    assert "Dead end" in page


def test_a_round_more_is_asked_for_without_losing_anything(send) -> None:
    typed = {**CARD, "1-play-0": "forty"}
    answer = send({**typed, "add": "1"})
    assert answer.status_code == 200
    assert Record.objects.count() == 0
    shown = values(answer)
    assert {name: shown[name] for name in typed if name != "rounds"} == {
        k: v for k, v in typed.items() if k != "rounds"
    }
    assert shown["4-totals-1"] == ""
    assert "Hand 5" not in text(answer)
    assert "autofocus" in part(answer, 4)
    assert "autofocus" not in part(answer, 3)
    assert "Hand 40" in text(send({**CARD, "rounds": "900", "add": "1"}))


def test_what_is_no_number_is_told_at_its_field_and_kept(send) -> None:
    answer = send({**CARD, "2-totals-1": "9O", "clock": "14:75", "1-play-0": "-5"})
    assert answer.status_code == 422
    assert at(answer, "2-totals-1") == "This is not a whole number from 0 to 99999."
    assert at(answer, "1-play-0") == "This is not a whole number from 0 to 99999."
    assert at(answer, "clock") == "Write minutes and seconds: 14:05."
    assert values(answer)["2-totals-1"] == "9O"
    assert "Nothing was submitted" in text(answer)
    assert Record.objects.count() == 0


def test_spaces_that_a_keyboard_adds_are_no_fault(send) -> None:
    assert send({**CARD, "clock": " 13:52 ", "1-play-0": "  "}).status_code == 302


@pytest.mark.parametrize(
    "hostile", ["9" * 5000, "1\0", "-1", "100000", "1e3", "5.0", "+5", "1_0", "\N{FULLWIDTH DIGIT FIVE}"]
)
def test_a_hostile_number_or_time_is_refused_at_its_field(send, hostile) -> None:
    answer = send({**CARD, "1-totals-0": hostile, "started": "19:05\0"})
    assert answer.status_code == 422
    assert at(answer, "1-totals-0") == "This is not a whole number from 0 to 99999."
    assert at(answer, "started") == "Null characters are not allowed."


def test_what_the_referee_cant_read_is_told_at_its_field(send) -> None:
    assert at(send({"scores-0": "150", "rounds": "1"}), "scores-0").startswith("scores needs 2 whole numbers")
    assert at(send({**CARD, "started": "7pm"}), "started") == "started is a time such as 19:05, not '7pm'"


def test_what_does_not_add_up_stands_at_its_round_before_anything_is_entered(world, send) -> None:
    wrong = {**CARD, "1-bonus-0": "25", "chips-0": "12"}
    answer = send(wrong)
    assert answer.status_code == 422
    assert Record.objects.count() == 0
    first = world.match.sides.get(number=1)
    assert f"with 0-21 left the round-end points of {first.entrant.player.name} are 20, not 25" in part(answer, 1)
    assert "at 150-95 the chips left are 11-0, not 12-0" in part(answer, 0)
    assert "card-found" not in part(answer, 2)
    assert values(answer)["1-bonus-0"] == "25"
    assert "Enter it all the same: an official decides" in text(answer)
    assert "all the same" not in text(send({**CARD, "clock": "?"}))


def test_it_is_entered_all_the_same_and_an_official_decides(send) -> None:
    answer = send({**CARD, "chips-0": "12", "insist": "1"})
    assert answer.status_code == 302
    result = Result.objects.get()
    assert (result.needs_decision, result.known_by) == (True, KnownBy.SCORE)
    assert "An official decides what counts." in text(answer.client.get(answer.url))


def test_a_card_that_both_signed_counts_as_confirmed_when_the_desk_enters_it(world, send, browse) -> None:
    assert "have signed" in text(browse(world.ref).get(f"/submit/{world.game().code}/card/"))
    assert send({**CARD, "signed": "1"}, world.ref).status_code == 302
    assert Record.objects.get().signed is True
    assert Result.objects.get().state == Result.State.OFFICIAL


def test_a_players_tick_is_no_signature_of_the_other(world, send, browse) -> None:
    assert "have signed" not in text(browse(world.alice).get(f"/submit/{world.game().code}/card/"))
    assert send({**CARD, "signed": "1"}).status_code == 302
    assert Record.objects.get().signed is False
    assert Result.objects.get().state == Result.State.PROVISIONAL


def test_the_same_card_twice_is_one(send) -> None:
    send(CARD)
    answer = send(CARD)
    assert Record.objects.count() == 1
    assert "This very card was entered before. Nothing changed." in text(answer.client.get(answer.url))


def test_two_cards_that_differ_stand_side_by_side(world, send) -> None:
    send(CARD)
    answer = send({"scores-0": "150", "scores-1": "90", "1-spinner": "6-6", "rounds": "1"}, world.bob)
    assert Record.objects.count() == 2
    assert "It is under review: another person entered another result." in text(answer.client.get(answer.url))


def test_strangers_and_the_signed_out_enter_nothing_and_lose_nothing(world, browse) -> None:
    path = f"/submit/{world.game().code}/card/"
    assert browse(world.charlie).post(path, CARD).status_code == 403
    answer = browse(None).post(path, CARD)
    assert answer.status_code == 403
    assert "You are signed out." in text(answer)
    assert values(answer)["1-play-0"] == "45"
    assert browse(None).get(path).url == f"/sign-in/?next={path}"
    assert browse(world.alice).get("/submit/NOTHING/card/").status_code == 404
    assert Record.objects.count() == 0


def test_enter_never_insists_and_words_that_are_no_choice_are_left_out(send) -> None:
    """The first button of the form is the one that Enter presses."""
    answer = send({**CARD, "chips-0": "12"})
    first = re.search(r"<button[^>]*>", answer.content.decode().split('<form class="form typed-card"')[1])
    assert "name=" not in first[0]
    assert send({**CARD, "1-spinner": "9-9", "1-winner": "7", "ended": "<b>"}).status_code == 302
    row = Record.objects.get().score_sheet.data
    assert "spinner" not in row["rounds"][0]
    assert "winner" not in row["rounds"][0]
    assert "ended" not in row


def test_hostile_names_and_values_are_text(world, send) -> None:
    answer = send({**CARD, "1-play-0": '"><script>'})
    assert "<script>" not in answer.content.decode().split("<main")[1]
    assert values(answer)["1-play-0"] == '"><script>'
