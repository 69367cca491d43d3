"""Import of a season from a file: preview, then all in one transaction.

Divisions and play-offs are imported as competitions (importing.py): recorded, and waiting as a whole for an official
other than the importer. Promotion and relegation are not read from the file: they follow from the official tables.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.graphemes import longer_than
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.formats.registry import DIVISION_FORMATS
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.importing import MOST_TOLD, ImportPreview, import_competition, preview_import
from league.competitions.import_export.reading import contradictions
from league.competitions.import_export.season_exporting import season_file
from league.competitions.import_export.season_values import FiledDivision, FiledSeason
from league.competitions.import_export.values import Mistake
from league.competitions.locks import locked_season
from league.competitions.models import Competition, Division, PlayOff, Registration, Season
from league.competitions.models.season import LONGEST_DIVISION
from league.competitions.official_results import waiting_results_of
from league.competitions.seasons.dates import checked_dates, write_dates
from league.competitions.seasons.plans import (
    GAMES,
    MOST_DIVISIONS,
    check_name,
    name_season,
    refuse_if_twice,
    refuse_too_many_places,
    refuse_wrong_borders,
    sized,
)
from league.errors import Refused
from league.players.models import Entrant
from league.players.services import Pasted


@dataclass(frozen=True, slots=True)
class SeasonImportPreview:
    """Preview of an import.

    `known`: the season imported from this file before, or exported to it; `differs`: places where it differs now.
    `people`: the action for each entrant of the divisions.
    """

    filed: FiledSeason
    people: Pasted
    mistakes: tuple[Mistake, ...]
    known: Season | None = None
    differs: tuple[str, ...] = ()

    @property
    def may_store(self) -> bool:
        return not (self.mistakes or self.known or self.people.undecided)

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of divisions, matches, games, new and known people."""
        inner = [one for _place, one in self.filed.competitions]
        clear = [one for one in self.people.lines if not one.undecided]
        return {
            "divisions": len(self.filed.divisions),
            "matches": sum(one.matches for one in inner),
            "games": sum(one.games for one in inner),
            "new": sum(one.player is None for one in clear),
            "known": sum(one.player is not None for one in clear),
        }


@dataclass(frozen=True, slots=True)
class SeasonImportDone:
    """Outcome of an import. `created` is False if the same file was imported before."""

    season: Season
    created: bool


def preview_season_import(
    league: League, filed: FiledSeason, *, user: User, value: Mapping[str, Any] | None = None
) -> SeasonImportPreview:
    """Preview `import_season`; stores nothing. Raises NotAllowed.

    `value`: the file's content, to be compared with the season imported from it before.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    seen = [(place, preview_import(league, one, user=user)) for place, one in filed.competitions]
    of_divisions = [preview for _place, preview in seen[: len(filed.divisions)]]
    people = Pasted(tuple(line for one in of_divisions for line in one.people.lines))
    known = league.seasons.filter(divisions__competition__key=filed.key).first()
    if known:
        differs = contradictions(season_file(user, league.slug, known.slug), value) if value else []
        return SeasonImportPreview(filed, people, (), known, tuple(differs[:MOST_TOLD]))
    return SeasonImportPreview(filed, people, tuple(_mistakes(league, filed, seen)))


def _mistakes(league: League, filed: FiledSeason, seen: Iterable[tuple[str, ImportPreview]]) -> Iterable[Mistake]:
    yield from _of_season(filed)
    if league.seasons.filter(name__iexact=" ".join(filed.name.split())).exists():
        yield Mistake("season.name", "season-name-taken", filed.name)
    for count, one in enumerate(filed.divisions, start=1):
        formats = [stage.format for stage in one.competition.stages]
        if len(formats) != 1 or formats[0] not in DIVISION_FORMATS:
            yield Mistake(f"divisions[{count}].competition.stages", "no-division", ", ".join(formats))
        if not one.name.strip() or longer_than(" ".join(one.name.split()), LONGEST_DIVISION):
            yield Mistake(f"divisions[{count}].name", "bad-value", one.name)
    for place, preview in seen:
        if preview.known:
            yield Mistake(f"{place}.key", "known-alone", preview.known.name)
        for found in preview.mistakes:
            yield Mistake(f"{place}.{found.place}", found.code, found.found)


def _of_season(filed: FiledSeason) -> Iterable[Mistake]:
    """Mistakes for which the plan of a season would be refused."""
    acts: Mapping[str, Callable[[], object]] = {
        "season.name": partial(check_name, filed.name),
        "dates": partial(checked_dates, filed.dates),
        "divisions": partial(refuse_wrong_borders, filed.divisions),
    }
    for place, act in acts.items():
        try:
            act()
        except Refused as refused:
            yield Mistake(place, refused.code, str(refused))
    names = {" ".join(one.name.split()).casefold() for one in filed.divisions}
    if len(filed.divisions) > MOST_DIVISIONS or len(names) < len(filed.divisions):
        yield Mistake("divisions", "bad-divisions", str(len(filed.divisions)))
    if filed.ends_on and filed.ends_on < filed.starts_on:
        yield Mistake("season.ends_on", "bad-day", filed.ends_on.isoformat())
    if filed.play_off_best_of not in GAMES:
        yield Mistake("season.play_off_best_of", "bad-number", str(filed.play_off_best_of))


@transaction.atomic
def import_season(
    league: League, filed: FiledSeason, *, user: User, value: Mapping[str, Any] | None = None
) -> SeasonImportDone:
    """Import a season as a draft with its divisions, dates and play-offs.

    Its results wait for `confirm_season_import`. All or nothing; the same file again changes nothing.

    Raises NotAllowed, and Refused `import-differs`, `import-mistakes`, `paste-unclear`, `in-two-divisions`,
    `bad-places`, and the errors of `import_competition`.
    """
    League.objects.select_for_update().get(pk=league.pk)
    seen = preview_season_import(league, filed, user=user, value=value)
    if seen.known and seen.differs:
        raise Refused(
            "import-differs",
            _(
                "%(competition)s was imported from this file before and has changed since: %(places)s. Nothing "
                "was changed now."
            ),
            competition=seen.known,
            places=", ".join(seen.differs),
        )
    if seen.known:
        return SeasonImportDone(seen.known, created=False)
    if seen.mistakes:
        raise Refused(
            "import-mistakes",
            _("Nothing was stored, because of these places of the file: %(places)s."),
            places=", ".join(one.place for one in seen.mistakes),
        )
    return SeasonImportDone(_stored(league, filed, user), created=True)


def _stored(league: League, filed: FiledSeason, user: User) -> Season:
    season = name_season(
        league,
        filed.name,
        starts_on=filed.starts_on,
        ends_on=filed.ends_on,
        play_off_best_of=filed.play_off_best_of,
    )
    people: dict[str, Entrant] = {}
    divisions = [_division(season, one, people, user) for one in filed.divisions]
    Division.objects.bulk_create(divisions)
    refuse_if_twice(season)
    refuse_too_many_places(list(sized(season.divisions.all())))
    for one in filed.play_offs:
        upper = divisions[one.upper_level - 1]
        competition = import_competition(league, one.competition, user=user, known=people).competition
        PlayOff.objects.create(upper=upper, number=one.number, competition=competition)
    write_dates(season, filed.dates)
    _keep_starts(divisions, filed)
    return season


def _division(season: Season, one: FiledDivision, people: dict[str, Entrant], user: User) -> Division:
    """Import a division.

    `people`: entrants by key so far; those of this division are added.
    """
    competition = import_competition(season.league, one.competition, user=user).competition
    rows = Registration.objects.filter(competition=competition).select_related("entrant")
    people |= {row.key: row.entrant for row in rows}
    return Division(
        season=season,
        level=one.level,
        name=" ".join(one.name.split()),
        promote=one.promote,
        relegate=one.relegate,
        play_off=one.play_off,
        competition=competition,
    )


def _keep_starts(divisions: Iterable[Division], filed: FiledSeason) -> None:
    """Keep the start in a competition's own file if the season has no dates."""
    if filed.dates:
        return
    for division, one in zip(divisions, filed.divisions, strict=True):
        Competition.objects.filter(pk=division.competition_id).update(starts_at=one.competition.plan.get("starts_at"))


@transaction.atomic
def confirm_season_import(season: Season, *, user: User) -> int:
    """Confirm all results of an imported season; return how many.

    By a second official. A second call changes nothing. Raises NotAllowed `no-permission`, `own-submission`.
    """
    locked_season(season.pk)
    return sum(confirm_import(one, user=user) for one in _imported(season).order_by("pk"))


def waiting_of_season(season: Season) -> int:
    """Number of results that wait for this confirmation. One statement."""
    return waiting_results_of(_imported(season)).count()


def _imported(season: Season) -> QuerySet[Competition]:
    of_it = Q(division__season=season) | Q(play_off__upper__season=season)
    return Competition.objects.filter(of_it, imported_at__isnull=False, cancelled_at=None)
