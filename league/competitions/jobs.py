"""Requested draws: small ones are made at once, large ones in the background.

Either way the row of the job is the truth, so that none is lost and none is made twice.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.celery import send
from league.competitions.attendance.check_in import draw_with_present
from league.competitions.draw.forecast import stage_sizes
from league.competitions.draw.stages import draw, draw_anew, draw_next
from league.competitions.job_progress import of_job
from league.competitions.locks import locked, locked_draft_season, locked_season
from league.competitions.models import Competition, DrawJob, Matchday, Season
from league.competitions.seasons.plans import DateRule, date_season, matches_at_once
from league.competitions.seasons.services import draw_season, drawn_in, redraw_season
from league.competitions.typed_confirmation import refuse_unless_typed
from league.errors import Refused

log = logging.getLogger(__name__)

# So many matches take less than a third of a second (docs/decisions/draws.md): a page in between would only flicker.
AT_ONCE = 200
MISSED_AFTER = timedelta(seconds=30)
# A draw that fails so often does not fail by accident.
MOST_TRIES = 3
LONGEST_REFUSAL = 1000
WHOLE = (DrawJob.What.FIRST, DrawJob.What.HERE)


def ask_to_draw(
    competition: Competition,
    what: DrawJob.What,
    *,
    user: User,
    absent: Iterable[int] = (),
    typed: str | None = None,
) -> DrawJob:
    """Request a draw; return its job, or the job of a running draw.

    The job of a small draw is done already. A refusal of the draw is stored in the job. `absent`: for a draw of those
    present, the entrants that the organizer saw listed as absent. `typed`: the confirmation word of a whole draw
    (`word_to_draw`), None for a program. Raises NotAllowed, and Refused `type-it`.
    """
    job = _asked(competition, what, user, list(absent), typed)
    if job.done_at is None and _is_small(competition, job):
        carry_out(job.pk)
        job.refresh_from_db()
    return job


@transaction.atomic
def _asked(competition: Competition, what: DrawJob.What, user: User, absent: list[int], typed: str | None) -> DrawJob:
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    under_way = DrawJob.objects.filter(competition=competition, done_at=None).first()
    if under_way is not None:
        return under_way
    if what in WHOLE:
        refuse_unless_typed(word_to_draw(competition), typed)
    job = put_down(DrawJob(competition=competition, what=what, absent=absent), user)
    if not _is_small(competition, job):
        hint_after_commit(job)
    return job


def put_down(job: DrawJob, user: User) -> DrawJob:
    """Store the job. Needs the caller's lock on the competition or season."""
    job.asked_at, job.asked_by, job.language = timezone.now(), user, translation.get_language() or ""
    job.save()
    return job


def hint_after_commit(job: DrawJob) -> None:
    transaction.on_commit(lambda: send("competitions.draw", job.pk))


def word_to_draw(competition: Competition) -> str:
    """Return the confirmation word of a whole draw, or "".

    The name of the draft round with a locked or manual pair. A whole draw forgets such pairs, while pairing the round
    again keeps them. One statement.
    """
    days = Matchday.objects.filter(stage__competition=competition, published_at=None, slots__locked=True)
    day = days.order_by("number").first()
    return str(day) if day else ""


def _is_small(competition: Competition, job: DrawJob) -> bool:
    return matches_of(competition, without=len(job.absent)) <= AT_ONCE


def matches_of(competition: Competition, *, without: int = 0) -> int:
    """Largest number of matches of a draw, `without` so many registered entrants."""
    entrants = max(competition.registrations.count() - without, 0)
    found = [stage_sizes(stage, entrants, one_round=True) for stage in competition.stages.all()]
    return max((sum(sizes) for sizes in found), default=0)


def carry_out(job_id: int) -> bool:
    """Make the draw; safe to run twice and by two at once.

    True if this call did it, or noted why it can't be made.
    """
    asked = DrawJob.objects.filter(pk=job_id, done_at=None).first()
    if asked is None:
        return False
    # Outside of the transaction, so that the attempt is counted even if the worker dies.
    DrawJob.objects.filter(pk=job_id).update(tries=F("tries") + 1)
    with transaction.atomic(), of_job(job_id):
        of = locked_season(asked.season_id) if asked.season_id else locked(asked.competition_id)
        job = DrawJob.objects.select_related("asked_by").get(pk=job_id)
        if job.done_at is not None:
            return False
        with translation.override(job.language or None):
            _make(of, job)
        job.done_at = timezone.now()
        job.save(update_fields=["done_at", "made", "refused_code", "refused"])
    return True


def _make(of: Competition | Season, job: DrawJob) -> None:
    try:
        if job.tries > MOST_TRIES:
            raise Refused("draw-failed", _("This draw failed several times. The log of the server says why."))
        with transaction.atomic():
            job.made = _drawn_season(of, job) if isinstance(of, Season) else _drawn(of, job)
    except Refused as refused:
        job.refused_code, job.refused = refused.code, str(refused)[:LONGEST_REFUSAL]


def _drawn(competition: Competition, job: DrawJob) -> int:
    """Draw, and return the number of the first round that was drawn."""
    match job.what:
        case DrawJob.What.FIRST:
            draw(competition, user=job.asked_by)
            return 1
        case DrawJob.What.HERE:
            draw_with_present(competition, user=job.asked_by, absent=job.absent)
            return 1
        case DrawJob.What.NEXT:
            return draw_next(competition, user=job.asked_by).number
        case _:
            return draw_anew(competition, user=job.asked_by).number


def _drawn_season(season: Season, job: DrawJob) -> int:
    """Draw the divisions, and return how many."""
    act = redraw_season if job.what == DrawJob.What.DATED else draw_season
    return act(season, user=job.asked_by)


def carry_out_missed() -> int:
    """Make overdue draws: their message was lost, or their worker died. How many."""
    due = DrawJob.objects.filter(done_at=None, asked_at__lt=timezone.now() - MISSED_AFTER)
    return sum(_kept_going(job) for job in due.values_list("pk", flat=True))


def _kept_going(job_id: int) -> bool:
    try:
        return carry_out(job_id)
    except Exception:
        log.exception("draw %d failed in the sweep", job_id)
        return False


def ask_to_draw_season(season: Season, *, user: User) -> DrawJob:
    """Request a draw of every division; return its job, or the job of a running draw.

    The job of small draws is done already. A refusal of the draw is stored in the job. Raises NotAllowed, and Refused
    `already-published`, `set-by-hand`.
    """
    job = _season_asked(season, user)
    if job.done_at is None and _season_is_small(season):
        carry_out(job.pk)
        job.refresh_from_db()
    return job


@transaction.atomic
def _season_asked(season: Season, user: User) -> DrawJob:
    season = locked_draft_season(season.pk, user)
    _refuse_if_by_hand(season)
    return _under_way(season) or _put_down(season, DrawJob.What.ALL, user)


@transaction.atomic
def set_dates(season: Season, dates: Sequence[datetime] | DateRule, *, user: User) -> int:
    """Replace the dates of a draft season; return how many dates.

    Drawn divisions are redrawn on them: at once, or for a large season in the background. Raises NotAllowed, and
    Refused `already-published`, `set-by-hand`, `bad-dates`, `too-few-dates`, and the errors of `draw`.
    """
    season = locked_draft_season(season.pk, user)
    _refuse_if_by_hand(season)
    # An earlier refusal says nothing about the new dates.
    DrawJob.objects.filter(season=season).exclude(refused="").delete()
    date_season(season, dates)
    if drawn_in(season) and not _under_way(season):
        if _season_is_small(season):
            redraw_season(season, user=user)
        else:
            _put_down(season, DrawJob.What.DATED, user)
    return season.dates.count()


def _refuse_if_by_hand(season: Season) -> None:
    """Refuse to redraw a season with manual or locked pairs.

    A division's own page asks for a confirmation word before a redraw (word_to_draw); for all divisions at once the
    word would not show which division loses its pairs.
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
    job = put_down(DrawJob(season=season, what=what), user)
    if not _season_is_small(season):
        hint_after_commit(job)
    return job


def _season_is_small(season: Season) -> bool:
    return matches_at_once(season) <= AT_ONCE
