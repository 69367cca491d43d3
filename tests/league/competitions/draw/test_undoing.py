"""Before whatever destroys something of a draft its rows are kept, and the way back makes them what they were."""

import zlib
from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.utils import timezone

from league.competitions import snapshots
from league.competitions.attendance.check_in import check_in, draw_with_present
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.founding import add_players
from league.competitions.draw.plans import Plan, replan
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.stages import draw, draw_anew, draw_next
from league.competitions.draw.swiss_rounds import keep_pair, pair_anew, swap
from league.competitions.draw.undo import PLANNED, Undone, bring_back, discard, forget_old_states, situation, undo
from league.competitions.models import Applicant, Competition, EarlierState, Registration, Slot, Stage
from league.competitions.registration.admission import accept_sign_ups, refuse_sign_ups
from league.competitions.registration.entries import unregister
from league.competitions.registration.fees import take_fee
from league.competitions.registration.opening import RegistrationTerms, invitation_of, invite, set_registration
from league.competitions.registration.seeding import draw_lots, reseed
from league.competitions.registration.sign_ups import Introduction, applicant_of, apply_by_name, standing_of
from league.errors import NotAllowed, Refused
from league.matches.models import KnownBy, Match, Result, Table
from league.matches.results.entering import enter_sheet
from league.players.models import Entrant
from league.players.services import erase, merge
from tests.league.competitions.earlier import START, drafted, everything, newest, people

Before = EarlierState.Before


@pytest.fixture
def owner(world):
    return world.owner


@pytest.fixture
def draft(world, owner) -> Competition:
    """Seven in a knock-out, of which a match was moved by hand, one is checked in and one plays free."""
    made = drafted(world.league, owner, people(world.league, 7), fee=500, currency="EUR")
    slot = Slot.objects.filter(matchday__stage__competition=made, match__isnull=False).first()
    move(slot, user=owner, table=Table.objects.get(name="2", league=world.league), starts_at=START + timedelta(days=1))
    first, second = made.registrations.all()[:2]
    check_in(made, first.entrant, user=owner)
    Registration.objects.filter(pk=second.pk).update(free_reason="helps at the door")
    return made


def go_back(competition: Competition, user) -> bool:
    state = newest(competition)
    return undo(competition, state.pk, newest=state.pk, user=user).done


def entrants(competition: Competition) -> list[int]:
    return list(competition.registrations.values_list("entrant", flat=True))


def plan_of_swiss() -> Plan:
    return Plan(name="Another name", ruleset="muggins", format=Stage.Format.SWISS, rounds=3, tables=("9",), minutes=10)


ACTS: dict[Before, Callable] = {
    Before.DRAWN: lambda made, user, _: draw(made, user=user),
    Before.PLANNED: lambda made, user, _: replan(made, plan_of_swiss(), user=user),
    Before.ADDED: lambda made, user, _: add_players(made, "Late One\nLate Two", user=user),
    Before.TAKEN_OUT: lambda made, user, _: unregister(made, Entrant.objects.get(pk=entrants(made)[1]), user=user),
    Before.SEEDED: lambda made, user, _: reseed(made, entrants(made)[::-1], user=user),
    Before.LOTS: lambda made, user, _: draw_lots(made, user=user, rng=Random(5)),
}


@pytest.mark.parametrize("act", ACTS, ids=str)
def test_going_back_makes_every_row_what_it_was_keys_and_codes_too(world, owner, draft, act) -> None:
    before = everything(draft)
    ACTS[act](draft, owner, world)
    after = everything(draft)
    assert after != before
    state = newest(draft)
    assert (state.before, state.made_by, state.entrants, state.matches, state.rounds) == (act, owner, 7, 3, 3)
    assert go_back(draft, owner) is True
    assert everything(draft) == before
    # And forth again, for going back is an act as well.
    assert newest(draft).before == Before.UNDONE
    assert go_back(draft, owner) is True
    assert everything(draft) == after


def test_whoever_is_absent_is_back_with_the_draw(owner, draft) -> None:
    before = everything(draft)
    check_in(draft, Entrant.objects.get(pk=entrants(draft)[2]), user=owner)
    absent = draft.registrations.filter(checked_in_at=None).values_list("entrant", flat=True)
    draw_with_present(draft, user=owner, absent=absent)
    assert newest(draft).before == Before.TAKEN_OUT
    go_back(draft, owner)
    now = everything(draft)
    # The check-in came before the act, and the draw is that of seven again.
    assert [row["checked_in_at"] is not None for row in now["Registration"]] == [True, False, True, *[False] * 4]
    assert {key: rows for key, rows in now.items() if key != "Registration"} == {
        key: rows for key, rows in before.items() if key != "Registration"
    }


def test_who_came_and_who_paid_since_stays(owner, draft) -> None:
    reseed(draft, entrants(draft)[::-1], user=owner)
    late, paid = (Entrant.objects.get(pk=one) for one in entrants(draft)[:2])
    check_in(draft, late, user=owner)
    take_fee(draft, paid, user=owner, owed=500)
    go_back(draft, owner)
    assert draft.registrations.get(entrant=late).checked_in_at is not None
    assert draft.payments.get().entrant == paid


def test_an_older_state_takes_back_all_that_came_after_it(world, owner, draft) -> None:
    before = everything(draft)
    reseed(draft, entrants(draft)[::-1], user=owner)
    first = newest(draft)
    replan(draft, plan_of_swiss(), user=owner)
    add_players(draft, "Late One", user=owner)
    done = undo(draft, first.pk, newest=newest(draft).pk, user=owner)
    assert everything(draft) == before
    assert done.left_out == ("Late One",)


def test_nothing_is_kept_where_nothing_is_lost(world, owner) -> None:
    made = drafted(world.league, owner, people(world.league, 4))
    assert not EarlierState.objects.exists()
    publish(made, user=owner)
    assert not EarlierState.objects.exists()


def test_a_second_click_changes_nothing(owner, draft) -> None:
    before = everything(draft)
    draw(draft, user=owner)
    state = newest(draft)
    assert undo(draft, state.pk, newest=state.pk, user=owner) == Undone(done=True)
    assert undo(draft, state.pk, newest=state.pk, user=owner) == Undone(done=False)
    assert everything(draft) == before
    assert EarlierState.objects.count() == 2


def test_what_somebody_else_did_meanwhile_is_named_and_stays(world, owner, draft) -> None:
    draw(draft, user=owner)
    seen = newest(draft)
    draw_lots(draft, user=owner, rng=Random(1))
    now = everything(draft)
    with pytest.raises(Refused) as refused:
        undo(draft, seen.pk, newest=seen.pk, user=owner)
    assert refused.value.code == "changed-meanwhile"
    assert "lots drawn for the order" in str(refused.value)
    assert everything(draft) == now


def test_only_who_manages_competitions_goes_back(world, owner, draft) -> None:
    draw(draft, user=owner)
    state = newest(draft)
    for nobody in (world.referee, world.charlie, world.alice):
        with pytest.raises(NotAllowed):
            undo(draft, state.pk, newest=state.pk, user=nobody)
        with pytest.raises(NotAllowed):
            discard(draft, user=nobody)


def test_a_state_of_another_competition_is_none(world, owner, draft) -> None:
    other = drafted(world.league, owner, people(world.league, 4, "Other"), name="Other")
    draw(other, user=owner)
    state = newest(other)
    with pytest.raises(Refused) as refused:
        undo(draft, state.pk, newest=state.pk, user=owner)
    assert refused.value.code == "state-gone"


def test_at_most_twenty_are_kept(owner, draft) -> None:
    for _ in range(snapshots.MOST_KEPT + 3):
        draw(draft, user=owner)
    assert EarlierState.objects.count() == snapshots.MOST_KEPT


def test_a_draw_too_large_to_be_kept_is_drawn_all_the_same_and_says_so(owner, draft, monkeypatch) -> None:
    monkeypatch.setattr(snapshots, "MOST_SLOTS", 3)
    draw(draft, user=owner)
    assert situation(draft).in_the_way(newest(draft)).code == "draw-too-large"
    with pytest.raises(Refused) as refused:
        go_back(draft, owner)
    assert refused.value.code == "draw-too-large"


# --- What stands in the way ---


def test_what_is_published_is_not_taken_back(owner, draft) -> None:
    draw(draft, user=owner)
    publish(draft, user=owner)
    now = everything(draft)
    with pytest.raises(Refused) as refused:
        go_back(draft, owner)
    assert refused.value.code == "already-published"
    assert everything(draft) == now


def test_a_match_that_was_written_down_is_named_and_stays(world, owner, draft) -> None:
    draw(draft, user=owner)
    match = Match.objects.filter(slot__matchday__stage__competition=draft).first()
    enter_sheet(match.games.get(), owner, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    with pytest.raises(Refused) as refused:
        go_back(draft, owner)
    assert refused.value.code == "has-logs"
    assert str(match.sides.first().entrant) in str(refused.value)


def test_whoever_was_merged_since_is_named(world, owner, draft) -> None:
    gone = draft.registrations.order_by("seed")[1].entrant
    unregister(draft, gone, user=owner)
    merge(kept=world.ana.player, absorbed=gone.player, league=world.league, by=owner)
    with pytest.raises(Refused) as refused:
        go_back(draft, owner)
    assert refused.value.code == "entrants-gone"


def test_why_somebody_plays_free_is_forgotten_with_the_name(world, owner, draft) -> None:
    free = draft.registrations.get(free_reason="helps at the door").entrant
    unregister(draft, free, user=owner)
    erase(free.player)
    assert b"helps" not in b"".join(snapshots.zlib.decompress(bytes(one.rows)) for one in EarlierState.objects.all())
    go_back(draft, owner)
    assert draft.registrations.get(entrant=free).free_reason == "–"


def test_a_table_that_is_gone_is_no_table(world, owner, draft) -> None:
    draw(draft, user=owner)
    Table.objects.get(name="2", league=world.league).delete()
    go_back(draft, owner)
    tables = set(Slot.objects.filter(matchday__stage__competition=draft).values_list("table__name", flat=True))
    assert tables == {"1", None}


# --- The draft round of what is published ---


@pytest.fixture
def swiss(world, owner) -> Competition:
    """Six, the first round played, the second a draft of which a pair was exchanged by hand."""
    made = drafted(
        world.league,
        owner,
        people(world.league, 6),
        format=Stage.Format.SWISS,
        rounds=3,
        release=Competition.Release.ROUND_BY_ROUND,
    )
    publish(made, user=owner)
    play(made, owner)
    draw_next(made, user=owner)
    return Competition.objects.get(pk=made.pk)


def play(competition: Competition, user) -> None:
    """Every open match of the rounds that are shown, for side 1."""
    competition.league.confirmation_required = False
    competition.league.save()
    slots = Slot.objects.filter(matchday__stage__competition=competition, matchday__published_at__isnull=False)
    for match in Match.objects.filter(slot__in=slots).exclude(state=Match.State.DECIDED):
        enter_sheet(match.games.get(), user, {"scores": [150, 95]}, kind=KnownBy.SCORE)


def day_of(competition: Competition):
    return competition.stages.get().matchdays.get(published_at=None)


def test_a_draft_round_that_was_paired_anew_or_exchanged_is_back_with_its_locks(owner, swiss) -> None:
    slot = day_of(swiss).slots.first()
    keep_pair(slot, user=owner)
    before = everything(swiss)
    pair_anew(day_of(swiss), user=owner)
    assert newest(swiss).before == Before.PAIRED
    go_back(swiss, owner)
    assert everything(swiss) == before
    first, second = (one.berths.first().entrant_id for one in day_of(swiss).slots.all()[:2])
    swap(day_of(swiss), first, second, user=owner)
    assert newest(swiss).before == Before.SWAPPED
    go_back(swiss, owner)
    assert everything(swiss) == before


def test_a_round_that_was_published_since_stands(owner, swiss) -> None:
    pair_anew(day_of(swiss), user=owner)
    publish_matchday(day_of(swiss), user=owner)
    now = everything(swiss)
    with pytest.raises(Refused) as refused:
        go_back(swiss, owner)
    assert refused.value.code == "round-published"
    assert everything(swiss) == now


def test_a_pairing_of_other_results_is_not_brought_back(owner, swiss) -> None:
    pair_anew(day_of(swiss), user=owner)
    withdraw(swiss, Entrant.objects.get(pk=entrants(swiss)[0]), user=owner, reason="ill")
    now = everything(swiss)
    with pytest.raises(Refused) as refused:
        go_back(swiss, owner)
    assert refused.value.code == "results-changed"
    assert everything(swiss) == now


def test_a_stage_draft_that_was_drawn_anew_is_back_with_who_goes_on(world, owner) -> None:
    made = drafted(
        world.league,
        owner,
        people(world.league, 4),
        format=Stage.Format.ROUND_ROBIN,
        then=Stage.Format.SINGLE_ELIMINATION,
        advance_each=2,
    )
    publish(made, user=owner)
    play(made, owner)
    Stage.objects.filter(competition=made, number=1).update(finished_at=timezone.now())
    draw_next(made, user=owner)
    before = everything(made)
    assert len(before["StageEntry"]) == 2
    draw_anew(made, user=owner)
    assert newest(made).before == Before.STAGE
    go_back(made, owner)
    assert everything(made) == before
    assert Result.objects.count() == 6


# --- Discarded drafts ---


def test_a_discarded_draft_comes_back_with_every_row(world, owner, draft) -> None:
    draw(draft, user=owner)
    before = everything(draft)
    state = discard(draft, user=owner)
    assert not Competition.objects.filter(key=draft.key).exists()
    assert not Match.objects.exclude(pk=world.match.pk).exists()
    back = bring_back(world.league, state.pk, user=owner)
    assert everything(back) == before
    assert bring_back(world.league, state.pk, user=owner) == back
    # Its earlier states lead back as before.
    assert undo(back, newest_undoable(back), newest=newest_undoable(back), user=owner).done


def newest_undoable(competition: Competition) -> int:
    return snapshots.undoable(competition)[0].pk


def test_where_its_address_is_taken_it_gets_another_one(world, owner, draft) -> None:
    state = discard(draft, user=owner)
    other = drafted(world.league, owner, people(world.league, 3, "Other"))
    back = bring_back(world.league, state.pk, user=owner)
    assert (other.slug, back.slug) == ("cup", "cup-2")


@pytest.mark.parametrize(
    ("act", "code"),
    [
        (lambda made, user: publish(made, user=user), "already-published"),
        (lambda made, user: take_fee(made, made.registrations.first().entrant, user=user, owed=500), "has-payments"),
        (
            lambda made, user: enter_sheet(
                Match.objects.filter(slot__matchday__stage__competition=made).first().games.get(),
                user,
                {"scores": [150, 95]},
                kind=KnownBy.SCORE,
            ),
            "has-logs",
        ),
    ],
    ids=["published", "paid", "played"],
)
def test_what_others_rest_on_is_not_discarded(owner, draft, act, code) -> None:
    act(draft, owner)
    now = everything(draft)
    with pytest.raises(Refused) as refused:
        discard(draft, user=owner)
    assert refused.value.code == code
    assert everything(draft) == now


def test_nobody_else_brings_it_back_and_in_no_other_league(world, owner, draft) -> None:
    state = discard(draft, user=owner)
    with pytest.raises(NotAllowed):
        bring_back(world.league, state.pk, user=world.charlie)
    with pytest.raises(Refused) as refused:
        bring_back(world.elsewhere, state.pk, user=world.charlie)
    assert refused.value.code == "state-gone"


def test_a_draft_is_not_discarded_while_sign_ups_wait(owner, draft) -> None:
    set_registration(draft, RegistrationTerms(registration=Competition.Opening.OPEN), user=owner)
    rows = [apply_by_name(draft, Introduction(name=name), secret=name) for name in ("Cy Diaz", "Dee Roe")]
    with pytest.raises(Refused) as refused:
        discard(draft, user=owner)
    assert refused.value.code == "sign-ups-wait"
    assert str(refused.value).startswith("2 sign-ups for Cup wait for an answer. Let them in or refuse them first.")
    refuse_sign_ups(draft, [row.pk for row in rows], user=owner)
    assert discard(draft, user=owner).size


def test_lots_invitations_and_who_was_let_in_come_back_and_nothing_that_was_typed(world, owner, draft) -> None:
    set_registration(draft, RegistrationTerms(registration=Competition.Opening.INVITED), user=owner)
    secret = invite(draft, user=owner, whom="the Mill", uses=3)
    for name in ("Cy Diaz", "Dee Roe", "Eva Mar"):
        said = Introduction(name=name, contact="someone@example.org", word="by bus", born=1990)
        apply_by_name(draft, said, secret=name, invitation=secret)
    ids = dict(draft.applicants.values_list("name", "pk"))
    accept_sign_ups(draft, [ids["Cy Diaz"], ids["Eva Mar"]], user=owner)
    refuse_sign_ups(draft, [ids["Dee Roe"]], user=owner)
    draw_lots(draft, user=owner, rng=Random(1))
    lots, order = list(draft.seedings.values()), entrants(draft)
    state = discard(draft, user=owner)
    for text in (b"Cy Diaz", b"Dee Roe", b"someone@example.org", b"by bus"):
        assert text not in zlib.decompress(bytes(state.rows))
    # The year by its column: as digits it may be anybody's key, or part of a time or of a code.
    kept = snapshots.of_model(snapshots.unpack(state.rows), Applicant)
    assert [(row["born"], row["partner_born"]) for row in kept] == [(None, None)] * 2
    back = bring_back(world.league, state.pk, user=owner)
    assert (list(back.seedings.values()), entrants(back)) == (lots, order)
    with pytest.raises(Refused) as refused:
        draw_lots(back, user=owner, rng=Random(2))
    assert refused.value.code == "lots-drawn"
    assert invitation_of(secret, timezone.now()).competition == back
    assert {standing_of(applicant_of(name)).name for name in ("Cy Diaz", "Eva Mar")} == {"Cy Diaz", "Eva Mar"}
    with pytest.raises(Applicant.DoesNotExist):
        applicant_of("Dee Roe")


def test_going_back_touches_no_lot_no_invitation_and_no_sign_up(owner, draft) -> None:
    set_registration(draft, RegistrationTerms(registration=Competition.Opening.OPEN), user=owner)
    invite(draft, user=owner)
    apply_by_name(draft, Introduction(name="Cy Diaz"), secret="s")
    draw_lots(draft, user=owner, rng=Random(1))
    now = [list(rows.values()) for rows in (draft.seedings, draft.invitations, draft.applicants)]
    assert go_back(draft, owner)
    assert [list(rows.values()) for rows in (draft.seedings, draft.invitations, draft.applicants)] == now


def test_after_its_days_the_sweep_forgets_it(world, owner, draft, settings) -> None:
    state = discard(draft, user=owner)
    EarlierState.objects.update(made_at=timezone.now() - timedelta(days=settings.EARLIER_DAYS, hours=-1))
    assert forget_old_states() == 0
    EarlierState.objects.update(made_at=timezone.now() - timedelta(days=settings.EARLIER_DAYS, hours=1))
    assert forget_old_states() > 0
    with pytest.raises(Refused) as refused:
        bring_back(world.league, state.pk, user=owner)
    assert refused.value.code == "state-gone"


# --- Nothing is forgotten of what is kept ---

# What points at the rows that come and go, and why it needs not be kept.
ELSEWHERE = {
    "competitions.adjustment": "of published competitions; of a reopened one it stays with its registration",
    "competitions.payment": "its competition is not discarded while there is one",
    "competitions.withdrawal": "of published competitions",
    "competitions.delivery": "of a call, which is taken back with its match",
    "competitions.division": "stands in the way",
    "competitions.playoff": "stands in the way",
    "competitions.challenge": "of published ladders",
    "competitions.circuitplace": "of finished competitions",
    "competitions.drawjob": "what was asked for is done",
    "competitions.formercard": "codes of an earlier draw; the next one has new codes",
    "competitions.honour": "of finished competitions",
    "competitions.hourproposal": "of a published match, and goes with it",
    "competitions.notice": "of published competitions",
    "competitions.rehearsal": "a report, made anew in a moment",
    "matches.record": "stands in the way",
    "matches.result": "needs a record",
    "matches.amendment": "needs a result",
    "matches.namedjudge": "needs a result",
    "matches.clockevent": "stands in the way",
    "matches.tallytap": "stands in the way",
    "competitions.ratedgame": "of official results",
    "disputes.dispute": "of a match that has begun",
    "disputes.refereecall": "of a published match, and goes with it",
    "disputes.zonetable": "tables of officials, whoever plays there",
}


def test_every_row_that_points_at_a_draft_is_kept_or_has_a_reason() -> None:
    models = (*snapshots.ROWS, *snapshots.WITH_DRAFT)
    kept = {model._meta.label_lower for model in models}
    pointing = {
        relation.related_model._meta.label_lower
        for model in (Competition, *models)
        for relation in model._meta.related_objects
        if not relation.many_to_many
    }
    assert pointing - kept - {"competitions.competition_tables"} == set(ELSEWHERE)


def test_a_plan_is_brought_back_whole() -> None:
    names = {field.name for field in Competition._meta.get_fields()}
    assert set(PLANNED) == (set(Plan.__dataclass_fields__) & names) - {"tables"}
