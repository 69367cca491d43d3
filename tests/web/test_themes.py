"""The theme that a visitor chose: kept in a cookie, in force on every page from its first byte, without a script."""

import pytest

from league.web.shared.themes import Theme

CHOSEN = [one for one in Theme.values if one]


def choose(client, theme: str, **more: str):
    return client.post("/theme/", {"theme": theme, "next": "/players/"} | more)


def test_without_a_choice_the_screen_decides(client, world) -> None:
    html = client.get("/").content.decode()
    assert "data-theme" not in html
    assert '<meta name="color-scheme" content="light dark">' in html


@pytest.mark.parametrize("theme", CHOSEN)
def test_a_chosen_theme_dresses_every_page_and_leads_back(client, world, theme) -> None:
    answer = choose(client, theme)
    assert (answer.status_code, answer.url) == (302, "/players/")
    for path in ("/", "/players/", "/nowhere/"):
        html = client.get(path).content.decode()
        assert f'data-theme="{theme}"' in html, path
        assert f'<meta name="color-scheme" content="{Theme(theme).scheme}">' in html, path


def test_the_footer_says_which_theme_is_in_force(client, world) -> None:
    choose(client, "contrast")
    html = client.get("/").content.decode()
    assert '<button type="submit" name="theme" value="contrast" aria-current="true">High contrast</button>' in html
    assert '<button type="submit" name="theme" value="">Automatic</button>' in html


def test_automatic_takes_the_choice_back(client, world) -> None:
    choose(client, "dark")
    choose(client, "")
    assert "data-theme" not in client.get("/").content.decode()


@pytest.mark.parametrize("said", ["neon", '"><script>', "AUTOMATIC"])
def test_an_unknown_theme_changes_nothing(client, world, said) -> None:
    choose(client, "dark")
    choose(client, said)
    assert 'data-theme="dark"' in client.get("/").content.decode()
    client.cookies["theme"] = said
    assert "data-theme" not in client.get("/").content.decode()


@pytest.mark.parametrize("back", ["https://elsewhere.example/", "//elsewhere.example/", "javascript:alert(1)", ""])
def test_it_leads_nowhere_but_to_this_site(client, world, back) -> None:
    assert choose(client, "dark", next=back).url == "/"


def test_a_page_that_went_wrong_is_kept_by_no_cache_on_the_way(client, world) -> None:
    answer = client.get("/nowhere/")
    assert "Cookie" in answer["Vary"]
    assert "private" in answer["Cache-Control"]


def test_what_hangs_on_a_wall_is_in_hall_mode_unless_another_theme_was_chosen(world, client) -> None:
    wall = f"/hall/{world.league.slug}/"
    assert 'data-theme="hall"' in client.get(wall).content.decode()
    choose(client, "dark")
    assert 'data-theme="dark"' in client.get(wall).content.decode()
