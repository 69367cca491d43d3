"""What programs of outsiders do not learn about minors."""

import pytest
from django.test import Client
from django.utils import timezone

from league.competitions.draw.publishing import publish
from league.players.models import Player
from tests.league.api.conftest import Program
from tests.league.api.played import TABLE, Played, competition_of


def is_minor(player: Player, years: int = 12) -> None:
    Player.objects.filter(pk=player.pk).update(born=timezone.now().year - years)


def asker_of(name: str, played: Played, program: Program) -> Client:
    world = played.world
    people = {"player": world.alice, "staff": world.referee, "owner": world.owner, "other owner": world.charlie}
    return program(people[name]) if name in people else Client()


@pytest.mark.parametrize(
    ("asker", "expected"),
    [("nobody", ""), ("other owner", ""), ("player", TABLE), ("staff", TABLE), ("owner", TABLE)],
)
def test_outsiders_do_not_learn_where_a_minor_sits(played: Played, program: Program, asker: str, expected: str) -> None:
    spring = competition_of(played.world, "Spring")
    publish(spring, user=played.owner)
    client = asker_of(asker, played, program)
    path = f"/api/v1/matches/{played.open_match.pk}"

    def tables() -> list[str]:
        listed = {one["id"]: one["table"] for one in client.get("/api/v1/matches").json()["results"]}
        [day] = client.get("/api/v1/competitions/harbour/spring/rounds").json()["results"]
        [slot] = day["slots"]
        return [client.get(path).json()["table"], listed[played.open_match.pk], slot["table"], slot["match"]["table"]]

    assert tables() == [TABLE] * 4
    is_minor(played.world.bo.player)
    assert tables() == [expected] * 4


@pytest.mark.parametrize("asker", ["nobody", "other owner", "player"])
def test_outsiders_do_not_find_a_minor_by_name(played: Played, program: Program, asker: str) -> None:
    client = asker_of(asker, played, program)
    player = played.world.bo.player

    def found(wanted: str) -> list[str]:
        return [one["name"] for one in client.get("/api/v1/players", {"q": wanted}).json()["results"]]

    assert [found(wanted) for wanted in ("Bo Chen", "bo", player.code.lower(), "BÖ CHEN")] == [["Bo Chen"]] * 4
    is_minor(player)
    assert [found(wanted) for wanted in ("Bo Chen", "bo", player.code.lower(), "BÖ CHEN")] == [[], [], ["B. C."], []]
    is_minor(player, years=30)
    assert found("Bo Chen") == ["Bo Chen"]
