"""The end of a season: what the official tables come to, the play-offs, and the season that follows."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.competitions.attendance.withdrawals import withdraw
from league.competitions.cancelling import cancel
from league.competitions.draw.advancing import advance, finish
from league.competitions.draw.lots import draw_table_lots
from league.competitions.formats.promotion import Fate
from league.competitions.models import Competition, PlayOff, Registration, Season, Stage
from league.competitions.seasons.next_season import NextPlan, carry_over, make_play_offs
from league.competitions.seasons.promotion import differing, season_end
from league.competitions.seasons.services import close_season, draw_season, publish_season
from league.competitions.seasons.tables import division_tables
from league.competitions.standings.stage_table import stage_tables
from league.errors import NotAllowed
from league.matches.models import Result
from tests.league.competitions.cup import enter_result
from tests.league.competitions.season_world import (
    FIRST,
    MIDDLE,
    TOP,
    entrant,
    play_out,
    play_season,
    published_season,
    slots,
    who,
)
from tests.league.competitions.seasons.test_seasons import refused

pytestmark = pytest.mark.django_db

NEXT = NextPlan(name="Winter 2028", starts_on=FIRST.date() + timedelta(days=365))
PLAY_OFFS = ((0, 1, 0), (1, 1, 1), (1, 0, 1))


def fates(season):
    end = season_end(season)
    return {end.names[one.entrant]: (one.why.value, one.to_level) for one in end.found.destinations}


def following(season, world):
    return carry_over(season, NEXT, user=world.owner)


def test_the_official_tables_decide_who_goes_up_and_down(world):
    season = published_season(world)
    play_season(world, season, {2: ["Hal Ito", "Eva Fox", "Fay Gil", "Gus Hay"]})
    end = season_end(season)
    assert end.over
    assert fates(season) == {
        "Ana Ruiz": ("stays", 1), "Bo Chen": ("stays", 1), "Cy Diaz": ("stays", 1), "Di Eze": ("relegated", 2),
        "Hal Ito": ("promoted", 1), "Eva Fox": ("stays", 2), "Fay Gil": ("stays", 2), "Gus Hay": ("relegated", 3),
        "Ida Jay": ("promoted", 2), "Jon Kay": ("stays", 3), "Kim Lee": ("stays", 3), "Leo Mar": ("stays", 3),
    }  # fmt: skip


def test_provisional_results_decide_nothing(world):
    season = published_season(world)
    for one in season.divisions.all():
        play_out(world, one.competition, official=one.level != 2)
    end = season_end(season)
    assert [one.name for one in end.running] == ["Division 2"]
    assert not end.over
    assert refused(lambda: following(season, world)) == (
        "season-open",
        "Confirmed results are missing in Division 2.",
    )


def test_tables_of_many_divisions_are_those_of_each_and_take_the_same_statements(world):
    season = published_season(world)
    play_season(world, season)
    stages = [one.competition.stages.get() for one in season.divisions.order_by("level")]
    together = division_tables(list(season.divisions.order_by("level")))
    for stage, table in zip(stages, together, strict=True):
        [alone] = stage_tables(stage)
        assert table.rows == alone.rows

    def statements(count):
        divisions = list(season.divisions.order_by("level")[:count])
        with CaptureQueriesContext(connection) as seen:
            division_tables(divisions)
        return len(seen)

    assert statements(1) == statements(3) == 10


def test_whoever_left_goes_nowhere_and_the_next_one_goes_up(world):
    season = published_season(world)
    middle = season.divisions.get(level=2)
    withdraw(middle.competition, entrant(world, "Eva Fox"), user=world.owner, reason="moved away")
    Result.objects.update(state=Result.State.OFFICIAL)
    for slot in slots(middle.competition):
        if slot.match.games.filter(results__current=True).exists():
            slot.match.state = "decided"
            slot.match.save()
    play_out_rest(world, season)
    found = fates(season)
    assert (found["Eva Fox"], found["Fay Gil"]) == (("left", None), ("promoted", 1))
    # One has gone already, so that nobody else goes down.
    assert found["Hal Ito"] == ("stays", 2)
    made = following(season, world)
    assert [who(one) for one in made.divisions.order_by("level")] == [
        ["Ana Ruiz", "Bo Chen", "Cy Diaz", "Fay Gil"],
        ["Di Eze", "Gus Hay", "Hal Ito", "Ida Jay"],
        ["Jon Kay", "Kim Lee", "Leo Mar"],
    ]


def play_out_rest(world, season):
    """What has no result yet; whoever has the better seed wins."""
    for one in season.divisions.order_by("level"):
        for slot in slots(one.competition):
            if slot.match.state != "decided":
                sides = {side.number: side.entrant_id for side in slot.match.sides.all()}
                seeds = dict(one.competition.registrations.values_list("entrant", "seed"))
                enter_result(world, slot.match, min(sides, key=lambda number: seeds[sides[number]]))
                advance(slot.match_id)
        for stage in one.competition.stages.all():
            finish(stage)


def test_the_next_season_is_a_draft_of_the_same_settings_with_whoever_the_tables_send_there(world):
    season = published_season(world, play_off_best_of=3)
    play_season(world, season)
    made = following(season, world)
    assert (made.name, made.slug, made.follows, made.published_at) == ("Winter 2028", "winter-2028", season, None)
    assert made.play_off_best_of == 3
    assert [(str(one.competition), who(one), one.promote, one.relegate) for one in made.divisions.all()] == [
        ("Winter 2028: Division 1", ["Ana Ruiz", "Bo Chen", "Cy Diaz", "Eva Fox"], 0, 1),
        ("Winter 2028: Division 2", ["Di Eze", "Fay Gil", "Gus Hay", "Ida Jay"], 1, 1),
        ("Winter 2028: Division 3", ["Hal Ito", "Jon Kay", "Kim Lee", "Leo Mar"], 1, 0),
    ]
    season.refresh_from_db()
    assert season.closed_by == world.owner
    assert [(str(one.entrant), one.from_level, one.to_level, one.why) for one in season.moves.all()][3:6] == [
        ("Di Eze", 1, 2, "relegated"),
        ("Eva Fox", 2, 1, "promoted"),
        ("Fay Gil", 2, 2, "stays"),
    ]
    assert differing(season) == []
    # It is drawn and published like any other.
    draw_season(made, user=world.owner)
    assert publish_season(made, user=world.owner)


def test_a_season_is_followed_once(world):
    season = published_season(world)
    play_season(world, season)
    following(season, world)
    assert refused(lambda: following(season, world)) == (
        "followed-already",
        "Winter 2027 is followed by Winter 2028 already.",
    )
    assert Season.objects.count() == 2


def test_a_next_season_that_is_wrong_makes_nothing(world):
    season = published_season(world)
    play_season(world, season)

    def next_(**changes):
        return refused(lambda: carry_over(season, replace(NEXT, **changes), user=world.owner))[0]

    assert next_(name="winter 2027") == "name-taken"
    assert next_(name="") == "bad-name"
    assert next_(starts_on=season.starts_on) == "bad-season"
    assert next_(ends_on=FIRST.date()) == "bad-season"
    with pytest.raises(NotAllowed):
        carry_over(season, NEXT, user=world.referee)
    season.refresh_from_db()
    assert (Season.objects.count(), season.closed_at, season.moves.count()) == (1, None, 0)


# --- Play-offs ---


def test_play_offs_are_made_of_the_final_tables_and_decide_who_goes_up(world):
    season = published_season(world, places=PLAY_OFFS, play_off_best_of=3)
    play_season(world, season)
    assert refused(lambda: following(season, world)) == (
        "play-offs-open",
        "These play-offs have no confirmed result: Cy Diaz – Fay Gil; Gus Hay – Jon Kay.",
    )
    made = make_play_offs(season, user=world.owner, starts_at=FIRST)
    assert [(str(one.competition), who(one), one.competition.best_of) for one in made] == [
        ("Winter 2027: play-off for Division 1, 1", ["Cy Diaz", "Fay Gil"], 3),
        ("Winter 2027: play-off for Division 2, 1", ["Gus Hay", "Jon Kay"], 3),
    ]
    assert all(one.competition.stages.get().format == Stage.Format.SINGLE_ELIMINATION for one in made)
    assert refused(lambda: make_play_offs(season, user=world.owner))[0] == "no-play-offs"
    play_out(world, made[0].competition, order=["Fay Gil", "Cy Diaz"])
    assert refused(lambda: following(season, world))[1].endswith("Gus Hay – Jon Kay.")
    play_out(world, made[1].competition)
    assert season_end(season).over
    found = fates(season)
    assert [found[name] for name in ("Cy Diaz", "Fay Gil", "Gus Hay", "Jon Kay")] == [
        ("lost-down", 2), ("won-up", 1), ("held", 2), ("missed-up", 3),
    ]  # fmt: skip
    assert [who(one) for one in following(season, world).divisions.order_by("level")] == [
        ["Ana Ruiz", "Bo Chen", "Eva Fox", "Fay Gil"],
        ["Cy Diaz", "Di Eze", "Gus Hay", "Ida Jay"],
        ["Hal Ito", "Jon Kay", "Kim Lee", "Leo Mar"],
    ]


def test_a_season_that_was_closed_first_is_still_decided_and_followed(world):
    season = published_season(world, places=PLAY_OFFS)
    play_season(world, season)
    close_season(season, user=world.owner)
    for one in make_play_offs(season, user=world.owner):
        play_out(world, one.competition)
    assert following(season, world).divisions.count() == 3
    assert refused(lambda: make_play_offs(season, user=world.owner))[0] == "followed-already"


def test_whoever_leaves_before_the_play_off_forfeits_it(world):
    world.league.confirmation_required = False
    world.league.save()
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 0, 0), (0, 0, 1)))
    play_season(world, season)
    [made] = make_play_offs(season, user=world.owner)
    withdraw(made.competition, entrant(world, "Di Eze"), user=world.owner, reason="moved away")
    advance(slots(made.competition).get().match_id)
    found = fates(season)
    assert (found["Eva Fox"], found["Di Eze"]) == (("won-up", 1), ("lost-down", 2))


def test_play_offs_wait_for_every_official_result(world):
    season = published_season(world, places=PLAY_OFFS)
    play_out(world, season.divisions.get(level=1).competition)
    assert refused(lambda: make_play_offs(season, user=world.owner)) == (
        "season-open",
        "Confirmed results are missing in Division 2, Division 3.",
    )
    assert not PlayOff.objects.exists()


def test_a_play_off_of_two_whom_the_tables_bring_together_no_more_decides_nothing(world):
    season = published_season(world, places=((0, 0, 0), (0, 0, 1)), names=(TOP, MIDDLE))
    play_season(world, season)
    [made] = make_play_offs(season, user=world.owner)
    play_out(world, made.competition, order=["Eva Fox", "Di Eze"])
    assert fates(season)["Eva Fox"] == ("won-up", 1)
    # The table is another one now: Fay has won everything.
    Registration.objects.filter(competition=made.competition, entrant=entrant(world, "Eva Fox")).update(
        entrant=entrant(world, "Fay Gil")
    )
    end = season_end(season)
    assert not end.over
    assert [one.row for one in end.useless] == [made]
    assert [end.names[one.lower] for one in end.missing] == ["Eva Fox"]
    assert len(make_play_offs(season, user=world.owner)) == 1


def test_a_play_off_can_be_cancelled_and_made_again(world):
    season = published_season(world, places=((0, 0, 0), (0, 0, 1)), names=(TOP, MIDDLE))
    play_season(world, season)
    [made] = make_play_offs(season, user=world.owner)
    assert cancel(made.competition, user=world.owner, reason="The table was another one")
    assert season_end(season).made == []
    [again] = make_play_offs(season, user=world.owner)
    assert who(again) == who(made)
    division = season.divisions.get(level=1).competition
    division.stages.update(finished_at=None)
    assert refused(lambda: cancel(division, user=world.owner, reason="Storm"))[0] == "in-season"


# --- Level where it matters ---


def circle(world, season):
    """In the top division the last three beat each other in a circle with the same points."""
    competition = season.divisions.get(level=1).competition
    beats = {("Bo Chen", "Cy Diaz"), ("Cy Diaz", "Di Eze"), ("Di Eze", "Bo Chen")}
    for slot in slots(competition):
        first, second = (str(side.entrant) for side in slot.match.sides.order_by("number"))
        winner = 1 if first == "Ana Ruiz" or (first, second) in beats else 2
        enter_result(world, slot.match, winner)
        advance(slot.match_id)
    for level in (2, 3):
        play_out(world, season.divisions.get(level=level).competition)
    return competition


def test_who_is_level_where_it_matters_waits_for_a_lot_which_decides(world):
    season = published_season(world)
    competition = circle(world, season)
    assert refused(lambda: following(season, world)) == (
        "level-places",
        "Level in everything, where the order matters: Bo Chen, Cy Diaz, Di Eze. Draw a lot.",
    )
    draw_table_lots(competition, user=world.owner, rng=Random(4))
    lots = dict(competition.registrations.values_list("entrant__player__name", "lot"))
    last = max(("Bo Chen", "Cy Diaz", "Di Eze"), key=lots.get)
    assert season_end(season).over
    assert next(name for name, (why, _to) in fates(season).items() if why == Fate.RELEGATED) == last


def test_a_season_of_one_division_is_followed_too(world):
    season = published_season(world, names=(TOP,), places=((0, 0, 0),))
    play_season(world, season)
    close_season(season, user=world.owner)
    assert who(following(season, world).divisions.get()) == TOP
    assert Competition.objects.count() == 2
