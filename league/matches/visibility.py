"""Visibility of matches and players: the base of every query about them."""

from typing import TYPE_CHECKING

from django.db.models import Case, CharField, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Concat, Left
from django.db.models.lookups import IsNull

from league.accounts.naming import OF_AGE, this_year
from league.accounts.permissions import STAFF, Asker, leagues_where
from league.matches import permissions
from league.matches.models import Match, Side
from league.matches.signals import answers, public_entrants_asked
from league.players.models import Entrant, Player, plays, plays_for
from league.players.naming import surname

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Listed(TypedDict):
        listed: str


def visible_matches(user: Asker) -> QuerySet[Match]:
    return Match.objects.filter(permissions.visible_to(user))


def hidden_matches(user: Asker) -> QuerySet[Match]:
    """Return the matches that the asker may not see.

    Few of many matches are hidden, so a filter by `~Exists` on these is faster than one on the visible ones.
    """
    hidden = Match.objects.filter(published_at=None)
    return hidden.exclude(league__in=leagues_where(user, STAFF)) if user.is_authenticated else hidden


def matches_of(player: Player | int) -> QuerySet[Match]:
    """Return the matches of a player, alone or in a pair; each once."""
    sides = Side.objects.filter(entrant__in=Entrant.objects.filter(plays(player)))
    return Match.objects.filter(pk__in=sides.values("match"))


def visible_pairs(user: Asker) -> QuerySet[Entrant]:
    """Return the visible pairs, as `visible_players` does."""
    sides = Side.objects.filter(entrant=OuterRef("pk"), match__in=visible_matches(user))
    seen = Q(Exists(sides))
    for shown in answers(public_entrants_asked):
        seen |= Q(pk__in=shown)
    if user.is_authenticated:
        seen |= plays_for(user) | Q(league__in=leagues_where(user, STAFF))
    pairs = Entrant.objects.filter(partner__isnull=False, player__merged_into=None, partner__merged_into=None)
    return pairs.filter(seen).select_related("player", "partner", "league")


def visible_players(user: Asker) -> "QuerySet[WithAnnotations[Player, Listed]]":
    """Return the players visible to the asker, by surname, minors by its first letter.

    Players with a visible match or with a place in a published competition, the asker's own, and all of the leagues
    where they are staff. Minors are ordered by a letter, so that their place in the list shows no more than their
    initials.
    """
    seen = Q()
    for shown in answers(public_entrants_asked):
        for seat in ("player", "partner"):
            entrants = Entrant.objects.filter(pk__in=shown, **{f"{seat}__isnull": False})
            seen |= Q(pk__in=entrants.values(seat))
    for seat in ("player", "partner"):
        sides = Side.objects.filter(**{f"entrant__{seat}": OuterRef("pk")}, match__in=visible_matches(user))
        # A single side is searched, only for players not shown yet: PostgreSQL would answer EXISTS by reading all
        # sides.
        seen |= Q(IsNull(Subquery(sides.order_by().values("pk")[:1]), False))
    if user.is_authenticated:
        seen |= Q(user=user) | Q(
            pk__in=Player.objects.filter(entrants__league__in=leagues_where(user, STAFF)).values("pk")
        )
    listed = Case(
        When(born__gte=this_year() - OF_AGE, then=Left(surname(), 1)),
        default=Concat(surname(), Value(" "), F("folded")),
        output_field=CharField(),
    )
    return Player.objects.filter(seen, merged_into=None).annotate(listed=listed).order_by("listed", "code")
