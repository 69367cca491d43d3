"""What the API tells about rows: every member of every resource, from games that were really played."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.competitions.notices import Wording, amend_notice, publish_notice, withdraw_notice
from league.matches.logs.submission import verify_record
from league.matches.models import KnownBy, Match, Record, StoredVerdict
from league.matches.results.entering import enter_sheet
from league.players.services import erase
from referee import verify_text
from tests.league.api.played import Played
from tests.league.competitions.pair_world import pair, published_pairs
from tests.league.world import NOON, played_log

V1 = "http://testserver/api/v1"
AS_FOUNDED = {"forfeit_points": False, "direct_by_points": True, "requested_bye": "half_bye", "leaving": "half"}
LATER = NOON + timedelta(hours=1)
HARBOUR = {"slug": "harbour", "name": "Harbour"}


def told(path: str, client: Client | None = None) -> Any:
    answer = (client or Client()).get(f"/api/v1/{path}")
    assert answer.status_code == 200, answer.content
    assert answer.headers["Content-Type"] == "application/json"
    return answer.json()


def alone(code: str, name: str) -> dict[str, Any]:
    one = {"code": code, "name": name, "apart": ""}
    return {**one, "players": [one]}


def ana(played: Played) -> dict[str, Any]:
    return alone(played.world.ana.player.code, "Ana Ruiz")


def bo(played: Played) -> dict[str, Any]:
    return alone(played.world.bo.player.code, "Bo Chen")


def test_leagues(played: Played) -> None:
    harbour = {
        "slug": "harbour",
        "name": "Harbour",
        "place": "",
        "web": "",
        "part_of": None,
        "time_zone": "UTC",
        "confirmation_required": True,
        "officials_needed": 2,
        "players": 2,
        "competitions": 1,
        "notices": f"{V1}/leagues/harbour/notices",
        "url": f"{V1}/leagues/harbour",
    }
    hills = {
        **harbour,
        "slug": "hills",
        "name": "Hills",
        "players": 1,
        "competitions": 0,
        "notices": f"{V1}/leagues/hills/notices",
        "url": f"{V1}/leagues/hills",
    }
    assert told("leagues") == {"count": 2, "next": None, "previous": None, "results": [harbour, hills]}
    assert told("leagues/harbour") == harbour


def test_notices(played: Played) -> None:
    league, olga = played.world.league, played.owner
    first = publish_notice(league, Wording(title="Moved", text="To the pier.\n\nAt eight."), user=olga, now=NOON)
    publish_notice(league, Wording(title="Dress", text="None."), user=olga, now=NOON, competition=played.competition)
    amend_notice(first, Wording(title="Moved again", text="To the bar."), user=olga, seen=1, now=LATER)
    dress, moved = told("leagues/harbour/notices")["results"][::-1]
    assert moved == {
        "id": first.pk,
        "title": "Moved again",
        "text": "To the bar.",
        "competition": None,
        "version": 2,
        "published_at": "2026-11-20T13:00:00Z",
        "published_by": str(olga),
        "withdrawn_at": None,
        "withdrawn_reason": "",
        "page": f"http://testserver/leagues/harbour/notices/{first.pk}/",
    }
    assert dress["competition"] == "autumn"
    withdraw_notice(first, user=olga, reason="Nobody came", now=LATER)
    gone = told("leagues/harbour/notices?withdrawn=true")
    assert [(one["id"], one["withdrawn_at"], one["withdrawn_reason"]) for one in gone["results"]] == [
        (first.pk, "2026-11-20T13:00:00Z", "Nobody came")
    ]
    assert [one["title"] for one in told("leagues/harbour/notices?withdrawn=false")["results"]] == ["Dress"]
    assert [one["title"] for one in told("leagues/harbour/notices?competition=autumn")["results"]] == ["Dress"]
    assert told("leagues/hills/notices")["results"] == []


def test_players(played: Played) -> None:
    code = ana(played)["code"]
    brief = {**ana(played)["players"][0], "url": f"{V1}/players/{code}"}
    assert told("players?q=ruiz") == {"count": 1, "next": None, "previous": None, "results": [brief]}
    assert told(f"players?q={code.lower()}&league=harbour")["results"] == [brief]
    assert told("players?league=hills")["results"] == []
    assert told(f"players/{code}") == {
        **ana(played)["players"][0],
        "leagues": [HARBOUR],
        "played": 2,
        "won": 0,
        "lost": 2,
        "points_for": 240,
        "points_against": 330,
        "difference": -90,
        "games": 2,
        "games_with_log": 2,
        "counts_made": 14,
        "counts_called": 14,
        "counts_missed": 0,
        "muggins_caught": 6,
        "muggins_suffered": 0,
        "form": ["L", "L"],
        "titles": [],
        "titles_in_all": 0,
        "url": f"{V1}/players/{code}",
    }


def test_a_pair_is_both_its_players(played: Played) -> None:
    competition = published_pairs(played.world, "Ana Ruiz / Leo Paz\nBo Chen / Mia Sol")
    first = pair("Ana Ruiz")
    leo = first.partner.code
    brief = {
        "code": f"{first.player.code}-{leo}",
        "name": "Ana Ruiz & Leo Paz",
        "apart": "",
        "players": [
            {"code": first.player.code, "name": "Ana Ruiz", "apart": ""},
            {"code": leo, "name": "Leo Paz", "apart": ""},
        ],
    }
    rows = told(f"competitions/harbour/{competition.slug}/standings")["rows"]
    assert [row["player"] for row in rows if row["player"]["name"].startswith("Ana")] == [brief]
    match = first.sides.get().match_id
    for code in (leo, brief["code"]):
        [found] = told(f"matches?player={code}")["results"]
        assert (found["id"], found["sides"][0]["player"]) == (match, brief)
    assert told(f"matches?player={leo}-{played.world.bo.player.code}")["results"] == []
    assert told(f"players/{leo}")["name"] == "Leo Paz"
    [entry] = [one for one in told("competitions")["results"] if one["slug"] == competition.slug]
    assert (entry["pairs"], entry["players"]) == (True, 2)


def test_a_name_that_was_erased_is_its_code(played: Played) -> None:
    player = played.world.ana.player
    erase(player)
    assert told(f"players/{player.code}")["name"] == player.code
    assert told(f"matches/{played.match.pk}")["sides"][0]["player"] == alone(player.code, player.code)
    assert told(f"records/{played.record.pk}/verdict")["seats"] == {"A": player.code, "B": "Bo Chen"}
    log = told(f"records/{played.record.pk}")["log"]
    assert "Ana Ruiz" not in log
    assert f'[Seat.A "{player.code}"]' in log


def test_competitions(played: Played) -> None:
    [found] = told("competitions")["results"]
    assert found == {
        "league": HARBOUR,
        "slug": "autumn",
        "name": "Autumn",
        "ruleset": "udl",
        "options": {},
        "best_of": 1,
        "own_best_of": {},
        "clubs_apart": False,
        "most_byes": 1,
        "pairs": False,
        "stages": [
            {
                "number": 1,
                "format": "round_robin",
                "seats": None,
                "place_points": [],
                "challenge_reach": None,
                "challenge_days": None,
                "finished_at": found["stages"][0]["finished_at"],
            }
        ],
        "tie_breaks": ["wins", "difference", "points_for"],
        "starts_at": "2026-11-20T12:00:00Z",
        "published_at": found["published_at"],
        "registration": {"who": "closed", "open": False, "closes_at": None, "places": 0},
        "players": 2,
        "matches_total": 1,
        "matches_decided": 1,
        "url": f"{V1}/competitions/harbour/autumn",
        "standings": f"{V1}/competitions/harbour/autumn/standings",
        "ranking": f"{V1}/competitions/harbour/autumn/ranking",
        "rounds": f"{V1}/competitions/harbour/autumn/rounds",
        "files": f"{V1}/competitions/harbour/autumn/files",
    }
    assert told("competitions/harbour/autumn") == found


def test_drafts_are_told_to_the_staff(played: Played, program) -> None:
    staff = program(played.owner)
    assert [one["slug"] for one in told("competitions?draft=true", staff)["results"]] == ["winter"]
    assert [one["slug"] for one in told("competitions?draft=false&ruleset=udl", staff)["results"]] == ["autumn"]
    assert told("competitions?draft=true")["results"] == []


def test_standings(played: Played) -> None:
    first = {
        "rank": 1,
        "player": bo(played),
        "rating": None,
        "played": 1,
        "won": 1,
        "drawn": 0,
        "lost": 0,
        "points_for": 165,
        "points_against": 120,
        "difference": 45,
        "places": [],
        "form": ["W"],
        "direct_encounters": [],
        "match_points": 2,
        "bonus": 0,
        "figures": [
            {"tie_break": name, "value": value, "divisor": 1, "rounded": False, "plus": 0, "terms": []}
            for name, value in (("wins", "1"), ("difference", "45"), ("points_for", "165"))
        ],
    }
    found = told("competitions/harbour/autumn/standings?table=official")
    assert found["rows"][0] == first
    assert found["rows"][1]["player"] == ana(played)
    assert {name: found[name] for name in ("table", "has_provisional", "tie_breaks", "competition")} == {
        "table": "official",
        "has_provisional": False,
        "tie_breaks": ["wins", "difference", "points_for"],
        "competition": f"{V1}/competitions/harbour/autumn",
    }
    assert found["after"] is None
    assert found["adjustments"] == []
    assert found["scoring"] == {
        "win": 2,
        "draw": 1,
        "loss": 0,
        "bye": 2,
        "place_points": [],
        "edition": 2026,
        **AS_FOUNDED,
    }
    assert told("competitions/harbour/autumn/standings")["table"] == "provisional"


def test_standings_with_what_each_number_is_made_from(played: Played) -> None:
    row = told("competitions/harbour/autumn/standings?terms=all")["rows"][0]
    assert row["figures"][1] == {
        "tie_break": "difference",
        "value": "45",
        "divisor": 1,
        "rounded": False,
        "plus": 0,
        "terms": [
            {
                "round": 1,
                "opponent": ana(played)["code"],
                "others": [],
                "place": None,
                "adds": "45",
                "theirs": "120",
                "own": "165",
                "counted": True,
                "notes": [],
            }
        ],
    }


def test_rounds_hold_their_slots_and_matches(played: Played) -> None:
    [found] = told("competitions/harbour/autumn/rounds")["results"]
    [slot] = found["slots"]
    match = Match.objects.get(slot__matchday__stage__competition=played.competition)
    assert (found["stage"], found["number"], found["name"]) == (1, 1, "Round 1")
    assert (found["missing_before"], found["reason"]) == (0, "")
    assert (slot["number"], slot["third_place"], slot["starts_at"]) == (1, False, "2026-11-20T12:00:00Z")
    assert slot["match"] == told(f"matches/{match.pk}")


def test_a_match(played: Played) -> None:
    assert told(f"matches/{played.match.pk}") == {
        "id": played.match.pk,
        "league": HARBOUR,
        "competition": None,
        "ruleset": "udl",
        "options": {},
        "best_of": 1,
        "state": "provisional",
        "starts_at": None,
        "table": "",
        "sides": [
            {"number": 1, "player": ana(played), "points": [120], "games_won": 0, "won": False, "place": None},
            {"number": 2, "player": bo(played), "points": [165], "games_won": 1, "won": True, "place": None},
        ],
        "games": [{"number": 1, "code": played.game.code, "url": f"{V1}/games/{played.game.code}"}],
        "clock": None,
        "needs_decision": False,
        "under_review": False,
        "checking": False,
        "amended": False,
        "void": False,
        "url": f"{V1}/matches/{played.match.pk}",
    }


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["decided", "open", "provisional"]),
        ("?state=provisional", ["provisional"]),
        ("?league=hills", []),
        ("?competition=autumn", ["decided"]),
        ("?competition=winter", []),
        ("?day=2026-11-20", ["decided", "open"]),
        ("?day=2026-11-20&league=harbour", ["decided", "open"]),
        ("?since=2026-11-20T12:00:00Z", ["decided", "open"]),
        ("?since=2026-11-20T12:00:01Z", []),
        ("?until=2026-11-20T13:00:00%2B02:00", []),
        ("?ordering=-id", ["open", "decided", "provisional"]),
        ("?page_size=1&page=2", ["open"]),
    ],
)
def test_filters_and_orders_of_matches(played: Played, query: str, expected: list[str]) -> None:
    decided = Match.objects.get(slot__matchday__stage__competition=played.competition)
    names = {decided.pk: "decided", played.open_match.pk: "open", played.match.pk: "provisional"}
    assert [names[one["id"]] for one in told(f"matches{query}")["results"]] == expected


def test_a_player_s_matches_games_and_results(played: Played) -> None:
    code = ana(played)["code"]
    assert told(f"matches?player={code}")["count"] == 3
    assert told(f"games?player={code}&league=harbour")["count"] == 3
    assert told(f"results?player={code}&state=provisional")["count"] == 1
    assert told("matches?player=NOBODYXX")["count"] == 0


def test_a_game_with_its_result(played: Played) -> None:
    result = played.result
    shown = {
        "id": result.pk,
        "game": played.game.code,
        "match": played.match.pk,
        "record": played.record.pk,
        "scores": [{"side": 1, "points": 120}, {"side": 2, "points": 165}],
        "winner": 2,
        "ended": "target",
        "state": "provisional",
        "known_by": "log",
        "confirmed_how": "",
        "under_review": False,
        "needs_decision": False,
        "decided": False,
        "current": True,
        "amendment": None,
        "entered_at": result.entered_at.isoformat().replace("+00:00", "Z"),
        "confirmed_at": None,
        "url": f"{V1}/results/{result.pk}",
    }
    assert told(f"results/{result.pk}") == shown
    assert told(f"results?match={played.match.pk}&needs_decision=false")["results"] == [shown]
    assert told(f"games/{played.game.code.lower()}") == {
        "code": played.game.code,
        "number": 1,
        "league": HARBOUR,
        "match": played.match.pk,
        "ruleset": "udl",
        "result": shown,
        "url": f"{V1}/games/{played.game.code}",
        "records": f"{V1}/games/{played.game.code}/records",
        "logs": f"{V1}/games/{played.game.code}/logs",
    }
    assert told(f"games/{played.open_game.code}")["result"] is None


def test_a_verdict_is_the_one_of_the_notation(played: Played) -> None:
    """As `python -m referee verify --json` prints it, with the file's name, and the editions besides."""
    expected = verify_text(played_log(7))[0].as_json()
    found = told(f"records/{played.record.pk}/verdict?plays=true")
    more = {name: found.pop(name) for name in ("engine_edition", "ruleset_edition", "verified_at")}
    assert found == {**expected, "file": f"{played.game.code}.domino"}
    assert (more["engine_edition"], more["ruleset_edition"]) == (2, 1)
    assert "plays" not in told(f"records/{played.record.pk}/verdict")


def test_a_log_that_cannot_be_read_has_line_and_column(played: Played) -> None:
    record = played.world.submit(played_log(7).replace("round 1", "rownd 1"), game=played.open_game)
    verify_record(record.pk)
    found = told(f"records/{record.pk}/verdict?plays=true")
    assert list(found) == ["file", "status", "findings", "engine_edition", "ruleset_edition", "verified_at"]
    [finding] = found["findings"]
    assert (finding["code"], finding["column"]) == ("syntax", 6)
    assert set(finding) == {"line", "column", "code", "severity", "message"}


def test_records_of_a_game(played: Played) -> None:
    record = played.record
    [found] = told(f"games/{played.game.code}/records")["results"]
    assert found == {
        "id": record.pk,
        "game": played.game.code,
        "match": played.match.pk,
        "kind": "log",
        "state": "verified",
        "submitted_at": record.submitted_at.isoformat().replace("+00:00", "Z"),
        "for_side": 1,
        "replaces": None,
        "seats": {"A": 1, "B": 2},
        "upload_sha256": record.upload_sha256,
        "via": "account",
        "signed": False,
        "withdrawn_at": None,
        "verdict": told(f"records/{record.pk}/verdict"),
        "url": f"{V1}/records/{record.pk}",
    }
    assert told(f"records/{record.pk}") == {
        **found,
        "sheet": None,
        "log": played_log(7),
        "sha256": record.sealed.sha256,
        "heads": record.sealed.heads,
    }


def test_a_card_is_a_record_without_a_log(played: Played) -> None:
    """What it says stands in `sheet`; what it leaves open is nowhere a zero."""
    card = {
        "scores": [150, 95],
        "rounds": [{"spinner": "6-6", "totals": [90, 40]}, {"spinner": "none", "totals": None}],
    }
    entered = enter_sheet(played.open_game, played.world.alice, card, kind=KnownBy.CARD)
    found = told(f"records/{entered.record.pk}")
    assert (found["kind"], found["sheet"], found["log"], found["heads"]) == ("card", card, "", [])
    verdict = told(f"records/{entered.record.pk}/verdict?plays=true")
    assert verdict == found["verdict"]
    assert (verdict["scores"], verdict["rounds"]) == ({"A": 150, "B": 95}, [])
    assert "plays" not in verdict
    assert "evidence" not in verdict
    [result] = told(f"results?match={played.open_match.pk}")["results"]
    assert (result["known_by"], result["confirmed_how"], result["under_review"]) == ("card", "", False)
    enter_sheet(played.open_game, played.world.bob, card, kind=KnownBy.CARD)
    [result] = told(f"results?match={played.open_match.pk}")["results"]
    assert (result["state"], result["confirmed_how"]) == ("official", "agreed")


def test_what_a_check_found_names_its_row(played: Played) -> None:
    entered = enter_sheet(played.open_game, played.world.alice, {"scores": [151, 95]}, kind=KnownBy.CARD, insist=True)
    found = told(f"records/{entered.record.pk}")["verdict"]["findings"]
    assert found
    assert all(type(one["row"]) is int and "line" not in one for one in found)
    [result] = told(f"results?match={played.open_match.pk}")["results"]
    assert (result["known_by"], result["needs_decision"]) == ("score", True)


def test_a_verdict_is_not_there_before_it_is_found(played: Played) -> None:
    record = played.world.submit(played_log(7), game=played.open_game)
    assert told(f"records/{record.pk}")["verdict"] is None
    assert Client().get(f"/api/v1/records/{record.pk}/verdict").status_code == 404
    assert Record.objects.get(pk=record.pk).state == "received"
    assert not StoredVerdict.objects.filter(record=record).exists()


def test_rulesets_with_their_options_and_rules(db) -> None:
    assert [one["key"] for one in told("rulesets")] == ["udl", "muggins", "all-fives", "double-six", "uno-dominoes"]
    udl = told("rulesets/udl")
    assert {"key": "target", "value": "150", "allowed": "a number from 1 to 100000"} in udl["options"]
    assert "udl.muggins" in [rule["id"] for rule in udl["rules"]]
    assert {name: udl[name] for name in ("key", "name", "edition", "seats", "target", "clock_s", "url")} == {
        "key": "udl",
        "name": "UDL Dominoes",
        "edition": 1,
        "seats": [2, 2],
        "target": 150,
        "clock_s": 900,
        "url": f"{V1}/rulesets/udl",
    }


def test_pages_are_linked(played: Played) -> None:
    first = told("matches?page_size=2&league=harbour")
    assert (first["count"], first["previous"], len(first["results"])) == (3, None, 2)
    assert first["next"] == f"{V1}/matches?league=harbour&page=2&page_size=2"
    second = told(first["next"].removeprefix(f"{V1}/"))
    assert (second["next"], len(second["results"])) == (None, 1)


def test_reading_again_says_that_nothing_changed(played: Played) -> None:
    client = Client()
    first = client.get("/api/v1/matches")
    again = client.get("/api/v1/matches", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Authorization" in first.headers["Vary"]
    assert first.headers["Cache-Control"] == "private, no-cache"
