"""Tables as clubs keep them, and the matches that they hold: (round, a, b, games)."""

import io
from datetime import date, time
from typing import Any

import openpyxl

Match = tuple[str, str, str, tuple[tuple[int, int], ...]]

TITLED = """Club de Dominó El Puerto;;;;;;
Temporada 2025/26;;;;;;

Nº;Fecha;Jornada;Jugador 1;Jugador 2;Puntos 1;Puntos 2
1;03/10/2025;1;Ruiz, Ana;Peña, José;150;95
2;;;Chen, Bo;Sol, Mia;120 pts;150 pts
3;10/10/2025;2;Ruiz, Ana;Chen, Bo;150,0;80
4;;;Peña, José;Sol, Mia;n/a;n/a

Datos a 12.10.2025;;;;;;
"""
TITLED_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "José Peña", ((150, 95),)),
    ("1", "Bo Chen", "Mia Sol", ((120, 150),)),
    ("2", "Ana Ruiz", "Bo Chen", ((150, 80),)),
    ("2", "José Peña", "Mia Sol", ()),
]

BY_ROUND = """sep=,
Vereinsmeisterschaft,,,
1. Spieltag (Fr 03.10.2025),,,
Heim,Gast,Ergebnis,
Ana Ruiz,Bo Chen,2:1,
Mia Sol,freilos,,
2. Spieltag (Fr 10.10.2025),,,
Heim,Gast,Ergebnis,
Bo Chen,Mia Sol,0:2,
Ana Ruiz,spielfrei,,
3. Spieltag,,,
Ana Ruiz,Mia Sol,- : -,verschoben
"""
BY_ROUND_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "Bo Chen", ((1, 0), (0, 1), (1, 0))),
    ("1", "Mia Sol", "", ()),
    ("2", "Bo Chen", "Mia Sol", ((0, 1), (0, 1))),
    ("2", "Ana Ruiz", "", ()),
    ("3", "Ana Ruiz", "Mia Sol", ()),
]

CROSS = """Kreuztabelle\t\t\t\t\t\t
Nr.\tSpieler\t1\t2\t3\t4\tPunkte
1\tAna Ruiz\tX\t150-95\t150:80\t\t2
2\tBo Chen\t95-150\tX\t120-150\t150-60\t1
3\tMia Sol\t80:150\t150-120\tX\t150-10\t2
4\tJosé Peña\t\t60-150\t10-150\tX\t0
"""
CROSS_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "José Peña", ()),
    ("1", "Bo Chen", "Mia Sol", ((120, 150),)),
    ("2", "Mia Sol", "José Peña", ((150, 10),)),
    ("2", "Ana Ruiz", "Bo Chen", ((150, 95),)),
    ("3", "Bo Chen", "José Peña", ((150, 60),)),
    ("3", "Ana Ruiz", "Mia Sol", ((150, 80),)),
]

CROSS_OF_POINTS = """,Ana,Bo,Cy
Ana Ruiz,,150,150
Bo Chen,95,,20
Cy Diaz,140,150,
"""
CROSS_OF_POINTS_MATCHES: list[Match] = [
    ("1", "Bo Chen", "Cy Diaz", ((20, 150),)),
    ("1", "Ana Ruiz", "", ()),
    ("2", "Ana Ruiz", "Bo Chen", ((150, 95),)),
    ("2", "Cy Diaz", "", ()),
    ("3", "Ana Ruiz", "Cy Diaz", ((150, 140),)),
    ("3", "Bo Chen", "", ()),
]

GAMES_IN_A_CELL = """Round|Player A|Player B|Result
1|Ana Ruiz|Bo Chen|2-1 (150-95, 120-150, 150-80)
1|bye|Mia Sol|
2|Ana Ruiz|Mia Sol|150-20 / 150-30
"""
GAMES_IN_A_CELL_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "Bo Chen", ((150, 95), (120, 150), (150, 80))),
    ("1", "Mia Sol", "", ()),
    ("2", "Ana Ruiz", "Mia Sol", ((150, 20), (150, 30))),
]

ONE_HEADING = """Jugador;Jugador;Resultado;;
Ana Ruiz;Bo Chen;150;-;95
Mia Sol;Cy Diaz;80;-;150
"""
ONE_HEADING_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "Bo Chen", ((150, 95),)),
    ("1", "Mia Sol", "Cy Diaz", ((80, 150),)),
]

UNNAMED = """1\tVie 3 oct 2025\tAna Ruiz\tBo Chen\t150\t95
2\tVie 3 oct 2025\tMia Sol\tCy Diaz\t80\t150
3\tVie 10 oct 2025\tAna Ruiz\tMia Sol\t?\t?
4\tVie 10 oct 2025\tBo Chen\tCy Diaz\t150\t0
"""
UNNAMED_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "Bo Chen", ((150, 95),)),
    ("1", "Mia Sol", "Cy Diaz", ((80, 150),)),
    ("2", "Ana Ruiz", "Mia Sol", ()),
    ("2", "Bo Chen", "Cy Diaz", ((150, 0),)),
]

TEXTS: dict[str, tuple[str, list[Match]]] = {
    "titles, merged rounds, names turned": (TITLED, TITLED_MATCHES),
    "rounds above their matches, games won": (BY_ROUND, BY_ROUND_MATCHES),
    "cross-table of scores": (CROSS, CROSS_MATCHES),
    "cross-table of points": (CROSS_OF_POINTS, CROSS_OF_POINTS_MATCHES),
    "games of a match in one cell": (GAMES_IN_A_CELL, GAMES_IN_A_CELL_MATCHES),
    "one heading above two columns": (ONE_HEADING, ONE_HEADING_MATCHES),
    "no headings": (UNNAMED, UNNAMED_MATCHES),
}


def workbook_of_a_club() -> bytes:
    """A cover sheet, then the results below a merged title, with rounds and days merged down."""
    book = openpyxl.Workbook()
    book.active.title = "Portada"
    book.active.append(["Club de Dominó El Puerto"])
    sheet = book.create_sheet("Resultados 2025")
    rows: list[list[Any]] = [
        ["Liga de Invierno"], [],
        ["Jornada", "Fecha", "Local", "Visitante", "Partidas", None],
        [1, date(2025, 10, 3), "Ana Ruiz", "José Peña", 2, 1],
        [None, None, "Bo Chen", "Mia Sol", "0", "2"],
        [2, date(2025, 10, 10), "Ana Ruiz", "Bo Chen", None, None],
        [None, None, "José Peña", "Mia Sol", 2, 0],
    ]  # fmt: skip
    for row in rows:
        sheet.append(row)
    for cells in ("A1:F1", "E3:F3", "A4:A5", "B4:B5", "A6:A7", "B6:B7"):
        sheet.merge_cells(cells)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


WORKBOOK_MATCHES: list[Match] = [
    ("1", "Ana Ruiz", "José Peña", ((1, 0), (0, 1), (1, 0))),
    ("1", "Bo Chen", "Mia Sol", ((0, 1), (0, 1))),
    ("2", "Ana Ruiz", "Bo Chen", ()),
    ("2", "José Peña", "Mia Sol", ((1, 0), (1, 0))),
]


def workbook_of_days() -> bytes:
    """Scores of which the spreadsheet made a day and an hour."""
    book = openpyxl.Workbook()
    for row in (["Player A", "Player B", "Result"], ["Ana", "Bo", date(2026, 1, 2)], ["Ana", "Cy", time(2, 1)]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()
