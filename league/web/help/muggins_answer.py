"""Question about one muggins call for page and API, and its answer in words.

Nothing is stored.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.claims import Why
from games.errors import OptionError
from games.moves import SEATS, Said
from games.ruleset import FalseCall, Matching, Overclaim, Ruleset
from games.rulesets import RULESETS
from games.tile import Tile
from games.tiles import DOUBLE_SIX
from league.matches.annotated_log import in_words
from referee.questions.open_ends import Joined, QuestionError, read_ends
from referee.questions.question import OPTIONS, Answer, CallAnswer, Owner, Question, Warn
from referee.questions.record import Moment, Spoken

SYSTEMS = tuple(key for key, rules in RULESETS.items() if rules.matching is Matching.PIPS)
LETTERS = SEATS[:4]
POINTS, MUGGINS = "points", "muggins"
MOST_TILES = 28
Told = Mapping[str, Any]
"""A question as JSON; members: see `league.api.resources.muggins.QuestionFields`."""


def question_of(told: Told) -> Question:
    """Read a question from JSON.

    Raises :class:`~referee.questions.open_ends.QuestionError` for the wrong field.
    """
    rules = rules_of(told.get("ruleset") or "udl", told.get("options") or {})
    board = tuple(_joined(one) for one in told.get("board") or ())
    ends = told.get("ends") or ""
    if board and ends:
        raise QuestionError("ends", "Give the open ends or the board, not both.")
    return Question(
        rules=rules,
        ends=() if board else read_ends(ends),
        board=board,
        seats=told.get("seats") or rules.seats[0],
        scorer=LETTERS.index(told.get("scorer") or "A"),
        said=tuple(map(_spoken, told.get("said") or ())),
        reached=Moment(told["reached"]) if told.get("reached") else None,
        bell=_tenths(told.get("bell_s")),
    )


def rules_of(key: str, options: Mapping[str, str]) -> Ruleset:
    """Return the rules with these options; only options that can change an answer.

    Raises QuestionError.
    """
    for name, value in options.items():
        if name not in OPTIONS:
            known = ", ".join(OPTIONS)
            raise QuestionError(
                "options", "%(option)s changes no answer; the options are %(known)s.", option=name[:40], known=known
            )
        try:
            RULESETS[key].with_options({name: value})
        except OptionError as error:
            raise QuestionError(f"options.{name}", error.template, **error.facts) from None
    return RULESETS[key].with_options(options)


def read_board(text: str) -> list[dict[str, str]]:
    """Read the board of an address: `6-6 6-3@6-6` → tiles and the tile each joins."""
    words = text.split()
    if len(words) > MOST_TILES:
        raise QuestionError("board", "A set has %(most)s tiles.", most=MOST_TILES)
    parts = [word.partition("@") for word in words]
    return [{"tile": tile, "on": on} if on else {"tile": tile} for tile, _at, on in parts]


def write_board(board: Sequence[Joined]) -> str:
    """Write a board as an address carries it; the inverse of `read_board`."""
    return " ".join(tile.name if on is None else f"{tile.name}@{on.name}" for tile, on in board)


def board_of(text: str) -> tuple[Joined, ...]:
    return tuple(map(_joined, read_board(text)))


def _joined(told: Told) -> Joined:
    return Joined(_tile(told["tile"]), _tile(told["on"]) if told.get("on") else None)


def _tile(name: str) -> Tile:
    try:
        return DOUBLE_SIX.tile(name)
    except KeyError:
        raise QuestionError("board", "%(tile)s is no tile of the set.", tile=name[:20]) from None


def _spoken(told: Told) -> Spoken:
    what = Said.COUNT if told["says"] == POINTS else Said.MUGGINS
    return Spoken(
        LETTERS.index(told["seat"]),
        what,
        Moment(told["when"]),
        told.get("points"),
        _tenths(told.get("seconds")),
        bool(told.get("together")),
    )


def _tenths(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 10)


# ---- answer in words


def refusal(error: QuestionError) -> str:
    """Explain the error of a question in the reader's language."""
    return in_words(error.template, error.facts)


def verdict_sentence(question: Question, found: Answer) -> str:
    """Say in one sentence who gets the points."""
    letter = {seat: SEATS[seat] for seat in range(question.seats)}
    points = sum(found.awarded.values())
    facts = {"scorer": letter[question.scorer], "points": points, "left": found.left, "count": found.count}
    others = [seat for seat in found.awarded if seat != question.scorer]
    if others:
        facts |= {"other": letter[others[0]], "theirs": found.awarded[others[0]]}
        facts["mine"] = found.awarded.get(question.scorer, 0)
    if found.owner is Owner.NOBODY:
        return _nobody(found) % facts
    if found.owner is Owner.OPEN:
        return _still_open(found) % facts
    return _(_OWNERS[found.owner]) % facts


_OWNERS: Mapping[Owner, Any] = {
    Owner.SCORER: gettext_lazy("%(points)s points for %(scorer)s, who put the tile."),
    Owner.CALLER: gettext_lazy("%(points)s points for %(other)s, who called muggins."),
    Owner.SHARED: gettext_lazy(
        "%(mine)s points for %(scorer)s, who announced them, and %(theirs)s for %(other)s, who called muggins."
    ),
    Owner.NEXT_PLAYER: gettext_lazy("%(theirs)s points for %(other)s, the next player: too many were announced."),
}


def _nobody(found: Answer) -> str:
    if found.worth:
        return _("Nobody gets the %(left)s points.")
    if found.count:
        return _("No points: %(count)s is no multiple of five.")
    return _("No points: a count of 0 scores nothing.")


def _still_open(found: Answer) -> str:
    if found.may_announce and found.may_call:
        return _("%(left)s points, still open: to %(scorer)s by announcing them, to an opponent by calling muggins.")
    if found.may_announce:
        return _("%(left)s points, still open: %(scorer)s may announce them.")
    return _("%(left)s points are still open to a muggins call.")


def further_sentences(question: Question, found: Answer) -> list[str]:
    """Add sentences about points left over and a call that is held."""
    said = []
    if found.awarded and found.left:
        facts = {"left": found.left}
        said.append(
            _("%(left)s more points were not announced: they are open to a call.") % facts
            if found.may_call
            else _("%(left)s more points were not announced, and nobody gets them.") % facts
        )
    if found.awarded and found.may_announce:
        hold = question.rules.muggins_grace_s
        said.append(
            ngettext(
                "The call is held: if %(scorer)s announces within %(hold)s second of the tile, it is void.",
                "The call is held: if %(scorer)s announces within %(hold)s seconds of the tile, it is void.",
                hold,
            )
            % {"scorer": SEATS[question.scorer], "hold": hold}
        )
    return said


_WHY: Mapping[Why | None, Any] = {
    None: gettext_lazy("There is no muggins call in these rules."),
    Why.OWED: gettext_lazy("The call was right."),
    Why.PREMATURE: gettext_lazy("Too early: %(scorer)s may still announce. The call is not used up."),
    Why.TOO_LATE: gettext_lazy("Too late: the time for a call was over."),
    Why.NO_SCORE: gettext_lazy("There was nothing to call: the tile scored nothing."),
    Why.ANNOUNCED: gettext_lazy("There was nothing to call: the points were announced in time."),
    Why.BOOKED: gettext_lazy("There was nothing to call: points are booked without being announced."),
    Why.TAKEN: gettext_lazy("Another call had the points already."),
    Why.SECOND_CALL: gettext_lazy("A player has one call for a tile, and this was the second."),
    Why.VOID: gettext_lazy("%(scorer)s announced in time, which made the call void."),
    Why.GAME_OVER: gettext_lazy("The game was over."),
}


def call_sentence(question: Question, call: CallAnswer) -> str:
    return _(_WHY[call.why]) % {"scorer": SEATS[question.scorer]}


def warning_sentence(question: Question, warning: Warn) -> str:
    facts = {"scorer": SEATS[question.scorer]}
    if warning is Warn.OVERCLAIM and question.rules.overclaim is Overclaim.FOSTER:
        return _("%(scorer)s announced more than the tile is worth: the next player has what was announced.") % facts
    if warning is Warn.FALSE_CALL:
        return _(_FALSE_CALLS[question.rules.false_call])
    return _(_WARNINGS[warning]) % facts


_FALSE_CALLS: Mapping[FalseCall, Any] = {
    FalseCall.WARN: gettext_lazy("A call with nothing to call: it costs no points, the caller is warned."),
    FalseCall.ACC: gettext_lazy(
        "A call with nothing to call: by the house rule the opponent has the points claimed, which the referee writes."
    ),
    FalseCall.FIXED: gettext_lazy(
        "A call with nothing to call: by the house rule it costs a fixed penalty, which the referee writes."
    ),
}
_WARNINGS: Mapping[Warn, Any] = {
    Warn.OVERCLAIM: gettext_lazy(
        "%(scorer)s announced more than the tile is worth: only the true points count, and the player is warned."
    ),
    Warn.UNDERCLAIM: gettext_lazy("%(scorer)s announced less than the tile is worth, and keeps what was announced."),
    Warn.PREMATURE: gettext_lazy("A call before its time costs nothing and may be made again."),
    Warn.ANNOUNCED_LATE: gettext_lazy("%(scorer)s announced too late: it does not count."),
    Warn.TIME_UNKNOWN: gettext_lazy("The answer depends on times that were not given."),
}
