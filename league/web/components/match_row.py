"""Common parts of a match in a list, as HTML built in Python.

Templates would take longer (docs/decisions/speed.md).
"""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from league.competitions.draw_view import BerthView, SlotView
from league.matches.queries.lines import MatchLine
from league.web.components.icons import icon
from league.web.words import labels

NOTHING = SafeString("")


USUAL = (labels.OFFICIAL, labels.NOT_PLAYED)
"""States that a row does not show: the confirmed result, the match to come."""


def badge(label: labels.Label, kind: str = "") -> SafeString:
    tone = f"{label.tone} {kind}" if kind else label.tone
    return format_html('<span class="badge {}">{}{}</span>', tone, icon(label.icon), label.word)


def name_apart(apart: str) -> SafeString:
    """Return the text that separates a name from a namesake's, to follow the name."""
    return format_html(' <small class="apart"><bdi>{}</bdi></small>', apart) if apart else NOTHING


def berth_name(berth: BerthView) -> SafeString:
    """Return a berth's entrant; rare cases are in templates/components/berth.html."""
    if berth.entrant is None or berth.absent:
        return render_to_string("components/berth.html", {"berth": berth})
    return format_html("<bdi>{}</bdi>{}", berth.entrant.name, name_apart(berth.entrant.apart))


def paired(slot: SlotView) -> SafeString:
    """Return the opponents of a match, for a line of the pairings."""
    return format_html_join("", "{}", ((_paired(berth),) for berth in slot.berths))


def _paired(berth: BerthView) -> SafeString:
    points = NOTHING if berth.score is None else format_html(' <span class="points">{}</span>', berth.score)
    tones = f"{' won' if berth.won else ''}{' absent' if berth.absent else ''}"
    return format_html('<span class="side{}">{}{}</span>', tones, berth_name(berth), points)


def state_badges(line: MatchLine, slot: SlotView | None) -> SafeString:
    """Return the badges of a match: state, source of the result, amendment."""
    state = labels.of_slot(slot) if slot else labels.of_match(line)
    return format_html("{}\n{}", badge(state, "usual" if state in USUAL else ""), known_badges(line))


def known_badges(line: MatchLine) -> SafeString:
    """Return the badges of source and amendment; nothing before a result."""
    known = line.known
    found = [badge(labels.of_known(known), "known")] if known else []
    found += [badge(labels.AMENDED)] if line.amended else []
    return format_html_join("\n", "{}", ((one,) for one in found))


def hour(at: datetime, time_zone: str, style: str = "j M, H:i") -> SafeString:
    """Return day and hour in a time zone."""
    there = at.astimezone(ZoneInfo(time_zone))
    return format_html('<time datetime="{}">{}</time>', there.isoformat(), date_format(there, style))


def pairing_end(slot: SlotView, time_zone: str, named: object) -> SafeString:
    """Return the end of a pairings line: the hour, and the link to the match.

    `named`: true in a list by names, which has no link.
    """
    at = hour(slot.starts_at, time_zone, "H:i") if slot.starts_at else NOTHING
    if slot.match is None or named:
        return at
    return format_html(
        '{}<a class="screen" href="{}">{}<span class="hidden"> {}</span></a>',
        at,
        reverse("matches:detail", args=[slot.match.id]),
        pgettext("link: match", "Open"),
        " – ".join(berth.entrant.name if berth.entrant else "" for berth in slot.berths),
    )
