"""Pages of calls for the referee: a caller, the officials on duty, the table, and the match afterwards."""

from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Stage
from league.competitions.registration.entries import register
from league.disputes.calls.ending import TableFinding, rule_at_table
from league.disputes.calls.services import call_referee, go_to_table
from league.disputes.calls.zones import set_zone
from league.matches.clock import services as timekeeping
from league.matches.models import Match, Table
from league.matches.permissions import Guest
from league.players.services import enrol
from tests.browser.spots import Spot
from tests.league.matches.tapping import Pad, points
from tests.web import world as small
from tests.web.world import World

NAMES = ("Cleo Faro", "Duarte Reis", "Eva Brandt", "Filipe Sousa", "Gil Moura", "Hugo Martín")


def of_referee_calls(world: World) -> list[Spot]:
    """Three matches: one with a call for muggins and a referee on the way, one with a call for the clock, one ruled."""
    plan = Plan(
        name="Referee Cup",
        ruleset="udl",
        format=Stage.Format.SINGLE_ELIMINATION,
        starts_at=timezone.now(),
        tables=("71", "72"),
    )
    cup = found(world.league, plan, user=world.owner)
    register(cup, [enrol(league=world.league, name=name, since=small.FIRST.date()) for name in NAMES])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    rows = Match.objects.filter(slot__matchday__stage__competition=cup, sides__number=2).order_by("pk")
    tables = list(Table.objects.filter(name__in=("71", "72")).order_by("name"))
    rows.update(starts_at=timezone.now())
    first, second = list(rows.select_related("league"))[:2]
    for match, table in zip((first, second), tables, strict=True):
        Match.objects.filter(pk=match.pk).update(table=table)
    now = timezone.now()
    game = first.games.get()
    timekeeping.start_clock(game, world.ref)
    pad = Pad(game, world.owner)
    pad.send(points(0, 15), points(1, 5), points(0, 10), at=now)
    ruled = call_referee(first, Guest(first.pk, 1), "count")
    answer = TableFinding(about="count", side=1, points=15, upheld=True, on_pad=True)
    rule_at_table(ruled, world.ref, answer)
    pad.after += 2
    pad.send(points(0, 10), at=now)
    call = call_referee(first, Guest(first.pk, 2), "muggins")
    go_to_table(call, world.ref)
    call_referee(second, Guest(second.pk, 1), "clock")
    set_zone(cup, world.ref, [tables[1]], by=world.ref)
    staff = "/organize/harbour"
    return [
        Spot("call for the referee", f"/t/{second.door}/referee/"),
        Spot("call for the referee by the desk", f"/matches/{first.pk}/referee/", "owner"),
        Spot("calls for the referee", f"{staff}/referee/", "ref"),
        Spot("zones of referees", f"{staff}/competitions/{cup.slug}/zones/", "ref"),
        Spot("referee at the table", f"/matches/{first.pk}/referee/{call.pk}/", "ref"),
        Spot("match with a ruling at the table", f"/matches/{first.pk}/", "ref"),
        Spot("guest page with a call", f"/t/{first.door}/"),
        Spot("pad with a ruling", f"/matches/{first.pk}/games/1/pad/", "owner"),
    ]
