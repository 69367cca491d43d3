"""The verbs of players: join a league, be claimed, be merged, be erased."""

from league.players.enrolling import add_player, enrol, join
from league.players.erasing import erase
from league.players.naming import clean_name
from league.players.pasting import Pasted, PastedLine, PasteNote, paste, preview_paste, sentence

__all__ = [
    "PasteNote",
    "Pasted",
    "PastedLine",
    "add_player",
    "clean_name",
    "enrol",
    "erase",
    "join",
    "paste",
    "preview_paste",
    "sentence",
]
