"""HTML of parts that follow from values alone, drawn once for the same values.

A part is a template that sees the values, and the query of the address for links to other parts of a list. All of
them, the language and the time zone are the key, so a kept part is the part that would be drawn.
"""

from collections.abc import Hashable
from functools import lru_cache
from types import SimpleNamespace

from django.http import HttpRequest, QueryDict
from django.template import Context, Template
from django.template.loader import get_template
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import get_language

KEPT = 96


def kept(template: str, request: HttpRequest | None = None, **values: Hashable) -> SafeString:
    """Return a template's HTML with these values and no others.

    `request`: for a template that links to the same page with another query.
    """
    query = request.GET.urlencode() if request is not None else ""
    drawn: Template = get_template(template).template  # type: ignore[attr-defined]
    return _drawn(drawn, query, get_language(), get_current_timezone_name(), tuple(values.items()))


@lru_cache(KEPT)
def _drawn(
    template: Template, query: str, _language: str | None, _zone: str, values: tuple[tuple[str, Hashable], ...]
) -> SafeString:
    return template.render(Context({**dict(values), "request": SimpleNamespace(GET=QueryDict(query))}))
