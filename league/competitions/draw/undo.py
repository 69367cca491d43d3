"""Undo changes to a draft, and discard drafts.

Undo is an act like the others: the state before it is kept, so it can be undone as well.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.addresses import free_slug
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import named
from league.competitions.locks import being_drawn, forget_rounds, locked, locked_draft
from league.competitions.models import (
    Adjustment,
    Applicant,
    Competition,
    EarlierState,
    Matchday,
    Registration,
    Season,
    Slot,
    Stage,
)
from league.competitions.official_results import results_hash
from league.competitions.snapshots import (
    ROWS,
    WITH_DRAFT,
    Value,
    at_tables_there,
    entrants_in,
    hidden_days,
    hidden_entries,
    keep,
    of_model,
    states_of,
    tables_of,
    undoable,
    unpack,
    write,
)
from league.competitions.typed_confirmation import refuse_unless_typed
from league.errors import Refused
from league.matches.models import Record, Table
from league.players.models import PEOPLE, Entrant

MOST_NAMED = 8
# The plan's decisions. Rating and self check-in are set after planning, so undo leaves them unchanged.
PLANNED = [one.name for one in fields(Plan) if one.name != "tables" and hasattr(Competition, one.name)]


@dataclass(frozen=True, slots=True)
class Situation:
    """The present state of a competition, as far as it can block undo.

    `begun`: matches of hidden rounds with a record that was not taken back, clock events or taps.
    """

    competition: Competition
    rounds_shown: int | None
    drawing: bool
    begun: Sequence[Slot]

    def in_the_way(self, state: EarlierState) -> Refused | None:
        """Give the reason against undo to a state, or None.

        Only what is known without reading the state's rows: `restored-already`, `draw-too-large`, `already-published`,
        `round-published`, `being-drawn`, `has-logs`.
        """
        if state.restored_at is not None:
            return Refused("restored-already", _("This was taken back already."))
        if not state.size:
            return Refused("draw-too-large", _("The draw was too large to be kept: there is no way back to it."))
        if self.rounds_shown is not None and state.rounds_shown is None:
            return Refused(
                "already-published",
                _("%(competition)s was published since, and what is published is not taken back."),
                competition=self.competition,
            )
        if self.rounds_shown != state.rounds_shown:
            return Refused(
                "round-published", _("A round was published since, and what is published is not taken back.")
            )
        if self.drawing:
            return Refused("being-drawn", _("A draw is being made. Wait until it is done."))
        if self.begun:
            return Refused(
                "has-logs",
                _("These matches have begun, so their draw can’t be undone: %(matches)s."),
                matches=named(self.begun),
            )
        return None


@dataclass(frozen=True, slots=True)
class Undone:
    """Outcome of an undo.

    `done` is False if the state was restored before. `left_out`: full names of entrants registered after that state.
    """

    done: bool
    left_out: Sequence[str] = ()


def situation(competition: Competition) -> Situation:
    """Read what can block undo: rounds shown, a running draw, begun matches.

    Four statements, one more if a match has begun.
    """
    days = hidden_days(competition)
    written = Q(match__games__records__isnull=False, match__games__records__withdrawn_at=None)
    written |= Q(match__games__clock_events__isnull=False) | Q(match__games__taps__isnull=False)
    begun = Slot.objects.filter(written, matchday__in=days).select_related("matchday").distinct()
    shown = Matchday.objects.filter(stage__competition=competition).exclude(published_at=None)
    return Situation(
        competition,
        None if competition.published_at is None else shown.count(),
        being_drawn(competition),
        list(begun.order_by("matchday__number", "number")),
    )


@transaction.atomic
def undo(competition: Competition, state_id: int, *, newest: int, user: User) -> Undone:
    """Restore a competition to its state before an act.

    All later acts are undone too. `newest`: the latest state that the organizer was shown. Check-ins and payments stay.

    Raises NotAllowed; Refused `state-gone`, `changed-meanwhile`, the refusals of `Situation.in_the_way`,
    `entrants-gone`, `results-changed`.
    """
    competition = locked(competition.pk)
    check_may(user, Act.MANAGE_COMPETITIONS, competition.league)
    state = undoable(competition).filter(pk=state_id).first()
    if state is None:
        raise Refused("state-gone", _("This state is not kept any more."))
    if state.restored_at is not None:
        return Undone(done=False)
    last = undoable(competition).select_related("made_by")[0]
    if last.pk != newest:
        raise Refused(
            "changed-meanwhile",
            _("Meanwhile %(who)s changed it: %(what)s. Look at it, then decide again."),
            who=last.made_by or _("somebody"),
            what=last.get_before_display(),
        )
    if refusal := situation(competition).in_the_way(state):
        raise refusal
    value = unpack(state.rows)
    refuse_if_gone(value)
    keep(competition, EarlierState.Before.UNDONE, user=user)
    there = _registered(competition)
    _go_back(competition, value)
    _refuse_if_stale(competition)
    note_restored(state, user)
    stay = _registered(competition)
    return Undone(done=True, left_out=tuple(name for entrant, name in there.items() if entrant not in stay))


def _registered(competition: Competition) -> dict[int, str]:
    rows = competition.registrations.select_related(*PEOPLE).order_by("seed")
    return {row.entrant_id: row.entrant.full_name for row in rows}


def note_restored(state: EarlierState, user: User) -> None:
    state.restored_at, state.restored_by = timezone.now(), user
    state.save(update_fields=["restored_at", "restored_by"])


def refuse_if_gone(value: Value) -> None:
    """Refuse if an entrant of a snapshot was deleted or merged into another player.

    Raises Refused `entrants-gone`.
    """
    wanted = entrants_in(value)
    rows = Entrant.objects.filter(pk__in=wanted).select_related("player", "partner")
    merged = [one for one in rows if any(player.merged_into_id for player in one.players)]
    if merged:
        raise Refused(
            "entrants-gone",
            _("These were merged with another player since, so there is no way back: %(names)s."),
            names=", ".join(str(one) for one in merged[:MOST_NAMED]),
        )
    if len(rows) < len(wanted):
        raise Refused("entrants-gone", _("A player of that draw has left the league."))


def _refuse_if_stale(competition: Competition) -> None:
    """Refuse if results changed: a pairing belongs to the results it was made from."""
    hashes = set(hidden_days(competition).exclude(results_hash="").values_list("results_hash", flat=True))
    if hashes and hashes != {results_hash(competition)}:
        raise Refused(
            "results-changed",
            _("Results have changed, or somebody came or left, since that was paired, so it can't be restored."),
        )


def _go_back(competition: Competition, value: Value) -> None:
    forget_rounds(competition, hidden_days(competition))
    hidden_entries(competition).delete()
    if competition.published_at is None:
        _plan_back(competition, value)
        _stages_back(competition, of_model(value, Stage))
        _registrations_back(competition, of_model(value, Registration))
    others = [one for one in ROWS if one not in {Stage, Registration}]
    write(value, others, league_id=competition.league_id)


def _plan_back(competition: Competition, value: Value) -> None:
    kept = {field.attname: field for field in Competition._meta.concrete_fields}
    for name in PLANNED:
        if name in value["competition"]:
            setattr(competition, name, kept[name].to_python(value["competition"][name]))
    competition.save(update_fields=[*PLANNED, "folded"])
    competition.tables.set(Table.objects.filter(league=competition.league_id, pk__in=value["tables"]))


def _stages_back(competition: Competition, rows: Sequence[Mapping[str, Any]]) -> None:
    competition.stages.exclude(pk__in=[row["id"] for row in rows]).delete()
    names = [name for name in (rows[0] if rows else ()) if name != "id"]
    Stage.objects.bulk_create(
        [Stage(**row) for row in rows], update_conflicts=True, unique_fields=["id"], update_fields=names
    )


def _registrations_back(competition: Competition, rows: Sequence[Mapping[str, Any]]) -> None:
    """Restore the registrations and seeds of a state.

    Present registrations keep everything but the seed, also their bonuses and deductions. A restored entrant loses a
    table that is now pinned for another entrant.
    """
    now = {row.entrant_id: row for row in competition.registrations.all()}
    stay = {row["entrant_id"] for row in rows}
    here = tables_of(competition.league_id) - {one.pinned_table_id for key, one in now.items() if key in stay}
    given = list(Adjustment.objects.filter(registration__competition=competition))
    competition.registrations.all().delete()
    back = []
    for row in rows:
        one = now.get(row["entrant_id"]) or Registration(**at_tables_there(row, here))
        one.seed = row["seed"]
        back.append(one)
    Registration.objects.bulk_create(back, batch_size=500)
    there = {one.pk for one in back}
    Adjustment.objects.bulk_create([one for one in given if one.registration_id in there])


# --- Discarded drafts ---


@transaction.atomic
def discard(competition: Competition, *, user: User, typed: str | None = None) -> EarlierState:
    """Remove a draft with its draw; it can be restored for EARLIER_DAYS days.

    `typed`: the confirmation word (`word_to_discard`); None if a program acts.

    Raises NotAllowed; Refused `already-published`, `in-season`, `has-logs`, `has-payments`, `sign-ups-wait`, `type-it`,
    `draw-too-large`, `in-use`.
    """
    competition = locked_draft(competition.pk, user)
    _refuse_of_season(competition)
    records = Record.objects.filter(game__match__slot__matchday__stage__competition=competition)
    if records.filter(withdrawn_at=None).exists():
        raise Refused(
            "has-logs", _("%(competition)s has results already, so it can’t be discarded."), competition=competition
        )
    if competition.payments.exists():
        raise Refused(
            "has-payments",
            _("Fees were paid for %(competition)s, so the draft can’t be discarded."),
            competition=competition,
        )
    _refuse_while_sign_ups_wait(competition)
    refuse_unless_typed(word_to_discard(competition), typed)
    states_of(competition).filter(before=EarlierState.Before.DISCARDED).delete()
    _forget_what_was_typed(competition)
    state = keep(competition, EarlierState.Before.DISCARDED, user=user)
    if not state.size:
        raise Refused(
            "draw-too-large", _("This draw is too large to be kept. Take the draw back before you discard it.")
        )
    try:
        with transaction.atomic():
            forget_rounds(competition, hidden_days(competition))
            competition.withdrawals.all().delete()  # of a draft: all undone
            competition.applicants.all().delete()  # before their invitations, which they refer to
            competition.delete()
    except ProtectedError as error:
        kinds = sorted({str(type(one)._meta.verbose_name_plural) for one in error.protected_objects})
        raise Refused(
            "in-use",
            _("%(competition)s is still needed by: %(what)s."),
            competition=competition,
            what=", ".join(kinds),
        ) from None
    return state


def word_to_discard(competition: Competition) -> str:
    """Give the confirmation word: the name, or "" for a draft without entrants.

    At most two statements.
    """
    held = competition.registrations.exists() or competition.applicants.exists()
    return competition.name if held else ""


def _refuse_of_season(competition: Competition) -> None:
    """Refuse for a division: promotion and relegation of its neighbours depend on it."""
    seasons = Q(divisions__competition=competition) | Q(divisions__play_offs__competition=competition)
    season = Season.objects.filter(seasons).first()
    if season is not None:
        raise Refused(
            "in-season",
            _("%(competition)s belongs to the season %(season)s, so it stays with it."),
            competition=competition,
            season=season,
        )


def _refuse_while_sign_ups_wait(competition: Competition) -> None:
    if waiting := competition.applicants.filter(state=Applicant.State.WAITING).count():
        told = ngettext_lazy(
            "%(count)d sign-up for %(competition)s waits for an answer. Let it in or refuse it first.",
            "%(count)d sign-ups for %(competition)s wait for an answer. Let them in or refuse them first.",
            waiting,
        )
        raise Refused("sign-ups-wait", told, count=waiting, competition=competition)


def _forget_what_was_typed(competition: Competition) -> None:
    """Erase typed personal data, so that a kept state never contains an erased name.

    Only accepted sign-ups remain, with their entrant and page.
    """
    here = Q(state=Applicant.State.ACCEPTED, entrant__in=competition.registrations.values("entrant"))
    competition.applicants.exclude(here).delete()
    competition.applicants.update(
        name="", partner_name="", club="", contact="", word="", born=None, partner_born=None, user=None
    )


@transaction.atomic
def bring_back(league: League, state_id: int, *, user: User) -> Competition:
    """Restore a discarded draft, under another address if its own is taken.

    A second call returns the restored draft. Raises NotAllowed; Refused `state-gone`, `there-again`, `entrants-gone`.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    League.objects.select_for_update().get(pk=league.pk)  # competitions with the same name get different addresses
    state = discarded(league).filter(pk=state_id).first()
    if state is None:
        raise Refused("state-gone", _("This draft is not kept any more."))
    there = league.competitions.filter(key=state.key).first()
    if there and state.restored_at:
        return there
    if there:
        raise Refused("there-again", _("It was imported again meanwhile: %(competition)s."), competition=there)
    value = unpack(state.rows)
    refuse_if_gone(value)
    known = {field.attname: field for field in Competition._meta.concrete_fields}
    row = {name: known[name].to_python(one) for name, one in value["competition"].items() if name in known}
    if league.competitions.filter(slug=row["slug"]).exists():
        row["slug"] = free_slug(league, row["name"])
    competition = Competition.objects.create(**row)
    competition.tables.set(Table.objects.filter(league=league, pk__in=value["tables"]))
    write(value, (*ROWS, *WITH_DRAFT), league_id=league.pk)
    note_restored(state, user)
    return competition


def discarded(league: League) -> QuerySet[EarlierState]:
    """List discarded drafts, restored ones included, latest first."""
    rows = EarlierState.objects.filter(league=league, before=EarlierState.Before.DISCARDED)
    return rows.select_related("made_by").order_by("-pk")


def forget_old_states() -> int:
    """Delete states older than EARLIER_DAYS, discarded drafts too; return how many."""
    until = timezone.now() - timedelta(days=settings.EARLIER_DAYS)
    return EarlierState.objects.filter(made_at__lt=until).delete()[0]
