"""Addresses of the streams: who may follow what."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.visibility import visible_competitions
from league.live.messages import DESK, SITE
from league.live.streams import TOPIC_HEADER
from league.matches.visibility import visible_matches
from league.web.shared.staff import of_league


@require_safe
@never_cache
def site(request: HttpRequest) -> HttpResponse:
    """Allow to follow all that is public."""
    return _may_follow(SITE)


@require_safe
@never_cache
def match(request: HttpRequest, match_id: int) -> HttpResponse:
    return _one_of(visible_matches(request.user), "match", match_id)


@require_safe
@never_cache
def competition(request: HttpRequest, competition_id: int) -> HttpResponse:
    return _one_of(visible_competitions(request.user), "competition", competition_id)


@require_safe
@never_cache
def league(request: HttpRequest, league_id: int) -> HttpResponse:
    return _one_of(League.objects.all(), "league", league_id)


@require_safe
@never_cache
def hall(request: HttpRequest, league_id: int) -> HttpResponse:
    return _one_of(League.objects.all(), "hall", league_id)


@require_safe
@never_cache
@of_league(Act.SEE_DRAFTS)
def desk(request: HttpRequest, league: League) -> HttpResponse:
    """Allow the staff of a league to follow it, drafts included."""
    return _may_follow(f"{DESK}:{league.pk}")


def _one_of(seen: "QuerySet[Any]", kind: str, key: int) -> HttpResponse:
    if not seen.filter(pk=key).exists():
        raise Http404
    return _may_follow(f"{kind}:{key}")


def _may_follow(topic: str) -> HttpResponse:
    """Return the answer for a stream, which `league.live.streams` begins.

    A process without streams sends it as it is: "no content", upon which a browser doesn't ask again.
    """
    return HttpResponse(status=204, headers={TOPIC_HEADER: topic})
