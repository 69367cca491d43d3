"""Protests on the page of a match, at a table and on a slip: the state that everybody may know."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.disputes.models import Dispute
from league.disputes.queries import PERSONAL, heard_among, public_rulings
from league.matches.models import Match
from league.prepared_statements import FixedSelects
from league.web.words.disputes import EFFECTS, OUTCOMES, SHORT_KINDS, STATES
from league.web.words.labels import Label

State = Dispute.State


@dataclass(frozen=True, slots=True)
class DisputeNotice:
    """A dispute as everybody may know it.

    `effect`: what it means for play, empty once it is closed; `until`: end of the hold. `line`: the line of the log
    that it is about. `unheard`: nobody is left to hear an appeal. `url`: its case; `ruling`: its public ruling, empty
    without one.
    """

    game: int
    code: str
    label: Label
    sentence: str
    effect: Any
    until: datetime | None
    line: int | None
    record: int | None
    is_open: bool
    is_ruled: bool
    appeal_until: datetime | None
    unheard: bool
    url: str
    ruling: str


def dispute_notices(match_id: int, names: Sequence[str], *, concerned: bool) -> list[DisputeNotice]:
    """Return the disputes of a match in words. `names` in the order of the sides; `concerned`: to a side or the staff.

    One statement without a ruling, else two, and four more while an appeal may be filed.
    """
    return notices_by_match({match_id: names}, concerned=concerned).get(match_id, [])


def notices_by_match(names: Mapping[int, Sequence[str]], *, concerned: bool) -> dict[int, list[DisputeNotice]]:
    """Return the same for several matches, by match."""
    shown = (DISPUTES if concerned else PUBLIC_DISPUTES).models(names)
    public, now = _public_codes(shown), timezone.now()
    heard = heard_among([one for one in shown if _appeal_until(one, now)])
    found: dict[int, list[DisputeNotice]] = {}
    for one in shown:
        found.setdefault(one.match_id, []).append(_notice(one, names[one.match_id], public, heard))
    return found


def _disputes(matches: Any) -> QuerySet[Dispute]:
    rows = Dispute.objects.filter(match__in=matches).exclude(state=State.WITHDRAWN)
    return rows.select_related("game", "match__league").order_by("-raised_at", "-pk")


DISPUTES = FixedSelects(_disputes)
PUBLIC_DISPUTES = FixedSelects(lambda matches: _disputes(matches).exclude(kind__in=PERSONAL))


def _public_codes(disputes: Sequence[Dispute]) -> frozenset[str]:
    ruled = {one.match.league for one in disputes if one.outcome}
    codes = (public_rulings(league).filter(pk__in=[one.pk for one in disputes]) for league in ruled)
    return frozenset(one for rows in codes for one in rows.prefetch_related(None).values_list("code", flat=True))


def _appeal_until(one: Dispute, now: datetime) -> datetime | None:
    """Return until when the ruling that stands may be appealed, None for never."""
    appealable = one.state == State.RULED and one.instance == 1 and one.deadline and one.deadline > now
    return one.deadline if appealable else None


def _notice(one: Dispute, names: Sequence[str], codes: Collection[str], heard: Collection[int]) -> DisputeNotice:
    ruled = one.state == State.RULED
    now = timezone.now()
    until = _appeal_until(one, now)
    return DisputeNotice(
        game=one.game.number,
        code=one.code,
        label=OUTCOMES[one.outcome] if ruled and one.outcome else STATES[one.state],
        sentence=protest_title(one, names),
        effect=EFFECTS[effect_now(one, now)] if one.is_open else "",
        until=one.hold_until if one.is_open and effect_now(one, now) == Dispute.Effect.HOLD else None,
        line=None if one.kind in PERSONAL else one.line,
        record=one.record_id,
        is_open=one.is_open,
        is_ruled=ruled,
        appeal_until=until if one.pk in heard else None,
        unheard=until is not None and one.pk not in heard,
        url=reverse("disputes:case", args=[one.code]),
        ruling=reverse("rulings:detail", args=[one.match.league.slug, one.code]) if one.code in codes else "",
    )


def names_in(match: Match) -> list[str]:
    """Return the names of the sides, in their order; of loaded rows no statement."""
    return [str(side) for side in sorted(match.sides.all(), key=lambda side: side.number)]


def effect_now(one: Dispute, now: datetime) -> str:
    """Return the effect at a moment: a hold ends at its time."""
    over = one.hold_until is not None and one.hold_until <= now
    return Dispute.Effect.PLAY_ON if over else one.effect


def protest_title(one: Dispute, names: Sequence[str]) -> str:
    """Return "Protest by Bo: muggins"; without the matter if it is conduct."""
    who = names[one.for_side - 1] if one.for_side else ""
    kind = "" if one.kind in PERSONAL else SHORT_KINDS[one.kind]
    if who and kind:
        return _("Protest by %(name)s: %(kind)s") % {"name": who, "kind": kind}
    if who:
        return _("Protest by %(name)s") % {"name": who}
    return _("Protest by an official: %(kind)s") % {"kind": kind} if kind else _("Protest by an official")
