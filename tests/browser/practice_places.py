"""Pages of the practice table: before the deal, in a hand, between two hands, after the game."""

from tests.browser.spots import Spot
from tests.league.play.tables import in_play, played, saved, step, terms


def of_practice() -> list[Spot]:
    between = in_play("between")
    while between.live:
        step(between)
    tables = {
        "practice hand": in_play("hand"),
        "practice between hands": between,
        "practice with announcements": in_play("announced", "udl"),
        "practice game over": played(terms("over", target="50")),
    }
    spots = [Spot(name, f"/play/{saved(table).code}/") for name, table in tables.items()]
    return [Spot("practice", "/play/"), Spot("practice of UDL", "/play/?game=udl"), *spots]
