"""How heavy the table of 500 is, all rows on one page."""

import gzip

from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.models import Competition
from league.competitions.registration.entries import register
from league.players.models import Entrant
from tests.web.test_list_queries import players

BUDGET = 60_000
ROWS = 500


def test_five_hundred_rows_on_one_page_stay_below_sixty_kilobytes(world, browse) -> None:
    players(world.league, ROWS)
    order = ["match_points", "buchholz_cut_1", "buchholz", "difference"]
    plan = Plan(name="Big", ruleset="udl", format="swiss", rounds=1, tie_breaks=order)
    made = found(world.league, plan, user=world.owner)
    register(made, list(Entrant.objects.filter(league=world.league, player__name__startswith="Player ")))
    Competition.objects.filter(pk=made.pk).update(published_at=timezone.now())
    page = browse().get("/competitions/harbour/big/standings/?all=1").content
    assert page.count(b'scope="row"') == ROWS
    assert len(gzip.compress(page)) < BUDGET
