"""Services of players: memberships, claims, merges, erasure."""

from league.players.claiming import claim, decide_claim, link_of, make_claim_link, release, use_claim_link
from league.players.door import renew_door, renew_pin
from league.players.enrolling import add_player, edit_player, end_membership, enrol, join, player_of, renew_membership
from league.players.erasing import erase, erase_account, erase_for
from league.players.merging import merge, unmerge
from league.players.naming import clean_name
from league.players.pasting import (
    Pasted,
    PastedLine,
    PasteNote,
    paste,
    paste_rows,
    preview_paste,
    preview_rows,
    sentence,
)
from league.players.resetting import make_reset_link, recent_links

__all__ = [
    "PasteNote",
    "Pasted",
    "PastedLine",
    "add_player",
    "claim",
    "clean_name",
    "decide_claim",
    "edit_player",
    "end_membership",
    "enrol",
    "erase",
    "erase_account",
    "erase_for",
    "join",
    "link_of",
    "make_claim_link",
    "make_reset_link",
    "merge",
    "paste",
    "paste_rows",
    "player_of",
    "preview_paste",
    "preview_rows",
    "recent_links",
    "release",
    "renew_door",
    "renew_membership",
    "renew_pin",
    "sentence",
    "unmerge",
    "use_claim_link",
]
