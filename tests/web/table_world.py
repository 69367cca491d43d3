"""Who asks in the table of permissions, and what they ask for: a thing of each kind in Harbour, and one in Hill that
only Hill's owner may know of.
"""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.utils import timezone

from league.accounts.models import League, Role, RoleInvitation, User
from league.accounts.services import invite_to_role, take_invitation
from league.api.base.tokens import make_token
from league.api.models import TokenScope
from league.competitions.amendments.services import propose_amendment
from league.competitions.circuits import CircuitPlan, found_circuit
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.formats.circuit import PointsBy
from league.competitions.models import Competition, Stage, Withdrawal
from league.competitions.notices import Wording, publish_notice
from league.competitions.registration.entries import register
from league.competitions.registration.opening import RegistrationTerms, invite, set_registration
from league.competitions.registration.sign_ups import Introduction, apply_by_name
from league.competitions.seasons.plans import DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.disputes.models import Dispute, RefereeCall
from league.disputes.protests.protesting import Point, protest
from league.matches.amendments import Wanted
from league.matches.logs.submission import Fixture, schedule_match
from league.matches.models import KnownBy, Match, Table
from league.play.online.services import open_game
from league.play.services import start
from league.players.models import Entrant, PlayerClaim, PlayerMerge
from league.players.services import enrol, make_claim_link, merge
from league.rehearsals.services import ToRehearse, ask_to_rehearse
from tests.kept_rows import kept
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
}
SINCE = date(2026, 1, 1)


@dataclass(frozen=True)
class Things:
    """What an address may name, all of one league; more kinds are added as pages need them."""

    slug: str
    competition: str  # like the match and the cup published in Harbour, and a draft in Hill
    cup: str  # a knock-out
    ladder: str  # published in Harbour, in Hill a draft
    season: str  # published in Harbour, in Hill a draft
    circuit: str  # of the competition, public in both
    draft: str  # a knock-out that nobody has published
    table_id: int
    slot_id: int  # in the draft
    awaited_id: int  # an entrant of that slot
    entrant_id: int  # who plays in the draft and in the competition
    competition_id: int
    door: str  # of that entrant
    withdrawal_id: int
    rehearsal_id: int  # of the draft
    match_id: int
    call_id: int  # for the referee, at that match
    record_id: int
    result_id: int  # provisional, of another match
    amended_id: int  # a match with an official result, of which an amendment waits; published as the match is
    amendment_id: int
    official_id: int  # another one, of which none waits
    token_id: int  # of the role "player", or of Hill's owner
    game: str
    player: str
    rival: str  # the other side of that match
    free: str  # a player without an account
    twin: str  # a second one, to be merged
    mine: str  # the player of the role "player"
    role_id: int
    member: str  # code of the account that has that role
    claim_id: int
    merge_id: int
    merged: str  # who absorbed somebody
    secret: str
    role_secret: str
    role_invitation_id: int
    taken_invitation_id: int
    open: str  # a draft for which everybody may sign up, in Hill by invitation only
    invitation: str
    invitation_id: int
    applicant: str  # the secret of a sign-up
    applicant_id: int
    notice_id: int  # of the league as a whole
    dispute: str  # code of an open protest of an official about the match


@kept
def build() -> tuple[dict[str, User | None], Things, Things]:
    """The people by role, the things of Harbour and of Hill, and a practice and an online game of no league."""
    start("double-six", "greedy", {})
    open_game("muggins", {}, "Ana", clock="0", move_time="0", absence="300")
    world = small.build()
    people: dict[str, User | None] = {
        "anonymous": None,
        "player": world.alice,
        "owner": world.owner,
        "owner elsewhere": world.charlie,
    }
    for role, kind in KINDS.items():
        people[role] = small.account(role.replace(" ", "-"))
        Role.objects.create(user=people[role], league=world.league, kind=kind)
    people["superuser"] = User.objects.create_superuser("root", "root@example.org", small.PASSWORD)
    enrol(league=world.league, name="Dora Other", since=SINCE, user=people["other player"])
    own = furnish(
        world.league,
        people["owner"],
        entrants=world.entrants,
        matches=[world.match, *(match for match in world.matches if match != world.match)],
        competition=world.competition.slug,
        cup=drawn(world.league, "Cup", world.entrants, by=world.owner, published=True),
        token_of=world.alice,
    )
    small.rated(world.league, [one.player for one in world.entrants])
    hill = League.objects.get(slug="hill")
    pair = [enrol(league=hill, name=name, since=SINCE) for name in ("Hal Hill", "Hugo Hill")]
    secret = Fixture(league=hill, entrants=pair, ruleset="udl", options={}, published_at=None)
    foreign = furnish(
        hill,
        world.charlie,
        entrants=pair,
        matches=[schedule_match(secret), schedule_match(secret)],
        competition=drawn(hill, "Secret", pair, by=world.charlie),
        cup=drawn(hill, "Secret Cup", pair, by=world.charlie),
        token_of=world.charlie,
    )
    return people, own, foreign


def official_match(league: League, pair: list[Entrant], by: User, published_at: datetime | None) -> Match:
    agreed = Fixture(league=league, entrants=pair, ruleset="udl", options={}, published_at=published_at)
    match = schedule_match(agreed)
    record = small.hand_in(match.games.get(), by)
    small.judge(record)
    small.enter(record, official_by=by)
    return match


def drawn(league: League, name: str, entrants: list[Entrant], *, by: User, published: bool = False) -> str:
    """The slug of a knock-out."""
    plan = Plan(name=name, ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION, starts_at=small.FIRST)
    made = found(league, plan, user=by)
    register(made, entrants)
    draw(made, user=by)
    if published:
        publish(made, user=by)
    return made.slug


def ladder_of(league: League, entrants: list[Entrant], *, by: User, published: bool) -> str:
    """The slug of a ladder on which nobody has challenged."""
    made = found(league, Plan(name="Rungs", ruleset="udl", format=Stage.Format.LADDER, challenge_reach=2), user=by)
    register(made, entrants)
    draw(made, user=by)
    if published:
        publish(made, user=by)
    return made.slug


def season_of(league: League, entrants: list[Entrant], *, by: User, published: bool) -> str:
    """The slug of a season of one division."""
    names = "\n".join(one.player.code for one in entrants)
    plan = SeasonPlan(
        name="Winter",
        plan=Plan(name="-", ruleset="udl"),
        divisions=[DivisionPlan(name="One", names=names)],
        starts_on=SINCE,
    )
    made = found_season(league, plan, user=by)
    draw_season(made, user=by)
    if published:
        publish_season(made, user=by)
    return made.slug


def circuit_of(league: League, competition: str, *, by: User) -> str:
    keys = league.competitions.filter(slug=competition).values_list("pk", flat=True)
    plan = CircuitPlan(name="Tuesdays", points_by=PointsBy.ENTRANTS, competitions=keys)
    return found_circuit(league, plan, user=by).slug


def furnish(
    league: League,
    owner: User,
    *,
    entrants: list[Entrant],
    matches: list[Match],
    competition: str,
    cup: str,
    token_of: User,
) -> Things:
    match, other = matches[:2]
    record = small.hand_in(match.games.get(number=1), owner)
    draft = drawn(league, "Draft", entrants, by=owner)
    drafts = Competition.objects.filter(league=league, slug=draft)
    free, twin, kept, absorbed = (
        enrol(league=league, name=f"{name} {league.name}", since=SINCE).player
        for name in ("Fay", "Fay Two", "Kay", "Kay Two")
    )
    member = small.account(f"member-of-{league.slug}")
    proposer = small.account(f"proposer-of-{league.slug}")
    # By somebody who is none of the roles, so that nobody confirms what they handed in themselves.
    waiting = small.hand_in(other.games.get(number=1), member)
    small.judge(waiting)
    pair = [enrol(league=league, name=f"{name} {league.name}", since=SINCE) for name in ("Ida", "Ivo")]
    amended, official = (official_match(league, pair, member, match.published_at) for _ in range(2))
    wanted = Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2}, reason="two racks")
    # By an official who is none of the roles, so that another one may confirm it.
    Role.objects.create(user=proposer, league=league, kind=Role.Kind.REFEREE)
    proposal = propose_amendment(amended.games.get(), proposer, wanted)
    token, _key = make_token(token_of, name="Screen", scopes=[TokenScope.READ])
    role = Role.objects.create(user=member, league=league, kind=Role.Kind.READ_ONLY)
    claim = PlayerClaim.objects.create(player=twin, user=member, made_at=timezone.now())
    done: PlayerMerge = merge(kept=kept, absorbed=absorbed, league=league, by=owner)
    taken_out = Withdrawal.objects.create(
        competition=drafts.get(), entrant=entrants[-1], reason="ill", made_at=timezone.now(), made_by=owner
    )
    seated, rival = (side.entrant.player for side in match.sides.select_related("entrant__player").order_by("number"))
    slot = Match.objects.filter(slot__matchday__stage__competition__in=drafts).first().slot
    call = RefereeCall.objects.create(match=match, reason="clock", called_at=timezone.now())
    return Things(
        slug=league.slug,
        competition=competition,
        cup=cup,
        ladder=ladder_of(league, entrants, by=owner, published=match.published_at is not None),
        circuit=circuit_of(league, competition, by=owner),
        season=season_of(league, entrants, by=owner, published=match.published_at is not None),
        draft=draft,
        table_id=Table.objects.get_or_create(league=league, name="1")[0].pk,
        slot_id=slot.pk,
        awaited_id=slot.berths.get(number=1).entrant_id,
        entrant_id=entrants[0].pk,
        competition_id=Competition.objects.get(league=league, slug=competition).pk,
        door=entrants[0].door,
        withdrawal_id=taken_out.pk,
        rehearsal_id=ask_to_rehearse(drafts.get(), ToRehearse(4, seed=7), user=owner).pk,
        match_id=match.pk,
        call_id=call.pk,
        record_id=record.pk,
        result_id=small.enter(waiting).pk,
        amended_id=amended.pk,
        amendment_id=proposal.pk,
        official_id=official.pk,
        token_id=token.pk,
        game=match.games.get(number=1).code,
        player=seated.code,
        rival=rival.code,
        free=free.code,
        twin=twin.code,
        mine=seated.code,
        role_id=role.pk,
        member=member.code,
        claim_id=claim.pk,
        merge_id=done.pk,
        merged=kept.code,
        secret=make_claim_link(free, league, owner),
        role_secret=invite_to_role(league, owner, kind="desk_helper"),
        role_invitation_id=RoleInvitation.objects.get(league=league, taken_at=None, kind="desk_helper").pk,
        taken_invitation_id=take_invitation(invite_to_role(league, owner, kind="referee"), member).pk,
        dispute=protested(match, proposer),
        **signing_up(league, owner),
    )


def protested(match: Match, by: User) -> str:
    """Return the code of a protest, filed while the match was public."""
    published = match.published_at
    Match.objects.filter(pk=match.pk).update(published_at=timezone.now())
    dispute = protest(match.games.get(number=1), by, Point(kind=Dispute.Kind.FRAUD), "The tiles were marked")
    Match.objects.filter(pk=match.pk).update(published_at=published)
    return dispute.code


def signing_up(league: League, owner: User) -> dict[str, Any]:
    """A draft with an invitation and somebody who waits; everybody may sign up for Harbour's. And a notice."""
    made = found(league, Plan(name="Open Cup", ruleset="udl"), user=owner)
    to_all = league.slug == "harbour"
    registration = Competition.Opening.OPEN if to_all else Competition.Opening.INVITED
    set_registration(made, RegistrationTerms(registration=registration), user=owner)
    invitation, applicant = invite(made, user=owner, uses=2), f"secret-of-{league.slug}"
    row = apply_by_name(made, Introduction(name="Olga Open"), secret=applicant, invitation=invitation)
    return {
        "open": made.slug,
        "invitation": invitation,
        "invitation_id": made.invitations.get().pk,
        "applicant": applicant,
        "applicant_id": row.pk,
        "notice_id": publish_notice(league, Wording(title="Open", text="Come."), user=owner).pk,
    }
