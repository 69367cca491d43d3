"""The schedule of a competition, who takes part, and by which rules."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.rulesets import RULESETS
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Matchday, Registration, Stage
from league.competitions.registration.entries import register
from league.matches.models import Match
from league.web.competitions.rules import house_rules, rule_lines
from league.web.words.rules import rules_in_short
from tests.web import world as small
from tests.web.organize.test_organize import text_of

SITE = "/competitions/harbour/autumn/"


def agenda(html: str) -> list[str]:
    """Day by day, each match as a line."""
    lines = re.split(r'(<h3>.*?</h3>|<li>\s*<span class="hour">.*?</li>)', html, flags=re.DOTALL)
    return [text_of(line) for line in lines if line.startswith(("<h3>", "<li>"))]


def test_the_schedule_goes_by_day_in_the_hours_of_the_league(world, browse) -> None:
    Match.objects.filter(pk=world.match.pk).update(starts_at=small.FIRST.replace(month=7))
    small.played(world, official=True)
    told = agenda(browse().get(f"{SITE}schedule/").content.decode())
    # 19:00 in UTC is 20:00 in Lisbon in July.
    assert told[0] == "Monday 6 July 2026"
    assert told[1].startswith("20:00 ")
    assert re.search(r" Table \d Round \d$", told[1]), "a confirmed result says nothing more"
    assert "Ana Ruiz – Bo Chen" in told[1] or "Bo Chen – Ana Ruiz" in told[1]
    assert "150–95" in told[1] or "95–150" in told[1]
    assert len(told) == 6


def test_what_has_no_hour_stands_last(world, browse) -> None:
    Match.objects.filter(pk=world.match.pk).update(starts_at=None)
    Competition.objects.update(starts_at=None)
    world.match.slot.__class__.objects.filter(match=world.match.pk).update(starts_at=None)
    told = agenda(browse().get(f"{SITE}schedule/").content.decode())
    assert told[-2] == "No time yet"
    assert "Ana Ruiz" in told[-1]


def test_a_round_that_is_not_published_is_counted_and_not_shown(world, browse) -> None:
    hidden = Matchday.objects.get(stage__competition=world.competition, number=3)
    Matchday.objects.filter(pk=hidden.pk).update(published_at=None)
    html = browse().get(f"{SITE}schedule/").content.decode()
    assert len(re.findall(r'class="hour"', html)) == 2
    assert "1 more round appears here" in html
    staff = browse(world.ref).get(f"{SITE}schedule/").content.decode()
    assert len(re.findall(r'class="hour"', staff)) == 3
    assert "Not published" in staff


def test_a_long_schedule_opens_at_the_first_match_that_is_not_over(db, browse) -> None:
    world = small.build(players=12)  # 66 matches, 60 on a page
    client = browse()
    assert "Page 1 of 2" in client.get(f"{SITE}schedule/").content.decode()
    Match.objects.filter(pk__in=[match.pk for match in world.matches[:61]]).update(state=Match.State.DECIDED)
    assert "Page 2 of 2" in client.get(f"{SITE}schedule/").content.decode()
    assert "Page 1 of 2" in client.get(f"{SITE}schedule/?page=1").content.decode()


@pytest.mark.parametrize("page", ["schedule/", "players/", "rules/", "standings/"])
def test_each_page_takes_the_same_statements_for_three_and_nine(db, browse, page) -> None:
    counts = []
    for size in (3, 9):
        plan = Plan(name=f"Robin {size}", ruleset="udl", starts_at=small.FIRST, tables=("1", "2"))
        if size == 3:
            world = small.build(players=9)
        made = found(world.league, plan, user=world.owner)
        register(made, world.entrants[:size])
        draw(made, user=world.owner)
        publish(made, user=world.owner)
        client, path = browse(), f"/competitions/harbour/robin-{size}/{page}"
        client.get(path)
        with CaptureQueriesContext(connection) as asked:
            assert client.get(path).status_code == 200
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_the_players_stand_by_seed_with_their_rating_and_whether_they_left(world, browse) -> None:
    Registration.objects.filter(entrant=world.entrants[1]).update(rating=1712)
    withdraw(world.competition, world.entrants[2], user=world.owner, reason="ill")
    html = browse().get(f"{SITE}players/").content.decode()
    rows = [text_of(row) for row in html.split("<tbody>")[1].split("</tr>")[:-1]]
    assert rows == ["1 Ana Ruiz –", "2 Bo Chen 1712", "3 Cleo Diaz – has left"]


# --- Rules ---


def agreed(**options: str) -> None:
    Competition.objects.update(options=options)


def test_the_rules_page_says_what_differs_and_what_is_usual(world, browse) -> None:
    agreed(target="100", muggins="off")
    html = browse().get(f"{SITE}rules/").content.decode()
    target = html.split('id="udl.target"')[1].split("</div>")[0]
    assert "Differs here" in target
    assert "The first player with 100 points wins at once" in target
    assert "Usually: The first player with 150 points wins at once" in target
    house = text_of(html.split('id="house"')[1].split("</section>")[0])
    assert "target : 100 usually 150 · Rule 0.23".replace(" :", ":") in house.replace(" :", ":")
    assert 'href="#udl.target"' in html
    assert "to 100 points · one game per match · 15 minutes · muggins off · 2 house rules" in html


def test_without_house_rules_nothing_is_marked(world, browse) -> None:
    html = browse().get(f"{SITE}rules/").content.decode()
    assert "Differs here" not in html
    assert "None: UDL Dominoes is played by its standard rules." in html


def test_every_rule_has_the_address_that_verdicts_name(world, browse) -> None:
    html = browse().get(f"{SITE}rules/").content.decode()
    assert {f'id="udl.{slug}"' for slug in RULESETS["udl"].rules} <= set(re.findall(r'id="udl\.[^"]+"', html))


@pytest.mark.parametrize("key", RULESETS)
def test_a_house_rule_changes_the_rules_it_is_named_with_and_no_others(key) -> None:
    rules = RULESETS[key].with_options({"target": "77"})
    (one,) = house_rules(rules)
    assert (one.key, one.value) == ("target", "77")
    assert {name for name, _number in one.rules} == {line.id for line in rule_lines(rules) if line.differs}
    assert one.rules


@pytest.mark.parametrize(("options", "sum_"), [({}, "6 + 6 + 5 + 3 = 20"), ({"spinner": "none"}, "6 + 6 + 3 = 15")])
def test_the_example_is_counted_by_the_referee_under_the_rules_here(world, browse, options, sum_) -> None:
    agreed(**options)
    assert sum_ in browse().get(f"{SITE}rules/").content.decode()


def test_rules_that_are_not_known_any_more_are_said_to_be(world, browse) -> None:
    Competition.objects.update(ruleset="forgotten")
    html = browse().get(f"{SITE}rules/").content.decode()
    assert "The rules of this competition are not known here any more." in html


def test_a_verdict_leads_to_its_rule_in_this_competition(world, browse) -> None:
    record = small.hand_in(world.game(), world.ref)
    small.judge(record, "corrected", findings=[small.CORRECTION])
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert f'<a href="{SITE}rules/#udl.score">' in html


def test_the_short_line_of_every_system_says_its_target_and_its_clock() -> None:
    short = {key: rules_in_short(Competition(ruleset=key, best_of=3)) for key in RULESETS}
    assert short["udl"] == ["to 150 points", "best of 3 games", "15 minutes", "muggins on"]
    assert short["uno-dominoes"][:2] == ["to 500 points", "best of 3 games"]
    assert not any("muggins" in part for part in short["uno-dominoes"])
    assert rules_in_short(Competition(ruleset="forgotten")) == []


# --- Tabs ---


@pytest.mark.parametrize(
    "page", ["", "standings/", "places/", "cross-table/", "schedule/", "players/", "rules/", "files/"]
)
def test_each_tab_is_an_address_and_says_that_it_is_the_one_shown(world, browse, page) -> None:
    html = browse().get(f"{SITE}{page}").content.decode()
    tabs = html.split('class="switch tabs"')[1].split("</nav>")[0]
    shown = re.findall(r'href="([^"]+)" aria-current="page"', tabs)
    assert shown == [f"{SITE}{page}"]


def test_a_tab_stands_only_where_there_is_something(world, browse) -> None:
    cup = small.knock_out(world)
    html = browse().get(f"/competitions/harbour/{cup.slug}/").content.decode()
    tabs = re.findall(
        r'href="/competitions/harbour/cup/([^"]*)"', html.split('class="switch tabs"')[1].split("</nav>")[0]
    )
    assert tabs == ["", "bracket/", "ranking/", "schedule/", "players/", "rules/", "files/"]
    assert Stage.objects.filter(competition=cup).count() == 1


# --- The table on a page of its own ---


def test_a_result_under_review_is_marked_and_leads_to_the_match(world, browse) -> None:
    small.played(world)
    html = browse().get(f"{SITE}standings/").content.decode()
    assert "under review" not in html
    world.game().results.update(needs_decision=True)
    html = browse().get(f"{SITE}standings/").content.decode()
    assert html.count(f'<a class="under-review" href="/matches/{world.match.pk}/">') == 2


def test_the_table_sorts_by_ratings_whoever_has_none_last(world, browse) -> None:
    for entrant, rating in zip(world.entrants, (1500, 1700, None), strict=True):
        Registration.objects.filter(entrant=entrant).update(rating=rating)
    html = browse().get(f"{SITE}standings/?sort=rating").content.decode()
    rows = html.split("<tbody>")[1].split("</tbody>")[0]
    assert re.findall(r"<bdi>([^<]+)</bdi></a></?", rows) == ["Bo Chen", "Ana Ruiz", "Cleo Diaz"]
    assert 'aria-sort="descending"' in html


def test_on_paper_the_table_says_from_when_it_is_and_which_state_of_the_results(world, browse) -> None:
    client, found_ = browse(), []
    for official in (None, True):
        if official:
            small.played(world, official=True)
        html = client.get(f"{SITE}standings/?all=1").content.decode()
        stamp = text_of(html.split('class="stamp"')[1].split("</p>")[0])
        assert re.search(r"As of \d+ \w+ \d{4}, \d\d:\d\d", stamp)
        found_.append(re.search(r"state of the results (\w{16})", stamp).group(1))
    assert found_[0] != found_[1]
