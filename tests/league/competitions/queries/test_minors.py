"""Nobody outside the staff learns from a draw where a minor will sit."""

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from league.competitions.queries.competition import competition_page
from league.players.models import Player
from tests.league.competitions.cup import published


def test_the_table_of_a_minor_is_hidden_in_rounds_and_in_berths_that_wait(world):
    cup = published(world, 3, tables=["1"])
    Player.objects.filter(pk=world.ana.player_id).update(born=timezone.now().year - 12)  # has the bye
    Player.objects.filter(pk=world.bo.player_id).update(born=timezone.now().year - 12)  # plays the semi-final
    outside = competition_page(AnonymousUser(), "harbour", cup.slug)
    staff = competition_page(world.referee, "harbour", cup.slug)
    shown = [[slot.table for day in page.matchdays for slot in day.slots] for page in (outside, staff)]
    assert shown == [["", "", ""], ["", "1", "1"]]
    assert [one.name for one in outside.entrants] == ["A. R.", "B. C.", "P3"]
