"""An amended result of the groups changes who goes on: named, chosen, never silent, and equal to a rebuild."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from league.competitions.amendments import consequences
from league.competitions.amendments.services import effect_now, outlooks, propose_amendment
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.rebuilding import differences
from league.competitions.draw.stages import draw_anew, draw_next
from league.competitions.import_export.exporting import EVERYBODY
from league.competitions.models import Berth, Matchday, Slot, Stage, StageEntry
from league.competitions.queries.competition import competition_page
from league.errors import Refused
from league.matches.models import Match
from league.players.models import Player
from league.web.words.pairing_reasons import told as reasons_told
from tests.league.competitions.amended import amend, rows, score, win
from tests.league.competitions.cup import enter_result, names, published
from tests.league.competitions.rated import won
from tests.league.world import NOON

# Groups of the seeds 1 4 5 8 and 2 3 6 7; Ana is 1, Bo is 2. Whoever has the better seed wins.
GROUPS = {"format": "groups", "groups": 2, "then": "single_elimination", "advance_each": 2}


def seed(entrant) -> int:
    return {"Ana Ruiz": 1, "Bo Chen": 2}.get(str(entrant)) or int(str(entrant)[1:])


def play_groups(world, cup) -> None:
    for match in Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__stage__number=1):
        first, second = (seed(side.entrant) for side in match.sides.order_by("number"))
        enter_result(world, match, 1 if first < second else 2, points=(150, 10 * max(first, second)))
        advance(match.pk)


def led(world, *, shown=True, **plan):
    """Groups that are over, and the knock-out after them."""
    cup = published(world, 8, **(GROUPS | plan))
    play_groups(world, cup)
    draw_next(cup, user=world.owner)
    days = list(Matchday.objects.filter(stage__competition=cup, stage__number=2).order_by("number"))
    for day in days if shown else ():
        publish_matchday(day, user=world.owner, reason="so that all see it")
    return cup, days[0]


def meeting(cup, one, other) -> Match:
    matches = Match.objects.filter(slot__matchday__stage__competition=cup, slot__matchday__stage__number=1)
    return matches.filter(sides__entrant__player__name=one).get(sides__entrant__player__name=other)


def turned(match, **more):
    """The other side has won: P5 goes on instead of P4 where they met."""
    return score(*(sorted((150, 50), reverse=match.games.get().results.get(current=True).winner != 1)), **more)


def the_four(cup):
    rows_ = StageEntry.objects.filter(stage__competition=cup).order_by("seed")
    return [(one.seed, str(one.entrant), one.place, one.group) for one in rows_]


def marked():
    return [str(one.entrant) for one in Berth.objects.exclude(stands_although=None).order_by("slot", "number")]


def test_who_would_have_gone_on_is_named_and_both_ways_are_shown(world):
    cup, day = led(world)
    match = meeting(cup, "P4", "P5")
    found = outlooks(match.games.get(), world.referee, turned(match))
    assert (found.stand.goes_on, found.stand.goes_not) == (("P5",), ("P4",))
    assert [(one.kind, one.after.round) for one in found.rests] == [("stands", str(day))]
    assert [(one.kind, sorted(one.before.berths), sorted(one.after.berths)) for one in found.void.slots[1:]] == [
        ("replaced", ["Bo Chen", "P4"], ["Bo Chen", "P5"])
    ]


def test_without_a_choice_nothing_is_proposed(world):
    cup, _day = led(world)
    match = meeting(cup, "P4", "P5")
    before = rows()
    with pytest.raises(Refused) as refused:
        propose_amendment(match.games.get(), world.referee, turned(match))
    assert (refused.value.code, "would go on" in str(refused.value), rows()) == ("choose-later", True, before)


def test_the_knock_out_stands_as_drawn_and_says_so_and_the_check_knows_it(world):
    cup, day = led(world)
    before, four = names(cup, day.number), the_four(cup)
    match = meeting(cup, "P4", "P5")
    amend(world, match, turned(match, later="stand"))
    assert (names(cup, day.number), the_four(cup), marked()) == (before, four, ["P4"])
    assert differences(cup) == []
    page = competition_page(EVERYBODY, "harbour", cup.slug)
    assert [slot_.stands_as_drawn for one in page.matchdays for slot_ in one.slots].count(True) == 1


def test_the_check_sees_a_draw_that_follows_no_table_and_has_no_mark(world, monkeypatch):
    """The control."""
    monkeypatch.setattr(consequences.Following, "_go_on", lambda *_: None)
    cup, _day = led(world)
    match = meeting(cup, "P4", "P5")
    amend(world, match, turned(match, later="stand"))
    [found] = differences(cup)
    assert (found.what, str(Berth.objects.filter(entrant=found.says).first().entrant)) == ("entrant", "P4")
    with pytest.raises(CommandError, match="1 rows are not what the results come to"):
        call_command("rebuild", "--check", stdout=StringIO())
    Berth.objects.filter(slot__matchday__stage__number=2, from_slot=None).update(
        stands_although=cup.league.matches.get(pk=match.pk).games.get().amendments.get()
    )
    assert {one.what for one in differences(cup)} == {"mark"}  # on the three who stand there by right


def test_void_brings_who_goes_on_into_the_place_of_the_seed(world):
    cup, day = led(world)
    match = meeting(cup, "P4", "P5")
    amend(world, match, turned(match, later="void"))
    assert sorted(map(sorted, names(cup, day.number))) == [["Ana Ruiz", "P3"], ["Bo Chen", "P5"]]
    assert [one[1] for one in the_four(cup)].count("P5") == 1
    assert (marked(), differences(cup)) == ([], [])
    for one in Slot.objects.filter(matchday=day):
        assert [str(side.entrant) for side in one.match.sides.order_by("number")] == [
            str(berth.entrant) for berth in one.berths.order_by("number")
        ]
        assert one.match.published_at is not None


def test_a_knock_out_that_has_begun_is_void_as_far_as_it_rests_on_it(world):
    cup, day = led(world)
    for place in (1, 2):
        win(world, cup, day.number, place)
    win(world, cup, day.number + 1, 1)
    assert Stage.objects.get(competition=cup, number=2).finished_at is not None
    match = meeting(cup, "P4", "P5")
    with pytest.raises(Refused) as refused:
        amend(world, match, turned(match, later="void"))
    assert refused.value.code == "type-it"
    untouched = next(one for one in Slot.objects.filter(matchday=day) if "P4" not in map(str, one.match.sides.all()))
    kept = untouched.match_id
    amend(world, match, turned(match, later="void"), typed="Cup")
    untouched.refresh_from_db()
    assert untouched.match_id == kept
    assert Match.objects.exclude(voided_by=None).count() == 2  # the semi-final of P4, and the final
    assert differences(cup) == []
    assert Stage.objects.get(competition=cup, number=2).finished_at is None
    for number in (day.number, day.number + 1):
        for one in Slot.objects.filter(matchday__number=number, match__state=Match.State.SCHEDULED):
            enter_result(world, one.match, 1)
            advance(one.match_id)
    assert (differences(cup), Stage.objects.get(competition=cup, number=2).finished_at is None) == ([], False)


def test_amended_back_the_marks_go(world):
    cup, _day = led(world)
    match = meeting(cup, "P4", "P5")
    amend(world, match, turned(match, later="stand"))
    effect = outlooks(match.games.get(), world.referee, turned(match)).stand
    assert (effect.goes_on, effect.goes_not, effect.of("stands")) == (("P4",), ("P5",), [])
    amend(world, match, turned(match))
    assert (marked(), differences(cup)) == ([], [])


def test_a_second_amendment_that_changes_nobody_asks_nothing_and_leaves_the_marks(world):
    cup, _day = led(world)
    match = meeting(cup, "P4", "P5")
    amend(world, match, turned(match, later="stand"))
    other = meeting(cup, "Bo Chen", "P3")
    winner = other.games.get().results.get(current=True).winner
    amend(world, other, score(*((150, 20) if winner == 1 else (20, 150))))
    assert (marked(), differences(cup)) == (["P4"], [])


def test_other_seeds_of_the_same_four_are_a_change_of_the_draw_too(world):
    cup, day = led(world)
    match = meeting(cup, "Bo Chen", "P3")
    found = outlooks(match.games.get(), world.referee, turned(match)).stand
    assert (found.goes_on, found.goes_not, len(found.of("stands"))) == ((), (), 2)
    amend(world, match, turned(match, later="void"))
    assert sorted(map(sorted, names(cup, day.number))) == [["Ana Ruiz", "Bo Chen"], ["P3", "P4"]]
    assert differences(cup) == []


def test_a_draft_that_nobody_has_seen_is_named_as_stale_and_drawn_anew(world):
    cup, day = led(world, shown=False)
    match = meeting(cup, "P4", "P5")
    found = outlooks(match.games.get(), world.referee, turned(match))
    assert (found.void, found.stand.stale, found.stand.goes_on) == (None, (str(day),), ())
    amend(world, match, turned(match))
    assert (marked(), differences(cup)) == ([], [])
    with pytest.raises(Refused) as refused:
        publish_matchday(day, user=world.owner)
    assert refused.value.code == "results-changed"
    again = draw_anew(cup, user=world.owner)
    assert "P5" in {name for pair in names(cup, again.number) for name in pair}


def test_a_knock_out_that_is_published_meanwhile_asks_for_the_choice(world):
    cup, day = led(world, shown=False)
    match = meeting(cup, "P4", "P5")
    proposal = propose_amendment(match.games.get(), world.referee, turned(match))
    publish_matchday(day, user=world.owner)
    with pytest.raises(Refused) as refused:
        effect_now(proposal, world.second_referee)
    assert refused.value.code == "choose-later"


def test_whoever_left_after_the_draw_is_not_replaced_by_an_amendment_elsewhere(world):
    cup, _day = led(world)
    entrant = StageEntry.objects.get(entrant__player__name="P4").entrant
    withdraw(cup, entrant, user=world.owner, reason="ill")
    assert differences(cup) == []
    other = meeting(cup, "P7", "P6")
    assert outlooks(other.games.get(), world.referee, turned(other)).stand.goes_on == ()


def level(world, count=8, **plan):
    """Groups in which nobody won anything, and all made the same points."""
    cup = published(world, count, **(GROUPS | {"tie_breaks": ["wins"]} | plan))
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        enter_result(world, match, None, points=(100, 100))
        advance(match.pk)
    return cup


def test_who_is_level_in_everything_goes_on_by_seed_and_the_draft_says_so(world):
    """The name would be no reason at all, and would hurt the same people every time."""
    cup = level(world)
    Player.objects.filter(name__in=["P7", "P8"]).update(name="Aaron")
    draw_next(cup, user=world.owner)
    assert the_four(cup) == [(1, "Ana Ruiz", 1, 1), (2, "Bo Chen", 1, 2), (3, "P4", 2, 1), (4, "P3", 2, 2)]
    slots = Slot.objects.filter(matchday__stage__competition=cup, matchday__stage__number=2)
    told = [one.reasons for one in slots.order_by("matchday__number", "number")]
    assert told == [[by_seed(number) for number in pair] for pair in ((1, 4), (2, 3), ())]
    assert "seed 4 was level in everything with a player who did not advance" in reasons_told(told[0])


def test_at_the_border_of_a_cut_a_bye_is_no_reason_either(world):
    """Of five in a Swiss of one round two have won, one had a bye, which is a win: all level by match points."""
    cut = {"then": "single_elimination", "advance_each": 2, "tie_breaks": ["match_points"]}
    cup = published(world, 5, format="swiss", rounds=1, **cut)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        enter_result(world, match, 1 if seed(match.sides.get(number=1).entrant) < 3 else 2)
        advance(match.pk)
    draw_next(cup, user=world.owner)
    assert [name for _seed, name, _place, _group in the_four(cup)] == ["Ana Ruiz", "Bo Chen"]
    [final] = Slot.objects.filter(matchday__stage__competition=cup, matchday__stage__number=2)
    assert final.reasons == [by_seed(1), by_seed(2)]


def by_seed(number):
    return {"code": "by-seed", "facts": {"seed": number}}


def test_where_the_table_parts_them_nothing_is_said(world):
    cup, _day = led(world)
    assert not Slot.objects.filter(matchday__stage__competition=cup).exclude(reasons=[]).exists()


def test_the_best_of_the_rest_are_compared_by_what_the_organizer_counts(world):
    """In group 1 Ana wins all, and the others have one win of three; in group 2 nobody wins. Three draws are more match
    points than one win.
    """
    plan = {"advance_each": 1, "advance_rest": 1, "tie_breaks": ["match_points", "difference"]}
    cup = published(world, 8, **(GROUPS | plan))
    for match in Match.objects.filter(slot__matchday__stage__competition=cup).select_related("slot"):
        pair = [seed(side.entrant) for side in match.sides.order_by("number")]
        winner = {(4, 5): 4, (5, 8): 5, (4, 8): 8}.get(tuple(sorted(pair)), 1)
        enter_result(world, match, pair.index(winner) + 1 if winner in pair else None)
        advance(match.pk)
    draw_next(cup, user=world.owner)
    assert the_four(cup)[2] == (3, "P3", 2, 2)


def test_a_name_that_is_corrected_changes_nobody_who_is_level(world):
    """Who was drawn stays."""
    cup = level(world)
    draw_next(cup, user=world.owner)
    for day in Matchday.objects.filter(stage__competition=cup, stage__number=2).order_by("number"):
        publish_matchday(day, user=world.owner, reason="all of it")
    before = the_four(cup)
    Player.objects.filter(name="P8").update(name="Aaron")
    assert (the_four(cup), differences(cup)) == (before, [])


def test_a_match_that_an_amendment_reopened_marks_the_draw_when_it_is_played(world):
    cup, _day = led(world, best_of=3)
    match = meeting(cup, "P4", "P5")
    first = match.games.get(number=1)
    winner = first.results.get(current=True).winner
    lost = (50, 150) if winner == 1 else (150, 50)
    amend(world, match, score(*lost, later="stand"))
    third = match.games.get(number=3)
    assert differences(cup) == []
    won(world, third, 3 - winner, at=NOON)
    Match.objects.filter(pk=match.pk).update(state=Match.State.DECIDED)
    advance(match.pk)
    assert (marked(), differences(cup)) == (["P4"], [])


@pytest.mark.parametrize("pair", [("Ana Ruiz", "P6"), ("P3", "P4")])
def test_byes_and_a_second_life_follow_too(world, pair):
    """Three groups of three lead to a double elimination of three, in which one has a bye."""
    three = {"groups": 3, "advance_each": 1, "then": "double_elimination"}
    cup = published(world, 9, **(GROUPS | three))
    play_groups(world, cup)
    draw_next(cup, user=world.owner)
    for day in Matchday.objects.filter(stage__competition=cup, stage__number=2).order_by("number"):
        publish_matchday(day, user=world.owner, reason="all of it")
    match = meeting(cup, *pair)
    amend(world, match, turned(match, later="void"))
    names_now = {
        name for day in Matchday.objects.filter(stage__number=2) for one in names(cup, day.number) for name in one
    }
    assert (pair[0] in names_now, pair[1] in names_now, differences(cup)) == (False, True, [])
    while match := Match.objects.filter(slot__matchday__stage__number=2, state=Match.State.SCHEDULED).first():
        enter_result(world, match, 1)
        advance(match.pk)
    assert (differences(cup), Stage.objects.get(competition=cup, number=2).finished_at is None) == ([], False)
    amend(world, meeting(cup, *pair), turned(meeting(cup, *pair), later="stand"))
    assert (marked(), differences(cup)) == ([pair[1]], [])
