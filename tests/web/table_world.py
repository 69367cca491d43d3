"""Who asks in the table of permissions, and what they ask for: a thing of each kind in Harbour, and one in Hill that
only Hill's owner may know of.
"""

from dataclasses import dataclass
from datetime import date

from django.utils import timezone

from league.accounts.models import League, Role, User
from league.competitions.models import Competition
from league.matches.services import Fixture, schedule_match
from league.players.models import PlayerClaim, PlayerMerge
from league.players.services import enrol, make_claim_link, merge
from tests.web import world as small

# The columns of the table, in this order.
ROLES = (
    "anonymous",
    "player",  # of the match that is asked for; no role beside that
    "other player",  # of the league
    "referee",
    "head referee",
    "desk helper",
    "read only",
    "manager",
    "owner",
    "owner elsewhere",  # of Hill
    "superuser",
)
KINDS = {
    "other player": Role.Kind.PLAYER,
    "referee": Role.Kind.REFEREE,
    "head referee": Role.Kind.HEAD_REFEREE,
    "desk helper": Role.Kind.DESK_HELPER,
    "read only": Role.Kind.READ_ONLY,
    "manager": Role.Kind.MANAGER,
    "owner": Role.Kind.OWNER,
}
SINCE = date(2026, 1, 1)


@dataclass(frozen=True)
class Things:
    """What an address may name, all of one league; more kinds are added as pages need them."""

    slug: str
    competition: str
    match_id: int
    record_id: int
    game: str
    player: str
    free: str  # a player without an account
    twin: str  # a second one, to be merged
    mine: str  # the player of the role "player"
    role_id: int
    member: str  # code of the account that has that role
    claim_id: int
    merge_id: int
    merged: str  # who absorbed somebody
    secret: str


def build() -> tuple[dict[str, User | None], Things, Things]:
    """The people by role, and the things of Harbour and of Hill."""
    world = small.build()
    people: dict[str, User | None] = {"anonymous": None, "player": world.alice, "owner elsewhere": world.charlie}
    for role, kind in KINDS.items():
        people[role] = small.account(role.replace(" ", "-"))
        Role.objects.create(user=people[role], league=world.league, kind=kind)
    people["superuser"] = User.objects.create_superuser("root", "root@example.org", small.PASSWORD)
    enrol(league=world.league, name="Dora Other", since=SINCE, user=people["other player"])
    own = furnish(world.league, people["owner"], match=world.match, competition=world.competition.slug)
    hill = League.objects.get(slug="hill")
    one, other = (enrol(league=hill, name=name, since=SINCE) for name in ("Hal Hill", "Hugo Hill"))
    draft = Competition.objects.create(league=hill, name="Draft", slug="draft", ruleset="udl")
    secret_match = schedule_match(
        Fixture(league=hill, entrants=[one, other], ruleset="udl", options={}, published_at=None)
    )
    return people, own, furnish(hill, world.charlie, match=secret_match, competition=draft.slug)


def furnish(league: League, owner: User, *, match, competition: str) -> Things:
    record = small.hand_in(match.games.get(number=1), owner)
    free, twin, kept, absorbed = (
        enrol(league=league, name=f"{name} {league.name}", since=SINCE).player
        for name in ("Fay", "Fay Two", "Kay", "Kay Two")
    )
    member = small.account(f"member-of-{league.slug}")
    role = Role.objects.create(user=member, league=league, kind=Role.Kind.READ_ONLY)
    claim = PlayerClaim.objects.create(player=twin, user=member, made_at=timezone.now())
    done: PlayerMerge = merge(kept=kept, absorbed=absorbed, league=league, by=owner)
    seated = match.sides.select_related("entrant__player").order_by("number").first().entrant.player
    return Things(
        slug=league.slug,
        competition=competition,
        match_id=match.pk,
        record_id=record.pk,
        game=match.games.get(number=1).code,
        player=seated.code,
        free=free.code,
        twin=twin.code,
        mine=seated.code,
        role_id=role.pk,
        member=member.code,
        claim_id=claim.pk,
        merge_id=done.pk,
        merged=kept.code,
        secret=make_claim_link(free, league, owner),
    )
