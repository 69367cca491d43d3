"""What is said about games at a night at which anything may happen (night.py): entered, confirmed, amended."""

from collections.abc import Sequence
from random import Random

from django.db.models import QuerySet
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from league.competitions.amendments.services import close_amendment, confirm_amendment, propose_amendment
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, submit_log
from league.matches.models import Amendment, Game, KnownBy, Record, Result
from league.matches.results import entering
from tests.league.world import played_log

ANY = st.integers(0, 40)
"""One of however many there are."""
SIDES = st.sampled_from([1, 2])
FIVES = st.integers(0, 28)
"""What the other side has, in fives."""
LOGS = {seed: played_log(seed, names=("Seat 1", "Seat 2")) for seed in (7, 9)}


def named(log: str, names: Sequence[str]) -> str:
    """The log of a game of "Seat 1" and others, played by these."""
    for number, name in enumerate(names, start=1):
        log = log.replace(f"Seat {number}", name)
    return log


class NightResults:
    """Rules of a Night."""

    def sheet(self, game: Game, winner: int, lost: int) -> dict[str, list[int]]:
        """A score of a game that went to 150; at a table of several the others have less and less."""
        others = [5 * lost // behind for behind in range(1, game.match.sides.count())]
        return {"scores": [*others[: winner - 1], 150, *others[winner - 1 :]]}

    def log_of(self, game: Game, seed: int) -> str:
        return named(LOGS[seed], [str(one.entrant) for one in game.match.sides.order_by("number")])

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, winner=SIDES, lost=FIVES, by=st.sampled_from(["referee", "alice"]))
    def enter(self, which: int, winner: int, lost: int, by: str) -> None:
        if game := self.one(self.open_games(), which):
            user = getattr(self.world, by)
            self.act(lambda: entering.enter_sheet(game, user, self.sheet(game, winner, lost), kind=KnownBy.SCORE))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, winner=SIDES, lost=FIVES)
    def say_something_else(self, which: int, winner: int, lost: int) -> None:
        """About a game that has a result."""
        if result := self.one(self.results(Result.State.PROVISIONAL), which):
            user, data = self.world.second_referee, self.sheet(result.game, winner, lost)
            self.act(lambda: entering.enter_sheet(result.game, user, data, kind=KnownBy.SCORE))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, seed=st.sampled_from(sorted(LOGS)))
    def hand_in_a_log(self, which: int, seed: int) -> None:
        if game := self.one(self.open_games(), which):
            text = self.log_of(game, seed)
            self.act(lambda: submit_log(game=game, user=self.world.referee, raw=text.encode()))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, winner=st.sampled_from([1, 2, None]))
    def rule_on(self, which: int, winner: int | None) -> None:
        if game := self.one(self.open_games(), which):
            scores = [150 if winner == number else 0 for number in range(1, game.match.sides.count() + 1)]
            self.act(
                lambda: entering.rule(game, self.world.referee, scores=scores, winner=winner, reason="nobody came")
            )

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, by=st.sampled_from(["second_referee", "owner", "bob"]))
    def confirm(self, which: int, by: str) -> None:
        if result := self.one(self.results(Result.State.PROVISIONAL), which):
            self.act(lambda: confirm_result(result=result, user=getattr(self.world, by)))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY)
    def choose(self, which: int) -> None:
        contested = Result.objects.filter(game__in=self.games().values("pk"), contested=True)
        if result := self.one(contested.select_related("game__match").order_by("pk"), which):
            self.act(lambda: entering.choose(result, self.world.owner))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY)
    def undo_entry(self, which: int) -> None:
        records = Record.objects.filter(game__in=self.games().values("pk")).select_related("game__match")
        if record := self.one(records.order_by("-pk"), which):
            self.act(lambda: entering.undo_entry(record, self.world.referee))

    @precondition(lambda self: self.is_shown)
    @rule(most=st.integers(1, 6), seed=ANY)
    def play_on(self, most: int, seed: int) -> None:
        """So many matches are played and confirmed, one after the other."""
        chance = Random(seed)
        for game in self.open_games()[:most]:
            data = self.sheet(game, chance.choice([1, 2]), chance.randrange(29))
            self.act(entering.enter_sheet, game, self.world.referee, data, kind=KnownBy.SCORE)
        for result in self.results(Result.State.PROVISIONAL):
            self.act(confirm_result, result=result, user=self.world.second_referee)

    # --- The past ---

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, winner=SIDES, lost=FIVES, later=st.sampled_from(["stand", "void", ""]))
    def propose(self, which: int, winner: int, lost: int, later: str) -> None:
        if result := self.one(self.results(Result.State.OFFICIAL), which):
            data = self.sheet(result.game, winner, lost)
            wanted = Wanted(kind=KnownBy.SCORE, data=data, reason="the card was read wrongly", later=later)
            self.act(lambda: propose_amendment(result.game, self.world.referee, wanted, typed="Night"))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, by=st.sampled_from(["second_referee", "owner", "referee"]))
    def agree(self, which: int, by: str) -> None:
        if amendment := self.one(self.proposals(), which):
            self.act(lambda: confirm_amendment(amendment, getattr(self.world, by), typed="Night"))

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, by=st.sampled_from(["second_referee", "referee"]))
    def drop(self, which: int, by: str) -> None:
        if amendment := self.one(self.proposals(), which):
            self.act(lambda: close_amendment(amendment, getattr(self.world, by)))

    def proposals(self) -> QuerySet[Amendment]:
        rows = Amendment.objects.filter(game__in=self.games().values("pk"), state=Amendment.State.PROPOSED)
        return rows.select_related("game__match__league", "old").order_by("pk")

    @precondition(lambda self: self.is_shown)
    @rule(which=ANY, winner=SIDES, lost=FIVES, later=st.sampled_from(["stand", "void"]))
    def amend(self, which: int, winner: int, lost: int, later: str) -> None:
        """Proposed and agreed to at once."""
        self.propose(which, winner, lost, later)
        self.agree(0, "second_referee")
