"""Replay of a log through the rules, and the verdict on it (NOTATION.md sections 4 to 6)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from itertools import takewhile

from games.claims import Decision, PlayScore, Why
from games.errors import Reason
from games.gamelog import Entry, GameLog
from games.lines import NotationError
from games.moves import SEATS
from games.notation import loads
from games.ruleset import Ruleset
from games.rulesets import RULESETS
from referee.deals import NoDeal
from referee.game import Impossible, ReplayedGame
from referee.lines import HANDLERS
from referee.muggins import simultaneous
from referee.verdict import Finding, Ruling, Severity, Status, Unreadable, Verdict

_STATUS = (
    (Severity.IMPOSSIBLE.value, Status.IMPOSSIBLE.value),
    (Severity.VIOLATION.value, Status.VIOLATION.value),
    (Severity.CORRECTION.value, Status.CORRECTED.value),
)


def verify_text(text: str, file: str = "") -> list[Verdict | Unreadable]:
    """The verdict on every game of a text, in order; one :class:`Unreadable` for a text that is no notation."""
    try:
        logs = loads(text)
    except NotationError as error:
        return [unreadable(file, error)]
    return [verify(log, file=file, game=number) for number, log in enumerate(logs, 1)]


def unreadable(file: str, error: NotationError) -> Unreadable:
    """The answer to a file that can't be read."""
    finding = Finding(
        error.line,
        "syntax",
        Severity.IMPOSSIBLE.value,
        "",
        "syntax",
        {"text": error.message},
        column=error.column,
    )
    return Unreadable(file, (finding,))


def verify(log: GameLog, *, file: str = "", game: int = 1) -> Verdict:
    """Replay one game and say what is true of it.

    Findings stand at the lines that the log's entries name, and one line has one finding of a kind, so a log that was
    not read from a text should be numbered first: ``loads(dumps(log))``. The same log gives the same verdict, byte for
    byte. Raises ``KeyError`` for a ruleset that is not registered and
    :class:`~games.errors.OptionError` for an option that it does not have; a log that was read has neither.
    """
    rules = RULESETS[log.ruleset]
    if log.options:
        rules = rules.with_options(log.options)
    replayed = ReplayedGame(log, rules)
    if replayed.seats > 2:
        replayed.together = simultaneous(log.entries, replayed.seats, rules.muggins)
    stopped_at = _replay(replayed, log.entries)
    if stopped_at is not None:
        impossible = replayed.findings[-1]
        replayed = _cut_before(stopped_at, log, rules)
    replayed.line = log.last_line
    with suppress(NoDeal):
        replayed.close_settlement()
    possible = stopped_at is None and not replayed.hidden.no_deal
    if stopped_at is not None:
        replayed.findings.append(impossible)
    _note_missed(replayed)
    rulings = [_rule(replayed, decision) for decision in replayed.claims.decisions]
    if possible:
        _check_result(replayed, log)
    return _verdict(replayed, log, rules, rulings, possible, file, game)


def _cut_before(stopped_at: Entry, log: GameLog, rules: Ruleset) -> ReplayedGame:
    """The game of the record cut before the impossible line, which may have rung the bell or opened a settlement."""
    cut = ReplayedGame(log, rules)
    record = list(takewhile(lambda entry: entry is not stopped_at, log.entries))
    if cut.seats > 2:
        cut.together = simultaneous(record, cut.seats, rules.muggins)
    _replay(cut, record)
    return cut


def _replay(game: ReplayedGame, record: Iterable[Entry]) -> Entry | None:
    """Read a record line by line. Returns the entry that cannot be true, where the last finding says why.

    It also ends after a round that no deal fits (NOTATION.md 4).
    """
    entry = None
    try:
        for entry in record:
            game.line, at, event = entry
            if at is not None:
                game.pass_time(at)
            if game.finished:
                game.bad_event("after-end")
            HANDLERS[event.__class__](game, at, event)
    except Impossible:
        return entry
    except NoDeal:
        return None
    return None


def _note_missed(game: ReplayedGame) -> None:
    for play in game.claims.missed:
        got = sum((play.awarded or {}).values())
        game.find(
            Reason.MISSED_POINTS,
            line=play.line,
            sum=game.terms(play),
            count=play.count,
            points=play.worth - got,
            seat=SEATS[play.seat],
        )


def _rule(game: ReplayedGame, decision: Decision) -> Ruling:
    """The ruling on a muggins call, with the finding that tells it."""
    play = decision.play
    facts = {"claimant": SEATS[decision.claimant], "points": decision.points} | _facts(game, play)
    if decision.why is Why.PREMATURE:
        facts |= _premature(game, decision)
    facts["limit"] = game.rules.post_bell_claim_s
    reason = Reason.CLAIM_UPHELD if decision.upheld else Reason.CLAIM_REJECTED
    game.find(reason, f"claim-{decision.why.value}", line=decision.line, **facts)
    if decision.untimed:
        game.find(Reason.CLOCK_UNKNOWN, line=decision.line)
    return Ruling(
        line=decision.line,
        claimant=decision.claimant,
        against=decision.winner if play is None else play.seat,
        play=None if play is None else play.line,
        claimed=decision.claimed,
        upheld=decision.upheld,
        points=decision.points,
        rule=game.rules.rule_id("muggins"),
    )


def _facts(game: ReplayedGame, play: PlayScore | None) -> dict[str, object]:
    if play is None:
        return {}
    return {
        "against": SEATS[play.seat],
        "play": play.line,
        "count": play.count,
        "sum": game.terms(play),
        "announced": play.announced,
    }


def _premature(game: ReplayedGame, decision: Decision) -> dict[str, object]:
    """The play that was still the scorer's to announce when the call came."""
    fresh = next(play for play in reversed(game.plays) if play.line <= decision.line)
    return {"fresh": fresh.line, "scorer": SEATS[fresh.seat]}


def _check_result(game: ReplayedGame, log: GameLog) -> None:
    if game.card.ended is None:
        game.find(Reason.INCOMPLETE, line=log.last_line)
        return
    recorded = log.tags.get("Result")
    scores = game.scores_text(game.card.scores)
    if recorded is not None and re.sub(r"\s", "", recorded) != scores:
        game.find(Reason.WRONG_RESULT, line=log.tag_lines.get("Result", 1), scores=scores, recorded=recorded)


def _verdict(
    game: ReplayedGame,
    log: GameLog,
    rules: Ruleset,
    rulings: list[Ruling],
    possible: bool,
    file: str,
    number: int,
) -> Verdict:
    card = game.card
    findings = sorted(game.findings, key=lambda finding: (finding.line, finding.code))
    found = {finding.severity for finding in findings}
    otherwise = Status.INCOMPLETE if card.ended is None else Status.VERIFIED
    chips = card.chips
    return Verdict(
        file=file,
        game=number,
        ruleset=log.ruleset,
        tiles=rules.tiles,
        status=next((status for worst, status in _STATUS if worst in found), otherwise.value),
        evidence="partial" if game.partial else "complete",
        seats=log.seats,
        totals=tuple(card.scores),
        won_by=card.winner if possible else None,
        ended=card.ended.value if possible and card.ended is not None else None,
        rounds=tuple(game.rounds),
        plays=tuple(game.plays),
        rulings=tuple(sorted(rulings, key=lambda ruling: ruling.line)),
        findings=tuple(findings),
        chips_left=None if chips is None else tuple(chips),
    )
