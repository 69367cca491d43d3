"""Public contact of a league, as chosen by its owner."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator, validate_email
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words
from league.accounts.models import League
from league.errors import Refused

# As people write numbers: "+351 21 000 00 00", "(021) 555-0100".
_PHONE = re.compile(r"\+?[0-9()/. -]{3,40}")
_WEB = URLValidator(schemes=["http", "https"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact:
    """A contact; every part may be empty.

    `line`: in words, "Olga at the bar, Thursdays from seven".
    """

    line: str = ""
    email: str = ""
    phone: str = ""
    web: str = ""


def contact_of(league: League) -> Contact:
    return Contact(line=league.contact, email=league.contact_email, phone=league.contact_phone, web=league.contact_web)


def write_contact(league: League, contact: Contact) -> None:
    """Set the contact on the row, which the caller saves.

    Raises Refused `bad-contact`, `bad-email`, `bad-phone`, `bad-web`.
    """
    line, web = clean_words(contact.line), contact.web.strip()
    email, phone = contact.email.strip(), " ".join(contact.phone.split())
    longest = _longest("contact")
    if len(line) > longest:
        raise Refused("bad-contact", _("The line has at most %(longest)d characters."), longest=longest)
    if email and not _is(validate_email, email, "contact_email"):
        raise Refused("bad-email", _("“%(email)s” is not a valid e-mail address."), email=email)
    if phone and not (_PHONE.fullmatch(phone) and any(one.isdigit() for one in phone)):
        raise Refused("bad-phone", _("“%(phone)s” is not a valid phone number."), phone=phone)
    if web and not _is(_WEB, web, "contact_web"):
        raise Refused("bad-web", _("“%(web)s” is not a web address: it must begin with https://."), web=web)
    league.contact, league.contact_email = line, email
    league.contact_phone, league.contact_web = phone, web


def _longest(field: str) -> int:
    column: Any = League._meta.get_field(field)
    longest: int = column.max_length
    return longest


def _is(validate: Callable[[str], None], text: str, field: str) -> bool:
    try:
        validate(text)
    except ValidationError:
        return False
    return len(text) <= _longest(field)


def dialled(phone: str) -> str:
    """Return the part of a written number that a telephone dials."""
    return "".join(one for one in phone if one in "+0123456789")
