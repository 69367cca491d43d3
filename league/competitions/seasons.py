"""The verbs of a season that is there: draw it, publish it, change who plays where, close it. Each is one transaction
that locks the season, then the competitions of its divisions in the order of their keys.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import pairwise

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.drafts import locked
from league.competitions.drawing import FEWEST
from league.competitions.entries import register, unregister
from league.competitions.formats.promotion import DivisionRules
from league.competitions.models import Division, Matchday, Season
from league.competitions.publishing import publish
from league.competitions.season_locks import locked_draft_season, locked_season
from league.competitions.season_plans import (
    MOST_PLACES,
    DateRule,
    date_season,
    refuse_if_too_few_dates,
    refuse_if_twice,
)
from league.competitions.stages import draw
from league.errors import Refused
from league.players.models import Entrant


@transaction.atomic
def draw_season(season: Season, *, user: User) -> int:
    """Draw every division anew, in the order of its seeds, on the dates of the season. How many.

    Raises NotAllowed, and Refused `already-published`, `too-few-dates`, `in-two-divisions`, `bad-places`, and what
    `draw` raises, with the division named.
    """
    season = locked_draft_season(season.pk, user)
    refuse_if_twice(season)
    refuse_if_too_few_dates(season)
    divisions = _divisions(season)
    _refuse_too_many_places(divisions)
    for one in divisions:
        _named(one, lambda one=one: draw(one.competition, user=user))
    return len(divisions)


@transaction.atomic
def publish_season(season: Season, *, user: User) -> bool:
    """Show the season and its divisions to everybody. True if this call did it; a second one changes nothing. Raises
    NotAllowed, and Refused `not-drawn`, `in-two-divisions`, `too-few-dates`, `bad-places`, and what `publish` raises.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.published_at is not None:
        return False
    refuse_if_twice(season)
    refuse_if_too_few_dates(season)
    divisions = _divisions(season)
    _refuse_too_many_places(divisions)
    for one in divisions:
        _named(one, lambda one=one: publish(one.competition, user=user))
    season.published_at = timezone.now()
    season.save(update_fields=["published_at"])
    return True


@transaction.atomic
def set_dates(season: Season, dates: Sequence[datetime] | DateRule, *, user: User) -> int:
    """Other dates for a draft; what was drawn is drawn anew on them. How many dates. Raises NotAllowed, and Refused
    `already-published`, `bad-dates`, `too-few-dates`, and what `draw` raises.
    """
    season = locked_draft_season(season.pk, user)
    competitions = [one.competition for one in _divisions(season)]
    date_season(season, dates)
    drawn = set(
        Matchday.objects.filter(stage__competition__in=competitions).values_list("stage__competition", flat=True)
    )
    for one in competitions:
        if one.pk in drawn:
            draw(one, user=user)
    return season.dates.count()


@transaction.atomic
def set_places(season: Season, rules: Mapping[int, DivisionRules], *, user: User) -> None:
    """By level, how many places of each division lead up and down, of a draft. Raises NotAllowed, and Refused
    `already-published`, `bad-places`.
    """
    season = locked_draft_season(season.pk, user)
    divisions = list(season.divisions.select_related("competition"))
    for one in divisions:
        wanted = rules.get(one.level)
        if wanted is not None:
            one.promote, one.relegate, one.play_off = wanted.promote, wanted.relegate, wanted.play_off_up
    _refuse_wrong_places(divisions)
    Division.objects.bulk_update(divisions, ["promote", "relegate", "play_off"])


@transaction.atomic
def transfer(season: Season, entrant: Entrant, to: Division, *, user: User) -> None:
    """From the division of a draft in which somebody is to another one, behind its last seed; their draws are undone.

    Raises NotAllowed, and Refused `already-published`, `not-in-season`, `same-division`, and what `register` raises.
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
    """Nothing of it is planned any more. True if this call did it. Raises NotAllowed, and Refused `not-published`,
    `season-open`, which names the divisions that are not over.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.closed_at is not None:
        return False
    refuse_unless_over(season)
    close(season, user)
    return True


def close(season: Season, user: User) -> None:
    """The caller's lock."""
    season.closed_at, season.closed_by = timezone.now(), user
    season.save(update_fields=["closed_at", "closed_by"])


def refuse_unless_over(season: Season) -> None:
    """Raises Refused `not-published`, `season-open`."""
    if season.published_at is None:
        raise Refused("not-published", _("Publish %(competition)s first."), competition=season)
    running = open_divisions(season)
    if running:
        raise Refused(
            "season-open",
            _("Official results are missing in %(divisions)s."),
            divisions=", ".join(map(str, running)),
        )


def open_divisions(season: Season) -> list[Division]:
    """Those that are not over by official results."""
    return list(season.divisions.filter(competition__stages__finished_at=None).distinct().order_by("level"))


def _divisions(season: Season) -> list[Division]:
    """From the top down, their competitions locked."""
    found = list(season.divisions.select_related("competition__league").order_by("level"))
    for one in sorted(one.competition_id for one in found):
        locked(one)
    return found


def _named(division: Division, act: Callable[[], object]) -> None:
    try:
        act()
    except Refused as refused:
        raise type(refused)(
            refused.code, _("%(division)s: %(told)s"), division=division, told=str(refused)
        ) from refused


def _refuse_too_many_places(divisions: Sequence[Division]) -> None:
    """Every place of a table leads one way at most."""
    below = {one.level: lower for one, lower in pairwise(divisions)}
    for one in divisions:
        size = one.competition.registrations.count()
        lower = below.get(one.level)
        places = one.promote + one.play_off + one.relegate + (lower.play_off if lower else 0)
        if places > size >= FEWEST:
            raise Refused(
                "bad-places",
                _("%(places)d places of %(division)s lead up or down, and %(size)d play there."),
                places=places,
                division=one,
                size=size,
            )


def _refuse_wrong_places(divisions: Sequence[Division]) -> None:
    if not all(0 <= n <= MOST_PLACES for one in divisions for n in (one.promote, one.relegate, one.play_off)):
        raise Refused("bad-places", _("0 to %(most)d places lead up or down."), most=MOST_PLACES)
    if divisions[0].promote or divisions[0].play_off:
        raise Refused("bad-places", _("Nobody goes up from %(division)s: it is the top."), division=divisions[0])
    if divisions[-1].relegate:
        raise Refused(
            "bad-places", _("Nobody goes down from %(division)s: it is the last one."), division=divisions[-1]
        )
    _refuse_too_many_places(divisions)
