"""Competitions that an asker may see."""

from django.db.models import BooleanField, ExpressionWrapper, Prefetch, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.models import Competition, Stage
from league.errors import Refused


class Cancelled(Refused):
    """The competition was cancelled. Pages and API answer 410 with the reason."""

    def __init__(self, competition: Competition) -> None:
        message = _("%(competition)s was cancelled: %(reason)s")
        super().__init__("cancelled", message, competition=competition, reason=competition.cancel_reason)
        self.competition = competition


def refuse_if_cancelled(competition: Competition) -> Competition:
    """Raise Cancelled for a cancelled competition."""
    if competition.cancelled_at is not None:
        raise Cancelled(competition)
    return competition


def visible_competitions(user: Asker) -> QuerySet[Competition]:
    """Published competitions, and drafts of the leagues in which the asker is staff; none that was cancelled."""
    return addressed_competitions(user).filter(cancelled_at=None)


def addressed_competitions(user: Asker) -> QuerySet[Competition]:
    """The same with the cancelled ones, whose addresses say so."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Competition.objects.filter(seen).select_related("league")


def seen_competition(user: Asker, league_slug: str, slug: str) -> Competition:
    """Return a visible competition with its stages, in order, and `for_staff`.

    `for_staff`: whether the asker sees unpublished parts. Two statements. Raises Competition.DoesNotExist,
    Cancelled.
    """
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    for_staff = ExpressionWrapper(staff, BooleanField())
    seen = addressed_competitions(user).annotate(for_staff=for_staff)  # type: ignore[no-redef]
    stages = Prefetch("stages", Stage.objects.order_by("number"))
    rows = seen.select_related("league", "division__season").prefetch_related(stages)
    return refuse_if_cancelled(rows.get(league__slug=league_slug, slug=slug))
