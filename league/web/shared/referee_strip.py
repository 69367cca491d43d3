"""Line about the call for the referee on other pages of a match."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils import timezone

from league.disputes.calls.permissions import why_not_answer, why_not_call
from league.disputes.calls.queries import calls_of, current_of, last_call, public_rulings
from league.disputes.models import RefereeCall
from league.matches.models import Match
from league.matches.permissions import Actor
from league.web.words.referee_calls import ruling_words, state_words


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereeStrip:
    """State of the call in words, "" without one, and the address to call or to answer, "" for spectators.

    `rulings`: rulings at the table of this match, with the name of the official.
    """

    words: str = ""
    address: str = ""
    answers: bool = False
    rulings: Sequence[tuple[str, str]] = ()


def strip_for(one: Actor, match: Match, names: Sequence[str]) -> RefereeStrip:
    """Return the line for the match page: the call for those who may call, and rulings for everybody.

    Rulings of a match with a minor are for those who may call. The sides of the match are loaded.
    """
    calls, now = calls_of(match.pk), timezone.now()
    involved = one.user_id is not None and why_not_call(one) is None
    minors = any(side.entrant.is_minor for side in match.sides.all())
    rulings = rulings_in_words(calls, names) if involved or not minors else []
    if not involved or match.state == Match.State.DECIDED or match.published_at is None:
        return RefereeStrip(rulings=rulings)
    call = current_of(calls, now)
    answers = call is not None and call.ended_at is None and why_not_answer(one) is None
    address = reverse("matches:referee", args=[match.pk])
    if answers:
        address = reverse("matches:referee_call", args=[match.pk, call.pk])
    return RefereeStrip(words=call_words(call, now), address=address, answers=answers, rulings=rulings)


def strip_at_table(match: Match) -> RefereeStrip:
    """Return the line for a phone with the code of the card."""
    if match.state == Match.State.DECIDED:
        return RefereeStrip()
    now = timezone.now()
    return RefereeStrip(
        words=call_words(last_call(match.pk, now), now), address=reverse("table:referee", args=[match.door])
    )


def call_words(call: RefereeCall | None, now: datetime) -> str:
    """Return the state of the last call, "" without one."""
    return "" if call is None else state_words(call, now)


def rulings_in_words(calls: Sequence[RefereeCall], names: Sequence[str]) -> list[tuple[str, str]]:
    return [(ruling_words(one, names), str(one.ended_by)) for one in public_rulings(calls)]
