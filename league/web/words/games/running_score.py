"""Scores of a score pad as sentences, in the reader's language. Pure."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext_lazy as _

from league.web.words.games.replay import apart
from referee.running import SCORING, Tap

SCORED = {
    "points": _("%(name)s scores %(points)s."),
    "muggins": _("%(name)s takes %(points)s by muggins."),
    "penalty": _("%(name)s gets %(points)s for a penalty."),
    "round_end": _("%(name)s wins the hand and gets %(points)s."),
}


def scored(scores: Sequence[Tap], names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each score as a sentence, and the score after it: “35–20”."""
    totals = [0] * len(names)
    for tap in scores:
        seat = scoring_seat(tap)
        if seat is None:
            continue
        totals[seat] += tap["points"]
        facts = {"name": apart(names[seat]), "points": tap["points"]}
        yield SCORED[tap["kind"]] % facts, "–".join(map(str, totals))


def scoring_seat(tap: Tap) -> int | None:
    """Return the seat that a tap gives points to; None for any other tap."""
    seat = tap["seat"] if tap["kind"] in SCORING else tap.get("winner") if tap["kind"] == "round_end" else None
    return seat if tap.get("points") else None
