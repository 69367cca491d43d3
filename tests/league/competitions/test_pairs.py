"""Pairs that share a seat: from the pasted list to the table, and what either partner may do."""

import pytest
from django.db import IntegrityError, transaction

from league.competitions.amendments.services import propose_amendment
from league.competitions.attendance.late_entries import walk_in
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.founding import add_players, found_with_players
from league.competitions.draw.plans import Plan, replan
from league.competitions.draw.publishing import publish
from league.competitions.models import Competition, Registration, Slot, Stage
from league.competitions.queries.check_in import round_page
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking
from league.competitions.queries.personal_link import personal_page
from league.competitions.queries.print import papers, round_now, slips
from league.competitions.registration.entries import register
from league.errors import NotAllowed, Refused
from league.matches.amendments import Wanted, other_officials
from league.matches.guests import side_by_slip
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import KnownBy, Match, Record, Result
from league.matches.queries.match import match_page
from league.matches.queries.player import pair_page, player_page
from league.matches.results.entering import enter_sheet, rule
from league.players.models import Entrant, Player
from league.players.services import enrol, erase
from tests.league.competitions.pair_world import PAIRS, match_between, pair, pairs_of, published_pairs
from tests.league.world import NOON, person, played_log

pytestmark = pytest.mark.django_db
NAMES = ["Ana Ruiz & Leo Paz", "Bo Chen & Mia Sol", "Cruz Vega & Dora Luz", "Eva Mar & Fito Rey"]


def code_of(act) -> str:
    with pytest.raises(Refused) as refused:
        act()
    return refused.value.code


def play_all(world, competition) -> None:
    """Every match that has its two, round after round: the first side wins."""
    while match := _next(competition):
        for game in match.games.order_by("number")[: match.best_of // 2 + 1]:
            done = enter_sheet(game, world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
            confirm_result(result=done.result, user=world.second_referee)
        advance(match.pk)


def _next(competition) -> Match | None:
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    return matches.exclude(state=Match.State.DECIDED).order_by("slot__matchday__number", "slot__number").first()


# --- From the list to the table ---


def test_a_pasted_list_of_pairs_becomes_entrants_of_two(world):
    competition = pairs_of(world)
    assert [str(row) for row in competition.registrations.order_by("seed")] == NAMES
    ana = pair("Ana Ruiz")
    assert (ana.player, ana.is_pair, ana.full_name) == (world.ana.player, True, NAMES[0])
    # Each partner is a member like everybody, and can play alone elsewhere.
    assert set(world.league.entrants.filter(partner=None).values_list("player__name", flat=True)) == {
        *["Ana Ruiz", "Leo Paz", "Bo Chen", "Mia Sol", "Cruz Vega", "Dora Luz", "Eva Mar", "Fito Rey"]
    }


def test_a_round_robin_of_pairs_is_played_to_its_table(world):
    competition = published_pairs(world)
    play_all(world, competition)
    page = competition_page(world.owner, "harbour", competition.slug)
    assert sorted(row.name for row in page.official) == NAMES
    assert [row.played for row in page.official] == [3, 3, 3, 3]
    assert sum(row.won for row in page.official) == 6


def test_a_knock_out_of_pairs_is_played_to_its_winner(world):
    competition = published_pairs(world, format=Stage.Format.SINGLE_ELIMINATION, best_of=3)
    play_all(world, competition)
    page = competition_page(world.owner, "harbour", competition.slug)
    assert [(place.first, place.entrant.name) for place in final_ranking(page)][:2] == [(1, NAMES[0]), (2, NAMES[1])]


def test_the_same_pair_named_the_other_way_round_is_the_same_entrant(world):
    competition = pairs_of(world, "Ana Ruiz / Leo Paz")
    other = pairs_of(world, "Leo Paz / Ana Ruiz", name="Again")
    [first], [second] = ([row.entrant for row in one.registrations.all()] for one in (competition, other))
    assert first == second
    assert Entrant.objects.exclude(partner=None).count() == 1


def test_the_database_holds_a_pair_once_and_of_two_people(world):
    ana, bo = world.ana.player, world.bo.player
    Entrant.objects.create(league=world.league, player=ana, partner=bo)
    for player, partner in ((ana, bo), (bo, ana), (ana, ana)):
        with pytest.raises(IntegrityError), transaction.atomic():
            Entrant.objects.create(league=world.league, player=player, partner=partner)


# --- What is refused, and in which words ---


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ana Ruiz", "2"),
        ("Ana Ruiz / ", "2"),
        ("Ana Ruiz / Leo Paz / Mia Sol", "2"),
        ("Ana Ruiz / Ana Ruiz", "2"),
        ("Gil Ros / Nia Sanz", "2"),
    ],
)
def test_a_line_that_is_no_pair_is_named_and_nothing_is_stored(world, line, told):
    before = Player.objects.count(), Competition.objects.count()
    with pytest.raises(Refused) as refused:
        pairs_of(world, f"Gil Ros / Eva Mar\n{line}")
    assert refused.value.code == "paste-unclear"
    assert str(refused.value) == f"Nothing was stored, because these lines need a decision: {told}."
    assert (Player.objects.count(), Competition.objects.count()) == before


def test_nobody_plays_in_two_pairs_of_one_competition(world):
    competition = pairs_of(world)
    with pytest.raises(Refused) as refused:
        add_players(competition, "Gil Ros / Leo Paz", user=world.owner)
    assert refused.value.code == "plays-already"
    assert str(refused.value) == (
        "Leo Paz plays in Pairs already, in the pair Ana Ruiz & Leo Paz. Nobody plays in two pairs."
    )
    assert code_of(lambda: add_players(competition, "Leo Paz & Ana Ruiz", user=world.owner)) == "already-registered"
    assert competition.registrations.count() == 4


def test_nobody_alone_among_pairs_and_no_pair_among_players(world):
    competition = pairs_of(world)
    alone = found_with_players(world.league, Plan(name="Alone", ruleset="udl"), "Ana Ruiz", user=world.owner)
    gil = enrol(league=world.league, name="Gil Ros", since=NOON.date())
    assert code_of(lambda: register(competition, [gil])) == "no-pair"
    assert code_of(lambda: register(alone, [pair("Bo Chen")])) == "is-pair"


def test_who_takes_part_is_decided_before_somebody_is_registered(world):
    competition = pairs_of(world)
    wanted = Plan(name="Pairs", ruleset="udl", pairs=False)
    with pytest.raises(Refused) as refused:
        replan(competition, wanted, user=world.owner)
    assert refused.value.code == "has-entrants"
    assert str(refused.value) == ("Pairs are registered for Pairs already. Take them out before everybody plays alone.")
    Registration.objects.all().delete()
    assert replan(competition, wanted, user=world.owner).pairs is False


def test_a_late_pair_takes_a_bye_and_a_late_player_none(world):
    competition = published_pairs(world, "\n".join(PAIRS.split("\n")[:3]))
    assert code_of(lambda: walk_in(competition, "Gil Ros", user=world.owner)) == "paste-unclear"
    assert code_of(lambda: walk_in(competition, "Gil Ros / Ana Ruiz", user=world.owner)) == "plays-already"
    done = walk_in(competition, "Gil Ros / Nia Sanz", user=world.owner)
    assert (str(done.registration.entrant), len(done.places)) == ("Gil Ros & Nia Sanz", 3)


# --- Booked once ---


def test_a_player_of_two_entrants_is_never_booked_twice(world):
    alone = found_with_players(
        world.league, Plan(name="Alone", ruleset="udl", starts_at=NOON), "Leo Paz\nNia Sanz", user=world.owner
    )
    publish(alone, user=world.owner)
    competition = pairs_of(world, format=Stage.Format.ROUND_ROBIN)
    booked = {}
    for chosen in (alone, competition):
        for slot in Slot.objects.filter(matchday__stage__competition=chosen):
            for berth in slot.berths.select_related("entrant__player", "entrant__partner"):
                for player in berth.entrant.players:
                    booked.setdefault(player.name, []).append(slot.starts_at)
    assert {name: len(hours) == len(set(hours)) for name, hours in booked.items()} == dict.fromkeys(booked, True)
    assert len(booked["Leo Paz"]) == 4


# --- Either partner ---


@pytest.fixture
def leo(world):
    """The account of Ana's partner."""
    competition = published_pairs(world)
    user = person("leo")
    Player.objects.filter(name="Leo Paz").update(user=user)
    return user, competition


def test_either_partner_enters_and_only_the_other_side_confirms(world, leo):
    user, competition = leo
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    done = enter_sheet(match.games.get(), user, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert done.record.for_side == match.sides.get(entrant=pair("Ana Ruiz")).number
    for own in (user, world.alice):
        with pytest.raises(NotAllowed) as refused:
            confirm_result(result=done.result, user=own)
        assert refused.value.code == "own-submission"
    Player.objects.filter(name="Mia Sol").update(user=person("mia"))
    mia = Player.objects.get(name="Mia Sol").user
    assert confirm_result(result=done.result, user=mia).confirmed_by == mia


def test_an_official_who_is_a_partner_rules_on_no_match_of_the_pair(world, leo):
    _user, competition = leo
    Player.objects.filter(name="Leo Paz").update(user=world.referee)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    with pytest.raises(NotAllowed) as refused:
        rule(match.games.get(), world.referee, scores=[150, 0], winner=1, reason="late")
    assert refused.value.code == "needs-official"


def test_a_stranger_submits_nothing_for_a_pair(world, leo):
    _user, competition = leo
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    with pytest.raises(NotAllowed) as refused:
        enter_sheet(match.games.get(), person("nobody"), {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert refused.value.code == "not-your-match"


def test_both_partners_have_the_match_on_their_pages(world, leo):
    _user, competition = leo
    play_all(world, competition)
    # Ana has a match of her own besides.
    for name, matches in (("Ana Ruiz", 4), ("Leo Paz", 3)):
        page = player_page(world.owner, Player.objects.get(name=name).code, NOON)
        assert (page.career.played, page.career.won + page.career.lost, page.matches.count()) == (3, 3, matches)
        alone = Entrant.objects.get(player__name=name, partner=None)
        assert personal_page(alone).last is not None
    ana = pair("Ana Ruiz")
    both = pair_page(world.owner, ana.code, NOON)
    assert ([one.name for one in both.people], both.career.played) == (["Ana Ruiz", "Leo Paz"], 3)
    turned = "-".join(reversed(ana.code.split("-")))
    assert pair_page(world.owner, turned, NOON).pair == ana


# --- Who played ---


def test_the_log_of_a_game_may_name_either_partner_and_is_sealed_with_that_ones_code(world):
    competition = published_pairs(world)
    ana, bo = pair("Ana Ruiz"), pair("Bo Chen")
    match = match_between(competition, ana, bo)
    text = played_log(names=("Leo Paz", "Bo Chen"))
    record = submit_log(game=match.games.get(), user=world.alice, raw=text.encode()).record
    numbers = {side.entrant_id: str(side.number) for side in match.sides.all()}
    assert record.partners == {numbers[ana.pk]: ana.partner.code, numbers[bo.pk]: bo.player.code}
    assert f'[Seat.A "{ana.partner.code}"]' in record.sealed.text
    assert "Leo Paz" not in record.sealed.text


def test_a_log_that_names_the_pair_is_of_whoever_has_the_turn(world):
    competition = published_pairs(world, best_of=3)
    ana, bo = pair("Ana Ruiz"), pair("Bo Chen")
    match = match_between(competition, ana, bo)
    side = match.sides.get(entrant=ana)
    for game, player in ((1, ana.player), (2, ana.partner), (3, ana.player)):
        assert side.player_of(game) == player
    text = played_log(names=("Ana Ruiz & Leo Paz", "Bo Chen & Mia Sol"))
    record = submit_log(game=match.games.get(number=2), user=world.alice, raw=text.encode()).record
    assert sorted(record.partners.values()) == sorted([ana.partner.code, bo.partner.code])


def test_a_log_of_somebody_else_is_refused_with_both_names(world):
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    text = played_log(names=("Cruz Vega", "Bo Chen"))
    with pytest.raises(Refused) as refused:
        submit_log(game=match.games.get(), user=world.alice, raw=text.encode())
    assert refused.value.code == "wrong-seats"
    assert "Ana Ruiz & Leo Paz" in str(refused.value)
    assert "Bo Chen & Mia Sol" in str(refused.value)


def test_two_partners_of_one_pair_do_not_sit_against_each_other(world):
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    text = played_log(names=("Ana Ruiz", "Leo Paz"))
    assert code_of(lambda: submit_log(game=match.games.get(), user=world.alice, raw=text.encode())) == "wrong-seats"
    assert not Record.objects.exists()


def test_where_a_match_is_one_game_partners_alternate_from_round_to_round(world):
    competition = published_pairs(world)
    ana = pair("Ana Ruiz")
    sides = ana.sides.order_by("match__slot__matchday__number")
    assert [str(side.player_of(1)) for side in sides] == ["Ana Ruiz", "Leo Paz", "Ana Ruiz"]
    assert competition.best_of == 1


# --- The evening ---


def test_cards_and_slips_bear_both_names(world):
    competition = published_pairs(world)
    day = round_now(competition)
    assert sorted(name for one in papers(competition, day) for name in one.names) == NAMES
    assert [one.name for one in slips(competition)] == NAMES
    assert len({one.door for one in slips(competition)}) == 4


def test_a_pair_is_found_under_both_names(world):
    competition = published_pairs(world)
    lines = round_page("harbour", competition.slug, 1).names
    assert [one.name for one in lines][:2] == ["Bo Chen & Mia Sol", "Dora Luz & Cruz Vega"]
    assert [one.name for one in lines if one.name.startswith("Leo")] == ["Leo Paz & Ana Ruiz"]
    assert len(lines) == 8


def test_a_minor_of_a_pair_is_shown_by_initials_and_the_other_by_name(world):
    competition = published_pairs(world)
    Player.objects.filter(name="Leo Paz").update(born=NOON.year - 12)
    ana = pair("Ana Ruiz")
    assert (str(ana), ana.full_name, ana.is_minor) == ("Ana Ruiz & L. P.", "Ana Ruiz & Leo Paz", True)
    assert competition.registrations.count() == 4


def test_a_pair_that_leaves_forfeits_what_it_has_not_played(world):
    competition = published_pairs(world)
    withdraw(competition, pair("Ana Ruiz"), user=world.owner, reason="ill")
    results = Result.objects.filter(game__match__sides__entrant=pair("Ana Ruiz"), current=True)
    assert list(results.values_list("known_by", "ended")) == [(KnownBy.RULED, "forfeit")] * 3
    assert Match.objects.filter(sides__entrant__player__name="Leo Paz").count() == 0


def test_a_referee_who_is_of_a_pair_is_known_by_the_own_code(world):
    """Somebody with two entrants is still one person."""
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    text = played_log().replace("\n\n", '\n[Referee "Cruz Vega"]\n\n', 1)
    record = submit_log(game=match.games.get(), user=world.alice, raw=text.encode()).record
    assert f'[Referee "{pair("Cruz Vega").player.code}"]' in record.sealed.text


def test_a_page_of_a_log_names_the_partner_who_played(world):
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    text = played_log(names=("Leo Paz", "Bo Chen"))
    record = submit_log(game=match.games.get(), user=world.alice, raw=text.encode()).record
    verify_record(record.pk)
    page = match_page(world.alice, match.pk)
    [view] = page.games
    assert '[Seat.A "Leo Paz"]' in [line.text for line in view.log]


def test_muggins_and_logs_count_on_the_page_of_the_partner_who_played(world):
    competition = published_pairs(world)
    ana = pair("Ana Ruiz")
    match = match_between(competition, ana, pair("Bo Chen"))
    text = played_log(names=("Leo Paz", "Bo Chen"))
    verify_record(submit_log(game=match.games.get(), user=world.alice, raw=text.encode()).record.pk)
    played = {one.name: player_page(world.alice, one.code, NOON).career for one in ana.players}
    assert played["Leo Paz"].known.games == 1
    assert played["Ana Ruiz"].known.games == 0
    caught = played["Leo Paz"].sums.sums.caught + played["Leo Paz"].sums.sums.suffered
    assert caught > 0
    assert played["Ana Ruiz"].sums.sums.caught == played["Ana Ruiz"].sums.sums.suffered == 0


def test_who_plays_alone_and_in_a_pair_is_known_at_the_table_by_either_slip(world):
    competition = published_pairs(world)
    ana = pair("Ana Ruiz")
    match = match_between(competition, ana, pair("Bo Chen"))
    side = match.sides.get(entrant=ana).number
    alone = Entrant.objects.get(player=ana.partner, partner=None)
    stranger = Entrant.objects.get(player__name="Eva Mar", partner=None)
    assert side_by_slip(match, ana.door).side == side_by_slip(match, alone.door).side == side
    assert side_by_slip(match, stranger.door) is None
    # The slip of a pair is in two hands: it opens nothing that one of them plays alone.
    assert side_by_slip(world.match, ana.door) is None


def test_a_name_is_erased_from_the_uploads_of_the_pairs_matches_too(world):
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    text = played_log(names=("Ana Ruiz", "Bo Chen"))
    record = submit_log(game=match.games.get(), user=world.alice, raw=text.encode()).record
    erase(Player.objects.get(name="Leo Paz"))
    record.upload.refresh_from_db()
    assert (bytes(record.upload.raw), record.upload.erased_at is None) == (b"", False)


def test_another_official_who_is_a_partner_is_not_asked_to_confirm_an_amendment(world):
    competition = published_pairs(world)
    match = match_between(competition, pair("Ana Ruiz"), pair("Bo Chen"))
    done = enter_sheet(match.games.get(), world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    confirm_result(result=done.result, user=world.second_referee)
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [95, 150]}, reason="swapped")
    amendment = propose_amendment(match.games.get(), world.referee, wanted)
    asked = set(other_officials(amendment.game.match, amendment.proposed_by))
    assert world.second_referee in asked
    Player.objects.filter(name="Leo Paz").update(user=world.second_referee)
    assert set(other_officials(amendment.game.match, amendment.proposed_by)) == asked - {world.second_referee}
