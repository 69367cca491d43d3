"""The draw of all divisions of a season as a job, by the same rows as that of a competition (draw_jobs.py)."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions import jobs as draw_jobs
from league.competitions.locks_season_locks import locked_draft_season
from league.competitions.models import DrawJob, Matchday, Season
from league.competitions.seasons.plans import DateRule, date_season, matches_at_once
from league.competitions.seasons.services import drawn_in, redraw_season
from league.errors import Refused


def ask_to_draw_season(season: Season, *, user: User) -> DrawJob:
    """Have every division drawn. The job is done already where the draws are small; where another one is under way,
    that one is given. What the draw refuses stands in the job. Raises NotAllowed, and Refused `already-published`,
    `set-by-hand`.
    """
    job = _asked(season, user)
    if job.done_at is None and _is_small(season):
        draw_jobs.carry_out(job.pk)
        job.refresh_from_db()
    return job


@transaction.atomic
def _asked(season: Season, user: User) -> DrawJob:
    season = locked_draft_season(season.pk, user)
    _refuse_if_by_hand(season)
    return _under_way(season) or _put_down(season, DrawJob.What.ALL, user)


@transaction.atomic
def set_dates(season: Season, dates: Sequence[datetime] | DateRule, *, user: User) -> int:
    """Other dates for a draft. What was drawn is drawn anew on them: at once, or of a large season in the background.
    How many dates. Raises NotAllowed, and Refused `already-published`, `set-by-hand`, `bad-dates`, `too-few-dates`, and
    what `draw` raises.
    """
    season = locked_draft_season(season.pk, user)
    _refuse_if_by_hand(season)
    # What was refused before is no news once the dates are others.
    DrawJob.objects.filter(season=season).exclude(refused="").delete()
    date_season(season, dates)
    if drawn_in(season) and not _under_way(season):
        if _is_small(season):
            redraw_season(season, user=user)
        else:
            _put_down(season, DrawJob.What.DATED, user)
    return season.dates.count()


def _refuse_if_by_hand(season: Season) -> None:
    """On its own page a division asks for a word before it is drawn over (draw_jobs.word_to_draw); for all of them at
    once nobody could say which.
    """
    days = Matchday.objects.filter(stage__competition__division__season=season, published_at=None, slots__locked=True)
    day = days.select_related("stage__competition__division").order_by("pk").first()
    if day is not None:
        raise Refused(
            "set-by-hand",
            _("In %(round)s of %(division)s pairs were locked, or set by hand. Draw that division on its own page."),
            round=day,
            division=day.stage.competition.division.name,
        )


def _under_way(season: Season) -> DrawJob | None:
    return DrawJob.objects.filter(season=season, done_at=None).first()


def _put_down(season: Season, what: DrawJob.What, user: User) -> DrawJob:
    job = draw_jobs.put_down(DrawJob(season=season, what=what), user)
    if not _is_small(season):
        draw_jobs.hint_after_commit(job)
    return job


def _is_small(season: Season) -> bool:
    return matches_at_once(season) <= draw_jobs.AT_ONCE
