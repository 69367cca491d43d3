"""Typical mistakes of scorers, added to a correct log. Pure.

For the demonstration and for tests.
"""

import re

PLAY = re.compile(r"\b([AB]) (\d-\d)$")
CALLED = re.compile(r"\n[^\n]*\b[AB] muggins[^\n]*")


def with_wrong_total(text: str) -> str:
    """Write A's first running total five too high: the verdict corrects it."""
    return re.sub(r"score (\d+)-", lambda found: f"score {int(found[1]) + 5}-", text, count=1)


def with_illegal_play(text: str) -> str:
    """Write the first lead again, for the other seat: the log is impossible."""
    lines = text.split("\n")
    lead, (seat, tile) = next(
        (index, found.groups()) for index, line in enumerate(lines) if (found := PLAY.search(line))
    )
    lines.insert(lead + 1, f"{'B' if seat == 'A' else 'A'} {tile}")
    return "\n".join(lines)


def with_broken_rule(text: str) -> str:
    """Give A an eighth tile in round 1, unseen before: a rule is broken.

    The log remains possible.
    """
    hand = next(re.finditer(r"A hand ([^\n#]*)\n", text))
    first_round = text[hand.start() : text.find("round 2", hand.start())]
    seen = {frozenset(tile.split("-")) for tile in re.findall(r"\b\d-\d\b", first_round)}
    spare = next(f"{a}-{b}" for a in range(7) for b in range(a + 1) if frozenset((str(a), str(b))) not in seen)
    return text[: hand.end(1)] + f" {spare}" + text[hand.end(1) :]


def without_call(text: str) -> str:
    """Leave out the first muggins call: its points go to nobody, and the totals are wrong from there on."""
    return CALLED.sub("", text, count=1)


def cut_short(text: str) -> str:
    """End the log after round 1, as an unfinished game."""
    kept = text[: text.index("round 2")].rsplit("\n", 1)[0] + "\n"
    return re.sub(r'\[Result "[^"]*"\]', '[Result "*"]', kept)


def misspelt(text: str) -> str:
    """Write the first lead in words: a line that the notation cannot read."""
    lines = text.split("\n")
    lead = next(index for index, line in enumerate(lines) if PLAY.search(line))
    lines[lead] = PLAY.sub(r"\1 plays the first tile", lines[lead])
    return "\n".join(lines)
