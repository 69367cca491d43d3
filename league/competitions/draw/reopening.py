"""Reopening of a published competition in which nothing has begun."""

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.former_cards import keep_cards
from league.competitions.draw.publishing import named
from league.competitions.entrants import standing_withdrawals
from league.competitions.locks import TOUCHED, being_drawn, locked
from league.competitions.models import Berth, Challenge, Competition, Matchday, Season, Slot
from league.errors import Refused
from league.matches.models import Game, Match


def reason_against(competition: Competition) -> Refused | None:
    """Give the reason against reopening a published competition, or None: `has-begun`, `in-season`, `being-drawn`.

    Six statements at most, two once a match has begun. An entry that was taken back is no beginning.
    """
    slots = Slot.objects.filter(matchday__stage__competition=competition)
    touched = Game.objects.filter(TOUCHED, match__slot__in=slots).values("match")
    begun = slots.filter(match__in=touched).select_related("matchday").order_by("matchday__number", "number")
    if matches := list(begun):
        told = _("Play has begun, so it stays published: %(matches)s.")
        return Refused("has-begun", told, matches=named(matches))
    seasons = Q(divisions__competition=competition) | Q(divisions__play_offs__competition=competition)
    if season := Season.objects.filter(seasons).first():
        return Refused(
            "in-season",
            _("%(competition)s belongs to the season %(season)s, which is published as a whole."),
            competition=competition,
            season=season,
        )
    if being_drawn(competition):
        return Refused("being-drawn", _("A draw is being made. Wait until it is done."))
    if Challenge.objects.filter(stage__competition=competition).exists():
        return Refused("has-begun", _("Challenges were made, so the ladder stays published."))
    absent = Berth.objects.filter(slot__in=slots).exclude(absent_since=None)
    if standing_withdrawals(competition).exists() or absent.exists():
        return Refused(
            "has-begun", _("An entrant has withdrawn or was missing at a table. Take that back, then reopen it.")
        )
    return None


@transaction.atomic
def reopen(competition: Competition, *, user: User) -> bool:
    """Make a published competition a draft again, with its draw, while nothing has begun.

    True if this call did it; a draft stays as it is. Codes of its published matches are kept for the next draw
    (former_cards.py). Raises NotAllowed, and Refused as `reason_against`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is None:
        return False
    slots = Slot.objects.filter(matchday__stage__competition=competition)
    # Entries, clocks and pads lock the match first: nothing begins between the question and the answer.
    matches = list(Match.objects.select_for_update().filter(slot__in=slots).order_by("pk").values_list("pk", flat=True))
    if refusal := reason_against(competition):
        raise refusal
    shown = slots.filter(match__published_at__isnull=False).select_related("match", "matchday__stage")
    keep_cards(competition, list(shown))
    Match.objects.filter(pk__in=matches).update(
        published_at=None, door_opened_at=None, called_at=None, here_at=None, on_hold=False
    )
    Matchday.objects.filter(stage__competition=competition).update(published_at=None, published_by=None)
    Berth.objects.filter(slot__in=slots).update(awaited_since=None)
    competition.registrations.update(late_changes=None)
    if competition.imported_at is None:
        competition.registrations.update(rating=None)
    Competition.objects.filter(pk=competition.pk).update(published_at=None)
    return True
