"""Tie-breaks by rating use what everybody had when the competition was published, and nothing later."""

import json

from league.competitions.attendance.late_entries import walk_in
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.import_export import reading as transfer
from league.competitions.import_export.exporting import EVERYBODY, competition_file, to_json
from league.competitions.import_export.importing import import_competition
from league.competitions.import_export.trf_report import report
from league.competitions.models import Registration
from league.competitions.queries.competition import competition_page
from league.competitions.ratings.services import rate_match
from league.competitions.registration.entries import register
from league.competitions.standings.tiebreaks.figures import TermNote
from tests.league.competitions.cup import enter_result, people, published, slot
from tests.league.competitions.rated import competition, met

ORDER = ("wins", "opponents_rating", "performance")
ROUND_ROBIN = "round_robin"


def rated_before(world):
    """Ana has beaten Bo twice; P3 and whoever comes later have never played. Glicko-2 gives 1747 and 1253."""
    match = met(world, competition(world, "Before"), world.ana, world.bo, 1, 1, best_of=3)
    rate_match(match.pk)
    return match


def ratings_at_start(cup):
    rows = Registration.objects.filter(competition=cup).order_by("seed")
    return [(str(one.entrant), one.rating) for one in rows]


def three(world):
    """A round robin of three, of which Ana beat Bo, Bo beat P3 and P3 beat Ana."""
    cup = published(world, 3, format=ROUND_ROBIN, tie_breaks=ORDER)
    for number in (1, 2, 3):
        match = slot(cup, number, 1 if slot(cup, number, 1).match else 2).match
        sides = [str(side.entrant) for side in match.sides.order_by("number")]
        winner = {"Ana Ruiz": "P3", "Bo Chen": "Ana Ruiz", "P3": "Bo Chen"}
        enter_result(world, match, 1 if winner[sides[1]] == sides[0] else 2)
        advance(match.pk)
    return cup


def test_the_rating_is_written_down_when_the_competition_is_published(world):
    rated_before(world)
    cup = found(world.league, Plan(name="Cup", ruleset="udl", tie_breaks=ORDER), user=world.owner)
    register(cup, people(world, 3))
    draw(cup, user=world.owner)
    assert ratings_at_start(cup) == [("Ana Ruiz", None), ("Bo Chen", None), ("P3", None)]
    publish(cup, user=world.owner)
    assert ratings_at_start(cup) == [("Ana Ruiz", 1747), ("Bo Chen", 1253), ("P3", None)]


def test_a_rating_that_moves_meanwhile_moves_no_table(world):
    rated_before(world)
    cup = published(world, 3, format=ROUND_ROBIN, tie_breaks=ORDER)
    before = ratings_at_start(cup)
    rate_match(met(world, competition(world, "Later"), world.bo, world.ana, 1, 1, best_of=3).pk)
    publish(cup, user=world.owner)  # a second time, by a double click
    assert ratings_at_start(cup) == before


def test_a_list_of_another_ruleset_says_nothing(world):
    rated_before(world)
    cup = published(world, 2, ruleset="all-fives")
    assert ratings_at_start(cup) == [("Ana Ruiz", None), ("Bo Chen", None)]


def test_who_comes_later_brings_the_rating_of_that_day_and_moves_nobody_else(world):
    cup = published(world, 3, format=ROUND_ROBIN, tie_breaks=ORDER)
    rated_before(world)
    done = walk_in(cup, "Zoe Late", user=world.owner)
    assert done.registration.rating is None
    assert ratings_at_start(cup) == [("Ana Ruiz", None), ("Bo Chen", None), ("P3", None), ("Zoe Late", None)]


def test_a_newcomer_with_a_rating_has_it_from_the_first_round(world):
    rated_before(world)
    cup = found(world.league, Plan(name="Cup", ruleset="udl", format=ROUND_ROBIN), user=world.owner)
    register(cup, people(world, 5)[2:])
    draw(cup, user=world.owner)
    publish(cup, user=world.owner)
    assert walk_in(cup, "Ana Ruiz", user=world.owner).registration.rating == 1747


def test_the_table_is_parted_by_the_mean_of_the_opponents_and_each_number_opens_to_its_terms(world):
    rated_before(world)
    cup = three(world)
    rows = competition_page(EVERYBODY, "harbour", cup.slug).official
    assert [(row.rank, row.name, row.figures["opponents_rating"].value) for row in rows] == [
        (1, "Bo Chen", 1747),
        (2, "P3", 1500),
        (3, "Ana Ruiz", 1253),
    ]
    terms = {str(term.adds): term for term in rows[1].figures["opponents_rating"].terms}
    assert set(terms) == {"1747", "1253"}
    [left_out] = [term for term in rows[0].figures["opponents_rating"].terms if not term.counted]
    assert (left_out.theirs, left_out.notes) == (None, (TermNote.NOT_RATED,))
    # Bo lost to the only one with a rating: none of one point is worth 800 less.
    assert [row.figures["performance"].value for row in rows] == [947, 1500, 2053]


def test_the_ratings_stand_in_the_report_and_come_back_from_the_file(world):
    rated_before(world)
    cup = three(world)
    value = json.loads(to_json(competition_file(world.owner, "harbour", cup.slug)))
    assert [one["rating"] for one in value["entrants"]] == [1747, 1253, None]
    lines = report(value).split("\r\n")
    assert "072 2" in lines
    assert [line[48:52] for line in lines if line.startswith("001")] == ["1747", "1253", "    "]
    filed = transfer.read(value).filed
    done = import_competition(world.elsewhere, filed, user=world.charlie, value=value)
    publish(done.competition, user=world.charlie)
    assert [rating for _name, rating in ratings_at_start(done.competition)] == [1747, 1253, None]


def test_an_archive_without_ratings_gets_none_of_today(world):
    rated_before(world)
    cup = three(world)
    value = json.loads(to_json(competition_file(world.owner, "harbour", cup.slug)))
    for one in value["entrants"]:
        del one["rating"]
    value |= {"key": "OLDSEASON", "competition": value["competition"] | {"name": "Old season"}}
    done = import_competition(world.league, transfer.read(value).filed, user=world.owner)
    publish(done.competition, user=world.owner)
    assert ratings_at_start(done.competition) == [("Ana Ruiz", None), ("Bo Chen", None), ("P3", None)]


def test_a_rating_in_a_file_is_a_number(world):
    cup = three(world)
    value = json.loads(to_json(competition_file(world.owner, "harbour", cup.slug)))
    value["entrants"][0]["rating"] = 10_001
    value["entrants"][1]["rating"] = "strong"
    assert [(one.place, one.code) for one in transfer.read(value).mistakes] == [
        ("entrants[1].rating", "bad-number"),
        ("entrants[2].rating", "bad-value"),
    ]
