"""Story of a finished match: the lead, the play that gave it, muggins, the bell.

A log tells plays, a tally or a card hands, a bare score its margin. A forfeit, a ruling, a concession and a result that
waits for a decision have no story.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.errors import OptionError
from games.moves import SEATS
from league.matches.models import KnownBy, StoredVerdict
from league.matches.queries.lines import GameScore, MatchLine, SideScore
from league.matches.queries.match import MatchPage
from league.matches.rules import rules_agreed
from league.web.matches.lead import LastingLead, LeadBy
from league.web.matches.rounds import GameSheet
from league.web.words import story as words
from league.web.words.result_sentence import result_sentence
from referee.cards.check import known_totals, read
from referee.cards.sheet import CardError

Status = StoredVerdict.Status
# The smallest deficit in a sentence, as a share of the target.
COMEBACK = 4
MOST_SENTENCES = 3
CUT_SHORT = ("forfeit", "concession")
PROVED = (Status.VERIFIED, Status.CORRECTED)
CHECKED = (*PROVED, Status.CONSISTENT)


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A sentence; `key` and `anchor`: the address of its step, empty without one."""

    sentence: str
    key: str = ""
    anchor: str = ""


def story_of(page: MatchPage, sheets: Sequence[GameSheet], *, in_question: bool) -> list[StoryLine]:
    """Return the sentences, three at most; none before the end of the match.

    `in_question`: a protest or a proposed amendment waits for its decision.
    """
    line = page.line
    if in_question or not result_sentence(line) or not all(map(_is_told, line.games)):
        return []
    winner = next(side for side in line.sides if side.won)
    if line.best_of > 1:
        return list(_of_games(line, winner))
    [sheet] = sheets
    if not sheet.view.is_result_of_record or sheet.view.result.ended in CUT_SHORT:
        return []
    return list(_of_game(page, sheet, winner))[:MOST_SENTENCES]


def _is_told(game: GameScore) -> bool:
    return game.known.by != KnownBy.RULED and not game.forfeited


def _of_game(page: MatchPage, sheet: GameSheet, winner: SideScore) -> Iterator[StoryLine]:
    if sheet.lead and sheet.view.verdict.status in PROVED:
        yield from _from_log(sheet, sheet.lead, winner)
        return
    totals = _totals(page, sheet)
    if len(totals) > 1 and list(totals[-1]) == [side.score for side in page.sides]:
        yield from map(StoryLine, _from_hands(totals, page.sides, winner))
        return
    margin = _margin(page.sides, winner)
    if margin > 0:
        yield StoryLine(words.margin_only(winner.name, margin))


def _margin(sides: Sequence[SideScore], winner: SideScore) -> int:
    return (winner.score or 0) - max(side.score or 0 for side in sides if side is not winner)


# --- From a log ---


def _from_log(sheet: GameSheet, lead: LastingLead, winner: SideScore) -> Iterator[StoryLine]:
    yield StoryLine(_lead_words(lead, winner.name), lead.key, lead.anchor)
    if lead.behind and lead.behind * COMEBACK >= sheet.view.target:
        yield StoryLine(words.was_behind(winner.name, lead.behind))
    taken, margin = _muggins(sheet, lead.seat), _margin([row.side for row in sheet.rows], winner)
    if taken > margin:
        yield StoryLine(words.decided_by_muggins(winner.name, taken, margin))
    last = sheet.view.rounds[-1].number if sheet.view.rounds else 0
    if last and sheet.view.result.ended == "bell":
        yield StoryLine(words.ended_by_bell(last))
    if last and sheet.view.result.ended == "overtime":
        yield StoryLine(words.ended_in_overtime(last))


def _lead_words(lead: LastingLead, name: str) -> str:
    if lead.first:
        return words.led_throughout(name)
    if lead.by is LeadBy.PLAY:
        return words.led_by_play(name, lead.round, lead.points, lead.tile)
    if lead.by is LeadBy.MUGGINS:
        return words.led_by_muggins(name, lead.round, lead.points)
    if lead.by is LeadBy.HAND_END:
        return words.led_by_hand_end(name, lead.round, lead.points)
    return words.led_since(name, lead.round)


def _muggins(sheet: GameSheet, seat: int) -> int:
    """Return the points of the upheld muggins calls of a seat."""
    rulings = sheet.view.verdict.rulings
    return sum(
        one["points"]
        for one in rulings
        if one["upheld"] and one["claimant"] == SEATS[seat] and one["rule"].endswith(".muggins")
    )


# --- From hands ---


def _totals(page: MatchPage, sheet: GameSheet) -> list[tuple[int, ...]]:
    """Return the scores after each hand, in the order of the sides; empty unless all are known."""
    if sheet.view.sheet is None:
        checked = sheet.view.verdict and sheet.view.verdict.status in CHECKED
        return [tuple(one.scores) for one in sheet.view.rounds] if checked else []
    rules = rules_agreed(page.match.ruleset, page.match.options)
    if rules is None or sheet.view.result.known_by not in (KnownBy.TALLY, KnownBy.CARD):
        return []
    try:
        found = known_totals(read(sheet.view.sheet, rules, len(page.sides)))
    except (CardError, OptionError):
        return []
    known = [tuple(points for points in one if points is not None) for one in found]
    return known if all(len(one) == len(page.sides) for one in known) else []


def _from_hands(totals: Sequence[Sequence[int]], sides: Sequence[SideScore], winner: SideScore) -> Iterator[str]:
    own = list(sides).index(winner)
    ahead = [one[own] > max(points for place, points in enumerate(one) if place != own) for one in totals]
    if not ahead[-1]:
        return
    since = max((hand + 1 for hand, leads in enumerate(ahead, start=1) if not leads), default=1)
    if since == 1:
        yield words.led_after_every_hand(winner.name)
    elif since == len(totals):
        yield words.led_after_last_hand(winner.name, since)
    else:
        yield words.led_after_hand(winner.name, since)
    before = [(0,) * len(sides), *totals]
    gains = [
        (after - was, hand, place)
        for hand, (earlier, later) in enumerate(zip(before, totals, strict=False), start=1)
        for place, (was, after) in enumerate(zip(earlier, later, strict=True))
    ]
    most = max(gains)[0]
    largest = [one for one in gains if one[0] == most]
    if len(largest) == 1 and most > 0:
        points, hand, place = largest[0]
        yield words.largest_hand(sides[place].name, hand, points)


# --- From the scores of several games ---


def _of_games(line: MatchLine, winner: SideScore) -> Iterator[StoryLine]:
    """Tell a match of two sides: the games lost first, and a last game that decided."""
    winners = [game.outcome.winner for game in line.games]
    if len(line.sides) != 2 or None in winners:
        return
    lost = next(place for place, one in enumerate(winners) if one == winner.number)
    if lost:
        yield StoryLine(words.lost_first_games(winner.name, lost))
    if len(winners) == line.best_of:
        points = line.games[-1].points
        other = next(side for side in line.sides if side is not winner)
        score = f"{points.get(winner.number, 0)}–{points.get(other.number, 0)}"
        yield StoryLine(words.last_game_decided(len(winners), score))
