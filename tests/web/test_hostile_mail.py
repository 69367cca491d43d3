"""Every mail that the site sends, to and about people who are called something awful: one subject, no header more, no
markup that a mail program would carry out, and the name still legible.
"""

import re
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import allauth
import pytest
from django.core.mail import BadHeaderError, EmailMultiAlternatives
from django.test import RequestFactory

from league.accounts.adapter import Adapter
from league.accounts.models import User
from tests.web.test_hostile_names import FAMILY, FORMULA, SCRIPT

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = (Path(allauth.__file__).parent / "templates", ROOT / "templates")
KINDS = sorted(
    {
        one.name.removesuffix("_subject.txt")
        for folder in TEMPLATES
        for one in (folder / "account/email").glob("*_subject.txt")
    }
)
TURNED = "Ana \u202eziuR"
INJECTED = "Ana\r\nBcc: everybody@example.org\r\n\r\n<script>alert(1)</script>"
SIXTY = "क्षि" * 60
AWFUL = (SCRIPT, FORMULA, SIXTY, FAMILY, TURNED, INJECTED)


class Site:
    """As the request tells it."""

    def __init__(self, name: str) -> None:
        self.name = self.domain = name


def rendered(kind: str, name: str) -> EmailMultiAlternatives:
    user = User(username=name, first_name=name, email="ana@example.org")
    words = dict.fromkeys(("code", "ip", "user_agent", "from_email", "to_email", "deleted_email", "timestamp"), name)
    links = dict.fromkeys(("activate_url", "password_reset_url", "signup_url"), "https://example.org/x")
    context = {"user": user, "username": name, "email": "ana@example.org", "current_site": Site(name), **words, **links}
    return Adapter(RequestFactory().get("/")).render_mail(f"account/email/{kind}", "ana@example.org", context)


def test_every_kind_of_mail_is_looked_at() -> None:
    assert {"email_confirmation", "password_reset_key", "unknown_account", "password_changed"} <= set(KINDS)


@pytest.mark.parametrize("name", AWFUL, ids=("script", "formula", "sixty", "family", "turned", "injected"))
@pytest.mark.parametrize("kind", KINDS)
def test_a_mail_has_one_subject_its_own_headers_and_no_markup(kind: str, name: str) -> None:
    mail = rendered(kind, name)
    plain = rendered(kind, "Ana Ruiz")
    # Nobody's name is in a subject: what many read over a shoulder or in a log.
    assert mail.subject == plain.subject
    raw = message_from_bytes(mail.message().as_bytes(), policy=default)
    assert sorted(raw.keys()) == sorted(message_from_bytes(plain.message().as_bytes(), policy=default).keys())
    assert "Bcc" not in raw
    for part in raw.walk():
        assert part.get_content_type() in {"text/plain", "multipart/alternative", "text/html"}
        if part.get_content_type() == "text/html":
            assert "<script" not in part.get_content()
            assert "<img src=x" not in part.get_content()


@pytest.mark.parametrize("name", [SCRIPT, FORMULA, SIXTY, FAMILY])
def test_a_mail_that_names_somebody_does_so_letter_by_letter(name: str) -> None:
    raw = message_from_bytes(rendered("email_confirmation", name).message().as_bytes(), policy=default)
    assert name in raw.get_body(("plain",)).get_content()


def test_a_subject_or_an_address_of_several_lines_is_refused() -> None:
    """The control: the mails are whole because nothing of a name gets into them, and this is what stands behind it."""
    with pytest.raises(BadHeaderError):
        EmailMultiAlternatives(f"Hello {INJECTED}", "text", to=["ana@example.org"]).message()
    with pytest.raises(BadHeaderError):
        EmailMultiAlternatives("Hello", "text", to=[f"{INJECTED} <ana@example.org>"]).message()


@pytest.fixture
def with_mail(settings) -> None:
    settings.HAS_MAIL = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


@pytest.mark.usefixtures("with_mail")
@pytest.mark.parametrize("name", [SCRIPT, FORMULA, TURNED, INJECTED])
def test_who_signs_up_under_an_awful_name_sends_nobody_anything_but_the_usual_mail(
    world, browse, mailoutbox, name
) -> None:
    sent = {"username": "dora", "password1": "five-five-leads", "email": "dora@example.org", "full_name": name}
    answer = browse().post("/sign-up/", sent)
    assert answer.status_code in {200, 302, 422}
    for mail in mailoutbox:
        assert (mail.to, mail.cc, mail.bcc) == (["dora@example.org"], [], [])
        assert not re.search(r"[\r\n\u202e]", mail.subject)
        assert "<script" not in mail.body
        assert "\u202e" not in mail.body
        assert mail.alternatives == []


@pytest.mark.usefixtures("with_mail")
def test_what_a_browser_calls_itself_stays_a_line_of_text_in_a_mail(world, browse, mailoutbox) -> None:
    client = browse(world.alice)
    sent = {"oldpassword": "five-five-leads", "password1": "spinner-first-1", "password2": "spinner-first-1"}
    world.alice.set_password("five-five-leads")
    world.alice.save()
    client.force_login(world.alice)
    client.post("/account/password/", sent, headers={"user-agent": SCRIPT})
    [mail] = mailoutbox
    assert mail.alternatives == []
    assert mail.message().get_content_type() == "text/plain"
    assert SCRIPT in mail.body
