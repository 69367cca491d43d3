"""Which log the match page shows, what became of the others, and who decides."""

import re
from datetime import UTC, datetime

import pytest

from league.accounts.models import User
from league.matches.logs import submission
from league.matches.models import Match, Record, Result
from tests.web import world as small
from tests.web.matches.test_matches import text

EVENING = datetime(2026, 11, 6, 21, 15, tzinfo=UTC)


@pytest.fixture
def shown(world, browse):
    """The match page as somebody sees it."""

    def fetch(user=None, query: str = "") -> str:
        return browse(user).get(f"/matches/{world.match.pk}/{query}").content.decode()

    return fetch


def section(html: str, name: str) -> str:
    return text(html.split(f'aria-labelledby="{name}-1"')[1].split("</section>", maxsplit=1)[0])


@pytest.fixture
def older(world) -> Record:
    """A verified log of 21:15 whose provisional result stands."""
    record = small.hand_in(world.game(), world.alice, side=1, submitted_at=EVENING)
    small.judge(record)
    small.enter(record)
    return record


def test_the_verdict_of_the_earlier_log_is_marked_while_the_new_one_is_checked(world, older, shown) -> None:
    small.hand_in(world.game(), world.alice, side=1, replaces=older)
    html = shown()
    sentence = "The log was received and is being checked; below is still the earlier log of 6 Nov 2026, 21:15."
    assert sentence in text(html)
    assert html.index(sentence, html.index("<article")) < html.index('class="plates earlier"')
    assert "Earlier log" in text(html.split('class="plates earlier"')[1].split("<section")[0])
    assert section(html, "verdict").startswith("> Verdict Earlier log Verified")
    assert "data-checking" in html
    assert f'data-said="{sentence} "' in html


def test_a_newer_log_without_a_result_does_not_hide_behind_the_earlier_verdict(world, older, shown) -> None:
    newer = small.hand_in(world.game(), world.alice, side=1, submitted_at=EVENING.replace(hour=22))
    small.judge(newer, "impossible")
    html = shown()
    told = (
        "Below is the earlier log of 6 Nov 2026, 21:15. "
        "The newer one of 6 Nov 2026, 22:15 gives no result: Impossible. Show the newer log"
    )
    assert told in text(html)
    assert "Earlier log Verified" in section(html, "verdict")
    assert f'href="?record={newer.pk}#g1"' in html
    assert "Earlier log" not in shown(query=f"?record={newer.pk}")


def test_the_plate_shows_nothing_of_an_unused_log(world, shown) -> None:
    """The card of that log shows nothing of the result either."""
    old = small.hand_in(world.game(), world.alice, side=1, submitted_at=EVENING)
    small.judge(old, scores={"A": 60, "B": 155}, winner="B", chips={"A": 0, "B": 18})
    new = small.hand_in(world.game(), world.bob, side=2, replaces=old)
    small.judge(new)
    small.enter(new)
    plates = text(shown().split('class="plates')[1].split("match-facts")[0])
    assert "11 of 30 chips left" in plates
    html = shown(query=f"?record={old.pk}")
    plates = text(html.split('class="plates')[1].split('class="game')[0])
    assert ("150" in plates, "95" in plates, "Winner" in plates) == (True, True, True)
    assert "chips left" not in plates
    assert "seat A" not in plates
    assert "Earlier log" not in plates
    card = text(html.split('id="card-1"')[1].split("</table>")[0])
    assert re.findall(r"(Ana Ruiz|Bo Chen) (\d+)( winner)?", card) == [
        ("Ana Ruiz", "60", ""),
        ("Bo Chen", "155", " winner"),
    ]
    client_page = shown(world.alice, query=f"?record={old.pk}")
    assert "Ana Ruiz 150 – Bo Chen 95" in text(client_page)


def test_the_only_log_is_not_called_earlier(older, shown) -> None:
    assert "Earlier log" not in shown()


def test_nothing_is_confirmed_while_a_newer_log_is_checked_and_the_page_says_why(world, older, shown) -> None:
    assert "Confirm this result" in shown(world.bob)
    small.hand_in(world.game(), world.alice, side=1, replaces=older)
    html = shown(world.bob)
    assert "Confirm this result" not in html
    assert "A log of this game is being checked. Nothing can be confirmed before its verdict." in html


def test_an_earlier_log_that_is_handed_in_again_counts_again(
    world, browse, log, at_once, django_capture_on_commit_callbacks
) -> None:
    client, form = browse(world.alice), f"/submit/{world.game().code}/"
    for one in (log, log + "# mended\n"):
        with django_capture_on_commit_callbacks(execute=True):
            client.post(form, {"text": one})
    assert Result.objects.get(current=True).record != Record.objects.order_by("pk").first()
    with django_capture_on_commit_callbacks(execute=True):
        html = client.post(form, {"text": log}, follow=True).content.decode()
    assert "This earlier log counts again." in html
    assert "Earlier log" not in html
    assert Result.objects.get(current=True).record == Record.objects.order_by("pk").first()


def test_an_official_lets_a_score_stand_although_a_rule_was_broken(world, shown, browse) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    small.judge(record, "violation")
    result = small.enter(record, needs_decision=True)
    button = "Let the score stand, although a rule was broken"
    User.objects.filter(pk=world.ref.pk).update(first_name="Olga", last_name="Brandt")
    html = shown(world.ref)
    assert button in section(html, "result")
    assert "You decide, as an official of the league:" in section(html, "result")
    assert "Confirm this result" not in html
    others = section(shown(world.bob), "result")
    assert button not in others
    assert "An official decides, but not one who plays in this match or submitted the log." in others
    assert "an official decides what counts." in section(html, "verdict")

    browse(world.ref).post(f"/matches/{world.match.pk}/confirm/", {"result": result.pk})
    html = shown()
    assert "Decided by Olga Brandt on" in section(html, "result")
    assert "Confirmed by" not in html
    assert "an official decides what counts." not in html
    assert "An official has decided that the score counts." in section(html, "verdict")


@pytest.mark.parametrize(
    ("status", "known"),
    [
        ("verified", "Verified from the log"),
        ("corrected", "Replayed from the log"),
        ("violation", "Replayed from the log"),
    ],
)
def test_only_a_verified_log_is_said_to_verify_a_result(world, shown, status, known) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    small.judge(record, status)
    small.enter(record, needs_decision=status == "violation")
    html = shown()
    said = {one for one in ("Verified from the log", "Replayed from the log") if one in html}
    assert said == {known}


def test_seats_in_another_order_than_the_fixture_are_named(world, older, shown) -> None:
    assert "sat first" not in shown()
    Record.objects.update(seats={"A": 2, "B": 1})
    assert "In this log Bo Chen sat first." in section(shown(), "verdict")


def test_the_log_can_be_taken_home_as_a_file(world, older, browse) -> None:
    answer = browse().get(f"/matches/{world.match.pk}/logs/{older.pk}/")
    assert answer.status_code == 200
    assert answer.content.decode() == small.LOG.format(a="Ana Ruiz", b="Bo Chen")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{world.game().code}.domino"'
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_no_log_is_given_away_under_another_match_or_of_a_draft(world, older, browse) -> None:
    other = next(match for match in world.matches if match.pk != world.match.pk)
    assert browse().get(f"/matches/{other.pk}/logs/{older.pk}/").status_code == 404
    assert browse().get(f"/matches/{world.match.pk}/logs/{older.pk + 99}/").status_code == 404
    Match.objects.update(published_at=None)
    assert browse().get(f"/matches/{world.match.pk}/logs/{older.pk}/").status_code == 404


def test_a_log_taken_home_and_handed_in_again_is_read_alike(world, browse, log, at_once) -> None:
    record = submission.submit_log(game=world.game(), user=world.alice, raw=log.encode()).record
    file = browse().get(f"/matches/{world.match.pk}/logs/{record.pk}/").content
    assert file.decode() == log
