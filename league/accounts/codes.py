"""Public codes: what is printed on a card, spoken over a table, and written into a log instead of a name."""

import secrets

# Crockford's alphabet: no I, L, O or U, so that a code read aloud or off a card is not mistaken.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
LENGTH = 8


def new_code() -> str:
    """Eight characters, 40 bits: a clash among 100,000 codes has a chance of 0.5 %, and the unique column refuses
    it.
    """
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
