"""Both brackets of a double elimination and its final in one drawing."""

import re
from itertools import pairwise

import pytest

from league.competitions.models import Competition, Matchday, Slot, Stage
from league.matches.models import Match
from league.web.charts.bracket import BOX_WIDTH, Drawing, drawing
from league.web.charts.bracket_layout import SCREEN
from league.web.charts.bracket_parts import BracketPart, sections
from league.web.charts.bracket_seeds import skeleton
from tests.web.lives import official, two_lives

BRACKET = "/competitions/harbour/two-lives/bracket/"
Section = Matchday.Section


def seeded(entrants: int, *, reset: bool = True) -> tuple[BracketPart, Drawing]:
    stage = Stage(competition=Competition(), format=Stage.Format.DOUBLE_ELIMINATION, reset=reset)
    [part] = sections(skeleton(stage, entrants))
    return part, drawing(part)


def section_of(part: BracketPart) -> dict[int, str]:
    return {slot.id: day.section for day, slots in part.days for slot in slots}


@pytest.mark.parametrize("entrants", range(3, 65))
def test_winners_stand_above_losers_below_and_the_final_at_the_right_of_both(entrants: int) -> None:
    part, made = seeded(entrants)
    section = section_of(part)
    by: dict[str, list] = {one: [] for one in (Section.WINNERS, Section.LOSERS, Section.FINAL)}
    for box in made.boxes:
        if not box.slot.bye:
            by[section[box.slot.id]].append(box)
    assert [len(by[one]) for one in by] == [entrants - 1, entrants - 2, 2]
    assert max(one.middle + one.row for one in by[Section.WINNERS]) < min(one.top for one in by[Section.LOSERS])
    final, decider = by[Section.FINAL]
    assert final.x > max(one.right for one in by[Section.WINNERS] + by[Section.LOSERS])
    assert decider.x > final.right
    assert final.middle == decider.middle
    assert by[Section.WINNERS][-1].middle < final.middle < by[Section.LOSERS][-1].middle
    assert made.height > max(one.top + one.height for one in made.boxes)
    assert made.width >= decider.right


@pytest.mark.parametrize("entrants", range(3, 65))
def test_no_box_lies_on_another_one_and_no_line_runs_through_one(entrants: int) -> None:
    _part, made = seeded(entrants)
    columns: dict[int, list[int]] = {}
    for box in made.boxes:
        columns.setdefault(box.x, []).append(box.middle)
    for middles in columns.values():
        assert all(after - before >= SCREEN.pitch for before, after in pairwise(sorted(middles)))
    for one in made.connectors:
        x, y, turn, down, right = map(int, re.findall(r"\d+", one.path))
        for box in made.boxes:
            crossed = [
                box.x < turn and box.right > x and box.top < y < box.top + box.height,
                box.x < turn < box.right and min(y, down) < box.top + box.height and max(y, down) > box.top,
                box.x < right and box.right > turn and box.top < down < box.top + box.height,
            ]
            assert not any(crossed), (one, box.slot.number)


@pytest.mark.parametrize("entrants", range(3, 65))
def test_nobody_drops_to_the_left_and_no_line_is_drawn_for_who_drops(entrants: int) -> None:
    part, made = seeded(entrants)
    section, x = section_of(part), {box.slot.id: box.x for box in made.boxes}
    for box in made.boxes:
        for berth in box.slot.berths:
            if berth.takes == "loser":
                assert x[berth.from_slot] <= x[box.slot.id]
    assert not [
        one for one in made.connectors if section[one.start] == Section.WINNERS and section[one.end] == Section.LOSERS
    ]
    # By winning everybody comes to the final: a line leads on from every match but the last.
    assert len(made.connectors) == len(made.boxes) - 1


def test_of_a_full_bracket_each_round_stands_above_the_one_that_its_losers_drop_into() -> None:
    part, made = seeded(64)
    columns = {title.text: (title.x - 8) // (BOX_WIDTH + SCREEN.gap) for title in made.titles}
    assert [columns[f"Winners’ round {number}"] for number in range(1, 7)] == [0, 1, 3, 5, 7, 9]
    assert [columns[f"Losers’ round {number}"] for number in range(1, 11)] == list(range(10))
    assert (columns["Final"], columns["Deciding match"]) == (10, 11)
    assert part.name == "Part 1"


def test_sixty_five_are_drawn_in_parts_as_before() -> None:
    """The control: they are too many for one."""
    stage = Stage(competition=Competition(), format=Stage.Format.DOUBLE_ELIMINATION, reset=True)
    assert len(sections(skeleton(stage, 65))) > 3


def test_boxes_and_list_name_matches_by_their_bracket_and_their_usual_number(world, browse) -> None:
    two_lives(world, 8)
    html = browse().get(BRACKET).content.decode()
    svg, twin = html.split('<div class="twin">')
    for part in (svg, twin):
        assert re.findall(r"(?:Winner|Loser) of (?!W|L)", part) == ["Winner of ", "Loser of "]  # of the final
        for told in ("Match W1", "Match L7", "Loser of W1", "Winner of L7", "Match 15"):
            assert told in part
    match = Slot.objects.filter(matchday__section=Section.LOSERS).order_by("matchday__number", "number").first()
    listed = browse().get("/competitions/harbour/two-lives/").content.decode()
    assert match is not None
    assert "Loser of W1" in listed


def test_the_path_goes_on_in_the_losers_bracket_and_no_line_says_that_a_lost_match_was_won(world, browse) -> None:
    cup = two_lives(world, 4)
    for _round in range(2):  # both matches of winners' round 1, then the winners' final and losers' round 1
        for match in Match.objects.filter(slot__matchday__stage__competition=cup, state="scheduled"):
            official(world, match)
    day = Matchday.objects.get(stage__competition=cup, section=Section.WINNERS, number=2)
    final = day.slots.get()
    loser = final.match.sides.exclude(number=final.match.games.get().results.get(current=True).winner).get()
    svg = (
        browse()
        .get(BRACKET, {"player": loser.entrant.code})
        .content.decode()
        .split('<svg class="bracket"')[1]
        .split("</svg>")[0]
    )
    tones = {slot: tone for tone, slot in re.findall(r'<g class="box (\w+)" data-slot="(\d+)"', svg)}
    edges = {
        (start, end): tone
        for tone, start, end in re.findall(r'class="edge (\w+)" data-from="(\d+)" data-to="(\d+)"', svg)
    }
    days = Matchday.objects.filter(stage__competition=cup)
    below = days.filter(section=Section.LOSERS).last().slots.get()
    grand = days.get(section=Section.FINAL, kind=Matchday.Kind.FINAL).slots.get()
    [first] = [str(slot.pk) for slot in days.get(number=1).slots.all() if tones[str(slot.pk)] == "on"]
    final, below, grand = (str(slot.pk) for slot in (final, below, grand))
    assert (tones[final], tones[below], tones[grand]) == ("on", "on", "future")
    assert edges[first, final] == "on"  # that one was won
    assert edges[final, grand] == "off"  # this one was lost
    assert edges[below, grand] == "future"


def play_all(world, cup: Competition) -> None:
    """The undefeated one wins the final as well."""
    while matches := list(Match.objects.filter(slot__matchday__stage__competition=cup, state="scheduled")):
        for match in matches:
            official(world, match)


def told_of_the_decider(browse) -> list[str]:
    """By the drawing, what is heard of it, the list, the card, the wall and the calendar."""
    page = browse().get(BRACKET).content.decode()
    svg, twin = page.split('<div class="twin">')
    drawn = svg.split(">Deciding match<")[-1].split("</svg>")[0]
    [said] = re.findall(r'data-said="(Deciding match[^"]*)"', svg)
    wall = browse().get(f"{BRACKET}current/").content.decode().split(">Deciding match<")[-1]
    card = browse().get("/competitions/harbour/two-lives/").content.decode().split("Deciding match")[-1]
    return [drawn, said, twin.split("Deciding match")[-1], card, wall]


def test_a_deciding_match_that_is_not_needed_is_announced_nowhere(world, browse) -> None:
    cup = two_lives(world, 4)
    Slot.objects.filter(conditional=True).update(starts_at="2026-03-01T22:00Z")
    assert all("Only if needed" in part for part in told_of_the_decider(browse)[:4])
    play_all(world, cup)
    decider = Slot.objects.get(conditional=True)
    assert decider.not_needed
    for part in told_of_the_decider(browse):
        assert "Not needed" in part
        assert "Upcoming" not in part
    evening = browse(world.owner).get("/organize/harbour/competitions/two-lives/").content.decode()
    assert ("Pairings of Final:" in evening, "Pairings of Deciding match:" in evening) == (True, False)
    listed, card = told_of_the_decider(browse)[2:4]
    assert "1 Mar" not in listed + card
    winner = Match.objects.get(slot__matchday__kind=Matchday.Kind.FINAL).sides.get(number=1).entrant
    assert (
        f'class="box future" data-slot="{decider.pk}"'
        not in browse().get(BRACKET, {"player": winner.code}).content.decode()
    )
    calendar = browse().get("/competitions/harbour/two-lives/calendar.ics").content.decode()
    event = calendar.split(f"UID:slot-{decider.pk}@")[1].split("END:VEVENT")[0]
    assert "STATUS:CANCELLED" in event
    assert "Not needed: it is not played." in event


def test_a_deciding_match_that_is_needed_is_shown_as_every_other_one(world, browse) -> None:
    """The control: the undefeated one lost the final."""
    cup = two_lives(world, 4)
    Slot.objects.filter(conditional=True).update(not_needed=False)
    final = Slot.objects.get(matchday__stage__competition=cup, matchday__kind=Matchday.Kind.FINAL)
    while final.match is None:
        for match in Match.objects.filter(slot__matchday__stage__competition=cup, state="scheduled"):
            official(world, match)
        final.refresh_from_db()
    final.match.sides.filter(number=1).update(number=9)
    final.match.sides.filter(number=2).update(number=1)
    final.match.sides.filter(number=9).update(number=2)
    official(world, final.match)
    decider = Slot.objects.get(conditional=True)
    assert decider.match is not None
    assert not any("needed" in part for part in told_of_the_decider(browse))
