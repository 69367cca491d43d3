"""Bonuses and deductions: match points of an entrant by an organizer, with a reason."""

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words
from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.entrants import registration_of
from league.competitions.locks import locked, refuse_if_season_closed
from league.competitions.models import Adjustment, Competition, Matchday, Registration, Stage
from league.competitions.models.adjustment import LONGEST_REASON, MOST_ADJUSTED
from league.competitions.task_queue import honours_due
from league.errors import Refused
from league.players.models import Entrant


@transaction.atomic
def give_adjustment(competition: Competition, entrant: Entrant, *, points: int, reason: str, user: User) -> Adjustment:
    """Give match points to an entrant; negative points are taken.

    Raises NotAllowed; Refused `not-published`, `season-closed`, `no-match-points`, `next-stage-drawn`,
    `not-registered`, `bad-points`, `no-reason`, `long-reason`.
    """
    competition = _locked(competition, user)
    registration = registration_of(competition, entrant)
    if not 0 < abs(points) <= MOST_ADJUSTED:
        raise Refused("bad-points", _("Between 1 and %(most)d points can be given or taken."), most=MOST_ADJUSTED)
    made = Adjustment.objects.create(
        registration=registration, points=points, reason=_checked(reason), made_at=timezone.now(), made_by=user
    )
    _count(competition, registration)
    return made


@transaction.atomic
def remove_adjustment(adjustment: Adjustment, *, user: User) -> bool:
    """Stop counting a bonus or deduction; it stays in the history. True if it counted until now.

    Raises NotAllowed; Refused `not-published`, `season-closed`, `no-match-points`, `next-stage-drawn`.
    """
    registration = adjustment.registration
    competition = _locked(registration.competition, user)
    counted = Adjustment.objects.filter(pk=adjustment.pk, undone_at=None)
    if not counted.update(undone_at=timezone.now(), undone_by=user):
        return False
    _count(competition, registration)
    return True


def history_of(competition: Competition) -> QuerySet[Adjustment]:
    """All bonuses and deductions of a competition, the latest first, removed ones too. One statement."""
    rows = Adjustment.objects.filter(registration__competition=competition)
    people = ("registration__entrant__player", "registration__entrant__partner")
    return rows.select_related(*people, "made_by", "undone_by").order_by("-made_at", "-pk")


def standing_adjustments(competition: Competition, entrants: Iterable[int] | None = None) -> QuerySet[Adjustment]:
    """Those that count, the earliest first; only of these entrants, if given. One statement."""
    rows = history_of(competition).filter(undone_at=None).order_by("made_at", "pk")
    return rows if entrants is None else rows.filter(registration__entrant__in=list(entrants))


def takes_adjustments(competition: Competition) -> bool:
    """Tell whether match points decide in the competition's table of matches between two. One statement at most."""
    stages = sorted(competition.stages.all(), key=lambda one: one.number)
    counts = bool(stages) and stages[0].spec.has_table and not stages[0].is_at_tables
    return counts and "match_points" in competition.tie_breaks


def _locked(competition: Competition, user: User) -> Competition:
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    if competition.published_at is None:
        raise Refused("not-published", _("%(competition)s is a draft. Publish it first."), competition=competition)
    refuse_if_season_closed(competition)
    if not takes_adjustments(competition):
        raise Refused("no-match-points", _("Match points don't decide in the table of this competition."))
    if Matchday.objects.filter(stage__competition=competition, stage__number__gt=1).exists():
        raise Refused("next-stage-drawn", _("The next stage is drawn from this table, so its points stay."))
    return competition


def _checked(reason: str) -> str:
    reason = clean_words(reason)
    if not reason:
        raise Refused("no-reason", _("Say in a few words why: everybody reads it below the table."))
    if len(reason) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    return reason


def bonus_by_registration(competition: Competition) -> dict[int, int]:
    """Sum what counts, by registration, without those that have none. One statement."""
    rows = Adjustment.objects.filter(registration__competition=competition, undone_at=None)
    return dict(rows.order_by().values_list("registration").annotate(Sum("points")))


def _count(competition: Competition, registration: Registration) -> None:
    total = bonus_by_registration(competition).get(registration.pk, 0)
    Registration.objects.filter(pk=registration.pk).update(bonus=total)
    if not Stage.objects.filter(competition=competition, finished_at=None).exists():
        honours_due(competition.pk)
