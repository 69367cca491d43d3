"""Exact conversion of column values to JSON and back, on every database."""

import base64
import datetime
import decimal
import json
import uuid
from collections.abc import Callable
from typing import Any

from django.db.models import Expression, F, Field, JSONField, Model, TextField, Value
from django.db.models.functions import Cast

Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]

MICROSECOND = datetime.timedelta(microseconds=1)


def _same(value: Any) -> Any:
    return value


def _exact(encode: Callable[[Any], Any], decode: Callable[[Any], Any]) -> Codec:
    """Return a codec that refuses any spelling but that of a backup."""

    def read(value: Any) -> Any:
        try:
            found = decode(value)
            written = encode(found)
            if type(written) is type(value) and written == value:
                return found
        except (ArithmeticError, AttributeError):  # not a number, a span or a key
            pass
        raise ValueError(f"{str(value)[:60]} is not how a backup writes a value of its column.")

    return encode, read


def _plain(kind: type) -> Codec:
    """Return a codec of values that JSON has. A database would read "12" and 12.0 as a number, too."""
    return _exact(_same, lambda value: value if type(value) is kind else None)


def _from_json_text(text: str) -> object:
    value = json.loads(text)
    # None alone would be stored as NULL.
    return Value(None, JSONField()) if value is None else value


INTEGERS = (
    "AutoField BigAutoField SmallAutoField IntegerField BigIntegerField SmallIntegerField PositiveIntegerField "
    "PositiveBigIntegerField PositiveSmallIntegerField"
)
TEXTS = "CharField TextField SlugField FileField FilePathField GenericIPAddressField"
CODECS: dict[str, Codec] = {
    **dict.fromkeys(INTEGERS.split(), _plain(int)),
    **dict.fromkeys(TEXTS.split(), _plain(str)),
    "BooleanField": _plain(bool),
    "FloatField": _plain(float),
    "BinaryField": _exact(lambda raw: base64.b64encode(raw).decode(), base64.b64decode),
    "DateField": _exact(datetime.date.isoformat, datetime.date.fromisoformat),
    "DateTimeField": _exact(datetime.datetime.isoformat, datetime.datetime.fromisoformat),
    "DecimalField": _exact(str, decimal.Decimal),
    "DurationField": _exact(lambda span: span // MICROSECOND, lambda count: count * MICROSECOND),
    "JSONField": (_same, _from_json_text),
    "TimeField": _exact(datetime.time.isoformat, datetime.time.fromisoformat),
    "UUIDField": _exact(str, uuid.UUID),
}


def columns(model: type[Model]) -> list[Field]:
    """Return the stored columns of a table, in the order of the model."""
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def codec(field: Field) -> Codec:
    """Return encoder and decoder of a column. Raises KeyError for an unknown kind."""
    while field.remote_field:
        field = field.target_field
    return CODECS[field.get_internal_type()]


def selected(field: Field) -> Expression:
    """Return the expression to select. JSON is selected as text.

    Decoded, a JSON null would look like a missing value.
    """
    return Cast(F(field.attname), TextField()) if isinstance(field, JSONField) else F(field.attname)
