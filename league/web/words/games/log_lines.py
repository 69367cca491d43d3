"""Lines of a log, each with one example.

docs/notation.md has the same for readers at a terminal.
"""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Word:
    """One kind of line: its notation and its meaning."""

    example: str
    meaning: Any


LINES = (
    Word("round 2", pgettext_lazy("notation", "the deal of round 2")),
    Word("A lot 6-4", pgettext_lazy("notation", "A drew 6-4 for the lead, where a lot decides it")),
    Word("A hand 6-5 4-1 2-2", pgettext_lazy("notation", "the tiles dealt to A; or only how many: A hand 7")),
    Word("A 6-6", pgettext_lazy("notation", "A plays 6-6: the lead, or where only one tile can take it")),
    Word("A 6-5 on 6-6", pgettext_lazy("notation", "A joins 6-5 to 6-6")),
    Word("A 6-5 on 6-6 call 15", pgettext_lazy("notation", "the same, and A announces 15")),
    Word("A call 15", pgettext_lazy("notation", "A announces 15 for A's last play, before the next turn")),
    Word("A draw 4-3", pgettext_lazy("notation", "A draws this tile; or unseen ones: A draw 3")),
    Word("A draw ?", pgettext_lazy("notation", "a question mark is an unseen tile")),
    Word("A pass", pgettext_lazy("notation", "A has nothing to play and nothing to draw")),
    Word("B muggins", pgettext_lazy("notation", "B claims what A did not announce, while the rules allow it")),
    Word("A domino", pgettext_lazy("notation", "A said “domino”; no effect")),
    Word("blocked", pgettext_lazy("notation", "the hand is declared blocked")),
    Word("B shows 5-4 2-0", pgettext_lazy("notation", "the tiles left in B's hand; none left: B shows none")),
    Word("A scores 10", pgettext_lazy("notation", "A's points at the end of the hand, as counted at the table")),
    Word("score 85-60", pgettext_lazy("notation", "the running totals, by seat")),
    Word("chips 18-13", pgettext_lazy("notation", "chips of their own colour left, by seat")),
    Word("settled", pgettext_lazy("notation", "the players have confirmed the hand")),
    Word("bell", pgettext_lazy("notation", "the clock of the game ran out")),
    Word('penalty B 30 "reason"', pgettext_lazy("notation", "the referee gives 30 points to every opponent of B")),
    Word("A concedes", pgettext_lazy("notation", "the game ends and A loses; the scores stand")),
    Word('A forfeits "reason"', pgettext_lazy("notation", "the same, by the referee")),
    Word("A b7-gS on r7-b2", pgettext_lazy("notation", "Uno Dominoes: the half that touches is written first")),
    Word("A W-W colour red", pgettext_lazy("notation", "Uno Dominoes: A names the colour of a wild half")),
    Word("A uno", pgettext_lazy("notation", "A says “uno”")),
    Word("B catches A", pgettext_lazy("notation", "B catches A, who has one tile left and did not say it")),
    Word("C challenges", pgettext_lazy("notation", "C challenges the Wild Draw Four; A shows … tells the rack")),
    Word("upheld", pgettext_lazy("notation", "the challenge was right; else: rejected")),
    Word("A reopens W-W on g4-g4 colour red", pgettext_lazy("notation", "a dead end is opened again")),
    Word('note "text"', pgettext_lazy("notation", "a remark, kept")),
    Word("end", pgettext_lazy("notation", "the log ends here")),
)
