"""Words of the records of a season or a league: a heading, its holder, and equal ones. Pure."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import npgettext, pgettext, pgettext_lazy

from league.web.words.games.replay import apart

PLAY: Any = pgettext_lazy("record of a season", "Most points on a play")
HAND: Any = pgettext_lazy("record of a season", "Most points in a hand")
WIN: Any = pgettext_lazy("record of a season", "Largest win")
RUN: Any = pgettext_lazy("record of a season", "Longest run of wins")
MUGGINS: Any = pgettext_lazy("record of a season", "Most muggins taken in a game")
TIME: Any = pgettext_lazy("record of a season", "Fastest win")


def _together(names: Iterable[str]) -> str:
    return ", ".join(map(apart, names))


def with_tile(name: str, tile: str, others: Iterable[str]) -> str:
    told = pgettext("record of a season", "%(name)s with %(tile)s, against %(others)s")
    return told % {"name": apart(name), "tile": tile, "others": _together(others)}


def in_hand(name: str, hand: int, others: Iterable[str]) -> str:
    told = pgettext("record of a season", "%(name)s in hand %(hand)s, against %(others)s")
    return told % {"name": apart(name), "hand": hand, "others": _together(others)}


def by_score(name: str, score: str, others: Iterable[str]) -> str:
    told = pgettext("record of a season", "%(name)s %(score)s against %(others)s")
    return told % {"name": apart(name), "score": score, "others": _together(others)}


def against(name: str, others: Iterable[str]) -> str:
    told = pgettext("record of a season", "%(name)s against %(others)s")
    return told % {"name": apart(name), "others": _together(others)}


def equalled(count: int) -> str:
    told = npgettext("record of a season", "and in %(count)s more game", "and in %(count)s more games", count)
    return told % {"count": count}


def equalled_run(count: int) -> str:
    told = npgettext("record of a season", "and by %(count)s other", "and by %(count)s others", count)
    return told % {"count": count}


def basis(logs: int, hands: int, games: int) -> str:
    told = pgettext("records of a season", "Games: %(games)s. With a log: %(logs)s. With known hands: %(hands)s.")
    return told % {"logs": logs, "hands": hands, "games": games}
