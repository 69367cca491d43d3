"""Mistakes as people make them at a table, put into a log that has none: for the demonstration and for tests. Pure."""

import re

PLAY = re.compile(r"\b([AB]) (\d-\d)$")


def with_wrong_total(text: str) -> str:
    """The first running total is written five too high for A: the verdict corrects it."""
    return re.sub(r"score (\d+)-", lambda found: f"score {int(found[1]) + 5}-", text, count=1)


def with_illegal_play(text: str) -> str:
    """The first lead is written a second time, for the other seat: the record cannot be true."""
    lines = text.split("\n")
    lead = next(index for index, line in enumerate(lines) if PLAY.search(line))
    seat, tile = PLAY.search(lines[lead]).groups()
    lines.insert(lead + 1, f"{'B' if seat == 'A' else 'A'} {tile}")
    return "\n".join(lines)


def with_broken_rule(text: str) -> str:
    """A takes eight tiles in round 1, the eighth from those nobody saw: a rule is broken, and the record stands."""
    hand = re.search(r"A hand ([^\n#]*)\n", text)
    first_round = text[hand.start() : text.find("round 2", hand.start())]
    seen = {frozenset(tile.split("-")) for tile in re.findall(r"\b\d-\d\b", first_round)}
    spare = next(f"{a}-{b}" for a in range(7) for b in range(a + 1) if frozenset((str(a), str(b))) not in seen)
    return text[: hand.end(1)] + f" {spare}" + text[hand.end(1) :]


def cut_short(text: str) -> str:
    """The record ends after round 1, and says that the game is not finished."""
    kept = text[: text.index("round 2")].rsplit("\n", 1)[0] + "\n"
    return re.sub(r'\[Result "[^"]*"\]', '[Result "*"]', kept)


def misspelt(text: str) -> str:
    """The first lead is written in words: a line that no reader of the notation understands."""
    lines = text.split("\n")
    lead = next(index for index, line in enumerate(lines) if PLAY.search(line))
    lines[lead] = PLAY.sub(r"\1 plays the first tile", lines[lead])
    return "\n".join(lines)
