"""Stages: a double elimination to its reset, a Swiss system round by round, groups or a cut before a knock-out."""

import pytest
from django.test import Client

from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next, next_draw, set_rounds
from league.competitions.draw.swiss_rounds import pair_anew, swap
from league.competitions.integrity.draws import draw_differences
from league.competitions.jobs import ask_to_draw
from league.competitions.models import Competition, DrawJob, Matchday, Slot, Stage, StageEntry
from league.competitions.official_results import results_hash
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.errors import NotAllowed, Refused
from league.matches.models import KnownBy, Match, Result
from league.matches.results.entering import enter_sheet, undo_entry
from tests.league.competitions.cup import enter_result, names, published, slot
from tests.league.tampering import drop_triggers

DOUBLE = Stage.Format.DOUBLE_ELIMINATION
SWISS = Stage.Format.SWISS


def play(world, competition, number, winner=1, points=(150, 95)):
    """Every match of a round gets its official result."""
    matches = Match.objects.filter(slot__matchday__stage__competition=competition, slot__matchday__number=number)
    for match in matches.order_by("slot__number"):
        enter_result(world, match, winner, points=points)
        advance(match.pk)


def rounds(competition):
    return [str(day) for day in Matchday.objects.filter(stage__competition=competition).order_by("number")]


def pair_next(world, competition):
    day = draw_next(competition, user=world.owner)
    publish_matchday(day, user=world.owner)
    return day


def stage(competition, number=1):
    return competition.stages.get(number=number)


# --- Double elimination ---


def test_a_double_elimination_says_which_bracket_each_round_belongs_to(world):
    cup = published(world, 8, format=DOUBLE)
    assert rounds(cup) == [
        "Winners’ round 1",
        "Winners’ round 2",
        "Losers’ round 1",
        "Losers’ round 2",
        "Winners’ round 3",
        "Losers’ round 3",
        "Losers’ round 4",
        "Final",
        "Deciding match",
    ]


def test_the_winner_of_the_winners_bracket_who_wins_the_final_needs_no_deciding_match(world):
    cup = published(world, 4, format=DOUBLE)
    last = Matchday.objects.filter(stage__competition=cup).count()
    for number in range(1, last):
        play(world, cup, number)
    decider = slot(cup, last, 1)
    assert (decider.not_needed, decider.match) == (True, None)
    assert stage(cup).finished_at is not None


def test_the_first_loss_of_the_winners_champion_leads_to_a_deciding_match_of_the_same_two(world):
    cup = published(world, 4, format=DOUBLE)
    last = Matchday.objects.filter(stage__competition=cup).count()
    for number in range(1, last - 1):
        play(world, cup, number)
    play(world, cup, last - 1, winner=2)
    [final], [decider] = names(cup, last - 1), names(cup, last)
    assert sorted(decider) == sorted(final)
    assert stage(cup).finished_at is None
    play(world, cup, last)
    assert stage(cup).finished_at is not None


def test_the_deciding_match_needs_what_a_final_needs(world):
    cup = published(world, 4, format=DOUBLE, final_level="log")
    last = Matchday.objects.filter(stage__competition=cup).count()
    for number in range(1, last):
        play(world, cup, number, winner=2 if number == last - 1 else 1)
    assert [slot(cup, number, 1).match.level for number in (1, last - 1, last)] == ["score", "log", "log"]


def test_taking_back_a_lost_grand_final_removes_the_deciding_match(world):
    """Both players of the deciding match come from the same final."""
    cup = published(world, 4, format=DOUBLE)
    last = Matchday.objects.filter(stage__competition=cup).count()
    for number in range(1, last - 1):
        play(world, cup, number)
    final = slot(cup, last - 1, 1).match
    entered = enter_sheet(final.games.get(), world.referee, {"scores": [95, 150]}, kind=KnownBy.SCORE, signed=True)
    advance(final.pk)
    decider = slot(cup, last, 1).match_id
    assert decider
    undo_entry(entered.record, world.referee)
    assert (slot(cup, last, 1).match, names(cup, last)) == (None, [[None, None]])
    assert not Match.objects.filter(pk=decider).exists()
    enter_sheet(final.games.get(), world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE, signed=True)
    advance(final.pk)
    assert slot(cup, last, 1).not_needed
    assert stage(cup).finished_at is not None


def test_the_final_taken_back_asks_again_whether_a_deciding_match_is_needed(world):
    cup = published(world, 4, format=DOUBLE)
    last = Matchday.objects.filter(stage__competition=cup).count()
    for number in range(1, last):
        play(world, cup, number)
    final = slot(cup, last - 1, 1).match
    from league.competitions.draw.advancing import take_back

    take_back(final.pk)
    assert not slot(cup, last, 1).not_needed
    assert stage(cup).finished_at is None


@pytest.mark.parametrize("n", [3, 5, 6, 11, 16])
def test_a_double_elimination_of_any_number_is_played_to_its_end(world, n):
    cup = published(world, n, format=DOUBLE)
    for number in range(1, Matchday.objects.filter(stage__competition=cup).count() + 1):
        play(world, cup, number, winner=1 + number % 2)
    played = Match.objects.filter(slot__matchday__stage__competition=cup, state=Match.State.DECIDED).count()
    assert played in {2 * n - 2, 2 * n - 1}
    assert stage(cup).finished_at is not None


def test_a_double_elimination_takes_three_or_more(world):
    with pytest.raises(Refused) as refused:
        published(world, 2, format=DOUBLE)
    assert refused.value.code == "too-few"


# --- Swiss ---


def test_a_swiss_system_pairs_one_round_after_the_other(world):
    cup = published(world, 8, format=SWISS)
    assert rounds(cup) == ["Round 1"]
    assert names(cup, 1)[0] in (["Ana Ruiz", "P5"], ["P5", "Ana Ruiz"])
    play(world, cup, 1)
    winners = {berth[0] for berth in names(cup, 1)}
    pair_next(world, cup)
    for both in names(cup, 2):
        assert len(winners & set(both)) in {0, 2}, "winners meet winners"
    play(world, cup, 2)
    pair_next(world, cup)
    play(world, cup, 3)
    assert next_draw(cup) is None
    assert stage(cup).finished_at is not None, "three rounds single out one of eight"
    met = [frozenset(both) for number in (1, 2, 3) for both in names(cup, number)]
    assert len(set(met)) == len(met) == 12


def test_each_pair_is_told_why(world):
    cup = published(world, 8, format=SWISS)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    first = Slot.objects.get(matchday=day, number=1)
    assert {"code": "same-score", "facts": {"score": 2}} in first.reasons


def test_a_round_is_not_paired_while_a_result_is_missing_which_is_named(world):
    cup = published(world, 4, format=SWISS)
    enter_result(world, slot(cup, 1, 1).match, 1)
    with pytest.raises(Refused) as refused:
        draw_next(cup, user=world.owner)
    assert refused.value.code == "results-missing"
    assert " – ".join(names(cup, 1)[1]) in str(refused.value)


def test_the_draft_is_seen_by_nobody_else_and_published_once(world):
    cup = published(world, 4, format=SWISS)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    assert not Match.objects.filter(slot__matchday=day, published_at__isnull=False).exists()
    with pytest.raises(NotAllowed):
        publish_matchday(day, user=world.referee)
    assert publish_matchday(day, user=world.owner)
    assert not publish_matchday(day, user=world.owner)
    with pytest.raises(Refused) as refused:
        pair_anew(day, user=world.owner)
    assert refused.value.code == "already-published"


def test_a_round_whose_results_changed_since_it_was_paired_is_not_published(world):
    cup = published(world, 4, format=SWISS)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    assert day.results_hash == results_hash(cup)
    result = Result.objects.filter(game__match=slot(cup, 1, 1).match).get()
    drop_triggers()
    Result.objects.filter(pk=result.pk).update(winner=2, scores={"1": 95, "2": 150})
    with pytest.raises(Refused) as refused:
        publish_matchday(day, user=world.owner)
    assert refused.value.code == "results-changed"
    again = pair_anew(day, user=world.owner)
    assert publish_matchday(again, user=world.owner)


def test_who_leaves_after_the_pairing_stops_its_publication_and_is_not_paired_again(world):
    cup = published(world, 6, format=SWISS)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    withdraw(cup, people_of(cup)[5], user=world.owner, reason="Went home")
    with pytest.raises(Refused) as refused:
        publish_matchday(day, user=world.owner)
    assert refused.value.code == "results-changed"
    again = pair_anew(day, user=world.owner)
    both = names(cup, again.number)
    assert sorted(map(len, both)) == [1, 2, 2]
    assert "P6" not in {one for some in both for one in some}


def people_of(competition):
    return [row.entrant for row in competition.registrations.select_related("entrant").order_by("seed")]


def test_two_change_places_by_hand_and_stay_locked_when_it_is_paired_anew(world):
    cup = published(world, 8, format=SWISS)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    before = names(cup, 2)
    who = {str(one): one.pk for one in people_of(cup)}
    first, second = before[0][1], before[1][1]
    swap(day, who[first], who[second], user=world.owner)
    after = names(cup, 2)
    assert [set(after[0]), set(after[1])] == [{before[0][0], second}, {before[1][0], first}]
    assert after[2:] == before[2:]
    slots = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=2).order_by("number")
    assert [one.locked for one in slots] == [True, True, False, False]
    again = pair_anew(Matchday.objects.get(stage__competition=cup, number=2), user=world.owner)
    kept = {frozenset(one) for one in names(cup, again.number)}
    assert {frozenset(one) for one in after[:2]} <= kept


def test_the_bye_goes_to_the_last_and_then_to_another(world):
    cup = published(world, 5, format=SWISS, rounds=3)
    byes = []
    for number in (1, 2, 3):
        if number > 1:
            pair_next(world, cup)
        byes += [one[0] for one in names(cup, number) if len(one) == 1]
        play(world, cup, number)
    assert byes[0] == "P5"
    assert len(set(byes)) == 3


def test_a_newcomer_is_paired_from_the_next_round_on(world):
    from league.competitions.attendance.late_entries import walk_in

    cup = published(world, 6, format=SWISS)
    play(world, cup, 1)
    done = walk_in(cup, "Late One", user=world.owner)
    assert done.places == () or list(done.places) == []
    pair_next(world, cup)
    assert "Late One" in {one for both in names(cup, 2) for one in both}


def test_a_stage_is_ended_early_by_its_number_of_rounds(world):
    cup = published(world, 8, format=SWISS)
    play(world, cup, 1)
    set_rounds(cup, 1, user=world.owner)
    assert stage(cup).finished_at is not None
    assert next_draw(cup) is None


# --- From one stage to the next ---


def test_a_group_that_lacks_an_entrant_who_left_sends_the_others(world):
    cup = published(world, 4, format=Stage.Format.GROUPS, groups=2, advance_each=2, then="single_elimination")
    play(world, cup, 1)
    leaves = cup.registrations.order_by("-seed").first().entrant
    withdraw(cup, leaves, user=world.owner, reason="ill")
    drawn = draw_next(cup, user=world.owner)
    going = set(StageEntry.objects.filter(stage=drawn.stage).values_list("entrant", flat=True))
    assert going == set(cup.registrations.exclude(entrant=leaves).values_list("entrant", flat=True))


def one_group_shrinks(world, *leavers, **plan):
    """Two groups of three (seeds 1 4 5 and 2 3 6) are over, without these seeds; the better seed won each match."""
    wanted = {"format": "groups", "groups": 2, "advance_each": 2, "then": "single_elimination"}
    cup = published(world, 6, **(wanted | plan))
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        first, second = (people_of(cup).index(side.entrant) for side in match.sides.order_by("number"))
        enter_result(world, match, 1 if first < second else 2)
        advance(match.pk)
    for seed in leavers:
        withdraw(cup, people_of(cup)[seed - 1], user=world.owner, reason="ill")
    return cup


def play_second_stage(world, cup):
    for day in Matchday.objects.filter(stage__competition=cup, stage__number=2).order_by("number"):
        publish_matchday(day, user=world.owner, reason="all of it")
    while match := Match.objects.filter(slot__matchday__stage__number=2, state=Match.State.SCHEDULED).first():
        enter_result(world, match, 1)
        advance(match.pk)


@pytest.mark.parametrize(("leavers", "drawn"), [((), [2, 2]), ((4, 5), [1, 1])], ids=["four", "three"])
def test_a_knock_out_of_three_is_drawn_without_its_match_for_third_place(world, leavers, drawn):
    cup = one_group_shrinks(world, *leavers, third_place=True)
    draw_next(cup, user=world.owner)
    days = Matchday.objects.filter(stage__competition=cup, stage__number=2).order_by("number")
    assert [sum(slot.berths.count() == 2 for slot in day.slots.all()) for day in days] == drawn
    assert Slot.objects.filter(matchday__in=days, third_place=True).exists() == (not leavers)
    play_second_stage(world, cup)
    assert stage(cup, 2).finished_at is not None
    assert draw_differences(cup) == []
    places = [one.numbers for one in final_ranking(competition_page(world.owner, "harbour", cup.slug))]
    assert places[:3] == ["1", "2", "3"]


def test_two_who_are_left_play_one_final_instead_of_a_double_elimination(world):
    cup = one_group_shrinks(world, 3, 4, 5, 6, then=DOUBLE)
    draw_next(cup, user=world.owner)
    assert rounds(cup)[3:] == ["Final"]
    assert names(cup, 4) == [["Ana Ruiz", "Bo Chen"]]
    play_second_stage(world, cup)
    assert stage(cup, 2).finished_at is not None
    assert draw_differences(cup) == []
    page = competition_page(world.owner, "harbour", cup.slug)
    assert [(one.numbers, str(one.entrant.name)) for one in final_ranking(page)][:2] == [
        ("1", "Ana Ruiz"),
        ("2", "Bo Chen"),
    ]
    for path in ("", "bracket/", "schedule/", "ranking/"):
        assert Client().get(f"/competitions/harbour/{cup.slug}/{path}").status_code == 200


def test_one_who_is_left_plays_no_knock_out(world):
    cup = one_group_shrinks(world, 2, 3, 4, 5, 6)
    with pytest.raises(Refused) as refused:
        draw_next(cup, user=world.owner)
    assert refused.value.code == "too-few"
    assert "takes 2 entrants or more, and there are 1" in str(refused.value)


def test_groups_lead_to_a_knock_out_of_the_best_of_each(world):
    cup = published(
        world, 8, format=Stage.Format.GROUPS, groups=2, advance_each=2, then=Stage.Format.SINGLE_ELIMINATION
    )
    assert rounds(cup) == ["Round 1", "Round 2", "Round 3"]
    for number in (1, 2, 3):
        assert next_draw(cup).waits.code == "results-missing"
        play(world, cup, number)
    assert stage(cup).finished_at is not None
    day = draw_next(cup, user=world.owner)
    assert rounds(cup)[3:] == ["Semi-finals", "Final"]
    entries = list(StageEntry.objects.filter(stage=stage(cup, 2)))
    assert sorted((one.group, one.place) for one in entries) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    group = {one.entrant_id: one.group for one in entries}
    for one in Slot.objects.filter(matchday=day):
        assert len({group[berth.entrant_id] for berth in one.berths.all()}) == 2, "group-mates meet in the final first"
    publish_matchday(day, user=world.owner)
    publish_matchday(Matchday.objects.get(stage__competition=cup, number=5), user=world.owner, reason="all")
    play(world, cup, 4)
    play(world, cup, 5)
    assert stage(cup, 2).finished_at is not None


def test_the_top_of_a_swiss_table_goes_on(world):
    cup = published(world, 8, format=SWISS, rounds=2, advance_each=4, then=Stage.Format.SINGLE_ELIMINATION)
    play(world, cup, 1)
    pair_next(world, cup)
    play(world, cup, 2)
    day = draw_next(cup, user=world.owner)
    assert day.stage.number == 2
    seeds = [str(one.entrant) for one in StageEntry.objects.filter(stage=day.stage).select_related("entrant__player")]
    undefeated = {both[0] for both in names(cup, 2)[:2]}
    assert set(seeds[:2]) == undefeated


def test_a_result_taken_back_before_the_next_stage_is_shown_forgets_its_draw(world):
    from league.competitions.draw.advancing import take_back

    cup = published(world, 4, advance_each=2, format="round_robin", then=Stage.Format.SINGLE_ELIMINATION)
    for number in (1, 2, 3):
        play(world, cup, number)
    draw_next(cup, user=world.owner)
    take_back(slot(cup, 1, 1).match_id)
    assert not stage(cup, 2).matchdays.exists()
    assert not StageEntry.objects.exists()


def test_a_result_on_which_a_published_stage_rests_is_not_taken_back(world):
    from league.competitions.draw.advancing import take_back

    cup = published(world, 4, advance_each=2, format="round_robin", then=Stage.Format.SINGLE_ELIMINATION)
    for number in (1, 2, 3):
        play(world, cup, number)
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    with pytest.raises(Refused) as refused:
        take_back(slot(cup, 1, 1).match_id)
    assert refused.value.code == "next-begun"


def cut(world):
    """A round robin of four that is over; the best two go on to a knock-out of four places in two rounds."""
    cup = published(world, 4, advance_each=4, format="round_robin", then=Stage.Format.SINGLE_ELIMINATION)
    for number in (1, 2, 3):
        play(world, cup, number)
    return cup


def test_a_later_stage_is_published_whole_as_the_first_was(world):
    cup = cut(world)
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    assert not Matchday.objects.filter(stage__competition=cup, published_at=None).exists()
    play(world, cup, 4)
    final = Match.objects.get(slot__matchday__stage__competition=cup, slot__matchday__number=5)
    assert final.published_at is not None


def test_round_by_round_the_later_rounds_of_a_stage_are_published_after_its_own_results(world):
    cup = cut(world)
    Competition.objects.filter(pk=cup.pk).update(release=Competition.Release.ROUND_BY_ROUND)
    publish_matchday(draw_next(cup, user=world.owner), user=world.owner)
    play(world, cup, 4)
    final = Matchday.objects.get(stage__competition=cup, number=5)
    assert publish_matchday(final, user=world.owner)
    play(world, cup, 5)
    assert stage(cup, 2).finished_at is not None


def test_who_leaves_before_a_stage_is_shown_makes_it_be_drawn_anew_without_them(world):
    cup = cut(world)
    Stage.objects.filter(competition=cup, number=1).update(advance_each=2)
    day = draw_next(cup, user=world.owner)
    leaver = StageEntry.objects.select_related("entrant").get(stage=day.stage, seed=1).entrant
    withdraw(cup, leaver, user=world.owner, reason="Went home")
    with pytest.raises(Refused) as refused:
        publish_matchday(day, user=world.owner)
    assert refused.value.code == "results-changed"
    job = ask_to_draw(cup, DrawJob.What.ANEW, user=world.owner)
    assert (job.refused, job.made) == ("", 4)
    assert leaver.pk not in StageEntry.objects.values_list("entrant", flat=True)
    again = Matchday.objects.get(stage__competition=cup, number=4)
    assert publish_matchday(again, user=world.owner)
    with pytest.raises(Refused) as refused:
        pair_anew(again, user=world.owner)
    assert refused.value.code == "already-published"


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"format": "groups"}, "bad-groups"),
        ({"format": "groups", "groups": 65}, "bad-groups"),
        ({"format": "round_robin", "groups": 2}, "bad-groups"),
        ({"format": "round_robin", "rounds": 3}, "bad-rounds"),
        ({"format": SWISS, "rounds": 65}, "bad-rounds"),
        ({"format": "single_elimination", "then": "double_elimination", "advance_each": 4}, "bad-plan"),
        ({"format": SWISS, "then": "round_robin", "advance_each": 4}, "bad-plan"),
        ({"format": SWISS, "then": "single_elimination"}, "bad-advance"),
        ({"format": SWISS, "advance_each": 4}, "bad-advance"),
        ({"format": DOUBLE, "third_place": True}, "bad-plan"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(world, plan, code):
    with pytest.raises(Refused) as refused:
        found(world.league, Plan(name="Cup", ruleset="udl", **plan), user=world.owner)
    assert refused.value.code == code
    assert not Competition.objects.exists()


def test_a_published_competition_without_a_draw_has_no_next_draw(world):
    """Rows that the site did not write: its page is no error."""
    cup = published(world, 4)
    Matchday.objects.filter(stage__competition=cup).delete()
    assert next_draw(cup) is None
