"""A rehearsal plays a competition to its end, whatever its format, and leaves nothing behind but its report."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product

import pytest
from django.apps import apps
from django.utils import timezone

from games.rulesets import RULESETS
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Stage
from league.errors import Refused
from league.matches.models import KnownBy
from league.rehearsals.evening import Mishaps, play_through
from tests.league.competitions.earlier import START, drafted, everything, people
from tests.volume import quarter

Format = Stage.Format
FORMATS: dict[str, dict] = {
    "round robin": {"format": Format.ROUND_ROBIN},
    "double round robin": {"format": Format.DOUBLE_ROUND_ROBIN},
    "knock-out": {"format": Format.SINGLE_ELIMINATION, "third_place": True},
    "double elimination": {"format": Format.DOUBLE_ELIMINATION},
    "groups and a knock-out": {
        "format": Format.GROUPS, "groups": 2, "then": Format.SINGLE_ELIMINATION, "advance_each": 2,
    },
    "Swiss": {"format": Format.SWISS, "rounds": 4, "release": Competition.Release.ROUND_BY_ROUND},
    "Swiss and a cut": {
        "format": Format.SWISS, "rounds": 3, "then": Format.SINGLE_ELIMINATION, "advance_each": 4,
        "release": Competition.Release.ROUND_BY_ROUND,
    },
}  # fmt: skip


def counted() -> dict[str, int]:
    """Rows of every table there is."""
    return {model._meta.label: model._base_manager.count() for model in apps.get_models(include_auto_created=True)}


@pytest.fixture
def planned(world) -> Callable[..., Competition]:
    def make(**changes) -> Competition:
        facts = {"name": "Cup", "ruleset": "udl", "starts_at": START, "tables": ("1", "2", "3"), "minutes": 30}
        return found(world.league, Plan(**facts | changes), user=world.owner)

    return make


LARGER = pytest.mark.slow("more entrants in every format")
SIZES = [
    *product(FORMATS, [5]),
    *(pytest.param(*one, marks=LARGER) for one in quarter(product(FORMATS, [13, 16]), of=lambda one: one[0])),
]


@pytest.mark.parametrize(("name", "entrants"), SIZES)
def test_every_format_is_played_to_its_end_and_nothing_is_left(planned, name, entrants) -> None:
    source = planned(**FORMATS[name])
    before = counted()
    told = play_through(source, entrants=entrants, seed=7, wishes=Mishaps())
    assert counted() == before
    assert told["ended"], told["events"]
    assert told["agrees"]
    assert told["events"] == []
    assert told["entrants"] == entrants
    sides = [[side["name"] for side in slot["sides"]] for one in told["rounds"] for slot in one["slots"]]
    assert all(all(names) for names in sides)
    met = [slot["sides"] for one in told["rounds"] for slot in one["slots"] if len(slot["sides"]) == 2]
    assert all(sum(side["won"] for side in both) == 1 for both in met)
    assert len(met) == told["matches"] == told["played"]
    assert told["starts_at"] == START.isoformat()


def test_the_same_seed_plays_the_same_and_another_one_another(planned) -> None:
    source = planned(format=Format.SINGLE_ELIMINATION)
    once, again, other = (play_through(source, entrants=8, seed=seed, wishes=Mishaps()) for seed in (3, 3, 4))
    assert once == again
    assert once["rounds"] != other["rounds"]


def test_a_published_competition_with_results_is_rehearsed_and_stays_as_it_is(world, planned) -> None:
    made = drafted(world.league, world.owner, people(world.league, 6))
    publish(made, user=world.owner)
    before = everything(made), counted()
    assert play_through(made, entrants=6, seed=1, wishes=Mishaps())["ended"]
    assert (everything(made), counted()) == before


def test_results_come_in_as_well_known_as_they_have_to_be(planned) -> None:
    source = planned(format=Format.SINGLE_ELIMINATION, level=KnownBy.LOG, final_level=KnownBy.LOG, best_of=3)
    told = play_through(source, entrants=4, seed=5, wishes=Mishaps())
    assert (told["ended"], told["agrees"], told["events"]) == (True, True, [])


@pytest.mark.parametrize("ruleset", sorted(RULESETS))
def test_every_ruleset_is_rehearsed(planned, ruleset) -> None:
    told = play_through(planned(ruleset=ruleset), entrants=4, seed=5, wishes=Mishaps())
    assert (told["ended"], told["agrees"], told["events"]) == (True, True, [])


def test_a_league_that_confirms_nothing_is_rehearsed_so(world, planned) -> None:
    world.league.confirmation_required = False
    world.league.save()
    assert play_through(planned(), entrants=4, seed=5, wishes=Mishaps())["ended"]


def test_hours_and_tables_say_how_long_the_day_is(planned) -> None:
    told = play_through(planned(format=Format.ROUND_ROBIN), entrants=6, seed=5, wishes=Mishaps())
    # Five rounds of three matches at three tables, half an hour each.
    assert (told["tables"], told["minutes"]) == (3, 30)
    assert told["starts_at"] == START.isoformat()
    assert told["ends_at"] == (START + timedelta(minutes=150)).isoformat()
    assert [one["starts_at"] for one in told["rounds"]] == [
        (START + timedelta(minutes=30 * n)).isoformat() for n in range(5)
    ]
    # With one table the fifteen matches come one after the other.
    alone = play_through(planned(name="One", tables=("1",)), entrants=6, seed=5, wishes=Mishaps())
    assert alone["ends_at"] == (START + timedelta(minutes=450)).isoformat()


def test_a_start_that_is_over_is_rehearsed_at_the_same_hour_tomorrow(planned) -> None:
    told = play_through(planned(starts_at=START - timedelta(days=900)), entrants=4, seed=5, wishes=Mishaps())
    start = datetime.fromisoformat(told["starts_at"])
    assert (start.hour, start.minute) == (19, 0)
    assert timedelta(0) < start - timezone.now() < timedelta(days=2)


ALL = Mishaps(no_show=True, withdraw_after=1, late_entry=True, level_game=True, protest=True)


@pytest.mark.slow("whole evenings")
@pytest.mark.parametrize("entrants", [5, pytest.param(8, marks=LARGER)])
@pytest.mark.parametrize("name", FORMATS)
def test_whatever_goes_wrong_the_day_is_played_to_its_end_and_each_thing_is_told(planned, name, entrants) -> None:
    source = planned(**FORMATS[name])
    before = counted()
    told = play_through(source, entrants=entrants, seed=11, wishes=ALL)
    assert counted() == before
    by_kind = {event["what"]: event for event in told["events"]}
    stopped = by_kind.pop("stopped", {"code": ""})["code"]
    # Five are too few for four rounds of a Swiss system from which one goes home.
    assert stopped == ("no-pairing" if (name, entrants) == ("Swiss", 5) and not told["ended"] else "")
    assert told["agrees"]
    assert told["ended"] == (not stopped), told["events"]
    assert set(by_kind) == {"no-show", "withdrawal", "late-entry", "level-game", "protest"}
    for kind in ("no-show", "withdrawal", "protest"):
        assert by_kind[kind]["who"], by_kind[kind]
        assert not by_kind[kind]["refused"], by_kind[kind]
    # Level scores are played on by these rules, and the desk says so.
    assert by_kind["level-game"]["code"] == "does-not-add-up"
    late = by_kind["late-entry"]
    assert late["who"].startswith("Latecomer") or late["code"] == "no-bye", late


def test_a_draw_that_cannot_be_made_is_refused_in_words_and_nothing_is_left(planned) -> None:
    source = planned(format=Format.GROUPS, groups=4, then=Format.SINGLE_ELIMINATION, advance_each=1)
    before = counted()
    with pytest.raises(Refused) as refused:
        play_through(source, entrants=6, seed=1, wishes=Mishaps())
    assert refused.value.code == "too-few"
    assert counted() == before


def test_what_cannot_go_on_stops_the_day_and_says_why(planned) -> None:
    # Five, of whom one goes home: four rounds are one too many for the four who stay.
    source = planned(**FORMATS["Swiss"])
    told = play_through(source, entrants=5, seed=1, wishes=Mishaps(withdraw_after=1))
    assert [event["what"] for event in told["events"]] == ["withdrawal", "stopped"]
    assert told["events"][-1]["code"] == "no-pairing"
    assert told["events"][-1]["refused"].endswith("End the stage here: lower its number of rounds.")
    assert not told["ended"]
