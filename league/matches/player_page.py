"""Everything that the page of one player shows."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import F, QuerySet

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.matches.deciding import provisional_standing
from league.matches.lines import MatchLine, Person, match_lines, people_of
from league.matches.models import KnownBy, Match, Result
from league.matches.partners import seat_holders
from league.matches.visible import matches_of, visible_matches, visible_pairs, visible_players
from league.players.models import Entrant, Player
from league.players.pairs import by_codes

FORM = 5


@dataclass(frozen=True, slots=True)
class GamesKnown:
    """How the player's games are known: `games` have a result, `by_level` tells of how many by what, best first. What
    happened within a game (muggins) is known of those `from_log` alone.
    """

    games: int
    by_level: list[tuple[str, int]]

    @property
    def from_log(self) -> int:
        return dict(self.by_level).get(KnownBy.LOG, 0)


@dataclass(frozen=True, slots=True)
class PairPage:
    """A pair that shares a seat: its matches, and how the finished ones ended, provisionally or not."""

    pair: Entrant
    people: tuple[Person, ...]
    played: int
    won: int
    lost: int
    form: list[str]
    matches: QuerySet[Match]


def pair_page(user: Asker, code: str) -> PairPage:
    """By the codes of both with a stroke between them, in either order. Raises Entrant.DoesNotExist."""
    pair = visible_pairs(user).filter(by_codes(code)).order_by("pk").first()
    if pair is None:
        raise Entrant.DoesNotExist
    matches = visible_matches(user).filter(sides__entrant=pair)
    over = [line for line in match_lines(_in_order(matches)) if _is_over(line)]
    outcomes = [_outcome(line, pair.player.code) for line in over]
    return PairPage(
        pair=pair,
        people=people_of(pair),
        played=len(over),
        won=outcomes.count("W"),
        lost=outcomes.count("L"),
        form=outcomes[-FORM:],
        matches=matches.order_by(F("starts_at").desc(nulls_last=True), "-pk"),
    )


@dataclass(frozen=True, slots=True)
class PlayerPage:
    """Totals, alone and in pairs, over the finished matches that the asker may see, provisional ones included; `form`
    has the latest last. The muggins are those of the games that are known from their log.
    """

    player: Player
    leagues: list[League]
    played: int
    won: int
    lost: int
    points_for: int
    points_against: int
    difference: int
    known: GamesKnown
    muggins_caught: int
    muggins_suffered: int
    form: list[str]
    matches: QuerySet[Match]


def player_page(user: Asker, code: str) -> PlayerPage:
    """Raises Player.DoesNotExist. The number of statements does not depend on the number of matches."""
    player = visible_players(user).get(code=code.strip().upper())
    matches = visible_matches(user).filter(pk__in=matches_of(player).values("pk"))
    over = [line for line in match_lines(_in_order(matches)) if _is_over(line)]
    outcomes = [_outcome(line, player.code) for line in over]
    points_for = sum(sum(side.points) for line in over for side in line.sides if player.code in side.codes)
    points_against = sum(sum(side.points) for line in over for side in line.sides if player.code not in side.codes)
    known, caught, suffered = _from_games(player, matches)
    return PlayerPage(
        player=player,
        leagues=list(League.objects.filter(matches__in=matches.order_by()).distinct().order_by("name")),
        played=len(over),
        won=outcomes.count("W"),
        lost=outcomes.count("L"),
        points_for=points_for,
        points_against=points_against,
        difference=points_for - points_against,
        known=known,
        muggins_caught=caught,
        muggins_suffered=suffered,
        form=outcomes[-FORM:],
        matches=matches.order_by(F("starts_at").desc(nulls_last=True), "-pk"),
    )


def _in_order(matches: QuerySet[Match]) -> QuerySet[Match]:
    begun = matches.exclude(state=Match.State.SCHEDULED)
    return begun.order_by(F("starts_at").asc(nulls_first=True), "pk")


def _is_over(line: MatchLine) -> bool:
    return provisional_standing(line.best_of, [game.outcome for game in line.games], sides=len(line.sides)).over


def _outcome(line: MatchLine, code: str) -> str:
    """At a table of more than two only those who share its first place have drawn."""
    own = next(side for side in line.sides if code in side.codes)
    if own.won:
        return "W"
    return "L" if any(side.won for side in line.sides) or (own.place or 1) > 1 else "D"


def _from_games(player: Player, matches: QuerySet[Match]) -> tuple[GamesKnown, int, int]:
    """How the games are known that the player, and not the partner, played; how many claims of the player were upheld,
    and how many against the player.
    """
    results = Result.objects.filter(current=True, game__match__in=matches).values_list(
        "known_by",
        "record__seats",
        "record__verdict__rulings",
        "record__partners",
        "game__number",
        "game__match__sides__number",
        "game__match__sides__opener",
        "game__match__sides__entrant__player__code",
        "game__match__sides__entrant__partner__code",
    )
    caught = suffered = 0
    levels: Counter[str] = Counter()
    for level, seats, rulings, partners, game, *side in results:
        holders = seat_holders(*side)
        if player.code not in holders.codes or holders.of_game(game, partners) != player.code:
            continue
        number = holders.number
        levels[level] += 1
        upheld = [ruling for ruling in rulings or [] if ruling["upheld"]]
        caught += sum(seats.get(ruling["claimant"]) == number for ruling in upheld)
        suffered += sum(seats.get(ruling["against"] or "") == number for ruling in upheld)
    by_level = [(level.value, levels[level]) for level in KnownBy if levels[level]]
    return GamesKnown(levels.total(), by_level), caught, suffered
