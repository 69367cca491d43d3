"""Sign-ups for a competition, by account or by name, and their status page.

The secret of a sign-up opens its status page.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, Exists, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.graphemes import longer_than
from league.accounts.models import User
from league.accounts.permissions import Asker
from league.competitions.locks import locked
from league.competitions.models import Applicant, Competition, Invitation, Matchday, Registration, Withdrawal
from league.competitions.models.sign_up import LONGEST_CONTACT, LONGEST_WORD
from league.competitions.registration.entries import register, take_out
from league.competitions.registration.opening import PlacesLeft, check_open, digest_of, invitation_of, places_of
from league.errors import NotAllowed, Refused
from league.players.enrolling import check_born, check_club, current, join
from league.players.models import PEOPLE, Entrant, Player, plays
from league.players.naming import LONGEST, clean_words, same
from league.players.pairs import parted

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class InTheQueue(TypedDict):
        position: int
        taken: int
        plays: bool


# Limit against a flood of sign-ups: an organizer has to answer some first.
MOST_WAITING = 1000
KEPT_DAYS = 30
FIELD_OF: Mapping[str, str] = {
    "bad-name": "name",
    "is-pair": "name",
    "no-partner": "partner",
    "bad-partner": "partner",
    "one-person": "partner",
    "plays-already": "partner",
    "bad-partner-year": "partner_born",
    "bad-club": "club",
    "bad-year": "born",
    "long-contact": "contact",
    "long-word": "word",
}
"""The field of an `Introduction`, by the code of a refusal."""
# A slash within a word may be part of a single name.
_TWO_NAMES = re.compile(r"\w\s+[/&+]\s+\w")


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduction:
    """Sign-up form for people without an account.

    Only the name is required, and for a pair both names; `name` may hold both, as in a pasted line. The club is that of
    both.
    """

    name: str
    partner: str = ""
    partner_born: int | None = None
    club: str = ""
    born: int | None = None
    contact: str = ""
    word: str = ""


@dataclass(frozen=True, slots=True)
class SignUpStanding:
    """Status of a sign-up.

    `queue`: its number on the waiting list, 0 if a place is free for it. `plays`: whether it is registered now and not
    withdrawn, which the organizer may have changed since the answer.
    """

    applicant: Applicant
    queue: int
    plays: bool

    @property
    def name(self) -> str:
        """The name as signed up; the name in the draw for a pair, or after erasure."""
        row, entrant = self.applicant, self.applicant.entrant
        in_draw = self.plays and entrant and (entrant.is_pair or not (row.name or row.player))
        return str(entrant) if in_draw else str(row)


@transaction.atomic
def apply_by_name(
    competition: Competition, given: Introduction, *, secret: str, user: User | None = None, invitation: str = ""
) -> Applicant:
    """Sign up by name; the sign-up waits for an organizer.

    A form sent twice with the same secret signs up once. `invitation`: the secret of the invitation link.

    Raises Refused `bad-name`, `bad-club`, `bad-year`, `long-contact`, `long-word`, `too-many-wait`, and those of
    `_names` and `check_open`.
    """
    competition = locked(competition.pk)
    if before := competition.applicants.filter(digest=digest_of(secret)).first():
        return before
    link = _let_in(competition, invitation)
    name, partner = _names(competition, given.name, given.partner)
    contact, word = clean_words(given.contact), clean_words(given.word)
    if len(contact) > LONGEST_CONTACT:
        raise Refused("long-contact", _("At most %(longest)d characters."), longest=LONGEST_CONTACT)
    if len(word) > LONGEST_WORD:
        raise Refused("long-word", _("At most %(longest)d characters."), longest=LONGEST_WORD)
    return Applicant.objects.create(
        competition=competition,
        name=name,
        partner_name=partner,
        club=check_club(given.club),
        born=check_born(given.born),
        partner_born=_partner_born(given.partner_born, partner),
        contact=contact,
        word=word,
        digest=digest_of(secret),
        user=user,
        invitation=link,
        made_at=timezone.now(),
    )


def _names(competition: Competition, name: str, partner: str) -> tuple[str, str]:
    """Check the name and, for pairs, the partner's name.

    Raises Refused `bad-name`, `no-partner`, `bad-partner`, `one-person`, `is-pair`.
    """
    first, *more = parted(clean_words(name)) if competition.pairs else [clean_words(name)]
    if not _is_name(first):
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters, and letters among them."), longest=LONGEST)
    if competition.pairs:
        return first, _partner_of(first, [*more, *parted(partner)])
    if partner or _TWO_NAMES.search(first):
        raise Refused("is-pair", _("Here everybody plays alone: sign up one by one."))
    return first, ""


def _partner_of(first: str, named: Sequence[str]) -> str:
    others = [plain for one in named if (plain := clean_words(one))]
    if len(others) != 1:
        raise Refused(
            "no-partner", _("This is played by pairs: write the name of one partner, such as Ana Gil / Leo Paz.")
        )
    if not _is_name(others[0]):
        raise Refused(
            "bad-partner", _("A name has 1 to %(longest)d characters, and letters among them."), longest=LONGEST
        )
    if same(first) == same(others[0]):
        raise Refused(
            "one-person", _("A pair is two people. If both are called so, write what tells them apart beside the name.")
        )
    return others[0]


def _is_name(text: str) -> bool:
    return not longer_than(text, LONGEST) and any(sign.isalpha() for sign in text)


def _partner_born(born: int | None, partner: str) -> int | None:
    try:
        return check_born(born) if partner else None
    except Refused as refused:
        raise Refused("bad-partner-year", refused.message, **refused.facts) from None


@transaction.atomic
def apply_as_player(
    competition: Competition,
    player: Player,
    *,
    user: User,
    secret: str,
    invitation: str = "",
    partner: str = "",
    partner_born: int | None = None,
) -> Applicant:
    """Sign up by the player's account; a second call returns the same sign-up.

    A member is registered at once if the organizer allows it, a place is free and not claimed by a waiting sign-up, and
    nothing is drawn yet. A pair always waits, because an account speaks for one of the two only.

    Raises NotAllowed `not-your-player`, Refused `too-many-wait`, `plays-already`, `no-partner`, `bad-partner`,
    `one-person`, and those of `check_open`.
    """
    if player.user_id is None or player.user_id != user.pk or player.merged_into_id:
        raise NotAllowed("not-your-player", _("This player does not belong to your account."))
    competition = locked(competition.pk)
    live = competition.applicants.exclude(state=Applicant.State.WITHDRAWN).filter(player=player)
    if before := live.first():
        return before
    link = _let_in(competition, invitation)
    partner = _partner_of(player.name, parted(partner)) if competition.pairs else ""
    now = timezone.now()
    made = Applicant(
        competition=competition,
        player=player,
        partner_name=partner,
        partner_born=_partner_born(partner_born, partner),
        digest=digest_of(secret),
        user=user,
        invitation=link,
        made_at=now,
    )
    mine = competition.registrations.filter(entrant__in=Entrant.objects.filter(plays(player)))
    registered = mine.select_related(*PEOPLE).first()
    if registered:
        _check_partner(competition, registered.entrant, player, partner)
        made.partner_name, made.partner_born = "", None
        competition.applicants.filter(entrant=registered.entrant_id).update(leaves_since=None)
        made.state, made.decided_at, made.entrant = Applicant.State.ACCEPTED, now, registered.entrant
    elif _may_enter_at_once(competition, player):
        entrant, _begun = join(player, competition.league, timezone.localdate())
        register(competition, [entrant])
        made.state, made.decided_at, made.entrant = Applicant.State.ACCEPTED, now, entrant
    made.save()
    return made


def _check_partner(competition: Competition, entrant: Entrant, player: Player, partner: str) -> None:
    """Refuse a player who is registered with another partner."""
    others = [one for one in entrant.players if one.pk != player.pk]
    if others and all(same(one.name) != same(partner) for one in others):
        raise Refused(
            "plays-already",
            _("%(player)s plays in %(competition)s already, in the pair %(other)s. Nobody plays in two pairs."),
            player=player,
            competition=competition,
            other=entrant,
        )


def _let_in(competition: Competition, secret: str) -> Invitation | None:
    """Return the working invitation, if any.

    Raises as `check_open`, and Refused `too-many-wait`.
    """
    now = timezone.now()
    link = None
    if secret:
        try:
            link = invitation_of(secret, now)
        except Invitation.DoesNotExist:
            link = None
        if link and link.competition_id != competition.pk:
            link = None
    check_open(competition, link, now)
    if competition.applicants.filter(state=Applicant.State.WAITING).count() >= MOST_WAITING:
        raise Refused(
            "too-many-wait", _("%(most)d sign-ups wait for an answer already. Try again later."), most=MOST_WAITING
        )
    return link


def _may_enter_at_once(competition: Competition, player: Player) -> bool:
    if competition.admission != Competition.Admission.MEMBERS or competition.pairs:
        return False
    today = timezone.localdate()
    if not player.memberships.filter(current(today), league=competition.league).exists():
        return False
    found = places_of(competition)
    # A sign-up never undoes an organizer's draw.
    drawn = Matchday.objects.filter(stage__competition=competition).exists()
    return not drawn and (not found.limited or found.to_give > 0)


# --- Status page and withdrawal ---


def applicant_of(secret: str) -> Applicant:
    """Find a sign-up by its secret. Raises Applicant.DoesNotExist."""
    rows = Applicant.objects.select_related("competition__league", "player", *PEOPLE)
    return rows.get(digest=digest_of(secret))


def own_applicants(user: Asker) -> QuerySet[Applicant]:
    """Select an account's sign-ups, latest first, without withdrawn ones.

    Empty for anonymous visitors.
    """
    rows = Applicant.objects.filter(user=user.pk, user__isnull=False).exclude(state=Applicant.State.WITHDRAWN)
    return rows.select_related("player", *PEOPLE, "competition__league").order_by("-made_at", "-pk")


def standing_of(applicant: Applicant) -> SignUpStanding:
    """Give the status of a sign-up. One statement."""
    return standings_of(Applicant.objects.filter(pk=applicant.pk).select_related("competition", "player", *PEOPLE))[0]


def standings_of(rows: QuerySet[Applicant]) -> list[SignUpStanding]:
    """Give the status of each sign-up, in their order. One statement for all."""
    here = {"competition": OuterRef("competition")}
    earlier = Q(made_at__lt=OuterRef("made_at")) | Q(made_at=OuterRef("made_at"), pk__lte=OuterRef("pk"))
    registered = Registration.objects.filter(**here)
    withdrawn = Withdrawal.objects.filter(**here, entrant=OuterRef("entrant"), undone_at=None)
    found = rows.annotate(
        position=_how_many(Applicant.objects.filter(earlier, state=Applicant.State.WAITING, **here)),
        taken=_how_many(registered),
        plays=Exists(registered.filter(entrant=OuterRef("entrant"))) & ~Exists(withdrawn),
    )
    return [_standing(row) for row in found]


def _how_many(rows: QuerySet[Any]) -> Coalesce:
    counted = rows.order_by().values("competition").annotate(many=Count("pk")).values("many")
    return Coalesce(Subquery(counted, output_field=IntegerField()), 0)


def _standing(row: "WithAnnotations[Applicant, InTheQueue]") -> SignUpStanding:
    places = PlacesLeft(row.competition.places, row.taken, 0)
    queue = places.behind(row.position) if row.state == Applicant.State.WAITING else 0
    return SignUpStanding(row, queue, row.plays)


@transaction.atomic
def withdraw_application(applicant: Applicant) -> bool:
    """Withdraw a sign-up, by secret or account; True if this call did it.

    A registered entrant is removed before the draw; after it, the organizer decides, because the draw depends on it.
    Contact, message and years of birth are erased.
    """
    competition = locked(applicant.competition_id)
    row = Applicant.objects.get(pk=applicant.pk)
    if row.state in {Applicant.State.WITHDRAWN, Applicant.State.REFUSED}:
        return False
    registered = row.entrant_id and competition.registrations.filter(entrant=row.entrant_id).exists()
    drawn = Matchday.objects.filter(stage__competition=competition).exists()
    now = timezone.now()
    if registered and not drawn and competition.published_at is None:
        take_out(competition, [row.entrant_id], user=None)
    elif registered:
        row.leaves_since = now
    row.state, row.decided_at, row.decided_by = Applicant.State.WITHDRAWN, now, None
    row.born, row.partner_born, row.contact, row.word = None, None, "", ""
    said = ["born", "partner_born", "contact", "word"]
    row.save(update_fields=["state", "decided_at", "decided_by", "leaves_since", *said])
    return True


# --- Erasure ---


def forget_contacts() -> int:
    """Erase contacts, messages and years of birth after 30 days; return how many.

    Counted from the publication of the draw, or from the refusal of the sign-up.
    """
    since = timezone.now() - timedelta(days=KEPT_DAYS)
    old = Q(competition__published_at__lt=since) | Q(state=Applicant.State.REFUSED, decided_at__lt=since)
    said = ~Q(contact="") | ~Q(word="") | Q(born__isnull=False) | Q(partner_born__isnull=False)
    return Applicant.objects.filter(old & said).update(contact="", word="", born=None, partner_born=None)


def forget_player(player_id: int) -> None:
    """Erase the sign-up data of an erased player or pair; withdraw waiting sign-ups."""
    rows = Applicant.objects.filter(Q(player=player_id) | Q(entrant__in=Entrant.objects.filter(plays(player_id))))
    rows.filter(state=Applicant.State.WAITING).update(state=Applicant.State.WITHDRAWN, decided_at=timezone.now())
    rows.update(name="", club="", contact="", word="", born=None, user=None, partner_name="", partner_born=None)


def forget_account(user_id: int) -> None:
    Applicant.objects.filter(user=user_id).update(contact="", word="", user=None)
