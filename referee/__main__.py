"""Command line ``python -m referee``: verify, card, deal, rules, simulate.

``verify`` logs, check a ``card``, lay out a ``deal``, print ``rules``, ``simulate`` games.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from games.errors import OptionError
from games.notation.gamelog import GameLog
from games.notation.lines import NotationError
from games.notation.reading import loads
from games.ruleset import Matching, Ruleset
from games.rulesets import KEYS, RULESETS, get
from referee.cards import command
from referee.deal_check import check_deal
from referee.playouts.simulate import Hidden, simulate
from referee.questions.laid_out import lay_out
from referee.replay import unreadable
from referee.report import report
from referee.rulespage import rules_page
from referee.rulings.amending import AmendedVerdict, UnfitRuling, verify_amended
from referee.rulings.reading import read_ruling
from referee.rulings.text import ENDING, RulingError, RulingText
from referee.verdict import Finding, Status, Unreadable, Verdict

ALL_VERIFIED, SOME_NOT, SOME_UNREADABLE = 0, 1, 2
MISUSE = 2
_NO_MARKINGS = "a deal is laid out in the games with pips; in Uno Dominoes nothing is known of a rack that was not seen"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command, and return its exit status.

    0 all well, 1 some game not verified, 2 something unreadable.
    """
    options = _parser().parse_args(arguments)
    return int(options.run(options))


def _verify(options: argparse.Namespace) -> int:
    worst = ALL_VERIFIED
    for name, rulings in _with_rulings(options.files):
        verdicts = _verdicts(name, rulings)
        if verdicts is None:
            worst = SOME_UNREADABLE
            continue
        for one in verdicts:
            if options.json:
                _print_json(one.as_json())
            else:
                print(report(one.verdict, one.changes) + "\n")
            worst = max(worst, _exit_status(one.verdict))
    return worst


def _with_rulings(files: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Return each log with the ruling texts named after it."""
    found: list[tuple[str, list[str]]] = []
    for name in files:
        if found and name.endswith(ENDING):
            found[-1][1].append(name)
        else:
            found.append((name, []))
    return found


def _card(options: argparse.Namespace) -> int:
    try:
        rules = get(options.ruleset).with_options(dict(options.option))
    except OptionError as error:
        return _misused(error)
    return max(_card_in(name, rules, options) for name in options.files)


def _card_in(name: str, rules: Ruleset, options: argparse.Namespace) -> int:
    """Check the card of one file, and return its exit status."""
    text = _text(name)
    if not isinstance(text, str):
        if text is not None:
            print(report(text), file=sys.stderr)
        return SOME_UNREADABLE
    try:
        checked = command.check_text(text, rules, options.players)
    except ValueError as error:
        print(command.refused(name, error), file=sys.stderr)
        return SOME_UNREADABLE
    if options.json:
        _print_json(command.as_json(name, rules, checked))
    else:
        print(command.in_words(name, rules, checked))
    return ALL_VERIFIED if checked.status == Status.VERIFIED.value else SOME_NOT


def _deal(options: argparse.Namespace) -> int:
    each = _deal_checks_in if options.check else _deals_in
    return max(each(name, options) for name in options.files)


def _deal_checks_in(name: str, options: argparse.Namespace) -> int:
    """Repeat the deal of every game of a file, and return the exit status."""
    text = _text(name)
    logs = _logs(text, name) if isinstance(text, str) else text
    if logs is None or isinstance(logs, Unreadable):
        if logs is not None:
            _tell(options, logs.as_json(), report(logs))
        return SOME_UNREADABLE
    worst = ALL_VERIFIED
    for number, log in enumerate(logs, 1):
        faults = check_deal(log)
        if options.json:
            told = [{"line": fault.line, "message": fault.message} for fault in faults]
            _print_json({"file": name, "game": number, "dealt": not faults, "faults": told})
        else:
            found = "; ".join(
                f"line {fault.line}: {fault.message}" if fault.line else fault.message for fault in faults
            )
            print(f"{name}, game {number}: {found or 'every tile lies as the seed says'}")
        worst = max(worst, SOME_NOT if faults else ALL_VERIFIED)
    return worst


def _deals_in(name: str, options: argparse.Namespace) -> int:
    """Print a deal for every game of a file, and return the exit status."""
    text = _text(name)
    logs = _logs(text, name) if isinstance(text, str) else text
    if logs is None:
        return SOME_UNREADABLE
    if isinstance(logs, Unreadable):
        _tell(options, logs.as_json(), report(logs))
        return SOME_UNREADABLE
    return max(_deal_of(log, name, number, options) for number, log in enumerate(logs, 1))


def _deal_of(log: GameLog, name: str, number: int, options: argparse.Namespace) -> int:
    about = {"file": name, "game": number, "ruleset": log.ruleset}
    nothing = {"found": False, "rounds": [], "log": None}
    where = f"{name}, game {number}"
    if RULESETS[log.ruleset].matching is Matching.MARKINGS:
        _tell(options, {**about, **nothing, "clash": None}, f"{where}: {_NO_MARKINGS}")
        return MISUSE
    laid = lay_out(log)
    if isinstance(laid, Finding):
        words = f"{where}: no deal fits the record. Line {laid.line}: {laid.message}"
        _tell(options, {**about, **nothing, "clash": laid.as_json()}, words)
        return SOME_NOT
    if options.json:
        rounds = [laid_round.as_json() for laid_round in laid.rounds]
        _print_json({**about, "found": True, "rounds": rounds, "log": laid.text(), "clash": None})
    else:
        print(laid.text())
    return ALL_VERIFIED


def _tell(options: argparse.Namespace, data: Mapping[str, Any], words: str) -> None:
    """Print a message that is no record to standard error, unless as JSON.

    So standard output is always a record that can be read again.
    """
    if options.json:
        _print_json(data)
    else:
        print(words, file=sys.stderr)


def _print_json(data: Mapping[str, Any]) -> None:
    print(json.dumps(data, ensure_ascii=False))


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
        epilog="Examples: python -m referee verify week3.domino --json; "
        "python -m referee verify game.domino first.ruling second.ruling. "
        "How a record and a ruling are written: docs/notation.md. "
        "Exit status: 0 every game verified; 1 some game not; 2 some file unreadable or missing.",
    )
    verify.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a .domino file; - is standard input; .ruling files after it are the rulings on its text, in order",
    )
    verify.add_argument("--json", action="store_true", help="one JSON object a game, one a line")
    verify.set_defaults(run=_verify)
    card = commands.add_parser(
        "card",
        help="check score cards and tallies: what of them can't be so",
        epilog="Example: python -m referee card table7.json --ruleset udl. What a card says and proves: docs/cards.md. "
        "Exit status: 0 nothing contradicts the rules; 1 something does; 2 some file unreadable or missing.",
    )
    card.add_argument("files", nargs="+", metavar="FILE", help="a JSON file; - is standard input")
    card.add_argument("--ruleset", choices=tuple(KEYS), default=KEYS[0], help=f"{KEYS[0]} by default")
    card.add_argument("--players", type=_at_least_one, metavar="N", help="as many as there are scores by default")
    card.add_argument("--json", action="store_true", help="one JSON object a file, one a line")
    _add_options(card)
    card.set_defaults(run=_card)
    deal = commands.add_parser(
        "deal",
        help="lay out one deal that fits a log in which tiles were not seen",
        epilog="Example: python -m referee deal week3.domino. It prints the log with every tile named, and remarks on "
        "the boneyard; the same log gives the same deal. Not for Uno Dominoes. Exit status: 0 every game has a deal; "
        "1 some game has none; 2 some file unreadable or missing, or a game whose tiles are not laid out.",
    )
    deal.add_argument("files", nargs="+", metavar="FILE", help="a .domino file; - is standard input")
    deal.add_argument(
        "--check",
        action="store_true",
        help="repeat the deal of a game played on a site: hands, lots and draws by the seed in its tags",
    )
    deal.add_argument("--json", action="store_true", help="one JSON object a game, one a line")
    deal.set_defaults(run=_deal)
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
    _add_options(parser)


def _add_options(parser: argparse.ArgumentParser) -> None:
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
    except ValueError as error:  # OptionError is a ValueError
        return _misused(error)
    return 0


def _misused(error: ValueError) -> int:
    print(f"python -m referee: {error}", file=sys.stderr)
    return MISUSE


def _verdicts(name: str, rulings: Sequence[str]) -> Sequence[AmendedVerdict] | None:
    """Return the verdicts on a file's games, under the rulings in these files.

    ``None``, with a message on standard error, if a file can't be read or a ruling does not fit.
    """
    if name.endswith(ENDING):
        print(f"{name}: a ruling is named after the log that it amends: verify OLD {name}", file=sys.stderr)
        return None
    text = _text(name)
    if not isinstance(text, str):
        return None if text is None else [AmendedVerdict(text, ())]
    read = [_ruling(ruling) for ruling in rulings]
    applied = [ruling for ruling in read if ruling is not None]
    if len(applied) < len(read):
        return None
    try:
        return verify_amended(text, applied, name)
    except UnfitRuling as unfit:
        print(f"{rulings[unfit.number - 1]}: {unfit.error}", file=sys.stderr)
        return None


def _ruling(name: str) -> RulingText | None:
    """Return the ruling in a file; ``None``, with a message on standard error, if it can't be read."""
    text = _text(name)
    if not isinstance(text, str):
        if text is not None:
            print(f"{name}: {text.findings[0].message}", file=sys.stderr)
        return None
    try:
        return read_ruling(text)
    except RulingError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None


def _logs(text: str, name: str) -> list[GameLog] | Unreadable:
    try:
        return loads(text)
    except NotationError as error:
        return unreadable(name, error)


def _text(name: str) -> str | Unreadable | None:
    """Return the text of a file.

    ``None``, with a message on standard error, if the file can't be read.
    """
    try:
        raw = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        print(f"{name}: cannot be read: {error.strerror or error}", file=sys.stderr)
        return None
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line = before.count(b"\n") + 1
        column = len(before[before.rfind(b"\n") + 1 :].decode("utf-8")) + 1
        return unreadable(name, NotationError(line, column, "expected text in UTF-8, found other bytes"))


def _exit_status(verdict: Verdict | Unreadable) -> int:
    if isinstance(verdict, Unreadable):
        return SOME_UNREADABLE
    return ALL_VERIFIED if verdict.status == Status.VERIFIED.value else SOME_NOT


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # names are UTF-8 on every terminal
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader (`head`, a pager) has gone: print nothing more, and no traceback at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = SOME_NOT
    sys.exit(status)
