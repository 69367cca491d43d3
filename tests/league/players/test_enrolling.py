import pytest

from league.errors import Refused
from league.players.models import Player
from league.players.services import clean_name, enrol
from tests.league.world import NOON

pytestmark = pytest.mark.both


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ana   Ruiz ", "Ana Ruiz"),
        ("Pen\u0303a", "Pe\u00f1a"),
        ("Ana\u202eziuR", "AnaziuR"),
        ("An\u200ba\x07", "Ana"),
        ("Ana \x07 Ruiz", "Ana Ruiz"),
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("<b>Bo</b>", "<b>Bo</b>"),
        ("x" * 60, "x" * 60),
        ("क्षि" * 60, "क्षि" * 60),
        ("👩‍👩‍👧‍👦" * 60, "👩‍👩‍👧‍👦" * 60),
        ("Z\u0335\u0321\u0300\u0301\u0302\u0303\u0304lgo", "Z\u0335\u0321\u0300\u0301lgo"),
        ("An\u200d\u200d\u200d\u200d\u200d\u200da", "An\u200d\u200d\u200d\u200da"),
    ],
)
def test_names_lose_what_deceives_and_nothing_else(given, kept):
    assert clean_name(given) == kept


@pytest.mark.parametrize("given", ["", " \t", "\u202e\u200b", "x" * 61, "क्षि" * 61, "👩‍👩‍👧‍👦" * 61])
def test_a_name_has_1_to_60_characters(given):
    with pytest.raises(Refused) as caught:
        clean_name(given)
    assert (caught.value.code, str(caught.value)) == ("bad-name", "A name has 1 to 60 characters.")


def test_enrolling_makes_a_player_a_member_and_an_entrant_of_the_league(world):
    entrant = enrol(league=world.league, name="Cy", since=NOON.date(), user=world.alice)
    player = Player.objects.get(name="Cy")
    assert (entrant.player, entrant.league, player.user) == (player, world.league, world.alice)
    assert [(one.league, one.since, one.until) for one in player.memberships.all()] == [
        (world.league, NOON.date(), None)
    ]


def test_nothing_is_stored_of_a_name_that_is_refused(world):
    before = Player.objects.count()
    with pytest.raises(Refused):
        enrol(league=world.league, name="", since=NOON.date())
    assert Player.objects.count() == before
