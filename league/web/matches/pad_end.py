"""The end of a game on a pad: its result in words, and the word of each side about it."""

import json
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from league.disputes.protests.pad_objections import PadObjection, object_on_pad
from league.errors import Refused
from league.matches import guests
from league.matches.logs.submission import confirm_result
from league.matches.models import Game, KnownBy, Record, Result, Side
from league.matches.permissions import Actor, Guest, Visitor
from league.matches.queries.match import verdict_of
from league.matches.results import second_side
from league.matches.tally.queries import TallyState
from league.matches.tally.touches import BadTap
from league.players.models import PEOPLE
from league.web.components.score_fields import result_in_words
from league.web.shared.guests import proved_device
from league.web.words.disputes import refusal_in_words


def done(found: TallyState, game: Game, one: Actor) -> dict[str, Any] | None:
    """Return the game's result in words; `tally`: it comes from this pad.

    `asks`: the seats whose word it waits for here, and whether each adds a PIN. No statement without a result; at most
    three if it waits for nobody, five if it does.
    """
    result = found.result
    own = KnownBy.LOG if found.tiled else KnownBy.TALLY
    if result is None or (found.log and result.record_id != found.log.pk):
        return _handed_in_log(found.log) if found.log else None
    if result.record.kind != own:
        words = _("This game has a result already: %(result)s.") % {"result": result}
        return {"tally": False, "words": words}
    if result.contested:
        words = _("Under review: two entries differ, or a player disagrees.")
    elif result.state == Result.State.OFFICIAL:
        words = _("It is confirmed.")
    else:
        words = _("It counts once the other side or an official confirms it.")
    sides = list(Side.objects.filter(match=game.match_id).select_related(*PEOPLE).order_by("number"))
    said = result_in_words([str(side.entrant) for side in sides], result)
    return {"tally": True, "words": words, "said": said, "result": result.pk, "asks": _asks(result, sides, one)}


def _handed_in_log(log: Record) -> dict[str, Any]:
    verdict = verdict_of(log)
    if verdict is None:
        return {"tally": True, "words": _("The referee is checking it.")}
    return {
        "tally": True,
        "words": _(
            "This log breaks the rules, so there is no result yet. Call the referee, or fix it on the match page."
        ),
    }


def _asks(result: Result, sides: list[Side], one: Actor) -> list[dict[str, Any]]:
    """Return the seats that may still say yes here: all at the phone that entered the result, else the own one."""
    if result.state == Result.State.OFFICIAL or result.contested or result.needs_decision:
        return []
    record = result.record
    here = guests.entered_by(record, one)
    waits = [side for side in sides if side.number != record.for_side and (here or side.number == one.side)]
    proves = bool(waits) and second_side.must_prove(waits[0].match_id)
    return [{"seat": side.number - 1, "pin": _needs_pin(side, one, record, proves=proves)} for side in waits]


def _needs_pin(side: Side, one: Actor, record: Record, *, proves: bool) -> bool:
    if side.number == one.side:
        return proves and one.guest and not second_side.marks_of(one.device)[2]
    return proves or bool(side.device) or not record.device


# --- The word of a side ---


@dataclass(frozen=True, slots=True, kw_only=True)
class SideWord:
    """Word of a side about a result: yes, or an objection to the tap with the number `tap`."""

    side: int
    result: int
    agrees: bool
    pin: str = ""
    sentence: str = ""
    tap: int | None = None


def read_word(body: bytes) -> SideWord:
    """Read `{"seat", "result", "agrees", "pin", "sentence", "tap"}`. Raises BadTap."""
    try:
        sent = json.loads(body)
        numbers = [sent["seat"], sent["result"], sent.get("tap") or 0]
        if any(type(one) is not int or not 0 <= one < 2**31 for one in numbers):
            raise BadTap
        return SideWord(
            side=sent["seat"] + 1,
            result=sent["result"],
            agrees=sent["agrees"] is True,
            pin=str(sent.get("pin") or "")[:20],
            sentence=str(sent.get("sentence") or ""),
            tap=sent.get("tap") or None,
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadTap from None


def take_word(request: HttpRequest, game: Game, who: Visitor, one: Actor) -> str:
    """Confirm the result of a game, or put it under review, for a side; return what to tell the side.

    The side speaks with its own phone, with its PIN, or beside the keeper at the phone that entered the result.

    Raises BadTap, Refused: those of `confirm_result`, `object_on_pad`, `guests.side_beside`, `guests.side_by_pin`.
    """
    word = read_word(request.body)
    results = Result.objects.select_related("record", "game__match__league")
    result = results.filter(pk=word.result, game=game).first()
    if result is None:
        raise Refused("no-result", _("Meanwhile something else was entered. Check the current result."))
    speaker = _speaker(request, result, who, one, word)
    if word.agrees:
        confirm_result(result=result, user=speaker)
        return ""
    return _objection_in_words(object_on_pad(result, speaker, sentence=word.sentence, tap=word.tap))


def _speaker(request: HttpRequest, result: Result, who: Visitor, one: Actor, word: SideWord) -> Visitor:
    match = result.game.match
    if word.side == one.side and not (word.pin and isinstance(who, Guest)):
        return who
    if word.pin:
        known = proved_device(request, match, word.side)
        return guests.side_by_pin(match, word.side, word.pin, known=known)
    return guests.side_beside(match, word.side, result.record, one)


def _objection_in_words(made: PadObjection) -> str:
    if made.refused is not None:
        refusal = refusal_in_words(made.refused)
        return _("The result is under review. The protest was not filed: %(refusal)s") % {"refusal": refusal}
    if made.dispute is not None:
        return _("The result is under review, and the protest is filed.")
    return _("The result is under review. With the PIN of the slip, its slip or an account a side may also protest.")
