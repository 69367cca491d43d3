"""Signals of accounts, named in the past tense, sent within the transaction."""

from django.dispatch import Signal

# An account was erased: sessions are void, its names and addresses are gone. Argument: user_id.
account_erased = Signal()
# The site's admin set another password: sessions are void. Argument: user_id.
password_replaced = Signal()
