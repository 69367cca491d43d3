"""Requested byes on the pages: the desk records them, rounds and cross-table name them."""

import re

from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.swiss_rounds import pair_anew
from league.competitions.models import Competition, Matchday
from tests.web.competitions.test_cross_table import cells, swiss
from tests.web.organize.test_club_night import organize, text
from tests.web.organize.test_organize import asked


def shown(html: str, name: str) -> str:
    return html.split(f'data-name="{name}"')[1].split('<li class="arrival', maxsplit=1)[0]


def test_the_desk_records_a_bye_sees_it_and_takes_it_back(world, browse):
    cup, client = swiss(world), browse(world.ref)
    ana = world.entrants[0]
    page = shown(text(client.get(organize(cup, "check_in"))), "Ana Ruiz")
    assert re.findall(r"<option>(\d)</option>", page) == ["1", "2", "3"]
    sent = {"entrant": ana.pk, "do": "bye", "number": "2"}
    client.post(organize(cup, "check_in_one"), sent)
    assert cup.registrations.get(entrant=ana).bye_rounds == [2]
    page = shown(text(client.get(organize(cup, "check_in"))), "Ana Ruiz")
    assert "Bye in round 2" in page
    answer = client.post(organize(cup, "check_in_one"), sent | {"number": "1"}, follow=True)
    assert "at most 1 requested bye, without the last round" in text(answer)
    client.post(organize(cup, "check_in_one"), sent | {"do": "no-bye"})
    assert cup.registrations.get(entrant=ana).bye_rounds == []
    for wrong in ("", "x", "99999"):
        client.post(organize(cup, "check_in_one"), sent | {"number": wrong})
    assert cup.registrations.get(entrant=ana).bye_rounds == []


def test_rounds_text_and_cross_table_name_a_requested_bye(world, browse):
    cup = swiss(world)
    ana = world.entrants[0]
    browse(world.owner).post(organize(cup, "check_in_one"), {"entrant": ana.pk, "do": "bye", "number": "1"})
    pair_anew(Matchday.objects.get(stage__competition=cup), user=world.owner)
    publish(cup, user=world.owner)
    client = browse()
    home = f"/competitions/harbour/{cup.slug}/"
    line = "Requested bye: <bdi>Ana Ruiz</bdi>"
    assert line in text(client.get(home))
    assert line in text(client.get(f"{home}rounds/1/"))
    assert "Requested bye" in text(client.get(f"{home}rounds/1/?sort=name"))
    assert "Requested bye: Ana Ruiz" in text(client.get(f"{home}rounds/1/"))
    assert line in text(browse(world.owner).get(organize(cup, "competition")))
    assert ["Requested bye"] in [row[2:] for row in cells(text(client.get(f"{home}cross-table/")))]
    assert "A requested bye gives the points of a draw, in the last round none." in text(
        client.get(f"{home}standings/")
    )
    assert publish_matchday(Matchday.objects.get(stage__competition=cup), user=world.owner) is False


def test_the_organizer_chooses_the_worth_and_the_number(world, browse):
    client = browse(world.owner)
    client.post("/organize/harbour/new/", asked(do="create", format="swiss", requested_bye="none", most_byes="2"))
    made = Competition.objects.get(slug="friday-cup")
    assert (made.requested_bye, made.most_byes) == ("none", 2)
    page = text(client.get("/organize/harbour/competitions/friday-cup/plan/"))
    assert '<option value="none" selected>' in page.split('name="requested_bye"')[1].split("</select>")[0]
