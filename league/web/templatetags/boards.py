"""Template tags for a table's picture and its steps (`league.web.matches.replay`)."""

from django import template
from django.utils.safestring import SafeString

from league.web.matches.replay import Replay, ReplayRound
from league.web.matches.replay_html import board_html, steps_html

register = template.Library()


@register.simple_tag
def board(shown: ReplayRound, replay: Replay) -> SafeString:
    return board_html(shown, marked=replay.marked)


@register.simple_tag
def steps(shown: ReplayRound, anchor: str) -> SafeString:
    return steps_html(shown, anchor)
