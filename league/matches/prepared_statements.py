"""Prepared statements: compiled by Django once, afterwards only sent.

Building and compiling a query costs Django up to three times as much as the database's answer, and verification sends
the same few statements for every log (docs/decisions/speed.md). A queryset or a model still defines the statement; the
names of columns and tables, the casts and the converters of either database come from Django. No signals are sent. Each
thread compiles its own, because each has its own connection.
"""

import threading
from collections.abc import Callable, Iterable
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Expression, Model, QuerySet, sql
from django.db.transaction import TransactionManagementError


class Given(Expression):
    """Placeholder in a queryset for a number or text, given when the query is sent."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: object, connection: object) -> Any:
        return "%s", [self]


def _filled(params: Iterable[object], given: dict[str, int | str]) -> list[Any]:
    return [given[one.name] if isinstance(one, Given) else one for one in params]


class FixedSelect(threading.local):
    """A queryset of `values_list`, built at its first use, when all models are loaded."""

    def __init__(self, build: Callable[[], QuerySet[Any]]) -> None:
        self._build = build
        self._compiler: Any = None

    def _compile(self) -> None:
        query: Any = self._build().query
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        self._sql, self._params = compiler.as_sql()
        self._converters = compiler.get_converters(column for column, *_ in compiler.select)
        self._model, self._locks, self._compiler = query.model, query.select_for_update, compiler

    def rows(self, **given: int | str) -> list[list[Any]]:
        """Return all rows.

        Raises TransactionManagementError if a lock would end with the statement.
        """
        if self._compiler is None:
            self._compile()
        if self._locks and not connection.in_atomic_block:
            raise TransactionManagementError("a lock outside of a transaction holds nothing")
        with connection.cursor() as cursor:
            cursor.execute(self._sql, _filled(self._params, given))
            found = cursor.fetchall()
        return list(self._compiler.apply_converters(found, self._converters))

    def get(self, **given: int | str) -> list[Any]:
        """Return the single row of a key.

        Raises the model's DoesNotExist, and as `rows` does.
        """
        found = self.rows(**given)
        if not found:
            raise self._model.DoesNotExist(f"{self._model._meta.object_name} with {given} does not exist.")
        [row] = found
        return row


class FixedUpdate(threading.local):
    """`queryset.update(**values)` on one table."""

    def __init__(self, build: Callable[[], QuerySet[Any]], **values: object) -> None:
        self._build = build
        self._values = values
        self._sql = ""

    def _compile(self) -> None:
        query: Any = self._build().query.chain(sql.UpdateQuery)
        query.add_update_values(self._values)
        self._sql, self._params = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()

    def run(self, **given: int | str) -> int:
        """Run the update, and return the number of changed rows."""
        if not self._sql:
            self._compile()
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(self._sql, _filled(self._params, given))
            changed: int = cursor.rowcount
        return changed


class FixedInsert(threading.local):
    """`row.save(force_insert=True)` of a row without a key; its key is not set."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model
        self._sql = ""

    def _compile(self, row: Model) -> None:
        meta = self._model._meta
        self._fields = [one for one in meta.local_concrete_fields if one is not meta.auto_field and not one.generated]
        query = sql.InsertQuery(self._model)
        query.insert_values(self._fields, [row])
        [(statement, params)] = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        if len(params) != len(self._fields):
            raise TypeError(f"{self._model.__name__} has a column that the database fills in; save it as Django does")
        self._sql = statement

    def run(self, row: Model) -> None:
        if not self._sql:
            self._compile(row)
        values = [one.get_db_prep_save(one.pre_save(row, add=True), connection) for one in self._fields]
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(self._sql, values)
