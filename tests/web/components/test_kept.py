"""A kept part is the part that would be drawn: other values, another language or address, another part."""

import re
from zoneinfo import ZoneInfo

import pytest
from django.template import Template
from django.test import RequestFactory
from django.utils import timezone, translation

from league.players.models import Player
from league.web.components import kept as module
from league.web.components.kept import kept
from tests.web import world as small

PART = Template(
    "{% load i18n tz domino %}{% trans 'Replay' context 'heading' %} {{ name }} {% page_link 'rounds' 2 %} "
    "{{ at|date:'H:i' }} {{ user }}"
)
AT = small.FIRST
HERE = RequestFactory().get("/?record=5")


@pytest.fixture(autouse=True)
def drawn(monkeypatch) -> list[str]:
    """Names drawn by the part, in order."""
    module._drawn.cache_clear()
    monkeypatch.setattr(module, "get_template", lambda _name: type("Backend", (), {"template": PART}))
    times, render = [], Template.render

    def noted(self, context):
        times.append(context["name"])
        return render(self, context)

    monkeypatch.setattr(Template, "render", noted)
    return times


def test_the_same_values_are_drawn_once(drawn) -> None:
    assert [kept("a.html", HERE, name="Ana & Bo", at=AT) for _ in range(3)] == [
        "Replay Ana &amp; Bo ?record=5&amp;rounds=2 19:00 "
    ] * 3
    assert drawn == ["Ana & Bo"]


def test_another_value_language_zone_or_query_is_another_part(drawn) -> None:
    told = [kept("a.html", HERE, name="Ana", at=AT), kept("a.html", HERE, name="Bo", at=AT)]
    told.append(kept("a.html", RequestFactory().get("/"), name="Ana", at=AT))
    with translation.override("es"):
        told.append(kept("a.html", HERE, name="Ana", at=AT))
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        told.append(kept("a.html", HERE, name="Ana", at=AT))
    assert len(set(told)) == len(drawn) == 5


def test_a_part_sees_the_values_alone(drawn) -> None:
    HERE.user = "somebody"
    assert "somebody" not in kept("a.html", HERE, name="Ana", at=AT)


def test_a_value_that_may_change_is_refused() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        kept("a.html", HERE, name=["Ana"], at=AT)


@pytest.fixture
def pages(db, monkeypatch, browse):
    """Look at a page of a match with a log, with kept parts and without them."""
    monkeypatch.undo()
    world = small.build()
    small.judge(small.hand_in(world.game(), world.alice, side=1), "corrected")
    path = f"/matches/{world.match.pk}/"

    def look(user, language: str = "en") -> tuple[str, str]:
        client = browse(user)
        client.cookies["django_language"] = language
        both = [client.get(path).content.decode()]
        module._drawn.cache_clear()
        both.append(client.get(path).content.decode())
        return tuple(re.sub(r'value="\w{64}"|\?at=\d+', "", one) for one in both)

    return world, look


def test_a_page_of_kept_parts_is_the_page_that_would_be_drawn(pages) -> None:
    world, look = pages
    for user in (world.alice, world.owner, world.ref, world.alice):
        for language in ("en", "es", "en"):
            kept_page, drawn_page = look(user, language)
            assert 'id="log-1"' in drawn_page
            assert kept_page == drawn_page


def test_a_player_s_new_name_is_in_the_log_of_the_next_look(pages) -> None:
    world, look = pages
    look(world.alice)
    player = Player.objects.get(user=world.alice)
    before, player.name = player.name, "Zoë Newname"
    player.save()
    shown, drawn_page = look(world.alice)
    assert shown == drawn_page
    assert "Zoë Newname" in shown
    assert before not in shown


def test_a_new_verdict_is_on_the_page_of_the_next_look(pages) -> None:
    world, look = pages
    before, _ = look(world.alice)
    verdict = world.game().records.get().verdict
    verdict.findings = []
    verdict.save()
    shown, drawn_page = look(world.alice)
    assert shown == drawn_page != before
