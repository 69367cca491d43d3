"""The tables of a league as an organizer sets them up, who plays where, and what is on the stream."""

import re

import pytest
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import League
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule.table_wishes import put_on_stream, set_wishes
from league.competitions.draw.stages import draw
from league.competitions.models import Slot
from league.competitions.registration.entries import register
from league.matches.models import Table
from league.players.services import enrol
from tests.web import world as small

SETUP = "/organize/harbour/tables/setup/"
HOSTILE = '<b>"nine"</b>'


def text(answer):
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def cup(world, *, published=True, born=None):
    more = [enrol(league=world.league, name="Young Yara", since=small.FIRST.date(), born=born)]
    plan = Plan(name="Tuesday", ruleset="udl", starts_at=timezone.now(), tables=("1", "2", "3"))
    made = found(world.league, plan, user=world.owner)
    register(made, [*world.entrants, *more])
    draw(made, user=world.owner)
    if published:
        publish(made, user=world.owner)
    return made


def address(made, name, *more):
    return reverse(f"organize:{name}", args=["harbour", made.slug, *more])


def at(made, entrant, number=1):
    return Slot.objects.get(
        matchday__stage__competition=made, matchday__number=number, berths__entrant=entrant
    ).table.name


def test_a_table_is_added_named_ordered_and_marked(world, browse):
    client = browse(world.owner)
    assert client.post(SETUP, {"table": "", "name": f" {HOSTILE} "}).url == SETUP
    table = Table.objects.get(name=HOSTILE)
    sent = {"table": table.pk, "name": "Nine", "place": "0", "accessible": "1", "stream": "1"}
    assert client.post(SETUP, sent).url == SETUP
    table.refresh_from_db()
    assert (table.name, table.place, table.accessible, table.stream) == ("Nine", 0, True, True)
    client.post(SETUP, {"table": Table.objects.get(name="1").pk, "name": "1", "place": "7"})
    names = re.findall(
        r'id="name-\d+" name="name" maxlength="880" required value="([^"]*)"', client.get(SETUP).content.decode()
    )
    assert names == ["Nine", "2", "1"]


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"name": "2"}, "Harbour has a table 2 already."),
        ({"name": "   "}, "A table's name has 1 to 40 characters."),
        ({"name": "x" * 41}, "A table's name has 1 to 40 characters."),
        ({"place": "-1"}, "A place in the order is a number from 0 to 9999."),
        ({"place": "9" * 30}, "A place in the order is a number from 0 to 9999."),
        ({"place": "9" * 5000}, "A place in the order is a number from 0 to 9999."),
        ({"place": "first"}, "A place in the order is a number from 0 to 9999."),
        ({"place": ""}, "A place in the order is a number from 0 to 9999."),
    ],
)
def test_a_refused_table_stands_in_its_row_as_it_was_typed(world, browse, sent, told):
    table = Table.objects.get(name="1")
    answer = browse(world.owner).post(SETUP, {"table": table.pk, "name": "1", "place": "3", "stream": "1"} | sent)
    assert answer.status_code == 422
    html = answer.content.decode()
    row = html[html.index(f'id="table-{table.pk}"') :].split("</li>")[0]
    assert told in row.replace("&#x27;", "'")
    assert f'name="place" inputmode="numeric" maxlength="4" value="{sent.get("place", "3")}"' in row
    assert 'name="stream" value="1" checked' in row
    table.refresh_from_db()
    assert (table.name, table.place, table.stream) == ("1", 0, False)


def test_a_table_of_another_league_is_nobody_s_to_change(world, browse):
    far = Table.objects.create(league=League.objects.get(slug="hill"), name="Far")
    answer = browse(world.owner).post(SETUP, {"table": far.pk, "name": "Mine", "place": "0"})
    assert (answer.status_code, Table.objects.get(pk=far.pk).name) == (404, "Far")


def test_a_wish_is_noted_moves_the_match_and_is_taken_out(world, browse):
    made, ana = cup(world), world.entrants[0]
    client, page = browse(world.owner), address(made, "wishes")
    table = Table.objects.get(name="3")
    sent = {"do": "wish", "entrant": ana.pk, "table": table.pk, "accessible": "1"}
    answer = client.post(page, sent, follow=True)
    assert "It is noted, and 3 matches moved to other tables." in text(answer)
    assert "Ana Ruiz at table 3 only needs an accessible table Take it out : Ana Ruiz" in text(answer)
    assert "Round 1: Ana Ruiz needs an accessible table, and table 3 (Ana Ruiz – Young Yara) is none." in text(answer)
    assert at(made, ana) == "3"
    client.post(page, {"do": "wish", "entrant": ana.pk})
    row = made.registrations.get(entrant=ana)
    ana.refresh_from_db()
    assert (row.pinned_table, ana.needs_accessible) == (None, False)


def test_a_refused_wish_keeps_what_was_chosen(world, browse):
    made, (ana, bo, _) = cup(world), world.entrants
    table = Table.objects.get(name="3")
    set_wishes(made, bo, user=world.owner, table=table, needs_accessible=False)
    sent = {"do": "wish", "entrant": ana.pk, "table": table.pk, "accessible": "1"}
    answer = browse(world.owner).post(address(made, "wishes"), sent)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Table 3 is kept for Bo Chen, who plays at no other one." in html
    assert f'<option value="{ana.pk}" selected>' in html
    assert f'<option value="{table.pk}" selected>3</option>' in html
    assert 'name="accessible" value="1" checked' in html


@pytest.mark.parametrize("wrong", [{"entrant": "9" * 30}, {"entrant": "Ana"}, {"table": "9" * 30}, {"table": "x"}])
def test_a_wish_of_nobody_or_at_no_table_is_not_found(world, browse, wrong):
    made = cup(world)
    sent = {"do": "wish", "entrant": world.entrants[0].pk, "table": Table.objects.get(name="3").pk} | wrong
    assert browse(world.owner).post(address(made, "wishes"), sent).status_code == 404


def test_nobody_but_officials_learns_who_needs_an_accessible_table(world, browse):
    made, ana = cup(world), world.entrants[0]
    Table.objects.filter(name="2").update(accessible=True)
    set_wishes(made, ana, user=world.owner, table=None, needs_accessible=True)
    for path in ("/", f"/competitions/harbour/{made.slug}/", f"/competitions/harbour/{made.slug}/rounds/1/"):
        for who in (None, world.alice, world.bob):
            seen = text(browse(who).get(path)).lower()
            assert "needs" not in seen.replace("needs a decision", "")
    everybody = text(browse(None).get(f"/competitions/harbour/{made.slug}/rounds/1/"))
    assert "Table 2 accessible" in everybody
    assert "needs an accessible table" in text(browse(world.ref).get(address(made, "wishes")))


def test_the_stream_is_told_at_the_round_on_the_home_page_and_nowhere_of_a_minor(world, browse):
    made = cup(world, born=timezone.localdate().year - 12)
    Table.objects.filter(name="2").update(stream=True)
    ana = Slot.objects.get(matchday__stage__competition=made, matchday__number=1, berths__entrant=world.entrants[0])
    other = Slot.objects.filter(matchday=ana.matchday).exclude(pk=ana.pk).get()
    minors, adults = (ana, other) if "Y. Y." in {str(one) for one in ana.berths.all()} else (other, ana)
    put_on_stream(adults, user=world.owner, on=True)
    round_page = f"/competitions/harbour/{made.slug}/rounds/1/"
    assert text(browse(None).get(round_page)).count("On the stream") == 1
    client = browse(world.owner)
    answer = client.post(address(made, "stream", minors.pk), {"on": "1"}, follow=True)
    assert "The stream table is not free for this match: " in text(answer)
    client.post(address(made, "stream", adults.pk), {"on": ""})
    client.post(address(made, "stream", minors.pk), {"on": "1"})
    assert "On the stream" not in text(browse(None).get(round_page))
    assert "On the stream" in text(client.get(address(made, "competition")))


def test_a_table_is_put_out_of_order_by_one_button_and_used_again(world, browse):
    made = cup(world)
    client, page, table = browse(world.owner), address(made, "wishes"), Table.objects.get(name="2")
    assert text(client.get(page)).count("Out of order : Table 2") == 1
    answer = client.post(page, {"do": "broken", "table": table.pk}, follow=True)
    assert "Table 2 is out of order: no match is called there." in text(answer)
    assert "Use it again : Table 2" in text(answer)
    slot = Slot.objects.filter(matchday__stage__competition=made).first()
    assert "2 (out of order)" in text(client.get(address(made, "move", slot.pk)))
    table.refresh_from_db()
    assert table.out_of_order
    client.post(page, {"do": "mended", "table": table.pk})
    table.refresh_from_db()
    assert not table.out_of_order
    assert client.post(page, {"do": "broken", "table": "77777"}).status_code == 404
