"""The page behind the personal link of an entrant."""

from dataclasses import dataclass, replace

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from league.competitions.formats.registry import LADDERS
from league.competitions.models import Berth, Registration, Slot, Stage
from league.matches import guests
from league.matches.models import Match, Side
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.results import second_side
from league.players.models import PEOPLE, Entrant
from league.players.pairs import own_entrants

NEXT_SHOWN = 6
BYES_SHOWN = 3


@dataclass(frozen=True, slots=True)
class OwnMatch:
    """A match with its place in a competition: "Tuesday, Round 3".

    `door`: the code under which its result is entered, empty if the match is over; `asked`: a single phone entered it
    for both sides, and this side is asked to confirm.
    """

    line: MatchLine
    place: str
    door: str
    asked: bool = False


@dataclass(frozen=True, slots=True)
class PersonalPage:
    """The page behind a personal link.

    `coming`: open matches of the league, the next first; `last`: the latest decided match; `byes`: running rounds in
    which the entrant has a bye; `registrations`: of competitions that are not over, for the check-in, each with
    `ladder`: whether it is a published ladder.
    """

    entrant: Entrant
    coming: list[OwnMatch]
    last: OwnMatch | None
    byes: list[Slot]
    registrations: list[Registration]


def entrant_by_door(door: str) -> Entrant:
    """Find an entrant by the code of its personal link. Raises Entrant.DoesNotExist.

    Spaces and small letters are forgiven, because people type the code.
    """
    letters = "".join(door.split()).upper()
    return Entrant.objects.select_related("league", "player", "partner").get(
        door=letters, player__merged_into=None, partner__merged_into=None
    )


def personal_page(entrant: Entrant, *, desk: bool = False) -> PersonalPage:
    """Return the page behind a personal link. A constant number of statements.

    A minor's tables are named: the holder of the link is the player, like a signed-in user; opponents are named as in
    public. The `desk`, which scans a slip, checks in for drafts too.
    """
    mine = own_entrants(entrant)
    own_sides = Side.objects.filter(entrant__in=mine).values("match")
    matches = Match.objects.filter(pk__in=own_sides, published_at__isnull=False).select_related("league", "table")
    open_ones = matches.exclude(state=Match.State.DECIDED).order_by(F("starts_at").asc(nulls_last=True), "pk")
    ended = matches.filter(state=Match.State.DECIDED).order_by(F("starts_at").desc(nulls_last=True), "-pk")
    coming, last = list(open_ones[:NEXT_SHOWN]), list(ended[:1])
    own = _own_matches([*coming, *last])
    return PersonalPage(
        entrant=entrant,
        coming=own[: len(coming)],
        last=_with_question(own[-1], last[0], mine) if last else None,
        byes=list(_byes(mine)),
        registrations=list(_registrations(mine, desk=desk)),
    )


def _own_matches(matches: list[Match]) -> list[OwnMatch]:
    slots = Slot.objects.filter(match__in=matches).select_related("matchday__stage__competition")
    places = {slot.match_id: f"{slot.matchday.stage.competition}, {slot.matchday}" for slot in slots}
    return [
        OwnMatch(
            replace(line, table=match.table.name if match.table else ""),
            places.get(match.pk, ""),
            "" if match.state == Match.State.DECIDED else match.door,
        )
        for match, line in zip(matches, match_lines(matches), strict=True)
    ]


def _with_question(own: OwnMatch, match: Match, mine: QuerySet[Entrant]) -> OwnMatch:
    if not guests.is_open(match, timezone.now()):
        return own
    sides = Side.objects.filter(match=match, entrant__in=mine).values_list("number", flat=True)
    asked = any(second_side.asks_side(match.pk, side) for side in sides)
    return replace(own, door=match.door, asked=True) if asked else own


def _byes(mine: QuerySet[Entrant]) -> QuerySet[Slot]:
    others = Slot.objects.filter(matchday=OuterRef("matchday"), match__isnull=False)
    open_ones = others.exclude(match__state=Match.State.DECIDED)
    slots = Slot.objects.filter(matchday__published_at__isnull=False, berths__entrant__in=mine, match=None)
    both = Berth.objects.filter(slot=OuterRef("pk")).exclude(entrant__in=mine)
    return (
        slots.filter(~Exists(both), Exists(open_ones))
        .select_related("matchday__stage__competition")
        .order_by("pk")[:BYES_SHOWN]
    )


def _registrations(mine: QuerySet[Entrant], *, desk: bool) -> QuerySet[Registration]:
    """Registrations in competitions that are not over.

    A player sees those of a draft only if its players may check themselves in. `checks_in`: an entrant of the
    competition is checked in.
    """
    running = Stage.objects.filter(competition=OuterRef("competition"), finished_at=None)
    rows = Registration.objects.filter(Exists(running), entrant__in=mine)
    if not desk:
        rows = rows.filter(Q(competition__published_at__isnull=False) | Q(competition__check_in_open=True))
    ladders = Stage.objects.filter(competition=OuterRef("competition"), format__in=LADDERS)
    here = Registration.objects.filter(competition=OuterRef("competition"), checked_in_at__isnull=False)
    rows = rows.annotate(checks_in=Exists(here), ladder=Exists(ladders.filter(competition__published_at__isnull=False)))
    return rows.select_related("competition__league", *PEOPLE).order_by("competition__name")
