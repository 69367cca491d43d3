"""Words of the practice table: levels, house rules, names, and what the script says."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from games.moves import Seat
from games.ruleset import Matching
from games.rulesets import RULESETS
from league.house.levels import Level
from league.play.queries import PracticeView, UnoView
from league.play.table import COMPANY, PLAYER
from league.web.words.games.halves import half_spoken
from league.web.words.games.replay import COLOURS, apart
from referee.frames import RoundFrames

LEVELS: Final[Mapping[str, tuple[Any, Any]]] = {
    Level.RANDOM.value: (
        pgettext_lazy("level of the computer", "Beginner"),
        pgettext_lazy("level of the computer", "plays any tile that fits"),
    ),
    Level.GREEDY.value: (
        pgettext_lazy("level of the computer", "Scorer"),
        pgettext_lazy("level of the computer", "takes the most points now"),
    ),
    Level.CAREFUL.value: (
        pgettext_lazy("level of the computer", "Careful"),
        pgettext_lazy("level of the computer", "also thinks of your reply and its own next tile"),
    ),
    Level.STRONG.value: (
        pgettext_lazy("level of the computer", "Strong"),
        pgettext_lazy("level of the computer", "plays out many hands that fit what it has seen"),
    ),
}
"""Name and meaning of each level."""
UNO_LEVELS: Final[Mapping[str, Any]] = {
    Level.RANDOM.value: pgettext_lazy("level of the computer", "plays any tile that fits, and often forgets UNO"),
    Level.GREEDY.value: pgettext_lazy("level of the computer", "plays the tile with the most points"),
    Level.CAREFUL.value: pgettext_lazy("level of the computer", "keeps its wilds, and forgets and overlooks nothing"),
    Level.STRONG.value: LEVELS[Level.STRONG.value][1],
}
"""Meaning of each level at Uno Dominoes."""

_YES_NO: Final = {"true": pgettext_lazy("choice", "yes"), "false": pgettext_lazy("choice", "no")}
_LEADS: Final = {
    "highest_double": pgettext_lazy("choice", "the highest double"),
    "lot": pgettext_lazy("choice", "drawn by lot"),
    "winner_any": pgettext_lazy("choice", "the winner of the hand before, any tile"),
    "dominoer_any": pgettext_lazy("choice", "the player who went out, any tile"),
}
OPTIONS: Final[Mapping[str, tuple[Any, Mapping[str, Any]]]] = {
    "target": (pgettext_lazy("form field", "Points to win"), {}),
    "spinner": (
        pgettext_lazy("form field", "Spinner"),
        {
            "none": pgettext_lazy("choice", "no double"),
            "first": pgettext_lazy("choice", "the first double"),
            "all": pgettext_lazy("choice", "every double"),
        },
    ),
    "hand": (pgettext_lazy("form field", "Tiles in a hand"), {}),
    "lead_first": (pgettext_lazy("form field", "First lead"), _LEADS),
    "lead_forced": (pgettext_lazy("form field", "The highest double must be led"), _YES_NO),
    "lead_later": (pgettext_lazy("form field", "Later leads"), _LEADS),
    "voluntary_draw": (pgettext_lazy("form field", "Draw though a tile fits"), _YES_NO),
    "must_play_drawn": (pgettext_lazy("form field", "A drawn tile that fits must be played"), _YES_NO),
    "boneyard_reserve": (pgettext_lazy("form field", "Tiles that stay in the boneyard"), {}),
    "announce": (
        pgettext_lazy("form field", "Points of a tile"),
        {
            "manual": pgettext_lazy("choice", "have to be announced"),
            "auto": pgettext_lazy("choice", "are booked by themselves"),
        },
    ),
    "muggins": (
        pgettext_lazy("form field", "Muggins call"),
        {
            "after_next": pgettext_lazy("choice", "after the next tile or pass"),
            "before_next": pgettext_lazy("choice", "before the next tile or pass"),
            "off": pgettext_lazy("choice", "never"),
        },
    ),
    "failed_challenge": (pgettext_lazy("form field", "Tiles drawn after a wrong challenge"), {}),
    "reverse_2p": (
        pgettext_lazy("form field", "Reverse, of two players"),
        {"skip": pgettext_lazy("choice", "skips"), "none": pgettext_lazy("choice", "does nothing")},
    ),
    "block": (
        pgettext_lazy("form field", "Nobody can play or draw"),
        {
            "low": pgettext_lazy("choice", "the fewest points win the others"),
            "void": pgettext_lazy("choice", "nobody scores"),
        },
    ),
    "all_doublet": (pgettext_lazy("form field", "Every doublet is open on four sides"), _YES_NO),
    "reopening": (pgettext_lazy("form field", "W-W may reopen a dead end"), _YES_NO),
}
"""Name of each option, and its values in words; a number stands for itself."""


def level_name(level: str) -> str:
    return str(LEVELS[level][0])


def meaning_of(level: str, ruleset: str) -> str:
    """Return how the computer plays a system at a level."""
    marked = RULESETS[ruleset].matching is Matching.MARKINGS
    return str(UNO_LEVELS[level] if marked else LEVELS[level][1])


def options_in_words(options: Mapping[str, str]) -> str:
    """Write the house rules of a game: "Spinner: the first double · Tiles in a hand: 9"."""
    named = [
        (OPTIONS[key][0], OPTIONS[key][1].get(value, value))
        for key, value in options.items()
        if key in OPTIONS and key != "target"
    ]
    return " · ".join(f"{name}: {value}" for name, value in named)


def wins(view: PracticeView) -> str:
    """Return the result as a headline, also for readers of a shared link."""
    if view.seats > 2:
        return _wins_of_many(view)
    own, other = view.scores
    facts = {"own": own, "other": other}
    if view.winner == PLAYER:
        return pgettext("practice", "Won against the computer, %(own)s–%(other)s") % facts
    return pgettext("practice", "The computer wins %(other)s–%(own)s") % facts


def _wins_of_many(view: PracticeView) -> str:
    facts = {"scores": "–".join(map(str, view.scores)), "count": view.seats - 1}
    if view.winner is None or view.winner == PLAYER:
        return pgettext("practice", "Won against %(count)s computers, %(scores)s") % facts
    return pgettext("practice", "%(name)s wins, %(scores)s") % {**facts, "name": COMPANY[view.winner]}


def names_of(seats: int) -> tuple[str, ...]:
    """Return the names at a table as other readers see them, by seat."""
    if seats == 2:
        return pgettext("practice", "Player"), pgettext("practice", "Computer")
    return pgettext("practice", "Player"), *COMPANY[1:seats]


@dataclass(frozen=True, slots=True)
class Plate:
    """A player at the table; `turn`: it is to act; `after`: it plays after the player."""

    seat: Seat
    name: str
    score: int
    held: int
    turn: bool
    after: bool


def plates(view: PracticeView) -> list[Plate]:
    last = view.shown.frames[-1]
    names = (pgettext("practice", "You"), *names_of(view.seats)[1:])
    turn = PLAYER if view.state in ("four", "reopen") else last.to_act
    after = view.uno.after if view.uno and view.seats > 2 and last.to_act is not None else None
    return [
        Plate(seat, name, view.scores[seat], last.held[seat], seat == turn, seat == after)
        for seat, name in enumerate(names)
    ]


def score_aloud(view: PracticeView) -> str:
    """Say scores, tiles left and boneyard: "Score: you 0, the computer 15. Boneyard: 14."."""
    if view.seats == 2:
        own, other = view.scores
        facts = {"own": own, "other": other, "boneyard": view.boneyard}
        return pgettext("practice", "Score: you %(own)s, the computer %(other)s. Boneyard: %(boneyard)s.") % facts
    told = ", ".join(
        pgettext("practice: a player's score", "%(name)s %(score)s") % {"name": one.name, "score": one.score}
        for one in plates(view)
    )
    left = ", ".join(f"{one.name} {one.held}" for one in plates(view))
    facts = {"scores": told, "left": left, "boneyard": view.boneyard}
    return pgettext("practice", "Score: %(scores)s. Tiles left: %(left)s. Boneyard: %(boneyard)s.") % facts


def asks(view: PracticeView) -> str:
    """Say what the player is asked, "" for an ordinary turn."""
    uno = view.uno
    if uno is None:
        return pgettext("practice", "The next player waits: call muggins, or go on.") if view.state == "pause" else ""
    names = (_("The computer"),) * 2 if view.seats == 2 else tuple(map(apart, names_of(view.seats)))
    return asks_at_uno(view.state, uno, names)


def asks_at_uno(state: str, uno: UnoView, names: Sequence[str]) -> str:
    """Say what a player of Uno Dominoes is asked, "" for an ordinary turn; `names`: by seat."""
    if state == "pause":
        if uno.one_left is None:
            return pgettext("practice", "The next player waits for you.")
        facts = {"name": names[uno.one_left]}
        return pgettext("practice", "%(name)s has one tile left. The next player waits for you.") % facts
    if state == "four" and uno.four_by is not None:
        facts = {"name": names[uno.four_by]}
        return pgettext("practice", "%(name)s played a Wild Draw Four: draw four, or challenge it.") % facts
    if state == "reopen":
        return pgettext("practice", "Every arm is closed. You hold W-W: reopen the table beside a doublet, or not.")
    return ""


def aloud() -> str:
    """Return the texts of the table's script, as JSON."""
    return json.dumps(
        {
            "turn": pgettext("practice", "Your turn."),
            "choose": pgettext("practice", "Choose one of your tiles first."),
            "nowhere": pgettext("practice", "%(tile)s fits nowhere."),
            "several": pgettext("practice", "%(tile)s fits on %(places)s: choose one."),
            "offline": pgettext("practice", "The site did not answer. Try again."),
        }
    )


def ends(view: PracticeView) -> str:
    """Name the open ends with their sum: "6-6 counts 12, 3 on 6-3: 15"; of coloured tiles without one."""
    return ends_of(view.shown, summed=not view.announces, marked=view.uno is not None)


def ends_of(shown: RoundFrames, *, summed: bool, marked: bool) -> str:
    """Name the open ends of a hand; of pips with their sum or without it. `marked`: of coloured tiles."""
    frame, trail = shown.frames[-1], shown.trail
    if frame.ends and marked:
        facts = {"ends": ", ".join(_marked_end(trail[one.tile].tile, one.face, one.places) for one in frame.ends)}
        return pgettext("replay", "Open: %(ends)s.") % facts
    told = [_end(trail[end.tile].tile, end.face, end.terms) for end in frame.ends]
    if not told:
        return _("No tile lies on the table.")
    counted = {"ends": ", ".join(told), "count": frame.count}
    if summed:
        return _("Open ends: %(ends)s. Sum %(count)s.") % counted
    return pgettext("replay", "Open: %(ends)s.") % counted


def _marked_end(tile: str, face: str, places: int) -> str:
    facts = {"face": COLOURS[face] if face in COLOURS else half_spoken(face), "tile": tile, "count": places}
    if places == 1:
        return _("%(face)s on %(tile)s") % facts
    return pgettext("practice", "%(face)s on %(tile)s in %(count)s places") % facts


def _end(tile: str, face: str, terms: Sequence[int]) -> str:
    if len(terms) == 1:
        return _("%(face)s on %(tile)s") % {"face": face, "tile": tile}
    if terms:
        return _("double %(tile)s, counts %(count)s") % {"tile": tile, "count": sum(terms)}
    return _("an end of %(tile)s, counts nothing") % {"tile": tile}
