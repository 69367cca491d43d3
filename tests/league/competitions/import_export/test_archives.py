"""Past seasons and lists of players from the tables that people have."""

from datetime import date
from zoneinfo import ZoneInfo

import pytest

from league.competitions.draw.plans import Plan, found
from league.competitions.import_export import importing
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.csv_tables import tables_of
from league.competitions.import_export.exporting import competition_file
from league.competitions.import_export.importing import import_entrants
from league.competitions.import_export.player_tables import PLAYER_WORDS, read_players
from league.competitions.import_export.result_columns import RESULT_WORDS, guess, words_of
from league.competitions.import_export.result_tables import read_results
from league.competitions.import_export.tabular import decoded, read_sheet
from league.competitions.models import Competition, Registration
from league.matches.models import Match, Record, Result, SealedLog
from tests.league.competitions.import_export.test_transfer import give, played

LISBON = ZoneInfo("Europe/Lisbon")
SPANISH = """Fecha;Jornada;Jugador 1;Jugador 2;Puntos 1;Puntos 2
03/10/2025;1;José Peña;Ana Ruiz;150;95
03/10/2025;1;Bo Chen;libre;;
10/10/2025;2;Ana Ruiz;Bo Chen;120;150
10/10/2025;2;José Peña;libre;;
17/10/2025;3;José Peña;Bo Chen;150;145
"""


def sheet_of(text, kinds=RESULT_WORDS):
    return read_sheet(text, words_of(kinds))


def results(text, columns=None, **more):
    sheet = sheet_of(text)
    given = {"name": "Liga 2025", "ruleset": "udl", "zone": LISBON} | more
    return read_results(sheet, guess(sheet, RESULT_WORDS) if columns is None else columns, **given)


OF_PAIRS = """Fecha;Jornada;Pareja 1;Pareja 2;Puntos 1;Puntos 2
03/10/2025;1;José Peña / Ana Ruiz;Bo Chen / Mia Sol;150;95
10/10/2025;2;Bo Chen / Mia Sol;José Peña / Ana Ruiz;120;150
"""


def test_a_season_whose_every_name_is_two_was_played_by_pairs(world):
    read = results(OF_PAIRS)
    assert (read.mistakes, read.filed.plan["pairs"]) == ((), True)
    done = importing.import_competition(world.league, read.filed, user=world.owner)
    rows = done.competition.registrations.order_by("seed")
    assert [str(row) for row in rows] == ["José Peña & Ana Ruiz", "Bo Chen & Mia Sol"]
    one_alone = results(OF_PAIRS.replace("Bo Chen / Mia Sol", "Bo Chen"))
    assert one_alone.filed.plan["pairs"] is False


def test_a_table_of_pairs_has_a_column_for_the_partner_or_both_names_in_one(world):
    words = words_of(PLAYER_WORDS)
    text = "Jugador 1;Pareja;Club\nGil Ros;Nia Sanz;Hill\nEva Mar / Fito Rey;;\nDora Luz;;\n"
    sheet = read_sheet(text, words)
    read = read_players(sheet, guess(sheet, PLAYER_WORDS), pairs=True)
    assert [(one.name, one.partner.name, one.partner.club) for one in read.entrants] == [
        ("Gil Ros", "Nia Sanz", "Hill"),
        ("Eva Mar", "Fito Rey", ""),
    ]
    assert [(one.place, one.code, one.found) for one in read.mistakes] == [("line 4", "no-pair", "Dora Luz")]


def told(filed):
    """(round, name, [(a, b, points, winner)])"""
    names = {one.key: one.name for one in filed.entrants}
    return [
        (one.number, one.name, [
            (*(names[berth.entrant] for berth in slot.berths), *((game.points, game.winner) for game in slot.games))
            for slot in one.slots
        ])
        for one in filed.rounds
    ]  # fmt: skip


def test_a_season_is_read_from_a_spanish_table():
    filed = results(SPANISH).filed
    assert told(filed) == [
        (1, "", [("José Peña", "Ana Ruiz", ((150, 95), 1)), ("Bo Chen",)]),
        (2, "", [("Ana Ruiz", "Bo Chen", ((120, 150), 2)), ("José Peña",)]),
        (3, "", [("José Peña", "Bo Chen", ((150, 145), 1))]),
    ]
    assert [slot.starts_at.date() for one in filed.rounds for slot in one.slots if slot.starts_at] == [
        date(2025, 10, 3), date(2025, 10, 10), date(2025, 10, 17),
    ]  # fmt: skip
    assert (filed.plan["best_of"], filed.stages[0].format) == (1, "round_robin")


@pytest.mark.parametrize("heads", [
    "date,round,player A,player B,points A,points B",
    "Played on,Matchday,Home,Away,Home points,Away points",
    "fecha,ronda,local,visitante,tantos local,tantos visitante",
    "date,round,player_a,player_b,points_a,points_b",
])  # fmt: skip
def test_the_columns_are_guessed_by_their_headings(heads):
    sheet = sheet_of(f"{heads}\n2025-10-03,1,Ana,Bo,150,95\n")
    assert guess(sheet, RESULT_WORDS) == {
        "date": 0, "round": 1, "player_a": 2, "player_b": 3, "points_a": 4, "points_b": 5,
    }  # fmt: skip


def test_the_organizer_corrects_the_columns():
    text = "x,y,z\nAna,150-95,Bo\n"
    assert results(text, {}).mistakes[0].place == "columns"
    assert results(text, {}).mistakes[0].found == "player_a, player_b, points_a, points_b"
    filed = results("\n".join(text.splitlines()[1:]), {"player_a": 0, "score": 1, "player_b": 2}).filed
    assert told(filed) == [(1, "", [("Ana", "Bo", ((150, 95), 1))])]


def test_games_of_the_same_two_in_a_round_are_one_match_whoever_stands_first():
    filed = results("round,player a,player b,score\n1,Ana,Bo,150-95\n1,Bo,Ana,150-20\n1,Ana,Bo,150:90\n").filed
    assert told(filed) == [(1, "", [("Ana", "Bo", ((150, 95), 1), ((20, 150), 2), ((150, 90), 1))])]
    assert filed.plan["best_of"] == 3


def test_two_matches_of_the_same_two_make_it_a_double_round_robin():
    filed = results("round,player a,player b,score\n1,Ana,Bo,150-95\n2,Bo,Ana,150-20\n").filed
    assert filed.stages[0].format == "double_round_robin"


def test_without_rounds_a_day_is_one_and_without_days_everybody_plays_once_a_round():
    by_day = "date,player a,player b,score\n2025-10-10,Ana,Bo,9-5\n2025-10-03,Ana,Cy,9-5\n"
    assert [[slot[:2] for slot in slots] for _n, _name, slots in told(results(by_day).filed)] == [
        [("Ana", "Cy")], [("Ana", "Bo")],
    ]  # fmt: skip
    plain = "player a,player b,score\nAna,Bo,9-5\nCy,Di,9-5\nAna,Cy,9-5\n"
    assert [[slot[:2] for slot in slots] for _n, _name, slots in told(results(plain).filed)] == [
        [("Ana", "Bo"), ("Cy", "Di")], [("Ana", "Cy")],
    ]  # fmt: skip


def test_rounds_with_names_keep_them_in_their_order():
    text = "round,player a,player b,score\nSemi-final,Ana,Bo,9-5\nFinal,Ana,Cy,9-5\n"
    assert [(number, name) for number, name, _slots in told(results(text).filed)] == [(1, "Semi-final"), (2, "Final")]


def test_dates_with_the_month_first_are_known_by_the_whole_column():
    text = "date,player a,player b,score\n10/03/2025,Ana,Bo,9-5\n10/28/2025,Ana,Cy,9-5\n"
    filed = results(text).filed
    assert [one.slots[0].starts_at.date() for one in filed.rounds] == [date(2025, 10, 3), date(2025, 10, 28)]


@pytest.mark.parametrize(("line", "place", "code"), [
    ("2025-13-03,1,Ana,Bo,150,95", "line 3", "bad-date"),
    ("2025-10-03,1,Ana,Ana,150,95", "line 3", "against-oneself"),
    ("2025-10-03,1,Ana,Cy,150,many", "line 3", "bad-points"),
    ("2025-10-03,1,Ana,Cy,150,-5", "line 3", "bad-points"),
    ("2025-10-03,1,,Cy,150,5", "line 3", "no-name"),
    ("2025-10-03,1,Ana,Bo,5,150", "line 3", "not-decided"),
])  # fmt: skip
def test_a_line_that_cannot_be_is_named(line, place, code):
    text = f"date,round,player a,player b,points a,points b\n2025-10-03,1,Ana,Bo,150,95\n{line}\n"
    read = results(text)
    assert (read.filed, [(one.place, one.code) for one in read.mistakes]) == (None, [(place, code)])


def test_a_past_season_becomes_a_finished_competition_of_recorded_results(world):
    filed = results(SPANISH).filed
    assert importing.preview_import(world.elsewhere, filed, user=world.charlie).may_store
    assert Competition.objects.filter(league=world.elsewhere).count() == 0
    done = importing.import_competition(world.elsewhere, filed, user=world.charlie)
    again = importing.import_competition(world.elsewhere, filed, user=world.charlie)
    assert (done.created, again.created, again.competition) == (True, False, done.competition)
    assert confirm_import(done.competition, user=give(world.elsewhere)) == 3
    found = Result.objects.filter(game__match__league=world.elsewhere)
    assert {(one.known_by, one.state, one.record.via) for one in found} == {("score", "official", "import")}
    assert (SealedLog.objects.count(), Record.objects.count()) == (0, 3)
    value = competition_file(world.charlie, "hills", done.competition.slug)
    names = {one["key"]: one["name"] for one in value["entrants"]}
    assert [(row["rank"], names[row["entrant"]], row["won"]) for row in value["standings"]["official"]] == [
        (1, "José Peña", 2), (2, "Bo Chen", 1), (3, "Ana Ruiz", 0),
    ]  # fmt: skip
    assert [(one["number"], one["format"], one["finished"]) for one in value["stages"]] == [(1, "round_robin", True)]


def test_our_own_table_of_games_is_read_as_it_is(world):
    competition = played(world, 4, format="round_robin", best_of=3)
    value = competition_file(world.owner, "harbour", competition.slug)
    sheet = sheet_of(decoded(tables_of(value)["games.csv"]))
    read = read_results(sheet, guess(sheet, RESULT_WORDS), name="Again", ruleset="udl", zone=LISBON)
    done = importing.import_competition(world.elsewhere, read.filed, user=world.charlie)
    confirm_import(done.competition, user=give(world.elsewhere))
    again = competition_file(world.charlie, "hills", done.competition.slug)

    def standings(one):
        names = {entry["key"]: entry["name"] for entry in one["entrants"]}
        return [{**row, "entrant": names[row["entrant"]]} for row in one["standings"]["official"]]

    assert standings(again) == standings(value)
    assert Match.objects.filter(league=world.elsewhere, state=Match.State.DECIDED).count() == 6


# --- Players ---

# The headings of Challonge's table of standings, as its readers have them: ChallongeStandingsParserTest (PHP) and
# a parser of its English, German and Italian pages, both on GitHub.
CHALLONGE = (
    "Rank\tParticipant\tMatch W-L-T\t1. Score\t2. Pts\t3. Pts Diff\t4. TB\tBuchholz\n"
    "2\tBo Chen\t4 - 1 - 0\t4.0\t21\t+12\t0\t12.0\n"
    "1\tArcher Rojas\t5 - 0 - 0\t5.0\t25\t+20\t0\t11.0\n"
)


def players(text):
    sheet = sheet_of(text, PLAYER_WORDS)
    return read_players(sheet, guess(sheet, PLAYER_WORDS))


def test_challonges_standings_give_names_in_their_order():
    assert [one.name for one in players(CHALLONGE).entrants] == ["Archer Rojas", "Bo Chen"]
    german = "Rang\tTeilnehmer\tSpiele G-V-U\n1\tArcher Rojas\t5 - 0 - 0\n"
    assert [one.name for one in players(german).entrants] == ["Archer Rojas"]


def test_challonges_list_of_entrants_gives_names_and_no_addresses():
    """ "Display Name, Email", a line each (kb.challonge.com, "Participant Management")."""
    read = players("Ana Ruiz, ana@example.org\nBo Chen, bo@example.org\n")
    assert [(one.name, one.club) for one in read.entrants] == [("Ana Ruiz", ""), ("Bo Chen", "")]


def test_seeds_go_before_ratings_and_both_before_none():
    text = (
        "Nombre;Club;Número;Cabeza de serie;Elo;Año de nacimiento\n"
        "Cy;;;;1400;\nDi;Hill;7;;1600;2012\nBo;;;2;;\nEm;;;;;\nAna;;;1;;\n"
    )
    read = players(text)
    assert [(one.name, one.club, one.number, one.born) for one in read.entrants] == [
        ("Ana", "", "", None), ("Bo", "", "", None), ("Di", "Hill", "7", 2012), ("Cy", "", "", None),
        ("Em", "", "", None),
    ]  # fmt: skip
    assert [(one.place, one.code) for one in players("name,born\nAna,soon\n,2000\n").mistakes] == [
        ("line 2", "bad-number"), ("line 3", "no-name"),
    ]  # fmt: skip


def test_players_from_a_table_are_registered_in_their_order_with_what_is_known(world):
    competition = found(world.league, Plan(name="Cup", ruleset="udl"), user=world.owner)
    read = players("Name,Seed,Born\nCy Diaz,2,2012\nAna Ruiz,1,\n")
    import_entrants(competition, read.entrants, user=world.owner)
    rows = Registration.objects.filter(competition=competition).order_by("seed").select_related("entrant__player")
    assert [(row.seed, row.entrant.player.shown_name) for row in rows] == [(1, "Ana Ruiz"), (2, "C. D.")]
    assert rows[0].entrant == world.ana
