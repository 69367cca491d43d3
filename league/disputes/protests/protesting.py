"""Protests: whether the rules still allow one, and filing it."""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.wording.base import Sentence
from league.competitions.locks import has_begun
from league.competitions.models import Slot
from league.disputes.case_file import LogCase, case_of
from league.disputes.court_rules import rules_of_court
from league.disputes.entries import append
from league.disputes.finals import is_before_final
from league.disputes.models import CourtRules, Dispute, DisputeEntry
from league.disputes.models.dispute import OPEN
from league.disputes.permissions import why_not_file
from league.disputes.shared_records import has_confirmed
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.locks import locked_match
from league.matches.logs.unfinished import cut_text, is_held, may_be_unfinished
from league.matches.models import Game, KnownBy, Match, Record, Result, Side

LONGEST_SENTENCE = 280
DISMISSED_BEFORE_DESK = 2
Kind, Via = Dispute.Kind, Dispute.Via
OF_A_PLAY = frozenset({Kind.COUNT, Kind.MUGGINS, Kind.MISPLAY, Kind.DRAW, Kind.CATCH, Kind.CHALLENGE, Kind.CLOCK})
"""Matters of one line of a log, of the last one without a line."""
# These outlive a settled hand and the confirmation of a side.
OUTLIVE = frozenset({Kind.FRAUD, Kind.IDENTITY})


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """The matter of a protest and its place.

    `line` of a log, and `filed_line`, the last line before the protest at the table; or `hand` and `column` (`play`,
    `muggins`, `penalties`, `bonus`) of a card. `number`: the points that were announced according to the protest, or
    that the column should have; `against`: the side of a catch, or with the points of the column. `miswritten`: the
    record has an error of writing.
    """

    kind: Dispute.Kind
    line: int | None = None
    filed_line: int | None = None
    hand: int | None = None
    column: str = ""
    number: int | None = None
    against: int | None = None
    miswritten: bool = False

    @property
    def outlives(self) -> bool:
        return self.kind in OUTLIVE or self.miswritten


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The first answer to a protest that is allowed: the reason as a sentence of the referee, and the rule's id.

    Both empty where there is no log to ask.
    """

    reason: Sentence | None = None
    rule: str = ""


def first_answer(
    game: Game,
    who: permissions.Visitor,
    point: Point,
    *,
    record: Record | None = None,
    side: int | None = None,
    at: datetime | None = None,
) -> FirstAnswer:
    """Return why a protest is allowed; nothing is stored. Raises Refused as `protest` does."""
    match = Match.objects.select_related("league").get(pk=game.match_id)
    one = permissions.actor(who, match)
    dispute = _drafted(game, match, one, who, point, record, side, at or timezone.now())
    return _admitted(dispute, point, one)


@transaction.atomic
def protest(
    game: Game,
    who: permissions.Visitor,
    point: Point,
    sentence: str,
    *,
    record: Record | None = None,
    side: int | None = None,
    at: datetime | None = None,
) -> Dispute:
    """File a protest; it joins the open one of the match, if there is one.

    By a player of the match with account, slip or PIN, by an official, or by the desk in the name of `side`. `record`:
    the log, card or tally of the line or hand; without it that of the current result.

    Raises NotAllowed `sign-in`, `not-your-match`, `no-permission`, `needs-proof`; Refused `no-sentence`,
    `long-sentence`, `no-such-line`, `no-such-hand`, `not-admitted` (facts `reason`, `rule`), `confirmed-by-side`,
    `too-late`, `through-the-desk`, `not-published`, `not-begun`. Then nothing is stored.
    """
    at = at or timezone.now()
    words = checked_sentence(sentence)
    match = Match.objects.select_related("league").get(pk=game.match_id)
    one = permissions.actor(who, match)
    locked_match(match.pk)
    dispute = _drafted(game, match, one, who, point, record, side, at)
    _admitted(dispute, point, one)
    said = {**asdict(point), "record": dispute.record_id}
    opened = Dispute.objects.select_related("game", "match").filter(match=match, state__in=OPEN, instance=1).first()
    if opened is not None:
        kind, acting = DisputeEntry.Kind.JOINED, dispute.for_side
        append(opened, kind, said, by=one.user_id, side=acting, at=at, text=words)
        return opened
    rules = rules_of_court(match.league_id)
    dispute.hold_until = None if is_before_final(match.pk) else at + timedelta(minutes=rules.hold_minutes)
    dispute.save(force_insert=True)
    said |= {"via": dispute.via, "until": dispute.hold_until and dispute.hold_until.isoformat()}
    append(dispute, DisputeEntry.Kind.FILED, said, by=one.user_id, side=dispute.for_side, at=at, text=words)
    return dispute


def checked_sentence(sentence: str) -> str:
    """Return the words in one line. Raises Refused `no-sentence`, `long-sentence`."""
    plain = " ".join(sentence.replace("\0", "").split())
    if not plain:
        raise Refused("no-sentence", _("Say in a few words what is wrong."))
    if len(plain) > LONGEST_SENTENCE:
        raise Refused("long-sentence", _("At most %(longest)d characters."), longest=LONGEST_SENTENCE)
    return plain


def _drafted(
    game: Game,
    match: Match,
    one: permissions.Actor,
    who: permissions.Visitor,
    point: Point,
    record: Record | None,
    side: int | None,
    at: datetime,
) -> Dispute:
    if refusal := why_not_file(one, side):
        raise refusal
    if isinstance(who, permissions.Guest) and not who.is_proved:
        raise NotAllowed("needs-proof", _("A protest needs your slip, its PIN or your account."))
    if match.published_at is None:
        raise Refused("not-published", _("This match is a draft."))
    # Until then its draw may be taken back, and the match with it.
    if match.state != Match.State.DECIDED and not has_begun(match):
        raise Refused("not-begun", _("This match has not begun. Call the referee."))
    numbers = set(Side.objects.filter(match=match).values_list("number", flat=True))
    if {one for one in (side, point.against) if one is not None} - numbers:
        raise Refused("no-side", _("Choose one of the two sides."))
    dispute = Dispute(
        match=match,
        game=game,
        record=record or _record_now(game),
        for_side=one.side or side,
        raised_by_id=one.user_id,
        via=_via(one, who, side),
        raised_at=at,
        **asdict(point),
    )
    if dispute.record is not None and dispute.record.game_id != game.pk:
        raise Refused("no-record", _("This record is of another game."))
    if dispute.record is not None and _is_hidden(dispute.record, point, match, one):
        raise _no_place(dispute, point)
    return dispute


def _is_hidden(record: Record, point: Point, match: Match, one: permissions.Actor) -> bool:
    """Return whether the place lies in the part of an unfinished log that the asker may not read.

    The answer to a protest about it would tell its open claims.
    """
    if not may_be_unfinished(record) or (point.line is None and point.kind not in OF_A_PLAY):
        return False
    current = Result.objects.filter(game=record.game_id, current=True).select_related("record").first()
    text = record.sealed.text
    held = is_held(record, text, current, match, one)
    return held and (point.line is None or point.line > len(cut_text(text).splitlines()))


def _record_now(game: Game) -> Record | None:
    current = Result.objects.filter(game=game, current=True)
    found = current.select_related("record__sealed", "record__score_sheet").first()
    return found.record if found else None


def _via(one: permissions.Actor, who: permissions.Visitor, side: int | None) -> str:
    if isinstance(who, permissions.Guest):
        return Via.PIN if who.by_pin else Via.SLIP
    if one.plays:
        return Via.ACCOUNT
    return Via.DESK if side is not None else Via.OFFICIAL


# --- The first answer


def _admitted(dispute: Dispute, point: Point, one: permissions.Actor) -> FirstAnswer:
    rules = rules_of_court(dispute.match.league_id)
    answer = _by_the_rules(dispute, point, rules)
    if one.plays:
        _refuse_unless_in_time(dispute, point, rules)
        _refuse_after_dismissed(dispute)
    return answer


def _by_the_rules(dispute: Dispute, point: Point, rules: CourtRules) -> FirstAnswer:
    try:
        case = case_of(dispute, rules)
    except ValueError:
        raise _no_place(dispute, point) from None
    if not isinstance(case, LogCase):
        if point.line is not None:
            raise _no_place(dispute, point)
        return FirstAnswer()
    found = case.proposal.admission
    if not found.allowed:
        raise Refused(
            "not-admitted",
            _("The rules do not allow this protest any more: %(reason)s."),
            reason=found.reason.text,
            sentence=found.reason,
            rule=found.rule.id,
        )
    return FirstAnswer(found.reason, found.rule.id)


def _no_place(dispute: Dispute, point: Point) -> Refused:
    if dispute.record is not None and dispute.record.kind != KnownBy.LOG:
        return Refused("no-such-hand", _("The card has no such hand, or no such points in it."))
    return Refused("no-such-line", _("Line %(line)s has no move of this game."), line=point.line or 0)


def _refuse_unless_in_time(dispute: Dispute, point: Point, rules: CourtRules) -> None:
    """Refuse a side that has confirmed the result, or saw it too long ago."""
    current = Result.objects.filter(game=dispute.game_id, current=True).select_related("record").first()
    if current is None or point.outlives:
        return
    if has_confirmed(current, dispute.for_side):
        raise Refused("confirmed-by-side", _("Your side has confirmed this result, so a protest comes too late."))
    if _first_raised(dispute) > protest_until(current, dispute.match, rules):
        minutes = limit(dispute.match, rules)
        raise Refused(
            "too-late", _("A protest comes within %(minutes)d minutes after the result was shown."), minutes=minutes
        )


def _first_raised(dispute: Dispute) -> datetime:
    """Return when the side raised this: a protest that joined a case about another game was not decided with it."""
    joined = DisputeEntry.objects.filter(
        kind=DisputeEntry.Kind.JOINED, dispute__match=dispute.match_id, for_side=dispute.for_side
    ).exclude(dispute__game=dispute.game_id)
    mine = [one.at for one in joined.order_by("pk") if one.data["record"] == dispute.record_id]
    return min(mine, default=dispute.raised_at)


def limit(match: Match, rules: CourtRules) -> int:
    """Return the minutes for a protest: less in a hall, where a match has a table."""
    return rules.minutes_in_hall if match.table_id else rules.minutes_elsewhere


def protest_until(result: Result, match: Match, rules: CourtRules) -> datetime:
    """Return until when a side may protest that has not confirmed the result."""
    return result.entered_at + timedelta(minutes=limit(match, rules))


def _refuse_after_dismissed(dispute: Dispute) -> None:
    """Refuse a side with two dismissed protests in this competition: the desk files the next one."""
    slots = Slot.objects.filter(match=dispute.match_id)
    competition = slots.values_list("matchday__stage__competition", flat=True).first()
    side = Side.objects.filter(match=dispute.match_id, number=dispute.for_side or 0).first()
    if competition is None or side is None:
        return
    same = Dispute.objects.filter(
        outcome=Dispute.Outcome.DISMISSED,
        match__slot__matchday__stage__competition=competition,
        match__sides__entrant=side.entrant_id,
    ).exclude(for_side=None)
    mine = [one for one in same.prefetch_related("match__sides").distinct() if _is_of(one, side.entrant_id)]
    if len(mine) >= DISMISSED_BEFORE_DESK:
        raise Refused(
            "through-the-desk", _("Two of your protests were dismissed in this competition. The desk files the next.")
        )


def _is_of(dispute: Dispute, entrant: int) -> bool:
    return any(side.number == dispute.for_side and side.entrant_id == entrant for side in dispute.match.sides.all())
