"""Play a competition with invented players through the services of the real day.

Paired, published, entered, confirmed. The transaction is rolled back; only the report is kept.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.no_shows import forfeit_absent, wait_for
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.lots import draw_table_lots
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next, next_draw
from league.competitions.entrants import standing_withdrawals
from league.competitions.models import Berth, Competition, Matchday, Slot
from league.competitions.standings.tiebreaks.registry import Needs, any_needs
from league.errors import Refused
from league.house.computer_players import PlayedOut, play_out
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Game, KnownBy, Match, Result
from league.matches.permissions import Guest
from league.matches.results.entering import enter_sheet
from league.matches.results.judging import rules_of_match
from league.matches.results.reviews import choose, under_review
from league.matches.rules import option_text
from league.players.models import PEOPLE
from league.rehearsals.clone import Scene, build
from league.rehearsals.report import Event, Happening, report_of

Report = Callable[[int], None]
MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Mishaps:
    """Mishaps to include.

    `withdraw_after`: the round after which an entrant withdraws, 0 for none.
    """

    no_show: bool = False
    withdraw_after: int = 0
    late_entry: bool = False
    level_game: bool = False
    protest: bool = False


@dataclass
class _Day:
    """The rehearsal in progress.

    `chance` decides everything; `happened` lists events in order.
    """

    scene: Scene
    chance: Random
    wishes: Mishaps
    seed: int
    tell: Report
    expected: int
    planted: set[Happening] = field(default_factory=set)
    happened: list[Event] = field(default_factory=list)
    played: int = 0

    @property
    def competition(self) -> Competition:
        return self.scene.competition


def play_through(
    source: Competition, *, entrants: int, seed: int, wishes: Mishaps, expected: int = 0, tell: Report = lambda _: None
) -> Mapping[str, Any]:
    """Play a rehearsal, and return its report (`report.report_of`).

    The same seed gives the same report. Nothing else is stored. `expected`: the number of matches; `tell` receives the
    played share, in per cent.

    Raises Refused if the competition cannot be drawn; later refusals are in the report.
    """
    refuse_if_endless(source)
    with transaction.atomic():
        scene = build(source, entrants)
        day = _Day(scene, Random(seed), wishes, seed, tell, expected)
        _play(day)
        told = report_of(scene, day.happened, seed=seed, games=day.played)
        transaction.set_rollback(True)
    return told


def refuse_if_endless(source: Competition) -> None:
    """Raise Refused `no-end` for a ladder."""
    if any(stage.is_ladder for stage in source.stages.all()):
        raise Refused(
            "no-end",
            _("%(competition)s is a ladder: its players choose their challenges, and it has no end to play to."),
            competition=source,
        )


def _play(day: _Day) -> None:
    """Play all rounds, until none is left or a refusal stops the rehearsal."""
    try:
        for _step in range(MOST_STEPS):
            if not (_play_round(day) or _go_on(day)):
                break
        if any_needs(day.competition.tie_breaks, Needs.LOTS):
            draw_table_lots(day.competition, user=day.scene.organizer, rng=day.chance)
    except Refused as refused:
        _note(day, Happening.STOPPED, refused=refused)


def _note(
    day: _Day, what: Happening, matchday: Matchday | None = None, who: str = "", refused: Refused | None = None
) -> None:
    number, name = (matchday.number, str(matchday)) if matchday else (0, "")
    told = (refused.code, str(refused)) if refused else ("", "")
    day.happened.append(Event(what, number, name, who, *told))


# --- A round ---


def _play_round(day: _Day) -> bool:
    """Play the first published round with open matches. False if there is none."""
    slots = _slots(day.competition).filter(match__published_at__isnull=False)
    slots = slots.exclude(match__state=Match.State.DECIDED).select_related("matchday__stage", "match__league")
    first = slots.first()
    if first is None:
        return False
    _late_entry(day, first.matchday)
    first = slots.first() or first  # a late entry may have a preliminary match before it
    for slot in list(slots.filter(matchday=first.matchday)):
        _plant_before(day, slot)
        if not _is_decided(slot.match_id):
            _play_match(day, slot)
        if not _is_decided(slot.match_id):
            _note(day, Happening.UNDECIDED, slot.matchday, _names(slot))
            raise Refused("undecided", _("This match has no winner, so nothing follows from it."))
        advance(slot.match_id)
        day.tell(min(99, 100 * day.played // max(day.expected, 1)))
    _withdraw(day, first.matchday)
    return True


def _slots(competition: Competition):
    slots = Slot.objects.filter(matchday__stage__competition=competition).exclude(match=None)
    return slots.order_by("matchday__number", "number")


def _is_decided(match_id: int) -> bool:
    return Match.objects.filter(pk=match_id, state=Match.State.DECIDED).exists()


def _names(slot: Slot) -> str:
    berths = slot.berths.select_related(*PEOPLE).order_by("number")
    return " – ".join(str(one.entrant) for one in berths if one.entrant)


def _go_on(day: _Day) -> bool:
    """Publish the next round, or draw it first. False at the end of the competition."""
    hidden = Matchday.objects.filter(stage__competition=day.competition, published_at=None)
    coming = hidden.order_by("stage__number", "number").first()
    if coming is not None:
        return publish_matchday(coming, user=day.scene.organizer)
    if next_draw(day.competition) is None:
        return False
    draw_next(day.competition, user=day.scene.organizer)
    return True


# --- A match ---


def _play_match(day: _Day, slot: Slot) -> None:
    # Forfeits after a withdrawal only need confirmation.
    _confirm(day, Game.objects.filter(match=slot.match_id))
    games = Game.objects.filter(match=slot.match_id).exclude(results__current=True)
    for game in games.order_by("number"):
        if _is_decided(slot.match_id):
            return
        _play_game(day, game, slot)


def _play_game(day: _Day, game: Game, slot: Slot) -> None:
    game = Game.objects.select_related("match__league").get(pk=game.pk)
    if day.wishes.level_game and Happening.LEVEL not in day.planted:
        _level_game(day, game, slot)
    if day.wishes.protest and Happening.PROTEST not in day.planted and _protest(day, game, slot):
        return
    _hand_in(day, game, _game(day, game))
    _confirm(day, [game])


def _game(day: _Day, game: Game) -> PlayedOut:
    day.played += game.number == 1
    match = game.match
    sides = match.sides.select_related(*PEOPLE).order_by("number")
    names = [side.player_of(game.number).name for side in sides]
    options = {key: option_text(value) for key, value in match.options.items()}
    matching = rules_of_match(match).matching
    return play_out(match.ruleset, matching, options, names, code=game.code, rng=Random(day.chance.getrandbits(32)))


def _hand_in(day: _Day, game: Game, played: PlayedOut) -> None:
    """Enter a score if that is enough, else the log."""
    if game.match.level == KnownBy.SCORE:
        enter_sheet(game, day.scene.organizer, played.sheet, kind=KnownBy.SCORE)
        return
    submitted = submit_log(game=game, user=day.scene.organizer, raw=played.text.encode())
    verify_record(submitted.record.pk)


def _confirm(day: _Day, games: Iterable[Game]) -> None:
    """Confirm waiting results as the second official."""
    waiting = Result.objects.filter(game__in=list(games), current=True, state=Result.State.PROVISIONAL)
    for result in waiting.select_related("game__match__league").order_by("game__number"):
        if not _is_decided(result.game.match_id):
            confirm_result(result=result, user=day.scene.second)


# --- Mishaps ---


def _plant_before(day: _Day, slot: Slot) -> None:
    if day.wishes.no_show and Happening.NO_SHOW not in day.planted:
        _attempt(day, Happening.NO_SHOW, slot, _no_show)


def _attempt(day: _Day, what: Happening, slot: Slot, act: Callable[[_Day, Slot], str]) -> None:
    """Try a mishap once; a refusal is recorded, and the rehearsal goes on."""
    day.planted.add(what)
    try:
        with transaction.atomic():
            who = act(day, slot)
    except Refused as refused:
        _note(day, what, slot.matchday, refused=refused)
    else:
        _note(day, what, slot.matchday, who)


def _no_show(day: _Day, slot: Slot) -> str:
    absent = slot.berths.select_related(*PEOPLE).get(number=2).entrant
    wait_for(slot, absent, user=day.scene.organizer)
    # Nobody waits that long in a rehearsal, so the start of the wait is set back.
    since = timezone.now() - timedelta(minutes=day.competition.forfeit_after_min)
    Berth.objects.filter(slot=slot, entrant=absent).update(awaited_since=since)
    forfeit_absent(slot, absent, user=day.scene.organizer)
    _confirm(day, Game.objects.filter(match=slot.match_id))
    return str(absent)


def _late_entry(day: _Day, matchday: Matchday) -> None:
    if day.wishes.late_entry and Happening.LATE not in day.planted:
        first = _slots(day.competition).filter(matchday=matchday).select_related("matchday").first()
        _attempt(day, Happening.LATE, first, _arrive)


def _arrive(day: _Day, _slot: Slot) -> str:
    name = _("Latecomer %(number)d") % {"number": day.competition.registrations.count() + 1}
    if day.competition.pairs:
        name = f"{name} / {_('Partner %(number)d') % {'number': day.competition.registrations.count() + 1}}"
    # From the next round on: planned rounds keep their times.
    return str(walk_in(day.competition, name, user=day.scene.organizer, now=False).registration.entrant)


def _withdraw(day: _Day, matchday: Matchday) -> None:
    """Withdraw a random entrant after the chosen round."""
    if Happening.WITHDRAWAL in day.planted or not 0 < day.wishes.withdraw_after <= matchday.number:
        return
    slot = _slots(day.competition).filter(matchday=matchday).select_related("matchday").first()
    _attempt(day, Happening.WITHDRAWAL, slot, _leave)


def _leave(day: _Day, _slot: Slot) -> str:
    gone = standing_withdrawals(day.competition).values("entrant")
    rows = day.competition.registrations.exclude(entrant__in=gone).select_related(*PEOPLE).order_by("seed")
    entrant = day.chance.choice(list(rows)).entrant
    withdraw(day.competition, entrant, user=day.scene.organizer, reason=_("goes home"))
    matches = Match.objects.filter(slot__matchday__stage__competition=day.competition, sides__entrant=entrant)
    for match in matches.exclude(state=Match.State.DECIDED).filter(published_at__isnull=False):
        _confirm(day, Game.objects.filter(match=match))
        advance(match.pk)
    return str(entrant)


def _level_game(day: _Day, game: Game, slot: Slot) -> None:
    """Enter a level score.

    Most rules play on at a level score, and the desk refuses it; then the game is played again.
    """

    def enter(day: _Day, slot: Slot) -> str:
        level = [60] * game.match.sides.count()
        enter_sheet(game, day.scene.organizer, {"scores": level}, kind=KnownBy.SCORE)
        raise Refused("level", _("A level score was taken; it is played again here, so that the rehearsal goes on."))

    _attempt(day, Happening.LEVEL, slot, enter)


def _protest(day: _Day, game: Game, slot: Slot) -> bool:
    """Enter different scores for two sides; the second official decides.

    True if the game has its result by that.
    """
    played = _game(day, game)

    def differ(day: _Day, slot: Slot) -> str:
        sheet, scores = played.sheet, list(played.scores)
        enter_sheet(game, Guest(game.match_id, 1), sheet, kind=KnownBy.SCORE)
        # Each side gets the points of the next one: at a table of three, reversed scores could be equal.
        moved = {**sheet, "scores": [*scores[1:], *scores[:1]]}
        enter_sheet(game, Guest(game.match_id, 2), moved, kind=KnownBy.SCORE)
        for result in under_review([game.pk]).get(game.pk, [])[:1]:
            choose(result, day.scene.second, reason="rehearsal")
        return _names(slot)

    _attempt(day, Happening.PROTEST, slot, differ)
    return Result.objects.filter(game=game, current=True).exists()
