"""Lists of matches, limited to those visible to the asker."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Case, DateTimeField, Exists, F, OuterRef, Q, QuerySet, Value, When

from league.accounts.models import League
from league.accounts.permissions import OFFICIALS, Asker, leagues_where
from league.matches import permissions
from league.matches.models import Game, Match, Record, Result
from league.matches.visibility import visible_matches
from league.prepared_statements import FixedSelect, Given, GivenUser

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Entered(TypedDict):
        latest: datetime


# A match that has begun and has no result yet counts as being played for this long.
AT_THE_TABLE = timedelta(hours=2)
MOST_CHOICES = 100
# Of one match (`best_of_an_odd_number`).
MOST_GAMES = 11


def latest_results(user: Asker, most: int, league: League | None = None) -> "QuerySet[WithAnnotations[Match, Entered]]":
    """Return matches with a result that waits for no decision, the latest entry first; of one league or of all.

    At most `most`, annotated with the time of entry (`latest`). Two statements, one of them here; the results are read
    from the latest on, not all of them.
    """
    stands = Result.objects.filter(current=True, needs_decision=False, game__match__in=visible_matches(user))
    if league:
        stands = stands.filter(game__match__league=league)
    newest = stands.order_by("-entered_at", "-pk").values_list("game__match", "entered_at")
    came: dict[int, datetime] = {}
    for match, at in newest[: most * MOST_GAMES]:
        if len(came) < most:
            came.setdefault(match, at)
    whens = [When(pk=match, then=Value(at)) for match, at in came.items()]
    latest = Case(*whens, default=None, output_field=DateTimeField())
    return Match.objects.filter(pk__in=came).annotate(latest=latest).order_by("-latest", "-pk")


def upcoming(user: Asker, now: datetime) -> QuerySet[Match]:
    to_come = visible_matches(user).filter(state=Match.State.SCHEDULED, starts_at__gt=now)
    return to_come.order_by("starts_at", "pk")


def live(user: Asker, now: datetime) -> QuerySet[Match]:
    """Return matches at the table now, or with a log being checked.

    At the table: begun, or between two games with one still to play. A match that only waits for a fixed log is left
    out.
    """
    handed_in = Record.objects.filter(game=OuterRef("pk"), withdrawn_at=None)
    to_play = Q(Exists(Game.objects.filter(~Exists(handed_in), match=OuterRef("pk"))))
    begun = Q(state=Match.State.SCHEDULED, starts_at__lte=now, starts_at__gt=now - AT_THE_TABLE)
    playing = Q(state=Match.State.PLAYING)
    at_table = Match.objects.filter(begun | playing).filter(to_play).order_by()
    checking = Record.objects.filter(state=Record.State.RECEIVED).order_by()
    # Each is a handful, found by an index; both joined by OR would scan every match.
    found = at_table.values("pk").union(checking.values("game__match"))
    return visible_matches(user).filter(pk__in=found).order_by(F("starts_at").asc(nulls_last=True), "pk")


def game_of(user: Asker, match_id: int, number: int) -> Game:
    """Game `number` of a match that the asker may see. Raises Game.DoesNotExist."""
    seen = Game.objects.filter(match__in=visible_matches(user), match=match_id)
    return seen.select_related("match__league").get(number=number)


# --- What the asker may do ---


@dataclass(frozen=True, slots=True)
class GameChoice:
    """A game for which the asker may submit a log."""

    code: str
    match_id: int
    number: int
    best_of: int
    label: str
    league: League
    starts_at: datetime | None


def games_to_submit(user: Asker) -> list[GameChoice]:
    """Return games without official result in which the asker plays or is an official.

    The earliest first, 100 at most.
    """
    if not user.is_authenticated:
        return []
    official = Result.objects.filter(game=OuterRef("pk"), current=True, state=Result.State.OFFICIAL)
    mine = Q(match__in=permissions.sides_of(user).values("match"))
    mine |= Q(match__league__in=leagues_where(user, OFFICIALS))
    games = (
        Game.objects.filter(~Exists(official), mine, match__in=visible_matches(user))
        .exclude(match__state=Match.State.DECIDED)
        .select_related("match__league")
        .prefetch_related("match__sides__entrant__player", "match__sides__entrant__partner")
        .order_by(F("match__starts_at").asc(nulls_last=True), "match", "number")
    )
    return [_choice(game) for game in games[:MOST_CHOICES]]


def _choice(game: Game) -> GameChoice:
    match = game.match
    names = [str(side.entrant) for side in match.sides.all()]
    return GameChoice(game.code, match.pk, game.number, match.best_of, " – ".join(names), match.league, match.starts_at)


def game_to_submit(user: Asker, code: str) -> Game:
    """Return a game of a match that the asker may see. Raises Game.DoesNotExist.

    The service decides whether they may submit its log.
    """
    game: Game = TO_SUBMIT.model(user=user.pk or 0, code=code.strip().upper())
    return game


TO_SUBMIT = FixedSelect(
    lambda: (
        Game.objects.filter(match__in=visible_matches(GivenUser()), code=Given("code"))  # type: ignore[arg-type]
        .select_related("match__league")
        .order_by()
    )
)
