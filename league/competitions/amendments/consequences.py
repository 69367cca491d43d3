"""Consequences of an amended result: berths of a bracket, and the next knock-out."""

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from league.competitions.draw.advancing import schedule, without_match
from league.competitions.draw.finishing import finish
from league.competitions.draw.qualifying import GoingOn, drawn_berths, going_on
from league.competitions.draw.schedule.rescheduling import play_again
from league.competitions.draw.schedule.seating import note_change
from league.competitions.locks import has_begun, unschedule
from league.competitions.models import Berth, Competition, Slot, Stage, StageEntry
from league.competitions.official_results import winners_and_losers
from league.competitions.task_queue import honours_due, rate_after_commit
from league.errors import Refused
from league.matches import amendments
from league.matches.clock import services as timekeeping
from league.matches.locks import locked_match
from league.matches.models import Amendment


def choose(matches: list[str]) -> Refused:
    return Refused(
        "choose-later",
        _("Matches that rest on this result have begun: %(matches)s. Choose whether they stand as played or are void."),
        matches="; ".join(matches),
    )


def choose_drawn(matches: Sequence[str]) -> Refused:
    return Refused(
        "choose-later",
        _(
            "Others would go on to the knock-out, which is published: %(matches)s. Choose whether it stands as it was "
            "drawn, or is void where others would play."
        ),
        matches="; ".join(matches),
    )


def _due(berth: Berth, end: tuple[int, int] | None, *, second: bool) -> int | None:
    """Return the entrant due in a berth.

    None in a conditional match unless the `second` entrant won.
    """
    if end is None or (berth.slot.conditional and not second):
        return None
    return end[0 if berth.takes == Berth.Takes.WINNER else 1]


class Following:
    """Consequences of an amended result.

    One object for each amendment, made before the result changes: it remembers the entrants that would go on by then.
    """

    def __init__(self, slot: Slot, amendment: Amendment, at: datetime) -> None:
        self.slot = slot
        self.amendment = amendment
        self.at = at
        self.before = going_on(slot.matchday.stage)
        self.touched: set[int] = set()
        self.stages: set[int] = set()

    def follow(self) -> None:
        slot = self.slot
        competition: Competition = slot.matchday.stage.competition
        end = winners_and_losers([slot.match_id]).get(slot.match_id)
        self.stages.add(slot.matchday.stage_id)
        self._send(slot, end)
        if self.before:
            self._go_on(self.before, going_on(slot.matchday.stage))
        play_again(competition, without_match().filter(pk__in=self.touched))
        schedule(competition, without_match().filter(pk__in=self.touched))
        note_change(Slot.objects.filter(pk__in=self.touched).select_related("matchday"))
        for stage in Stage.objects.filter(pk__in=self.stages):
            _finish_anew(stage)

    def _go_on(self, before: GoingOn, now: GoingOn | None) -> None:
        """Update the published knock-out that the standings lead to.

        Raises Refused `choose-later`.
        """
        if now is None or now.entrants == before.entrants:
            return
        others = now.others()
        if others and self.amendment.later not in Amendment.Later.values:
            raise choose_drawn(list(dict.fromkeys(str(berth.slot.matchday) for berth in others)))
        if self.amendment.later == Amendment.Later.VOID:
            self._bring(now, others)
            others = []
        marked = {berth.pk for berth in others}
        for berth in drawn_berths(now.stage):
            berth.stands_although = self.amendment if berth.pk in marked else None
            berth.save(update_fields=["stands_although"])

    def _bring(self, now: GoingOn, others: Sequence[Berth]) -> None:
        """Put each entrant that goes on into its seed's place in the draw."""
        for berth in others:
            self._clear(berth.slot)
            berth.entrant_id = now.instead(berth.entrant_id)
            berth.save(update_fields=["entrant"])
            self.touched.add(berth.slot_id)
            if berth.slot.berths.count() == 1:  # a bye has no loser
                self._send(berth.slot, (berth.entrant_id, berth.entrant_id))
        now.stage.entries.all().delete()
        StageEntry.objects.bulk_create(
            StageEntry(stage=now.stage, entrant_id=one.entrant, seed=seed, place=one.place, group=one.group)
            for seed, one in now.due.items()
        )
        self.stages.add(now.stage.pk)

    def _send(self, slot: Slot, end: tuple[int, int] | None) -> None:
        """Send winner and loser of a slot to their berths; empty them if it has no result.

        All of them or none: if the winner stays in a final that has begun, the loser must not come into the match for
        third place as well.
        """
        rows = slot.leads_to.select_related("slot__match", "slot__matchday")
        berths = list(rows.order_by("slot__matchday__number", "slot__number", "number"))
        second = end is not None and slot.berths.filter(number=2, entrant=end[0]).exists()
        wanted = {one.pk: _due(one, end, second=second) for one in berths}
        differ = [one for one in berths if one.entrant_id != wanted[one.pk]]
        stand = self._stand(differ)
        if not stand:
            conditional = Slot.objects.filter(conditional=True, berths__in=berths)
            conditional.update(not_needed=end is not None and not second)
        for one in berths:
            if one not in differ:
                one.stands_although = None
            elif stand:
                one.stands_although = self.amendment
            else:
                self._clear(one.slot)
                one.entrant_id, one.stands_although = wanted[one.pk], None
                self.touched.add(one.slot_id)
                self.stages.add(one.slot.matchday.stage_id)
            one.save(update_fields=["entrant", "stands_although"])

    def _stand(self, berths: Sequence[Berth]) -> bool:
        """Whether entrants sent by the earlier result stay because their match has begun.

        Raises Refused `choose-later`.
        """
        begun = [one.slot for one in berths if one.slot.match_id and has_begun(locked_match(one.slot.match_id))]
        if begun and self.amendment.later not in Amendment.Later.values:
            raise choose([str(slot.matchday) for slot in begun])
        return bool(begun) and self.amendment.later == Amendment.Later.STAND

    def _clear(self, slot: Slot) -> None:
        """Clear a slot for other entrants.

        A match that has not begun is removed; a begun match is void, and so are its consequences.
        """
        slot.refresh_from_db(fields=["match"])
        if slot.match_id is None:
            return
        match = locked_match(slot.match_id)
        if not has_begun(match):
            unschedule(match)
            return
        self._send(slot, None)
        for game in match.games.all():
            timekeeping.stop_at_result(game.pk, self.at)
        amendments.void(match, self.amendment, self.at)
        rate_after_commit(match.pk)
        Slot.objects.filter(pk=slot.pk).update(match=None)


def _finish_anew(stage: Stage) -> None:
    """Update the end of a stage: unfinished, or finished at the same hour as before.

    A ladder ends only when an organizer closes it.
    """
    if stage.is_ladder:
        honours_due(stage.competition_id)
        return
    before = stage.finished_at
    Stage.objects.filter(pk=stage.pk).update(finished_at=None)
    stage.finished_at = None
    if finish(stage) and before is not None:
        Stage.objects.filter(pk=stage.pk).update(finished_at=before)
