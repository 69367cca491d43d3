"""Formats as choices of a field, with names in the reader's language."""

from django.db import models
from django.utils.translation import pgettext, pgettext_lazy

from league.competitions.formats.registry import SPECS

# The stubs do not know the functional way of an enum.
Format = models.TextChoices(  # type: ignore[call-overload]
    "Format", [(key.upper(), (key, pgettext_lazy("format", spec.name))) for key, spec in SPECS.items()]
)


def format_choices() -> list[tuple[str, str]]:
    """Give key and name of each format. A function, so that a new format needs no migration."""
    return [(key, pgettext("format", spec.name)) for key, spec in SPECS.items()]
