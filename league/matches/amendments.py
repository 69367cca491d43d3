"""Amendments: replace an official result by another.

Consequences are handled by league/competitions/amendments/services.py, which also holds the locks.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import Role, User
from league.accounts.permissions import OFFICIALS, STAFF, Asker, leagues_where
from league.errors import Refused
from league.matches import permissions
from league.matches.knowledge_level import suffices
from league.matches.logs import submission
from league.matches.logs.fixture_check import accept
from league.matches.models import Amendment, Game, KnownBy, Match, Record, Result, StoredVerdict, Table
from league.matches.results import services as results
from league.matches.results.entries import Saying, plain, store
from league.matches.results.judging import JudgedSheet, judge_ruling, judge_sheet
from league.matches.results.standing import official_result
from league.matches.signals import answers, decider_asked
from league.matches.visibility import matches_of
from league.players.models import PEOPLE

LONGEST_REASON = 200
KINDS = (KnownBy.SCORE, KnownBy.CARD, KnownBy.TALLY, KnownBy.LOG, KnownBy.RULED)
# Statuses of a log in which nothing but numbers was proved false.
SOUND = frozenset({StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CONSISTENT, StoredVerdict.Status.CORRECTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The new result that an amendment proposes.

    `data`: of a score, card or tally as `entering.enter_sheet` takes it; of a ruling `{"scores": […], "winner": 1,
    "ended": "forfeit"}`, by side; of a corrected log `{"log": "…"}`. `later`: see Amendment.Later.
    """

    kind: KnownBy
    data: Mapping[str, Any]
    reason: str
    later: str = ""


def proposed(game: Game, user: User, wanted: Wanted, *, effect: str, at: datetime) -> Amendment:
    """Create a proposed amendment. The caller holds the lock of the match.

    Raises Refused: those of `permissions.why_not_amend`; `no-reason`, `long-reason`, `not-official`,
    `proposed-already`, `level-too-low`, `unreadable-sheet`, `does-not-add-up`, `bad-score`, `nothing-changes`; for a
    log those of `fixture_check.accept`, and `log-without-result`.
    """
    match = Match.objects.select_related("league").get(pk=game.match_id)
    refusal = permissions.why_not_amend(permissions.actor(user, match))
    if refusal and not decides_dispute(match.pk, user.pk):
        raise refusal
    reason = checked_reason(wanted.reason)
    old = official_result(game)
    if old is None:
        raise Refused("not-official", _("Only a confirmed result is amended. This game has none."))
    if Amendment.objects.filter(game=game, state=Amendment.State.PROPOSED).exists():
        raise Refused("proposed-already", _("An amendment of this game waits already. Confirm or refuse that first."))
    data = _sealed(game, user, wanted.data) if wanted.kind == KnownBy.LOG else plain(wanted.data)
    judged = judge(match, wanted.kind, data)
    if (
        wanted.kind != KnownBy.LOG
        and (judged.scores, judged.winner) == (old.scores, old.winner)
        and wanted.kind == old.known_by
    ):
        raise Refused("nothing-changes", _("That is the result as it stands."))
    return Amendment.objects.create(
        game=game,
        old=old,
        kind=wanted.kind,
        data=data,
        scores=judged.scores,
        winner=judged.winner,
        reason=reason,
        later=wanted.later,
        effect=effect,
        proposed_by=user,
        proposed_at=at,
    )


def decides_dispute(match_id: int, user_id: int | None) -> bool:
    """Return whether the account decides a dispute of the match without being an official of the league."""
    return user_id is not None and any(answers(decider_asked, match_id=match_id, user_id=user_id))


def _sealed(game: Game, user: User, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the log as it will be kept: with codes for names.

    Raises Refused as `fixture_check.accept` does.
    """
    accepted = accept(game, str(data.get("log", "")).encode(), user)
    return {"log": accepted.sealed, "seats": dict(accepted.seats), "partners": dict(accepted.partners)}


def _judge_log(data: Mapping[str, Any]) -> JudgedSheet:
    verdict = submission.judge_text(data["log"])
    if verdict.status not in SOUND:
        raise Refused(
            "log-without-result",
            _("This log gives no result: %(verdict)s. Fix it, or rule on the game."),
            verdict=verdict.get_status_display(),
        )
    seats: dict[str, int] = data["seats"]
    return JudgedSheet(
        scores={
            str(seats[seat]): points for seat, points in sorted(verdict.scores.items(), key=lambda one: seats[one[0]])
        },
        winner=seats[verdict.winner] if verdict.winner else None,
        seats=seats,
        partners=data.get("partners", {}),
        sound=True,
        verdict=verdict,
    )


def judge(match: Match, kind: str, data: Mapping[str, Any]) -> JudgedSheet:
    """Judge the new result.

    Raises Refused: `bad-score`, `unreadable-sheet`, `does-not-add-up`, `level-too-low`, `log-without-result`.
    """
    if kind == KnownBy.RULED:
        return judge_ruling(match, data.get("scores", ()), data.get("winner"), data.get("ended", ""))
    if kind == KnownBy.LOG:
        return _judge_log(data)
    if kind not in KINDS:
        raise Refused("bad-score", _("A result is amended by a log, a tally, a card, a score or a ruling."))
    if not suffices(kind, match.level):
        raise Refused(
            "level-too-low", _("This match needs more than that: %(level)s."), level=match.get_level_display()
        )
    judged = judge_sheet(match, data, kind)
    if not judged.sound:
        raise Refused(
            "does-not-add-up", _("This does not add up: %(findings)s"), findings=judged.sentences, judged=judged
        )
    return judged


def checked_reason(reason: str) -> str:
    """Return the reason in a single line. Raises Refused `no-reason`, `long-reason`."""
    plain_text = " ".join(reason.replace("\0", "").split())  # PostgreSQL takes no such byte
    if not plain_text:
        raise Refused("no-reason", _("Say in a few words why: everybody reads it beside the result."))
    if len(plain_text) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    return plain_text


def carry_out(amendment: Amendment, match: Match, by: User, at: datetime) -> Amendment:
    """Replace the old result by the new one and update the match. `match` is locked.

    Raises Refused `overtaken` if the old result is no longer the official one, and those of `judge`.
    """
    game = amendment.game
    old = official_result(game)
    if old is None or old.pk != amendment.old_id:
        raise Refused("overtaken", _("The result is another one by now. Refuse this amendment, and propose a new one."))
    whole = Match.objects.select_related("league").get(pk=match.pk)
    judged = judge(whole, amendment.kind, amendment.data)
    # The proposer is an official outside the match (`permissions.why_not_amend`).
    one = permissions.Actor(amendment.proposed_by_id, sees=True, official=True)
    said = Saying(
        game=game,
        one=one,
        kind=KnownBy(amendment.kind),
        judged=judged,
        data=amendment.data,
        at=at,
    )
    new = store(said)
    lay_aside(Result.objects.filter(pk=old.pk))
    new.current = True
    results.make_official(new, how=Result.Confirmation.AMENDED, by=by.pk, at=at)
    amendment.new, amendment.state = new, Amendment.State.CONFIRMED
    amendment.closed_by, amendment.closed_at = by, at
    amendment.save(update_fields=["new", "state", "closed_by", "closed_at"])
    results.settle(match, results.current(match))
    return amendment


def lay_aside(official: QuerySet[Result]) -> None:
    """Mark official results as amended.

    They no longer count. Person and time of their confirmation are kept.
    """
    official.update(current=False, contested=False, state=Result.State.AMENDED)


def void(match: Match, amendment: Amendment, at: datetime) -> None:
    """Void a match that depended on an amended result. `match` is locked.

    Its records are kept, as withdrawn.
    """
    rows = Match.objects.filter(pk=match.pk)
    _lay_results_aside(rows, at)
    rows.update(state=Match.State.DECIDED, voided_by=amendment)


def set_aside(matches: QuerySet[Match], at: datetime) -> None:
    """Set aside matches that nobody plays, and that may not be deleted. They are locked.

    Their records are kept, as withdrawn; nobody sees them any more.
    """
    _lay_results_aside(matches, at)
    matches.update(state=Match.State.DECIDED, published_at=None, set_aside_at=at)


def take_up_again(
    match: Match, table: Table | None, starts_at: datetime | None, *, published_at: datetime | None
) -> None:
    """Return a match that was set aside; its table code is valid again, its entries stay taken back.

    `match` is locked.
    """
    Match.objects.filter(pk=match.pk).update(
        state=Match.State.SCHEDULED, table=table, starts_at=starts_at, published_at=published_at, set_aside_at=None
    )


def _lay_results_aside(matches: QuerySet[Match], at: datetime) -> None:
    standing = Result.objects.filter(game__match__in=matches, current=True)
    lay_aside(standing.filter(state=Result.State.OFFICIAL))
    standing.update(current=False, contested=False)
    Record.objects.filter(game__match__in=matches, withdrawn_at=None).update(withdrawn_at=at)


def closed(amendment: Amendment, by: User, at: datetime) -> Amendment:
    """Close an amendment: withdrawn by its proposer, refused by anybody else; nothing else changes.

    The caller holds the lock of the match.
    """
    state = Amendment.State.WITHDRAWN if amendment.proposed_by_id == by.pk else Amendment.State.REFUSED
    amendment.state, amendment.closed_by, amendment.closed_at = state, by, at
    amendment.save(update_fields=["state", "closed_by", "closed_at"])
    return amendment


# --- Questions ---


def amendments_of(match_id: int) -> list[Amendment]:
    """Return the confirmed amendments of a match, in the order of confirmation.

    One statement.
    """
    rows = Amendment.objects.filter(game__match=match_id, state=Amendment.State.CONFIRMED)
    return list(rows.select_related("game", "old", "proposed_by", "closed_by").order_by("closed_at", "pk"))


def amendment_for(user: Asker, amendment_id: int) -> Amendment:
    """Return an amendment for the staff of its league. Raises Amendment.DoesNotExist."""
    rows = Amendment.objects.filter(game__match__league__in=leagues_where(user, STAFF))
    return rows.select_related("game__match__league", "old", "proposed_by", "closed_by").get(pk=amendment_id)


def waiting_amendments(leagues: Collection[int]) -> QuerySet[Amendment]:
    rows = Amendment.objects.filter(game__match__league__in=leagues, state=Amendment.State.PROPOSED)
    return rows.select_related("game__match__league", "old", "proposed_by").order_by("proposed_at", "pk")


def other_officials(match: Match, proposer: User) -> Sequence[User]:
    """Return the officials who may confirm an amendment: neither its proposer nor players of the match."""
    players = [player for side in match.sides.select_related(*PEOPLE) for player in side.entrant.players]
    playing = [player.user_id for player in players if player.user_id]
    roles = Role.objects.filter(league=match.league_id, kind__in=OFFICIALS).values("user")
    return list(
        User.objects.filter(pk__in=roles, is_active=True).exclude(pk=proposer.pk).exclude(pk__in=playing).order_by("pk")
    )


def forget_reasons_of_amendments(player_id: int) -> int:
    """Erase the reasons of amendments in a player's matches, and return how many.

    A reason may contain names. That a result was amended, and by which official, is kept.
    """
    return Amendment.objects.filter(game__match__in=matches_of(player_id)).exclude(reason="–").update(reason="–")
