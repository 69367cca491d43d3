"""Template filters that describe matches of a draw (`league.web.words.matches`)."""

from django import template

from league.web.words.matches import comes_from, number_of, source_of

register = template.Library()
register.filter(comes_from)
register.filter(number_of)
register.filter(source_of)
