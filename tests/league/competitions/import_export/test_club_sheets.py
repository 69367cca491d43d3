"""Tables as clubs keep them are read whole; each mistake has its line and column."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.import_export import importing
from league.competitions.import_export.cross_tables import find_cross_table
from league.competitions.import_export.player_tables import PLAYER_WORDS, read_players
from league.competitions.import_export.result_cells import (
    are_wins,
    day_in,
    games_in,
    games_of_wins,
    name_in,
    points_in,
    round_in,
)
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.season_tables import read_season_results
from league.competitions.import_export.tabular import column_letter, decoded, read_sheet
from league.competitions.import_export.xlsx import workbook_sheets
from league.matches.models import Match
from league.players.alike_names import NameAnswer, alike_names, renamed
from tests.league.competitions.import_export.club_sheets import (
    BY_ROUND,
    CROSS,
    CROSS_OF_POINTS,
    TEXTS,
    TITLED,
    WORKBOOK_MATCHES,
    workbook_of_a_club,
    workbook_of_days,
)

LISBON = ZoneInfo("Europe/Lisbon")


def read(text, **more):
    sheet = read_sheet(text, words_of(RESULT_WORDS))
    return read_results(sheet, guess(sheet, RESULT_WORDS), name="Liga", ruleset="udl", zone=LISBON, **more)


def matches(filed):
    names = {one.key: one.name for one in filed.entrants}
    return [
        (str(one.number), *(names[berth.entrant] for berth in slot.berths), *[""] * (2 - len(slot.berths)),
         tuple(game.points for game in slot.games))
        for one in filed.rounds
        for slot in one.slots
    ]  # fmt: skip


@pytest.mark.parametrize("coding", ["utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("kind", TEXTS)
def test_a_table_of_a_club_is_read_as_it_is(kind, coding):
    text, expected = TEXTS[kind]
    done = read(decoded(text.encode(coding)))
    assert (done.mistakes, matches(done.filed)) == ((), expected)


def test_a_workbook_is_read_below_its_titles_with_what_is_merged():
    titles, texts = zip(*workbook_sheets(workbook_of_a_club()), strict=True)
    done = read(texts[1])
    assert (titles, done.mistakes, matches(done.filed)) == (("Portada", "Resultados 2025"), (), WORKBOOK_MATCHES)
    days = [slot.starts_at.date() for one in done.filed.rounds for slot in one.slots]
    assert days == [date(2025, 10, 3)] * 2 + [date(2025, 10, 10)] * 2
    assert done.filed.plan["best_of"] == 3


def test_lines_without_a_match_are_told_and_no_line_is_lost():
    assert read(TITLED).unread == (
        (1, "Club de Dominó El Puerto"), (2, "Temporada 2025/26"), (10, "Datos a 12.10.2025"),
    )  # fmt: skip
    assert read(BY_ROUND).unread == ((2, "Vereinsmeisterschaft"),)
    assert read(CROSS).unread == ((1, "Kreuztabelle"),)
    assert read(CROSS_OF_POINTS).unread == ()


def test_open_matches_are_imported_without_a_result(world):
    done = importing.import_competition(world.league, read(TITLED).filed, user=world.owner)
    states = Match.objects.filter(slot__matchday__stage__competition=done.competition).order_by("pk")
    assert [one.state for one in states].count("scheduled") == 1
    assert importing.import_competition(world.league, read(TITLED).filed, user=world.owner).created is False


HEAD = "Round;Player A;Player B;Score;Winner;Date\n1;Ana;Bo;150-95;;2025-10-03\n"


@pytest.mark.parametrize(("line", "code", "column"), [
    ("1;Cy;Di;many;;", "bad-points", "D"),
    ("1;Cy;Di;2026-01-02;;", "score-is-day", "D"),
    ("1;Cy;Di;150-20;Ana;", "bad-winner", "E"),
    ("1;Cy;Di;150-20;;soon", "bad-date", "F"),
    ("1;;Di;150-20;;", "no-name", "B"),
    ("1;Cy;Cy;150-20;;", "against-oneself", "C"),
    (";Cy;;;;", "lone-name", "B"),
])  # fmt: skip
def test_a_mistake_has_its_line_and_column(line, code, column):
    done = read(HEAD + line + "\n1;Em;Fi;150-1;;\n")
    found = [(one.place, one.code, column_letter(one.column)) for one in done.mistakes]
    assert found == [("line 3", code, column)]


def test_a_score_that_a_spreadsheet_made_a_day_is_no_result():
    done = read(workbook_sheets(workbook_of_days())[0][1])
    assert [(one.place, one.code) for one in done.mistakes] == [("line 2", "score-is-day"), ("line 3", "score-is-day")]


def test_games_won_need_a_winner():
    text = "Player A;Player B;Games\nAna;Bo;2-1\nCy;Di;1-1\nAna;Cy;0-2\n"
    assert [(one.place, one.code) for one in read(text).mistakes] == [("line 3", "bad-wins")]


def test_scores_are_games_won_only_where_each_winner_has_as_many():
    assert are_wins([(2, 1), (0, 2)])
    assert not are_wins([(2, 1), (1, 0)])
    assert not are_wins([(1, 0), (0, 1)])
    assert not are_wins([(150, 95)])
    assert not are_wins([(9, 5)])
    assert not are_wins([(2, 2)])
    assert games_of_wins((1, 3)) == ((0, 1), (0, 1), (1, 0), (0, 1))
    assert games_of_wins((1, 1)) is None
    assert games_of_wins((7, 0)) is None


def test_the_organizer_may_take_small_scores_for_points():
    sheet = read_sheet("Player A;Player B;Result\nAna;Bo;2-1\n", words_of(RESULT_WORDS))
    assert guess(sheet, RESULT_WORDS) == {"player_a": 0, "player_b": 1, "sets": 2}
    columns = {"player_a": 0, "player_b": 1, "score": 2}
    done = read_results(sheet, columns, name="Liga", ruleset="udl", zone=LISBON)
    assert matches(done.filed) == [("1", "Ana", "Bo", ((2, 1),))]


# --- Cross-tables ---

TWO_LEGS = "Name;1;2;3\nAna;;150-10;150-20\nBo;150-30;;150-40\nCy;150-50;150-60;\n"


def test_halves_of_a_cross_table_that_differ_are_two_legs():
    done = read(TWO_LEGS)
    assert (done.filed.stages[0].format, done.filed.games, len(done.filed.rounds)) == ("double_round_robin", 6, 6)


def test_cells_of_a_cross_table_that_contradict_each_other_are_named():
    done = read(CROSS.replace("95-150", "95-149"))
    assert [(one.place, one.code, one.column) for one in done.mistakes] == [("line 4", "contradicts", 2)]
    half = read("Name;1;2;3\nAna;;150;150\nBo;95;;20\nCy;140;;\n")
    assert [(one.place, one.code, one.column) for one in half.mistakes] == [("line 3", "half-result", 3)]


def test_a_player_in_two_rows_of_a_cross_table_is_a_mistake():
    done = read(CROSS.replace("Mia Sol", "Ana Ruiz"))
    assert [(one.place, one.code) for one in done.mistakes] == [("line 5", "name-twice")]


def test_a_list_of_results_is_no_cross_table():
    for text in (TITLED, BY_ROUND, TEXTS["no headings"][0], "a;b;1;2\nAna;Bo;150;95\nCy;Di;1;2\nEm;Fi;3;4\n"):
        assert find_cross_table(read_sheet(text, words_of(RESULT_WORDS))) is None


def test_a_cross_table_is_refused_where_there_is_none():
    sheet = read_sheet(TITLED, words_of(RESULT_WORDS))
    done = read_results(sheet, {"cross": 3}, name="Liga", ruleset="udl", zone=LISBON)
    assert [one.code for one in done.mistakes] == ["no-cross-table"]


# --- Cells ---


@pytest.mark.parametrize(("cell", "name"), [
    ("Ruiz, Ana", "Ana Ruiz"),
    ("  Ana   Ruiz ", "Ana Ruiz"),
    ("De la Peña, José", "José De la Peña"),
    ("Ruiz, Ana / Chen, Bo", "Ana Ruiz / Bo Chen"),
    ("Martin, Jr.", "Martin, Jr."),
    ("Ruiz, Ana, Mill", "Ruiz, Ana, Mill"),
])  # fmt: skip
def test_a_name_with_the_surname_first_is_turned(cell, name):
    assert name_in(cell) == name


@pytest.mark.parametrize(("cell", "day"), [
    ("2025-10-03", date(2025, 10, 3)),
    ("2025-10-03 20:30", date(2025, 10, 3)),
    ("Fr 03.10.25", date(2025, 10, 3)),
    ("viernes, 3 de octubre de 2025", date(2025, 10, 3)),
    ("3. Dezember 2025", date(2025, 12, 3)),
    ("Oct 3, 2025", date(2025, 10, 3)),
    ("31/02/2025", None),
    ("03/10", None),
])  # fmt: skip
def test_days_are_read_as_people_write_them(cell, day):
    assert day_in(cell) == day


def test_rounds_are_read_above_their_matches():
    texts = [
        "Jornada 3",
        "JORNADA 12 (17/10/2025)",
        "3. Spieltag",
        "Round 2: Friday",
        "Final",
        "Semifinales",
        "Liga 2025",
    ]
    assert [round_in(one) for one in texts] == ["3", "12", "3", "2", "Final", "Semifinales", ""]


def test_scores_are_read_with_their_units():
    texts = ["150 - 95", "150–95", "150 pts : 95 pts", "95", "150-", "-5", "2-1 (150-95, 120-150, 150-80)"]
    assert [games_in(one) for one in texts] == [
        ((150, 95),), ((150, 95),), ((150, 95),), None, None, None, ((150, 95), (120, 150), (150, 80)),
    ]  # fmt: skip


def test_a_sign_before_three_zeros_is_no_number():
    """In "1.000" a point separates thousands, or decimals: 1,000 points or 1."""
    assert [points_in(one) for one in ("150", "150.0", "95,00", "95 pts", "1.000", "1,000", "1.250")] == [
        150, 150, 95, 95, None, None, None,
    ]  # fmt: skip


# --- Seasons ---

SEASON = """Liga del club;;;;;
Jornada 1 (3/10/2025);;;;;
División;Fecha;Jugador 1;Jugador 2;Puntos 1;Puntos 2
Primera;;Ana Ruiz;Bo Chen;150;95
Segunda;;Cy Diaz;Di Eze;150;20
Jornada 2;;;;;
Primera;10/10/2025;Bo Chen;Ana Ruiz;150;30
Segunda;10/10/2025;Di Eze;Cy Diaz;150;40
17/10/2025;;;;;
Tercera;;Eva Fox;Fay Gil;150;50
"""


def test_headings_of_rounds_hold_for_every_division():
    sheet = read_sheet(SEASON, words_of(RESULT_WORDS))
    columns = guess(sheet, RESULT_WORDS) | {"division": 0}
    done = read_season_results(sheet, columns, name="Liga", ruleset="udl", zone=LISBON)
    assert done.mistakes == ()
    assert [one.name for one in done.filed.divisions] == ["Primera", "Segunda", "Tercera"]
    rounds = [
        [(slot.starts_at.date(), one.number) for one in division.competition.rounds for slot in one.slots]
        for division in done.filed.divisions
    ]
    first, second, third = date(2025, 10, 3), date(2025, 10, 10), date(2025, 10, 17)
    assert rounds == [[(first, 1), (second, 2)], [(first, 1), (second, 2)], [(third, 1)]]
    assert done.unread == ((1, "Liga del club"),)


# --- Names that look alike ---

ALIKE = "Round;Player A;Player B;Score\n1;Ana Ruiz;Bo Chen;150-95\n2;Ana Ruíz;Bo Chenn;150-20\n"


def test_a_chosen_spelling_is_one_entrant():
    asked = alike_names(read(ALIKE).names)
    assert [(one.first, one.second) for one in asked] == [("Ana Ruiz", "Ana Ruíz"), ("Bo Chen", "Bo Chenn")]
    answers = {asked[0].key: NameAnswer.SECOND, asked[1].key: NameAnswer.TWO_PEOPLE}
    filed = read(ALIKE, renamed=renamed(asked, answers)).filed
    assert [one.name for one in filed.entrants] == ["Ana Ruíz", "Bo Chen", "Bo Chenn"]


# --- Players ---

MEMBERS = """Socios del club;;;;
;;;;
Nº;Apellidos;Nombre;Club;Año de nacimiento
1;Ruiz;Ana;Puerto;2010
2;Chen;Bo;n/a;-
3;Chenn;Bo;;n/a
"""


def players(text, **more):
    sheet = read_sheet(text, words_of(PLAYER_WORDS))
    return read_players(sheet, guess(sheet, PLAYER_WORDS), **more)


def test_a_list_of_members_is_read_with_both_names():
    done = players(MEMBERS)
    assert [(one.name, one.club, one.born) for one in done.entrants] == [
        ("Ana Ruiz", "Puerto", 2010), ("Bo Chen", "", None), ("Bo Chenn", "", None),
    ]  # fmt: skip
    german = players("Mitglieder\n\nVorname;Nachname;Verein\nAna;Ruiz;Hafen\n")
    assert [(one.name, one.club) for one in german.entrants] == [("Ana Ruiz", "Hafen")]
    assert [one.name for one in players("1;Ruiz, Ana\n2;Chen, Bo\n").entrants] == ["Ana Ruiz", "Bo Chen"]


def test_the_second_line_of_one_player_is_left_out():
    asked = alike_names(players(MEMBERS).names)
    chosen = renamed(asked, {asked[0].key: NameAnswer.FIRST})
    assert [one.name for one in players(MEMBERS, renamed=chosen).entrants] == ["Ana Ruiz", "Bo Chen"]


def test_a_name_that_stands_twice_without_an_answer_is_still_asked_about(world):
    competition = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    done = players("Name\nZoe New\nZoe New\n")
    assert len(done.entrants) == 2
    with pytest.raises(importing.Refused):
        importing.import_entrants(competition, done.entrants, user=world.owner)
