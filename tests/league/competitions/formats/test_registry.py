"""Every format has a spec, the specs agree with what is published about them, and a new format is a few lines."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command

from league.competitions.attendance.late_places import OFFERS, offers
from league.competitions.draw.finishing import finish
from league.competitions.draw.laying_out import fewest, rounds_of
from league.competitions.formats import registry
from league.competitions.formats.drawn import DrawnBerth, DrawnRound, DrawnSlot, RoundKind
from league.competitions.formats.final_places import FinalPlaces
from league.competitions.formats.registry import SPECS, FormatSettings, FormatSpec, LateEntry, spec_of
from league.competitions.integrity.draws import draw_differences
from league.competitions.models import Stage
from league.web.organize.forms.competition_form import FoundingForm
from tests.league.competitions.cup import enter_result, names, published, slot

RR, DRR, SE, DE, GROUPS, SWISS, TABLES, LADDER = Stage.Format.values
EVERY = {RR, DRR, SE, DE, GROUPS, SWISS, TABLES, LADDER}

# Property of a spec: the formats that have it.
HAVING = {
    "is_knock_out": {SE, DE},
    "is_paired_by_round": {SWISS},
    "is_at_tables": {TABLES},
    "is_ladder": {LADDER},
    "has_table": EVERY - {SE, DE, LADDER},
    "has_fixed_layout": {RR, DRR, SE, DE, GROUPS},
    "has_trf_report": {RR, DRR, GROUPS, SWISS},
    "is_of_division": {RR, DRR, SWISS},
    "annuls": {RR, DRR, GROUPS},
    "takes_requests": {SWISS},
    "own_lengths": {SE, DE},
    "may_follow": {SE, DE},
    "may_be_followed": EVERY - {SE, DE, LADDER},
    "plays_in_turn": {GROUPS, TABLES},
    "has_place_points": {TABLES},
    "has_third_place": {SE},
}
# Setting of a plan: the least and the most of each format that has it.
LIMITS = {
    "rounds": {SWISS: (0, 64), TABLES: (1, 64)},
    "groups": {GROUPS: (2, 64)},
    "seats": {TABLES: (3, 6)},
    "challenge_reach": {LADDER: (1, 100)},
    "challenge_days": {LADDER: (0, 366)},
}
LATE = {
    RR: LateEntry.EVERY_BYE,
    DRR: LateEntry.EVERY_BYE,
    SE: LateEntry.BYE_OR_PRELIMINARY,
    DE: LateEntry.BYE_OR_PRELIMINARY,
    GROUPS: LateEntry.SMALLEST_GROUP,
    SWISS: LateEntry.NEXT_PAIRINGS,
    TABLES: LateEntry.EMPTY_SEATS,
    LADDER: LateEntry.LAST_PLACE,
}
PLACES = dict.fromkeys(EVERY, FinalPlaces.TABLE) | {
    SE: FinalPlaces.LAST_LOSS,
    DE: FinalPlaces.LAST_LOSS,
    LADDER: FinalPlaces.LADDER,
}
# Format and settings, the fewest entrants, and the matches of each round of the draw of eight.
LAYOUTS = [
    (RR, {}, 2, [4] * 7),
    (DRR, {}, 2, [4] * 14),
    (SE, {}, 2, [4, 2, 1]),
    (SE, {"third_place": True}, 4, [4, 2, 2]),
    (DE, {}, 3, [4, 2, 2, 2, 1, 1, 1, 1, 1]),
    (DE, {"reset": False}, 3, [4, 2, 2, 2, 1, 1, 1, 1]),
    (GROUPS, {"groups": 2}, 4, [4] * 3),
    (GROUPS, {"groups": 4}, 8, [4]),
    (SWISS, {"rounds": 3}, 2, []),
    (TABLES, {"seats": 4, "rounds": 3}, 3, [2] * 3),
    (TABLES, {"seats": 6, "rounds": 1}, 5, [1]),
    (LADDER, {}, 2, []),
]


def test_every_format_has_a_spec_and_every_spec_a_format() -> None:
    assert list(SPECS) == Stage.Format.values
    assert {key: spec.key for key, spec in SPECS.items()} == {key: key for key in Stage.Format.values}


@pytest.mark.parametrize("field", HAVING)
def test_a_property_belongs_to_its_formats(field: str) -> None:
    assert set(registry.keys(lambda spec: getattr(spec, field))) == HAVING[field]


@pytest.mark.parametrize("field", LIMITS)
def test_a_setting_has_its_limits(field: str) -> None:
    limits = {key: values for key, spec in SPECS.items() if (values := getattr(spec, field))}
    assert {key: (min(values), max(values)) for key, values in limits.items()} == LIMITS[field]


def test_the_tables_name_every_field() -> None:
    fields = set(FormatSpec.__dataclass_fields__)
    assert fields == {*HAVING, *LIMITS, "key", "name", "fewest", "layout", "late_entry", "final_places"}


def test_each_format_says_how_its_places_follow() -> None:
    assert {key: spec.final_places for key, spec in SPECS.items()} == PLACES


def test_the_keys_for_queries_and_choices() -> None:
    assert registry.KNOCK_OUTS == registry.SECOND_STAGES == (SE, DE)
    assert (registry.PAIRED_BY_ROUND, registry.TABLE_FORMATS, registry.LADDERS) == ((SWISS,), (TABLES,), (LADDER,))
    assert registry.DIVISION_FORMATS == (RR, DRR, SWISS)


def test_each_kind_of_late_entry_is_found() -> None:
    assert {key: spec.late_entry for key, spec in SPECS.items()} == LATE
    assert set(OFFERS) == set(LateEntry)


@pytest.mark.parametrize(("key", "settings", "least", "sizes"), LAYOUTS)
def test_fewest_entrants_and_layout_of_eight(key: str, settings: dict, least: int, sizes: list[int]) -> None:
    stage = Stage(format=key, **settings)
    assert fewest(stage) == least
    assert [sum(not one.is_bye for one in day.slots) for day in rounds_of(stage, 8)] == sizes


def test_an_unknown_format_has_no_spec() -> None:
    with pytest.raises(KeyError):
        spec_of("star")


# --- A new format ---


def star(entrants: int, _settings: FormatSettings) -> list[DrawnRound]:
    """Let everyone play the first seed, one a round."""
    return [
        DrawnRound(RoundKind.PLAIN, (DrawnSlot((DrawnBerth(1), DrawnBerth(seed))),)) for seed in range(2, entrants + 1)
    ]


@pytest.fixture
def _with_star(monkeypatch) -> None:
    """Register a toy format.

    The tuples for queries are computed once, so a toy that is a knock-out, a ladder, at tables, paired by round or of a
    division would be missing in them.
    """
    monkeypatch.setitem(SPECS, "star", FormatSpec(key="star", name="star", has_fixed_layout=True, layout=star))


@pytest.mark.usefixtures("_with_star")
def test_a_new_format_is_planned_drawn_and_played(world) -> None:
    cup = published(world, 4, format="star")
    stage = cup.stages.get()
    assert (stage.format, stage.spec.layout, stage.is_knock_out, fewest(stage)) == ("star", star, False, 2)
    assert [names(cup, number) for number in (1, 2, 3)] == [[["Ana Ruiz", other]] for other in ("Bo Chen", "P3", "P4")]
    assert (offers(cup), draw_differences(cup)) == ([], [])
    for number in (1, 2, 3):
        assert not finish(stage)
        enter_result(world, slot(cup, number, 1).match, 1)
    assert finish(stage)


@pytest.mark.usefixtures("_with_star")
@pytest.mark.parametrize("path", ["competitions/harbour/cup/", "organize/harbour/competitions/cup/"])
def test_a_new_format_is_on_its_page_for_the_public_and_for_organizers(world, client, path: str) -> None:
    cup = published(world, 4, format="star")
    enter_result(world, slot(cup, 1, 1).match, 1)
    if path.startswith("organize"):
        client.force_login(world.owner)
    answer = client.get(f"/{path}")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert all(name in html for name in ("Ana Ruiz", "Bo Chen", "P3", "P4", "Round 3"))


@pytest.mark.usefixtures("_with_star")
def test_a_new_format_is_offered_and_named_without_a_migration(world) -> None:
    stage = Stage(format="star")
    stage.clean_fields(exclude=["competition"])
    assert stage.get_format_display() == "star"
    assert ("star", "star") in FoundingForm(world.league).fields["format"].choices
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
    with pytest.raises(ValidationError, match="sun"):
        Stage(format="sun").clean_fields(exclude=["competition"])
