"""Form fields for keys of rows, and the values of a form whose refusal is a message."""

from typing import Any

from django import forms

from league.errors import Refused
from league.web.shared.forms import first_error
from league.web.shared.staff import LONGEST_KEY, id_of


class WholeNumberField(forms.IntegerField):
    """A number in digits. Django's field takes 5.0 and 1_0 as well."""

    def to_python(self, value: Any) -> int | None:
        text = "" if value is None else str(value).strip()
        if text and not (text.isascii() and text.isdigit()):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(text)


class KeyField(forms.Field):
    """Key of a row or another number of the page, None for anything else."""

    def to_python(self, value: Any) -> int | None:
        return int(value) if value and value.isascii() and value.isdecimal() and len(value) <= LONGEST_KEY else None


class KeysField(forms.Field):
    """Keys of rows; anything else is left out."""

    widget = forms.MultipleHiddenInput

    def to_python(self, value: Any) -> list[int]:
        return [key for one in value or [] if (key := id_of(one))]


def cleaned(form: forms.Form) -> dict[str, Any]:
    """Return the values of a form. Raises Refused with its first error."""
    if not form.is_valid():
        raise Refused("bad-form", "%(told)s", told=first_error(form))
    return form.cleaned_data
