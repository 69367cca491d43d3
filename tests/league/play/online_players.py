"""Players of online games over HTTP: they read the forms of their page, and send one of its acts.

A request without an answer is repeated unchanged, as a browser would. `faults` holds the log against their answers.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from http.cookies import SimpleCookie
from random import Random
from typing import Protocol
from urllib.parse import urlencode

from django.test import Client

from games.moves import Draw, Pass, Play
from league.play.models import OnlineGame, OnlineSeat
from referee import verify

STATE = re.compile(r'data-state="(\w+)"')
VERSION = re.compile(r'data-version="([^"]*)"')
LINE = re.compile(r'name="line" value="(\d+)"')
FITS = re.compile(r'name="tile" value="([\d-]+)" data-on="([^"]*)" data-fits')
POINTS = re.compile(r'name="points" value="(\d+)"')
UNANSWERED = (OSError, HTTPException)
Act = tuple[str, int | None]
"""A tile with its announced points, or ("draw", None) for a draw or a pass."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of the site; `location`: where a redirect points to."""

    status: int
    text: str
    location: str = ""


class Browser(Protocol):
    """Browser of one seat, with its cookies. Without an answer it raises one of `UNANSWERED`."""

    def get(self, path: str) -> Answer: ...
    def post(self, path: str, fields: dict[str, str]) -> Answer: ...


class HttpBrowser:
    """Browser over real HTTP, on a connection for each request. It follows no redirect."""

    def __init__(self, port: int, **cookies: str) -> None:
        self.port = port
        self.cookies = cookies

    def get(self, path: str) -> Answer:
        return self._ask("GET", path)

    def post(self, path: str, fields: dict[str, str]) -> Answer:
        return self._ask("POST", path, urlencode({"csrfmiddlewaretoken": self.cookies["csrftoken"], **fields}))

    def _ask(self, method: str, path: str, body: str | None = None) -> Answer:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body is not None else {}
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        for line in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: one.value for name, one in SimpleCookie(line).items()}
        return Answer(answer.status, text, answer.headers.get("Location", ""))


class ClientBrowser:
    """Browser on Django's test client; `loses`: whether the answer to a form is lost on its way."""

    def __init__(self, seat: OnlineSeat, loses: Callable[[dict[str, str]], bool] = lambda _fields: False) -> None:
        self.client, self.loses = Client(), loses
        self.client.cookies["seat"] = seat.key

    def get(self, path: str) -> Answer:
        answer = self.client.get(path)
        return Answer(answer.status_code, answer.content.decode())

    def post(self, path: str, fields: dict[str, str]) -> Answer:
        answer = self.client.post(path, fields)
        if self.loses(fields):
            raise ConnectionError
        return Answer(answer.status_code, answer.content.decode(), answer.headers.get("Location", ""))


@dataclass
class Player:
    """A player at one seat; `done`: the acts that were answered as done, `refused`: the answers to the others.

    `wait_s`: seconds before it repeats a request; `repeated`: how many it has repeated.
    """

    browser: Browser
    path: str
    chance: Random
    wait_s: float = 0.1
    done: list[Act] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    repeated: int = 0
    page: str = ""

    def look(self) -> str:
        """Read the page, and return the state of the game."""
        self.page = self._answered(lambda: self.browser.get(self.path)).text
        return STATE.search(self.page)[1]

    def news(self) -> str:
        """Ask for the version of the game."""
        return self._answered(lambda: self.browser.get(f"{self.path}news/")).text

    @property
    def version(self) -> str:
        """The version that the page shows."""
        return VERSION.search(self.page)[1]

    def choice(self) -> dict[str, str] | None:
        """Return the fields of an act that the page offers, None if there is none but to wait."""
        state = STATE.search(self.page)[1]
        if state == "between" and 'value="deal"' in self.page:
            return {"do": "deal", "line": LINE.search(self.page)[1]}
        if state != "turn":
            return None
        line = {"line": LINE.search(self.page)[1]}
        plays = [(tile, on) for tile, places in FITS.findall(self.page) for on in places.split() or [""]]
        if not plays:
            return {"do": "draw", **line}
        tile, on = self.chance.choice(plays)
        return {"tile": tile, "on": on, "points": self.chance.choice(["", *POINTS.findall(self.page)]), **line}

    def send(self, fields: dict[str, str]) -> Answer:
        """Send an act until it has an answer."""
        answer = self._answered(lambda: self.browser.post(self.path, fields))
        if answer.status != 302:
            self.refused.append(f"{answer.status} to {fields}")
        elif "tile" in fields:
            self.done.append((fields["tile"], int(fields["points"]) if fields["points"] else None))
        elif fields["do"] == "draw":
            self.done.append(("draw", None))
        return answer

    def _answered(self, ask: Callable[[], Answer]) -> Answer:
        while True:
            try:
                answer = ask()
            except UNANSWERED:
                self.repeated += 1
                time.sleep(self.wait_s)
            else:
                return answer


def acts_in(game: OnlineGame, seat: int) -> list[Act]:
    """Return the acts of a seat in the log."""
    events = [entry.event for entry in game.table().log.entries]
    own = [event for event in events if isinstance(event, Play | Draw | Pass) and event.seat == seat]
    return [(event.tile.name, event.call) if isinstance(event, Play) else ("draw", None) for event in own]


def faults(game: OnlineGame, players: list[Player]) -> list[str]:
    """Return the differences between the log and the answers of its players, and what the rules don't allow."""
    found = [refusal for player in players for refusal in player.refused]
    for seat, player in enumerate(players):
        logged = acts_in(game, seat)
        if logged != player.done:
            at = next((n for n, pair in enumerate(zip(logged, player.done, strict=False)) if pair[0] != pair[1]), None)
            found.append(f"seat {seat}: {len(logged)} acts in the log, {len(player.done)} answered, differ from {at}")
    status = str(verify(game.table().log).status)
    return found + ([status] if status in ("impossible", "violation") else [])
