"""Names pasted by an organizer: who is new, who is known, and what needs a decision first."""

from datetime import date

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role
from league.errors import NotAllowed, Refused
from league.players.models import Entrant, Membership, Player
from league.players.services import enrol, paste, preview_paste, sentence
from tests.league.world import World, person

pytestmark = pytest.mark.both

TODAY = date(2026, 11, 21)


@pytest.fixture
def olga(world: World):
    """A manager of the league."""
    olga = person("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.MANAGER)
    return olga


@pytest.fixture
def look(world, olga):
    """The lines of a text, each as (note, name)."""

    def told(text: str) -> list[tuple[str, str]]:
        return [(one.note.value, one.name) for one in preview_paste(world.league, text, user=olga, since=TODAY).lines]

    return told


def test_new_and_known_names_become_entrants_in_the_order_of_the_lines(world, olga):
    pasted = paste(world.league, "Cy Diaz\nana ruiz\n\nDee Fox, Hillside, 12\n", user=olga, since=TODAY)
    assert [(one.line, one.note.value) for one in pasted.lines] == [(1, "new"), (2, "known"), (4, "new")]
    assert [str(entrant) for entrant in pasted.entrants] == ["Cy Diaz", "Ana Ruiz", "Dee Fox"]
    assert pasted.entrants[1] == world.ana
    dee = Membership.objects.get(player__name="Dee Fox")
    assert (dee.league, dee.club, dee.number, dee.since, dee.until) == (world.league, "Hillside", "12", TODAY, None)


def test_a_preview_says_the_same_and_stores_nothing(world, olga):
    text = "Cy Diaz\nAna Ruiz\n"
    before = Player.objects.count(), Membership.objects.count(), Entrant.objects.count()
    preview = preview_paste(world.league, text, user=olga, since=TODAY)
    assert (Player.objects.count(), Membership.objects.count(), Entrant.objects.count()) == before
    assert preview.entrants == []
    stored = paste(world.league, text, user=olga, since=TODAY)
    assert [one.note for one in stored.lines] == [one.note for one in preview.lines]


def test_pasting_the_same_names_again_changes_nothing(world, olga):
    text = "Cy Diaz, Hillside\nDee Fox, , 12\nEve"
    first = paste(world.league, text, user=olga, since=TODAY)
    rows = list(Membership.objects.order_by("pk").values())
    again = paste(world.league, text, user=olga, since=TODAY)
    assert again.entrants == first.entrants
    assert list(Membership.objects.order_by("pk").values()) == rows


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("1. Cy Diaz\n2) Dee\n- Eve\n• Fay", ["Cy Diaz", "Dee", "Eve", "Fay"]),
        ("Name;Club;Number\nCy Diaz;Hillside;7", ["Cy Diaz"]),
        ("Name\tClub\nCy Diaz\tHillside", ["Cy Diaz"]),
        ('"Diaz, Cy",Hillside', ["Diaz, Cy"]),
        ('Cy "Ace" Diaz', ['Cy "Ace" Diaz']),
        ("\ufeffCy Diaz  \r\n\r\n  Dee\u200b\r\n", ["Cy Diaz", "Dee"]),
        ("Name", ["Name"]),
    ],
)
def test_lists_are_read_as_people_keep_them(look, text, fields):
    assert look(text) == [("new", name) for name in fields]


def test_a_number_may_follow_the_name_at_once(world, olga):
    one = preview_paste(world.league, "Cy Diaz, 12", user=olga, since=TODAY).lines[0]
    assert (one.name, one.club, one.number) == ("Cy Diaz", "", "12")


def test_namesakes_are_never_merged_silently(world, olga, look):
    second = enrol(league=world.league, name="Ana Ruiz", since=TODAY, club="Hillside").player
    unclear = preview_paste(world.league, "Ana Ruiz", user=olga, since=TODAY).lines[0]
    assert unclear.note == "unclear"
    assert set(unclear.candidates) == {world.ana.player, second}
    assert f"Ana Ruiz ({world.ana.player.code})" in sentence(unclear)
    assert "Ana Ruiz (Hillside)" in sentence(unclear)
    # Club, number or code say which one; another club or number is a third person.
    by_club = preview_paste(world.league, "Ana Ruiz, hillside", user=olga, since=TODAY).lines[0]
    assert (by_club.note, by_club.player) == ("known", second)
    by_code = preview_paste(world.league, world.ana.player.code.lower(), user=olga, since=TODAY).lines[0]
    assert (by_code.note, by_code.player, by_code.name) == ("known", world.ana.player, "Ana Ruiz")
    assert look("Ana Ruiz, Harbour")[0][0] == "namesake"


def test_the_only_one_of_a_name_is_known_whatever_club_is_added_and_the_club_is_kept(world, olga):
    paste(world.league, "Ana Ruiz, Hillside, 4", user=olga, since=TODAY)
    held = world.ana.player.memberships.get()
    assert (held.club, held.number) == ("Hillside", "4")
    other = preview_paste(world.league, "Ana Ruiz, Harbour", user=olga, since=TODAY).lines[0]
    assert (other.note, other.candidates) == ("namesake", (world.ana.player,))


def test_accents_make_another_name_and_a_warning(world, olga):
    jose = enrol(league=world.league, name="José Peña", since=TODAY).player
    one = preview_paste(world.league, "Jose Pena", user=olga, since=TODAY).lines[0]
    assert (one.note, one.candidates) == ("similar", (jose,))


def test_accents_alone_between_two_new_names_of_one_list_are_a_warning(world, olga):
    text = "Eva Ruiz\nCy Diaz\nEva Ruíz, Hillside\nEVA RUIZ"
    first, _cy, alike, again = preview_paste(world.league, text, user=olga, since=TODAY).lines
    assert (first.note, first.alike, again.note, again.first) == ("new", None, "repeated", 1)
    assert (alike.note, alike.alike, alike.undecided) == ("similar", 1, False)
    assert sentence(alike) == "New player. Or is it the one of line 1? Then leave this line out"


@pytest.mark.parametrize(
    ("known", "typed"),
    [
        ("Ana Petrova", "\u0410n\u0430 P\u0435trov\u0430"),  # Cyrillic A, a, e among Latin letters
        ("\u041e\u043b\u0435\u0433 \u041a\u043e\u0441", "O\u043be\u0433 Koc"),  # and the other way round
        ("Nikos Rota", "\u039dikos Rot\u03b1"),  # Greek
    ],
)
def test_letters_that_look_alike_make_another_name_and_a_warning(world, olga, known, typed):
    there = enrol(league=world.league, name=known, since=TODAY).player
    one = preview_paste(world.league, typed, user=olga, since=TODAY).lines[0]
    assert (one.note, one.candidates) == ("similar", (there,))
    first, second = preview_paste(world.league, "Eva Cox\nEva \u0421ox", user=olga, since=TODAY).lines
    assert (first.note, second.note, second.alike) == ("new", "similar", 1)


def test_a_name_in_another_alphabet_that_looks_like_none_is_new(world, olga):
    """The control."""
    enrol(league=world.league, name="Ivan Popov", since=TODAY)
    name = "\u0418\u0432\u0430\u043d \u041f\u043e\u043f\u043e\u0432"
    assert preview_paste(world.league, name, user=olga, since=TODAY).lines[0].note == "new"


def test_a_player_of_another_league_is_a_stranger_here(look):
    assert look("Charlie Hill") == [("new", "Charlie Hill")]


def test_who_left_becomes_a_member_again(world, olga):
    held = world.ana.player.memberships.get()
    Membership.objects.filter(pk=held.pk).update(until=date(2026, 6, 1), club="Hillside", number="4")
    pasted = paste(world.league, "Ana Ruiz", user=olga, since=TODAY)
    assert [one.note for one in pasted.lines] == ["renewed"]
    assert pasted.entrants == [world.ana]
    rows = list(world.ana.player.memberships.order_by("since").values_list("since", "until", "club", "number"))
    assert rows == [(held.since, date(2026, 6, 1), "Hillside", "4"), (TODAY, None, "Hillside", "4")]


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Cy\ncy", ["new", "repeated"]),
        ("Cy\nCy, Hill", ["new", "repeated"]),
        ("Cy, Hill\nDee\nCy", ["new", "new", "repeated"]),
        ("Cy, Hill\nCy, Harbour", ["new", "new"]),
        ("Ana Ruiz\nAna Ruiz", ["known", "repeated"]),
        ("Cy, Harbour\nCy, Hillside", ["new", "new"]),
        ("Cy, , 7\nDee, , 7", ["new", "repeated"]),
        ("x" * 61, ["bad-name"]),
        (", Hillside", ["bad-name"]),
        ("Cy, Hillside, 7, Harbour", ["bad-fields"]),
        ("Cy, Hillside, " + "7" * 21, ["bad-fields"]),
    ],
)
def test_what_needs_a_decision_is_said_at_its_line_and_nothing_is_stored(world, olga, look, text, notes):
    before = Player.objects.count()
    assert [note for note, _name in look(text)] == notes
    if set(notes) <= {"new"}:
        return
    with pytest.raises(Refused) as refused:
        paste(world.league, f"Eve\n{text}", user=olga, since=TODAY)
    assert refused.value.code == "paste-unclear"
    assert str(refused.value) == f"Nothing was stored, because these lines need a decision: {len(notes) + 1}."
    assert Player.objects.count() == before


def test_a_number_of_somebody_else_needs_a_decision(world, olga):
    enrol(league=world.league, name="Dee", since=TODAY, number="12")
    one = preview_paste(world.league, "Eve, 12", user=olga, since=TODAY).lines[0]
    assert one.note == "number-taken"
    assert sentence(one).startswith("This is the number of Dee (")


@pytest.mark.parametrize(("text", "code"), [("", "no-names"), (" \n,\n", "no-names"), ("Cy\n" * 301, "too-many-names")])
def test_an_empty_or_endless_list_is_refused(world, olga, text, code):
    with pytest.raises(Refused) as refused:
        preview_paste(world.league, text, user=olga, since=TODAY)
    assert refused.value.code == code


def test_only_who_manages_the_people_of_the_league_pastes(world):
    for user in (world.referee, world.charlie, world.alice):
        with pytest.raises(NotAllowed):
            paste(world.league, "Cy", user=user, since=TODAY)
    assert not Player.objects.filter(name="Cy").exists()


def test_a_preview_takes_the_same_statements_for_one_and_for_three_hundred_names(world, olga):
    counts = []
    for names in (1, 300):
        text = "\n".join(f"Player {number}" for number in range(names))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            preview_paste(world.league, text, user=olga, since=TODAY)
        counts.append(len(asked))
    assert counts == [4, 4]


def test_erased_and_merged_players_are_not_found_again(world, olga, look):
    Player.objects.filter(pk=world.bo.player_id).update(merged_into=world.ana.player)
    assert look("Bo Chen") == [("new", "Bo Chen")]
