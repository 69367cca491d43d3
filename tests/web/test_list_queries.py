"""Every list takes the same statements for 1, 3 and 300 rows. Whoever adds a list adds a line to `LISTS`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.models import League, ResetLink, Role, User
from league.api.models import Token, TokenScope
from league.competitions.models import Berth, Competition, Matchday, Payment, RatedGame, Rating, Slot, Stage
from league.competitions.services import Plan, draw, found, publish, register
from league.matches.models import Amendment, Game, Match, Record, Result, Side, Table
from league.players.models import Entrant, Membership, Player, PlayerClaim
from league.players.naming import fold
from league.web import people
from tests.web import world as small

SINCE = date(2026, 1, 1)
SIZES = (1, 3, 300)


@dataclass(frozen=True)
class List:
    """A page, who looks at it (`olga` owns Harbour; nobody if empty), and how `count` rows more come to be."""

    path: str
    fill: Callable[[League, int], None]
    who: str = ""


def players(league: League, count: int) -> None:
    made = Player.objects.bulk_create(
        Player(name=f"Player {number:03}", folded=fold(f"Player {number:03}")) for number in range(count)
    )
    Membership.objects.bulk_create(
        Membership(player=player, league=league, since=SINCE, club="Hillside", number=str(number))
        for number, player in enumerate(made)
    )
    Entrant.objects.bulk_create(Entrant(league=league, player=player) for player in made)


def past_players(league: League, count: int) -> None:
    players(league, count)
    Membership.objects.filter(player__name__startswith="Player").update(until=date(2026, 2, 1))


def matches(league: League, count: int) -> None:
    """Of everybody new against Ana, published and to come."""
    players(league, count)
    ana = Entrant.objects.get(player__name="Ana Ruiz")
    others = list(Entrant.objects.filter(player__name__startswith="Player "))
    now = datetime(2027, 1, 1, tzinfo=UTC)
    made = Match.objects.bulk_create(
        Match(league=league, ruleset="udl", published_at=now, starts_at=now + timedelta(hours=number))
        for number in range(count)
    )
    Side.objects.bulk_create(Side(match=match, number=1, entrant=ana) for match in made)
    Side.objects.bulk_create(Side(match=match, number=2, entrant=two) for match, two in zip(made, others, strict=True))
    Game.objects.bulk_create(Game(match=match) for match in made)


def competitions(league: League, count: int) -> None:
    Competition.objects.bulk_create(
        Competition(league=league, name=f"Cup {n}", slug=f"cup-{n}", ruleset="udl", published_at=timezone.now())
        for n in range(count)
    )


def cup(league: League, count: int) -> Competition:
    """A draft of a knock-out with Ana and everybody new."""
    players(league, count)
    plan = Plan(name="Big Cup", ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION, starts_at=small.FIRST)
    olga = User.objects.get(username="olga")
    made = found(league, plan, user=olga)
    register(
        made, [Entrant.objects.get(player__name="Ana Ruiz"), *Entrant.objects.filter(player__name__startswith="P")]
    )
    draw(made, user=olga)
    return made


def published_cup(league: League, count: int) -> None:
    publish(cup(league, count), user=User.objects.get(username="olga"))


def cup_with_byes(league: League, count: int) -> None:
    """Never a power of two, so that there is a bye to give away."""
    published_cup(league, count + 1)


def cash(league: League, count: int) -> None:
    made, olga = cup(league, count), User.objects.get(username="olga")
    Payment.objects.bulk_create(
        Payment(competition=made, entrant=row.entrant, amount=500, taken_at=timezone.now(), taken_by=olga)
        for row in made.registrations.select_related("entrant")
    )


def evening(league: League, count: int) -> None:
    """Matches of the round robin at tables of their own, each with a result that waits for its confirmation."""
    matches(league, count)
    day = Matchday.objects.filter(stage__competition__league=league).earliest("number")
    new = list(Match.objects.filter(league=league, slot=None).prefetch_related("sides__entrant", "games"))
    slots = Slot.objects.bulk_create(
        Slot(matchday=day, number=100 + number, match=match) for number, match in enumerate(new)
    )
    Berth.objects.bulk_create(
        Berth(slot=slot, number=side.number, entrant=side.entrant) for slot in slots for side in slot.match.sides.all()
    )
    hall = Table.objects.bulk_create(Table(league=league, name=f"Hall {number}") for number in range(count))
    began, ref = timezone.now() - timedelta(minutes=10), User.objects.get(username="ref")
    for match, table in zip(new, hall, strict=True):
        record = small.hand_in(match.games.all()[0], ref)
        small.judge(record)
        small.enter(record)
        Match.objects.filter(pk=match.pk).update(starts_at=began, table=table)


def tokens(league: League, count: int) -> None:
    olga = User.objects.get(username="olga")
    Token.objects.bulk_create(
        Token(
            user=olga, name=f"Screen {number}", prefix="d", digest=f"{number:064}", scopes=[TokenScope.READ],
            created_at=timezone.now(),
        )
        for number in range(count)
    )  # fmt: skip


def run_by_olga(league: League, count: int) -> None:
    leagues(league, count)
    olga = User.objects.get(username="olga")
    Role.objects.bulk_create(Role(user=olga, league=one, kind=Role.Kind.OWNER) for one in league.children.all())


def leagues(league: League, count: int) -> None:
    League.objects.bulk_create(League(name=f"League {n}", slug=f"league-{n}", parent=league) for n in range(count))


def accounts(count: int) -> list[User]:
    return User.objects.bulk_create(User(username=f"user-{number:03}", password="!") for number in range(count))


def roles(league: League, count: int) -> None:
    Role.objects.bulk_create(Role(user=user, league=league, kind=Role.Kind.REFEREE) for user in accounts(count))


def claims(league: League, count: int) -> None:
    players(league, count)
    free = Player.objects.filter(name__startswith="Player ").order_by("pk")
    PlayerClaim.objects.bulk_create(
        PlayerClaim(player=player, user=user, made_at=timezone.now())
        for player, user in zip(free, accounts(count), strict=True)
    )


def own(league: League, count: int) -> None:
    """Players, claims and links of the account itself."""
    claims(league, count)
    olga = User.objects.get(username="olga")
    Player.objects.filter(name__startswith="Player ").update(user=olga)
    PlayerClaim.objects.update(user=olga)
    makers = User.objects.filter(username__startswith="user-")
    ResetLink.objects.bulk_create(ResetLink(user=olga, made_by=one, made_at=timezone.now()) for one in makers)


def namesakes(league: League, count: int) -> None:
    players(league, count)
    Player.objects.filter(name__startswith="Player ").update(name="Ana Ruiz", folded="ana ruiz")


def rated(league: League, count: int) -> None:
    matches(league, count)
    small.rated(league, list(Player.objects.filter(entrants__league=league).order_by("pk")))


def rated_weekly(league: League, count: int) -> None:
    """Ana, in as many weeks, each time against somebody else."""
    rated(league, count)
    last = Rating.objects.get(player__name="Ana Ruiz")
    games = list(Game.objects.filter(match__slot=None).order_by("pk"))
    others = list(Player.objects.filter(name__startswith="Player ").order_by("pk"))
    RatedGame.objects.bulk_create(
        RatedGame(rating_list=last.rating_list, game=game, period=n, first=last.player, second=other, points=n % 3)
        for n, (game, other) in enumerate(zip(games, others, strict=True))
    )
    for n, other in enumerate(others):
        numbers = Rating.objects.filter(pk=last.pk).values().get() | {"id": None, "period": n, "latest": False}
        Rating.objects.bulk_create([Rating(**numbers), Rating(**numbers | {"player_id": other.pk})])


def amendments(league: League, count: int) -> None:
    """Of official results of matches of everybody new, proposed by somebody and not confirmed."""
    matches(league, count)
    user = User.objects.create_user("proposer", "proposer@example.org", small.PASSWORD)
    now = timezone.now()
    for game in Game.objects.filter(match__sides__entrant__player__name__startswith="Player "):
        record = Record.objects.create(game=game, submitted_by=user, submitted_at=now, upload_sha256=f"{game.pk}")
        scores = {"1": 150, "2": 95}
        old = Result.objects.create(game=game, record=record, scores=scores, state="official", entered_at=now)
        Amendment.objects.create(
            game=game, old=old, kind="score", data={}, scores={"1": 95}, reason="-", proposed_by=user, proposed_at=now
        )


LISTS = {
    "ratings": List("/leagues/harbour/ratings/", rated),
    "ratings of a manager": List("/leagues/harbour/ratings/?ruleset=udl", rated, "olga"),
    "ratings for a spreadsheet": List("/leagues/harbour/ratings/csv/", rated),
    "a player's rating": List("/leagues/harbour/ratings/udl/players/{ana}/", rated_weekly),
    "a player's ratings": List("/players/{ana}/", rated_weekly),
    "home": List("/", matches),
    "home of an owner": List("/", matches, "olga"),
    "competitions": List("/competitions/", competitions),
    "a competition": List("/competitions/harbour/big-cup/", published_cup),
    "a bracket": List("/competitions/harbour/big-cup/bracket/", published_cup),
    "players": List("/players/", matches),
    "players, found": List("/players/?q=player", matches, "olga"),
    "a player's matches": List("/players/{ana}/", matches),
    "leagues": List("/leagues/", leagues),
    "a league's competitions": List("/leagues/harbour/", competitions, "olga"),
    "a league's officials": List("/leagues/harbour/", roles),
    "leagues within one": List("/leagues/harbour/", leagues),
    "members": List("/leagues/harbour/players/", players, "olga"),
    "members, found": List("/leagues/harbour/players/?q=hillside", players, "olga"),
    "members of before": List("/leagues/harbour/players/?past=1", past_players, "olga"),
    "namesakes": List("/leagues/harbour/players/{ana}/", namesakes, "olga"),
    "claims": List("/leagues/harbour/claims/", claims, "olga"),
    "roles": List("/leagues/harbour/roles/", roles, "olga"),
    "own account": List("/account/", own, "olga"),
    "own tokens": List("/account/tokens/", tokens, "olga"),
    "leagues one runs": List("/organize/", run_by_olga, "olga"),
    "competitions one runs": List("/organize/harbour/", competitions, "olga"),
    "amendments that wait": List("/organize/harbour/", amendments, "olga"),
    "matches that wait": List("/organize/harbour/", evening, "olga"),
    "a draft": List("/organize/harbour/competitions/big-cup/", cup, "olga"),
    "rounds one runs": List("/organize/harbour/competitions/big-cup/", published_cup, "olga"),
    "check-in": List("/organize/harbour/competitions/big-cup/check-in/", cup, "olga"),
    "who is absent": List("/organize/harbour/competitions/big-cup/present/", cup, "olga"),
    "cash": List("/organize/harbour/competitions/big-cup/cash/", cash, "olga"),
    "newcomers": List("/organize/harbour/competitions/big-cup/walk-in/", cup_with_byes, "olga"),
    "a round": List("/competitions/harbour/big-cup/rounds/1/", published_cup),
    "a round by name": List("/competitions/harbour/big-cup/rounds/1/?sort=name", published_cup),
    "a round on the projector": List("/competitions/harbour/big-cup/rounds/1/?wall=1", published_cup),
    "a round as text": List("/competitions/harbour/big-cup/rounds/1/text/", published_cup),
    "files of a competition": List("/competitions/harbour/big-cup/files/", published_cup),
    "a file of a competition": List("/competitions/harbour/big-cup/files/all.zip", published_cup),
    "files for the staff": List("/organize/harbour/competitions/big-cup/files/all.zip", published_cup, "olga"),
    "a competition's calendar": List("/competitions/harbour/big-cup/calendar.ics", published_cup),
    "a player's calendar": List("/players/{ana}/calendar.ics", matches),
    "standings as text": List("/competitions/harbour/big-cup/text/", published_cup),
    "a plan": List("/organize/harbour/competitions/big-cup/plan/", cup, "olga"),
    "the desk's grid": List("/organize/harbour/grid/", evening, "olga"),
    "tables": List("/organize/harbour/tables/", evening, "olga"),
    "the hall's clocks": List("/organize/harbour/clock/?competition=big-cup", published_cup, "olga"),
    "the hall's wall": List("/hall/harbour/?competition=big-cup", published_cup),
    "printed cards": List("/organize/harbour/competitions/big-cup/cards/", published_cup, "olga"),
    "printed slips": List("/organize/harbour/competitions/big-cup/slips/", published_cup, "olga"),
    "tables of a competition": List("/organize/harbour/competitions/autumn/tables/", evening, "olga"),
}


def statements(browse, one: List, count: int) -> int:
    world = small.build()
    olga = small.account("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.OWNER)
    one.fill(world.league, count)
    client = browse(olga if one.who else None)
    path = one.path.format(ana=world.entrants[0].player.code)
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(asked)


@pytest.mark.parametrize("name", LISTS)
def test_a_list_takes_the_same_statements_for_one_three_and_three_hundred_rows(db, browse, name) -> None:
    counts = {}
    for size in SIZES:
        with transaction.atomic():
            counts[size] = statements(browse, LISTS[name], size)
            transaction.set_rollback(True)
    assert len(set(counts.values())) == 1, counts


def test_a_list_that_asks_for_every_row_is_found(db, browse, monkeypatch) -> None:
    """The control."""
    real = people.page_of

    def asks_again(request, rows, size, first=1):
        page = real(request, rows, size, first)
        for row in page.object_list:
            row.refresh_from_db(fields=["code"])
        return page

    monkeypatch.setattr(people, "page_of", asks_again)
    counts = set()
    for size in (1, 3):
        with transaction.atomic():
            counts.add(statements(browse, LISTS["roles"], size))
            transaction.set_rollback(True)
    assert len(counts) == 2
