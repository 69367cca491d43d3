"""A competition at which anything may happen, for Hypothesis: everybody's verbs in any order (test_any_night.py)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count as count_from
from random import Random
from unittest.mock import patch

from django.db import transaction
from django.db.models import Q, QuerySet
from django.test import TestCase
from django.utils import timezone
from hypothesis import event, note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from league.accounts.models import League
from league.competitions import jobs
from league.competitions.attendance import check_in as check_in_module
from league.competitions.attendance import withdrawals
from league.competitions.attendance.check_in import check_out
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.late_places import offers
from league.competitions.attendance.no_shows import forfeit_absent, wait_for
from league.competitions.draw import advancing, plans, publishing, stages, swiss_rounds
from league.competitions.draw.lots import draw_table_lots
from league.competitions.draw.plans import Plan
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.schedule import rescheduling
from league.competitions.draw.stages import next_draw
from league.competitions.models import Berth, Competition, DrawJob, Matchday, Payment, Registration, Slot, Withdrawal
from league.competitions.registration import entries, fees
from league.competitions.registration import fees as fees_module
from league.competitions.registration.seeding import draw_lots
from league.errors import NotAllowed, Refused
from league.matches.models import Amendment, Game, Match, Record, Result
from league.players.models import Entrant
from league.players.services import enrol
from tests.league.competitions.invariants import Scene, scene, wrong, wrong_step
from tests.league.competitions.night_results import ANY, NightResults
from tests.league.world import NOON, World, make_world

TABLES = ("1", "2", "3")
FEE = 500
KINDS = (Matchday, Slot, Berth, Registration, Match, Result, Record, Amendment, Withdrawal, Payment)
"""What an act that is refused leaves alone."""


def ticking() -> Callable[[], datetime]:
    """A clock that tells no time twice. How long the machine takes does not matter: a night is less than a minute,
    so nobody who comes late is seated into the hour of the next round, which would wait for them.
    """
    ticks = count_from()
    return lambda: NOON + timedelta(days=1, milliseconds=next(ticks))


class Night(NightResults, RuleBasedStateMachine):
    """Each rule is one act of somebody; what is refused must leave everything as it was."""

    plan: Mapping[str, object] = {}
    most = 9

    def __init__(self) -> None:
        super().__init__()
        self.clock = patch("django.utils.timezone.now", ticking())
        self.clock.start()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        self.before = Scene()
        self.acted = False
        """Since the promises were looked at: a step in which there was nobody to act on changes nothing."""

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.undone.__exit__(None, None, None)
        self.clock.stop()

    # --- What there is to act on ---

    @property
    def competition(self) -> Competition:
        return Competition.objects.select_related("league").get(pk=self.key)

    @property
    def is_draft(self) -> bool:
        return self.competition.published_at is None

    @property
    def is_shown(self) -> bool:
        return not self.is_draft

    @property
    def has_draft_round(self) -> bool:
        return self.is_shown and self.swiss_draft() is not None

    def one(self, rows: QuerySet | Sequence, index: int):
        """One of the rows, None where there is none."""
        found = list(rows)
        return found[index % len(found)] if found else None

    def registrations(self) -> QuerySet[Registration]:
        return self.competition.registrations.select_related("entrant").order_by("seed")

    def games(self) -> QuerySet[Game]:
        of_draw = Game.objects.filter(match__slot__matchday__stage__competition=self.key)
        return of_draw.select_related("match__league").order_by("match__slot__matchday__number", "pk")

    def open_games(self) -> QuerySet[Game]:
        shown = self.games().filter(match__published_at__isnull=False).exclude(match__state=Match.State.DECIDED)
        return shown.exclude(results__current=True)

    def results(self, state: Result.State) -> QuerySet[Result]:
        rows = Result.objects.filter(game__in=self.games().values("pk"), current=True, state=state)
        return rows.select_related("game__match__league", "record").order_by("pk")

    def swiss_draft(self) -> Matchday | None:
        drafts = Matchday.objects.filter(stage__competition=self.key, published_at=None, stage__format="swiss")
        return drafts.first()

    def act(self, do: Callable[..., object], *arguments: object, **more: object) -> None:
        """By somebody at a page: what follows after the commit follows at once. A refusal changes nothing."""
        self.acted = True
        before = self.facts()
        try:
            with TestCase.captureOnCommitCallbacks(execute=True), transaction.atomic():
                do(*arguments, **more)
        except (Refused, NotAllowed) as refused:
            self.told = refused.code
        else:
            return
        event(f"refused: {self.told}")
        note(f"refused: {self.told}")
        assert self.facts() == before, f"{self.told}, and yet something changed"

    def facts(self) -> list[list[tuple]]:
        return [list(kind.objects.order_by("pk").values_list()) for kind in KINDS]

    # --- Before the night ---

    @initialize(count=st.integers(2, 9), shown=st.sampled_from([True, True, True, False]), asks=st.booleans())
    def found(self, count: int, shown: bool, asks: bool) -> None:
        self.world: World = make_world()
        self.friendly = {self.world.match.pk}
        League.objects.filter(pk=self.world.league.pk).update(confirmation_required=asks)
        self.names = (f"P{number}" for number in count_from(3))
        wanted = {
            "name": "Night",
            "ruleset": "udl",
            "fee": FEE,
            "starts_at": timezone.now().replace(second=0, microsecond=0),
            "tables": TABLES,
        }
        made = plans.found(self.world.league, Plan(**(wanted | self.plan)), user=self.world.owner)
        self.key = made.pk
        more = [self.somebody() for _ in range(max(min(count, self.most), 4) - 2)]
        entries.register(made, [*self.alice_and_bob(), *more])
        if shown:
            self.draw()
            self.publish()

    def alice_and_bob(self) -> Sequence[Entrant]:
        """Whom these accounts play as."""
        return self.world.ana, self.world.bo

    def newcomer(self) -> str:
        """A line as it is typed."""
        return next(self.names)

    def somebody(self) -> Entrant:
        return enrol(league=self.world.league, name=next(self.names), since=NOON.date())

    @precondition(lambda self: self.is_draft)
    @rule()
    def register(self) -> None:
        if self.registrations().count() < self.most:
            self.act(lambda: entries.register(self.competition, [self.somebody()]))

    @precondition(lambda self: self.is_draft)
    @rule(seed=ANY)
    def lots_for_seeds(self, seed: int) -> None:
        self.act(lambda: draw_lots(self.competition, user=self.world.owner, rng=Random(seed)))

    @precondition(lambda self: self.is_draft)
    @rule()
    def draw(self) -> None:
        self.act(lambda: jobs.ask_to_draw(self.competition, DrawJob.What.FIRST, user=self.world.owner))

    @precondition(lambda self: self.is_draft)
    @rule()
    def draw_with_present(self) -> None:
        away = list(self.registrations().filter(checked_in_at=None).values_list("entrant", flat=True))
        if self.registrations().count() - len(away) >= 4:
            self.act(lambda: check_in_module.draw_with_present(self.competition, user=self.world.owner, absent=away))

    @precondition(lambda self: self.is_draft)
    @rule()
    def publish(self) -> None:
        self.act(lambda: publishing.publish(self.competition, user=self.world.owner))

    # --- The desk ---

    @rule(which=ANY, comes=st.booleans())
    def check_in(self, which: int, comes: bool) -> None:
        row = self.one(self.registrations(), which)
        verb = check_in_module.check_in if comes else check_out
        self.act(lambda: verb(self.competition, row.entrant, user=self.world.referee))

    @rule(which=ANY, amount=st.sampled_from([None, 100, FEE, FEE + 1]))
    def take_fee(self, which: int, amount: int | None) -> None:
        row = self.one(self.registrations(), which)
        owed = fees.owed_by(row, self.competition, fees.paid(self.competition, row.entrant))
        self.act(
            lambda: fees_module.take_fee(self.competition, row.entrant, user=self.world.owner, owed=owed, amount=amount)
        )

    @rule(which=ANY, reason=st.sampled_from(["", "a child"]))
    def let_off(self, which: int, reason: str) -> None:
        row = self.one(self.registrations(), which)
        self.act(lambda: fees_module.let_off(self.competition, row.entrant, user=self.world.owner, reason=reason))

    @rule(which=ANY)
    def give_back(self, which: int) -> None:
        if payment := self.one(Payment.objects.filter(competition=self.key), which):
            self.act(lambda: fees_module.give_back(payment, user=self.world.owner))

    @rule(which=ANY, now=st.booleans())
    def come_late(self, which: int, now: bool) -> None:
        if self.registrations().count() >= self.most:
            return
        offered = self.one(offers(self.competition), which)
        slot = offered.first.slot.pk if offered and offered.first else None
        self.act(lambda: walk_in(self.competition, self.newcomer(), user=self.world.owner, slot_id=slot, now=now))

    @rule(which=ANY)
    def withdraw(self, which: int) -> None:
        row = self.one(self.registrations(), which)
        if row and self.registrations().count() > 4:
            self.act(lambda: withdrawals.withdraw(self.competition, row.entrant, user=self.world.owner, reason="ill"))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY)
    def undo_withdrawal(self, which: int) -> None:
        if done := self.one(Withdrawal.objects.filter(competition=self.key), which):
            self.act(lambda: withdrawals.undo_withdrawal(done, user=self.world.owner))

    @precondition(lambda self: self.is_shown)
    @rule()
    def lots_for_the_table(self) -> None:
        self.act(lambda: draw_table_lots(self.competition, user=self.world.owner, rng=Random(1)))

    @rule(which=ANY, table=ANY, minutes=st.sampled_from([0, 15, 600]))
    def move(self, which: int, table: int, minutes: int) -> None:
        slots = Slot.objects.filter(matchday__stage__competition=self.key, starts_at__isnull=False)
        if slot := self.one(slots.order_by("pk"), which):
            to = self.one(self.competition.tables.order_by("pk"), table)
            at = slot.starts_at + timedelta(minutes=minutes)
            self.act(lambda: rescheduling.move(slot, user=self.world.owner, table=to, starts_at=at))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, then=st.sampled_from(["wait", "wait", "gives up", "there"]))
    def not_at_the_table(self, which: int, then: str) -> None:
        """Somebody is awaited; the time is over; or they are there after all."""
        berths = Berth.objects.filter(slot__match__published_at__isnull=False, entrant__isnull=False)
        berths = berths.filter(slot__matchday__stage__competition=self.key).exclude(
            slot__match__state=Match.State.DECIDED
        )
        if then != "wait":
            berths = berths.filter(Q(awaited_since__isnull=False) | Q(absent_since__isnull=False))
        if not (
            berth := self.one(
                berths.select_related("slot", "entrant__player", "entrant__partner").order_by("pk"), which
            )
        ):
            return
        if then == "gives up":
            Berth.objects.filter(pk=berth.pk, awaited_since__isnull=False).update(awaited_since=NOON)
            self.act(lambda: forfeit_absent(berth.slot, berth.entrant, user=self.world.referee))
        else:
            waiting = then == "wait"
            self.act(lambda: wait_for(berth.slot, berth.entrant, user=self.world.referee, waiting=waiting))

    # --- Rounds ---

    @precondition(lambda self: self.is_shown)
    @rule()
    def draw_next(self) -> None:
        self.act(lambda: jobs.ask_to_draw(self.competition, DrawJob.What.NEXT, user=self.world.owner))

    @precondition(lambda self: self.is_shown)
    @rule()
    def draw_anew(self) -> None:
        self.act(lambda: jobs.ask_to_draw(self.competition, DrawJob.What.ANEW, user=self.world.owner))

    @precondition(lambda self: self.is_shown)
    @rule(reason=st.sampled_from(["", "the hall closes"]), which=st.sampled_from([0, 0, 0, 1]))
    def publish_round(self, reason: str, which: int) -> None:
        drafts = Matchday.objects.filter(stage__competition=self.key, published_at=None).order_by("number")
        if day := self.one(drafts, which):
            self.act(lambda: publish_matchday(day, user=self.world.owner, reason=reason))

    @precondition(lambda self: self.has_draft_round)
    @rule(which=ANY, keep=st.booleans())
    def keep_pair(self, which: int, keep: bool) -> None:
        slot = self.one(self.swiss_draft().slots.order_by("pk"), which)
        self.act(lambda: swiss_rounds.keep_pair(slot, user=self.world.owner, keep=keep))

    @precondition(lambda self: self.has_draft_round)
    @rule(one=ANY, other=ANY)
    def swap(self, one: int, other: int) -> None:
        day = self.swiss_draft()
        here = sorted({berth for slot in day.slots.all() for berth in slot.berths.values_list("entrant", flat=True)})
        first, second = self.one(here, one), self.one(here, other)
        self.act(lambda: swiss_rounds.swap(day, first, second, user=self.world.owner))

    @precondition(lambda self: self.is_shown)
    @rule(rounds=st.integers(1, 6))
    def set_rounds(self, rounds: int) -> None:
        self.act(lambda: stages.set_rounds(self.competition, rounds, user=self.world.owner))

    # --- What holds after each of them ---

    @rule()
    def sweep(self) -> None:
        """Nothing was missed, so a sweep finds nothing."""
        before = scene(self.competition)
        assert advancing.sweep() == 0
        assert scene(self.competition) == before

    @rule()
    def ask_what_is_next(self) -> None:
        next_draw(self.competition)

    @invariant()
    def holds(self) -> None:
        if not self.acted:
            return
        self.acted = False
        now = scene(self.competition)
        found = [*wrong_step(self.before, now), *wrong(self.competition, self.world.owner, now, friendly=self.friendly)]
        assert not found, "\n".join(found)
        self.before = now
