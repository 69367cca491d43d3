"""Step-by-step replay of a game on its page (SCREENS.md B-7).

For each round the picture of its table; for each line the play, the sum of the open ends, and the score. Everything is
in the page, so that it can be read without a script; the script shows one step after the other.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.moves import SEATS, Play, Reopening
from games.notation.gamelog import GameLog, Tenths
from games.notation.lines import NotationError
from games.notation.reading import loads, write_time
from league.matches.annotated_log import FindingLine
from league.matches.queries.match import GameView
from league.web.charts.board.drawing import Picture, picture
from league.web.charts.board.trail import Joint
from league.web.charts.score import Addresses, ScoreChart, score_chart
from league.web.matches.lead import LastingLead, lead_of
from league.web.matches.replay_parts import ListedRound, ReplayPart, asked_for, listed, parts_of
from league.web.words.games.replay import aloud, said
from referee.frames import Frame, OpenFace, PlayPoints, Reel, RoundFrames, reel

KEPT = 64
"""Replays kept, for the next look at the same log; the longest takes a megabyte."""


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """One line of the game.

    `anchor`: its address on the page; `also`: that of the line in which the count of a play was called, "" without;
    `sum`: the sum of the open ends after a play, with its terms; `worth`: its points
    in words; `ends`: the text twin of the board.

    For the script: `placed`: number of tiles on the table; `flags`: position and number of each open end; `held` and
    `hands` are separated by bars, an unknown hand is a question mark; `to_act`: the number of the seat; `at`: the time
    in tenths of a second.
    """

    anchor: str
    number: int
    also: str
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
    """A round; `seats`: the seat of each tile's player, in order of play."""

    number: int
    picture: Picture | None
    seats: list[int]
    steps: list[ReplayStep]

    @property
    def scores(self) -> list[int]:
        """Scores at the end of the round."""
        return self.steps[-1].scores

    @property
    def placed(self) -> int:
        """Number of tiles on the table at the end of the round."""
        return self.steps[-1].placed

    @property
    def ends(self) -> str:
        """Open ends at the end of the round, in words."""
        return next((step.ends for step in reversed(self.steps) if step.is_play), "")


@dataclass(frozen=True, slots=True, eq=False)
class Replay:
    """Replay of a game, or of the part shown. Equal only to itself: the same log with the same names gives the same.

    `rounds`: those of the part shown; `listed`: all rounds; `parts`: empty for a single part. `names` and `letters` by
    seat; `seats`: side → seat. `marked`: the tiles have colours and kinds, no pips. `words`: the script's texts, JSON.
    """

    prefix: str
    rounds: list[ReplayRound]
    parts: list[ReplayPart]
    listed: list[ListedRound]
    names: list[str]
    letters: str
    seats: Mapping[int, int]
    marked: bool
    words: str
    chart: ScoreChart | None
    lead: LastingLead | None

    @property
    def steps(self) -> int:
        return sum(len(one.steps) for one in self.rounds)

    def shows(self, line: int) -> bool:
        """Whether a line of the log is in the part shown."""
        return not self.parts or any(one.shown and one.from_line <= line <= one.to_line for one in self.parts)

    def key_of(self, line: int) -> str:
        """Return the key of the part with a line of the log, "" if that part is shown."""
        if self.shows(line):
            return ""
        return next((one.key for one in self.parts if one.from_line <= line <= one.to_line), "")


def replay_of(view: GameView, names: Mapping[int, str], asked: str = "") -> Replay | None:
    """Return the replay of the log shown, or None.

    `names` by side; `asked` is the value of `?rounds=`. None without a log, without a play, or before the check.
    """
    if not view.log or view.verdict is None:
        return None
    sides = tuple((number, letter, names.get(number, "")) for number, letter in view.seats.items())
    shown = "\n".join(line.text for line in view.log)
    return _replay(shown, view.sealed_text, sides, view.game.number, tuple(view.findings), asked, get_language())


def replay_of_text(text: str, names: Sequence[str], asked: str = "") -> Replay | None:
    """Return the replay of a log without findings; `names` by seat, `asked` as above."""
    sides = tuple((seat, SEATS[seat], name) for seat, name in enumerate(names))
    return _replay(text, "", sides, 1, (), asked, get_language())


@lru_cache(KEPT)
def _replay(
    text: str,
    sealed: str,
    sides: tuple[tuple[int, str, str], ...],
    number: int,
    findings: tuple[FindingLine, ...],
    asked: str,
    _language: str | None,
) -> Replay | None:
    log = _read(text) or _read(sealed)
    if log is None:
        return None
    film = reel(log)
    names = {letter: name for _side, letter, name in sides}
    seated = [names.get(letter, "") or letter for letter in SEATS[: film.seats]]
    prefix = "" if number == 1 else f"g{number}."
    played = [one for one in film.rounds if one.frames]
    if not any(one.trail for one in played):
        return None
    marks = _at_frames(findings, [frame.line for one in played for frame in one.frames])
    parts = parts_of(played)
    place = asked_for(parts, prefix, asked)
    shown, rounds = listed(parts, prefix, place)
    addresses = Addresses(prefix, {one.number: one.key for one in rounds})
    return Replay(
        prefix=prefix,
        rounds=[_Teller(film, one, seated, prefix, marks).told() for one in parts[place]],
        parts=shown,
        listed=rounds,
        names=seated,
        letters=SEATS[: film.seats],
        seats={side: SEATS.index(letter) for side, letter, _name in sides},
        marked=not film.counts,
        words=aloud(film.clock),
        chart=score_chart(film, played, seated, addresses),
        lead=lead_of(film, played, addresses),
    )


def shown_round(film: Reel, shown: RoundFrames, names: Sequence[str]) -> ReplayRound:
    """Return the table of a round at its end: of its steps those from the last tile on, without findings."""
    played = (n for n in reversed(range(len(shown.frames))) if isinstance(shown.frames[n].event, Play | Reopening))
    return _Teller(film, shown, names, "", {}).told(next(played, 0))


def _at_frames(findings: Sequence[FindingLine], lines: Sequence[int]) -> dict[int, list[FindingLine]]:
    """Map the line of a frame to its findings.

    A finding at a line without a frame moves to the next frame; a finding after the last frame, for example the reason
    for an impossible record, moves to the last one.
    """
    marks: dict[int, list[FindingLine]] = {}
    for one in findings:
        at = next((line for line in lines if line >= one.line), lines[-1] if lines else one.line)
        marks.setdefault(at, []).append(one)
    return marks


def _read(text: str) -> GameLog | None:
    """Parse the log; None if it cannot be read.

    A name may be longer than the player code it replaces, and push a line over the reader's limit.
    """
    try:
        [log] = loads(text)
    except (NotationError, ValueError):
        return None
    return log


@dataclass(frozen=True)
class _Teller:
    """Builder of one round's replay."""

    film: Reel
    shown: RoundFrames
    names: Sequence[str]
    prefix: str
    marks: Mapping[int, list[FindingLine]]

    def told(self, first: int = 0) -> ReplayRound:
        """Tell the steps from number ``first`` on."""
        trail = tuple(Joint(one.inner, one.outer, one.on) for one in self.shown.trail)
        drawn = picture(trail, self.shown.root, spinner=self.shown.spinner)
        steps = []
        before: Sequence[int] = self.shown.frames[max(0, first - 1)].scores
        for number in range(first, len(self.shown.frames)):
            if self.shown.owning_step(number) == number:
                steps.append(self._step(number, before, drawn))
                before = steps[-1].scores
        return ReplayRound(self.shown.number, drawn, [one.seat for one in self.shown.trail], steps)

    def _step(self, number: int, before: Sequence[int], drawn: Picture | None) -> ReplayStep:
        """Tell a line; a play with the count that was called in the next line."""
        announced = self.shown.announced(number)
        frame = self.shown.frames[number]
        last = self.shown.frames[number + 1] if announced else frame
        lines = {frame.line, last.line}
        is_play = isinstance(frame.event, Play | Reopening)
        points = self.film.plays.get(frame.line) if is_play else None
        return ReplayStep(
            anchor=f"{self.prefix}r{self.shown.number}.{number}",
            number=number,
            also=f"{self.prefix}r{self.shown.number}.{number + 1}" if announced else "",
            line=frame.line,
            time="" if frame.at is None else write_time(frame.at - frame.at % 10),
            at=frame.at,
            sentence=said(announced or frame.event, self.names, self.shown.joined_to(frame)),
            is_play=is_play,
            sum=_sum(frame) if points and self.film.counts else "",
            worth=_worth(points) if points and self.film.counts else "",
            scores=list(last.scores),
            scored=tuple(last.scores) != tuple(before),
            ends=self._twin(frame) if is_play else "",
            placed=frame.placed,
            flags=self._flags(frame, drawn) if drawn else "",
            held="|".join(map(str, frame.held)),
            hands="|".join("?" if hand is None else " ".join(hand) for hand in frame.hands),
            boneyard=frame.boneyard,
            to_act=last.to_act,
            findings=[one for line in sorted(lines) for one in self.marks.get(line, [])],
        )

    def _flags(self, frame: Frame, drawn: Picture) -> str:
        told = []
        for end in frame.ends:
            if (word := _flag(end, marked=frame.count is None)) is not None:
                x, y = drawn.flag(end.tile, end.face, frame.placed)
                told.append(f"{x:g},{y:g},{word}")
        return ";".join(told)

    def _twin(self, frame: Frame) -> str:
        """Return the open ends in words."""
        return "; ".join(self._end(end) for end in frame.ends)

    def _end(self, end: OpenFace) -> str:
        facts = {"tile": self.shown.trail[end.tile].tile, "face": end.face, "count": sum(end.terms)}
        return self.words[min(len(end.terms), 2) if self.film.counts else 1] % facts

    @cached_property
    def words(self) -> Sequence[str]:
        """Texts for an open end without a count, a half, a double."""
        return (
            _("an end of %(tile)s, counts nothing"),
            _("%(face)s on %(tile)s"),
            _("double %(tile)s, counts %(count)s"),
        )


def _flag(end: OpenFace, *, marked: bool) -> str | None:
    """Return the text of an end's flag: its count; for marked tiles a named colour."""
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
    if points.announced is None and not any(points.awarded.values()):
        return _("worth %(points)s, not called") % {"points": points.worth}
    return ngettext("%(count)s point", "%(count)s points", points.worth) % {"count": points.worth}
