"""A club night of forty: who does what with which device. Helpers of test_forty_players.py."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from time import monotonic

from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from league.accounts.models import League, Role, User
from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import Plan
from league.competitions.models import Competition
from league.matches.models import Match, Side
from tests.browser.conftest import leave_for
from tests.browser.pads import Score, Thumb
from tests.web.world import account

NAMES = tuple(
    """Ana Ruiz
Bo Chen
Carmen Silva
Dwight Baptiste
Elena Petrova
Femi Adeyemi
Grace O’Neill
Hugo Martín
Ines Costa
Jonas Falk
Keiko Mori
Luis Ortega
Mara Weiss
Nadia Haddad
Oleg Ivanov
Paula Gomes
Quim Serra
Rosa Delgado
Sven Lund
Tania Ferreira
Umar Farouk
Vera Novak
Walt Jansen
Ximena Rojas
Yusuf Demir
Zoe Martin
Amir Rahimi
Bea Lopes
Cyril Blanc
Dora Klein
Emil Holm
Fiona Walsh
Gil Moreno
Hana Sato
Igor Petrov
Jana Horak
Kofi Mensah
Lia Conti
Milo Greco
Nora Byrne""".splitlines()
)
WALK_IN = "Omar Late"
LEAGUE, CUP = "harbour", "tuesday-forty"
ORGANIZE = f"/organize/{LEAGUE}/competitions/{CUP}/"
PUBLIC = f"/competitions/{LEAGUE}/{CUP}/"
TYPIST_MS = 90
"""Milliseconds between two keys: a practised typist."""
PRESS_MS = 1_350 + 1_100 + 2 * 100
"""Milliseconds to think of a place, to point at it, and to press and release there (keystroke-level model)."""


def found_club() -> League:
    """A league in which nobody plays yet: `owner` runs it, `ref` is an official."""
    league = League.objects.create(name="Harbour", slug=LEAGUE, time_zone="Europe/Lisbon")
    for name, kind in (("owner", Role.Kind.OWNER), ("ref", Role.Kind.REFEREE)):
        Role.objects.create(user=account(name), league=league, kind=kind)
    return league


@dataclass
class Hand:
    """What an organizer does is counted: every press of a button or a link, every choice, every field that is filled
    (a click into it), every key that activates something; and `keys` that are typed. `began` when signed in.
    """

    page: Page
    clicks: int = 0
    keys: int = 0
    began: float = field(default_factory=monotonic)

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click()

    def type(self, what: Locator, text: str) -> None:
        self.clicks += 1
        self.keys += len(text)
        what.fill(text)

    def press(self, role: str, name: str, **where: object) -> None:
        self.click(self.page.get_by_role(role, name=name, **where).first)

    def choose(self, group: str, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role("group", name=group).get_by_role("radio", name=name).check()

    def open(self, summary: str) -> None:
        self.click(self.page.get_by_text(summary).first)

    def fill(self, label: str, text: str) -> None:
        self.type(self.page.get_by_label(label).first, text)

    def paste(self, label: str, text: str) -> None:
        self.clicks += 1
        self.keys += 2  # Ctrl and V
        self.page.get_by_label(label).first.fill(text)

    def key(self, key: str) -> None:
        self.clicks += 1
        self.page.keyboard.press(key)

    @property
    def milliseconds(self) -> int:
        """What a practised organizer takes, on whichever machine."""
        return self.clicks * PRESS_MS + self.keys * TYPIST_MS

    @property
    def summary(self) -> str:
        script = monotonic() - self.began
        return f"{self.clicks} clicks, {self.milliseconds / 1000:.1f} s by hand, {script:.1f} s for the script"


def tonight() -> str:
    """As the field for the start takes it, an hour from now by the clock of the league."""
    soon = timezone.now() + timedelta(hours=1)
    return soon.strftime("%Y-%m-%dT%H:00")


def found_tonight(hand: Hand, names: Sequence[str] = NAMES) -> None:
    """From the home page to the draft of a round robin at 20 tables, its rounds shown one by one."""
    hand.press("link", "Organize")
    hand.press("link", "New competition")
    hand.choose("Game", "UDL night")
    hand.fill("Name of the competition", "Tuesday Forty")
    hand.fill("Start", tonight())
    hand.fill("Tables", "20")
    hand.paste("Players, one a line", "\n".join(names))
    hand.open("More settings")
    hand.choose("Publication of rounds", "round by round")
    hand.press("button", "Create draft")
    expect(hand.page.get_by_text("Draft: only officials see this")).to_be_visible()
    expect(hand.page.get_by_role("heading", name=f"{len(names)} players")).to_be_visible()


def draft_of(names: Iterable[str]) -> Competition:
    """The same draft without a browser."""
    league = found_club()
    owner = User.objects.get(username="owner")
    # Somebody leaves after two of 39 rounds, and what was played is to count.
    plan = Plan(
        leaving=Competition.Leaving.KEEP,
        name="Tuesday Forty",
        ruleset="udl",
        release=Competition.Release.ROUND_BY_ROUND,
        starts_at=timezone.now() + timedelta(minutes=30),
        minutes=20,
        tables=[str(number) for number in range(1, 21)],
    )
    return found_with_players(league, plan, "\n".join(names), user=owner)


# --- What is true ---


@dataclass(frozen=True)
class Pairing:
    """A match of tonight: its names and PINs in the order of its sides."""

    id: int
    game: int
    door: str
    table: str
    names: tuple[str, str]
    pins: tuple[str, str]


def pairings(number: int) -> list[Pairing]:
    """Of a round, by table."""
    matches = Match.objects.filter(slot__matchday__stage__competition__slug=CUP, slot__matchday__number=number)
    return sorted((pairing(one) for one in matches.select_related("table")), key=lambda one: int(one.table))


def pairing(match: Match) -> Pairing:
    sides = Side.objects.filter(match=match).select_related("entrant__player").order_by("number")
    entrants = [side.entrant for side in sides]
    return Pairing(
        id=match.pk,
        game=match.games.get().pk,
        door=match.door,
        table=match.table.name,
        names=tuple(one.player.name for one in entrants),
        pins=tuple(one.pin for one in entrants),
    )


@dataclass
class Truth:
    """What happened at the tables, whoever typed it and however.

    `scores`: by game the points of both sides. `forfeits`: games that count as won and lost, without their points.
    """

    rng: Random
    scores: dict[int, tuple[int, int]] = field(default_factory=dict)
    played: list[tuple[Pairing, tuple[int, int]]] = field(default_factory=list)
    forfeits: set[int] = field(default_factory=set)

    def happened(self, one: Pairing, score: tuple[int, int] | None = None) -> tuple[int, int]:
        """A game to 150 that somebody won, or the given score."""
        lost = 5 * self.rng.randrange(30)
        score = score or self.rng.choice([(150, lost), (lost, 150)])
        self.scores[one.game] = score
        self.played.append((one, score))
        return score

    def forfeited(self, one: Pairing, leaver: str) -> None:
        self.happened(one, tuple(150 * (name != leaver) for name in one.names))
        self.forfeits.add(one.game)

    def standings(self) -> dict[str, tuple[int, int, int, int]]:
        """By name: played, won, difference, points; by nothing but addition."""
        rows = {}
        for one, points in self.played:
            counts = one.game not in self.forfeits
            for name, own, other in zip(one.names, points, points[::-1], strict=True):
                games, won, difference, total = rows.get(name, (0, 0, 0, 0))
                rows[name] = (
                    games + 1, won + (own > other), difference + counts * (own - other), total + counts * own
                )  # fmt: skip
        return rows


def standings_on(page: Page) -> dict[str, tuple[int, int, int, int]]:
    """The official table as everybody reads it, in its order."""
    leave_for(page, f"{PUBLIC}?table=official")
    rows = page.locator(".standings tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.children].slice(1, 6).map(cell => cell.innerText.trim()))"
    )
    return {name.split("\n")[0]: tuple(int(one.replace("−", "-")) for one in numbers) for name, *numbers in rows}


# --- Who does it ---

FOCUSED = "document.activeElement.closest('[data-game]')?.dataset.game"
MOST_KEYS = 400


class Desk:
    """An official at the grid, who ticks on each card that both players signed it: it counts at once."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def open(self) -> None:
        self.page.goto(f"{ORGANIZE}grid/")
        expect(self.page.locator("[data-points]:focus")).to_have_count(1)

    def row(self, one: Pairing) -> Locator:
        return self.page.locator(f"#game-{one.game}")

    def type_all(self, results: Sequence[tuple[Pairing, tuple[int, int]]]) -> int:
        """With nothing but the keyboard, from the field that has the focus; the rows come in the order of the tables,
        and Enter passes those that are not played yet. The number of keys.
        """
        keys = 0
        for one, points in results:
            while self.page.evaluate(FOCUSED) != str(one.game):
                assert keys < MOST_KEYS, f"the focus does not come to table {one.table}"
                self.page.keyboard.press("Enter")
                keys += 1
            expect(self.row(one).locator("[data-points]").first).to_be_focused()
            for number in points:
                self.page.keyboard.type(str(number))
                self.page.keyboard.press("Tab")
                keys += len(str(number)) + 1
            expect(self.row(one).locator("[data-signed]")).to_be_focused()
            for key in ("Space", "Enter"):
                self.page.keyboard.press(key)
                keys += 1
        return keys

    def type_one(self, one: Pairing, points: tuple[int, int]) -> None:
        self.row(one).locator("[data-points]").first.click()
        self.type_all([(one, points)])

    def all_are_there(self) -> None:
        # "20 results are missing" has the words too; what is not confirmed yet is told after it.
        expect(self.page.locator("[data-count]")).to_have_text(re.compile(r"^\s*0 results are missing\.\s*$"))

    def is_official(self, one: Pairing) -> None:
        expect(self.row(one).locator("[data-state]")).to_contain_text("Confirmed")


class Phone:
    """A player's phone, which nobody signs in with."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def scan(self, one: Pairing, side: int) -> "Phone":
        """The code on the card, and who this phone is."""
        self.page.goto(f"/t/{one.door}/")
        self.page.get_by_role("button", name=one.names[side], exact=True).click()
        expect(self.page.get_by_text(f"You are here for {one.names[side]}.")).to_be_visible()
        return self

    def enter(self, points: tuple[int, int]) -> None:
        self.fill(points)
        self.press("Review")
        self.press("Yes, enter it")

    def fill(self, points: tuple[int, int]) -> None:
        for place, number in enumerate(points):
            self.page.locator("[data-score] [data-points]").nth(place).fill(str(number))

    def press(self, button: str) -> None:
        self.page.get_by_role("button", name=button).click()

    def confirm(self) -> None:
        self.page.get_by_role("button", name="Yes, confirm it").click()
        self.is_official()

    def confirm_here(self, one: Pairing, side: int) -> None:
        """The other side, on this phone, with the PIN of its slip."""
        name = one.names[side]
        self.page.get_by_text(f"{name} confirms on this phone").click()
        self.page.get_by_role("textbox", name=f"PIN on the slip of {name}").fill(one.pins[side])
        self.page.get_by_role("button", name="Confirm it").click()
        self.is_official()

    def is_official(self) -> None:
        expect(self.page.get_by_role("heading", name="The result is confirmed")).to_be_visible()

    def leave(self) -> None:
        """Close the browser: while it is open, the page asks the site every few seconds."""
        self.page.context.close()

    def pad(self) -> Thumb:
        self.page.get_by_role("link", name="Keep score").click()
        self.page.get_by_role("link", name="Score pad").click()
        expect(self.page.locator("#pad[data-ready=yes]")).to_be_visible()
        return Thumb(self.page)


def tally(thumb: Thumb, scores: Sequence[Score]) -> None:
    """A whole game, tap by tap, up to the question whether it is over."""
    for score in scores:
        thumb.enter(score)
    over = thumb.page.locator("[data-do=over]")
    if over.is_visible():
        over.click()
    thumb.touch("[data-won] [data-do=finish]")


def hand_in(thumb: Thumb) -> None:
    thumb.touch("[data-do=end]")
