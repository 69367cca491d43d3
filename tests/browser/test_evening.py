"""The evening: a log is handed in, the opponent confirms, the standings move; and a log with an error is mended."""

import pytest
from playwright.sync_api import expect

from league.matches.logs import submission
from league.matches.models import Record
from tests.browser.conftest import leave_for, sign_in
from tests.browser.fonts import every_font
from tests.web import world as small

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def standings(page) -> list[str]:
    leave_for(page, "/competitions/harbour/autumn/?table=official")
    return [" ".join(row.inner_text().split()) for row in page.locator(".standings tbody tr").all()]


@pytest.mark.smoke
@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_evening(world, visit, at_once, log, tmp_path, js) -> None:
    referee, opponent = visit(js=js), visit(js=js, width=390)
    before = standings(referee)
    assert all(" 0 0 0 0 0 0" in row for row in before)

    sign_in(referee, "ref")
    referee.get_by_role("link", name="Submit a log").click()
    referee.get_by_label("Game").select_option(world.game().code)
    file = tmp_path / "week3.domino"
    file.write_text(log)
    referee.get_by_label("Or a file").set_input_files(file)
    referee.get_by_role("button", name="Submit the log").click()
    expect(referee.get_by_text("The log was received and is kept.")).to_be_visible()
    expect(referee.get_by_label("Verdict", exact=True).get_by_text("Verified")).to_be_visible()
    expect(referee.get_by_role("button", name="Confirm this result")).to_have_count(0)
    assert standings(referee) == before

    sign_in(opponent, "bob")
    waiting = opponent.get_by_role("region", name="Needs you")
    waiting.get_by_role("link").click()
    expect(opponent.get_by_label("Result", exact=True).get_by_text("Unconfirmed")).to_be_visible()
    opponent.get_by_role("button", name="Confirm this result").click()
    expect(opponent.get_by_text("The result is confirmed now. The standings count it.")).to_be_visible()
    expect(opponent.get_by_label("Result", exact=True).get_by_text("Confirmed by bob")).to_be_visible()

    after = standings(opponent)
    assert after[0].startswith("1 Bo Chen 1 1 +45 165 0 120")
    assert after[-1].startswith("3 Ana Ruiz 1 0 −45 120 1 165")


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_log_with_an_error_is_read_mended_and_handed_in_again(world, visit, at_once, log, js) -> None:
    broken = log.replace(" call 10", " call ten", 1)
    line = next(number for number, text in enumerate(broken.split("\n"), start=1) if "call ten" in text)
    page = visit(js=js, width=390)
    sign_in(page, "ref")
    page.goto(f"/submit/{world.game().code}/")
    page.get_by_label("Text of the log").fill(broken)
    page.get_by_role("button", name="Submit the log").click()

    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("One line cannot be read")
    expect(alert).to_contain_text(f"Line {line}, column")
    source, caret = alert.locator("pre").inner_text().split("\n")[:2]
    assert source[caret.index("^") :].startswith("ten")
    area = page.get_by_label("Text of the log")
    assert area.input_value() == broken
    page.wait_for_load_state()
    page.get_by_role("link", name=f"Go to line {line}").click()
    if js:
        selected = "area => area.value.slice(area.selectionStart, area.selectionEnd)"
        assert area.evaluate(selected) == broken.split("\n")[line - 1]

    area.fill(area.input_value().replace("call ten", "call 10"))
    page.get_by_role("button", name="Submit the log").click()
    expect(page.get_by_label("Verdict", exact=True).get_by_text("Verified")).to_be_visible()
    handed_in = page.get_by_label("Submitted logs").get_by_role("listitem")
    expect(handed_in.nth(0)).to_contain_text("Verified")
    expect(handed_in.nth(1)).to_contain_text("Unreadable")
    page.get_by_role("link", name="Show this log").click()
    expect(page.locator(f"#L{line}")).to_contain_text("call ten")


@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_page_says_being_checked_and_shows_the_verdict_by_itself(world, visit, log, js) -> None:
    page = visit(js=js)
    sign_in(page, "alice")
    page.goto(f"/submit/{world.game().code}/")
    page.get_by_label("Text of the log").fill(log)
    page.get_by_role("button", name="Submit the log").click()
    verdict = page.get_by_label("Verdict", exact=True)
    expect(verdict.get_by_text("Being checked")).to_be_visible()
    submission.verify_record(Record.objects.get().pk)
    expect(verdict.get_by_text("Verified")).to_be_visible()
    expect(page.get_by_role("heading", name="Running score")).to_be_visible()
    if js:
        expect(page.locator("[data-said]")).to_contain_text("Verified.")


@every_font
@pytest.mark.parametrize("js", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_a_telephone_shows_at_once_that_the_verdict_is_the_earlier_log_s(world, visit, log, js) -> None:
    page = visit(js=js, width=390)
    sign_in(page, "alice")
    for text in (log, log + "# once more\n"):
        leave_for(page, f"/submit/{world.game().code}/")
        page.get_by_label("Text of the log").fill(text)
        page.get_by_role("button", name="Submit the log").click()
        expect(page.get_by_text("The log was received and is kept.")).to_be_visible()
        record = Record.objects.order_by("-pk").first()
        if text == log:
            submission.verify_record(record.pk)
    note = page.get_by_text("The log was received and is being checked; below is still the earlier log of")
    expect(note).to_be_in_viewport(ratio=1)
    expect(page.locator(".plates").get_by_text("Earlier log")).to_be_in_viewport(ratio=1)
    expect(page.get_by_label("Verdict", exact=True).get_by_text("Earlier log")).to_be_visible()
    submission.verify_record(record.pk)
    expect(page.get_by_text("Earlier log")).to_have_count(0)


@every_font
def test_what_decides_a_table_is_seen_on_a_telephone_without_scrolling(world, visit) -> None:
    small.played(world)
    page = visit(width=390)
    page.goto("/competitions/harbour/autumn/")
    expect(page.get_by_role("columnheader", name="+/−")).to_be_in_viewport(ratio=1)
    page.goto(f"/matches/{world.match.pk}/")
    for name in ("Final", "Score"):
        column = page.get_by_role("columnheader", name=name)
        column.scroll_into_view_if_needed()
        right = column.evaluate("one => one.getBoundingClientRect().right")
        assert right <= page.locator(".scroll").first.evaluate("one => one.getBoundingClientRect().right")
        assert column.evaluate("one => one.closest('.scroll').scrollLeft") == 0


@every_font
def test_a_telephone_shows_who_is_signed_in_also_on_a_refusal(world, visit) -> None:
    page = visit(width=390)
    sign_in(page, "charlie")
    for path in ("/", f"/submit/{world.game().code}/"):
        page.goto(path)
        expect(page.get_by_role("banner").get_by_text("charlie")).to_be_in_viewport(ratio=1)
        expect(page.get_by_role("navigation", name="Main").get_by_role("button", name="Sign out")).to_be_visible()


@every_font
def test_the_sample_is_whole_on_a_laptop(world, visit) -> None:
    page = visit(width=1280)
    sign_in(page, "ref")
    page.goto("/submit/")
    sample = page.get_by_role("region", name="Example of a log")
    assert sample.evaluate("one => one.scrollWidth <= one.clientWidth")
