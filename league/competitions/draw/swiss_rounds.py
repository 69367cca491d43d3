"""Swiss rounds, each paired from the official results before it (COMPETITIONS.md).

A new round is a draft, visible to officials only until it is published.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.club_mates import clubs_to_keep_apart
from league.competitions.draw.laying_out import Mark, lay_out_rounds
from league.competitions.entrants import seeded, standing_withdrawals
from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind
from league.competitions.formats.swiss import (
    Contender,
    Lift,
    NoPairing,
    Past,
    PastKind,
    SwissPoints,
    SwissRound,
    pair,
    state_of,
)
from league.competitions.locks import forget_rounds, locked
from league.competitions.models import Berth, Competition, EarlierState, Matchday, Slot, Stage
from league.competitions.official_results import MatchEnd, byes_asked, match_outcomes, results_hash
from league.competitions.snapshots import keep
from league.errors import Refused
from league.players.models import Entrant

BY_HAND = "by-hand"
"""Reason of a pair set by an organizer."""


def pair_next(
    competition: Competition, stage: Stage, *, locked_pairs: Iterable[tuple[int, int]] = (), printed: bool = False
) -> Matchday:
    """Pair the next round as a draft.

    Requires the caller's transaction and lock, and official results for every earlier match. `printed`: pairs that stay
    in their place keep the codes of their cards (former_cards.py).

    Raises Refused `no-pairing`, which names the obstacle.
    """
    entrants = seeded(stage)
    pairs = [(one, other) for one, other in locked_pairs]
    number = next_round(competition)
    found = paired(stage, entrants, pairs, before=number)
    asked = byes_asked(competition).get(number, frozenset()) - _gone(competition)
    return _write(competition, stage, found, entrants, pairs, asked=sorted(asked), printed=printed)


def paired(stage: Stage, entrants: Sequence[Entrant], pairs: Sequence[tuple[int, int]], *, before: int) -> SwissRound:
    """Find the round number `before` from the official results of the rounds before it.

    Without entrants who have left, or asked for a bye. `pairs`: the locked ones. Raises Refused `no-pairing`.
    """
    away = _gone(stage.competition) | byes_asked(stage.competition).get(before, frozenset())
    contenders = [one for one in contenders_of(stage, entrants, before=before) if one.id not in away]
    try:
        return pair(contenders, locked=pairs, allow_second_bye=True)
    except NoPairing as reason:
        raise no_pairing(reason, {one.pk: one for one in entrants}) from None


def next_round(competition: Competition) -> int:
    """Give the number of the round to be drawn next. One statement."""
    return Matchday.objects.filter(stage__competition=competition).count() + 1


def _gone(competition: Competition) -> frozenset[int]:
    return frozenset(standing_withdrawals(competition).values_list("entrant", flat=True))


def contenders_of(stage: Stage, entrants: Sequence[Entrant], *, before: int) -> list[Contender]:
    """Give the entrants with their history in the stage's published rounds before a round."""
    competition = stage.competition
    points = SwissPoints(
        win=competition.win_points,
        draw=competition.draw_points,
        loss=competition.loss_points,
        bye=competition.bye_points,
        absent=_worth(competition),
    )
    found = state_of(
        [(one.pk, number) for number, one in enumerate(entrants, start=1)], past_rounds(stage, before=before), points
    )
    clubs = clubs_to_keep_apart(competition, entrants)
    return [replace(one, clubs=clubs.get(one.id, one.clubs)) for one in found]


def _worth(competition: Competition) -> int:
    """Give the match points of a requested bye; a round before another one is never the last."""
    worth = {
        Competition.RequestedBye.DRAW: competition.draw_points,
        Competition.RequestedBye.WIN: competition.win_points,
    }
    return worth.get(Competition.RequestedBye(competition.requested_bye), 0)


def past_rounds(stage: Stage, *, before: int) -> list[list[Past]]:
    """Give every published round before a round by its official results. Three statements."""
    berths = Berth.objects.filter(slot__matchday__stage=stage, slot__matchday__published_at__isnull=False)
    rows = berths.filter(slot__matchday__number__lt=before).order_by("slot__matchday__number", "slot__number", "number")
    slots: dict[int, dict[tuple[int, int | None, bool], list[int]]] = {}
    columns = ("slot__matchday", "slot", "slot__match", "slot__requested_bye", "entrant")
    for day, slot, match, asked, entrant in rows.values_list(*columns):
        slots.setdefault(day, {}).setdefault((slot, match, asked), []).append(entrant)
    ends = match_outcomes(match for one in slots.values() for _slot, match, _asked in one if match)
    return [
        [_past(both, ends.get(match or 0), requested=asked) for (_slot, match, asked), both in one.items()]
        for one in slots.values()
    ]


def _past(both: Sequence[int], end: MatchEnd | None, *, requested: bool) -> Past:
    if len(both) == 1:
        return Past(both[0], kind=PastKind.ABSENT if requested else PastKind.BYE)
    kind = PastKind.FORFEIT if end and end.forfeit else PastKind.PLAYED
    return Past(both[0], both[1], end.winner if end else None, kind)


def no_pairing(reason: NoPairing, people: Mapping[int, Entrant]) -> Refused:
    """Name the restriction to lift, and the entrants concerned."""
    names = ", ".join(str(people[one]) for one in reason.ids if one in people)
    return Refused("no-pairing", NO_PAIRING.get(reason.code, NO_PAIRING[""]), names=names or "–")


NO_PAIRING = {
    Lift.REMATCHES: _(
        "This round can't be paired without somebody meeting the same opponent twice: %(names)s. "
        "End the stage here: lower its number of rounds."
    ),
    Lift.BYES: _("This round can't be paired without a second bye for somebody: %(names)s."),
    Lift.LOCKED: _("With the locked pairs the others can't be paired: %(names)s. Unlock one of them."),
    "too-few": _("A round takes two entrants or more who have not left."),
    "": _("This round can't be paired as it is locked: %(names)s. Unlock one of the pairs."),
}


def _write(
    competition: Competition,
    stage: Stage,
    found: SwissRound,
    entrants: Sequence[Entrant],
    pairs: Sequence[tuple[int, int]],
    *,
    asked: Sequence[int],
    printed: bool,
) -> Matchday:
    seeds = {one.pk: seed for seed, one in enumerate(entrants, start=1)}
    drawn = [DrawnSlot((DrawnBerth(seeds[one.first]), DrawnBerth(seeds[one.second]))) for one in found.pairs]
    reasons = [one.reasons for one in found.pairs]
    if found.bye is not None:
        drawn.append(DrawnSlot((DrawnBerth(seeds[found.bye]),)))
        reasons.append(found.bye_reasons)
    drawn += [DrawnSlot((DrawnBerth(seeds[one]),)) for one in asked]
    kept = {frozenset(one) for one in pairs}
    locks = [frozenset((one.first, one.second)) in kept for one in found.pairs] + [False]
    marks = [
        Mark([asdict(reason) for reason in why], is_locked) for why, is_locked in zip(reasons, locks, strict=False)
    ]
    marks += [Mark((), requested_bye=True) for _one in asked]
    [slots] = lay_out_rounds(
        competition,
        stage,
        [DrawnRound(RoundKind.PLAIN, tuple(drawn))],
        entrants,
        results=results_hash(competition),
        marks=marks,
        printed=printed,
    )
    return slots[0].matchday


# --- A draft round by hand ---


def _locked_draft_round(matchday_id: int, user: User) -> tuple[Competition, Matchday]:
    """Lock a draft round.

    Raises NotAllowed, and Refused `draft-gone`, `already-published`, `not-paired`.
    """
    competition = locked(Matchday.objects.values_list("stage__competition", flat=True).get(pk=matchday_id))
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    day = Matchday.objects.select_related("stage__competition__league").filter(pk=matchday_id).first()
    if day is None:
        raise Refused("draft-gone", _("This round has new pairings. Look at it again."))
    if day.published_at is not None:
        raise Refused("already-published", _("%(round)s is published, so its pairings can’t be changed."), round=day)
    if not day.stage.is_paired_by_round:
        raise Refused("not-paired", _("The rounds of this format follow from its draw."))
    return competition, day


@transaction.atomic
def pair_anew(matchday: Matchday, *, user: User) -> Matchday:
    """Pair a draft round again from the current official results; locked pairs stay.

    Raises NotAllowed, and Refused `already-published`, `not-paired`, `draft-gone`, `has-logs`, `no-pairing`.
    """
    competition, day = _locked_draft_round(matchday.pk, user)
    keep(competition, EarlierState.Before.PAIRED, user=user)
    kept = locked_pairs_of(day)
    forget_rounds(competition, Matchday.objects.filter(pk=day.pk))
    return pair_next(competition, day.stage, locked_pairs=kept)


def locked_pairs_of(day: Matchday) -> list[tuple[int, int]]:
    """Give the locked pairs of a round. One statement."""
    pairs: dict[int, list[int]] = {}
    berths = Berth.objects.filter(slot__matchday=day, slot__locked=True).order_by("slot", "number")
    for slot, entrant in berths.values_list("slot", "entrant"):
        pairs.setdefault(slot, []).append(entrant)
    return [(both[0], both[1]) for both in pairs.values() if len(both) == 2]


@transaction.atomic
def keep_pair(slot: Slot, *, user: User, keep: bool = True) -> bool:
    """Lock or unlock a pair of a draft round; return whether this call changed it.

    A locked pair stays when the round is paired again. Raises as `pair_anew`.
    """
    _locked_draft_round(slot.matchday_id, user)
    return bool(Slot.objects.filter(pk=slot.pk).exclude(locked=keep).update(locked=keep))


@transaction.atomic
def swap(matchday: Matchday, first: int, second: int, *, user: User) -> None:
    """Swap two entrants of a draft round, and lock both new pairs.

    A rematch is allowed: the page warns, the organizer decides.

    Raises as `pair_anew`, and Refused `other-entrants`, `same-pair`.
    """
    competition, day = _locked_draft_round(matchday.pk, user)
    found = Berth.objects.filter(slot__matchday=day, entrant__in=[first, second], slot__requested_bye=False)
    found = found.select_related("slot")
    berths = {one.entrant_id: one for one in found}
    if len(berths) != 2:
        raise Refused("other-entrants", _("Choose two entrants of this round."))
    one, other = berths[first], berths[second]
    if one.slot_id == other.slot_id:
        raise Refused("same-pair", _("These two are paired with each other already."))
    keep(competition, EarlierState.Before.SWAPPED, user=user)
    _rewrite(competition, day, {first: second, second: first})


def _rewrite(competition: Competition, day: Matchday, exchanged: dict[int, int]) -> None:
    """Replace the round after a swap by new matches: no side is changed in place."""
    slots = list(Slot.objects.filter(matchday=day).order_by("number").prefetch_related("berths"))
    stage, results = day.stage, day.results_hash
    entrants = seeded(stage)
    seeds = {one.pk: seed for seed, one in enumerate(entrants, start=1)}
    drawn, marks = [], []
    for slot in slots:
        who = [berth.entrant_id for berth in slot.berths.all()]
        touched = any(one in exchanged for one in who)
        drawn.append(DrawnSlot(tuple(DrawnBerth(seeds[exchanged.get(one, one)]) for one in who)))
        reasons = [{"code": BY_HAND, "facts": {}}] if touched else slot.reasons
        marks.append(Mark(reasons, slot.locked or touched, slot.for_stream, slot.requested_bye))
    forget_rounds(competition, Matchday.objects.filter(pk=day.pk))
    again = DrawnRound(RoundKind.PLAIN, tuple(drawn))
    lay_out_rounds(competition, stage, [again], entrants, results=results, marks=marks)
