"""Marks of texts that are translated elsewhere. Pure."""


def pgettext_noop(_context: str, text: str) -> str:
    """Mark a text for the catalogues, as Django's `gettext_noop` does, with a context."""
    return text
