"""Initial migrations that make all tables of an app at once."""

from typing import Any

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import Migration
from django.db.migrations.state import ProjectState


class InitialTables(Migration):
    """A migration whose operations are `CreateModel` and `RunPython` only.

    Django renders all related models again after each operation, which takes most of the time of a first start. Here
    they are rendered once, when all are known. So a model may also name one that a later operation creates.
    """

    initial = True

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        vars(project_state).pop("apps", None)  # Django's cache of rendered models
        after: Any = self.mutate_state(project_state, preserve=False)
        for operation in self.operations:
            if operation.reduces_to_sql or not collect_sql:
                operation.database_forwards(self.app_label, schema_editor, after, after)
        return after
