"""Pages of what a league tells everybody, and of what its players won, in a state worth looking at."""

from league.accounts.models import League
from league.competitions.adjustments import give_adjustment, remove_adjustment
from league.competitions.circuits import CircuitPlan, found_circuit
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.formats.circuit import PointsBy
from league.competitions.honours import settle_missed
from league.competitions.notices import Wording, amend_notice, publish_notice, withdraw_notice
from league.competitions.registration.entries import register
from tests.browser.spots import Spot
from tests.web.world import World, finished_knock_out, knock_out


def of_titles(world: World) -> list[Spot]:
    """A pocket cup of two, that Ana won."""
    knock_out(world, players=2, name="Pocket Cup")
    settle_missed()
    code = world.entrants[0].player.code
    return [Spot("player with titles", f"/players/{code}/"), Spot("titles of a player", f"/players/{code}/titles/")]


def of_circuits(world: World) -> list[Spot]:
    """One of two evenings that are over, shared third places and a dropped result among them, and one to come."""
    cups = [finished_knock_out(world, players=players, name=f"Circuit Evening {players}") for players in (4, 3)]
    keys = [*(one.pk for one in cups), world.competition.pk]
    plan = CircuitPlan(
        name="Winter Circuit", points_by=PointsBy.LIST, points=(10, 8, 6, 5), counted=1, competitions=keys
    )
    found_circuit(world.league, plan, user=world.owner)
    settle_missed()
    return [
        Spot("circuits", "/circuits/harbour/"),
        Spot("circuit", "/circuits/harbour/winter-circuit/"),
        Spot("circuit as text", "/circuits/harbour/winter-circuit/text/"),
        Spot("circuit of its organizer", "/organize/harbour/circuits/winter-circuit/", "owner"),
        Spot("new circuit", "/organize/harbour/new-circuit/", "owner"),
    ]


def of_adjustments(world: World) -> list[Spot]:
    """A table by match points with a deduction, a bonus and one that was removed."""
    plan = Plan(name="Fair Play Robin", ruleset="udl", tie_breaks=("match_points", "difference"))
    made = found(world.league, plan, user=world.owner)
    register(made, world.entrants)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    first, second, third = world.entrants
    give_adjustment(made, first, points=-2, reason="Came to the table after the second call", user=world.owner)
    give_adjustment(made, second, points=1, reason="Fair play", user=world.owner)
    remove_adjustment(
        give_adjustment(made, third, points=-1, reason="Wrong player", user=world.owner), user=world.owner
    )
    return [
        Spot("standings with a deduction", f"/competitions/harbour/{made.slug}/standings/"),
        Spot("how a deduction counts", f"/competitions/harbour/{made.slug}/standings/{first.player.code}/"),
        Spot("bonus and deductions", f"/organize/harbour/competitions/{made.slug}/adjustments/", "owner"),
    ]


def of_notices(world: World) -> list[Spot]:
    """One of the league, amended; one of its competition; one that was withdrawn; and how to reach the league."""
    League.objects.filter(pk=world.league.pk).update(
        place="Pier 3",
        contact="Olga at the bar, Thursdays from seven",
        contact_email="club@example.org",
        contact_phone="+351 21 555 01 00",
        contact_web="https://example.org/dominoes",
    )
    moved = Wording(title="We meet at the pier", text="From March on.\n\nThe bar opens at six.")
    notice = publish_notice(world.league, Wording(title="We meet at the bar", text="From March on."), user=world.bob)
    amend_notice(notice, moved, user=world.bob, seen=1)
    late = Wording(title="Round 3 begins at eight", text="The hall is taken until then.")
    publish_notice(world.league, late, user=world.bob, competition=world.competition)
    gone = publish_notice(world.league, Wording(title="No play on Friday", text="The hall is closed."), user=world.bob)
    withdraw_notice(gone, user=world.bob, reason="It is open after all")
    path = "/leagues/harbour/notices"
    return [
        Spot("notices", f"{path}/"),
        Spot("notice", f"{path}/{notice.pk}/", "bob"),
        Spot("notice withdrawn", f"{path}/{gone.pk}/"),
        Spot("new notice", f"{path}/new/", "bob"),
        Spot("amending a notice", f"{path}/{notice.pk}/amend/", "bob"),
        Spot("withdrawing a notice", f"{path}/{notice.pk}/withdraw/", "bob"),
    ]
