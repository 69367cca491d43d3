"""The pages of a competition of pairs."""

from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish
from league.competitions.models import Stage
from league.players.models import Entrant
from tests.browser.spots import Spot
from tests.web import world as small
from tests.web.world import World

PAIRS = "Pia Ros / Rui Lund\nEda Wyn / Ivo Karr"


def of_pairs(world: World) -> list[Spot]:
    plan = Plan(
        name="Night of Two",
        ruleset="udl",
        format=Stage.Format.SINGLE_ELIMINATION,
        starts_at=small.FIRST,
        best_of=3,
        pairs=True,
    )
    made = found_with_players(world.league, plan, PAIRS, user=world.owner)
    publish(made, user=world.owner)
    first = Entrant.objects.select_related("player", "partner").get(player__name="Pia Ros", partner__isnull=False)
    match = first.sides.get().match_id
    staff, open_to_all = f"/organize/harbour/competitions/{made.slug}", f"/competitions/harbour/{made.slug}"
    return [
        Spot("pair", f"/players/{first.code}/"),
        Spot("match of pairs", f"/matches/{match}/", "owner"),
        Spot("bracket of pairs", f"{open_to_all}/bracket/"),
        Spot("round of pairs", f"{open_to_all}/rounds/1/?sort=name"),
        Spot("pairs for the organizer", f"{staff}/", "owner"),
        Spot("check-in of pairs", f"{staff}/check-in/", "owner"),
        Spot("cards of pairs", f"{staff}/cards/", "owner"),
        Spot("slips of pairs", f"{staff}/slips/", "owner"),
        Spot("pad of pairs", f"/matches/{match}/games/1/pad/", "owner"),
        Spot("link of a pair", f"/leagues/harbour/players/{first.code}/personal-link/", "owner"),
        Spot("own page of a pair", f"/me/{first.door}/"),
    ]
