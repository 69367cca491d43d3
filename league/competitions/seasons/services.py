"""Services of an existing season: draw, publish, transfer an entrant, close.

Each is one transaction that locks the season, then the competitions of its divisions in the order of their keys.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.job_progress import one_of
from league.competitions.locks import locked, locked_draft_season, locked_season
from league.competitions.models import Competition, Division, DrawJob, Matchday, PlayOff, Season
from league.competitions.registration.entries import register, unregister
from league.competitions.seasons.plans import refuse_if_too_few_dates, refuse_if_twice, refuse_too_many_places, sized
from league.errors import Refused
from league.players.models import Entrant

if TYPE_CHECKING:
    from league.competitions.seasons.plans import SizedDivision


@transaction.atomic
def draw_season(season: Season, *, user: User) -> int:
    """Draw or redraw every division on the dates of the season; return how many.

    In the order of the seeds. Raises NotAllowed, and Refused `already-published`, `too-few-dates`, `in-two-divisions`,
    `bad-places`, and the errors of `draw`, with the division named.
    """
    season = locked_draft_season(season.pk, user)
    refuse_if_twice(season)
    refuse_if_too_few_dates(season)
    divisions = _divisions(season)
    refuse_too_many_places(divisions)
    return _draw(divisions, user)


@transaction.atomic
def redraw_season(season: Season, *, user: User) -> int:
    """Redraw the drawn divisions on the dates of the season; return how many.

    Raises as `draw_season`.
    """
    season = locked_draft_season(season.pk, user)
    refuse_if_too_few_dates(season)
    drawn = drawn_in(season)
    return _draw([one for one in _divisions(season) if one.competition_id in drawn], user)


def drawn_in(season: Season) -> set[int]:
    """Keys of the competitions that are drawn."""
    days = Matchday.objects.filter(stage__competition__division__season=season)
    return set(days.values_list("stage__competition", flat=True).distinct())


def _draw(divisions: Sequence[Division], user: User) -> int:
    for number, one in enumerate(divisions):
        with one_of(len(divisions), number):
            _named(one, partial(draw, one.competition, user=user))
    return len(divisions)


@transaction.atomic
def publish_season(season: Season, *, user: User) -> bool:
    """Publish the season and its divisions. True if this call did it.

    A second call changes nothing. Raises NotAllowed, and Refused `being-drawn`, `not-drawn`, `in-two-divisions`,
    `too-few-dates`, `bad-places`, and the errors of `publish`.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.published_at is not None:
        return False
    if DrawJob.objects.filter(season=season, done_at=None).exists():
        raise Refused("being-drawn", _("A draw is being made. Wait until it is done."))
    refuse_if_twice(season)
    refuse_if_too_few_dates(season)
    divisions = _divisions(season)
    refuse_too_many_places(divisions)
    season.published_at = timezone.now()
    season.save(update_fields=["published_at"])
    for one in divisions:
        _named(one, partial(publish, one.competition, user=user))
    # An imported season has its play-offs already.
    for play_off in PlayOff.objects.filter(upper__season=season, competition__published_at=None):
        publish(play_off.competition, user=user)
    return True


@transaction.atomic
def transfer(season: Season, entrant: Entrant, to: Division, *, user: User) -> None:
    """Move an entrant of a draft to another division, behind its last seed.

    The draws of both divisions are undone. Raises NotAllowed, and Refused `already-published`, `not-in-season`,
    `same-division`, and the errors of `register`.
    """
    season = locked_draft_season(season.pk, user)
    if to.season_id != season.pk:
        raise Refused("other-season", _("This division belongs to another season."))
    home = season.divisions.filter(competition__registrations__entrant=entrant).first()
    if home is None:
        raise Refused("not-in-season", _("%(entrant)s plays in no division of this season."), entrant=entrant)
    if home.pk == to.pk:
        raise Refused("same-division", _("%(entrant)s is in %(division)s already."), entrant=entrant, division=to)
    for one in sorted((home, to), key=lambda division: division.competition_id):
        locked(one.competition_id)
    unregister(home.competition, entrant, user=user)
    register(to.competition, [entrant])


@transaction.atomic
def close_season(season: Season, *, user: User) -> bool:
    """Close a season: nothing of it can be planned any more. True if this call did it.

    Raises NotAllowed, and Refused `not-published`, `season-open`, which names the divisions that are not over.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.closed_at is not None:
        return False
    refuse_unless_over(season)
    close(season, user)
    return True


def close(season: Season, user: User) -> None:
    """Close a season. Needs the caller's lock."""
    season.closed_at, season.closed_by = timezone.now(), user
    season.save(update_fields=["closed_at", "closed_by"])


def refuse_unless_over(season: Season) -> None:
    """Raise Refused `not-published`, `season-open`."""
    if season.published_at is None:
        raise Refused("not-published", _("Publish %(competition)s first."), competition=season)
    running = open_divisions(season)
    if running:
        raise Refused(
            "season-open",
            _("Confirmed results are missing in %(divisions)s."),
            divisions=", ".join(map(str, running)),
        )


def open_divisions(season: Season) -> list[Division]:
    """Divisions that are not over by official results."""
    return list(season.divisions.filter(competition__stages__finished_at=None).distinct().order_by("level"))


def _divisions(season: Season) -> "list[SizedDivision]":
    """Divisions from the top down, with their competitions locked."""
    rows = Competition.objects.filter(division__season=season).order_by("pk")
    list(rows.select_for_update(of=("self",)).values_list("pk", flat=True))
    return list(sized(season.divisions.all()))


def _named(division: Division, act: Callable[[], object]) -> None:
    try:
        act()
    except Refused as refused:
        raise type(refused)(
            refused.code, _("%(division)s: %(told)s"), division=division, told=str(refused)
        ) from refused
