"""Pages of protests and rulings, each in a state worth looking at."""

from collections.abc import Sequence

from league.disputes import facts, ruling
from league.disputes.court_rules import WantedRules, change_rules
from league.disputes.models import Dispute
from league.disputes.protests import appealing, protesting, statements
from league.disputes.protests.protesting import Point
from league.disputes.ruling import WantedRuling
from league.matches.logs.submission import Fixture, schedule_match, submit_log, verify_record
from league.matches.models import Match
from league.players.models import Entrant
from referee.rulings.court import FactFound
from tests.browser.spots import Spot
from tests.league.world import NOON, played_log
from tests.web.world import World

# Bo plays 5-3 for 5 at line 12 and announces nothing; Ana calls muggins at line 14 (log of seed 7).
POINT = Point(kind=Dispute.Kind.MUGGINS, line=12, miswritten=True)
SENTENCE = "I said five while the tile was still in my hand, and the people at the next table heard it."


def of_court(world: World) -> list[Spot]:
    """A protest that waits, one whose facts are found, one that waits for a second official, and rulings."""
    change_rules(world.league, world.owner, WantedRules(penalties={"draw-when-able": 30, "out-of-turn": 10}))
    waits, found, second, ruled, heard = (_protested(world) for _ in range(5))
    other = submit_log(game=waits.game, user=world.bob, raw=log_of(world.entrants[:2], loud=True).encode()).record
    verify_record(other.pk)
    statements.give_statement(waits, world.bob, "I said it in time.")
    for one in (found, second, ruled, heard):
        facts.find_facts(one, world.ref, FactFound.NO)
    wanted = WantedRuling(outcome=Dispute.Outcome.CALL, reason="The call came after the next tile, so it was too late")
    ruling.rule(second, world.ref, wanted)
    for one in (ruled, heard):
        dismissed = WantedRuling(outcome=Dispute.Outcome.DISMISSED, reason="The call was in time: nobody had played on")
        ruling.rule(one, world.ref, dismissed)
    appealing.appeal(heard, world.bob, "The referee did not ask the next table.")
    league = "/leagues/harbour/rulings/"
    return [
        Spot("protest", f"/matches/{ruled.match_id}/games/1/protest/", "alice"),
        Spot("protest by the desk", f"/matches/{ruled.match_id}/games/1/protest/?line=12", "ref"),
        Spot("referees' desk", "/organize/harbour/disputes/", "ref"),
        Spot("case to find facts", f"/disputes/{waits.code}/", "ref"),
        Spot("case of a side", f"/disputes/{waits.code}/", "alice"),
        Spot("case to rule", f"/disputes/{found.code}/", "ref"),
        Spot(
            "case, what the ruling changes",
            f"/disputes/{found.code}/",
            "ref",
            "The call was too late",
            label="Reason (everybody reads it)",
            button="See what it changes",
            answer="button[value=rule]",
        ),
        Spot("case to confirm", f"/disputes/{second.code}/", "owner"),
        Spot("case that is ruled", f"/disputes/{ruled.code}/", "bob"),
        Spot("case on appeal", f"/disputes/{heard.code}/", "owner"),
        Spot("match under protest", f"/matches/{found.match_id}/", "bob"),
        Spot("rulings", league),
        Spot("ruling", f"{league}{ruled.code}/"),
        Spot(
            "court's back of cards",
            f"/organize/harbour/competitions/{world.competition.slug}/cards/?round=1&back=1",
            "ref",
        ),
        Spot("rules of the court", "/organize/harbour/court/", "owner"),
    ]


def _protested(world: World) -> Dispute:
    match = _match(world)
    game = match.games.get(number=1)
    verify_record(submit_log(game=game, user=world.alice, raw=log_of(world.entrants[:2]).encode()).record.pk)
    return protesting.protest(game, world.bob, POINT, SENTENCE)


def _match(world: World) -> Match:
    agreed = {"league": world.league, "entrants": world.entrants[:2], "ruleset": "udl", "options": {}}
    return schedule_match(Fixture(**agreed, published_at=NOON))


def log_of(entrants: Sequence[Entrant], *, loud: bool = False) -> str:
    """Return the log of seed 7; `loud`: Bo announced 5 at line 12."""
    lines = played_log(7, names=tuple(str(one) for one in entrants)).split("\n")
    if loud:
        lines[11] += " call 5"
    return "\n".join(lines)
