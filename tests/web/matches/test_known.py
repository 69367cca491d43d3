"""How well each result is known, on every page that shows it: the badge, the confirmation, the chart, the profile."""

import re
from html import unescape

import pytest

from league.accounts.models import Role
from league.matches.models import KnownBy, Result, StoredVerdict
from league.matches.permissions import Guest
from league.matches.queries.lines import SideScore
from league.matches.results.entering import enter_sheet, rule, undo_entry
from league.web.charts.rounds import WrittenRound, round_chart, written_rounds
from referee.figures import NAMES
from tests.web import world as small
from tests.web.world import World

SCORES = {"scores": [150, 95]}
ROUNDS = [
    {"spinner": "6-6", "ended": "domino", "winner": 0, "totals": [45, 25]},
    {"spinner": "none", "ended": None, "winner": None, "totals": None},
    {"spinner": None, "ended": "blocked", "winner": 1, "totals": [110, 95]},
    {"spinner": "5-5", "ended": "domino", "winner": 0, "totals": [150, 95]},
]
CARD = {**SCORES, "rounds": ROUNDS}
POINTS = [(1, 5), *[(1, 10)] * 9, *[(0, 10)] * 15]
TAPS = [{"n": n, "kind": "points", "seat": seat, "points": won} for n, (seat, won) in enumerate(POINTS, start=1)]
TALLY = {**SCORES, "taps": [*TAPS, {"n": len(TAPS) + 1, "kind": "end", "ended": "target"}]}


def said(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", unescape(html)).split())


def enter(world: World, who=None, data=SCORES, kind=KnownBy.SCORE, **more) -> Result:
    return enter_sheet(world.game(), who or world.alice, data, kind=kind, **more).result


def match_page(world: World, browse, user=None) -> str:
    return browse(user).get(f"/matches/{world.match.pk}/").content.decode()


def section(html: str, name: str) -> str:
    return said(html.split(f'aria-labelledby="{name}-1"', 1)[1].split(">", 1)[1].split("</section>", 1)[0])


@pytest.fixture
def desk(world):
    helper = small.account("desk")
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    return helper


LEVELS = [
    (KnownBy.TALLY, "Checked tally"),
    (KnownBy.CARD, "Checked card"),
    (KnownBy.SCORE, "Reported score"),
]
WORDS = ["Verified from the log", "Replayed from the log", *(word for _kind, word in LEVELS), "Ruled"]


def badges(html: str) -> set[str]:
    return {word for word in WORDS if re.search(rf'class="badge[^"]*"[^>]*>.{{0,400}}?{word}', html, re.DOTALL)}


@pytest.mark.parametrize(("kind", "word"), LEVELS)
def test_the_level_stands_on_every_page_that_shows_the_result(world, browse, kind, word) -> None:
    enter(world, data=TALLY if kind == KnownBy.TALLY else SCORES, kind=kind)
    client = browse()
    pages = ["/", "/competitions/harbour/autumn/", f"/players/{world.entrants[0].player.code}/"]
    for path in (f"/matches/{world.match.pk}/", *pages):
        assert badges(client.get(path).content.decode()) == {word}, path


def test_a_log_is_called_verified_only_where_it_is(world, browse) -> None:
    result = small.played(world)
    code = world.entrants[0].player.code
    assert badges(match_page(world, browse)) == {"Verified from the log"}
    verdict = result.record.verdict
    verdict.status = "corrected"
    verdict.save()
    assert badges(match_page(world, browse)) == {"Replayed from the log"}
    assert badges(browse().get("/competitions/harbour/autumn/").content.decode()) == {"Replayed from the log"}
    assert "Verified" not in said(browse().get(f"/players/{code}/").content.decode())


def test_a_card_that_does_not_add_up_is_no_checked_card(world, browse) -> None:
    enter(world, data={"scores": [151, 95]}, kind=KnownBy.CARD, insist=True)
    html = match_page(world, browse)
    assert badges(html) == {"Reported score"}
    assert "The entered points do not add up. An official has to decide what counts." in section(html, "result")


def test_a_ruling_says_so_with_its_reason(world, browse) -> None:
    rule(world.game(), world.ref, scores=[150, 0], winner=1, reason="Bo did not come")
    html = match_page(world, browse)
    assert badges(html) == {"Ruled"}
    assert "An official decided what counts; nothing was proved." in section(html, "verdict")
    assert "Bo did not come" in section(html, "records")


# ---- by what it became official


def test_two_who_entered_the_same(world, browse) -> None:
    enter(world)
    enter(world, world.bob)
    assert "Two entered the same: confirmed on" in section(match_page(world, browse), "result")


def test_a_card_that_both_signed(world, browse, desk) -> None:
    enter(world, desk, CARD, KnownBy.CARD, signed=True)
    html = match_page(world, browse)
    assert "Both sides signed the card; entered on" in section(html, "result")
    assert "typed by the desk, signed by both" in section(html, "records")


def test_a_person_is_named(world, browse) -> None:
    result = enter(world)
    browse(world.bob).post(f"/matches/{world.match.pk}/confirm/", {"result": result.pk})
    assert f"Confirmed by {world.bob} on" in section(match_page(world, browse), "result")


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("side", "Confirmed by the other side at the table on"),
        ("pin", "Confirmed by the other side at the table, with its PIN, on"),
        ("silence", "The other side said nothing in time: confirmed since"),
    ],
)
def test_what_needs_no_account_says_how(world, browse, how, sentence) -> None:
    result = enter(world)
    Result.objects.filter(pk=result.pk).update(state="official", confirmed_how=how, confirmed_at=result.entered_at)
    assert sentence in section(match_page(world, browse), "result")


def test_who_entered_it_at_the_table_is_the_side(world, browse) -> None:
    enter(world, Guest(world.match.pk, 2))
    told = section(match_page(world, browse), "records")
    assert "By Bo Chen , at the table, " in told
    assert told.count("at the table") == 1


# The home page, the page of a round and the big screens show no score of it.
UNDER_REVIEW_AT = (
    "/matches/{match}/",
    "/matches/{match}/scoreboard/",
    "/competitions/harbour/autumn/",
    "/competitions/harbour/autumn/cross-table/",
    "/players/{ana}/",
    "/t/{door}/",
    "/organize/harbour/tables/",
    "/organize/harbour/grid/",
    "/api/v1/matches/{match}",
)


def test_two_entries_that_differ_are_under_review_everywhere(world, browse) -> None:
    enter(world)
    enter(world, world.bob, {"scores": [95, 150]})
    assert "Two entries differ. It ends when both sides agree" in section(match_page(world, browse), "review")
    facts = {"match": world.match.pk, "door": world.match.door, "ana": world.entrants[0].player.code}
    without = []
    for path in UNDER_REVIEW_AT:
        answer = browse(world.ref).get(path.format(**facts))
        told = said(answer.content.decode()).lower().replace("_", " ")
        if answer.status_code != 200 or "under review" not in told:
            without.append((path, answer.status_code))
    assert not without


def test_an_entry_that_was_taken_back_says_so(world, browse) -> None:
    taken = enter_sheet(world.game(), world.alice, SCORES, kind=KnownBy.SCORE)
    undo_entry(taken.record, world.alice)
    enter(world, data={"scores": [150, 90]})
    assert "signed in, taken back" in section(match_page(world, browse), "records")


def test_an_entry_is_never_called_a_log_or_verified(world, browse) -> None:
    """Two entered the same: the page says neither "earlier log" nor "verified" of what came without a log."""
    enter(world)
    enter(world, world.bob)
    told = said(match_page(world, browse))
    assert "arlier log" not in told
    assert "Verified" not in told
    assert "Submitted logs" not in told


def test_a_log_that_comes_after_an_entry_is_told_beside_it(world, browse) -> None:
    enter(world)
    record = small.hand_in(world.game(), world.alice, side=1)
    told = said(match_page(world, browse))
    assert "A log was received and is being checked; below is still what was entered on" in told
    assert "Earlier entry" in told
    small.judge(record, "impossible")
    assert "gives no result. Show the newer log" in said(match_page(world, browse))


# ---- a game without plays


def test_a_card_has_a_chart_and_its_numbers_beside_it(world, browse) -> None:
    enter(world, data=CARD, kind=KnownBy.CARD)
    html = match_page(world, browse)
    chart = html.split('<figure class="chart">')[1].split("</figure>")[0]
    assert "Ana Ruiz: 45, ?, 110, 150; Bo Chen: 25, ?, 95, 95" in unescape(chart)
    assert chart.count('class="line"') == 2
    assert chart.count('class="mark"') == 2 * (3 + 1), "three totals are known, and the sign beside each name"
    table = said(html.split('aria-labelledby="written-1"')[1].split("</table>")[0])
    assert "1 45 25" in table
    assert "2 – not written – not written none – not written" in table
    assert "3 110 95 – not written Blocked: Bo Chen" in table
    assert "Final 150 95" in table


def test_a_bare_score_has_neither_an_empty_board_nor_an_empty_log(world, browse) -> None:
    enter(world)
    html = match_page(world, browse)
    assert "Only the final score is known of this game; its hands were not written down." in said(html)
    assert '<figure class="chart">' not in html
    assert 'class="log' not in html
    assert "Running score" not in html


def test_there_is_no_log_to_download_of_a_card(world, browse) -> None:
    record = enter(world, data=CARD, kind=KnownBy.CARD).record
    assert browse().get(f"/matches/{world.match.pk}/logs/{record.pk}/").status_code == 404


def test_the_official_card_of_udl_has_spinners_and_no_chart(world, browse) -> None:
    enter(world, data={**SCORES, "rounds": [{"spinner": "6-6"}, {"spinner": "none"}]}, kind=KnownBy.CARD)
    html = match_page(world, browse)
    assert '<figure class="chart">' not in html
    assert "tile 6-6" in said(html.split('aria-labelledby="written-1"')[1].split("</table>")[0])


def test_a_log_has_its_rounds_as_ever(world, browse) -> None:
    """The control."""
    small.played(world)
    html = match_page(world, browse)
    assert '<figure class="chart">' not in html
    assert "Running score" in html


def test_a_missing_total_is_a_gap_and_never_a_zero() -> None:
    sides = [SideScore(n, n, name, "", "", [], 0, None, False) for n, name in ((1, "Ana"), (2, "Bo"))]
    rounds = written_rounds(CARD, sides)
    assert [one.totals for one in rounds] == [[45, 25], [None, None], [110, 95], [150, 95]]
    chart = round_chart(rounds, sides, [150, 95], 150)
    assert [one.label for one in chart.ticks] == ["0", "25", "50", "75", "100", "125", "150"]
    assert (chart.ticks[0].at, chart.ticks[-1].at, chart.target) == (184, 12, 12)
    assert chart.lines[0].path == "M34.0 184.0L107.5 132.4L254.5 57.9L328.0 12.0"
    assert chart.gaps
    assert round_chart([WrittenRound(1, "", False, "", "", [None, None])], sides, [150, 95], 150) is None


def test_the_last_total_is_the_final_score_where_it_was_not_written() -> None:
    sides = [SideScore(1, 1, "Ana", "", "", [], 0, None, False)]
    rounds = [WrittenRound(1, "", False, "", "", [40]), WrittenRound(2, "", False, "", "", [None])]
    assert round_chart(rounds, sides, [150], 150).text == "Ana: 40, 150"


# ---- the profile


def facts(html: str) -> list[str]:
    return [said(part.split("<dd>")[1].split("</dd>")[0]) for part in html.split("<div><dt>")[1:]]


def counted(result) -> None:
    """As if the log of the result had been counted: the first side made a count and caught nothing."""
    seat = dict.fromkeys(NAMES, 0) | {"rounds": 2, "counts": 1, "called": 1, "worth": 10}
    StoredVerdict.objects.filter(record=result.record_id).update(figures={"A": seat, "B": seat})


def test_a_profile_says_from_how_many_games_it_is_known(world, browse) -> None:
    first, second, *_ = [
        match for match in world.matches if world.entrants[0].pk in {side.entrant_id for side in match.sides.all()}
    ]
    counted(small.played(world, first))
    enter_sheet(world.game(second), world.ref, SCORES, kind=KnownBy.SCORE)
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Known from 1 of 2 games: only a log tells what happened within a game." in said(html)
    assert "From the log 1 Reported score 1" in said(html)
    told = facts(html)
    assert "Counts made" in html
    assert told[2].startswith("1 ")


def test_a_profile_without_any_log_claims_no_figures(world, browse) -> None:
    enter(world)
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Known from 0 of 1 game: only a log tells what happened within a game." in said(html)
    assert len(facts(html)) == 2  # matches and points
    assert "Counts made" not in html


def test_a_profile_known_from_every_game_needs_no_caution(world, browse) -> None:
    counted(small.played(world))
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Known from 1 of 1 game " in said(html)
    assert "only a log tells" not in said(html)


# ---- what it costs


@pytest.mark.parametrize("count", [1, 3])
def test_a_match_page_of_entries_takes_the_same_statements(world, browse, django_assert_num_queries, count) -> None:
    for number in range(count):
        enter(world, data={"scores": [150, 5 * number]})
    client = browse()
    with django_assert_num_queries(10):
        client.get(f"/matches/{world.match.pk}/")


@pytest.mark.parametrize("rows", [1, 3])
def test_a_profile_of_entries_takes_the_same_statements(db, browse, django_assert_num_queries, rows) -> None:
    world = small.build(players=rows + 1)
    for match in world.matches:
        if world.entrants[0].pk in {side.entrant_id for side in match.sides.all()}:
            enter_sheet(world.game(match), world.ref, SCORES, kind=KnownBy.SCORE)
    client = browse()
    with django_assert_num_queries(14):
        client.get(f"/players/{world.entrants[0].player.code}/")
