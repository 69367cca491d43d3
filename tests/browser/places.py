"""Every kind of page in a state worth looking at, for whoever looks: axe, the widths, the keyboard."""

from dataclasses import dataclass
from datetime import timedelta

from django.utils import timezone

from league.competitions.models import Competition, Slot
from league.competitions.services import Plan, draw, found, publish, register
from league.matches import timekeeping
from tests.web import world as small
from tests.web.world import World

SYNTAX = {
    "line": 4,
    "column": 12,
    "code": "syntax",
    "severity": "impossible",
    "rule": "",
    "message": "line 4, column 12: expected a tile, found 'ten'",
}


@dataclass(frozen=True)
class Spot:
    """A page and who looks at it; `text` is typed and sent where a form's answer is meant."""

    name: str
    path: str
    user: str = ""
    text: str = ""


def furnish(world: World, *, long_line: str = "") -> list[Spot]:
    """Fill the small league so that every state is somewhere, and say where."""
    first, second, third = world.matches
    record = small.hand_in(world.game(first), world.ref, text=f"{small.LOG}# {long_line}\n")
    findings = [
        small.CORRECTION,
        small.CORRECTION | {"line": 11, "code": "claim-upheld", "severity": "note", "rule": "udl.muggins"},
        small.CORRECTION | {"line": 10, "code": "pass-when-able", "severity": "violation"},
    ]
    small.judge(record, "corrected", findings=findings)
    small.enter(record)
    # Its newest log gives no result, so the page shows the earlier one.
    small.judge(small.hand_in(world.game(first), world.ref), "incomplete")
    small.hand_in(world.game(second), world.ref)
    broken = '[Ruleset "udl"]\n\nround 1\nA hand 6-6 ten\n'
    small.judge(small.hand_in(world.game(third), world.ref, text=broken), "unreadable", findings=[SYNTAX])
    now = timezone.now()
    timekeeping.start_clock(world.game(second), world.ref, now - timedelta(minutes=6))
    timekeeping.give_time(world.game(second), world.ref, seconds=60, at=now - timedelta(minutes=5))
    timekeeping.start_clock(world.game(third), world.ref, now - timedelta(minutes=16))
    cup = small.knock_out(world)
    code, other = world.game(first).code, world.game(third).code
    return [
        Spot("home", "/"),
        Spot("home of a player", "/", "bob"),
        Spot("competitions", "/competitions/"),
        Spot("competition", "/competitions/harbour/autumn/"),
        Spot("knock-out", f"/competitions/harbour/{cup.slug}/"),
        Spot("bracket", f"/competitions/harbour/{cup.slug}/bracket/"),
        Spot("bracket followed", f"/competitions/harbour/{cup.slug}/bracket/?player={world.entrants[0].player.code}"),
        Spot("match provisional", f"/matches/{first.pk}/", "bob"),
        Spot("match being checked", f"/matches/{second.pk}/"),
        Spot("match unreadable", f"/matches/{third.pk}/", "ref"),
        Spot("players", "/players/?q=a"),
        Spot("player", f"/players/{world.entrants[0].player.code}/"),
        Spot("sign in", "/sign-in/"),
        Spot("submit", "/submit/", "ref"),
        Spot("submit refused", f"/submit/{code}/", "ref", '[Ruleset "chess"]\n'),
        Spot("submit unreadable", f"/submit/{other}/", "ref", broken),
        Spot("notation", "/notation/"),
        Spot("mending", f"/submit/{code}/?mend={record.pk}", "ref"),
        Spot("match with a running clock", f"/matches/{second.pk}/", "ref"),
        Spot("match after the bell", f"/matches/{third.pk}/", "alice"),
        Spot("not found", "/nowhere/"),
        Spot("forbidden", f"/submit/{code}/", "charlie"),
        *organizing(world),
    ]


def organizing(world: World) -> list[Spot]:
    """The organizer's pages, with a draft and with a competition whose second round is still hidden."""
    for name, release in (
        ("Friday Cup", Competition.Release.ALL),
        ("Saturday Cup", Competition.Release.ROUND_BY_ROUND),
    ):
        plan = Plan(name=name, ruleset="udl", release=release, starts_at=small.FIRST, days_between=1, tables=("1", "2"))
        made = found(world.league, plan, user=world.owner)
        register(made, world.entrants)
        draw(made, user=world.owner)
    publish(made, user=world.owner)
    slot = Slot.objects.filter(matchday__stage__competition=made, berths__number=2).first()
    cup = "/organize/harbour/competitions"
    return [
        Spot("organize", "/organize/harbour/", "owner"),
        Spot("new competition", "/organize/harbour/new/", "owner"),
        Spot("draft", f"{cup}/friday-cup/", "owner"),
        Spot("plan", f"{cup}/friday-cup/plan/", "owner"),
        Spot("add players", f"{cup}/friday-cup/entrants/", "owner"),
        Spot("rounds", f"{cup}/saturday-cup/", "owner"),
        Spot("move", f"{cup}/saturday-cup/slots/{slot.pk}/", "owner"),
        Spot("tables", "/organize/harbour/tables/", "owner"),
    ]
