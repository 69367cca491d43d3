"""The sentences of findings, by name. A page translates the template and fills in the facts; so no code speaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, str]] = {
    "syntax": "%(text)s",
    # impossible
    "unknown-tile": "%(tile)s is not a tile of the set",
    "duplicate-tile": "%(tile)s was dealt or drawn already",
    "tile-already-played": "%(tile)s is on the table already, since line %(since)s",
    "tile-not-in-hand": "%(seat)s does not hold %(tile)s",
    "no-open-end": "%(on)s is not on the table, or has no open end",
    "does-not-match": "%(tile)s does not fit the open end of %(on)s",
    "fits-nowhere": "%(tile)s fits no open end; open are %(ends)s",
    "ambiguous-play": "%(tile)s could be joined to %(places)s; the line must say which",
    "out-of-turn": "it is the turn of %(turn)s, not of %(seat)s",
    "round-over": "the round was over",
    "game-over": "the game was over",
    "no-round": "no round has begun",
    "draw-from-empty": "%(seat)s draws %(count)s but the boneyard has %(left)s",
    "not-blocked": "the round is not blocked: a tile could still be played or drawn",
    "not-out": "the round is not over",
    "after-bell": "the bell had rung: no tile may be played or drawn",
    "clock-backwards": "the clock runs backwards, from %(before)s to %(now)s",
    "bad-event": "this line has no meaning here",
    "no-seat": "there is no seat %(seat)s in this game",
    "after-end": "nothing may stand after the end of the record",
    "wrong-round-number": "this is round %(number)s",
    "no-play": "%(seat)s has played no tile in this round",
    "second-time": "%(seat)s has such a line in this round already",
    "late-hand": "a hand stands before the first play of its round",
    "number-of-seats": "one number for each of the %(seats)s seats is needed",
    # violations
    "wrong-lead": "%(tile)s was led by %(seat)s; the lead is %(due)s",
    "hand-size": "%(seat)s was dealt %(count)s tiles, not %(size)s",
    "draw-when-able": "%(seat)s drew and could play %(tiles)s",
    "draw-before-lead": "%(seat)s drew and had the lead",
    "pass-when-able": "%(seat)s passed and could play %(tiles)s",
    "pass-before-lead": "%(seat)s passed and had the lead",
    "pass-with-boneyard": "%(seat)s passed and could draw: the boneyard had %(left)s",
    "must-play-drawn": "%(seat)s drew %(drawn)s, which fits, and played %(tile)s",
    "tile-count": "%(seat)s shows %(count)s tiles and has %(held)s",
    # corrections
    "wrong-count": "%(sum)s = %(count)s, worth %(worth)s, announced %(announced)s",
    "wrong-count-low": "%(sum)s = %(count)s, announced %(announced)s: %(owed)s points were open to muggins",
    "wrong-count-high": "%(sum)s = %(count)s, announced %(announced)s: %(worth)s points count",
    "wrong-count-none": "%(sum)s = %(count)s, which scores nothing, announced %(announced)s",
    "wrong-points": "the round-end points of %(seat)s are %(points)s, not %(recorded)s",
    "wrong-total": "the score is %(scores)s, not %(recorded)s",
    "wrong-chips": "the chips left are %(chips)s, not %(recorded)s",
    "wrong-result": "the game ended %(scores)s, not %(recorded)s",
    # notes
    "missed-points": "%(sum)s = %(count)s: %(points)s points that %(seat)s did not announce and nobody claimed",
    "unverified-points": "the tiles left are not all known: the recorded points stand unchecked",
    "incomplete": "the record ends before the game does",
    "clock-unknown": "this ruling depends on times that were not written down",
    # muggins
    "claim-owed": "muggins for %(claimant)s: %(sum)s = %(count)s, of which %(against)s left %(points)s unannounced",
    "claim-no-play": "no muggins for %(claimant)s: no play is open to a call",
    "claim-own-play": "no muggins for %(claimant)s: line %(play)s is the player's own play",
    "claim-no-score": "no muggins for %(claimant)s: %(sum)s = %(count)s scores nothing",
    "claim-announced": "no muggins for %(claimant)s: %(against)s announced %(announced)s for line %(play)s in time",
    "claim-taken": "no muggins for %(claimant)s: the points of line %(play)s were claimed already",
    "claim-premature": "no muggins for %(claimant)s yet: %(scorer)s may still announce line %(fresh)s",
    "claim-too-late": "no muggins for %(claimant)s: more than %(limit)s s after the bell",
    "claim-second-call": "no muggins for %(claimant)s: one call for a play",
    "claim-void": "no muggins for %(claimant)s: %(against)s announced line %(play)s in time",
    "claim-game-over": "no muggins for %(claimant)s: the game was over",
}
