"""Locks that every service of competitions takes first, and limits of a draft."""

from collections.abc import Iterable

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league import pokes
from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.competitions.formats.registry import DIVISION_FORMATS
from league.competitions.models import Competition, Division, DrawJob, Matchday, Season, Slot, StageEntry
from league.competitions.visibility import refuse_if_cancelled
from league.errors import Refused
from league.matches.amendments import set_aside
from league.matches.models import Game, Match, Record, Side

# Of a match: it was called, is being played or has a result.
CALLED = ~Q(state=Match.State.SCHEDULED) | Q(called_at__isnull=False)
# Of a game: it has an entry. A record that was taken back is none.
TOUCHED = Q(records__isnull=False, records__withdrawn_at=None) | Q(clock_events__isnull=False) | Q(taps__isnull=False)


def locked(competition_id: int, *, even_cancelled: bool = False) -> Competition:
    """The competition, until the end of the transaction.

    Order of locks: season → competition → match. Raises Cancelled unless `even_cancelled`.
    """
    pokes.after_commit()
    rows = Competition.objects.select_for_update(of=("self",)).select_related("league")
    competition = rows.get(pk=competition_id)
    return competition if even_cancelled else refuse_if_cancelled(competition)


def locked_draft(competition_id: int, user: User) -> Competition:
    """Lock a draft, for managers of competitions.

    Raises NotAllowed, and Refused `already-published`.
    """
    competition = locked(competition_id)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    return refuse_if_published(competition)


def refuse_if_published(competition: Competition) -> Competition:
    if competition.published_at is not None:
        raise Refused(
            "already-published",
            _("%(competition)s is published, so this can’t be changed any more."),
            competition=competition,
        )
    return competition


def being_drawn(competition: Competition) -> bool:
    """Whether a draw of the competition or its season is requested and not made yet."""
    of = Q(competition=competition) | Q(season__divisions__competition=competition)
    return DrawJob.objects.filter(of, done_at=None).exists()


def undo_draw(competition: Competition) -> None:
    """Delete matchdays, slots and matches of a draft.

    Raises Refused `has-logs` if a log was handed in already.
    """
    StageEntry.objects.filter(stage__competition=competition).delete()
    forget_rounds(competition, Matchday.objects.filter(stage__competition=competition))


def forget_rounds(competition: Competition, days: QuerySet[Matchday]) -> None:
    """Delete rounds that are unpublished or have not begun.

    Matches whose entries were all taken back are set aside, because records are kept. Raises Refused `has-logs`.
    """
    slots = Slot.objects.filter(matchday__in=days)
    matches = list(slots.exclude(match=None).values_list("match", flat=True))
    if Record.objects.filter(game__match__in=matches, withdrawn_at=None).exists():
        raise Refused(
            "has-logs",
            _("%(competition)s has results already, so its draw can’t be removed."),
            competition=competition,
        )
    days.delete()
    remove(matches)


def unschedule(match: Match) -> None:
    """Remove a match that has not begun; its slot waits for its two entrants again.

    If entries of it were taken back, it is set aside.
    """
    Slot.objects.filter(match=match).update(match=None)
    remove([match.pk])


def remove(matches: Iterable[int]) -> None:
    """Delete matches; those with records, which are kept, are set aside."""
    matches = list(matches)
    kept = set(Record.objects.filter(game__match__in=matches).values_list("game__match", flat=True))
    locked_matches = Match.objects.select_for_update().filter(pk__in=kept).order_by("pk")
    set_aside(Match.objects.filter(pk__in=list(locked_matches.values_list("pk", flat=True))), timezone.now())
    matches = [match for match in matches if match not in kept]
    Game.objects.filter(match__in=matches).delete()
    Side.objects.filter(match__in=matches).delete()
    Match.objects.filter(pk__in=matches).delete()


def has_begun(match: Match) -> bool:
    """Whether the match has an entry: a result, a log, its clock, a tally."""
    return bool(begun([match.pk]))


def begun(match_ids: Iterable[int]) -> set[int]:
    """Those of the matches that have an entry. One statement."""
    return set(Game.objects.filter(TOUCHED, match__in=list(match_ids)).values_list("match", flat=True))


def locked_season(season_id: int) -> Season:
    """The season, until the end of the transaction.

    Order of locks: season → competition → match.
    """
    return Season.objects.select_for_update(of=("self",)).select_related("league").get(pk=season_id)


def locked_draft_season(season_id: int, user: User) -> Season:
    """Lock a draft season, for managers of competitions.

    Raises NotAllowed, and Refused `already-published`.
    """
    season = locked_season(season_id)
    check_may(user, Act.MANAGE_COMPETITIONS, season.league)
    if season.published_at is not None:
        raise Refused(
            "already-published",
            _("%(season)s is published, so its divisions and places can’t be changed."),
            season=season,
        )
    return season


def refuse_if_closed(season: Season) -> None:
    if season.closed_at is not None:
        raise Refused("season-closed", _("%(season)s is closed."), season=season)


def refuse_if_season_closed(competition: Competition) -> None:
    """Refuse withdrawals from a division after its season is closed.

    They count for the next season. Raises Refused `season-closed`.
    """
    season = Season.objects.filter(divisions__competition=competition).first()
    if season is not None:
        refuse_if_closed(season)


def refuse_unless_division(competition: Competition, first: str, then: str | None) -> None:
    """Keep a division a division when its draft is planned again.

    `first` is the format of its first stage. Raises Refused `bad-plan`.
    """
    if first in DIVISION_FORMATS and then is None:
        return
    if Division.objects.filter(competition=competition).exists():
        raise Refused("bad-plan", _("A division is a round robin or a Swiss system: it ends with one table."))
