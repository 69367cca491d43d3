"""Head to head: a player's opponents, and the matches against one of them."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, QuerySet

from league.accounts.permissions import Asker
from league.matches.models import Match, Side
from league.matches.queries.career import Career, OwnGame, career, career_of, own_games
from league.matches.queries.player import seen_matches
from league.players.models import Entrant, Player, plays
from league.players.queries import found_by_name


@dataclass(frozen=True, slots=True)
class Opponent:
    player: Player
    meetings: int


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """The matches of two players on different sides, the latest first.

    Alone or in pairs, with the career of each in these matches.
    """

    player: Player
    opponent: Player
    matches: QuerySet[Match]
    career: Career
    of_opponent: Career


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Two players beside each other: the career of each, and the matches won against the other."""

    careers: tuple[Career, Career]
    won: tuple[int, int]


def opponents(user: Asker, player: Player, wanted: str = "") -> list[Opponent]:
    """Return past and future opponents, the most frequent first.

    `wanted`: a part of the name, or a whole code. Two statements.
    """
    against = Side.objects.filter(match__in=seen_matches(user, player).values("pk")).exclude(
        entrant__in=Entrant.objects.filter(plays(player))
    )
    rows = against.values_list("entrant__player", "entrant__partner")
    meetings = Counter(pk for both in rows for pk in both if pk)
    found = Player.objects.filter(pk__in=meetings, merged_into=None).exclude(pk=player.pk)
    if wanted:
        found = found.filter(found_by_name(wanted))
    met = [Opponent(one, meetings[one.pk]) for one in found]
    return sorted(met, key=lambda one: (-one.meetings, str(one.player).casefold(), one.player.code))


def head_to_head(user: Asker, player: Player, opponent: Player, now: datetime) -> HeadToHead:
    """Return the head to head of two players visible to the asker. Four statements."""
    one, other = Entrant.objects.filter(plays(player)), Entrant.objects.filter(plays(opponent))
    matches = (
        seen_matches(user, player)
        .filter(pk__in=Side.objects.filter(entrant__in=one.exclude(pk__in=other.values("pk"))).values("match"))
        .filter(pk__in=Side.objects.filter(entrant__in=other.exclude(pk__in=one.values("pk"))).values("match"))
    )
    return HeadToHead(
        player=player,
        opponent=opponent,
        matches=matches.order_by(F("starts_at").desc(nulls_last=True), "-pk"),
        career=career(one, matches, now, code=player.code),
        of_opponent=career(other, matches, now, code=opponent.code),
    )


def side_by_side(user: Asker, one: Player, other: Player, now: datetime) -> SideBySide:
    """Compare two players visible to the asker. Four statements."""
    first, second = (
        own_games(Entrant.objects.filter(plays(player)), seen_matches(user, player), player.code)
        for player in (one, other)
    )
    return SideBySide(
        careers=(career_of(first, now), career_of(second, now)),
        won=(career_of(_against(first, second), now).won, career_of(_against(second, first), now).won),
    )


def _against(games: Sequence[OwnGame], theirs: Sequence[OwnGame]) -> list[OwnGame]:
    """Return the games of the matches that the other player played on another side."""
    sides = {game.match_id: game.own for game in theirs}
    return [game for game in games if sides.get(game.match_id, game.own) != game.own]
