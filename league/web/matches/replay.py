"""A game to be looked at step by step (SCREENS.md B-7): for each round the picture of its table, and for each line what
was done, the sum of the open ends, and the score.

Everything is in the page, so that it can be read without a script; the script shows one step after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.moves import SEATS, Play, Reopening
from games.notation.gamelog import GameLog, Tenths
from games.notation.lines import NotationError
from games.notation.reading import loads, write_time
from league.matches.annotated_log import FindingLine
from league.matches.queries.match import GameView
from league.web.charts.board.drawing import Picture, picture
from league.web.charts.board.trail import Joint
from league.web.charts.score import Addresses, ScoreChart, score_chart
from league.web.matches.replay_parts import ListedRound, ReplayPart, asked_for, listed, parts_of
from league.web.words.replay import aloud, said
from referee.frames import Frame, OpenFace, PlayPoints, Reel, RoundFrames, reel


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One line of the game. `anchor` is its address on the page. `sum` are the open ends after a play, worked out, and
    `worth` what that is worth in words. `ends`: the text twin of the board.

    For the script: `placed` tiles lie on the table; `flags` say where an open end has which number; `held` and `hands`
    are parted by bars, a hand that is not known is a question mark; `to_act` is the number of the seat; `at` is the
    time in tenths of a second.
    """

    anchor: str
    number: int
    line: int
    time: str
    at: Tenths | None
    sentence: str
    is_play: bool
    sum: str
    worth: str
    scores: list[int]
    scored: bool
    ends: str
    placed: int
    flags: str
    held: str
    hands: str
    boneyard: int
    to_act: int | None
    findings: list[FindingLine]


@dataclass(frozen=True, slots=True)
class ReplayRound:
    number: int
    picture: Picture | None
    steps: list[ReplayStep]

    @property
    def scores(self) -> list[int]:
        """At its end."""
        return self.steps[-1].scores

    @property
    def placed(self) -> int:
        """How many tiles lie there at its end."""
        return self.steps[-1].placed

    @property
    def ends(self) -> str:
        """What was open at its end, in words."""
        return next((step.ends for step in reversed(self.steps) if step.is_play), "")


@dataclass(frozen=True, slots=True)
class Replay:
    """`rounds` are those of the part that is shown, `listed` all, `parts` where there are several. `names` and
    `letters` by seat. `marked`: the tiles have colours and kinds, no pips. `words`: what the script says, as JSON.
    """

    prefix: str
    rounds: list[ReplayRound]
    parts: list[ReplayPart]
    listed: list[ListedRound]
    names: list[str]
    letters: str
    marked: bool
    words: str
    chart: ScoreChart | None

    @property
    def steps(self) -> int:
        return sum(len(one.steps) for one in self.rounds)

    def shows(self, line: int) -> bool:
        """Whether a line of the log is in the part that is shown."""
        return not self.parts or any(one.shown and one.from_line <= line <= one.to_line for one in self.parts)

    def key_of(self, line: int) -> str:
        """The key of the part with a line of the log, "" where that one is shown."""
        if self.shows(line):
            return ""
        return next((one.key for one in self.parts if one.from_line <= line <= one.to_line), "")


def replay_of(view: GameView, names: Mapping[int, str], asked: str = "") -> Replay | None:
    """Of the log that is shown; `names` by side, `asked` what `?rounds=` says. None where there is none, nothing of it
    was played, or it was not checked yet.
    """
    if not view.log or view.verdict is None:
        return None
    log = _read("\n".join(line.text for line in view.log)) or _read(view.sealed_text)
    if log is None:
        return None
    film = reel(log)
    sides = {letter: number for number, letter in view.seats.items()}
    seated = [names.get(sides.get(letter, 0), "") or letter for letter in SEATS[: film.seats]]
    prefix = "" if view.game.number == 1 else f"g{view.game.number}."
    told = [one for one in film.rounds if one.frames]
    if not any(one.trail for one in told):
        return None
    marks = _at_frames(view.findings, [frame.line for one in told for frame in one.frames])
    parts = parts_of(told)
    place = asked_for(parts, prefix, asked)
    shown, rounds = listed(parts, prefix, place)
    return Replay(
        prefix=prefix,
        rounds=[_Teller(film, one, seated, prefix, marks).told() for one in parts[place]],
        parts=shown,
        listed=rounds,
        names=seated,
        letters=SEATS[: film.seats],
        marked=not film.counts,
        words=aloud(film.clock),
        chart=score_chart(film, told, seated, Addresses(prefix, {one.number: one.key for one in rounds})),
    )


def _at_frames(findings: Sequence[FindingLine], lines: Sequence[int]) -> dict[int, list[FindingLine]]:
    """Line of a frame → findings. What stands at a line without a frame is told at the next one, and what comes after
    the last frame, such as why the record cannot be true, at that.
    """
    marks: dict[int, list[FindingLine]] = {}
    for one in findings:
        at = next((line for line in lines if line >= one.line), lines[-1] if lines else one.line)
        marks.setdefault(at, []).append(one)
    return marks


def _read(text: str) -> GameLog | None:
    """A name may be longer than the code in its place, and pushes a line over what a reader takes."""
    try:
        [log] = loads(text)
    except (NotationError, ValueError):
        return None
    return log


@dataclass(frozen=True)
class _Teller:
    """Tells one round."""

    film: Reel
    shown: RoundFrames
    names: Sequence[str]
    prefix: str
    marks: Mapping[int, list[FindingLine]]

    def told(self) -> ReplayRound:
        trail = tuple(Joint(one.inner, one.outer, one.on) for one in self.shown.trail)
        drawn = picture(trail, self.shown.root, spinner=self.shown.spinner)
        steps = []
        before: Sequence[int] = self.shown.frames[0].scores
        for number, frame in enumerate(self.shown.frames):
            steps.append(self._step(number, frame, before, drawn))
            before = frame.scores
        return ReplayRound(self.shown.number, drawn, steps)

    def _step(self, number: int, frame: Frame, before: Sequence[int], drawn: Picture | None) -> ReplayStep:
        is_play = isinstance(frame.event, Play | Reopening)
        points = self.film.plays.get(frame.line) if is_play else None
        return ReplayStep(
            anchor=f"{self.prefix}r{self.shown.number}.{number}",
            number=number,
            line=frame.line,
            time="" if frame.at is None else write_time(frame.at - frame.at % 10),
            at=frame.at,
            sentence=said(frame.event, self.names, self.shown.joined_to(frame)),
            is_play=is_play,
            sum=_sum(frame) if points and self.film.counts else "",
            worth=_worth(points) if points and self.film.counts else "",
            scores=list(frame.scores),
            scored=tuple(frame.scores) != tuple(before),
            ends=self._twin(frame) if is_play else "",
            placed=frame.placed,
            flags=self._flags(frame, drawn) if drawn else "",
            held="|".join(map(str, frame.held)),
            hands="|".join("?" if hand is None else " ".join(hand) for hand in frame.hands),
            boneyard=frame.boneyard,
            to_act=frame.to_act,
            findings=self.marks.get(frame.line, []),
        )

    def _flags(self, frame: Frame, drawn: Picture) -> str:
        told = []
        for end in frame.ends:
            if (word := _flag(end, marked=frame.count is None)) is not None:
                x, y = drawn.flag(end.tile, end.face, frame.placed)
                told.append(f"{x:g},{y:g},{word}")
        return ";".join(told)

    def _twin(self, frame: Frame) -> str:
        """The open ends in words."""
        return "; ".join(self._end(end) for end in frame.ends)

    def _end(self, end: OpenFace) -> str:
        facts = {"tile": self.shown.trail[end.tile].tile, "face": end.face, "count": sum(end.terms)}
        return self.words[min(len(end.terms), 2) if self.film.counts else 1] % facts

    @cached_property
    def words(self) -> Sequence[str]:
        """Of an open end: one that counts nothing, a half, a double."""
        return (
            _("an end of %(tile)s, counts nothing"),
            _("%(face)s on %(tile)s"),
            _("double %(tile)s, counts %(count)s"),
        )


def _flag(end: OpenFace, *, marked: bool) -> str | None:
    """What its flag says: what the end counts; of marked tiles a colour that was named."""
    if marked:
        return end.face if "-" not in end.face and end.face.isalpha() and end.face.islower() else None
    return str(sum(end.terms)) if end.terms else None


def _sum(frame: Frame) -> str:
    """`6+6 (double) + 5 + 3 = 20`."""
    terms = []
    for end in frame.ends:
        if len(end.terms) > 1:
            terms.append(_("%(sum)s (double)") % {"sum": "+".join(map(str, end.terms))})
        elif end.terms:
            terms.append(str(end.terms[0]))
    return f"{' + '.join(terms) or 0} = {frame.count}"


def _worth(points: PlayPoints) -> str:
    if not points.worth:
        return _("no points")
    return ngettext("%(count)s point", "%(count)s points", points.worth) % {"count": points.worth}
