"""The desk's grid: who gets it, what a row says in each state, one transaction a row, undo, rulings, two desks."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.draw.advancing import advance
from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.models import Competition, Matchday, Slot, Withdrawal
from league.competitions.queries.results_grid import grid
from league.matches.amendments import Wanted
from league.matches.models import Game, KnownBy, Match, Record, Result
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from league.web.organize.evening import results_grid
from tests.web import world as small

GRID = "/organize/harbour/grid/"
JSON = {"HTTP_ACCEPT": "application/json"}


@pytest.fixture(autouse=True)
def _one_round(world):
    """The three matches of the round robin, in one round that has begun."""
    Match.objects.update(starts_at=timezone.now())
    day = Matchday.objects.earliest("number")
    for number, slot in enumerate(Slot.objects.exclude(match=None), start=10):
        Slot.objects.filter(pk=slot.pk).update(matchday=day, number=number)


@pytest.fixture
def desk(world):
    helper = small.account("helper")
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    return helper


def row(game, first, second, **more):
    """The fields of a row as a browser sends them."""
    fields = {
        "game": [game.pk],
        f"points-1-{game.pk}": first,
        f"points-2-{game.pk}": second,
        f"after-{game.pk}": more.pop("after", 0),
    }
    if more.pop("signed", True):
        fields[f"signed-{game.pk}"] = "on"
    return fields | {f"{name}-{game.pk}": value for name, value in more.items()}


def together(*rows, **more):
    merged = {}
    for one in rows:
        for key, value in one.items():
            merged[key] = [*merged.get(key, []), *value] if key == "game" else value
    return merged | more


def standing(game):
    one = Result.objects.filter(game=game, current=True).select_related("record").first()
    return one and (str(one), one.state, one.confirmed_how, one.contested)


def text(answer):
    return " ".join(answer.content.decode().split())


def of_row(answer, game):
    """The HTML of one row."""
    return text(answer).partition(f'id="game-{game.pk}"')[2].partition('<li class="grid-row')[0]


# --- Who ---


def test_the_grid_is_for_officials_and_desk_helpers(world, browse, desk):
    assert browse(desk).get(GRID).status_code == 200
    assert browse(world.ref).get(GRID).status_code == 200
    assert browse(world.alice).get(GRID).status_code == 404
    assert browse().get(GRID).status_code == 302
    reader = small.account("reader")
    Role.objects.create(user=reader, league=world.league, kind=Role.Kind.READ_ONLY)
    assert browse(reader).get(GRID).status_code == 403
    assert browse(reader).post(GRID, row(world.game(), 150, 95)).status_code == 403
    assert not Record.objects.exists()


def test_a_game_of_another_league_is_not_entered_here(world, browse, desk):
    Role.objects.filter(user=desk).update(league=world.league)
    game = world.game()
    Match.objects.filter(pk=game.match_id).update(league=world.charlie.roles.get().league)
    browse(desk).post(GRID, row(game, 150, 95))
    assert not Record.objects.exists()


# --- Saving ---


def test_one_submit_saves_every_filled_row_and_says_each_winner(world, browse, desk):
    games = [world.game(match) for match in world.matches]
    answer = browse(desk).post(
        GRID, together(row(games[0], 150, 95), row(games[1], "", ""), row(games[2], 40, 150)), follow=True
    )
    assert [standing(game) for game in games] == [
        ("150–95", "official", "signed", False),
        None,
        ("40–150", "official", "signed", False),
    ]
    assert "2 results are saved" in text(answer)
    first, second = games[0].match.sides.select_related("entrant__player")
    assert f"{first} beats {second} 150–95" in text(answer)
    assert Record.objects.filter(via="desk", signed=True, submitted_by=desk).count() == 2


def test_a_row_that_is_wrong_keeps_what_was_typed_and_the_others_are_saved(world, browse, desk):
    games = [world.game(match) for match in world.matches]
    answer = browse(desk).post(
        GRID, together(row(games[0], 150, 95), row(games[1], 150, ""), row(games[2], "15o", 20, signed=False))
    )
    assert answer.status_code == 422
    assert standing(games[0])[1] == "official"
    assert (standing(games[1]), standing(games[2])) == (None, None)
    half, letters = of_row(answer, games[1]), of_row(answer, games[2])
    assert 'value="150"' in half
    assert "Type the points of every side, 0 too." in half
    assert 'value="15o"' in letters
    assert "Points are whole numbers, like 150." in letters
    assert "data-signed checked" in half
    assert "data-signed checked" not in letters
    assert "Points are whole" not in half


def test_nobody_signed_in_advance(world, browse, desk):
    client, games = browse(desk), [world.game(match) for match in world.matches]
    client.post(GRID, row(games[0], 150, 95))
    assert standing(games[0])[1:3] == ("official", "signed")
    assert "data-signed checked" not in text(client.get(GRID))
    client.post(GRID, row(games[1], 150, 95, signed=False))
    assert standing(games[1]) == ("150–95", "provisional", "", False)


def test_what_does_not_add_up_is_told_at_the_row_and_entered_all_the_same_if_the_desk_insists(world, browse, desk):
    client, game = browse(desk), world.game()
    answer = client.post(GRID, row(game, 147, 95))
    assert answer.status_code == 422
    assert "This does not add up" in of_row(answer, game)
    assert f'value="save:{game.pk}"' in of_row(answer, game)
    assert standing(game) is None
    client.post(GRID, row(game, 147, 95) | {"act": f"save:{game.pk}"})
    assert standing(game) == ("147–95", "provisional", "", False)
    assert "Needs a decision" in of_row(client.get(GRID), game)


def test_insisting_on_one_row_saves_no_other(world, browse, desk):
    first, second = world.game(world.matches[0]), world.game(world.matches[1])
    browse(desk).post(GRID, together(row(first, 147, 95), row(second, 150, 5), act=f"save:{first.pk}"))
    assert (standing(first)[0], standing(second)) == ("147–95", None)


def test_level_points_ask_who_won(world, browse, desk):
    client, game = browse(desk), world.game()
    answer = client.post(GRID, row(game, 100, 100))
    assert "The points are level. Choose the winner, or “nobody”." in of_row(answer, game)
    assert '<details class="row-more" open>' in of_row(answer, game)
    said = row(game, 100, 100, winner="2", ended="overtime")
    assert "the score is level, so the game is not over" in of_row(client.post(GRID, said), game)
    client.post(GRID, {**said, "act": f"save:{game.pk}"})
    result = Result.objects.get(game=game, current=True)
    assert (result.winner, result.ended, result.needs_decision) == (2, "overtime", True)


@pytest.mark.parametrize("points", ["-5", "1e3", "٣٠", "9999999", "<b>", "\u202e150", "150 0", "0x96"])
def test_hostile_points_are_told_and_not_stored(world, browse, desk, points):
    answer = browse(desk).post(GRID, row(world.game(), points, 95))
    assert answer.status_code == 422
    assert "Points are whole numbers, like 150." in text(answer)
    assert "<b>" not in text(answer)
    assert not Record.objects.exists()


@pytest.mark.parametrize(
    "more", [{"winner": "7"}, {"winner": "x"}, {"ended": "magic"}, {"winner": "1' OR 1=1"}], ids=repr
)
def test_hostile_choices_are_told_and_not_stored(world, browse, desk, more):
    assert browse(desk).post(GRID, row(world.game(), 150, 95, **more)).status_code == 422
    assert not Record.objects.exists()


@pytest.mark.parametrize("act", ["undo:", "undo:x", "undo:99999999999999999999", "choose:1", "confirm:-1", "rule:5"])
def test_a_button_for_what_is_not_there_is_told(world, browse, desk, act):
    answer = browse(desk).post(GRID, {"act": act}, follow=True)
    assert answer.status_code == 200
    assert any(word in text(answer) for word in ("nothing to take back", "no such result", "no such game"))


# --- One row at a time, by the script ---


def test_the_script_gets_one_row_answered_in_json(world, browse, desk):
    client, game = browse(desk), world.game()
    assert client.post(GRID, row(game, 147, 95), **JSON).json() == {
        "said": "",
        "error": "This does not add up: Ana Ruiz has 147: points come in multiples of 5 here",
        "code": "does-not-add-up",
        "insist": True,
        "to": "",
    }
    saved = client.post(GRID, row(game, 150, 95), **JSON)
    first, second = game.match.sides.select_related("entrant__player")
    assert (saved.status_code, saved.json()["said"], saved.json()["error"]) == (
        200,
        f"{first} beats {second} 150–95",
        "",
    )


def test_the_same_submission_twenty_times_is_one_record(world, browse, desk):
    client = browse(desk)
    answers = [client.post(GRID, row(world.game(), 150, 95), **JSON).status_code for _ in range(20)]
    assert answers == [200] * 20
    assert Record.objects.count() == 1


def test_a_submission_that_arrives_late_does_not_undo_a_correction(world, browse, desk):
    """It was sent, its answer was lost, the desk corrected the row, and then the browser sent it again."""
    client, game = browse(desk), world.game()
    first = row(game, 150, 95, signed=False)
    client.post(GRID, first, **JSON)
    known = Record.objects.get().pk
    client.post(GRID, row(game, 150, 90, signed=False, after=known), **JSON)
    late = client.post(GRID, first, **JSON)
    assert (late.status_code, late.json()["code"]) == (422, "stale-entry")
    assert standing(game)[0] == "150–90"
    assert Record.objects.count() == 2


def test_without_the_number_the_late_one_would_win(world, browse, desk):
    """The control."""
    client, game = browse(desk), world.game()
    for points in (95, 90, 95):
        fields = row(game, 150, points, signed=False)
        del fields[f"after-{game.pk}"]
        client.post(GRID, fields, **JSON)
    assert standing(game)[0] == "150–95"


def test_the_number_of_an_entry_that_never_was_is_no_fault_of_the_site(world, browse, desk):
    client, game = browse(desk), world.game()
    assert client.post(GRID, row(game, 150, 95, after=999_999), **JSON).status_code == 200
    assert standing(game)[0] == "150–95"


def test_what_was_taken_back_does_not_come_back_by_a_late_submission(world, browse, desk):
    client, game = browse(desk), world.game()
    client.post(GRID, row(game, 150, 95), **JSON)
    client.post(GRID, {"act": f"undo:{Record.objects.get().pk}"}, **JSON)
    late = client.post(GRID, row(game, 150, 95), **JSON)
    assert late.json()["code"] == "stale-entry"
    assert standing(game) is None


# --- Undo ---


def test_the_last_ten_minutes_stand_with_a_button_to_take_each_back(world, browse, desk):
    client, game = browse(desk), world.game()
    client.post(GRID, row(game, 150, 95))
    record = Record.objects.get()
    assert "Entered by you in the last ten minutes" in text(client.get(GRID))
    answer = client.post(GRID, {"act": f"undo:{record.pk}"}, follow=True)
    assert "Taken back. It stays on record and counts for nothing." in text(answer)
    assert standing(game) is None
    assert f'value="undo:{record.pk}"' not in text(client.get(GRID))
    Record.objects.update(withdrawn_at=None, submitted_at=timezone.now() - timezone.timedelta(minutes=11))
    assert "in the last ten minutes" not in text(client.get(GRID))


def test_an_amended_entry_is_no_longer_offered_to_take_back(world, browse, desk):
    client, game = browse(world.owner), world.game()
    client.post(GRID, row(game, 150, 95))
    assert "in the last ten minutes" in text(client.get(GRID))
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [95, 150]}, reason="The columns were swapped")
    confirm_amendment(propose_amendment(game, world.owner, wanted), world.ref)
    assert "in the last ten minutes" not in text(client.get(GRID))


def test_the_grid_of_a_competition_lists_no_entries_of_others(world, browse, desk):
    client, game = browse(desk), world.game()
    client.post(GRID, row(game, 150, 95))
    own = game.match.slot.matchday.stage.competition
    Competition.objects.create(
        league=world.league, name="Other", slug="other", ruleset="udl", published_at=timezone.now()
    )
    pages = {slug: text(client.get(f"/organize/harbour/competitions/{slug}/grid/")) for slug in (own.slug, "other")}
    assert ["in the last ten minutes" in page for page in pages.values()] == [True, False]


def test_taking_back_keeps_what_is_typed_in_other_rows(world, browse, desk):
    client, game, other = browse(desk), world.game(world.matches[0]), world.game(world.matches[1])
    client.post(GRID, row(game, 150, 95))
    answer = client.post(GRID, together(row(other, 150, 35), act=f"undo:{Record.objects.get().pk}"))
    assert answer.status_code == 200
    assert 'value="35"' in of_row(answer, other)
    assert (standing(game), standing(other)) == (None, None)


def test_taking_back_what_something_rests_on_leads_to_its_correction(world, browse, desk):
    world.league.confirmation_required = False
    world.league.save()
    cup = small.knock_out(world, players=4, played=-1)
    matches = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk")
    for match in matches:
        enter_sheet(match.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
        advance(match.pk)
    first, record = matches[0], Record.objects.get(game__match=matches[0])
    [final] = matches.filter(slot__matchday__number=2)
    enter_sheet(final.games.get(), world.ref, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    act, correction = {"act": f"undo:{record.pk}"}, f"/matches/{first.pk}/games/1/amend/?next="
    client = browse(world.ref)
    answer = client.post(GRID, act)
    assert (answer.status_code, answer.url.startswith(correction)) == (302, True)
    told = text(client.get(answer.url))
    assert "has begun with this result. It cannot be taken back any more. Correct it here" in told
    assert client.post(GRID, act, **JSON).json()["to"].startswith(correction)
    refused = browse(desk).post(GRID, act, follow=True)
    assert (refused.redirect_chain[-1][0], "Correct it here" in text(refused)) == (GRID, False)
    assert (standing(first.games.get())[0], Record.objects.filter(withdrawn_at=None).count()) == ("150–95", 3)


def test_a_decided_row_has_the_way_to_its_correction_for_officials_alone(world, browse, desk):
    game = world.game()
    small.played(world, game.match, official=True)
    way = f"/matches/{game.match_id}/games/1/amend/?next=%2Forganize%2Fharbour%2Fgrid%2F"
    assert way in of_row(browse(world.ref).get(GRID), game)
    assert way not in of_row(browse(desk).get(GRID), game)
    Result.objects.update(contested=True)
    assert way not in of_row(browse(world.ref).get(GRID), game), "it is under review: an official decides there"


# --- Two that differ ---


def test_entries_that_differ_stand_side_by_side_and_an_official_takes_one(world, browse, desk):
    game = world.game()
    enter_sheet(game, Guest(game.match_id, 1), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    browse(desk).post(GRID, row(game, 150, 90))
    shown = of_row(browse(desk).get(GRID), game)
    names = [str(side) for side in game.match.sides.select_related("entrant__player")]
    assert "Under review" in shown
    for words, who in (("150–95", names[0]), ("150–90", "helper")):
        assert f"{names[0]} beats {names[1]} {words}" in shown
        assert who in shown
    assert "at the table, without an account" in shown
    assert "Take this one" not in shown
    decides = browse(world.ref)
    assert of_row(decides.get(GRID), game).count("Take this one") == 2
    chosen = Result.objects.get(game=game, record__for_side=1)
    without = decides.post(GRID, {"act": f"choose:{chosen.pk}"}, follow=True)
    assert "Say why in a few words" in text(without)
    decides.post(GRID, {"act": f"choose:{chosen.pk}", f"decide-{game.pk}": "I saw the card"})
    assert Result.objects.get(game=game, current=True).reason == "I saw the card"
    assert standing(game) == ("150–95", "official", "person", False)


def test_two_desks_that_differ_are_shown_although_the_first_is_official(world, browse, desk):
    game, other = world.game(), small.account("second-desk")
    Role.objects.create(user=other, league=world.league, kind=Role.Kind.DESK_HELPER)
    browse(desk).post(GRID, row(game, 150, 95))
    Match.objects.filter(pk=game.match_id).exclude(state="decided").update(state="decided")
    browse(other).post(GRID, row(game, 150, 90))
    assert standing(game) == ("150–95", "official", "signed", True)
    assert "Under review" in of_row(browse(world.ref).get(GRID), game)
    home = text(browse(world.owner).get("/organize/harbour/"))
    assert "1 match is under review" in home
    tables = text(browse(world.owner).get("/organize/harbour/tables/"))
    assert "Under review: look at it" in tables
    assert f"{GRID}?match={game.match_id}" in tables
    pk = Result.objects.get(game=game, current=True).pk
    browse(world.ref).post(GRID, {"act": f"choose:{pk}", f"decide-{game.pk}": "the first card was right"})
    assert "under review" not in text(browse(world.owner).get("/organize/harbour/"))


def test_of_two_that_differ_an_official_takes_back_only_their_own(world, browse, desk):
    game = world.game()
    enter_sheet(game, Guest(game.match_id, 1), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert "undo:" in of_row(browse(world.ref).get(GRID), game)
    browse(desk).post(GRID, row(game, 150, 90))
    own = Record.objects.get(submitted_by=desk).pk
    assert "undo:" not in of_row(browse(world.ref).get(GRID), game)
    back = of_row(browse(desk).get(GRID), game).partition(f'value="undo:{own}"')[2].partition("</button>")[0]
    assert "150–90" in back, "the button names what it takes back, not the entry beside it"


def test_a_log_waits_in_other_words_and_is_confirmed_in_its_row(world, browse):
    result = small.played(world)
    shown = of_row(browse(world.ref).get(GRID), world.game())
    assert "Entered, not confirmed yet" in shown
    assert re.findall(r'<input class="input" id="([a-z]+)', shown) == ["disagree"]
    browse(world.ref).post(GRID, {"act": f"confirm:{result.pk}"})
    assert standing(world.game())[1:3] == ("official", "person")


def test_nobody_takes_their_own_of_two_entries(world, browse):
    game = world.game()
    enter_sheet(game, Guest(game.match_id, 1), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    browse(world.ref).post(GRID, row(game, 150, 90))
    assert of_row(browse(world.ref).get(GRID), game).count("Take this one") == 1
    own = Result.objects.get(game=game, record__submitted_by=world.ref)
    answer = browse(world.ref).post(GRID, {"act": f"choose:{own.pk}"}, follow=True)
    assert "You handed this in yourself" in text(answer)
    assert standing(game)[3]


# --- Rulings ---


def test_a_no_show_is_ruled_with_a_reason_target_to_nothing(world, browse, desk):
    game, referee = world.game(), browse(world.ref)
    assert "Save ruling" not in text(browse(desk).get(GRID))
    without = referee.post(GRID, row(game, "", "", winner="1", reason=" ") | {"act": f"rule:{game.pk}"})
    assert "Say why in a few words" in of_row(without, game)
    nobody = referee.post(GRID, row(game, "", "", reason="x") | {"act": f"rule:{game.pk}"})
    assert nobody.status_code == 422
    assert "Choose who wins, and rule again." in of_row(nobody, game)
    assert " autofocus" in of_row(nobody, game), "a long page opens at the row that is wrong"
    referee.post(GRID, row(game, "", "", winner="1", reason="Bo did not come.") | {"act": f"rule:{game.pk}"})
    result = Result.objects.get(game=game, current=True)
    assert (str(result), result.known_by, result.ended, result.state) == ("150–0", "ruled", "forfeit", "provisional")
    assert "Bo did not come." in of_row(referee.get(GRID), game)
    browse(world.owner).post(GRID, {"act": f"confirm:{result.pk}"})
    assert standing(game)[1] == "official"


def test_a_desk_helper_who_sends_a_ruling_is_refused(world, browse, desk):
    game = world.game()
    answer = browse(desk).post(GRID, row(game, "", "", winner="1", reason="No.") | {"act": f"rule:{game.pk}"})
    assert answer.status_code == 422
    assert not Record.objects.exists()


# --- What a row says ---


def test_rows_of_matches_that_demand_more_say_so_and_lead_there(world, browse, desk):
    log, card = world.matches[:2]
    Match.objects.filter(pk=log.pk).update(level=KnownBy.LOG)
    Match.objects.filter(pk=card.pk).update(level=KnownBy.CARD)
    answer = browse(desk).get(GRID)
    shown = of_row(answer, world.game(log))
    assert "This match needs its full log." in shown
    assert f"/submit/{world.game(log).code}/" in shown
    assert "<input class" not in shown
    assert f"/submit/{world.game(card).code}/card/" in of_row(answer, world.game(card))
    refused = browse(desk).post(GRID, row(world.game(log), 150, 95))
    assert not Record.objects.exists(), refused


def test_the_states_have_the_words_of_the_desk(world, browse, desk):
    first, second, third = (world.game(match) for match in world.matches)
    enter_sheet(first, Guest(first.match_id, 1), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    enter_sheet(second, desk, {"scores": [150, 95]}, kind=KnownBy.SCORE, signed=True)
    answer = browse(desk).get(GRID)
    assert "Entered, not signed by both" in of_row(answer, first)
    assert "Confirmed" in of_row(answer, second)
    assert "typed by the desk from a card that both signed" in of_row(answer, second)
    assert "both signed the card" not in of_row(answer, second), "once is enough"
    assert "Not started" in of_row(answer, third)
    assert "1 result is missing. 1 result is not confirmed yet." in text(answer)


def test_of_a_best_of_three_the_current_game_is_shown(world, browse, desk):
    match = world.matches[0]
    Match.objects.filter(pk=match.pk).update(best_of=3)
    games = [world.game(match), *(Game.objects.create(match=match, number=number) for number in (2, 3))]
    client = browse(desk)
    for expected, points in zip(games, ((150, 95), (95, 150), (150, 5)), strict=True):
        shown = [game.pk for game in games if f'id="game-{game.pk}"' in text(client.get(GRID))]
        assert shown == [expected.pk]
        client.post(GRID, row(expected, *points))
    assert Match.objects.get(pk=match.pk).state == "decided"


def test_a_round_that_has_not_begun_is_not_shown_before_the_one_being_played_is_through(world, browse, desk):
    Match.objects.update(starts_at=timezone.now() + timezone.timedelta(days=3))
    for day, match in zip(Matchday.objects.order_by("number"), world.matches, strict=True):
        Slot.objects.filter(match=match).update(matchday=day)
    client = browse(desk)
    for match in world.matches:
        shown = [one for one in world.matches if f'id="game-{world.game(one).pk}"' in text(client.get(GRID))]
        assert [one.pk for one in shown] == [match.pk]
        client.post(GRID, row(world.game(match), 150, 95))


def test_the_grid_of_one_competition_shows_only_its_own(world, browse, desk):
    small.knock_out(world)
    own = text(browse(desk).get("/organize/harbour/competitions/autumn/grid/"))
    whole = text(browse(desk).get(GRID))
    assert own.count('class="grid-row ') == 3
    assert whole.count('class="grid-row ') > 3
    assert browse(desk).get("/organize/harbour/competitions/nothing/grid/").status_code == 404


# --- Scanning ---


def test_a_scanned_card_leads_to_its_row_without_a_script(world, browse, desk):
    game = world.game()
    for scanned in (f"http://192.168.1.5:8000/t/{game.match.door}/", game.match.door.lower()):
        answer = browse(desk).get(GRID, {"scan": scanned})
        assert answer.url == f"{GRID}?row={game.pk}#game-{game.pk}"
    assert "autofocus" in of_row(browse(desk).get(answer.url), game)
    for scanned in ("http://x/t/AAAAAAAAAAAA/", "nonsense", "%", "//"):
        lost = browse(desk).get(GRID, {"scan": scanned}, follow=True)
        assert "No row here belongs to that card." in text(lost)


# --- Statements ---


def test_a_grid_that_asks_for_every_row_is_found(world, browse, desk, monkeypatch):
    """The control."""
    real = results_grid.label_of

    def asks(one):
        one.game.refresh_from_db(fields=["code"])
        return real(one)

    monkeypatch.setattr(results_grid, "label_of", asks)
    client = browse(desk)
    with CaptureQueriesContext(connection) as three:
        client.get(GRID)
    Match.objects.exclude(pk=world.matches[0].pk).update(published_at=None)
    with CaptureQueriesContext(connection) as one:
        client.get(GRID)
    assert len(three) == len(one) + 2


# --- A late table ---


@pytest.mark.parametrize(
    ("release", "shown"),
    [(Competition.Release.ROUND_BY_ROUND, [1, 2, 2]), (Competition.Release.ALL, [1, 1])],
)
def test_a_round_published_without_a_late_table_is_typed_beside_it(world, release, shown):
    """Of the round before only what is missing; where all rounds were shown at once the first one is played."""
    plan = Plan(name="Late", ruleset="udl", release=release, starts_at=timezone.now() + timedelta(hours=1))
    cup = found_with_players(world.league, plan, "Dia\nEli\nFin\nGus", user=world.owner)
    publish(cup, user=world.owner)
    played = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1).first().match
    small.played(world, played, by=world.ref, official=True)
    if release == Competition.Release.ROUND_BY_ROUND:
        day = Matchday.objects.get(stage__competition=cup, number=2)
        publish_matchday(day, user=world.owner, reason="Table 2 is late")
    rows = grid(world.ref, world.league, cup, timezone.now()).rows
    assert sorted(row.match.slot.matchday.number for row in rows) == shown


def test_an_official_disagrees_at_the_row(world, browse) -> None:
    game = world.game()
    enter_sheet(game, Guest(game.match_id, 1), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    key = Result.objects.get(game=game).pk
    assert f'value="disagree:{key}"' in of_row(browse(world.ref).get(GRID), game)
    for nothing in ("", "\0"):
        browse(world.ref).post(GRID, {"act": f"disagree:{key}", f"disagree-{game.pk}": nothing})
        assert standing(game)[3] is False
    browse(world.ref).post(GRID, {"act": f"disagree:{key}", f"disagree-{game.pk}": "The card says 100"})
    assert standing(game) == ("150–95", "provisional", "", True)
    shown = of_row(browse(world.ref).get(GRID), game)
    assert "The card says 100" in shown
    assert "confirm:" not in shown


# --- A side has left ---


@pytest.fixture
def left(world):
    """The first has withdrawn; her forfeits wait for an official."""
    match = Match.objects.order_by("pk").first()
    side = match.sides.order_by("number").first()
    cup = match.slot.matchday.stage.competition
    row = {"competition": cup, "made_at": timezone.now(), "made_by": world.owner, "reason": "goes home"}
    return match, Withdrawal.objects.create(entrant=side.entrant, **row)


def test_the_forfeit_of_a_side_that_has_left_is_one_button(world, browse, desk, left):
    match, done = left
    Match.objects.filter(pk=match.pk).update(starts_at=timezone.now() + timedelta(days=7), best_of=3)
    day = Matchday.objects.latest("number")
    Slot.objects.filter(match=match).update(matchday=day)
    act = {"act": f"forfeit:{match.pk}"}
    assert f'value="{act["act"]}"' not in browse(desk).get(GRID).content.decode()
    page = browse(world.ref).get(GRID).content.decode()
    assert f'value="{act["act"]}"' in page
    assert f"Forfeit: {done.entrant} has left" in page
    told = browse(desk).post(GRID, act, follow=True).content.decode()
    assert "Only an official who does not play in this match rules on it." in told
    assert not Record.objects.filter(game__match=match).exists()
    answer = browse(world.ref).post(GRID, act, follow=True).content.decode()
    assert "The match is forfeited. " in answer
    done.refresh_from_db()
    assert list(Record.objects.filter(game__match=match).values_list("pk", flat=True)) == done.forfeits
    assert [row.reason for row in Record.objects.filter(game__match=match)] == ["goes home"] * len(done.forfeits)
    again = browse(world.ref).post(GRID, act, follow=True).content.decode()
    assert "This match waits for no forfeit any more." in again


def test_of_two_who_have_left_an_official_chooses(world, browse, left):
    match, done = left
    other = match.sides.order_by("number").last()
    Withdrawal.objects.create(
        competition=done.competition, entrant=other.entrant, reason="x", made_at=timezone.now(), made_by=world.owner
    )
    page = browse(world.ref).get(GRID).content.decode()
    assert f'value="forfeit:{match.pk}"' not in page
    assert "Both sides have left." in page
    assert '<details class="row-more" open>' in page
