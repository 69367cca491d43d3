"""Services of accounts: found a site or a league, grant and take roles, erase."""

from league.accounts.erasing import erase_account
from league.accounts.first import check_code, code_needed, found_site, is_empty, setup_code
from league.accounts.founding import edit_league, found_league, may_found
from league.accounts.roles import give_role, take_role

__all__ = [
    "check_code",
    "code_needed",
    "edit_league",
    "erase_account",
    "found_league",
    "found_site",
    "give_role",
    "is_empty",
    "may_found",
    "setup_code",
    "take_role",
]
