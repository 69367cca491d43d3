"""Page of a match before its first game: the players beside each other, the rules, and the time that is left."""

from dataclasses import dataclass
from datetime import datetime

from league.accounts.permissions import Asker
from league.competitions.ratings.queries import strengths
from league.matches.models import Match
from league.matches.queries.head_to_head import side_by_side
from league.matches.queries.match import MatchPage
from league.web.words.rules import match_rules_in_short


@dataclass(frozen=True, slots=True)
class PlayerBefore:
    """A player before a match: the last results, all matches, those won against the other, the rating."""

    name: str
    code: str
    form: list[str]
    won: int
    lost: int
    beaten: int
    rating: int | None


@dataclass(frozen=True, slots=True)
class BeforeMatch:
    """Two players before their match; `players` is empty for pairs and for tables of more than two."""

    players: list[PlayerBefore]
    rules: list[str]
    starts_at: datetime | None

    @property
    def have_met(self) -> bool:
        return any(one.beaten for one in self.players)

    @property
    def are_rated(self) -> bool:
        return any(one.rating is not None for one in self.players)

    @property
    def have_played(self) -> bool:
        return any(one.form for one in self.players)


def before_match(user: Asker, page: MatchPage, now: datetime) -> BeforeMatch | None:
    """Return what is known before a match; None once anything of it is."""
    begun = page.line.live or any(view.records or view.result for view in page.games)
    if begun or page.match.state != Match.State.SCHEDULED:
        return None
    starts = page.match.starts_at
    return BeforeMatch(
        players=_players(user, page, now),
        rules=match_rules_in_short(page.match),
        starts_at=starts if starts and starts > now else None,
    )


def _players(user: Asker, page: MatchPage, now: datetime) -> list[PlayerBefore]:
    """Return both players, in a constant number of statements."""
    entrants = [side.entrant for side in page.match.sides.all()]
    if len(entrants) != 2 or any(one.partner_id for one in entrants):
        return []
    one, other = (entrant.player for entrant in entrants)
    found = side_by_side(user, one, other, now)
    ratings = strengths(page.match.league, page.match.ruleset, [one.pk, other.pk])
    return [
        PlayerBefore(
            name=str(player),
            code=player.code,
            form=career.form,
            won=career.won,
            lost=career.lost,
            beaten=won,
            rating=round(ratings[player.pk]) if player.pk in ratings else None,
        )
        for player, career, won in zip((one, other), found.careers, found.won, strict=True)
    ]
