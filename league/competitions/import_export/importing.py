"""Import of a competition from a file: preview, then all in one transaction.

An archive proves nothing: its results are *recorded*, whatever their level in the file, forfeits are *ruled*, no log is
made up, and as a whole they wait for an official other than the importer.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.plans import Plan, check, found
from league.competitions.formats.match_length import length_of
from league.competitions.formats.registry import SPECS
from league.competitions.import_export.confirming import make_official_as_a_whole
from league.competitions.import_export.exporting import competition_file
from league.competitions.import_export.reading import contradictions
from league.competitions.import_export.values import FiledCompetition, FiledRound, Mistake
from league.competitions.import_export.writing_rows import ImportWork
from league.competitions.models import Competition, Matchday, Registration
from league.competitions.registration.enrolment import FiledEntrant, rows_of, store_people
from league.competitions.registration.entries import enter
from league.errors import Refused
from league.players.models import Entrant
from league.players.services import Pasted, preview_rows

MOST_TOLD = 8
MOST_STAGES = 2


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """Preview of an import.

    `known`: the competition imported from this file before; `differs`: places where it differs now. `mistakes`: to be
    corrected first; `people`: the action for each entrant.
    """

    filed: FiledCompetition
    people: Pasted
    mistakes: tuple[Mistake, ...]
    known: Competition | None = None
    differs: tuple[str, ...] = ()

    @property
    def may_store(self) -> bool:
        return not (self.mistakes or self.known or self.people.undecided)


@dataclass(frozen=True, slots=True)
class ImportDone:
    """Outcome of an import. `created` is False if the same file was imported before."""

    competition: Competition
    created: bool


def preview_import(
    league: League, filed: FiledCompetition, *, user: User, value: Mapping[str, Any] | None = None
) -> ImportPreview:
    """Preview `import_competition`; stores nothing. Raises NotAllowed.

    `value`: the file's content, to be compared with the competition imported from it before.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    people = preview_rows(league, rows_of(filed.entrants), user=user, since=timezone.localdate())
    known = league.competitions.filter(key=filed.key).first()
    if known:
        differs = contradictions(competition_file(user, league.slug, known.slug), value) if value else []
        return ImportPreview(filed, people, (), known, tuple(differs[:MOST_TOLD]))
    return ImportPreview(filed, people, tuple(_mistakes(league, filed)))


@transaction.atomic
def import_competition(
    league: League,
    filed: FiledCompetition,
    *,
    user: User,
    value: Mapping[str, Any] | None = None,
    known: Mapping[str, Entrant] | None = None,
) -> ImportDone:
    """Import a competition as a draft whose results wait for `confirm_import`.

    In a league without confirmation they are official at once. All or nothing; the same file again changes nothing.
    `known`: entrants by key of the file that came in with another part of it.

    Raises NotAllowed, and Refused `import-differs`, `import-mistakes`, `paste-unclear`, and those of `found`.
    """
    League.objects.select_for_update().get(pk=league.pk)
    seen = preview_import(league, filed, user=user, value=value)
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
        return ImportDone(seen.known, created=False)
    if seen.mistakes:
        raise Refused(
            "import-mistakes",
            _("Nothing was stored, because of these places of the file: %(places)s."),
            places=", ".join(one.place for one in seen.mistakes),
        )
    competition = found(league, plan_of(filed), user=user)
    now = timezone.now()
    competition.key, competition.imported_at, competition.imported_by = filed.key, now, user
    competition.save(update_fields=["key", "imported_at", "imported_by"])
    ImportWork(competition, filed, user, now, known=known or {}).run()
    if not league.confirmation_required:
        make_official_as_a_whole(competition, by=None, at=now)
    return ImportDone(competition, created=True)


@transaction.atomic
def import_entrants(competition: Competition, entrants: Sequence[FiledEntrant], *, user: User) -> list[Registration]:
    """Register a list of players, with their data, behind the registered entrants.

    A registered entrant keeps its seed, so the same list again changes nothing. All or nothing. Raises the errors of
    `paste_rows` and `register`.
    """
    return enter(competition, store_people(competition.league, entrants, user), user=user)


def plan_of(filed: FiledCompetition) -> Plan:
    first, *later = filed.stages
    last = later[0] if later else first
    return Plan(
        **{"name": "", "ruleset": ""} | dict(filed.plan),
        format=first.format,
        third_place=last.third_place,
        reset=last.reset,
        rounds=first.rounds,
        groups=first.groups,
        seats=first.seats,
        place_points=first.place_points,
        challenge_reach=first.challenge_reach,
        challenge_days=first.challenge_days,
        then=last.format if later else None,
        advance_each=first.advance_each,
        advance_rest=first.advance_rest,
    )


def _is_last(one: FiledRound, rounds: Sequence[FiledRound]) -> bool:
    """Whether no later round of the stage belongs to the same part of the draw."""
    return not any(
        (other.stage, other.section) == (one.stage, one.section) and other.number > one.number for other in rounds
    )


def _mistakes(league: League, filed: FiledCompetition) -> Iterable[Mistake]:
    """Mistakes of a well-formed file that prevent its import here."""
    plan = plan_of(filed)
    try:
        check(plan)
    except Refused as refused:
        yield Mistake("competition", refused.code, str(refused))
    if league.competitions.filter(name__iexact=" ".join(plan.name.split())).exists():
        yield Mistake("competition.name", "name-taken", plan.name)
    keys = {one.key for one in filed.entrants}
    for count, stage in enumerate(filed.stages, start=1):
        if stage.format not in SPECS:
            yield Mistake(f"stages[{count}].format", "unknown-format", stage.format)
        if stage.number != count or count > MOST_STAGES:
            yield Mistake(f"stages[{count}].number", "no-stage", str(stage.number))
        for entry in stage.entries:
            if entry.entrant not in keys:
                yield Mistake(f"{entry.place}.entrant", "not-an-entrant", entry.entrant)
    for count, one in enumerate(filed.rounds, start=1):
        if one.section not in Matchday.Section.values:
            yield Mistake(f"rounds[{count}].section", "bad-value", one.section)
        if one.kind not in Matchday.Kind.values:
            yield Mistake(f"rounds[{count}].kind", "bad-value", one.kind)
        for slot in one.slots:
            most = length_of(
                plan.best_of,
                plan.own_best_of,
                one.kind,
                section=one.section,
                third_place=slot.third_place,
                last=partial(_is_last, one, filed.rounds),
            )
            if len(slot.games) > most:
                yield Mistake(f"{slot.place}.match.games", "too-many-games", str(len(slot.games)))
