"""The page of a ladder: places, whom one may challenge, and by whom a challenge is made."""

from datetime import timedelta

import pytest

from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.publishing import publish
from league.competitions.ladders.services import challenge, ladder_of, places
from league.competitions.models import Challenge, Competition, Withdrawal
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy
from league.matches.results.entering import enter_sheet
from league.players.models import Entrant
from tests.web.organize.test_organize import NEW, asked, text_of

SITE = "/competitions/harbour/friday-cup/"
CHALLENGE = f"{SITE}challenge/"
NAMES = "Ana Ruiz\nBo Chen\nCleo Diaz\nDora East\nEva Fox"


def planned(**changes):
    sent = {"preset": "own", "ruleset": "udl", "format": "ladder", "challenge_reach": "2", "players": NAMES}
    return asked(**(sent | {"do": "create"} | changes))


@pytest.fixture
def ladder(world, browse) -> Competition:
    answer = browse(world.owner).post(NEW, planned(challenge_days="14"))
    assert answer.status_code == 302, text_of(answer.content.decode())
    competition = Competition.objects.get(slug="friday-cup")
    publish(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def who(name) -> Entrant:
    return Entrant.objects.select_related("player").get(player__name__startswith=name)


def seen(client) -> str:
    answer = client.get(SITE)
    assert answer.status_code == 200
    return text_of(answer.content.decode())


def order(competition) -> list[str]:
    names = Entrant.objects.select_related("player").in_bulk()
    return [str(names[one]).split()[0] for one in places(ladder_of(competition)).order]


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"challenge_reach": ""}, "challenge_reach", "Enter how many places above can be challenged: 1 to 100."),
        ({"challenge_reach": "101"}, "challenge_reach", "less than or equal to 100"),
        ({"challenge_days": "999"}, "challenge_days", "less than or equal to 366"),
    ],
)
def test_what_does_not_fit_is_told_at_its_field(world, browse, changes, field, sentence) -> None:
    answer = browse(world.owner).post(NEW, planned(**changes))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text_of(html)
    assert f'id="id_{field}_error"' in html
    assert not Competition.objects.filter(name="Friday Cup").exists()


def test_everybody_sees_the_places_and_nobody_else_gets_a_form(ladder, browse) -> None:
    html = browse(None).get(SITE).content.decode()
    assert "1 Ana Ruiz 0 0" in text_of(html)
    assert "Challenge up to 2 places above." in text_of(html)
    assert "lapses after 14 days" in text_of(html)
    assert CHALLENGE not in html
    assert "Standings" not in text_of(html)


def test_before_the_first_challenge_there_are_no_rounds_and_nobody_stands_above_the_first(
    world, ladder, browse
) -> None:
    html = browse(world.alice).get(SITE).content.decode()
    assert "You are in place 1. You are at the top." in text_of(html)
    staff = browse(world.owner).get("/organize/harbour/competitions/friday-cup/").content.decode()
    assert ('id="matchdays"' in html, 'id="rounds"' in staff) == (False, False)
    challenge(ladder, who("Bo"), who("Ana"), by=world.owner)
    html = browse(world.alice).get(SITE).content.decode()
    staff = browse(world.owner).get("/organize/harbour/competitions/friday-cup/").content.decode()
    assert ('id="matchdays"' in html, 'id="rounds"' in staff) == (True, True)


def test_a_player_who_is_signed_in_challenges_within_reach(world, ladder, browse) -> None:
    client = browse(world.bob)
    page = client.get(SITE).content.decode()
    assert "You are in place 2." in text_of(page)
    assert page.count("<option") == 1, "only Ana stands above"
    answer = client.post(CHALLENGE, {"do": "challenge", "challenged": who("Ana").pk}, follow=True)
    assert "Bo Chen challenges Ana Ruiz: the match is below." in text_of(answer.content.decode())
    assert "You have a challenge to play, against Ana Ruiz" in seen(client)
    again = client.post(CHALLENGE, {"do": "challenge", "challenged": who("Ana").pk}, follow=True)
    assert "Bo Chen has a challenge that is not played yet." in text_of(again.content.decode())
    assert Challenge.objects.count() == 1, "a second click makes no second match"


def test_a_player_challenges_for_nobody_else(world, ladder, browse) -> None:
    sent = {"do": "challenge", "challenger": who("Cleo").pk, "challenged": who("Ana").pk}
    assert browse(world.bob).post(CHALLENGE, sent).status_code == 403
    assert browse(world.charlie).post(CHALLENGE, sent).status_code == 403
    assert not Challenge.objects.exists()


def test_whoever_opened_a_personal_link_challenges_without_an_account(world, ladder, browse) -> None:
    client = browse(None)
    dora = who("Dora")
    html = client.get(f"/me/{dora.door}/").content.decode()
    assert f'href="{SITE}#ladder"' in html
    assert "You are in place 4." in seen(client)
    answer = client.post(CHALLENGE, {"do": "challenge", "challenged": who("Bo").pk}, follow=True)
    assert "Dora East challenges Bo Chen" in text_of(answer.content.decode())
    assert Challenge.objects.get().made_by is None
    sent = {"do": "challenge", "challenger": who("Eva").pk, "challenged": who("Cleo").pk}
    assert client.post(CHALLENGE, sent).status_code == 403


def test_without_account_and_link_one_is_sent_to_the_sign_in(ladder, browse) -> None:
    answer = browse(None).post(CHALLENGE, {"do": "challenge", "challenged": who("Bo").pk})
    assert answer.status_code == 302
    assert answer.url == f"/sign-in/?next={SITE}"


def test_the_desk_challenges_for_anybody_and_takes_it_back(world, ladder, browse) -> None:
    client = browse(world.ref)
    sent = {"do": "challenge", "challenger": who("Eva").pk, "challenged": who("Ana").pk}
    answer = client.post(CHALLENGE, sent, follow=True)
    told = text_of(answer.content.decode())
    assert "Eva Fox may challenge up to 2 places above: Dora East, Cleo Diaz." in told
    client.post(CHALLENGE, sent | {"challenged": who("Cleo").pk})
    one = Challenge.objects.get()
    assert "Eva Fox challenges Cleo Diaz" in seen(client)
    answer = client.post(CHALLENGE, {"do": "withdraw", "challenge": one.pk}, follow=True)
    assert "The challenge is taken back." in text_of(answer.content.decode())
    assert "Eva Fox challenges Cleo Diaz" not in seen(client)


@pytest.mark.parametrize(
    "sent", [{}, {"challenged": "x"}, {"challenged": "9" * 30}, {"do": "withdraw", "challenge": "7"}]
)
def test_nonsense_is_not_found(world, ladder, browse, sent) -> None:
    assert browse(world.bob).post(CHALLENGE, sent).status_code == 404


def test_an_official_result_moves_the_ladder_and_the_page_shows_what_moved(world, ladder, browse) -> None:
    one = challenge(ladder, who("Dora"), who("Bo"), by=world.owner)
    done = enter_sheet(one.slot.match.games.get(), world.owner, {"scores": [20, 150]}, kind=KnownBy.SCORE, insist=True)
    confirm_result(result=done.result, user=world.ref)
    assert order(ladder) == ["Ana", "Dora", "Bo", "Cleo", "Eva"]
    told = seen(browse(None))
    assert "2 ▲2 2 places up by the last challenge Dora East 1 0" in told
    assert "3 ▼1 1 place down by the last challenge Bo Chen 0 1" in told
    assert "Dora East beat Bo Chen : from place 4 to 2" in told
    plain = text_of(browse(None).get(f"{SITE}text/").content.decode())
    assert "1. Ana Ruiz 2. Dora East 3. Bo Chen" in plain


def test_who_comes_late_stands_at_the_bottom(world, ladder, browse) -> None:
    late = "/organize/harbour/competitions/friday-cup/late-entry/"
    client = browse(world.owner)
    assert "At the bottom of the ladder; can challenge at once." in text_of(client.get(late).content.decode())
    page = text_of(client.post(late, {"name": "Zoe New", "asked": "1"}, follow=True).content.decode())
    assert "Zoe New is registered and checked in, at the bottom of the ladder." in page
    assert order(ladder) == ["Ana", "Bo", "Cleo", "Dora", "Eva", "Zoe"]


def test_the_pages_of_the_organizer_open(world, ladder, browse) -> None:
    challenge(ladder, who("Bo"), who("Ana"), by=world.owner)
    client = browse(world.owner)
    here = "/organize/harbour/competitions/friday-cup/"
    for path in (here, f"{here}grid/", f"{here}cards/", f"{here}late/", f"{SITE}rounds/1/", f"{SITE}files/"):
        assert client.get(path).status_code in {200, 404}, path
    assert "challenges up to 2 places above" in text_of(client.get(here).content.decode())
    assert client.get(f"{SITE}rounds/1/").status_code == 200
    assert client.get(f"{SITE}files/competition.json").status_code == 200


CLOSE = "/organize/harbour/competitions/friday-cup/close/"


def test_an_organizer_closes_the_ladder_and_opens_it_again(world, ladder, browse) -> None:
    client = browse(world.owner)
    challenge(ladder, who("Cleo"), who("Ana"), by=world.owner)
    page = "/organize/harbour/competitions/friday-cup/"
    opened = client.get(page).content.decode()
    assert CLOSE in opened
    assert f"{page}cancel/" in opened
    assert f"{page}rehearsals/" not in opened, "a ladder is not rehearsed"
    told = text_of(client.get(CLOSE).content.decode())
    assert "1 challenge is open." in told
    assert "Type “ Friday Cup ” to confirm" in told
    assert client.post(CLOSE, {"do": "close", "word": "yes"}).status_code == 422
    closed = client.post(CLOSE, {"do": "close", "word": "Friday Cup"}, follow=True).content.decode()
    assert "/withdraw/" not in closed, "the places stand"
    assert f"{page}cancel/" not in closed, "it is over"
    done = text_of(closed)
    assert "The ladder is closed: its places are final." in done
    assert "Competition finished" in done
    assert "Open the ladder again" in done
    assert "No result is missing. Correct a confirmed result" in text_of(client.get(f"{page}grid/").content.decode())
    everybody = seen(browse(None))
    assert "these places are final." in everybody
    assert "to be played" not in everybody.lower()
    assert CHALLENGE not in browse(world.bob).get(SITE).content.decode()
    again = text_of(client.post(CLOSE, {"do": "reopen"}, follow=True).content.decode())
    assert "The ladder is open again: it goes on from its places." in again
    assert "these places are final." not in seen(browse(None))


def test_what_is_no_ladder_has_no_page_on_which_it_is_closed(world, browse) -> None:
    client = browse(world.owner)
    client.post(NEW, asked(do="create"))
    assert client.get(CLOSE).status_code == 404
    assert client.post(CLOSE, {"do": "close"}).status_code == 404


def test_who_left_with_a_forfeit_comes_back_later_and_the_page_says_so(world, ladder, browse) -> None:
    challenge(ladder, who("Cleo"), who("Ana"), by=world.owner)
    done = withdraw(ladder, who("Ana"), user=world.owner, reason="ill")
    Withdrawal.objects.filter(pk=done.pk).update(made_at=done.made_at - timedelta(minutes=11))
    undo = f"/organize/harbour/competitions/friday-cup/withdrawals/{done.pk}/undo/"
    page = text_of(browse(world.owner).post(undo, follow=True).content.decode())
    assert "Ana Ruiz is back. The forfeits stay." in page
