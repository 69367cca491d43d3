"""Every kind of page in a state worth looking at, for whoever looks: axe, the widths, the keyboard."""

from dataclasses import dataclass
from datetime import date, timedelta

from django.utils import timezone

from league.accounts.models import ResetLink, Role
from league.competitions.models import Competition, Slot
from league.competitions.services import Plan, draw, found, publish, register
from league.matches import timekeeping
from league.players.services import claim, enrol, make_claim_link, merge
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


LOOK = "See what each line means"


@dataclass(frozen=True)
class Spot:
    """A page and who looks at it; `text` is typed into the field `label` and sent with `button` where a form's answer
    is meant, which is there once `answer` is.
    """

    name: str
    path: str
    user: str = ""
    text: str = ""
    label: str = "Text of the log"
    button: str = "Hand in the log"
    answer: str = "#submit-error"


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
    people = furnish_people(world)
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
        Spot("API", "/api/"),
        Spot("API reference", "/api/reference/"),
        Spot("tokens", "/account/tokens/", "bob"),
        Spot("address", "/address/"),
        Spot("not found", "/nowhere/"),
        Spot("forbidden", f"/submit/{code}/", "charlie"),
        *organizing(world),
        *people,
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


def furnish_people(world: World) -> list[Spot]:
    """The pages of leagues, their people and accounts. Bob owns the league and is asked to answer a claim."""
    since = date(2026, 1, 1)
    young, twin = (
        enrol(league=world.league, name=name, since=since, **more).player
        for name, more in (("Dee Fox", {"born": 2015}), ("Ana Ruiz", {"club": "Hillside", "number": "12"}))
    )
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.OWNER)
    merge(
        kept=twin,
        absorbed=enrol(league=world.league, name="Anna Ruiz", since=since).player,
        league=world.league,
        by=world.bob,
    )
    claim(young, world.charlie)
    secret = make_claim_link(twin, world.league, world.bob)
    ResetLink.objects.create(user=world.alice, made_by=world.bob, made_at=timezone.now())
    pasted = "Ana Ruiz\nNew Name, Hillside, 7\nBo Chen\nCléo Diaz\n"
    return [
        Spot("leagues", "/leagues/"),
        Spot("league", "/leagues/harbour/"),
        Spot("league of its owner", "/leagues/harbour/", "bob"),
        Spot("new league", "/leagues/new/", "bob"),
        Spot("settings of a league", "/leagues/harbour/edit/", "bob"),
        Spot("members", "/leagues/harbour/players/", "bob"),
        Spot("new player", "/leagues/harbour/players/add/", "bob"),
        Spot(
            "pasting", "/leagues/harbour/players/paste/", "bob", pasted, "Names", "See what each line means", "#lines"
        ),
        Spot("player's file", f"/leagues/harbour/players/{twin.code}/", "bob"),
        Spot("erasing a name", f"/leagues/harbour/players/{twin.code}/erase/", "bob"),
        Spot("claims", "/leagues/harbour/claims/", "bob"),
        Spot("roles", "/leagues/harbour/roles/", "bob"),
        Spot("claim link", f"/players/link/{secret}/", "charlie"),
        Spot("claimable player", f"/players/{world.entrants[2].player.code}/", "charlie"),
        Spot("own player", f"/players/{world.entrants[0].player.code}/", "alice"),
        Spot("erasing one's name", f"/players/{world.entrants[0].player.code}/erase/", "alice"),
        Spot("account", "/account/", "alice"),
        Spot("password", "/account/password/", "alice"),
        Spot("erasing an account", "/account/erase/", "alice"),
        Spot("sign up", "/sign-up/"),
        Spot("forgotten", "/password/forgotten/"),
        Spot("dead reset link", "/password/new/1-nothing/"),
    ]
