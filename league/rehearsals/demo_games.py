"""Games of the demonstration: played by the computer, handed in, verified and confirmed."""

from collections.abc import Callable
from datetime import datetime, timedelta
from random import Random

from django.db.models import QuerySet

from games.notation.reading import dumps
from league.competitions.models import Competition, Slot
from league.house.computer_players import HABITS
from league.house.mistakes import with_wrong_total
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Game, Match, Result, StoredVerdict
from league.matches.permissions import Visitor
from league.rehearsals.demo_people import Crew
from referee import verify_text
from referee.playouts.pips import playout

Mistake = Callable[[str], str]


def slots_of(competition: Competition) -> QuerySet[Slot]:
    return (
        Slot.objects.filter(matchday__stage__competition=competition)
        .select_related("matchday", "match__league", "match__table")
        .prefetch_related("match__sides__entrant__player", "match__sides__entrant__partner", "match__games")
        .order_by("matchday__number", "number")
    )


def log_of(match: Match, evening: str, seed: int) -> str:
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


def log_with_verdict(match: Match, evening: str, status: StoredVerdict.Status, mistake: Mistake, *, start: int) -> str:
    """Return the first game, from a seed on, in which the mistake has this effect.

    Seeds are far apart, so that no deal is used twice.
    """
    for seed in range(start, start + 1_000):
        text = mistake(log_of(match, evening, seed))
        if verify_text(text)[0].status == status:
            return text
    raise LookupError(f"no game in which {mistake.__name__} gives {status}")


def hand_in_log(match: Match, who: Visitor, text: str, *, minutes: int = 0) -> Game:
    game = match.games.all()[0]
    at = ended_at(match) + timedelta(minutes=minutes)
    submission = submit_log(game=game, user=who, raw=text.encode(), filename=f"{game.code}.domino", at=at)
    verify_record(submission.record.pk)
    return game


def ended_at(match: Match) -> datetime:
    """Return when the game of a match ended that lasted a quarter of an hour."""
    return match.starts_at + timedelta(minutes=16 + match.pk % 9)


def play_and_confirm(slot: Slot, crew: Crew, *, seed: int = 0) -> None:
    """Submit the log as referee, and confirm it as a player or organizer."""
    match, evening = slot.match, str(slot.matchday)
    if (seed, slot.matchday.number, slot.number) == (0, 3, 2):
        text = log_with_verdict(match, evening, StoredVerdict.Status.CORRECTED, with_wrong_total, start=1_000)
    else:
        text = log_of(match, evening, seed=seed + slot.matchday.number * 10 + slot.number)
    hand_in_log(match, crew.rosa, text)
    confirm(match, crew)


def confirm(match: Match, crew: Crew) -> None:
    """Confirm the result as a player of the match; as organizer if none has an account."""
    result = Result.objects.select_related("game__match__league").get(game__match=match, current=True)
    accounts = [side.entrant.player.user for side in match.sides.all() if side.entrant.player.user]
    confirmer = accounts[0] if accounts else crew.olga
    confirm_result(result=result, user=confirmer, at=result.entered_at + timedelta(minutes=20))
