"""Find missing rows, invalid choices, dates and flags, and unproved merges of players.

The constraints of a database refuse the first of these; a database without constraints accepts them silently.
"""

from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import BooleanField, DateField, DateTimeField, Exists, Model, OuterRef

from league.matches.integrity.differences import RowDifference
from league.players.models import Player, PlayerMerge

A_DAY = "[0-9][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]"
AN_HOUR = f"{A_DAY} [0-2][0-9]:[0-5][0-9]:[0-5][0-9]"
MICROSECONDS = "." + 6 * "[0-9]"
# As Django writes a date, and a time without and with microseconds. Python reads others as the same.
SPELLINGS = {False: (A_DAY, A_DAY), True: (AN_HOUR, AN_HOUR + MICROSECONDS)}
# The part without microseconds, as SQLite writes an existing day and hour again: its format and length.
WHOLE = {False: ("%Y-%m-%d", 10), True: ("%Y-%m-%d %H:%M:%S", 19)}
OURS = ("accounts", "players", "matches", "competitions", "disputes")


def dangling() -> Iterator[RowDifference]:
    """Check each foreign key, choice and, on SQLite, date and flag: one statement each."""
    for label in OURS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            yield from _missing_rows(model)
            yield from _invalid_choices(model)
            if connection.vendor == "sqlite":
                yield from _invalid_dates(model)
                yield from _invalid_flags(model)
    yield from _merge_differences()


def _merge_differences() -> Iterator[RowDifference]:
    """Compare each merged player with its merge. Two statements."""
    merges = PlayerMerge.objects.filter(undone_at=None).values_list("absorbed", "kept__code")
    should = dict(merges.order_by("absorbed"))
    says = dict(Player.objects.filter(merged_into__isnull=False).values_list("pk", "merged_into__code").order_by("pk"))
    for key in sorted(should.keys() | says.keys()):
        if says.get(key) != should.get(key):
            yield RowDifference(f"player {key}", "merged into", says.get(key, "nobody"), should.get(key, "nobody"))


def _missing_rows(model: type[Model]) -> Iterator[RowDifference]:
    field: Any  # a relation has a target
    for field in model._meta.local_concrete_fields:
        if not field.is_relation:
            continue
        target = field.target_field
        named = target.model._base_manager.filter(**{target.attname: OuterRef(field.attname)})
        rows = model._base_manager.filter(~Exists(named), **{f"{field.attname}__isnull": False}).order_by("pk")
        for pk, value in rows.values_list("pk", field.attname):
            yield RowDifference(f"{model._meta.verbose_name} {pk}", field.name, value, "a row that is there")


def _invalid_choices(model: type[Model]) -> Iterator[RowDifference]:
    for field in model._meta.local_concrete_fields:
        if not field.choices:
            continue
        known = [value for value, _label in field.flatchoices]
        none = {f"{field.attname}__isnull": True} if field.null else {field.attname: ""} if field.blank else {}
        rows = model._base_manager.exclude(**{f"{field.attname}__in": known})
        if none:
            rows = rows.exclude(**none)
        for pk, value in rows.order_by("pk").values_list("pk", field.attname):
            yield RowDifference(f"{model._meta.verbose_name} {pk}", field.name, value, "one of its choices")


def _invalid_dates(model: type[Model]) -> Iterator[RowDifference]:
    """Find invalid dates on SQLite: they read as empty, but filters treat them as set."""
    table = connection.ops.quote_name(model._meta.db_table)
    for field in model._meta.local_concrete_fields:
        if not isinstance(field, DateField):
            continue
        column = connection.ops.quote_name(field.column)
        statement = f"SELECT {model._meta.pk.column}, CAST({column} AS text) FROM {table} "  # noqa: S608
        is_hour = isinstance(field, DateTimeField)
        form, length = WHOLE[is_hour]
        whole = f"substr({column}, 1, {length})"
        statement += (
            f"WHERE NOT ({column} GLOB %s OR {column} GLOB %s) OR strftime(%s, {whole}, '+0 days') IS NOT {whole}"
        )
        with connection.cursor() as cursor:
            cursor.execute(statement, (*SPELLINGS[is_hour], form))
            for pk, value in cursor.fetchall():
                yield RowDifference(f"{model._meta.verbose_name} {pk}", field.name, value, "a date")


def _invalid_flags(model: type[Model]) -> Iterator[RowDifference]:
    """Find invalid flags on SQLite: they read as false, but filters treat them as true."""
    table = connection.ops.quote_name(model._meta.db_table)
    for field in model._meta.local_concrete_fields:
        if isinstance(field, BooleanField):
            column = connection.ops.quote_name(field.column)
            statement = f"SELECT {model._meta.pk.column}, CAST({column} AS text) FROM {table} "  # noqa: S608
            with connection.cursor() as cursor:
                cursor.execute(f"{statement} WHERE {column} NOT IN (0, 1)")
                for pk, value in cursor.fetchall():
                    yield RowDifference(f"{model._meta.verbose_name} {pk}", field.name, value, "true or false")
