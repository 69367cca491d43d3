"""Competitions that an asker may see."""

from django.db.models import BooleanField, ExpressionWrapper, Prefetch, Q, QuerySet

from league.accounts.permissions import STAFF, Asker, leagues_where
from league.competitions.models import Competition, Stage


def visible_competitions(user: Asker) -> QuerySet[Competition]:
    """Published competitions, and drafts of the leagues in which the asker is staff."""
    seen = Q(published_at__isnull=False)
    if user.is_authenticated:
        seen |= Q(league__in=leagues_where(user, STAFF))
    return Competition.objects.filter(seen).select_related("league")


def seen_competition(user: Asker, league_slug: str, slug: str) -> Competition:
    """Return a visible competition with its stages, in order, and `for_staff`.

    `for_staff`: whether the asker sees unpublished parts. Two statements. Raises Competition.DoesNotExist.
    """
    staff = Q(league__in=leagues_where(user, STAFF)) if user.is_authenticated else Q(pk__in=[])
    for_staff = ExpressionWrapper(staff, BooleanField())
    seen = visible_competitions(user).annotate(for_staff=for_staff)  # type: ignore[no-redef]
    stages = Prefetch("stages", Stage.objects.order_by("number"))
    rows = seen.select_related("league", "division__season").prefetch_related(stages)
    return rows.get(league__slug=league_slug, slug=slug)
