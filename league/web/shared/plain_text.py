"""Text without invisible characters."""

import unicodedata


def plain(text: str) -> str:
    """Remove direction marks, joiners and control characters.

    They are invisible, but move visible text.
    """
    seen = (one if unicodedata.category(one) not in {"Cf", "Cc", "Cs", "Co", "Cn"} else " " for one in text)
    return " ".join("".join(seen).split())
