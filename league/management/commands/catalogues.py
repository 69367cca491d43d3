"""``python3 manage.py catalogues``: update and compile all translations.

In pure Python: the machine needs no gettext tools. Texts come from the calls of gettext in ``league`` and in the
templates, from the referee's sentences, and from the rules of every system under every pair of house rules.
"""

import ast
import re
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import replace
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.template import Engine
from django.template.base import Node, Template
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.translation import trim_whitespace

from games.errors import OptionError
from games.ruleset import OPTIONS, Ruleset
from games.rulesets import RULESETS
from games.wording.rulebook import articles
from referee.sentences import SENTENCES

# Positions of context, text and plural in the arguments of a call.
CALLS = {
    "_": (None, 0, None),
    "gettext": (None, 0, None),
    "gettext_lazy": (None, 0, None),
    "gettext_noop": (None, 0, None),
    "ngettext": (None, 0, 1),
    "ngettext_lazy": (None, 0, 1),
    "pgettext": (0, 1, None),
    "pgettext_lazy": (0, 1, None),
    "pgettext_noop": (0, 1, None),
    "npgettext": (0, 1, 2),
    "npgettext_lazy": (0, 1, 2),
}
# A file without any of them needs no parser.
CALLED = re.compile(r"\b_ *\(|gettext")
# Messages of the notation reader: its files, the position of the text in each call, and the names of such texts.
READER = (
    "games/notation/lines.py",
    "games/notation/reading.py",
    "games/ruleset.py",
    "referee/__main__.py",
    "referee/questions/open_ends.py",
    "referee/questions/record.py",
    "referee/rulings/amending.py",
    "referee/rulings/at_the_table.py",
    "referee/rulings/card_court.py",
    "referee/rulings/card_difference.py",
    "referee/rulings/claims_in_dispute.py",
    "referee/rulings/court.py",
    "referee/rulings/difference.py",
    "referee/rulings/outcomes.py",
    "referee/rulings/penalties.py",
    "referee/rulings/proposing.py",
    "referee/rulings/protests.py",
    "referee/rulings/reading.py",
    "referee/rulings/turns_in_dispute.py",
    "referee/rulings/uno_calls_in_dispute.py",
    "league/web/help/muggins_answer.py",
)
READER_CALLS = {
    "NotationError": 2,
    "OptionError": 1,
    "QuestionError": 1,
    "RulingError": 2,
    "Sentence": 0,
    "Option": 0,
    "take": 0,
    "wrong": 0,
    "number": 0,
    "numbers": 0,
    "quoted": 0,
    "tile": 1,
}
READER_NAMES = {"template", "expected", "_FIRST_TAG"}
# Values of options that `Option.allowed` gives as a range; the smallest, the usual ones, and another.
NUMBERS = ("0", "1", "2", "5", "7", "60", "100", "150", "900")


class Text(NamedTuple):
    """A text to translate. `plural` and `context` may be empty."""

    text: str
    plural: str = ""
    context: str = ""


class Command(BaseCommand):
    help = "Bring the catalogues of translations up to date from the code, and compile them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, fail where something would change")

    def handle(self, *, check: bool, **_options: object) -> None:
        try:
            from babel.messages import pofile  # noqa: F401
        except ImportError:
            raise CommandError("Babel is not installed; python3 manage.py environment installs it.") from None
        texts = every_text()
        for code, _name in settings.LANGUAGES:
            if code != settings.LANGUAGE_CODE:
                self.update(folder(code), texts, check=check)

    def update(self, path: Path, texts: dict[Text, list[str]], *, check: bool) -> None:
        source, compiled, missing = renewed(path / "django.po", texts)
        for name, content in (("django.po", source), ("django.mo", compiled)):
            old = (path / name).read_bytes() if (path / name).exists() else b""
            if check and old != content:
                raise CommandError(f"{path / name} is out of date: python3 manage.py catalogues")
            (path / name).write_bytes(content)
        self.stdout.write(f"{path.parent.name}: {len(texts)} texts, {len(missing)} not translated")
        for one in missing:
            self.stdout.write(f"  {one.text}")


def folder(code: str) -> Path:
    return settings.LOCALE_PATHS[0] / code / "LC_MESSAGES"


def renewed(path: Path, texts: dict[Text, list[str]]) -> tuple[bytes, bytes, list[Text]]:
    """Update a catalogue, and return its source, its compiled form and missing texts.

    It has exactly these texts, with its present translations.
    """
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po, write_po

    locale = path.parent.parent.name
    with path.open("rb") if path.exists() else BytesIO() as file:
        old = read_po(file, locale=locale)
    new = empty_catalogue(locale)
    missing = []
    for one, places in sorted(texts.items()):
        key = (one.text, one.plural) if one.plural else one.text
        known = old.get(key, one.context or None)
        string = known.string if known else ("", "") if one.plural else ""
        if not all([string] if isinstance(string, str) else string):
            missing.append(one)
        new.add(key, string, [(place, None) for place in sorted(set(places))], context=one.context or None)
    source, compiled = BytesIO(), BytesIO()
    write_po(source, new, width=120, sort_output=False, include_lineno=False)
    write_mo(compiled, new)
    return source.getvalue(), compiled.getvalue(), missing


def empty_catalogue(locale: str) -> Any:
    """Return a catalogue without time and tool in its header.

    So equal texts give equal bytes.
    """
    from babel.messages.catalog import Catalog

    class Catalogue(Catalog):
        @property
        def mime_headers(self) -> list[tuple[str, str]]:
            return [
                ("Language", locale),
                ("Plural-Forms", self.plural_forms),
                ("MIME-Version", "1.0"),
                ("Content-Type", "text/plain; charset=utf-8"),
                ("Content-Transfer-Encoding", "8bit"),
            ]

    made = Catalogue(locale=locale, charset="utf-8", fuzzy=False)
    made.header_comment = f"# {made.locale.english_name}. Brought up to date by: python3 manage.py catalogues"
    return made


def every_text() -> dict[Text, list[str]]:
    """Return every text for people, with its files."""
    found: dict[Text, list[str]] = {}
    for path in sorted((settings.BASE_DIR / "league").rglob("*.py")):
        if "migrations" not in path.parts:
            _add(found, texts_of_code(path.read_text(encoding="utf-8")), path)
    for path in sorted((settings.BASE_DIR / "templates").rglob("*.*")):
        _add(found, texts_of_template(path.read_text(encoding="utf-8")), path)
    for name in READER:
        path = settings.BASE_DIR / name
        _add(found, texts_of_reader(path.read_text(encoding="utf-8")), path)
    for template in SENTENCES.values():
        found.setdefault(Text(template), []).append("referee/sentences.py")
    for template in rule_templates():
        found.setdefault(Text(template), []).append("games/wording/rulebook.py")
    return found


def _add(found: dict[Text, list[str]], texts: Iterable[Text], path: Path) -> None:
    for text in texts:
        found.setdefault(text, []).append(path.relative_to(settings.BASE_DIR).as_posix())


def texts_of_code(source: str) -> Iterator[Text]:
    """Yield the texts of gettext calls with literal arguments.

    Raises SyntaxError for invalid source.
    """
    if not CALLED.search(source):
        return
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in CALLS:
            continue
        context, text, plural = (None if at is None else _literal(node, at) for at in CALLS[node.func.id])
        # A text that is looked up, not written here: `_(one.template)` of a rule.
        if text is not None:
            yield Text(text, plural or "", context or "")


def texts_of_reader(source: str) -> Iterator[Text]:
    """Yield the error templates of the engine, which does not use gettext."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            said = [_literal(node, READER_CALLS[name])] if name in READER_CALLS else []
            said += [one.value.value for one in node.keywords if one.arg == "expected" and _is_text(one.value)]
        elif isinstance(node, ast.Assign) and _is_text(node.value):
            said = [node.value.value for one in node.targets if _is_template(getattr(one, "id", ""))]
        elif isinstance(node, ast.FunctionDef):
            said = [one.value for one in node.args.defaults if _is_text(one)]
        else:
            continue
        yield from (Text(one) for one in said if one)


def _is_template(name: str) -> bool:
    return name in READER_NAMES or name.startswith("_EXPECTED")


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _literal(call: ast.Call, place: int) -> str | None:
    given = call.args[place] if place < len(call.args) else None
    return given.value if given is not None and _is_text(given) else None


def texts_of_template(source: str) -> Iterator[Text]:
    """Yield the texts of `trans` and `blocktrans`, as parsed by Django."""
    template = Template(source, engine=Engine.get_default())
    for node in template.nodelist.get_nodes_by_type(Node):
        if isinstance(node, TranslateNode):
            # `trans` looks its text up with each per cent sign doubled (django.template.base.Variable.resolve).
            yield Text(_said(node.filter_expression).replace("%", "%%"), context=_said(node.message_context))
        elif isinstance(node, BlockTranslateNode):
            singular, _names = node.render_token_list(node.singular)
            plural, _names = node.render_token_list(node.plural)
            trimmed = trim_whitespace if node.trimmed else str
            yield Text(trimmed(singular), trimmed(plural), _said(node.message_context))


def _said(expression: object) -> str:
    """Return the literal text of a tag's argument, empty without one."""
    if expression is None:
        return ""
    value = expression.var
    literal = getattr(value, "literal", value)
    return str(literal).strip("'\"") if not isinstance(literal, str) else literal


def rule_templates() -> Iterator[str]:
    """Yield the sentences of every rule under every pair of house rules."""
    for rules in RULESETS.values():
        seen = {one.template for article in articles(rules) for one in article.sentences}
        # A value that the system has anyway changes no sentence, neither alone nor beside another.
        choices = [
            one for one in _house_rules(rules) if replace(rules.with_options(dict([one])), overrides={}) != rules
        ]
        pairs = [(one, other) for one, other in combinations(choices, 2) if one[0] != other[0]]
        for chosen in [*((one,) for one in choices), *pairs]:
            try:
                changed = rules.with_options(dict(chosen))
            except OptionError:
                continue
            seen |= {sentence.template for article in articles(changed) for sentence in article.sentences}
        yield from seen


def _house_rules(rules: Ruleset) -> Iterator[tuple[str, str]]:
    """Yield every option with each of its values; for numbers, with some."""
    for key in sorted(rules.option_keys):
        allowed = OPTIONS[key].allowed
        for value in allowed.split(" or ") if " or " in allowed else NUMBERS:
            try:
                rules.with_options({key: value})
            except OptionError:
                continue
            yield key, value
