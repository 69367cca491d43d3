"""The demonstration league, played by computer players.

Every result comes from a log that was played out, submitted, verified and confirmed through the services of the site.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from random import Random

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.notation.reading import dumps
from league.accounts.models import League, Role, User
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Slot, Stage
from league.competitions.ratings.services import rate_league
from league.competitions.registration.entries import register
from league.house.mistakes import misspelt, with_broken_rule, with_illegal_play, with_wrong_total
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Game, Match, StoredVerdict
from league.players.services import enrol
from referee import verify_text
from referee.playouts.pips import Habits, playout

Report = Callable[[str], None]
Mistake = Callable[[str], str]

SLUG = "harbour"
PASSWORD = "six-six-leads"
DEMO_SIGN_INS = [
    ("organizer", "olga", PASSWORD),
    ("referee", "rosa", PASSWORD),
    ("player Ana Ruiz", "ana", PASSWORD),
    ("player Bo Chen", "bo", PASSWORD),
]
# In the order of seeds. Ana and Bo, who have accounts, meet on the last matchday, which is upcoming.
PLAYERS = (
    "Ana Ruiz",
    "Carmen Silva",
    "Dwight Baptiste",
    "Elena Petrova",
    "Femi Adeyemi",
    "Grace O’Neill",
    "Bo Chen",
    "Hugo Martín",
)
TONIGHT = 6
TABLES = ("1", "2", "3", "4")
# Players of the knock-out: one has a bye.
CUP = 7
HABITS = Habits(miss=0.14, muggins=0.6)


@dataclass(frozen=True, slots=True)
class Crew:
    """The demo accounts."""

    olga: User
    rosa: User
    ana: User
    bo: User


def load_demo(report: Report) -> None:
    """Create, draw and play the league up to its sixth evening, all or nothing.

    Does nothing if the league exists.
    """
    if League.objects.filter(slug=SLUG).exists():
        report("The demonstration league is there already.")
        return
    now = timezone.now().replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    with transaction.atomic():
        report("Founding the Harbour Domino League: 8 players, 28 matches on 7 matchdays.")
        crew, competition = _found(now)
        slots = list(_slots(competition))
        evenings = sorted({slot.matchday.number for slot in slots if slot.matchday.number < TONIGHT})
        for evening in evenings:
            report(f"Playing, verifying and confirming matchday {evening} …")
            for slot in slots:
                if slot.matchday.number == evening:
                    _play_and_confirm(slot, crew)
        report("Playing the Summer Cup, a knock-out of seven, to its end …")
        _play_cup(crew)
        report("Drawing the Winter Cup: a draft that only the organizer and the officials see …")
        _draft_cup(crew, now)
        report("Playing tonight's matches: two wait for confirmation, one for a decision, one log must be mended …")
        _tonight([slot for slot in slots if slot.matchday.number == TONIGHT], crew)
        report("Rating the games …")
        rate_league(competition.league_id)
    _write_samples(slots[-1].match, report)


# --- Founding ---


def _found(now: datetime) -> tuple[Crew, Competition]:
    league = League.objects.create(name="Harbour Domino League", slug=SLUG, time_zone="Europe/Lisbon")
    crew = _crew(league)
    accounts = {"Ana Ruiz": crew.ana, "Bo Chen": crew.bo}
    since = date(now.year, 1, 1)
    entrants = [enrol(league=league, name=name, since=since, user=accounts.get(name)) for name in PLAYERS]
    plan = Plan(
        name="Autumn Round Robin",
        ruleset="udl",
        starts_at=now - timedelta(weeks=TONIGHT - 1),
        days_between=7,
        tables=TABLES,
    )
    competition = found(league, plan, user=crew.olga)
    register(competition, entrants)
    draw(competition, user=crew.olga)
    publish(competition, user=crew.olga)
    return crew, competition


def _crew(league: League) -> Crew:
    # A single hash for all, because they share a password: hashing is slow on purpose.
    password = make_password(PASSWORD)

    def person(username: str, name: str, kind: Role.Kind) -> User:
        first, last = name.split(" ")
        user = User.objects.create(
            username=username,
            email=f"{username}@example.org",
            first_name=first,
            last_name=last,
            password=password,
        )
        Role.objects.create(user=user, league=league, kind=kind)
        return user

    return Crew(
        olga=person("olga", "Olga Brandt", Role.Kind.OWNER),
        rosa=person("rosa", "Rosa Ley", Role.Kind.REFEREE),
        ana=person("ana", "Ana Ruiz", Role.Kind.PLAYER),
        bo=person("bo", "Bo Chen", Role.Kind.PLAYER),
    )


def _slots(competition: Competition) -> QuerySet[Slot]:
    return (
        Slot.objects.filter(matchday__stage__competition=competition)
        .select_related("matchday", "match__league", "match__table")
        .prefetch_related("match__sides__entrant__player", "match__sides__entrant__partner", "match__games")
        .order_by("matchday__number", "number")
    )


def _play_cup(crew: Crew) -> None:
    """Play the knock-out match by match; winners advance as results become official."""
    cup = _cup(crew, "Summer Cup", PLAYERS[:CUP], now=timezone.now() - timedelta(weeks=10), third_place=True)
    publish(cup, user=crew.olga)
    while slot := _slots(cup).exclude(match=None).exclude(match__state=Match.State.DECIDED).first():
        _play_and_confirm(slot, crew, seed=500)
        advance(slot.match_id)


def _draft_cup(crew: Crew, now: datetime) -> None:
    _cup(crew, "Winter Cup", PLAYERS, now=now + timedelta(weeks=4))


def _cup(crew: Crew, name: str, players: Sequence[str], *, now: datetime, third_place: bool = False) -> Competition:
    league = League.objects.get(slug=SLUG)
    plan = Plan(
        name=name,
        ruleset="udl",
        format=Stage.Format.SINGLE_ELIMINATION,
        third_place=third_place,
        starts_at=now.replace(hour=18, minute=0, second=0, microsecond=0),
        tables=TABLES[:2],
    )
    cup = found(league, plan, user=crew.olga)
    entrants = {one.player.name: one for one in league.entrants.filter(partner=None).select_related("player")}
    register(cup, [entrants[player] for player in players])
    draw(cup, user=crew.olga)
    return cup


# --- Playing ---


def _log(match: Match, evening: str, seed: int) -> str:
    """Return the log of a random game; the same seed gives the same game."""
    game = match.games.all()[0]
    names = [side.entrant.player.name for side in match.sides.all()]
    tags = {
        "Event": f"{match.league}, {evening}",
        "Date": f"{match.starts_at:%Y-%m-%d}",
        "Table": str(match.table),
        "Game": game.code,
        "Referee": "Rosa Ley",
    }
    return dumps(playout(match.ruleset, rng=Random(seed), seats=names, habits=HABITS, tags=tags).log)


def _with_verdict(match: Match, evening: str, status: StoredVerdict.Status, mistake: Mistake, *, start: int) -> str:
    """Return the first game, from a seed on, in which the mistake has this effect.

    Seeds are far apart, so that no deal is used twice.
    """
    for seed in range(start, start + 1_000):
        text = mistake(_log(match, evening, seed))
        if verify_text(text)[0].status == status:
            return text
    raise LookupError(f"no game in which {mistake.__name__} gives {status}")


def _hand_in(match: Match, user: User, text: str) -> Game:
    game = match.games.all()[0]
    # The log is submitted after the game, which lasts a quarter of an hour.
    at = match.starts_at + timedelta(minutes=16 + game.pk % 9)
    submission = submit_log(game=game, user=user, raw=text.encode(), filename=f"{game.code}.domino", at=at)
    verify_record(submission.record.pk)
    return game


def _play_and_confirm(slot: Slot, crew: Crew, *, seed: int = 0) -> None:
    """Submit the log as referee, and confirm it as a player or organizer.

    The organizer confirms if no player of the match has an account.
    """
    match, evening = slot.match, str(slot.matchday)
    if (seed, slot.matchday.number, slot.number) == (0, 3, 2):
        text = _with_verdict(match, evening, StoredVerdict.Status.CORRECTED, with_wrong_total, start=1_000)
    else:
        text = _log(match, evening, seed=seed + slot.matchday.number * 10 + slot.number)
    game = _hand_in(match, crew.rosa, text)
    result = game.results.select_related("game__match__league").get(current=True)
    accounts = [side.entrant.player.user for side in match.sides.all() if side.entrant.player.user]
    confirmer = accounts[0] if accounts else crew.olga
    confirm_result(result=result, user=confirmer, at=result.entered_at + timedelta(minutes=20))


def _tonight(slots: list[Slot], crew: Crew) -> None:
    """Play tonight's matches, which are left in different states.

    Hugo – Bo and Ana – Grace wait for confirmation, Carmen – Femi for a decision; the log of Dwight – Elena is illegal.
    """
    status = StoredVerdict.Status
    hugo_bo, ana_grace, carmen_femi, dwight_elena = slots
    evening = str(hugo_bo.matchday)
    _hand_in(hugo_bo.match, crew.rosa, _log(hugo_bo.match, evening, seed=61))
    corrected = _with_verdict(ana_grace.match, evening, status.CORRECTED, with_wrong_total, start=2_000)
    _hand_in(ana_grace.match, crew.ana, corrected)
    broken = _with_verdict(carmen_femi.match, evening, status.VIOLATION, with_broken_rule, start=3_000)
    _hand_in(carmen_femi.match, crew.rosa, broken)
    illegal = _with_verdict(dwight_elena.match, evening, status.IMPOSSIBLE, with_illegal_play, start=4_000)
    _hand_in(dwight_elena.match, crew.rosa, illegal)


def _write_samples(match: Match, report: Report) -> None:
    """Write logs to try the site with: one right, one to be fixed.

    Of the upcoming match of Ana and Bo.
    """
    folder = settings.DATA_DIR / "demo-logs"
    folder.mkdir(parents=True, exist_ok=True)
    text = _log(match, "Round 7", seed=71)
    for name, content in (("round-7.domino", text), ("round-7-with-an-error.domino", misspelt(text))):
        (folder / name).write_text(content, encoding="utf-8")
    names = " – ".join(side.entrant.player.name for side in match.sides.all())
    report(f"Two logs of {names} (to come) to hand in yourself are in {folder}")
