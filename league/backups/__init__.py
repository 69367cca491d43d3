"""One file with everything a site knows, the same for SQLite and PostgreSQL.

The file is a zip: `manifest.json`, and for each table one member with a JSON array a row. What is known of the database
comes from the migrations that were applied to it, never from today's models, so that a database that still has to be
migrated can be saved, and an old file restored: its tables are made as they were, filled, and migrated from there.
"""


class BackupProblem(Exception):
    """Nothing was done; the text tells a person why and what to do."""
