"""Lay pictures of every page before and after a change side by side.

`python tests/browser/side_by_side.py COMMIT [--only NAME] [--themes light,dark] [--languages en,es]` takes the pictures
of that commit in a checkout of its own, then those of this one (screenshots.py), and writes each pair as one picture to
var/side-by-side: before on the left, after on the right. A new page stands on the right alone.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
SCREENSHOTS = Path("var/screenshots")
OUTPUT = ROOT / "var" / "side-by-side"
GAP = 24
GROUND = (128, 128, 128)
# The API reference is 250,000 px high at 320 px; Pillow takes that for an attack, and nobody looks at the end of it.
TALLEST = 20_000
Image.MAX_IMAGE_PIXELS = None


def take(checkout: Path, arguments: list[str]) -> None:
    """Take the pictures of a checkout into its own folder."""
    script = checkout / "tests/browser/screenshots.py"
    subprocess.run([sys.executable, script, *arguments], cwd=checkout, check=True)


def is_known(commit: str) -> bool:
    asked = ["git", "rev-parse", "--quiet", "--verify", f"{commit}^{{commit}}"]
    return subprocess.run(asked, cwd=ROOT, check=False, stdout=subprocess.DEVNULL).returncode == 0


def take_before(commit: str, arguments: list[str], kept: Path) -> None:
    """Take the pictures of a commit into `kept`."""
    with tempfile.TemporaryDirectory() as folder:
        checkout = Path(folder) / "checkout"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", checkout, commit], cwd=ROOT, check=True)
        try:
            take(checkout, arguments)
            shutil.copytree(checkout / SCREENSHOTS, kept, dirs_exist_ok=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", checkout], cwd=ROOT, check=True)


def pair_all(before: Path, after: Path, output: Path) -> list[str]:
    """Write a pair for each picture of `after`; return the names of those without one before."""
    output.mkdir(parents=True, exist_ok=True)
    known = {picture.name for picture in before.glob("*.png")}
    pictures = sorted(after.glob("*.png"))

    def write(picture: Path) -> None:
        pair(before / picture.name if picture.name in known else None, picture).save(output / picture.name)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(write, pictures))
    return [picture.name for picture in pictures if picture.name not in known]


def pair(before: Path | None, after: Path) -> Image.Image:
    right = read(after)
    left = read(before) if before else Image.new("RGB", right.size, GROUND)
    both = Image.new("RGB", (left.width + GAP + right.width, max(left.height, right.height)), GROUND)
    both.paste(left, (0, 0))
    both.paste(right, (left.width + GAP, 0))
    return both


def read(path: Path) -> Image.Image:
    """Read a picture down to its first TALLEST pixels."""
    with Image.open(path) as picture:
        return picture.crop((0, 0, picture.width, min(picture.height, TALLEST))).convert("RGB")


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__)
        sys.exit("Name the commit before the change first.")
    commit, *arguments = sys.argv[1:]
    if not is_known(commit):
        sys.exit(f"There is no commit {commit} here.")
    with tempfile.TemporaryDirectory() as folder:
        take_before(commit, arguments, Path(folder))
        shutil.rmtree(ROOT / SCREENSHOTS, ignore_errors=True)
        take(ROOT, arguments)
        new = pair_all(Path(folder), ROOT / SCREENSHOTS, OUTPUT)
    print(f"pairs in {OUTPUT}; new pages: {', '.join(new) or 'none'}")


if __name__ == "__main__":
    main()
