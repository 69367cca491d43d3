"""Logs spoilt by chance, for fuzzing: by the grammar (lines and words) and by bytes."""

from __future__ import annotations

from random import Random

WORDS = tuple(
    """
    A B C D E F round hand lot draw pass call muggins domino uno catches challenges concedes forfeits reopens shows
    scores blocked score chips settled bell penalty end note upheld rejected on colour red blue none ? 0 5 15 150 6-6
    0-0 7-7 5-4 r7-gS W-W WD4-b1 DE-g5 0:00 0:10 15:00.1 99:59 10-5 1-2-3 150-0 "word # [ ] " \\ -5 999999999999
    """.split()  # noqa: SIM905  # a list literal would be 70 lines
)
TAGS = (
    '[Ruleset "udl"]', '[Ruleset "muggins"]', '[Seat.C "Cy"]', '[Seat.F "Fay"]', '[Result "*"]', '[Result "1-2"]',
    '[Option.target "50"]', '[Option.spinner "all"]', '[Option.hand "7/5/5"]', '[Option.muggins "before_next"]',
    '[Option.bell_mode "turn"]', '[Option.clock_s "60"]', '[Option.voluntary_draw "true"]', '[Option.tie "replay"]',
)  # fmt: skip


def spoil(text: str, rng: Random) -> str:
    """The text after one to four small mishaps."""
    for _ in range(rng.randint(1, 4)):
        text = rng.choice(_MISHAPS)(text, rng)
    return text


def _in_lines(mishap):
    def spoilt(text: str, rng: Random) -> str:
        lines = text.split("\n")
        mishap(lines, rng.randrange(len(lines)), rng)
        return "\n".join(lines)

    return spoilt


def _drop(lines, n, _rng):
    del lines[n]
    lines.append("")


def _twice(lines, n, _rng):
    lines.insert(n, lines[n])


def _swap(lines, n, rng):
    m = min(len(lines) - 1, n + rng.choice((1, 1, 1, 2, 5)))
    lines[n], lines[m] = lines[m], lines[n]


def _cut(lines, n, _rng):
    del lines[n + 1 :]


def _move(lines, n, rng):
    lines.insert(rng.randrange(len(lines)), lines.pop(n))


def _word(lines, n, rng):
    words = lines[n].split(" ")
    words[rng.randrange(len(words))] = rng.choice(WORDS)
    lines[n] = " ".join(words)


def _more(lines, n, rng):
    lines.insert(n, " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 4))))


def _seat(lines, n, rng):
    lines[n] = lines[n].replace("A ", "B ") if "A " in lines[n] else lines[n].replace("B ", rng.choice("ACD") + " ")


def _digit(lines, n, rng):
    places = [at for at, char in enumerate(lines[n]) if char.isdigit()]
    if places:
        at = rng.choice(places)
        lines[n] = lines[n][:at] + rng.choice("0123456789") + lines[n][at + 1 :]


def _hide(lines, n, rng):
    words = lines[n].split(" ")
    for verb in ("hand", "draw", "shows"):
        if verb in words:
            at = words.index(verb) + 1
            lines[n] = " ".join([*words[:at], rng.choice((str(len(words) - at), " ".join("?" * (len(words) - at))))])


def _tag(lines, _n, rng):
    lines.insert(rng.randrange(min(6, len(lines))), rng.choice(TAGS))


def _bytes(text: str, rng: Random) -> str:
    raw = bytearray(text.encode("utf-8"))
    for _ in range(rng.randint(1, 5)):
        if raw:
            raw[rng.randrange(len(raw))] = rng.randrange(256)
    return raw.decode("utf-8", "replace")


_MISHAPS = (
    *map(
        _in_lines, (_drop, _twice, _swap, _cut, _move, _word, _word, _more, _seat, _digit, _digit, _hide, _hide, _tag)
    ),
    _bytes,
)
