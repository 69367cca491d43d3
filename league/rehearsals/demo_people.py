"""People of the demonstration league, and the evening on which it takes place."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.contrib.auth.hashers import make_password

from league.accounts.models import League, Role, User
from league.players.models import Entrant
from league.players.services import enrol

SLUG = "harbour"
PASSWORD = "six-six-leads"


class DemoPart(NamedTuple):
    """A sign-in of the demonstration, the person's part, and what to try."""

    username: str
    role: str
    to_try: str


DEMO_PARTS = (
    DemoPart("olga", "organizer", "confirm a result, publish the Winter Cup, rehearse it"),
    DemoPart("rosa", "referee", "decide the protest, fix a log, judge a muggins call"),
    DemoPart("ana", "player Ana Ruiz", "your next match, your protest, a challenge on the ladder"),
    DemoPart("bo", "player Bo Chen", "confirm tonight's game, or disagree with it"),
    DemoPart("nico", "player Nico Santos, a minor", "others see initials only"),
)
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
MINOR = "Nico Santos"
YOUNG = 13
# They come for the ladder only.
REGULARS = ("Ivy Laurent", "Jonas Weber")

START, SHOWN = 19, 20
# A harbour for each hour, without summer time: in one of them it is evening.
HARBOURS = (
    "Africa/Abidjan",
    "Africa/Lagos",
    "Africa/Maputo",
    "Africa/Dar_es_Salaam",
    "Asia/Dubai",
    "Asia/Karachi",
    "Asia/Dhaka",
    "Asia/Jakarta",
    "Asia/Singapore",
    "Asia/Tokyo",
    "Pacific/Port_Moresby",
    "Pacific/Noumea",
    "Pacific/Fiji",
    "Pacific/Pago_Pago",
    "Pacific/Honolulu",
    "Pacific/Gambier",
    "Pacific/Pitcairn",
    "America/Phoenix",
    "America/Costa_Rica",
    "America/Panama",
    "America/Santo_Domingo",
    "America/Argentina/Buenos_Aires",
    "America/Noronha",
    "Atlantic/Cape_Verde",
)


def evening_of(now: datetime) -> datetime:
    """Return seven in the evening, about an hour ago, in the time of a harbour where it is evening."""
    there = (now.astimezone(ZoneInfo(one)) for one in HARBOURS)
    local = next(one for one in there if one.hour == SHOWN)
    return local.replace(hour=START, minute=0, second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class Crew:
    """The demo accounts."""

    olga: User
    rosa: User
    ana: User
    bo: User
    nico: User


def found_league(tonight: datetime) -> tuple[League, Crew]:
    """Create the league in the time zone of its evening, with accounts and players."""
    league = League.objects.create(name="Harbour Domino League", slug=SLUG, time_zone=str(tonight.tzinfo))
    crew = _crew(league)
    accounts = {"Ana Ruiz": crew.ana, "Bo Chen": crew.bo}
    since = date(tonight.year - 1, 1, 1)
    for name in (*PLAYERS, *REGULARS):
        enrol(league=league, name=name, since=since, user=accounts.get(name))
    enrol(league=league, name=MINOR, since=since, user=crew.nico, born=tonight.year - YOUNG)
    return league, crew


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
        nico=person("nico", MINOR, Role.Kind.PLAYER),
    )


def entrants_of(league: League) -> dict[str, Entrant]:
    """Return the players of the league as entrants, by name."""
    return {one.player.name: one for one in league.entrants.filter(partner=None).select_related("player")}
