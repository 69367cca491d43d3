"""The report of large folders counts modules, and nothing else."""

from pathlib import Path

from tests.folders import large_folders


def test_a_folder_with_26_modules_is_reported(tmp_path: Path) -> None:
    names = ["__init__", *(f"module{number}" for number in range(26))]
    for folder, files in (("league/large", names), ("league/small", names[:-1]), ("league/large/migrations", names)):
        (tmp_path / folder).mkdir(parents=True)
        for name in files:
            (tmp_path / folder / f"{name}.py").touch()
    assert large_folders(tmp_path) == [(26, "league/large")]
