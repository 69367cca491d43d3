"""Settings of a season: name and days at any time, places until play begins."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import fold
from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.founding import locked_league
from league.competitions.formats.promotion import DivisionRules
from league.competitions.locks import TOUCHED, locked_season, refuse_if_closed
from league.competitions.models import Competition, Division, Season
from league.competitions.seasons.plans import (
    MOST_PLACES,
    check_name,
    division_title,
    refuse_if_name_taken,
    refuse_too_many_places,
    sized,
)
from league.errors import Refused
from league.matches.models import Game

if TYPE_CHECKING:
    from league.competitions.seasons.plans import SizedDivision


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonSettings:
    """Settings of a season.

    The days are information only; no match is scheduled by them.
    """

    name: str
    starts_on: date
    ends_on: date | None = None


@transaction.atomic
def change_settings(season: Season, wanted: SeasonSettings, *, user: User) -> Season:
    """Change the name or days of a season, published or not.

    Its address stays, and so does every match. A division's competition named after the season is renamed with it.

    Raises NotAllowed, and Refused `season-closed`, `bad-name`, `name-taken`, `bad-season`.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    refuse_if_closed(season)
    check_name(wanted.name)
    _refuse_wrong_days(season, wanted)
    locked_league(season.league)
    name = " ".join(wanted.name.split())
    refuse_if_name_taken(season.league, name, but=season)
    _rename_divisions(season, name)
    season.name, season.starts_on, season.ends_on = name, wanted.starts_on, wanted.ends_on
    season.save(update_fields=["name", "starts_on", "ends_on"])
    return season


def _refuse_wrong_days(season: Season, wanted: SeasonSettings) -> None:
    if wanted.ends_on is not None and wanted.ends_on < wanted.starts_on:
        raise Refused("bad-season", _("A season ends after it has begun."))
    if season.follows and wanted.starts_on <= season.follows.starts_on:
        raise Refused("bad-season", _("It begins after the season that it follows."))


def _rename_divisions(season: Season, name: str) -> None:
    """Rename the competitions of divisions; a name chosen by an organizer stays."""
    rows = Division.objects.filter(season=season).select_related("competition").order_by("competition")
    renamed = [one for one in rows if one.competition.name == division_title(season.name, one.name)]
    for one in renamed:
        one.competition.name = division_title(name, one.name)
        one.competition.folded = fold(one.competition.name)
    Competition.objects.bulk_update([one.competition for one in renamed], ["name", "folded"])


@transaction.atomic
def set_places(season: Season, rules: Mapping[int, DivisionRules], *, user: User) -> None:
    """Set the places up and down of each division, by level, before play has begun.

    Raises NotAllowed, and Refused `season-closed`, `season-begun`, `bad-places`.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    refuse_if_closed(season)
    if has_begun(season):
        raise Refused(
            "season-begun",
            _("%(season)s has begun, so its promotion places can’t be changed."),
            season=season,
        )
    divisions = list(sized(season.divisions.all()))
    for one in divisions:
        wanted = rules.get(one.level)
        if wanted is not None:
            one.promote, one.relegate, one.play_off = wanted.promote, wanted.relegate, wanted.play_off_up
    _refuse_wrong_places(divisions)
    Division.objects.bulk_update(divisions, ["promote", "relegate", "play_off"])


def has_begun(season: Season) -> bool:
    """Tell whether a match of its divisions has any entry. One statement."""
    games = Game.objects.filter(match__slot__matchday__stage__competition__division__season=season)
    return games.filter(TOUCHED).exists()


def _refuse_wrong_places(divisions: "Sequence[SizedDivision]") -> None:
    if not all(0 <= n <= MOST_PLACES for one in divisions for n in (one.promote, one.relegate, one.play_off)):
        raise Refused("bad-places", _("0 to %(most)d places lead up or down."), most=MOST_PLACES)
    if divisions[0].promote or divisions[0].play_off:
        raise Refused("bad-places", _("Nobody goes up from %(division)s: it is the top."), division=divisions[0])
    if divisions[-1].relegate:
        raise Refused(
            "bad-places", _("Nobody goes down from %(division)s: it is the last one."), division=divisions[-1]
        )
    refuse_too_many_places(divisions)
