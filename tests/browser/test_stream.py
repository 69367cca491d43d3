"""Pages that follow their stream: a public change is on the screen within a second."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone
from playwright.sync_api import Error, Page, expect

from league.competitions.attendance.check_in import check_in
from league.competitions.models import Competition, Division, Season
from league.live import streams
from league.live.models import LiveChange
from league.matches.models import Game, Match
from tests.browser.conftest import become, leave_for
from tests.browser.hours import COUNT
from tests.streaming import StreamingSite, streaming
from tests.web import world as small
from tests.web.test_calls import evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WITHIN_MS = 1_000  # by the clock of the page; test_soak.py measures how long the server takes


@pytest.fixture
def site(live_server) -> Iterator[StreamingSite]:
    with streaming() as running:
        yield running


FIRST = {"": "", "[data-tally]": "10–0", ".board-plate": "10"}
# Note in the page that its stream flows and brought news, and that a hall has the answer to a question.
HEARD = """
for (const kind of ["heard", "looked"]) {
  document.addEventListener(kind, () => { document.documentElement.dataset[kind] = "yes"; });
}
window.EventSource = class extends EventSource {
  constructor(address) {
    super(address);
    for (const kind of ["change", "resync"]) this.addEventListener(kind, () => { window.news = true; });
  }
};"""
FLOWS = """() => document.documentElement.dataset.heard === "yes" """
LOOKED = """() => document.documentElement.dataset.looked === "yes" """
# The parts that a change replaces.
PARTS = "[data-live], [data-tables], [data-hall], [data-wall], [data-list], [data-grid] [data-updated]"
REPLACED = """() => !document.querySelector("[data-before]") && document.readyState === "complete" """
SHOWN = """([place, text]) => [...document.querySelectorAll(place)].some((one) => one.textContent.includes(text))"""


@dataclass
class Follower:
    """A page on the streaming site, whose clock stands still. `late`: what it did not show within a second of it."""

    page: Page
    url: str
    late: list[str] = field(default_factory=list)

    def open(self, path: str) -> None:
        """Open an address, and wait until its stream flows and nothing earlier is news to it."""
        LiveChange.objects.all().delete()
        leave_for(self.page, f"{self.url}{path}")
        self.page.wait_for_function(FLOWS)
        if path.startswith("/hall/"):  # it asks once when it opens
            self.page.wait_for_function(LOOKED)

    def see(self, name: str, act: Callable[[], object], place: str = "", text: str = "") -> None:
        """Act, and wait for a text in its place, or for fresh parts of the page."""
        if not text:
            self.page.evaluate(f"document.querySelector('{PARTS}').dataset.before = ''")
        self.hear(act)
        try:
            self.page.wait_for_function(SHOWN if text else REPLACED, arg=[place, text])
        except Error:
            self.late.append(name)

    def hear(self, act: Callable[[], object]) -> None:
        """Act, and let the page have a second from the moment at which its stream tells of it.

        No more: a page without a stream would ask by itself after five.
        """
        self.page.evaluate("() => { window.news = false; }")
        act()
        self.page.wait_for_function("() => window.news")
        self.page.clock.run_for(WITHIN_MS)


@pytest.fixture
def follower(visit, site) -> Follower:
    page = visit(workers="block")  # a test that holds a page back does not see what a worker fetches
    hour = timezone.now()
    page.clock.install(time=hour - timedelta(hours=1))  # as in hours.py
    page.clock.pause_at(hour)
    page.add_init_script(f"({COUNT})()")
    page.add_init_script(HEARD)
    return Follower(page, site.url)


def tallied(match: Match, points: list[int]) -> None:
    tally = {"points": points, "round": 2, "at": timezone.now().isoformat()}
    Game.objects.filter(match=match, number=1).update(tally=tally)


def begun(match: Match) -> None:
    with transaction.atomic():
        Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
        tallied(match, [10, 0])


def upcoming(match: Match) -> None:
    """The day before its start."""
    starts = timezone.now() + timedelta(hours=20)
    Match.objects.filter(pk=match.pk).update(state=Match.State.SCHEDULED, starts_at=starts)
    Game.objects.filter(match=match).update(tally=None)


COMPETITION = "/competitions/harbour/autumn/"
WITH_SCORES = {
    "match": "/matches/{match}/",
    "competition": COMPETITION,
    "player": "/players/{player}/",
}
WITH_STATES = {
    "round": f"{COMPETITION}rounds/{{round}}/",
    "schedule": f"{COMPETITION}schedule/",
    "league": "/leagues/harbour/",
    "standings": f"{COMPETITION}standings/",
    "cross-table": f"{COMPETITION}cross-table/",
    "season": "/seasons/harbour/year/",
    "hall": "/hall/harbour/?competition=autumn",
    "standings on a big screen": f"{COMPETITION}standings/wall/",
}
OF_THE_CUP = {
    "bracket": "/competitions/harbour/{cup}/bracket/",
    "ranking": "/competitions/harbour/{cup}/ranking/",
    "bracket on a big screen": "/competitions/harbour/{cup}/bracket/current/",
}
OF_THE_DESK = {
    "tables": "/organize/harbour/tables/",
    "results grid": "/organize/harbour/grid/",
}


@pytest.fixture
def cup(world) -> Competition:
    year = Season.objects.create(
        league=world.league, name="Year", slug="year", starts_on=small.FIRST.date(), published_at=timezone.now()
    )
    Division.objects.create(season=year, competition=world.competition, level=1, name="First")
    return small.knock_out(world, players=4, played=0)


def test_a_page_opened_before_the_start_shows_a_match_within_a_second(world, cup, follower) -> None:
    facts = {"match": world.match.pk, "player": world.entrants[0].player.code, "cup": cup.slug}
    facts["round"] = world.match.slot.matchday.number
    of_cup = Match.objects.filter(slot__matchday__stage__competition=cup, games__records=None).latest("pk")
    places = [(name, path, world.match, "[data-tally]") for name, path in WITH_SCORES.items()]
    places += [("scoreboard", "/matches/{match}/scoreboard/", world.match, ".board-plate")]
    places += [(name, path, world.match, "") for name, path in WITH_STATES.items()]
    places += [(name, path, of_cup, "") for name, path in OF_THE_CUP.items()]
    places += [(name, path, world.match, "") for name, path in OF_THE_DESK.items()]
    for name, path, match, place in places:
        if name in OF_THE_DESK:
            become(follower.page, "owner")
        upcoming(match)
        follower.open(path.format_map(facts))
        follower.see(name, lambda match=match: begun(match), place, FIRST[place])
        if name in WITH_SCORES:
            follower.see(name, lambda match=match: tallied(match, [10, 15]), place, "10–15")
    assert follower.late == []


WAYS = {
    "link": "document.querySelector('a[href$=\"/ranking/\"]').click()",
    "match in the drawing": "document.querySelector('svg a[href*=\"/matches/\"]').dispatchEvent("
    "new MouseEvent('click', {bubbles: true, cancelable: true}))",
    "form": """document.body.insertAdjacentHTML('beforeend', '<form method="post" action="../ranking/" id="sent"/>');
        document.getElementById('sent').requestSubmit()""",
}


@pytest.mark.parametrize("way", WAYS)
def test_news_do_not_drop_what_is_on_its_way(world, cup, follower, way: str) -> None:
    page, match = follower.page, Match.objects.filter(slot__matchday__stage__competition=cup).latest("pk")
    upcoming(match)
    follower.open(OF_THE_CUP["bracket"].format(cup=cup.slug))
    here, held = page.url, []
    page.route(re.compile("/ranking/$|/matches/[0-9]+/$"), lambda route, _request: held.append(route))
    page.clock.resume()  # while it is on its way the test cannot move its clock
    page.evaluate(WAYS[way])
    for news in (begun, upcoming):  # at the second look the page has read the first answer
        with page.expect_response(here):
            news(match)
    with page.expect_navigation(url=held[0].request.url):
        held[0].continue_()


def test_the_first_page_tells_of_a_start_and_follows_the_score_within_a_second(world, follower) -> None:
    upcoming(world.match)
    follower.open("/")
    follower.see("start", lambda: begun(world.match), "[data-news]", "1")
    follower.page.locator("[data-news] button").click()
    follower.page.wait_for_function(SHOWN, arg=["[data-tally]", "10–0"])
    follower.see("score", lambda: tallied(world.match, [10, 15]), "[data-tally]", "10–15")
    assert follower.late == []


def test_the_show_has_a_score_within_a_second_and_stays_the_same_page(world, follower) -> None:
    begun(world.matches[0])
    follower.open("/hall/harbour/?competition=autumn&show=pairings")
    follower.page.evaluate("document.querySelector('[data-show]').dataset.before = ''")
    follower.see("score", lambda: tallied(world.matches[0], [10, 15]), ".points", "15")
    assert follower.page.locator(".show-match .points").all_inner_texts() == ["10", "15"]
    assert follower.page.locator("[data-before]").count() == 1
    assert follower.late == []


TITLED = "(begins) => document.title.startsWith(begins)"


def test_the_title_of_a_match_follows_its_score_within_a_second(world, follower) -> None:
    begun(world.match)
    follower.open(f"/matches/{world.match.pk}/")
    assert follower.page.title() == "10–0 Ana Ruiz – Bo Chen · Domino League"
    follower.hear(lambda: tallied(world.match, [10, 15]))
    follower.page.wait_for_function(TITLED, arg="10–15 Ana Ruiz – Bo Chen · ")
    follower.hear(lambda: Game.objects.filter(match=world.match).update(tally=None))
    follower.page.wait_for_function(TITLED, arg="Ana Ruiz – Bo Chen · ")


def test_the_own_card_follows_call_start_score_and_end_within_a_second(world, follower) -> None:
    match = evening(world)
    called = Match.objects.filter(pk=match.pk)
    called.update(called_at=None)
    become(follower.page, "alice")
    follower.open("/")
    follower.see("call", lambda: called.update(called_at=timezone.now()), ".my-next", "Table 3 now")
    follower.see("start", lambda: begun(match), ".my-next", "You are playing Bo Chen")
    follower.see("score", lambda: tallied(match, [10, 15]), ".my-next", "10–15")
    follower.see("end", lambda: called.update(state=Match.State.DECIDED), ".my-next", "You play Cleo Diaz")
    assert follower.late == []


def test_readers_of_a_match_see_how_many_they_are_from_two_on(world, visit, site, monkeypatch) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_S", 0.3)
    upcoming(world.match)
    pages = [visit(), visit()]
    watching = [page.locator("[data-watching]") for page in pages]
    pages[0].goto(f"{site.url}/matches/{world.match.pk}/")
    pages[0].wait_for_timeout(1_000)  # three heartbeats in which it could come
    expect(watching[0]).to_be_hidden()
    pages[1].goto(f"{site.url}/matches/{world.match.pk}/")
    for one in watching:
        expect(one).to_have_text("Watching now: 2")
        expect(one).to_be_visible()
    pages[1].goto(f"{site.url}/address/")
    expect(watching[0]).to_be_hidden()


def test_a_call_and_a_check_in_are_on_their_pages_within_a_second(world, follower) -> None:
    match = evening(world)
    Match.objects.update(called_at=None)
    Competition.objects.filter(dispatches=True).update(starts_at=timezone.now())
    become(follower.page, "alice")
    called = Match.objects.filter(pk=match.pk)
    for path in ("/", f"/matches/{world.match.pk}/", f"/t/{match.door}/", f"/me/{world.entrants[0].door}/"):
        follower.open(path)
        follower.see(path, lambda: called.update(called_at=timezone.now()), "[data-call-list]", "Table 3 now")
        called.update(called_at=None)
    become(follower.page, "ref")
    tonight = match.slot.matchday.stage.competition
    follower.open(f"/organize/harbour/competitions/{tonight.slug}/check-in/")
    follower.see("check-in", lambda: check_in(tonight, world.entrants[2], user=world.owner))
    assert follower.late == []
