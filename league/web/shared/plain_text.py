"""Text without invisible characters."""

import unicodedata


def plain(text: str) -> str:
    """Without what is not seen but moves what is: marks of direction, joiners, control characters."""
    seen = (one if unicodedata.category(one) not in {"Cf", "Cc", "Cs", "Co", "Cn"} else " " for one in text)
    return " ".join("".join(seen).split())
