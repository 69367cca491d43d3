"""An official result is changed: two officials, a reason, and what rests on it follows, stands or is void."""

import pytest

from league.competitions import task_queue
from league.competitions.amendments.services import close_amendment, confirm_amendment, propose_amendment
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.models import Berth, Matchday, Stage
from league.errors import NotAllowed, Refused
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Amendment, KnownBy, Match, Record, Result, SealedLog
from tests.league.competitions.amended import ROUND_ROBIN, amend, played_out, rows, score, standing, win
from tests.league.competitions.cup import names, published, slot
from tests.league.world import SHORT_LOG, played_log

# --- Two officials, a reason ---


def test_two_officials_amend_a_result_and_the_old_one_stays_with_its_record(world):
    match = win(world, published(world, 4), 1, 1)
    old = Result.objects.get(game__match=match)
    game = match.games.select_related("match__league").get()
    proposal = propose_amendment(game, world.referee, score(95, 150))
    assert standing(match)[0] == {"1": 150, "2": 95}
    done = confirm_amendment(proposal, world.second_referee)
    assert standing(match) == ({"1": 95, "2": 150}, 2, "official", "score", "amended")
    before = Result.objects.get(pk=old.pk)
    assert (before.state, before.current, before.scores) == ("amended", False, {"1": 150, "2": 95})
    assert (done.old_id, done.new.game_id, done.state) == (old.pk, game.pk, "confirmed")
    assert (done.proposed_by, done.closed_by, done.alone) == (world.referee, world.second_referee, False)
    assert Record.objects.get(pk=old.record_id).withdrawn_at is None
    assert done.new.record.replaces_id == old.record_id


def test_the_sealed_log_of_an_amended_game_is_not_touched(world):
    with_log = published(world, 2)
    world.match = slot(with_log, 1, 1).match
    verify_record(world.submit(played_log(7), by=world.referee).pk)
    confirm_result(result=Result.objects.get(game__match=world.match), user=world.second_referee)
    before = list(SealedLog.objects.values())
    amend(world, world.match, Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2}, reason="no rack"))
    assert list(SealedLog.objects.values()) == before
    assert standing(world.match)[:4] == ({"1": 0, "2": 150}, 2, "official", "ruled")


def test_a_corrected_log_amends_a_result_and_is_sealed_beside_the_old_one(world):
    cup = published(world, 2)
    world.match = slot(cup, 1, 1).match
    verify_record(world.submit(played_log(7), by=world.referee).pk)
    confirm_result(result=Result.objects.get(game__match=world.match), user=world.second_referee)
    advance(world.match.pk)
    first = SealedLog.objects.get()
    amend(world, world.match, Wanted(kind=KnownBy.LOG, data={"log": played_log(9)}, reason="another game's log"))
    [_, second] = SealedLog.objects.order_by("pk")
    assert SealedLog.objects.get(pk=first.pk).text == first.text
    assert "Ana Ruiz" not in second.text
    scores, winner, *rest = standing(world.match)
    verdict = second.record.verdict
    assert scores == {str(second.record.seats[seat]): points for seat, points in verdict.scores.items()}
    assert (winner, rest) == (second.record.seats[verdict.winner], ["official", "log", "amended"])
    assert second.record.replaces_id == first.record_id


def test_a_log_that_gives_no_result_amends_nothing(world):
    match = win(world, published(world, 2), 1, 1)
    with pytest.raises(Refused) as refused:
        propose_amendment(
            match.games.get(), world.referee, Wanted(kind=KnownBy.LOG, data={"log": SHORT_LOG}, reason="x")
        )
    assert refused.value.code == "log-without-result"


@pytest.mark.parametrize(
    ("who", "code"), [("referee", "own-submission"), ("alice", "needs-official"), ("charlie", "needs-official")]
)
def test_nobody_confirms_an_amendment_but_another_official_who_does_not_play(world, who, code):
    match = win(world, published(world, 2), 1, 1)
    proposal = propose_amendment(match.games.get(), world.referee, score(95, 150))
    with pytest.raises(NotAllowed) as refused:
        confirm_amendment(proposal, getattr(world, who))
    assert refused.value.code == code
    assert standing(match)[0] == {"1": 150, "2": 95}


def test_an_official_who_plays_in_the_match_proposes_nothing(world):
    match = win(world, published(world, 2), 1, 1)
    world.league.roles.filter(user=world.alice).update(kind="referee")
    with pytest.raises(NotAllowed) as refused:
        propose_amendment(match.games.get(), world.alice, score(95, 150))
    assert refused.value.code == "needs-official"


def test_where_a_league_asks_for_no_confirmation_one_official_amends_and_it_says_so(world):
    world.league.confirmation_required = False
    world.league.save()
    match = win(world, published(world, 2), 1, 1)
    done = propose_amendment(match.games.get(), world.referee, score(95, 150))
    assert (done.state, done.alone) == ("confirmed", True)
    assert standing(match)[:3] == ({"1": 95, "2": 150}, 2, "official")


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        (score(95, 150, reason="  "), "no-reason"),
        (score(95, 150, reason="x" * 201), "long-reason"),
        (Wanted(kind=KnownBy.RULED, data={"scores": [-1, 0], "winner": 1}, reason="x"), "bad-score"),
        (Wanted(kind=KnownBy.RULED, data={"scores": [150], "winner": 1}, reason="x"), "bad-score"),
        (score(7, 150), "does-not-add-up"),
        (Wanted(kind=KnownBy.LOG, data={"log": ""}, reason="x"), "empty-file"),
    ],
)
def test_what_cannot_be_is_not_proposed(world, wanted, code):
    match = win(world, published(world, 2), 1, 1)
    with pytest.raises(Refused) as refused:
        propose_amendment(match.games.get(), world.referee, wanted)
    assert refused.value.code == code
    assert not Amendment.objects.exists()


def test_only_an_official_result_is_amended_and_by_one_proposal_at_a_time(world):
    cup = published(world, 4)
    with pytest.raises(Refused) as refused:
        propose_amendment(slot(cup, 1, 1).match.games.get(), world.referee, score(95, 150))
    assert refused.value.code == "not-official"
    match = win(world, cup, 1, 1)
    propose_amendment(match.games.get(), world.referee, score(95, 150))
    with pytest.raises(Refused) as refused:
        propose_amendment(match.games.get(), world.second_referee, score(90, 150))
    assert refused.value.code == "proposed-already"


def test_a_proposal_is_withdrawn_by_whoever_made_it_and_refused_by_another(world):
    match = win(world, published(world, 2), 1, 1)
    states = []
    for user in (world.referee, world.owner):
        proposal = propose_amendment(match.games.get(), world.referee, score(95, 150))
        states.append(close_amendment(proposal, user).state)
        with pytest.raises(Refused) as refused:
            confirm_amendment(proposal, world.second_referee)
        assert refused.value.code == "closed-already"
    assert states == ["withdrawn", "refused"]
    assert standing(match)[0] == {"1": 150, "2": 95}


# --- What rests on it ---


def test_a_next_match_that_nobody_has_begun_gets_the_right_player_and_a_new_version(world):
    cup = published(world, 4)
    match = win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    first, version = slot(cup, 2, 1).match_id, slot(cup, 2, 1).matchday.version
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    amend(world, match, score(95, 150))
    final = slot(cup, 2, 1)
    assert names(cup, 2) == [["P4", "Bo Chen"]]
    assert (final.match_id != first, Match.objects.filter(pk=first).exists()) == (True, False)
    assert (final.matchday.version, final.changed_at is not None) == (version + 1, True)
    assert [str(side.entrant) for side in final.match.sides.order_by("number")] == ["P4", "Bo Chen"]


def test_a_score_that_leaves_the_winner_moves_nobody(world):
    cup = published(world, 4)
    match = win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    final = slot(cup, 2, 1)
    amend(world, match, score(150, 145))
    after = slot(cup, 2, 1)
    assert (after.match_id, after.matchday.version) == (final.match_id, final.matchday.version)
    assert standing(match)[0] == {"1": 150, "2": 145}


def test_nothing_that_was_begun_is_redrawn_without_a_choice(world):
    _cup, first = played_out(world)
    before = rows()
    with pytest.raises(Refused) as refused:
        propose_amendment(first.games.get(), world.referee, score(95, 150))
    assert refused.value.code == "choose-later"
    assert "Final: Ana Ruiz – Bo Chen" in str(refused.value)
    assert rows() == before


def test_later_matches_stand_as_played_and_say_so(world):
    cup, first = played_out(world)
    done = amend(world, first, score(95, 150, later="stand"))
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"], ["P4", "P3"]]
    marked = Berth.objects.filter(stands_although=done).order_by("slot__number", "number")
    assert [(str(one.entrant), one.slot.number) for one in marked] == [("Ana Ruiz", 1), ("P4", 2)]
    assert Stage.objects.get(competition=cup).finished_at is not None
    amend(world, first, score(150, 100))  # and the first result was right after all
    assert not Berth.objects.exclude(stands_although=None).exists()


def test_later_matches_become_void_and_are_played_anew(world):
    cup, first = played_out(world)
    old = [slot(cup, 2, place).match for place in (1, 2)]
    finished = Stage.objects.get(competition=cup).finished_at
    done = amend(world, first, score(95, 150, later="void"), typed="cup")
    assert names(cup, 2) == [["P4", "Bo Chen"], ["Ana Ruiz", "P3"]]
    for place, before in zip((1, 2), old, strict=True):
        before.refresh_from_db()
        now = slot(cup, 2, place).match
        assert (before.voided_by_id, before.state, now.pk != before.pk) == (done.pk, "decided", True)
        assert (now.state, now.published_at is not None) == ("scheduled", True)
        result = Result.objects.get(game__match=before)
        assert (result.current, result.state, result.record.withdrawn_at is not None) == (False, "amended", True)
    assert (finished is not None, Stage.objects.get(competition=cup).finished_at) == (True, None)


def test_matches_become_void_only_when_somebody_types_the_name_of_the_competition(world):
    _cup, first = played_out(world)
    wanted = score(95, 150, later="void")
    with pytest.raises(Refused) as refused:
        propose_amendment(first.games.get(), world.referee, wanted, typed="Cupboard")
    assert refused.value.code == "type-it"
    proposal = propose_amendment(first.games.get(), world.referee, wanted, typed="Cup")
    before = rows()
    with pytest.raises(Refused) as refused:
        confirm_amendment(proposal, world.second_referee)
    assert refused.value.code == "type-it"
    assert rows() == before


def test_what_became_void_leaves_the_ratings_with_it(world, monkeypatch, django_capture_on_commit_callbacks):
    cup, first = played_out(world)
    asked = []
    monkeypatch.setattr(task_queue, "queue_rating", asked.append)
    old = [slot(cup, 2, place).match_id for place in (1, 2)]
    with django_capture_on_commit_callbacks(execute=True):
        amend(world, first, score(95, 150, later="void"), typed="Cup")
    assert set(asked) == {first.pk, *old}


def test_what_became_void_takes_no_further_result(world):
    cup, first = played_out(world)
    old = slot(cup, 2, 1).match
    amend(world, first, score(95, 150, later="void"), typed="Cup")
    with pytest.raises(Refused) as refused:
        propose_amendment(old.games.get(), world.referee, score(95, 150))
    assert refused.value.code == "not-official"


def test_an_amended_game_can_reopen_a_match_and_close_it_again(world):
    cup = published(world, 4, best_of=3)
    match = win(world, cup, 1, 1)  # two games to nothing
    win(world, cup, 1, 2)
    assert names(cup, 2) == [["Ana Ruiz", "Bo Chen"]]
    amend(world, match, score(95, 150), number=2)
    match.refresh_from_db()
    assert (match.state, names(cup, 2), slot(cup, 2, 1).match) == ("playing", [[None, "Bo Chen"]], None)
    amend(world, match, score(150, 60), number=2)
    advance(match.pk)
    match.refresh_from_db()
    assert (match.state, names(cup, 2)) == ("decided", [["Ana Ruiz", "Bo Chen"]])


def test_a_later_game_that_becomes_moot_keeps_its_result(world):
    cup = published(world, 2, best_of=3)
    match = slot(cup, 1, 1).match
    for number, winner in ((1, 1), (2, 2), (3, 1)):
        game = match.games.get(number=number)
        record = Record.objects.create(
            game=game,
            submitted_by=world.referee,
            submitted_at=match.published_at,
            upload_sha256=f"{game.pk:064d}",
            state=Record.State.VERIFIED,
        )
        Result.objects.create(
            game=game,
            record=record,
            scores={"1": 150, "2": 95} if winner == 1 else {"1": 95, "2": 150},
            winner=winner,
            state=Result.State.OFFICIAL,
            entered_at=match.published_at,
        )
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED)
    advance(match.pk)
    amend(world, match, score(150, 95), number=2)
    match.refresh_from_db()
    assert (match.state, standing(match, 3)[0]) == ("decided", {"1": 150, "2": 95})
    assert Stage.objects.get(competition=cup).finished_at is not None


def test_published_rounds_stay_and_say_that_they_were_paired_before(world):
    league = published(world, 4, format=ROUND_ROBIN, release="round_by_round")
    matches = [win(world, league, 1, place) for place in (1, 2)]
    publish_matchday(Matchday.objects.get(stage__competition=league, number=2), user=world.owner)
    before = names(league, 2), list(Matchday.objects.values_list("version", flat=True))
    amend(world, matches[0], score(95, 150))
    days = services_page(world, league).matchdays
    assert [day.paired_before for day in days] == [None, matches[0].pk, None]
    assert (names(league, 2), list(Matchday.objects.values_list("version", flat=True))) == before


def services_page(world, competition):
    from league.competitions.queries.competition import competition_page

    return competition_page(world.owner, competition.league.slug, competition.slug)
