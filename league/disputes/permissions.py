"""Permissions in disputes: filing, deciding, confirming, hearing an appeal, reading private material.

Used by pages, tasks and the API alike.
"""

from collections.abc import Collection
from datetime import datetime

from django.utils.translation import gettext_lazy as _

from league.accounts.models import Role
from league.accounts.permissions import OFFICIALS
from league.disputes.models import CourtRules, Dispute, DisputeEntry
from league.disputes.stage import CaseStage
from league.errors import NotAllowed
from league.matches.models import Side
from league.matches.permissions import Actor
from league.matches.results.judges import is_accepted_judge

Kind = Role.Kind
HEADS = (Kind.HEAD_REFEREE, Kind.OWNER)


def why_not_file(one: Actor, side: int | None) -> NotAllowed | None:
    """Refuse a protest; None for a side, for an official, and for the desk in the name of `side`.

    `sign-in`, `not-your-match`, `no-permission`.
    """
    if one.user_id is None and not one.guest:
        return NotAllowed("sign-in", _("Sign in, or use your slip or its PIN, to protest."))
    if not one.sees:
        return NotAllowed("no-permission", _("You may not do this."))
    if one.plays:
        return None if side in (None, one.side) else _not_of_side()
    if one.official or (one.enters and side is not None):
        return None
    return NotAllowed("not-your-match", _("You neither play in this match nor are you an official of its league."))


def why_not_speak(one: Actor, dispute: Dispute, side: int | None = None) -> NotAllowed | None:
    """Refuse an act of a side (statement, offer, withdrawal, refusal of a referee, appeal).

    None for a side of the match, and for the desk in the name of `side`. `sign-in`, `not-your-match`, `no-permission`.
    """
    if side is None and not one.plays:
        return _not_of_side() if one.user_id or one.guest else NotAllowed("sign-in", _("Sign in first."))
    return why_not_file(one, side)


def why_not_decide(one: Actor, dispute: Dispute, stage: CaseStage) -> NotAllowed | None:
    """Refuse facts and a ruling; None for an official outside the match, and for the judge that both sides accepted.

    In an appeal: None for those who hear it (`hearers`). `sign-in`, `party`, `own-protest`, `refused-by-side`,
    `needs-official`, `decided-before`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to decide a protest."))
    if one.plays:
        return NotAllowed("party", _("You play in this match; somebody else decides."))
    if one.user_id in stage.gone:
        return _gone(one.user_id, dispute)
    if stage.instance == 2:
        return _why_not_hear(one, dispute, stage)
    if (one.official and one.sees) or is_accepted_judge(one, dispute.match_id):
        return None
    return NotAllowed("needs-official", _("Only an official who does not play in this match decides a protest."))


def _why_not_hear(one: Actor, dispute: Dispute, stage: CaseStage) -> NotAllowed | None:
    if one.user_id in stage.deciders:
        return _decided_before()
    if one.user_id in hearers(dispute, stage.deciders | stage.gone):
        return None
    return NotAllowed("needs-official", _("This appeal is heard by others: see the rules of the league."))


def why_not_confirm(one: Actor, dispute: Dispute, stage: CaseStage) -> NotAllowed | None:
    """Refuse the confirmation of a waiting ruling; None for another official outside the match.

    Those who filed the protest, stepped back, were refused or decided before confirm only where nobody else is left.
    `sign-in`, `party`, `own-protest`, `refused-by-side`, `decided-before`, `own-ruling`, `needs-official`.
    """
    if one.user_id is None:
        return NotAllowed("sign-in", _("Sign in to confirm a ruling."))
    if one.plays:
        return NotAllowed("party", _("You play in this match; somebody else decides."))
    if refusal := why_another_confirms(one.user_id, dispute, stage):
        return refusal
    if stage.waiting is not None and stage.waiting.by_id == one.user_id and not one.decides_alone:
        return NotAllowed("own-ruling", _("You gave this ruling yourself. Another official confirms it."))
    if one.official and one.sees:
        return None
    return NotAllowed("needs-official", _("Only an official who does not play in this match confirms a ruling."))


def why_another_confirms(user_id: int | None, dispute: Dispute, stage: CaseStage) -> NotAllowed | None:
    """Refuse those who filed the protest, stepped back, were refused or decided before, while others are left."""
    before = stage.deciders if stage.instance == 2 else frozenset[int | None]()
    if user_id not in stage.gone | before:
        return None
    author = {stage.waiting.by_id} if stage.waiting is not None else set()
    if not free_officials(dispute.match_id) - stage.gone - before - author:
        return None
    return _gone(user_id, dispute) if user_id in stage.gone else _decided_before()


def _gone(user_id: int | None, dispute: Dispute) -> NotAllowed:
    filed = (DisputeEntry.Kind.FILED, DisputeEntry.Kind.JOINED)
    if DisputeEntry.objects.filter(dispute=dispute, kind__in=filed, for_side=None, by=user_id).exists():
        return NotAllowed("own-protest", _("You filed this protest yourself; somebody else decides."))
    return NotAllowed("refused-by-side", _("You stepped back from this case, or a side refused you."))


def _decided_before() -> NotAllowed:
    return NotAllowed("decided-before", _("You decided this before. Somebody else hears the appeal."))


def reads_private(one: Actor, dispute: Dispute, stage: CaseStage) -> bool:
    """Return whether the asker may read statements and photos: the judge of the case, and its second official."""
    if one.user_id is None or one.plays:
        return False
    if stage.decider == one.user_id and why_not_decide(one, dispute, stage) is None:
        return True
    return stage.waiting is not None and why_not_confirm(one, dispute, stage) is None


def reads_proposal(one: Actor, dispute: Dispute, stage: CaseStage) -> bool:
    """Return whether the asker may read difference and proposal.

    Officials outside the match once facts are found, the parties with the ruling.
    """
    if one.plays:
        return stage.ruling is not None and stage.state == Dispute.State.RULED
    if stage.ruling is not None or stage.asked:
        return one.official or stage.decider == one.user_id or why_not_decide(one, dispute, stage) is None
    return False


def parties(match_id: int) -> set[int]:
    """Return the accounts of the players of a match. One statement."""
    return parties_by_match([match_id]).get(match_id, set())


def parties_by_match(matches: Collection[int]) -> dict[int, set[int]]:
    """Return the accounts of the players by match. One statement."""
    rows = Side.objects.filter(match__in=matches)
    found: dict[int, set[int]] = {}
    for match, *both in rows.values_list("match", "entrant__player__user", "entrant__partner__user"):
        found.setdefault(match, set()).update(account for account in both if account)
    return found


def free_officials(match_id: int) -> set[int]:
    """Return the active officials of the league who do not play in the match."""
    roles = Role.objects.filter(league__matches=match_id, kind__in=OFFICIALS, user__is_active=True)
    return set(roles.values_list("user", flat=True)) - parties(match_id)


def hearers(dispute: Dispute, excluded: Collection[int | None]) -> set[int]:
    """Return the accounts that may hear an appeal: neither parties nor those excluded, who decided before.

    The head referee or an owner of the league, by its rules; else those of the parent league. Three statements.
    """
    return hearers_by_case([(dispute, excluded)])[dispute.pk]


def hearers_by_case(cases: Collection[tuple[Dispute, Collection[int | None]]]) -> dict[int, set[int]]:
    """Return the same for several disputes, each with those excluded, by its key. Three statements."""
    if not cases:
        return {}
    leagues = {one.match.league_id: one.match.league.parent_id for one, _excluded in cases}
    courts = dict(CourtRules.objects.filter(league__in=leagues).values_list("league", "hears"))
    roles = Role.objects.filter(league__in={*leagues, *leagues.values()} - {None}, kind__in=HEADS, user__is_active=True)
    heads = set(roles.values_list("league", "kind", "user"))
    playing = parties_by_match([one.match_id for one, _excluded in cases])
    found = {}
    for one, excluded in cases:
        league, apart = one.match.league_id, playing.get(one.match_id, set()) | set(excluded)
        kinds = _HEARING[CourtRules.Hears(courts.get(league, CourtRules().hears))]
        own = {user for where, kind, user in heads if where == league and kind in kinds} - apart
        above = {user for where, _kind, user in heads if where == leagues[league]} - apart
        found[one.pk] = own or above
    return found


_HEARING = {CourtRules.Hears.HEAD: HEADS, CourtRules.Hears.OWNER: (Kind.OWNER,), CourtRules.Hears.PARENT: ()}


def is_in_time(deadline: datetime | None, at: datetime) -> bool:
    return deadline is not None and at <= deadline


def _not_of_side() -> NotAllowed:
    return NotAllowed("not-your-match", _("Only the two sides of this match do this, or the desk for them."))
