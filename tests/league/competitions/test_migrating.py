"""Competitions from before there were berths keep their draw, and their rounds stay visible."""

import importlib

from django.apps import apps

from league.competitions.models import Berth, Competition, Matchday, Slot
from league.competitions.queries.competition import competition_page
from tests.league.competitions.cup import drafted, published


def migrate():
    importlib.import_module("league.backups.first_chain.competitions.0005_rounds_already_published").fill(apps, None)


def before_there_were_berths():
    Berth.objects.all().delete()
    Slot.objects.update(table=None, starts_at=None)
    Matchday.objects.update(published_at=None)


def test_old_rounds_are_published_and_their_slots_know_what_their_matches_know(world):
    published(world, 4, format="round_robin", tables=["1", "2"])
    was = [
        list(model.objects.order_by("pk").values_list(*fields))
        for model, fields in ((Slot, ("table", "starts_at")), (Berth, ("slot", "number", "entrant")))
    ]
    before_there_were_berths()
    migrate()
    migrate()
    assert [
        list(model.objects.order_by("pk").values_list(*fields))
        for model, fields in ((Slot, ("table", "starts_at")), (Berth, ("slot", "number", "entrant")))
    ] == was
    assert Matchday.objects.filter(published_at=None).count() == 0
    page = competition_page(world.alice, "harbour", "cup")
    assert [len(day.matches) for day in page.shown] == [2, 2, 2]


def test_rounds_of_a_draft_stay_unpublished(world):
    drafted(world, 4, format="round_robin")
    before_there_were_berths()
    migrate()
    assert Matchday.objects.exclude(published_at=None).count() == 0
    assert Berth.objects.count() == 12


def test_competitions_from_before_there_were_files_get_a_key_each(world):
    drafted(world, 2)
    drafted(world, 2, name="Another")
    before = list(Competition.objects.values_list("key", flat=True))
    importlib.import_module("league.backups.first_chain.competitions.0012_imports").make_keys(apps, None)
    after = list(Competition.objects.values_list("key", flat=True))
    assert (len(set(after)), set(before) & set(after)) == (2, set())
