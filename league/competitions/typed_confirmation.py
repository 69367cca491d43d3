"""Acts that throw away what people made, or what others rely on, want a name typed first (SCREENS.md B-11). Which acts
these are, and why no others: docs/decisions/draws.md. The word stands beside its verb; an empty one is typed by nobody.
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
    """`typed` is None where a program acts, whom nobody has to warn. Raises Refused `type-it`."""
    if not word or typed is None or is_typed(word, typed):
        return
    if not typed.strip():
        raise Refused("type-it", _("Type “%(word)s” to say that you mean it."), word=word)
    raise Refused(
        "type-it",
        _("“%(typed)s” is something else. Type “%(word)s” to say that you mean it."),
        typed=typed.strip(),
        word=word,
    )
