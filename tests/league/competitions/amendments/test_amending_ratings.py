"""What an amendment does to the ratings is shown with the rest, by really rating it and taking that back."""

from dataclasses import replace
from datetime import timedelta

from league.competitions import receivers
from league.competitions.amendments import services as amending
from league.competitions.amendments.services import outlooks, propose_amendment
from league.competitions.models import Competition, RatedGame, Rating
from league.competitions.ratings import services as ratings
from league.competitions.ratings.services import rate_match
from league.matches.models import Match, Record
from league.matches.signals import result_amended
from league.web.words.amendments import MOST_RATINGS, in_words
from tests.league.competitions.amended import ROUND_ROBIN, amend, score, win
from tests.league.competitions.cup import published
from tests.league.competitions.rated import rows
from tests.league.world import NOON


def rated_table(world, count=4):
    """A round robin of which the first match of each round is played and rated, that of the first one weeks ago."""
    table = published(world, count, format=ROUND_ROBIN)
    matches = [win(world, table, number, 1) for number in (1, 2, 3)]
    Record.objects.filter(game__match=matches[0]).update(submitted_at=NOON - timedelta(weeks=3))
    for match in matches:
        rate_match(match.pk)
    return table, matches[0]


def numbers():
    found = Rating.objects.filter(latest=True).values_list("player__name", "rating")
    return {name: round(rating) for name, rating in found}


def told(effect):
    return {one.name: (one.before, one.after) for one in effect.ratings}


def test_the_ratings_that_are_shown_are_those_that_come(world):
    _table, match = rated_table(world)
    before, stored = numbers(), rows()
    effect = outlooks(match.games.get(), world.referee, score(95, 150)).stand
    assert rows() == stored, "a rehearsal leaves nothing"
    amend(world, match, score(95, 150))
    assert rows() == stored, "they follow after the commit"
    rate_match(match.pk)
    after = numbers()
    assert told(effect) == {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    assert len(told(effect)) == 4, "of the two who played, and of those whom they met after that"


def test_matches_that_become_void_leave_the_shown_ratings(world):
    cup = published(world, 4)
    matches = [win(world, cup, 1, 1), win(world, cup, 1, 2), win(world, cup, 2, 1)]
    for match in matches:
        rate_match(match.pk)
    before, wanted = numbers(), score(95, 150, later="void")
    effect = outlooks(matches[0].games.get(), world.referee, wanted).void
    amend(world, matches[0], wanted, typed="Cup")
    for match in matches:
        rate_match(match.pk)
    after = numbers()
    assert told(effect) == {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def test_a_league_that_nobody_has_rated_yet_is_told_the_same(world):
    _table, match = rated_table(world)
    shown = outlooks(match.games.get(), world.referee, score(95, 150)).stand.ratings
    RatedGame.objects.all().delete()
    Rating.objects.all().delete()
    for one in Match.objects.filter(state=Match.State.DECIDED).exclude(pk=match.pk):
        rate_match(one.pk)
    assert outlooks(match.games.get(), world.referee, score(95, 150)).stand.ratings == shown


def test_a_result_that_becomes_a_ruling_takes_the_ratings_away(world):
    table = published(world, 2, format=ROUND_ROBIN)
    match = win(world, table, 1, 1)
    rate_match(match.pk)
    wanted = amending.Wanted(kind="ruled", data={"scores": [150, 0], "winner": 1, "ended": "forfeit"}, reason="late")
    effect = outlooks(match.games.get(), world.referee, wanted).stand
    assert told(effect) == {"Ana Ruiz": (1662, None), "Bo Chen": (1338, None)}
    assert "none" in " ".join(in_words(effect).ratings)


def test_an_unrated_competition_has_no_ratings_to_change(world):
    _table, match = rated_table(world)
    Competition.objects.update(rated=False)
    assert outlooks(match.games.get(), world.referee, score(95, 150)).stand.ratings == ()


def test_a_long_list_is_cut_and_says_how_much_longer_it_is(world):
    _table, match = rated_table(world)
    effect = outlooks(match.games.get(), world.referee, score(95, 150)).stand
    words = in_words(replace(effect, ratings=effect.ratings * 10))
    assert (len(words.ratings), words.more_ratings) == (MOST_RATINGS, 40 - MOST_RATINGS)
    first = effect.ratings[0]
    assert words.ratings[0] == f"{first.name}: {first.before} → {first.after}"
    assert abs(first.after - first.before) >= abs(effect.ratings[-1].after - effect.ratings[-1].before)


def test_games_elsewhere_that_move_ratings_do_not_make_it_another_effect(world):
    _table, match = rated_table(world)
    proposal = propose_amendment(match.games.get(), world.referee, score(95, 150))
    other = published(world, 4, name="Other", format=ROUND_ROBIN)
    rate_match(win(world, other, 1, 1).pk)
    assert amending.confirm_amendment(proposal, world.second_referee).state == "confirmed"


# --- The receiver ---


def test_an_amended_result_is_rated_by_itself(world, at_once, django_capture_on_commit_callbacks):
    """Through the site: the signal after the commit, the hint to the workers, the task."""
    _table, match = rated_table(world)
    before = numbers()
    shown = outlooks(match.games.get(), world.referee, score(95, 150)).stand
    with django_capture_on_commit_callbacks(execute=True):
        amend(world, match, score(95, 150))
    assert {name: (before[name], after) for name, after in numbers().items() if after != before[name]} == told(shown)
    assert ratings.rate_missed() == 0, "nothing is left to the sweep"


def test_without_the_receiver_the_sweep_would_have_to_find_it(world, at_once, django_capture_on_commit_callbacks):
    _table, match = rated_table(world)
    before = rows()
    result_amended.disconnect(dispatch_uid="competitions.rate_amended")
    try:
        with django_capture_on_commit_callbacks(execute=True):
            amend(world, match, score(95, 150))
    finally:
        result_amended.connect(receivers.rate_amended, dispatch_uid="competitions.rate_amended")
    assert rows() == before
    assert ratings.rate_missed() == 1
