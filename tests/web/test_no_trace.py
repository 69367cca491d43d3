"""What is done and undone leaves every page, file, table and answer as it was, on random evenings of every format."""

import re
from collections.abc import Callable, Iterable
from datetime import timedelta
from unittest.mock import patch

import pytest
from django.db import transaction
from django.test import Client

from league.players.services import enrol
from tests.league.competitions.attendance.evening import PLANS, Evening, clock
from tests.league.competitions.attendance.test_way_back import ACTS
from tests.league.world import NOON
from tests.volume import SEED, THOROUGH, quarter
from tests.web.organize.test_reopening import ELSEWHERE, differences, every_address, seen

EVENINGS = 20 if THOROUGH else 1
LONGEST = 12
# History: entries of a match, acts of officials, states of a draft; and what is made for one asker.
HISTORY = re.compile(r"^/(matches/|organize/|api/v1/(games|records|results|matches/\d+|amendments)|t/|submit/|share/)")
# Version numbers, times, and the mark of a changed pairing: taking back is a change as well.
MOVES = re.compile(
    rb'ETag: \S+|(?i:"(version|changed_at|exported_at|as_of)": ?[^,}]*)|(?i:version \d+)|\d\d:\d\d(:\d\d)?|<time[^>]*>'
    rb'|/live/[^"]*\?at=\d+'
    rb"|(?<=pairing-row) changed|(?<=pairing-row many) changed"
    rb'|<span class="note"><svg[^>]*><path[^>]*></svg>changed [^<]*</span>'
)


def pages(evening: Evening) -> dict:
    addresses = {*every_address(evening.competition), *ELSEWHERE}
    with patch("django.utils.timezone.now", lambda: NOON + timedelta(minutes=30)):
        found = seen({"visitor": Client()}, {path for path in addresses if not HISTORY.match(path)})
    return {one: (status, MOVES.sub(b"", body)) for one, (status, body) in found.items()}


def one_evening(kind: str, seed: int, acts: Iterable[Callable[[Evening], None]]) -> list:
    with transaction.atomic():
        with clock():
            evening = Evening(kind, seed)
            evening.newcomer = enrol(league=evening.world.league, name="Zoe Late", since=NOON.date()).player.code
            evening.pass_by(evening.chance.randrange(LONGEST))
        before, found = pages(evening), []
        for act in acts:
            with clock():
                act(evening)
            found += differences(before, pages(evening))
        transaction.set_rollback(True)
    return found


@pytest.mark.slow("every page of an evening, before and after each undo")
@pytest.mark.parametrize("kind", quarter(PLANS))
def test_what_is_undone_leaves_every_page_as_it_was(db, settings, kind) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 100_000)  # one visitor asks for them all within a minute
    for seed in range(SEED * EVENINGS, SEED * EVENINGS + EVENINGS):
        assert one_evening(kind, seed, ACTS) == [], seed


@pytest.mark.slow("every page of an evening")
def test_a_withdrawal_that_stands_is_seen_on_pages_in_files_and_in_answers(db) -> None:
    found = {path for (_role, path), _lines in one_evening("round robin", 0, [Evening.withdraw])}
    place = "harbour/evening"
    wanted = {
        f"/competitions/{place}/",
        f"/competitions/{place}/files/games.csv",
        f"/api/v1/competitions/{place}/standings",
    }
    assert wanted <= found
