"""A player of a Swiss system asks for a bye: recorded at the desk, not paired, worth what the plan says."""

import pytest

from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.attendance.requested_byes import open_rounds, request_bye, take_request_back
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.pairing_again import round_after
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.draw.swiss_rounds import pair_anew, swap
from league.competitions.import_export.exporting import competition_file
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.reading import differences, read
from league.competitions.import_export.trf_report import report
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Matchday, Slot, Stage
from league.competitions.queries.competition import competition_page
from league.errors import NotAllowed, Refused
from league.players.models import Entrant
from tests.league.competitions.amended import score, win
from tests.league.competitions.cup import drafted, names, published, slot
from tests.league.competitions.kept import wrong_kept

PLAN = {"format": Stage.Format.SWISS, "rounds": 3, "release": "round_by_round"}
POINTS = {"tie_breaks": ["match_points", "buchholz"]}


def entrant(cup, name):
    return Entrant.objects.get(registrations__competition=cup, player__name__startswith=name)


def ask(world, cup, name, number, *, user=None):
    return request_bye(cup, entrant(cup, name), number=number, user=user or world.owner)


def play(world, cup, number):
    """The first side of every match wins."""
    for one in Slot.objects.filter(matchday__stage__competition=cup, matchday__number=number, match__isnull=False):
        win(world, cup, number, one.number)


def next_round(world, cup):
    day = draw_next(cup, user=world.owner)
    publish_matchday(day, user=world.owner)
    return day


def requested(cup, number):
    slots = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=number, requested_bye=True)
    return sorted(str(one.berths.get().entrant).split()[0] for one in slots)


def points(world, cup):
    page = competition_page(world.owner, "harbour", cup.slug)
    return {row.name.split()[0]: row.match_points for row in page.official}


def code(act, *args, **kwargs):
    with pytest.raises(Refused) as refused:
        act(*args, **kwargs)
    return refused.value.code


@pytest.mark.parametrize(("worth", "given", "trf"), [("draw", 1, "H"), ("none", 0, "Z"), ("win", 2, "F")])
def test_in_that_round_the_player_is_not_paired_and_has_the_points_of_the_plan(world, worth, given, trf):
    cup = published(world, 6, **PLAN, **POINTS, requested_bye=worth)
    ask(world, cup, "P6", 2)
    play(world, cup, 1)
    before = points(world, cup)["P6"]
    next_round(world, cup)
    assert requested(cup, 2) == ["P6"]
    played = [one for one in names(cup, 2) if len(one) == 2]
    assert (len(played), "P6" in str(played)) == (2, False)
    rests = [one for one in names(cup, 2) if len(one) == 1]
    assert len(rests) == 2, "five are left: one of them has the bye of the pairing"
    assert points(world, cup)["P6"] == before + given
    assert list(wrong_kept(cup, world.owner)) == []
    assert draw_differences(cup) == []
    value = competition_file(world.owner, "harbour", cup.slug)
    line = next(one for one in report(value).splitlines() if " P6 " in one)
    assert line.endswith(f"0000 - {trf}")
    filed = read(value)
    assert (filed.mistakes, filed.filed.entrants[5].byes) == ((), (2,))
    assert [one.requested_bye for one in filed.filed.rounds[1].slots].count(True) == 1
    # The next round is paired with these points.
    play(world, cup, 2)
    next_round(world, cup)
    assert requested(cup, 3) == []
    assert any("P6" in str(one) for one in names(cup, 3) if len(one) == 2)


def test_in_the_last_round_it_brings_nothing_and_is_not_counted(world):
    cup = published(world, 6, **PLAN, **POINTS)
    assert ask(world, cup, "P6", 2)
    assert ask(world, cup, "P6", 3)
    for number in (1, 2):
        play(world, cup, number)
        next_round(world, cup)
    before = points(world, cup)
    play(world, cup, 3)
    assert requested(cup, 3) == ["P6"]
    assert points(world, cup)["P6"] == before["P6"] == 1
    value = competition_file(world.owner, "harbour", cup.slug)
    assert next(one for one in report(value).splitlines() if " P6 " in one).endswith("0000 - H  0000 - Z")
    row = next(one for one in competition_page(world.owner, "harbour", cup.slug).official if one.name == "P6")
    assert row.rank, "an entrant with a bye in the last round has not left"


def test_the_opponents_count_it_as_a_voluntary_unplayed_round(world):
    """Only byes follow the last match of P6: they count as draws for the others (FIDE C.07 16.3)."""
    cup = published(world, 6, **PLAN, **POINTS, requested_bye="none")
    ask(world, cup, "P6", 2)
    play(world, cup, 1)
    met = next(one for one in names(cup, 1) if "P6" in one)
    other = next(one for one in met if one != "P6")
    next_round(world, cup)
    rows = {row.name: row for row in competition_page(world.owner, "harbour", cup.slug).official}
    [term] = [one for one in rows[other].figures["buchholz"].terms if one.round == 1]
    assert term.theirs == 1, "no points, and the bye as a draw"


def test_what_can_not_be_requested_is_refused_by_name(world):
    cup = published(world, 6, **PLAN)
    robin = published(world, 4, name="Robin", format=Stage.Format.ROUND_ROBIN)
    none = published(world, 4, name="None", **PLAN, most_byes=0)
    assert code(ask, world, robin, "P3", 2) == code(ask, world, none, "P3", 2) == "no-byes"
    assert (open_rounds(robin), open_rounds(none), open_rounds(cup)) == (range(0), range(0), range(2, 4))
    assert code(ask, world, cup, "P6", 1) == code(ask, world, cup, "P6", 4) == "bad-round"
    ask(world, cup, "P6", 2)
    withdraw(cup, entrant(cup, "P5"), user=world.owner, reason="goes home")
    assert code(ask, world, cup, "P5", 2) == "withdrawn-already"
    with pytest.raises(NotAllowed):
        ask(world, cup, "P4", 2, user=world.alice)
    more = published(world, 6, name="Longer", **{**PLAN, "rounds": 4})
    ask(world, more, "P4", 2)
    assert code(ask, world, more, "P4", 3) == "too-many-byes"
    assert ask(world, more, "P4", 2) is False, "it is there already"


def test_a_request_changes_a_draft_round_only_when_it_is_paired_again(world):
    cup = published(world, 6, **PLAN)
    play(world, cup, 1)
    day = draw_next(cup, user=world.owner)
    ask(world, cup, "P6", 3)
    ask(world, cup, "P5", 2)
    assert code(publish_matchday, day, user=world.owner) == "results-changed"
    take_request_back(cup, entrant(cup, "P5"), number=2, user=world.owner)
    assert requested(cup, 2) == []
    ask(world, cup, "P5", 2)
    day = pair_anew(day, user=world.owner)
    assert requested(cup, 2) == ["P5"]
    assert code(swap, day, entrant(cup, "P5").pk, entrant(cup, "P6").pk, user=world.owner) == "other-entrants"
    publish_matchday(day, user=world.owner)
    assert code(take_request_back, cup, entrant(cup, "P5"), number=2, user=world.owner) == "bad-round"


def test_of_a_draft_the_first_round_is_drawn_without_the_player(world):
    cup = drafted(world, 5, **PLAN)
    ask(world, cup, "P5", 1)
    assert requested(cup, 1) == []
    day = pair_anew(Matchday.objects.get(stage__competition=cup), user=world.owner)
    assert requested(cup, 1) == ["P5"]
    assert sorted(len(one) for one in names(cup, day.number)) == [1, 2, 2]


def test_who_leaves_before_the_round_has_no_requested_bye(world):
    cup = published(world, 6, **PLAN)
    ask(world, cup, "P6", 2)
    play(world, cup, 1)
    withdraw(cup, entrant(cup, "P6"), user=world.owner, reason="goes home")
    next_round(world, cup)
    assert requested(cup, 2) == []


def test_a_round_that_is_paired_again_keeps_its_requested_byes(world):
    cup = published(world, 6, **PLAN)
    ask(world, cup, "P6", 2)
    play(world, cup, 1)
    next_round(world, cup)
    first = slot(cup, 1, 1)
    assert round_after(first).number == 2
    game = first.match.games.select_related("match__league").get()
    confirm_amendment(propose_amendment(game, world.referee, score(95, 150)), world.owner, again=True)
    assert requested(cup, 2) == ["P6"]


def test_a_file_gives_the_same_competition(world):
    cup = published(world, 6, **PLAN)
    ask(world, cup, "P6", 2)
    ask(world, cup, "P5", 3)
    play(world, cup, 1)
    next_round(world, cup)
    value = competition_file(world.owner, "harbour", cup.slug)
    made = import_competition(world.elsewhere, read(value).filed, user=world.charlie).competition
    assert requested(made, 2) == ["P6"]
    again = competition_file(world.charlie, "hills", made.slug)
    assert differences(value["competition"], again["competition"]) == []
    assert [one.get("byes") for one in again["entrants"]] == [one.get("byes") for one in value["entrants"]]
