"""Print for a club night: the cards of a round, and a slip for each player.

Constant statement counts. Both contain secrets; ask only for users that enter results.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from league.competitions.draw.laying_out import opener
from league.competitions.draw.schedule.seating import natural
from league.competitions.models import IS_PLAYED, Berth, Competition, Matchday, Slot
from league.matches.models import Game, Match
from league.players.models import PEOPLE, Entrant

OPEN = (Match.State.SCHEDULED, Match.State.PLAYING)


@dataclass(frozen=True, slots=True)
class OnPaper:
    """A partner of a pair, on a separate line, so that a long name cuts nothing off."""

    name: str
    plays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """The card of a game.

    `names`: by side, "" while unknown; more than two at a table of several. `partners`: both partners of a pair. `door`
    and `code` are of the match and of the game, "" while there is neither; `best_of` is 1 for a single game.
    """

    matchday: str = ""
    table: str = ""
    starts_at: datetime | None = None
    names: Sequence[str] = ("", "")
    partners: Sequence[Sequence[OnPaper]] = ()
    number: int = 1
    best_of: int = 1
    code: str = ""
    door: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """The slip of a player, or of both partners of a pair.

    `name` is the full name, because only the player gets the slip.
    """

    name: str
    apart: str
    door: str
    pin: str
    partners: Sequence[OnPaper] = ()


def rounds_to_print(competition: Competition) -> list[Matchday]:
    """Rounds of the draw, in order."""
    days = Matchday.objects.filter(stage__competition=competition)
    return list(days.select_related("stage").order_by("stage__number", "number"))


def round_now(competition: Competition) -> Matchday | None:
    """The first round with a match to play; None if none is left.

    Its players may be unknown. If rounds are published one after the other, the last published round with a match to
    play: a late table of an earlier round has its card already.
    """
    one_by_one = competition.release == Competition.Release.ROUND_BY_ROUND
    shown = _to_play(competition).filter(published_at__isnull=False).last() if one_by_one else None
    return shown or _to_play(competition).first()


def round_next(competition: Competition) -> Matchday | None:
    """The first round in which no match has begun."""
    begun = Slot.objects.filter(matchday=OuterRef("pk"), match__isnull=False).exclude(
        match__state=Match.State.SCHEDULED
    )
    return _to_play(competition).exclude(Exists(begun)).first()


def _to_play(competition: Competition) -> QuerySet[Matchday]:
    pairs = Slot.objects.filter(IS_PLAYED, matchday=OuterRef("pk"))
    open_ones = Exists(pairs.filter(Q(match__isnull=True) | Q(match__state__in=OPEN)))
    return Matchday.objects.filter(open_ones, stage__competition=competition).order_by("stage__number", "number")


def papers(competition: Competition, day: Matchday) -> list[Paper]:
    """The cards of a round by table, one for each possible game, without byes.

    Three statements.
    """
    slots = list(
        Slot.objects.filter(matchday=day)
        .annotate(berth_count=Count("berths"))
        .exclude(berth_count=1)
        .exclude(not_needed=True)
        .select_related("match__table", "table")
        .order_by("number")
    )
    seated = _seated(slots)
    games: dict[int, list[Game]] = {}
    for game in Game.objects.filter(match__slot__in=slots).order_by("match", "number"):
        games.setdefault(game.match_id, []).append(game)
    found = [
        _paper(competition, day, slot, seated[slot.pk], game)
        for slot in slots
        for game in games.get(slot.match_id, [None])
    ]
    return sorted(found, key=lambda one: (not one.table, natural(one.table), one.starts_at is None, one.starts_at))


def _seated(slots: Sequence[Slot]) -> dict[int, list[Entrant | None]]:
    """Entrants by slot, in order; None while unknown."""
    berths = Berth.objects.filter(slot__in=slots, absent_since=None).select_related(*PEOPLE)
    found: dict[int, list[Entrant | None]] = {}
    for berth in berths.order_by("slot", "number"):
        found.setdefault(berth.slot_id, []).append(berth.entrant)
    return found


def _paper(
    competition: Competition, day: Matchday, slot: Slot, seated: Sequence[Entrant | None], game: Game | None
) -> Paper:
    match = slot.match
    place = match.table if match else slot.table
    return Paper(
        matchday=str(day),
        table=place.name if place else "",
        starts_at=match.starts_at if match else slot.starts_at,
        names=tuple(map(_name, seated)),
        partners=tuple(_partners(one, game, opener(competition, day, third_place=slot.third_place)) for one in seated),
        number=game.number if game else 1,
        best_of=match.best_of if match else competition.games_in(day, third_place=slot.third_place),
        code=game.code if game else "",
        door=match.door if match else "",
    )


def _name(entrant: Entrant | None) -> str:
    """The public name, with the mark of namesakes: everybody sees a card on the table."""
    if entrant is None:
        return ""
    return f"{entrant} ({entrant.apart})" if entrant.apart else str(entrant)


def _partners(entrant: Entrant | None, game: Game | None, first: int) -> list[OnPaper]:
    if entrant is None or not entrant.is_pair:
        return []
    turn = entrant.at_game(game.number, opener=first) if game else None
    return [OnPaper(str(player), player == turn) for player in entrant.players]


def slips(competition: Competition) -> list[Slip]:
    """Slips of all registered entrants, by name. One statement."""
    rows = competition.registrations.select_related(*PEOPLE).order_by("entrant__player__folded", "seed")
    return [
        Slip(
            name=one.entrant.full_name,
            apart=one.entrant.apart,
            door=one.entrant.door,
            pin=one.entrant.pin,
            partners=[OnPaper(player.name or player.code) for player in one.entrant.players if one.entrant.is_pair],
        )
        for one in rows
    ]
