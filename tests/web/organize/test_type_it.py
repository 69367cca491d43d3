"""Before something is thrown away a name is typed; what loses nothing asks for nothing."""

import pytest

from league.competitions.attendance.check_in import check_in
from league.competitions.draw.swiss_rounds import keep_pair, swap
from league.competitions.models import Competition, EarlierState, Matchday, Slot
from league.competitions.typed_confirmation import is_typed
from league.players.models import Entrant
from tests.web.organize.test_organize import NEW, asked, text_of

CUP = "/organize/harbour/competitions/friday-cup/"
ASKED = "” to confirm"


def made(world, browse, **changes) -> Competition:
    answer = browse(world.owner).post(NEW, asked(do="create", **changes))
    assert answer.status_code == 302, text_of(answer.content.decode())
    return Competition.objects.get(slug="friday-cup")


def swiss(world, browse) -> Competition:
    """The draft of a Swiss system in whose first round two were exchanged by hand."""
    cup = made(world, browse, format="swiss", rounds="3", players="Ana\nBo\nCleo\nDora\nEva\nFay")
    day = Matchday.objects.get(stage__competition=cup)
    one, other = [slot.berths.get(number=1).entrant_id for slot in day.slots.order_by("number")[:2]]
    swap(day, one, other, user=world.owner)
    return cup


def locked(cup) -> int:
    return Slot.objects.filter(matchday__stage__competition=cup, locked=True).count()


@pytest.mark.parametrize(
    ("word", "typed", "right"),
    [
        ("Friday Cup", " friday   CUP ", True),
        ("Copa José", "copa jose", True),
        ("Ｒound 1", "Round 1", True),
        ("Friday Cup", "Friday", False),
        ("Friday Cup", "FridayCup", False),
        ("Friday Cup", "", False),
    ],
)
def test_capitals_accents_and_spaces_are_forgiven(word, typed, right) -> None:
    assert is_typed(word, typed) is right


def test_a_draft_is_discarded_by_its_name_only(world, browse) -> None:
    cup = made(world, browse)
    client = browse(world.owner)
    assert f"Type “ Friday Cup {ASKED}" in text_of(client.get(f"{CUP}discard/").content.decode())
    for typed, told in (
        ("", "Type “Friday Cup” to confirm."),
        ("Sunday <Cup>", "“Sunday &lt;Cup&gt;” does not match. Type “Friday Cup” to confirm."),
    ):
        answer = client.post(f"{CUP}discard/", {"word": typed})
        html = answer.content.decode()
        assert answer.status_code == 422
        assert told in text_of(html)
        assert 'aria-describedby="word-hint word-error" aria-invalid="true"' in html
    assert client.post(f"{CUP}discard/", {"word": "Friday Cup\0"}).status_code == 422
    assert Competition.objects.filter(pk=cup.pk).exists()
    assert not EarlierState.objects.exists()
    client.post(f"{CUP}discard/", {"word": "  FRIDAY cup"})
    assert not Competition.objects.filter(pk=cup.pk).exists()


def test_a_draft_that_nobody_entered_is_discarded_at_once(world, browse) -> None:
    made(world, browse, players="")
    client = browse(world.owner)
    assert ASKED not in text_of(client.get(f"{CUP}discard/").content.decode())
    client.post(f"{CUP}discard/")
    assert not Competition.objects.filter(slug="friday-cup").exists()


def test_a_whole_draw_over_pairs_set_by_hand_wants_the_name_of_the_round(world, browse) -> None:
    cup = swiss(world, browse)
    client = browse(world.owner)
    page = client.post(f"{CUP}draw/")
    assert page.status_code == 200
    assert f"Type “ Round 1 {ASKED}" in text_of(page.content.decode())
    assert 'id="word-error"' not in page.content.decode(), "nothing was typed wrong yet"
    wrong = client.post(f"{CUP}draw/", {"word": "Round 2"})
    assert wrong.status_code == 422
    assert "“Round 2” does not match. Type “Round 1” to confirm." in text_of(wrong.content.decode())
    assert client.post(f"{CUP}draw/", {"word": "Round 1\0"}).status_code == 422
    assert locked(cup) == 2
    assert client.post(f"{CUP}draw/", {"word": "round 1"}).status_code == 302
    assert locked(cup) == 0
    assert EarlierState.objects.latest("pk").before == EarlierState.Before.DRAWN


def test_drawing_with_those_who_are_here_wants_it_too(world, browse) -> None:
    cup = swiss(world, browse)
    last = cup.registrations.last().entrant_id
    client = browse(world.owner)
    assert f"Type “ Round 1 {ASKED}" in text_of(client.get(f"{CUP}present/").content.decode())
    assert client.post(f"{CUP}present/", {"absent": last, "word": "yes"}).status_code == 422
    assert cup.registrations.count() == 6
    everybody = {row.entrant_id for row in cup.registrations.all()}
    for one in everybody - {last}:
        check_in(cup, Entrant.objects.get(pk=one), user=world.owner)
    assert client.post(f"{CUP}present/", {"absent": last, "word": "Round 1"}).status_code == 302
    assert cup.registrations.count() == 5
    assert locked(cup) == 0


def test_pairing_anew_and_drawing_what_nobody_touched_want_nothing(world, browse) -> None:
    cup = swiss(world, browse)
    client = browse(world.owner)
    assert client.post(f"{CUP}rounds/1/pairs/", {"do": "anew"}).status_code == 302
    assert locked(cup) == 2, "locked pairs stay"
    for slot in Slot.objects.filter(matchday__stage__competition=cup):
        keep_pair(slot, user=world.owner, keep=False)
    assert client.post(f"{CUP}draw/").status_code == 302
