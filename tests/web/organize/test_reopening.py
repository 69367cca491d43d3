"""The page that reopens a competition, and what everybody sees before, meanwhile and afterwards."""

import re
from collections.abc import Iterable, Iterator
from difflib import unified_diff

import pytest
from django.test import Client

from league.competitions.draw.publishing import publish
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw
from league.competitions.formats.registry import SPECS
from league.competitions.models import Competition, Stage
from league.competitions.registration.entries import unregister
from league.competitions.registration.seeding import reseed
from league.matches.clock.services import start_clock
from league.matches.models import Match
from league.players.models import Player
from tests.league.competitions.draw.test_reopening import made_of, slots
from tests.league.competitions.earlier import everything
from tests.league.world import NOON
from tests.volume import quarter
from tests.web.walk import FILES, Scope, paths

PAGE = "/organize/harbour/competitions/cup/"
ELSEWHERE = (
    "/", "/competitions/", "/matches/", "/players/", "/leagues/harbour/", "/hall/harbour/", "/organize/harbour/",
    "/organize/harbour/tables/", "/search/?q=cup", "/api/v1/competitions", "/api/v1/matches", "/api/v1/leagues/harbour",
)  # fmt: skip
# Keys of the forms and of the page are others each time.
OTHER_EACH_TIME = re.compile(rb'[A-Za-z0-9]{64}|nonce="[^"]*"|/live/[^"]*\?at=\d+')
ENTRANTS = 5
MAIN = (PAGE, "/competitions/harbour/cup/", "/api/v1/competitions/harbour/cup", "/", "/hall/harbour/")


@pytest.fixture
def owner(world) -> Client:
    client = Client()
    client.force_login(world.owner)
    return client


@pytest.fixture
def cup(world) -> Competition:
    made = made_of(world, Stage.Format.SINGLE_ELIMINATION)
    publish(made, user=world.owner)
    return Competition.objects.get(pk=made.pk)


def every_address(made: Competition) -> set[str]:
    """Without the codes of cards, which answer what happened to their match (below), and without archives."""
    named = {path for _address, path in paths(Scope(made.pk), most=1)}
    named |= {f"/competitions/{made.league.slug}/{made.slug}/files/{name}" for name in FILES}
    return {path for path in named if not path.startswith("/t/") and not path.endswith((".zip", ".xlsx", ".png"))}


def seen(clients: dict[str, Client], addresses: Iterable[str]) -> dict[tuple[str, str], tuple[int, bytes]]:
    """By role and address what is answered."""
    found = {}
    for path in sorted(addresses):
        for role, client in clients.items():
            answer = client.get(path)
            body = b"".join(answer.streaming_content) if getattr(answer, "streaming", False) else answer.content
            found[role, path] = answer.status_code, OTHER_EACH_TIME.sub(b"", body)
    return found


def differences(before: dict, after: dict) -> Iterator[tuple[tuple[str, str], str]]:
    """The lines of each answer that are others."""
    for one, (status, body) in before.items():
        now_status, now_body = after.get(one, (0, b""))
        if (status, body) != (now_status, now_body):
            lines = [
                [str(code), *text.decode(errors="replace").splitlines()]
                for code, text in ((status, body), (now_status, now_body))
            ]
            yield one, "\n".join(unified_diff(*lines, n=0, lineterm=""))[:1500]


@pytest.mark.slow("every page twice")
@pytest.mark.parametrize("key", quarter(SPECS))
def test_publish_and_reopen_leave_every_page_and_answer_as_it_was(world, owner, key, monkeypatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    made = made_of(world, key, count=ENTRANTS)
    clients, addresses = {"visitor": Client(), "owner": owner}, {*every_address(made), *ELSEWHERE}
    before = seen(clients, addresses)
    publish(made, user=world.owner)
    assert reopen(made, user=world.owner)
    assert list(differences(before, seen(clients, addresses))) == []


def test_publish_and_reopen_leave_the_main_pages_as_they_were(world, owner, monkeypatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON)
    made = made_of(world, Stage.Format.ROUND_ROBIN, count=ENTRANTS)
    clients = {"visitor": Client(), "owner": owner}
    before = seen(clients, MAIN)
    publish(made, user=world.owner)
    shown = {address for address, _diff in differences(before, seen(clients, MAIN))}
    assert {("visitor", "/"), ("visitor", "/competitions/harbour/cup/"), ("owner", PAGE)} <= shown
    assert reopen(made, user=world.owner)
    assert list(differences(before, seen(clients, MAIN))) == []


def test_the_button_leads_to_a_page_that_says_what_happens(world, owner, cup) -> None:
    assert f'href="{PAGE}reopen/"' in owner.get(PAGE).content.decode()
    page = owner.get(f"{PAGE}reopen/").content.decode()
    assert "It becomes a draft again: only officials see it until you publish it." in page
    answer = owner.post(f"{PAGE}reopen/", follow=True)
    assert answer.redirect_chain == [(PAGE, 302)]
    assert "It is a draft again: change it, then publish it." in answer.content.decode()
    assert Competition.objects.get(pk=cup.pk).published_at is None
    assert "It is a draft already." in owner.get(f"{PAGE}reopen/").content.decode()


def test_a_competition_that_has_begun_has_no_such_button_and_its_page_says_why(world, owner, cup) -> None:
    start_clock(slots(cup)[0].match.games.get(), world.owner)
    before = everything(cup)
    assert f'href="{PAGE}reopen/"' not in owner.get(PAGE).content.decode()
    assert "Play has begun, so it stays published" in owner.get(f"{PAGE}reopen/").content.decode()
    assert "Play has begun, so it stays published" in owner.post(f"{PAGE}reopen/", follow=True).content.decode()
    assert everything(cup) == before


def test_the_code_of_a_card_opens_its_match_or_says_where_its_players_play_now(world, cup) -> None:
    Player.objects.filter(name="Player 08").update(name="<b>Zoe")
    matches = [slot.match for slot in slots(cup)]
    visitor = Client()
    gone, kept = matches[0], matches[-1]
    reopen(cup, user=world.owner)
    draft = visitor.get(f"/t/{gone.door}/")
    assert draft.status_code == 410
    assert "The draw is being changed" in draft.content.decode()
    assert visitor.get(f"/matches/{gone.pk}/").status_code == 404
    out = gone.sides.get(number=2).entrant
    unregister(cup, out, user=world.owner)
    draw(cup, user=world.owner)
    publish(Competition.objects.get(pk=cup.pk), user=world.owner)
    assert not Match.objects.filter(pk=gone.pk).exists()
    for path in (f"/t/{gone.door}/", f"/t/{gone.door.lower()}/", f"/matches/{gone.pk}/"):
        answer = visitor.get(path)
        assert answer.status_code == 410
        page = answer.content.decode()
        assert "New tables" in page
        assert "not in this competition any more" in page
        assert re.search(r"table \w+", page)
        assert "<b>Zoe" not in page
    assert visitor.get(f"/matches/{kept.pk}/").status_code == 200
    assert Match.objects.get(door=kept.door).pk == kept.pk


def test_a_code_that_no_card_ever_had_is_not_known(world, cup) -> None:
    reopen(cup, user=world.owner)
    reseed(cup, list(cup.registrations.order_by("-seed").values_list("entrant", flat=True)), user=world.owner)
    answer = Client().get("/t/AAAAAAAAAAAA/")
    assert answer.status_code == 404
    assert "This code is not known" in answer.content.decode()
