"""Round-up of a finished round: up to five sentences, each from results that the public sees.

Its facts are cached with the tables, whose fingerprint covers results and names; protests and proposed amendments are
asked at each look. So an amended result, a protest or an erased name changes it at once.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef
from django.utils.translation import get_language

from league.competitions.draw_view import all_days
from league.competitions.entrant_names import placed_in
from league.competitions.models import IS_PLAYED, Competition, Matchday, Slot
from league.competitions.queries.lists import ratings_at_start
from league.competitions.standings.cache import KeptTables, kept_tables
from league.competitions.standings.compute import Row
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.competitions.under_review import UNDECIDED
from league.competitions.visibility import seen_competition
from league.disputes.queries import publicly_open
from league.matches.models import Amendment, Match, Result
from league.matches.queries.finished import (
    FINISHED,
    FinishedGame,
    FinishedMatch,
    FinishedSide,
    GameHighlights,
    KnownHighlights,
    finished_matches,
    highlights_of,
)
from league.web.words import round_up as words
from league.web.words.numbers import figure_text
from league.web.words.tie_breaks import COLUMNS

# A smaller gap of ratings is no surprise.
SURPRISE = 50
MOST_NAMED = 3
# Matches of a round without cached tables.
MOST_UNCACHED = 128


@dataclass(frozen=True, slots=True)
class RoundFact:
    """A sentence of a round-up; `short` and `value` tell it on a picture. `match_id`: 0 for none."""

    sentence: str
    short: str = ""
    value: str = ""
    match_id: int = 0


class ToldFacts(NamedTuple):
    """Facts of a round; `complete`: its logs are all read."""

    facts: Sequence[RoundFact]
    complete: bool


@dataclass(frozen=True, slots=True)
class RoundUp:
    """The round-up of a round; `name`: of the round."""

    competition: Competition
    number: int
    name: str
    facts: Sequence[RoundFact]

    @property
    def sentences(self) -> list[str]:
        return [fact.sentence for fact in self.facts]


def latest_round_up(competition: Competition, tables: KeptTables | None) -> RoundUp | None:
    """Return the round-up of the last public round that is finished.

    `competition`: from `seen_competition`. A ladder has no rounds, and a large round of a knock-out is too slow for a
    front page. Two statements if it is cached with the `tables`, else as many as `round_up_of`.
    """
    if competition.published_at is None or any(stage.is_ladder for stage in competition.stages.all()):
        return None
    played = Slot.objects.filter(IS_PLAYED, matchday=OuterRef("pk"), not_needed=False)
    unfinished = played.exclude(match__state__in=FINISHED)
    days = Matchday.objects.filter(
        Exists(played), ~Exists(unfinished), stage__competition=competition, published_at__isnull=False
    )
    day = days.select_related("stage").order_by("-number").first()
    if day is None or _in_question(competition, day):
        return None
    if tables is None:
        slots = _slots(day)
        return _made(competition, day, _facts(competition, day, tables, slots)) if slots <= MOST_UNCACHED else None
    return _made(competition, day, _kept(competition, day, tables))


def round_up_at(league_slug: str, slug: str, number: int) -> RoundUp | None:
    """Return the round-up of a round for the public. Raises Competition.DoesNotExist, Cancelled."""
    competition = seen_competition(AnonymousUser(), league_slug, slug)
    days = list(all_days(competition))
    day = next((one for one in days if one.number == number), None)
    return round_up_of(competition, day, kept_tables(competition, days)) if day else None


def round_up_of(competition: Competition, day: Matchday, tables: KeptTables | None) -> RoundUp | None:
    """Return the round-up of a public round with its stage; None unless each match has a result without a question.

    `tables`: of the competition, None without standings. A constant number of statements.
    """
    if day.published_at is None or competition.published_at is None or _in_question(competition, day):
        return None
    return _made(competition, day, _facts(competition, day, tables, _slots(day)))


def _slots(day: Matchday) -> int:
    """Return the number of matches of a round, played or not. One statement."""
    return day.slots.filter(IS_PLAYED, not_needed=False).count()


def _made(competition: Competition, day: Matchday, told: ToldFacts) -> RoundUp | None:
    return RoundUp(competition, day.number, str(day), told.facts) if told.facts else None


def _kept(competition: Competition, day: Matchday, tables: KeptTables) -> ToldFacts:
    """Return the facts from the cache of the tables, whose fingerprint covers results and names.

    It does not cover the name of a round, nor highlights that are still to be read.
    """
    name, of_day = f"round-up:{get_language()}", (day.pk, str(day))
    kept_day, told = tables.shelf.get(name) or (None, None)
    if kept_day == of_day:
        return told
    told = _facts(competition, day, tables, _slots(day))
    if told.complete and tables.shelf.is_now():
        tables.shelf.put({name: (of_day, told)})
    return told


def _in_question(competition: Competition, day: Matchday) -> bool:
    """Return whether a match of the round waits for a decision that everybody may know of. One statement."""
    undecided = Result.objects.filter(UNDECIDED, current=True, game__match=OuterRef("pk"))
    proposed = Amendment.objects.filter(state=Amendment.State.PROPOSED, game__match=OuterRef("pk"))
    disputed = publicly_open(competition.league).filter(match=OuterRef("pk"))
    waits = Exists(undecided) | Exists(proposed) | Exists(disputed)
    return Match.objects.filter(waits, slot__matchday=day).exists()


def _facts(competition: Competition, day: Matchday, tables: KeptTables | None, slots: int) -> ToldFacts:
    """Return the facts of a round; none unless all its `slots` have a finished match."""
    matches = finished_matches(Match.objects.filter(slot__matchday=day))
    if not matches or len(matches) != slots:
        return ToldFacts((), complete=True)
    known = highlights_of(f"day:{day.pk}", matches)
    final = list(_final(day, matches))
    of_final = {fact.match_id for fact in final}
    facts = [
        *_standing(competition, day, tables),
        *final,
        *_surprise(matches, _ratings(competition, tables)),
        *(fact for fact in _closest(matches) if fact.match_id not in of_final),
        *_best(matches, known),
    ]
    return ToldFacts(facts, known.complete)


def _ratings(competition: Competition, tables: KeptTables | None) -> Mapping[int, int]:
    """Return the ratings at the start by entrant; of cached tables without a statement."""
    if tables is None:
        return ratings_at_start(competition)
    return {one.entrant_id: one.rating for one in placed_in(tables.registered.rows) if one.rating is not None}


# --- Standings ---


def _standing(competition: Competition, day: Matchday, tables: KeptTables | None) -> Iterator[RoundFact]:
    if tables is None or tables.stage.pk != day.stage_id or tables.draw.groups:
        return
    table = tables.table(after=day.number)
    listed = len(table.listing(official_only=False).codes)
    rows = table.plain_rows(range(min(listed, MOST_NAMED + 1)), official_only=False)
    first = [row for row in rows if row.rank == 1]
    if not first or not first[0].played:
        return
    if len(first) == 1:
        yield _lead(str(day), rows[:2], competition.tie_breaks)
    elif len(first) <= MOST_NAMED:
        yield RoundFact(words.lead_shared([row.name for row in first], str(day)))


def _lead(day: str, rows: Sequence[Row], keys: Iterable[str]) -> RoundFact:
    """Tell a sole leader, and the tie-break that parts it from the second."""
    first, *others = rows
    plain = RoundFact(words.leads(first.name, day), words.short_lead(first.name))
    if not others or not others[0].rank:
        return plain
    [second] = others
    for key in keys:
        if TIE_BREAKS[key].splits_group:
            if any(one.points != other.points for one, other in zip(first.direct, second.direct, strict=False)):
                return replace(plain, sentence=words.leads_by_direct_encounter(first.name, day, second.name))
        elif first.figures[key].value != second.figures[key].value:
            one, other = (figure_text(key, row.figures[key]) for row in (first, second))
            column = COLUMNS[key].title
            sentence = words.leads_by(first.name, day, second.name, column, one, other)
            return RoundFact(sentence, words.short_lead_by(first.name, column, one))
    return plain


# --- Matches ---


def _of_two(matches: Iterable[FinishedMatch]) -> Iterator[tuple[FinishedMatch, FinishedSide, FinishedSide]]:
    """Yield the matches of two that somebody won at the table, with winner and loser."""
    for match in matches:
        if len(match.sides) == 2 and match.winner is not None and match.is_played:
            yield match, match.side(match.winner), match.others(match.winner)[0]


def _score(match: FinishedMatch, *sides: FinishedSide) -> list[int]:
    """Return points of a single game, else games won."""
    if match.best_of == 1:
        return [match.games[0].points.get(side.number, 0) for side in sides]
    return [sum(game.outcome.winner == side.number for game in match.games) for side in sides]


def _final(day: Matchday, matches: Iterable[FinishedMatch]) -> Iterator[RoundFact]:
    if day.kind != Matchday.Kind.FINAL:
        return
    for match, winner, loser in _of_two(matches):
        if not match.third_place:
            score = "–".join(map(str, _score(match, winner, loser)))
            sentence = words.final_won(winner.who.name, loser.who.name, score)
            yield RoundFact(sentence, words.short_winner(winner.who.name), score, match.id)


def _surprise(matches: Iterable[FinishedMatch], ratings: Mapping[int, int]) -> Iterator[RoundFact]:
    """Tell the win against the largest gap of ratings, as they were at the start."""
    found = [
        (ratings[loser.entrant_id] - ratings[winner.entrant_id], match, winner, loser)
        for match, winner, loser in _of_two(matches)
        if winner.entrant_id in ratings and loser.entrant_id in ratings
    ]
    if not found:
        return
    gap, match, winner, loser = max(found, key=itemgetter(0))
    if gap >= SURPRISE:
        one, other = ratings[winner.entrant_id], ratings[loser.entrant_id]
        sentence = words.surprise(winner.who.name, one, loser.who.name, other)
        short = words.short_surprise(winner.who.name, loser.who.name)
        yield RoundFact(sentence, short, f"+{gap}", match.id)


def _closest(matches: Sequence[FinishedMatch]) -> Iterator[RoundFact]:
    """Tell the smallest margin of at least two matches, all of the same length."""
    played = [one for one in _of_two(matches) if all(game.is_played_out for game in one[0].games)]
    if len(played) < 2 or len({match.best_of for match, _winner, _loser in played}) > 1:
        return
    margins = [one - other for one, other in (_score(*found) for found in played)]
    least = min(margins)
    found = [one for one, margin in zip(played, margins, strict=True) if margin == least]
    if len(found) == 1:
        [(match, winner, loser)] = found
        score = "–".join(map(str, _score(match, winner, loser)))
        sentence = words.closest(winner.who.name, loser.who.name, score)
        yield RoundFact(sentence, words.short_closest(winner.who.name, loser.who.name), score, match.id)
    elif played[0][0].best_of == 1:
        yield RoundFact(words.closest_of_several(len(found), least))


# --- Hands and plays ---


def _best(matches: Sequence[FinishedMatch], known: KnownHighlights) -> Iterator[RoundFact]:
    """Tell the best play, without plays the best hand, and muggins; nothing unless all known games were read."""
    if not known.complete:
        return
    games = [game for match in matches for game in match.games if game.is_played]
    by_log = [one for one in known.games if one.game.by_log]
    if any(one.highlights.play for one in by_log):
        yield _best_play(by_log, of_all=_covers(by_log, games))
    elif any(one.highlights.hand for one in known.games):
        yield _best_hand(known.games, of_all=_covers(known.games, games))
    if taken := sum(sum(one.highlights.muggins) for one in by_log):
        yield RoundFact(words.muggins_taken(taken), words.short_muggins(), str(taken))


def _covers(known: Sequence[GameHighlights], games: Sequence[FinishedGame]) -> bool:
    return {one.game.record_id for one in known} >= {game.record_id for game in games}


def _best_play(games: Iterable[GameHighlights], *, of_all: bool) -> RoundFact:
    found = [(play, one) for one in games if (play := one.highlights.play)]
    most = max(play.points for play, _one in found)
    best = [(play, one) for play, one in found if play.points == most]
    if (times := sum(play.times for play, _one in best)) > 1:
        return RoundFact(words.best_play_shared(most, times, of_all=of_all))
    [(play, one)] = best
    name = one.side_of(play.seat).who.name
    sentence = words.best_play(name, most, play.tile, of_all=of_all)
    return RoundFact(sentence, words.short_play(name), str(most), one.match.id)


def _best_hand(games: Iterable[GameHighlights], *, of_all: bool) -> RoundFact:
    found = [(hand, one) for one in games if (hand := one.highlights.hand)]
    most = max(hand.points for hand, _one in found)
    best = [(hand, one) for hand, one in found if hand.points == most]
    if (times := sum(hand.times for hand, _one in best)) > 1:
        return RoundFact(words.best_hand_shared(most, times, of_all=of_all))
    [(hand, one)] = best
    name = one.side_of(hand.seat).who.name
    return RoundFact(words.best_hand(name, most, of_all=of_all), words.short_hand(name), str(most), one.match.id)
