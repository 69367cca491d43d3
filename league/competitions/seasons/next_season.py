"""Transition between seasons: promotion play-offs, and the next season as a draft."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext

from league.accounts.graphemes import first_letters
from league.accounts.models import LONGEST_NAME, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.founding import locked_league
from league.competitions.draw.plans import found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.formats.promotion import PlayOffPair
from league.competitions.locks import locked, locked_season
from league.competitions.models import Competition, Division, PlayOff, Season, SeasonMove, Stage
from league.competitions.registration.entries import register
from league.competitions.seasons.plans import check_name, division_title, name_season, plan_like, write_divisions
from league.competitions.seasons.promotion import SeasonEnd, season_end
from league.competitions.seasons.services import close, refuse_unless_over
from league.errors import Refused
from league.players.models import Entrant

MOST_NAMED = 8


# --- Play-offs ---


@transaction.atomic
def make_play_offs(season: Season, *, user: User, starts_at: datetime | None = None) -> list[PlayOff]:
    """Publish the missing play-offs and return them: a knock-out of two for each pair.

    The final tables give the pairs.

    Raises NotAllowed, and Refused `followed-already`, `not-published`, `season-open`, `level-places`, which names the
    entrants, and `no-play-offs`.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    _refuse_if_followed(season)
    refuse_unless_over(season)
    _lock_divisions(season)
    end = season_end(season)
    refuse_if_level(end)
    if not end.missing:
        raise Refused("no-play-offs", _("There is no play-off to be made."))
    return [_play_off(end, pair, user, starts_at) for pair in end.missing]


def _lock_divisions(season: Season) -> None:
    """Lock the divisions and their play-offs, so that no result of theirs is amended."""
    rows = Competition.objects.filter(Q(division__season=season) | Q(play_off__upper__season=season))
    for competition in rows.filter(cancelled_at=None).order_by("pk").values_list("pk", flat=True):
        locked(competition)


def _play_off(end: SeasonEnd, pair: PlayOffPair, user: User, starts_at: datetime | None) -> PlayOff:
    upper = end.division(pair.upper_level)
    name = pgettext("play-off", "%(season)s: play-off for %(division)s, %(number)d") % {
        "season": end.season,
        "division": upper,
        "number": pair.number,
    }
    changes = {
        "name": first_letters(name, LONGEST_NAME),
        "format": Stage.Format.SINGLE_ELIMINATION,
        "rounds": 0,
        "release": Competition.Release.ALL,
        "best_of": end.season.play_off_best_of,
        "starts_at": starts_at,
    }
    competition = found(end.season.league, plan_like(upper.competition, **changes), user=user)
    people = Entrant.objects.in_bulk([pair.upper, pair.lower])
    register(competition, [people[pair.upper], people[pair.lower]])
    draw(competition, user=user)
    publish(competition, user=user)
    return PlayOff.objects.create(upper=upper, number=pair.number, competition=competition)


def refuse_if_level(end: SeasonEnd) -> None:
    """Raise Refused `level-places`."""
    if end.found.ties:
        raise Refused(
            "level-places",
            _("Level in everything, where the order matters: %(names)s. Draw a lot."),
            names="; ".join(_named(one.entrants, end) for one in end.found.ties),
        )


def _named(entrants: Sequence[int], end: SeasonEnd) -> str:
    return ", ".join(end.names[one] for one in entrants)


# --- The next season ---


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPlan:
    """Differences from the season before; all else is copied."""

    name: str
    starts_on: date
    ends_on: date | None = None


@transaction.atomic
def carry_over(season: Season, plan: NextPlan, *, user: User) -> Season:
    """Create the next season as a draft without dates, and close this season.

    Divisions and settings are copied. The final tables and play-offs decide the entrants of each division, seeded in
    the order of the places that they come from.

    Raises NotAllowed, and Refused `followed-already`, `not-published`, `season-open`, `level-places`, `play-offs-open`,
    which name the missing decision; `bad-name`, `name-taken`, `bad-season`.
    """
    season = locked_season(season.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    _refuse_if_followed(season)
    refuse_unless_over(season)
    _lock_divisions(season)
    end = season_end(season)
    refuse_if_level(end)
    refuse_if_undecided(end)
    made = _begin(season, plan)
    _follow(made, end, user)
    SeasonMove.objects.bulk_create(_moves(end))
    if season.closed_at is None:
        close(season, user)
    return made


def _refuse_if_followed(season: Season) -> None:
    if following := Season.objects.filter(follows=season).first():
        raise Refused(
            "followed-already", _("%(season)s is followed by %(next)s already."), season=season, next=following
        )


def refuse_if_undecided(end: SeasonEnd) -> None:
    """Raise Refused `play-offs-open`."""
    waiting = [one for one in end.found.pairs if not one.decided]
    if waiting:
        raise Refused(
            "play-offs-open",
            _("These play-offs have no confirmed result: %(pairs)s."),
            pairs="; ".join(f"{end.names[one.upper]} – {end.names[one.lower]}" for one in waiting[:MOST_NAMED]),
        )


def _begin(season: Season, plan: NextPlan) -> Season:
    check_name(plan.name)
    if plan.ends_on is not None and plan.ends_on < plan.starts_on:
        raise Refused("bad-season", _("A season ends after it has begun."))
    if plan.starts_on <= season.starts_on:
        raise Refused("bad-season", _("It begins after the season that it follows."))
    locked_league(season.league)
    return name_season(
        season.league,
        plan.name,
        starts_on=plan.starts_on,
        ends_on=plan.ends_on,
        play_off_best_of=season.play_off_best_of,
        follows=season,
    )


def _follow(made: Season, end: SeasonEnd, user: User) -> None:
    """Create the divisions as before, with their new entrants."""
    before = [one.division for one in end.tables]
    coming = [[one.entrant for one in end.found.of(division.level)] for division in before]
    people = Entrant.objects.in_bulk([one for those in coming for one in those])
    divisions = [
        Division(
            season=made,
            level=one.level,
            name=one.name,
            promote=one.promote,
            relegate=one.relegate,
            play_off=one.play_off,
        )
        for one in before
    ]
    plans = [plan_like(one.competition, name=division_title(made.name, one.name)) for one in before]
    write_divisions(divisions, plans, [[people[one] for one in those] for those in coming], user=user)


def _moves(end: SeasonEnd) -> list[SeasonMove]:
    return [
        SeasonMove(
            season=end.season,
            entrant_id=one.entrant,
            from_level=one.level,
            to_level=one.to_level,
            place=one.place,
            why=one.why.value,
        )
        for one in end.found.destinations
    ]
