"""Dates as people write them: "22 November 2026", "22 de noviembre de 2026"."""

import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.test import override_settings
from django.utils import timezone, translation
from django.utils.formats import date_format, reset_format_cache

from tests.web import world as small
from tests.web.organize.test_club_night import night

WHEN = datetime(2026, 11, 22, 19, 5, tzinfo=ZoneInfo("UTC"))
SOURCES = [*settings.TEMPLATES[0]["DIRS"][0].rglob("*.html"), *(settings.BASE_DIR / "league").rglob("*.py")]
# What a template writes a date by, and what stands in quotation marks in the code and begins with a day.
IN_TEMPLATES = re.compile(r"""\bdate:"([^"]*\b[FMNEb]\b[^"]*)\"""")
IN_CODE = re.compile(r"""["']((?:[Dl],? )?j [FMNE]\b[^"']*)["']""")


def dated(path: Path) -> set[str]:
    text = path.read_text("utf-8")
    return set(IN_TEMPLATES.findall(text)) | set(IN_CODE.findall(text))


WRITTEN_OUT = sorted(set().union(*map(dated, SOURCES)))


@pytest.fixture
def without_ours():
    with override_settings(FORMAT_MODULE_PATH=None):
        reset_format_cache()
        yield
    reset_format_cache()


def test_every_date_that_the_site_writes_has_its_prepositions_and_no_capital_in_spanish() -> None:
    assert len(WRITTEN_OUT) > 12
    with translation.override("es"):
        written = {one: date_format(WHEN, one) for one in WRITTEN_OUT}
    months = {"F": "22 de noviembre", "F Y": "22 de noviembre de 2026", "M": "22 nov", "M Y": "22 nov 2026"}
    expected = {one: months[" ".join(re.findall(r"\b[FMY]\b", one))] for one in written}
    assert {one: said for one, said in written.items() if expected[one] not in said or said != said.lower()} == {}


@pytest.mark.parametrize(
    ("style", "english", "spanish"),
    [
        ("j F Y", "22 November 2026", "22 de noviembre de 2026"),
        ("j F Y, H:i", "22 November 2026, 19:05", "22 de noviembre de 2026, 19:05"),
        ("l j F Y", "Sunday 22 November 2026", "domingo 22 de noviembre de 2026"),
        ("l j F, H:i", "Sunday 22 November, 19:05", "domingo 22 de noviembre, 19:05"),
        ("j M Y", "22 Nov 2026", "22 nov 2026"),
    ],
)
def test_a_template_writes_a_date_as_its_language_does(style, english, spanish) -> None:
    shown = Template(f'{{{{ when|date:"{style}" }}}}')
    with translation.override("en"):
        assert shown.render(Context({"when": WHEN})) == english
    with translation.override("es"):
        assert shown.render(Context({"when": WHEN})) == spanish


def test_without_the_formats_of_the_language_they_are_missing(without_ours) -> None:
    """The control."""
    with translation.override("es"):
        assert [date_format(WHEN, one) for one in ("j F Y", "j M Y")] == ["22 noviembre 2026", "22 Nov 2026"]


@pytest.mark.django_db
def test_a_page_in_spanish_says_the_day_of_a_round_so(client) -> None:
    competition = night(small.build())
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    html = client.get(f"/competitions/harbour/{competition.slug}/schedule/").content.decode()
    with translation.override("es"):
        month = date_format(timezone.now(), "F")
    assert re.search(rf"\b\d+ de {month} de \d{{4}}\b", html)
