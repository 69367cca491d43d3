"""Cancelling of a published competition, with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.former_cards import keep_cards
from league.competitions.ladders.services import close_unplayed
from league.competitions.locks import TOUCHED, being_drawn, locked
from league.competitions.models import LONGEST_CANCEL_REASON, Berth, Challenge, Competition, Season, Slot
from league.competitions.official_results import finished
from league.competitions.ratings.services import count_for_ratings
from league.competitions.typed_confirmation import refuse_unless_typed
from league.errors import Refused
from league.matches.amendments import closed, set_aside
from league.matches.locks import locked_match
from league.matches.models import Amendment, Game, Match


@dataclass(frozen=True, slots=True)
class Consequences:
    """Effects of cancelling a competition.

    `played`: number of decided matches, which stay; `dropped`: slots with entries that no longer count; `unplayed`:
    number of further open matches; `payments` and `amount`: fees to give back, in hundredths of the currency.
    """

    played: int
    dropped: Sequence[Slot]
    unplayed: int
    payments: int
    amount: int


def consequences(competition: Competition) -> Consequences:
    """Read the effects of cancelling. Four statements."""
    slots = Slot.objects.filter(matchday__stage__competition=competition, match__isnull=False)
    touched = Game.objects.filter(TOUCHED, match__slot__in=_open(slots)).values("match")
    dropped = list(_open(slots).filter(match__in=touched).order_by("matchday__number", "number"))
    money = competition.payments.filter(returned_at=None)
    return Consequences(
        played=slots.filter(match__state=Match.State.DECIDED).count(),
        dropped=dropped,
        unplayed=_open(slots).count() - len(dropped),
        payments=money.count(),
        amount=money.aggregate(sum=Sum("amount"))["sum"] or 0,
    )


def reason_against_cancelling(competition: Competition) -> Refused | None:
    """Give the reason against cancelling, or None: `not-published`, `is-over`, `in-season`, `being-drawn`.

    Three statements at most.
    """
    if competition.published_at is None:
        return Refused("not-published", _("%(competition)s is a draft: discard it instead."), competition=competition)
    if finished().filter(pk=competition.pk).exists():
        return Refused("is-over", _("%(competition)s is over, so it can’t be cancelled."), competition=competition)
    if season := Season.objects.filter(divisions__competition=competition).first():
        return Refused(
            "in-season",
            _("%(competition)s belongs to the season %(season)s, so it stays with it."),
            competition=competition,
            season=season,
        )
    if being_drawn(competition):
        return Refused("being-drawn", _("A draw is being made. Wait until it is done."))
    return None


def word_to_cancel(competition: Competition) -> str:
    """Return the confirmation word: the name once something of a match is written down, else "". One statement."""
    touched = Game.objects.filter(TOUCHED, match__slot__matchday__stage__competition=competition)
    return competition.name if touched.exists() else ""


@transaction.atomic
def cancel(competition: Competition, *, user: User, reason: str, rated: bool = True, typed: str | None = None) -> bool:
    """Cancel a published competition for a reason; True if this call did it.

    Decided matches stay, and stay rated unless `rated` is False. Open ones are set aside with their entries: their
    tables and players are free, and their codes answer with the reason. Open amendments are closed. `typed`: the
    confirmation word (`word_to_cancel`), None for a program.

    Raises NotAllowed, and Refused `no-reason`, `long-reason`, `type-it`, and as `reason_against_cancelling`.
    """
    competition = locked(competition.pk, even_cancelled=True)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.cancelled_at is not None:
        return False
    if refusal := reason_against_cancelling(competition):
        raise refusal
    reason = _checked(reason)
    refuse_unless_typed(word_to_cancel(competition), typed)
    now = timezone.now()
    for one in Challenge.objects.filter(stage__competition=competition, closed_at=None).select_related("slot__match"):
        close_unplayed(one, Challenge.Closed.EXPIRED, now)
    slots = _open(Slot.objects.filter(matchday__stage__competition=competition))
    keep_cards(competition, list(slots.filter(match__published_at__isnull=False)))
    matches = list(Match.objects.select_for_update().filter(slot__in=slots).order_by("pk").values_list("pk", flat=True))
    # One may have been decided before it was locked.
    set_aside(Match.objects.filter(pk__in=matches).exclude(state=Match.State.DECIDED), now)
    Berth.objects.filter(slot__matchday__stage__competition=competition).update(awaited_since=None)
    _close_amendments(competition, user, now)
    if not rated:
        count_for_ratings(competition, user=user, rated=False)
    Competition.objects.filter(pk=competition.pk).update(
        cancelled_at=now, cancelled_by=user, cancel_reason=reason, check_in_open=False
    )
    return True


def _close_amendments(competition: Competition, user: User, at: datetime) -> None:
    """Close the amendments that wait for a second official; the results stay."""
    of_it = Amendment.objects.filter(game__match__slot__matchday__stage__competition=competition)
    for one in of_it.filter(state=Amendment.State.PROPOSED).select_related("game").order_by("game__match"):
        locked_match(one.game.match_id)
        closed(one, user, at)


def _open(slots: QuerySet[Slot]) -> QuerySet[Slot]:
    """Select the slots whose match is not decided, with match and round."""
    return (
        slots.exclude(match=None).exclude(match__state=Match.State.DECIDED).select_related("match", "matchday__stage")
    )


def _checked(reason: str) -> str:
    reason = " ".join(reason.split())
    if not reason:
        raise Refused("no-reason", _("Give a reason: it is shown at the address of the competition."))
    if len(reason) > LONGEST_CANCEL_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_CANCEL_REASON)
    return reason
