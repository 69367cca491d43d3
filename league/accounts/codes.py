"""Public codes: what is printed on a card, spoken over a table, and written into a log instead of a name."""

import secrets

# Crockford's alphabet: no I, L, O or U, so that a code read aloud or off a card is not mistaken.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8


# What opens a match or a person's own page without an account, and so must not be guessed: 80 and 60 bits.
DOOR_OF_ENTRANT = 16
DOOR_OF_MATCH = 12
PIN_LENGTH = 4


def new_code() -> str:
    """Eight characters, 40 bits: a clash among 100,000 codes has a chance of 0.5 %, and the unique column refuses
    it.
    """
    return _letters(LENGTH)


def new_entrant_door() -> str:
    """What stands in the address of an entrant's own page."""
    return _letters(DOOR_OF_ENTRANT)


def new_match_door() -> str:
    """What the QR code of a match's card holds."""
    return _letters(DOOR_OF_MATCH)


def new_pin() -> str:
    """Four digits on an entrant's slip. They prove who holds a phone, nothing more: tries are limited where it is
    asked for.
    """
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def _letters(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
