"""The official notices of a league, and how to reach it."""

import re

import pytest

from league.accounts.models import League, Role
from league.competitions.models import Notice
from league.competitions.notices import Wording, amend_notice, publish_notice, withdraw_notice
from tests.web import world as small

FIRST = Wording(title="Round 3 begins at 20:00", text="The hall is taken until then.\n\nCards lie at table 4.")
HARMFUL = "<script>alert(1)</script>\n\n<b>\u202eevil"


@pytest.fixture
def olga(world):
    olga = small.account("olga")
    Role.objects.create(user=olga, league=world.league, kind=Role.Kind.OWNER)
    return olga


def said(client, path: str, **sent: object) -> str:
    answer = client.post(path, sent, follow=True) if sent else client.get(path)
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def test_an_owner_publishes_amends_and_withdraws_a_notice_and_everybody_reads_what_became_of_it(
    world, olga, browse
) -> None:
    owner, anybody = browse(olga), browse()
    said(owner, "/leagues/harbour/notices/new/", title=FIRST.title, text=FIRST.text)
    league = said(anybody, "/leagues/harbour/")
    assert "Round 3 begins at 20:00" in league
    assert "<p>The hall is taken until then.</p>" in league
    notice = Notice.objects.get()
    path = f"/leagues/harbour/notices/{notice.pk}/"
    form = said(owner, f"{path}amend/")
    assert 'name="seen" value="1"' in form
    said(owner, f"{path}amend/", title="Round 3 begins at 21:00", text=FIRST.text, seen=1)
    page = said(anybody, path)
    assert "<h1><bdi>Round 3 begins at 21:00</bdi></h1>" in page
    assert "Amended, version 2" in page
    assert "Round 3 begins at 20:00" in page.split('id="before"')[1]
    said(owner, f"{path}withdraw/", reason="It was the wrong Thursday")
    assert "Round 3" not in said(anybody, "/leagues/harbour/")
    everything = said(anybody, "/leagues/harbour/notices/")
    assert "It was the wrong Thursday" in everything
    assert "The hall is taken" not in everything
    gone = said(anybody, path)
    assert "The hall is taken" in gone
    assert "It does not hold any more" in gone
    again = owner.post(f"{path}amend/", {"title": "x", "text": "y", "seen": 2})
    assert (again.status_code, "withdrawn already" in again.content.decode()) == (422, True)


def test_a_notice_of_a_competition_stands_on_top_of_it_and_of_no_other(world, olga, browse) -> None:
    cup = small.knock_out(world)
    said(browse(olga), "/leagues/harbour/notices/new/", title=FIRST.title, text=FIRST.text, about=cup.slug)
    notice = Notice.objects.get()
    assert notice.competition == cup
    page = said(browse(), f"/competitions/harbour/{cup.slug}/")
    assert page.index(FIRST.title) < page.index('id="matchdays"')
    assert FIRST.title not in said(browse(), "/competitions/harbour/autumn/")
    assert f"About <bdi>{cup.name}</bdi>" in said(browse(), "/leagues/harbour/")
    withdraw_notice(notice, user=olga)
    assert FIRST.title not in said(browse(), f"/competitions/harbour/{cup.slug}/")


def test_a_competition_of_another_league_or_a_draft_is_not_offered(world, olga, browse) -> None:
    cup = small.knock_out(world)
    type(cup).objects.filter(pk=cup.pk).update(published_at=None)
    client = browse(olga)
    assert cup.slug not in said(client, "/leagues/harbour/notices/new/")
    sent = {"title": "x", "text": "y", "about": cup.slug}
    assert client.post("/leagues/harbour/notices/new/", sent).status_code == 422
    assert not Notice.objects.exists()


def test_two_who_amend_at_once_do_not_overwrite_each_other(world, olga, browse) -> None:
    notice = publish_notice(world.league, FIRST, user=olga)
    amend_notice(notice, Wording(title="Second", text="words"), user=olga, seen=1)
    answer = browse(olga).post(f"/leagues/harbour/notices/{notice.pk}/amend/", {"title": "x", "text": "y", "seen": 1})
    assert answer.status_code == 422
    assert "wrote another version" in answer.content.decode()
    # What was typed is not lost.
    assert 'value="x"' in answer.content.decode()


def test_what_a_notice_says_is_text_and_turns_nothing_round(world, olga, browse) -> None:
    notice = publish_notice(world.league, Wording(title="<i>x\u202e", text=HARMFUL), user=olga)
    for path in ("/leagues/harbour/", "/leagues/harbour/notices/", f"/leagues/harbour/notices/{notice.pk}/"):
        html = said(browse(), path)
        assert "<script>alert" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
        assert "<p>&lt;b&gt;evil</p>" in html
        assert "\u202e" not in html


def test_notices_come_in_pages_newest_first(world, olga, browse) -> None:
    for number in range(14):
        publish_notice(world.league, Wording(title=f"Notice {number}", text="words"), user=olga)
    html = said(browse(), "/leagues/harbour/notices/")
    assert re.findall(r"<bdi>(Notice \d+)</bdi></a></h3>", html) == [f"Notice {n}" for n in range(13, 1, -1)]
    assert "Notice 0" in said(browse(), "/leagues/harbour/notices/?page=2")
    assert said(browse(), "/leagues/harbour/").count('class="card told"') == 3


def test_a_league_shows_the_contact_that_its_owner_wrote_and_nothing_else(world, olga, browse) -> None:
    assert 'id="contact"' not in said(browse(), "/leagues/harbour/")
    facts = {"name": "Harbour", "time_zone": "Europe/Lisbon", "place": "Pier 3", "confirmation_required": "on"}
    contact = {
        "contact": "Olga at the bar, Thursdays from seven",
        "contact_email": "club@example.org",
        "contact_phone": "+351 21 555 01 00",
        "contact_web": "https://example.org/dominoes",
    }
    said(browse(olga), "/leagues/harbour/edit/", **facts, **contact)
    html = said(browse(), "/leagues/harbour/")
    assert "Olga at the bar, Thursdays from seven" in html
    for link in ("mailto:club@example.org", "tel:+351215550100", "https://example.org/dominoes"):
        assert f'href="{link}"' in html
    assert "Pier 3" in html
    # Programs are told neither address nor number: they are for people who look for the club.
    payload = browse().get("/api/v1/leagues/harbour").content.decode()
    assert '"place":"Pier 3","web":"https://example.org/dominoes"' in payload
    assert "club@example.org" not in payload
    assert "555" not in payload


@pytest.mark.parametrize(
    "wrong",
    [
        {"contact_email": "no address"},
        {"contact_phone": "call me"},
        {"contact_phone": "-- --"},
        {"contact_web": "javascript:alert(1)"},
        {"contact_web": "example.org"},
    ],
)
def test_a_contact_that_cannot_be_used_is_refused(world, olga, browse, wrong) -> None:
    facts = {"name": "Harbour", "time_zone": "Europe/Lisbon", "place": ""}
    assert browse(olga).post("/leagues/harbour/edit/", facts | wrong).status_code == 422
    assert League.objects.get(slug="harbour").contact_web == ""
