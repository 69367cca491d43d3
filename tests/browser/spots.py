"""A page worth a look, and who looks at it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Spot:
    """A page and who looks at it; `text` is typed into the field `label` and sent with `button` where a form's answer
    is meant, which is there once `answer` is.
    """

    name: str
    path: str
    user: str = ""
    text: str = ""
    label: str = "Text of the log"
    button: str = "Submit the log"
    answer: str = "#submit-error"


def area(spot: Spot) -> str:
    """The first word of its address."""
    return spot.path.strip("/").partition("/")[0]
