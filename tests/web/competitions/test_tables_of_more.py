"""Pages of rounds at tables of three to six."""

import re

import pytest
from django.utils import timezone

from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Stage
from league.matches.logs.submission import confirm_result
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet
from tests.web.organize.test_organize import NEW, asked, text_of

SITE = "/competitions/harbour/friday-cup/"


def planned(**changes):
    sent = {"preset": "own", "ruleset": "all-fives", "format": "table_rounds", "seats": "4", "rounds": "3"}
    return asked(**(sent | {"do": "create"} | changes))


def made(world, browse, **changes) -> Competition:
    answer = browse(world.owner).post(NEW, planned(**changes))
    assert answer.status_code == 302, text_of(answer.content.decode())
    competition = Competition.objects.get(slug="friday-cup")
    publish(competition, user=world.owner)
    return competition


def first_match() -> Match:
    return Match.objects.get(
        slot__matchday__stage__competition__slug="friday-cup", slot__matchday__number=1, slot__number=1
    )


def play(world, competition, number, *scores):
    slots = Match.objects.filter(slot__matchday__stage__competition=competition, slot__matchday__number=number)
    for match, points in zip(slots.order_by("slot__number"), scores, strict=False):
        done = enter_sheet(match.games.get(), world.owner, {"scores": points}, kind=KnownBy.SCORE, insist=True)
        confirm_result(result=done.result, user=world.ref)


def seen(browse, user, address):
    answer = browse(user).get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_the_preview_tells_rounds_and_tables(world, browse) -> None:
    html = browse(world.owner).post(NEW, planned(do="preview")).content.decode()
    outlook = text_of(html[html.index('id="outlook-title"') :])
    assert "rounds at tables of 3 to 6, 4 seats" in outlook
    assert "Players 13 Rounds 3 Matches 12" in outlook, "4, 3, 3 and 3 in each round"


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"ruleset": "udl"}, "seats", "UDL Dominoes is for 2 to 2 players at a table, not for 4."),
        ({"seats": ""}, "seats", "Say how many sit at a table: 3 to 6."),
        ({"seats": "7"}, "seats", "Ensure this value is less than or equal to 6."),
        ({"rounds": ""}, "rounds", "Say how many rounds there are: 1 to 64."),
        ({"place_points": "3, x, 1"}, "place_points", "“x” is not a whole number: write the points as 3, 1, 0, 0."),
        ({"place_points": "3 1 0"}, "place_points", "as many numbers as seats"),
        ({"place_points": "0 1 2 3"}, "place_points", "none more than the place before"),
        ({"tie_break_2": "buchholz"}, "tie_break_1", "the order of the table is made of: points by place,"),
        ({"bye_points": "9"}, "bye_points", "A bye gives no more points than the first place at a table."),
        (
            {"format": "swiss", "seats": "", "tie_break_2": "place_points"},
            "tie_break_1",
            "Points by place are of rounds",
        ),
    ],
)
def test_what_does_not_fit_is_told_at_its_field(world, browse, changes, field, sentence) -> None:
    answer = browse(world.owner).post(NEW, planned(**changes))
    html = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in text_of(html)
    assert f'id="id_{field}_error"' in html
    assert not Competition.objects.filter(name="Friday Cup").exists()


def test_the_usual_order_is_that_of_tables_unless_somebody_chose_another(world, browse) -> None:
    made(world, browse, place_points="5; 3; 1; 0")
    competition = Competition.objects.get(slug="friday-cup")
    assert competition.tie_breaks == ["place_points", "game_points", "difference"]
    assert Stage.objects.get(competition=competition).points_by_place == [5, 3, 1, 0]


def test_a_preset_brings_tables_of_four(world, browse) -> None:
    answer = browse(world.owner).post(NEW, asked(preset="uno-tables", format="", do="create"))
    assert answer.status_code == 302, text_of(answer.content.decode())
    stage = Stage.objects.get(competition__slug="friday-cup")
    assert (stage.format, stage.seats, stage.rounds, stage.matchdays.count()) == ("table_rounds", 4, 3, 3)


def test_the_plan_is_shown_as_it_was_decided(world, browse) -> None:
    browse(world.owner).post(NEW, planned(place_points="5,3,1,0"))
    html = seen(browse, world.owner, "/organize/harbour/competitions/friday-cup/plan/")
    assert re.search(r'name="seats" value="4"', html)
    assert re.search(r'name="rounds" value="3"', html)
    assert re.search(r'name="place_points" value="5, 3, 1, 0"', html)


def test_standings_say_points_by_place_and_each_opens_to_the_tables_it_comes_from(world, browse) -> None:
    competition = made(world, browse)
    play(world, competition, 1, [100, 40, 40, 10])
    html = seen(browse, None, SITE)
    rows = re.findall(r"<tr><td class=\"rank\">.*?</tr>", html, re.DOTALL)
    first, second = text_of(rows[0]), text_of(rows[1])
    names = [str(side.entrant) for side in first_match().sides.all()]
    assert first == f"1 {names[0]} 1 3 1 +70 1 100 1"
    assert second.startswith(f"2 {names[1]} 1 1.50 0 −10 0 40 2")
    assert "Points by place at a table, the first one first: 3 · 2 · 1 · 0 . A bye gives 2." in text_of(html)
    address = re.search(r'href="(standings/[^/]+/[^"#]*)#place_points"', rows[1]).group(1)
    opened = text_of(seen(browse, None, SITE + address))
    assert "Points by place: 1.50" in opened
    others = ", ".join(name for name in names if name != names[1])
    assert f"1 {others.replace(', ', ' , ')} place 2 1.50 Shared with others" in opened.replace(" ,", " ,")


def test_pairings_name_everybody_at_a_table(world, browse) -> None:
    competition = made(world, browse)
    match = first_match()
    names = [str(side.entrant) for side in match.sides.order_by("number")]
    by_name = text_of(seen(browse, None, f"{SITE}rounds/1/?sort=name"))
    assert f"{names[1]} – {names[0]}, {names[2]}, {names[3]}" in by_name
    by_table = text_of(seen(browse, None, f"{SITE}rounds/1/"))
    assert " ".join(names) in by_table
    plain = seen(browse, None, f"{SITE}rounds/1/text/")
    assert " – ".join(names) in text_of(plain)
    assert competition.stages.get().matchdays.count() == 3


def test_a_card_has_room_for_everybody_at_the_table(world, browse) -> None:
    made(world, browse)
    html = seen(browse, world.owner, "/organize/harbour/competitions/friday-cup/cards/?round=1&blank=1")
    cards = [text_of(one) for one in re.findall(r'<article class="scorecard".*?</article>', html, re.DOTALL)]
    match = first_match()
    names = [str(side.entrant) for side in match.sides.order_by("number")]
    card = next(one for one in cards if names[0] in one)
    assert " ".join(f"{number} {name}" for number, name in enumerate(names, start=1)) in card
    assert card.endswith("Final score 1 2 3 4 Ended by target forfeit Began over 1 2 3 4 Referee")
    assert "Total 1 2 3 4 1 2 3 4 5 6 7" in card
    assert "Final score 1 2 3 4" in cards[-1], "a blank one too"


def test_the_desk_types_the_points_of_all_who_sit_there(world, browse, monkeypatch) -> None:
    competition = made(world, browse)
    match = first_match()
    monkeypatch.setattr(timezone, "now", lambda: match.starts_at)  # the later rounds have not begun
    game = match.games.get()
    client = browse(world.ref)
    address = "/organize/harbour/competitions/friday-cup/grid/"
    html = seen(browse, world.ref, address)
    assert html.count('name="points-') == 13 - 1 + 1
    points = {f"points-{number}-{game.pk}": str(made) for number, made in enumerate((20, 100, 5, 0), start=1)}
    answer = client.post(address, {"game": str(game.pk), f"signed-{game.pk}": "on", **points, "act": "save"})
    assert answer.status_code == 302, text_of(answer.content.decode())
    match.refresh_from_db()
    assert match.state == Match.State.DECIDED
    assert competition.stages.get().finished_at is None
    shown = text_of(seen(browse, None, f"/matches/{match.pk}/"))
    names = [str(side.entrant) for side in match.sides.order_by("number")]
    assert f"{names[1]} Winner 100" in shown


def test_who_does_not_come_is_left_out_at_the_table_and_comes_back(world, browse) -> None:
    competition = made(world, browse)
    match = first_match()
    berth = match.slot.berths.get(number=2)
    late = f"/organize/harbour/competitions/friday-cup/slots/{match.slot.pk}/late/"
    client = browse(world.owner)
    client.post(late, {"do": "wait", "entrant": str(berth.entrant_id)})
    Competition.objects.filter(pk=competition.pk).update(forfeit_after_min=0)
    assert "Play without" in seen(browse, world.owner, late)
    answer = client.post(late, {"do": "forfeit", "entrant": str(berth.entrant_id)}, follow=True)
    assert f"The others play without {berth.entrant}." in text_of(answer.content.decode())
    assert match.sides.count() == 3
    assert f"{berth.entrant} not there" in text_of(seen(browse, None, f"{SITE}rounds/1/"))
    assert f"{berth.entrant} not there" in text_of(seen(browse, None, SITE))
    client.post(late, {"do": "here", "entrant": str(berth.entrant_id)})
    assert match.sides.count() == 4


def test_a_withdrawal_at_tables_speaks_of_no_forfeits(world, browse) -> None:
    competition = made(world, browse)
    leaver = competition.registrations.first().entrant_id
    client, page = browse(world.owner), "/organize/harbour/competitions/friday-cup/"
    form = text_of(client.get(f"{page}entrants/{leaver}/withdraw/").content.decode())
    assert "the others play on: last place and no points for this player." in form
    assert "confirmed at once" not in form
    assert "confirms each forfeit" not in form
    client.post(f"{page}entrants/{leaver}/withdraw/", {"reason": "Home"})
    path = f"{page}withdrawals/{competition.withdrawals.get().pk}/undo/"
    assert " is back." in text_of(client.post(path, follow=True).content.decode())


@pytest.mark.parametrize("how", ["one by one", "nobody came"])
def test_a_table_that_nobody_plays_at_leads_to_the_tables(world, browse, how) -> None:
    competition = made(world, browse)
    match = first_match()
    late = f"/organize/harbour/competitions/friday-cup/slots/{match.slot.pk}/late/"
    client, there = browse(world.owner), list(match.slot.berths.values_list("entrant", flat=True))
    Competition.objects.filter(pk=competition.pk).update(forfeit_after_min=0)
    for entrant in there:
        client.post(late, {"do": "wait", "entrant": entrant})
    sent = [{"do": "forfeit", "entrant": one} for one in there[:3]] if how == "one by one" else [{"do": "nobody"}]
    answers = [client.post(late, one, follow=True) for one in sent]
    assert {one.status_code for one in answers} == {200}
    assert answers[-1].redirect_chain == [("/organize/harbour/competitions/friday-cup/tables/", 302)]
    match.slot.refresh_from_db()
    assert match.slot.not_needed


def test_whoever_comes_late_is_offered_the_empty_seats(world, browse) -> None:
    competition = made(world, browse, players="\n".join(f"Player {letter}" for letter in "ABCDEFG"))
    page = "/organize/harbour/competitions/friday-cup/late-entry/"
    client = browse(world.owner)
    told = text_of(client.get(page).content.decode())
    assert "A free seat in 3 upcoming rounds, at the tables of: Round 1: Player" in told
    done = text_of(client.post(page, {"name": "Zoe Late", "asked": "1"}, follow=True).content.decode())
    assert "Zoe Late: 3 matches, first in Round 1 against Player" in done
    assert competition.registrations.count() == 8
    assert "No place is left in the draw of Friday Cup." in text_of(client.get(page).content.decode())
