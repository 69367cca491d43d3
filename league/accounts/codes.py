"""Public codes: printed on cards, read aloud, and used in logs instead of names."""

import secrets

# Crockford's alphabet: no I, L, O or U, so that a code read aloud or off a card is not mistaken.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8


# Secrets for a match or a person's own page without an account, too long to guess: 80 and 60 bits.
DOOR_OF_ENTRANT = 16
DOOR_OF_MATCH = 12
PRACTICE_LENGTH = 16
PIN_LENGTH = 4


def new_code() -> str:
    """Return a code of eight characters, 40 bits.

    A clash among 100,000 codes has a chance of 0.5 %, and the unique column refuses it.
    """
    return _letters(LENGTH)


def new_entrant_door() -> str:
    """Return the secret in the address of an entrant's own page."""
    return _letters(DOOR_OF_ENTRANT)


def new_match_door() -> str:
    """Return the table code, for the QR code on a match's card."""
    return _letters(DOOR_OF_MATCH)


def new_practice_code() -> str:
    """Return the secret in the address of a practice game, 80 bits."""
    return _letters(PRACTICE_LENGTH)


def new_online_code() -> str:
    """Return the code in the address of an online game, 80 bits."""
    return _letters(PRACTICE_LENGTH)


def new_seat_key() -> str:
    """Return the secret of a seat in an online game, 80 bits."""
    return _letters(PRACTICE_LENGTH)


def new_pin() -> str:
    """Return the four digits of an entrant's slip.

    They only prove the holder of a phone; tries are limited by their form.
    """
    return "".join(secrets.choice("0123456789") for _ in range(PIN_LENGTH))


def _letters(length: int) -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(length))
