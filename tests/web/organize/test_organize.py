"""The organizer's pages: from an empty league to a published competition, and who may."""

import re
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.utils import timezone

from league.accounts.models import Role
from league.competitions.draw.advancing import sweep
from league.competitions.models import Competition, Matchday, Slot, Stage
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.matches.clock.services import start_clock
from league.matches.models import Match, Table
from league.players.models import Player
from league.players.services import enrol
from league.web.organize.forms.competition_form import next_half_hour
from tests.web import world as small

HOME = "/organize/harbour/"
NEW = "/organize/harbour/new/"
NAMES = "\n".join(f"Player {letter}" for letter in "ABCDEFGHIJKLM")


def asked(**changes: str) -> dict[str, str]:
    """The form as a browser sends it, filled for a knock-out of thirteen."""
    return {
        "preset": "udl-night",
        "name": "Friday Cup",
        "starts_at": "2026-12-04T19:00",
        "minutes": "",
        "tables": "6",
        "format": "single_elimination",
        "players": NAMES,
        "release": "all",
        "best_of": "",
        "days_between": "",
        "options": "",
        "tie_break_1": "wins",
        "tie_break_2": "difference",
        "tie_break_3": "points_for",
        "tie_break_4": "",
        "do": "preview",
    } | changes


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def test_a_preview_says_what_it_comes_to_and_stores_nothing(world, browse) -> None:
    before = Player.objects.count(), Match.objects.count(), Table.objects.count()
    answer = browse(world.owner).post(NEW, asked())
    assert answer.status_code == 200
    seen = text_of(answer.content.decode())
    assert "Players 13 Rounds 4 Matches 12" in seen
    assert "First match Fri 4 December 2026, 19:00 Over by about Fri 4 December 2026, 20:20" in seen
    assert (Player.objects.count(), Match.objects.count(), Table.objects.count()) == before


def test_creating_makes_players_tables_and_a_drawn_draft(world, browse) -> None:
    client = browse(world.owner)
    answer = client.post(NEW, asked(do="create"))
    assert (answer.status_code, answer.url) == (302, "/organize/harbour/competitions/friday-cup/")
    made = Competition.objects.get(slug="friday-cup")
    assert (made.ruleset, made.minutes, made.published_at, made.best_of) == ("udl", 20, None, 1)
    assert made.stages.get().format == Stage.Format.SINGLE_ELIMINATION
    assert [str(one) for one in made.registrations.all()] == NAMES.split("\n")
    assert sorted(made.tables.values_list("name", flat=True)) == ["1", "2", "3", "4", "5", "6"]
    html = client.get(answer.url).content.decode()
    assert "Draft: only officials see this" in html
    assert [text_of(one) for one in re.findall(r"<h3><span>(.*?)</span>", html)] == [
        "Round of 16",
        "Quarter-finals",
        "Semi-finals",
        "Final",
    ]
    assert browse().get("/competitions/harbour/friday-cup/").status_code == 404


def test_an_empty_form_offers_the_presets_the_league_s_tables_and_the_next_half_hour(world, browse) -> None:
    html = browse(world.owner).get(NEW).content.decode()
    assert re.findall(r'name="preset" value="([^"]+)"', html) == [
        "udl-night",
        "all-fives-singles",
        "double-six",
        "uno-evening",
        "uno-tables",
        "own",
    ]
    assert re.search(r'name="tables"[^>]* value="1, 2"', html) or re.search(r'value="1, 2"[^>]* name="tables"', html)
    assert re.search(r'name="starts_at" value="20\d\d-\d\d-\d\dT\d\d:[03]0"', html)


@pytest.mark.parametrize(
    ("changes", "field", "sentence"),
    [
        ({"name": ""}, "name", "This field is required."),
        ({"starts_at": "soon"}, "starts_at", "Enter a valid date/time."),
        ({"minutes": "0"}, "minutes", "Ensure this value is greater than or equal to 1."),
        ({"tables": "500"}, "tables", "At most 200 tables."),
        ({"options": "target"}, "options", "Line 1 is not a house rule: write key=value, for example target=100."),
        ({"options": "target=1\ntarget=2"}, "options", "Line 2 sets target a second time."),
        ({"options": "goal=100"}, "options", "the options are announce, announce_grace_s,"),
        ({"options": "muggins=maybe"}, "options", "muggins is off or after_next or before_next"),
        ({"tie_break_2": "wins"}, "tie_break_2", "This is in the order twice."),
        ({"name": "autumn round robin"}, "name", "Harbour has a competition “autumn round robin” already."),
        ({"players": "Ana Ruiz\nAna Ruiz"}, "players", "these lines need a decision: 2."),
        ({"preset": "own"}, "ruleset", "Choose the ruleset."),
        ({"players": "A\nB", "third_place": "on"}, "third_place", "needs two semi-finals that are played"),
    ],
)
def test_an_error_stands_at_its_field_and_nothing_is_lost(world, browse, changes, field, sentence) -> None:
    sent = asked(do="create", **{"ruleset": "", **changes})
    answer = browse(world.owner).post(NEW, sent)
    html = answer.content.decode()
    assert answer.status_code == 422
    error = html.split(f'id="id_{field}_error">')[1].split("</div>")[0].replace("&#x27;", "'")
    assert sentence in text_of(error)
    control = re.search(rf'<(?:input|select|textarea)[^>]*name="{field}"[^>]*>', html).group()
    assert f"id_{field}_error" in control
    assert 'aria-invalid="true"' in control
    assert html.count(" autofocus") == 1
    assert " autofocus" in control
    for name in ("name", "starts_at", "minutes", "tables", "players", "options"):
        assert value_in(html, name) == sent[name], name
    assert Competition.objects.count() == 1
    assert Player.objects.filter(name="Player A").count() == 0


def value_in(html: str, name: str) -> str:
    """What a field of the page holds."""
    area = re.search(rf'<textarea[^>]*name="{name}"[^>]*>\n?(.*?)</textarea>', html, re.DOTALL)
    if area:
        return area.group(1)
    control = re.search(rf'<input[^>]*name="{name}"[^>]*>', html).group()
    return (re.search(r'value="([^"]*)"', control) or re.match("()", "")).group(1)


def test_a_form_that_is_sent_twice_founds_once_and_leads_to_what_it_founded(world, browse) -> None:
    client = browse(world.owner)
    client.post(NEW, asked(do="create"))
    second = client.post(NEW, asked(do="create"))
    assert second.status_code == 422
    assert "Harbour has a competition “Friday Cup” already." in second.content.decode()
    assert Competition.objects.filter(name="Friday Cup").count() == 1


def test_my_own_takes_any_ruleset_with_house_rules(world, browse) -> None:
    sent = asked(
        preset="own", ruleset="muggins", format="double_round_robin", options="target=75", best_of="3", do="create"
    )
    browse(world.owner).post(NEW, sent)
    made = Competition.objects.get(slug="friday-cup")
    assert (made.ruleset, made.options, made.best_of, made.minutes) == ("muggins", {"target": "75"}, 3, 30)
    assert made.stages.get().format == Stage.Format.DOUBLE_ROUND_ROBIN


def test_a_preset_says_what_was_left_to_it(world, browse) -> None:
    browse(world.owner).post(NEW, asked(preset="uno-evening", format="", do="create"))
    made = Competition.objects.get(slug="friday-cup")
    stage = made.stages.get()
    assert (made.ruleset, made.minutes) == ("uno-dominoes", 45)
    assert (stage.format, stage.third_place) == (Stage.Format.SINGLE_ELIMINATION, True)


def test_a_start_is_an_hour_of_the_league(world, browse) -> None:
    browse(world.owner).post(NEW, asked(starts_at="2026-07-03T19:00", do="create"))
    # 19:00 in Lisbon in July is 18:00 in UTC.
    assert Competition.objects.get(slug="friday-cup").starts_at.isoformat() == "2026-07-03T18:00:00+00:00"


# --- Names ---


def namesakes(world) -> list[Player]:
    """Two of one name, told apart by their clubs."""
    since = date(2026, 1, 1)
    return [
        enrol(league=world.league, name="Eva Sol", since=since, club=club).player
        for club in ("Harbour Bar", "Mill Street")
    ]


def test_a_name_of_two_players_is_asked_about_and_the_choice_is_kept(world, browse) -> None:
    _first, second = namesakes(world)
    client = browse(world.owner)
    asks = client.post(NEW, asked(players="New One\nEva Sol", do="create"))
    html = asks.content.decode()
    assert asks.status_code == 422
    assert f'<option value="{second.code}">Eva Sol (Mill Street)</option>' in html
    chosen = asked(players="New One\nEva Sol", do="create") | {"line-2": "Eva Sol", "who-2": second.code}
    assert client.post(NEW, chosen).status_code == 302
    made = Competition.objects.get(slug="friday-cup")
    assert [one.entrant.player_id for one in made.registrations.all()][1] == second.pk
    assert Player.objects.filter(name="Eva Sol").count() == 2


def test_a_new_player_who_could_be_a_known_one_is_shown_before_anything_is_stored(world, browse) -> None:
    known = enrol(league=world.league, name="José Nuñez", since=date(2026, 1, 1)).player
    client = browse(world.owner)
    sent = asked(players="Jose Nunez\nOther One", do="create")
    asks = client.post(NEW, sent)
    html = asks.content.decode()
    assert asks.status_code == 200
    assert "Check these lines: which player is it?" in html
    assert Competition.objects.count() == 1
    assert client.post(NEW, sent | {"line-1": "Jose Nunez", "who-1": ""}).status_code == 302
    assert Player.objects.filter(folded=known.folded).count() == 2


def test_two_new_names_that_differ_by_accents_only_are_shown_before_anything_is_stored(world, browse) -> None:
    client = browse(world.owner)
    sent = asked(players="Eva Ruiz\nEva Ruíz\nOther One", do="create")
    html = client.post(NEW, sent).content.decode()
    assert "New player. Or is it the one of line 1? Then leave this line out." in html
    assert Competition.objects.count() == 1
    assert client.post(NEW, sent | {"line-2": "Eva Ruíz", "who-2": "-"}).status_code == 302
    assert Player.objects.filter(folded="eva ruiz").count() == 1


def test_a_choice_about_a_line_that_was_changed_since_is_dropped(world, browse) -> None:
    _first, second = namesakes(world)
    sent = asked(players="Somebody Else") | {"line-1": "Eva Sol", "who-1": second.code}
    assert value_in(browse(world.owner).post(NEW, sent).content.decode(), "players") == "Somebody Else"


def test_a_line_can_be_left_out(world, browse) -> None:
    sent = asked(players="Ana Ruiz\nAna Ruiz\nNew One", do="create") | {"line-2": "Ana Ruiz", "who-2": "-"}
    assert browse(world.owner).post(NEW, sent).status_code == 302
    made = Competition.objects.get(slug="friday-cup")
    assert [str(one) for one in made.registrations.all()] == ["Ana Ruiz", "New One"]


# --- The draft ---

DRAFT = "/organize/harbour/competitions/friday-cup/"


@pytest.fixture
def draft(world, browse) -> Competition:
    """A drawn knock-out of five, by the owner."""
    sent = asked(players="\n".join(NAMES.split("\n")[:5]), do="create")
    assert browse(world.owner).post(NEW, sent).status_code == 302
    return Competition.objects.get(slug="friday-cup")


def order(competition: Competition) -> str:
    """The last letters of the names, in the order of seeds."""
    return "".join(str(one)[-1] for one in competition.registrations.order_by("seed"))


def entrant(competition: Competition, letter: str) -> int:
    return competition.registrations.get(entrant__player__name=f"Player {letter}").entrant_id


def test_seeds_move_by_buttons_and_the_button_keeps_the_focus(world, browse, draft) -> None:
    client = browse(world.owner)
    moved = entrant(draft, "C")
    answer = client.post(f"{DRAFT}seeds/", {"up": moved})
    assert (order(draft), answer.url) == ("ACBDE", f"{DRAFT}?moved={moved}&way=up")
    html = client.get(answer.url).content.decode()
    assert re.search(rf'name="up" value="{moved}" autofocus>', html)
    assert "Everybody here? Then draw" in html
    client.post(f"{DRAFT}seeds/", {"down": entrant(draft, "A")})
    assert order(draft) == "CABDE"
    client.post(f"{DRAFT}seeds/", {"up": entrant(draft, "C")})
    assert order(draft) == "CABDE"


def test_seeds_are_sorted_by_typed_numbers(world, browse, draft) -> None:
    numbers = {f"seed-{one.entrant_id}": str(one.seed) for one in draft.registrations.all()}
    browse(world.owner).post(f"{DRAFT}seeds/", numbers | {f"seed-{entrant(draft, 'E')}": "2", "do": "sort"})
    assert order(draft) == "AEBCD"


def test_whoever_orders_the_seeds_reads_the_names_of_minors_and_nobody_else_does(world, browse, draft) -> None:
    Player.objects.filter(name="Player B").update(born=timezone.now().year - 10)
    assert '<bdi class="name">Player B</bdi>' in browse(world.owner).get(DRAFT).content.decode()
    assert "Player B" not in browse(world.ref).get(DRAFT).content.decode()


def test_lots_change_the_order_and_nobody_is_lost(world, browse, draft, monkeypatch) -> None:
    monkeypatch.setattr("random.SystemRandom.shuffle", lambda _self, rows: rows.reverse())
    browse(world.owner).post(f"{DRAFT}seeds/", {"do": "lots"})
    assert order(draft) == "EDCBA"


def test_somebody_is_taken_out_and_others_are_added(world, browse, draft) -> None:
    client = browse(world.owner)
    client.post(f"{DRAFT}seeds/", {"remove": entrant(draft, "B")})
    assert order(draft) == "ACDE"
    answer = client.post(f"{DRAFT}entrants/", {"players": "Player X\nPlayer Y"})
    assert (answer.status_code, answer.url) == (302, f"{DRAFT}#entrants")
    assert order(draft) == "ACDEXY"
    again = client.post(f"{DRAFT}entrants/", {"players": "Player X"})
    assert again.status_code == 422
    assert "Player X is registered for Friday Cup already." in again.content.decode()
    assert "Player X" in value_in(again.content.decode(), "players")
    assert client.post(f"{DRAFT}entrants/", {"players": "Player\0"}).status_code == 422


def test_it_is_drawn_anew_after_a_change(world, browse, draft) -> None:
    client = browse(world.owner)
    client.post(f"{DRAFT}seeds/", {"remove": entrant(draft, "E")})
    assert not Matchday.objects.filter(stage__competition=draft).exists()
    client.post(f"{DRAFT}draw/")
    assert Matchday.objects.filter(stage__competition=draft).count() == 2


def test_a_draft_is_planned_anew(world, browse, draft) -> None:
    client = browse(world.owner)
    html = client.get(f"{DRAFT}plan/").content.decode()
    assert (value_in(html, "name"), value_in(html, "minutes"), value_in(html, "tables")) == (
        "Friday Cup",
        "20",
        "1, 2, 3, 4, 5, 6",
    )
    assert 'name="players"' not in html
    sent = asked(preset="own", ruleset="udl", format="round_robin", do="create")
    answer = client.post(f"{DRAFT}plan/", sent)
    assert (answer.status_code, answer.url) == (302, DRAFT)
    assert Slot.objects.filter(matchday__stage__competition=draft, match__isnull=False).count() == 10


def test_publishing_twice_publishes_once_and_says_so(world, browse, draft) -> None:
    client = browse(world.owner)
    first = client.post(f"{DRAFT}publish/", follow=True).content.decode()
    assert "It is published: everybody sees it now." in first
    published = Competition.objects.get(pk=draft.pk).published_at
    second = client.post(f"{DRAFT}publish/", follow=True).content.decode()
    assert "It was published already. Nothing changed." in second
    assert Competition.objects.get(pk=draft.pk).published_at == published
    assert browse().get("/competitions/harbour/friday-cup/").status_code == 200


def test_what_is_published_cannot_be_drawn_or_planned_anew(world, browse, draft) -> None:
    client = browse(world.owner)
    client.post(f"{DRAFT}publish/")
    assert (
        "is published, so this can’t be changed any more." in client.post(f"{DRAFT}draw/", follow=True).content.decode()
    )
    assert client.get(f"{DRAFT}plan/").url == DRAFT
    html = client.get(DRAFT).content.decode()
    assert "Redraw" not in html
    assert 'name="remove"' not in html


def test_the_next_round_is_published_with_a_reason_when_results_are_missing(world, browse) -> None:
    client = browse(world.owner)
    client.post(NEW, asked(players="\n".join(NAMES.split("\n")[:4]), release="round_by_round", do="create"))
    client.post(f"{DRAFT}publish/")
    html = client.get(DRAFT).content.decode()
    assert "2 confirmed results are missing before Final:" in text_of(html)
    refused = client.post(f"{DRAFT}rounds/2/publish/", {"reason": " "})
    html = refused.content.decode()
    assert refused.status_code == 422
    assert (
        "Confirmed results are missing before Final: Semi-finals: Player A – Player D; Semi-finals: Player B – Player C"
        in html
    )
    assert " autofocus" in re.search(r'<input[^>]*name="reason"[^>]*>', html).group()
    told = client.post(f"{DRAFT}rounds/2/publish/", {"reason": "The bar closes."}, follow=True).content.decode()
    assert "Final: published. Everybody sees it now." in told
    assert "begun with 2 confirmed results missing" in told
    assert "Reason given: The bar closes." in told
    again = client.post(f"{DRAFT}rounds/2/publish/", {"reason": "x"}, follow=True).content.decode()
    assert "Final was published already. Nothing changed." in again


def test_a_match_is_moved_to_another_table_and_hour(world, browse, draft) -> None:
    client = browse(world.owner)
    first, second = Slot.objects.filter(matchday__stage__competition=draft, match__isnull=False).order_by(
        "matchday", "pk"
    )[:2]
    address = f"{DRAFT}slots/{first.pk}/"
    assert "Player D" in client.get(address).content.decode()
    table = Table.objects.get(name="6")
    answer = client.post(address, {"table": table.pk, "starts_at": "2026-12-04T22:30"})
    assert (answer.status_code, answer.url) == (302, f"{DRAFT}?slot={first.pk}#slot-{first.pk}")
    first.refresh_from_db()
    assert (first.table, first.starts_at.isoformat()) == (table, "2026-12-04T22:30:00+00:00")
    taken = client.post(f"{DRAFT}slots/{second.pk}/", {"table": table.pk, "starts_at": "2026-12-04T22:40"})
    assert taken.status_code == 422
    assert "Table 6 has a match of Friday Cup" in taken.content.decode()
    assert value_in(taken.content.decode(), "starts_at") == "2026-12-04T22:40"


# --- The league's home ---


def test_the_home_says_what_to_do_next(world, browse) -> None:
    client = browse(world.owner)
    client.post(NEW, asked(name="Empty Cup", players="", do="create"))
    client.post(NEW, asked(name="Drawn Cup", players="A\nB\nC", do="create"))
    client.post(NEW, asked(name="Undrawn Cup", players="A\nB\nC", tables="", do="create"))
    undrawn = Competition.objects.get(name="Undrawn Cup")
    client.post(
        "/organize/harbour/competitions/undrawn-cup/seeds/", {"up": undrawn.registrations.get(seed=2).entrant_id}
    )
    world.matches[0].table = Table.objects.get(name="1")
    small.played(world, world.matches[0])
    small.enter(judged(world, world.matches[1], "violation"), needs_decision=True)
    steps = [text_of(one) for one in re.findall(r'<a class="step.*?</a>', client.get(HOME).content.decode(), re.DOTALL)]
    assert steps == [
        "1 result needs a decision: table 1",
        "1 result waits for confirmation: table 1",
        "Play Round 1: 1 match has no confirmed result yet.",
        "Check the draw, then publish it.",
        "Add players: a draw needs at least 2.",
        "Draw it.",
    ]


@pytest.mark.parametrize(
    ("changes", "step"),
    [
        ({"format": "double_elimination"}, "Add players: a draw needs at least 3."),
        ({"format": "groups", "groups": "3", "then": "single_elimination", "advance_each": "1"}, "needs at least 6."),
        ({"format": "round_robin", "pairs": "on"}, "Add pairs: a draw needs at least 2."),
    ],
)
def test_the_home_says_how_many_the_format_takes(world, browse, changes, step) -> None:
    client = browse(world.owner)
    made = client.post(NEW, asked(name="Small Cup", players="", do="create", **changes))
    assert made.status_code == 302, text_of(made.content.decode())
    told = text_of(client.get(HOME).content.decode())
    assert step in told
    assert told.count("a draw needs") == 1


def judged(world, match: Match, status: str):
    record = small.hand_in(world.game(match), world.alice, side=1)
    small.judge(record, status)
    return record


def test_what_is_over_stands_under_finished(world, browse) -> None:
    for match in world.matches:
        small.played(world, match, official=True)
    sweep()
    html = browse(world.owner).get(HOME).content.decode()
    assert "Nothing is being prepared or played." in html
    assert "All results confirmed" in html


# --- The screen of tables ---

TABLES = "/organize/harbour/tables/"


def tonight(world) -> None:
    """The three matches began ten minutes ago, at tables 1, 2 and 3."""
    began = timezone.now() - timedelta(minutes=10)
    for number, match in enumerate(world.matches, start=1):
        table, _made = Table.objects.get_or_create(league=world.league, name=str(number))
        Match.objects.filter(pk=match.pk).update(table=table, starts_at=began)


def cards(html: str) -> list[str]:
    return [text_of(one) for one in re.findall(r'<li class="card table-card.*?</li>', html, re.DOTALL)]


def test_the_tables_show_what_needs_somebody_first(world, browse) -> None:
    tonight(world)
    small.played(world, world.matches[1])
    html = browse(world.owner).get(TABLES).content.decode()
    assert [card.split(" Autumn")[0] for card in cards(html)] == [
        "Table 2 Waiting for confirmation",
        "Table 1 No result yet",
        "Table 3 No result yet",
    ]
    by_table = browse(world.owner).get(f"{TABLES}?sort=table").content.decode()
    assert [card[:7] for card in cards(by_table)] == ["Table 1", "Table 2", "Table 3"]
    assert "(1) All tables" in html
    assert "As of " in html


def test_a_clock_that_runs_is_on_the_screen(world, browse) -> None:
    tonight(world)
    start_clock(world.game(world.matches[0]), world.owner, at=timezone.now() - timedelta(minutes=5))
    card = next(card for card in cards(browse(world.owner).get(TABLES).content.decode()) if card.startswith("Table 1"))
    assert re.match(r"Table 1 Being played (10:00|9:5\d) left Autumn Round Robin , Round 1", card)


def test_a_result_is_confirmed_from_the_tables(world, browse) -> None:
    result = small.played(world)
    client = browse(world.owner)
    html = client.get(TABLES).content.decode()
    assert "Confirm 150–95" in html
    assert f'href="/matches/{world.match.pk}/#disagree-1"' in html
    assert 'id="disagree-1"' in client.get(f"/matches/{world.match.pk}/").content.decode()
    answer = client.post(f"{TABLES}confirm/", {"result": result.pk}, follow=True)
    assert answer.redirect_chain == [(TABLES, 302)]
    assert "The result is confirmed now." in answer.content.decode()
    again = client.post(f"{TABLES}confirm/", {"result": result.pk}, follow=True)
    assert "is confirmed already." in again.content.decode()


def test_nobody_confirms_from_the_tables_what_they_handed_in(world, browse) -> None:
    result = small.played(world, by=world.owner)
    client = browse(world.owner)
    assert "Confirm 150–95" not in client.get(TABLES).content.decode()
    assert client.post(f"{TABLES}confirm/", {"result": result.pk}).status_code == 403
    result.refresh_from_db()
    assert result.state == "provisional"


def test_a_result_of_another_league_is_not_there(world, browse) -> None:
    result = small.played(world)
    told = browse(world.charlie).post("/organize/hill/tables/confirm/", {"result": result.pk}, follow=True)
    assert "There is no such result any more." in told.content.decode()
    result.refresh_from_db()
    assert result.state == "provisional"


def test_what_is_at_no_table_is_on_the_screen_too(world, browse) -> None:
    """A match without a table, and those that should be over."""
    Match.objects.filter(pk=world.matches[0].pk).update(table=None)
    seen = cards(browse(world.owner).get(TABLES).content.decode())
    assert [card.split(" Autumn")[0] for card in seen] == [
        "Without a table No result yet",
        "Table 1 No result yet",
        "Table 1 No result yet",
        "Table 1 Free",
        "Table 2 Free",
    ]


def test_the_page_looks_again_by_itself_until_it_is_told_not_to(world, browse) -> None:
    client = browse(world.owner)
    live = client.get(TABLES).content.decode()
    assert '<noscript><meta http-equiv="refresh" content="20"></noscript>' in live
    assert "web/organize/tables.js" in live
    still = client.get(f"{TABLES}?live=off").content.decode()
    assert "http-equiv" not in still
    assert "tables.js" not in still


# --- Who may ---

READ = [HOME, TABLES, "/organize/harbour/competitions/autumn/", "/organize/harbour/competitions/autumn/tables/"]
MANAGE = [
    NEW,
    "/organize/harbour/competitions/autumn/plan/",
    "/organize/harbour/competitions/autumn/entrants/",
    "/organize/harbour/competitions/autumn/slots/{slot}/",
]
POSTS = ["seeds/", "draw/", "publish/", "rounds/1/publish/"]
ROLES = {
    "owner": (200, 200),
    "manager": (200, 200),
    "head_referee": (200, 403),
    "referee": (200, 403),
    "desk_helper": (200, 403),
    "read_only": (200, 403),
    "player": (403, 403),
    "owner of another league": (404, 404),
    "nobody": (302, 302),
}


def somebody(world, role: str):
    if role in {"nobody", "owner of another league"}:
        return None if role == "nobody" else world.charlie
    user = small.account("somebody")
    Role.objects.create(user=user, league=world.league, kind=role)
    return user


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_the_pages_that_are_meant_for_it(db, browse, role) -> None:
    world = small.build(published=False)
    client = browse(somebody(world, role))
    slot = Slot.objects.filter(match__isnull=False).first()
    reads, manages = ROLES[role]
    got = {page: client.get(page.format(slot=slot.pk)).status_code for page in READ + MANAGE}
    assert got == dict.fromkeys(READ, reads) | dict.fromkeys(MANAGE, manages)
    posts = {one: client.post(f"/organize/harbour/competitions/autumn/{one}").status_code for one in POSTS}
    # Whoever may is led back to the page, or told at the round that the competition is not published yet.
    done = dict.fromkeys(POSTS, 302 if manages == 200 else manages)
    assert posts == done
    assert (Competition.objects.get().published_at is not None) == (manages == 200)


@pytest.mark.parametrize("path", ["publish/", "draw/", "seeds/"])
def test_acts_are_never_done_by_following_a_link_or_from_another_site(world, browse, path) -> None:
    address = f"/organize/harbour/competitions/autumn/{path}"
    # The seeds have a page, which changes nothing.
    assert browse(world.owner).get(address).status_code == (302 if path == "seeds/" else 405)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(world.owner)
    assert strict.post(address).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/organize/nowhere/",
        "/organize/harbour/competitions/spring/",
        "/organize/harbour/competitions/autumn/slots/999999/",
        "/organize/harbour/competitions/spring/tables/",
    ],
)
def test_what_is_not_there_is_absent(world, browse, path) -> None:
    assert browse(world.owner).get(path).status_code == 404


def test_the_menu_leads_there_whoever_has_a_part_in_a_league_only(world, browse) -> None:
    link = 'href="/organize/"'
    assert link in browse(world.ref).get("/").content.decode()
    assert link not in browse(world.alice).get("/").content.decode()
    assert link not in browse().get("/").content.decode()
    assert browse(world.ref).get("/organize/").url == HOME
    assert "You don’t help run any league yet." in browse(world.alice).get("/organize/").content.decode()


# --- Constant statements ---


@pytest.mark.parametrize("rows", [1, 3, 12])
def test_the_home_takes_the_same_statements_for_any_number_of_competitions(
    world, browse, django_assert_num_queries, rows
) -> None:
    client = browse(world.owner)
    small.played(world, world.matches[0])
    for number in range(1, rows):
        client.post(NEW, asked(name=f"Cup {number}", players="A\nB\nC\nD", do="create"))
    with django_assert_num_queries(HOME_STATEMENTS):
        html = client.get(HOME).content.decode()
    assert html.count('<li class="card">') == rows


@pytest.mark.parametrize("players", [2, 3, 13])
def test_a_draft_takes_the_same_statements_for_any_number_of_players(
    world, browse, django_assert_num_queries, players
) -> None:
    client = browse(world.owner)
    client.post(NEW, asked(players="\n".join(NAMES.split("\n")[:players]), do="create"))
    with django_assert_num_queries(DRAFT_STATEMENTS):
        client.get(DRAFT)


@pytest.mark.parametrize("rows", [1, 3])
def test_the_tables_take_the_same_statements_for_any_number_of_results(
    world, browse, django_assert_num_queries, rows
) -> None:
    tonight(world)
    for match in world.matches[:rows]:
        small.played(world, match)
    client = browse(world.owner)
    with django_assert_num_queries(TABLE_STATEMENTS):
        html = client.get(TABLES).content.decode()
    assert html.count("Confirm 150–95") == rows


HOME_STATEMENTS = 37
DRAFT_STATEMENTS = 47
TABLE_STATEMENTS = 24


# --- The order of the table ---


def test_the_organizer_chooses_tie_breaks_points_and_edition_and_finds_them_again(world, browse) -> None:
    client = browse(world.owner)
    chosen = {
        "format": "round_robin",
        "tie_break_1": "match_points",
        "tie_break_2": "direct_encounter",
        "tie_break_3": "sonneborn_berger",
        "tie_break_5": "lot",
        "win_points": "3",
        "draw_points": "1",
        "loss_points": "0",
        "bye_points": "2",
        "tie_break_edition": "2024",
        "direct_by": "wins",
        "forfeit_points": "True",
    }
    client.post(NEW, asked(do="create", **chosen))
    made = Competition.objects.get(slug="friday-cup")
    assert made.tie_breaks == ["match_points", "direct_encounter", "sonneborn_berger", "lot"]
    assert (made.win_points, made.draw_points, made.loss_points, made.bye_points) == (3, 1, 0, 2)
    assert (made.tie_break_edition, made.direct_by, made.forfeit_points) == (2024, "wins", True)
    html = client.get("/organize/harbour/competitions/friday-cup/plan/").content.decode()
    kept = {"tie_break_1": "match_points", "tie_break_4": "lot", "tie_break_edition": "2024"}
    for name, value in (kept | {"direct_by": "wins", "forfeit_points": "True"}).items():
        select = html.split(f'name="{name}"')[1].split("</select>")[0]
        assert f'<option value="{value}" selected>' in select, name
    assert value_in(html, "win_points") == "3"


def test_settings_and_order_that_nobody_changed_are_the_usual_ones_of_the_format(world, browse) -> None:
    for name, chosen in (("Robin", "round_robin"), ("Swiss", "swiss")):
        client = browse(world.owner)
        assert (
            client.post(NEW, asked(do="create", name=name, preset="own", ruleset="udl", format=chosen)).status_code
            == 302
        )
    robin, swiss = Competition.objects.get(slug="robin"), Competition.objects.get(slug="swiss")
    assert [(one.direct_by, one.forfeit_points) for one in (robin, swiss)] == [("points", False)] * 2
    assert robin.tie_breaks == ["wins", "difference", "points_for"]
    assert swiss.tie_breaks == [
        *("match_points", "direct_encounter", "buchholz_cut_1", "buchholz", "sonneborn_berger", "wins"),
    ]


def test_the_organizer_chooses_the_length_of_the_last_rounds_and_club_mates_apart(world, browse) -> None:
    client = browse(world.owner)
    chosen = {"format": "single_elimination", "semi_finals_best_of": "3", "final_best_of": "5", "clubs_apart": "on"}
    client.post(NEW, asked(do="create", **chosen))
    made = Competition.objects.get(slug="friday-cup")
    assert (made.own_best_of, made.clubs_apart) == ({"semi_finals": 3, "final": 5}, True)
    html = client.get("/organize/harbour/competitions/friday-cup/plan/").content.decode()
    for name, value in (("semi_finals_best_of", "3"), ("final_best_of", "5")):
        assert f'<option value="{value}" selected>' in html.split(f'name="{name}"')[1].split("</select>")[0]
    assert "checked" in html.split('name="clubs_apart"')[1].split(">")[0]
    desk = client.get("/organize/harbour/competitions/friday-cup/").content.decode()
    for told in ("Semi-finals: best of 3 games", "Final: best of 5 games", "club mates apart"):
        assert told in desk
    rules = client.get("/competitions/harbour/friday-cup/rules/").content.decode()
    assert "Final: best of 5 games" in rules
    chosen |= {"name": "Robin", "format": "round_robin"}
    assert client.post(NEW, asked(do="create", **chosen)).status_code == 302, "settings of other formats are left out"
    robin = Competition.objects.get(slug="robin")
    assert (robin.own_best_of, robin.clubs_apart) == ({}, False)


def test_every_tie_break_is_offered_once(world, browse) -> None:
    html = browse(world.owner).get(NEW).content.decode()
    select = html.split('name="tie_break_1"')[1].split("</select>")[0]
    assert sorted(re.findall(r'<option value="(\w+)"', select)) == sorted(TIE_BREAKS)
    answer = browse(world.owner).post(NEW, asked(do="create", tie_break_1="performance"))
    assert answer.status_code == 302
    assert Competition.objects.get(slug="friday-cup").tie_breaks == ["performance", "difference", "points_for"]


def test_lots_are_drawn_by_a_button_where_they_end_the_table(world, browse) -> None:
    client = browse(world.owner)
    page = "/organize/harbour/competitions/autumn/"
    assert "Draw the lots" not in client.get(page).content.decode()
    Competition.objects.update(tie_breaks=["wins", "lot"])
    assert "Draw the lots" in client.get(page).content.decode()
    assert "Draw the lots" not in browse(world.ref).get(page).content.decode()
    answer = client.post(f"{page}lots/", follow=True)
    assert "The lots are drawn." in text_of(answer.content.decode())
    assert sorted(world.competition.registrations.values_list("lot", flat=True)) == [1, 2, 3]
    assert "Draw the lots" not in client.get(page).content.decode()
    again = client.post(f"{page}lots/", follow=True)
    assert "Everybody has a lot already." in text_of(again.content.decode())


@pytest.mark.parametrize(
    ("now", "first"),
    [
        ("2027-03-28T00:56:00+00:00", "2027-03-28T02:00:00+01:00"),  # from 1:00 to 2:00 there is no hour
        ("2027-10-31T00:10:00+00:00", "2027-10-31T02:00:00+00:00"),  # 1:00 comes twice
        ("2027-06-01T10:31:00+00:00", "2027-06-01T12:00:00+01:00"),
    ],
)
def test_the_empty_form_proposes_an_hour_that_it_takes(now, first) -> None:
    lisbon = ZoneInfo("Europe/Lisbon")
    assert next_half_hour(datetime.fromisoformat(now).astimezone(lisbon)).isoformat() == first
