"""Short logs for tests: a header, dealt hands, and the lines that matter."""

from referee import Verdict, verify_text

HEADER = '[Ruleset "udl"]\n[Seat.A "Ana Ruiz"]\n[Seat.B "Bo Chen"]\n'
HANDS = "A hand 6-6 6-5 4-1 2-2 1-0 6-4 3-3\nB hand 6-3 6-2 5-5 5-4 3-1 2-0 1-1\n"
"""A leads 6-6; the first line after the hands is line 7."""
FIRST = 7


def udl(lines: str, *, hands: str = HANDS, tags: str = "") -> Verdict:
    """The verdict on round 1 of a game that goes on with these lines. With no tags, they begin in line ``FIRST``."""
    (verdict,) = verify_text(HEADER + tags + "round 1\n" + hands + lines)
    assert isinstance(verdict, Verdict), verdict.as_json()
    return verdict


def found(verdict: Verdict, *codes: str) -> list[tuple[int, str]]:
    """Line and code of the findings: all that are no notes, and those notes that are asked for."""
    return [(f.line, f.code) for f in verdict.findings if f.severity != "note" or f.code in codes]


def pip(ruleset: str, lines: str, *, seats: int = 2, tags: str = "") -> Verdict:
    """The verdict on a game of any pip system that goes on with these lines after its tags."""
    (verdict,) = verify_text(pip_header(ruleset, seats, tags) + lines)
    assert isinstance(verdict, Verdict), verdict.as_json()
    return verdict


def pip_header(ruleset: str, seats: int, tags: str) -> str:
    """The tags of a game: ``seats`` + 1 lines, and ``tags``, ``key=value`` for an option each."""
    options = "".join('[Option.{} "{}"]\n'.format(*tag.split("=")) for tag in tags.split())
    names = "".join(f'[Seat.{letter} "{letter}"]\n' for letter in "ABCDEF"[:seats])
    return f'[Ruleset "{ruleset}"]\n' + names + options


def lines_found(verdict: Verdict, before: int, *codes: str) -> list[tuple[int, str]]:
    """As :func:`found`, but lines are counted after the first ``before`` ones of the file."""
    return [(line - before, code) for line, code in found(verdict, *codes)]
