"""Round badge with the initials of a player or a pair, in a colour of its own. Decoration: a name is beside it."""

from zlib import crc32

from django.utils.html import format_html
from django.utils.safestring import SafeString

from league.accounts.naming import initials

TINTS = 8
"""Colours `--tint-1` to `--tint-8` in tokens.css."""
BETWEEN_PARTNERS = " & "


def initials_badge(name: str, code: str) -> SafeString:
    """Return the badge of a public name.

    The letters are drawn by the style sheet, so that no reader, search or copy meets a name twice.
    """
    shape = '<span class="initials tint-{}" data-initials="{}" aria-hidden="true"></span>'
    return format_html(shape, crc32(code.encode()) % TINTS + 1, letters(name))


def letters(name: str) -> str:
    """Return the first and the last initial, of a pair the first of each partner: “AR”, “AB”."""
    first, _between, partner = name.partition(BETWEEN_PARTNERS)
    own = _initials(first)
    return own[0] + (_initials(partner)[0] if partner else own[-1] if len(own) > 1 else "")


def _initials(name: str) -> list[str]:
    return [one.removesuffix(".") for one in initials(name).split()]
