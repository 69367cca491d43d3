"""Guest access by table code: play a side without an account."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import F, Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from league.accounts import attempts
from league.accounts.permissions import Act, Asker, check_may
from league.errors import Refused
from league.matches.locks import locked_match
from league.matches.models import Match, Record, Side
from league.matches.models.clock import ClockEvent
from league.matches.permissions import Actor, Guest
from league.matches.results.second_side import is_asked, marks_of
from league.matches.signals import answers, check_in_asked
from league.players.models import PEOPLE, Entrant
from league.players.pairs import own_entrants

# "Valid for that round": a card found in a drawer a week later opens nothing.
OPEN_FOR = timedelta(hours=24)
OPENS_BEFORE = timedelta(hours=1)


def match_by_door(door: str) -> Match:
    """Return the published match with this table code. Raises Match.DoesNotExist.

    Spaces and small letters in the code are forgiven.
    """
    seen = Match.objects.filter(published_at__isnull=False).select_related("league", "table")
    return seen.get(door="".join(door.split()).upper())


def opens_at(match: Match) -> datetime:
    """Return when guest access opens: an hour before the match, or at publication.

    A match that has begun (clock or entry) is open from its publication; the desk can open it early.
    """
    hour = match.starts_at - OPENS_BEFORE if match.starts_at else match.published_at
    if match.state != Match.State.SCHEDULED:
        return match.published_at
    return min(hour, match.door_opened_at) if match.door_opened_at else hour


def closes_at(match: Match) -> datetime:
    """Return a day after start, publication or opening by the desk, the last of them."""
    return max(one for one in (match.starts_at, match.published_at, match.door_opened_at) if one) + OPEN_FOR


def is_open(match: Match, now: datetime) -> bool:
    """Return whether guest access is open.

    A decided match does only if one device spoke for both sides. A few statements if it is decided or not due.
    """
    if match.state == Match.State.DECIDED:
        return now < closes_at(match) and is_asked(match.pk)
    if opens_at(match) <= now < closes_at(match):
        return True
    return _clock_started(match, now) or any(answers(check_in_asked, match_id=match.pk, at=now))


def _clock_started(match: Match, now: datetime) -> bool:
    """Return whether its clock was started within a day, even long after publication."""
    events = ClockEvent.objects.filter(game__match=match, at__gt=now - OPEN_FOR)
    return match.state != Match.State.SCHEDULED and events.exists()


def open_matches(mine: QuerySet[Entrant], now: datetime) -> list[Match]:
    """Return the undecided matches of these entrants whose guest access is open, with `sides`, the first hour first.

    Without those that only a clock keeps open. One statement, two if there are any.
    """
    lately = Q(starts_at__gt=now - OPEN_FOR) | Q(published_at__gt=now - OPEN_FOR) | Q(door_opened_at__gt=now - OPEN_FOR)
    rows = Match.objects.filter(lately, published_at__lte=now, set_aside_at=None)
    rows = rows.filter(pk__in=Side.objects.filter(entrant__in=mine).values("match"))
    rows = rows.filter(state__in=(Match.State.SCHEDULED, Match.State.PLAYING)).select_related("table", "league")
    sides = Prefetch("sides", Side.objects.select_related(*PEOPLE).order_by("number"))
    found = rows.prefetch_related(sides).order_by(F("starts_at").asc(nulls_last=True), "pk")
    return [one for one in found if opens_at(one) <= now < closes_at(one)]


def is_early(match: Match, now: datetime) -> bool:
    """Return whether closed guest access will open later."""
    return match.state != Match.State.DECIDED and now < closes_at(match)


def check_open(match: Match, now: datetime) -> None:
    """Raise Refused `door-early` or `door-closed` if guest access is closed."""
    if is_open(match, now):
        return
    if is_early(match, now):
        raise Refused(
            "door-early",
            _("Entry by code opens on %(when)s, or earlier once both sides are checked in. The desk can open it."),
            when=in_league_time(match, opens_at(match)),
        )
    raise Refused("door-closed", _("The code of this match is not valid any more. Ask the desk."))


def in_league_time(match: Match, moment: datetime) -> str:
    """Format day and time in the time zone of the league."""
    return date_format(timezone.localtime(moment, ZoneInfo(match.league.time_zone)), "j F Y, H:i")


@transaction.atomic
def open_door(match: Match, *, by: Asker, now: datetime | None = None) -> None:
    """Open guest access for a day from now.

    Raises NotAllowed; Refused `match-decided`.
    """
    check_may(by, Act.ENTER_RESULTS, match.league)
    locked = locked_match(match.pk)
    if locked.state == Match.State.DECIDED:
        raise Refused("match-decided", _("This match is over by now. Here is its result."))
    match.door_opened_at = now or timezone.now()
    Match.objects.filter(pk=match.pk).update(door_opened_at=match.door_opened_at)


def new_device() -> str:
    """Return a new key for a phone, kept in its session and beside its side."""
    return secrets.token_hex(16)


@transaction.atomic
def take_side(match: Match, number: int, device: str, *, now: datetime | None = None) -> Guest:
    """Bind this phone to a side. The first phone to choose a side speaks for it.

    Another phone, or a phone that has the other side already, needs the PIN (`side_by_pin`).

    Raises Refused `door-early`, `door-closed`, `no-side`, `needs-pin`.
    """
    check_open(match, now or timezone.now())
    locked_match(match.pk)
    sides = {side.number: side for side in Side.objects.filter(match=match)}
    if number not in sides:
        raise Refused("no-side", _("Choose one of the two sides."))
    side = sides[number]
    if side.device == device:
        return Guest(match.pk, number, proved=side.device_proved, device=device)
    if side.device or any(other.device == device for other in sides.values()):
        raise Refused("needs-pin", _("Another phone is here for %(side)s. Enter the PIN of their slip."), side=side)
    Side.objects.filter(pk=side.pk).update(device=device, device_proved=False)
    return Guest(match.pk, number, device=device)


def side_by_pin(
    match: Match, number: int, pin: str, *, known: str = "", now: datetime | None = None, at_any_time: bool = False
) -> Guest:
    """Return the guest of a side by the PIN of its slip, on any phone.

    `at_any_time`: as the slip itself, also while guest access is closed: for a protest and what follows it.

    Wrong PINs are counted by entrant, over all matches and phones; after twenty in a day PINs are refused. `known`: the
    phone, if it has proved itself for that entrant (`is_proved`): it has a count of its own, so that strangers do not
    lock it out. A new PIN starts a new count (`league/players/door.py`).

    Raises Refused `door-early`, `door-closed`, `no-side`, `too-many-tries`, `wrong-pin`.
    """
    if not at_any_time:
        check_open(match, now or timezone.now())
    side = Side.objects.filter(match=match, number=number).select_related(*PEOPLE).first()
    if side is None:
        raise Refused("no-side", _("Choose one of the two sides."))
    whose = (side.entrant_id, side.entrant.pin, known)
    if attempts.count(attempts.PIN, *whose):
        raise Refused(
            "too-many-tries",
            _("Too many wrong PINs for %(side)s. Use their own phone, slip or account, or get a new PIN at the desk."),
            side=side,
        )
    if not secrets.compare_digest(pin.strip().encode(), side.entrant.pin.encode()):
        raise Refused("wrong-pin", _("Wrong PIN for %(side)s. The right one is on their slip."), side=side)
    attempts.take_back(attempts.PIN, *whose)
    return Guest(match.pk, number, by_pin=True)


def side_beside(match: Match, number: int, record: Record, one: Actor, now: datetime | None = None) -> Guest:
    """Return the guest of a side at the phone that entered `record` as `one`, without a proof.

    Its word makes a result official where no proof is asked, and marks it (`Result.OneDevice.SAME`).

    Raises Refused `door-early`, `door-closed`, `no-side`; `needs-pin` if another phone is here for that side, or
    another entered the record.
    """
    check_open(match, now or timezone.now())
    side = Side.objects.filter(match=match, number=number).select_related(*PEOPLE).first()
    if side is None:
        raise Refused("no-side", _("Choose one of the two sides."))
    device, hands, _proved = marks_of(record.device)
    if not device or side.device or not entered_by(record, one):
        raise Refused("needs-pin", _("%(side)s confirms with the PIN of the slip, or on an own phone."), side=side)
    return Guest(match.pk, number, device=device, hands=hands)


def entered_by(record: Record, one: Actor) -> bool:
    """Return whether `one` entered the record, for the same side."""
    same = (record.submitted_by_id, record.for_side) == (one.user_id, one.side)
    return same and marks_of(record.device)[0] == marks_of(one.device)[0]


def is_proved(match: Match, number: int, entrant_doors: Iterable[str]) -> bool:
    """Return whether a phone proved itself for a side by one of its slips or PINs."""
    return any((guest := side_by_slip(match, door)) and guest.side == number for door in entrant_doors)


def move_here(
    match: Match,
    number: int,
    pin: str,
    device: str,
    *,
    known: str = "",
    now: datetime | None = None,
    at_any_time: bool = False,
) -> Guest:
    """Bind this phone to a side, by the PIN. Arguments and errors as of `side_by_pin`."""
    side_by_pin(match, number, pin, known=known, now=now, at_any_time=at_any_time)
    return _bind(match, number, device)


@transaction.atomic
def _bind(match: Match, number: int, device: str) -> Guest:
    locked_match(match.pk)
    Side.objects.filter(match=match, device=device).exclude(number=number).update(device="")
    Side.objects.filter(match=match, number=number).update(device=device, device_proved=True)
    return Guest(match.pk, number, proved=True, device=device)


@transaction.atomic
def leave_side(match: Match, device: str) -> None:
    """Unbind this phone, after its owner touched the wrong name."""
    locked_match(match.pk)
    Side.objects.filter(match=match, device=device).update(device="")


def guest_of(match: Match, device: str, entrant_door: str) -> Guest | None:
    """Return the guest of a phone: by its scanned slip, else by its chosen side."""
    if entrant_door and (guest := side_by_slip(match, entrant_door)):
        return guest
    if not device:
        return None
    found = Side.objects.filter(match=match, device=device).values_list("number", "device_proved").first()
    return Guest(match.pk, found[0], proved=found[1], device=device) if found else None


def side_by_slip(match: Match, entrant_door: str) -> Guest | None:
    """Return the guest by the slip scanned with this phone.

    None if its holder does not play in this match. A slip of one partner of a pair counts too.
    """
    holder = Entrant.objects.select_related("player", "league").filter(door=entrant_door).first()
    if holder is None:
        return None
    sides = Side.objects.filter(match=match, entrant__in=own_entrants(holder)).order_by("number")
    number = sides.values_list("number", flat=True).first()
    return Guest(match.pk, number, proved=True) if number else None
