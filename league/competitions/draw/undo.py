"""Back to an earlier state of a draft, and drafts that nobody wants any more. Going back is an act like the others:
what was there is kept before it, so that it can be taken back as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from league.accounts.models import League, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.plans import Plan, free_slug
from league.competitions.draw.publishing import named
from league.competitions.locks import being_drawn, forget_rounds, locked, locked_draft
from league.competitions.models import Applicant, Competition, EarlierState, Matchday, Registration, Season, Slot, Stage
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
# What a plan decides. Whether it counts for the ratings, and who may check in, was decided since, and stays.
PLANNED = [one.name for one in fields(Plan) if one.name != "tables" and hasattr(Competition, one.name)]


@dataclass(frozen=True, slots=True)
class Situation:
    """What stands now, as far as it can forbid going back. `begun`: matches of hidden rounds of which something was
    written down.
    """

    competition: Competition
    rounds_shown: int | None
    drawing: bool
    begun: Sequence[Slot]

    def in_the_way(self, state: EarlierState) -> Refused | None:
        """Why there is no way back to a state, as far as that is known without reading it."""
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
                _("Something was written down of these matches, so their draw stays: %(matches)s."),
                matches=named(self.begun),
            )
        return None


@dataclass(frozen=True, slots=True)
class Undone:
    """`done` is False where it was taken back before. `left_out`: who was registered since, by whole name."""

    done: bool
    left_out: Sequence[str] = ()


def situation(competition: Competition) -> Situation:
    """Four statements, one more where a match has begun."""
    days = hidden_days(competition)
    written = Q(match__games__records__isnull=False)
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
    """Make a competition what it was before an act, and before everything that came after it. `newest`: the latest
    state that the organizer was shown. Who is checked in, and who paid, stays.

    Raises NotAllowed; Refused `state-gone`, `changed-meanwhile`, what `Situation.in_the_way` says, `entrants-gone`,
    `results-changed`.
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
    """Raises Refused `entrants-gone` where somebody of it is nobody any more, or another player since."""
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
        raise Refused("entrants-gone", _("Somebody who took part then is no player of the league any more."))


def _refuse_if_stale(competition: Competition) -> None:
    """A pairing belongs to the results that it was made from."""
    hashes = set(hidden_days(competition).exclude(results_hash="").values_list("results_hash", flat=True))
    if hashes and hashes != {results_hash(competition)}:
        raise Refused(
            "results-changed",
            _("Results have changed, or somebody came or left, since that was paired. It is not their draw any more."),
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


def _stages_back(competition: Competition, rows: Sequence[dict]) -> None:
    competition.stages.exclude(pk__in=[row["id"] for row in rows]).delete()
    names = [name for name in (rows[0] if rows else ()) if name != "id"]
    Stage.objects.bulk_create(
        [Stage(**row) for row in rows], update_conflicts=True, unique_fields=["id"], update_fields=names
    )


def _registrations_back(competition: Competition, rows: Sequence[dict]) -> None:
    """Who takes part, in the order of then. Of those who are there now everything but the seed is what it is now; who
    comes back has no table any more that is somebody else's since.
    """
    now = {row.entrant_id: row for row in competition.registrations.all()}
    stay = {row["entrant_id"] for row in rows}
    here = tables_of(competition.league_id) - {one.pinned_table_id for key, one in now.items() if key in stay}
    competition.registrations.all().delete()
    back = []
    for row in rows:
        one = now.get(row["entrant_id"]) or Registration(**at_tables_there(row, here))
        one.seed = row["seed"]
        back.append(one)
    Registration.objects.bulk_create(back, batch_size=500)


# --- Drafts that nobody wants ---


@transaction.atomic
def discard(competition: Competition, *, user: User, typed: str | None = None) -> EarlierState:
    """Remove a draft with its draw. For so many days as the settings say it can be brought back. `typed`: the word that
    is asked for (`word_to_discard`), None where a program acts.

    Raises NotAllowed; Refused `already-published`, `in-season`, `has-logs`, `has-payments`, `sign-ups-wait`, `in-use`,
    `type-it`.
    """
    competition = locked_draft(competition.pk, user)
    _refuse_of_season(competition)
    if Record.objects.filter(game__match__slot__matchday__stage__competition=competition).exists():
        raise Refused(
            "has-logs", _("Results of %(competition)s were handed in already, so it stays."), competition=competition
        )
    if competition.payments.exists():
        raise Refused(
            "has-payments",
            _("Money was taken for %(competition)s. It stands in the books, so the draft stays."),
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
            competition.applicants.all().delete()  # before the invitations by which they came
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
    """The name of the competition; a draft that nobody entered has nothing to lose. Two statements at most."""
    held = competition.registrations.exists() or competition.applicants.exists()
    return competition.name if held else ""


def _refuse_of_season(competition: Competition) -> None:
    """Levels stand one below the other: with one of them gone, the places that lead up and down would lead nowhere."""
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
    """No erased name is looked for among what is kept: of a sign-up there is whom it became, and its own page."""
    here = Q(state=Applicant.State.ACCEPTED, entrant__in=competition.registrations.values("entrant"))
    competition.applicants.exclude(here).delete()
    competition.applicants.update(
        name="", partner_name="", club="", contact="", word="", born=None, partner_born=None, user=None
    )


@transaction.atomic
def bring_back(league: League, state_id: int, *, user: User) -> Competition:
    """A discarded draft as it was. Where its address is taken it gets another one; a second call gives the one that is
    back. Raises NotAllowed; Refused `state-gone`, `there-again`, `entrants-gone`.
    """
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    League.objects.select_for_update().get(pk=league.pk)  # so that two of one name get an address each
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


def discarded(league: League):
    """The drafts that can be brought back, and those that were; the latest first."""
    rows = EarlierState.objects.filter(league=league, before=EarlierState.Before.DISCARDED)
    return rows.select_related("made_by").order_by("-pk")


def forget_old_states() -> int:
    """Those that are older than the settings say, discarded drafts among them. How many."""
    until = timezone.now() - timedelta(days=settings.EARLIER_DAYS)
    return EarlierState.objects.filter(made_at__lt=until).delete()[0]
