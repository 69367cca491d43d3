"""A double elimination of thirteen in a real browser: founded and published, results from logs, a first-round result
that is amended with its effect shown before, and a final that takes a deciding match.
"""

from collections.abc import Mapping
from functools import cache
from random import Random

import pytest
from playwright.sync_api import Page, expect

from games.notation.reading import dumps
from league.accounts.models import Role
from league.competitions.models import Berth, Competition, Slot
from league.matches.models import Amendment, Match, Result
from referee import verify_text
from referee.playouts.pips import Habits, playout
from tests.browser.conftest import sign_in
from tests.browser.test_club_night import NAMES

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

CUP = "/competitions/harbour/two-lives/"
DESK = "/organize/harbour/competitions/two-lives/"


@cache
def game_won_by(winner: str, names: tuple[str, str], code: str) -> tuple[str, Mapping[str, int]]:
    """A game played out by chance that ends so and that the referee verifies, with the points by seat."""
    seat = "AB"[names.index(winner)]
    for seed in range(200):
        text = dumps(playout("udl", rng=Random(seed), seats=names, habits=Habits(miss=0.0), tags={"Game": code}).log)
        verdict = verify_text(text)[0]
        if verdict.status == "verified" and verdict.winner == seat:
            return text, verdict.scores
    raise LookupError(f"no game that {winner} wins")


def names_of(match: Match) -> tuple[str, str]:
    first, second = match.sides.select_related("entrant__player").order_by("number")
    return first.entrant.player.name, second.entrant.player.name


def open_matches() -> list[Match]:
    made = Match.objects.filter(slot__matchday__stage__competition__slug="two-lives", state=Match.State.SCHEDULED)
    return list(made.order_by("slot__matchday__number", "slot__number"))


def better(match: Match) -> str:
    return min(names_of(match), key=NAMES.index)


class Night:
    """The organizer, who confirms, and the referee, who hands in the logs; each with a page of their own."""

    def __init__(self, visit) -> None:
        self.organizer, self.referee = visit(), visit(width=390)
        sign_in(self.organizer, "owner")
        sign_in(self.referee, "ref")

    def found(self) -> None:
        page = self.organizer
        page.goto("/organize/harbour/new/")
        page.get_by_label("Name of the competition").fill("Two Lives")
        page.get_by_label("Start").first.fill("2026-12-04T19:00")
        page.get_by_label("Tables").first.fill("6")
        page.get_by_role("group", name="Format").get_by_role("radio", name="double elimination").check()
        page.get_by_label("Players, one a line").fill("\n".join(NAMES))
        page.get_by_role("button", name="Create draft").click()
        expect(page.get_by_text("Draft: only officials see this")).to_be_visible()

    def publish(self) -> None:
        self.organizer.get_by_role("button", name="Publish", exact=True).first.click()
        expect(self.organizer.get_by_text("It is published: everybody sees it now.")).to_be_visible()

    def play(self, match: Match, winner: str) -> None:
        """The referee hands in the log, the organizer confirms what it proves on the screen of all tables."""
        game, page = match.games.get(), self.referee
        text, _points = game_won_by(winner, names_of(match), game.code)
        page.goto(f"/submit/{game.code}/")
        page.get_by_label("Text of the log").fill(text)
        page.get_by_role("button", name="Submit the log").click()
        expect(page.get_by_label("Verdict", exact=True).get_by_text("Verified", exact=True)).to_be_visible()
        score = str(Result.objects.get(game=game, current=True))
        self.organizer.goto(f"{DESK}tables/?live=off")
        self.organizer.get_by_role("button", name=f"Confirm {score}", exact=True).first.click()
        expect(self.organizer.get_by_text("The result is confirmed now. The standings count it.")).to_be_visible()

    def play_until(self, kind: str) -> Match:
        """The better seed wins every match until one of this kind is to be played."""
        while True:
            for match in open_matches():
                if match.slot.matchday.kind == kind:
                    return match
                self.play(match, better(match))

    def amend(self, match: Match) -> None:
        """The names were swapped on the log's card: what that changes is shown, and nothing is saved by it."""
        page, (first, second) = self.referee, names_of(match)
        old = Result.objects.get(game__match=match, current=True)
        before = pairings()
        page.goto(f"/matches/{match.pk}/")
        page.get_by_role("link", name="Correct").click()
        page.locator("#points-1").fill(str(old.scores["2"]))
        page.locator("#points-2").fill(str(old.scores["1"]))
        page.get_by_label("Reason").fill("The names were swapped")
        page.get_by_role("button", name="Preview").click()
        expect(page.get_by_role("heading", name="Effects", exact=True)).to_be_visible()
        effect = page.get_by_role("region", name="Effects", exact=True)
        for name in (first, second):
            expect(effect).to_contain_text(name)
        expect(effect).to_contain_text("Winners’ round 2")
        expect(effect).to_contain_text("Losers’ round 1")
        assert (Amendment.objects.count(), pairings()) == (0, before)
        page.get_by_role("button", name="Propose it").click()
        expect(page.get_by_role("main")).to_contain_text("waits for another official")
        assert (Amendment.objects.count(), pairings()) == (1, before)

    def agree(self) -> None:
        page = self.organizer
        page.goto(DESK)
        page.locator("a[href*='/amendments/']").first.click()
        page.get_by_role("button", name="Confirm the amendment").click()
        expect(page.get_by_role("main")).to_contain_text("The names were swapped")
        assert Amendment.objects.get().state == Amendment.State.CONFIRMED


def pairings() -> list[tuple]:
    rows = Slot.objects.filter(matchday__stage__competition__slug="two-lives").order_by("matchday__number", "number")
    return list(rows.values_list("matchday__number", "number", "berths__number", "berths__entrant__player__name"))


def meets(name: str, section: str, nth: int) -> bool:
    """Whether somebody stands in this round of a part of the draw."""
    return Berth.objects.filter(
        slot__matchday__stage__competition__slug="two-lives",
        slot__matchday__section=section,
        slot__matchday__nth=nth,
        entrant__player__name=name,
    ).exists()


def ranking(page: Page) -> list[str]:
    page.goto(CUP)
    places = page.get_by_role("region", name="Final ranking").get_by_role("listitem")
    expect(places).to_have_count(13)
    return [place.get_by_role("link").inner_text() for place in places.all()]


def test_a_double_elimination_of_thirteen_with_an_amended_result_and_a_deciding_match(world, visit, at_once) -> None:
    assert Role.objects.filter(league=world.league, user=world.owner, kind=Role.Kind.OWNER).exists()
    night = Night(visit)
    night.found()
    assert visit().goto(CUP).status == 404
    night.publish()

    first_round = [match for match in open_matches() if match.slot.matchday.number == 1]
    assert len(first_round) == 5
    for match in first_round:
        night.play(match, better(match))
    # Both losers of this quarter fall into the first losers' round; those of the byes' quarters meet later.
    (amended,) = [match for match in first_round if "Dwight Baptiste" in names_of(match)]
    winner = better(amended)
    (loser,) = set(names_of(amended)) - {winner}
    assert (meets(winner, "winners", 2), meets(loser, "losers", 1)) == (True, True)
    night.amend(amended)
    night.agree()
    assert (meets(loser, "winners", 2), meets(winner, "losers", 1)) == (True, True)
    assert (meets(winner, "winners", 2), meets(loser, "losers", 1)) == (False, False)

    final = night.play_until("final")
    champion, challenger = names_of(final)
    assert (champion, challenger) == ("Ana Ruiz", "Bo Chen")
    night.play(final, challenger)
    decider = night.play_until("decider")
    assert set(names_of(decider)) == {champion, challenger}
    assert visit().goto(CUP).status == 200
    night.play(decider, challenger)

    assert ranking(visit())[:3] == ["Bo Chen", "Ana Ruiz", "Carmen Silva"]
    cup = Competition.objects.get(slug="two-lives")
    assert cup.stages.get().finished_at is not None
    played = Match.objects.filter(slot__matchday__stage__competition=cup)
    assert played.count() == 2 * 13 - 1
    assert set(played.values_list("state", flat=True)) == {Match.State.DECIDED}
