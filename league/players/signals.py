"""Signals of players, named in the past tense, sent within the transaction."""

from django.dispatch import Signal

# A player's name was erased. Argument: player_id.
player_erased = Signal()

# Two players became one, or two again. Argument: player_ids.
players_merged = Signal()

# The personal link of an entrant was replaced. Argument: entrant_id.
link_renewed = Signal()
