"""Carrying out rulings: an official result by an amendment, any other by an entry that is decided for.

The caller holds the locks of competition and match.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.amendments.diff import Effect
from league.competitions.amendments.effects import rehearsed
from league.competitions.amendments.services import Outlooks, outlooks, propose_amendment
from league.errors import Refused
from league.matches import permissions
from league.matches.amendments import Wanted, decides_dispute, judge
from league.matches.locks import locked_match
from league.matches.models import Amendment, Game, KnownBy, Match, Record, Result, unchecked_logs
from league.matches.officials import taking_one
from league.matches.results import services as results
from league.matches.results.entries import Saying, plain, store
from league.matches.results.reviews import being_checked, take
from league.matches.results.standing import is_official, official_result, weigh_anew


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResult:
    """The result that a ruling comes to: a log (`{"log", "seats", "partners"}`), or a ruled score by side."""

    kind: KnownBy
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Carried:
    """A ruling as it was carried out. `waits`: for another official; `scores` and `winner` of a result that waits."""

    amendment: int | None = None
    result: int | None = None
    waits: bool = False
    scores: Mapping[str, int] | None = None
    winner: int | None = None


def suffices_alone(one: permissions.Actor, match: Match) -> bool:
    """Return whether the asker's ruling needs no second official.

    Four statements at most. The judge of a case, or an appeal's body, decides alone where an official would.
    """
    if not match.league.confirmation_required or one.decides_alone:
        return True
    return match.pk in taking_one([match.pk]) and decides_dispute(match.pk, one.user_id)


def carry_out(
    game: Game,
    user: User,
    new: NewResult,
    *,
    reason: str,
    later: str = "",
    seen: str = "",
    typed: str = "",
    at: datetime,
) -> Carried:
    """Carry out a ruling, or propose it to a second official.

    A result that is not official yet is entered when the second official confirms: until then nobody else sees it.

    Raises Refused: those of `propose_amendment` where the result is official; else those of `amendments.judge`,
    `match-decided`, `being-checked`.
    """
    if official_result(game) is not None:
        wanted = Wanted(kind=new.kind, data=new.data, reason=reason, later=later)
        amendment = propose_amendment(game, user, wanted, seen=seen, typed=typed, at=at)
        return Carried(amendment=amendment.pk, waits=amendment.state == Amendment.State.PROPOSED)
    match = _whole(game)
    one = permissions.actor(user, match)
    if not suffices_alone(one, match):
        _refuse_if_closed(game, match)
        judged = judge(match, new.kind, plain(new.data))
        return Carried(waits=True, scores=judged.scores, winner=judged.winner)
    entered = _enter(game, match, one, new, at)
    take(entered, locked_match(match.pk), how=Result.Confirmation.ALONE, by=one.user_id, reason=reason, at=at)
    return Carried(result=entered.pk)


def effect_of(
    game: Game, user: User, new: NewResult, *, reason: str, later: str, at: datetime
) -> tuple[Effect, Outlooks | None]:
    """Return what a ruling would change, by a rehearsal; with the choices of an amendment where the result is official.

    Raises Refused as `carry_out` does.
    """
    if official_result(game) is not None:
        found = outlooks(game, user, Wanted(kind=new.kind, data=new.data, reason=reason, later=later))
        return found.of(later), found

    def act() -> None:
        match = _whole(game)
        entered = _enter(game, match, permissions.actor(user, match), new, at)
        take(entered, locked_match(match.pk), how=Result.Confirmation.ALONE, by=user.pk, reason=reason, at=at)

    return rehearsed(act, game.match, user), None


def _enter(game: Game, match: Match, one: permissions.Actor, new: NewResult, at: datetime) -> Result:
    _refuse_if_closed(game, match)
    judged = judge(match, new.kind, plain(new.data))
    alone = suffices_alone(one, match)
    acting = permissions.Actor(one.user_id, sees=True, official=True, match_id=match.pk, takes_one=alone)
    data = plain(new.data)
    return store(Saying(game=game, one=acting, kind=new.kind, judged=judged, data=data, at=at))


def _refuse_if_closed(game: Game, match: Match) -> None:
    if match.state == Match.State.DECIDED:
        raise Refused("match-decided", _("This match is decided; game %(code)s is not played."), code=game.code)
    if unchecked_logs(game.pk).exists():
        raise being_checked()


def enter_confirmed(
    game: Game, author: permissions.Actor, second: int | None, new: NewResult, *, reason: str, at: datetime
) -> None:
    """Enter the result of a ruling of `author`, official by the second official. Raises as `carry_out` does."""
    match = _whole(game)
    entered = _enter(game, match, author, new, at)
    take(entered, locked_match(match.pk), how=Result.Confirmation.PERSON, by=second, reason=reason, at=at)


def void_entries(game: Game, at: datetime) -> None:
    """Take back all entries of a game that is played again; an official result stays until it is amended."""
    if official_result(game) is not None:
        return
    Record.objects.filter(game=game, withdrawn_at=None).update(withdrawn_at=at)
    _weigh(game, _whole(game), at)


def _weigh(game: Game, match: Match, at: datetime) -> None:
    required = match.league.confirmation_required
    weigh_anew(game, stays=is_official, confirmation_required=required, at=at)
    locked = locked_match(match.pk)
    results.settle(locked, results.current(locked))


def _whole(game: Game) -> Match:
    return Match.objects.select_related("league").get(pk=game.match_id)


def enter_agreed(
    game: Game, one: permissions.Actor, who: permissions.Visitor, said: Mapping[str, Any], at: datetime
) -> Result:
    """Enter the score that both sides agreed on, as the word of the side that accepts it; it is official at once.

    Raises Refused `match-decided`, `being-checked`, `bad-score`.
    """
    match = _whole(game)
    _refuse_if_closed(game, match)
    judged = judge(match, KnownBy.RULED, said)
    reason = str(gettext("Agreed by both sides"))
    entered = store(
        Saying(game=game, one=one, kind=KnownBy.RULED, judged=judged, data=plain(said), reason=reason, at=at)
    )
    take(
        entered, locked_match(match.pk), how=permissions.how(who, entered.record), by=one.user_id, reason=reason, at=at
    )
    return entered


def enter_proved(game: Game, one: permissions.Actor, new: NewResult, reason: str, at: datetime) -> Result:
    """Enter what the rule of proof gives; it is official at once. Raises as `carry_out` does."""
    match = _whole(game)
    entered = _enter(game, match, one, new, at)
    take(entered, locked_match(match.pk), how=Result.Confirmation.ALONE, by=one.user_id, reason=reason, at=at)
    return entered
