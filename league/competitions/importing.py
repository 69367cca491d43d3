"""A competition comes from a file: first what it would make, then all of it in one transaction.

An archive proves nothing: its results are *recorded*, whatever the file says of them, forfeits are *ruled*, no log is
made up, and as a whole they wait for an official who did not import them.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moves import SEATS
from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.archive_confirming import make_official_as_a_whole
from league.competitions.entries import register
from league.competitions.exporting import competition_file
from league.competitions.models import (
    Berth,
    Competition,
    Matchday,
    Registration,
    Slot,
    Stage,
    StageEntry,
    Withdrawal,
)
from league.competitions.plans import Plan, check, found
from league.competitions.transfer import FiledCompetition, FiledEntrant, FiledGame, FiledSlot, Mistake, differences
from league.errors import Refused
from league.matches.chain import sha256
from league.matches.deciding import GameOutcome, provisional_standing
from league.matches.models import Game, KnownBy, Match, Record, Result, ScoreSheet, StoredVerdict, Table
from league.matches.services import Fixture, schedule_matches
from league.players.enrolling import check_born
from league.players.models import Entrant, Player
from league.players.naming import tell_apart
from league.players.services import Pasted, paste_rows, preview_rows
from referee import EDITION

BATCH = 500
MOST_TOLD = 8
MOST_STAGES = 2


@dataclass(frozen=True, slots=True)
class ImportPreview:
    """What an import would make. `known`: the competition that came from this file before; `differs`: where it is
    another now. `mistakes`: what must be mended first; `people`: what becomes of each entrant.
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
    """`created` is False where the same file had been imported before: nothing changed."""

    competition: Competition
    created: bool


def preview_import(
    league: League, filed: FiledCompetition, *, user: User, value: Mapping[str, Any] | None = None
) -> ImportPreview:
    """What `import_competition` would do; stores nothing. `value`: the file's own, to be held against what came from it
    before. Raises NotAllowed.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    people = preview_rows(league, rows_of(filed.entrants), user=user, since=timezone.localdate())
    known = league.competitions.filter(key=filed.key).first()
    if known:
        differs = differences(competition_file(user, league.slug, known.slug), value) if value else []
        return ImportPreview(filed, people, (), known, tuple(differs[:MOST_TOLD]))
    return ImportPreview(filed, people, tuple(_mistakes(league, filed)))


@transaction.atomic
def import_competition(
    league: League, filed: FiledCompetition, *, user: User, value: Mapping[str, Any] | None = None
) -> ImportDone:
    """The competition as a draft, its results waiting for `confirm_import`; where the league needs no confirmation they
    are official at once. All or nothing; the same file again changes nothing.

    Raises NotAllowed, and Refused `import-differs`, `import-mistakes`, `paste-unclear`, and those of `found`.
    """
    League.objects.select_for_update().get(pk=league.pk)
    seen = preview_import(league, filed, user=user, value=value)
    if seen.known and seen.differs:
        raise Refused(
            "import-differs",
            _("%(competition)s came from this file before, and is another now: %(places)s. Nothing was changed."),
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
    _Import(competition, filed, user, now).run()
    if not league.confirmation_required:
        make_official_as_a_whole(competition, by=None, at=now)
    return ImportDone(competition, created=True)


@transaction.atomic
def import_entrants(competition: Competition, entrants: Sequence[FiledEntrant], *, user: User) -> list[Registration]:
    """Register a list of players behind those who are there, with what is known of them. All or nothing. Raises what
    `paste_rows` and `register` raise.
    """
    return register(competition, _store_people(competition.league, entrants, user))


def _store_people(league: League, entrants: Sequence[FiledEntrant], user: User) -> list[Entrant]:
    stored = paste_rows(league, rows_of(entrants), user=user, since=timezone.localdate()).entrants
    for one, entrant in zip(entrants, stored, strict=True):
        if one.born is not None:  # whoever is known keeps the year that is there
            Player.objects.filter(pk=entrant.player_id, born=None).update(born=check_born(one.born))
    tell_apart(Player.objects.filter(entrants__in=stored).values_list("folded", flat=True))
    return stored


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
        then=last.format if later else None,
        advance_each=first.advance_each,
        advance_rest=first.advance_rest,
    )


def rows_of(entrants: Iterable[FiledEntrant]) -> list[tuple[int, list[str]]]:
    """As a pasted list has them; the line is the entrant's number in the file."""
    return [(count, [one.name, one.club, one.number]) for count, one in enumerate(entrants, start=1)]


def _mistakes(league: League, filed: FiledCompetition) -> Iterable[Mistake]:
    """What is sound in itself and cannot be stored here."""
    plan = plan_of(filed)
    try:
        check(plan)
    except Refused as refused:
        yield Mistake("competition", refused.code, str(refused))
    if league.competitions.filter(name__iexact=" ".join(plan.name.split())).exists():
        yield Mistake("competition.name", "name-taken", plan.name)
    keys = {one.key for one in filed.entrants}
    for count, stage in enumerate(filed.stages, start=1):
        if stage.format not in Stage.Format.values:
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
            if len(slot.games) > plan.best_of:
                yield Mistake(f"{slot.place}.match.games", "too-many-games", str(len(slot.games)))


# --- Storing ---


@dataclass
class _Import:
    """One import on its way in; the caller's transaction."""

    competition: Competition
    filed: FiledCompetition
    user: User
    now: datetime
    entrants: dict[str, Entrant] = field(default_factory=dict)
    slots: dict[tuple[int, int, int], Slot] = field(default_factory=dict)

    def run(self) -> None:
        self.register()
        self.draw()
        self.play()
        self.withdraw()

    def register(self) -> None:
        stored = _store_people(self.competition.league, self.filed.entrants, self.user)
        self.entrants = {one.key: entrant for one, entrant in zip(self.filed.entrants, stored, strict=True)}
        Registration.objects.bulk_create(
            [
                Registration(
                    competition=self.competition,
                    entrant=self.entrants[one.key],
                    seed=seed,
                    key=one.key,
                    free_reason=one.free_reason,
                )
                for seed, one in enumerate(self.filed.entrants, start=1)
            ],
            batch_size=BATCH,
        )

    def draw(self) -> None:
        stages = {stage.number: stage for stage in self.competition.stages.all()}
        StageEntry.objects.bulk_create(
            StageEntry(
                stage=stages[one.number],
                entrant=self.entrants[entry.entrant],
                seed=entry.seed,
                place=entry.entry_place,
                group=entry.group,
            )
            for one in self.filed.stages
            for entry in one.entries
        )
        tables = self._tables()
        days = Matchday.objects.bulk_create(
            [
                Matchday(
                    stage=stages[one.stage],
                    number=one.number,
                    section=one.section,
                    nth=one.nth or one.number,
                    kind=one.kind,
                    name=one.name,
                    missing_before=one.missing_before,
                    missing_rounds=list(one.missing_rounds),
                    reason=one.reason,
                )
                for one in self.filed.rounds
            ]
        )
        for day, one in zip(days, self.filed.rounds, strict=True):
            for slot in one.slots:
                self.slots[one.stage, one.number, slot.number] = Slot(
                    matchday=day,
                    number=slot.number,
                    table=tables.get(slot.table),
                    starts_at=slot.starts_at,
                    third_place=slot.third_place,
                    group=slot.group,
                    conditional=slot.conditional,
                    not_needed=slot.not_needed,
                )
        Slot.objects.bulk_create(self.slots.values(), batch_size=BATCH)
        Berth.objects.bulk_create(self._berths(), batch_size=BATCH)

    def _tables(self) -> dict[str, Table]:
        names = {slot.table for one in self.filed.rounds for slot in one.slots if slot.table}
        return {
            name: Table.objects.get_or_create(league=self.competition.league, name=name)[0] for name in sorted(names)
        }

    def _filed_slots(self) -> Iterable[tuple[Slot, FiledSlot]]:
        for one in self.filed.rounds:
            for slot in one.slots:
                yield self.slots[one.stage, one.number, slot.number], slot

    def _berths(self) -> Iterable[Berth]:
        for slot, filed in self._filed_slots():
            for number, berth in enumerate(filed.berths, start=1):
                yield Berth(
                    slot=slot,
                    number=number,
                    entrant=self.entrants[berth.entrant] if berth.entrant is not None else None,
                    from_slot=self.slots[berth.source] if berth.source else None,
                    takes=berth.takes,
                )

    def play(self) -> None:
        played = [(slot, filed) for slot, filed in self._filed_slots() if filed.has_match]
        matches = schedule_matches([self._fixture(slot, filed) for slot, filed in played])
        for (slot, _filed), match in zip(played, matches, strict=True):
            slot.match = match
        Slot.objects.bulk_update([slot for slot, _filed in played], ["match"], batch_size=BATCH)
        games = {
            (game.match_id, game.number): game
            for game in Game.objects.filter(match__slot__matchday__stage__competition=self.competition)
        }
        both = [
            (games[match.pk, one.number], one)
            for (_slot, filed), match in zip(played, matches, strict=True)
            for one in filed.games
        ]
        self._enter(both)
        for (_slot, filed), match in zip(played, matches, strict=True):
            match.state = _state(match.best_of, filed.games)
        moved = [match for match in matches if match.state != Match.State.SCHEDULED]
        Match.objects.bulk_update(moved, ["state"], batch_size=BATCH)

    def _fixture(self, slot: Slot, filed: FiledSlot) -> Fixture:
        competition = self.competition
        return Fixture(
            league=competition.league,
            entrants=[self.entrants[berth.entrant] for berth in filed.berths],
            ruleset=competition.ruleset,
            options=competition.options,
            best_of=competition.best_of,
            table=slot.table,
            starts_at=slot.starts_at,
        )

    def _enter(self, games: Sequence[tuple[Game, FiledGame]]) -> None:
        """What `entering` writes of one entry, for all of them at once."""
        texts = [json.dumps(_sheet(one), sort_keys=True, separators=(",", ":")) for _game, one in games]
        records = Record.objects.bulk_create(
            [
                Record(
                    game=game,
                    kind=KnownBy.RULED if one.ruled else KnownBy.SCORE,
                    submitted_by=self.user,
                    via=Record.Via.IMPORT,
                    submitted_at=self.now,
                    state=Record.State.VERIFIED,
                    upload_sha256=sha256(f"import {self.user.pk} {text}".encode()),
                    seats={letter: side for side, letter in enumerate(SEATS[: len(one.points)], start=1)},
                )
                for (game, one), text in zip(games, texts, strict=True)
            ],
            batch_size=BATCH,
        )
        rows = list(zip(records, games, texts, strict=True))
        ScoreSheet.objects.bulk_create(
            [
                ScoreSheet(record=record, data=_sheet(one), sha256=sha256(text.encode()))
                for record, (_g, one), text in rows
            ],
            batch_size=BATCH,
        )
        StoredVerdict.objects.bulk_create(
            [_verdict(record, one, self.now) for record, (_game, one), _text in rows], batch_size=BATCH
        )
        Result.objects.bulk_create(
            [
                Result(
                    game=game,
                    record=record,
                    scores={str(side): points for side, points in enumerate(one.points, start=1)},
                    winner=one.winner,
                    ended=one.ended,
                    known_by=record.kind,
                    needs_decision=one.needs_decision,
                    entered_at=self.now,
                )
                for record, (game, one), _text in rows
            ],
            batch_size=BATCH,
        )

    def withdraw(self) -> None:
        Withdrawal.objects.bulk_create(
            Withdrawal(
                competition=self.competition,
                entrant=self.entrants[one.key],
                reason=one.withdrawn_because,
                made_at=self.now,
                made_by=self.user,
            )
            for one in self.filed.entrants
            if one.withdrawn_because
        )


def _sheet(one: FiledGame) -> dict[str, Any]:
    return {"scores": list(one.points), "winner": one.winner, "ended": one.ended, "official": one.official}


def _verdict(record: Record, one: FiledGame, at: datetime) -> StoredVerdict:
    """Nothing was checked: an archive's house rules may be gone."""
    letters = SEATS[: len(one.points)]
    return StoredVerdict(
        record=record,
        status=StoredVerdict.Status.VERIFIED,
        scores=dict(zip(letters, one.points, strict=True)),
        winner=letters[one.winner - 1] if one.winner else "",
        ended=one.ended,
        engine_edition=EDITION,
        verified_at=at,
    )


def _state(best_of: int, games: Sequence[FiledGame]) -> Match.State:
    """While nobody has confirmed anything."""
    if not games:
        return Match.State.SCHEDULED
    outcomes = [GameOutcome(one.winner, official=False, needs_decision=one.needs_decision) for one in games]
    over = provisional_standing(best_of, outcomes).over or len(games) == best_of
    return Match.State.PROVISIONAL if over else Match.State.PLAYING
