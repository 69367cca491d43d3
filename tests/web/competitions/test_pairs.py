"""What the pages say of pairs, and what an organizer does with them without JavaScript."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.competitions.draw.plans import Plan, found
from league.competitions.models import Competition
from league.competitions.registration.admission import accept_sign_ups
from league.competitions.registration.opening import RegistrationTerms, set_registration
from league.competitions.registration.sign_ups import Introduction, apply_by_name
from league.players.models import Entrant, Player
from tests.league.competitions.pair_world import PAIRS, pair, published_pairs
from tests.league.world import person
from tests.web.world import FIRST

FORM = {"preset": "own", "ruleset": "udl", "name": "Night of pairs", "format": "round_robin", "release": "all"}
NAMES = ["Ana Ruiz & Leo Paz", "Bo Chen & Mia Sol", "Cruz Vega & Dora Luz", "Eva Mar & Fito Rey"]


def text_of(answer) -> str:
    return " ".join(answer.content.decode().split())


@pytest.fixture
def desk(client, world):
    client.force_login(world.owner)
    return client


def usual(desk, world) -> dict:
    """What the empty form holds, its hour on the clock of the league."""
    form = desk.get(reverse("organize:new", args=["harbour"])).context["form"]
    with timezone.override(world.league.time_zone):
        return {name: value for name in form.fields if (value := form[name].value()) not in (None, False)}


def test_an_organizer_pastes_pairs_and_has_a_draft_of_them(desk, world):
    data = {**usual(desk, world), **FORM, "pairs": "on", "players": PAIRS, "do": "create"}
    answer = desk.post(reverse("organize:new", args=["harbour"]), data)
    made = Competition.objects.get(name="Night of pairs")
    assert answer.status_code == 302
    assert [str(row) for row in made.registrations.order_by("seed")] == NAMES
    page = text_of(desk.get(reverse("organize:competition", args=["harbour", made.slug])))
    assert "4 pairs" in page
    assert "Ana Ruiz &amp; Leo Paz" in page


def test_a_line_with_one_name_is_named_and_nothing_typed_is_lost(desk, world):
    text = f"{PAIRS}\nGil Ros"
    data = {**usual(desk, world), **FORM, "pairs": "on", "players": text, "do": "create"}
    answer = desk.post(reverse("organize:new", args=["harbour"]), data)
    page = text_of(answer)
    assert "A line is a pair: two names with a stroke between them, such as Ana Gil / Leo Paz." in page
    assert "Gil Ros</textarea>" in page
    assert not Competition.objects.filter(name="Night of pairs").exists()


def test_a_doubt_about_one_partner_is_settled_and_the_other_stays(desk, world):
    competition = published_pairs(world)
    Competition.objects.update(published_at=None)
    twins = [Player.objects.create(name="Nia Sanz", folded="nia sanz") for _ in range(2)]
    for twin in twins:
        twin.memberships.create(league=world.league, since="2026-01-01")
    address = reverse("organize:entrants", args=["harbour", competition.slug])
    asked = desk.post(address, {"players": "Gil Ros & Nia Sanz"})
    assert 'name="who-1.2"' in text_of(asked)
    data = {"players": "Gil Ros & Nia Sanz", "line-1.2": "Gil Ros & Nia Sanz", "who-1.2": twins[1].code}
    assert desk.post(address, data).status_code == 302
    added = competition.registrations.get(seed=5).entrant
    assert (added.player.name, added.partner) == ("Gil Ros", twins[1])


def test_pages_of_everybody_name_both_and_lead_to_the_pair_and_to_each(client, world):
    competition = published_pairs(world)
    ana = pair("Ana Ruiz")
    detail = text_of(client.get(reverse("competitions:detail", args=["harbour", competition.slug])))
    assert "Ana Ruiz &amp; Leo Paz" in detail
    assert f'href="/players/{ana.code}/"' in detail
    page = text_of(client.get(reverse("players:detail", args=[ana.code])))
    assert f'href="/players/{ana.player.code}/"' in page
    assert f'href="/players/{ana.partner.code}/"' in page
    match = ana.sides.first().match_id
    assert f'href="/players/{ana.partner.code}/"' in text_of(client.get(reverse("matches:detail", args=[match])))
    names = text_of(client.get(reverse("competitions:round", args=["harbour", competition.slug, 1]) + "?sort=name"))
    assert "Leo Paz &amp; Ana Ruiz" in names


def test_either_partner_is_followed_in_the_table_and_in_the_bracket(client, world):
    table = published_pairs(world)
    cup = published_pairs(world, name="Cup", format="single_elimination")
    ana = pair("Ana Ruiz")
    standings = reverse("competitions:detail", args=["harbour", table.slug])
    bracket = reverse("competitions:bracket", args=["harbour", cup.slug])
    for code in (ana.code, ana.player.code, ana.partner.code):
        assert client.get(standings, {"player": code}).context["standings"].followed.name == NAMES[0]
        assert client.get(bracket, {"player": code}).context["followed"].name == NAMES[0]
    Player.objects.filter(name="Leo Paz").update(user=person("leo"))
    client.force_login(Player.objects.get(name="Leo Paz").user)
    assert client.get(standings).context["standings"].followed.name == NAMES[0]
    assert client.get(reverse("competitions:standing", args=["harbour", table.slug, ana.code])).status_code == 200


def test_a_pair_that_nobody_may_know_of_is_not_found(client, world):
    competition = published_pairs(world)
    code = pair("Ana Ruiz").code
    Competition.objects.filter(pk=competition.pk).update(published_at=None)
    for side in pair("Ana Ruiz").sides.all():
        side.match.published_at = None
        side.match.save(update_fields=["published_at"])
    address = reverse("players:detail", args=[code])
    assert client.get(address).status_code == 404
    client.force_login(world.charlie)
    assert client.get(address).status_code == 404
    client.force_login(world.alice)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("code", ["-", "A-", "-A", "A-B", "A-B-C", "É-\u202e"])
def test_an_address_that_is_no_pair_is_not_found(client, world, code):
    assert client.get(reverse("players:detail", args=[code])).status_code == 404


def test_cards_say_who_of_a_pair_plays_which_game(desk, world):
    competition = published_pairs(world, best_of=3)
    page = text_of(desk.get(reverse("organize:cards", args=["harbour", competition.slug])))
    assert page.count('Ana Ruiz</bdi> <span class="plays">') == 2
    assert page.count('Leo Paz</bdi> <span class="plays">') == 1


def test_the_desk_finds_a_pair_by_the_second_partner_and_checks_it_in_once(desk, world):
    competition = published_pairs(world)
    address = reverse("organize:check_in", args=["harbour", competition.slug])
    assert [row.name for row in desk.get(address, {"q": "leo"}).context["page"]] == [NAMES[0]]
    code = pair("Ana Ruiz").partner.code
    assert [row.name for row in desk.get(address, {"q": code}).context["page"]] == [NAMES[0]]


def test_either_partner_of_a_pair_sees_its_match_on_the_own_page(client, world, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: FIRST)
    competition = published_pairs(world)
    Competition.objects.filter(pk=competition.pk).update(check_in_open=True)
    leo = Entrant.objects.get(player__name="Leo Paz", partner=None)
    for door in (leo.door, pair("Ana Ruiz").door):
        page = text_of(client.get(reverse("personal:me", args=[door])))
        assert "Ana Ruiz &amp; Leo Paz" in page
    client.post(reverse("personal:me", args=[leo.door]), {"competition": competition.pk})
    assert competition.registrations.get(entrant=pair("Ana Ruiz")).checked_in_at is not None
    feed = client.get(reverse("players:calendar", args=[leo.player.code])).content.decode()
    assert feed.count("BEGIN:VEVENT") == 3


def test_the_link_of_a_pair_is_made_anew_and_the_old_one_opens_nothing(desk, world):
    published_pairs(world)
    ana = pair("Ana Ruiz")
    old = ana.door
    of_ana = text_of(desk.get(reverse("people:door", args=["harbour", ana.player.code])))
    address = reverse("people:door", args=["harbour", ana.code])
    assert f'href="{address}"' in of_ana
    assert "Of the pair <bdi>Ana Ruiz &amp; Leo Paz</bdi>, for both partners." in text_of(desk.get(address))
    assert desk.post(address).status_code == 302
    assert pair("Ana Ruiz").door != old
    assert desk.get(reverse("personal:me", args=[old])).status_code == 404
    no_pair = "-".join(pair(name).player.code for name in ("Ana Ruiz", "Bo Chen"))
    assert desk.get(reverse("people:door", args=["harbour", no_pair])).status_code == 404


def test_a_late_pair_is_let_in_by_one_line(desk, world):
    competition = published_pairs(world, "\n".join(PAIRS.split("\n")[:3]))
    address = reverse("organize:late_entry", args=["harbour", competition.slug])
    answer = desk.post(address, {"name": "Gil Ros"})
    assert answer.status_code in {200, 422}
    assert "A line is a pair" in text_of(answer)
    assert desk.post(address, {"name": "Gil Ros / Nia Sanz"}).status_code == 302
    assert str(competition.registrations.get(seed=4)) == "Gil Ros & Nia Sanz"


def test_the_plan_of_pairs_stays_of_pairs_while_some_are_registered(desk, world):
    competition = published_pairs(world)
    Competition.objects.update(published_at=None)
    address = reverse("organize:plan", args=["harbour", competition.slug])
    form = desk.get(address).context["form"]
    assert form["pairs"].value() is True
    data = {
        name: value for name in form.fields if (value := form[name].value()) not in (None, False) and name != "pairs"
    }
    answer = desk.post(address, {**data, "starts_at": "", "do": "create"})
    assert answer.status_code == 422
    assert "Take them out before everybody plays alone." in text_of(answer)


LISTS = [
    "/competitions/harbour/{slug}/",
    "/competitions/harbour/{slug}/rounds/1/?sort=name",
    "/competitions/harbour/{slug}/rounds/1/?wall=1",
    "/organize/harbour/",
    "/organize/harbour/competitions/{slug}/",
    "/organize/harbour/competitions/{slug}/check-in/",
    "/organize/harbour/competitions/{slug}/cards/",
    "/organize/harbour/competitions/{slug}/slips/",
    "/organize/harbour/grid/",
    "/organize/harbour/tables/",
    "/hall/harbour/",
    "/",
    "/players/",
    "/players/{pair}/",
    "/players/{leo}/",
    "/me/{door}/",
    "/me/{own_door}/",
    "/api/v1/matches",
    "/api/v1/competitions/harbour/{slug}/standings",
    "/api/v1/competitions/harbour/{slug}/rounds",
]


@pytest.mark.parametrize("path", LISTS)
def test_a_page_takes_the_same_statements_for_few_pairs_and_for_many(client, world, path):
    def statements(count: int) -> int:
        names = "\n".join(["Ana Ruiz / Leo Paz", *(f"A{n} One / B{n} Two" for n in range(1, count))])
        competition = published_pairs(world, names, name=f"Night of {count}")
        ana = pair("Ana Ruiz")
        own = Entrant.objects.get(player__name="Leo Paz", partner=None)
        facts = {"pair": ana.code, "leo": own.player.code, "door": ana.door, "own_door": own.door}
        client.force_login(world.owner)
        address = path.format(slug=competition.slug, **facts)
        assert client.get(address).status_code == 200, address
        with CaptureQueriesContext(connection) as seen:
            client.get(address)
        return len(seen)

    few = statements(4)
    assert statements(12) == few


def test_a_stranger_to_the_pair_does_not_see_its_pad_and_the_partner_does(client, world):
    competition = published_pairs(world)
    Player.objects.filter(name="Leo Paz").update(user=person("leo"))
    match = pair("Ana Ruiz").sides.first().match_id
    address = reverse("matches:pad", args=[match, 1])
    client.force_login(world.charlie)
    assert client.get(address).status_code == 403
    client.force_login(Player.objects.get(name="Leo Paz").user)
    page = text_of(client.get(address))
    assert "Ana Ruiz &amp; Leo Paz" in page
    assert competition.pairs


def test_partners_who_play_already_are_not_offered_as_late_comers(desk, world):
    competition = published_pairs(world)
    page = desk.get(reverse("organize:late_entry", args=["harbour", competition.slug]))
    named = set(Player.objects.filter(name__in=["Leo Paz", "Mia Sol", "Dora Luz", "Ana Ruiz"]))
    assert len(named) == 4
    assert not named & set(page.context["known"])


def test_what_a_pair_needs_is_noted_for_the_pair_and_both_are_named(desk, world):
    competition = published_pairs(world)
    mine = pair("Ana Ruiz")
    address = reverse("organize:wishes", args=["harbour", competition.slug])
    by_surname = [NAMES[place] for place in (1, 3, 0, 2)]
    assert [name for _id, _seed, name in desk.get(address).context["entrants"]] == by_surname
    desk.post(address, {"do": "wish", "entrant": mine.pk, "accessible": "1"})
    page = desk.get(address)
    assert [row.entrant.full_name for row in page.context["page"]] == ["Ana Ruiz & Leo Paz"]
    alone = Entrant.objects.get(player=mine.player, partner=None)
    assert desk.post(address, {"do": "wish", "entrant": alone.pk, "accessible": "1"}).status_code == 404


# --- Signing up as a pair ---


@pytest.fixture
def open_cup(world) -> Competition:
    made = found(world.league, Plan(name="Open", ruleset="udl", pairs=True), user=world.owner)
    return set_registration(
        made, RegistrationTerms(registration=Competition.Opening.OPEN, admission="members"), user=world.owner
    )


OPEN = "/competitions/harbour/open/sign-up/"
ANSWERS = "/organize/harbour/competitions/open/sign-ups/"


def test_the_form_asks_for_both_and_a_name_alone_is_refused_at_its_field(client, open_cup):
    page = text_of(client.get(OPEN))
    for told in ("Your partner’s name", "both names here: Ana Gil / Leo Paz", "of pairs"):
        assert told in page
    answer = client.post(OPEN, {"do": "name", "name": "Cy Diaz", "club": "Mill"})
    form = answer.context["form"]
    assert (answer.status_code, list(form.errors)) == (422, ["partner"])
    assert 'value="Cy Diaz"' in text_of(answer)
    own = client.post(OPEN, {"do": "name", "name": "Cy Diaz / Leo Paz"}, follow=True)
    assert "Cy Diaz &amp; Leo Paz" in text_of(own)


def test_the_one_button_asks_for_the_partner_and_the_refusal_stands_at_its_field(client, world, open_cup):
    client.force_login(world.alice)
    ana = world.entrants[0].player
    page = text_of(client.get(OPEN))
    assert f'id="id_partner_{ana.code}"' in page
    assert "Members of the league are in at once" not in page
    sent = {"do": "player", "player": ana.code}
    answer = client.post(OPEN, sent)
    [mine] = answer.context["players"]
    assert (answer.status_code, list(mine.form.errors)) == (422, ["partner"])
    answer = client.post(OPEN, sent | {"partner": "Leo Paz", "partner_born": "x"})
    [mine] = answer.context["players"]
    assert (list(mine.form.errors), mine.form["partner"].value()) == (["partner_born"], "Leo Paz")
    own = client.post(OPEN, sent | {"partner": "Leo Paz"}, follow=True)
    assert "Ana Ruiz &amp; Leo Paz" in text_of(own)
    assert [str(row) for row in open_cup.applicants.all()] == ["Ana Ruiz & Leo Paz"]


def test_the_organizer_sees_both_halves_and_chooses_for_each(client, world, open_cup):
    row = apply_by_name(open_cup, Introduction(name="Cy Diaz", partner="Ana Ruiz", partner_born=1990), secret="s")
    client.force_login(world.owner)
    page = text_of(client.get(ANSWERS))
    for told in ("<bdi>Cy Diaz</bdi> &amp; <bdi>Ana Ruiz</bdi>", "New player", "Is this Ana Ruiz", "partner born 1990"):
        assert told in page
    assert f'name="partner-{row.pk}"' in page
    assert f'name="who-{row.pk}"' not in page
    sent = {"do": "accept", "chosen": row.pk, f"partner-{row.pk}": "new"}
    assert "1 pair was let in." in text_of(client.post(ANSWERS, sent, follow=True))
    made = open_cup.registrations.get().entrant
    assert (made.full_name, made.partner == world.entrants[0].player) == ("Cy Diaz & Ana Ruiz", False)
    again = apply_by_name(open_cup, Introduction(name="Cy Diaz", partner="Gil Ros"), secret="t")
    assert "in the pair Cy Diaz &amp; Ana Ruiz" in text_of(client.get(ANSWERS))
    refused = client.post(ANSWERS, {"do": "accept", "chosen": again.pk})
    assert (refused.status_code, open_cup.registrations.count()) == (422, 1)


def test_the_list_of_sign_ups_takes_the_same_statements_for_few_pairs_and_for_many(client, world, open_cup):
    client.force_login(world.owner)
    counts = []
    for some in (range(2), range(2, 9)):
        for n in some:
            said = Introduction(name=f"First {'abcdefghi'[n]}", partner=f"Second {'abcdefghi'[n]}")
            row = apply_by_name(open_cup, said, secret=f"secret {n}")
            if n % 2:
                accept_sign_ups(open_cup, [row.pk], user=world.owner)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(ANSWERS).status_code == 200
            assert client.get(f"{ANSWERS}?show=accepted").status_code == 200
        counts.append(len(seen))
    assert counts[0] == counts[1]
