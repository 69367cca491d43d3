"""What the pages of a match and of a player show, and to whom."""

import pytest
from django.contrib.auth.models import AnonymousUser

from league.competitions.queries.inbox import inbox
from league.house.mistakes import with_broken_rule, with_illegal_play, with_wrong_total
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Match, Result, SealedLog
from league.matches.queries import lists as queries
from league.matches.queries.lines import match_lines
from league.matches.queries.match import match_page
from league.matches.queries.player import player_page
from league.matches.visibility import visible_players
from league.players.models import Player
from league.players.services import erase
from referee import verify_text
from tests.league.world import NOON, play, played_log

NOBODY = AnonymousUser()
MATCH_STATEMENTS = 7
PLAYER_STATEMENTS = 4


def handed_in(world, text, **changes):
    record = world.submit(text, **changes)
    verify_record(record.pk)
    return record


def view(world, user=NOBODY, **changes):
    return match_page(user, world.match.pk, **changes).games[0]


def test_a_match_without_a_log_shows_its_sides_and_what_the_asker_may_do(world):
    page = match_page(world.alice, world.match.pk)
    game = page.games[0]
    assert [(side.number, side.name, side.score) for side in page.sides] == [
        (1, "Ana Ruiz", None),
        (2, "Bo Chen", None),
    ]
    assert (page.ruleset, page.edition, page.confirmation_required) == ("udl", 1, True)
    assert (game.record, game.result, game.verdict, game.log, game.checking) == (None, None, None, [], False)
    assert (game.may_submit, game.may_confirm, game.may_mend) == (True, False, False)
    assert not view(world).may_submit
    assert not view(world, world.charlie).may_submit


def test_a_log_that_is_being_checked_is_shown_and_says_so(world):
    record = world.submit(played_log())
    game = view(world)
    assert (game.record, game.checking, game.verdict) == (record, True, None)
    assert len(game.log) == played_log().count("\n")


def test_a_verified_game_is_shown_by_side_with_names_for_codes(world):
    book = play(names=("Bo Chen", "Ana Ruiz"))
    handed_in(world, played_log(names=("Bo Chen", "Ana Ruiz")))
    page = match_page(NOBODY, world.match.pk)
    game = page.games[0]
    scores = [book.scores["B"], book.scores["A"]]
    assert [side.score for side in page.sides] == scores
    assert game.rounds[-1].scores == scores
    assert game.points == {1: scores[0], 2: scores[1]}
    assert game.chips == {1: book.chips["B"], 2: book.chips["A"]}
    assert game.winner == {"A": 2, "B": 1}[book.winner]
    assert {one.led_name for one in game.rounds} <= {"Ana Ruiz", "Bo Chen"}
    assert "\n".join(line.text for line in game.log) + "\n" == played_log(names=("Bo Chen", "Ana Ruiz"))
    assert game.broken_at is None
    assert game.is_result_of_record


def test_findings_stand_at_their_lines_with_the_rule_and_the_arithmetic(world):
    handed_in(world, with_wrong_total(played_log()))
    game = view(world)
    finding = next(one for one in game.findings if one.code == "wrong-total")
    assert (finding.severity, finding.rule, finding.column) == ("correction", "udl.total", None)
    assert finding.source.split(" ", 1)[-1].startswith("score ")
    assert finding in game.log[finding.line - 1].findings
    assert " make " in finding.sentence
    assert (finding.rule_number, finding.rule_text) != ("", "")


def test_the_column_of_an_error_in_a_seat_line_counts_in_the_line_that_is_shown(world):
    text = '[Ruleset "udl"]\n[Seat.A "Ana Ruiz"]\n[Seat.B "Bo Chen" x]\nround 1\n'
    handed_in(world, text)
    [finding] = view(world).findings
    assert (finding.line, finding.source) == (3, '[Seat.B "Bo Chen" x]')
    assert finding.source[finding.column - 1 :].lstrip() == "x]"


def test_an_illegal_log_after_a_result_is_announced_as_newer_and_shown_when_asked_for(world):
    first = handed_in(world, played_log())
    second = handed_in(world, with_illegal_play(played_log()), by=world.bob)
    game = view(world)
    assert (game.record, game.newer, game.is_result_of_record) == (first, second, True)
    asked = view(world, world.bob, record_id=second.pk)
    assert (asked.record, asked.newer, asked.is_result_of_record) == (second, None, False)
    assert (asked.verdict.status, asked.may_mend, asked.may_confirm) == ("impossible", True, True)
    assert [record.pk for record in asked.records] == [second.pk, first.pk]
    assert view(world, record_id=10**9).record == first


def test_a_byte_flipped_in_the_archive_is_shown_with_its_round(world, monkeypatch):
    record = handed_in(world, played_log())
    text = record.sealed.text
    at = text.index("round 2") + 12
    flipped = text[:at] + chr(ord(text[at]) ^ 1) + text[at + 1 :]
    sealed = SealedLog(record=record, text=flipped, sha256=record.sealed.sha256, heads=record.sealed.heads)
    monkeypatch.setattr("league.matches.queries.match._texts", lambda _records: {record.pk: sealed})
    assert view(world).broken_at == 2


def test_the_official_result_closes_the_game_for_logs(world):
    handed_in(world, played_log())
    assert [view(world, who).may_confirm for who in (world.alice, world.bob, world.referee)] == [False, True, True]
    confirm_result(result=Result.objects.get(), user=world.bob)
    game = view(world, world.alice)
    assert (game.may_submit, game.may_confirm, game.result.confirmed_by_id) == (False, False, world.bob.pk)


def test_an_erased_player_is_shown_by_code_and_the_log_too(world):
    handed_in(world, played_log())
    erase(world.ana.player)
    page = match_page(NOBODY, world.match.pk)
    code = world.ana.player.code
    assert page.sides[0].name == code
    assert f'[Seat.A "{code}"]' in [line.text for line in page.games[0].log]
    assert "Ana" not in str(page.games[0].log)


def test_a_name_with_quotes_is_shown_as_the_notation_writes_it(world):
    handed_in(world, played_log())
    Player.objects.filter(pk=world.ana.player.pk).update(name='Ana "Ace" \\ Ruiz')
    assert '[Seat.A "Ana \\"Ace\\" \\\\ Ruiz"]' in [line.text for line in view(world).log]


def test_an_unpublished_match_is_absent_for_everybody_but_the_staff(world):
    Match.objects.update(published_at=None)
    for outsider in (NOBODY, world.alice, world.charlie):
        with pytest.raises(Match.DoesNotExist):
            match_page(outsider, world.match.pk)
    assert match_page(world.referee, world.match.pk)


@pytest.mark.parametrize("records", [1, 3])
def test_the_match_page_takes_the_same_statements_for_one_log_and_for_three(world, records, django_assert_num_queries):
    for number in range(records):
        handed_in(world, played_log(7 + number))
    with django_assert_num_queries(MATCH_STATEMENTS):
        view(world)
    with django_assert_num_queries(MATCH_STATEMENTS + 1):  # the asker's roles
        view(world, world.alice)


# --- Lists ---


def test_games_to_hand_in_are_the_askers_own_or_of_their_league(world):
    code = world.game.code
    for who in (world.alice, world.bob, world.referee):
        assert [(one.code, one.label) for one in queries.games_to_submit(who)] == [(code, "Ana Ruiz – Bo Chen")]
    assert queries.games_to_submit(world.charlie) == queries.games_to_submit(NOBODY) == []
    handed_in(world, played_log())
    assert len(queries.games_to_submit(world.alice)) == 1
    confirm_result(result=Result.objects.get(), user=world.bob)
    assert queries.games_to_submit(world.alice) == []


def test_results_that_wait_are_shown_to_those_who_may_confirm_them(world):
    handed_in(world, played_log())
    waiting = {
        who: [one.game.match_id for one in inbox(getattr(world, who))] for who in ("alice", "bob", "referee", "charlie")
    }
    match = world.match.pk
    assert waiting == {"alice": [], "bob": [match], "referee": [match], "charlie": []}
    assert inbox(NOBODY) == []


@pytest.mark.parametrize("rows", [1, 3])
def test_lists_take_the_same_statements_for_one_row_and_for_three(world, rows, django_assert_num_queries):
    for _ in range(rows):
        handed_in(world, played_log())
        world.match = world.fixture(starts_at=NOON)
    with django_assert_num_queries(5):
        assert len(match_lines(queries.latest_results(NOBODY, 8))) == rows
    with django_assert_num_queries(4):
        assert len(queries.games_to_submit(world.bob)) == rows + 1


def test_live_is_what_has_begun_or_is_being_checked(world):
    Match.objects.update(starts_at=NOON)
    for hours, found in ((-1, 0), (0, 1), (1, 1), (3, 0)):
        assert queries.live(NOBODY, NOON.replace(hour=12 + hours)).count() == found
    assert [queries.upcoming(NOBODY, NOON.replace(hour=hour)).count() for hour in (11, 12)] == [1, 0]
    record = world.submit(played_log())
    assert queries.live(NOBODY, NOON.replace(year=2030)).count() == 1
    verify_record(record.pk)
    assert queries.live(NOBODY, NOON.replace(year=2030)).count() == 0


# --- Players ---


def test_a_players_page_adds_up_the_matches_and_the_muggins(world):
    caught = suffered = won = points = against = counts = 0
    for seed in (7, 8, 9):
        handed_in(world, played_log(seed))
        game = play(seed)
        rulings = Result.objects.get(game=world.game).record.verdict.rulings
        caught += sum(one["upheld"] and one["claimant"] == "A" for one in rulings)
        suffered += sum(one["upheld"] and one["against"] == "A" for one in rulings)
        plays = verify_text(played_log(seed))[0].as_json()["plays"]
        counts += sum(one["seat"] == "A" and one["worth"] > 0 for one in plays)
        won += game.winner == "A"
        points, against = points + game.scores["A"], against + game.scores["B"]
        world.match = world.fixture()
    page = player_page(NOBODY, world.ana.player.code.lower(), NOON)
    done = page.career
    assert (done.played, done.won, done.lost, done.drawn) == (3, won, 3 - won, 0)
    assert (done.points_for, done.points_against, done.difference) == (points, against, points - against)
    assert (done.known.games, done.known.from_log, done.sums.sums.points) == (3, 3, points)
    assert (done.sums.sums.caught, done.sums.sums.suffered) == (caught, suffered)
    assert caught + suffered > 0
    assert (done.sums.sums.counts, done.sums.missed) == (counts, counts - done.sums.sums.called)
    assert done.form == ["W" if play(seed).winner == "A" else "L" for seed in (7, 8, 9)]
    assert [league.name for league in page.leagues] == ["Harbour"]
    assert page.matches.count() == 4


@pytest.mark.parametrize("rows", [1, 3])
def test_the_players_page_takes_the_same_statements_for_one_match_and_for_three(world, rows, django_assert_num_queries):
    for _ in range(rows):
        handed_in(world, played_log())
        world.match = world.fixture()
    with django_assert_num_queries(PLAYER_STATEMENTS):
        assert player_page(NOBODY, world.ana.player.code, NOON).career.played == rows


def test_players_are_visible_by_their_matches(world):
    assert [player.name for player in visible_players(NOBODY)] == ["Bo Chen", "Ana Ruiz"]
    Match.objects.update(published_at=None)
    assert list(visible_players(NOBODY)) == []
    assert [player.name for player in visible_players(world.alice)] == ["Ana Ruiz"]
    assert [player.name for player in visible_players(world.referee)] == ["Bo Chen", "Ana Ruiz"]
    with pytest.raises(Player.DoesNotExist):
        player_page(NOBODY, world.ana.player.code, NOON)


def test_a_match_that_only_waits_for_a_mended_log_is_not_live(world):
    Match.objects.update(starts_at=NOON)
    assert queries.live(NOBODY, NOON).count() == 1
    handed_in(world, with_illegal_play(played_log()))
    assert queries.live(NOBODY, NOON).count() == 0
    # A mended log that is being checked brings it back.
    world.submit(played_log())
    assert queries.live(NOBODY, NOON).count() == 1


def test_a_match_with_a_game_still_to_play_is_live_though_a_log_must_be_mended(world):
    world.match = world.fixture(best_of=3, starts_at=NOON)
    games = list(world.match.games.select_related("match__league").order_by("number"))
    handed_in(world, with_illegal_play(played_log()), game=games[0])
    handed_in(world, played_log(8), game=games[1])
    assert list(queries.live(NOBODY, NOON)) == [world.match]
    handed_in(world, with_illegal_play(played_log(9)), game=games[2])
    assert list(queries.live(NOBODY, NOON)) == []


def test_a_result_that_needs_a_decision_is_no_latest_result_until_it_is_decided(world):
    handed_in(world, with_broken_rule(played_log()))
    assert list(queries.latest_results(NOBODY, 8)) == []
    confirm_result(result=Result.objects.get(), user=world.referee)
    assert list(queries.latest_results(NOBODY, 8)) == [world.match]


def test_the_latest_result_is_the_one_that_came_last_whatever_the_date_of_its_match(world):
    to_come = world.fixture(starts_at=NOON.replace(year=2030))
    for match, hour in ((to_come, 12), (world.match, 13)):
        game = match.games.select_related("match__league").get()
        verify_record(
            submit_log(game=game, user=world.alice, raw=played_log().encode(), at=NOON.replace(hour=hour)).record.pk
        )
    assert list(queries.latest_results(NOBODY, 8)) == [world.match, to_come]


def test_who_sits_where_is_told_when_it_is_not_the_order_of_the_fixture(world):
    assert (view(world).seats, view(world).seats_differ) == ({}, False)
    handed_in(world, played_log())
    assert (view(world).seats, view(world).seats_differ) == ({1: "A", 2: "B"}, False)
    handed_in(world, played_log(names=("Bo Chen", "Ana Ruiz")))
    assert (view(world).seats, view(world).seats_differ) == ({2: "A", 1: "B"}, True)


def test_a_result_does_not_wait_for_confirmation_while_a_newer_log_is_checked(world):
    handed_in(world, played_log())
    assert [one.game.match_id for one in inbox(world.bob)] == [world.match.pk]
    second = world.submit(played_log(8))
    assert inbox(world.bob) == []
    verify_record(second.pk)
    assert [one.game.match_id for one in inbox(world.bob)] == [world.match.pk]
