"""Running scores in the stream and on public pages against a spectator's knowledge (RELIABILITY.md A-17, T-09).

A score on a score pad is public once the next tap follows it or the hand is settled; a play on a tile pad once the
second next turn is completed. A tap without a public effect has no message and changes no byte of a public page. The
players' own pads: tests/browser/test_pad_leaks.py.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from games.moves import Call, Draw, Event, Pass, Play, RoundStart
from games.notation.reading import loads
from games.notation.writing import write_event
from league.live import log
from league.live.messages import Messenger
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Match
from league.matches.tally import services
from referee import Verdict, verify
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.simulate import Hidden, hide
from tests.league.matches.tapping import Pad, points, round_end, tap
from tests.league.world import World
from tests.volume import SEED, THOROUGH

# PostgreSQL hides the rows of an open transaction from its own position in the log.
pytestmark = pytest.mark.django_db(transaction=True)

HANDS_A_GAME = 5
HANDS_OF_TILES = 2
HANDS = 10_000 if THOROUGH else 1_000
POSTGRES_SHARE = 5
"""A fifth of the hands shows what differs on PostgreSQL: the position in the log."""
PAGES_EVERY = 25


class Spectator:
    """Public knowledge of a game on a score pad, from the first sentence above and nothing else."""

    def __init__(self) -> None:
        self.settled, self.open = [0, 0], None
        self.begun = False

    def sees(self, seat: int, scored: int, *, settles: bool) -> str:
        """Return the public score after a tap; empty before the first."""
        if self.open:
            self.settled[self.open[0]] += self.open[1]
            self.begun = True
        self.open = (seat, scored)
        if settles:
            self.settled[seat] += scored
            self.open, self.begun = None, True
        return "{}–{}".format(*self.settled) if self.begun else ""


def taps(random: Random, hands: int) -> Iterator[tuple[int, int, bool]]:
    """Yield seat, points, and whether the tap ends the hand."""
    for _hand in range(hands):
        for _tap in range(random.randint(0, 2)):
            yield random.randrange(2), 5, False
        yield random.randrange(2), 5, True


def matches(world: World, count: int) -> list[Match]:
    agreed = Fixture(
        league=world.league,
        entrants=[world.ana, world.bo],
        ruleset="udl",
        options={},
        published_at=timezone.now() - timedelta(hours=1),
        best_of=1,
    )
    return schedule_matches([agreed] * count)


# Different at each request: secrets, and the hour.
MOVES = re.compile(
    rb'ETag: \S+|[A-Za-z0-9]{64}|nonce="[^"]*"|/live/[^"]*\?at=\d+|data-(now|at|stands)="[^"]*"|\d\d:\d\d(:\d\d)?'
)


class Watcher:
    """Follows the stream of a match, and now and then public pages."""

    def __init__(self, match: Match) -> None:
        self.match, self.client = match, Client()
        self.messenger, self.position = Messenger(), log.here()
        self.shown = ""

    def hears(self) -> bool:
        """Take the messages of the last tap, and return whether there was any."""
        changes, self.position = self.position.changes_after()
        messages = self.messenger.messages_of(changes).get(f"match:{self.match.pk}", [])
        for message in messages:
            self.shown = score_in(message["tally"].get("en", ""))
        return bool(messages)

    def pages(self) -> list[str]:
        paths = (f"/now/scores/?of={self.match.pk}", f"/matches/{self.match.pk}/", f"/now/?shown={self.match.pk}")
        return [score_in(self.client.get(path).content.decode()) for path in paths]

    def tiles(self) -> int:
        """Count the tiles on the table of the match page."""
        html = self.client.get(f"/matches/{self.match.pk}/").content.decode()
        return len(re.findall(r'class="t [^"]*" data-n=', html.partition("data-live-game")[2]))

    def bytes(self) -> dict[str, bytes]:
        """Return what every public channel says of the match: pages, API, picture, big screens."""
        match, slug = self.match, self.match.league.slug
        code = match.sides.first().entrant.player.code
        paths = [
            f"/matches/{match.pk}/",
            f"/matches/{match.pk}/scoreboard/",
            f"/now/?shown={match.pk}",
            f"/now/scores/?of={match.pk}",
            f"/players/{code}/",
            f"/leagues/{slug}/",
            f"/leagues/{slug}/now/",
            f"/hall/{slug}/",
            f"/api/v1/matches/{match.pk}",
            f"/api/v1/games/{match.games.get().code}",
            f"/share/en/matches/{match.pk}.png",
        ]
        answers = {path: self.client.get(path) for path in paths}
        assert {answer.status_code for answer in answers.values()} == {200}, answers
        return {path: MOVES.sub(b"", answer.content) for path, answer in answers.items()}


def score_in(html: str) -> str:
    return html.partition("data-tally")[2].partition("<b>")[2].partition("</b>")[0]


def leaks(world: World, hands: int, pages_every: int = PAGES_EVERY) -> list[str]:
    """Play random hands on score pads, and return each leak, and each public score that is missing."""
    random, found, number = Random(SEED), [], 0
    for match in matches(world, -(-hands // HANDS_A_GAME)):
        pad, spectator, watcher = Pad(match.games.get(), world.referee), Spectator(), Watcher(match)
        before = ""
        for seat, scored, settles in taps(random, HANDS_A_GAME):
            number += 1
            looks = number % pages_every == 0
            pages = watcher.bytes() if looks else {}
            pad.send(round_end(seat, scored) if settles else points(seat, scored), at=timezone.now())
            known = spectator.sees(seat, scored, settles=settles)
            heard = watcher.hears()
            shown = [watcher.shown, *(watcher.pages() if looks else [])]
            if set(shown) != {known}:
                found.append(f"match {match.pk}, tap {number}: {shown}, not {known}")
            # The first tap starts the match, which is public.
            if known == before and pad.after > 1:
                found += [f"match {match.pk}, tap {number}: a message without news"] if heard else []
                found += [f"tap {number} changed {path}" for path in changed(pages, watcher)]
            before = known
    return found


def changed(before: dict[str, bytes], watcher: Watcher) -> list[str]:
    """Return the pages that are no longer as `before`; none are read again if none were read then."""
    after = watcher.bytes() if before else {}
    return [path for path, content in before.items() if content != after[path]]


# --- Tile pads ---


def game_of_tiles(number: int) -> list[Event]:
    """Return the first hands of a random game as a scorer writes it who sees no hand."""
    habits = Habits(style="greedy", miss=0.15, timed=False, says_blocked=True)
    played = hide(playout("udl", rng=Random(f"{SEED} {number}"), seats=("Ana", "Bo"), habits=habits).log, Hidden.HANDS)
    events = [entry.event for entry in played.entries]
    starts = [place for place, event in enumerate(events) if isinstance(event, RoundStart)]
    return events[: starts[HANDS_OF_TILES]] if len(starts) > HANDS_OF_TILES else events


def is_turn(event: Event) -> bool:
    return isinstance(event, (Play, Pass))


def public_part(events: Sequence[Event]) -> int:
    """Return how many events may be public: without the last two turns while the hand goes on."""
    open_turns = turns_of_open_hand(events)[-2:]
    return open_turns[0] if open_turns else len(events)


def turns_of_open_hand(events: Sequence[Event]) -> list[int]:
    """Return the places of the turns of the last hand; none if it is over."""
    start = max((place for place, event in enumerate(events) if isinstance(event, RoundStart)), default=0)
    turns = [place for place in range(start, len(events)) if is_turn(events[place])]
    return turns if is_turn(events[-1]) or isinstance(events[-1], (Call, Draw)) else []


def tiles_of_last_hand(events: Sequence[Event]) -> int:
    """Count the plays of the last hand that has one: its table stays until the next play."""
    hands = [0]
    for event in events:
        if isinstance(event, RoundStart):
            hands.append(0)
        hands[-1] += isinstance(event, Play)
    return next((plays for plays in reversed(hands) if plays), 0)


def tile_leaks(world: World, hands: int, pages_every: int = PAGES_EVERY) -> list[str]:
    """Play random hands on tile pads, and return each leak."""
    found, number = [], 0
    for place, match in enumerate(matches(world, -(-hands // HANDS_OF_TILES))):
        pad, watcher, events = Pad(match.games.get(), world.referee), Watcher(match), game_of_tiles(place)
        allowed, part = {"", "0–0"}, 0
        for count, event in enumerate(events, start=1):
            number += 1
            looks = number % pages_every == 0
            pages = watcher.bytes() if looks else {}
            pad.send(tap("line", line=write_event(event)), at=timezone.now())
            now = public_part(events[:count])
            allowed |= {score_after(events[:upto]) for upto in range(part + 1, now + 1)}
            advances, part = now > part, max(part, now)
            heard = watcher.hears()
            shown = [watcher.shown, *(watcher.pages() if looks else [])]
            if looks and (tiles := watcher.tiles()) > tiles_of_last_hand(events[:part]):
                found.append(f"match {match.pk}, line {count}: {tiles} tiles on the table")
            if not set(shown) <= allowed:
                found.append(f"match {match.pk}, line {count}: {shown}, not public")
            if heard and not advances and count > 2:
                found.append(f"match {match.pk}, line {count}: a message without news")
            if not heard and not advances and count > 2:
                found += [f"match {match.pk}, line {count} changed {path}" for path in changed(pages, watcher)]
    return found


def judged(events: Iterable[Event]) -> Verdict:
    (game,) = loads("\n".join(['[Ruleset "udl"]', '[Seat.A "A"]', '[Seat.B "B"]', *map(write_event, events), ""]))
    return verify(game)


def score_after(events: Iterable[Event]) -> str:
    return "{}–{}".format(*judged(events).totals)


def test_nothing_gets_out_before_its_time(shared_world: World) -> None:
    assert leaks(shared_world, 20) == []
    assert tile_leaks(shared_world, 2) == []


def hands() -> int:
    return HANDS // POSTGRES_SHARE if connection.vendor == "postgresql" and not THOROUGH else HANDS


@pytest.mark.slow("hundreds of hands on score pads")
def test_nothing_gets_out_before_its_time_in_many_hands(shared_world: World) -> None:
    assert leaks(shared_world, hands() * 4 // 5, pages_every=250) == []


@pytest.mark.slow("hundreds of hands on tile pads")
def test_nothing_gets_out_before_its_time_in_many_hands_of_tiles(shared_world: World) -> None:
    assert tile_leaks(shared_world, hands() // 5, pages_every=250) == []


def test_without_the_window_the_test_finds_leaks(shared_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: every tap is public at once."""
    real: Callable[..., object] = services.score_now
    monkeypatch.setattr(services, "score_now", lambda *given, **how: real(*given, **how | {"open_shown": True}))
    assert len(leaks(shared_world, 20)) > 5
    assert len(tile_leaks(shared_world, 2)) > 1
