"""Players: the list with its search, and a player's page."""

import pytest

from tests.web import world as small


def test_the_search_finds_parts_of_names_and_whole_codes(world, browse) -> None:
    html = browse().get("/players/?q=RUI").content.decode()
    assert "1 player found" in html
    assert "Ana Ruiz" in html
    assert "Bo Chen" not in html
    by_code = browse().get(f"/players/?q={world.entrants[1].player.code.lower()}").content.decode()
    assert "Bo Chen" in by_code
    # An accent by itself is part of no name, as little as letters that nobody has.
    for nothing in ("zzz", "%CC%81"):
        assert "Nobody here has that name." in browse().get(f"/players/?q={nothing}").content.decode()


def test_people_of_a_draft_are_not_found_by_outsiders(db, browse) -> None:
    world = small.build(published=False)
    assert "Ana Ruiz" not in browse().get("/players/").content.decode()
    assert "Ana Ruiz" in browse(world.ref).get("/players/").content.decode()


def test_a_player_has_totals_form_and_matches(world, browse) -> None:
    result = small.played(world)
    verdict = result.record.verdict
    claim = {"line": 11, "claimant": "A", "against": "B", "play": 10, "claimed": None, "upheld": True, "points": 5}
    verdict.rulings = [claim | {"rule": "udl.muggins"}, claim | {"upheld": False, "points": 0, "rule": "udl.muggins"}]
    verdict.save()
    facts = {}
    for name, entrant in zip(("ana", "bo"), world.entrants, strict=False):
        html = browse().get(f"/players/{entrant.player.code}/").content.decode()
        facts[name] = [part.split("<dd>")[1].split("<small>")[0].strip() for part in html.split("<div><dt>")[1:]]
        assert html.count('class="open"') == 2
    assert facts == {"ana": ["1", "+55", "1", "0"], "bo": ["1", "−55", "0", "1"]}


def test_codes_are_read_in_either_case(world, browse) -> None:
    assert browse().get(f"/players/{world.entrants[0].player.code.lower()}/").status_code == 200


@pytest.mark.parametrize("rows", [1, 3])
def test_a_player_takes_the_same_statements_for_one_and_three_matches(
    db, browse, django_assert_num_queries, rows
) -> None:
    world = small.build(players=rows + 1)
    mine = [m for m in world.matches if world.entrants[0].pk in {side.entrant_id for side in m.sides.all()}]
    assert len(mine) == rows
    for match in mine:
        small.played(world, match)
    client = browse()
    with django_assert_num_queries(13):
        client.get(f"/players/{world.entrants[0].player.code}/")


@pytest.mark.parametrize("count", [2, 4])
def test_the_list_takes_the_same_statements_for_two_and_four_players(
    db, browse, django_assert_num_queries, count
) -> None:
    small.build(players=count)
    client = browse()
    with django_assert_num_queries(2):
        html = client.get("/players/").content.decode()
    assert html.count('class="person"') == count


def test_both_lists_have_pages(db, browse) -> None:
    world = small.build(players=14)
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Page 1 of 2" in html
    assert html.count('class="open"') == 12
    from datetime import date

    from tests.web.world import enrol

    for number in range(40):
        enrol(league=world.league, name=f"Extra {number}", since=date(2026, 1, 1))
    staff = browse(world.ref).get("/players/?q=e").content.decode()
    assert "Page 1 of 2" in staff
    assert "?q=e&amp;page=2" in staff


def test_a_player_page_says_that_provisional_results_are_counted(world, browse) -> None:
    html = browse().get(f"/players/{world.entrants[0].player.code}/").content.decode()
    assert "Provisional results are counted too, as in the provisional standings." in html
