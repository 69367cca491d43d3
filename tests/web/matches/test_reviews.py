"""Pages of a result under review: differences, buttons, and the decision."""

import pytest
from django.test import Client

from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import KnownBy, Match, Result
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from league.matches.results.reviews import choose, disagree
from tests.league.world import played_log
from tests.web.matches.test_known import match_page, said, section
from tests.web.organize.test_grid import GRID, of_row
from tests.web.world import World

TALLY_LINK = "games/1/keep/"


@pytest.fixture
def logs(world: World) -> Match:
    """Logs of Ana and Bo: both end 85–150, with different awards."""
    for seed, user in ((6, world.alice), (11, world.bob)):
        text = played_log(seed, names=tuple(one.player.code for one in world.entrants[:2]))
        verify_record(submit_log(game=world.game(), user=user, raw=text.encode()).record.pk)
    return world.match


def test_logs_with_one_total_say_in_the_grid_where_to_compare_them(world, browse, logs) -> None:
    shown = of_row(browse(world.ref).get(GRID), world.game())
    assert shown.count("Bo Chen beats Ana Ruiz 150–85") >= 2
    assert f'<a href="/matches/{logs.pk}/">Same totals, but the plays differ: compare' in shown
    assert section(match_page(world, browse), "review").count("Points listed only here:") == 2


def test_entries_with_different_totals_need_no_comparison(world, browse) -> None:
    for side, scores in ((1, [150, 95]), (2, [90, 150])):
        enter_sheet(world.game(), Guest(world.match.pk, side), {"scores": scores}, kind=KnownBy.SCORE)
    assert "The totals agree" not in of_row(browse(world.ref).get(GRID), world.game())


def test_after_the_decision_both_logs_are_there_and_which_counts(world, browse, logs) -> None:
    taken = Result.objects.get(game=world.game(), record__submitted_by=world.bob)
    choose(taken, world.ref, reason="Bo wrote down every call.")
    told = section(match_page(world, browse), "review")
    assert "Bo wrote down every call." in told
    assert (told.count("This one counts."), told.count("This one does not count.")) == (1, 1)


def test_an_equal_second_entry_is_not_shown_as_not_counting(world, browse) -> None:
    for side in (1, 2):
        enter_sheet(world.game(), Guest(world.match.pk, side), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert "does not count" not in said(match_page(world, browse))


def test_a_game_with_a_result_is_not_to_be_tallied_any_more(world, browse) -> None:
    assert TALLY_LINK in match_page(world, browse, world.alice)
    result = enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE).result
    assert TALLY_LINK not in match_page(world, browse, world.alice)
    disagree(result, world.bob, sentence="I won.")
    assert TALLY_LINK not in match_page(world, browse, world.alice)


def test_the_entry_that_is_shown_has_no_link_to_itself(world, browse) -> None:
    result = enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE).result
    disagree(result, world.bob, sentence="I won.")
    assert "Show this entry" not in section(match_page(world, browse), "review")
    enter_sheet(world.game(), world.bob, {"scores": [95, 150]}, kind=KnownBy.SCORE)
    assert section(match_page(world, browse), "review").count("Show this entry") == 1


def test_a_disputed_result_counts_as_under_review_only(world, browse) -> None:
    result = enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE).result
    assert "1 result is not confirmed yet." in counts(browse(world.ref))
    disagree(result, world.bob, sentence="I won.")
    assert "1 result is under review" in counts(browse(world.ref))
    assert "not confirmed" not in counts(browse(world.ref))


def counts(client: Client) -> str:
    return said(client.get(GRID).content.decode().split("data-count>")[1].split("</p>")[0])


def test_hostile_fields_of_a_review_change_nothing(world, browse, logs) -> None:
    shown = Result.objects.get(game=world.game(), current=True)
    acts = {"judge": "accept-judge", "name": "name-judge", "reason": "take", "sentence": "disagree"}
    for field in ("do", "result", "judge", "name", "reason", "sentence"):
        client = browse(world.charlie if field in {"reason", "sentence"} else world.ref)
        for hostile in ("", "x", "0", "-1", "9" * 20, "9" * 5000, "1\0"):
            sent = {"do": acts.get(field, "disagree"), "result": shown.pk, "sentence": "I won."} | {field: hostile}
            assert client.post(f"/matches/{logs.pk}/review/", sent).status_code in {302, 403}
    shown.refresh_from_db()
    assert (shown.current, shown.reason) == (True, "")


def test_a_sentence_is_kept_without_the_byte_that_postgresql_refuses(world) -> None:
    for side, scores in ((1, [150, 95]), (2, [90, 150])):
        enter_sheet(world.game(), Guest(world.match.pk, side), {"scores": scores}, kind=KnownBy.SCORE)
    taken = Result.objects.get(game=world.game(), record__for_side=2)
    assert choose(taken, world.ref, reason="Seen\0 by all.").reason == "Seen by all."


def take_back(client: Client, result: Result) -> str:
    sent = {"do": "take-back", "result": result.pk}
    return said(client.post(f"/matches/{result.game.match_id}/review/", sent, follow=True).content.decode())


def test_an_official_takes_an_entry_back_on_its_page(world, browse) -> None:
    result = enter_sheet(world.game(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE).result
    offered = 'value="take-back"'
    assert offered in match_page(world, browse, world.ref)
    assert offered not in match_page(world, browse, world.alice)
    assert "Only an official or the person who entered this" in take_back(browse(world.alice), result)
    assert "Taken back." in take_back(browse(world.ref), result)
    assert offered not in match_page(world, browse, world.ref)


def test_what_can_no_longer_be_taken_back_is_corrected(world, browse) -> None:
    result = enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE).result
    confirm_result(result=result, user=world.bob)
    page = take_back(browse(world.ref), result)
    assert "Somebody has confirmed this meanwhile" in page
    assert "Correct the result" in page
