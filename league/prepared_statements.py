"""Prepared statements: compiled by Django once, afterwards only sent.

Building and compiling a query costs Django up to three times as much as the database's answer, and verification, the
page of a match and the acts of a game send the same few statements each time (docs/decisions/speed.md). A queryset or a
model still defines the statement; the names of columns and tables, the casts and the converters of either database come
from Django. No signals are sent. A statement is compiled once for the process: the server of the embedded site answers
each request in a new thread.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, transaction
from django.db.models import Expression, Model, QuerySet, sql
from django.db.models.query import get_related_populators  # type: ignore[attr-defined]
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


class GivenList(Expression):
    """Placeholder for a list of numbers or texts, named "0", "1" and so on."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def as_sql(self, compiler: object, connection: object) -> Any:
        return f"({', '.join(['%s'] * self.number)})", [Given(str(place)) for place in range(self.number)]


class GivenUser(Given):
    """Placeholder for the key of a signed-in user, wherever a queryset takes the user or `user.pk`."""

    is_authenticated = True

    def __init__(self) -> None:
        super().__init__("user")

    @property
    def pk(self) -> Given:
        return self


class _Select(NamedTuple):
    """A compiled queryset. `converters`: by column, from the database's value to Python's."""

    text: str
    params: Any
    converters: dict[int, tuple[list[Callable[..., Any]], Any]]
    compiler: Any
    locks: bool


LARGEST = 2**63
"""A number from here on is no value of an integer column."""


def _is_too_large(value: int | str) -> bool:
    return isinstance(value, int) and not -LARGEST <= value < LARGEST


class FixedSelect:
    """A queryset of `values_list`, or of models, compiled at its first use, when all models are loaded."""

    def __init__(self, build: Callable[[], QuerySet[Any]]) -> None:
        self._build = build

    @cached_property
    def _compiled(self) -> _Select:
        query: Any = self._build().query
        compiler = query.get_compiler(DEFAULT_DB_ALIAS)
        text, params = compiler.as_sql()
        converters = compiler.get_converters(column for column, *_ in compiler.select)
        return _Select(text, params, converters, compiler, query.select_for_update)

    def rows(self, **given: int | str) -> list[list[Any]]:
        """Return all rows; none for a number that no column can hold, as Django does.

        Raises TransactionManagementError if a lock would end with the statement.
        """
        select = self._compiled
        if select.locks and not connection.in_atomic_block:
            raise TransactionManagementError("a lock outside of a transaction holds nothing")
        if any(map(_is_too_large, given.values())):
            return []
        with connection.cursor() as cursor:
            cursor.execute(select.text, _filled(select.params, given))
            found = [list(row) for row in cursor.fetchall()]
        for place, (converters, column) in select.converters.items():
            for row in found:
                for convert in converters:
                    row[place] = convert(row[place], column, connection)
        return found

    def get(self, **given: int | str) -> list[Any]:
        """Return the single row of a key.

        Raises the model's DoesNotExist, and as `rows` does.
        """
        return self._only(self.rows(**given), given)

    def models(self, **given: int | str) -> list[Any]:
        """Return the models of all rows, with those of `select_related` and with annotations.

        Raises as `rows` does.
        """
        return list(self._models(self.rows(**given)))

    def model(self, **given: int | str) -> Any:
        """Return the single model of a key. Raises as `get` does."""
        return self._only(self.models(**given), given)

    def _only(self, found: list[Any], given: dict[str, int | str]) -> Any:
        if not found:
            model = self._compiled.compiler.query.model
            raise model.DoesNotExist(f"{model._meta.object_name} with {given} does not exist.")
        [one] = found
        return one

    def _models(self, rows: list[list[Any]]) -> Iterator[Any]:
        """As Django's `ModelIterable`."""
        compiler = self._compiled.compiler
        places = compiler.klass_info["select_fields"]
        start, end = places[0], places[-1] + 1
        names = [column.target.attname for column, *_ in compiler.select[start:end]]
        related = get_related_populators(compiler.klass_info, compiler.select, DEFAULT_DB_ALIAS)
        for row in rows:
            one = compiler.klass_info["model"].from_db(DEFAULT_DB_ALIAS, names, row[start:end])
            for each in related:
                each.populate(row, one)
            for name, place in (compiler.annotation_col_map or {}).items():
                setattr(one, name, row[place])
            yield one


KEPT_LENGTH = 32
"""Longest list of values with a statement of its own; a longer one is compiled each time."""


class FixedSelects:
    """A queryset with a list of values in it: one statement for each number of values."""

    def __init__(self, build: Callable[[GivenList], QuerySet[Any]]) -> None:
        self._build = build
        self._by_number: dict[int, FixedSelect] = {}

    def rows(self, values: Iterable[int | str]) -> list[list[Any]]:
        """Return all rows; none, and no statement, for no values."""
        given = self._given(values)
        return self._select(len(given)).rows(**given) if given else []

    def models(self, values: Iterable[int | str]) -> list[Any]:
        """Return the models of all rows; none, and no statement, for no values."""
        given = self._given(values)
        return self._select(len(given)).models(**given) if given else []

    def _given(self, values: Iterable[int | str]) -> dict[str, int | str]:
        known = (value for value in values if not _is_too_large(value))
        return {str(place): value for place, value in enumerate(known)}

    def _select(self, number: int) -> FixedSelect:
        select = self._by_number.get(number) or FixedSelect(lambda: self._build(GivenList(number)))
        if number <= KEPT_LENGTH:
            self._by_number[number] = select
        return select


def attach(rows: Iterable[Any], parents: Iterable[Any], field: str, name: str, *, as_list: bool = False) -> None:
    """Set loaded rows as the related ones of their parents, as `prefetch_related_objects` does.

    `field`: the foreign key of the rows; `name`: the parents' manager, or their attribute of a list.
    """
    found: dict[int, tuple[Any, list[Any]]] = {one.pk: (one, []) for one in parents}
    for row in rows:
        if (key := getattr(row, f"{field}_id")) in found:
            parent, mine = found[key]
            setattr(row, field, parent)
            mine.append(row)
    for parent, mine in found.values():
        if as_list:
            setattr(parent, name, mine)
            continue
        related = getattr(parent, name).get_queryset()
        related._result_cache, related._prefetch_done = mine, True
        parent.__dict__.setdefault("_prefetched_objects_cache", {})[name] = related


class FixedUpdate:
    """`queryset.update(**values)` on one table."""

    def __init__(self, build: Callable[[], QuerySet[Any]], **values: object) -> None:
        self._build = build
        self._values = values

    @cached_property
    def _compiled(self) -> tuple[str, Any]:
        query: Any = self._build().query.chain(sql.UpdateQuery)
        query.add_update_values(self._values)
        compiled: tuple[str, Any] = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        return compiled

    def run(self, **given: int | str) -> int:
        """Run the update, and return the number of changed rows."""
        text, params = self._compiled
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(text, _filled(params, given))
            changed: int = cursor.rowcount
        return changed


class FixedInsert:
    """`row.save(force_insert=True)` of a row without a key; its key is not set."""

    def __init__(self, model: type[Model]) -> None:
        self._model = model
        self._compiled: tuple[str, list[Any]] | None = None

    def _compile(self, row: Model) -> tuple[str, list[Any]]:
        meta = self._model._meta
        fields = [one for one in meta.local_concrete_fields if one is not meta.auto_field and not one.generated]
        query = sql.InsertQuery(self._model)
        query.insert_values(fields, [row])
        [(statement, params)] = query.get_compiler(DEFAULT_DB_ALIAS).as_sql()
        if len(params) != len(fields):
            raise TypeError(f"{self._model.__name__} has a column that the database fills in; save it as Django does")
        return statement, fields

    def run(self, row: Model) -> None:
        self._compiled = self._compiled or self._compile(row)
        statement, fields = self._compiled
        values = [one.get_db_prep_save(one.pre_save(row, add=True), connection) for one in fields]
        with transaction.mark_for_rollback_on_error(), connection.cursor() as cursor:
            cursor.execute(statement, values)
