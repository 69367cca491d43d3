"""A line of a log with a caret under the column of the reading error."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.notation.reading import NotationError, loads
from league.matches.annotated_log import in_words

_BEFORE, _AFTER = 48, 24


@dataclass(frozen=True, kw_only=True)
class Caret:
    """A caret under a line; `line` and `column` count from 1.

    `source`: the piece of the line around the column; `pad`: the space before the caret.
    """

    line: int
    column: int
    message: str
    source: str
    pad: str


def caret(text_line: str, *, line: int, column: int, message: str) -> Caret:
    """Cut a long line around the column, so that a phone shows the place.

    A cut is marked with an ellipsis.
    """
    shown = text_line.replace("\t", " ")
    start = max(column - 1 - _BEFORE, 0)
    end = min(column + _AFTER, len(shown))
    head = "…" if start else ""
    tail = "…" if end < len(shown) else ""
    pad = " " * (len(head) + max(column - 1 - start, 0))
    return Caret(line=line, column=column, message=message, source=head + shown[start:end] + tail, pad=pad)


def caret_at_error(text: str) -> Caret | None:
    """Return place and reason of a reading error, or None if the text is readable."""
    try:
        loads(text)
    except NotationError as error:
        lines = text.split("\n")
        source = lines[error.line - 1].rstrip("\r") if 0 < error.line <= len(lines) else ""
        said = in_words(error.template, error.facts)
        told = _("line %(line)d, column %(column)d: %(said)s")
        message = told % {"line": error.line, "column": error.column, "said": said}
        return caret(source, line=error.line, column=error.column, message=message)
    return None
