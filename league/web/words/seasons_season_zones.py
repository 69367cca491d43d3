"""Badges of a division's places, and of what became of everybody at the end of a season."""

from django.utils.translation import pgettext_lazy

from league.competitions.formats.promotion import Fate, Zone
from league.web.words.labels import Label

ZONES: dict[Zone, Label] = {
    Zone.UP: Label(word=pgettext_lazy("zone of a table", "goes up"), icon="up", tone="good"),
    Zone.MAYBE_UP: Label(word=pgettext_lazy("zone of a table", "plays off to go up"), icon="swap", tone="cool"),
    Zone.MAYBE_DOWN: Label(word=pgettext_lazy("zone of a table", "plays off to stay"), icon="swap", tone="warm"),
    Zone.DOWN: Label(word=pgettext_lazy("zone of a table", "goes down"), icon="down", tone="bad"),
}
FATES: dict[Fate, Label] = {
    Fate.STAYS: Label(word=pgettext_lazy("end of a season", "stays"), icon="check"),
    Fate.PROMOTED: Label(word=pgettext_lazy("end of a season", "promoted"), icon="up", tone="good"),
    Fate.RELEGATED: Label(word=pgettext_lazy("end of a season", "relegated"), icon="down", tone="bad"),
    Fate.WON_UP: Label(word=pgettext_lazy("end of a season", "promoted by the play-off"), icon="up", tone="good"),
    Fate.MISSED_UP: Label(word=pgettext_lazy("end of a season", "stays after the play-off"), icon="check"),
    Fate.HELD: Label(word=pgettext_lazy("end of a season", "stays by the play-off"), icon="check"),
    Fate.LOST_DOWN: Label(word=pgettext_lazy("end of a season", "relegated by the play-off"), icon="down", tone="bad"),
    Fate.WAITS: Label(word=pgettext_lazy("end of a season", "play-off"), icon="swap", tone="warm"),
    Fate.LEFT: Label(word=pgettext_lazy("end of a season", "has left"), icon="remove"),
}
