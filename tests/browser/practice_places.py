"""Pages of the practice table: before the deal, in a hand, between two hands, calls of Uno Dominoes, after the game."""

from league.play import reviews
from league.play.table import PLAYER, PracticeTable
from tests.browser.spots import Spot
from tests.league.play.tables import in_play, played, saved, step, terms
from tests.league.play.uno_tables import uno_live


def four_at_all_fives() -> PracticeTable:
    """The next computer waits for a muggins call."""
    table = in_play("four", "all-fives", 4)
    while not table.paused:
        step(table)
    return table


def of_practice() -> list[Spot]:
    between = in_play("between")
    while between.live:
        step(between)
    tables = {
        "practice hand": in_play("hand"),
        "practice between hands": between,
        "practice with announcements": in_play("announced", "udl"),
        "practice of four at All Fives": four_at_all_fives(),
        "practice game over": played(terms("over", target="50")),
        "practice of Uno Dominoes, a wild in hand": uno_live(
            "wild", 4, lambda table: {one.colour for one in table.plays} - {None}
        ),
        "practice of Uno Dominoes, time to catch": uno_live("catch", 3, lambda table: table.paused),
        "practice of Uno Dominoes, four to draw": uno_live("four", 2, lambda table: table.victim == PLAYER),
    }
    spots = [Spot(name, f"/play/{saved(table).code}/") for name, table in tables.items()]
    asked, made = (saved(played(terms("review", target="50", ruleset="udl"))) for _review in range(2))
    reviews.ask(made.code)
    reviews.carry_out(made.move_review.pk)
    spots += [
        Spot("practice review to ask for", f"/play/{asked.code}/review/"),
        Spot("practice review", f"/play/{made.code}/review/"),
    ]
    return [
        Spot("practice", "/play/"),
        Spot("practice of UDL", "/play/?game=udl"),
        Spot("practice of Uno Dominoes", "/play/?game=uno-dominoes"),
        *spots,
    ]
