"""A site with something in every table that an evening fills."""

from pathlib import Path

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.backends.db import SessionStore

from league.accounts.models import League
from league.backups import writing
from league.house.mistakes import cut_short, misspelt, with_broken_rule, with_wrong_total
from league.matches.services import confirm_result, submit_log, verify_record
from tests.league.world import World, played_log


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()


@pytest.fixture
def site(shared_world: World) -> World:
    """Something in as many tables as one evening fills: logs of every kind, results, a session, a group, an entry of
    the admin's.
    """
    world = shared_world
    for seed, mistake in ((7, with_wrong_total), (8, cut_short), (9, misspelt), (10, with_broken_rule), (7, str)):
        verify_record(world.submit(mistake(played_log(seed))).pk)
    confirm_result(result=world.game.results.get(current=True), user=world.bob)
    other = world.fixture(starts_at=None, best_of=3).games.first()
    submit_log(game=other, user=world.referee, raw=b"\xef\xbb\xbf" + played_log(11).encode(), filename="Größe.domino")
    group = Group.objects.create(name="\N{BELL} “scorers”")
    group.permissions.set(Permission.objects.all()[:3])
    world.alice.groups.add(group)
    session = SessionStore()
    session["language"] = "es"
    session.create()
    LogEntry.objects.log_actions(world.referee.pk, League.objects.all(), CHANGE, change_message=[{"changed": {}}])
    return world


@pytest.fixture
def saved(site: World, tmp_path: Path) -> Path:
    path = tmp_path / "saved.zip"
    writing.save(path)
    return path
