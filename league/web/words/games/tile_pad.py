"""Texts of the tile pad's script, in the reader's language.

The script fills `%(name)s`. Words that both pads use are in `league/web/words/games/pad.py`.
"""

from typing import Any

from django.utils.translation import pgettext

from league.web.words.games import pad
from league.web.words.games.replay import COLOURS


def words() -> dict[str, Any]:
    """Return the words of the script; `lines` by the first word of a line of the notation."""
    both = pad.words()
    return both | {
        "round": pgettext("tile pad", "Hand %(number)s"),
        "held": pgettext("tile pad", "%(count)s tiles"),
        "to_play": pgettext("tile pad", "to play"),
        "empty": pgettext("tile pad", "No tile on the table"),
        "end": pgettext("tile pad", "end %(face)s, at %(tile)s"),
        "fits_not": pgettext("tile pad", "%(tile)s fits no open end."),
        "which_end": pgettext("tile pad", "%(tile)s: which end?"),
        "who_leads": pgettext("tile pad", "Lead: tap the tile, then the name."),
        "lots": pgettext("tile pad", "Draw for the lead: tap the tile, then the name."),
        "leads": pgettext("tile pad", "%(name)s leads"),
        "turn": pgettext("tile pad", "%(name)s to play"),
        "out": pgettext("tile pad", "%(name)s went out"),
        "blocked": pgettext("tile pad", "Blocked"),
        "bell": pgettext("tile pad", "Time is up."),
        "bell_call": pgettext("tile pad", "Announce: %(seconds)s s"),
        "bell_muggins": pgettext("tile pad", "Muggins: %(seconds)s s"),
        "bell_over": pgettext("tile pad", "No more calls."),
        "is_over": pgettext("tile pad", "%(name)s has won. Is the game over?"),
        "scored": pgettext("tile pad", "This game goes on with scores: More, Keep score another way."),
        "reason": pgettext("tile pad", "ruled at the table"),
        "two": {
            "leads": pgettext("tile pad", "The player who leads taps the first tile."),
            "joins": pgettext("tile pad", "Waiting for the phone of %(name)s to join."),
            "waits": pgettext("tile pad", "Waiting for the phone of %(name)s."),
            "counts": pgettext("tile pad", "Waiting for %(name)s to count."),
            "refused": pgettext("tile pad", "Not taken: %(tap)s. %(why)s"),
        },
        "level": pgettext("tile pad", "The game is level, %(own)s–%(other)s."),
        "true_sum": pgettext("tile pad", "Announced %(said)s, the ends count %(count)s"),
        "chips_differ": pgettext("tile pad", "Chips counted %(said)s, by the score %(due)s"),
        "wins_many": pgettext("tile pad", "%(name)s wins. %(scores)s."),
        "level_many": pgettext("tile pad", "Nobody has won. %(scores)s."),
        "score_said": pgettext("tile pad", "%(scores)s. Hand %(round)s."),
        "who_muggins": pgettext("tile pad", "Muggins: tap who calls it."),
        "who_uno": pgettext("tile pad", "Uno: tap who says it."),
        "who_catches": pgettext("tile pad", "Catch: tap who says it."),
        "who_is_caught": pgettext("tile pad", "Tap who forgot to say uno."),
        "which_colour": pgettext("tile pad", "Which colour?"),
        "was_it_right": pgettext("tile pad", "Was the challenge right?"),
        "rack_of": pgettext("tile pad", "Rack of %(name)s, shown to the challenger"),
        "must_draw": pgettext("tile pad", "%(name)s draws %(count)s"),
        "drew": pgettext("tile pad", "%(name)s plays the drawn tile, or passes"),
        "dead_end": pgettext("tile pad", "%(name)s has closed the last end"),
        "half": pgettext("half of a tile", "%(colour)s %(kind)s"),
        "colours": {colour: str(name) for colour, name in COLOURS.items()},
        "results": both["results"]
        | {
            "given-up": pgettext("tile pad", "%(loser)s gives up; %(winner)s wins. The score is %(own)s–%(other)s."),
        },
        "lines": {
            "tile": pgettext("tile pad", "%(name)s %(what)s"),
            "call": pgettext("tile pad", "%(name)s announced %(text)s"),
            "draw": pgettext("tile pad", "%(name)s draws %(text)s"),
            "pass": pgettext("tile pad", "%(name)s passes"),
            "muggins": pgettext("tile pad", "Muggins, %(name)s"),
            "domino": pgettext("tile pad", "%(name)s said domino"),
            "shows": pgettext("tile pad", "%(name)s left %(text)s"),
            "scores": pgettext("tile pad", "%(name)s +%(text)s"),
            "concedes": pgettext("tile pad", "%(name)s concedes"),
            "forfeits": pgettext("tile pad", "%(name)s forfeits"),
            "score": pgettext("tile pad", "score %(what)s"),
            "chips": pgettext("tile pad", "chips left %(what)s"),
            "settled": pgettext("tile pad", "agreed"),
            "blocked": pgettext("tile pad", "blocked"),
            "bell": pgettext("tile pad", "time is up"),
            "penalty": pgettext("tile pad", "penalty %(what)s"),
            "uno": pgettext("tile pad", "%(name)s says uno"),
            "catches": pgettext("tile pad", "%(name)s catches %(text)s"),
            "challenges": pgettext("tile pad", "%(name)s challenges"),
            "upheld": pgettext("tile pad", "the challenge was right"),
            "rejected": pgettext("tile pad", "the challenge was wrong"),
            "end": pgettext("tile pad", "end of the game"),
        },
    }
