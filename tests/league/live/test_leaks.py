"""What a stream and the pages tell of a score pad, against what a spectator may know (RELIABILITY.md A-17, T-09).

A score is public once the next tap follows it or the hand is settled. A tap that makes nothing public has no message:
its time is no hint either.
"""

from collections.abc import Callable, Iterator
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from league.live import log
from league.live.messages import Messenger
from league.matches.logs.submission import Fixture, schedule_matches
from league.matches.models import Match
from league.matches.tally import services
from tests.league.matches.tapping import Pad, points, round_end
from tests.league.world import World
from tests.volume import SEED, THOROUGH

pytestmark = pytest.mark.django_db

HANDS_A_GAME = 5
HANDS = 10_000 if THOROUGH else 1_000
PAGES_EVERY = 25


class Spectator:
    """Knows the taps of one game as they become public, from the sentence above and nothing else."""

    def __init__(self) -> None:
        self.settled, self.open = [0, 0], None
        self.told = False

    def sees(self, seat: int, scored: int, *, settles: bool) -> str:
        """Return the public score after a tap; empty before the first."""
        if self.open:
            self.settled[self.open[0]] += self.open[1]
            self.told = True
        self.open = (seat, scored)
        if settles:
            self.settled[seat] += scored
            self.open, self.told = None, True
        return "{}–{}".format(*self.settled) if self.told else ""


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


class Watcher:
    """Follows the stream of one match, and now and then its pages."""

    def __init__(self, match: Match) -> None:
        self.match, self.client = match, Client()
        self.messenger, self.position = Messenger(), log.here()
        self.shown = ""

    def hears(self) -> bool:
        """Take the messages of the last tap, and return whether there was one."""
        changes, self.position = self.position.changes_after()
        told = self.messenger.messages_of(changes).get(f"match:{self.match.pk}", [])
        for message in told:
            self.shown = score_in(message["tally"].get("en", ""))
        return bool(told)

    def pages(self) -> list[str]:
        paths = (f"/now/scores/?of={self.match.pk}", f"/matches/{self.match.pk}/", f"/now/?shown={self.match.pk}")
        return [score_in(self.client.get(path).content.decode()) for path in paths]


def score_in(html: str) -> str:
    return html.partition("data-tally")[2].partition("<b>")[2].partition("</b>")[0]


def leaks(world: World, hands: int, pages_every: int = PAGES_EVERY) -> list[str]:
    """Play random hands on pads, and return where something was told that a spectator may not know, or not told."""
    random, found, number = Random(SEED), [], 0
    for match in matches(world, -(-hands // HANDS_A_GAME)):
        pad, spectator, watcher = Pad(match.games.get(), world.referee), Spectator(), Watcher(match)
        before = ""
        for seat, scored, settles in taps(random, HANDS_A_GAME):
            number += 1
            pad.send(round_end(seat, scored) if settles else points(seat, scored), at=timezone.now())
            known = spectator.sees(seat, scored, settles=settles)
            heard = watcher.hears()
            told = [watcher.shown, *(watcher.pages() if number % pages_every == 0 else [])]
            if set(told) != {known}:
                found.append(f"match {match.pk}, tap {number}: {told}, not {known}")
            # The first tap starts the match, which everybody sees.
            if heard and known == before and pad.after > 1:
                found.append(f"match {match.pk}, tap {number}: a message without news")
            before = known
    return found


def test_nothing_gets_out_before_its_time(world: World) -> None:
    assert leaks(world, 20, pages_every=3) == []


@pytest.mark.slow("a thousand hands on score pads")
def test_nothing_gets_out_before_its_time_in_many_hands(world: World) -> None:
    assert leaks(world, HANDS) == []


def test_without_the_window_the_test_finds_leaks(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: every tap is public at once."""
    real: Callable[..., object] = services.copy_of

    def at_once(rows: list, rules: object) -> object:
        score = real(rows, rules) or {"round": 1, "at": rows[-1].received_at.isoformat()}
        made = [
            sum(row.points or 0 for row in rows if (row.seat if row.seat is not None else row.winner) == seat)
            for seat in (0, 1)
        ]
        return score | {"points": made}

    monkeypatch.setattr(services, "copy_of", at_once)
    assert len(leaks(world, 20, pages_every=3)) > 5
