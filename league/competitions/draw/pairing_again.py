"""A published round that nobody has begun is paired again from corrected results."""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.draw.forfeits import forfeit_scheduled
from league.competitions.draw.former_cards import keep_cards
from league.competitions.draw.open_pairings import pairs_of
from league.competitions.draw.publishing import missing_before, named, show
from league.competitions.draw.schedule.seating import settle
from league.competitions.draw.swiss_rounds import locked_pairs_of, pair_next
from league.competitions.locks import CALLED, TOUCHED, forget_rounds
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.errors import Refused
from league.matches.models import Game, Match


def round_after(slot: Slot) -> Matchday | None:
    """Find the published round that was paired from a slot's result, as the last of its competition. One statement."""
    day = slot.matchday
    if not day.stage.is_paired_by_round:
        return None
    days = Matchday.objects.filter(stage__competition=day.stage.competition_id).select_related("stage__competition")
    last = days.order_by("number").last()
    if last is None or last.stage_id != day.stage_id or last.number <= day.number:
        return None
    return last if last.published_at is not None else None


def reason_against(day: Matchday) -> Refused | None:
    """Give the reason against pairing a published round again, or None: `has-begun`, `results-missing`.

    Four statements at most.
    """
    if matches := list(_begun(day)):
        return Refused(
            "has-begun",
            _("%(round)s stays as it is paired, because these matches were called or have begun: %(matches)s."),
            round=day,
            matches=named(matches),
        )
    if missing := list(missing_before(day)):
        return Refused(
            "results-missing",
            _("%(round)s stays as it is paired, because confirmed results are missing before it: %(matches)s."),
            round=day,
            matches=named(missing),
        )
    return None


def _begun(day: Matchday) -> QuerySet[Slot]:
    """Select the slots whose match was called or entered, or whose players are awaited."""
    called = Match.objects.filter(CALLED, slot__matchday=day)
    touched = Game.objects.filter(TOUCHED, match__slot__matchday=day)
    awaited = Berth.objects.filter(slot__matchday=day, awaited_since__isnull=False)
    begun = Q(match__in=called) | Q(match__in=touched.values("match")) | Q(pk__in=awaited.values("slot"))
    return Slot.objects.filter(begun, matchday=day).select_related("matchday").order_by("number")


def pair_again(day: Matchday, *, user: User, at: datetime) -> Matchday:
    """Pair a published round again from the official results, and publish it in the same place.

    Boards keep their tables and hours, locked pairs stay, and printed codes answer with the new tables. The caller
    holds the lock of the competition, and calls the dispatcher afterwards.

    Raises Refused as `reason_against`, and `no-pairing`.
    """
    competition: Competition = day.stage.competition
    # Entries, clocks and pads lock the match first: nothing begins between the question and the answer.
    list(Match.objects.select_for_update().filter(slot__matchday=day).order_by("pk").values_list("pk", flat=True))
    if refusal := reason_against(day):
        raise refusal
    before = list(Slot.objects.filter(matchday=day).select_related("match", "table", "matchday__stage"))
    pairs, locks = set(pairs_of(day).values()), locked_pairs_of(day)
    keep_cards(competition, before)
    forget_rounds(competition, Matchday.objects.filter(pk=day.pk))
    new = pair_next(competition, day.stage, locked_pairs=locks, printed=True)
    _as_announced(new, day)
    show(Matchday.objects.filter(pk=new.pk), user, at)
    slots = _on_the_same_boards(new, before)
    settle(competition, slots)
    others = [slot for slot, pair in pairs_of(new).items() if pair not in pairs]
    Slot.objects.filter(pk__in=others).update(changed_at=at)
    forfeit_scheduled(competition, slots)
    return new


def _as_announced(new: Matchday, day: Matchday) -> None:
    """Keep the name and the remarks of the round; its sheets have the next version."""
    Matchday.objects.filter(pk=new.pk).update(
        name=day.name,
        version=day.version + 1,
        missing_before=day.missing_before,
        missing_rounds=day.missing_rounds,
        reason=day.reason,
    )


def _on_the_same_boards(new: Matchday, before: Sequence[Slot]) -> list[Slot]:
    """Give each board of the round its table and hour; return the matches of the round."""
    boards = {slot.number: slot for slot in before if slot.match_id}
    slots = list(Slot.objects.filter(matchday=new, match__isnull=False).select_related("matchday", "match"))
    for slot in slots:
        if board := boards.get(slot.number):
            slot.table, slot.starts_at, slot.for_stream = board.table, board.starts_at, board.for_stream
            Match.objects.filter(slot=slot.pk).update(table=board.table, starts_at=board.starts_at)
    Slot.objects.bulk_update(slots, ["table", "starts_at", "for_stream"])
    return slots
