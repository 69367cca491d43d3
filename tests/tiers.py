"""Tests that are gone or left the quick tier since a commit, each with its reason: `python -m tests.tiers 04154b3`.

Joins the tests that pytest collects at that commit, all of them quick then, with those of today. The reason of a slow
test stands in its marker, the reason of one that is gone in `GONE`. Ends with status 1 where a reason is missing.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.browser.fonts import FONTS

ROOT = Path(__file__).parents[1]
COLLECT = ["-q", "-p", "no:cacheprovider", "--collect-only", "--doctest-modules", "tests", "README.md"]
# Patterns of tests that are not there any more, and why.
GONE = {
    "tests/league/competitions/test_withdrawals.py::test_players_of_the_match_*": "now in test_no_shows.py",
    "tests/league/competitions/test_withdrawals.py::test_the_countdown_stops_*": "now in test_no_shows.py",
    "tests/league/competitions/test_withdrawals.py::test_who_is_not_there_*": "now in test_no_shows.py",
    "tests/web/test_clock.py::test_level_scores_at_the_bell_lead_to_overtime*": "the same test; its sentence changed",
    "tests/web/test_clock.py::test_the_bell_says_what_it_means_*": "the same test; its sentence changed",
    "tests/web/test_known.py::test_what_needs_no_account_says_how*": "the same test; its sentence changed",
    "tests/web/test_tables_of_more.py::test_what_does_not_fit_*": "the same test; its sentence changed",
    "games/*": "the same examples run in tests/repo/test_doctests.py",
    "referee/*": "the same examples run in tests/repo/test_doctests.py",
    "tests/browser/test_budgets.py::test_pages_answer_a_touch_at_once*": "depends on the machine: bench_paint",
    "tests/browser/test_budgets.py::test_the_largest_paint_*": "depends on the machine: bench_paint; shifts stay",
    "tests/browser/test_budgets.py::test_a_page_that_is_late_*": "the control of both; that of shifts stays",
    "tests/browser/test_competition_pages.py::test_each_of_these_pages_*": "test_looks.py walks the same pages",
    "tests/browser/test_long_names.py::test_sixty_letters_*": "now in parts, for a quarter of the pages",
    "tests/browser/test_looks.py::test_every_page_keeps_what_it_owes*": "now in parts, in a quarter of the looks",
    "tests/browser/test_looks.py::test_the_longest_name_*": "now in parts, for a quarter of the pages",
    "tests/browser/test_without_javascript.py::test_no_page_shows_a_button_*": "now in parts",
    "tests/referee/test_cards_from_games.py::test_five_thousand_*": "now test_true_cards_pass, 5,000 with THOROUGH=1",
    "tests/league/api/test_idempotency.py::test_answers_are_forgotten_after_a_day": "answers are kept for the season",
    "tests/league/matches/test_doors.py::test_after_five_*": "PINs are counted in the database",
    "tests/league/matches/test_doors.py::test_the_door_is_open_*": "a door opens at the call",
    "tests/league/matches/test_entering.py::test_a_log_takes_*": "a log is weighed with scores: test_reviews.py",
    "tests/league/matches/test_handing_in_again.py::test_a*_officials_*": "logs are weighed: test_reviews.py",
    "tests/league/matches/test_handing_in_again.py::test_the_result_of_*": "logs are weighed: test_reviews.py",
    "tests/league/matches/test_submitting.py::test_two_who_submit_*": "the same log of the other side is its own word",
    "tests/league/matches/test_verifying.py::test_a_newer_log_*": "logs are weighed: test_reviews.py",
    "tests/league/matches/test_verifying.py::test_verification_takes_*": "the same test with a shared world",
    "tests/league/matches/test_weighing.py::test_a_ruling_stands_alone": "a ruling is weighed with other entries",
    "tests/referee/test_calls_before_next.py::test_7_8_*": "other expectations by the amended NOTATION.md 7.8",
    "tests/referee/test_card_command.py::test_what_is_no_card_says_why*": "the same tests with other parameters",
    "tests/referee/test_deals.py::test_an_honest_game_stays_verified_*": "now test_an_honest_game_stays_in_order_*",
    "tests/referee/test_deals.py::test_the_tile_played_may_be_*": "other expectations by the amended NOTATION.md",
    "tests/referee/test_findings.py::test_impossible[[]*": "the same test with amended cases",
    "tests/referee/test_question.py::test_ends_that_cannot_be_*": "nine ends are allowed now",
    "tests/referee/test_samples.py::test_the_samples_are_all_there*": "amended samples, other numbers",
    "tests/referee/test_simulate.py::test_simulated_games_are_verified_*": "now test_simulated_games_are_in_order_*",
    "tests/repo/test_doctests.py::test_examples*": "named after modules, which were moved",
    "tests/league/competitions/test_stages.py::test_the_later_rounds_of_a_stage_*": "now test_round_by_round_*",
    "tests/league/competitions/test_direct_encounter.py::test_the_organizer_*": "test_each_tie_break_has_a_choice_*",
    "tests/web/test_address.py::test_it_shows_the_address_*": "the same test with two addresses",
    "tests/web/test_amending.py::test_a_league_with_one_official_*": "one official is enough where no second is free",
    "tests/web/test_at_table.py::test_five_wrong_pins_*": "PINs are counted in the database: test_guessing.py",
    "tests/web/test_at_table.py::test_without_the_limit_*": "PINs are counted in the database: test_guessing.py",
    "tests/web/test_grid.py::test_the_tick_is_on_and_remembered": "nothing is ticked in advance",
    "tests/web/test_known.py::test_two_entries_that_differ_*": "they are under review: test_reviews.py",
    "tests/web/test_translation.py::test_no_word_on_any_page_*": "now test_no_page_in_spanish_speaks_english",
    "tests/referee/test_playouts.py::test_the_log_says_what_the_book_says*": "ten batches are seven",
    "tests/web/test_list_queries.py::test_a_list_takes_*three_hundred_rows*": "two tests now: of 3 rows, and of 100",
    **{
        f"tests/league/competitions/*test_{name}.py::*[[]*": "its cases run in one test"
        for name in ("formats", "groups", "double_elimination", "table_rounds", "round_robin", "single_elimination")
    },
    "tests/league/competitions/test_ranking.py::test_a_match_that_was_ruled_without_*": "now with each way to count it",
    "tests/league/competitions/test_walk_ins.py::test_a_second_newcomer_*": "now test_..._before_play_begins",
    "tests/league/house/test_demo.py::test_the_sample_logs_*": "two tests are one with two logs",
    "tests/league/house/test_rehearsing.py::test_every_format_*": "larger ones in a quarter of the formats",
    "tests/league/matches/test_timekeeping.py::test_verification_keeps_to_twelve_*": "thirteen statements now",
    "tests/web/test_bracket.py::test_bracket_and_front_page_*": "now test_..._no_more_statements_for_300_than_for_4",
    "tests/web/test_following.py::test_nobody_is_sent_to_another_site": "now test_..._to_what_is_no_page_of_this_site",
    "tests/web/test_hostile_mail.py::*[[]*": "the same tests; the awful names changed",
    "tests/web/test_hostile_names.py::*": "one walk over pages and files for all names",
    "tests/web/test_large_draws.py::test_what_holds_a_round_up_*": "now test_of_many_open_matches_the_first_tables_*",
    "tests/web/test_season_files.py::test_a_line_of_a_season_*": "the same test; its sentence changed",
    "tests/browser/test_replay.py::test_the_seat_that_is_looked_from_*": "one button: test_a_button_shows_the_hands_*",
    "tests/league/matches/test_fixed.py::*": "now tests/league/site/test_prepared_statements.py",
    "tests/web/test_ask.py::test_every_kind_of_answer*": "the same test; its sentences changed",
    "tests/web/test_at_table.py::test_what_cannot_be_read_*": "the same test; its sentences changed",
    "tests/web/test_home.py::test_the_link_of_a_match_*": "now test_a_result_is_a_row_whose_link_*",
    "tests/web/test_kept_pages.py::test_a_page_nothing_has_*": "one statement at most: SQLite needs none",
    "tests/web/test_kept_pages.py::test_sqlite_tells_no_*": "SQLite says it too: test_every_commit_of_any_thread_*",
    "tests/web/test_kept_pages.py::test_the_snapshot_is_*": "now test_the_name_is_the_same_until_*",
    "tests/web/test_large_draws.py::test_a_typed_name_that_*": "the same test; its sentences changed",
    "tests/league/site/test_lan.py::test_nobody_is_told_a_code_*": "now test_a_site_with_an_owner_shows_no_setup_code",
    "tests/league/site/test_lan.py::test_whoever_sets_up_*": "now test_the_terminal_shows_the_setup_page_*",
    "tests/web/test_known.py::test_the_level_stands_on_*": "the same test; its sentences changed",
    "tests/web/test_ladder_page.py::test_what_does_not_fit_*": "the same test; its sentences changed",
    "tests/web/test_organize.py::test_an_error_stands_at_*": "the same test; its sentences changed",
    "tests/web/test_organize.py::test_the_home_says_how_many_*": "the same test; its sentences changed",
    "tests/web/test_pad.py::test_the_scripts_of_the_pad_*": "now test_the_scripts_of_a_pad_are_small, of both pads",
    "tests/web/test_seasons.py::test_what_is_wrong_is_said_*": "the same test; its sentences changed",
    "tests/web/test_type_it.py::test_who_*": "no name is typed at a withdrawal",
    "tests/web/test_rehearsals.py::test_a_round_that_there_is_not_*": "five tests are one with five numbers",
}


class Tiers:
    """A plugin of pytest: the tier and the reason of every test that is collected."""

    def __init__(self) -> None:
        self.found: dict[str, tuple[str, str]] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        for item in session.items:
            self.found[item.nodeid] = tier_of(item)


def tier_of(item: pytest.Item) -> tuple[str, str]:
    if item.get_closest_marker("browser"):
        return ("quick", "") if item.get_closest_marker("smoke") else ("all", "Chromium, beyond the smoke tests")
    if item.get_closest_marker("postgres"):
        return "all", "runs on PostgreSQL"
    if slow := item.get_closest_marker("slow"):
        return "all", str(*slow.args)
    return "quick", ""


def tests_of(folder: Path) -> dict[str, tuple[str, str]]:
    """Tests collected in a checkout, by another process."""
    with tempfile.TemporaryDirectory() as place:
        report = Path(place) / "tests.json"
        code = (
            "import json, sys, pytest; from pathlib import Path; sys.path.insert(0, sys.argv[1]);"
            "from tests.tiers import COLLECT, Tiers; tiers = Tiers(); sys.path.pop(0); "
            "[sys.modules.pop(name) for name in list(sys.modules) if name.partition('.')[0] == 'tests'];"
            "pytest.main([*COLLECT, 'games', 'referee'], plugins=[tiers]);"
            "Path(sys.argv[2]).write_text(json.dumps(tiers.found))"
        )
        environment = {**os.environ, "DEBUG": "1", "DATABASE_URL": ""}
        subprocess.run(
            [sys.executable, "-c", code, str(ROOT), str(report)],
            cwd=folder,
            env=environment,
            stdout=subprocess.DEVNULL,
            check=True,
        )
        return json.loads(report.read_text("utf-8"))


def tests_at(commit: str) -> dict[str, tuple[str, str]]:
    with tempfile.TemporaryDirectory() as place:
        subprocess.run(["git", "worktree", "add", "--detach", "--quiet", place, commit], cwd=ROOT, check=True)
        try:
            return tests_of(Path(place))
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", place], cwd=ROOT, check=True)


def without_area(node: str) -> str:
    """The address of a test before its folder was divided into areas."""
    node = re.sub(r"^(tests/(?:league/(?:competitions|matches)|web|referee))/[^/:]+/(?=test_)", r"\1/", node)
    return node.replace("tests/league/rehearsals/", "tests/league/house/")


def reason_of(node: str, now: dict[str, tuple[str, str]]) -> str | None:
    """Why a test of then is not quick now; None where it is, an empty text where nobody says."""
    if node in now:
        tier, reason = now[node]
        return None if tier == "quick" else reason
    return next((f"gone: {why}" for pattern, why in GONE.items() if fnmatch(node, pattern)), "")


def main(commit: str) -> int:
    before, now = tests_at(commit), tests_of(ROOT)
    total, quick = len(now), sum(tier == "quick" for tier, _ in now.values())
    # A test that runs with each font is the same test.
    now |= {without_area(node): tier for node, tier in now.items()}
    now |= {node.replace(f"-{font}]", "]"): tier for node, tier in now.items() for font in FONTS if f"-{font}]" in node}
    left = Counter()
    for node in before:
        reason = reason_of(node, now)
        if reason is not None:
            left[node.partition("[")[0], reason] += 1
    for (test, reason), number in sorted(left.items()):
        print(f"{test}{f' ({number})' if number > 1 else ''}: {reason or 'NO REASON'}")
    print(f"{len(before)} tests then, {total} now, {quick} of them quick; {sum(left.values())} left the quick tier")
    return int(any(not reason for _, reason in left))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
