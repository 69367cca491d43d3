"""Draws of the stages: the first, later rounds paired from results, later stages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.club_mates import mates_apart
from league.competitions.draw.finishing import finish
from league.competitions.draw.laying_out import Mark, begin, lay_out, lay_out_rounds, refuse_if_too_few, rounds_of
from league.competitions.draw.publishing import MOST_NAMED, named, open_slots
from league.competitions.draw.qualifying import qualified
from league.competitions.draw.swiss_rounds import pair_anew, pair_next
from league.competitions.entrants import how_many, rounds_to_pair, seeded
from league.competitions.formats.drawn import DrawnSlot
from league.competitions.formats.groups import Qualifier
from league.competitions.formats.registry import PAIRED_BY_ROUND
from league.competitions.locks import forget_rounds, locked, locked_draft, undo_draw
from league.competitions.models import Competition, EarlierState, Matchday, Stage, StageEntry
from league.competitions.official_results import results_hash
from league.competitions.snapshots import keep, keep_drawn
from league.errors import Refused
from league.players.models import Entrant

BY_SEED = "by-seed"
"""Reason for a drawn slot: the entrant advanced by seed, level in all tie-breaks."""


@transaction.atomic
def draw(competition: Competition, *, user: User) -> Stage:
    """Draw the first stage of a draft in seed order, replacing an earlier draw.

    Where club mates are kept apart, near seeds of a knock-out are exchanged for it.

    Matches with known entrants are scheduled, unpublished. A Swiss system gets its first round, a ladder an empty one.

    Raises NotAllowed; Refused `already-published`, `has-logs`, those of `refuse_if_too_few`, `no-pairing`.
    """
    competition = locked_draft(competition.pk, user)
    stage = competition.stages.get(number=1)
    entrants = seeded(stage)
    refuse_if_too_few(stage, len(entrants))
    keep_drawn(competition, EarlierState.Before.DRAWN, user=user)
    undo_draw(competition)
    if stage.is_ladder:
        begin(stage)
    elif stage.is_paired_by_round:
        pair_next(competition, stage)
    else:
        lay_out(competition, stage, mates_apart(competition, entrants) if stage.is_knock_out else entrants)
    return stage


@dataclass(frozen=True, slots=True)
class NextDraw:
    """The next possible draw: another round of `stage`, or all of it (`round` 0).

    `waits`: the refusal if it cannot be drawn yet.
    """

    stage: Stage
    round: int
    waits: Refused | None = None


def next_draw(competition: Competition) -> NextDraw | None:
    """Give the next draw; None if all rounds are drawn or a drawn one is unpublished."""
    if competition.published_at is None:
        return None
    if Matchday.objects.filter(stage__competition=competition, published_at=None).exists():
        return None
    for stage in competition.stages.order_by("number"):
        drawn = stage.matchdays.count()
        if drawn and stage.is_paired_by_round and drawn < rounds_to_pair(stage, how_many(stage)):
            return NextDraw(stage, drawn + 1, _unfinished(stage))
        if not drawn and stage.number > 1:
            return NextDraw(stage, 0, _unfinished(competition.stages.get(number=stage.number - 1)))
    return None


@transaction.atomic
def draw_next(competition: Competition, *, user: User) -> Matchday:
    """Draw the next Swiss round or the next stage as a draft; return its first round.

    A stage is drawn from the official table of the stage before. Only officials see the draft.

    Raises NotAllowed; Refused `nothing-to-draw`, `results-missing`, which names the matches, those of
    `refuse_if_too_few`, `no-pairing`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    due = next_draw(competition)
    if due is None:
        raise Refused("nothing-to-draw", _("There is nothing to draw now."))
    if due.waits:
        raise due.waits
    if due.round:
        return pair_next(competition, due.stage)
    return _draw_stage(competition, due.stage)


@transaction.atomic
def draw_anew(competition: Competition, *, user: User) -> Matchday:
    """Redraw a draft Swiss round, or an unpublished stage; return its first round.

    Raises as `pair_anew` and `draw_next`, and Refused `draft-gone`, `not-paired`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    days = Matchday.objects.filter(stage__competition=competition, published_at=None).select_related("stage")
    day = days.order_by("number").first()
    if day is None:
        raise Refused("draft-gone", _("There is no draft round to pair again."))
    if day.stage.is_paired_by_round:
        return pair_anew(day, user=user)
    if day.stage.number == 1 or day.stage.matchdays.exclude(published_at=None).exists():
        raise Refused("not-paired", _("The rounds of this format follow from its draw."))
    keep(competition, EarlierState.Before.STAGE, user=user)
    forget_rounds(competition, day.stage.matchdays.all())
    day.stage.entries.all().delete()
    if waits := _unfinished(competition.stages.get(number=day.stage.number - 1)):
        raise waits
    return _draw_stage(competition, day.stage)


def _draw_stage(competition: Competition, stage: Stage) -> Matchday:
    before = competition.stages.get(number=stage.number - 1)
    seeds = qualified(before, stage)
    refuse_if_too_few(stage, len(seeds))
    StageEntry.objects.bulk_create(
        StageEntry(stage=stage, entrant_id=one.entrant, seed=seed, place=one.place, group=one.group)
        for seed, one in enumerate(seeds, start=1)
    )
    people = Entrant.objects.in_bulk([one.entrant for one in seeds])
    entrants = [people[one.entrant] for one in seeds]
    if stage.is_paired_by_round:
        return pair_next(competition, stage)
    rounds = rounds_of(stage, len(entrants))
    marks = [Mark(_only_by_seed(slot, seeds)) for slot in rounds[0].slots]
    lay_out_rounds(competition, stage, rounds, entrants, results=results_hash(competition), marks=marks)
    return stage.matchdays.order_by("number")[0]


def _only_by_seed(slot: DrawnSlot, seeds: Sequence[Qualifier]) -> list[Mapping[str, object]]:
    """List the entrants of a slot who advanced by seed over a level entrant."""
    known = [berth.seed for berth in slot.berths if berth.seed]
    return [{"code": BY_SEED, "facts": {"seed": seed}} for seed in known if seeds[seed - 1].only_by_seed]


def _unfinished(stage: Stage) -> Refused | None:
    """Refuse the next draw while a stage has matches without an official result."""
    missing = open_slots(stage)
    if not (count := missing.count()):
        return None
    return Refused(
        "results-missing",
        _("%(count)d confirmed results are missing in %(stage)s: %(matches)s."),
        count=count,
        stage=stage.get_format_display(),
        matches=named(list(missing[:MOST_NAMED]), count),
    )


@transaction.atomic
def set_rounds(competition: Competition, rounds: int, *, user: User) -> Stage:
    """Set the total number of rounds of the current Swiss stage.

    Raises NotAllowed, and Refused `not-paired`, `bad-rounds`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    stage = competition.stages.filter(format__in=PAIRED_BY_ROUND, finished_at=None).order_by("number").first()
    if stage is None:
        raise Refused("not-paired", _("No Swiss system is being played here."))
    drawn, most = stage.matchdays.count(), how_many(stage) - 1
    if not max(drawn, 1) <= rounds <= max(most, drawn, 1):
        raise Refused(
            "bad-rounds",
            _("%(drawn)d rounds are drawn, and there are opponents for %(most)d."),
            drawn=drawn,
            most=most,
        )
    stage.rounds = rounds
    stage.save(update_fields=["rounds"])
    finish(stage)
    return stage
