"""A whole evening of thirteen: pasted names, a draft, the draw published, a player who makes an account and is given
her player, games by the clock, logs, results confirmed by the desk and by players, a confirmed final.

Once in English on a laptop, once in Spanish on telephones, with the same steps: every label is looked up in the
catalogue, so a button that lost its translation is not found.
"""

from dataclasses import dataclass
from functools import cache
from random import Random

import pytest
from django.utils import translation
from django.utils.translation import gettext, pgettext
from playwright.sync_api import Page, expect

from games.notation.reading import dumps
from league.competitions.models import Competition
from league.matches.models import ClockEvent, Match, Result
from referee import verify_text
from referee.playouts.pips import Habits, playout
from tests.browser.conftest import sign_in_by_form
from tests.web.world import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# In the order of seeds. Ana and Bo have accounts; they win all their matches and meet in the final. Elena makes hers
# during the evening, plays two matches, and confirms both results.
NAMES = (
    "Ana Ruiz",
    "Bo Chen",
    "Carmen Silva",
    "Dwight Baptiste",
    "Elena Petrova",
    "Femi Adeyemi",
    "Grace O’Neill",
    "Hugo Martín",
    "Ines Costa",
    "Jonas Falk",
    "Keiko Mori",
    "Luis Ortega",
    "Mara Weiss",
)
CUP = "/competitions/harbour/friday-cup/"
DESK = "/organize/harbour/competitions/friday-cup/"


@dataclass(frozen=True)
class Speech:
    """The words of the pages in one language."""

    code: str

    def __call__(self, text: str, context: str = "", **facts: object) -> str:
        with translation.override(self.code):
            said = pgettext(context, text) if context else gettext(text)
        return str(said) % facts if facts else str(said)


@cache
def game_won_by_the_better(names: tuple[str, str], code: str) -> str:
    """A game played out by chance that the better seed wins and the referee verifies, with the game's code in it."""
    better = "A" if NAMES.index(names[0]) < NAMES.index(names[1]) else "B"
    for seed in range(200):
        played = playout("udl", rng=Random(seed), seats=names, habits=Habits(miss=0.0), tags={"Game": code})
        text = dumps(played.log)
        verdict = verify_text(text)[0]
        if verdict.status == "verified" and verdict.winner == better:
            return text
    raise LookupError(f"no game that {names} end so")


def open_matches() -> list[Match]:
    made = Match.objects.filter(slot__matchday__stage__competition__slug="friday-cup")
    return list(made.exclude(state=Match.State.DECIDED).order_by("slot__matchday__number", "slot__number"))


def names_of(match: Match) -> tuple[str, str]:
    first, second = match.sides.select_related("entrant__player").order_by("number")
    return first.entrant.player.name, second.entrant.player.name


class Evening:
    """The organizer, the referee, the two finalists and Elena on her telephone, each with a page of their own."""

    def __init__(self, visit, say: Speech, width: int) -> None:
        self.say = say
        self.organizer, self.referee, self.ana, self.bo = (visit(width=width, locale=say.code) for _ in range(4))
        self.elena = visit(width=390, locale=say.code)

    def press(self, page: Page, role: str, text: str, context: str = "", **facts: object) -> None:
        page.get_by_role(role, name=self.say(text, context, **facts), exact=True).first.click()

    def fill(self, page: Page, label: str, text: str, context: str = "form field") -> None:
        page.get_by_label(self.say(label, context)).first.fill(text)

    def found(self) -> None:
        """The competition of tonight, from the list of names in the organizer's chat."""
        page, say = self.organizer, self.say
        page.goto("/organize/harbour/new/")
        self.fill(page, "Name of the competition", "Friday Cup")
        self.fill(page, "Start", "2026-12-04T19:00")
        self.fill(page, "Tables", "6")
        page.get_by_role("group", name=say("Format", "form field")).get_by_role(
            "radio", name=say("knock-out", "format")
        ).check()
        page.get_by_label(say("With a match for third place (knock-out)", "form field")).check()
        self.fill(page, "Players, one a line", "\n".join(NAMES))
        self.press(page, "button", "Create draft", "button")
        expect(page.get_by_text(say("Draft: only officials see this", "competition"))).to_be_visible()

    def is_absent_to(self, visitor: Page) -> None:
        assert visitor.goto(CUP).status == 404

    def publish(self) -> None:
        self.press(self.organizer, "button", "Publish", "button")
        expect(self.organizer.get_by_text(self.say("It is published: everybody sees it now."))).to_be_visible()

    def elena_makes_an_account_and_is_given_her_player(self) -> None:
        """By the form for everybody, and from there by the links; the organizer says yes."""
        page, say = self.elena, self.say
        page.goto("/sign-up/")
        self.fill(page, "User name", "elena")
        self.fill(page, "Your name (optional)", "Elena Petrova")
        page.locator("input[type=password]").fill(PASSWORD)
        self.press(page, "button", "Create an account", "button")
        expect(page.get_by_role("banner").get_by_text("elena")).to_be_visible()
        page.get_by_role("banner").get_by_role("link", name="elena").click()
        self.press(page, "link", "To the players", "link")
        self.press(page, "link", "Elena Petrova")
        self.press(page, "button", "This is me", "button")
        self.organizer.goto("/leagues/harbour/claims/")
        self.organizer.get_by_role("button", name=say("Accept", "button") + " Elena Petrova").click()
        page.reload()
        expect(page.get_by_text(say("This is you", "player"), exact=True)).to_be_visible()

    def play(self, match: Match) -> None:
        """The referee runs the clock and hands in the log; the verdict stops the clock."""
        page, game = self.referee, match.games.get()
        page.goto(f"/matches/{match.pk}/")
        self.press(page, "button", "Start the clock", "button")
        self.press(page, "button", "Pause", "button")
        self.press(page, "button", "Let it run again", "button")
        expect(page.get_by_role("button", name=self.say("Pause", "button"), exact=True)).to_be_visible()
        page.goto(f"/submit/{game.code}/")
        self.hand_in(page, match)

    def hand_in(self, page: Page, match: Match) -> None:
        game = match.games.get()
        self.fill(page, "Text of the log", game_won_by_the_better(names_of(match), game.code))
        self.press(page, "button", "Submit the log", "button")
        expect(page.get_by_text(self.say("The log was received and is kept."))).to_be_visible()
        verdict = page.get_by_label(self.say("Verdict", "heading"), exact=True)
        expect(verdict.get_by_text(self.say("Verified", "verdict"), exact=True)).to_be_visible()

    def confirm(self, match: Match) -> None:
        """By Elena where she plays, else by the organizer on the screen of all tables, beside the score."""
        if "Elena Petrova" in names_of(match):
            self.confirm_as_player(self.elena, match)
            return
        self.organizer.goto(f"{DESK}tables/?live=off")
        score = str(Result.objects.get(game__match=match, current=True))
        self.press(self.organizer, "button", "Confirm %(score)s", "button", score=score)
        self.is_official(self.organizer)

    def confirm_as_player(self, page: Page, match: Match) -> None:
        page.goto(f"/matches/{match.pk}/")
        self.press(page, "button", "Confirm this result", "button")
        self.is_official(page)

    def is_official(self, page: Page) -> None:
        expect(page.get_by_text(self.say("The result is confirmed now. The standings count it."))).to_be_visible()


@pytest.mark.parametrize(("language", "width"), [("en", 1280), ("es", 390)], ids=["English, laptop", "Spanish, 390 px"])
def test_an_evening_of_thirteen_from_pasted_names_to_a_confirmed_final(world, visit, at_once, language, width) -> None:
    evening = Evening(visit, Speech(language), width)
    for page, name in (
        (evening.organizer, "owner"),
        (evening.referee, "ref"),
        (evening.ana, "alice"),
        (evening.bo, "bob"),
    ):
        sign_in_by_form(page, name, evening.say)
    evening.found()
    evening.is_absent_to(evening.ana)
    evening.publish()
    evening.elena_makes_an_account_and_is_given_her_player()
    while len(coming := open_matches()) > 1 or "final" not in {str(one.slot.matchday.kind) for one in coming}:
        for match in coming:
            if not is_final(match):
                evening.play(match)
                evening.confirm(match)

    (final,) = open_matches()
    assert set(names_of(final)) == {"Ana Ruiz", "Bo Chen"}
    evening.ana.goto(f"/submit/{final.games.get().code}/")
    evening.hand_in(evening.ana, final)
    evening.confirm_as_player(evening.bo, final)

    evening.bo.goto(CUP)
    ranking = evening.bo.get_by_role("region", name=evening.say("Final ranking", "heading"))
    expect(ranking.get_by_role("listitem").nth(0)).to_contain_text("Ana Ruiz")
    expect(ranking.get_by_role("listitem").nth(1)).to_contain_text("Bo Chen")
    expect(ranking.get_by_role("listitem").nth(2)).to_contain_text("Carmen Silva")
    stage = Competition.objects.get(slug="friday-cup").stages.get()
    assert stage.finished_at is not None
    played = Match.objects.filter(slot__matchday__stage=stage)
    assert played.count() == 13
    assert set(played.values_list("state", flat=True)) == {Match.State.DECIDED}
    official = Result.objects.filter(game__match__in=played, state="official", known_by="log")
    assert official.count() == 13
    assert official.filter(confirmed_by__username="elena").count() == 2
    kinds = ClockEvent.objects.filter(game__match__in=played.exclude(pk=final.pk)).order_by("game", "number")
    assert list(kinds.values_list("kind", flat=True)) == ["start", "pause", "resume", "stop"] * 12


def is_final(match: Match) -> bool:
    return match.slot.matchday.kind == "final" and not match.slot.third_place
