"""Backup of a whole site in a single file, the same for SQLite and PostgreSQL.

The file is a zip: `manifest.json`, and for each table one member with a JSON array a row. The tables are known from the
migrations that were applied to the database, never from today's models. So a database before its migration can be
saved, and an old file restored: its tables are created in their old form, filled, and migrated from there.
"""


class BackupProblem(Exception):
    """A refused backup or restore: nothing was done.

    The text gives the reason and the next step.
    """
