"""A merge of players names its refusals on the player's page."""

from datetime import date

from django.urls import reverse

from league.players.models import PlayerMerge
from league.players.services import enrol


def test_a_code_that_is_nobodys_merges_nothing(world, browse) -> None:
    ana, twin = world.entrants[0].player, enrol(league=world.league, name="Ana R.", since=date(2026, 1, 1)).player
    client, path = browse(world.owner), reverse("people:merge", args=["harbour", ana.code])
    for code in ("", "NOBODY", "1\0", "9" * 5000):
        told = client.post(path, {"code": code}, follow=True).content.decode()
        assert "No player of this league has that code." in told
    assert not PlayerMerge.objects.exists()
    client.post(path, {"code": f" {twin.code.lower()} "})
    assert PlayerMerge.objects.get().absorbed == twin
