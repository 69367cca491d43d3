"""Two players who are one entrant: merged, erased, known again, and how two names stand on a line."""

import pytest

from league.accounts.models import Role
from league.errors import Refused
from league.players.models import Entrant, Player
from league.players.pairs import pair_of, parted, with_one_club, with_partner
from league.players.pasting import PasteNote, sentence
from league.players.services import enrol, erase, merge, paste, preview_paste, unmerge
from tests.league.competitions.pair_world import pair, pairs_of, published_pairs
from tests.league.world import NOON, person

TODAY = NOON.date()


@pytest.fixture
def olga(world):
    olga = person("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.MANAGER)
    return olga


def player(name: str) -> Player:
    return Player.objects.get(name=name)


def refusal(verb, *args, **kwargs) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        verb(*args, **kwargs)
    return refused.value.code, str(refused.value)


# --- On a line ---


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("Ana Gil / Leo Paz", ["Ana Gil", "Leo Paz"]),
        ("Ana Gil/Leo Paz", ["Ana Gil", "Leo Paz"]),
        ("Ana Gil & Leo Paz", ["Ana Gil", "Leo Paz"]),
        ("Ana Gil + Leo Paz", ["Ana Gil", "Leo Paz"]),
        ("C&A Gil", ["C&A Gil"]),
        ("Ana / Leo / Mia", ["Ana", "Leo", "Mia"]),
    ],
)
def test_two_names_are_parted_by_a_stroke_an_ampersand_or_a_plus(line, names):
    assert parted(line) == names


def test_one_partner_of_a_line_is_replaced_and_the_other_stays():
    assert with_partner("1. Ana Gil & Leo Paz, Club", 1, "K7QM2X4A") == "K7QM2X4A / Leo Paz, Club"
    assert with_partner("Ana Gil / Leo Paz", 2, "K7QM2X4A") == "Ana Gil / K7QM2X4A"
    assert with_partner("Ana Gil\tLeo Paz", 2, "K7QM2X4A") == "Ana Gil / K7QM2X4A"
    assert with_partner("Ana Gil", 2, "K7QM2X4A") == "Ana Gil"


def test_a_club_at_the_end_of_the_line_is_that_of_both_unless_the_first_has_one():
    assert with_one_club([["Ana"], ["Leo", "Harbour", "7"]]) == [["Ana", "Harbour"], ["Leo", "Harbour", "7"]]
    assert with_one_club([["Ana", "Hill"], ["Leo", "Harbour"]]) == [["Ana", "Hill"], ["Leo", "Harbour"]]


def test_each_partner_is_held_against_the_players_of_the_league(world, olga):
    enrol(league=world.league, name="León Paz", since=TODAY)
    enrol(league=world.league, name="Mia Sol", since=TODAY, club="Hill")
    enrol(league=world.league, name="Mia Sol", since=TODAY, club="Harbour")
    text = "1. Ana Ruiz / Leon Paz\nMia Sol / Gil Ros, Hill\nEva Mar\nMia Sol, Hill / Fito Rey"
    pasted = preview_paste(world.league, text, user=olga, since=TODAY, pairs=True)
    assert [(one.place, one.name, one.note) for one in pasted.lines] == [
        ("1.1", "Ana Ruiz", PasteNote.KNOWN),
        ("1.2", "Leon Paz", PasteNote.SIMILAR),
        ("2.1", "Mia Sol", PasteNote.KNOWN),
        ("2.2", "Gil Ros", PasteNote.NEW),
        ("3", "Eva Mar", PasteNote.NO_PAIR),
        ("4.1", "Mia Sol", PasteNote.REPEATED),
        ("4.2", "Fito Rey", PasteNote.NEW),
    ]
    assert sentence(pasted.lines[4]) == (
        "A line is a pair: two names with a stroke between them, such as Ana Gil / Leo Paz"
    )


def test_two_columns_of_a_spreadsheet_are_the_two_partners(world, olga):
    pasted = paste(world.league, "Ana Ruiz\tGil Ros\tHill\n", user=olga, since=TODAY, pairs=True)
    [entrant] = pasted.entrants
    assert str(entrant) == "Ana Ruiz & Gil Ros"
    assert list(player("Gil Ros").memberships.values_list("club", flat=True)) == ["Hill"]


def test_a_pair_of_one_person_is_refused(world):
    told = refusal(pair_of, world.league, world.ana.player, world.ana.player)
    assert told == ("same-player", "A pair is two people, and Ana Ruiz is one.")


# --- Merged ---


def test_partners_of_one_pair_are_never_merged(world, olga):
    pairs_of(world)
    told = refusal(merge, kept=player("Ana Ruiz"), absorbed=player("Leo Paz"), league=world.league, by=olga)
    assert told == ("one-pair", "Ana Ruiz & Leo Paz play as a pair, so they are not one person.")


def test_players_of_two_pairs_of_one_competition_are_not_merged(world, olga):
    pairs_of(world, "Ana Ruiz / Leo Paz\nGil Ros / Eva Mar\nFito Rey / Dora Luz\nBo Chen / Mia Sol", format="swiss")
    told = refusal(merge, kept=player("Ana Ruiz"), absorbed=player("Mia Sol"), league=world.league, by=olga)
    assert told == ("play-together", "Both take part in one competition (Pairs), so they are not one person.")


def test_a_merged_partner_plays_on_in_the_pair_and_comes_back_when_it_is_undone(world, olga):
    pairs_of(world)
    double = enrol(league=world.league, name="Leo Pazos", since=TODAY)
    before = list(Entrant.objects.order_by("pk").values())
    done = merge(kept=double.player, absorbed=player("Leo Paz"), league=world.league, by=olga)
    assert str(pair("Ana Ruiz")) == "Ana Ruiz & Leo Pazos"
    unmerge(done, league=world.league, by=olga)
    assert list(Entrant.objects.order_by("pk").values()) == before


def test_two_pairs_that_become_one_are_one_entrant_with_what_both_played(world, olga):
    competition = published_pairs(world)
    other = pairs_of(world, "Leo Pazos / Ana Ruiz", name="Other")
    done = merge(kept=player("Leo Pazos"), absorbed=player("Leo Paz"), league=world.league, by=olga)
    [row] = other.registrations.all()
    assert competition.registrations.filter(entrant=row.entrant).exists()
    assert row.entrant.sides.count() == 3
    unmerge(done, league=world.league, by=olga)
    assert row.entrant.sides.count() == 0
    assert pair("Ana Ruiz").sides.count() == 3


# --- Erased ---


def test_an_erased_partner_is_a_code_and_the_other_keeps_the_name(world):
    pairs_of(world)
    code = player("Leo Paz").code
    erase(player("Leo Paz"))
    assert (str(pair("Ana Ruiz")), pair("Ana Ruiz").full_name) == (f"Ana Ruiz & {code}",) * 2
