"""Copy of a competition for a rehearsal, with invented players.

A league of its own with the rules, tables and officials of the real one. The caller rolls its transaction back.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.utils import timezone

from league.accounts.codes import new_code
from league.accounts.models import League, Role, User
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stage_plans import plan_of_stages
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Division, Season, SeasonDate
from league.competitions.registration.entries import register
from league.players.models import Entrant, Membership, Player
from league.players.naming import fold

# Invented names that a reader can tell apart on a sheet, with the number of the seed.
NAMES = (
    "Amber", "Birch", "Cedar", "Delta", "Ember", "Flint", "Garnet", "Hazel", "Indigo", "Jasper", "Kestrel", "Linden",
    "Maple", "Nettle", "Onyx", "Poplar", "Quartz", "Rowan", "Sorrel", "Thistle", "Umber", "Velvet", "Willow", "Zephyr",
)  # fmt: skip
START_HOUR = 10


@dataclass(frozen=True, slots=True)
class Scene:
    """The copy. `organizer` runs it and enters results, `second` confirms them."""

    competition: Competition
    organizer: User
    second: User
    league: League


def build(source: Competition, entrants: int) -> Scene:
    """Create a published copy of a competition. Raises Refused if its draw is refused."""
    mark = new_code()
    league = League.objects.create(
        name=source.league.name,
        slug=f"rehearsal-{mark.lower()}",
        confirmation_required=source.league.confirmation_required,
        officials_needed=source.league.officials_needed,
        time_zone=source.league.time_zone,
    )
    organizer, second = (_official(league, f"rehearsal-{mark}-{number}") for number in (1, 2))
    competition = found(league, plan_of(source), user=organizer)
    _date_like(source, competition)
    register(competition, people(league, entrants, pairs=source.pairs), user=organizer)
    draw(competition, user=organizer)
    publish(competition, user=organizer)
    return Scene(Competition.objects.select_related("league").get(pk=competition.pk), organizer, second, league)


def _official(league: League, username: str) -> User:
    user = User.objects.create(username=username, password="!")
    Role.objects.create(user=user, league=league, kind=Role.Kind.OWNER)
    return user


def _date_like(source: Competition, competition: Competition) -> None:
    """Copy the dates of a division's season, moved by whole days into the future."""
    dates = list(SeasonDate.objects.filter(season__divisions__competition=source).order_by("number"))
    if not dates:
        return
    first = _coming(dates[0].starts_at, ZoneInfo(source.league.time_zone))
    later = first.date() - dates[0].starts_at.date()
    season = Season.objects.create(
        league=competition.league,
        name=source.name,
        slug="rehearsal",
        starts_on=timezone.localdate(first),
        published_at=timezone.now(),  # its division is published with it
    )
    Division.objects.create(season=season, level=1, name="1", competition=competition)
    SeasonDate.objects.bulk_create(
        SeasonDate(season=season, number=one.number, starts_at=one.starts_at + later) for one in dates
    )


def people(league: League, count: int, *, pairs: bool = False) -> Sequence[Entrant]:
    """Create the entrants in the order of their seeds.

    Partners have successive numbers. Written at once: enrolling one by one would look for namesakes in every league.
    """
    players = Player.objects.bulk_create(_player(number) for number in range(1, count * (2 if pairs else 1) + 1))
    today = timezone.localdate()
    Membership.objects.bulk_create(Membership(player=player, league=league, since=today) for player in players)
    if pairs:
        both = zip(players[::2], players[1::2], strict=True)
        return Entrant.objects.bulk_create(Entrant(league=league, player=one, partner=other) for one, other in both)
    return Entrant.objects.bulk_create(Entrant(league=league, player=player) for player in players)


def _player(number: int) -> Player:
    name = f"{NAMES[(number - 1) % len(NAMES)]} {number}"
    return Player(name=name, folded=fold(name))


def plan_of(source: Competition) -> Plan:
    """Return the plan of the competition, with a start in the future."""
    own = {one.name for one in source._meta.concrete_fields}
    facts = {one.name: getattr(source, one.name) for one in fields(Plan) if one.name in own}
    facts |= asdict(plan_of_stages(source))
    facts |= {
        "tie_breaks": list(source.tie_breaks),
        "tables": list(source.tables.order_by("pk").values_list("name", flat=True)),
        "starts_at": _coming(source.starts_at, ZoneInfo(source.league.time_zone)),
    }
    return Plan(**facts)


def _coming(planned: datetime | None, zone: ZoneInfo) -> datetime:
    """Return the planned time, or the same time tomorrow if it is past.

    Rounds cannot be planned in the past.
    """
    now = timezone.now()
    if planned is not None and planned > now:
        return planned
    tomorrow = (now + timedelta(days=1)).astimezone(zone)
    hour = planned.astimezone(zone) if planned else tomorrow.replace(hour=START_HOUR, minute=0)
    return tomorrow.replace(hour=hour.hour, minute=hour.minute, second=0, microsecond=0)
