"""Every list takes the same statements for 1, 3 and 100 rows (300 with THOROUGH=1). A new list is a line in `LISTS`."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.models import League, ResetLink, Role, User
from league.api.models import Token, TokenScope
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.following import follow
from league.competitions.models import (
    Adjustment,
    Applicant,
    Berth,
    Challenge,
    Circuit,
    CircuitPlace,
    Competition,
    EarlierState,
    Honour,
    Invitation,
    Matchday,
    Notice,
    NoticeVersion,
    Payment,
    RatedGame,
    Rating,
    Registration,
    Rehearsal,
    Season,
    Seeding,
    Slot,
    Stage,
)
from league.competitions.registration.entries import register
from league.competitions.seasons.plans import DateRule, DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.competitions.snapshots import keep
from league.disputes.models import Dispute, DisputeEntry, DisputeText
from league.matches.logs.submission import Fixture, schedule_match
from league.matches.models import Amendment, Game, Match, Record, Result, Side, Table
from league.players.models import Entrant, Membership, Player, PlayerClaim
from league.players.naming import fold
from league.players.services import enrol
from league.rehearsals.services import ToRehearse, ask_to_rehearse
from league.web.leagues import people
from tests.volume import THOROUGH, quarter
from tests.web import world as small

SINCE = date(2026, 1, 1)
FEW, MANY = (1, 3), (1, 300 if THOROUGH else 100)


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


def being_played(league: League, count: int) -> None:
    matches(league, count)
    Match.objects.update(starts_at=timezone.now() - timedelta(minutes=10))


def followed_matches(league: League, count: int) -> None:
    matches(league, count)
    ana = Entrant.objects.get(player__name="Ana Ruiz").player
    follow(User.objects.get(username="olga"), [f"player:{ana.code}"], timezone.now())


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


def called_cup(league: League, count: int) -> None:
    """Half of the matches are called, the others wait for a table."""
    dispatched(cup(league, count), tables=count // 4 + 1)


def cup_at_one_table(league: League, count: int) -> None:
    """A match is called, and at least one waits for its table."""
    dispatched(cup(league, count + 5), tables=1)


def dispatched(made: Competition, *, tables: int) -> None:
    Competition.objects.filter(pk=made.pk).update(dispatches=True)
    names = [f"T{number}" for number in range(1, tables + 1)]
    made.tables.set([Table.objects.create(league=made.league, name=name) for name in names])
    publish(made, user=User.objects.get(username="olga"))


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


def earlier_states(league: League, count: int) -> None:
    """Of a draft, and as many drafts that were discarded."""
    made, olga = cup(league, 3), User.objects.get(username="olga")
    kept = [keep(made, before, user=olga) for before in (EarlierState.Before.DRAWN, EarlierState.Before.DISCARDED)]
    EarlierState.objects.bulk_create(
        EarlierState(
            league=league, key=one.key, name=one.name, before=one.before, made_at=one.made_at, made_by=olga,
            rows=one.rows, size=one.size,
            restored_at=one.made_at if n % 2 else None, restored_by=olga if n % 2 else None,
        )
        for one in kept
        for n in range(count - 1)
    )  # fmt: skip


def rehearsals(league: League, count: int) -> None:
    """One of twice as many players, to be looked at, and so many others."""
    made, olga = cup(league, 1), User.objects.get(username="olga")
    job = ask_to_rehearse(made, ToRehearse(min(2 * count, 32), seed=5), user=olga)
    Rehearsal.objects.bulk_create(
        Rehearsal(
            competition=made, seed=n, entrants=4, asked_at=job.asked_at, asked_by=olga, done_at=job.asked_at,
            report=job.report,
        )
        for n in range(count - 1)
    )  # fmt: skip


def a_rehearsal(league: League, count: int) -> None:
    rehearsals(league, count)
    first = Rehearsal.objects.order_by("pk").first()
    Rehearsal.objects.filter(pk=first.pk).delete()
    Rehearsal.objects.filter(pk=7_000_000).delete()
    first.pk = 7_000_000
    first.save(force_insert=True)


def open_ones(league: League, count: int) -> None:
    """Drafts for which everybody may sign up."""
    Competition.objects.bulk_create(
        Competition(league=league, name=f"Open {n}", slug=f"open-{n}", ruleset="udl", registration="open")
        for n in range(count)
    )


def seasons(league: League, count: int) -> None:
    Season.objects.bulk_create(
        Season(league=league, name=f"Year {n}", slug=f"year-{n}", starts_on=SINCE, published_at=timezone.now())
        for n in range(count)
    )


def signed_up(league: League, count: int) -> None:
    """A cup for which players of the league and strangers wait, and as many were refused."""
    made, now = cup(league, count), timezone.now()
    waiting = list(Player.objects.filter(name__startswith="Player ").order_by("pk"))
    for place, state in enumerate(("waiting", "refused", "withdrawn")):
        decided = {"decided_at": now} if place else {}
        Applicant.objects.bulk_create(
            Applicant(
                competition=made, player=player if n % 2 else None, name=f"Stranger {n}", digest=f"{place}{n:063}",
                state=state, made_at=now, **decided,
            )
            for n, player in enumerate(waiting)
        )  # fmt: skip


def invited(league: League, count: int) -> None:
    made, olga, now = cup(league, 1), User.objects.get(username="olga"), timezone.now()
    Invitation.objects.bulk_create(
        Invitation(competition=made, digest=f"{n:064}", whom=f"Guest {n}", made_at=now, made_by=olga, expires_at=now)
        for n in range(count)
    )


def reseeded(league: League, count: int) -> None:
    """Every one of them is rated, and the order was changed as often."""
    made, olga, now = cup(league, count), User.objects.get(username="olga"), timezone.now()
    small.rated(league, list(Player.objects.filter(entrants__registrations__competition=made).order_by("pk")))
    Seeding.objects.bulk_create(
        Seeding(competition=made, how="hand", before=[], after=[], made_at=now, made_by=olga) for _ in range(count)
    )


def divisions(league: League, count: int) -> None:
    """A published season of as many divisions, each of two who have met."""
    players(league, 2 * min(count, 60))
    people = list(Player.objects.filter(name__startswith="Player ").order_by("name").values_list("code", flat=True))
    pairs = [people[at : at + 2] for at in range(0, len(people), 2)]
    plan = SeasonPlan(
        name="Year",
        plan=Plan(name="-", ruleset="udl", best_of=1),
        divisions=[
            DivisionPlan(name=f"Division {n}", names="\n".join(both), relegate=int(n < len(pairs)), promote=int(n > 1))
            for n, both in enumerate(pairs, start=1)
        ],
        starts_on=SINCE,
        dates=DateRule(first=small.FIRST, every=7),
    )
    olga = User.objects.get(username="olga")
    season = found_season(league, plan, user=olga)
    draw_season(season, user=olga)
    publish_season(season, user=olga)


def finished_divisions(league: League, count: int) -> None:
    """The same with every result official, so that its end is shown."""
    divisions(league, count)
    ref = User.objects.get(username="ref")
    for match in Match.objects.filter(slot__matchday__stage__competition__division__isnull=False):
        record = small.hand_in(match.games.get(), ref)
        small.judge(record)
        small.enter(record, official_by=User.objects.get(username="olga"))
    Stage.objects.filter(competition__division__isnull=False).update(finished_at=timezone.now())


def big_division(league: League, count: int) -> None:
    """A season of one division with Ana and everybody new."""
    players(league, count)
    people = list(Player.objects.filter(name__startswith="Player ").values_list("code", flat=True))
    ana = Player.objects.get(name="Ana Ruiz").code
    plan = SeasonPlan(
        name="Year",
        plan=Plan(name="-", ruleset="udl", format=Stage.Format.SWISS, rounds=1),
        divisions=[DivisionPlan(name="Only", names="\n".join([ana, *people[:299]]))],
        starts_on=SINCE,
    )
    olga = User.objects.get(username="olga")
    season = found_season(league, plan, user=olga)
    draw_season(season, user=olga)
    publish_season(season, user=olga)


def hall_tables(league: League, count: int) -> None:
    Table.objects.bulk_create(Table(league=league, name=f"Hall {number}") for number in range(count))


def notices(league: League, count: int) -> None:
    """Of the league and of its competition, each by somebody else."""
    about = Competition.objects.get(league=league)
    made = Notice.objects.bulk_create(Notice(league=league, competition=about) for _ in range(count))
    NoticeVersion.objects.bulk_create(
        NoticeVersion(
            notice=one, number=1, title="Moved", text="To the pier.", published_at=timezone.now(), published_by=by
        )
        for one, by in zip(made, accounts(count), strict=True)
    )


def disputes(league: League, count: int, **more: object) -> list[Dispute]:
    """Of so many matches, each of two others."""
    pairs = [[enrol(league=league, name=f"{name} {n}", since=SINCE) for name in ("Dee", "Dov")] for n in range(count)]
    agreed = {"league": league, "ruleset": "udl", "options": {}, "published_at": timezone.now()}
    games = [schedule_match(Fixture(entrants=pair, **agreed)).games.get() for pair in pairs]
    said = {"kind": "muggins", "for_side": 1, "via": "account", "raised_at": timezone.now(), **more}
    return Dispute.objects.bulk_create(Dispute(match=game.match, game=game, **said) for game in games)


def rulings(league: League, count: int) -> None:
    """Each by somebody else."""
    made = disputes(league, count, state="ruled", outcome="dismissed", closed_at=timezone.now())
    data = {"outcome": "dismissed", "scores": {"1": 150, "2": 95}, "winner": 1, "waits": False, "proof": False}
    entries = DisputeEntry.objects.bulk_create(
        DisputeEntry(dispute=one, number=1, kind="ruled", data=data, by=by, at=timezone.now())
        for one, by in zip(made, accounts(count), strict=True)
    )
    DisputeText.objects.bulk_create(DisputeText(entry=one, text="In time") for one in entries)


def titles(league: League, count: int) -> None:
    """Of Ana, each of a competition of its own."""
    ana = Entrant.objects.get(player__name="Ana Ruiz")
    competitions(league, count)
    made = Competition.objects.filter(name__startswith="Cup ")
    made.update(honours_at=timezone.now())
    Stage.objects.bulk_create(Stage(competition=one, finished_at=timezone.now()) for one in made)
    Honour.objects.bulk_create(Honour(competition=one, entrant=ana, place=1) for one in made)


def circuits(league: League, count: int) -> None:
    Circuit.objects.bulk_create(Circuit(league=league, name=f"Circuit {n}", slug=f"circuit-{n}") for n in range(count))


def circuit(league: League, count: int) -> None:
    """As many finished evenings of as many entrants."""
    titles(league, count)
    players(league, count)
    people = list(Entrant.objects.filter(player__name__startswith="Player ").order_by("pk"))
    made = Circuit.objects.create(league=league, name="Many", slug="many", points_by="entrants")
    made.competitions.set(Competition.objects.filter(name__startswith="Cup "))
    rows = Registration.objects.bulk_create(
        Registration(competition=one, entrant=entrant, seed=seed)
        for one in made.competitions.all()
        for seed, entrant in enumerate(people, start=1)
    )
    CircuitPlace.objects.bulk_create(CircuitPlace(registration=one, first=one.seed, last=one.seed) for one in rows)


def adjusted(league: League, count: int) -> None:
    """A round robin in which as many entrants were each given points by somebody else."""
    plan = Plan(name="Big Cup", ruleset="udl", tie_breaks=["match_points"])
    made = found(league, plan, user=User.objects.get(username="olga"))
    players(league, count + 1)
    register(made, list(Entrant.objects.filter(player__name__startswith="Player ").order_by("pk")))
    Competition.objects.filter(pk=made.pk).update(published_at=timezone.now())
    rows = list(made.registrations.order_by("seed")[:count])
    made.registrations.filter(pk__in=[one.pk for one in rows]).update(bonus=2)
    Adjustment.objects.bulk_create(
        Adjustment(registration=one, points=2, reason="fair play", made_at=timezone.now(), made_by=by)
        for one, by in zip(rows, accounts(count), strict=True)
    )


def versions(league: League, count: int) -> None:
    """Of one notice, each by somebody else."""
    now, notice = timezone.now(), Notice.objects.create(pk=7_000_000, league=league)
    NoticeVersion.objects.bulk_create(
        NoticeVersion(
            notice=notice,
            number=number,
            title="Moved",
            text="To the pier.",
            published_at=now,
            published_by=by,
            replaced_at=now if number < count else None,
        )
        for number, by in enumerate(accounts(count), start=1)
    )


def wishes(league: League, count: int) -> None:
    """Of everybody new: an accessible table, which nobody has."""
    cup(league, count)
    Entrant.objects.filter(league=league, player__name__startswith="Player ").update(needs_accessible=True)


def robin(league: League, count: int) -> None:
    """Too many matches for one page where there are three hundred: as many rounds, of which one is shown."""
    players(league, min(count, 40))
    plan = Plan(name="Big Robin", ruleset="udl", starts_at=small.FIRST, tables=("1", "2"))
    olga = User.objects.get(username="olga")
    made = found(league, plan, user=olga)
    register(made, list(Entrant.objects.filter(league=league)[:40]))


def drawn_robin(league: League, count: int) -> None:
    """Three at least, of which every pair of the first forty has a match."""
    players(league, min(count, 40) + 2)
    plan = Plan(name="Big Robin", ruleset="udl", starts_at=small.FIRST, tables=("1", "2"))
    olga = User.objects.get(username="olga")
    made = found(league, plan, user=olga)
    register(made, list(Entrant.objects.filter(league=league)[:40]))


def swiss(league: League, count: int) -> None:
    players(league, count + 3)
    olga = User.objects.get(username="olga")
    made = found(league, Plan(name="Big Swiss", ruleset="udl", format=Stage.Format.SWISS), user=olga)
    register(made, list(Entrant.objects.filter(league=league)))
    draw(made, user=olga)
    publish(made, user=olga)


def ladder(league: League, count: int) -> None:
    """Of Ana and everybody new, each third of whom challenges the one above."""
    players(league, 3 * count)
    plan = Plan(name="Ladder", ruleset="udl", format=Stage.Format.LADDER, challenge_reach=1)
    olga = User.objects.get(username="olga")
    made = found(league, plan, user=olga)
    everybody = [Entrant.objects.get(player__name="Ana Ruiz"), *Entrant.objects.filter(player__name__startswith="P")]
    register(made, everybody)
    draw(made, user=olga)
    publish(made, user=olga)
    day = Matchday.objects.get(stage__competition=made)
    for number in range(min(count, 9)):
        challenged, challenger = everybody[3 * number + 1], everybody[3 * number + 2]
        fixture = Fixture(league=league, entrants=[challenged, challenger], ruleset="udl", options={})
        slot = Slot.objects.create(matchday=day, number=number + 1, match=schedule_match(fixture))
        Berth.objects.create(slot=slot, number=1, entrant=challenged)
        Berth.objects.create(slot=slot, number=2, entrant=challenger)
        Challenge.objects.create(
            stage=day.stage, challenger=challenger, challenged=challenged, slot=slot, made_at=timezone.now()
        )


def tables_of_four(league: League, count: int) -> None:
    players(league, 4 * count)
    plan = Plan(
        name="Tables",
        ruleset="all-fives",
        format=Stage.Format.TABLE_ROUNDS,
        seats=4,
        rounds=1,
        tie_breaks=["place_points", "difference"],
    )
    olga = User.objects.get(username="olga")
    made = found(league, plan, user=olga)
    register(made, list(Entrant.objects.filter(player__name__startswith="P")))
    draw(made, user=olga)
    publish(made, user=olga)


LISTS = {
    "notices": List("/leagues/harbour/notices/", notices),
    "a league's notices": List("/leagues/harbour/", notices),
    "a competition's notices": List("/competitions/harbour/autumn/", notices),
    "what a notice may be about": List("/leagues/harbour/notices/new/", competitions, "olga"),
    "open disputes": List("/organize/harbour/disputes/", disputes, "olga"),
    "the last decisions": List("/organize/harbour/disputes/", rulings, "olga"),
    "rulings": List("/leagues/harbour/rulings/", rulings),
    "titles": List("/players/{ana}/titles/", titles),
    "a player's titles": List("/players/{ana}/", titles),
    "what a notice said before": List("/leagues/harbour/notices/7000000/", versions),
    "tables of the hall": List("/organize/harbour/tables/setup/", hall_tables, "olga"),
    "who plays where": List("/organize/harbour/competitions/big-cup/wishes/", wishes, "olga"),
    "calls of an evening": List("/organize/harbour/competitions/big-cup/calls/", called_cup, "olga"),
    "the rounds of a round robin": List("/organize/harbour/competitions/big-robin/?round=2", robin, "olga"),
    "a ladder": List("/competitions/harbour/ladder/", ladder, "olga"),
    "rounds at tables": List("/competitions/harbour/tables/", tables_of_four),
    "a round at tables": List("/competitions/harbour/tables/rounds/1/", tables_of_four),
    "the table of a division": List("/competitions/harbour/year-only/standings/", big_division),
    "the whole table of a division": List("/competitions/harbour/year-only/standings/?all=1", big_division),
    "a table by ratings": List("/competitions/harbour/year-only/standings/?sort=rating", big_division),
    "places by round": List("/competitions/harbour/year-only/places/", big_division),
    "places on a ladder": List("/competitions/harbour/ladder/places/", ladder, "olga"),
    "who met whom, round by round": List("/competitions/harbour/year-only/cross-table/", big_division),
    "who met whom": List("/competitions/harbour/big-robin/cross-table/", drawn_robin, "olga"),
    "a schedule": List("/competitions/harbour/big-cup/schedule/", published_cup),
    "who takes part": List("/competitions/harbour/big-cup/players/", published_cup),
    "rules of a competition": List("/competitions/harbour/big-cup/rules/", published_cup),
    "a table on another site": List("/embed/harbour/year-only/standings/", big_division),
    "a bracket on another site": List("/embed/harbour/big-cup/bracket/?section=1", published_cup),
    "ratings": List("/leagues/harbour/ratings/", rated),
    "ratings of a manager": List("/leagues/harbour/ratings/?ruleset=udl", rated, "olga"),
    "ratings for a spreadsheet": List("/leagues/harbour/ratings/csv/", rated),
    "a player's rating": List("/leagues/harbour/ratings/udl/players/{ana}/", rated_weekly),
    "a player's ratings": List("/players/{ana}/", rated_weekly),
    "home": List("/", matches),
    "what is live": List("/now/", being_played),
    "what is live in a league": List("/leagues/harbour/now/", being_played),
    "running scores": List("/now/scores/?of={matches}", being_played),
    "home of an owner": List("/", matches, "olga"),
    "competitions": List("/competitions/", competitions),
    "a competition": List("/competitions/harbour/big-cup/", published_cup),
    "a final ranking": List("/competitions/harbour/big-cup/ranking/", published_cup),
    "a bracket": List("/competitions/harbour/big-cup/bracket/?section=1", published_cup),
    "standings on the wall": List("/competitions/harbour/big-swiss/standings/wall/", swiss),
    "a bracket on the wall": List("/competitions/harbour/big-cup/bracket/current/", published_cup),
    "the matches of whom somebody follows": List("/following/", followed_matches, "olga"),
    "what was found": List("/search/?q=a", matches),
    "players, found by anybody": List("/search/?q=player&kind=players", matches),
    "what is suggested": List("/search/suggest/?q=pla", matches),
    "a bracket on paper": List("/competitions/harbour/big-cup/bracket/print/?section=1", published_cup),
    "players": List("/players/", matches),
    "players, found": List("/players/?q=player", matches, "olga"),
    "a player's matches": List("/players/{ana}/", matches),
    "a player's opponents": List("/players/{ana}/against/", matches),
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
    "seasons": List("/seasons/harbour/", seasons),
    "a league's seasons": List("/leagues/harbour/", seasons),
    "circuits": List("/circuits/harbour/", circuits),
    "a league's circuits": List("/leagues/harbour/", circuits),
    "evenings of a circuit": List("/circuits/harbour/many/", circuit),
    "a circuit as text": List("/circuits/harbour/many/text/", circuit),
    "a circuit as a table": List("/circuits/harbour/many/ranking.csv", circuit),
    "bonuses and deductions": List("/competitions/harbour/big-cup/standings/", adjusted),
    "bonuses to remove": List("/organize/harbour/competitions/big-cup/adjustments/", adjusted, "olga"),
    "evenings to choose": List("/organize/harbour/circuits/many/", circuit, "olga"),
    "divisions": List("/seasons/harbour/year/", divisions),
    "divisions that are over": List("/seasons/harbour/year/?division=2", finished_divisions),
    "a division's table": List("/seasons/harbour/year/", big_division),
    "a division's page": List("/competitions/harbour/year-only/", big_division),
    "files of a season": List("/seasons/harbour/year/files/", divisions),
    "a season's calendar": List("/seasons/harbour/year/calendar.ics", divisions),
    "divisions one runs": List("/organize/harbour/seasons/year/", divisions, "olga"),
    "the end of a season": List("/organize/harbour/seasons/year/", finished_divisions, "olga"),
    "amendments that wait": List("/organize/harbour/", amendments, "olga"),
    "matches that wait": List("/organize/harbour/", evening, "olga"),
    "results that need one": List("/", evening, "olga"),
    "amendments that need one": List("/", amendments, "olga"),
    "link requests that need one": List("/", claims, "olga"),
    "sign-ups that need one": List("/", signed_up, "olga"),
    "the strip of the day": List("/organize/harbour/competitions/autumn/", evening, "olga"),
    "a draft": List("/organize/harbour/competitions/big-cup/", cup, "olga"),
    "rounds one runs": List("/organize/harbour/competitions/big-cup/", published_cup, "olga"),
    "open for registration": List("/leagues/harbour/", open_ones),
    "open for registration, at home": List("/", open_ones),
    "sign-ups": List("/organize/harbour/competitions/big-cup/sign-ups/", signed_up, "olga"),
    "sign-ups refused": List("/organize/harbour/competitions/big-cup/sign-ups/?show=refused", signed_up, "olga"),
    "sign-ups that wait": List("/organize/harbour/", signed_up, "olga"),
    "invitations": List("/organize/harbour/competitions/big-cup/registration/", invited, "olga"),
    "seeds": List("/organize/harbour/competitions/big-cup/seeds/", reseeded, "olga"),
    "check-in": List("/organize/harbour/competitions/big-cup/check-in/", cup, "olga"),
    "who is absent": List("/organize/harbour/competitions/big-cup/present/", cup, "olga"),
    "cash": List("/organize/harbour/competitions/big-cup/cash/", cash, "olga"),
    "newcomers": List("/organize/harbour/competitions/big-cup/late-entry/", cup_with_byes, "olga"),
    "a round": List("/competitions/harbour/big-cup/rounds/1/", published_cup),
    "a round by name": List("/competitions/harbour/big-cup/rounds/1/?sort=name", published_cup),
    "a round on the projector": List("/competitions/harbour/big-cup/rounds/1/?wall=1", published_cup),
    "a round as text": List("/competitions/harbour/big-cup/rounds/1/text/", published_cup),
    "files of a competition": List("/competitions/harbour/big-cup/files/", published_cup),
    "a file of a competition": List("/competitions/harbour/big-cup/files/all.zip", published_cup),
    "files for the staff": List("/organize/harbour/competitions/big-cup/files/all.zip", published_cup, "olga"),
    "a competition's calendar": List("/competitions/harbour/big-cup/calendar.ics", published_cup),
    "a league's calendar": List("/leagues/harbour/calendar.ics", published_cup),
    "a league's calendar of friendly matches": List("/leagues/harbour/calendar.ics", matches),
    "a player's calendar": List("/players/{ana}/calendar.ics", matches),
    "standings as text": List("/competitions/harbour/big-cup/text/", published_cup),
    "earlier states": List("/organize/harbour/competitions/big-cup/earlier/", earlier_states, "olga"),
    "discarded drafts": List("/organize/harbour/discarded/", earlier_states, "olga"),
    "rehearsals": List("/organize/harbour/competitions/big-cup/rehearsals/", rehearsals, "olga"),
    "a rehearsal": List("/organize/harbour/competitions/big-cup/rehearsals/7000000/", a_rehearsal, "olga"),
    "a plan": List("/organize/harbour/competitions/big-cup/plan/", cup, "olga"),
    "the desk's grid": List("/organize/harbour/grid/", evening, "olga"),
    "tables": List("/organize/harbour/tables/", evening, "olga"),
    "the hall's clocks": List("/organize/harbour/clock/?competition=big-cup", published_cup, "olga"),
    "the hall's wall": List("/hall/harbour/", published_cup),
    "the show": List("/hall/harbour/?competition=big-cup", published_cup),
    "calls of the show": List("/hall/harbour/?competition=big-cup&show=calls", cup_at_one_table),
    "pairings of the show": List("/hall/harbour/?competition=big-cup&show=pairings", published_cup),
    "clocks of the show": List("/hall/harbour/?competition=big-cup&show=clocks", published_cup),
    "standings of the show": List("/hall/harbour/?competition=big-swiss&show=standings", swiss),
    "a bracket of the show": List("/hall/harbour/?competition=big-cup&show=bracket", published_cup),
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
    shown = ",".join(str(key) for key in Match.objects.values_list("pk", flat=True))
    path = one.path.format(ana=world.entrants[0].player.code, matches=shown)
    cache.clear()  # what it holds came of another test, in which the keys of the rows were the same
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(path)
    assert answer.status_code == 200
    return len(asked)


@pytest.mark.both
@pytest.mark.parametrize("name", LISTS)
def test_a_list_takes_the_same_statements_for_one_row_and_for_three(db, browse, name) -> None:
    counts = counted(browse, LISTS[name], FEW)
    assert len(set(counts.values())) == 1, counts


@pytest.mark.slow("100 rows of a list")
@pytest.mark.parametrize("name", quarter(LISTS))
def test_a_list_takes_the_same_statements_for_one_row_and_for_many(db, browse, name) -> None:
    counts = counted(browse, LISTS[name], MANY)
    assert len(set(counts.values())) == 1, counts


def counted(browse, one: List, sizes: tuple[int, ...]) -> dict[int, int]:
    counts = {}
    for size in sizes:
        with transaction.atomic():
            counts[size] = statements(browse, one, size)
            transaction.set_rollback(True)
    return counts


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
