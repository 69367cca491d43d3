"""Challenges on a ladder: by a player (account or personal link) and by the desk."""

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.accounts.models import User
from league.accounts.permissions import Act, may
from league.competitions.ladders import services as ladders_services
from league.competitions.ladders.queries import Ladder, Rung
from league.competitions.ladders.services import own_entrant, withdraw_challenge
from league.competitions.models import Challenge, Competition
from league.competitions.queries.personal_link import entrant_by_door
from league.competitions.visibility import addressed_competitions, refuse_if_cancelled
from league.players.models import Entrant
from league.web.shared.guests import SLIP
from league.web.shared.staff import carry_out, number_in


@dataclass(frozen=True, slots=True)
class Climber:
    """Acts of the reader on a ladder.

    `own`: the reader's place. `desk`: whether the reader may challenge for others. `choices`: the places that the
    reader may challenge; for the desk all that any player may. `within`: keys within the reader's own reach.
    """

    own: Rung | None
    desk: bool
    choices: list[Rung]
    within: frozenset[int]

    @property
    def may_choose(self) -> bool:
        return bool(self.choices)


def climber(request: HttpRequest, competition: Competition, ladder: Ladder) -> Climber:
    """Return what the reader may do on this ladder.

    At most two statements.
    """
    entrant = _own_entrant(request, competition)
    own = ladder.rung_of(entrant.pk) if entrant else None
    desk = may(request.user, Act.RUN_DESK, competition.league)
    within = frozenset(own.reach if own else ())
    anybody = {one for rung in ladder.rungs for one in rung.reach} if desk else within
    shown = competition.published_at is not None and ladder.closed_at is None
    choices = [rung for rung in ladder.rungs if shown and rung.entrant.entrant_id in anybody]
    return Climber(own, desk, choices, within)


def _own_entrant(request: HttpRequest, competition: Competition) -> Entrant | None:
    """Find the reader's entrant by account, else by the link opened on this phone."""
    if request.user.is_authenticated:
        return own_entrant(competition, request.user)
    if door := request.session.get(SLIP, ""):
        try:
            found = entrant_by_door(door)
        except Entrant.DoesNotExist:
            return None
        return found if found.league_id == competition.league_id else None
    return None


@require_POST
def challenge(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Make or withdraw a challenge.

    `do` is "challenge", with `challenged` (and `challenger` for the desk), or "withdraw", with `challenge`.
    """
    competitions = addressed_competitions(request.user)
    competition = refuse_if_cancelled(get_object_or_404(competitions, league__slug=league_slug, slug=slug))
    own = _own_entrant(request, competition)
    by: User | Entrant | None = request.user if request.user.is_authenticated else own
    if by is None:
        return redirect(f"{reverse('accounts:sign_in')}?next={_address(competition)}")
    if request.POST.get("do") == "withdraw":
        _withdraw(request, competition, by)
    else:
        _challenge(request, competition, own, by)
    return redirect(f"{_address(competition)}#ladder")


def _challenge(request: HttpRequest, competition: Competition, own: Entrant | None, by: User | Entrant) -> None:
    people = Entrant.objects.filter(registrations__competition=competition).select_related("player")
    named = request.POST.get("challenger")
    challenger = people.filter(pk=number_in(request.POST, "challenger")).first() if named else own
    challenged = people.filter(pk=number_in(request.POST, "challenged")).first()
    if challenger is None or challenged is None:
        raise Http404
    if carry_out(request, lambda: ladders_services.challenge(competition, challenger, challenged, by=by)):
        told = _("%(challenger)s challenges %(challenged)s: the match is below.")
        messages.success(request, told % {"challenger": challenger, "challenged": challenged})


def _withdraw(request: HttpRequest, competition: Competition, by: User | Entrant) -> None:
    wanted = number_in(request.POST, "challenge")
    one = get_object_or_404(Challenge, pk=wanted, stage__competition=competition)
    if carry_out(request, lambda: withdraw_challenge(one, by=by)):
        messages.success(request, _("The challenge is taken back."))


def _address(competition: Competition) -> str:
    return reverse("competitions:detail", args=[competition.league.slug, competition.slug])
