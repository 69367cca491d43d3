"""Services of accounts: found a site or a league, roles and invitations to them, erase."""

from league.accounts.erasing import erase_account
from league.accounts.first import check_code, code_needed, found_site, is_empty, setup_code
from league.accounts.founding import edit_league, found_league, may_found
from league.accounts.role_invitations import (
    decide_invitation,
    invitation_of,
    invite_to_role,
    open_invitations,
    revoke_invitation,
    take_invitation,
    waiting_invitations,
)
from league.accounts.roles import give_role, take_role

__all__ = [
    "check_code",
    "code_needed",
    "decide_invitation",
    "edit_league",
    "erase_account",
    "found_league",
    "found_site",
    "give_role",
    "invitation_of",
    "invite_to_role",
    "is_empty",
    "may_found",
    "open_invitations",
    "revoke_invitation",
    "setup_code",
    "take_invitation",
    "take_role",
    "waiting_invitations",
]
