"""Template tags of the site: tiles, icons, badges and sentences."""

import re
from collections.abc import Mapping
from typing import Any, Literal

from django import template
from django.template.defaultfilters import capfirst
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.rulesets import RULESETS
from games.tiles import DOUBLE_SIX
from league.accounts.graphemes import room
from league.competitions.draw_view import MatchdayView, SlotView
from league.competitions.models import Competition
from league.competitions.queries.check_in import Awaited, awaited_of
from league.matches.annotated_log import FindingLine
from league.matches.models import KnownBy, Record
from league.matches.queries.lines import MatchLine
from league.matches.queries.match import verdict_of
from league.players.services import PastedLine, sentence
from league.web.competitions import standings_rows
from league.web.components import match_row, match_rows, tiles
from league.web.components.caret import Caret, caret
from league.web.components.icons import icon
from league.web.components.initials import initials_badge
from league.web.components.kept import kept
from league.web.components.pips import HALVES
from league.web.components.text_width import long_of_a_partner, long_on_a_card
from league.web.share.oembed import discovery
from league.web.shared.absolute_url import absolute
from league.web.shared.return_address import correction_of
from league.web.words import labels, rules
from league.web.words.numbers import points_given
from league.web.words.pairing_reasons import told

register = template.Library()
register.simple_tag(icon)
register.simple_tag(initials_badge)
register.simple_tag(kept)
register.simple_tag(room)
register.filter(long_of_a_partner)
register.filter(long_on_a_card)
register.simple_tag(standings_rows.rows, name="standings_rows")
register.simple_tag(standings_rows.results)
register.simple_tag(match_row.berth_name)
register.simple_tag(match_row.hour, name="match_hour")
register.simple_tag(match_row.pairing_end)
register.simple_tag(match_row.paired)
register.simple_tag(match_rows.row, name="match_line_row")
register.simple_tag(match_rows.slot_row)
register.simple_tag(labels.to_come, name="to_come_label")
register.simple_tag(match_rows.when, name="day_and_hour")
register.simple_tag(match_row.known_badges)
register.simple_tag(match_row.state_badges, name="match_badges")
register.simple_tag(tiles.tile)
register.filter(tiles.with_tiles)
register.filter(points_given)

_ROUND = re.compile(r"\s*(?:\d+:\d\d(?:\.\d)?\s+)?round\b")
_CHIPS_A_ROW = 15


@register.filter
def of(mapping: Mapping[int, Any] | Literal[""], key: int) -> Any:
    """Return the value for a key; None if missing, or if the page has no such mapping."""
    return mapping.get(key) if mapping else None


@register.simple_tag
def halves() -> dict[int, list[tuple[str, str]]]:
    """Return the pip positions of every half."""
    return HALVES


@register.simple_tag
def pip_tiles() -> list[tuple[int, int]]:
    """The halves of every tile of a double-six set."""
    return [(tile.high, tile.low) for tile in DOUBLE_SIX.tiles]


@register.simple_tag
def mark_shapes() -> dict[str, SafeString]:
    """Return the symbols of the halves without pips."""
    return dict(tiles.SHAPES)


@register.simple_tag
def reasons(slot: SlotView) -> str:
    """Say why the players of a slot meet."""
    return told(slot.reasons)


@register.filter
def log_kind(text: str) -> str:
    """Return the style of a log line: "tag", "round" or "".

    For display only; games.notation reads logs.
    """
    if text.lstrip().startswith("["):
        return "tag"
    return "round" if _ROUND.match(text) else ""


@register.simple_tag
def signed(number: int) -> str:
    """Write a difference with its sign, with a real minus."""
    return f"{number:+d}".replace("-", "−") if number else "0"


@register.simple_tag(takes_context=True)
def page_link(context: Any, name: str, number: int | str) -> str:
    """Return the page's query with another page of one of its lists."""
    asked = context["request"].GET.copy()
    asked[name] = str(number)
    return "?" + asked.urlencode()


@register.simple_tag(takes_context=True)
def line_link(context: Any, replay: Any, anchor: str, line: int) -> str:
    """Return the address of a log line; in a long log maybe on another page of rounds."""
    key = replay.key_of(line) if replay else ""
    return f"{page_link(context, 'rounds', key) if key else ''}#{anchor}{line}"


@register.simple_tag(takes_context=True)
def correction(context: Any, match_id: int, number: int) -> str:
    """Return the address of the correction of a result, which returns to this page."""
    request = context["request"]
    return correction_of(match_id, number, back=request.get_full_path() if request.method == "GET" else "")


@register.simple_tag(takes_context=True)
def oembed(context: Any) -> str:
    """Return the oEmbed address of this page."""
    return discovery(context["request"])


@register.simple_tag(takes_context=True)
def webcal(context: Any, path: str) -> str:
    """Return the address of a feed for calendar programs."""
    return f"webcal:{absolute(context['request'], path).partition(':')[2]}"


@register.simple_tag
def points(number: float, times: int = 1) -> str:
    """Write a rating, or a multiple of a deviation, in whole points."""
    return str(round(number * times)).replace("-", "−")


@register.simple_tag
def signed_points(number: float) -> str:
    """Write a rating change in whole points, with its sign."""
    return signed(round(number))


@register.simple_tag
def ruleset_name(key: str) -> str:
    """Return a ruleset's name; the key if it is no longer registered."""
    return RULESETS[key].name if key in RULESETS else key


@register.simple_tag
def rules_in_short(competition: Competition) -> str:
    """Write target, length of a match and clock in one line."""
    return " · ".join(rules.rules_in_short(competition))


@register.simple_tag
def own_lengths(competition: Competition) -> list[str]:
    """Write the matches with a number of games of their own."""
    return rules.own_lengths(competition)


@register.simple_tag
def system_and_format(competition: Competition) -> str:
    """Write system and format in one line, for a list."""
    return " · ".join(rules.system_and_format(competition))


@register.simple_tag
def finding_label(code: str, severity: str) -> labels.Label:
    return labels.finding_label(code, severity)


@register.simple_tag
def pasted_note(line: PastedLine) -> str:
    """Describe the outcome of a pasted line in a sentence."""
    return sentence(line)


@register.simple_tag
def match_label(line: MatchLine) -> labels.Label:
    return labels.of_match(line)


@register.filter
def city(time_zone: str) -> str:
    """Return the city of a time zone, for people: “Europe/Lisbon” is “Lisbon”."""
    return time_zone.rpartition("/")[2].replace("_", " ")


@register.simple_tag
def level_label(level: str) -> labels.Label:
    """Label how games are known.

    Says "from the log" for logs, because not all of them are verified.
    """
    return labels.FROM_LOG if level == KnownBy.LOG else labels.KNOWN[level]


@register.simple_tag
def slot_label(slot: SlotView) -> labels.Label:
    """Label the state of a scheduled match of a draw."""
    return labels.of_slot(slot)


@register.filter
def is_usual(label: labels.Label) -> bool:
    """Whether a row shows nothing for this state."""
    return label in match_row.USUAL


@register.simple_tag
def condition_label(slot: SlotView) -> labels.Label | None:
    """Label a deciding match that may not be needed."""
    return labels.of_condition(slot)


@register.simple_tag
def amended_label() -> labels.Label:
    return labels.AMENDED


@register.simple_tag
def early_sentence(day: MatchdayView) -> str:
    """Say that a round was published before all results of earlier rounds."""
    return ngettext(
        "Published while %(count)d confirmed result of %(rounds)s was missing: %(reason)s",
        "Published while %(count)d confirmed results of %(rounds)s were missing: %(reason)s",
        day.missing_before,
    ) % {"count": day.missing_before, "rounds": ", ".join(day.missing_rounds), "reason": day.reason}


@register.simple_tag
def awaited(slot: SlotView, competition: Competition) -> list[Awaited]:
    """List the absent players of a match that has not begun."""
    return awaited_of(slot, competition)


@register.simple_tag
def verdict_label(record: Record) -> labels.Label:
    """Label a log by its verdict ("being checked" without one), else how it is known."""
    if record.kind != KnownBy.LOG:
        return labels.of_record(record)
    stored = verdict_of(record)
    return labels.VERDICTS[stored.status] if stored else labels.CHECKING


@register.simple_tag
def finding_told(finding: FindingLine) -> SafeString:
    """Write a finding as a sentence, with the tiles it names drawn."""
    told = finding.sentence if tiles.opened_with_tile(finding.sentence) else capfirst(finding.sentence)
    return tiles.with_tiles(told) if finding.names_tiles else conditional_escape(told)


@register.simple_tag
def caret_of(finding: FindingLine) -> Caret:
    """Show the line of a syntax error with a caret at its column."""
    return caret(finding.source, line=finding.line, column=finding.column or 1, message=finding.sentence)


@register.simple_tag
def seat(letter: str) -> SafeString:
    """Show a seat's letter on a chip of its colour; empty without a letter."""
    if not letter:
        return format_html("")
    told = _("seat %(letter)s") % {"letter": letter}
    return format_html(
        '<span class="seat seat-{}"><span aria-hidden="true">{}</span><span class="hidden">{} </span></span>',
        letter.lower(),
        letter,
        told,
    )


@register.inclusion_tag("components/chips.html")
def chips(left: int, ruleset: str) -> dict[str, Any]:
    """Draw the scoring chips of one side in rows of fifteen, the chips left filled."""
    total = RULESETS[ruleset].chips if ruleset in RULESETS else left
    places = [
        {"x": 4 + 9 * (place % _CHIPS_A_ROW), "y": 4 + 9 * (place // _CHIPS_A_ROW), "left": place < left}
        for place in range(total)
    ]
    rows = -(-total // _CHIPS_A_ROW)
    return {
        "left": left,
        "total": total,
        "chips": places,
        "width": 9 * _CHIPS_A_ROW - 1,
        "height": 9 * rows - 1,
    }
