"""Deliveries of calls to phones: noted in the transaction of the call, sent after it.

A row is due until it is delivered. The task and the sweep do the same, so a lost message costs half a minute at most.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from email.utils import parseaddr
from http import HTTPStatus
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import F, Prefetch, Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import time_format
from django.utils.translation import pgettext

from league.celery import send
from league.competitions.countdown import counts_down, ends_at
from league.competitions.following import names_of
from league.competitions.models import Competition, Delivery, PushSubscription
from league.competitions.push.keys import private_key
from league.competitions.push.sending import UNREACHABLE, PushMessage, post
from league.matches.models import Match, Side
from league.matches.visibility import visible_matches
from league.players.models import PEOPLE, Entrant, people_in
from league.players.permissions import hides_table, staff_leagues

log = logging.getLogger(__name__)

TASK = "competitions.push_calls"
# Of one run, all at once: with every service silent it takes four times PATIENCE_S, half of the limit of a task.
BATCH = 16
PAUSES_S = (20, 40, 80, 160)
"""Seconds until the next attempt; after the last of them there is none."""
GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE)


def note_calls(match_ids: Iterable[int], now: datetime) -> None:
    """Note the calls of these matches for every phone concerned; send them after the commit.

    Four statements at most. Requires the caller's transaction.
    """
    due = [
        Delivery(subscription_id=subscription, match_id=match, called_at=now, due_at=now)
        for match, subscription in _concerned(match_ids)
    ]
    if due:
        again = ["called_at", "due_at", "tries"]
        Delivery.objects.bulk_create(
            due, update_conflicts=True, unique_fields=["subscription", "match"], update_fields=again
        )
        transaction.on_commit(lambda: send(TASK))


def _concerned(match_ids: Iterable[int]) -> list[tuple[int, int]]:
    """Return (match, subscription) for the players' accounts and links, and for their followers. Three statements."""
    rows = Side.objects.filter(match__in=list(match_ids)).select_related("match", *PEOPLE)
    sides = [(side.match, side.entrant) for side in rows]
    people = [player for _match, entrant in sides for player in entrant.players]
    mine = Q(entrant__in=[entrant for _match, entrant in sides]) | Q(entrant__partner=None, entrant__player__in=people)
    asked = PushSubscription.objects.filter(mine | Q(user__in=[one.user_id for one in people if one.user_id]))
    subscriptions = list(asked.select_related("entrant").order_by("pk"))
    found = [(match.pk, one.pk) for match, entrant in sides for one in subscriptions if _concerns(one, match, entrant)]
    found += _of_followers(sides)
    return list(dict.fromkeys(found))  # an account may have both players of a match


def _of_followers(sides: Sequence[tuple[Match, Entrant]]) -> list[tuple[int, int]]:
    """Return (match, subscription) for the accounts that follow a player or a pair of a match. One statement."""
    matches: dict[str, list[int]] = {}
    for match, entrant in sides:
        for name in names_of(entrant):
            matches.setdefault(name, []).append(match.pk)
    rows = PushSubscription.objects.filter(user__followed__what__in=matches).order_by("pk")
    told = rows.values_list("user__followed__what", "pk")
    return [(match, subscription) for name, subscription in told for match in matches.get(name, ())]


def _concerns(subscription: PushSubscription, match: Match, entrant: Entrant) -> bool:
    """Tell whether a subscription is that of a side; as `own_entrants`, a pair's link counts for the pair alone."""
    holder = subscription.entrant
    if holder is None:
        return entrant.is_of(subscription.user_id)
    alone = not holder.is_pair and holder.league_id == match.league_id
    return holder.pk == entrant.pk or (alone and holder.player_id in people_in(entrant))


# --- Sending ---


def deliver_due() -> int:
    """Send the calls that are due; return how many arrived at their push services.

    Safe to run twice: an attempt is claimed first. No transaction is open while a service is waited for.
    """
    now = timezone.now()
    due = list(_due(now))
    claimed = [one for one in due if _claim(one, now)]
    answers = _posted(claimed, now) if claimed else []
    for one, status in zip(claimed, answers, strict=True):
        _settle(one, status, now)
    if len(due) == BATCH:
        send(TASK)
    return sum(map(_arrived, answers))


def _due(now: datetime) -> QuerySet[Delivery]:
    rows = Delivery.objects.filter(due_at__lte=now).order_by("due_at", "pk")
    of_match = ("match__table", "match__league", "match__slot__matchday__stage__competition")
    rows = rows.select_related("subscription__user", "subscription__entrant", *of_match)
    sides = Prefetch("match__sides", Side.objects.select_related(*PEOPLE).order_by("number"))
    return rows.prefetch_related(sides)[:BATCH]


def _claim(delivery: Delivery, now: datetime) -> bool:
    """Take the next attempt; False if another process has it, or if the call is over."""
    row = Delivery.objects.filter(pk=delivery.pk, called_at=delivery.called_at, tries=delivery.tries)
    if not _is_wanted(delivery, now):
        row.delete()
        return False
    delivery.tries += 1
    pause = timedelta(seconds=PAUSES_S[delivery.tries - 1])
    return row.update(tries=F("tries") + 1, due_at=now + pause) == 1


def _is_wanted(delivery: Delivery, now: datetime) -> bool:
    match, user = delivery.match, delivery.subscription.user
    same = match.called_at == delivery.called_at and delivery.tries < len(PAUSES_S)
    # A match that was set aside has no slot.
    if not same or not hasattr(match, "slot") or (user is not None and not user.is_active):
        return False
    if not counts_down(match, _competition(match), now):
        return False
    return user is None or not _follows(delivery) or visible_matches(user).filter(pk=match.pk).exists()


def _follows(delivery: Delivery) -> bool:
    """Tell whether the subscription is of an account that follows a side, and plays for none."""
    user = delivery.subscription.user_id
    return user is not None and not any(side.entrant.is_of(user) for side in delivery.match.sides.all())


def _posted(claimed: Sequence[Delivery], now: datetime) -> list[int]:
    """Send all at once; return the answers in their order. Threads without a database connection."""
    signer, contact = private_key(), _contact()
    messages = [_message(one, signer, contact, now) for one in claimed]
    with ThreadPoolExecutor(BATCH) as pool:
        return list(pool.map(_post, messages))


def _settle(delivery: Delivery, status: int, now: datetime) -> None:
    """Note an answer: arrived, no such browser any more, or to be tried again.

    A call that was noted again meanwhile stays.
    """
    row = Delivery.objects.filter(pk=delivery.pk, called_at=delivery.called_at, tries=delivery.tries)
    if status in GONE:
        PushSubscription.objects.filter(pk=delivery.subscription_id).delete()
    elif _arrived(status):
        PushSubscription.objects.filter(pk=delivery.subscription_id).update(last_ok_at=now)
        row.delete()
    elif delivery.tries >= len(PAUSES_S):
        log.warning("delivery %d of a call was given up, the push service answered %d", delivery.pk, status)
        row.delete()


def _arrived(status: int) -> bool:
    return HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES


def _post(message: PushMessage) -> int:
    """Send one; a fault of one subscription stops no other. Without its address in the log."""
    try:
        return post(message)
    except Exception as fault:
        log.warning("a call could not be sent: %s", type(fault).__name__)
        return UNREACHABLE


# --- Wording ---


def _message(delivery: Delivery, signer: str, contact: str, now: datetime) -> PushMessage:
    subscription, match = delivery.subscription, delivery.match
    ends = ends_at(match, _competition(match))
    return PushMessage(
        endpoint=subscription.endpoint,
        keys={"p256dh": subscription.p256dh, "auth": subscription.auth},
        said=_said(delivery, ends),
        ttl=max(0, int((ends - now).total_seconds())),
        topic=f"call-{match.pk}",
        signer=signer,
        contact=contact,
    )


def _said(delivery: Delivery, ends: datetime) -> Mapping[str, str]:
    match = delivery.match
    names = " – ".join(str(side.entrant) for side in match.sides.all())
    with translation.override(delivery.subscription.language or None):
        if _follows(delivery):
            return _said_to_follower(delivery, names)
        hour = time_format(timezone.localtime(ends, ZoneInfo(match.league.time_zone)), "H:i")
        return {
            "title": pgettext("call", "Table %(name)s now") % {"name": match.table} if match.table else names,
            "text": pgettext("call", "%(names)s. Be there by %(time)s.") % {"names": names, "time": hour},
            "address": _address(delivery),
            "tag": f"call-{match.pk}",
        }


def _said_to_follower(delivery: Delivery, names: str) -> Mapping[str, str]:
    """Return the call as a spectator may read it: without the table of a minor."""
    match, user = delivery.match, delivery.subscription.user or AnonymousUser()
    players = [player for side in match.sides.all() for player in side.entrant.players]
    hidden = hides_table(user, match.league_id, players, staff_leagues(user))
    table = match.table if match.table and not hidden else ""
    told = pgettext("call: for a follower", "Called to table %(name)s.") % {"name": table}
    return {
        "title": names,
        "text": told if table else pgettext("call: for a follower", "Called to the table."),
        "address": _address(delivery),
        "tag": f"call-{match.pk}",
    }


def _address(delivery: Delivery) -> str:
    """Return the page of the personal link, else of the match."""
    holder = delivery.subscription.entrant
    if holder is not None:
        return reverse("personal:me", args=[holder.door])
    return reverse("matches:detail", args=[delivery.match_id])


def _competition(match: Match) -> Competition:
    return match.slot.matchday.stage.competition


def _contact() -> str:
    """Return where push services can reach the owner of the site, as a URL."""
    host = urlsplit(settings.SITE_ADDRESS).hostname
    return f"https://{host}" if host and "." in host else f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
