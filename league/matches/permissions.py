"""Permissions in matches: viewing, clock, submission, confirmation.

Used by pages, tasks and the API alike.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Role, User
from league.accounts.permissions import ALLOWED, OFFICIALS, STAFF, Act, Asker, leagues_where
from league.errors import NotAllowed
from league.matches.clock_acts import ClockAct
from league.matches.models import Amendment, Match, Record, Result, Side
from league.matches.officials import taking_one
from league.matches.signals import amendments_withheld_asked, answers
from league.players.models import Entrant, plays_for
from league.prepared_statements import FixedSelect, Given, GivenUser

# Acts of players on the clock of their own match, if the site allows them (CLOCKS_BY_PLAYERS): at most tables there is
# nobody else. Time is given by the staff of the evening.
CLOCK_ACTS_OF_PLAYERS = frozenset(ClockAct) - {ClockAct.GIVE, ClockAct.BELL}
ACCOUNT, PROVED = "account", "proved"


def mark_of(device: str, hands: str, *, proved: bool) -> str:
    """Return the mark of an entry (`Record.device`): device, digest and proof.

    The digest is of address and browser; `PROVED` is added if the phone had proved its side.
    """
    return f"{device} {hands} {PROVED if proved else ''}".rstrip() if device else ""


def visible_to(user: Asker) -> Q:
    """Filter matches by visibility.

    Published ones are public; the others are visible to the staff of their league, without those set aside.
    """
    published = Q(published_at__isnull=False)
    if not user.is_authenticated:
        return published
    return published | Q(league__in=leagues_where(user, STAFF), set_aside_at=None)


@dataclass(frozen=True, slots=True)
class Guest:
    """A guest at the table, without an account, for one side of a match.

    See league/matches/guests.py. `by_pin`: at another person's phone, with the PIN of their slip. `proved`: this phone
    has shown their slip or its PIN. `device`: the key of the phone; `hands`: its address and browser, as a digest.
    """

    match_id: int
    side: int
    by_pin: bool = False
    proved: bool = False
    device: str = field(default="", compare=False)
    hands: str = field(default="", compare=False)

    is_authenticated = False
    is_superuser = False
    pk = None

    @property
    def is_proved(self) -> bool:
        return self.by_pin or self.proved

    @property
    def mark(self) -> str:
        return mark_of(self.device, self.hands, proved=self.is_proved)


Visitor = Asker | Guest


def sides_of(user: User) -> QuerySet[Side]:
    """Return the sides of an account, alone or as either partner of a pair."""
    return Side.objects.filter(entrant__in=Entrant.objects.filter(plays_for(user)))


@dataclass(frozen=True, slots=True)
class Actor:
    """The asker's part in one match.

    `side`: number of the side they play for; `enters`: they type in results for others, as the desk does; `takes_one`:
    whether the act of one official is enough, None if not known yet.
    """

    user_id: int | None
    sees: bool
    official: bool = False
    side: int | None = None
    runs_clocks: bool = False
    enters: bool = False
    guest: bool = False
    match_id: int = 0
    takes_one: bool | None = None
    device: str = ""

    @property
    def plays(self) -> bool:
        return self.side is not None

    @property
    def decides_alone(self) -> bool:
        """Whether an act of the asker needs no second official.

        Two statements if that is not known yet.
        """
        if self.plays or not self.official:
            return False
        return self.match_id in taking_one([self.match_id]) if self.takes_one is None else self.takes_one


def actor(user: Visitor, match: Match) -> Actor:
    """Return the asker's part in a match.

    Two statements for signed-in users, none for others.
    """
    if isinstance(user, Guest):
        own = user.match_id == match.pk
        return Actor(None, match.published_at is not None, side=user.side if own else None, guest=own, device=user.mark)
    if not user.is_authenticated:
        return Actor(None, match.published_at is not None)
    sides = OWN_SIDES.rows(user=user.pk, match=match.pk)
    return actor_from(user, match, kinds_of(user, match), sides[0][0] if sides else None)


def kinds_of(user: Asker, match: Match) -> set[str]:
    """Return the kinds of the asker's roles in the league of a match. One statement for signed-in users."""
    return {kind for [kind] in KINDS.rows(user=user.pk, league=match.league_id)} if user.pk else set()


KINDS = FixedSelect(
    lambda: Role.objects.filter(user=Given("user"), league=Given("league")).order_by().values_list("kind")
)
OWN_SIDES = FixedSelect(
    lambda: sides_of(GivenUser()).filter(match=Given("match")).order_by("number").values_list("number")  # type: ignore[arg-type]
)


def actor_from(user: Asker, match: Match, kinds: set[str], side: int | None, *, takes_one: bool | None = None) -> Actor:
    """Return the same from known roles, sides and `taking_one` (for pages)."""
    sees = match.published_at is not None or bool(kinds & STAFF)
    hands = user.hands if user.is_authenticated else ""
    return Actor(
        user.pk,
        sees,
        official=bool(kinds & OFFICIALS),
        side=side,
        runs_clocks=bool(kinds & ALLOWED[Act.RUN_CLOCKS]),
        enters=bool(kinds & ALLOWED[Act.ENTER_RESULTS]),
        match_id=match.pk,
        takes_one=takes_one,
        device=mark_of(ACCOUNT if hands else "", hands, proved=True),
    )


def why_not_submit(one: Actor) -> NotAllowed | None:
    """Refuse a log; None for a side, guests included, and for an official of the league.

    `sign-in`, `no-permission`, `not-your-match`.
    """
    if one.user_id is None and not one.guest:
        return NotAllowed("sign-in", _("Sign in to submit a log."))
    if one.sees and (one.official or one.plays):
        return None
    return _stranger(one)


def why_not_enter(one: Actor) -> NotAllowed | None:
    """Refuse a tally, card or score; None for a side, guests included, and the desk.

    `sign-in`, `no-permission`, `not-your-match`.
    """
    if one.user_id is None and not one.guest:
        return NotAllowed("sign-in", _("Sign in, or scan the code on the card of the match, to enter a result."))
    if one.sees and (one.enters or one.plays):
        return None
    return _stranger(one)


def why_not_rule(one: Actor) -> NotAllowed | None:
    """Refuse a ruling; None for an official outside the match.

    `sign-in`, `no-permission`, `needs-official`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to rule on a result."))
    if not one.sees:
        return _stranger(one)
    if one.plays or not one.official:
        return NotAllowed("needs-official", _("Only an official who does not play in this match rules on it."))
    return None


def why_not_amend(one: Actor) -> NotAllowed | None:
    """Refuse an amendment; None for an official outside the match.

    `sign-in`, `no-permission`, `needs-official`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to amend a result."))
    if not one.sees:
        return _stranger(one)
    if one.plays or not one.official:
        return NotAllowed("needs-official", _("Only an official who does not play in this match amends its result."))
    return None


def may_correct(user: Asker, league_id: int, match_ids: Collection[int]) -> frozenset[int]:
    """Return those of a league's matches whose results the asker may amend.

    Two statements for its officials, one for other accounts, none for visitors.
    """
    roles = Role.objects.filter(user=user.pk, league=league_id, kind__in=OFFICIALS)
    if not (user.is_authenticated and match_ids and roles.exists()):
        return frozenset()
    return frozenset(match_ids) - set(sides_of(user).filter(match__in=match_ids).values_list("match", flat=True))


def why_not_confirm_amendment(
    one: Actor, amendment: Amendment, withheld: Mapping[int, NotAllowed] | None = None
) -> NotAllowed | None:
    """Refuse as `why_not_amend`, the proposer if two officials are needed, and those whom its case refuses.

    `withheld`: the answer of `withheld_amendments`, if it is known.
    """
    if refusal := why_not_amend(one):
        return refusal
    if amendment.proposed_by_id == one.user_id and not one.decides_alone:
        return NotAllowed("own-submission", _("You proposed this yourself. Another official confirms it."))
    if withheld is None:
        withheld = withheld_amendments(one.user_id, [amendment.pk])
    return withheld.get(amendment.pk)


def why_not_close_amendment(one: Actor, amendment: Amendment) -> NotAllowed | None:
    """Refuse as `why_not_confirm_amendment`; None for the proposer, who withdraws it."""
    if one.user_id is not None and amendment.proposed_by_id == one.user_id:
        return None
    return why_not_confirm_amendment(one, amendment)


def withheld_amendments(user_id: int | None, amendments: Collection[int]) -> dict[int, NotAllowed]:
    """Return the refusals of the cases that proposed amendments come from, by key of the amendment."""
    if user_id is None or not amendments:
        return {}
    found = answers(amendments_withheld_asked, user_id=user_id, amendments=amendments)
    return {key: refusal for one in found for key, refusal in one.items()}


def why_not_confirm(one: Actor, result: Result) -> NotAllowed | None:
    """Refuse a confirmation; None for the other side and for an official.

    An official may not confirm their own entry, unless one official is enough.
    An official who plays in the match acts for that side only. A result that needs a decision is decided by an
    official of neither side.
    """
    record = result.record
    if one.user_id is None and not one.guest:
        return NotAllowed("sign-in", _("Sign in to confirm a result."))
    if not one.sees or not (one.official or one.plays):
        return _stranger(one)
    if is_own(one, record):
        return own_submission()
    if result.contested:
        return under_review()
    if result.needs_decision and (one.plays or not one.official):
        return NotAllowed("needs-official", _("This result needs a decision by an official of the league."))
    if one.plays and record.for_side == one.side:
        return NotAllowed("own-submission", _("Your side handed this in. The other side or an official confirms it."))
    return None


def under_review() -> NotAllowed:
    return NotAllowed("under-review", _("This result is under review: two entries differ, or somebody disagrees."))


def why_not_accept(one: Actor, result: Result) -> NotAllowed | None:
    """Refuse the acceptance of an entry under review.

    None for a side that did not submit it. `sign-in`, `not-your-match`, `no-permission`, `own-submission`.
    """
    if one.user_id is None and not one.guest:
        return NotAllowed("sign-in", _("Sign in to accept a result."))
    if not one.sees or not one.plays:
        return _stranger(one)
    return own_submission() if result.record.for_side == one.side else None


def reads_statements(one: Actor) -> bool:
    """Return whether the asker may read objections: both sides and the staff may.

    Everybody may know that there is an objection.
    """
    return one.sees and (one.plays or one.official or one.enters)


def is_own(one: Actor, record: Record) -> bool:
    """Return whether the asker entered the record and so can't be its second person."""
    own = one.user_id is not None and record.submitted_by_id == one.user_id
    return own and not (one.decides_alone and record.for_side is None)


def own_submission() -> NotAllowed:
    return NotAllowed("own-submission", _("You handed this in yourself. The other side or an official confirms it."))


def how(user: Visitor, record: Record) -> Result.Confirmation:
    """Return the means of the confirmation."""
    if not isinstance(user, Guest):
        own = record.submitted_by_id == user.pk and record.for_side is None
        return Result.Confirmation.ALONE if own else Result.Confirmation.PERSON
    return Result.Confirmation.PIN if user.by_pin else Result.Confirmation.SIDE


def why_not_run_clock(one: Actor, act: ClockAct) -> NotAllowed | None:
    """Refuse an act on a clock.

    None for officials and desk helpers of the league, and for players of the match in their own acts. `sign-in`,
    `no-permission`, `not-your-clock`, `staff-only`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to run the clock."))
    if one.sees and one.runs_clocks:
        return None
    if not one.sees:
        return NotAllowed("no-permission", _("You may not do this."))
    if not (one.plays and settings.CLOCKS_BY_PLAYERS):
        return NotAllowed("not-your-clock", _("This clock is run by the officials and desk helpers of the league."))
    if act not in CLOCK_ACTS_OF_PLAYERS:
        return NotAllowed("staff-only", _("An official or desk helper of the league does this."))
    return None


def why_not_keep_tally(one: Actor) -> NotAllowed | None:
    """Refuse the tally; None for officials, desk helpers and players of the match.

    `sign-in`, `no-permission`, `not-your-match`. An unpublished match has no tally (`tally.services.why_closed`).
    """
    if one.user_id is None and not one.plays:
        return NotAllowed("sign-in", _("Sign in to keep the tally."))
    if one.sees and (one.official or one.runs_clocks or one.plays):
        return None
    return _stranger(one)


def why_not_agree_hour(one: Actor) -> NotAllowed | None:
    """Refuse proposals of hours and answers to them; None for an account that plays in the match.

    `sign-in`, `no-permission`, `not-your-match`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to agree on a time."))
    if one.sees and one.plays:
        return None
    if not one.sees:
        return _stranger(one)
    return NotAllowed("not-your-match", _("Only the two sides of this match can agree on its time."))


def _stranger(one: Actor) -> NotAllowed:
    if one.sees:
        return NotAllowed("not-your-match", _("You neither play in this match nor are you an official of its league."))
    return NotAllowed("no-permission", _("You may not do this."))
