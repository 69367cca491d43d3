"""A kept table is never an old one: after any change it says what a look at every row says. Its control: with a
fingerprint that never changes each of these tests would fail.
"""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache

from league.accounts.models import League
from league.competitions.attendance.withdrawals import undo_withdrawal, withdraw
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.models import Berth, Competition, Registration, Slot, Stage
from league.competitions.queries.rounds import round_pages, table_page
from league.competitions.standings import cache as kept_tables
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.visibility import seen_competition
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Record, Result
from league.matches.results.entering import enter_sheet, undo_entry
from league.players.models import Player
from league.players.naming import rename
from league.players.services import enrol, erase, merge
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.competitions.kept import kept_rows, wrong_kept
from tests.league.world import NOON

SWISS = {"format": Stage.Format.SWISS, "release": Competition.Release.ROUND_BY_ROUND, "rounds": 3}
ROUND_ROBIN = {"format": Stage.Format.ROUND_ROBIN}
GROUPS = {"format": Stage.Format.GROUPS, "groups": 2}
EVERYTHING = [key for key in TIE_BREAKS if key != "place_points"]


def entered(world, made):
    enter_result(world, slot(made, 1, 2).match, 2, points=(150, 5), official=False)


def confirmed(world, made):
    confirm_result(result=waiting(made), user=world.second_referee)


def decided_on(world, made):
    Result.objects.filter(pk=waiting(made).pk).update(needs_decision=True)


def amended(world, made):
    amend(world, slot(made, 1, 1).match, score(20, 150))


def said_again(world, made):
    """Another row with the same winner."""
    match = slot(made, 2, 1).match
    Result.objects.filter(game__match=match).update(current=False)
    Record.objects.filter(game__match=match).update(upload_sha256="0" * 64)
    enter_result(world, match, 2, official=False, points=(150, 0))


def withdrawn(world, made):
    withdraw(made, world.bo, user=world.owner, reason="ill")


def come_back(world, made):
    undo_withdrawal(made.withdrawals.get(), user=world.owner)


def renamed(world, made):
    rename(world.ana.player, "Zoe Ruiz")


def erased(world, made):
    erase(world.ana.player)


def grown_young(world, made):
    """Somebody of whom initials are shown."""
    Player.objects.filter(pk=world.bo.player_id).update(born=NOON.year - 10)


def merged(world, made):
    double = enrol(league=world.league, name="Aaron", since=NOON.date())
    merge(kept=double.player, absorbed=world.ana.player, league=world.league, by=world.owner)


def other_tie_breaks(world, made):
    Competition.objects.filter(pk=made.pk).update(tie_breaks=["points_for"])


def other_points(world, made):
    Competition.objects.filter(pk=made.pk).update(win_points=3)


def other_rating(world, made):
    Registration.objects.filter(competition=made, entrant=world.ana).update(rating=1700)


def other_lot(world, made):
    Registration.objects.filter(competition=made, entrant=world.ana).update(lot=9)


def swapped(world, made):
    """Two who exchange their matches: as many rows with the same people."""
    one, other = (slot(made, 3, place).berths.get(number=1) for place in (1, 2))
    for berth, entrant in ((one, other.entrant_id), (other, one.entrant_id)):
        Berth.objects.filter(pk=berth.pk).update(entrant=entrant)


CHANGES = [
    entered,
    confirmed,
    decided_on,
    amended,
    said_again,
    withdrawn,
    renamed,
    erased,
    grown_young,
    merged,
    other_tie_breaks,
    other_points,
    other_rating,
    other_lot,
]


def waiting(made) -> Result:
    return Result.objects.get(game__match=slot(made, 2, 1).match, current=True)


@pytest.fixture
def played(world):
    """A round robin of six with one official result and one that waits."""
    made = published(world, 6, **ROUND_ROBIN)
    Competition.objects.filter(pk=made.pk).update(tie_breaks=EVERYTHING)
    enter_result(world, slot(made, 1, 1).match, 1)
    enter_result(world, slot(made, 2, 1).match, 2, official=False)
    return made


def shown(world, made):
    """What the page of the staff says, as it is kept."""
    page = table_page(seen_competition(world.owner, made.league.slug, made.slug))
    return page.has_provisional, [kept_rows(page.table, official_only=only) for only in (True, False)]


def wrong(world, made) -> list[str]:
    return list(wrong_kept(Competition.objects.get(pk=made.pk), world.owner, prospects=True))


@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_kept_table_is_the_one_made_anew(world, played, change):
    before = shown(world, played)
    assert wrong(world, played) == []
    change(world, played)
    assert shown(world, played) != before
    assert wrong(world, played) == []


@pytest.mark.slow("every change once more")
@pytest.mark.parametrize("change", CHANGES)
def test_the_control_with_a_fingerprint_that_never_changes_it_would_be_an_old_one(world, played, change, monkeypatch):
    monkeypatch.setattr(kept_tables, "fingerprint", lambda *_: "always the same")
    before = shown(world, played)
    change(world, played)
    assert shown(world, played) == before
    assert wrong(world, played) != []


def test_who_comes_back_after_leaving_stands_as_before(world, played):
    before = shown(world, played)
    withdrawn(world, played)
    shown(world, played)
    come_back(world, played)
    assert shown(world, played) == before
    assert wrong(world, played) == []


def test_two_who_exchange_their_matches_make_another_table_to_come(world, played):
    assert wrong(world, played) == []
    swapped(world, played)
    assert wrong(world, played) == []


def test_every_group_has_its_own_kept_table(world):
    made = published(world, 8, **GROUPS)
    for number, group in enumerate(Slot.objects.filter(matchday__stage__competition=made, matchday__number=1), 1):
        enter_result(world, group.match, 1 + number % 2, official=number > 1)
        assert wrong(world, made) == []


def test_every_round_of_a_swiss_system_is_in_the_kept_table(world):
    made = published(world, 5, **SWISS)
    for number in (1, 2):
        for one in Slot.objects.filter(matchday__stage__competition=made, matchday__number=number, match__isnull=False):
            enter_result(world, one.match, 1)
            assert wrong(world, made) == []
        drawn = draw_next(made, user=world.owner)
        assert wrong(world, made) == []
        publish_matchday(drawn, user=world.owner)
        assert wrong(world, made) == []


def test_what_is_lost_from_the_cache_is_made_anew(world, played):
    before = shown(world, played)
    found = seen_competition(world.owner, played.league.slug, played.slug)
    table = table_page(found).table
    assert table.rounds_over == 2
    cache.clear()  # after the head was read, before the rows are
    assert [kept_rows(table, official_only=only) for only in (True, False)] == before[1]


def test_a_change_takes_no_further_room_in_the_cache(world, played):
    shown(world, played)
    room = len(cache._cache)
    amended(world, played)
    shown(world, played)
    assert len(cache._cache) == room


def test_a_kept_page_takes_the_same_statements_whatever_was_played(world, played, django_assert_num_queries):
    def look():
        round_pages(seen_competition(world.owner, played.league.slug, played.slug))

    look()
    with django_assert_num_queries(6):
        look()
    entered(world, played)
    look()
    with django_assert_num_queries(6):
        look()


def table_of(made):
    return round_pages(seen_competition(AnonymousUser(), "harbour", made.slug)).tables.table()


def test_what_came_and_went_while_a_table_was_computed_is_not_kept(world):
    """Then the older fingerprint is true again."""
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    made = published(world, 4, **ROUND_ROBIN)
    early = table_of(made)
    done = enter_sheet(slot(made, 1, 1).match.games.get(), world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert early.head.rounds_over == 1
    undo_entry(done.record, world.referee)
    assert [row.won for row in table_of(made).rows(range(4), official_only=True)] == [0, 0, 0, 0]


def test_a_look_of_which_a_part_is_gone_is_of_one_moment(world):
    made = published(world, 4, **ROUND_ROBIN)
    enter_result(world, slot(made, 1, 1).match, 1, points=(150, 5), official=False)
    assert table_of(made).head.waits
    look = table_of(made)
    assert look.head.waits
    confirm_result(result=Result.objects.get(current=True), user=world.second_referee)
    cache.clear()
    rows = look.rows(range(4), official_only=False)
    assert ([row.won for row in rows], look.head.waits) == ([1, 0, 0, 0], False)


def test_where_nothing_is_kept_one_look_computes_once(world, monkeypatch):
    made = published(world, 4, **ROUND_ROBIN)
    computed = []
    compute = kept_tables.group_table
    monkeypatch.setattr(kept_tables, "group_table", lambda *a, **k: (computed.append(1), compute(*a, **k))[1])
    monkeypatch.setattr(kept_tables.cache, "get_many", lambda *_: {})
    look = table_of(made)
    look.rows(range(4), official_only=True)
    look.rows(range(4), official_only=False)
    look.outlook(official_only=True)
    assert len(computed) == 1


@pytest.mark.parametrize("thousands", [3, 1000])
def test_of_thousands_whoever_looks_within_seconds_shares_what_the_table_was_made_of(
    world, played, monkeypatch, thousands
):
    """And nobody for longer. Its control: of few everybody asks anew."""
    monkeypatch.setattr(kept_tables, "THOUSANDS", thousands)
    cache.clear()
    before = shown(world, played)
    confirmed(world, played)
    assert (shown(world, played) == before) is (thousands == 3)
    cache.delete(f"tables:{kept_tables.EDITION_KEPT}:{played.pk}:1:lately")
    assert shown(world, played) != before
