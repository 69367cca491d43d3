"""Page of rules for a ruleset, as text or Markdown: articles and options."""

from __future__ import annotations

from collections.abc import Iterator

from games.ruleset import Ruleset
from games.wording.rulebook import articles, settings


def rules_page(rules: Ruleset) -> str:
    """Write the page in Markdown, also readable as plain text; a newline at its end."""
    return "\n".join(_lines(rules)) + "\n"


def _lines(rules: Ruleset) -> Iterator[str]:
    low, high = rules.seats
    yield f"# {rules.name}"
    yield ""
    players = f"{low}" if low == high else f"{low} to {high}"
    yield f"Ruleset `{rules.key}`, edition {rules.edition}, for {players} players."
    if rules.overrides:
        yield ""
        changed = ", ".join(f"`{one.key}` = `{one.value}`" for one in settings(rules) if one.overridden)
        yield f"**House rules:** {changed}."
    yield ""
    yield "## Rules"
    yield ""
    yield "Findings and rulings cite these ids, which never change. The number is the paragraph of the league's rule"
    yield "register; `N` stands for the notation, `C` for the chips."
    yield ""
    yield "| id | number | rule |"
    yield "|---|---|---|"
    for one in articles(rules):
        yield f"| `{one.id}` | {one.number} | {one.text} |"
    yield ""
    for note in rules.notes:
        yield f"- {note}"
    if rules.notes:
        yield ""
    yield "## Options"
    yield ""
    yield 'A house rule stands in the header of a record as `[Option.target "100"]`.'
    yield ""
    yield "| option | value | allowed |"
    yield "|---|---|---|"
    for setting in settings(rules):
        value = f"**`{setting.value}`** (house rule)" if setting.overridden else f"`{setting.value}`"
        yield f"| `{setting.key}` | {value} | {setting.allowed} |"
