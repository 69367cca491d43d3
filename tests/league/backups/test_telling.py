"""Errors of disk, database and keyboard, as sentences that say what to do."""

import errno

import pytest
from django.core.management.base import CommandError
from django.db import DatabaseError

from league.backups import BackupProblem
from league.management.telling import _why_unreachable, in_words

SENTENCES = [
    (BackupProblem("The file is damaged."), "The file is damaged."),
    (DatabaseError("database or disk is full"), "No space is left for the database."),
    (DatabaseError("database is locked"), "The database is busy: something writes to it all the time."),
    (DatabaseError("file is not a database"), "The database file is damaged (file is not a database)."),
    (DatabaseError("no such table\nand more"), "The database refused: no such table"),
    (OSError(errno.ENOSPC, "No space left", "/backups/a.zip"), "No space is left to write /backups/a.zip."),
    (OSError(errno.EACCES, "Permission denied", "/backups"), "This user may not write /backups. Name a folder that is"),
    (OSError(errno.EIO, "Input/output error", "/backups"), "Input/output error: /backups"),
    (OSError(errno.EIO, "Input/output error"), "Input/output error"),
    (KeyboardInterrupt(), "Interrupted. Nothing was changed."),
]


@pytest.mark.parametrize(("problem", "sentence"), SENTENCES)
def test_an_error_is_a_sentence(problem, sentence):
    with pytest.raises(CommandError) as refused, in_words():
        raise problem
    assert str(refused.value).startswith(sentence)


SERVER = {"user": "olga", "host": "db.example.org", "port": None}


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        (
            'FATAL:  password authentication failed for user "olga"',
            "The database refuses the password for user 'olga'.",
        ),
        ("fe_sendauth: no password supplied", "The database wants a password for user 'olga'."),
        ('FATAL: database "club" does not exist', 'The server says: database "club" does not exist. Make it first'),
        ('could not resolve host "db.example.org"', "There is no machine 'db.example.org' on the network."),
        ("connection refused", "No database answers at db.example.org, port 5432."),
        ("connection timeout expired", "db.example.org, port 5432 does not answer."),
        ("SSL is off", "The database can't be reached: SSL is off."),
    ],
)
def test_an_unreachable_database_is_named_with_its_remedy(said, sentence):
    assert _why_unreachable(said, SERVER).startswith(sentence)
