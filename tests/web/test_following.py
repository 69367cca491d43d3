"""Following players, pairs and competitions, with an account and without one."""

import re
from datetime import date

import pytest

from league.accounts.services import erase_account
from league.competitions.following import MOST, follow
from league.competitions.models import Followed
from league.matches.models import Match
from league.players.services import enrol, erase, merge
from tests.league.competitions.pair_world import published_pairs
from tests.web import world as small


def press(client, what: str, **more: str):
    return client.post("/following/act/", {"what": what, **more}, follow=True)


@pytest.fixture
def ana(world) -> str:
    return f"player:{world.entrants[0].player.code}"


@pytest.mark.parametrize("who", ["", "bob"])
def test_who_is_followed_is_listed_with_matches_until_one_stops(world, browse, ana, who) -> None:
    client = browse(getattr(world, who)) if who else browse()
    page = f"/players/{world.entrants[0].player.code}/"
    assert 'name="stop"' not in client.get(page).content.decode()
    answer = press(client, ana, next=page)
    assert answer.request["PATH_INFO"] == page
    assert 'name="stop"' in answer.content.decode()
    html = client.get("/following/").content.decode()
    assert html.count('<li class="row"') == 2  # Ana's matches
    assert "Ana Ruiz" in html
    assert Followed.objects.filter(what=ana).count() == bool(who)
    press(client, ana, stop="1")
    assert "You follow nobody yet." in client.get("/following/").content.decode()
    assert 'name="stop"' not in client.get(page).content.decode()


def test_what_was_followed_without_an_account_goes_along_into_it(world, browse, ana) -> None:
    client = browse()
    press(client, ana)
    client.force_login(world.bob)
    assert "Ana Ruiz" in client.get("/following/").content.decode()
    press(client, f"competition:{world.competition.pk}")
    assert set(Followed.objects.values_list("what", flat=True)) == {ana, f"competition:{world.competition.pk}"}
    assert "Ana Ruiz" in browse(world.bob).get("/following/").content.decode()


def test_a_cookie_that_somebody_wrote_is_not_believed(world, browse, ana) -> None:
    client = browse()
    client.cookies["followed"] = f"{ana}:forged"
    assert "You follow nobody yet." in client.get("/following/").content.decode()


@pytest.mark.parametrize(
    "odd",
    [
        *("", "player:", "player:NOBODY", "pair:A-B", "competition:x", "competition:99999999999999999999", "league:1"),
        *("player:\0", "pair:\0-\0"),  # PostgreSQL takes no such byte
    ],
)
def test_nothing_that_is_not_there_is_followed(world, browse, odd) -> None:
    html = press(browse(world.bob), odd).content.decode()
    assert "There is nothing of that name to follow." in html
    assert not Followed.objects.exists()


def test_a_draft_is_followed_by_nobody_who_may_not_see_it(db, browse) -> None:
    world = small.build(published=False)
    name = f"competition:{world.competition.pk}"
    press(browse(world.bob), name)
    press(browse(world.ref), name)
    assert list(Followed.objects.values_list("user", flat=True)) == [world.ref.pk]


@pytest.mark.parametrize("who", ["", "bob"])
def test_there_is_an_end_to_how_many_are_followed(world, browse, who) -> None:
    people = [enrol(league=world.league, name=f"P {n}", since=date(2026, 1, 1), user=None) for n in range(MOST)]
    client = browse(world.owner)
    if not who:
        client = browse()
        small.knock_out(world, players=3)
    names = [f"player:{one.player.code}" for one in people]
    if who:
        follow(world.owner, names, world.matches[0].published_at)
        html = press(client, f"player:{world.entrants[0].player.code}").content.decode()
        assert f"You follow {MOST} already." in html
        assert Followed.objects.count() == MOST
    else:
        client.cookies["followed"] = signed(",".join(names))
        html = press(client, f"player:{world.entrants[0].player.code}").content.decode()
        assert f"You follow {MOST} already." in html


def signed(text: str) -> str:
    from django.core import signing

    return signing.get_cookie_signer(salt="followedfollowed").sign(text)


def test_who_was_merged_is_followed_as_the_one_who_stays(world, browse) -> None:
    twin = enrol(league=world.league, name="Anna Ruiz", since=date(2026, 1, 1)).player
    follow(world.owner, [f"player:{twin.code}"], world.matches[0].published_at)
    merge(kept=world.entrants[0].player, absorbed=twin, league=world.league, by=world.owner)
    html = browse(world.owner).get("/following/").content.decode()
    assert "Ana Ruiz" in html
    assert "Anna" not in html


def test_names_that_were_erased_are_followed_under_their_codes(world, browse, ana) -> None:
    follow(world.bob, [ana], world.matches[0].published_at)
    erase(world.entrants[0].player)
    html = browse(world.bob).get("/following/").content.decode()
    assert "Ana" not in html
    assert world.entrants[0].player.code in html


def test_an_account_that_is_erased_follows_nobody(world, ana) -> None:
    follow(world.bob, [ana], world.matches[0].published_at)
    erase_account(world.bob)
    assert not Followed.objects.exists()


@pytest.mark.parametrize("page", ["https://evil.example/", "abc", "5", "<b>"])
def test_nobody_is_sent_to_what_is_no_page_of_this_site(world, browse, ana, page) -> None:
    answer = browse(world.bob).post("/following/act/", {"what": ana, "next": page})
    assert answer.url == "/following/"


def test_each_kind_has_its_button_to_stop(world, browse, ana) -> None:
    competition = f"competition:{world.competition.pk}"
    follow(world.bob, [ana, competition, "player:GONE"], world.matches[0].published_at)
    html = browse(world.bob).get("/following/").content.decode()
    assert [f'value="{what}"' in html for what in (ana, competition, "player:GONE")] == [True, True, True]
    assert html.count('name="stop"') == 3


@pytest.mark.parametrize("who", ["", "charlie"])
def test_the_sides_of_a_match_to_come_are_followed_from_its_page(world, browse, ana, who) -> None:
    client = browse(getattr(world, who)) if who else browse()
    page = f"/matches/{world.match.pk}/"
    html = client.get(page).content.decode()
    assert {"Follow Ana Ruiz", "Follow Bo Chen"} <= set(buttons(html))
    answer = press(client, ana, next=page)
    assert answer.request["PATH_INFO"] == page
    assert {"Stop following Ana Ruiz", "Follow Bo Chen"} <= set(buttons(answer.content.decode()))
    # The page of others stays as it was.
    assert "Follow Ana Ruiz" in buttons(browse().get(page).content.decode())
    small.played(world, official=True)
    assert not [one for one in buttons(client.get(page).content.decode()) if "ollow" in one]


def buttons(html: str) -> list[str]:
    found = re.findall(r"<button[^>]*>(.*?)</button>", html, re.DOTALL)
    return [" ".join(re.sub("<[^>]+>", " ", one).split()) for one in found]


def test_a_pair_is_followed_from_the_page_of_its_match(world, browse) -> None:
    cup = published_pairs(world)
    match = Match.objects.filter(slot__matchday__stage__competition=cup).first()
    client = browse()
    html = client.get(f"/matches/{match.pk}/").content.decode()
    [name, *_others] = re.findall(r'name="what" value="(pair:[^"]+)"', html)
    press(client, name)
    assert "You follow nobody yet." not in client.get("/following/").content.decode()


def test_notifications_are_offered_to_followers_of_players_only(world, browse, ana) -> None:
    client = browse(world.charlie)
    press(client, f"competition:{world.competition.pk}")
    assert "data-notify" not in client.get("/following/").content.decode()
    press(client, ana)
    html = client.get("/following/").content.decode()
    assert "data-notify" in html
    assert "A notification tells you when somebody you follow is called to a table." in html
    visitor = browse()
    press(visitor, ana)
    html = visitor.get("/following/").content.decode()
    assert "data-notify" not in html
    assert "For notifications sign in" in html
