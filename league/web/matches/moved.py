"""Answer to the code or the address of a match that was drawn again."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.competitions.queries.former_cards import NewPlaces
from league.competitions.visibility import refuse_if_cancelled


def moved(request: HttpRequest, found: NewPlaces) -> HttpResponse:
    """Show where the players of the card play now, or raise Cancelled."""
    refuse_if_cancelled(found.competition)
    context = {"competition": found.competition, "places": found.places}
    with timezone.override(found.competition.league.time_zone):
        return render(request, "matches/moved.html", context, status=410)
