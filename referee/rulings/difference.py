"""Difference of two logs of one game: the places that differ, and the outcome of each version.

Logs are compared by what happened, not by their text: spacing, comments, the order of tiles in a hand and a place that
a play needs not name make no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from games.moves import Deal, Event, Play, Show
from games.notation.gamelog import Entry, GameLog
from games.notation.lines import NotationError
from games.notation.reading import dumps, loads, write_time
from games.wording.base import Sentence
from referee.replay import verify
from referee.rulings.alignment import SINGLE, AlignedPlace, align
from referee.rulings.outcomes import UNREADABLE, LogOutcome, Names, event_sentence, names_of, outcome_of

_OTHER_TIME, _OTHER_WORDS, _OTHER_EVENT = 1, SINGLE + 1, SINGLE + 10
"""Prices of pairs: the same event at another time, one kind of event of one seat, two other events."""


@dataclass(frozen=True, slots=True)
class LogDifference:
    """One place where two logs differ: a line of each, or of one of them, or a tag.

    ``outcome`` is that of the first log with this place as in the second. ``only_time``: both have the same event, at
    different times. Of a ``tag`` the values are given instead of lines.
    """

    outcome: LogOutcome
    left: Entry | None = None
    right: Entry | None = None
    only_time: bool = False
    tag: str = ""
    values: tuple[str | None, str | None] = (None, None)

    def versions(self, names: Names) -> tuple[Sentence | None, Sentence | None]:
        """Return what happened by each log, in a sentence; ``None`` if the log has nothing here."""
        if self.tag:
            left, right = (None if value is None else _tagged(self.tag, value) for value in self.values)
            return left, right
        return self._version(self.left, self.right, names), self._version(self.right, self.left, names)

    def _version(self, entry: Entry | None, other: Entry | None, names: Names) -> Sentence | None:
        if entry is None:
            return None
        said = event_sentence(entry.event, names)
        if self.only_time:
            return _timed(said, entry)
        if other is not None and _only_announced(entry.event, other.event):
            return _announced(entry.event, said)
        return said


def _tagged(tag: str, value: str) -> Sentence:
    return Sentence("%(tag)s is %(value)s", {"tag": tag, "value": value})


def _timed(said: Sentence, entry: Entry) -> Sentence:
    if entry.at is None:
        return Sentence("%(event)s, without a time", {"event": said})
    return Sentence("%(event)s at %(time)s", {"event": said, "time": write_time(entry.at)})


def _only_announced(one: Event, other: Event) -> bool:
    """Return whether two plays differ in the announcement alone."""
    return isinstance(one, Play) and isinstance(other, Play) and _same(replace(one, call=other.call), other)


def _announced(event: Event, said: Sentence) -> Sentence | None:
    """Return what was announced with a tile; ``None`` for nothing."""
    if not isinstance(event, Play) or event.call is None:
        return None
    facts = {"name": said.facts["name"], "points": event.call, "tile": event.tile.name}
    return Sentence("%(name)s announced %(points)s with %(tile)s", facts)


@dataclass(frozen=True, slots=True)
class LogComparison:
    """Two logs of one game side by side.

    ``left`` and ``right`` are their outcomes, by the verdict on each log.
    """

    names: Names
    left: LogOutcome
    right: LogOutcome
    differences: tuple[LogDifference, ...]

    def sentences(self) -> Iterator[Sentence]:
        """Yield a sentence for each difference: its two versions, each with its outcome.

        The outcomes are those of the first log, and of the first log with this place as in the second.
        """
        kept = self.left.sentence(self.names)
        for one in self.differences:
            versions = one.versions(self.names)
            yield _either(versions, kept, one.outcome.sentence(self.names))


def _either(versions: tuple[Sentence | None, Sentence | None], kept: Sentence, changed: Sentence) -> Sentence:
    left, right = versions
    if left is not None and right is not None:
        facts = {"this": left, "that": right, "first": kept, "second": changed}
        return Sentence("If %(this)s: %(first)s; if %(that)s: %(second)s", facts)
    only = left or right
    assert only is not None
    outcomes = (kept, changed) if left is not None else (changed, kept)
    facts = {"this": only, "first": outcomes[0], "second": outcomes[1]}
    return Sentence("If %(this)s: %(first)s; if not: %(second)s", facts)


def compare_logs(left: GameLog, right: GameLog) -> LogComparison:
    """Return the differences of two logs of one game, as read, each with its outcome.

    One changed line is one difference. Differences of tags come first.
    """
    one, other = _sorted_hands(left), _sorted_hands(right)
    kept, changed = outcome_of(verify(left)), outcome_of(verify(right))
    tags = [tag for tag in dict.fromkeys([*left.tags, *right.tags]) if left.tags.get(tag) != right.tags.get(tag)]
    steps = align(one, other, _price)
    # The only difference has the outcome of the second log: no third log has to be judged.
    alone = changed if len(tags) + len(steps) == 1 else None
    differences = [_tag_difference(left, right, tag, alone) for tag in tags]
    differences += [_line_difference(left, right, step, _is_same(one, other, step), alone) for step in steps]
    return LogComparison(names_of(left.seats), kept, changed, tuple(differences))


# ---- Alignment


def _sorted_hands(log: GameLog) -> list[Entry]:
    """Return the entries with the tiles of each hand in one order."""
    return [entry._replace(event=_sorted_hand(entry.event)) for entry in log.entries]


def _sorted_hand(event: Event) -> Event:
    if not isinstance(event, Deal | Show):
        return event
    tiles = tuple(sorted(event.tiles, key=lambda tile: "" if tile is None else tile.name))
    return event._replace(tiles=tiles) if isinstance(event, Deal) else Show(event.seat, tiles)


def _same(one: Event, other: Event) -> bool:
    """Return whether both are one event; a play without a place has the place that the other names."""
    if isinstance(one, Play) and isinstance(other, Play) and (one.on is None) != (other.on is None):
        return replace(one, on=None) == replace(other, on=None)
    return one == other


def _price(one: Entry, other: Entry) -> int:
    if _same(one.event, other.event):
        return 0 if one.at == other.at else _OTHER_TIME
    alike = type(one.event) is type(other.event) and _seat(one.event) == _seat(other.event)
    return _OTHER_WORDS if alike else _OTHER_EVENT


def _seat(event: Event) -> object:
    return getattr(event, "seat", None)


def _is_same(left: list[Entry], right: list[Entry], step: AlignedPlace) -> bool:
    return step.in_left and step.in_right and _same(left[step.i].event, right[step.j].event)


# ---- One difference


def _line_difference(
    left: GameLog, right: GameLog, step: AlignedPlace, only_time: bool, outcome: LogOutcome | None
) -> LogDifference:
    old = left.entries[step.i] if step.in_left else None
    new = right.entries[step.j] if step.in_right else None
    entries = [*left.entries[: step.i], *([new] if new else []), *left.entries[step.i + step.in_left :]]
    return LogDifference(outcome or _outcome(left.tags, entries), old, new, only_time)


def _tag_difference(left: GameLog, right: GameLog, tag: str, outcome: LogOutcome | None) -> LogDifference:
    values = left.tags.get(tag), right.tags.get(tag)
    tags = {name: value for name, value in {**left.tags, tag: values[1]}.items() if value is not None}
    return LogDifference(outcome or _outcome(tags, left.entries), tag=tag, values=values)


def _outcome(tags: Mapping[str, str], entries: list[Entry]) -> LogOutcome:
    """Return the outcome of a log that nobody wrote: it gets lines by being read."""
    try:
        (log,) = loads(dumps(GameLog(dict(tags), entries)))
    except NotationError:
        return UNREADABLE
    return outcome_of(verify(log))
