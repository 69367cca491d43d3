"""Protests in random games: a line is written wrongly, and the court comes back to the true game."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.moves import RoundPoints
from games.notation.gamelog import GameLog
from games.notation.lines import NotationError
from games.notation.reading import dumps, loads
from games.rulesets import RULESETS
from referee import verify
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import simulate
from referee.rulings.amending import amend
from referee.rulings.court import FactFound, ProofRule, decide
from referee.rulings.difference import compare_logs
from referee.rulings.outcomes import outcome_of
from referee.rulings.penalties import NO_PENALTIES, TABLE_PLAY
from referee.rulings.proposal import Certainty, Fact
from referee.rulings.proposing import propose
from referee.rulings.protests import CaseFile, Protest, ProtestKind
from referee.rulings.text import ruling_on
from referee.rulings.two_records import protest_between
from tests.referee.mutate import spoil
from tests.referee.rulings.decisive_facts import fault_of
from tests.volume import SEED, amount, seeds

GAMES = 40
NAMES = ("Ana Ruiz", "Bo Chen", "Cy Doe", "Dee Fox")
TABLES = (("udl", 2), ("all-fives", 2), ("all-fives", 4))


def games(*, timed):
    """Logs as read, of the systems with calls, with missed points and muggins."""
    for seed in seeds(GAMES):
        key, seats = TABLES[seed % len(TABLES)]
        habits = Habits(style="greedy", miss=0.3, slip=0.05, timed=timed)
        yield loads(dumps(playout(key, rng=Random(f"court {seed}"), seats=NAMES[:seats], habits=habits).log))[0]


def without(log, line, event=None):
    """The text of a log with another event in a line, or without it."""
    entries = [
        one if one.line != line else one._replace(event=event) for one in log.entries if one.line != line or event
    ]
    return dumps(GameLog(dict(log.tags), entries))


def ruled(text, found=None, **protest):
    case = CaseFile(text, Protest(miswritten=True, **protest))
    proposal = propose(case)
    return proposal, decide(case, proposal, found).version.outcome


def assert_decides(text, log):
    """Whichever log is taken first, the question between both leads to the one or the other."""
    (other,) = loads(text)
    for first, second in ((other, log), (log, other)):
        wrong, right = decided_between(dumps(first), second)
        # A log that goes on after its end cannot be true; the version of an answer ends there, with the same score.
        assert wrong.outcome.scores == outcome_of(verify(first)).scores
        assert right.outcome.scores == outcome_of(verify(second)).scores


def decided_between(text, log):
    """The versions of the question between two logs that differ in one place: of this text, and of the other log."""
    (left,) = loads(text)
    (one,) = compare_logs(left, log).differences
    case = CaseFile(text, protest_between(left, log, one))
    question = propose(case).question
    return (question.no, question.yes) if question.favours else (question.yes, question.no)


@pytest.mark.parametrize("timed", [True, False], ids=["timed", "untimed"])
def test_an_announcement_left_out_and_found_gives_the_true_game(timed):
    tried = 0
    for log in games(timed=timed):
        verdict = verify(log)
        said = [
            one
            for one in verdict.plays
            if one.worth and one.announced == one.worth and one.awarded == {one.seat: one.worth}
        ]
        for play in Random(dumps(log)).sample(said, min(2, len(said))):
            event = next(one.event for one in log.entries if one.line == play.line)
            if event.call is None:
                continue
            text = without(log, play.line, replace(event, call=None))
            proposal, outcome = ruled(text, FactFound.YES, kind=ProtestKind.COUNT, by=play.seat, line=play.line)
            assert proposal.question.fact in (Fact.ANNOUNCED, Fact.ANNOUNCED_IN_HOLD)
            assert outcome == outcome_of(verdict), text
            assert_decides(text, log)
            tried += 1
    assert tried >= amount(GAMES)


@pytest.mark.parametrize("timed", [True, False], ids=["timed", "untimed"])
def test_a_call_left_out_and_found_gives_the_true_game(timed):
    tried = 0
    for log in games(timed=timed):
        verdict = verify(log)
        upheld = [one for one in verdict.rulings if one.upheld]
        for ruling in Random(dumps(log)).sample(upheld, min(2, len(upheld))):
            text = without(log, ruling.line)
            protest = {"kind": ProtestKind.MUGGINS, "by": ruling.claimant, "line": ruling.play}
            _proposal, outcome = ruled(text, FactFound.YES, **protest)
            assert outcome == outcome_of(verdict), text
            assert_decides(text, log)
            tried += 1
    assert tried >= amount(GAMES) // 2


def one_of_each_end(log):
    """Lines with round-end points, one for each way in which hands of the game ended."""
    ends = {one.number: one.ended for one in verify(log).rounds}
    found = {}
    for hand in log.rounds:
        for entry in hand.entries:
            if isinstance(entry.event, RoundPoints):
                found[ends[hand.number]] = entry
    return found


def test_wrong_points_at_the_end_of_a_hand_are_corrected():
    """Every system and every end of a hand; the true points are those of the table's own book."""
    tried = set()
    for seed in seeds(GAMES):
        key = list(RULESETS)[seed % len(RULESETS)]
        (log,) = loads(next(simulate(key, games=1, seed=seed, style="random")))
        for end, entry in one_of_each_end(log).items():
            text = without(log, entry.line, RoundPoints(entry.event.seat, entry.event.points + 5))
            proposal, outcome = ruled(text, kind=ProtestKind.RESULT, by=1 - entry.event.seat, line=entry.line)
            assert proposal.certainty is Certainty.PROVED
            assert outcome.scores == outcome_of(verify(log)).scores
            assert end in {rule.id.partition(".")[2] for rule in proposal.rules}
            assert any("points for" in reason.text for reason in proposal.reasons)
            tried.add(end)
    assert {"domino", "blocked"} <= tried


def catches(log):
    return [one for one in verify(log).rulings if one.upheld and one.rule == "uno-dominoes.catch"]


def test_a_denied_catch_goes_and_a_catch_left_out_comes_back():
    tried = 0
    for seed in seeds(GAMES):
        (log,) = loads(next(simulate("uno-dominoes", games=1, seed=seed, style="random")))
        for caught in catches(log)[:3]:
            protest = Protest(kind=ProtestKind.CATCH, by=caught.against, line=caught.play, filed=caught.line)
            denied = CaseFile(dumps(log), protest)
            question = propose(denied).question
            assert question.yes == denied.version()
            text = amend(denied.text, ruling_on(denied.text, "denied", *question.no.changes)).text
            assert not any(one.play == caught.play for one in catches(loads(text)[0]))
            protest = Protest(kind=ProtestKind.CATCH, by=caught.claimant, line=caught.play, miswritten=True)
            found = CaseFile(text, protest)
            again = amend(text, ruling_on(text, "found", *propose(found).question.yes.changes)).text
            assert caught.play in {one.play for one in catches(loads(again)[0])}
            tried += 1
    assert tried >= GAMES // 4


def test_every_question_in_random_games_is_decisive():
    """And no fact is asked about that the system, or a log without times, does not make decisive."""
    asked = set()
    for seed in seeds(GAMES):
        key = list(RULESETS)[seed % len(RULESETS)]
        (log,) = loads(next(simulate(key, games=1, seed=seed, style="random", options={"target": "30"})))
        rng = Random(seed)
        for entry in rng.sample(log.entries, min(6, len(log.entries))):
            for kind in ProtestKind:
                protest = Protest(
                    kind=kind, by=rng.randrange(len(log.seats)), line=entry.line, miswritten=rng.random() < 0.5
                )
                case = CaseFile(dumps(log), protest)
                question = propose(case).question
                if question is None:
                    continue
                asked.add(key)
                assert fault_of(question, case) == ""
    assert asked & {"udl", "all-fives"}
    assert "uno-dominoes" in asked


SPOILT = 800
LOGS = sorted((Path(__file__).parents[2] / "logs").rglob("*.domino"))


def readable(rng):
    """A stored log, or one spoilt by chance that can still be read."""
    while True:
        text = rng.choice(LOGS).read_text(encoding="utf-8")
        text = spoil(text, rng) if rng.random() < 0.5 else text
        with suppress(NotationError):
            logs = loads(text)
            number = rng.randrange(len(logs))
            if logs[number].entries:
                return text, number, logs[number]


def test_every_protest_about_any_log_has_a_decision():
    rng = Random(f"any protest {SEED}")
    for _ in range(amount(SPOILT)):
        text, number, log = readable(rng)
        entry, filed = rng.choice(log.entries), rng.choice([None, *log.entries])
        protest = Protest(
            kind=rng.choice(list(ProtestKind)),
            by=rng.randrange(len(log.seats)),
            line=entry.line,
            filed=filed and filed.line,
            number=rng.choice([None, 5, 10]),
            miswritten=rng.random() < 0.7,
        )
        case = CaseFile(text, protest, number=number + 1, bell_at=rng.choice([None, 5000]))
        proposal = propose(case, rng.choice([NO_PENALTIES, TABLE_PLAY]))
        for found in FactFound:
            for proof in ProofRule:
                assert decide(case, proposal, found, proof).reason.text
