"""Typed confirmation of acts that destroy people's work or affect others.

SCREENS.md B-11. List of these acts, with reasons: docs/decisions/draws.md. Each confirmation word is a function beside
its service; an empty word asks for nothing.
"""

from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.players.naming import fold


def is_typed(word: str, typed: str) -> bool:
    """Capitals, accents and spaces do not matter: it is no password.

    >>> is_typed("José’s  Cup", " jose’s cup")
    True
    """
    return fold(typed) == fold(word)


def refuse_unless_typed(word: str, typed: str | None) -> None:
    """Raise Refused `type-it` unless the word was typed.

    `typed` is None for a program, which needs no warning.
    """
    if not word or typed is None or is_typed(word, typed):
        return
    if not typed.strip():
        raise Refused("type-it", _("Type “%(word)s” to confirm."), word=word)
    raise Refused(
        "type-it",
        _("“%(typed)s” does not match. Type “%(word)s” to confirm."),
        typed=typed.strip(),
        word=word,
    )
