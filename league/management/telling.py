"""Messages for errors of files and databases."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path

from django.core.management.base import CommandError
from django.db import DatabaseError, connection

from league.backups import BackupProblem, first_chain
from league.backups.schema import applied, behind, check_known

# Part of a message of PostgreSQL or its driver → meaning and advice.
UNREACHABLE = (
    ("password authentication failed", "The database refuses the password for user {user!r}. Look at DATABASE_URL."),
    ("no password supplied", "The database wants a password for user {user!r}. Put it into DATABASE_URL."),
    ("does not exist", "The server says: {said} Make it first, or look at DATABASE_URL."),
    ("resolve", "There is no machine {host!r} on the network. Look at the name in DATABASE_URL."),
    ("refused", "No database answers at {host}, port {port}. Is PostgreSQL running there, and is the port right?"),
    ("timeout", "{host}, port {port} does not answer. Is the address right, and does a firewall stand between?"),
)


@contextlib.contextmanager
def in_words() -> Iterator[None]:
    """Convert errors of a command into a CommandError with a clear message."""
    try:
        yield
    except BackupProblem as problem:
        raise CommandError(str(problem)) from problem
    except DatabaseError as problem:
        raise CommandError(_of_the_database(problem)) from problem
    except OSError as problem:
        raise CommandError(_of_the_disk(problem)) from problem
    except KeyboardInterrupt:
        raise CommandError("Interrupted. Nothing was changed.") from None


def check_reachable() -> None:
    """Connect to PostgreSQL once, without the pool, which would hide the reason.

    Raises CommandError.
    """
    if connection.vendor != "postgresql":
        return
    import psycopg  # a site on SQLite starts without it

    parameters = connection.get_connection_params()
    for ours in ("pool", "cursor_factory", "context", "prepare_threshold"):
        parameters.pop(ours, None)
    try:
        psycopg.connect(**{"connect_timeout": 5, **parameters}).close()
    except psycopg.OperationalError as problem:
        raise CommandError(_why_unreachable(str(problem), parameters)) from problem


def check_tables() -> None:
    """Refuse a missing, empty or outdated database, with advice.

    Raises CommandError, BackupProblem, and errors of the database.
    """
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite" and not connection.is_in_memory_db() and not Path(name).exists():
        raise CommandError(f"There is no database {name}. Look at DATABASE_URL, DATA_DIR, or the folder of the site.")
    done = applied()
    check_known(done, "The database")
    first_chain.refuse(done)
    if not done:
        raise CommandError(f"The database {name} is empty: there is no site in it. Look at DATABASE_URL or DATA_DIR.")
    if behind():
        raise CommandError("The database is of an earlier edition of this program. Run `manage.py migrate` first.")


def _why_unreachable(said: str, parameters: dict[str, object]) -> str:
    known = {"user": parameters.get("user", ""), "host": parameters.get("host", ""), "port": parameters.get("port")}
    line = said.strip().splitlines()[-1].rpartition("FATAL: ")[2].strip().rstrip(".") + "."
    for words, sentence in UNREACHABLE:
        if words in said:
            return sentence.format(said=line, **{**known, "port": known["port"] or 5432})
    return f"The database can't be reached: {line}"


def _of_the_database(problem: DatabaseError) -> str:
    said = str(problem).strip().splitlines()[0]
    if "full" in said or "No space" in said:
        return "No space is left for the database. Make room and start again; nothing was changed."
    if "locked" in said:
        return "The database is busy: something writes to it all the time. Stop the site and start again."
    if "malformed" in said or "not a database" in said:
        return f"The database file is damaged ({said}). Restore your last backup into an empty folder."
    return f"The database refused: {said}"


def _of_the_disk(problem: OSError) -> str:
    where = f" {problem.filename}" if problem.filename else ""
    match problem.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return f"No space is left to write{where}. Make room, or name a file on another disk."
        case errno.EACCES | errno.EPERM | errno.EROFS:
            return f"This user may not write{where}. Name a folder that is yours."
    return f"{problem.strerror or problem}{where and ':'}{where}"
