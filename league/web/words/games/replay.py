"""Lines of a game as sentences with names, in the reader's language. Pure."""

import json
from collections.abc import Callable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from games import moves
from games.inventory import COLOURS as LETTERS
from games.moves import Event, Said
from games.notation.gamelog import Tenths
from games.tile import Tile

Names = Sequence[str]
"""Names of the players, by seat."""

COLOURS = {
    "red": pgettext_lazy("colour of a tile", "red"),
    "green": pgettext_lazy("colour of a tile", "green"),
    "yellow": pgettext_lazy("colour of a tile", "yellow"),
    "blue": pgettext_lazy("colour of a tile", "blue"),
}


def said(event: Event, names: Names, on: str = "") -> str:
    """Return the sentence of an event.

    `on`: the tile on the table that the played tile was joined to, as the replay found it; "" for a lead.
    """
    if isinstance(event, moves.Play):
        return _play(event, names, on)
    words = WORDS.get(type(event))
    return words(event, names) if words else ""


def aloud(clock: Tenths) -> str:
    """Return the spoken texts of a replay's script, as JSON.

    `clock`: the game's time limit, 0 without.
    """
    return json.dumps(
        {
            "clock": clock,
            "colours": LETTERS,
            "named": {letter: str(COLOURS[colour]) for letter, colour in LETTERS.items()},
            "empty": pgettext("replay", "No tile lies on the table."),
            "score": pgettext("replay", "Score: %(list)s."),
            "held": pgettext("replay", "Tiles left: %(list)s. Boneyard: %(yard)s."),
            "hand": pgettext("replay", "%(name)s holds %(tiles)s."),
            "nothing": pgettext("replay", "no tile"),
            "unseen": pgettext("replay", "The tiles of %(name)s were not shown."),
            "played": pgettext("replay", "Time played: %(time)s."),
            "used": pgettext("replay", "For this step: %(time)s."),
            "left": pgettext("replay", "Time left: %(time)s."),
            "untimed": pgettext("replay", "No time is written at this step."),
            "speed": pgettext("replay", "Speed %(speed)s."),
            "fetching": pgettext("replay", "Fetching hand %(number)s …"),
        }
    )


def apart(name: str) -> str:
    """Isolate a name's direction from the text around it (Unicode's isolates)."""
    return f"\u2068{name}\u2069"


def _name(names: Names, seat: int | None) -> str:
    return apart(names[seat]) if seat is not None and seat < len(names) else "–"


def tiles(held: Sequence[Tile | None]) -> str:
    """Return seen tiles by their names, unseen tiles as question marks."""
    return " ".join(one.name if one else "?" for one in held)


def _play(event: moves.Play, names: Names, on: str) -> str:
    facts = {"name": _name(names, event.seat), "tile": event.tile.name, "on": on, "points": event.call}
    if event.colour:
        facts["colour"] = COLOURS.get(event.colour, event.colour)
        if on:
            return _("%(name)s plays %(tile)s on %(on)s and names %(colour)s.") % facts
        return _("%(name)s leads %(tile)s and names %(colour)s.") % facts
    if event.call is not None:
        if on:
            return _("%(name)s plays %(tile)s on %(on)s and calls %(points)s.") % facts
        return _("%(name)s leads %(tile)s and calls %(points)s.") % facts
    return (_("%(name)s plays %(tile)s on %(on)s.") if on else _("%(name)s leads %(tile)s.")) % facts


def _draw(event: moves.Draw, names: Names) -> str:
    facts = {"name": _name(names, event.seat), "count": event.count, "tiles": tiles(event.tiles)}
    if event.tiles:
        return _("%(name)s draws %(tiles)s.") % facts
    return ngettext("%(name)s draws a tile.", "%(name)s draws %(count)s tiles.", event.count) % facts


def _call(event: moves.Call, names: Names) -> str:
    facts = {"name": _name(names, event.seat), "points": event.number, "whom": _name(names, event.whom)}
    if event.said is Said.MUGGINS and event.number is None:
        return _("%(name)s calls muggins.") % facts
    return SAID[event.said]() % facts


SAID: Mapping[Said, Callable[[], str]] = {
    Said.COUNT: lambda: _("%(name)s calls %(points)s."),
    Said.MUGGINS: lambda: _("%(name)s calls muggins for %(points)s."),
    Said.DOMINO: lambda: _("%(name)s says domino."),
    Said.UNO: lambda: _("%(name)s calls uno."),
    Said.CATCH: lambda: _("%(name)s catches %(whom)s, who did not call uno."),
    Said.CHALLENGE: lambda: _("%(name)s challenges the draw of four."),
}


def _forfeit(event: moves.Forfeit, names: Names) -> str:
    facts = {"name": _name(names, event.seat), "reason": apart(event.reason)}
    return _("%(name)s loses the game by the referee's word: %(reason)s.") % facts


def _penalty(event: moves.Penalty, names: Names) -> str:
    facts = {"name": _name(names, event.seat), "count": event.points, "reason": apart(event.reason)}
    return (
        ngettext(
            "Penalty against %(name)s, %(count)s point to every opponent: %(reason)s.",
            "Penalty against %(name)s, %(count)s points to every opponent: %(reason)s.",
            event.points,
        )
        % facts
    )


def _round_points(event: moves.RoundPoints, names: Names) -> str:
    facts = {"name": _name(names, event.seat), "count": event.points}
    return (
        ngettext(
            "%(name)s scores %(count)s point for the tiles that were left.",
            "%(name)s scores %(count)s points for the tiles that were left.",
            event.points,
        )
        % facts
    )


def _reopening(event: moves.Reopening, names: Names) -> str:
    facts = {
        "name": _name(names, event.seat),
        "tile": event.tile.name,
        "on": event.on.name,
        "colour": COLOURS.get(event.colour, event.colour),
    }
    return _("%(name)s opens the table again with %(tile)s on %(on)s and names %(colour)s.") % facts


def _show(event: moves.Show, names: Names) -> str:
    return _("%(name)s shows %(tiles)s.") % {"name": _name(names, event.seat), "tiles": tiles(event.tiles) or "–"}


def _numbers(numbers: Sequence[int]) -> str:
    return " – ".join(map(str, numbers))


WORDS: Mapping[type, Callable[..., str]] = {
    moves.RoundStart: lambda event, names: _("The tiles are dealt."),
    moves.Deal: lambda event, names: _("The tiles are dealt."),
    moves.Lot: lambda event, names: _("Lots are drawn for the lead."),
    moves.Draw: _draw,
    moves.Pass: lambda event, names: _("%(name)s passes.") % {"name": _name(names, event.seat)},
    moves.Call: _call,
    moves.Blocked: lambda event, names: _("The hand is blocked."),
    moves.Show: _show,
    moves.RoundPoints: _round_points,
    moves.Totals: lambda event, names: pgettext("replay", "Score: %(scores)s.") % {"scores": _numbers(event.scores)},
    moves.ChipsLeft: lambda event, names: (
        pgettext("replay", "Chips left: %(chips)s.") % {"chips": _numbers(event.chips)}
    ),
    moves.Settled: lambda event, names: _("The hand is settled."),
    moves.Bell: lambda event, names: _("The bell rings."),
    moves.Penalty: _penalty,
    moves.Concession: lambda event, names: _("%(name)s gives the game up.") % {"name": _name(names, event.seat)},
    moves.Forfeit: _forfeit,
    moves.End: lambda event, names: _("The log ends here."),
    moves.Note: lambda event, names: _("Remark: %(text)s") % {"text": apart(event.text)},
    moves.ChallengeOutcome: lambda event, names: (
        _("The challenge is upheld.") if event.upheld else _("The challenge is rejected.")
    ),
    moves.Reopening: _reopening,
}
