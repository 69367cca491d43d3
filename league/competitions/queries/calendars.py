"""Calendars (iCalendar, RFC 5545) of competitions, seasons, leagues, players.

Also of tables. They contain public facts only. A minor has no public calendar, and a table's calendar omits open
matches of minors: a feed must not reveal where a child will sit. The minor's own calendar is behind the personal link.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext, pgettext

from league.accounts.folding import clean_words
from league.accounts.models import League
from league.competitions.models import Berth, Competition, Season, Slot
from league.competitions.visibility import refuse_if_cancelled
from league.matches.models import KnownBy, Match, Result, Table
from league.matches.visibility import visible_matches, visible_players
from league.players.models import PEOPLE, Entrant, Player, plays
from league.players.pairs import own_entrants

if TYPE_CHECKING:  # imported at use, for a faster start of a site
    from icalendar import Event

OUTSIDER = AnonymousUser()
# A calendar program asks again after this time at the earliest.
REFRESH = "PT15M"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """Limits of a feed: age of past matches, and number of matches.

    `most` limits the matches of competitions, and by the same number all others.
    """

    remembered: timedelta
    most: int


LATELY = Bound(remembered=timedelta(days=366), most=2_000)
# A competition has an end, however long ago: only its size is bounded.
WHOLE = Bound(remembered=timedelta(days=36_525), most=2_000)
# A league has no end: its feed goes back a month.
OF_LEAGUE = Bound(remembered=timedelta(days=31), most=1_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """A match with an hour.

    `uid` never changes; `changed_at`: the last known change, `sequence` grows with it. `called_off`: forfeited, so it
    is not played. `not_needed`: not played either (a second final without a first loss).
    """

    uid: str
    names: Sequence[str]
    place: str
    table: str
    starts_at: datetime
    minutes: int
    zone: str
    changed_at: datetime
    sequence: int
    called_off: bool = False
    not_needed: bool = False
    match_id: int | None = None


@dataclass(frozen=True, slots=True)
class Feed:
    """A calendar. `name`: its title; `zone`: of its league."""

    name: str
    zone: str
    events: Sequence[Fixed]

    @property
    def changed_at(self) -> datetime | None:
        return max((one.changed_at for one in self.events), default=None)


# --- Matches of a feed ---


def competition_feed(league_slug: str, slug: str, now: datetime) -> Feed:
    """Calendar of a published competition. Raises Competition.DoesNotExist, Cancelled."""
    published = Competition.objects.filter(published_at__isnull=False).select_related("league")
    competition = refuse_if_cancelled(published.get(league__slug=league_slug, slug=slug))
    slots = _shown_slots().filter(matchday__stage__competition=competition)
    return Feed(competition.name, competition.league.time_zone, _in_order(_near_slots(slots, now, WHOLE)))


def season_feed(league_slug: str, slug: str, now: datetime) -> Feed:
    """Calendar of a published season: all divisions and play-offs.

    Raises Season.DoesNotExist.
    """
    published = Season.objects.filter(published_at__isnull=False).select_related("league")
    season = published.get(league__slug=league_slug, slug=slug)
    competitions = Competition.objects.filter(Q(division__season=season) | Q(play_off__upper__season=season))
    slots = _shown_slots().filter(matchday__stage__competition__in=competitions)
    return Feed(season.name, season.league.time_zone, _in_order(_near_slots(slots, now, LATELY)))


def league_feed(slug: str, now: datetime) -> Feed:
    """Calendar of everything published in a league. Raises League.DoesNotExist."""
    league = League.objects.get(slug=slug)
    slots = _shown_slots().filter(matchday__stage__competition__league=league)
    matches = _shown_matches().filter(league=league)
    return Feed(league.name, league.time_zone, _near(slots, matches, now, OF_LEAGUE))


def player_feed(code: str, now: datetime) -> Feed:
    """Calendar of a public player. Raises Player.DoesNotExist, also for a minor."""
    player = visible_players(OUTSIDER).exclude(name="").get(code=code.strip().upper())
    if player.is_minor:
        raise Player.DoesNotExist
    mine = Entrant.objects.filter(plays(player))
    slots = _shown_slots().filter(berths__entrant__in=mine)
    matches = _shown_matches().filter(sides__entrant__in=mine)
    zone = League.objects.filter(entrants__player=player).order_by("pk").values_list("time_zone", flat=True).first()
    return Feed(str(player), zone or "UTC", _near(slots, matches, now, LATELY))


def entrant_feed(entrant: Entrant, now: datetime) -> Feed:
    """Calendar for the personal link: a minor's too, with the tables."""
    mine = own_entrants(entrant)
    slots = _shown_slots().filter(berths__entrant__in=mine)
    matches = _shown_matches().filter(sides__entrant__in=mine)
    events = _near(slots, matches, now, LATELY, own=True)
    return Feed(f"{entrant} – {entrant.league}", entrant.league.time_zone, events)


def table_feed(table: Table, now: datetime) -> Feed:
    """Calendar of a table, without the open matches of minors."""
    slots = _shown_slots().filter(table=table)
    matches = _shown_matches().filter(table=table)
    events = [one for one in _near(slots, matches, now, LATELY) if one.table]
    name = pgettext("furniture", "Table %(name)s") % {"name": table.name}
    return Feed(f"{name} – {table.league}", table.league.time_zone, events)


def _near(
    slots: QuerySet[Slot], matches: QuerySet[Match], now: datetime, bound: Bound, *, own: bool = False
) -> list[Fixed]:
    return _in_order(_near_slots(slots, now, bound, own=own) + _near_matches(matches, now, bound, own=own))


def _near_slots(slots: QuerySet[Slot], now: datetime, bound: Bound, *, own: bool = False) -> list[Fixed]:
    keys = _nearest(slots.annotate(at=Coalesce("match__starts_at", "starts_at")), now, bound)
    return _events(Slot.objects.filter(pk__in=keys), own=own)


def _near_matches(matches: QuerySet[Match], now: datetime, bound: Bound, *, own: bool = False) -> list[Fixed]:
    keys = _nearest(matches.annotate(at=F("starts_at")), now, bound)
    return _loose(Match.objects.filter(pk__in=keys), own=own)


def _nearest(rows: QuerySet[Any], now: datetime, bound: Bound) -> list[int]:
    """Keys of the rows nearest to `now` by their hour `at`.

    Upcoming rows first, the next first; then past rows, the latest first. Two statements.
    """
    rows = rows.distinct()
    coming = rows.filter(at__gte=now).order_by("at", "pk").values_list("pk", flat=True)
    found = list(coming[: bound.most])
    over = rows.filter(at__lt=now, at__gt=now - bound.remembered).order_by("-at", "-pk")
    return found + list(over.values_list("pk", flat=True)[: bound.most - len(found)])


def _in_order(events: Iterable[Fixed]) -> list[Fixed]:
    return sorted(events, key=lambda one: (one.starts_at, one.uid))


def _shown_slots() -> QuerySet[Slot]:
    """Slots with an hour, of published rounds."""
    return Slot.objects.filter(
        matchday__published_at__isnull=False,
        matchday__stage__competition__published_at__isnull=False,
        starts_at__isnull=False,
    )


def _shown_matches() -> QuerySet[Match]:
    """Published matches with an hour, outside of competitions."""
    return visible_matches(OUTSIDER).filter(slot=None, starts_at__isnull=False)


# --- Events ---


def _events(slots: QuerySet[Slot], *, own: bool = False) -> list[Fixed]:
    """Calendar entries of slots. Three statements for any number of slots."""
    rows = list(
        slots.select_related("matchday__stage__competition__league", "table", "match__table").order_by(
            "starts_at", "pk"
        )
    )
    berths: dict[int, list[Berth]] = {}
    known = Berth.objects.filter(slot__in=slots.values("pk")).select_related(*PEOPLE)
    for berth in known.order_by("slot", "number"):
        berths.setdefault(berth.slot_id, []).append(berth)
    off = _called_off([slot.match_id for slot in rows if slot.match_id])
    return [_of_slot(slot, berths[slot.pk], off, own=own) for slot in rows if len(berths.get(slot.pk, ())) > 1]


def _of_slot(slot: Slot, berths: Sequence[Berth], off: frozenset[int], *, own: bool) -> Fixed:
    competition = slot.matchday.stage.competition
    match, published = slot.match, slot.matchday.published_at
    table = match.table if match else slot.table
    known = [berth.entrant for berth in berths if berth.entrant]
    changed = max(filter(None, (slot.changed_at, published)))
    called_off = slot.match_id in off
    return Fixed(
        uid=f"slot-{slot.pk}",
        names=[str(berth.entrant) if berth.entrant else pgettext("opponent", "not known yet") for berth in berths],
        place=f"{competition}, {slot.matchday}",
        table=table.name if table and (own or not _conceals(known, match)) else "",
        starts_at=(match.starts_at if match else None) or slot.starts_at,
        minutes=competition.minutes,
        zone=competition.league.time_zone,
        changed_at=changed,
        # A second later is a higher number; a newly known entrant and a forfeit count as changes too.
        sequence=4 * int((changed - published).total_seconds()) + len(known) + (called_off or slot.not_needed),
        called_off=called_off,
        not_needed=slot.not_needed,
        match_id=slot.match_id,
    )


def _loose(matches: QuerySet[Match], *, own: bool = False) -> list[Fixed]:
    """Calendar entries of matches outside of competitions. Three statements."""
    rows = list(
        matches.select_related("league", "table")
        .prefetch_related("sides__entrant__player", "sides__entrant__partner")
        .order_by("pk")
    )
    off = _called_off([match.pk for match in rows])
    return [_of_match(match, off, own=own) for match in rows]


def _of_match(match: Match, off: frozenset[int], *, own: bool) -> Fixed:
    known = [side.entrant for side in match.sides.all()]
    return Fixed(
        uid=f"match-{match.pk}",
        names=[str(entrant) for entrant in known],
        place=str(match.league),
        table=match.table.name if match.table and (own or not _conceals(known, match)) else "",
        starts_at=match.starts_at,
        minutes=30,
        zone=match.league.time_zone,
        changed_at=match.published_at,
        sequence=int(match.pk in off),
        called_off=match.pk in off,
        match_id=match.pk,
    )


def _conceals(entrants: Iterable[Entrant], match: Match | None) -> bool:
    """Tell whether an outsider must not see the table.

    As in `players.permissions.hides_table`.
    """
    is_open = match is None or match.state != Match.State.DECIDED
    return is_open and any(entrant.is_minor for entrant in entrants)


def _called_off(matches: Sequence[int]) -> frozenset[int]:
    """Forfeited matches: all of their results are rulings of a forfeit.

    One statement.
    """
    results = Result.objects.filter(game__match__in=matches, current=True) if matches else Result.objects.none()
    seen: dict[int, bool] = {}
    for match, known_by, ended in results.values_list("game__match", "known_by", "ended"):
        seen[match] = seen.get(match, True) and known_by == KnownBy.RULED and ended == "forfeit"
    return frozenset(match for match, forfeited in seen.items() if forfeited)


# --- Text ---


def to_ical(feed: Feed, *, host: str, root: str) -> bytes:
    """Return the calendar as a file.

    `host`: behind the @ of every UID; `root`: the address of the site, `https://example.org`.
    """
    from icalendar import Calendar, vText

    calendar = Calendar()
    calendar.add("prodid", "-//Domino League//EN")
    calendar.add("version", "2.0")
    calendar.add("calscale", "GREGORIAN")
    # Not a property of the standard: the library does not escape line breaks in it.
    calendar.add("x-wr-calname", clean_words(feed.name))
    calendar.add("x-wr-timezone", feed.zone)
    calendar.add("refresh-interval", vText(REFRESH), parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", REFRESH)
    for one in feed.events:
        calendar.add_component(_event(one, host, root))
    if feed.events:
        calendar.add_missing_timezones()
    written: bytes = calendar.to_ical()
    return written


def _event(one: Fixed, host: str, root: str) -> "Event":
    from icalendar import Event

    starts = one.starts_at.astimezone(ZoneInfo(one.zone))
    event = Event()
    event.add("uid", f"{one.uid}@{host}")
    event.add("summary", " – ".join(map(clean_words, one.names)) or one.place)
    event.add("dtstart", starts)
    # Added to the moment: on the night of a clock change an hour stays an hour.
    event.add("dtend", (one.starts_at.astimezone(UTC) + timedelta(minutes=one.minutes)).astimezone(ZoneInfo(one.zone)))
    event.add("dtstamp", one.changed_at.astimezone(UTC))
    event.add("last-modified", one.changed_at.astimezone(UTC))
    event.add("sequence", one.sequence)
    event.add("status", "CANCELLED" if one.called_off or one.not_needed else "CONFIRMED")
    event.add("description", _description(one))
    if one.table:
        event.add("location", pgettext("furniture", "Table %(name)s") % {"name": one.table})
    if one.match_id is not None:
        event.add("url", f"{root}/matches/{one.match_id}/")
    return event


def _description(one: Fixed) -> str:
    if one.called_off:
        return f"{one.place}\n{gettext('Forfeited: it is not played.')}"
    return f"{one.place}\n{gettext('Not needed: it is not played.')}" if one.not_needed else one.place
