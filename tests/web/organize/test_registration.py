"""The pages of signing up: what outsiders see of a draft, how they ask, and how an organizer answers."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Applicant, Competition, Invitation
from league.competitions.registration.entries import register
from league.competitions.registration.opening import RegistrationTerms, digest_of, invite, set_registration
from league.players.models import Player
from tests.web import world as small

OPEN = Competition.Opening.OPEN
PUBLIC = "/competitions/harbour/spring-cup/sign-up/"
HERE = "/organize/harbour/competitions/spring-cup/"


@pytest.fixture
def cup(world) -> Competition:
    plan = Plan(name="Spring Cup", ruleset="udl", starts_at=small.FIRST, fee=500, currency="€")
    made = found(world.league, plan, user=world.owner)
    return set_registration(made, RegistrationTerms(registration=OPEN, places=4), user=world.owner)


def text_of(answer) -> str:
    return html.unescape(answer.content.decode())


def ticket_in(answer) -> str:
    return re.search(r'name="ticket" value="([\w-]{24})"', answer.content.decode())[1]


def sign_up(client, **said):
    page = client.get(PUBLIC)
    return client.post(PUBLIC, {"do": "name", "ticket": ticket_in(page)} | said)


def names(cup) -> list[str]:
    return [one.entrant.player.name for one in cup.registrations.order_by("seed").select_related("entrant__player")]


# --- What outsiders see ---


def test_an_open_draft_shows_what_one_must_know_and_nothing_of_its_draw(world, browse, cup) -> None:
    register(cup, world.entrants)
    draw(cup, user=world.owner)
    page = text_of(browse().get(PUBLIC))
    for told in ("Spring Cup", "Harbour", "UDL", "5.00 €", "1 of 4 places is free", "6 November 2026", "Your name"):
        assert told in page
    for entrant in world.entrants:
        assert entrant.player.name not in page
    assert browse().get("/competitions/harbour/spring-cup/").status_code == 404
    assert "Spring Cup" in text_of(browse().get("/leagues/harbour/"))
    assert "Spring Cup" in text_of(browse().get("/"))


@pytest.mark.parametrize("who", [Competition.Opening.CLOSED, Competition.Opening.INVITED])
def test_of_any_other_draft_outsiders_learn_nothing(world, browse, cup, who) -> None:
    set_registration(cup, RegistrationTerms(registration=who), user=world.owner)
    assert browse().get(PUBLIC).status_code == 404
    assert browse().post(PUBLIC, {"name": "Cy"}).status_code == 404
    assert "Spring Cup" not in text_of(browse().get("/leagues/harbour/"))
    assert "Spring Cup" not in text_of(browse().get("/"))


def test_a_page_that_has_closed_says_so_and_has_no_form(world, browse, cup) -> None:
    over = timezone.now() - timedelta(minutes=1)
    set_registration(cup, RegistrationTerms(registration=OPEN, closes_at=over), user=world.owner)
    page = text_of(browse().get(PUBLIC))
    assert "Registration for Spring Cup is closed." in page
    assert 'name="name"' not in page
    answer = browse().post(PUBLIC, {"do": "name", "name": "Cy"})
    assert (answer.status_code, Applicant.objects.count()) == (422, 0)
    register(cup, world.entrants)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    assert "Late entries are made at the desk." in text_of(browse().get(PUBLIC))


# --- Asking ---


def test_somebody_signs_up_by_name_and_gets_a_page_of_their_own(world, browse, cup) -> None:
    client = browse()
    answer = sign_up(client, name="Cy <b>Diaz</b>", club="Mill", born="1990", contact="cy@example.org", word="by bus")
    assert (answer.status_code, answer.url[:10]) == (302, "/sign-ups/")
    own = client.get(answer.url)
    assert own.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert "no-store" in own.headers["Cache-Control"]
    assert "Cy &lt;b&gt;Diaz&lt;/b&gt;" in own.content.decode()
    assert "Your sign-up waits for the organizers’ answer." in text_of(own)
    row = Applicant.objects.get()
    assert (row.digest, row.user) == (digest_of(answer.url.split("/")[2]), None)
    assert client.post(answer.url).status_code == 302
    assert "Your sign-up is withdrawn." in text_of(client.get(answer.url))
    row.refresh_from_db()
    assert (row.state, row.contact) == ("withdrawn", "")


def test_a_second_click_signs_nobody_up_twice(world, browse, cup) -> None:
    client = browse()
    sent = {"do": "name", "ticket": ticket_in(client.get(PUBLIC)), "name": "Cy"}
    assert client.post(PUBLIC, sent).url == client.post(PUBLIC, sent).url
    assert Applicant.objects.count() == 1


def test_what_was_typed_stays_and_the_field_is_named(world, browse, cup) -> None:
    answer = sign_up(browse(), name="12", club="Mill", word="by <i>bus</i>")
    page = answer.content.decode()
    assert (answer.status_code, Applicant.objects.count()) == (422, 0)
    assert 'id="id_name_error"' in page
    assert 'value="Mill"' in page
    assert "by &lt;i&gt;bus&lt;/i&gt;" in page
    assert 'id="id_born_error"' in sign_up(browse(), name="Cy", born="1066").content.decode()


def test_a_program_that_fills_in_every_field_is_turned_away(world, browse, cup) -> None:
    assert sign_up(browse(), name="Cy", website="https://example.org").status_code == 422
    assert Applicant.objects.count() == 0


def test_a_flood_from_one_address_stops_and_what_was_typed_stays(world, browse, cup, monkeypatch) -> None:
    monkeypatch.setitem(__import__("league.web.competitions.sign_ups", fromlist=["LIMITS"]).LIMITS, "sign_up", "2/m/ip")
    client = browse()
    for name in ("Cy", "Dee"):
        assert sign_up(client, name=name).status_code == 302
    answer = sign_up(client, name="Eve")
    assert (answer.status_code, Applicant.objects.count()) == (429, 2)
    assert 'value="Eve"' in answer.content.decode()


def test_an_account_with_a_player_signs_up_with_one_button_and_withdraws_there(world, browse, cup) -> None:
    client = browse(world.alice)
    page = client.get(PUBLIC)
    assert "Sign up as Ana Ruiz" in text_of(page)
    code = world.entrants[0].player.code
    sent = {"do": "player", "player": code, "ticket": ticket_in(page)}
    assert client.post(PUBLIC, sent).url == f"/sign-ups/{sent['ticket']}/"
    assert client.post(PUBLIC, sent | {"ticket": "x" * 24}).url == PUBLIC
    seen = text_of(client.get(PUBLIC))
    assert "You have signed up already." in seen
    assert "Sign up as Ana Ruiz" not in seen
    row = Applicant.objects.get()
    assert (row.player, row.user) == (world.entrants[0].player, world.alice)
    assert browse(world.bob).post(PUBLIC, {"do": "withdraw", "applicant": row.pk}).status_code == 404
    assert browse(world.bob).post(PUBLIC, {"do": "player", "player": code}).status_code == 422
    assert client.post(PUBLIC, {"do": "withdraw", "applicant": row.pk}).url == PUBLIC
    row.refresh_from_db()
    assert row.state == "withdrawn"


def test_an_invitation_opens_the_form_of_a_draft_that_is_by_invitation(world, browse, cup) -> None:
    set_registration(cup, RegistrationTerms(registration=Competition.Opening.INVITED), user=world.owner)
    secret = invite(cup, user=world.owner, whom="the Mill")
    path = f"/sign-ups/invited/{secret}/"
    page = browse().get(path)
    assert "Invitation for the Mill" in text_of(page)
    assert page.headers["Referrer-Policy"] == "same-origin"
    answer = browse().post(path, {"do": "name", "name": "Cy", "ticket": ticket_in(page)})
    assert answer.status_code == 302
    spent = browse().get(path)
    assert (spent.status_code, "This link does not work" in text_of(spent)) == (404, True)
    assert browse().get(answer.url).status_code == 200
    assert browse().get("/sign-ups/nothing/").status_code == 404


def test_the_waiting_list_is_told_with_its_number(world, browse, cup) -> None:
    set_registration(cup, RegistrationTerms(registration=OPEN, places=1), user=world.owner)
    client = browse()
    sign_up(client, name="Cy")
    assert "All places are taken or reserved: you join the waiting list" in text_of(client.get(PUBLIC))
    answer = sign_up(client, name="Dee")
    assert "You are number <strong>1</strong> on the waiting list" in client.get(answer.url).content.decode()


# --- Answering ---


def test_the_organizer_lets_in_refuses_and_thinks_it_over(world, browse, cup) -> None:
    for name in ("Ana Ruiz", "Cy", "Dee"):
        sign_up(browse(), name=name, contact=f"{name}@example.org")
    client = browse(world.owner)
    page = text_of(client.get(f"{HERE}sign-ups/"))
    assert "Is this Ana Ruiz (" in page
    assert "Cy@example.org" in page
    assert "3 sign-ups wait for an answer" in text_of(client.get(HERE))
    assert "3 sign-ups wait for an answer" in text_of(client.get("/organize/harbour/"))
    ana, cy, dee = Applicant.objects.order_by("pk")
    assert client.post(f"{HERE}sign-ups/", {"do": "accept", "chosen": [ana.pk, cy.pk]}).status_code == 302
    assert names(cup) == ["Ana Ruiz", "Cy"]
    assert client.post(f"{HERE}sign-ups/", {"do": "refuse", "chosen": [dee.pk]}).status_code == 302
    assert "Think it over" in text_of(client.get(f"{HERE}sign-ups/?show=refused"))
    client.post(f"{HERE}sign-ups/", {"do": "again", "applicant": dee.pk})
    assert "Dee" in text_of(client.get(f"{HERE}sign-ups/"))
    client.post(f"{HERE}sign-ups/", {"do": "accept", "chosen": [ana.pk, cy.pk]})
    assert names(cup) == ["Ana Ruiz", "Cy"]


def test_all_who_are_clear_are_let_in_and_the_others_are_named(world, browse, cup) -> None:
    register(cup, world.entrants[:1])
    set_registration(cup, RegistrationTerms(registration=OPEN, places=5), user=world.owner)
    for name in ("Ana Ruiz", "Cy", "Dee", "Dee", "Eve", "Flo", "Gus"):
        sign_up(browse(), name=name)
    answer = browse(world.owner).post(f"{HERE}sign-ups/", {"do": "all"}, follow=True)
    page = text_of(answer)
    assert names(cup) == ["Ana Ruiz", "Cy", "Dee", "Eve"]
    assert "3 players were let in." in page
    assert "1 was registered already" in page
    assert "1 sign-up is not clear and waits on: Dee." in page
    assert "2 wait on the waiting list." in page


def test_somebody_new_of_a_known_name_is_chosen_beside_the_sign_up(world, browse, cup) -> None:
    sign_up(browse(), name="Ana Ruiz")
    row = Applicant.objects.get()
    client = browse(world.owner)
    assert f'name="who-{row.pk}"' in client.get(f"{HERE}sign-ups/").content.decode()
    client.post(f"{HERE}sign-ups/", {"do": "accept", "chosen": [row.pk], f"who-{row.pk}": "new"})
    assert Player.objects.filter(name="Ana Ruiz").count() == 2
    assert cup.registrations.get().entrant != world.entrants[0]


def test_a_refusal_keeps_what_was_ticked_and_chosen(world, browse, cup) -> None:
    set_registration(cup, RegistrationTerms(registration=OPEN, places=1), user=world.owner)
    for name in ("Ana Ruiz", "Cy"):
        sign_up(browse(), name=name)
    ana, cy = Applicant.objects.order_by("pk")
    sent = {"do": "accept", "chosen": [ana.pk, cy.pk], f"who-{ana.pk}": "new"}
    answer = browse(world.owner).post(f"{HERE}sign-ups/", sent)
    page = answer.content.decode()
    assert (answer.status_code, names(cup)) == (422, [])
    assert "That would make 2 in 1 places." in page
    assert page.count(" checked>") == 2
    assert '<option value="new" selected>' in page
    assert Player.objects.filter(name="Ana Ruiz").count() == 1, "nothing was stored"
    for nothing in ({"do": "accept"}, {"do": "refuse"}, {"do": "?"}, {"do": "accept", "chosen": "x"}):
        assert browse(world.owner).post(f"{HERE}sign-ups/", nothing).status_code == 422


def test_sign_ups_of_another_competition_are_not_answered_here(world, browse, cup) -> None:
    sign_up(browse(), name="Cy")
    other = found(world.league, Plan(name="Other", ruleset="udl"), user=world.owner)
    row = Applicant.objects.get()
    for do in ("accept", "refuse"):
        path = "/organize/harbour/competitions/other/sign-ups/"
        browse(world.owner).post(path, {"do": do, "chosen": [row.pk]})
    row.refresh_from_db()
    assert (row.state, names(other)) == ("waiting", [])


# --- Opening ---


def test_registration_is_opened_with_its_places_and_its_end(world, browse, cup) -> None:
    client = browse(world.owner)
    next_year = timezone.now().year + 1
    sent = {"registration": "open", "admission": "members", "closes_at": f"{next_year}-01-02T18:00", "places": "16"}
    assert client.post(f"{HERE}registration/", sent).status_code == 302
    cup.refresh_from_db()
    assert (cup.registration, cup.admission, cup.places) == ("open", "members", 16)
    assert cup.registration_closes_at.isoformat() == f"{next_year}-01-02T18:00:00+00:00"
    page = text_of(client.get(f"{HERE}registration/"))
    assert f"http://testserver{PUBLIC}" in page
    for wrong in ({"places": "0"}, {"places": "many"}, {"closes_at": "soon"}, {"registration": "?"}, {"admission": ""}):
        answer = client.post(f"{HERE}registration/", sent | wrong)
        assert answer.status_code == 422, wrong
        assert "16" in answer.content.decode() or "places" in wrong


def test_an_invitation_is_shown_once_and_revoked(world, browse, cup) -> None:
    client = browse(world.owner)
    answer = client.post(f"{HERE}registration/invitations/", {"whom": "Mill", "uses": "3", "days": "10"})
    [path] = set(re.findall(r"/sign-ups/invited/[\w-]{24}/", answer.content.decode()))
    again = client.get(f"{HERE}registration/").content.decode()
    assert path not in again
    assert "used 0 of 3" in again
    assert browse().get(path).status_code == 200
    link = Invitation.objects.get()
    client.post(f"{HERE}registration/invitations/{link.pk}/revoke/")
    assert browse().get(path).status_code == 404
    assert "revoked by" in text_of(client.get(f"{HERE}registration/"))
    wrong = client.post(f"{HERE}registration/invitations/", {"whom": "Mill", "uses": "0", "days": "10"})
    assert (wrong.status_code, 'value="Mill"' in wrong.content.decode()) == (422, True)


def test_an_invitation_of_another_competition_is_not_revoked_here(world, browse, cup) -> None:
    found(world.league, Plan(name="Other", ruleset="udl"), user=world.owner)
    invite(cup, user=world.owner)
    link = Invitation.objects.get()
    path = f"/organize/harbour/competitions/other/registration/invitations/{link.pk}/revoke/"
    assert browse(world.owner).post(path).status_code == 404


def test_the_pages_of_a_published_competition_say_what_is_left_to_do(world, browse, cup) -> None:
    sign_up(browse(), name="Cy")
    register(cup, world.entrants)
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    client = browse(world.owner)
    assert "so sign-up is closed" in text_of(client.get(f"{HERE}registration/"))
    page = text_of(client.get(f"{HERE}sign-ups/"))
    assert "The desk can still let players in" in page
    assert 'value="accept"' not in page
    answer = client.post(f"{HERE}sign-ups/", {"do": "accept", "chosen": [Applicant.objects.get().pk]})
    assert answer.status_code == 422


def test_the_list_takes_the_same_statements_for_one_and_for_many(world, browse, cup) -> None:
    client = browse(world.owner)
    counts = []
    for several in (1, 3, 60):
        now = timezone.now()
        Applicant.objects.all().delete()
        Applicant.objects.bulk_create(
            Applicant(competition=cup, name=f"New {n}", digest=f"{n:064}", made_at=now) for n in range(several)
        )
        with CaptureQueriesContext(
            connection,
        ) as seen:
            assert client.get(f"{HERE}sign-ups/").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1] == counts[2]
