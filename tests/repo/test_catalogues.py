"""Every text has its translation, with the same facts in it; the catalogues are what the code says."""

import re
from gettext import GNUTranslations
from pathlib import Path
from random import Random

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management import CommandError, call_command

from games.errors import OptionError
from games.notation.reading import NotationError, loads
from games.rulesets import RULESETS
from games.wording.rulebook import articles
from league.management.commands.catalogues import (
    Text,
    _house_rules,
    folder,
    rule_templates,
    texts_of_code,
    texts_of_template,
)
from tests.referee.mutate import spoil
from tests.volume import SEED, amount

# Spanish uses *usted*: these forms can only be *tú* or *vosotros*.
FAMILIAR = re.compile(
    r"\b(?!contraste|existe)(?:os|te|tú|tus?|ti|contigo|vosotr[oa]s|vuestr[oa]s?|\w+(?:áis|éis|aste|asteis|iste|isteis)"
    r"|estabas|eres|tienes|puedes|quieres|debes|tomas|haz)\b",
    re.IGNORECASE,
)
# Forms at the beginning of a sentence, where they are commands; statements have their subject first.
FAMILIAR_COMMAND = re.compile(
    r"(?:^|[.:!?] )(?:Avisa|Mira|Elige|Escribe|Entra|Pide|Pulsa|Toca|Abre|Escanea|Confirma|Deja|Usa|Lleva|Guarda|Di"
    r"|Envía|Prueba|Comprueba|Pregunta|Haz|Pon|Intenta|Corrige|Busca|Anota|Añade|Quita|Acepta|Teclea|Lee|Revisa|Copia|Pega)\b"
    r"|Vuelve a intentar|, avisa a "
)
LANGUAGES = [code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
# Facts, per cent signs and tags: what a translation may move, and may neither lose nor invent.
FACT = re.compile(r"%\(\w+\)[sd]|%%|%[sd]|</?\w+[^>]*>|\{\w*\}")


def messages(code: str) -> list[Message]:
    with (folder(code) / "django.po").open("rb") as file:
        return [message for message in read_po(file, locale=code) if message.id]


def forms(text: object) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def test_spanish_is_offered():
    assert [code for code, _name in settings.LANGUAGES] == ["en", "es"]


def test_the_catalogues_are_what_the_code_says():
    call_command("catalogues", "--check")


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_text_is_translated(code):
    assert [message.id for message in messages(code) if not all(forms(message.string))] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_translation_has_the_facts_of_its_text(code):
    differing = [
        (said, string)
        for message in messages(code)
        for said, string in zip(forms(message.id), forms(message.string), strict=True)
        if sorted(FACT.findall(said)) != sorted(FACT.findall(string))
    ]
    assert differing == []


def test_spanish_addresses_everybody_formally():
    said = [string for message in messages("es") for string in forms(message.string)]
    assert [string for string in said if FAMILIAR.search(string) or FAMILIAR_COMMAND.search(string)] == []
    assert FAMILIAR.search("Lo aceptaste."), "the control"
    assert FAMILIAR_COMMAND.search("Si sigue así, avisa a la mesa."), "the control"


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_compiled_catalogue_says_the_same(code):
    with (folder(code) / "django.mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for one in messages(code):
        said = forms(one.id)
        if len(said) == 1:
            heard = [compiled.pgettext(one.context, *said) if one.context else compiled.gettext(*said)]
        elif one.context:
            heard = [compiled.npgettext(one.context, *said, number) for number in (1, 2)]
        else:
            heard = [compiled.ngettext(*said, number) for number in (1, 2)]
        assert heard == list(forms(one.string))


@pytest.mark.slow("thousands of rulesets")
def test_no_set_of_house_rules_says_a_sentence_that_is_not_in_the_catalogue():
    """The catalogue is made from pairs of house rules; here are tables with many."""
    known, rng = set(rule_templates()), Random(1 + SEED)
    for rules in RULESETS.values():
        choices = list(_house_rules(rules))
        for _ in range(amount(300)):
            try:
                changed = rules.with_options(dict(rng.sample(choices, min(6, len(choices)))))
            except OptionError:
                continue
            assert {one.template for article in articles(changed) for one in article.sentences} <= known


def test_whatever_the_reader_of_the_notation_says_is_in_the_catalogue():
    """On 3,000 spoilt logs: the templates of its errors, and what they say was expected."""
    known, rng, said = {one.id for one in messages("es")}, Random(1), set()
    logs = [path.read_text("utf-8") for path in sorted((settings.BASE_DIR / "tests/logs").rglob("*.domino"))]
    for text in [*logs, *(spoil(rng.choice(logs), rng) for _ in range(3_000))]:
        try:
            loads(text)
        except NotationError as error:
            said |= {error.template, error.facts.get("expected", error.template)}
    assert len(said) > 20
    assert said <= known


def test_what_is_found_in_code():
    source = '_("a")\npgettext("c", "b")\nngettext("one", "more", n)\n_(template)\nother("no")\n'
    assert list(texts_of_code(source)) == [Text("a"), Text("b", context="c"), Text("one", "more")]


def test_what_is_found_in_a_template():
    source = (
        '{% load i18n %}{% trans "a" context "c" %}{% if x %}{% trans "it\'s" as y %}{% endif %}{% trans "5 %" %}'
        "{% blocktrans count n=n trimmed %}\n one {{ n }}\n{% plural %}\n more {{ n }}\n{% endblocktrans %}"
    )
    assert list(texts_of_template(source)) == [
        Text("a", context="c"),
        Text("it's"),
        Text("5 %%"),
        Text("one %(n)s", "more %(n)s"),
    ]


@pytest.mark.slow("a control that collects every text once more")
def test_a_catalogue_that_is_out_of_date_is_found(settings, tmp_path: Path):
    """The control."""
    settings.LOCALE_PATHS = [tmp_path]
    (tmp_path / "es" / "LC_MESSAGES").mkdir(parents=True)
    with pytest.raises(CommandError, match=r"out of date: python3 manage\.py catalogues"):
        call_command("catalogues", "--check")
