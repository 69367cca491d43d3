"""Registration terms of a draft: access, deadline, places, invitation links."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.timezone import is_aware
from django.utils.translation import gettext_lazy as _

from league.accounts.graphemes import longer_than
from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.locks import locked, locked_draft
from league.competitions.models import YEARS, Applicant, Competition, Invitation
from league.competitions.models.sign_up import LONGEST_FOR
from league.errors import Refused
from league.players.naming import clean_words

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Counted(TypedDict):
        used: int


MOST_PLACES = 10_000
MOST_USES = 1000
MOST_DAYS = 366
INVITED_FOR_DAYS = 30
# Limit on working invitations: each one gives access.
MOST_INVITATIONS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class RegistrationTerms:
    """Registration settings. `closes_at` is aware; `places` 0 is unlimited."""

    registration: Competition.Opening = Competition.Opening.CLOSED
    closes_at: datetime | None = None
    admission: Competition.Admission = Competition.Admission.BY_HAND
    places: int = 0


@transaction.atomic
def set_registration(competition: Competition, terms: RegistrationTerms, *, user: User) -> Competition:
    """Set the registration terms; sign-ups and their order stay.

    Raises NotAllowed, and Refused `already-published`, `bad-registration`, `bad-hour`, `bad-places`.
    """
    competition = locked_draft(competition.pk, user)
    _check(terms)
    competition.registration = Competition.Opening(terms.registration)
    competition.registration_closes_at = terms.closes_at
    competition.admission = Competition.Admission(terms.admission)
    competition.places = terms.places
    competition.save(update_fields=["registration", "registration_closes_at", "admission", "places"])
    return competition


def _check(terms: RegistrationTerms) -> None:
    if terms.registration not in Competition.Opening or terms.admission not in Competition.Admission:
        raise Refused("bad-registration", _("Say who may sign up, and what becomes of a sign-up."))
    if terms.closes_at is not None and not is_aware(terms.closes_at):
        raise Refused("bad-hour", _("The end of registration needs a time zone."))
    if terms.closes_at is not None and terms.closes_at.year not in YEARS:
        raise Refused("bad-hour", _("A date is in the years 1900 to 2200."))
    if not 0 <= terms.places <= MOST_PLACES:
        raise Refused("bad-places", _("There are 1 to %(most)d places, or any number."), most=MOST_PLACES)


def check_open(competition: Competition, invitation: Invitation | None, now: datetime) -> None:
    """Check that registration is open, or open to an invitation.

    Raises Refused `registration-over`, `registration-closed`, `by-invitation`.
    """
    if competition.published_at is not None:
        raise Refused(
            "registration-over",
            _("%(competition)s is drawn and published. Late entries are made at the desk."),
            competition=competition,
        )
    if not takes_sign_ups(competition, now):
        raise Refused(
            "registration-closed",
            _("Registration for %(competition)s is closed. Ask its organizers."),
            competition=competition,
        )
    if competition.registration == Competition.Opening.INVITED and invitation is None:
        raise Refused("by-invitation", _("%(competition)s is by invitation only."), competition=competition)


def takes_sign_ups(competition: Competition, now: datetime) -> bool:
    """Tell whether sign-ups are possible, perhaps only with an invitation."""
    ends = competition.registration_closes_at
    over = competition.published_at is not None or (ends is not None and now >= ends)
    return competition.registration != Competition.Opening.CLOSED and not over


def open_competitions(now: datetime) -> QuerySet[Competition]:
    """Select drafts with open registration, next start first.

    Nothing of their draw is public.
    """
    still = Q(registration_closes_at=None) | Q(registration_closes_at__gt=now)
    rows = Competition.objects.filter(still, registration=Competition.Opening.OPEN, published_at=None)
    return rows.select_related("league").order_by(F("starts_at").asc(nulls_last=True), "name", "pk")


# --- PlacesLeft ---


@dataclass(frozen=True, slots=True)
class PlacesLeft:
    """Places of a competition.

    `most` 0 is unlimited. `waiting`: undecided sign-ups, in whose order places are given.
    """

    most: int
    taken: int
    waiting: int

    @property
    def limited(self) -> bool:
        return self.most > 0

    @property
    def free(self) -> int:
        """Free places; meaningful only if `limited`."""
        return max(self.most - self.taken, 0)

    @property
    def to_give(self) -> int:
        """Free places not claimed by a waiting sign-up."""
        return max(self.free - self.waiting, 0)

    @property
    def queue(self) -> int:
        """Number of waiting sign-ups without a free place."""
        return max(self.waiting - self.free, 0) if self.limited else 0

    def behind(self, position: int) -> int:
        """Give the waiting-list number of a position from 1; 0 if a place is free for it."""
        return max(position - self.free, 0) if self.limited else 0


def places_of(competition: Competition) -> PlacesLeft:
    """Count the places of a competition. Two statements."""
    waiting = competition.applicants.filter(state=Applicant.State.WAITING).count()
    return PlacesLeft(competition.places, competition.registrations.count(), waiting)


# --- Invitations ---


def digest_of(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def new_secret() -> str:
    return secrets.token_urlsafe(18)


@transaction.atomic
def invite(
    competition: Competition,
    *,
    user: User,
    whom: str = "",
    uses: int = 1,
    days: int = INVITED_FOR_DAYS,
    secret: str = "",
) -> str:
    """Create an invitation link; return its secret, which is shown only this once.

    `secret`: made beforehand by the caller, so that a repeated call creates one link. Raises NotAllowed, and Refused
    `already-published`, `bad-invitation`, `too-many-invitations`.
    """
    competition = locked_draft(competition.pk, user)
    if secret and competition.invitations.filter(digest=digest_of(secret)).exists():
        return secret
    whom = clean_words(whom)
    if not 1 <= uses <= MOST_USES or not 1 <= days <= MOST_DAYS or longer_than(whom, LONGEST_FOR):
        raise Refused(
            "bad-invitation",
            _(
                "An invitation is for 1 to %(uses)d people and 1 to %(days)d days; the name of the "
                "invited person has at most %(longest)d characters."
            ),
            uses=MOST_USES,
            days=MOST_DAYS,
            longest=LONGEST_FOR,
        )
    now = timezone.now()
    if working_invitations(now).filter(competition=competition).count() >= MOST_INVITATIONS:
        raise Refused(
            "too-many-invitations",
            _("%(most)d invitations are out already. Make one for several people, or revoke some."),
            most=MOST_INVITATIONS,
        )
    secret = secret or new_secret()
    Invitation.objects.create(
        competition=competition,
        digest=digest_of(secret),
        whom=whom,
        uses=uses,
        made_at=now,
        made_by=user,
        expires_at=now + timedelta(days=days),
    )
    return secret


@transaction.atomic
def revoke_invitation(invitation: Invitation, *, user: User) -> bool:
    """Revoke an invitation link; sign-ups made with it stay. True if this call did it.

    Raises NotAllowed.
    """
    competition = locked(invitation.competition_id)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    rows = Invitation.objects.filter(pk=invitation.pk, revoked_at=None)
    return bool(rows.update(revoked_at=timezone.now(), revoked_by=user))


def counted_invitations() -> "QuerySet[WithAnnotations[Invitation, Counted]]":
    """Annotate `used`: all sign-ups made with the link, decided or not."""
    return Invitation.objects.annotate(used=Count("applicants"))


def working_invitations(now: datetime) -> "QuerySet[WithAnnotations[Invitation, Counted]]":
    return counted_invitations().filter(revoked_at=None, expires_at__gt=now, used__lt=F("uses"))


def invitation_of(secret: str, now: datetime) -> Invitation:
    """Find a working invitation by its secret. Raises Invitation.DoesNotExist."""
    found = working_invitations(now).select_related("competition__league")
    return found.get(digest=digest_of(secret))
