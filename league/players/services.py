"""The verbs of players: join a league, be claimed, be merged, be erased."""

from league.players.enrolling import add_player, enrol, join
from league.players.erasing import erase
from league.players.naming import clean_name

__all__ = [
    "add_player",
    "clean_name",
    "enrol",
    "erase",
    "join",
]
