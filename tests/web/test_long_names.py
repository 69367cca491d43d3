"""Sixty letters are sixty letters in every script, at every door through which a name comes in."""

import json

import pytest
from django.utils import timezone

from league.accounts.founding import found_league
from league.accounts.models import User
from league.api.base.tokens import make_token
from league.competitions.draw.plans import Plan, found
from league.competitions.import_export import importing
from league.competitions.import_export import reading as transfer
from league.competitions.import_export.exporting import competition_file, to_json
from league.competitions.models import Competition, Registration
from league.competitions.registration.entries import register
from league.competitions.registration.opening import RegistrationTerms, set_registration
from league.competitions.registration.sign_ups import Introduction, apply_by_name
from league.errors import Refused
from league.matches.models import Table
from league.matches.tables import add_table
from league.players.models import Player
from league.players.services import enrol, paste, preview_paste
from tests.web import world as small

SYLLABLE, FAMILY = "क्षि", "👩‍👩‍👧‍👦"
LETTERS = pytest.mark.parametrize("letter", ["W", SYLLABLE, FAMILY], ids=("latin", "devanagari", "family"))
ADD = "/leagues/harbour/players/add/"


def errors_in(answer) -> list[str]:
    return [str(one) for all_of_one in answer.context["form"].errors.values() for one in all_of_one]


@LETTERS
def test_the_form_of_a_player_takes_sixty_and_tells_of_more(world, browse, letter) -> None:
    client = browse(world.owner)
    sent = {"name": letter * 60, "club": letter * 60, "since": "2026-01-01"}
    assert client.post(ADD, sent).status_code == 302
    kept = Player.objects.get(name=letter * 60)
    assert kept.memberships.get().club == letter * 60
    answer = client.post(ADD, sent | {"name": letter * 61})
    assert "Ensure this value has at most 60 characters (it has 61)." in answer.content.decode()
    assert not Player.objects.filter(name=letter * 61).exists()
    page = client.get(f"/players/{kept.code}/").content.decode()
    assert letter * 60 in page


@LETTERS
def test_a_list_is_pasted_with_sixty_letters_a_name(world, letter) -> None:
    text = f"{letter * 60}, {letter * 59}x\n{letter * 61}"
    notes = [
        one.note.value for one in preview_paste(world.league, text, user=world.owner, since=timezone.localdate()).lines
    ]
    assert notes == ["new", "bad-name"]
    paste(world.league, text.split("\n", maxsplit=1)[0], user=world.owner, since=timezone.localdate())
    assert Player.objects.get(name=letter * 60).memberships.get().club == f"{letter * 59}x"


@pytest.mark.parametrize("letter", ["W", SYLLABLE])
def test_somebody_signs_up_under_sixty_letters(world, letter) -> None:
    cup = found(world.league, Plan(name="Open", ruleset="udl"), user=world.owner)
    set_registration(cup, RegistrationTerms(registration=Competition.Opening.OPEN), user=world.owner)
    assert apply_by_name(cup, Introduction(name=letter * 60, club=letter * 60), secret="a").name == letter * 60
    for said in ({"name": letter * 61}, {"name": "Ana", "club": letter * 61}):
        with pytest.raises(Refused, match="60 characters"):
            apply_by_name(cup, Introduction(**said), secret="b")


@LETTERS
def test_what_an_organizer_names_has_its_letters(world, letter) -> None:
    cup = found(world.league, Plan(name=letter * 120, ruleset="udl", tables=(letter * 40,)), user=world.owner)
    assert cup.name == letter * 120
    assert Table.objects.filter(name=letter * 40).count() == 1
    with pytest.raises(Refused, match="120 characters"):
        found(world.league, Plan(name=letter * 121, ruleset="udl"), user=world.owner)
    with pytest.raises(Refused, match="40 characters"):
        add_table(world.league, letter * 41, user=world.owner)
    root = User.objects.create(username="root", is_superuser=True)
    assert found_league(root, name=letter * 120).name == letter * 120
    with pytest.raises(Refused, match="120 characters"):
        found_league(root, name=letter * 121)
    assert make_token(world.owner, name=letter * 60, scopes=["read"])
    with pytest.raises(Refused, match="60 characters"):
        make_token(world.owner, name=letter * 61, scopes=["read"])


@LETTERS
def test_a_competition_with_such_names_comes_back_from_its_file(world, letter) -> None:
    cup = found(world.league, Plan(name=letter * 120, ruleset="udl"), user=world.owner)
    since = small.FIRST.date()
    register(cup, [enrol(league=world.league, name=f"{letter * 59}{n}", since=since, club=letter * 60) for n in "12"])
    value = json.loads(to_json(competition_file(world.owner, world.league.slug, cup.slug)))
    read = transfer.read(value)
    assert read.mistakes == ()
    root = User.objects.create(username="root", is_superuser=True)
    other = found_league(root, name="Elsewhere")
    done = importing.import_competition(other, read.filed, user=root, value=value)
    names = Registration.objects.filter(competition=done.competition).values_list("entrant__player__name", flat=True)
    assert set(names) == {f"{letter * 59}1", f"{letter * 59}2"}
    value["entrants"][0]["name"] = letter * 61
    assert [(one.place, one.code) for one in transfer.read(value).mistakes] == [("entrants[1].name", "too-long")]


def test_a_file_hides_no_control_character_in_a_name(world) -> None:
    """The control: joiners are let in, and they alone."""
    cup = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    register(cup, [enrol(league=world.league, name="Ana Gil", since=small.FIRST.date())])
    value = json.loads(to_json(competition_file(world.owner, world.league.slug, cup.slug)))
    for mark in ("\u202e", "\x07", "\u200b"):
        value["entrants"][0]["name"] = f"Ana{mark}Gil"
        assert [one.code for one in transfer.read(value).mistakes] == ["too-long"]


def test_what_is_no_name_is_measured_as_its_column_is(world) -> None:
    cup = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    register(cup, [enrol(league=world.league, name="Ana Gil", since=small.FIRST.date())])
    value = json.loads(to_json(competition_file(world.owner, world.league.slug, cup.slug)))
    value["entrants"][0]["withdrawn_because"] = FAMILY * 100
    assert [one.code for one in transfer.read(value).mistakes] == ["too-long"]
