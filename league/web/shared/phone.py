"""The person at a phone: an account, the slip scanned with it, or the side that it chose at a table."""

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from league.competitions.push.subscriptions import Owner
from league.competitions.queries.my_next import MyNext, my_next
from league.competitions.queries.own_calls import OwnCalls, calls_of_user, own_calls
from league.competitions.queries.personal_link import entrant_by_door
from league.matches.guests import open_matches
from league.matches.models import Match, Side
from league.players.models import PEOPLE, Entrant, Player, plays_for
from league.players.pairs import own_entrants
from league.web.shared.guests import SLIP, guest_of

MOST_TO_SCORE = 3


def owners_of(request: HttpRequest) -> list[Owner]:
    """Return the account, and the entrant of the slip, whose calls this phone may get. One statement at most."""
    account = [request.user] if request.user.is_authenticated else []
    holder = _holder(request)
    return [*account, holder] if holder else account


def _holder(request: HttpRequest) -> Entrant | None:
    door = request.session.get(SLIP, "")
    if not door:
        return None
    try:
        return entrant_by_door(door)
    except Entrant.DoesNotExist:
        return None


def calls_for(request: HttpRequest, match: Match | None = None) -> OwnCalls:
    """List the calls for this phone; those of the side that it chose in `match` too. Seven statements at most."""
    if request.user.is_authenticated and match is None and SLIP not in request.session:
        return calls_of_user(request.user, timezone.now())
    mine = _entrants(request, match)
    return OwnCalls() if mine is None else own_calls(mine, timezone.now())


def matches_to_score(request: HttpRequest) -> list[Match]:
    """Return the open matches of the account and of the slip. Three statements at most."""
    mine = _entrants(request, None)
    return [] if mine is None else open_matches(mine, timezone.now())[:MOST_TO_SCORE]


def next_match(request: HttpRequest) -> MyNext | None:
    """Return the match that the account or the slip plays now or next. A constant number of statements."""
    mine = _entrants(request, None)
    return None if mine is None else my_next(mine, request.user, timezone.now())


def own_codes(request: HttpRequest) -> set[str]:
    """Return the codes of the players of the account and of the slip. Two statements at most."""
    user, holder = request.user, _holder(request)
    found = {one.code for one in holder.players} if holder else set()
    if user.is_authenticated:
        found |= set(Player.objects.filter(user=user).values_list("code", flat=True))
    return found


def is_player(request: HttpRequest) -> bool:
    """Tell whether an entrant of the account or of the slip exists. Two statements at most."""
    mine = _entrants(request, None)
    return mine is not None and mine.exists()


def _entrants(request: HttpRequest, match: Match | None) -> QuerySet[Entrant] | None:
    """Select the entrants of the person; None if nobody is known."""
    found = []
    if request.user.is_authenticated:
        found.append(plays_for(request.user))
    if holder := _holder(request):
        found.append(Q(pk__in=own_entrants(holder).values("pk")))
    if match and (chosen := _chosen(request, match)):
        found.append(Q(pk=chosen.pk))
    if not found:
        return None
    either = Q()
    for one in found:
        either |= one
    return Entrant.objects.filter(either)


def _chosen(request: HttpRequest, match: Match) -> Entrant | None:
    """Return the entrant whose side this phone has in a match; a minor only to a phone that has proved itself."""
    guest = guest_of(request, match)
    if guest is None:
        return None
    entrant = Side.objects.select_related(*PEOPLE).get(match=match, number=guest.side).entrant
    return entrant if guest.is_proved or not entrant.is_minor else None
