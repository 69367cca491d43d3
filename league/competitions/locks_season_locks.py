"""The lock that every verb of a season takes first, and what its state allows."""

from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.models import Competition, Division, Season, Stage
from league.errors import Refused

DIVISION_FORMATS = (Stage.Format.ROUND_ROBIN, Stage.Format.DOUBLE_ROUND_ROBIN, Stage.Format.SWISS)
"""A division ends with one table."""


def locked_season(season_id: int) -> Season:
    """The season, until the end of the transaction (order of locks: season → competition → match)."""
    return Season.objects.select_for_update(of=("self",)).select_related("league").get(pk=season_id)


def locked_draft_season(season_id: int, user: User) -> Season:
    """For whoever manages competitions. Raises NotAllowed, and Refused `already-published`."""
    season = locked_season(season_id)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.published_at is not None:
        raise Refused(
            "already-published",
            _("%(season)s is published; its divisions and their places stand as everybody sees them."),
            season=season,
        )
    return season


def refuse_if_closed(season: Season) -> None:
    if season.closed_at is not None:
        raise Refused("season-closed", _("%(season)s is closed."), season=season)


def refuse_if_season_closed(competition: Competition) -> None:
    """Of a division: whoever leaves after the season does so in the next one. Raises Refused `season-closed`."""
    season = Season.objects.filter(divisions__competition=competition).first()
    if season is not None:
        refuse_if_closed(season)


def refuse_unless_division(competition: Competition, first: str, then: str | None) -> None:
    """A competition that is a division stays one, however its draft is planned anew. `first` is the format of its first
    stage. Raises Refused `bad-plan`.
    """
    if first in DIVISION_FORMATS and then is None:
        return
    if Division.objects.filter(competition=competition).exists():
        raise Refused("bad-plan", _("A division is a round robin or a Swiss system: it ends with one table."))
