"""A draft with everything that those who manage it can look at and do, and every address for that."""

from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.undo import discard
from league.competitions.jobs import ask_to_draw
from league.competitions.models import Applicant, Competition, DrawJob, EarlierState, Invitation, Rehearsal, Seeding
from league.competitions.registration.entries import register
from league.competitions.registration.opening import RegistrationTerms, invitation_of, invite, set_registration
from league.competitions.registration.seeding import reseed
from league.competitions.snapshots import undoable
from league.matches.models import Table
from league.players.services import enrol
from tests.league.api.played import TABLE, Played
from tests.league.world import NOON, World


@dataclass
class Managed:
    """`draft`: of Ana, Bo, Cy and Dee, seeded by hand and drawn, open to all; `sign_up` waits. `shown`: a knock-out of
    two, published. `discarded`: a draft that was.
    """

    played: Played
    draft: Competition
    shown: Competition
    sign_up: Applicant
    refused: Applicant
    invitation: Invitation
    seeding: Seeding
    draw: DrawJob
    rehearsal: Rehearsal
    discarded: EarlierState

    @property
    def world(self) -> World:
        return self.played.world

    @property
    def state(self) -> EarlierState:
        return undoable(self.draft).first()

    @property
    def names(self) -> dict[str, Any]:
        """What the addresses below may name."""
        return {
            "league": "harbour",
            "slug": self.draft.slug,
            "state_id": self.state.pk,
            "sign_up_id": self.refused.pk,
            "invitation_id": self.invitation.pk,
            "seeding_id": self.seeding.pk,
            "draw_id": self.draw.pk,
            "rehearsal_id": self.rehearsal.pk,
            "number": 1,
        }


def founded(world: World, name: str, **changes: Any) -> Competition:
    Table.objects.get_or_create(league=world.league, name=TABLE)
    plan = {"name": name, "ruleset": "udl", "format": "single_elimination", "starts_at": NOON, "tables": (TABLE,)}
    return found(world.league, Plan(**(plan | changes)), user=world.owner)


def manage(played: Played) -> Managed:
    world = played.world
    others = [enrol(league=world.league, name=name, since=NOON.date()) for name in ("Cy Diaz", "Dee Roe")]
    draft, shown, gone = (founded(world, name) for name in ("Spring", "Shown", "Gone"))
    register(draft, [world.ana, world.bo, *others])
    ask_to_draw(draft, DrawJob.What.FIRST, user=world.owner)
    reseed(draft, [others[0].pk, world.ana.pk, world.bo.pk, others[1].pk], user=world.owner)
    register(shown, [world.ana, world.bo])
    draw = ask_to_draw(shown, DrawJob.What.FIRST, user=world.owner)
    publish(shown, user=world.owner)
    set_registration(draft, RegistrationTerms(registration=Competition.Opening.OPEN), user=world.owner)
    waiting, refused = (
        Applicant.objects.create(competition=draft, name=name, digest=name, made_at=timezone.now(), **more)
        for name, more in (
            ("Eva Mar", {}),
            ("Flo Tan", {"state": Applicant.State.REFUSED, "decided_at": timezone.now(), "decided_by": world.owner}),
        )
    )
    return Managed(
        played=played,
        draft=draft,
        shown=shown,
        sign_up=waiting,
        refused=refused,
        invitation=invitation_of(invite(draft, user=world.owner, whom="Hill Club", uses=3), timezone.now()),
        seeding=draft.seedings.get(),
        draw=draw,
        rehearsal=Rehearsal.objects.create(
            competition=draft,
            entrants=4,
            seed=7,
            asked_at=NOON,
            asked_by=world.owner,
            done_at=NOON,
            refused_code="no-end",
            refused="It has no end to play to.",
        ),
        discarded=discard(gone, user=world.owner),
    )


OF = "competitions/{league}/{slug}"
# Every address for those who manage a competition, what is sent there (None: it is read), and what the owner is told.
# {sign_up}, {newest} are the keys of rows.
MANAGED: dict[str, list[tuple[dict[str, Any] | None, int]]] = {
    f"{OF}/registration": [(None, 200), ({"who": "invited"}, 200)],
    f"{OF}/invitations": [(None, 200), ({"uses": 2}, 201)],
    "invitations/{invitation_id}/revocation": [({}, 200)],
    f"{OF}/sign-ups": [(None, 200)],
    f"{OF}/sign-ups/acceptance": [({"all": True}, 200)],
    f"{OF}/sign-ups/refusal": [({"sign_ups": ["{sign_up}"]}, 200)],
    f"{OF}/sign-ups/departures": [({}, 200)],
    "sign-ups/{sign_up_id}/reconsideration": [({}, 200)],
    f"{OF}/seeds": [(None, 200), ({"by": "lot"}, 200)],
    "seedings/{seeding_id}/undoing": [({}, 200)],
    f"{OF}/late-entries": [(None, 200), ({"name": "Zoe Late"}, 201)],
    f"{OF}/late-entries/undoing": [({"player": "NOBODY"}, 422)],
    f"{OF}/draws": [(None, 200), ({"what": "first"}, 201)],
    "draws/{draw_id}": [(None, 200)],
    f"{OF}/publication": [({}, 409)],  # nothing is drawn
    f"{OF}/rounds/{{number}}/publication": [({}, 404)],
    f"{OF}/reopening": [({}, 200)],
    f"{OF}/cancellation": [({"reason": "The hall is flooded"}, 409)],  # it is a draft
    f"{OF}/earlier-states": [(None, 200)],
    f"{OF}/earlier-states/{{state_id}}/restoration": [({"newest": "{newest}"}, 200)],
    f"{OF}/discarding": [({}, 409)],  # a sign-up waits
    f"{OF}/rehearsals": [(None, 200), ({"entrants": 3}, 201)],
    "rehearsals/{rehearsal_id}": [(None, 200)],
    "rehearsals/{rehearsal_id}/removal": [({}, 200)],
}
OF_LEAGUE = {"leagues/{slug}/discarded": (None, 200), "leagues/{slug}/discarded/{state_id}/return": ({}, 200)}
OWN_SIGN_UPS = {"sign-ups", "sign-ups/{sign_up_id}", "sign-ups/{sign_up_id}/withdrawal"}
LADDER = {f"{OF}/ladder", f"{OF}/challenges", "challenges/{challenge_id}/withdrawal"}

# By the names of their addresses.
SPRING = "competitions/harbour/spring"
MANAGED_LISTS = {
    "sign-ups": "sign-ups",
    "competition-sign-ups": f"{SPRING}/sign-ups",
    "invitations": f"{SPRING}/invitations",
    "draws": f"{SPRING}/draws",
    "earlier-states": f"{SPRING}/earlier-states",
    "rehearsals": f"{SPRING}/rehearsals",
    "discarded": "leagues/harbour/discarded",
    "ladder": "competitions/harbour/ladder/ladder",
    "challenges": "competitions/harbour/ladder/challenges",
}


def filled(body: dict[str, Any], managed: Managed) -> dict[str, Any]:
    """With the keys of rows in the place of their names."""
    keys = {"{sign_up}": managed.sign_up.pk, "{newest}": managed.state.pk}
    return {
        name: [keys[each] for each in one] if isinstance(one, list) else keys.get(one, one)
        for name, one in body.items()
    }
