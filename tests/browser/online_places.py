"""Pages of online games: to join, before the deal, at the table, and after the game; and the hour of a match."""

from datetime import timedelta

from django.utils import timezone

from league.competitions.agreed_hours import propose_hours
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.registration.entries import register
from league.matches.models import Match
from league.play.online import services
from league.play.online.acts import OnlineAct
from tests.browser.spots import Spot
from tests.league.play.online_games import dealt, do, fresh, opened, step
from tests.web.world import World


def of_online() -> list[Spot]:
    waiting, playing, over = opened(), dealt("udl", clock="0"), dealt("muggins")
    invited = services.open_game("muggins", {}, "Ana", clock="0", move_time="120", absence="300")
    for _move in range(6):
        step(playing)
    uno = dealt("uno-dominoes", 4)
    for _move in range(9):
        step(uno)
    do(over[0], OnlineAct("concede"))
    pages = {
        "online game, to join": f"/play/online/{invited.game.code}/",
        "online game, getting ready": f"/play/online/{waiting[0].game.code}/",
        "online game, watched": f"/play/online/{playing[0].game.code}/",
        "online game, at the table": f"/play/online/{playing[0].game.code}/seat/{playing[1].key}/",
        "online game of Uno Dominoes": f"/play/online/{uno[0].game.code}/seat/{uno[fresh(uno[0]).table().to_act].key}/",
        "online game, over": f"/play/online/{over[0].game.code}/",
    }
    return [Spot("online start", "/play/online/?game=udl"), *(Spot(name, path) for name, path in pages.items())]


def of_hours(world: World) -> list[Spot]:
    """A match whose hour Ana proposes to Bo."""
    friendly = found(world.league, Plan(name="Friendly online", ruleset="udl"), user=world.owner)
    register(friendly, world.entrants[:2])
    draw(friendly, user=world.owner)
    publish(friendly, user=world.owner)
    match, now = Match.objects.get(slot__matchday__stage__competition=friendly), timezone.now()
    propose_hours(match.pk, [now + timedelta(days=2), now + timedelta(days=4)], user=world.alice, seen=None)
    path = f"/matches/{match.pk}/"
    return [Spot("hours proposed", path, "bob"), Spot("proposing hours", f"{path}hours/", "bob")]
