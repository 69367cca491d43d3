"""What an amendment would change is shown before it is stored, and nothing of the rehearsal is ever heard of."""

from types import SimpleNamespace

import pytest
from django.db import transaction
from django.utils import translation

from league.competitions.amendments import effects
from league.competitions.amendments.services import confirm_amendment, effect_now, outlooks, propose_amendment
from league.competitions.models import Matchday, Stage
from league.errors import Refused
from league.matches.models import Amendment, KnownBy, Result
from league.matches.results.entering import enter_sheet, undo_entry
from league.matches.results.reviews import choose
from league.matches.signals import match_decided, result_amended
from league.players.models import Player
from league.players.signals import player_erased
from league.web.words.amendments import in_words
from tests.league.competitions.amended import ROUND_ROBIN, amend, played_out, rows, score, standing, win
from tests.league.competitions.cup import enter_result, published

# --- The effect is shown first ---


def test_the_effect_of_a_round_robin_names_ranks_and_tie_breaks_and_what_stays(world):
    league = published(world, 4, format=ROUND_ROBIN)
    match = win(world, league, 1, 1)  # Ana – P4
    win(world, league, 1, 2)  # Bo – P3
    effect = outlooks(match.games.get(), world.referee, score(95, 150)).stand
    rows_told = {one.name: one for one in effect.rows}
    ana = rows_told["Ana Ruiz"]
    assert (ana.rank_before, ana.rank_after, {one.key: (one.before, one.after) for one in ana.numbers}) == (
        1,
        3,
        {
            "won": ("1", "0"),
            "lost": ("0", "1"),
            "points_for": ("150", "95"),
            "points_against": ("95", "150"),
            "difference": ("55", "-55"),
            "match_points": ("2", "0"),
        },
    )
    assert (set(rows_told), effect.rows_unchanged) == ({"Ana Ruiz", "P4"}, 2)
    [change] = effect.slots
    assert (change.kind, change.before.score, change.after.score) == ("result", "150–95", "95–150")
    assert (effect.slots_unchanged, effect.published_unchanged) == (5, 5)


def test_the_effect_of_a_knock_out_names_both_ways_where_a_match_has_begun(world):
    _cup, first = played_out(world)
    found = outlooks(first.games.get(), world.referee, score(95, 150))
    assert [(one.kind, one.after.berths) for one in found.stand.slots] == [
        ("result", ("Ana Ruiz", "P4")),
        ("stands", ("Ana Ruiz", "Bo Chen")),
        ("stands", ("P4", "P3")),
    ]
    assert [(one.kind, one.before.berths, one.after.berths) for one in found.void.slots] == [
        ("result", ("Ana Ruiz", "P4"), ("Ana Ruiz", "P4")),
        ("void", ("Ana Ruiz", "Bo Chen"), ("P4", "Bo Chen")),
        ("void", ("P4", "P3"), ("Ana Ruiz", "P3")),
    ]
    assert (found.void.finished_before, found.void.finished_after) == (True, False)
    assert (len(found.void.places_before), found.void.places_after) == (4, ())


def test_the_effect_that_was_shown_is_the_one_that_comes(world):
    _cup, first = played_out(world)
    wanted = score(95, 150, later="void")
    shown = outlooks(first.games.get(), world.referee, wanted).of("void")
    proposal = propose_amendment(first.games.get(), world.referee, wanted, seen=shown.digest, typed="Cup")
    assert effect_now(proposal, world.second_referee).digest == shown.digest == proposal.effect


def test_an_effect_that_changed_since_is_told_and_asked_again(world):
    league = published(world, 4, format=ROUND_ROBIN)
    match = win(world, league, 1, 1)
    proposal = propose_amendment(match.games.get(), world.referee, score(95, 150))
    win(world, league, 1, 2)
    before = rows()
    with pytest.raises(Refused) as refused:
        confirm_amendment(proposal, world.second_referee)
    assert (refused.value.code, rows()) == ("effect-changed", before)
    now = effect_now(proposal, world.second_referee)
    assert confirm_amendment(proposal, world.second_referee, seen=now.digest).state == "confirmed"


def test_a_match_that_began_since_asks_for_the_choice_anew(world):
    cup = published(world, 4)
    match = win(world, cup, 1, 1)
    win(world, cup, 1, 2)
    proposal = propose_amendment(match.games.get(), world.referee, score(95, 150))
    win(world, cup, 2, 1)
    with pytest.raises(Refused) as refused:
        confirm_amendment(proposal, world.second_referee)
    assert refused.value.code == "choose-later"


def test_a_match_outside_of_any_competition_is_amended_as_well(world):
    enter_result(world, world.match, 1)
    effect = outlooks(world.game, world.referee, score(95, 150)).stand
    assert [(one.kind, one.before.winner, one.after.winner) for one in effect.slots] == [
        ("result", "Ana Ruiz", "Bo Chen")
    ]
    assert amend(world, world.match, score(95, 150)).state == "confirmed"


# --- A rehearsal is never heard of ---


def heard(capture, act):
    with capture(execute=True) as calls:
        act()
    return len(calls)


def test_nothing_of_a_rehearsal_is_stored_or_told(world, django_capture_on_commit_callbacks, mailoutbox):
    _cup, first = played_out(world)
    told = []
    for signal in (match_decided, result_amended):
        signal.connect(lambda **facts: told.append(facts), weak=False, dispatch_uid="listening")
    try:
        before, game = rows(), first.games.get()
        assert heard(django_capture_on_commit_callbacks, lambda: outlooks(game, world.referee, score(95, 150))) == 0
        assert (rows(), told, mailoutbox) == (before, [], [])
        done = amend_telling(world, game, django_capture_on_commit_callbacks)
        assert [one["match_id"] for one in told] == [first.pk]
        assert done.state == "confirmed"
    finally:
        for signal in (match_decided, result_amended):
            signal.disconnect(dispatch_uid="listening")


def amend_telling(world, game, capture):
    with capture(execute=True):
        proposal = propose_amendment(game, world.referee, score(95, 150, later="stand"))
        return confirm_amendment(proposal, world.second_referee)


def test_without_taking_it_back_a_rehearsal_would_be_heard(world, django_capture_on_commit_callbacks, monkeypatch):
    """The control."""
    match = win(world, published(world, 4), 1, 1)
    before, game = rows(), match.games.get()
    kept = SimpleNamespace(atomic=transaction.atomic, on_commit=transaction.on_commit, set_rollback=lambda *_: None)
    monkeypatch.setattr(effects, "transaction", kept)
    assert heard(django_capture_on_commit_callbacks, lambda: outlooks(game, world.referee, score(95, 150))) > 0
    assert rows() != before


def test_erasing_a_player_empties_the_reasons_of_amendments(world):
    done = amend(world, win(world, published(world, 2), 1, 1), score(95, 150, reason="Ana Ruiz miscounted"))
    player_erased.send(Player, player_id=world.ana.player_id)
    assert Amendment.objects.get(pk=done.pk).reason == "–"


def test_an_amendment_is_not_undone_like_an_entry_and_what_was_said_before_contests_it_no_more(world):
    game = world.game
    enter_sheet(game, world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    entered = enter_sheet(game, world.bob, {"scores": [95, 150]}, kind=KnownBy.SCORE)
    chosen = choose(
        Result.objects.get(game=game, scores={"1": 150, "2": 95}), world.referee, reason="seen at the table"
    )
    done = amend(world, chosen.game.match, score(120, 115))
    with pytest.raises(Refused) as refused:
        undo_entry(done.new.record, world.referee)
    assert refused.value.code == "confirmed-already"
    undo_entry(entered.record, world.bob)
    assert standing(world.match) == ({"1": 120, "2": 115}, 1, "official", "score", "amended")
    assert not Result.objects.filter(game=game, contested=True).exists()


def test_two_officials_who_read_different_languages_see_one_effect(world):
    _cup, first = played_out(world)
    with translation.override("en"):
        proposal = propose_amendment(first.games.get(), world.referee, score(95, 150, later="stand"))
    with translation.override("es"):
        assert effect_now(proposal, world.second_referee).digest == proposal.effect
        assert confirm_amendment(proposal, world.second_referee).state == "confirmed"


def test_what_other_rooms_make_of_results_is_shown_too(world, monkeypatch):
    """As the amended results say it: each is asked within the rehearsal."""

    def wins(match):
        return {"Wins of side 2": str(Result.objects.filter(game__match=match, current=True, winner=2).count())}

    monkeypatch.setattr(effects, "next_season_of", wins)
    match = win(world, published(world, 2), 1, 1)
    found = outlooks(match.games.get(), world.referee, score(95, 150)).stand.further
    assert [(one.key, one.before, one.after) for one in found] == [("Wins of side 2", "0", "1")]


def test_a_deciding_match_that_is_not_needed_waits_for_nobody(world):
    cup = published(world, 4, format=Stage.Format.DOUBLE_ELIMINATION)
    days = list(Matchday.objects.filter(stage__competition=cup).order_by("number"))
    for day in days[:-1]:
        berth = 2 if day == days[-2] else 1  # the final goes to the winner of the losers' bracket
        for place in range(1, day.slots.count() + 1):
            last = win(world, cup, day.number, place, berth)

    def sentences():
        effect = outlooks(last.games.get(), world.referee, score(150, 95, later="void"))
        return [line.sentence for line in in_words(effect.void or effect.stand).lines]

    assert sentences()[-1].endswith(" is not needed any more.")
    win(world, cup, days[-1].number, 1)
    assert sentences()[-1].endswith(" no longer counts; its results are kept. It is not needed any more.")
