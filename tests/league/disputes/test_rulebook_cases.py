"""Every case of RULES.md 9 as a protest through the service: the stated outcome, and the rule cited.

The pure cases are in tests/referee/rulings. Here each log is a record of a match, the desk protests for the side of the
case, and an official finds the fact.
"""

import pytest
from django.db import transaction

from games.notation.reading import loads
from league.disputes import facts
from league.disputes.models import CourtRules, Dispute
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.disputes.queries import case_view
from league.errors import Refused
from league.matches.hash_chain import sha256
from league.matches.models import Game, Record, SealedLog
from league.players.models import Entrant, Player
from referee.rulings.court import FactFound
from referee.rulings.penalties import TABLE_PLAY
from tests.league.world import NOON
from tests.referee.rulings.court_cases import CASES
from tests.referee.rulings.examples_in_dispute import EXAMPLES_IN_DISPUTE
from tests.referee.rulings.test_court import file_of
from tests.referee.rulings.test_examples_in_dispute import case_of, scores_of

pytestmark = pytest.mark.django_db
SYSTEMS = sorted({one.ruleset for one in CASES})
NAMES = ("Cy Doe", "Dee Fox", "Eli Gray", "Fay Hill")


def table_of(world, ruleset: str, seats: int) -> Game:
    """A match of this many players, with its game."""
    people = Player.objects.bulk_create(Player(name=name) for name in NAMES[:seats])
    entrants = Entrant.objects.bulk_create(Entrant(league=world.league, player=one) for one in people)
    return world.fixture(ruleset=ruleset, entrants=entrants).games.select_related("match__league").get()


def record_of(world, game: Game, text: str) -> Record:
    """The log as a record, in its own words: short logs of a few tiles are no logs of a whole match."""
    (log,) = loads(text)
    seats = {letter: number for number, letter in enumerate(log.seats, start=1)}
    facts = {"submitted_by": world.referee, "submitted_at": NOON, "state": "verified", "seats": seats}
    record = Record.objects.create(game=game, upload_sha256=sha256(text.encode()), **facts)
    SealedLog.objects.create(record=record, text=text, sha256=sha256(text.encode()), heads=[])
    return record


def protested(world, game: Game, text: str, protest) -> Dispute:
    """The desk protests for the side of the seat."""
    point = Point(
        kind=Dispute.Kind(protest.kind.value),
        line=protest.line,
        filed_line=protest.filed,
        number=protest.number,
        against=None if protest.against is None else protest.against + 1,
        miswritten=protest.miswritten,
    )
    record = record_of(world, game, text)
    return protesting.protest(game, world.referee, point, "See the line", record=record, side=protest.by + 1)


def decided(world, dispute: Dispute, answer: FactFound | None):
    """The fact is found; the case as the official reads it afterwards."""
    with transaction.atomic():
        facts.find_facts(dispute, world.referee, answer)
        view = case_view(dispute.code, world.referee)
        transaction.set_rollback(True)
    return view


# The time of the game clock's bell is not in these logs.
TOLD = [one for one in CASES if not one.case]


@pytest.mark.parametrize("ruleset", SYSTEMS)
def test_a_case_comes_to_its_outcome_through_the_service(world, ruleset: str) -> None:
    games = {seats: table_of(world, ruleset, seats) for seats in {one.seats for one in TOLD if one.ruleset == ruleset}}
    for one in TOLD:
        if one.ruleset == ruleset:
            with transaction.atomic():
                if one.penalties:
                    CourtRules.objects.create(league=world.league, penalties=dict(TABLE_PLAY.points))
                check_case(world, games[one.seats], one)
                transaction.set_rollback(True)


def check_case(world, game: Game, one) -> None:
    protest = file_of(one).protest
    if not one.allowed:
        with pytest.raises(Refused) as caught:
            protested(world, game, one.text, protest)
        assert caught.value.code == "not-admitted", one.id
        return
    dispute = protested(world, game, one.text, protest)
    asked = case_view(dispute.code, world.referee).question
    assert (asked is not None) == bool(one.question), one.id
    for answer in FactFound if one.question else [None]:
        view = decided(world, dispute, answer)
        assert one.rule in {rule.number for rule in view.proposal.rules}, one.id
        scores = one.scores if answer is None else one.scores[answer.value]
        assert view.decision.version.outcome.scores == scores, (one.id, answer)


def test_an_example_comes_to_its_outcome_through_the_service(world) -> None:
    games: dict[tuple[str, int], Game] = {}
    for one in EXAMPLES_IN_DISPUTE:
        case = case_of(one)
        key = (case.rules.key, len(case.log.seats))
        games.setdefault(key, table_of(world, *key))
        with transaction.atomic():
            view = decided(world, protested(world, games[key], case.text, case.protest), None)
            assert one.rule in {rule.number for rule in view.proposal.rules}, one.file
            assert view.decision.version.outcome.scores == scores_of(one), one.file
            transaction.set_rollback(True)
