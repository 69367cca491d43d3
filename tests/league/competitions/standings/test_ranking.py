"""One table from entrants, slots and what was decided, for a competition as for one of its stages."""

from dataclasses import replace

import pytest

from league.accounts.models import User
from league.competitions.models import Competition
from league.competitions.queries.competition import competition_page
from league.competitions.standings.table import outlook_of, standings_of
from league.competitions.standings.tiebreaks.figures import TermNote
from league.matches.models import Result
from league.matches.results.entering import rule
from tests.web import world as small


def page(world, user=None, **more):
    return competition_page(user or world.owner, "harbour", "autumn", **more).table


def table(found, rules=None, **more):
    rows = standings_of(found.entrants, found.slots, rules or found.rules, official_only=False, **more)
    return [(row.rank, row.name, row.match_points, row.played) for row in rows]


def paired(found, **settings):
    """The same slots as if they had been paired by results."""
    return replace(found.rules, order=["match_points"], scoring=replace(found.rules.scoring, paired=True, **settings))


def test_the_table_of_the_page_is_that_of_its_slots(db) -> None:
    world = small.build()
    for match in world.matches:
        small.played(world, match, official=True)
    found = page(world)
    assert found.official == standings_of(found.entrants, found.slots, found.rules, official_only=True)
    assert table(found) == [(1, "Ana Ruiz", 2, 2), (1, "Bo Chen", 2, 2), (1, "Cleo Diaz", 2, 2)]


def test_after_a_round_only_what_was_played_by_then_counts_and_the_rest_is_missing(db) -> None:
    world = small.build()
    for match in world.matches:
        small.played(world, match, official=True)
    now, then = page(world), page(world, after=1)
    assert (now.after, now.rounds_over, then.after) == (None, 3, 1)
    assert sorted(row.played for row in then.official) == [0, 1, 1]
    assert sorted(row.played for row in now.rows_before(official_only=True)) == [1, 1, 2]
    # The last round and one that is none are the table as it stands.
    assert page(world, after=3).after is None
    assert page(world, after=0).official == page(world, after=99).official == now.official


def test_a_bye_counts_where_rounds_are_paired_by_results_and_in_no_round_robin(db) -> None:
    world = small.build()
    found = page(world)
    assert table(found) == [(1, "Ana Ruiz", 0, 0), (1, "Bo Chen", 0, 0), (1, "Cleo Diaz", 0, 0)]
    # Each of the three rounds of three leaves one out.
    assert [row[2:] for row in table(found, paired(found))] == [(2, 0), (2, 0), (2, 0)]
    hidden = [replace(slot, published=False) for slot in found.slots]
    rows = standings_of(found.entrants, hidden, paired(found), official_only=False)
    assert [row.match_points for row in rows] == [0, 0, 0]


def rounds_missed(rows):
    """By name, the rounds that Buchholz takes for missed; and whose score an opponent sees otherwise than the table."""
    terms = {row.name: row.figures["buchholz"].terms for row in rows}
    missed = {name: [one.round for one in some if TermNote.ZERO_BYE in one.notes] for name, some in terms.items()}
    return missed, {one.opponent_id for some in terms.values() for one in some if TermNote.ADJUSTED in one.notes}


def test_who_is_in_no_slot_of_a_published_round_of_a_swiss_was_not_there(db) -> None:
    """FIDE C.07 16: late or gone, somebody has missed a round that is shown, against a dummy for them, and drawn for
    their opponents if they never came back.
    """
    world = small.build()
    for match in world.matches:
        small.played(world, match, official=True)
    found = page(world)
    rules = replace(paired(found, rounds=3), order=["buchholz"])
    # In each round two meet and one has a bye. Without the first and the last bye one came late, and one has left.
    late, _between, gone = (slot for slot in found.slots if slot.bye)
    slots = [slot for slot in found.slots if slot not in (late, gone)]
    names = {one.entrant_id: one.name for one in found.entrants}
    nobody = {name: [] for name in names.values()}

    def told(some=slots, by=rules, **more):
        return rounds_missed(standings_of(found.entrants, some, by, official_only=True, **more))

    the_late, the_gone = late.entrant_ids[0], gone.entrant_ids[0]
    assert told() == (nobody | {names[the_late]: [1], names[the_gone]: [3]}, {the_gone})
    assert told(after=1)[0] == nobody | {names[the_late]: [1]}
    imported = [replace(slot, published=slot.round_number < 3) for slot in slots]
    assert told(imported) == told(), "a round with results counts, as in the draft of an import"
    hidden = [slot if slot.published else replace(slot, match=None) for slot in imported]
    assert told(hidden)[0] == nobody | {names[the_late]: [1]}
    planned = replace(rules, scoring=replace(rules.scoring, paired=False))
    assert told(by=planned) == (nobody, set())


@pytest.mark.parametrize(("counted", "points"), [(False, 0), (True, 150)])
def test_a_match_that_was_ruled_without_play_is_a_forfeit(db, counted, points) -> None:
    world = small.build()
    Competition.objects.update(forfeit_points=counted)
    rule(world.game(), world.ref, scores=[150, 0], winner=1, reason="did not come")
    found = page(world)
    rules = replace(found.rules, order=["average", "difference"])
    rows = standings_of(found.entrants, found.slots, rules, official_only=False)
    told = {row.name: (row.figures["difference"].value, row.figures["average"].value) for row in rows}
    assert told == {"Ana Ruiz": (points, None), "Bo Chen": (-points, None), "Cleo Diaz": (0, None)}
    first = Result.objects.get().game.match.sides.get(number=1).entrant
    assert {row.name for row in rows if row.won} == {str(first)}


def test_points_a_game_leave_out_the_games_of_a_match_that_were_forfeited(db) -> None:
    """150-95 was played, then somebody went home: 300 points in one game would be no average."""
    world = small.build()
    Competition.objects.update(forfeit_points=True)
    small.played(world, official=True)
    found = page(world)
    slot = next(one for one in found.slots if one.match and one.match.games)
    first = slot.match.games[0]
    gone = replace(first, number=2, points={1: 150, 2: 0}, forfeited=True)
    line = replace(slot.match, best_of=3, games=[first, gone])
    rules = replace(found.rules, order=["average", "points_for"])
    rows = standings_of(found.entrants, [replace(slot, match=line)], rules, official_only=False)
    told = {row.name: (row.figures["average"].value, row.figures["points_for"].value) for row in rows}
    assert told == {"Ana Ruiz": (150, 300), "Bo Chen": (95, 95), "Cleo Diaz": (None, 0)}


def test_the_points_of_a_match_are_the_competition_s(db) -> None:
    world = small.build()
    small.played(world, official=True)
    Competition.objects.update(win_points=3, draw_points=1, loss_points=1, tie_breaks=["match_points"])
    assert [(row.name, row.match_points) for row in page(world).official] == [
        ("Ana Ruiz", 3),
        ("Bo Chen", 1),
        ("Cleo Diaz", 0),
    ]


def test_muggins_are_counted_from_the_logs_of_the_matches_that_count(db, django_assert_num_queries) -> None:
    world = small.build()
    Competition.objects.update(tie_breaks=["wins", "muggins"])
    record = small.hand_in(world.game(), world.alice, side=1)
    claim = {"upheld": True, "claimant": "A", "against": "B"}
    small.judge(record, rulings=[claim, claim | {"upheld": False}, claim | {"claimant": "B", "against": "A"}, claim])
    small.enter(record)
    found = page(world)
    taken = {row.name: row.figures["muggins"].value for row in found.provisional}
    assert taken == {"Ana Ruiz": 2, "Bo Chen": 1, "Cleo Diaz": 0}
    assert {row.figures["muggins"].value for row in found.official} == {0}


def test_of_a_round_that_is_a_draft_nobody_learns_the_pairs_by_what_could_come(db) -> None:
    found = page(small.build())
    one = found.entrants[0].entrant_id
    drafted = [replace(slot, published=slot.round_number == 1) for slot in found.slots]
    told = outlook_of(found.entrants, drafted, paired(found, rounds=3), official_only=True).of(one)
    shown = outlook_of(found.entrants, found.slots, paired(found, rounds=3), official_only=True).of(one)
    assert not told.exact
    assert shown.exact


@pytest.mark.parametrize("count", [1, 3])
def test_a_table_takes_the_same_statements_for_one_and_three_results(db, django_assert_num_queries, count) -> None:
    world = small.build()
    everything = ["muggins", "lot", "buchholz", "sonneborn_berger", "direct_encounter", "average"]
    Competition.objects.update(tie_breaks=everything)
    for match in world.matches[:count]:
        small.played(world, match, official=True)
    asker = User.objects.get(pk=world.alice.pk)
    with django_assert_num_queries(10):
        competition_page(asker, "harbour", "autumn", after=1)
