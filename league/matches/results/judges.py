"""Named judges of matches that no official may decide, accepted by both sides.

An official never decides a match they play. If no other official is free and the two sides do not agree, the judge
takes one of the entries under review (`reviews.choose`).
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, Asker, check_may
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.locks import locked_match
from league.matches.models import Match, NamedJudge, Result, Side
from league.matches.officials import is_official_free
from league.matches.seals import seal_judge
from league.matches.signals import answers, judge_asked
from league.players.models import Player
from league.players.naming import fold
from league.players.queries import members


@dataclass(frozen=True, slots=True)
class JudgeView:
    """The judge of a match for one visitor.

    `accepted`: numbers of the sides that accepted.
    """

    player: int
    name: str
    accepted: frozenset[int]
    may_accept: bool


def judge_view(match: Match, one: permissions.Actor) -> JudgeView | None:
    """Return the judge of a match, None if none is named. One statement."""
    named = _named(match.pk)
    if named is None:
        return None
    accepted = frozenset(int(side) for side in named.accepted)
    return JudgeView(named.player_id, str(named), accepted, may_accept=one.plays and one.side not in accepted)


def needs_judge(match_id: int) -> bool:
    """Return whether a result is under review, or a protest open, and no official is free to decide it.

    Two statements at most without a protest.
    """
    contested = Result.objects.filter(game__match=match_id, current=True, contested=True)
    if contested.exclude(state=Result.State.OFFICIAL).exists() and not is_official_free(match_id):
        return True
    return any(answers(judge_asked, match_id=match_id))


@transaction.atomic
def name_judge(match: Match, wanted: str | User, *, by: Asker, at: datetime | None = None) -> NamedJudge:
    """Name the judge of a match.

    A different judge needs the acceptance of both sides again. `wanted`: the whole name, or the code, of a member with
    an account, or that account. Raises NotAllowed `sign-in`, `no-permission`; Refused `not-under-review`,
    `official-is-free`, `no-such-judge`.
    """
    check_may(by, Act.ENTER_RESULTS, match.league)
    locked_match(match.pk)
    _refuse_unless_needed(match.pk)
    at = at or timezone.now()
    player = _member(match, wanted, at)
    named = _named(match.pk)
    if named is not None and named.player_id == player.pk:
        return named
    judge = NamedJudge(pk=named.pk if named else None, match=match, player=player, named_by=by, named_at=at)  # type: ignore[misc]
    seal_judge(judge)
    judge.save()
    return judge


def name_again(named: NamedJudge, at: datetime) -> NamedJudge:
    """Set the time of naming of the same judge; acceptances stay. The caller holds the lock of the match."""
    named.named_at = at
    seal_judge(named)
    named.save(update_fields=["named_at", "head"])
    return named


@transaction.atomic
def accept_judge(match: Match, who: permissions.Visitor, player: int) -> NamedJudge:
    """Accept the judge (key of the `player`) for a side, with account, slip or PIN.

    Raises NotAllowed `not-your-match`, `needs-proof`; Refused `not-under-review`, `official-is-free`, `judge-changed`.
    """
    one = permissions.actor(who, match)
    if not one.plays:
        raise NotAllowed("not-your-match", _("Only the two sides of this match accept a judge."))
    how = _proof(who)
    locked_match(match.pk)
    _refuse_unless_needed(match.pk)
    named = _named(match.pk)
    if named is None or named.player_id != player:
        raise Refused("judge-changed", _("The judge was changed meanwhile. Check the name first."))
    named.accepted = named.accepted | {str(one.side): how}
    seal_judge(named)
    named.save(update_fields=["accepted", "head"])
    return named


def judged_by(user: User) -> set[int]:
    """Return the matches in which every side accepted this user as the judge.

    One statement.
    """
    named = NamedJudge.objects.filter(player__user=user).annotate(sides=Count("match__sides"))
    return {one.match_id for one in named if len(one.accepted) == one.sides}


def is_accepted_judge(one: permissions.Actor, match_id: int) -> bool:
    """Return whether the asker is the judge that every side accepted.

    Two statements at most.
    """
    if one.user_id is None or one.plays:
        return False
    named = _named(match_id)
    if named is None or named.player.user_id != one.user_id:
        return False
    sides = Side.objects.filter(match=match_id).values_list("number", flat=True)
    return {str(number) for number in sides} == set(named.accepted)


def _named(match_id: int) -> NamedJudge | None:
    return NamedJudge.objects.select_related("player").filter(match=match_id).first()


def _refuse_unless_needed(match_id: int) -> None:
    if needs_judge(match_id):
        return
    if is_official_free(match_id):
        raise Refused("official-is-free", _("An official who does not play in this match decides it."))
    raise Refused("not-under-review", _("This result is not under review any more. Look at it again."))


def _member(match: Match, wanted: str | User, at: datetime) -> Player:
    """Find the member by name, code or account.

    Players of the match and their partners are excluded.
    """
    sides = Side.objects.filter(match=match)
    parties = Q(entrants__sides__in=sides) | Q(entrants_as_partner__sides__in=sides)
    playing = set(Player.objects.filter(parties).values_list("user", flat=True)) - {None}
    here = members(match.league, on=timezone.localdate(at)).filter(user__is_active=True).exclude(user__in=playing)
    if isinstance(wanted, User):
        if member := here.filter(user=wanted).first():
            return member
        raise Refused("no-such-judge", _("Only a member of the league who does not play in this match judges it."))
    name = " ".join(wanted.replace("\0", "").split())  # PostgreSQL takes no such byte
    found = list(here.filter(Q(folded=fold(name)) | Q(code__iexact=name))[:2]) if name else []
    if len(found) != 1:
        raise Refused(
            "no-such-judge",
            _("Type the whole name, or the code, of one member with an account who does not play in this match."),
        )
    return found[0]


def _proof(who: permissions.Visitor) -> str:
    if not isinstance(who, permissions.Guest):
        return "account"
    if not who.is_proved:
        raise NotAllowed("needs-proof", _("A judge is accepted with the PIN of the slip, the slip or an account."))
    return "pin" if who.by_pin else "slip"
