"""Protests about a count or a muggins call (RULES.md 1.5, 9.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from games.claims import PlayScore
from games.moves import Bell, Call, Event, Play, RoundStart, Said, Seat
from games.notation.gamelog import Entry, Tenths
from games.notation.reading import write_time
from games.notation.writing import write_event
from games.ruleset import Announce, Muggins
from games.wording.base import Sentence
from referee.rulings.outcomes import finding_sentence, moment_sentence
from referee.rulings.proposal import CallWindow, ClaimedPoints, Fact, FactQuestion, PlayWorth
from referee.rulings.protests import CaseFile, claim_steps, is_closing
from referee.rulings.text import LineChange, Verb

_SECOND: Tenths = 10
_LONG_AFTER = 10**9
_ABOUT_ANOTHER_PLAY = ("claim-own-play", "claim-no-score", "claim-no-play", "claim-announced", "claim-premature")
"""Sentences of rejected calls that the log has outside of the window of the play in question."""


class PlayInDispute:
    """A play that scores by its count, with the lines that decide on its points.

    ``steps`` move the claim windows on; ``announcements`` are the scorer's later ones in time, ``calls`` the muggins
    lines up to the end of the window of opponents.
    """

    def __init__(self, case: CaseFile, play: Play) -> None:
        self.case = case
        self.rules = case.rules
        self.entry = case.entry
        self.play = play
        self.score: PlayScore | None = next((one for one in case.game.plays if one.line == self.entry.line), None)
        self.steps = claim_steps(case, self.entry.line)
        self.late_calls = self.rules.muggins is Muggins.AFTER_NEXT
        # A tile released just before the bell may be announced after it.
        first = self._step(0)
        last = self._step(1) if first is not None and isinstance(first.event, Bell) else first
        said = self._said(Said.COUNT, self.entry, last)
        self.announcements = [entry for entry in said if _caller(entry) == play.seat]
        self.calls = self._said(Said.MUGGINS, *self._opened())

    def _step(self, number: int) -> Entry | None:
        return self.steps[number] if number < len(self.steps) else None

    def _opened(self) -> tuple[Entry | None, Entry | None]:
        """Return the entries that open and close the window of opponents."""
        return (self._step(0), self._step(1)) if self.late_calls else (self.entry, self._step(0))

    def _said(self, said: Said, since: Entry | None, until: Entry | None) -> list[Entry]:
        """Return the calls between two entries; none after an entry that the log does not have."""
        last = _LONG_AFTER if until is None else until.line
        found = [] if since is None else self.case.after(since.line)
        return [entry for entry in found if entry.line < last and _is_call(entry.event, said)]

    # ---- Facts of the record

    def worth(self) -> PlayWorth | None:
        """Return count, sum and announcement of the play."""
        score = self.score
        if score is None:
            return None
        line = None
        if score.announced is not None:
            line = self.entry.line if self.play.call is not None else self.announcements[0].line
        terms, awarded = self.case.game.terms(score), self.case.version().awarded
        return PlayWorth(score.line, score.seat, terms, score.count, score.worth, score.announced, line, awarded)

    def window(self) -> CallWindow:
        """Return the lines that bound the rights, and the calls."""
        first = self._step(0)
        opened, closed = (entry and entry.line for entry in self._opened())
        ruled = [self._ruled(entry) for entry in self._claims()]
        return CallWindow(first and first.line, opened, closed, tuple(one for one in ruled if one is not None))

    def _ruled(self, entry: Entry) -> ClaimedPoints | None:
        """Return a call with its ruling, ``None`` past the end of the game."""
        case = self.case
        ruling = next((one for one in case.verdict.rulings if one.line == entry.line), None)
        said = next((one for one in case.verdict.findings if (one.line, one.say[:6]) == (entry.line, "claim-")), None)
        if ruling is None or said is None:
            return None
        reason = finding_sentence(said, case.names)
        if ruling.play != self.entry.line and said.say in _ABOUT_ANOTHER_PLAY:
            reason = self._outside(entry, ruling.claimant)
        return ClaimedPoints(entry.line, ruling.claimant, entry.at, ruling.upheld, ruling.points, reason)

    def _outside(self, entry: Entry, claimant: Seat) -> Sentence:
        """Return the reason for a call outside of the window of this play."""
        opened, closed = self._opened()
        facts: dict[str, object] = {"claimant": self.case.name(claimant), "scorer": self.case.name(self.play.seat)}
        if opened is None or entry.line < opened.line:
            template = "no muggins for %(claimant)s yet: %(scorer)s may still announce line %(play)s"
            return Sentence(template, {**facts, "play": self.entry.line})
        template = "no muggins for %(claimant)s: the call for line %(play)s was open until %(closed)s"
        return Sentence(template, {**facts, "play": self.entry.line, "closed": self._moment(closed)})

    @property
    def open_points(self) -> int:
        """Points that the scorer did not announce in time."""
        score = self.score
        if score is None or self.rules.announce is Announce.AUTO:
            return 0
        return max(0, score.worth - (score.announced or 0))

    # ---- The announcement

    def count_question(self) -> FactQuestion | None:
        """Return the question about the announcement, ``None`` where it decides nothing."""
        score, protest = self.score, self.case.protest
        if score is None or not score.worth or self.rules.announce is Announce.AUTO:
            return None
        return self._own_count(score) if protest.by == self.play.seat else self._denied_count(score)

    def _own_count(self, score: PlayScore) -> FactQuestion | None:
        """Return the question for a scorer with more announced than was written."""
        number = self.case.protest.number or score.worth
        if score.announced is not None and score.announced >= min(number, score.worth):
            return None
        return self._asked_count(number, self._announced(number), [], self._nobody())

    def _denied_count(self, score: PlayScore) -> FactQuestion | None:
        """Return the question for an opponent that denies the written announcement."""
        if not score.announced:
            return None
        number = self.case.protest.number
        denied = self._silent() if not number else self._announced(number)
        asked = self._asked_count(score.announced, [], denied, [*self._silent(), *map(_remove, self.calls)])
        return asked._replace(favours=False)

    def _asked_count(
        self, number: int, yes: list[LineChange], no: list[LineChange], neither: list[LineChange]
    ) -> FactQuestion:
        version = self.case.version
        fact, question = self._count_words(number)
        return FactQuestion(fact, question, version(*yes), version(*no), version(*neither))

    def _count_words(self, number: int) -> tuple[Fact, Sentence]:
        facts: dict[str, object] = {"name": self.case.name(self.play.seat), "points": number}
        if self._held() is not None or self._at_the_bell():
            seconds = self.rules.muggins_grace_s if self._held() else self.rules.announce_grace_s
            facts |= {"seconds": seconds, "tile": self.play.tile.name}
            template = "Did %(name)s say %(points)s within %(seconds)s seconds of releasing %(tile)s?"
            return (Fact.ANNOUNCED_IN_HOLD if self._held() else Fact.ANNOUNCED), Sentence(template, facts)
        facts["closed"] = self._moment(self._announce_limit())
        return Fact.ANNOUNCED, Sentence("Did %(name)s say %(points)s before %(closed)s?", facts)

    def _announce_limit(self) -> Entry | None:
        """Return the entry that ended the scorer's right: a call that took effect, or the next turn."""
        if not self.late_calls and self.calls:
            return self.calls[0]
        return self._step(0)

    def _held(self) -> Entry | None:
        """Return a call within the hold after the play, by the times that were written."""
        held = [call for call in self.calls[:1] if self._since(call) is not None]
        hold = self.rules.muggins_grace_s * _SECOND
        return next((call for call in held if not self.late_calls and (self._since(call) or 0) < hold), None)

    def _at_the_bell(self) -> bool:
        """Whether the tile was released in the last seconds before the bell, by the times that were written."""
        bell = self._step(0)
        if bell is None or not isinstance(bell.event, Bell) or not self.late_calls:
            return False
        since = self._since(bell)
        return since is not None and since <= self.rules.announce_grace_s * _SECOND

    def _since(self, entry: Entry) -> Tenths | None:
        return None if entry.at is None or self.entry.at is None else entry.at - self.entry.at

    def _announced(self, number: int) -> list[LineChange]:
        """Return the changes to a log in which the scorer announced this number in time."""
        held = self._held()
        if held is not None and held.at is not None and self.entry.at is not None:
            at = max(held.at, self.entry.at + self.rules.muggins_grace_s * _SECOND)
            at = min([at, *(one.at for one in self.case.after(held.line)[:1] if one.at is not None)])
            return [_insert(held.line, Call(self.play.seat, Said.COUNT, number), at)]
        in_time = self.score is not None and self.score.announced is not None
        if self.announcements and in_time and self.play.call is None:
            return [_replace(self.announcements[0], Call(self.play.seat, Said.COUNT, number))]
        return [_replace(self.entry, replace(self.play, call=number))]

    def _silent(self) -> list[LineChange]:
        """Return the changes to a log in which the scorer announced nothing."""
        gone = [_remove(entry) for entry in self.announcements]
        return gone if self.play.call is None else [_replace(self.entry, replace(self.play, call=None)), *gone]

    # ---- The call

    def call_question(self) -> FactQuestion | None:
        """Return the question about the muggins call, ``None`` where it decides nothing."""
        score, protest = self.score, self.case.protest
        if (
            score is None
            or not score.worth
            or self.rules.muggins is Muggins.OFF
            or self.rules.announce is Announce.AUTO
        ):
            return None
        if protest.by == self.play.seat:
            return self._denied_call()
        own = [call for call in self._claims() if _caller(call) == protest.by]
        if own and not protest.miswritten:
            return None
        return self._own_call(own)

    def _claims(self) -> list[Entry]:
        """Return the calls that may be meant for this play: not those that won points of another play."""
        others = {one.line for one in self.case.verdict.rulings if one.upheld and one.play != self.entry.line}
        rounds = (entry for entry in self.case.after(self.entry.line) if isinstance(entry.event, RoundStart))
        last = self._step(2) or next(rounds, None)
        return [entry for entry in self._said(Said.MUGGINS, self.entry, last) if entry.line not in others]

    def _denied_call(self) -> FactQuestion | None:
        """Return the question for a scorer that denies the call that was written."""
        lines = {one.line for one in self.case.verdict.rulings if one.upheld and one.play == self.entry.line}
        call = next((call for call in self._claims() if call.line in lines), None)
        if call is None:
            return None
        asked = self._asked_call(_caller(call), [], [_remove(call)], None)
        return asked._replace(favours=False)

    def _own_call(self, own: Sequence[Entry]) -> FactQuestion | None:
        """Return the question for a claimant whose call is not written, or in the wrong place."""
        place, rival = self._call_place()
        if place is None:
            return None
        first = self._step(0) if self.late_calls else None
        at = first.at if first is not None and isinstance(first.event, Bell) else None
        call = _insert(place, Call(self.case.protest.by, Said.MUGGINS), at)
        return self._asked_call(self.case.protest.by, [*map(_remove, own), call], [], rival)

    def _call_place(self) -> tuple[int | None, Entry | None]:
        """Return the line after which a call would count, and the call or announcement that it must precede."""
        others = [call for call in self.calls if _caller(call) != self.case.protest.by]
        opened, _ = self._opened()
        if opened is None or is_closing(opened.event):
            return None, None
        if self.late_calls:
            return (others[0].line - 1, others[0]) if others else (opened.line, None)
        if self.play.call is not None and not self.open_points:
            return None, None
        # Points that a low announcement left open may be called after it.
        announced = [] if self.open_points else self.announcements[:1]
        rivals = sorted([*others[:1], *announced], key=lambda entry: entry.line)
        if not rivals:
            return self._last_said().line, None
        hold, since = self.rules.muggins_grace_s * _SECOND, self._since(rivals[0])
        announced_in_hold = rivals[0] in announced and since is not None and since <= hold
        return (None, None) if announced_in_hold else (rivals[0].line - 1, rivals[0])

    def _last_said(self) -> Entry:
        """Return the entry of the announcement in time, else of the play."""
        in_time = self.score is not None and self.score.announced is not None and self.play.call is None
        return self.announcements[0] if in_time and self.announcements else self.entry

    def _asked_call(
        self, claimant: Seat, yes: list[LineChange], no: list[LineChange], rival: Entry | None
    ) -> FactQuestion:
        version = self.case.version
        fact, question = self._call_words(claimant, rival)
        return FactQuestion(fact, question, version(*yes), version(*no), version(*self._nobody()))

    def _call_words(self, claimant: Seat, rival: Entry | None) -> tuple[Fact, Sentence]:
        facts: dict[str, object] = {"name": self.case.name(claimant)}
        if rival is not None:
            facts["closed"] = self._moment(rival)
            return Fact.CALLED_FIRST, Sentence("Did %(name)s call muggins before %(closed)s?", facts)
        opened, closed = self._opened()
        if opened is not None and isinstance(opened.event, Bell):
            facts["seconds"] = self.rules.post_bell_claim_s
            template = "Did %(name)s call muggins within %(seconds)s seconds after the bell?"
            return Fact.CALLED_AFTER_BELL, Sentence(template, facts)
        facts |= {"opened": self._moment(opened), "closed": self._moment(closed)}
        return Fact.CALLED, Sentence("Did %(name)s call muggins after %(opened)s, and before %(closed)s?", facts)

    def _nobody(self) -> list[LineChange]:
        """Return the changes to a log in which nobody has the points that the scorer did not announce in time."""
        late = self._silent() if self.score is not None and self.score.announced is None else []
        return [*late, *map(_remove, self.calls)]

    def _moment(self, entry: Entry | None) -> Sentence:
        if entry is None:
            last = self.steps[-1].event if self.steps else self.play
            following = self.case.name((getattr(last, "seat", self.play.seat) + 1) % len(self.case.names))
            return Sentence("%(name)s released the next tile, or passed", {"name": following})
        return moment_sentence(entry.event, self.case.names)


def _is_call(event: Event, said: Said) -> bool:
    return isinstance(event, Call) and event.said is said


def _caller(entry: Entry) -> Seat:
    assert isinstance(entry.event, Call)
    return entry.event.seat


def _written(event: Event, at: Tenths | None) -> str:
    words = write_event(event)
    return words if at is None else f"{write_time(at)} {words}"


def _replace(entry: Entry, event: Event) -> LineChange:
    return LineChange(Verb.REPLACE, entry.line, _written(event, entry.at))


def _insert(line: int, event: Event, at: Tenths | None = None) -> LineChange:
    return LineChange(Verb.INSERT, line, _written(event, at))


def _remove(entry: Entry) -> LineChange:
    return LineChange(Verb.REMOVE, entry.line)
