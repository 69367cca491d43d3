"""Muggins questions: one play, its calls, and its points (RULES.md 1.5, 9.4).

No judgement here. A question is written as a small record of a round, and the referee reads that as any other; the
answer is the verdict on that play. Still open rights are found the same way: by the record with one more call at its
end.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from games.claims import Why
from games.moves import SEATS, Said, Seat
from games.notation.gamelog import GameLog, Tenths
from games.notation.reading import dumps
from games.ruleset import Announce, Muggins, Overclaim, Ruleset
from games.wording.rulebook import Article, article
from referee.questions.open_ends import Joined, ToldEnd, lay_out, layout_of
from referee.questions.record import Moment, Spoken, Story, written
from referee.replay import verify
from referee.verdict import Verdict

OPTIONS = (
    "spinner",
    "announce",
    "muggins",
    "muggins_grace_s",
    "announce_grace_s",
    "post_bell_claim_s",
    "next_action_counts_draw",
    "overclaim",
    "false_call",
    "play_divisor",
)
"""House rules that can change an answer."""


class Owner(Enum):
    """Owner of the points of the play."""

    SCORER = "scorer"
    CALLER = "caller"
    SHARED = "shared"
    NEXT_PLAYER = "next-player"
    """After an announcement that was too high, under ``overclaim=foster``."""
    OPEN = "open"
    NOBODY = "nobody"


class Warn(Enum):
    """Error in an announcement or a call."""

    OVERCLAIM = "over-claim"
    UNDERCLAIM = "under-claim"
    FALSE_CALL = "false-call"
    PREMATURE = "premature"
    ANNOUNCED_LATE = "announced-late"
    TIME_UNKNOWN = "time-unknown"


class CallAnswer(NamedTuple):
    """Outcome of one call. ``why`` is ``None`` if the rules have no muggins call."""

    seat: Seat
    upheld: bool
    points: int
    why: Why | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One play of the seat ``scorer`` at a table of ``seats``.

    The position is ``ends`` (open after the play) or ``board`` (the tiles in order of play, the asked play last).
    ``said`` is in the order of speaking; ``reached`` is the moment that the game has reached, if later than the last of
    ``said``. ``bell`` are the tenths of a second from the play to the bell.
    """

    rules: Ruleset
    ends: tuple[ToldEnd, ...] = ()
    board: tuple[Joined, ...] = ()
    seats: int = 2
    scorer: Seat = 0
    said: tuple[Spoken, ...] = ()
    reached: Moment | None = None
    bell: Tenths | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Count of a play, and the owner of its points.

    ``awarded`` are the points by seat if nothing more is said; ``left`` those that nobody has. ``may_announce``: an
    announcement of the scorer would still count now; ``may_call``: the seats whose call would. ``rules`` are the rules
    applied.
    """

    terms: tuple[int, ...]
    count: int
    worth: int
    announced: int | None
    awarded: dict[Seat, int]
    left: int
    owner: Owner
    calls: tuple[CallAnswer, ...]
    warnings: tuple[Warn, ...]
    may_announce: bool
    may_call: tuple[Seat, ...]
    rules: tuple[Article, ...]
    record: GameLog

    @property
    def notation(self) -> str:
        """Judged record, as the referee reads it."""
        return dumps(self.record)


def answer(question: Question) -> Answer:
    """Answer a question with the verdict on its play.

    Raises :class:`~referee.questions.open_ends.QuestionError`, which names the field.

    >>> from games.rulesets import get
    >>> from referee.questions.open_ends import read_ends
    >>> call = Spoken(1, Said.MUGGINS, Moment.AFTER_NEXT)
    >>> asked = Question(rules=get("udl"), ends=read_ends("6-6 5 3"), said=(call,))
    >>> found = answer(asked)
    >>> found.terms, found.count, found.owner, found.awarded
    ((6, 6, 5, 3), 20, <Owner.CALLER: 'caller'>, {1: 20})
    """
    rules = question.rules
    tiles = question.board or tuple(lay_out(question.ends, rules.spinner))
    terms = _terms(question, tiles)
    story = Story(rules, tiles, question.seats, question.scorer, question.said, question.reached, question.bell)
    record = written(story)
    return _Reading(question, story, record.log, record.line, record.spoken, terms).answer()


def _terms(question: Question, tiles: tuple[Joined, ...]) -> tuple[int, ...]:
    if question.board:
        return tuple(layout_of(tiles, question.rules.spinner).terms())
    return tuple(term for end in question.ends for term in end.terms)


class _Reading:
    """Reader of the verdict on a record, for one play."""

    def __init__(
        self,
        question: Question,
        story: Story,
        record: GameLog,
        line: int,
        spoken: tuple[int | None, ...],
        terms: tuple[int, ...],
    ) -> None:
        self.question = question
        self.story = story
        self.record = record
        self.line = line
        self.spoken = spoken
        self.terms = terms
        self.verdict = verify(record)
        self.play = _play(self.verdict, line)

    def answer(self) -> Answer:
        play, calls = self.play, self._calls()
        left = max(0, play.worth - sum(play.awarded.values()))
        may_announce = self._may_announce()
        may_call = tuple(seat for seat in range(self.question.seats) if left and self._may_call(seat))
        return Answer(
            terms=self.terms,
            count=play.ends,
            worth=play.worth,
            announced=play.announced,
            awarded=dict(sorted(play.awarded.items())),
            left=0 if self._fostered() else left,
            owner=self._owner(calls, open_to=bool(left and (may_announce or may_call))),
            calls=calls,
            warnings=self._warnings(calls),
            may_announce=may_announce,
            may_call=may_call,
            rules=self._cited(),
            record=self.record,
        )

    # ---- Owner of the points

    def _fostered(self) -> bool:
        said = self.play.announced
        return self.question.rules.overclaim is Overclaim.FOSTER and said is not None and said > self.play.worth

    def _owner(self, calls: tuple[CallAnswer, ...], *, open_to: bool) -> Owner:
        seats = set(self.play.awarded)
        callers = {call.seat for call in calls if call.upheld}
        if not seats:
            return Owner.OPEN if open_to else Owner.NOBODY
        if seats == {self.question.scorer}:
            return Owner.SCORER
        if self.question.scorer in seats:
            return Owner.SHARED
        return Owner.CALLER if seats <= callers else Owner.NEXT_PLAYER

    def _calls(self) -> tuple[CallAnswer, ...]:
        rulings = {ruling.line: ruling for ruling in self.verdict.rulings}
        whys = {finding.line: finding.say for finding in self.verdict.findings if finding.say.startswith("claim-")}
        found = []
        for said, line in zip(self.question.said, self.spoken, strict=True):
            if said.what is not Said.MUGGINS:
                continue
            if line is None:
                found.append(CallAnswer(said.seat, False, 0, None))
                continue
            ruling = rulings[line]
            why = Why(whys[line].removeprefix("claim-"))
            if ruling.play != self.line and why is not Why.PREMATURE and why is not Why.TOO_LATE:
                # The verdict took it as a call about another play: the window of this play is not open yet, or closed.
                why = Why.PREMATURE if self._is_early(said) else Why.TOO_LATE
            found.append(CallAnswer(said.seat, ruling.upheld, ruling.points, why))
        return tuple(found)

    def _is_early(self, said: Spoken) -> bool:
        return self.question.rules.muggins is Muggins.AFTER_NEXT and said.moment in (
            Moment.WITH_TILE,
            Moment.BEFORE_NEXT,
            Moment.AFTER_DRAW,
        )

    # ---- Rights still open: the record with one more line

    def _may_announce(self) -> bool:
        """Return whether an announcement would still win points, also from a held call."""
        worth, scorer = self.play.worth, self.question.scorer
        if not worth or self.play.announced is not None or self.question.rules.announce is Announce.AUTO:
            return False
        said = _play(verify(self.story.with_one_more(self.record, scorer, Said.COUNT, worth)), self.line)
        return said.awarded.get(scorer, 0) > self.play.awarded.get(scorer, 0)

    def _may_call(self, seat: Seat) -> bool:
        if seat == self.question.scorer or self.question.rules.muggins is Muggins.OFF:
            return False
        said = _play(verify(self.story.with_one_more(self.record, seat, Said.MUGGINS)), self.line)
        return said.awarded.get(seat, 0) > self.play.awarded.get(seat, 0)

    # ---- Warnings and rules

    def _warnings(self, calls: tuple[CallAnswer, ...]) -> tuple[Warn, ...]:
        said, worth = self.play.announced, self.play.worth
        false = {Why.NO_SCORE, Why.ANNOUNCED, Why.BOOKED}
        announced = any(one.what is Said.COUNT for one in self.question.said)
        untimed = any(finding.code == "clock-unknown" for finding in self.verdict.findings)
        found = {
            Warn.OVERCLAIM: said is not None and said > worth,
            Warn.UNDERCLAIM: said is not None and said < worth,
            Warn.FALSE_CALL: any(call.why in false for call in calls),
            Warn.PREMATURE: any(call.why is Why.PREMATURE for call in calls),
            Warn.ANNOUNCED_LATE: announced and said is None,
            Warn.TIME_UNKNOWN: untimed,
        }
        return tuple(warning for warning, given in found.items() if given)

    def _cited(self) -> tuple[Article, ...]:
        slugs = ["score", "announce", "muggins"]
        moments = {said.moment for said in self.question.said} | {self.question.reached}
        if Moment.AFTER_BELL in moments:
            slugs.append("bell")
        return tuple(article(self.question.rules, slug) for slug in slugs)


class _PlayFacts(NamedTuple):
    ends: int
    worth: int
    announced: int | None
    awarded: dict[Seat, int]


def _play(verdict: Verdict, line: int) -> _PlayFacts:
    """Return the facts of the play on this line, by the verdict."""
    play = next(one for one in verdict.as_json()["plays"] if one["line"] == line)
    awarded = {SEATS.index(letter): points for letter, points in play["awarded"].items()}
    return _PlayFacts(play["count"], play["worth"], play["announced"], awarded)
