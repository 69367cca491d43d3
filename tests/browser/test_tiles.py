"""The tile pad on a phone: a whole log by taps, and the same verdict as the log itself."""

import pytest
from playwright.sync_api import expect

from games.notation.reading import loads
from league.matches.logs.submission import verify_record
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.models.tally import TallyTap
from league.matches.tally.services import broken_at
from referee import verify
from tests.browser.conftest import sign_in
from tests.browser.pads import PHONE
from tests.browser.tile_pads import TileThumb, log_of_a_game, outcome

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def path_of(world) -> str:
    return f"/matches/{world.match.pk}/games/1/tiles/"


@pytest.fixture
def thumb(world, visit):
    """A thumb on the tile pad of somebody."""

    def take(user: str, key: str = "udl", target: int = 0) -> TileThumb:
        Match.objects.filter(pk=world.match.pk).update(ruleset=key, options={"target": target} if target else {})
        page = visit(width=PHONE["width"], touch=True)
        page.set_viewport_size(PHONE)
        sign_in(page, user)
        return TileThumb(page).open(path_of(world))

    return take


@pytest.mark.parametrize(("key", "target"), [("udl", 0), ("all-fives", 60), ("muggins", 30), ("double-six", 60)])
def test_a_log_entered_by_taps_gets_the_verdict_of_the_log(world, thumb, key, target) -> None:
    log = log_of_a_game(key, 3, target)
    one = thumb("ref", key, target)
    one.enter_all(entry.event for entry in log.entries)
    one.hand_in()
    expect(one.page.locator("[data-handed-words]")).to_contain_text("It is handed in.")
    record = Record.objects.get(kind=KnownBy.LOG)
    verify_record(record.pk)
    (entered,) = loads(record.sealed.text)
    assert outcome(verify(entered)) == outcome(verify(log))
    standing = Result.objects.get(current=True)
    assert standing.scores == dict(zip("12", verify(log).totals, strict=True))
    assert broken_at(list(TallyTap.objects.order_by("number"))) is None
