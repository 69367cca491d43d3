"""Amendments: an official result is replaced, and its consequences follow.

The effect is found by a rehearsal that is rolled back (`rehearsed`), so that the effect shown beforehand and the later
change come from the same code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, may
from league.competitions.amendments.consequences import Following, choose, choose_drawn
from league.competitions.amendments.diff import Effect, SlotChange, Snapshot, named
from league.competitions.amendments.effects import rehearsed, snapshot
from league.competitions.draw.open_pairings import mark_open_pairings
from league.competitions.draw.pairing_again import pair_again, round_after
from league.competitions.draw.schedule.calling import dispatch
from league.competitions.draw.schedule.rescheduling import play_amended
from league.competitions.locks import locked
from league.competitions.models import Slot
from league.competitions.seasons.promotion import mark_moves
from league.competitions.typed_confirmation import is_typed
from league.errors import Refused
from league.matches import amendments, permissions
from league.matches.amendments import Wanted
from league.matches.clock import services as timekeeping
from league.matches.locks import locked_match
from league.matches.models import Amendment, Game, Match
from league.matches.officials import taking_one
from league.matches.signals import result_amended

WAITS = Amendment.State.PROPOSED


@dataclass(frozen=True, slots=True)
class Outlooks:
    """Possible effects of an amendment.

    `stand`: begun matches are kept as played, and a published knock-out as drawn; `void`: they become void, or None if
    none of them depends on the result: both would be the same. `again`: see PairedAgain; None for those who do not
    decide, and where it was not asked for.
    """

    stand: Effect
    void: Effect | None
    again: "PairedAgain | None" = None

    @property
    def rests(self) -> list[SlotChange]:
        """Begun or drawn matches with an entrant that no longer belongs there.

        By the amended result.
        """
        return self.stand.of("stands")

    def of(self, later: str) -> Effect:
        return self.void if self.void is not None and later == Amendment.Later.VOID else self.stand


@dataclass(frozen=True, slots=True)
class PairedAgain:
    """The choice to pair the published round after the result again.

    `outcome`: the effect of the amendment with this choice, or the reason against it.
    """

    round: str
    outcome: Effect | Refused

    @property
    def effect(self) -> Effect | None:
        return None if isinstance(self.outcome, Refused) else self.outcome

    @property
    def why_not(self) -> Refused | None:
        return self.outcome if isinstance(self.outcome, Refused) else None


def outlooks(game: Game, user: User, wanted: Wanted, *, void: bool = True, again: bool = False) -> Outlooks:
    """Compute the effects, for the page before the proposal.

    `void`, `again`: whether these choices are rehearsed, each of which takes as long as the first. Nothing is stored or
    announced. Raises as `propose_amendment` for the wanted result.
    """
    with transaction.atomic():
        lock_game(game)  # so that both effects begin from the same state
        before = snapshot(game.match, user)
        stand = _rehearsed_proposal(game, user, wanted, Amendment.Later.STAND, before)
        is_choice = void and stand.of("stands")
        voided = _rehearsed_proposal(game, user, wanted, Amendment.Later.VOID, before) if is_choice else None
        later = wanted.later or Amendment.Later.STAND
        paired = (
            _paired_again(game, user, stand, lambda: _rehearsed_proposal(game, user, wanted, later, before, again=True))
            if again and _decides_alone(game, user)
            else None
        )
    return Outlooks(stand, voided, paired)


def again_now(amendment: Amendment, user: User, plain: Effect) -> PairedAgain | None:
    """Compute the choice to pair the next round again, beside the `plain` effect of a proposal; None if not offered."""
    return _paired_again(amendment.game, user, plain, lambda: effect_now(amendment, user, again=True))


def _paired_again(game: Game, user: User, plain: Effect, rehearse: Callable[[], Effect]) -> PairedAgain | None:
    """Offer to pair the round again, to those who pair rounds, where it would change something."""
    slot = _slot_of(game)
    day = round_after(slot) if slot else None
    if day is None or not may(user, Act.MANAGE_COMPETITIONS, game.match.league):
        return None
    try:
        with transaction.atomic():
            effect = rehearse()
    except Refused as reason:
        return PairedAgain(str(day), reason)
    return PairedAgain(str(day), effect) if _slots_of(effect) != _slots_of(plain) else None


def _slots_of(effect: Effect) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.after.round, one.after.berths) for one in effect.slots]


def _decides_alone(game: Game, user: User) -> bool:
    if not game.match.league.confirmation_required or permissions.actor(user, game.match).decides_alone:
        return True
    return game.match_id in taking_one([game.match_id]) and amendments.decides_dispute(game.match_id, user.pk)


def _slot_of(game: Game) -> Slot | None:
    slots = Slot.objects.filter(match=game.match_id)
    return slots.select_related("matchday__stage__competition__league").first()


@transaction.atomic
def propose_amendment(
    game: Game,
    user: User,
    wanted: Wanted,
    *,
    seen: str = "",
    typed: str = "",
    again: bool = False,
    at: datetime | None = None,
) -> Amendment:
    """Propose another official result.

    If one official is enough, it is confirmed at once. `seen`: the digest of the shown effect; any other effect is
    refused. `typed`: the confirmation word for matches that become void (`word_to_type`). `again`: pair the published
    round after it again; of a proposal the other official chooses it.

    Raises Refused: those of `matches.amendments.proposed`; `choose-later`, `type-it`, `effect-changed`, and those of
    `pairing_again.reason_against`; `not-paired-again` where the choice is not offered.
    """
    at = at or timezone.now()
    match = lock_game(game)
    found = outlooks(game, user, wanted, void=wanted.later == Amendment.Later.VOID, again=again)
    _refuse_unless_chosen(found, wanted, typed, game)
    effect = _again_or_refuse(found.again) if again else found.of(wanted.later)
    _refuse_if_changed(effect, seen)
    amendment = amendments.proposed(game, user, wanted, effect=effect.digest, at=at)
    if _decides_alone(game, user):
        _carry_out(amendment, match, user, at, again=again)
        _call_next(game, again=again)
    elif (slot := _slot_of(game)) and (day := round_after(slot)):
        mark_open_pairings(day)
    return amendment


@transaction.atomic
def confirm_amendment(
    amendment: Amendment,
    user: User,
    *,
    seen: str = "",
    typed: str = "",
    again: bool = False,
    at: datetime | None = None,
) -> Amendment:
    """Confirm an amendment as the second official, with all its consequences.

    All in this transaction. `again`: pair the published round after it again.

    Raises Refused: those of `permissions.why_not_confirm_amendment`; `closed-already`, `overtaken`, `type-it`;
    `choose-later` if a match without a decision has begun meanwhile; `effect-changed` if the effect differs from
    `seen`, or, without it, from the effect shown to the proposer; those of `pairing_again.reason_against`, and
    `not-paired-again` where the choice is not offered.
    """
    at = at or timezone.now()
    match = lock_game(amendment.game)
    amendment = _waiting(amendment)
    refusal = permissions.why_not_confirm_amendment(permissions.actor(user, amendment.game.match), amendment)
    if refusal:
        raise refusal
    effect = effect_now(amendment, user)
    if amendment.later == Amendment.Later.VOID and effect.of("void"):
        _refuse_unless_typed(amendment.game, typed)
    chosen = _again_or_refuse(again_now(amendment, user, effect)) if again else effect
    if seen:
        _refuse_if_changed(chosen, seen)
    else:
        _refuse_if_changed(effect, amendment.effect)
    done = _carry_out(amendment, match, user, at, again=again)
    _call_next(amendment.game, again=again)
    return done


@transaction.atomic
def close_amendment(amendment: Amendment, user: User, at: datetime | None = None) -> Amendment:
    """Close an amendment: its proposer withdraws it, any other official refuses it.

    Raises Refused: those of `permissions.why_not_close_amendment`; `closed-already`.
    """
    lock_game(amendment.game, even_cancelled=True)
    amendment = _waiting(amendment)
    if refusal := permissions.why_not_close_amendment(permissions.actor(user, amendment.game.match), amendment):
        raise refusal
    return amendments.closed(amendment, user, at or timezone.now())


def effect_now(amendment: Amendment, user: User, *, again: bool = False) -> Effect:
    """Compute the effect of a proposal again.

    Raises Refused `overtaken`, `choose-later`, the errors of `matches.amendments.judge`, and with `again` those of
    `pair_again`.
    """

    def act() -> None:
        _carry_out(_waiting(amendment), lock_game(amendment.game), user, timezone.now(), again=again)

    return rehearsed(act, amendment.game.match, user)


def word_to_type(game: Game) -> str:
    """Return the confirmation word for void matches: the name of the competition."""
    slot = Slot.objects.filter(match=game.match_id).select_related("matchday__stage__competition").first()
    return slot.matchday.stage.competition.name if slot else ""


# --- The effect ---


def _rehearsed_proposal(
    game: Game, user: User, wanted: Wanted, later: str, before: Snapshot, *, again: bool = False
) -> Effect:
    chosen = Wanted(kind=wanted.kind, data=wanted.data, reason=wanted.reason, later=later)

    def act() -> None:
        match, at = lock_game(game), timezone.now()
        _carry_out(amendments.proposed(game, user, chosen, effect="", at=at), match, user, at, again=again)

    return rehearsed(act, game.match, user, before)


# --- Carrying out ---


def lock_game(game: Game, *, even_cancelled: bool = False) -> Match:
    """Lock competition, then match (order of locks: season → competition → match).

    Raises Cancelled unless `even_cancelled`.
    """
    slot = Slot.objects.filter(match=game.match_id).values_list("matchday__stage__competition", flat=True).first()
    if slot is not None:
        locked(slot, even_cancelled=even_cancelled)
    return locked_match(game.match_id)


def _waiting(amendment: Amendment) -> Amendment:
    """Read the amendment again under the lock; refuse it if it is closed."""
    now = Amendment.objects.select_related("game__match__league", "old").get(pk=amendment.pk)
    if now.state != WAITS:
        raise Refused("closed-already", _("This amendment is %(state)s already."), state=now.get_state_display())
    return now


def _refuse_unless_chosen(found: Outlooks, wanted: Wanted, typed: str, game: Game) -> None:
    if not found.rests:
        return
    if wanted.later not in Amendment.Later.values:
        raise (choose_drawn if found.stand.goes_on else choose)(named(found.rests))
    if wanted.later == Amendment.Later.VOID and found.of(wanted.later).of("void"):
        _refuse_unless_typed(game, typed)


def _refuse_unless_typed(game: Game, typed: str) -> None:
    wanted = word_to_type(game)
    if not is_typed(wanted, typed):
        raise Refused("type-it", _("This voids matches. Type “%(word)s” to confirm."), word=wanted)


def _refuse_if_changed(effect: Effect, seen: str) -> None:
    if seen and seen != effect.digest:
        raise Refused(
            "effect-changed",
            _("The consequences have changed since you saw them. Look at them again."),
        )


def _again_or_refuse(found: PairedAgain | None) -> Effect:
    """Give the effect of pairing the round again. Raises Refused."""
    if found is None:
        raise Refused("not-paired-again", _("There is no published round that you could pair again by this."))
    if isinstance(found.outcome, Refused):
        raise found.outcome
    return found.outcome


def _call_next(game: Game, *, again: bool) -> None:
    """Call matches of a round that was paired again; no rehearsal does it, for a call has its minute."""
    if again and (slot := _slot_of(game)):
        dispatch(slot.matchday.stage.competition)


def _carry_out(amendment: Amendment, match: Match, by: User, at: datetime, *, again: bool = False) -> Amendment:
    """Carry out the amendment. The caller holds the locks of competition and match."""
    slot = _slot_of(amendment.game)
    following = Following(slot, amendment, at) if slot is not None else None
    done = amendments.carry_out(amendment, match, by, at)
    timekeeping.stop_at_result(done.game_id, at)
    if following:
        following.follow()
    mark_moves(match, done)
    play_amended(match, done)
    day = round_after(slot) if slot and again else None
    if day is not None:
        pair_again(day, user=by, at=at)
    transaction.on_commit(lambda: result_amended.send_robust(Match, match_id=match.pk))
    return done
