"""Plans that organizers start from (SCREENS.md B-11)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Preset:
    """A plan to start from. `plan`: fields of a Plan; the others keep their defaults."""

    key: str
    name: Any
    meaning: Any
    plan: Mapping[str, object] = field(default_factory=dict)


PRESETS = (
    Preset(
        "udl-night",
        pgettext_lazy("preset", "UDL night"),
        pgettext_lazy("preset", "UDL Dominoes to 150 points in 15 minutes; everyone plays everyone."),
        {"ruleset": "udl", "format": "round_robin", "minutes": 20},
    ),
    Preset(
        "all-fives-singles",
        pgettext_lazy("preset", "All Fives singles"),
        pgettext_lazy("preset", "All Fives to 100 points, best of three games, a knock-out."),
        {"ruleset": "all-fives", "format": "single_elimination", "best_of": 3, "minutes": 60},
    ),
    Preset(
        "double-six",
        pgettext_lazy("preset", "Double-Six"),
        pgettext_lazy("preset", "The Five Game to 250 points; everyone plays everyone."),
        {"ruleset": "double-six", "format": "round_robin", "minutes": 45},
    ),
    Preset(
        "uno-evening",
        pgettext_lazy("preset", "Uno evening"),
        pgettext_lazy("preset", "Uno Dominoes to 500 points, a knock-out with a match for third place."),
        {"ruleset": "uno-dominoes", "format": "single_elimination", "third_place": True, "minutes": 45},
    ),
    Preset(
        "uno-tables",
        pgettext_lazy("preset", "Uno, four at a table"),
        pgettext_lazy("preset", "Uno Dominoes to 500 points, three rounds with other neighbours, points by place."),
        {"ruleset": "uno-dominoes", "format": "table_rounds", "seats": 4, "rounds": 3, "minutes": 60},
    ),
)
