"""Record of a question about one play, for the referee to read (NOTATION.md 3).

The plays before the position do not matter, so the record is the simplest one that leads to it: the seats take turns,
every earlier score was announced, hands were not seen, and the lead was drawn by lot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from games.layout import Layout
from games.moves import SEATS, Bell, Call, Deal, Draw, Event, Pass, Play, RoundStart, Said, Seat, Settled, Show
from games.notation.gamelog import Entry, GameLog, Tenths
from games.notation.reading import dumps, loads
from games.ruleset import Announce, Muggins, Ruleset
from games.scorecard import worths
from games.tile import Tile
from games.tiles import DOUBLE_SIX
from referee.questions.open_ends import Joined, QuestionError, layout_of

MOST_POINTS = 999
MOST_TENTHS = 6000
"""Longest measured time: ten minutes."""
_WITHOUT_A_BELL: Tenths = 864_000


class Moment(Enum):
    """Moment of a call or announcement, among the events at a table."""

    WITH_TILE = "with-tile"
    BEFORE_NEXT = "before-next"
    AFTER_DRAW = "after-draw"
    AFTER_NEXT = "after-next"
    AFTER_SECOND = "after-second"
    HANDS_SHOWN = "hands-shown"
    SETTLED = "settled"
    AFTER_BELL = "after-bell"


_PLAY_GOES_ON = (Moment.AFTER_DRAW, Moment.AFTER_NEXT, Moment.AFTER_SECOND)
_ROUND_ENDS = (Moment.HANDS_SHOWN, Moment.SETTLED)
_BELL_RINGS = (Moment.AFTER_BELL,)
_WAYS = (_PLAY_GOES_ON, _ROUND_ENDS, _BELL_RINGS)
"""Possible continuations after a play: one of these, in this order."""


class Spoken(NamedTuple):
    """One announcement or call: a count by the scorer, muggins by another seat.

    ``after`` are the tenths of a second since the tile was down, or since the bell if it came after that. ``together``:
    this call came at the same moment as the one before it.
    """

    seat: Seat
    what: Said
    moment: Moment
    number: int | None = None
    after: Tenths | None = None
    together: bool = False


class Written(NamedTuple):
    """A record, the line of the asked play, and the lines of the calls about it.

    The line is that of the play for an announcement with it, and ``None`` for a call that the rules do not have.
    """

    log: GameLog
    line: int
    spoken: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """One play and the events after it, as far as known.

    See `referee.questions.question.Question`.
    """

    rules: Ruleset
    tiles: tuple[Joined, ...]
    seats: int
    scorer: Seat
    said: tuple[Spoken, ...]
    reached: Moment | None
    bell: Tenths | None

    @property
    def way(self) -> tuple[Moment, ...]:
        """Continuation after the play: more play, the end of the round, or the bell."""
        moments = {said.moment for said in self.said} | {self.reached}
        return next((way for way in _WAYS if moments & set(way)), ())

    @property
    def passed(self) -> tuple[Moment, ...]:
        """Moments reached after the play, in order."""
        moments = [*(said.moment for said in self.said), self.reached]
        last = max((self.way.index(moment) for moment in moments if moment in self.way), default=-1)
        skipped = Moment.AFTER_DRAW if Moment.AFTER_DRAW not in moments else None
        return tuple(moment for moment in self.way[: last + 1] if moment is not skipped)

    @property
    def timed(self) -> bool:
        """Whether a time before the bell was measured, so that the play needs a time."""
        return self.bell is not None or any(
            said.after is not None for said in self.said if said.moment is not Moment.AFTER_BELL
        )

    def seat_of(self, number: int) -> Seat:
        """Return the seat of the play with this number, from 0; the scorer made the last."""
        return (self.scorer - (len(self.tiles) - 1 - number)) % self.seats

    def with_one_more(self, log: GameLog, seat: Seat, what: Said, number: int | None = None) -> GameLog:
        """Return the record with one more call at its end, at the time of the last line."""
        at = log.entries[-1].at
        return GameLog(log.tags, [*log.entries, Entry(log.last_line + 1, at, Call(seat, what, number))], log.tag_lines)


def written(story: Story) -> Written:
    """Write the record.

    Raises :class:`~referee.questions.open_ends.QuestionError` for an impossible story.
    """
    _check(story)
    layout = layout_of(story.tiles, story.rules.spinner)
    writer = _Writer(story, layout)
    writer.write()
    (log,) = loads(dumps(GameLog(writer.tags(), writer.entries)))
    lines = [entry.line for entry in log.entries]
    spoken = tuple(None if place is None else lines[place] for place in writer.spoken)
    return Written(log, lines[writer.play], spoken)


# ---- Impossible stories


def _check(story: Story) -> None:
    rules, seats = story.rules, story.seats
    if not rules.seats_allowed(seats):
        raise QuestionError("seats", "%(rules)s is not played by %(seats)s.", rules=rules.name, seats=seats)
    if not 0 <= story.scorer < seats:
        raise QuestionError("scorer", "There is no such seat at this table.")
    _check_way(story)
    for number, said in enumerate(story.said):
        _check_spoken(story, said, f"said.{number}")
    _check_order(story)
    _check_bell(story)
    most = len(DOUBLE_SIX.tiles) - seats + (story.way == _ROUND_ENDS) - (Moment.AFTER_DRAW in story.passed)
    if len(story.tiles) > most:
        raise QuestionError("board", "At most %(most)s tiles can lie on the table then.", most=most)


def _check_way(story: Story) -> None:
    way = story.way
    told = [(f"said.{number}.when", said.moment) for number, said in enumerate(story.said)]
    told += [("reached", story.reached)] if story.reached else []
    for field, moment in told:
        if moment not in (*way, Moment.WITH_TILE, Moment.BEFORE_NEXT):
            raise QuestionError(field, "After a play the game goes on, or the round ends, or the bell rings: not two.")


def _check_spoken(story: Story, said: Spoken, field: str) -> None:
    if not 0 <= said.seat < story.seats:
        raise QuestionError(f"{field}.seat", "There is no such seat at this table.")
    if said.what is Said.COUNT:
        if said.seat != story.scorer:
            raise QuestionError(f"{field}.seat", "Only the player of the tile announces its points.")
        if said.number is None or not 0 <= said.number <= MOST_POINTS:
            raise QuestionError(
                f"{field}.points", "Say which number was announced, from 0 to %(most)s.", most=MOST_POINTS
            )
    else:
        if said.seat == story.scorer:
            raise QuestionError(f"{field}.seat", "Nobody calls muggins on a tile of their own.")
        if said.moment is Moment.WITH_TILE:
            raise QuestionError(f"{field}.when", "A call comes after the tile, not with it.")
    if said.after is not None and not 0 <= said.after <= MOST_TENTHS:
        raise QuestionError(f"{field}.seconds", "Seconds are a number from 0 to %(most)s.", most=MOST_TENTHS // 10)


def _check_order(story: Story) -> None:
    order = [Moment.WITH_TILE, Moment.BEFORE_NEXT, *story.way]
    for number, (before, said) in enumerate(zip(story.said, story.said[1:], strict=False), start=1):
        if order.index(said.moment) < order.index(before.moment):
            raise QuestionError(f"said.{number}.when", "Write what was said in the order in which it was said.")
        bell = (said.moment is Moment.AFTER_BELL) != (before.moment is Moment.AFTER_BELL)
        if not bell and said.after is not None and before.after is not None and said.after < before.after:
            raise QuestionError(f"said.{number}.seconds", "This was said later, so its seconds can't be fewer.")
        if said.together and (said.moment is not before.moment or {said.what, before.what} != {Said.MUGGINS}):
            raise QuestionError(f"said.{number}.together", "Only a call right after another call can be at its moment.")
        if said.together and said.after is None and (before.after is not None or _is_measured(story, said)):
            raise QuestionError(f"said.{number}.seconds", "Say after how many seconds both calls came.")
        if said.together and said.after != before.after:
            raise QuestionError(f"said.{number}.seconds", "Calls at the same moment have the same seconds.")
    if story.said and story.said[0].together:
        raise QuestionError("said.0.together", "Only a call right after another call can be at its moment.")


def _is_measured(story: Story, said: Spoken) -> bool:
    return story.timed or said.moment is Moment.AFTER_BELL


def _check_bell(story: Story) -> None:
    if story.way != _BELL_RINGS:
        if story.bell is not None:
            raise QuestionError("bell_s", "Nothing here was said after the bell.")
        return
    clock = story.rules.clock_s
    if not clock:
        raise QuestionError("reached", "%(rules)s is played without a clock: no bell rings.", rules=story.rules.name)
    if story.bell is None:
        if story.timed:
            raise QuestionError("bell_s", "Say how many seconds after the tile the bell rang.")
        return
    most = min(MOST_TENTHS, clock * 10)
    if not 0 <= story.bell <= most:
        raise QuestionError("bell_s", "Seconds are a number from 0 to %(most)s.", most=most // 10)
    for number, said in enumerate(story.said):
        if said.moment is not Moment.AFTER_BELL and said.after is not None and said.after > story.bell:
            raise QuestionError(f"said.{number}.seconds", "The bell rang before that.")


# ---- Lines


class _Writer:
    """Writer of a story's record: deal, position, play, and continuation."""

    def __init__(self, story: Story, layout: Layout) -> None:
        self.story = story
        self.layout = layout
        self.worths = worths(DOUBLE_SIX, story.rules.play_divisor)
        self.announces = story.rules.announce is Announce.MANUAL
        self.entries: list[Entry] = []
        self.spoken: list[int | None] = []
        self.play = 0
        self.released: Tenths | None = self._released()
        self.clock: Tenths = self.released or 0
        self.plays = [0] * story.seats
        for number in range(len(story.tiles)):
            self.plays[story.seat_of(number)] += 1
        self.held = self._hands()

    def tags(self) -> dict[str, str]:
        """Return the asked house rules, and those that simplify the record.

        The latter affect no claim.
        """
        rules = self.story.rules
        bell = self.story.way == _BELL_RINGS
        plain = {
            "target": "100000",
            "clock_s": str(rules.clock_s if bell or not rules.clock_s else _WITHOUT_A_BELL // 10),
            "hand": str(self.held[self.story.scorer]),
            "lead_first": "lot",
            "voluntary_draw": "true",
            "must_play_drawn": "false",
        }
        options = {**rules.overrides, **plain}
        seats = {f"Seat.{letter}": letter for letter in SEATS[: self.story.seats]}
        return {"Ruleset": rules.key, **{f"Option.{key}": value for key, value in options.items()}, **seats}

    def write(self) -> None:
        self._add(RoundStart(1))
        for seat, held in enumerate(self.held):
            self._add(Deal(seat, held))
        self._position()
        self._speak(Moment.WITH_TILE)
        self._speak(Moment.BEFORE_NEXT)
        for moment in self.story.passed:
            self._reach(moment)
            self._speak(moment)

    def _add(self, event: Event, at: Tenths | None = None) -> None:
        self.entries.append(Entry(0, at, event))

    def _released(self) -> Tenths | None:
        """Return the time of the tile's release, if measured."""
        story = self.story
        if not story.timed:
            return None
        return 0 if story.bell is None else story.rules.clock_s * 10 - story.bell

    def _hands(self) -> list[int]:
        """Return the tiles of each seat: enough for its plays, and one left.

        None is left for a scorer that went out.
        """
        story, tiles = self.story, len(DOUBLE_SIX.tiles)
        need = [plays + 1 for plays in self.plays]
        if story.way == _ROUND_ENDS:
            need[story.scorer] -= 1
            return need
        spare = tiles - (Moment.AFTER_DRAW in story.passed)
        usual = max(story.rules.hand_size(story.seats), max(self.plays) + 2)
        return next(hands for least in range(usual, 0, -1) if sum(hands := [max(least, n) for n in need]) <= spare)

    # ---- Events

    def _position(self) -> None:
        before = Layout(DOUBLE_SIX, self.story.rules.spinner)
        *earlier, last = enumerate(self.story.tiles)
        for number, (tile, on) in earlier:
            before.place(tile.index, None if on is None else on.index)
            self._add(Play(self.story.seat_of(number), tile, on, self._announced(before)))
        number, (tile, on) = last
        self.play = len(self.entries)
        first = next((said for said in self.story.said if said.moment is Moment.WITH_TILE), None)
        call = None if first is None else first.number
        self._add(Play(self.story.seat_of(number), tile, on, call), self.released)

    def _announced(self, layout: Layout) -> int | None:
        worth = self.worths[layout.count]
        return worth if worth and self.announces else None

    def _speak(self, moment: Moment) -> None:
        for said in self.story.said:
            if said.moment is not moment:
                continue
            if moment is Moment.WITH_TILE:
                self.spoken.append(self.play)
            elif said.what is Said.MUGGINS and self.story.rules.muggins is Muggins.OFF:
                self.spoken.append(None)
            else:
                self.spoken.append(len(self.entries))
                self._add(Call(said.seat, said.what, said.number), self._when(said))

    def _when(self, said: Spoken) -> Tenths | None:
        after_bell = said.moment is Moment.AFTER_BELL
        if said.after is not None:
            start = self.story.rules.clock_s * 10 if after_bell else self.released or 0
            self.clock = start + said.after
            return self.clock
        # Calls at the same moment are known by the same time; an unmeasured time has no other effect.
        return self.clock if said.together or self._has_a_twin(said) else None

    def _has_a_twin(self, said: Spoken) -> bool:
        after = self.story.said[self.story.said.index(said) + 1 :]
        return bool(after) and after[0].together

    def _reach(self, moment: Moment) -> None:
        story = self.story
        if moment is Moment.AFTER_DRAW:
            self._add(Draw((story.scorer + 1) % story.seats, 1, (None,)))
        elif moment is Moment.AFTER_NEXT:
            self._turn((story.scorer + 1) % story.seats)
        elif moment is Moment.AFTER_SECOND:
            self._turn((story.scorer + 2) % story.seats)
        elif moment is Moment.HANDS_SHOWN:
            for seat, held in enumerate(self.held):
                if seat != story.scorer:
                    self._add(Show(seat, (None,) * (held - self.plays[seat])))
        elif moment is Moment.SETTLED:
            self._add(Settled())
        else:
            self._add(Bell(), story.rules.clock_s * 10)

    def _turn(self, seat: Seat) -> None:
        """Take the next turn: a fitting tile that is not the seat's last, else a pass."""
        choice = next(self._choices(), None) if self.held[seat] - self.plays[seat] > 1 else None
        if choice is None:
            self._add(Pass(seat))
            return
        tile, on = choice
        self.layout.place(tile.index, on.index)
        self.plays[seat] += 1
        self._add(Play(seat, tile, on, self._announced(self.layout)))

    def _choices(self) -> Iterator[tuple[Tile, Tile]]:
        """Yield tiles that fit, and the tiles that they are joined to."""
        tiles = DOUBLE_SIX
        for tile in tiles.in_mask(self.layout.fitting() & ~self.layout.table):
            for on in tiles.in_mask(self.layout.places(tile.index)):
                yield tile, on
