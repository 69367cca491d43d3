"""Every column and form for a name takes as many letters as it says, and no index is too small for them."""

import pytest
from django import forms
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import override

from league.accounts.folding import FOLDED, fold
from league.accounts.graphemes import points
from league.accounts.lettered import NameColumn, NameField
from league.accounts.models import League
from league.players.models import Player
from league.players.services import enrol
from tests.league.world import NOON

FAMILY = "👩‍👩‍👧‍👦"
AT_THEIR_LONGEST = ("क्षि" * 60, FAMILY * 60, "👨🏻‍👩🏽‍👧🏾‍👦🏿" * 60, "W" * 60)
OF_POSTGRESQL = 2704
"""Bytes of an entry of a B-tree."""
BESIDE = 32
"""Head of the entry, length of the text, a number in front of it."""
ASCII = {"PushSubscription.endpoint"}
"""Columns whose letters take a byte each."""


def columns() -> list[NameColumn]:
    return [field for model in apps.get_models() for field in model._meta.fields if isinstance(field, NameColumn)]


def test_whatever_people_name_is_measured_in_letters() -> None:
    """What is called a name and is none of a person's choosing stands here."""
    named = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_models()
        if model.__module__.startswith("league.")
        for field in model._meta.fields
        if isinstance(field, models.CharField) and not isinstance(field, NameColumn)
        if field.name in {"name", "club", "partner_name", "place", "whom", "first_name", "apart"}
    }
    assert named == set()
    assert len(columns()) > 12


def test_every_column_has_room_for_its_letters_and_takes_no_more() -> None:
    for field in columns():
        assert field.max_length == points(field.letters)
        longest = FAMILY * field.letters
        assert field.clean(longest, None) == longest
        with pytest.raises(ValidationError):
            field.clean(longest + "x", None)


def test_an_index_takes_every_letter_of_a_name() -> None:
    for model in apps.get_models():
        unique = {name for one in model._meta.constraints for name in getattr(one, "fields", ())}
        for field in model._meta.fields:
            indexed = field.db_index or field.unique or field.name in unique
            if indexed and field.max_length and model.__module__.startswith("league."):
                name = f"{model.__name__}.{field.name}"
                assert (1 if name in ASCII else 4) * field.max_length + BESIDE <= OF_POSTGRESQL, name


class Named(forms.Form):
    name = NameField(letters=60)


@pytest.mark.parametrize("name", AT_THEIR_LONGEST)
def test_a_form_takes_the_longest_name_and_tells_of_more_in_words(name) -> None:
    assert Named({"name": name}).is_valid()
    form = Named({"name": name + "x"})
    assert form.errors["name"] == ["Ensure this value has at most 60 characters (it has 61)."]
    with override("es"):
        assert "60 caracteres (tiene 61)" in str(Named({"name": name + "x"}).errors["name"])
    told = int(form.fields["name"].widget.attrs["maxlength"])
    assert len(name.encode("utf-16-le")) // 2 <= told


def test_a_usual_field_would_refuse_them() -> None:
    """The control."""
    usual = forms.CharField(max_length=60)
    for name in AT_THEIR_LONGEST[:3]:
        with pytest.raises(ValidationError):
            usual.clean(name)


@pytest.mark.django_db
@pytest.mark.parametrize("name", AT_THEIR_LONGEST)
def test_the_longest_name_is_stored_and_found(world, name) -> None:
    enrol(league=world.league, name=name, club=name, since=NOON.date())
    kept = Player.objects.get(name=name)
    assert kept.folded == fold(name)
    assert Player.objects.get(folded__contains=fold(name)[-200:]) == kept


# Of four bytes each, and different enough that no database makes them smaller; each becomes others when it is folded.
ODD = "".join(chr(0x20000 + 37 * number % 40_000) for number in range(points(120)))
UNFOLDED = "\ufdfa" * 60


@pytest.mark.django_db
@pytest.mark.parametrize("name", [ODD[:60], UNFOLDED], ids=("odd", "unfolded"))
def test_a_name_that_grows_when_it_is_folded_is_stored(world, name) -> None:
    enrol(league=world.league, name=name, since=NOON.date())
    kept = Player.objects.get(name=name)
    assert len(kept.folded) <= FOLDED


@pytest.mark.django_db
@pytest.mark.postgres
def test_postgresql_indexes_the_longest_texts_there_can_be() -> None:
    Player.objects.create(name="x", folded=ODD[:FOLDED])
    League.objects.create(name=ODD, slug="odd")
