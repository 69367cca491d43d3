"""Replay of a log through the rules, and the verdict on it (NOTATION.md 4 to 6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any

from games.claims import Decision, Why
from games.errors import Reason
from games.moves import SEATS, Event
from games.notation.gamelog import GameLog, Tenths
from games.notation.lines import NotationError
from games.notation.reading import loads
from games.once import once
from games.ruleset import Matching, Ruleset
from games.rulesets import RULESETS
from games.scorecard import GameEnd
from referee.game import Impossible, ReplayedGame
from referee.hands.deals import NoDeal
from referee.lines import HANDLERS
from referee.muggins import simultaneous
from referee.uno.game import ColourGame
from referee.uno.lines import COLOUR_HANDLERS
from referee.verdict import Finding, Ruling, Severity, Status, Unreadable, Verdict

_STATUS = (
    (Severity.IMPOSSIBLE.value, Status.IMPOSSIBLE.value),
    (Severity.VIOLATION.value, Status.VIOLATION.value),
    (Severity.CORRECTION.value, Status.CORRECTED.value),
)
# Enum member access runs Python code, so members needed for every verdict have names of their own.
_OWED, _PREMATURE = Why.OWED, Why.PREMATURE
_MISSED_POINTS = Reason.MISSED_POINTS
_CLAIM_UPHELD, _CLAIM_REJECTED = Reason.CLAIM_UPHELD, Reason.CLAIM_REJECTED
_SENTENCES = {why: f"claim-{why.value}" for why in Why}
_INCOMPLETE, _CONSISTENT, _VERIFIED = Status.INCOMPLETE.value, Status.CONSISTENT.value, Status.VERIFIED.value
_UNVERIFIED_POINTS = Reason.UNVERIFIED_POINTS.value
_MOST_HOUSE_RULES = 500
Record = Iterator[tuple[int, Tenths | None, Event]]
Look = Callable[[ReplayedGame, Tenths | None, Event], None]
_BY_LINE = attrgetter("line", "code")
_LINE = attrgetter("line")
# Differences between games with matching by pips and by markings.
_GAMES: Mapping[Matching, type[ReplayedGame]] = {Matching.PIPS: ReplayedGame, Matching.MARKINGS: ColourGame}
_HANDLERS: Mapping[Matching, Mapping[type, Callable[[Any, Tenths | None, Any], None]]] = {
    Matching.PIPS: HANDLERS,
    Matching.MARKINGS: COLOUR_HANDLERS,
}


def verify_text(text: str, file: str = "") -> list[Verdict | Unreadable]:
    """Return the verdict on every game of a text, in order.

    One :class:`Unreadable` for a text that is no notation.
    """
    try:
        logs = loads(text)
    except NotationError as error:
        return [unreadable(file, error)]
    return [verify(log, file=file, game=number) for number, log in enumerate(logs, 1)]


def unreadable(file: str, error: NotationError) -> Unreadable:
    """Return the answer to a file that can't be read."""
    finding = Finding(
        error.line,
        "syntax",
        Severity.IMPOSSIBLE.value,
        "",
        "syntax",
        {"text": error.message, "template": error.template, **error.facts},
        column=error.column,
    )
    return Unreadable(file, (finding,))


def verify(log: GameLog, *, file: str = "", game: int = 1) -> Verdict:
    """Replay one game and return its verdict.

    Findings name the lines of the log's entries, and one line has one finding of a kind, so a log that was not read
    from a text should be numbered first: ``loads(dumps(log))``. The same log gives the same verdict, byte for byte.
    Raises ``KeyError`` for a ruleset that is not registered and :class:`~games.errors.OptionError` for an option that
    it does not have; a log that was read has neither.
    """
    rules = rules_of(log)
    replayed = _GAMES[rules.matching](log, rules)
    if replayed.seats > 2:
        replayed.together = simultaneous(log.entries, replayed.seats, rules.muggins)
    left = _replay(replayed, log.each())
    if left is not None:
        impossible = replayed.findings[-1]
        replayed = _cut_before(left, log, rules)
    replayed.line = log.last_line
    with suppress(NoDeal):
        replayed.close_settlement()
    possible = left is None and not replayed.hidden.no_deal
    if left is not None:
        replayed.findings.append(impossible)
    _note_missed(replayed)
    rulings = [_rule(replayed, decision) for decision in replayed.claims.decisions] + replayed.other_rulings()
    if possible:
        _check_result(replayed, log)
    return _verdict(replayed, log, rules, rulings, possible, file, game)


def replayed(log: GameLog, look: Look | None = None) -> ReplayedGame:
    """Replay the game of a log, as far as the record is possible.

    The settlement of its last round is closed. ``look`` is called with the game after every line that can be true, with
    the line's time and event.
    """
    game = opened(log, look)
    game.line = log.last_line
    with suppress(NoDeal):
        game.close_settlement()
    return game


def opened(log: GameLog, look: Look | None = None) -> ReplayedGame:
    """Replay the game of a log as :func:`replayed` does, and leave it open for :func:`go_on`."""
    rules = rules_of(log)
    game = _GAMES[rules.matching](log, rules)
    if game.seats > 2:
        game.together = simultaneous(log.entries, game.seats, rules.muggins)
    _replay(game, log.each() if look is None else _watched(game, log.each(), look))
    return game


def go_on(game: ReplayedGame, event: Event, at: Tenths | None = None) -> None:
    """Read one further line of an open game, with its time if a clock runs.

    Raises :class:`referee.game.Impossible` if the line cannot be true.
    """
    game.line += 1
    if at is not None:
        game.pass_time(at)
    _HANDLERS[game.rules.matching][event.__class__](game, at, event)


def _watched(game: ReplayedGame, record: Record, look: Look) -> Record:
    """Yield the record, with a look at the game before each further line."""
    for line, at, event in record:
        yield line, at, event
        if game.findings and game.findings[-1].severity == Severity.IMPOSSIBLE.value:
            return
        look(game, at, event)


@once
def _house_rules(_: Ruleset) -> dict[tuple[tuple[str, str], ...], Ruleset]:
    """Return the cache of a system's recent house rules, by the options as written."""
    return {}


def rules_of(log: GameLog) -> Ruleset:
    """Return the rules of the game; all games of an event share its house rules."""
    rules, options = RULESETS[log.ruleset], log.options
    if not options:
        return rules
    known, written = _house_rules(rules), tuple(options.items())
    changed = known.get(written)
    if changed is None:
        changed = rules.with_options(options)
        if len(known) >= _MOST_HOUSE_RULES:
            known.clear()  # another thread may do so at any moment: never read back a new entry
        known[written] = changed
    return changed


def _cut_before(left: int, log: GameLog, rules: Ruleset) -> ReplayedGame:
    """Replay the record cut before the impossible line.

    That line may have rung the bell or opened a settlement.
    """
    cut = _GAMES[rules.matching](log, rules)
    record = list(log.each())[: -left - 1]
    if cut.seats > 2:
        cut.together = simultaneous(log.entries[: -left - 1], cut.seats, rules.muggins)
    _replay(cut, iter(record))
    return cut


def _replay(game: ReplayedGame, record: Record) -> int | None:
    """Read a record line by line up to an impossible entry.

    Returns the number of entries after that entry; the last finding gives the reason. ``None`` if every entry can be
    true. It also ends after a round that no deal fits (NOTATION.md 4).
    """
    handlers = _HANDLERS[game.rules.matching]
    try:
        for game.line, at, event in record:
            if at is not None:
                if game.clock <= at <= game.bell_due:
                    game.clock = at
                else:
                    game.pass_time(at)
            if game.finished:
                game.bad_event("after-end")
            handlers[event.__class__](game, at, event)
    except Impossible:
        return sum(1 for _ in record)
    except NoDeal:
        return None
    return None


def _note_missed(game: ReplayedGame) -> None:
    for play in game.claims.missed:
        got = sum(play.awarded.values())
        game.find(
            _MISSED_POINTS,
            line=play.line,
            sum=game.terms(play),
            count=play.count,
            points=play.worth - got,
            seat=SEATS[play.seat],
        )


def _rule(game: ReplayedGame, decision: Decision) -> Ruling:
    """Make the ruling on a muggins call, and note its finding."""
    line, claimant, play, claimed, why, points, untimed, against = decision
    about = None
    facts: dict[str, Any] = {"claimant": SEATS[claimant], "points": points}
    if play is not None:
        against, about = play.seat, play.line
        facts |= {"against": SEATS[against], "play": about, "count": play.count, "sum": game.terms(play)}
        facts["announced"] = play.announced
    if why is _PREMATURE:
        facts |= _premature(game, decision)
    facts["limit"] = game.rules.post_bell_claim_s
    upheld = decision.upheld
    game.find(_CLAIM_UPHELD if upheld else _CLAIM_REJECTED, _SENTENCES[why], line=line, **facts)
    if untimed:
        game.find(Reason.CLOCK_UNKNOWN, line=line)
    return Ruling(line, claimant, against, about, claimed, upheld, points, game.rules.rule_id("muggins"))


def _premature(game: ReplayedGame, decision: Decision) -> dict[str, object]:
    """Return the play still open to the scorer's announcement at the time of the call."""
    fresh = next(play for play in reversed(game.plays) if play.line <= decision.line)
    return {"fresh": fresh.line, "scorer": SEATS[fresh.seat]}


def _check_result(game: ReplayedGame, log: GameLog) -> None:
    if game.card.ended is None:
        game.find(Reason.INCOMPLETE, line=log.last_line)
        return
    recorded = log.tags.get("Result")
    scores = game.scores_text(game.card.scores)
    if recorded is not None and recorded != scores and re.sub(r"\s", "", recorded) != scores:
        game.find(Reason.WRONG_RESULT, line=log.tag_lines.get("Result", 1), scores=scores, recorded=recorded)


def _status(findings: Sequence[Finding], ended: GameEnd | None) -> str:
    """Return the status: the worst finding decides."""
    found = {finding.severity for finding in findings}
    for worst, status in _STATUS:
        if worst in found:
            return status
    if ended is None:
        return _INCOMPLETE
    return _CONSISTENT if any(finding.code == _UNVERIFIED_POINTS for finding in findings) else _VERIFIED


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
    ended = card.ended if possible else None
    findings = tuple(sorted(game.findings, key=_BY_LINE))
    chips = card.chips
    return Verdict(
        file=file,
        game=number,
        ruleset=log.ruleset,
        tiles=rules.tiles,
        status=_status(findings, card.ended),
        evidence="partial" if game.partial else "complete",
        seats=log.seats,
        totals=tuple(card.scores),
        won_by=card.winner if possible else None,
        ended=None if ended is None else ended.word,
        rounds=tuple(game.rounds),
        played=tuple(game.played),
        rulings=tuple(sorted(rulings, key=_LINE)),
        findings=findings,
        chips_left=None if chips is None else tuple(chips),
        points_on_word=game.points_on_word,
    )
