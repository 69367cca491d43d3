"""Data of the match page, in a constant number of statements."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, F, OuterRef, QuerySet, Subquery
from django.utils import timezone

from games.device import has_device_rules
from games.moves import SEATS
from games.ruleset import Ruleset
from games.rulesets import RULESETS
from league.accounts.models import User
from league.accounts.permissions import STAFF, Asker
from league.matches import annotated_log, hash_chain, permissions
from league.matches.amendments import amendments_of
from league.matches.clock.queries import ClockPage, clock_page
from league.matches.log_text import read_header
from league.matches.logs import unfinished
from league.matches.models import (
    IN_ORDER,
    Amendment,
    ClockEvent,
    Game,
    KnownBy,
    Match,
    Record,
    Reply,
    Result,
    SealedLog,
    Side,
    StoredVerdict,
)
from league.matches.queries.lines import OUTSIDER, MatchLine, SideScore, by_side, line_of, logs_of
from league.matches.queries.review import GameReview, review_of
from league.matches.results.entering import is_undoable
from league.matches.results.standing import takes_score_beside
from league.matches.rules import rules_agreed
from league.matches.visibility import visible_matches
from league.players.models import PEOPLE, Player
from league.prepared_statements import FixedSelect, FixedSelects, Given, GivenUser, attach

if TYPE_CHECKING:
    from typing import TypedDict

    from django_stubs_ext import WithAnnotations

    class Asked(TypedDict):
        amendment_open: int | None


@dataclass(frozen=True, slots=True)
class GameView:
    """One game: current result, the record and verdict shown, the asker's options.

    `checking`: the latest log has no verdict yet; `being_checked`: a log later than the result's, or of others, has
    none. `seats`: side → letter in the log shown; `seats_differ`: not in the order of the fixture. `sheet`: the content
    of the tally, card, score or ruling shown; None for a log. `amendments`: those of its official result, the first one
    first. `sealed_text`: the log with codes for names.
    """

    game: Game
    result: Result | None
    points: dict[int, int]
    winner: int | None
    record: Record | None
    newer: Record | None
    records: list[Record]
    is_result_of_record: bool
    checking: bool
    being_checked: bool
    seats: dict[int, str]
    seats_differ: bool
    verdict: StoredVerdict | None
    sheet: Mapping[str, Any] | None
    target: int
    rounds: list[annotated_log.RoundLine]
    findings: list[annotated_log.FindingLine]
    chips: dict[int, int] | None
    log: list[annotated_log.LogLine]
    broken_at: int | None
    may_submit: bool
    may_enter: bool
    may_confirm: bool
    may_mend: bool
    may_tally: bool
    may_amend: bool
    may_take_back: bool
    amendments: list[Amendment]
    clock: ClockPage | None
    review: GameReview | None = None
    sealed_text: str = ""


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Data of the match page.

    `amendment_waits`: an amendment of an official result is proposed and not closed; `amendment_open` is its key if the
    asker may see it, else None. `concerned`: the asker plays in it, or is an official or desk helper of its league.
    `one`: the asker's part in it.
    """

    match: Match
    line: MatchLine
    sides: list[SideScore]
    ruleset: str
    edition: int | None
    confirmation_required: bool
    games: list[GameView]
    amendment_waits: bool = False
    amendment_open: int | None = None
    concerned: bool = False
    one: permissions.Actor | None = None


def match_page(user: Asker, match_id: int, *, record_id: int | None = None, now: datetime | None = None) -> MatchPage:
    """Return the page of a match. Raises Match.DoesNotExist.

    Of each game the record asked for is shown, else that of its result, else the latest.
    """
    match = _load(user, match_id)
    kinds = permissions.kinds_of(user, match)
    line = line_of(match, user, frozenset({match.league_id} if kinds & STAFF else ()))
    shown = {game.pk: _shown(game, record_id) for game in match.games.all()}
    texts = _texts([record for record in shown.values() if record])
    agreed = rules_agreed(match.ruleset, match.options)
    one = permissions.actor_from(user, match, kinds, _side_of(user, match))
    amendments = amendments_of(match.pk) if line.amended or line.void else []
    pages = _Pages(match, line, one, _names(line, texts.values()), texts, now or timezone.now(), agreed, amendments)
    rules = RULESETS.get(match.ruleset)
    return MatchPage(
        match=match,
        line=line,
        sides=line.sides,
        ruleset=match.ruleset,
        edition=rules.edition if rules else None,
        confirmation_required=match.league.confirmation_required,
        games=[pages.view(game, shown[game.pk]) for game in match.games.all()],
        amendment_waits=match.amendment_open is not None,
        amendment_open=match.amendment_open if permissions.why_not_amend(one) is None else None,
        concerned=one.sees and (one.plays or one.official or one.enters),
        one=one,
    )


def _seen_by(user: Any) -> "QuerySet[WithAnnotations[Match, Asked]]":
    waits = Amendment.objects.filter(game__match=OuterRef("pk"), state=Amendment.State.PROPOSED)
    matches = visible_matches(user).filter(pk=Given("match")).order_by()
    return matches.select_related(
        "league", "table", "voided_by__game"
    ).annotate(  # type: ignore[no-redef]
        amendment_open=Subquery(waits.order_by("pk").values("pk")[:1]),
        had_replies=Exists(Reply.objects.filter(result__game__match=OuterRef("pk"))),
    )


SEEN_BY_ALL = FixedSelect(lambda: _seen_by(OUTSIDER))
SEEN_BY_USER = FixedSelect(lambda: _seen_by(GivenUser()))
SIDES = FixedSelect(lambda: Side.objects.filter(match=Given("match")).select_related(*PEOPLE).order_by("number"))
GAMES = FixedSelect(lambda: Game.objects.filter(match=Given("match")).annotate(**logs_of()).order_by("number"))


def _public_reviews() -> Subquery:
    """Count the public reviews of the log behind a result, by the name of their foreign key in a room above."""
    reviews = Record.objects.filter(pk=OuterRef("record"), move_reviews__public=True).order_by().values("pk")
    return Subquery(reviews.annotate(number=Count("move_reviews")).values("number"))


RESULTS = FixedSelect(
    lambda: (
        Result.objects.filter(current=True, game__match=Given("match"))  # type: ignore[no-redef]
        .select_related("record", "confirmed_by")
        .annotate(verdict_status=F("record__verdict__status"), public_reviews=_public_reviews())
    )
)
RECORDS = FixedSelect(
    lambda: (
        Record.objects.filter(game__match=Given("match"))
        .select_related("submitted_by", "verdict", "score_sheet")
        .order_by(*(f"-{field}" for field in IN_ORDER))
    )
)
CLOCK_EVENTS = FixedSelect(
    lambda: ClockEvent.objects.filter(game__match=Given("match")).select_related("by").order_by("number")
)
TEXTS = FixedSelects(lambda records: SealedLog.objects.filter(record__in=records))
PLAYERS = FixedSelects(lambda codes: Player.objects.filter(code__in=codes).select_related("merged_into"))
USERS = FixedSelects(lambda codes: User.objects.filter(code__in=codes))


def _load(user: Asker, match_id: int) -> "WithAnnotations[Match, Asked]":
    """Return the match with everything that its page shows of it. Raises Match.DoesNotExist."""
    known = user.is_authenticated and user.pk
    match: WithAnnotations[Match, Asked] = (
        SEEN_BY_USER.model(match=match_id, user=known) if known else SEEN_BY_ALL.model(match=match_id)
    )
    attach(SIDES.models(match=match_id), [match], "match", "sides")
    games = GAMES.models(match=match_id)
    attach(games, [match], "match", "games")
    attach(RESULTS.models(match=match_id), games, "game", "current_results", as_list=True)
    attach(RECORDS.models(match=match_id), games, "game", "records_newest_first", as_list=True)
    attach(CLOCK_EVENTS.models(match=match_id), games, "game", "clock_events")
    return match


def result_to_confirm(user: User, match_id: int, result_id: int) -> Result | None:
    """Return a current result of a match that the asker sees; None if another has replaced it.

    One statement, with None two. Raises Match.DoesNotExist.
    """
    found = CURRENT.models(match=match_id, result=result_id, user=user.pk)
    if not found and not visible_matches(user).filter(pk=match_id).exists():
        raise Match.DoesNotExist
    return found[0] if found else None


CURRENT = FixedSelect(
    lambda: (
        Result.objects.filter(pk=Given("result"), current=True, game__match=Given("match"))
        .filter(game__match__in=visible_matches(GivenUser()))  # type: ignore[arg-type]
        .select_related("game__match__league")
    )
)


def _shown(game: Game, record_id: int | None) -> Record | None:
    records = game.records_newest_first
    asked = next((record for record in records if record.pk == record_id), None)
    behind = game.current_results[0].record_id if game.current_results else None
    standing = next((record for record in records if record.pk == behind), None)
    return asked or standing or next((record for record in records if record.withdrawn_at is None), None)


def _texts(records: Sequence[Record]) -> dict[int, SealedLog]:
    return {sealed.record_id: sealed for sealed in TEXTS.models(record.pk for record in records)}


def _side_of(user: Asker, match: Match) -> int | None:
    """Return the asker's side, from loaded rows."""
    own = [side.number for side in match.sides.all() if user.is_authenticated and side.entrant.is_of(user.pk)]
    return own[0] if own else None


def _names(line: MatchLine, logs: Iterable[str | SealedLog]) -> dict[str, str]:
    """Return code → name of the sides, each log's referee, and merged players.

    A log may be sealed with the code of a player merged into a side's player since.
    """
    names = {one.code: one.name for side in line.sides for one in side.people}
    texts = [one if isinstance(one, str) else one.text for one in logs]
    headers = [read_header(text) for text in texts]
    written = {header.tags.get("Referee", "") for header in headers}
    others = written.union(*(header.seats.values() for header in headers)) - {"", *names}
    if others:
        names |= {player.code: str(player.merged_into or player) for player in PLAYERS.models(others)}
        names |= {user.code: str(user) for user in USERS.models(written - set(names))}
    return names


@dataclass(frozen=True, slots=True)
class _Pages:
    """Data shared by the views of a match's games."""

    match: Match
    line: MatchLine
    one: permissions.Actor
    names: Mapping[str, str]
    texts: Mapping[int, SealedLog]
    now: datetime
    rules: Ruleset | None
    amendments: Sequence[Amendment]

    def view(self, game: Game, record: Record | None) -> GameView:
        result = game.current_results[0] if game.current_results else None
        records = game.records_newest_first
        verdict = verdict_of(record)
        # A tally, a card or a score has no text.
        sealed = self.texts.get(record.pk) if record else None
        text = sealed.text if sealed else ""
        if record and unfinished.is_held(record, text, result, self.match, self.one):
            verdict = verdict and unfinished.cut_verdict(verdict, text)
            text = unfinished.cut_text(text)
        findings = self._findings(verdict, text, is_log=sealed is not None)
        sides = {side.number: side.name for side in self.line.sides}
        seats = record.seats if record else {}
        may_submit = self._open(result) and permissions.why_not_submit(self.one) is None
        return GameView(
            game=game,
            result=result,
            points=by_side(result.scores) if result else {},
            winner=result.winner if result else None,
            record=record,
            newer=records[0] if record and records[0].pk != record.pk else None,
            records=records,
            is_result_of_record=bool(result and record and result.record_id == record.pk),
            checking=bool(records) and verdict_of(records[0]) is None,
            being_checked=_being_checked(result, records),
            seats={number: letter for letter, number in seats.items()},
            seats_differ=[seats[letter] for letter in sorted(seats)] != sorted(seats.values()),
            verdict=verdict,
            sheet=sheet_data(record),
            target=self.rules.target if self.rules else 0,
            rounds=annotated_log.round_lines(verdict.rounds, seats, sides) if verdict and sealed else [],
            findings=findings,
            chips={seats[seat]: left for seat, left in verdict.chips.items()} if verdict and verdict.chips else None,
            log=annotated_log.log_lines(text, self.names, findings) if sealed else [],
            broken_at=hash_chain.broken_at(sealed.text, sealed.heads) if sealed else None,
            may_submit=may_submit,
            may_enter=self._may_enter(result),
            may_confirm=not _being_checked(result, records) and self._may_confirm(result),
            may_mend=may_submit and verdict is not None and verdict.status != StoredVerdict.Status.VERIFIED,
            may_tally=result is None
            and self._open(result)
            and self.match.published_at is not None
            and self._has_pad(len(sides))
            and permissions.why_not_keep_tally(self.one) is None,
            may_amend=result is not None
            and result.state == Result.State.OFFICIAL
            and permissions.why_not_amend(self.one) is None,
            may_take_back=self._may_take_back(result, records),
            amendments=[one for one in self.amendments if one.game_id == game.pk],
            review=review_of(game, result, self.one, had_replies=self.match.had_replies),
            clock=clock_page(game, self.match, self.one, now=self.now, text=text),
            sealed_text=text,
        )

    def _has_pad(self, sides: int) -> bool:
        return sides == 2 or (self.rules is not None and has_device_rules(self.rules, sides))

    def _findings(self, verdict: StoredVerdict | None, text: str, *, is_log: bool) -> list[annotated_log.FindingLine]:
        if verdict is None:
            return []
        if is_log:
            return annotated_log.finding_lines(verdict.findings, text, self.names)
        return annotated_log.card_finding_lines(
            verdict.findings, self.rules, dict(zip(SEATS, (side.name for side in self.line.sides), strict=False))
        )

    def _open(self, result: Result | None) -> bool:
        """Return whether a log can change the result: neither official nor decided."""
        closed = result is not None and result.state == Result.State.OFFICIAL
        return not closed and self.match.state != Match.State.DECIDED

    def _may_enter(self, result: Result | None) -> bool:
        """Return whether to offer the entry of a score: it is enough here and may count."""
        open_to_score = result is None or takes_score_beside(result)
        suffices = self.match.level == KnownBy.SCORE
        return self._open(result) and open_to_score and suffices and permissions.why_not_enter(self.one) is None

    def _may_take_back(self, result: Result | None, records: Sequence[Record]) -> bool:
        """Return whether to offer it: not beside another entry, between which officials choose."""
        if result is None or result.contested:
            return False
        record = next((one for one in records if one.pk == result.record_id), None)
        return record is not None and is_undoable(record, self.one, self.now)

    def _may_confirm(self, result: Result | None) -> bool:
        if result is None or not self._open(result):
            return False
        return permissions.why_not_confirm(self.one, result) is None


def verdict_of(record: Record | None) -> StoredVerdict | None:
    verdict: StoredVerdict | None = getattr(record, "verdict", None)
    return verdict


def sheet_data(record: Record | None) -> Mapping[str, Any] | None:
    """Return the content of a tally, card, score or ruling; None for a log.

    No statement if it was loaded with the record.
    """
    written = getattr(record, "score_sheet", None) if record else None
    data: Mapping[str, Any] | None = written.data if written else None
    return data


def _being_checked(result: Result | None, records: Sequence[Record]) -> bool:
    if result is None:
        return False
    waits = [one for one in records if one.state == Record.State.RECEIVED]
    return any(one.order > result.record.order or one.for_side != result.record.for_side for one in waits)
