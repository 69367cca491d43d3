"""Pictures of pages before and after a change are laid side by side."""

from pathlib import Path

from PIL import Image

from tests.browser.side_by_side import GAP, TALLEST, pair_all


def picture(folder: Path, name: str, size: tuple[int, int], colour: str) -> None:
    folder.mkdir(exist_ok=True)
    Image.new("RGB", size, colour).save(folder / name)


def test_before_is_on_the_left_and_a_new_page_on_the_right_alone(tmp_path) -> None:
    before, after, output = tmp_path / "before", tmp_path / "after", tmp_path / "pairs"
    picture(before, "home.png", (10, 20), "red")
    picture(after, "home.png", (12, 30), "blue")
    picture(after, "hall.png", (12, 30), "blue")
    assert pair_all(before, after, output) == ["hall.png"]
    with Image.open(output / "home.png") as both, Image.open(output / "hall.png") as alone:
        assert both.size == (10 + GAP + 12, 30)
        assert (both.getpixel((5, 5)), both.getpixel((10 + GAP + 5, 5))) == ((255, 0, 0), (0, 0, 255))
        assert alone.size == (12 + GAP + 12, 30)


def test_a_page_of_any_height_is_cut_and_not_refused(tmp_path) -> None:
    picture(tmp_path / "after", "reference.png", (10, TALLEST + 50), "blue")
    pair_all(tmp_path / "before", tmp_path / "after", tmp_path / "pairs")
    with Image.open(tmp_path / "pairs" / "reference.png") as cut:
        assert cut.size == (10 + GAP + 10, TALLEST)
    assert Image.MAX_IMAGE_PIXELS is None
