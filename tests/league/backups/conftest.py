"""A site with something in every table."""

from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress, EmailConfirmation
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group, Permission
from django.contrib.sessions.backends.db import SessionStore
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone
from PIL import Image

from league.accounts import attempts
from league.accounts.models import Founding, League, ResetLink
from league.accounts.services import invite_to_role, take_invitation
from league.api.base.tokens import make_token
from league.api.models import StoredAnswer, TokenScope
from league.backups import restoring, writing
from league.competitions.agreed_hours import agree_on_hour, propose_hours
from league.competitions.amendments.services import confirm_amendment, propose_amendment
from league.competitions.attendance.check_in import check_in
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.cancelling import cancel
from league.competitions.circuits import CircuitPlan, found_circuit
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.reopening import reopen
from league.competitions.draw.stages import draw
from league.competitions.following import follow
from league.competitions.formats.circuit import PointsBy
from league.competitions.honours import settle_missed
from league.competitions.integrity.row_check import go_on
from league.competitions.jobs import ask_to_draw
from league.competitions.ladders.services import challenge
from league.competitions.models import Adjustment, Competition, Delivery, DrawJob, Registration, Stage, StageEntry
from league.competitions.notices import Wording, amend_notice, publish_notice, withdraw_notice
from league.competitions.push.keys import public_key
from league.competitions.push.subscriptions import subscribe
from league.competitions.ratings.services import rate_match
from league.competitions.registration.admission import accept_sign_ups
from league.competitions.registration.entries import register
from league.competitions.registration.fees import take_fee
from league.competitions.registration.opening import RegistrationTerms, invite, set_registration
from league.competitions.registration.seeding import reseed
from league.competitions.registration.sign_ups import Introduction, apply_as_player, apply_by_name
from league.competitions.seasons.next_season import carry_over, make_play_offs
from league.disputes.calls.ending import TableFinding, rule_at_table
from league.disputes.calls.services import call_referee, pause_for_call
from league.disputes.calls.zones import set_zone
from league.disputes.court_rules import WantedRules, change_rules
from league.disputes.facts import find_facts
from league.disputes.models import Dispute
from league.disputes.protests.photos import add_photo, look_at_photo
from league.disputes.protests.protesting import Point, protest
from league.disputes.ruling import WantedRuling, rule
from league.house.mistakes import cut_short, misspelt, with_broken_rule, with_wrong_total
from league.matches.amendments import Wanted
from league.matches.clock.services import cancel_start, give_time, pause_clock, start_clock
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import AdoptedVerdict, Amendment, KnownBy, Match, NamedJudge, Record, Result
from league.matches.results.entering import enter_sheet
from league.matches.results.reviews import disagree
from league.matches.seals import seal_judge
from league.play.models import MoveReview
from league.play.services import start
from league.players.models import Entrant
from league.players.services import claim, enrol, make_claim_link, merge
from league.rehearsals.services import ToRehearse, ask_to_rehearse
from referee.rulings.court import FactFound
from tests import template_database
from tests.kept_rows import kept
from tests.league.competitions.rated import competition, met
from tests.league.competitions.season_world import MIDDLE, TOP, play_out, play_season, published_season
from tests.league.competitions.seasons.test_next_season import NEXT
from tests.league.evidence import give_evidence
from tests.league.matches.tapping import Pad, points, round_end, take_back
from tests.league.play import online_games
from tests.league.push_service import PushBrowser
from tests.league.world import NOON, World, make_world, played_log


@pytest.fixture(autouse=True)
def _own_folder(settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"
    settings.DATA_DIR.mkdir()


@pytest.fixture(autouse=True)
def _migrations_replayed(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A restore makes today's tables from the statements of the migrations. Running these takes ten times as long,
    which a test with the marker `real_migrations` does.
    """
    if request.node.get_closest_marker("real_migrations"):
        return
    make_tables = restoring.make_tables

    def replay(migrations: list[tuple[str, str]]) -> None:
        if set(map(tuple, migrations)) == set(MigrationLoader(None).disk_migrations):
            template_database.replay_schema()
        else:
            make_tables(migrations)

    monkeypatch.setattr(restoring, "make_tables", replay)


@pytest.fixture
def site(transactional_db) -> World:
    return make_site()


@kept
def make_site() -> World:
    """Something in every table of a site: logs of every kind and results, a cup, a clock, people and their accounts,
    and what the frameworks keep.
    """
    world = make_world()
    _play(world)
    _draw_a_cup(world)
    _open_the_door(world)
    _climb(world)
    _agree_on_hours(world)
    _rate(world)
    _play_a_season(world)
    _found_a_circuit(world)
    assert settle_missed()
    _run_a_clock(world)
    _keep_a_tally(world)
    _call_the_referee(world)
    _disagree(world)
    _protest(world)
    _look_after_people(world)
    _tell_everybody(world)
    _call(world)
    _sign_in(world)
    _use_the_api(world)
    give_evidence()
    _check_rows()
    return world


def _play(world: World) -> None:
    for seed, mistake in ((7, with_wrong_total), (8, cut_short), (9, misspelt), (10, with_broken_rule), (7, str)):
        verify_record(world.submit(mistake(played_log(seed))).pk)
    confirm_result(result=world.game.results.get(current=True), user=world.bob)
    _amend(world)
    other = world.fixture(starts_at=None, best_of=3).games.first()
    enter_sheet(world.fixture().games.first(), world.bob, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    submit_log(game=other, user=world.referee, raw=b"\xef\xbb\xbf" + played_log(11).encode(), filename="Größe.domino")


def _amend(world: World) -> None:
    wanted = Wanted(kind=KnownBy.RULED, data={"scores": [0, 150], "winner": 2, "ended": "forfeit"}, reason="two racks")
    confirm_amendment(propose_amendment(world.game, world.referee, wanted), world.second_referee)
    propose_amendment(world.game, world.owner, replace(wanted, data={"scores": [0, 100], "winner": 2}))


def _draw_a_cup(world: World) -> None:
    plan = Plan(name="Cup", ruleset="udl", format=Stage.Format.SINGLE_ELIMINATION, tables=["Table 1"], starts_at=NOON)
    cup = found(world.league, plan, user=world.owner)
    third = enrol(league=world.league, name="Cy Diaz", since=NOON.date())
    register(cup, [world.ana, world.bo, third])
    ask_to_draw(cup, DrawJob.What.FIRST, user=world.owner)
    publish(cup, user=world.owner)
    assert reopen(cup, user=world.owner)
    publish(Competition.objects.get(pk=cup.pk), user=world.owner)
    _rehearse(world, cup)
    _keep_the_door(world, third)
    _cancel_another(world)


def _cancel_another(world: World) -> None:
    other = found(world.league, Plan(name="Flooded Cup", ruleset="udl"), user=world.owner)
    register(other, [world.ana, world.bo])
    draw(other, user=world.owner)
    publish(other, user=world.owner)
    assert cancel(other, user=world.owner, reason="The hall is flooded")


def _rehearse(world: World, cup: Competition) -> None:
    ask_to_rehearse(cup, ToRehearse(4, seed=7), user=world.owner)
    practice = start("double-six", "careful", {"target": "50"})
    MoveReview.objects.create(practice=practice, asked_at=NOON, tries=1, hands=[])
    online_games.step(online_games.dealt())


def _keep_the_door(world: World, third: Entrant) -> None:
    plan = Plan(name="Club night", ruleset="udl", tables=["Table 2"], starts_at=NOON, fee=500, currency="EUR")
    night = found(world.league, replace(plan, then=Stage.Format.SINGLE_ELIMINATION, advance_each=2), user=world.owner)
    register(night, [world.ana, world.bo, third])
    check_in(night, world.ana, user=world.owner)
    take_fee(night, world.ana, user=world.owner, owed=500)
    draw(night, user=world.owner)
    draw(night, user=world.owner)  # anew
    StageEntry.objects.create(stage=night.stages.get(number=2), entrant=world.ana, seed=1, place=1)
    publish(night, user=world.owner)
    withdraw(night, third, user=world.owner, reason="went home")


def _open_the_door(world: World) -> None:
    """Registration, with an invitation that was used, a sign-up that waits, and an order of seeds that was changed."""
    cup = found(world.league, Plan(name="Open cup", ruleset="udl"), user=world.owner)
    set_registration(cup, RegistrationTerms(registration=Competition.Opening.INVITED, places=8), user=world.owner)
    secret = invite(cup, user=world.owner, whom="Größe", uses=3)
    guest = Introduction(name="Zoë New", club="Mill", born=1990, contact="z@example.org", word="by bus")
    row = apply_by_name(cup, guest, secret="a secret", invitation=secret)
    apply_as_player(cup, world.ana.player, user=world.alice, secret="another", invitation=secret)
    register(cup, [world.bo])
    accept_sign_ups(cup, [row.pk], user=world.owner)
    reseed(cup, list(cup.registrations.order_by("-seed").values_list("entrant", flat=True)), user=world.owner)


def _climb(world: World) -> None:
    plan = Plan(name="Ladder", ruleset="udl", format=Stage.Format.LADDER, challenge_reach=2, challenge_days=14)
    ladder = found(world.league, plan, user=world.owner)
    register(ladder, [world.ana, world.bo])
    draw(ladder, user=world.owner)
    publish(ladder, user=world.owner)
    challenge(ladder, world.bo, world.ana, by=world.bob)


def _agree_on_hours(world: World) -> None:
    """Hours of a match, agreed and then proposed again."""
    robin = found(world.league, Plan(name="Friendly", ruleset="udl", best_of=3), user=world.owner)
    register(robin, [world.ana, world.bo])
    draw(robin, user=world.owner)
    publish(robin, user=world.owner)
    match, soon = Match.objects.get(slot__matchday__stage__competition=robin), timezone.now() + timedelta(days=2)
    made = propose_hours(match.pk, [soon, soon + timedelta(days=1)], user=world.alice, seen=None)
    agree_on_hour(match.pk, made.pk, soon, user=world.bob)
    propose_hours(match.pk, [soon + timedelta(days=3)], user=world.bob, seen=None)


def _rate(world: World) -> None:
    cup = competition(world)
    rate_match(met(world, cup, world.ana, world.bo, 1, 2, None, best_of=3).pk)


def _play_a_season(world: World) -> None:
    """Two divisions of two, a play-off, and the season that follows; one of its moves stands although."""
    season = published_season(world, names=(TOP[:2], MIDDLE[:2]), places=((0, 0, 0), (0, 0, 1)))
    play_season(world, season)
    [made] = make_play_offs(season, user=world.owner)
    play_out(world, made.competition)
    carry_over(season, NEXT, user=world.owner)
    season.moves.filter(place=1).update(stands_although=Amendment.objects.order_by("pk").first())


def _run_a_clock(world: World) -> None:
    game = world.fixture().games.first()
    start_clock(game, world.alice, NOON)
    cancel_start(game, world.referee, reason="wrong table", at=NOON + timedelta(seconds=2))
    start_clock(game, world.alice, NOON + timedelta(seconds=60))
    give_time(game, world.referee, seconds=60, reason="a tile fell", at=NOON + timedelta(seconds=90))
    pause_clock(game, world.bob, NOON + timedelta(seconds=100, microseconds=1))
    assert Match.objects.get(pk=game.match_id).state == Match.State.PLAYING


def _keep_a_tally(world: World) -> None:
    pad = Pad(world.fixture().games.first(), world.alice, 1)
    first = points(0, 10)
    pad.send(first, points(1, 5), take_back(first), round_end(1, 25))


def _call_the_referee(world: World) -> None:
    """A muggins call, ruled at the table while the clock was paused; and a zone."""
    game = world.fixture().games.select_related("match__league").first()
    start_clock(game, world.referee, NOON)
    Pad(game, world.alice, 1).send(points(0, 10))
    call = call_referee(game.match, world.bob, "muggins", at=NOON)
    pause_for_call(call, world.referee, at=NOON + timedelta(seconds=30))
    found = TableFinding(about="muggins", side=2, points=10, upheld=True, on_pad=True)
    rule_at_table(call, world.referee, found, at=NOON + timedelta(seconds=90))
    cup = Competition.objects.filter(league=world.league, tables__isnull=False).first()
    set_zone(cup, world.referee, list(cup.tables.all()), by=world.owner)


def _disagree(world: World) -> None:
    game = world.fixture().games.select_related("match__league").first()
    entered = enter_sheet(game, world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    disagree(Result.objects.get(record=entered.record), world.bob, sentence="I had five more.")
    third = enrol(league=world.league, name="Jo Vidal", since=NOON.date()).player
    judge = NamedJudge(match=game.match, player=third, named_by=world.owner, named_at=NOON, accepted={"1": "pin"})
    seal_judge(judge)
    judge.save()


def _protest(world: World) -> None:
    """A protest with a photo and a look, ruled on by a sealed text."""
    change_rules(world.league, world.owner, WantedRules(hears="owner", penalties={"out-of-turn": 10}))
    game = world.fixture().games.select_related("match__league").first()
    verify_record(world.submit(played_log(7), game=game).pk)
    point = Point(kind=Dispute.Kind.MUGGINS, line=12, miswritten=True)
    dispute = protest(game, world.bob, point, "“Größe”")
    add_photo(dispute, world.bob, photo())
    find_facts(dispute, world.referee, FactFound.NO)
    look_at_photo(dispute, 2, world.referee)
    rule(dispute, world.referee, WantedRuling(outcome=Dispute.Outcome.CALL, reason="late"))


def photo() -> bytes:
    out = BytesIO()
    Image.new("RGB", (9, 9), "red").save(out, "PNG")
    return out.getvalue()


def _look_after_people(world: World) -> None:
    twin, other = (enrol(league=world.league, name=name, since=NOON.date()).player for name in ("Di Eze", "D. Eze"))
    merge(kept=twin, absorbed=other, league=world.league, by=world.owner)
    make_claim_link(twin, world.league, world.owner)
    claim(twin, world.second_referee)
    Founding.objects.create(pk=Founding.ONLY, user=world.owner)
    follow(world.alice, [f"player:{twin.code}"], NOON)
    ResetLink.objects.create(user=world.alice, made_by=world.owner, made_at=NOON)
    take_invitation(invite_to_role(world.league, world.owner, kind="referee"), world.alice)
    invite_to_role(world.league, world.owner, kind="player")


def _found_a_circuit(world: World) -> None:
    """With the divisions as its evenings; and a deduction in one of them."""
    evenings = Competition.objects.filter(league=world.league, division__isnull=False).values_list("pk", flat=True)
    plan = CircuitPlan(name="Größter", points_by=PointsBy.LIST, points=(5, 3), competitions=evenings)
    found_circuit(world.league, plan, user=world.owner)
    row = Registration.objects.filter(competition__in=evenings).first()
    Adjustment.objects.create(registration=row, points=-1, reason="“late”", made_at=NOON, made_by=world.owner)
    Registration.objects.filter(pk=row.pk).update(bonus=-1)


def _tell_everybody(world: World) -> None:
    """Notices, one of them amended and withdrawn."""
    cup = Competition.objects.filter(league=world.league, published_at__isnull=False).first()
    notice = publish_notice(
        world.league, Wording(title="“Größe”", text="One.\n\nTwo."), user=world.owner, competition=cup
    )
    amend_notice(notice, Wording(title="Größe", text="Three."), user=world.owner, seen=1)
    withdraw_notice(notice, user=world.owner, reason="nobody came")


def _call(world: World) -> None:
    """A phone that waits for its notification of a call."""
    phone = PushBrowser("https://push.example.org/x")
    subscription = subscribe(world.alice, phone.endpoint, phone.keys)
    Delivery.objects.create(subscription=subscription, match=world.match, called_at=NOON, due_at=NOON)
    assert public_key()


def _sign_in(world: World) -> None:
    address = EmailAddress.objects.create(user=world.alice, email="ana@example.org", primary=True)
    EmailConfirmation.objects.create(email_address=address, key="k", created=NOON)
    group = Group.objects.create(name="\N{BELL} “scorers”")
    group.permissions.set(Permission.objects.all()[:3])
    world.alice.groups.add(group)
    world.owner.user_permissions.set(Permission.objects.all()[3:5])
    session = SessionStore()
    session["language"] = "es"
    session.create()
    attempts.count(attempts.PASSWORD, "account 1", "")
    LogEntry.objects.log_actions(world.referee.pk, League.objects.all(), CHANGE, change_message=[{"changed": {}}])


def _check_rows() -> None:
    go_on()
    record = Record.objects.order_by("pk").first()
    AdoptedVerdict.objects.create(record=record, engine_edition=99, verdict={"status": "verified"}, adopted_at=NOON)


def _use_the_api(world: World) -> None:
    make_token(world.alice, name="scoreboard", scopes=[TokenScope.READ])
    StoredAnswer.objects.create(
        principal="token 1",
        method="POST",
        path="/api/v1/records/",
        key="k",
        fingerprint="0" * 64,
        status=201,
        headers={"Location": "/api/v1/records/1/"},
        body='{"score": null}',
        created_at=NOON,
    )


@pytest.fixture
def saved(site: World, tmp_path: Path) -> Path:
    path = tmp_path / "saved.zip"
    writing.save(path)
    return path
