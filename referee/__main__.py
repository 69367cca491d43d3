"""``python -m referee``: ``verify`` logs, print the ``rules`` of a system, ``simulate`` games."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from games.errors import OptionError
from games.lines import NotationError
from games.rulesets import KEYS, get
from referee.replay import unreadable, verify_text
from referee.report import report
from referee.rulespage import rules_page
from referee.simulate import Hidden, simulate
from referee.verdict import Status, Unreadable, Verdict

ALL_VERIFIED, SOME_NOT, SOME_UNREADABLE = 0, 1, 2
MISUSE = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns its exit status: 0 all well, 1 some game not verified, 2 something unreadable."""
    options = _parser().parse_args(arguments)
    return int(options.run(options))


def _verify(options: argparse.Namespace) -> int:
    worst = ALL_VERIFIED
    for name in options.files:
        verdicts = _verdicts(name)
        if verdicts is None:
            worst = SOME_UNREADABLE
            continue
        for verdict in verdicts:
            print(json.dumps(verdict.as_json(), ensure_ascii=False) if options.json else report(verdict) + "\n")
            worst = max(worst, _exit_status(verdict))
    return worst


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m referee",
        description="Check records of domino games.",
        epilog="Example: python -m referee verify week3.domino --json. How a record is written: docs/notation.md. "
        "Exit status: 0 every game verified; 1 some game not; 2 some file unreadable or missing.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    verify = commands.add_parser(
        "verify",
        help="replay logs and say what is true of them",
        epilog="Example: python -m referee verify week3.domino --json. "
        "How a record is written: docs/notation.md. "
        "Exit status: 0 every game verified; 1 some game not; 2 some file unreadable or missing.",
    )
    verify.add_argument("files", nargs="+", metavar="FILE", help="a .domino file; - is standard input")
    verify.add_argument("--json", action="store_true", help="one JSON object a game, one a line")
    verify.set_defaults(run=_verify)
    rules = commands.add_parser(
        "rules",
        help="print the rules of a system, with the ids that findings cite",
        epilog="Example: python -m referee rules udl --option target=100 --option spinner=all",
    )
    _add_ruleset(rules)
    rules.set_defaults(run=_rules)
    simulated = commands.add_parser(
        "simulate",
        help="play games by chance and print their logs",
        epilog="Example: python -m referee simulate all-fives --games 3 --seed 7 --players 4 --hide hands. "
        "The same arguments give the same games.",
    )
    _add_ruleset(simulated)
    simulated.add_argument("--games", type=_at_least_one, default=1, metavar="N", help="how many, 1 by default")
    simulated.add_argument("--seed", type=int, default=0, metavar="S", help="what chance follows, 0 by default")
    simulated.add_argument("--players", type=_at_least_one, metavar="N", help="the fewest allowed by default")
    simulated.add_argument("--style", choices=("random", "greedy"), default="greedy", help="how they play")
    simulated.add_argument("--hide", choices=("hands", "draws"), help="what the scorer did not see")
    simulated.set_defaults(run=_simulate)
    return parser


def _add_ruleset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ruleset", metavar="RULESET", choices=tuple(KEYS), help=" or ".join(KEYS))
    parser.add_argument(
        "--option",
        action="append",
        type=_house_rule,
        default=[],
        metavar="KEY=VALUE",
        help="a house rule; may be given several times",
    )


def _at_least_one(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"a number from 1 is needed, not {text!r}")
    return int(text)


def _house_rule(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign:
        raise argparse.ArgumentTypeError(f"KEY=VALUE such as target=100 is needed, not {text!r}")
    return key, value


def _rules(options: argparse.Namespace) -> int:
    try:
        rules = get(options.ruleset).with_options(dict(options.option))
    except OptionError as error:
        return _misused(error)
    print(rules_page(rules), end="")
    return 0


def _simulate(options: argparse.Namespace) -> int:
    texts = simulate(
        options.ruleset,
        games=options.games,
        seed=options.seed,
        players=options.players,
        style=options.style,
        hidden=Hidden(options.hide or "nothing"),
        options=dict(options.option),
    )
    try:
        for number, text in enumerate(texts):
            print(text if not number else "\n" + text, end="")
    except ValueError as error:  # OptionError is one
        return _misused(error)
    return 0


def _misused(error: ValueError) -> int:
    print(f"python -m referee: {error}", file=sys.stderr)
    return MISUSE


def _verdicts(name: str) -> Sequence[Verdict | Unreadable] | None:
    """The verdicts on a file's games; ``None``, and a word on standard error, if there is no such file."""
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"{name}: cannot be read: {error.strerror or error}", file=sys.stderr)
        return None
    try:
        return verify_text(raw.decode("utf-8"), name)
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        return [unreadable(name, NotationError(line, column, "expected text in UTF-8, found other bytes"))]


def _exit_status(verdict: Verdict | Unreadable) -> int:
    if isinstance(verdict, Unreadable):
        return SOME_UNREADABLE
    return ALL_VERIFIED if verdict.status == Status.VERIFIED.value else SOME_NOT


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # names are UTF-8 whatever the terminal says
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, a pager) has gone: nothing more to tell, and no traceback at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = SOME_NOT
    sys.exit(status)
