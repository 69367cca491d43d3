"""Rows that name rows which are gone. With its constraints a database refuses these; without, it keeps silent."""

from collections.abc import Iterator

from django.apps import apps
from django.db.models import Exists, Model, OuterRef

from league.matches.integrity.differences import RowDifference

OURS = ("accounts", "players", "matches", "competitions")


def dangling() -> Iterator[RowDifference]:
    """One statement for each foreign key of the tables that results rest on."""
    for label in OURS:
        for model in apps.get_app_config(label).get_models(include_auto_created=True):
            yield from _of(model)


def _of(model: type[Model]) -> Iterator[RowDifference]:
    for field in model._meta.local_concrete_fields:
        if not field.is_relation:
            continue
        target = field.target_field
        named = target.model._base_manager.filter(**{target.attname: OuterRef(field.attname)})
        rows = model._base_manager.filter(~Exists(named), **{f"{field.attname}__isnull": False}).order_by("pk")
        for pk, value in rows.values_list("pk", field.attname):
            yield RowDifference(f"{model._meta.verbose_name} {pk}", field.name, value, "a row that is there")
