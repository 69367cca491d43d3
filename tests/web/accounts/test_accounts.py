"""Signing in and out."""

import re

import pytest

from league.accounts.adapter import Adapter
from league.accounts.models import Role, User
from tests.web.world import PASSWORD


@pytest.mark.parametrize("name", ["alice", "ALICE", "alice@example.org", "Alice@Example.org"])
def test_one_signs_in_by_name_or_address(world, browse, name) -> None:
    client = browse()
    answer = client.post("/sign-in/", {"username": name, "password": PASSWORD}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "Sign out" in answer.content.decode()


def test_a_wrong_password_says_so_keeps_the_name_and_tells_nothing_else(world, browse) -> None:
    answers = [browse().post("/sign-in/", {"username": name, "password": "wrong"}) for name in ("alice", "nobody")]
    for answer, name in zip(answers, ("alice", "nobody"), strict=True):
        html = answer.content.decode()
        assert answer.status_code == 422
        assert "No account has this name or address with this password." in html
        assert f'value="{name}"' in html
        assert 'value="wrong"' not in html


def test_one_comes_back_to_the_page_one_asked_for_and_nowhere_else(world, browse) -> None:
    form = {"username": "alice", "password": PASSWORD}
    assert browse().post("/sign-in/", form | {"next": "/submit/"}).url == "/submit/"
    assert browse().post("/sign-in/", form | {"next": "https://elsewhere.example/"}).url == "/"
    assert browse().post("/sign-in/", form | {"next": "//elsewhere.example/"}).url == "/"


def test_signing_out_takes_a_post(world, browse) -> None:
    client = browse(world.alice)
    assert client.get("/sign-out/").status_code == 405
    assert "Sign out" in client.get("/").content.decode()
    answer = client.post("/sign-out/", follow=True)
    assert "Sign in" in answer.content.decode()
    assert "Sign out" not in answer.content.decode()


def test_who_is_signed_in_already_is_sent_on(world, browse) -> None:
    assert browse(world.alice).get("/sign-in/").url == "/"


# --- Guesses (RELIABILITY.md A-19) ---

RIGHT = {"username": "alice", "password": PASSWORD}
WRONG = {"username": "alice", "password": "wrong"}


def test_a_stranger_has_ten_guesses_an_hour_at_an_account_by_whatever_name(world, browse) -> None:
    for number in range(10):
        name = "alice" if number % 2 else "ALICE@example.org"
        assert browse().post("/sign-in/", {"username": name, "password": "wrong"}).status_code == 422
    answer = browse().post("/sign-in/", RIGHT)
    assert answer.status_code == 422
    assert "There were too many wrong passwords for this account from unknown devices." in answer.content.decode()


def test_guesses_from_one_address_lock_nobody_else_out(world, browse) -> None:
    for _ in range(12):
        browse().post("/sign-in/", WRONG)
    for name in ("bob", "ref", "charlie"):
        assert browse().post("/sign-in/", {"username": name, "password": PASSWORD}).url == "/"


def test_who_signed_in_on_a_device_before_is_not_locked_out_there(world, browse) -> None:
    mine = browse()
    mine.post("/sign-in/", RIGHT)
    mine.post("/sign-out/")
    for _ in range(12):
        browse().post("/sign-in/", WRONG)
    assert mine.post("/sign-in/", RIGHT).url == "/"


def test_without_the_mark_of_the_device_the_attacker_would_lock_the_owner_out(world, browse) -> None:
    """The control, and a forged mark is none."""
    mine = browse()
    mine.post("/sign-in/", RIGHT)
    mine.post("/sign-out/")
    mine.cookies["device"] = mine.cookies["device"].value[:-2] + "xx"
    for _ in range(12):
        browse().post("/sign-in/", WRONG)
    assert mine.post("/sign-in/", RIGHT).status_code == 422


def test_three_hundred_people_sign_in_from_one_hall(world, browse, settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"login": "600/m/ip"}
    for _ in range(60):
        assert browse().post("/sign-in/", {"username": "bob", "password": PASSWORD}).status_code == 302


def test_a_header_about_the_address_is_believed_only_of_a_trusted_proxy(world, rf, settings) -> None:
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", HTTP_X_FORWARDED_FOR="1.2.3.4")
    assert Adapter(request).get_client_ip(request) == "10.0.0.1"
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    assert Adapter(request).get_client_ip(request) == "1.2.3.4"
    assert Adapter(request).get_client_ip(rf.get("/", REMOTE_ADDR="")) == "local"


# --- Signing up ---

NEW = {"username": "dora", "password1": "five-five-leads", "full_name": " Dora  Fox "}


def test_without_mail_one_signs_up_by_a_name_and_is_in(world, browse, mailoutbox) -> None:
    client = browse()
    page = client.get("/sign-up/").content.decode()
    assert 'name="email"' not in page
    assert client.post("/sign-up/", NEW).url == "/"
    dora = User.objects.get(username="dora")
    assert (str(dora), dora.email, dora.is_staff, dora.check_password("five-five-leads")) == (
        "Dora Fox",
        "",
        False,
        True,
    )
    assert "Sign out" in client.get("/").content.decode()
    assert mailoutbox == []


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"username": "ALICE"}, "There is an account with this name."),
        ({"username": "dora@example.org"}, "A user name has no @"),
        ({"username": ""}, "This field is required."),
        ({"password1": "12345678"}, "This password is"),
        ({"password1": "short"}, "This password is too short."),
    ],
)
def test_what_is_wrong_with_a_new_account_is_said_at_its_field(world, browse, changes, said) -> None:
    answer = browse().post("/sign-up/", NEW | changes)
    assert answer.status_code == 422
    assert said in answer.content.decode()
    assert not User.objects.filter(username="dora").exists()


@pytest.fixture
def with_mail(settings):
    """A site with a mail server."""
    settings.HAS_MAIL = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


@pytest.mark.usefixtures("with_mail")
def test_with_mail_an_address_is_confirmed_before_the_first_sign_in(world, browse, mailoutbox) -> None:
    client = browse()
    assert client.post("/sign-up/", NEW | {"email": "Dora@example.org"}).url == "/sign-up/sent/"
    mail = mailoutbox.pop()
    assert mail.to == ["dora@example.org"]
    assert client.post("/sign-in/", {"username": "dora", "password": "five-five-leads"}).url == "/sign-up/sent/"
    link = re.search(r"http://testserver(/sign-up/confirm/\S+)", mail.body)[1]
    assert "dora@example.org" in client.get(link).content.decode()
    assert client.post(link).status_code == 302
    assert client.post("/sign-in/", {"username": "dora@example.org", "password": "five-five-leads"}).url == "/"


@pytest.mark.usefixtures("with_mail")
def test_signing_up_with_a_known_address_tells_its_owner_and_nobody_else(world, browse, mailoutbox) -> None:
    known = browse().post("/sign-up/", NEW | {"email": "alice@example.org"})
    unknown = browse().post("/sign-up/", NEW | {"username": "eve", "email": "eve@example.org"})
    assert (known.status_code, known.url) == (unknown.status_code, unknown.url) == (302, "/sign-up/sent/")
    assert not User.objects.filter(username="dora").exists()
    assert mailoutbox[0].to == ["alice@example.org"]
    assert "already exists" in mailoutbox[0].body


@pytest.mark.usefixtures("with_mail")
def test_who_was_here_before_the_mail_server_signs_in_as_ever(world, browse) -> None:
    assert browse().post("/sign-in/", RIGHT).url == "/"


# --- Forgotten passwords ---


@pytest.mark.usefixtures("with_mail")
def test_a_mail_leads_to_a_new_password_once(world, browse, mailoutbox) -> None:
    client = browse()
    assert client.post("/password/forgotten/", {"email": "alice@example.org"}).url == "/password/forgotten/sent/"
    link = re.search(r"http://testserver(/password/new/\S+)", mailoutbox.pop().body)[1]
    form = client.get(link).url
    assert client.get(form).status_code == 200
    assert client.post(form, {"password1": "four-four-leads"}).url == "/password/new/done/"
    assert browse().post("/sign-in/", {"username": "alice", "password": "four-four-leads"}).url == "/"
    assert "does not work any more" in browse().get(link).content.decode()


@pytest.mark.usefixtures("with_mail")
def test_an_unknown_address_is_answered_in_the_same_way(world, browse, mailoutbox) -> None:
    answers = [browse().post("/password/forgotten/", {"email": f"{name}@example.org"}) for name in ("alice", "nobody")]
    assert {(answer.status_code, answer.url) for answer in answers} == {(302, "/password/forgotten/sent/")}
    assert len(mailoutbox) == 2


def test_a_site_without_mail_says_whom_to_ask(world, browse) -> None:
    html = browse().get("/password/forgotten/").content.decode()
    assert "This site has no mail server" in html
    assert "Ask an owner or manager of your league." in html


def test_a_manager_hands_over_a_link_that_works_once(world, browse) -> None:
    Role.objects.create(user=world.ref, league=world.league, kind=Role.Kind.MANAGER)
    html = browse(world.ref).post(f"/leagues/harbour/roles/{world.alice.code}/reset-link/").content.decode()
    link = re.search(r"http://testserver(/password/new/[^<\s]+)", html)[1]
    client = browse()
    form = client.get(link).url
    assert client.post(form, {"password1": "four-four-leads"}).status_code == 302
    assert browse().post("/sign-in/", {"username": "alice", "password": "four-four-leads"}).url == "/"
    assert "does not work any more" in browse().get(link).content.decode()
    assert "ref, " in re.sub(
        r"<[^>]+>", "", browse(User.objects.get(pk=world.alice.pk)).get("/account/").content.decode()
    )


# --- One's own account ---


def test_changing_the_password_signs_every_other_device_out(world, browse) -> None:
    here, there = browse(world.alice), browse(world.alice)
    assert here.post("/account/password/", {"oldpassword": "x", "password1": "four-four-leads"}).status_code == 422
    assert here.post("/account/password/", {"oldpassword": PASSWORD, "password1": "four-four-leads"}).url == "/account/"
    assert here.get("/account/").status_code == 200
    assert there.get("/account/").url == "/sign-in/?next=/account/"


def test_an_account_is_erased_by_typing_its_name(world, browse) -> None:
    client = browse(world.alice)
    assert client.post("/account/erase/", {"typed": "bob"}).status_code == 422
    assert client.post("/account/erase/", {"typed": "alice", "with_names": "on"}).url == "/"
    assert not User.objects.filter(username="alice").exists()
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert "Ana Ruiz" not in html
    assert world.entrants[0].player.code in html


# --- The first owner ---

FIRST = {
    "league_name": "Harbour",
    "time_zone": "Europe/Lisbon",
    "username": "olga",
    "password": "six-six-leads",
    "full_name": "",
    "email": "",
}


def test_an_empty_site_is_founded_once_and_the_page_is_gone(db, browse, settings) -> None:
    settings.FIRST_OWNER_CODE = "ABCD1234"
    client = browse()
    assert client.get("/first/").status_code == 200
    assert client.post("/first/", FIRST | {"code": "ABCD1234"}).url == "/organize/harbour/new/"
    html = client.get("/leagues/harbour/").content.decode()
    assert "Sign out" in html
    assert "Paste names" in html
    assert client.get("/first/").status_code == 404
    assert browse().post("/first/", FIRST | {"username": "eve"}).status_code == 404
    assert User.objects.count() == 1


def test_a_site_that_others_reach_asks_for_the_setup_code(db, browse, settings) -> None:
    settings.FIRST_OWNER_CODE = "ABCD1234"
    settings.ALLOWED_HOSTS = ["testserver", "192.168.1.5"]
    stranger = browse()
    answer = stranger.post("/first/", FIRST | {"code": "GUESSED"})
    assert answer.status_code == 422
    assert "That is not the setup code." in answer.content.decode()
    assert stranger.post("/first/", FIRST).status_code == 422
    assert not User.objects.exists()
    assert 'value="ABCD1234"' in browse().get("/first/?code=ABCD1234").content.decode()
    assert browse().post("/first/", FIRST | {"code": "abcd 1234"}).url == "/organize/harbour/new/"


def test_the_setup_code_is_there_to_be_looked_up_once_the_page_was_opened(db, browse, settings, tmp_path) -> None:
    settings.FIRST_OWNER_CODE, settings.EMBEDDED, settings.DATA_DIR = "", False, tmp_path
    browse().get("/first/")
    code = (tmp_path / "setup.code").read_text("utf-8")
    assert browse().post("/first/", FIRST | {"code": code}).url == "/organize/harbour/new/"


def test_setup_codes_are_not_guessed_for_long(db, browse, settings) -> None:
    settings.FIRST_OWNER_CODE = "ABCD1234"
    settings.EMBEDDED = False
    for _ in range(20):
        browse().post("/first/", FIRST | {"code": "GUESSED"})
    assert "Too many wrong codes." in browse().post("/first/", FIRST | {"code": "ABCD1234"}).content.decode()
    assert not User.objects.exists()
