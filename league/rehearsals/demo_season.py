"""Season of the demonstration: two divisions, a decided protest and an open one."""

from datetime import datetime, timedelta
from uuid import uuid4

from games.errors import Reason
from games.moves import SEATS
from league.accounts.models import League, User
from league.competitions.draw.plans import Plan
from league.competitions.models import Season, Slot, Stage
from league.competitions.seasons.plans import DivisionPlan, SeasonPlan, found_season
from league.competitions.seasons.services import draw_season, publish_season
from league.disputes.facts import find_facts
from league.disputes.models import Dispute
from league.disputes.protests.protesting import Point, protest
from league.disputes.ruling import WantedRuling, confirm_ruling, rule
from league.house.mistakes import without_call
from league.matches.permissions import Guest
from league.rehearsals.demo_games import ended_at, hand_in_log, log_of, play_and_confirm, slots_of
from league.rehearsals.demo_people import MINOR, PLAYERS, Crew
from referee import verify_text
from referee.rulings.court import FactFound

FIRST = PLAYERS[:4]
SECOND = ("Bo Chen", "Grace O’Neill", "Hugo Martín", MINOR)
ROUNDS, PLAYED = 6, 3
RULED, OPEN = 2, 3
"""Rounds with a protest of Ana."""
SEEDS = 700


def play_season(league: League, crew: Crew, tonight: datetime) -> None:
    """Play the first half of the season, up to last night, with two protests."""
    season = _found(league, crew.olga, tonight - timedelta(days=1))
    for division in season.divisions.select_related("competition").order_by("level"):
        for slot in slots_of(division.competition).filter(matchday__number__lte=PLAYED):
            seed = SEEDS + division.level * 100
            is_hers = any(one.entrant.player.user == crew.ana for one in slot.match.sides.all())
            if is_hers and slot.matchday.number in (RULED, OPEN):
                _protested(slot, crew, seed)
            else:
                play_and_confirm(slot, crew, seed=seed)


def _found(league: League, organizer: User, last_night: datetime) -> Season:
    dates = [last_night + timedelta(weeks=number - PLAYED + 1) for number in range(ROUNDS)]
    season = found_season(
        league,
        SeasonPlan(
            name=f"Season {last_night.year}",
            plan=Plan(
                name="", ruleset="all-fives", format=Stage.Format.DOUBLE_ROUND_ROBIN, tables=("1", "2", "3", "4")
            ),
            divisions=[
                DivisionPlan(name="First division", names="\n".join(FIRST), relegate=1),
                DivisionPlan(name="Second division", names="\n".join(SECOND), promote=1, play_off=1),
            ],
            starts_on=dates[0].date(),
            ends_on=dates[-1].date(),
            dates=dates,
        ),
        user=organizer,
    )
    draw_season(season, user=organizer)
    publish_season(season, user=organizer)
    return season


# --- Protests ---


def _protested(slot: Slot, crew: Crew, seed: int) -> None:
    """Play a match of Ana, who protests: in one round it is decided, in the other open."""
    sides = {one.entrant.player.user: one.number for one in slot.match.sides.all()}
    (_ruled if slot.matchday.number == RULED else _open)(slot, crew, sides[crew.ana], seed)


def _ruled(slot: Slot, crew: Crew, side: int, seed: int) -> None:
    """Ana protests against a call; the referee takes it back, and the organizer confirms that."""
    text, line = _with_call(slot, 3 - side, start=seed + 40)
    game, at = hand_in_log(slot.match, crew.rosa, text), ended_at(slot.match)
    point = Point(kind=Dispute.Kind.MUGGINS, line=line, miswritten=True)
    case = protest(game, crew.ana, point, "Nobody called muggins here.", at=at + timedelta(minutes=3))
    find_facts(case, crew.rosa, FactFound.NO, at=at + timedelta(minutes=8))
    wanted = WantedRuling(outcome=Dispute.Outcome.CALL, reason="Both players say that there was no call.")
    rule(case, crew.rosa, wanted, at=at + timedelta(minutes=9))
    confirm_ruling(case, crew.olga, at=at + timedelta(minutes=15))


def _open(slot: Slot, crew: Crew, side: int, seed: int) -> None:
    """Ana and her opponent hand in logs that differ by her muggins call; Ana protests."""
    text, line = _with_call(slot, side, start=seed + 70)
    game = hand_in_log(slot.match, crew.ana, text)
    hand_in_log(slot.match, Guest(slot.match.pk, 3 - side, device=uuid4().hex), without_call(text), minutes=2)
    point = Point(kind=Dispute.Kind.MUGGINS, line=line, miswritten=True)
    sentence = "I called muggins in time. The other log leaves my call out."
    record = game.records.get(for_side=3 - side)
    protest(game, crew.ana, point, sentence, record=record, at=ended_at(slot.match) + timedelta(minutes=5))


def _with_call(slot: Slot, side: int, *, start: int) -> tuple[str, int]:
    """Return a verified log with a muggins call of this side, and the line of the play that was called.

    Without the call the game ends too, with another score.
    """
    for seed in range(start, start + 1_000):
        text = log_of(slot.match, str(slot.matchday), seed)
        (told,), (untold,) = verify_text(text), verify_text(without_call(text))
        called = next((one for one in told.findings if one.code == Reason.CLAIM_UPHELD.value), None)
        differs = untold.ended and untold.scores != told.scores
        if called and differs and told.status == "verified" and called.facts["claimant"] == SEATS[side - 1]:
            return text, int(str(called.facts["play"]))
    raise LookupError("no game with such a call")
