"""Uno Dominoes (S2): RULES.md section 4.

Source: rules/uno-dominoes.txt and the 1986 instructions.
"""

from __future__ import annotations

from typing import Final

from games.ruleset import COLOUR_OPTIONS, Matching, NoDouble, Rule, Ruleset, Spinner, TileOrder
from games.uno.markings import UNO

_RULES = (
    Rule("players", "2.1", "Two to six play, each alone."),
    Rule("set", "4.2", "The set has 81 tiles; each half is a colour with a number or an action, a wild or a dead end."),
    Rule("hand", "2.2", "Each player draws six tiles; the others are the draw pile."),
    Rule("lead", "2.3", "The holder of the highest numeric doublet leads it, in every round."),
    Rule("start-tie", "2.4", "Of two equal doublets red comes before green, yellow and blue."),
    Rule("lead-draw", "2.5", "Where nobody holds a numeric doublet, each in turn draws one tile until one is drawn."),
    Rule("start", "2.6", "The starting doublet is open on its two sides and its two ends at once."),
    Rule("match", "2.7", "A tile is joined to an open end of the same colour or the same kind."),
    Rule("doublet", "2.9", "A doublet lies across and goes on from its far side; it is never joined to a doublet."),
    Rule("active", "2.10", "Only the half that touches the open end is active."),
    Rule("draw-two", "2.12", "After an active D2 the next player draws two tiles and loses the turn."),
    Rule("skip", "2.13", "After an active S the next player loses the turn."),
    Rule("reverse", "2.14", "An active R turns the direction of play; where two play it is a skip."),
    Rule("dead", "2.16", "Nothing is joined to a dead end."),
    Rule("wild", "2.17", "A wild half fits everywhere; left exposed, its player names its colour."),
    Rule(
        "draw-four",
        "2.18",
        "A Wild Draw Four may be played with no tile on the rack of a colour that is exposed; the next player draws "
        "four tiles and loses the turn.",
    ),
    Rule("challenge", "2.20", "The next player may challenge; if the rack had the colour, its player draws four."),
    Rule("turn", "2.14", "The turn goes round in the direction of play; a skip or a drawn penalty loses it."),
    Rule("draw", "2.24", "A player without a play draws one tile, and may play that tile at once."),
    Rule("drawn", "2.25", "After a draw only the drawn tile may be played."),
    Rule("boneyard", "2.26", "From the draw pile penalties take what is left; when it is empty the turn passes."),
    Rule("pass", "2.24", "A turn without a tile ends after one draw, while the draw pile holds tiles."),
    Rule("forced", "2.12", "A player who has to draw does so before the next turn, and before the round is settled."),
    Rule("blocked", "2.27", "When nobody can or will move, the lowest rack has the points of the others."),
    Rule(
        "uno",
        "2.28",
        "A player who plays the last tile but one says uno; a player who did not, and is caught, draws two.",
    ),
    Rule("catch", "2.29", "A missed uno is caught before another player places a tile and before the round ends."),
    Rule("going-out", "2.31", "A player who has to draw after the last tile draws before the racks are counted."),
    Rule("points", "2.33", "Numbers count their value, R, S and D2 10, DE and WD4 20, W 25, on both halves."),
    Rule("domino", "2.34", "The player of the last tile gets the points of all other racks."),
    Rule("target", "2.35", "The first player with 500 points at the end of a round wins."),
    Rule("dead-end", "2.36", "When dead ends close every arm, the player of the last one has the others' points."),
    Rule("reopening", "2.37", "As a variation, the holder of W-W may open a dead end again beside any doublet."),
    Rule("all-doublet", "2.38", "As a variation, every doublet is open on its sides and ends."),
    Rule("muggins", "N5", "There is no muggins: a play scores nothing."),
    Rule("announce", "N21", "A play scores nothing, so no count is announced."),
    Rule("chips", "N3", "There are no chips."),
    Rule("bell", "N7.7", "Where an event plays by the clock, the bell ends play as its options say."),
    Rule("penalty", "N3", "The referee punishes irregular play with points to every opponent."),
    Rule("total", "2.35", "The score is the sum of the points of the rounds that a player won."),
    Rule("record", "N4", "Every line of a record has its place and its time."),
)

UNO_DOMINOES: Final = Ruleset(
    key="uno-dominoes",
    name="Uno Dominoes",
    edition=1,
    tiles=UNO,
    matching=Matching.MARKINGS,
    seats=(2, 6),
    hand=dict.fromkeys(range(2, 7), 6),
    rules={rule.slug: rule for rule in _RULES},
    options=COLOUR_OPTIONS | {"hand", "target", "target_strict", "clock_s", "bell_mode", "tie"},
    no_double=NoDouble.DRAW_UNTIL,
    target=500,
    # Without effect for tiles that match by colour or kind.
    spinner=Spinner.NONE,
    highest_tile=TileOrder.PIPS,
    voluntary_draw=True,
    must_play_drawn=False,
    announce_grace_s=0,
    post_bell_claim_s=0,
    notes=(
        (
            "Nobody published the list of the 81 tiles. The one used is a reconstruction that agrees with the "
            "table of markings in the printed rules; it is checked whenever it is loaded, and a better list can "
            "take its place."
        ),
    ),
)
