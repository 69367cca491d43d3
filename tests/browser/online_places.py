"""Pages of online games: before the game, before the deal, at the table, and after the game."""

from league.play.online import services
from league.play.online.acts import OnlineAct
from tests.browser.spots import Spot
from tests.league.play.online_games import dealt, do, fresh, opened, step


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
