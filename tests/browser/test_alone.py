"""An evening by one organizer alone, to the final ranking of all.

13 names, double elimination, a player who is missing at the first call, a latecomer, a player who leaves, and a wrong
result that is found after the next round has begun. An action is a click, a choice or an opened page; filled fields
count in the whole evening, typed points do not. `-s` prints the figures.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from league.accounts.models import League, Role
from league.competitions.draw.schedule import calling
from league.competitions.models import Matchday
from league.matches.models import Game, Match, Result
from tests.browser.conftest import leave_for, sign_in
from tests.browser.hours import Hours
from tests.browser.test_club_night import NAMES, Speech, names_of
from tests.web.world import account

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = "/organize/harbour/competitions/tuesday/"
LATE, MISSING, LEAVER, WRONGED = "Nora Lind", "Jonas Falk", "Hugo Martín", "Femi Adeyemi"
STRENGTH = (*NAMES, LATE)
MOST_ACTIONS = 120
FIRST_TABLE_PX = 400
JOBS = {"no-show": 2, "latecomer": 3, "leaver": 3, "correction": 4}


class Organizer:
    """One person with one page, whose actions are counted by job."""

    def __init__(self, page: Page, say: Speech, hours: Hours) -> None:
        self.page, self.say, self.hours = page, say, hours
        self.actions: Counter[str] = Counter()
        self.fields = 0
        self.job = "evening"

    @contextmanager
    def doing(self, job: str) -> Iterator[None]:
        self.job = job
        yield
        self.job = "evening"

    def click(self, what: Locator) -> None:
        what.click()
        self.actions[self.job] += 1

    def press(self, role: str, text: str, context: str = "", *, ends: str = "", where: Locator | None = None) -> None:
        # Chromium puts a space before the hidden part of a name.
        name = re.compile(f"^{re.escape(self.say(text, context))} ?{re.escape(ends)}$")
        self.click((where or self.page).get_by_role(role, name=name).first)

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(self.say(label, "form field"), exact=True).first.fill(text)
        self.fields += 1

    def opens(self, path: str = DESK) -> None:
        leave_for(self.page, path)
        self.actions[self.job] += 1

    # --- Jobs ---

    def founds(self) -> None:
        self.opens("/organize/harbour/new/")
        self.fill("Name of the competition", "Tuesday")
        self.fill("Tables", "6")
        formats = self.page.get_by_role("group", name=self.say("Format", "form field"))
        self.click(formats.get_by_role("radio", name=self.say("double elimination", "format")))
        self.fill("Players, one a line", "\n".join(NAMES))
        self.press("button", "Create draft", "button")
        self.press("button", "Publish", "button")
        expect(self.page.get_by_text(self.say("It is published: everybody sees it now."))).to_be_visible()

    def lets_in(self, name: str) -> None:
        self.press("link", "Late entry", "tool of the evening")
        self.fill("Name", name)
        self.press("button", "Add", "button: late entry")
        expect(self.page.get_by_role("main").get_by_text(name).first).to_be_visible()

    def forfeits(self, name: str) -> None:
        """Of a match whose countdown is over."""
        self.press("link", "Table calls", "heading: matches to their tables")
        self.press("button", "Forfeit", "button", ends=f": {name}")

    def withdraws(self, name: str) -> None:
        self.click(self.page.locator("#more > summary"))
        self.press("link", "Withdraw", "link", ends=f" {name}")
        self.press("button", "Withdraw", "button")

    def corrects(self, game: Game, points: tuple[int, int]) -> None:
        """From the bracket."""
        self.opens("/competitions/harbour/tuesday/bracket/")
        self.click(self.page.locator(f"a[href^='/matches/{game.match_id}/games/1/amend/']").first)
        self.type(points, "points-{}")
        self.page.get_by_label(self.say("Reason", "form field")).first.fill(self.say("Left early"))
        self.press("button", "Preview", "button")
        self.press("button", "Save", "button")

    def enters(self, results: dict[Game, tuple[int, int]]) -> None:
        """Type these results on one page, and save them together."""
        self.opens()
        self.press("link", "Enter results", "heading")
        for game, points in results.items():
            self.type(points, f"points-{{}}-{game.pk}")
        self.press("button", "Save all filled rows", "button")
        for game in results:
            expect(self.row(game).locator("input[inputmode=numeric]")).to_have_count(0)

    def row(self, game: Game) -> Locator:
        return self.page.locator(f"#game-{game.pk}")

    def type(self, points: tuple[int, int], name: str) -> None:
        for side, value in enumerate(points, start=1):
            self.page.locator(f"#{name.format(side)}").fill(str(value))


def open_games() -> dict[Game, tuple[str, str]]:
    """Games that can be played now, with the two names."""
    made = Match.objects.filter(slot__matchday__stage__competition__slug="tuesday", published_at__isnull=False)
    matches = made.exclude(state=Match.State.DECIDED).order_by("slot__matchday__number", "slot__number")
    return {match.games.get(): names_of(match) for match in matches}


def of(name: str, *, nth: int) -> Game:
    """The game of a player's nth match."""
    sides = Match.objects.filter(sides__entrant__player__name=name).order_by("slot__matchday__number")
    return sides[nth].games.get()


def points(names: tuple[str, str]) -> tuple[int, int]:
    """The better player wins."""
    first, second = map(STRENGTH.index, names)
    return (150, 80) if first < second else (80, 150)


@pytest.fixture
def club(live_server) -> League:
    """A league of one person, as it is after its founding."""
    league = League.objects.create(name="Harbour", slug="harbour", officials_needed=1)
    Role.objects.create(user=account("owner"), league=league, kind=Role.Kind.OWNER)
    return league


@pytest.mark.parametrize(
    ("language", "width", "js"),
    [("en", 1280, True), ("es", 390, False)],
    ids=["English, laptop", "Spanish, 390 px, without JavaScript"],
)
def test_one_person_runs_the_evening_to_the_last_place(club, visit, at_once, hours, language, width, js) -> None:
    one = Organizer(visit(width=width, locale=language, js=js), Speech(language), hours)
    sign_in(one.page, "owner")
    one.founds()
    one.opens()
    if width < 400:
        assert one.page.locator(".night-tables").bounding_box()["y"] <= FIRST_TABLE_PX
    with one.doing("latecomer"):
        one.lets_in(LATE)

    hours.now += timedelta(minutes=40)  # the start has passed
    calling.sweep()
    first = {game: points(names) for game, names in open_games().items() if MISSING not in names}
    wrong = of(WRONGED, nth=0)
    first[wrong] = first[wrong][::-1]
    hours.now += timedelta(minutes=12)
    one.enters({game: score for game, score in first.items() if game.match.slot.matchday.number == 1})
    hours.now += timedelta(minutes=5)
    one.opens()
    with one.doing("no-show"):
        one.forfeits(MISSING)
    assert Result.objects.get(game=of(MISSING, nth=0), current=True).ended == "forfeit"

    hours.now += timedelta(minutes=12)
    second = Matchday.objects.filter(slots__match__in=[game.match for game in open_games()]).earliest("number")
    late = {game: points(names) for game, names in open_games().items() if game.match.slot.matchday == second}
    held = names_of(wrong.match)
    one.enters({game: score for game, score in late.items() if not {*names_of(game.match)} & {*held}})
    with one.doing("correction"):
        one.corrects(wrong, first[wrong][::-1])
    assert WRONGED in names_of(of(WRONGED, nth=1).match)

    one.opens()
    with one.doing("leaver"):
        one.withdraws(LEAVER)

    batches = 0
    while results := {game: points(names) for game, names in open_games().items()}:
        hours.now += timedelta(minutes=15)
        one.enters(results)
        batches += 1
        assert batches < 15

    one.opens("/competitions/harbour/tuesday/bracket/")
    one.opens("/competitions/harbour/tuesday/ranking/")
    rows = [" ".join(row.inner_text().split()) for row in one.page.locator("main tbody tr").all()]
    assert len(rows) == len(STRENGTH)
    assert rows[:3] == ["1 Ana Ruiz", "2 Bo Chen", "3 Carmen Silva"]
    assert any(LEAVER in row for row in rows)
    total = sum(one.actions.values()) + one.fields
    print(f"{language}: {total} actions, {dict(one.actions)}, {one.fields} filled fields")
    assert {job: one.actions[job] for job in JOBS if one.actions[job] > JOBS[job]} == {}
    assert total <= MOST_ACTIONS
