"""Publication of a competition and its rounds, all at once or round by round."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.forfeits import forfeit_scheduled
from league.competitions.draw.open_pairings import mark_open_pairings
from league.competitions.draw.schedule.calling import dispatch
from league.competitions.locks import being_drawn, locked
from league.competitions.models import IS_PLAYED, Berth, Competition, Matchday, Season, Slot, Stage
from league.competitions.official_results import results_hash
from league.competitions.ratings.starting import fix_ratings
from league.errors import Refused
from league.matches.models import Match
from league.players.models import PEOPLE

LONGEST_REASON = 200
MOST_NAMED = 8


@transaction.atomic
def publish(competition: Competition, *, user: User) -> bool:
    """Publish a competition: all rounds, or the first if released round by round.

    True if this call did it; a second call changes nothing. Raises NotAllowed, and Refused `being-drawn`, `not-drawn`,
    and `in-season` for a division of a draft season.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is not None:
        return False
    if being_drawn(competition):
        raise Refused("being-drawn", _("A draw is being made. Wait until it is done."))
    days = Matchday.objects.filter(stage__competition=competition)
    if not days.exists():
        raise Refused("not-drawn", _("Draw %(competition)s before you publish it."), competition=competition)
    if season := Season.objects.filter(divisions__competition=competition, published_at=None).first():
        raise Refused(
            "in-season",
            _("%(competition)s belongs to the season %(season)s, which is published as a whole."),
            competition=competition,
            season=season,
        )
    now = timezone.now()
    Competition.objects.filter(pk=competition.pk).update(published_at=now)
    if competition.imported_at is None:
        fix_ratings(competition.registrations.all())
    if competition.release == Competition.Release.ROUND_BY_ROUND:
        days = _first_shown(competition, days)
    refuse_if_stale(competition, days)
    show(days, user, now)
    competition.published_at = now
    dispatch(competition)
    return True


def refuse_if_stale(competition: Competition, days: QuerySet[Matchday]) -> None:
    """Refuse rounds paired from results that have changed since.

    Raises Refused `results-changed`.
    """
    hashes = {one.results_hash for one in days if one.results_hash}
    if hashes and hashes != {results_hash(competition)}:
        raise Refused(
            "results-changed",
            _("Results have changed, or an entrant has left, since this was paired. Pair it again, then publish it."),
        )


def drafts_from_results(competition: Competition) -> QuerySet[Matchday]:
    """Select unpublished rounds drawn from results: of a knock-out only the first."""
    days = Matchday.objects.filter(stage__competition=competition, published_at=None)
    return days.exclude(results_hash="").order_by("number")


def stale_drafts(competition: Competition) -> list[Matchday]:
    """List unpublished rounds drawn from results that have changed since."""
    drafts = list(drafts_from_results(competition))
    now = results_hash(competition) if drafts else ""
    return [day for day in drafts if day.results_hash != now]


def _first_shown(competition: Competition, days: QuerySet[Matchday]) -> QuerySet[Matchday]:
    """Select the first round; for an imported competition, also every played round."""
    first = Q(number=1)
    if competition.imported_at is not None:
        first |= Q(slots__match__games__results__current=True)
    return days.filter(first).distinct()


@transaction.atomic
def publish_matchday(matchday: Matchday, *, user: User, reason: str = "") -> bool:
    """Publish the next round, and the later ones of its stage unless released round by round; True if this call did it.

    While earlier results are missing, a reason is required, which is shown permanently.

    Raises NotAllowed, and Refused `not-published` (the competition), `out-of-turn`, `results-missing`, which names the
    matches, `results-changed`, `long-reason`.
    """
    competition = locked(Competition.objects.only("pk").get(stages=matchday.stage_id).pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    matchday = Matchday.objects.select_related("stage").get(pk=matchday.pk)
    if matchday.published_at is not None:
        return False
    _refuse_if_early(competition, matchday)
    days = Matchday.objects.filter(stage=matchday.stage_id, number__gte=matchday.number, published_at=None)
    if competition.release == Competition.Release.ROUND_BY_ROUND:
        days = days.filter(pk=matchday.pk)
    refuse_if_stale(competition, days)
    missing = list(missing_before(matchday))
    reason = " ".join(reason.split())
    if missing and not reason:
        raise _results_missing(matchday, missing)
    if len(reason) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    if missing:
        matchday.missing_before, matchday.reason = len(missing), reason
        matchday.missing_rounds = sorted({slot.matchday.number for slot in missing})
        matchday.save(update_fields=["missing_before", "missing_rounds", "reason"])
    slots = list(Slot.objects.filter(matchday__in=days))
    show(days, user, timezone.now())
    mark_open_pairings(matchday)
    forfeit_scheduled(competition, slots)
    dispatch(competition)
    return True


def missing_before(matchday: Matchday) -> QuerySet[Slot]:
    """Select slots of the stage's earlier rounds that still need an official result."""
    return open_slots(matchday.stage).filter(matchday__number__lt=matchday.number)


def open_slots(stage: Stage) -> QuerySet[Slot]:
    """Select a stage's slots that still need an official result.

    A match that is not needed is left out.
    """
    return (
        Slot.objects.filter(IS_PLAYED, matchday__stage=stage, not_needed=False)
        .filter(Q(match=None) | ~Q(match__state=Match.State.DECIDED))
        .select_related("matchday")
        .order_by("matchday__number", "number")
    )


def _refuse_if_early(competition: Competition, matchday: Matchday) -> None:
    if competition.published_at is None:
        raise Refused("not-published", _("Publish %(competition)s first."), competition=competition)
    before = Matchday.objects.filter(stage=matchday.stage_id, number__lt=matchday.number, published_at=None)
    if first := before.order_by("number").first():
        raise Refused("out-of-turn", _("%(matchday)s comes first; publish it before."), matchday=first)


def _results_missing(matchday: Matchday, missing: Sequence[Slot]) -> Refused:
    return Refused(
        "results-missing",
        _("Confirmed results are missing before %(matchday)s: %(matches)s. Enter or confirm them, or give a reason."),
        matchday=matchday,
        matches=named(missing),
    )


def named(slots: Sequence[Slot], count: int = 0) -> str:
    """Name the first matches, and how many more there are of `count` or of all."""
    berths = Berth.objects.filter(slot__in=slots[:MOST_NAMED]).select_related(*PEOPLE, "slot__matchday")
    names: dict[Slot, list[str]] = {}
    for berth in berths.order_by("slot__matchday__number", "slot__number", "number"):
        names.setdefault(berth.slot, []).append(str(berth.entrant) if berth.entrant else "?")
    listed = [f"{slot.matchday}: {' – '.join(both)}" for slot, both in names.items()]
    if (more := (count or len(slots)) - MOST_NAMED) > 0:
        listed.append(gettext("and %(count)d more") % {"count": more})
    return "; ".join(listed)


def show(days: QuerySet[Matchday], user: User, now: datetime) -> None:
    """Publish these rounds and their matches."""
    ids = list(days.values_list("pk", flat=True))
    Matchday.objects.filter(pk__in=ids).update(published_at=now, published_by=user)
    matches = Slot.objects.filter(matchday__in=ids).values("match")
    Match.objects.filter(pk__in=matches, published_at__isnull=True).update(published_at=now)
