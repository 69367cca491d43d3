"""The page of one match: score, rounds, verdict, findings at their lines, and the confirmation."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.models import Game, Match, Result, SealedLog
from tests.web import world as small

STATUSES = {
    "verified": "Verified",
    "corrected": "Corrected",
    "violation": "A rule was broken",
    "incomplete": "Incomplete",
    "impossible": "Impossible",
    "unreadable": "Unreadable",
}


def text(html: str) -> str:
    """What is read on the page, in one line."""
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def table(html: str, heading: str = "") -> list[str]:
    """The rows of the table under a heading of the first game, or of the first one of the page."""
    body = (
        html.split(f'<h2 id="{heading}-1">' if heading else "<main")[1]
        .split("<tbody>")[1]
        .split("</tbody>", maxsplit=1)[0]
    )
    return [text(row) for row in body.split("</tr>")[:-1]]


@pytest.fixture
def shown(world, browse):
    """The match page as somebody sees it."""

    def fetch(user=None, query: str = "") -> str:
        return browse(user).get(f"/matches/{world.match.pk}/{query}").content.decode()

    return fetch


def test_a_match_to_come_shows_when_where_and_the_code_of_its_game(world, shown) -> None:
    Match.objects.update(starts_at=timezone.now() + timedelta(days=1))
    html = shown()
    assert "Upcoming" in html
    assert "No log of this game has been submitted yet." in html
    assert world.game().code in html
    assert "Submit the log" not in html
    assert "Submit the log" in shown(world.alice)


def test_a_match_that_has_begun_is_not_to_come(world, shown, browse) -> None:
    Match.objects.update(starts_at=timezone.now() - timedelta(minutes=1))
    assert "No result yet" in shown()
    assert "Upcoming" not in shown()
    assert "Upcoming" not in browse().get("/competitions/harbour/autumn/").content.decode()


def test_many_logs_and_findings_do_not_bury_the_page(world, shown) -> None:
    for _number in range(7):
        record = small.hand_in(world.game(), world.alice, side=1)
        small.judge(record, "corrected", findings=[small.CORRECTION] * 31)
    html = shown()
    assert "<summary>Older logs</summary>" in html
    assert html.split("<summary>Older logs</summary>")[1].count("Show this log") == 2
    assert "The others stand at their lines in the log below." in html


def test_the_score_card_adds_up_and_underlines_the_leader(world, shown) -> None:
    small.played(world)
    html = shown()
    assert table(html, "card") == [
        "A seat A Ana Ruiz 150 winner 85 +85 150 +65",
        "B seat B Bo Chen 95 60 +60 95 +35",
    ]
    assert html.count('<td class="ahead">') == 2


def test_each_round_has_its_spinner_leader_end_points_and_score(world, shown) -> None:
    small.played(world)
    html = shown()
    assert table(html, "rounds") == [
        "1 85 – 60 tile 6-6 Ana Ruiz Domino: Ana Ruiz 75 – 60 10 – 0",
        "2 150 – 95 none Ana Ruiz Target reached 65 – 35 0 – 0",
    ]


def test_a_round_of_a_record_that_stops_is_not_finished(world, browse) -> None:
    """The submitter reads the unfinished round.

    Others read it once the game is over (tests/league/matches/logs/test_held_back.py).
    """
    small.judge(small.hand_in(world.game(), world.alice, side=1), "incomplete")
    html = browse(world.alice).get(f"/matches/{world.match.pk}/").content.decode()
    assert table(html, "rounds")[1] == "2 150 – 95 none Ana Ruiz not finished 65 – 35 0 – 0"


def test_nobody_is_the_winner_until_an_official_has_decided(world, shown) -> None:
    result = small.played(world)
    assert "Winner" in shown()
    Result.objects.filter(pk=result.pk).update(needs_decision=True)
    html = shown()
    assert "winner" not in text(html.split('class="plates"')[1]).casefold().split("the log")[0]
    assert "Won by reaching the target" not in html


def test_chips_are_counted_in_words(world, shown) -> None:
    small.played(world)
    html = text(shown())
    assert "11 of 30 chips left" in html
    assert "0 of 30 chips left" in html


@pytest.mark.parametrize(("status", "word"), STATUSES.items())
def test_every_verdict_has_a_word_an_icon_and_a_meaning(world, shown, status, word) -> None:
    from league.web.words.labels import VERDICTS

    small.judge(small.hand_in(world.game(), world.alice, side=1), status)
    html = shown()
    verdict = html.split('id="verdict-1"')[1].split("</section>")[0]
    assert word in text(verdict)
    assert str(VERDICTS[status].meaning) in text(verdict)
    assert '<svg class="icon"' in verdict


@pytest.mark.parametrize("status", ["incomplete", "impossible", "unreadable"])
def test_a_log_without_a_result_asks_for_a_mended_one(world, shown, status) -> None:
    small.judge(small.hand_in(world.game(), world.alice, side=1), status)
    assert "Log needs fixing" in shown()
    assert "Fix this log" in shown(world.alice)
    assert "Fix this log" not in shown()


def test_a_finding_stands_at_its_line_with_rule_and_arithmetic(world, shown) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    small.judge(record, "corrected")
    small.enter(record)
    html = shown()
    findings = text(html.split('id="findings-1"')[1].split("</section>")[0])
    assert "Wrong total Line 12" in findings
    assert "score 85-60" in findings
    assert "The score after round 1 is 85-60, not 85-65" in findings
    assert "udl.score" in findings
    assert re.search(r"Rule \d\.\d+", findings)
    line = html.split('id="L12"')[1].split("</li>")[0]
    assert "The score after round 1 is 85-60, not 85-65" in line
    assert 'href="#L12"' in html


def test_what_decides_the_verdict_is_told_first(world, shown) -> None:
    note = small.CORRECTION | {"line": 2, "code": "missed-points", "severity": "note", "message": "a note"}
    fatal = small.CORRECTION | {"line": 11, "code": "does-not-match", "severity": "impossible", "message": "the reason"}
    small.judge(small.hand_in(world.game(), world.alice, side=1), "impossible", findings=[note, fatal])
    findings = text(shown().split('id="findings-1"')[1].split("</section>")[0])
    assert findings.index("The reason") < findings.index("A note")


def test_the_log_has_every_line_with_its_number_and_the_names(world, shown) -> None:
    small.played(world)
    html = shown()
    assert re.findall(r'<li id="L(\d+)"', html) == [str(n) for n in range(1, 13)]
    assert "[Seat.A &quot;Ana Ruiz&quot;]" in html
    assert world.entrants[0].player.code not in html.split('class="log"')[1].split("</ol>")[0]


def test_a_syntax_error_is_shown_with_a_caret_under_its_column(world, shown) -> None:
    log = '[Ruleset "udl"]\n\nround 1\nA hand 6-6 ten\n'
    record = small.hand_in(world.game(), world.alice, side=1, text=log)
    finding = {
        "line": 4,
        "column": 12,
        "code": "syntax",
        "severity": "impossible",
        "rule": "",
        "message": "line 4, column 12: expected a tile, found 'ten'",
    }
    small.judge(record, "unreadable", findings=[finding])
    html = shown()
    assert "Line 4, column 12: expected a tile, found &#x27;ten&#x27;" in html
    assert 'A hand 6-6 ten\n<span class="point" aria-hidden="true">           ^</span>' in html


def test_being_checked_is_shown_until_the_verdict_is_there(world, shown) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    html = shown()
    assert "Being checked" in html
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in html
    assert "data-checking" in html
    assert "live.js" in html
    small.judge(record)
    small.enter(record)
    html = shown()
    assert "Being checked" not in html
    assert 'http-equiv="refresh"' not in html
    assert "data-checking" not in html
    assert "live.js" not in html


def test_states_of_a_result_are_told_apart_in_words(world, shown) -> None:
    result = small.played(world)
    result_card = text(shown().split('id="result-1"')[1].split("</section>")[0])
    assert "Unconfirmed" in result_card
    Result.objects.filter(pk=result.pk).update(needs_decision=True)
    result_card = text(shown().split('id="result-1"')[1].split("</section>")[0])
    assert "Needs a decision" in result_card
    Result.objects.filter(pk=result.pk).update(
        needs_decision=False, state="official", confirmed_by=world.ref, confirmed_at=small.FIRST, confirmed_how="person"
    )
    result_card = text(shown().split('id="result-1"')[1].split("</section>")[0])
    assert "Confirmed" in result_card
    assert "Confirmed by ref on 6 November 2026, 19:00." in result_card


def test_official_without_confirmation_says_why(world, shown) -> None:
    result = small.played(world)
    Result.objects.filter(pk=result.pk).update(state="official")
    assert "This league asks for no confirmation" in shown()


def test_the_other_side_confirms_and_the_standings_move(world, browse, shown) -> None:
    result = small.played(world)
    assert "Confirm this result" in shown(world.bob)
    assert "Confirm this result" not in shown(world.alice)
    assert "Confirm this result" not in shown()
    client = browse(world.bob)
    answer = client.post(f"/matches/{world.match.pk}/confirm/", {"result": result.pk}, follow=True)
    html = answer.content.decode()
    assert "The result is confirmed now. The standings count it." in html
    assert "Confirmed by <bdi>bob</bdi>" in html
    assert "Confirm this result" not in html
    standings = client.get("/competitions/harbour/autumn/?table=official").content.decode()
    assert table(standings)[0] == "1 Ana Ruiz 1 1 +55 150 0 95 W"


def test_confirming_twice_says_it_is_official_already(world, browse) -> None:
    result = small.played(world, official=True)
    answer = browse(world.bob).post(f"/matches/{world.match.pk}/confirm/", {"result": result.pk}, follow=True)
    assert f"The result of game {world.game().code} is confirmed already." in answer.content.decode()


@pytest.mark.parametrize("sent", ["", "999999", "x", "1 OR 1"])
def test_a_result_that_is_not_the_current_one_is_not_confirmed(world, browse, sent) -> None:
    result = small.played(world)
    answer = browse(world.bob).post(f"/matches/{world.match.pk}/confirm/", {"result": sent}, follow=True)
    assert "That result was replaced while you were looking." in answer.content.decode()
    result.refresh_from_db()
    assert result.state == "provisional"


def test_an_older_log_can_be_read_and_says_that_it_is_not_the_one_that_counts(world, shown) -> None:
    old = small.hand_in(
        world.game(), world.alice, side=1, submitted_at=timezone.now() - timedelta(hours=1), text="# the old one\n"
    )
    small.judge(old, "unreadable")
    record = small.hand_in(world.game(), world.alice, side=1, replaces=old)
    small.judge(record)
    small.enter(record)
    assert "the old one" not in shown()
    html = shown(query=f"?record={old.pk}")
    assert "# the old one" in html
    assert "The result is not based on the log shown here." in html
    assert re.search(r"Below is the earlier log of .+\. A newer one came on .+: Verified\.", html)
    assert shown(query="?record=abc").count("the old one") == 0


def test_a_broken_seal_is_shown_with_its_round(world, shown) -> None:
    result = small.played(world)
    from django.db import connection

    with connection.cursor() as cursor:
        for statement in drop_guard(connection.vendor):
            cursor.execute(statement)
        cursor.execute(
            "UPDATE matches_sealedlog SET text = replace(text, 'A 6-6', 'A 6-5') WHERE record_id = %s",
            [result.record_id],
        )
    assert SealedLog.objects.get(record=result.record).text.count("A 6-5") == 1
    assert "The seal of this log is broken in hand 1." in shown()


def drop_guard(vendor: str) -> list[str]:
    """Take the database's own guard away, inside this test's transaction."""
    if vendor == "postgresql":
        return ["SET CONSTRAINTS ALL IMMEDIATE", "ALTER TABLE matches_sealedlog DISABLE TRIGGER USER"]
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'matches_sealedlog'")
        return [f"DROP TRIGGER {name}" for (name,) in cursor.fetchall()]


def test_a_match_of_several_games_has_a_section_and_anchors_for_each(world, shown) -> None:
    Match.objects.filter(pk=world.match.pk).update(best_of=3)
    second = Game.objects.create(match=world.match, number=2)
    Game.objects.create(match=world.match, number=3)
    small.played(world)
    record = small.hand_in(second, world.bob, side=2)
    small.judge(record, "corrected")
    small.enter(record)
    html = shown()
    assert re.findall(r'<h2 id="game-(\d)">', html) == ["1", "2", "3"]
    assert 'id="L12"' in html
    assert 'id="L2-12"' in html
    assert 'href="#L2-12"' in html
    assert len(re.findall(r' id="', html)) == len(set(re.findall(r' id="([^"]+)"', html)))


@pytest.mark.parametrize("logs", [1, 3])
def test_a_match_takes_the_same_statements_for_one_and_three_logs(
    world, browse, django_assert_num_queries, logs
) -> None:
    for _number in range(logs):
        record = small.hand_in(world.game(), world.alice, side=1)
        small.judge(record, "corrected")
    small.enter(record)
    client = browse()
    with django_assert_num_queries(10):
        client.get(f"/matches/{world.match.pk}/")
