"""Access to a league's pages by role."""

from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from league.accounts.models import League, Role
from league.accounts.permissions import Act, Asker, acts_of


@dataclass(frozen=True, slots=True)
class Inside:
    """A league with the user's rights in it."""

    league: League
    acts: frozenset[Act]

    @property
    def manages_people(self) -> bool:
        return Act.MANAGE_PEOPLE in self.acts

    @property
    def runs_league(self) -> bool:
        return Act.RUN_LEAGUE in self.acts

    @property
    def sees_people(self) -> bool:
        return Act.SEE_PEOPLE in self.acts

    @property
    def runs_clocks(self) -> bool:
        return Act.RUN_CLOCKS in self.acts

    @property
    def enters_results(self) -> bool:
        return Act.ENTER_RESULTS in self.acts

    @property
    def manages_competitions(self) -> bool:
        return Act.MANAGE_COMPETITIONS in self.acts


def league_or_404(slug: str) -> League:
    try:
        return League.objects.select_related("parent").get(slug=slug)
    except League.DoesNotExist as absent:
        raise Http404 from absent


def inside(user: Asker, league: League) -> Inside:
    return Inside(league, acts_of(user, league))


def door(*acts: Act) -> Any:
    """Restrict a view to users with one of the acts.

    The view takes `(request, inside, …)`, its address is `<slug>/…`. A visitor is asked to sign in; a user with an
    insufficient role in the league gets 403, anybody else 404.
    """

    def decorate(view: Any) -> Any:
        @wraps(view)
        @login_required
        def guarded(request: HttpRequest, slug: str, *args: Any, **kwargs: Any) -> HttpResponse:
            here = inside(request.user, league_or_404(slug))
            if not here.acts & set(acts):
                if not Role.objects.filter(user=request.user, league=here.league).exists():
                    raise Http404
                raise PermissionDenied(_("Your role in %(league)s does not allow this.") % {"league": here.league})
            return view(request, here, *args, **kwargs)

        return guarded

    return decorate
