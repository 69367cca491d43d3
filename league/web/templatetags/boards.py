"""Template tags for a table's picture, its steps, and the parts of a game's page that follow from its log."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from league.web.components.kept import kept
from league.web.matches.replay import Replay, ReplayRound
from league.web.matches.replay_html import board_html, steps_html

register = template.Library()


@register.simple_tag
def board(shown: ReplayRound, replay: Replay) -> SafeString:
    return board_html(shown, marked=replay.marked)


@register.simple_tag
def steps(shown: ReplayRound, anchor: str) -> SafeString:
    return steps_html(shown, anchor)


@register.simple_tag(takes_context=True)
def replay_section(context: Any) -> SafeString:
    """Show the replay of the game `sheet` on the page of its match, below its scoreboard if that is the only one."""
    sheet, view, page = context["sheet"], context["view"], context["page"]
    single = context["single"]
    plates = ""
    if single and single.on_plates:
        plates = context.template.engine.get_template("components/plates.html").render(context)
    protest = reverse("disputes:protest", args=[page.match.pk, view.game.number]) if page.concerned else ""
    return kept(
        "components/replay.html",
        context["request"],
        replay=sheet.replay,
        n=view.game.number,
        anchor=sheet.anchor,
        plates=plates,
        wins=context.get("wins", ""),
        protest=f"{protest}?record={view.record.pk}" if protest else "",
    )


@register.simple_tag(takes_context=True)
def findings_section(context: Any) -> SafeString:
    """List the findings on the log of the game `sheet`."""
    sheet = context["sheet"]
    return kept(
        "components/findings.html",
        context["request"],
        findings=tuple(sheet.findings),
        replay=sheet.replay,
        n=sheet.view.game.number,
        anchor=sheet.anchor,
        place=context["place"],
    )


@register.simple_tag(takes_context=True)
def log_section(context: Any) -> SafeString:
    """Show the log of the game `sheet`, with findings and protests at their lines."""
    sheet, view = context["sheet"], context["view"]
    protests = (one for one in context["protests"] if one.line and one.record == view.record.pk)
    return kept(
        "components/log.html",
        lines=tuple(sheet.log),
        count=len(view.log),
        parts=bool(sheet.replay and sheet.replay.parts),
        download=reverse("matches:log", args=[context["page"].match.pk, view.record.pk]),
        protests=tuple(protests),
        n=view.game.number,
        anchor=sheet.anchor,
        place=context["place"],
    )
