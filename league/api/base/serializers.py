"""Fast serialization by a plan that is made once for each serializer.

The framework creates every field of every nested serializer for each answer, and resolves each of them for each row.
Figures in docs/decisions/speed.md.
"""

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, NamedTuple

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Manager
from rest_framework import serializers
from rest_framework.fields import Field, SkipField

Context = Mapping[str, Any]


class ToldField(NamedTuple):
    """One member of an answer: its place in the row, and its conversion.

    `asks`: the conversion depends on the request.
    """

    name: str
    attributes: tuple[str, ...]
    field: Field
    write: Any
    asks: bool


class Fields(serializers.Serializer):
    # A read-only serializer. The method of a `SerializerMethodField` gets the row only and knows of no request.
    # No docstring: the schema would publish it for every subclass without one.

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return tell(plan_of(type(self)), instance, self.context)


class AskingField(Field):
    """A field whose text depends on the request; called as `told(row, context)`."""

    def told(self, row: Any, context: Context) -> Any:
        raise NotImplementedError

    def to_representation(self, row: Any) -> Any:
        return self.told(row, self.context)


def tell(plan: tuple[ToldField, ...], row: Any, context: Context) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, attributes, field, write, asks in plan:
        value = row
        try:
            for one in attributes:
                value = value[one] if isinstance(value, dict) else getattr(value, one)
            if callable(value) and attributes:
                value = field.get_attribute(row)
        except (KeyError, AttributeError, ObjectDoesNotExist):
            try:  # the framework decides between a default, a skipped field and an error
                value = field.get_attribute(row)
            except SkipField:
                continue
        if value is not None:
            value = write(value, context) if asks else write(value)
        found[name] = value
    return found


@cache
def plan_of(kind: type[serializers.Serializer]) -> tuple[ToldField, ...]:
    described = kind().fields.items()
    return tuple(_step(name, field) for name, field in described if not field.write_only)


def _step(name: str, field: Field) -> ToldField:
    where = tuple(field.source_attrs)
    if isinstance(field, AskingField):
        return ToldField(name, where, field, field.told, asks=True)
    if isinstance(field, serializers.ListSerializer) and _is_plain(field.child):
        return ToldField(name, where, field, partial(_tell_all, plan_of(type(field.child))), asks=True)
    if _is_plain(field):
        return ToldField(name, where, field, partial(tell, plan_of(type(field))), asks=True)
    return ToldField(name, where, field, SIMPLE.get(type(field).to_representation, field.to_representation), asks=False)


# The framework's conversions of numbers and texts, without its extra call.
SIMPLE = {
    serializers.CharField.to_representation: str,
    serializers.IntegerField.to_representation: int,
    serializers.FloatField.to_representation: float,
}


def _is_plain(field: Field) -> bool:
    own = (serializers.Serializer.to_representation, Fields.to_representation)
    return isinstance(field, serializers.Serializer) and type(field).to_representation in own


def _tell_all(plan: tuple[ToldField, ...], rows: Any, context: Context) -> list[dict[str, Any]]:
    return [tell(plan, row, context) for row in (rows.all() if isinstance(rows, Manager) else rows)]
