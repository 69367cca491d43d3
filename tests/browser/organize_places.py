"""Pages of organizers: the desk, calls to tables, sign-ups, imports, people who come late or leave."""

from dataclasses import replace
from random import Random
from zoneinfo import ZoneInfo

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule.calling import hold, put_out_of_order
from league.competitions.draw.schedule.table_wishes import set_wishes
from league.competitions.draw.stages import draw
from league.competitions.draw.undo import discard
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.tabular import read_sheet
from league.competitions.models import Competition, Slot, Stage
from league.competitions.registration.admission import accept_sign_ups, refuse_sign_ups
from league.competitions.registration.entries import register
from league.competitions.registration.opening import RegistrationTerms, invite, set_registration
from league.competitions.registration.seeding import draw_lots, reseed
from league.competitions.registration.sign_ups import Introduction, apply_as_player, apply_by_name
from league.matches.models import Match, Table
from league.players.services import enrol
from league.rehearsals.evening import Mishaps
from league.rehearsals.services import ToRehearse, ask_to_rehearse
from tests.browser.call_places import of_referee_calls
from tests.browser.competition_places import cancelling, reopened_codes
from tests.browser.spots import Spot
from tests.web import world as small
from tests.web.world import World


def called(world: World) -> list[Spot]:
    """An evening with a dispatcher: two tables, one of them out of order, a match on hold."""
    plan = Plan(name="Dispatched Cup", ruleset="udl", dispatches=True, tables=("8", "9"))
    made = found(world.league, plan, user=world.owner)
    people = [enrol(league=world.league, name=f"Guest Nr. {number}", since=small.FIRST.date()) for number in range(6)]
    register(made, people)
    draw(made, user=world.owner)
    publish(made, user=world.owner)
    put_out_of_order(made.tables.get(name="9"), user=world.owner)
    ready = Slot.objects.filter(matchday__stage__competition=made, match__called_at=None, match__isnull=False)
    hold(ready.order_by("pk")[0], user=world.owner)
    match = Match.objects.filter(slot__matchday__stage__competition=made, called_at__isnull=False).first()
    address = "/organize/harbour/competitions/dispatched-cup"
    return [
        Spot("calls", f"{address}/calls/", "owner"),
        Spot("tables out of order", f"{address}/wishes/", "owner"),
        Spot("show of calls", "/hall/harbour/?competition=dispatched-cup&show=calls"),
        Spot("personal link of a called player", f"/me/{match.sides.first().entrant.door}/"),
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
    Table.objects.filter(league=world.league, name="1").update(stream=True)
    kept = Table.objects.get(league=world.league, name="2")
    set_wishes(made, world.entrants[0], user=world.owner, table=kept, needs_accessible=True)
    slot = Slot.objects.filter(matchday__stage__competition=made, berths__number=2).first()
    draft = Competition.objects.get(slug="friday-cup")
    discard(found(world.league, replace(plan, name="Sunday Cup"), user=world.owner), user=world.owner)
    draw_lots(draft, user=world.owner, rng=Random(4))
    reseed(draft, [one.pk for one in world.entrants[::-1]], user=world.owner)
    draw(draft, user=world.owner)
    wrong = Mishaps(no_show=True, protest=True, level_game=True, late_entry=True)
    rehearsal = ask_to_rehearse(draft, ToRehearse(6, seed=7, wishes=wrong), user=world.owner)
    rehearsed_cup = found(
        world.league, replace(plan, name="Monday Cup", format=Stage.Format.SINGLE_ELIMINATION), user=world.owner
    )
    bracket = ask_to_rehearse(rehearsed_cup, ToRehearse(5, seed=7), user=world.owner)
    cup = "/organize/harbour/competitions"
    return [
        Spot("organize", "/organize/harbour/", "owner"),
        Spot("new competition", "/organize/harbour/new/", "owner"),
        Spot("draft", f"{cup}/friday-cup/", "owner"),
        Spot("plan", f"{cup}/friday-cup/plan/", "owner"),
        Spot("earlier states", f"{cup}/friday-cup/earlier/", "owner"),
        Spot("discard", f"{cup}/friday-cup/discard/", "owner"),
        Spot(
            "discard mistyped",
            f"{cup}/friday-cup/discard/",
            "owner",
            "Sunday Cup",
            label="Type “Friday Cup” to confirm",
            button="Discard it",
            answer="#word-error",
        ),
        Spot("rehearsals", f"{cup}/friday-cup/rehearsals/", "owner"),
        Spot("rehearsal", f"{cup}/friday-cup/rehearsals/{rehearsal.pk}/", "owner"),
        Spot("rehearsal of a bracket", f"{cup}/monday-cup/rehearsals/{bracket.pk}/", "owner"),
        Spot("discarded drafts", "/organize/harbour/discarded/", "owner"),
        Spot("add players", f"{cup}/friday-cup/entrants/", "owner"),
        Spot("rounds", f"{cup}/saturday-cup/", "owner"),
        Spot("reopen", f"{cup}/saturday-cup/reopen/", "owner"),
        *reopened_codes(world),
        *cancelling(world),
        *called(world),
        *of_referee_calls(world),
        Spot("move", f"{cup}/saturday-cup/slots/{slot.pk}/", "owner"),
        Spot("tables", "/organize/harbour/tables/", "owner"),
        Spot("tables set up", "/organize/harbour/tables/setup/", "owner"),
        Spot("who plays where", f"{cup}/saturday-cup/wishes/", "owner"),
        Spot("hall clock", "/organize/harbour/clock/?competition=autumn", "owner"),
        Spot("hall clock that waits", "/organize/harbour/clock/?competition=saturday-cup", "owner"),
        Spot("printed cards", f"{cup}/saturday-cup/cards/", "owner"),
        Spot("blank cards", f"{cup}/saturday-cup/cards/?round=1&blank=2&paper=letter", "owner"),
        Spot("printed slips", f"{cup}/saturday-cup/slips/", "owner"),
        *out_and_in(world),
        Spot("wall", "/hall/harbour/"),
        Spot("wall that waits", "/hall/harbour/?competition=saturday-cup&show=clocks"),
    ]


def signing_up(world: World) -> list[Spot]:
    """A draft that is open, with sign-ups of every kind and an order that came about by lot; one by invitation."""
    plan = Plan(name="Open Cup", ruleset="udl", starts_at=small.FIRST, fee=500, currency="€")
    made, other = (found(world.league, one, user=world.owner) for one in (plan, replace(plan, name="Guests Cup")))
    terms = RegistrationTerms(registration=Competition.Opening.OPEN, places=6)
    set_registration(made, terms, user=world.owner)
    set_registration(other, replace(terms, registration=Competition.Opening.INVITED), user=world.owner)
    secrets = [f"secret-{number}" for number in range(7)]
    for secret, name in zip(secrets, SIGNED_UP, strict=True):
        said = {"club": "Mill Street", "contact": "una@example.org", "word": "Comes by bus, at seven at the earliest"}
        apply_by_name(made, Introduction(name=name, born=1990, **said), secret=secret)
    apply_as_player(made, world.entrants[1].player, user=world.bob, secret="of-bob")
    rows = list(made.applicants.order_by("pk"))
    accept_sign_ups(made, [row.pk for row in rows[:2]], user=world.owner)
    refuse_sign_ups(made, [rows[2].pk], user=world.owner)
    register(made, [one for one in world.entrants if not made.registrations.filter(entrant=one).exists()])
    order = list(made.registrations.order_by("-seed").values_list("entrant", flat=True))
    reseed(made, order, user=world.owner)
    draw_lots(made, user=world.owner, rng=Random(7))
    invitation = invite(other, user=world.owner, whom="Players of Mill Street", uses=5)
    cup, public = "/organize/harbour/competitions/open-cup", "/competitions/harbour/open-cup/sign-up/"
    return [
        Spot("signing up", public),
        Spot("signing up with an account", public, "alice"),
        Spot("signed up with an account", public, "bob"),
        Spot("signing up refused", public, "", "12", label="Your name", button="Sign up", answer=".error"),
        Spot("invited", f"/sign-ups/invited/{invitation}/"),
        Spot("spent invitation", "/sign-ups/invited/nothing/"),
        Spot("own sign-up", f"/sign-ups/{secrets[3]}/"),
        Spot("own sign-up, waiting list", f"/sign-ups/{secrets[6]}/"),
        Spot("own sign-up, in", f"/sign-ups/{secrets[1]}/"),
        Spot("registration", f"{cup}/registration/", "owner"),
        Spot("invitations", "/organize/harbour/competitions/guests-cup/registration/", "owner"),
        Spot("sign-ups", f"{cup}/sign-ups/", "owner"),
        Spot("sign-ups refused", f"{cup}/sign-ups/?show=refused", "owner"),
        Spot("seeds", f"{cup}/seeds/", "owner"),
    ]


SIGNED_UP = ["Una Uno", "Ulf Two", "Uwe Not", "Ana Ruiz", "Utz Twice", "utz twice", "Cléo Diaz"]
PAST = "Fecha\tJornada\tJugador 1\tJugador 2\tTanteo\n3/10/2025\t1\tJosé Peña\tLía Soto\t150-95\n"
ALIKE_CROSS = (
    "Liga de Invierno\nNr\tJugador\t1\t2\t3\t4\n1\tAna Ruiz\tX\t2-1\t2-0\t\n2\tBo Chen\t1-2\tX\t0-2\t2-1\n"
    "3\tAna Ruíz\t0-2\t2-0\tX\t2-1\n4\tBo Chenn\t\t1-2\t1-2\tX\n"
)


def out_and_in(world: World) -> list[Spot]:
    """Files, what is imported from tables, and a past season that waits for a second official."""
    sheet = read_sheet(PAST, words_of(RESULT_WORDS))
    zone = ZoneInfo(world.league.time_zone)
    read = read_results(sheet, guess(sheet, RESULT_WORDS), name="Season of 2025", ruleset="udl", zone=zone)
    import_competition(world.league, read.filed, user=world.owner)
    cup = "/organize/harbour/competitions"
    return [
        Spot("files", "/competitions/harbour/autumn/files/"),
        Spot("files for managers", f"{cup}/saturday-cup/files/", "owner"),
        Spot("import", "/organize/harbour/import/", "owner"),
        Spot(
            "past season refused",
            "/organize/harbour/import/results/",
            "owner",
            PAST,
            label="Table of results, one game a line",
            button="See what it makes",
            answer="#import-error",
        ),
        Spot(
            "import of a cross-table",
            "/organize/harbour/import/results/",
            "owner",
            ALIKE_CROSS,
            label="Table of results, one game a line",
            button="See what it makes",
            answer="#alike",
        ),
        Spot(
            "players from a table",
            f"{cup}/friday-cup/entrants/table/",
            "owner",
            "Rank\tParticipant\tMatch W-L-T\n1\tZoe New\t2 - 0 - 0\n",
            label="Table of players, one a line",
            button="See what each line means",
            answer="#lines",
        ),
        Spot("imported season", f"{cup}/season-of-2025/", "ref"),
    ]
