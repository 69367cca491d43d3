"""Requests for rehearsals: small ones run at once, large ones in the background.

The row of the rehearsal is the truth, like that of a draw, and the only thing kept.
"""

import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import timedelta
from random import SystemRandom

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.celery import send
from league.competitions.draw.forecast import going_on, stage_sizes
from league.competitions.locks import locked
from league.competitions.models import Competition, Rehearsal
from league.errors import Refused
from league.rehearsals.evening import Mishaps, play_through, refuse_if_endless

log = logging.getLogger(__name__)

AT_ONCE = 20
"""Most matches to play at once, about a second (docs/decisions/draws.md)."""
MOST_MATCHES = {"sqlite": 120}
"""By database.

A rehearsal on SQLite blocks all other writers (docs/decisions/draws.md).
"""
MOST_ELSEWHERE = 3000
MOST_ENTRANTS = 512
MOST_SEED = 2**31 - 1
MOST_KEPT = 10
"""Rehearsals of one competition; the oldest is deleted."""
MOST_TRIES = 3
MISSED_AFTER = timedelta(seconds=30)
PROGRESS_KEPT = 600  # seconds
LONGEST_REFUSAL = 1000


@dataclass(frozen=True, slots=True)
class ToRehearse:
    """A requested rehearsal. `seed` is None for a random one."""

    entrants: int
    seed: int | None = None
    wishes: Mishaps = field(default_factory=Mishaps)


def ask_to_rehearse(competition: Competition, asked: ToRehearse, *, user: User) -> Rehearsal:
    """Request a rehearsal; a small one is done at once.

    If another one is in progress, that one is returned.

    Raises NotAllowed, and Refused `no-end`, `bad-entrants`, `bad-seed`, `rehearsal-too-large`.
    """
    job = _asked(competition, asked, user)
    if job.done_at is None and matches_of(competition, job.entrants) <= AT_ONCE:
        carry_out(job.pk)
        job.refresh_from_db()
    return job


@transaction.atomic
def _asked(competition: Competition, asked: ToRehearse, user: User) -> Rehearsal:
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    under_way = competition.rehearsals.filter(done_at=None).first()
    if under_way is not None:
        return under_way
    _check(competition, asked)
    job = Rehearsal.objects.create(
        competition=competition,
        seed=SystemRandom().randint(1, 999_999) if asked.seed is None else asked.seed,
        entrants=asked.entrants,
        wishes=asdict(asked.wishes),
        asked_at=timezone.now(),
        asked_by=user,
        language=translation.get_language() or "",
    )
    kept = competition.rehearsals.order_by("-pk").values_list("pk", flat=True)[:MOST_KEPT]
    competition.rehearsals.exclude(pk__in=list(kept)).delete()
    if matches_of(competition, asked.entrants) > AT_ONCE:
        transaction.on_commit(lambda: send("house.rehearse", job.pk))
    return job


def _check(competition: Competition, asked: ToRehearse) -> None:
    refuse_if_endless(competition)
    if not 2 <= asked.entrants <= MOST_ENTRANTS:
        raise Refused("bad-entrants", _("A rehearsal has 2 to %(most)d players."), most=MOST_ENTRANTS)
    if asked.seed is not None and not 0 <= asked.seed <= MOST_SEED:
        raise Refused("bad-seed", _("The seed is a number from 0 to %(most)d."), most=MOST_SEED)
    most = MOST_MATCHES.get(connection.vendor, MOST_ELSEWHERE)
    if (matches := matches_of(competition, asked.entrants)) > most:
        raise Refused(
            "rehearsal-too-large",
            _("With so many players there would be %(matches)d matches; at most %(most)d are rehearsed here."),
            matches=matches,
            most=most,
        )


def matches_of(competition: Competition, entrants: int) -> int:
    """Return the number of matches with that many entrants."""
    count = 0
    for stage in competition.stages.order_by("number"):
        count += sum(stage_sizes(stage, entrants))
        entrants = min(entrants, going_on(stage))
    return count


def carry_out(job_id: int) -> bool:
    """Play a requested rehearsal. True if this call stored its report or refusal.

    Safe to run twice; two calls at once have the same outcome.
    """
    job = Rehearsal.objects.filter(pk=job_id, done_at=None).select_related("competition__league").first()
    if job is None:
        return False
    # Outside of the transaction, so that the try counts even if the worker dies.
    Rehearsal.objects.filter(pk=job_id).update(tries=F("tries") + 1)
    with translation.override(job.language or None):
        code, told, report = _played(job)
    facts = {"done_at": timezone.now(), "report": report, "refused_code": code, "refused": told[:LONGEST_REFUSAL]}
    return bool(Rehearsal.objects.filter(pk=job_id, done_at=None).update(**facts))


def _played(job: Rehearsal) -> tuple[str, str, dict]:
    """Return code and sentence of a refusal, both empty with a report, and the report."""
    try:
        if job.tries >= MOST_TRIES:
            raise Refused("rehearsal-failed", _("This rehearsal failed several times. The log of the server says why."))
        report = play_through(
            job.competition,
            entrants=job.entrants,
            seed=job.seed,
            wishes=wishes_of(job),
            expected=matches_of(job.competition, job.entrants),
            tell=lambda percent: cache.set(_key(job.pk), percent, PROGRESS_KEPT),
        )
    except Refused as refused:
        return refused.code, str(refused), {}
    return "", "", dict(report)


def wishes_of(job: Rehearsal) -> Mishaps:
    known = {one.name for one in fields(Mishaps)}
    return Mishaps(**{name: value for name, value in job.wishes.items() if name in known})


def progress_of(job_id: int) -> int:
    """Return the progress in per cent; 0 if unknown."""
    return cache.get(_key(job_id)) or 0


def _key(job_id: int) -> str:
    return f"rehearsal:{job_id}"


@transaction.atomic
def remove(rehearsal: Rehearsal, *, user: User) -> bool:
    """Delete a rehearsal. True if this call did it. Raises NotAllowed."""
    check_may(user, Act.MANAGE_COMPETITIONS, rehearsal.competition.league)
    return bool(Rehearsal.objects.filter(pk=rehearsal.pk).delete()[0])


def carry_out_missed() -> int:
    """Play requested rehearsals whose message was lost, or whose worker died."""
    due = Rehearsal.objects.filter(done_at=None, asked_at__lt=timezone.now() - MISSED_AFTER)
    due = due.filter(tries=0) | due.filter(asked_at__lt=timezone.now() - timedelta(seconds=PROGRESS_KEPT))
    keys: Sequence[int] = list(due.values_list("pk", flat=True))
    return sum(_kept_going(job) for job in keys)


def _kept_going(job_id: int) -> bool:
    try:
        return carry_out(job_id)
    except Exception:
        log.exception("rehearsal %d failed in the sweep", job_id)
        return False
