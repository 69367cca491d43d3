"""Folders of code with many modules, for information: `python -m tests.folders`."""

from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
MOST = 25


def large_folders(root: Path) -> list[tuple[int, str]]:
    """Return number of modules and path of each folder with more than `MOST`, largest first.

    Packages' own files, migrations and the old chain of migrations are not counted.
    """
    modules = [
        path.relative_to(root)
        for room in ("games", "referee", "league")
        for path in (root / room).rglob("*.py")
        if path.name != "__init__.py" and not {"migrations", "first_chain"} & set(path.parts)
    ]
    counted = Counter(path.parent.as_posix() for path in modules)
    return sorted(((count, folder) for folder, count in counted.items() if count > MOST), reverse=True)


if __name__ == "__main__":
    print(f"Folders with more than {MOST} modules:")
    for count, folder in large_folders(ROOT):
        print(f"{count:5} {folder}")
