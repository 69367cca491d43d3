"""Folders and names of backups."""

import itertools
import re
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from league.backups import BackupProblem

NAME = re.compile(r"^league-\d{4}-\d\d-\d\d-\d{6}(-\d+)?\.zip$")


def automatic(why: str = "league") -> Path:
    """Return a new file in the site's own backup folder; the time in its name is UTC."""
    folder = Path(settings.DATA_DIR) / "backups"
    folder.mkdir(parents=True, exist_ok=True)
    return _dated(folder, why)


def asked(text: str | None) -> Path:
    """Return the file named by a person, or a dated file in the named folder.

    A path that does not end in `.zip` is a folder, created if missing. Raises BackupProblem for an impossible path,
    OSError for a folder that cannot be created.
    """
    if text is None:
        return automatic()
    path = Path(text).expanduser()
    if path.is_dir() or (path.suffix != ".zip" and not path.exists()):
        path.mkdir(parents=True, exist_ok=True)
        return _dated(path, "league")
    if path.exists():
        raise BackupProblem(f"{path} exists already. Choose another name, or delete that file first.")
    if not path.parent.is_dir():
        raise BackupProblem(f"There is no folder {path.parent}.")
    return path


def _dated(folder: Path, why: str) -> Path:
    """Return a free name: a second restore within a second must not overwrite what the first one saved."""
    name = f"{why}-{timezone.now():%Y-%m-%d-%H%M%S}"
    names = itertools.chain([f"{name}.zip"], (f"{name}-{number}.zip" for number in itertools.count(2)))
    return next(path for one in names if not (path := folder / one).exists())


def forget_older(folder: Path, keep: int) -> list[Path]:
    """Delete the oldest dated backups of a folder.

    Backups before a restore or a migration are kept.
    """
    dated = sorted((path for path in folder.iterdir() if NAME.match(path.name)), key=lambda path: path.stem)
    old = dated[: max(0, len(dated) - keep)]
    for path in old:
        path.unlink()
    return old
