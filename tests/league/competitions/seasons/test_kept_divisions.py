"""The table of a division on the page of its season is never an old one."""

import pytest

from league.competitions.attendance.withdrawals import withdraw
from league.competitions.models import Competition, Registration
from league.competitions.seasons import tables
from league.competitions.seasons.queries import with_counts
from league.competitions.seasons.tables import division_tables, kept_division_table
from league.competitions.standings.cache import without_terms
from league.matches.logs.submission import confirm_result
from league.players.naming import rename
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result
from tests.league.competitions.season_world import published_season, slots


@pytest.fixture
def division(world):
    """The top one of a season, with an official result and one that waits."""
    season = published_season(world)
    top = season.divisions.get(level=1)
    first, second = slots(top.competition)[:2]
    enter_result(world, first.match, 1)
    enter_result(world, second.match, 2, official=False)
    return top


def confirmed(world, division):
    waiting = slots(division.competition)[1].match.games.get().results.get(current=True)
    confirm_result(result=waiting, user=world.second_referee)


def amended(world, division):
    amend(world, slots(division.competition)[0].match, score(20, 150))


def withdrawn(world, division):
    one = division.competition.registrations.order_by("seed").last().entrant
    withdraw(division.competition, one, user=world.owner, reason="ill")


def renamed(world, division):
    rename(division.competition.registrations.order_by("seed").first().entrant.player, "Zoe Ruiz")


def other_lot(world, division):
    one = division.competition.registrations.order_by("seed").first()
    Registration.objects.filter(pk=one.pk).update(lot=9)


def other_tie_breaks(world, division):
    Competition.objects.filter(pk=division.competition_id).update(tie_breaks=["points_for"])


CHANGES = [confirmed, amended, withdrawn, renamed, other_lot, other_tie_breaks]


def told(table):
    return [without_terms(row) for row in table.rows], table.order, table.left, dict(table.lots), dict(table.names)


def kept(division):
    return told(kept_division_table(with_counts(division.season).get(pk=division.pk)))


def made_anew(division):
    return told(division_tables([division])[0])


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_it_is_the_one_made_anew(world, division, change):
    before = kept(division)
    assert before == made_anew(division)
    change(world, division)
    assert kept(division) == made_anew(division) != before


@pytest.mark.slow("every change once more")
@pytest.mark.parametrize("change", [confirmed, amended, renamed, other_tie_breaks])
def test_the_control_with_a_fingerprint_that_never_changes_its_rows_would_be_old_ones(
    world, division, change, monkeypatch
):
    monkeypatch.setattr(tables, "fingerprint", lambda *_: "always the same")
    before = kept(division)
    change(world, division)
    assert kept(division)[0] == before[0] != made_anew(division)[0]


def test_a_look_at_a_kept_one_takes_four_statements(division, django_assert_num_queries):
    kept(division)
    found = with_counts(division.season).get(pk=division.pk)
    with django_assert_num_queries(4):
        kept_division_table(found)
