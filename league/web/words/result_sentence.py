"""Result of a match as a sentence: "Hugo beats Ana 150–35". Pure."""

from django.utils.translation import pgettext

from league.matches.queries.lines import MatchLine, SideScore
from league.web.words.games.replay import apart


def result_sentence(line: MatchLine) -> str:
    """Return the result in a sentence; "" without a winner, and while the result may change its winner."""
    winner = next((side for side in line.sides if side.won), None)
    if winner is None or winner.score is None or line.contested or line.needs_decision or line.void:
        return ""
    others = [side for side in line.sides if side is not winner]
    if len(others) != 1:
        scores = ", ".join(f"{apart(side.name)} {side.score}" for side in others)
        template = pgettext("result", "%(winner)s wins with %(score)s: %(others)s")
        return template % {"winner": apart(winner.name), "score": winner.score, "others": scores}
    template = (
        pgettext("result: pairs", "%(winner)s beat %(loser)s %(score)s")
        if len(winner.people) > 1
        else pgettext("result", "%(winner)s beats %(loser)s %(score)s")
    )
    return template % {"winner": apart(winner.name), "loser": apart(others[0].name), "score": _score(winner, others[0])}


def winning_words(line: MatchLine) -> str:
    """Return the result without the loser: "Hugo wins 150–35"; "" as above."""
    winner = next((side for side in line.sides if side.won), None)
    if winner is None or not result_sentence(line):
        return ""
    template = (
        pgettext("result: pairs", "%(winner)s win %(score)s")
        if len(winner.people) > 1
        else pgettext("result", "%(winner)s wins %(score)s")
    )
    return template % {"winner": apart(winner.name), "score": _score(*_winner_first(line, winner))}


def _winner_first(line: MatchLine, winner: SideScore) -> list[SideScore]:
    return [winner, *(side for side in line.sides if side is not winner)]


def _score(*sides: SideScore) -> str:
    return "–".join(str(side.score) for side in sides)
