"""Out and in: a competition goes into a file and comes back as the same."""

import json

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.accounts.models import Role
from league.competitions import official_results
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.stages import draw_next, next_draw
from league.competitions.import_export import confirming, importing, player_tables, result_columns, tabular
from league.competitions.import_export import reading as transfer
from league.competitions.import_export.csv_tables import tables_of
from league.competitions.import_export.exporting import EVERYBODY, competition_file, to_json
from league.competitions.import_export.league import league_files
from league.competitions.import_export.reading import differences
from league.competitions.models import Competition, Matchday, Registration
from league.competitions.registration.fees import take_fee
from league.errors import NotAllowed, Refused
from league.matches.models import KnownBy, Match, Record, Result
from league.players.models import Player
from tests.league.competitions.cup import drafted, enter_result, published
from tests.league.competitions.pair_world import published_pairs
from tests.league.world import person


def give(league, kind=Role.Kind.MANAGER, name="second-manager"):
    user = person(name)
    Role.objects.create(user=user, league=league, kind=kind)
    return user


def played(world, count=4, **plan):
    """Everything that can be known is played, by side 1; what follows from it is drawn and shown."""
    competition = published(world, count, **plan)
    while coming := open_matches(competition):
        for match in coming:
            enter_result(world, match, 1)
            advance(match.pk)
        if next_draw(competition) and not open_matches(competition):
            day = draw_next(competition, user=world.owner)
            for one in Matchday.objects.filter(stage=day.stage, published_at=None).order_by("number"):
                publish_matchday(one, user=world.owner, reason="all of it")
    return competition


def open_matches(competition):
    matches = Match.objects.filter(slot__matchday__stage__competition=competition).order_by("pk")
    return list(matches.exclude(state=Match.State.DECIDED))


def brought(world, competition, by=None):
    """The file of a competition, read, imported into the other league."""
    value = json.loads(to_json(competition_file(world.owner, world.league.slug, competition.slug)))
    return value, bring(world, value, by)


def bring(world, value, by=None):
    read = transfer.read(value)
    assert read.mistakes == ()
    return importing.import_competition(world.elsewhere, read.filed, user=by or world.charlie, value=value)


CUT = {"then": "single_elimination", "advance_each": 2}
PLANS = {
    "table": {"format": "round_robin"},
    "cup": {},
    "third": {"third_place": True},
    "two lives": {"format": "double_elimination"},
    "swiss": {"format": "swiss", "rounds": 3, "win_points": 3, "tie_breaks": ["match_points", "wins"]},
    "swiss and a cut": {"format": "swiss", "rounds": 2, **CUT},
    "groups": {"format": "groups", "groups": 2, **CUT},
}


def test_the_file_has_the_standings_of_every_group(world, django_assert_num_queries):
    cup = published(world, 8, format="groups", groups=2, tie_breaks=["wins", "difference", "muggins"])
    for match in open_matches(cup):
        enter_result(world, match, 1)
        advance(match.pk)
    value = competition_file(EVERYBODY, "harbour", cup.slug)
    rows = value["standings"]["official"]
    assert [(row["group"], row["played"]) for row in rows] == [(1, 3)] * 4 + [(2, 3)] * 4
    assert [row["group"] for row in rows if row["rank"] == 1] == [1, 1, 2, 2]
    assert len({row["entrant"] for row in rows}) == 8
    lines = tables_of(value)["standings.csv"].decode("utf-8-sig").splitlines()
    plain = '"table","group","rank","name","played","won","drawn","lost","points_for","points_against","difference"'
    assert lines[0] == f'{plain},"muggins"'
    assert len(lines) == 17
    with CaptureQueriesContext(connection) as of_two:
        competition_file(EVERYBODY, "harbour", cup.slug)
    four = published(world, 16, name="Four", format="groups", groups=4, tie_breaks=["wins", "difference", "muggins"])
    with django_assert_num_queries(len(of_two)):
        competition_file(EVERYBODY, "harbour", four.slug)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
def test_a_competition_comes_back_from_its_file_as_it_went(world, plan):
    competition = played(world, 5 if plan else 4, tables=["1", "2"], fee=500, currency="EUR", **plan)
    value, done = brought(world, competition)
    assert done.created
    again = competition_file(world.charlie, "hills", done.competition.slug)
    assert differences(value, again) == []
    # Byes of played rounds count in the table of the draft too.
    assert again["standings"]["provisional"] == value["standings"]["provisional"]
    assert confirming.confirm_import(done.competition, user=give(world.elsewhere)) == sum(
        len(slot["match"]["games"]) for one in value["rounds"] for slot in one["slots"] if slot["match"]
    )
    confirmed = competition_file(world.charlie, "hills", done.competition.slug)
    assert confirmed["standings"] == value["standings"]
    assert confirmed["places"] == value["places"]
    assert [one["match"] and one["match"]["state"] for day in confirmed["rounds"] for one in day["slots"]] == [
        one["match"] and one["match"]["state"] for day in value["rounds"] for one in day["slots"]
    ]


def test_pairs_come_back_with_both_partners_and_their_clubs(world):
    competition = published_pairs(world, "Ana Ruiz, Hill / Leo Paz, Harbour\nBo Chen / Mia Sol")
    for match in open_matches(competition):
        enter_result(world, match, 2)
        advance(match.pk)
    value, done = brought(world, competition)
    assert done.competition.pairs is True
    entrants = [row.entrant for row in done.competition.registrations.order_by("seed")]
    assert [str(one) for one in entrants] == ["Ana Ruiz & Leo Paz", "Bo Chen & Mia Sol"]
    clubs = [player.memberships.get(league=world.elsewhere).club for player in entrants[0].players]
    assert clubs == ["Hill", "Harbour"]
    again = competition_file(world.charlie, world.elsewhere.slug, done.competition.slug)
    assert differences(again, value) == []
    rows = tables_of(value)["entrants.csv"].decode("utf-8-sig")
    sheet = tabular.read_sheet(rows, result_columns.words_of(player_tables.PLAYER_WORDS))
    read = player_tables.read_players(sheet, result_columns.guess(sheet, player_tables.PLAYER_WORDS), pairs=True)
    assert read.mistakes == ()
    assert [(one.name, one.club, one.partner.name, one.partner.club) for one in read.entrants] == [
        ("Ana Ruiz", "Hill", "Leo Paz", "Harbour"),
        ("Bo Chen", "", "Mia Sol", ""),
    ]


def test_the_file_of_everybody_names_both_as_pages_do(world):
    competition = published_pairs(world)
    Player.objects.filter(name="Leo Paz").update(born=2015)
    value = competition_file(EVERYBODY, world.league.slug, competition.slug)
    assert value["entrants"][0]["name"] == "Ana Ruiz & L. P."
    assert value["entrants"][0]["players"] == [{"name": "Ana Ruiz"}, {"name": "L. P."}]


@pytest.mark.parametrize(
    ("spoil", "place", "code"),
    [
        (lambda value: value["competition"].update(pairs=False), "entrants[1]", "is-pair"),
        (lambda value: value["entrants"][1].pop("players"), "entrants[2]", "no-pair"),
        (lambda value: value["entrants"][1]["players"].pop(), "entrants[2].players", "no-pair"),
    ],
)
def test_a_pair_that_is_none_is_named_by_its_place(world, spoil, place, code):
    competition = published_pairs(world)
    value = competition_file(world.owner, world.league.slug, competition.slug)
    spoil(value)
    found = transfer.read(value)
    assert found.filed is None
    assert (place, code) in [(one.place, one.code) for one in found.mistakes]


def test_the_same_file_again_changes_nothing(world):
    competition = played(world, 4, format="round_robin")
    value, first = brought(world, competition)
    counts = [model.objects.count() for model in (Competition, Player, Match, Record, Registration)]
    assert (
        importing.preview_import(world.elsewhere, transfer.read(value).filed, user=world.charlie, value=value).known
        == first.competition
    )
    again = bring(world, value)
    assert (again.created, again.competition) == (False, first.competition)
    assert [model.objects.count() for model in (Competition, Player, Match, Record, Registration)] == counts


def test_a_file_that_says_something_else_than_before_is_refused_with_its_places(world):
    value, _done = brought(world, played(world, 4, format="round_robin"))
    value["rounds"][1]["slots"][0]["match"]["games"][0]["points"] = [150, 5]
    value["entrants"][2]["name"] = "Somebody Else"
    with pytest.raises(Refused) as refused:
        bring(world, value)
    assert refused.value.code == "import-differs"
    assert refused.value.facts["places"] == "entrants[3].name, rounds[2].slots[1].match.games[1].points"
    assert Competition.objects.filter(league=world.elsewhere).count() == 1


def test_an_imported_result_is_recorded_and_official_by_a_second_official_only(world):
    value, done = brought(world, played(world, 3, format="round_robin"))
    assert {one["known_by"] for one in games_of(value)} == {"log"}
    mine = Result.objects.filter(game__match__league=world.elsewhere)
    assert {(one.known_by, one.state, one.record.via) for one in mine} == {("score", "provisional", "import")}
    second = give(world.elsewhere, Role.Kind.REFEREE)
    with pytest.raises(NotAllowed) as refused:
        confirming.confirm_import(done.competition, user=world.charlie)
    assert refused.value.code == "own-submission"
    helper = give(world.elsewhere, Role.Kind.DESK_HELPER, "helper")
    with pytest.raises(NotAllowed) as refused:
        confirming.confirm_import(done.competition, user=helper)
    assert refused.value.code == "no-permission"
    assert mine.filter(state="official").count() == 0
    assert confirming.confirm_import(done.competition, user=second) == 3
    assert {(one.state, one.known_by, one.confirmed_by, one.confirmed_how) for one in mine.all()} == {
        ("official", "score", second, "person")
    }
    assert confirming.confirm_import(done.competition, user=second) == 0
    assert done.competition.stages.get().finished_at is not None


def test_the_only_official_confirms_their_own_import_and_it_says_so(world):
    _value, done = brought(world, played(world, 3, format="round_robin"))
    assert confirming.confirm_import(done.competition, user=world.charlie) == 3
    mine = Result.objects.filter(game__match__league=world.elsewhere)
    assert {(one.state, one.confirmed_by, one.confirmed_how) for one in mine} == {("official", world.charlie, "alone")}


def test_where_nobody_has_to_confirm_an_archive_is_official_at_once(world):
    world.elsewhere.confirmation_required = False
    world.elsewhere.save()
    _value, done = brought(world, played(world, 3, format="round_robin"))
    states = Result.objects.filter(game__match__league=world.elsewhere).values_list("state", "confirmed_how")
    assert set(states) == {("official", "")}
    assert official_results.waiting_results(done.competition).count() == 0


def test_a_forfeit_stays_a_ruling_and_who_left_has_left(world):
    competition = published(world, 4, format="round_robin")
    withdraw(competition, world.bo, user=world.owner, reason="went home")
    _value, done = brought(world, competition)
    ruled = Result.objects.filter(game__match__league=world.elsewhere)
    assert {(one.known_by, one.ended, one.record.kind) for one in ruled} == {(KnownBy.RULED, "forfeit", KnownBy.RULED)}
    assert [one.reason for one in done.competition.withdrawals.all()] == ["went home"]
    # Nobody had confirmed them in the file, so a word about the file does not either.
    assert official_results.waiting_results(done.competition).count() == 0


def games_of(value):
    return [
        game for one in value["rounds"] for slot in one["slots"] if slot["match"] for game in slot["match"]["games"]
    ]


def test_an_import_is_seen_by_nobody_else_until_it_is_published_and_then_with_every_round_that_was_played(world):
    competition = played(world, 4, format="round_robin")
    Competition.objects.filter(pk=competition.pk).update(release="round_by_round")
    _value, done = brought(world, competition)
    with pytest.raises(Competition.DoesNotExist):
        competition_file(EVERYBODY, "hills", done.competition.slug)
    publish(done.competition, user=world.charlie)
    assert len(competition_file(EVERYBODY, "hills", done.competition.slug)["rounds"]) == 3


def test_a_players_code_opens_no_player_of_another_league(world):
    """A manager elsewhere could otherwise read the name of a minor whose code is on a public page."""
    Player.objects.filter(pk=world.ana.player_id).update(born=2012)
    competition = played(world, 3, format="round_robin")
    value = json.loads(to_json(competition_file(EVERYBODY, "harbour", competition.slug)))
    assert value["entrants"][0] == {"key": world.ana.player.code, "name": "A. R.", "seed": 1, "rating": None}
    done = bring(world, value)
    assert sorted(str(row.entrant) for row in done.competition.registrations.all()) == ["A. R.", "Bo Chen", "P3"]
    assert not Player.objects.filter(entrants__league=world.elsewhere, pk=world.ana.player_id).exists()


def test_a_minor_is_not_imported_without_the_year(world):
    Player.objects.filter(pk=world.ana.player_id).update(born=2012)
    competition = played(world, 3, format="round_robin")
    by_referee = json.loads(to_json(competition_file(world.referee, "harbour", competition.slug)))
    assert [(one.place, one.code) for one in transfer.read(by_referee).mistakes] == [
        ("entrants[1].born", "minor-without-year")
    ]
    _value, done = brought(world, competition)
    assert done.competition.registrations.get(seed=1).entrant.player.shown_name == "A. R."


def test_what_each_asker_gets(world):
    Player.objects.filter(pk=world.ana.player_id).update(born=2012)
    competition = drafted(world, 4, format="round_robin", release="round_by_round", tables=["1", "2"], fee=500)
    publish(competition, user=world.owner)
    take_fee(competition, world.bo, user=world.owner, owed=500)
    files = {
        who: competition_file(user, "harbour", competition.slug)
        for who, user in {
            "everybody": AnonymousUser(), "player": world.alice, "referee": world.referee, "owner": world.owner,
        }.items()
    }  # fmt: skip
    assert {who: (len(one["rounds"]), one["entrants"][0]["name"]) for who, one in files.items()} == {
        "everybody": (1, "A. R."),
        "player": (1, "A. R."),
        "referee": (3, "Ana Ruiz"),
        "owner": (3, "Ana Ruiz"),
    }
    assert {who: "payments" in one for who, one in files.items()} == {
        "everybody": False, "player": False, "referee": False, "owner": True,
    }  # fmt: skip
    assert {who: one["entrants"][0].get("born") for who, one in files.items()} == {
        "everybody": None, "player": None, "referee": None, "owner": 2012,
    }  # fmt: skip
    seat = {who: one["rounds"][0]["slots"][0]["table"] for who, one in files.items()}
    assert seat == {"everybody": "", "player": "1", "referee": "1", "owner": "1"}
    assert "Ana Ruiz" not in b"".join(league_files(EVERYBODY, world.league).values()).decode()
    assert [one["amount"] for one in files["owner"]["payments"]] == [500]


def test_a_file_takes_the_same_statements_for_any_number_of_matches(world):
    counts = set()
    for size in (3, 9):
        competition = played(world, size, format="round_robin", name=f"Cup {size}")
        with CaptureQueriesContext(connection) as asked:
            competition_file(world.owner, "harbour", competition.slug)
        counts.add(len(asked))
        Player.objects.filter(name__startswith="P").update(name="Q")
    assert len(counts) == 1


MISTAKES = [
    (lambda v: v.update(format="something"), "format", "other-file"),
    (lambda v: v.update(edition=2), "edition", "other-edition"),
    (lambda v: v["entrants"][1].update(key=v["entrants"][0]["key"]), "entrants[2].key", "key-twice"),
    (
        lambda v: v["rounds"][0]["slots"][0]["berths"][0].update(entrant="X"),
        "rounds[1].slots[1].berths[1].entrant",
        "not-an-entrant",
    ),
    (lambda v: games_of(v)[0].update(points=[150, -5]), "rounds[1].slots[1].match.games[1].points", "bad-points"),
    (lambda v: games_of(v)[0].update(points=[150, True]), "rounds[1].slots[1].match.games[1].points", "bad-points"),
    (lambda v: games_of(v)[0].update(winner=3), "rounds[1].slots[1].match.games[1].winner", "bad-winner"),
    (lambda v: v["rounds"][0]["slots"][1].update(starts_at="soon"), "rounds[1].slots[2].starts_at", "bad-hour"),
    (lambda v: v["rounds"][2].update(stage=7), "rounds[3].stage", "no-stage"),
    (lambda v: v["rounds"][0].update(slots="none"), "rounds[1].slots", "bad-value"),
]  # fmt: skip


@pytest.mark.parametrize(("spoil", "place", "code"), MISTAKES)
def test_a_mistake_is_named_by_its_place(world, spoil, place, code):
    value = competition_file(world.owner, "harbour", played(world, 3, format="round_robin").slug)
    spoil(value)
    read = transfer.read(value)
    assert (read.filed, [(one.place, one.code) for one in read.mistakes][:1]) == (None, [(place, code)])


STORED = [
    (lambda v: v["competition"].update(ruleset="chess"), "competition", "unknown-ruleset"),
    (lambda v: v["competition"].update(options={"target": "many"}), "competition", "bad-option"),
    (lambda v: v["stages"][0].update(format="random"), "stages[1].format", "unknown-format"),
    (lambda v: v["rounds"][0].update(kind="party"), "rounds[1].kind", "bad-value"),
]


@pytest.mark.parametrize(("spoil", "place", "code"), STORED)
def test_what_cannot_be_stored_here_is_named_and_nothing_is_stored(world, spoil, place, code):
    value = competition_file(world.owner, "harbour", played(world, 3, format="round_robin").slug)
    spoil(value)
    filed = transfer.read(value).filed
    seen = importing.preview_import(world.elsewhere, filed, user=world.charlie)
    assert (place, code) in [(one.place, one.code) for one in seen.mistakes]
    with pytest.raises(Refused):
        importing.import_competition(world.elsewhere, filed, user=world.charlie)
    assert Competition.objects.filter(league=world.elsewhere).count() == 0
    assert Player.objects.filter(entrants__league=world.elsewhere).count() == 1


def test_a_name_that_is_not_clear_stops_the_import(world):
    value = competition_file(world.owner, "harbour", played(world, 3, format="round_robin").slug)
    value["entrants"][2]["name"] = value["entrants"][1]["name"]
    with pytest.raises(Refused) as refused:
        bring(world, value)
    assert (refused.value.code, refused.value.facts["lines"]) == ("paste-unclear", "3")


def test_only_managers_import(world):
    value = competition_file(world.owner, "harbour", played(world, 3, format="round_robin").slug)
    for user in (world.referee, world.alice):
        with pytest.raises(NotAllowed):
            importing.import_competition(world.league, transfer.read(value).filed, user=user)


def test_the_tables_of_a_file_say_the_same_and_no_cell_is_a_formula(world):
    Player.objects.filter(pk=world.ana.player_id).update(name="=cmd|'/C calc'!A0")
    value = competition_file(world.owner, "harbour", played(world, 3, format="round_robin").slug)
    files = tables_of(value)
    assert sorted(files) == ["entrants.csv", "games.csv", "payments.csv", "places.csv", "rounds.csv", "standings.csv"]
    text = files["games.csv"].decode("utf-8-sig")
    assert "\"'=cmd|'/C calc'!A0\"" in text
    assert ',"=' not in text
    sheet = tabular.read_sheet(text, frozenset({"player a"}))
    columns = dict(zip(sheet.head, sheet.rows[0][1], strict=True))
    game, names = games_of(value)[0], {one["key"]: one["name"] for one in value["entrants"]}
    assert [columns[one] for one in ("points_a", "points_b", "state", "known_by", "round")] == [
        str(game["points"][0]), str(game["points"][1]), "official", "log", "1",
    ]  # fmt: skip
    assert {row[1][sheet.head.index("player_a")] for row in sheet.rows} <= set(names.values())


def test_a_file_that_leaves_the_usual_out_is_the_same_when_it_comes_again(world):
    value = json.loads(to_json(competition_file(EVERYBODY, "harbour", played(world, 4, format="round_robin").slug)))
    value["competition"] = {"name": "Cup", "ruleset": "udl"}
    for one in value["rounds"]:
        for name in ("kind", "name", "section", "nth", "reason"):
            del one[name]
    made = bring(world, value)
    again = bring(world, value)
    assert (made.created, again.created, again.competition) == (True, False, made.competition)
    value["competition"]["best_of"] = 3
    read = transfer.read(value)
    seen = importing.preview_import(world.elsewhere, read.filed, user=world.charlie, value=value)
    assert seen.differs == ("competition.best_of",)


def test_the_standings_of_a_file_hold_every_tie_break_that_places_were_decided_by(world):
    order = ["match_points", "buchholz", "wins", "performance", "direct_encounter"]
    cup = published(world, 4, format="swiss", tie_breaks=order)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup):
        enter_result(world, match, 1)
        advance(match.pk)
    value = json.loads(to_json(competition_file(world.owner, world.league.slug, cup.slug)))
    header, first = tables_of(value)["standings.csv"].decode("utf-8-sig").splitlines()[:2]
    assert header.endswith('"difference","match_points","buchholz","performance"')
    assert first.split(",")[-3:-1] == ["2", "0"]


def test_a_file_of_an_earlier_edition_keeps_the_settings_that_it_was_founded_with(world):
    competition = played(world, 4, format="round_robin")
    value = competition_file(EVERYBODY, "harbour", competition.slug)
    assert (value["competition"]["forfeit_points"], value["competition"]["direct_by"]) == (False, "points")
    earlier = {key: one for key, one in value["competition"].items() if key not in ("forfeit_points", "direct_by")}
    made = bring(world, value | {"competition": earlier}).competition
    assert (made.forfeit_points, made.direct_by) == (True, "wins")


def test_lengths_of_the_last_rounds_and_club_mates_apart_go_out_and_come_back(world):
    plan = {"best_of": 1, "own_best_of": {"final": 3, "third_place": 1}, "clubs_apart": True, "third_place": True}
    cup = played(world, 4, **plan)
    value, imported = brought(world, cup)
    made = imported.competition
    assert (made.own_best_of, made.clubs_apart) == (plan["own_best_of"], True)
    lengths = Match.objects.filter(slot__matchday__stage__competition=made).order_by("slot__matchday", "slot__number")
    assert list(lengths.values_list("best_of", flat=True)) == [1, 1, 3, 1]
    value["competition"] |= {"own_best_of": {"final": 4}, "name": "Other", "best_of": 1}
    assert [(one.place, one.code) for one in transfer.read(value).mistakes] == [
        ("competition.own_best_of", "bad-value"),
    ]


def test_more_games_than_the_round_allows_are_told(world):
    cup = played(world, 2, own_best_of={"final": 3})
    value = json.loads(to_json(competition_file(world.owner, "harbour", cup.slug)))
    del value["competition"]["own_best_of"]
    read = transfer.read(value)
    seen = importing.preview_import(world.elsewhere, read.filed, user=world.charlie, value=value)
    assert [one.code for one in seen.mistakes] == ["too-many-games"]
