"""Which games count for a rating, and that it is the same however it came about."""

from datetime import timedelta
from io import StringIO
from random import Random

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from league.accounts.models import League, Role
from league.competitions import tasks
from league.competitions.models import Competition, RatedGame, Rating, RatingList
from league.competitions.ratings import services as ratings
from league.competitions.ratings.glicko2 import USUAL, Held, Strength, after, idle
from league.competitions.ratings.queries import strengths
from league.errors import NotAllowed, Refused
from league.matches.logs.submission import confirm_result, verify_record
from league.matches.models import Game, KnownBy, Match, Record, Result, Side
from league.matches.results import entering
from league.players.models import Player
from league.players.pairs import pair_of
from league.players.services import enrol, erase, merge, unmerge
from tests.league.competitions.cup import published, slot
from tests.league.competitions.rated import competition, met, rows, won
from tests.league.world import NOON, person, played_log

WEEK = timedelta(days=7)
NEW = USUAL.start


@pytest.fixture
def cup(world) -> Competition:
    return competition(world)


def numbers(entrant) -> list[tuple]:
    """The history of a player: period, rating, deviation, volatility, games."""
    found = Rating.objects.filter(player=entrant.player_id).order_by("period")
    return list(found.values_list("period", "rating", "deviation", "volatility", "games"))


def rated_games() -> set[tuple]:
    return set(RatedGame.objects.values_list("game__match", "first__name", "second__name", "points"))


def rate(*matches: Match) -> None:
    for match in matches:
        ratings.rate_match(match.pk)


# --- What counts ---


def test_of_a_pair_each_game_counts_for_the_partner_who_played_it(world, cup):
    """By turns; a log that names the other one is believed."""
    leo = enrol(league=world.league, name="Leo Paz", since=NOON.date())
    pair = pair_of(world.league, world.ana.player, leo.player)
    match = met(world, cup, pair, world.bo, 1, 2, 1, best_of=3)
    rate(match)
    by_game = RatedGame.objects.order_by("game__number").values_list("first__name", "points")
    assert list(by_game.all()) == [("Ana Ruiz", 2), ("Leo Paz", 0), ("Ana Ruiz", 2)]
    Record.objects.filter(game__number=3).update(partners={"1": leo.player.code})
    rate(match)
    assert list(by_game.all()) == [("Ana Ruiz", 2), ("Leo Paz", 0), ("Leo Paz", 2)]
    # The log's code stays what it is when its player is merged into another.
    double = enrol(league=world.league, name="Leo Pazos", since=NOON.date())
    merge(kept=double.player, absorbed=leo.player, league=world.league, by=world.owner)
    rate(match)
    assert list(by_game.all()) == [("Ana Ruiz", 2), ("Leo Pazos", 0), ("Leo Pazos", 2)]


def test_every_game_of_a_match_counts_for_both(world, cup):
    match = met(world, cup, world.ana, world.bo, 1, 2, 1, best_of=3)
    rate(match)
    period = ratings.period_of(NOON, "UTC", 7)
    for entrant, points in ((world.ana, (1, 0, 1)), (world.bo, (0, 1, 0))):
        found = after(NEW, [(NEW, one) for one in points])
        assert numbers(entrant) == [(period, found.rating, found.deviation, found.volatility, 3)]


def test_a_game_that_nobody_won_is_half_a_point(world, cup):
    rate(met(world, cup, world.ana, world.bo, None))
    assert Rating.objects.get(player=world.ana.player).rating == 1500
    assert rated_games() == {(Match.objects.latest("pk").pk, "Ana Ruiz", "Bo Chen", 1)}


def test_what_nobody_played_or_confirmed_never_counts(world, cup):
    """Each alone leaves the list empty; the last one, with nothing wrong, is the control."""
    friendly = competition(world, "Friendly", rated=False)
    draft = met(world, cup, world.ana, world.bo, 1)
    Match.objects.filter(pk=draft.pk).update(published_at=None)
    alone = met(world, cup, world.ana, world.bo, 1)
    alone.slot.delete()
    undecided = met(world, cup, world.ana, world.bo, 1, best_of=3)
    Match.objects.filter(pk=undecided.pk).update(state=Match.State.PLAYING)
    table = met(world, cup, world.ana, world.bo, 1)  # three at one table
    third = enrol(league=world.league, name="Cy Diaz", since=NOON.date())
    Side.objects.create(match=table, number=3, entrant=third)
    matches = [
        draft,
        table,
        alone,
        undecided,
        met(world, friendly, world.ana, world.bo, 1),
        met(world, cup, world.ana, world.bo, 1, known_by=KnownBy.RULED),
        met(world, cup, world.ana, world.bo, 1, ended="forfeit"),
        met(world, cup, world.ana, world.bo, 1, state=Result.State.PROVISIONAL),
        met(world, cup, world.ana, world.bo),
    ]
    rate(*matches)
    assert ratings.rate_missed() == 0
    assert rows() == []
    control = met(world, cup, world.ana, world.bo, 1)
    assert ratings.rate_missed() == 1
    assert rated_games() == {(control.pk, "Ana Ruiz", "Bo Chen", 2)}


def test_a_forfeit_within_a_match_leaves_the_games_that_were_played(world, cup):
    match = met(world, cup, world.ana, world.bo, 1, best_of=3)
    second = match.games.get(number=2)
    won(world, second, 1, at=NOON, known_by=KnownBy.RULED)
    rate(match)
    assert list(RatedGame.objects.values_list("game__number", flat=True)) == [1]


def test_no_show_and_bye_give_nobody_a_rating(world):
    """Through the services: three in a knock-out, so one has a bye; the other first match is ruled a forfeit."""
    made = published(world, 3)
    match = next(one.match for one in [slot(made, 1, 1), slot(made, 1, 2)] if one.match)
    entering.rule(match.games.get(), world.owner, scores=[150, 0], winner=1, reason="did not come")
    result = Result.objects.get(game__match=match, current=True)
    if result.state != Result.State.OFFICIAL:
        confirm_result(result=result, user=world.referee)
    match.refresh_from_db()
    assert match.state == Match.State.DECIDED
    rate(match)
    assert ratings.rate_missed() == 0
    assert rows() == []


def test_leagues_and_rulesets_have_lists_of_their_own(world, cup):
    fives = competition(world, "Fives", ruleset="all-fives")
    one, other = met(world, cup, world.ana, world.bo, 1), met(world, fives, world.ana, world.bo, 2)
    rate(one, other)
    found = {row.rating_list.ruleset: row.rating for row in Rating.objects.filter(player=world.ana.player)}
    assert found == {
        "udl": after(NEW, [(NEW, 1)]).rating,
        "all-fives": after(NEW, [(NEW, 0)]).rating,
    }


# --- Periods ---


def test_a_pause_makes_less_certain(world, cup):
    """Played in a week and again in the fourth after it: three weeks without a game lie between."""
    rate(met(world, cup, world.ana, world.bo, 1), met(world, cup, world.ana, world.bo, 2, at=NOON + 4 * WEEK))
    first = after(NEW, [(NEW, 1)])
    second = Rating.objects.get(player=world.ana.player, latest=True)
    paused = idle(first, 3)
    assert Strength(second.rating_before, second.deviation_before, second.volatility_before) == paused
    assert second.deviation_before > first.deviation
    assert (second.played, second.games) == (2, 1)


def test_a_week_begins_on_monday_at_midnight_where_the_league_is():
    late = NOON.replace(year=2026, month=11, day=23, hour=3, minute=59)  # Monday in London, Sunday in Puerto Rico
    here, there = ratings.period_of(late, "UTC", 7), ratings.period_of(late, "America/Puerto_Rico", 7)
    assert (ratings.first_day(here, 7).isoformat(), here - there) == ("2026-11-23", 1)
    assert ratings.period_of(late + timedelta(minutes=1), "America/Puerto_Rico", 7) == here


def test_another_time_zone_is_found_by_the_sweep(world, cup):
    monday = NOON.replace(year=2026, month=11, day=23, hour=1)
    rate(met(world, cup, world.ana, world.bo, 1, at=monday))
    before = RatedGame.objects.get().period
    League.objects.filter(pk=world.league.pk).update(time_zone="America/Puerto_Rico")
    assert ratings.rate_missed() == 1
    assert RatedGame.objects.get().period == before - 1
    assert ratings.rate_missed() == 0


def test_an_amended_result_stays_in_the_week_in_which_it_was_played(world, cup):
    match = met(world, cup, world.ana, world.bo, 1)
    later = met(world, cup, world.ana, world.bo, 1, at=NOON + WEEK)
    rate(match, later)
    week = RatedGame.objects.get(game__match=match).period
    won(world, match.games.get(), 2, at=NOON + 3 * WEEK)
    rate(match)
    assert RatedGame.objects.get(game__match=match).period == week
    lost = after(NEW, [(NEW, 0)])
    other = after(NEW, [(NEW, 1)])
    assert [row[1] for row in numbers(world.ana)] == [lost.rating, after(lost, [(other, 1)]).rating]


# --- Step by step, or from nothing ---


def rebuilt(world) -> list[tuple]:
    for one in RatingList.objects.all():
        ratings.recompute(world.league, one.ruleset)
    return rows()


@pytest.mark.slow("many rebuilds")
@pytest.mark.parametrize("seed", range(4))
def test_however_ratings_came_about_they_are_those_of_a_rebuild(world, seed):
    """Matches decided in any order, amended, taken back, in two rulesets; players merged and parted; competitions that
    count and then do not. After each act the numbers are the same, bit by bit, as when they are made from nothing.
    """
    rng = Random(seed)
    cups = [competition(world), competition(world, "Other"), competition(world, "Fives", ruleset="all-fives")]
    people = [world.ana, world.bo, *(enrol(league=world.league, name=f"P{n}", since=NOON.date()) for n in range(6))]
    Player.objects.filter(pk__in=[one.player_id for one in people]).update(user=None)
    made: list[Match] = []
    merged = None
    for _act in range(30):
        act = rng.choice(["play", "play", "play", "amend", "take back", "merge", "competition"])
        if act == "play" or not made:
            one, other = rng.sample(people[:6], 2)
            at = NOON + timedelta(days=rng.randrange(60))
            winners = [rng.choice([1, 2, None]) for _game in range(rng.choice([1, 2, 3]))]
            made.append(met(world, rng.choice(cups), one, other, *winners, at=at, best_of=3))
            rate(made[-1])
        elif act == "amend":
            match = rng.choice(made)
            won(world, match.games.get(number=1), rng.choice([1, 2, None]), at=NOON + timedelta(days=99))
            rate(match)
        elif act == "take back":
            match = rng.choice(made)
            state = rng.choice([Match.State.PLAYING, Match.State.DECIDED])
            Match.objects.filter(pk=match.pk).update(state=state)
            rate(match)
        elif act == "merge":
            if merged is None:  # two who play no match with each other
                match = met(world, cups[0], people[6], people[0], 1, at=NOON)
                rate(match, met(world, cups[0], people[7], people[1], 1, at=NOON))
                kept, absorbed = people[6].player, people[7].player
                merged = merge(kept=kept, absorbed=absorbed, league=world.league, by=world.owner)
            else:
                unmerge(merged, league=world.league, by=world.owner)
                merged = None
                people[6:] = [enrol(league=world.league, name=f"N{_act}-{n}", since=NOON.date()) for n in range(2)]
            tasks.rate_league(world.league.pk)
        else:
            chosen = Competition.objects.get(pk=rng.choice(cups).pk)
            ratings.count_for_ratings(chosen, user=world.owner, rated=not chosen.rated)
        step_by_step = rows()
        assert rebuilt(world) == step_by_step, act
    assert ratings.rate_missed() == 0
    assert all(ratings.differences(one) == [] for one in RatingList.objects.select_related("league"))
    latest = Rating.objects.filter(latest=True).values_list("rating_list", "player").order_by()
    assert set(latest) == set(Rating.objects.values_list("rating_list", "player").order_by())


def test_a_match_that_nobody_told_of_makes_a_difference(world, cup):
    """The control: without the act, the list is not what a rebuild gives, and the check says so."""
    rate(met(world, cup, world.ana, world.bo, 1))
    met(world, cup, world.ana, world.bo, 1)
    before = rows()
    assert len(ratings.differences(RatingList.objects.get())) == 3  # a game, and a row of each player
    assert rebuilt(world) != before


def test_rating_a_match_twice_changes_nothing(world, cup):
    match = met(world, cup, world.ana, world.bo, 1)
    assert (ratings.rate_match(match.pk), ratings.rate_match(match.pk)) == (True, False)
    assert ratings.rate_match(987654) is False


def test_only_what_comes_after_is_computed_anew(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1), met(world, cup, world.ana, world.bo, 1, at=NOON + WEEK))
    kept = set(Rating.objects.filter(latest=False).values_list("pk", flat=True))
    rate(met(world, cup, world.ana, world.bo, 2, at=NOON + WEEK))
    assert set(Rating.objects.filter(latest=False).values_list("pk", flat=True)) == kept


# --- Who tells of it ---


def test_a_confirmed_result_is_rated_through_the_site(world, settings, django_capture_on_commit_callbacks, monkeypatch):
    made = published(world, 2)
    match = slot(made, 1, 1).match
    told = []
    monkeypatch.setattr(tasks.rate_match, "delay", lambda key: (told.append(key), tasks.rate_match(key)))
    record = world.submit(played_log(), game=Game.objects.select_related("match__league").get(match=match))
    verify_record(record.pk)
    assert rows() == []
    with django_capture_on_commit_callbacks(execute=True):
        confirm_result(result=Result.objects.get(game__match=match), user=world.bob)
    assert told == [match.pk]
    assert {row.player.name for row in Rating.objects.all()} == {"Ana Ruiz", "Bo Chen"}


def test_a_result_that_is_taken_back_is_not_rated_any_more(world, django_capture_on_commit_callbacks, monkeypatch):
    """Within minutes by whoever typed it, where nobody has to confirm."""
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    made = published(world, 2)
    game = Game.objects.select_related("match__league").get(match=slot(made, 1, 1).match)
    monkeypatch.setattr(tasks.rate_match, "delay", tasks.rate_match)
    with django_capture_on_commit_callbacks(execute=True):
        entered = entering.enter_sheet(game, world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert Rating.objects.count() == 2
    with django_capture_on_commit_callbacks(execute=True):
        entering.undo_entry(entered.record, world.referee)
    assert rows() == []


def test_a_broker_that_is_away_keeps_nobody_from_confirming(world, cup, monkeypatch, caplog):
    def away(_key):
        raise OSError("no broker")

    monkeypatch.setattr(tasks.rate_match, "delay", away)
    match = met(world, cup, world.ana, world.bo, 1)
    from league.competitions.task_queue import queue_rating

    queue_rating(match.pk)
    assert "waits for the sweep" in caplog.text
    assert tasks.rate_missed() == 1


def test_a_league_that_fails_keeps_no_other_waiting(world, cup, monkeypatch, caplog):
    met(world, cup, world.ana, world.bo, 1)
    hills = Match.objects.create(league=world.elsewhere, ruleset="udl")
    real = ratings.rate_league

    def fails(league_id):
        if league_id == hills.league_id:
            raise ValueError
        return real(league_id)

    monkeypatch.setattr(ratings, "rate_league", fails)
    assert ratings.rate_missed() == 1
    assert f"league {world.elsewhere.pk} could not be brought up" in caplog.text


# --- People ---


def test_two_who_are_one_person_have_one_rating_and_get_their_own_back(
    world, cup, django_capture_on_commit_callbacks, monkeypatch
):
    """Both have a row in the same week, which must not stand in the way."""
    monkeypatch.setattr(tasks.rate_league, "delay", tasks.rate_league)
    twin = enrol(league=world.league, name="Anna Ruiz", since=NOON.date())
    rate(met(world, cup, world.ana, world.bo, 1), met(world, cup, twin, world.bo, 1))
    before = rows()
    with django_capture_on_commit_callbacks(execute=True):
        done = merge(kept=world.ana.player, absorbed=twin.player, league=world.league, by=world.owner)
    together = after(NEW, [(NEW, 1), (NEW, 1)])
    assert numbers(world.ana) == [
        (ratings.period_of(NOON, "UTC", 7), together.rating, together.deviation, together.volatility, 2)
    ]
    assert not Rating.objects.filter(player=twin.player).exists()
    assert rebuilt(world) == rows()
    with django_capture_on_commit_callbacks(execute=True):
        unmerge(done, league=world.league, by=world.owner)
    assert rows() == before


def test_who_is_erased_keeps_the_rating_under_the_code(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1))
    before = rows()
    erase(world.ana.player)
    assert rows() == before == rebuilt(world)
    assert str(Rating.objects.get(player=world.ana.player)).startswith(world.ana.player.code)


def test_seeds_and_tie_breaks_ask_for_the_ratings_of_players(world, cup):
    """Those of the last period; who has none is left out."""
    third = enrol(league=world.league, name="Cy Diaz", since=NOON.date())
    rate(met(world, cup, world.ana, world.bo, 1), met(world, cup, world.ana, world.bo, 1, at=NOON + WEEK))
    players = [world.ana.player_id, third.player_id]
    latest = Rating.objects.get(player=world.ana.player, latest=True)
    assert strengths(world.league, "udl", players) == {world.ana.player_id: latest.rating}
    assert strengths(world.league, "all-fives", players) == {}


# --- Settings ---


def test_settings_are_of_those_who_run_competitions(world, cup):
    manager = person("manager")
    Role.objects.create(user=manager, league=world.league, kind=Role.Kind.MANAGER)
    for user in (world.referee, world.charlie):
        with pytest.raises(NotAllowed):
            ratings.set_up(world.league, "udl", user=user, tau=0.4)
        with pytest.raises(NotAllowed):
            ratings.count_for_ratings(cup, user=user, rated=False)
    assert ratings.set_up(world.league, "udl", user=manager, tau=0.4).tau == 0.4


def test_new_settings_make_the_list_anew(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1), met(world, cup, world.ana, world.bo, 1, at=NOON + WEEK))
    ratings.set_up(world.league, "udl", user=world.owner, period_days=30, start_deviation=200)
    start = Strength(1500, 200, 0.06)
    found = after(start, [(start, 1), (start, 1)])
    assert [row[1:] for row in numbers(world.ana)] == [(found.rating, found.deviation, found.volatility, 2)]


@pytest.mark.parametrize(("name", "value"), [("tau", 0.01), ("period_days", 0), ("start_deviation", 5000)])
def test_settings_that_cannot_be_computed_with_are_refused(world, name, value):
    with pytest.raises(Refused) as refused:
        ratings.set_up(world.league, "udl", user=world.owner, **{name: value})
    assert refused.value.code == "bad-rating-setting"
    assert not RatingList.objects.exclude(**{name: RatingList._meta.get_field(name).default}).exists()


def test_a_list_has_a_ruleset_that_there_is(world):
    with pytest.raises(Refused) as refused:
        ratings.set_up(world.league, "chess", user=world.owner, tau=0.4)
    assert refused.value.code == "unknown-ruleset"


def test_a_competition_that_does_not_count_any_more_takes_its_games_along(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1))
    ratings.count_for_ratings(cup, user=world.owner, rated=False)
    assert rows() == []
    ratings.count_for_ratings(cup, user=world.owner, rated=True)
    assert Rating.objects.count() == 2


# --- The command ---


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("ratings", *arguments, stdout=out)
    return out.getvalue()


def test_the_command_checks_and_recomputes(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1))
    assert run("--check") == "harbour udl: 1 game, 2 players, as a rebuild gives them.\n"
    Rating.objects.filter(player=world.ana.player).update(rating=2000)
    with pytest.raises(CommandError, match="1 of 1 lists differs"):
        run("--check")
    assert Rating.objects.filter(rating=2000).exists()
    assert run("--league", "harbour") == "harbour udl: 1 game, 2 players, computed anew.\n"
    assert run("--check") == "harbour udl: 1 game, 2 players, as a rebuild gives them.\n"
    with pytest.raises(CommandError, match="no league"):
        run("--league", "nowhere")


def test_games_before_there_were_ratings_are_found(world, cup):
    """After an update of the site the first sweep, or the command, rates everything that was played."""
    met(world, cup, world.ana, world.bo, 1)
    assert run() == "harbour udl: 1 game, 2 players, computed anew.\n"


def test_held_is_what_stands_before_a_period(world, cup):
    rate(met(world, cup, world.ana, world.bo, 1))
    one = RatingList.objects.get()
    period = RatedGame.objects.get().period
    found = after(NEW, [(NEW, 1)])
    assert ratings._held(one, period) == {}
    assert ratings._held(one, period + 1)[world.ana.player_id] == Held(found, period, 1)


def test_the_hour_of_the_computation_is_kept(world, cup):
    before = timezone.now()
    rate(met(world, cup, world.ana, world.bo, 1))
    assert RatingList.objects.get().changed_at >= before
