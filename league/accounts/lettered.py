"""Length of names in letters, for columns, forms and services alike."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.validators import BaseValidator, MaxLengthValidator
from django.db import models
from django.db.models.expressions import Combinable
from django.utils.deconstruct import deconstructible

from league.accounts.graphemes import count_letters, points, room


@deconstructible
class MostLetters(BaseValidator):
    """Validator for at most that many letters, with Django's message.

    Not a MaxLengthValidator: forms and the schema of the API take the limit of those for code points.
    """

    message = MaxLengthValidator.message
    code = MaxLengthValidator.code

    def compare(self, a: int, b: int) -> bool:
        return a > b

    def clean(self, x: str) -> int:
        return count_letters(x)


if TYPE_CHECKING:
    TextColumn = models.CharField[str | Combinable, str]
else:
    TextColumn = models.CharField


class NameColumn(TextColumn):
    """A text column limited by letters, with room for their code points."""

    def __init__(self, *args: Any, letters: int, **kwargs: Any) -> None:
        self.letters = letters
        super().__init__(*args, **{"max_length": points(letters)} | kwargs)
        self.validators.append(MostLetters(letters))

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, kwargs | {"letters": self.letters}

    def formfield(self, **kwargs: Any) -> Any:
        values: dict[str, Any] = {"form_class": NameField, "letters": self.letters}
        return super().formfield(**values | kwargs)


class NameField(forms.CharField):
    """The same in a form.

    Browsers count units of UTF-16: their limit cuts no name that is short enough.
    """

    def __init__(self, *args: Any, letters: int, **kwargs: Any) -> None:
        self.letters = letters
        kwargs.pop("max_length", None)
        super().__init__(*args, **kwargs)
        self.validators.append(MostLetters(letters))

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        attrs = super().widget_attrs(widget)
        return attrs if widget.is_hidden else attrs | {"maxlength": str(room(self.letters))}
