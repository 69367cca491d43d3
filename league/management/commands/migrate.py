"""``python3 manage.py migrate``: Django's command, which refuses a database of the first chain of migrations."""

from django.core.management.base import CommandError
from django.core.management.commands import migrate

from league.backups import BackupProblem, first_chain, schema


class Command(migrate.Command):
    def handle(self, *args: object, **options: object) -> str | None:
        """Raise CommandError before Django compares that database with today's migrations."""
        try:
            first_chain.refuse(schema.applied())
        except BackupProblem as problem:
            raise CommandError(str(problem)) from problem
        return super().handle(*args, **options)
