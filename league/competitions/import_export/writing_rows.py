"""Bulk writing of an imported competition's rows (importing.py)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from games.moves import SEATS
from league.accounts.models import User
from league.competitions.draw.laying_out import opener
from league.competitions.formats.registry import LADDERS
from league.competitions.import_export.values import FiledCompetition, FiledGame, FiledSlot
from league.competitions.models import (
    Adjustment,
    Berth,
    Challenge,
    Competition,
    Matchday,
    Registration,
    Slot,
    StageEntry,
    Withdrawal,
)
from league.competitions.registration.enrolment import store_people
from league.matches.hash_chain import sha256
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Game, KnownBy, Match, Record, Result, ScoreSheet, StoredVerdict, Table
from league.matches.results.entries import sheet_text
from league.matches.results.match_outcome import GameOutcome, provisional_standing
from league.matches.seals import Sides, facts_of_record, record_head, sides_of_matches
from league.players.models import Entrant
from referee import EDITION

BATCH = 500


@dataclass
class ImportWork:
    """An import in progress, in the caller's transaction."""

    competition: Competition
    filed: FiledCompetition
    user: User
    now: datetime
    # By their keys in the file; all others are found or enrolled from their data in the file.
    known: Mapping[str, Entrant] = field(default_factory=dict)
    entrants: dict[str, Entrant] = field(default_factory=dict)
    slots: dict[tuple[int, int, int], Slot] = field(default_factory=dict)

    def run(self) -> None:
        self.register()
        self.draw()
        self.challenge()
        self.play()
        self.withdraw()
        self.close()

    def register(self) -> None:
        self.entrants = {one.key: self.known[one.key] for one in self.filed.entrants if one.key in self.known}
        others = [one for one in self.filed.entrants if one.key not in self.known]
        stored = store_people(self.competition.league, others, self.user)
        self.entrants |= {one.key: entrant for one, entrant in zip(others, stored, strict=True)}
        Registration.objects.bulk_create(
            [
                Registration(
                    competition=self.competition,
                    entrant=self.entrants[one.key],
                    seed=seed,
                    key=one.key,
                    free_reason=one.free_reason,
                    rating=one.rating,
                    bonus=sum(given.points for given in one.adjustments),
                    bye_rounds=list(one.byes),
                )
                for seed, one in enumerate(self.filed.entrants, start=1)
            ],
            batch_size=BATCH,
        )
        self.adjust()

    def adjust(self) -> None:
        rows = dict(self.competition.registrations.values_list("entrant", "pk"))
        Adjustment.objects.bulk_create(
            Adjustment(
                registration_id=rows[self.entrants[one.key].pk],
                points=given.points,
                reason=given.reason,
                made_at=given.made_at or self.now,
                made_by=self.user,
            )
            for one in self.filed.entrants
            for given in one.adjustments
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
                    requested_bye=slot.requested_bye,
                )
        Slot.objects.bulk_create(self._slots_in_order(), batch_size=BATCH)
        Berth.objects.bulk_create(self._berths(), batch_size=BATCH)

    def _slots_in_order(self) -> list[Slot]:
        """Slots, those of decided challenges in the order of the decisions.

        All results of an archive become official at the same time, and the places of a ladder then follow from the keys
        of its slots (`ladders.services.places`).
        """
        decided = {one.slot: one.decided for one in self.filed.challenges if one.slot and one.decided}
        return [slot for _key, slot in sorted(self.slots.items(), key=lambda both: decided.get(both[0], 0))]

    def challenge(self) -> None:
        stages = {stage.number: stage for stage in self.competition.stages.all()}
        Challenge.objects.bulk_create(
            [
                Challenge(
                    stage=stages[one.stage],
                    challenger=self.entrants[one.challenger],
                    challenged=self.entrants[one.challenged],
                    slot=self.slots[one.slot] if one.slot else None,
                    made_at=one.made_at,
                    made_by=self.user,
                    closed_at=one.closed_at,
                    closed_how=one.closed_how,
                )
                for one in self.filed.challenges
            ],
            batch_size=BATCH,
        )

    def close(self) -> None:
        """Close the ladders; other formats end with their last official result."""
        closed = [one.number for one in self.filed.stages if one.finished]
        ladders = self.competition.stages.filter(format__in=LADDERS, number__in=closed)
        ladders.update(finished_at=self.now)

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
                    absent_since=self.now if berth.absent else None,
                )

    def play(self) -> None:
        played = [(slot, filed) for slot, filed in self._filed_slots() if filed.has_match]
        matches = schedule_matches([self._fixture(slot, filed) for slot, filed in played])
        for (slot, _filed), match in zip(played, matches, strict=True):
            slot.match = match
        Slot.objects.bulk_update([slot for slot, _filed in played], ["match"], batch_size=BATCH)
        games = {
            (game.match_id, game.number): game
            for game in Game.objects.filter(match__slot__matchday__stage__competition=self.competition).select_related(
                "match"
            )
        }
        both = [
            (games[match.pk, one.number], one)
            for (_slot, filed), match in zip(played, matches, strict=True)
            for one in filed.games
        ]
        self._enter(both)
        for (_slot, filed), match in zip(played, matches, strict=True):
            match.state = _state(match.best_of, filed.games, sides=len(filed.sides))
        moved = [match for match in matches if match.state != Match.State.SCHEDULED]
        Match.objects.bulk_update(moved, ["state"], batch_size=BATCH)

    def _fixture(self, slot: Slot, filed: FiledSlot) -> Fixture:
        competition = self.competition
        return Fixture(
            league=competition.league,
            entrants=[self.entrants[berth.entrant] for berth in filed.sides],
            ruleset=competition.ruleset,
            options=competition.options,
            best_of=competition.games_in(slot.matchday, third_place=slot.third_place),
            table=slot.table,
            starts_at=slot.starts_at,
            opener=opener(competition, slot.matchday, third_place=slot.third_place),
        )

    def _enter(self, games: Sequence[tuple[Game, FiledGame]]) -> None:
        """Write all entries at once, with the same rows as `entering` writes for each."""
        texts = [sheet_text(_sheet(one)) for _game, one in games]
        sides = sides_of_matches({game.match_id for game, _one in games})
        records = Record.objects.bulk_create(
            [
                self._record(game, one, text, sides[game.match_id])
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

    def _record(self, game: Game, one: FiledGame, text: str, sides: Sides) -> Record:
        record = Record(
            game=game,
            kind=KnownBy.RULED if one.ruled else KnownBy.SCORE,
            submitted_by=self.user,
            via=Record.Via.IMPORT,
            submitted_at=self.now,
            state=Record.State.VERIFIED,
            upload_sha256=sha256(f"import {self.user.pk} {text}".encode()),
            seats={letter: side for side, letter in enumerate(SEATS[: len(one.points)], start=1)},
            sides=sides,
        )
        record.head = record_head("", facts_of_record(record, game, sha256(text.encode())))
        return record

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
    """A verdict without a check: an archive's house rules may be gone."""
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


def _state(best_of: int, games: Sequence[FiledGame], *, sides: int) -> Match.State:
    """State of a match before any confirmation."""
    if not games:
        return Match.State.SCHEDULED
    outcomes = [GameOutcome(one.winner, official=False, needs_decision=one.needs_decision) for one in games]
    over = provisional_standing(best_of, outcomes, sides=sides).over or len(games) == best_of
    return Match.State.PROVISIONAL if over else Match.State.PLAYING
