"""The admin site opens on every model, and what was handed in can only be looked at."""

import pytest
from django.contrib import admin
from django.urls import reverse

from league.accounts.models import User
from league.competitions.models import (
    Adjustment,
    Applicant,
    Challenge,
    Circuit,
    CircuitPlace,
    Division,
    DrawJob,
    EarlierState,
    Honour,
    HourProposal,
    Invitation,
    Notice,
    NoticeVersion,
    Payment,
    PlayOff,
    RatedGame,
    Rating,
    RatingList,
    Rehearsal,
    Season,
    SeasonDate,
    SeasonMove,
    Seeding,
    Withdrawal,
)
from league.disputes.models import CourtRules, Dispute, RefereeCall, SealedRuling, ZoneTable
from league.matches.logs.submission import verify_record
from league.matches.models import Amendment, ClockEvent, Match, Record, Result, TallyTap
from tests.league.matches.tapping import Pad, points
from tests.league.world import played_log

READ_ONLY = {
    Adjustment,
    Amendment,
    Applicant,
    Challenge,
    Circuit,
    CircuitPlace,
    ClockEvent,
    CourtRules,
    Dispute,
    Division,
    DrawJob,
    EarlierState,
    Honour,
    HourProposal,
    Invitation,
    Notice,
    NoticeVersion,
    Payment,
    PlayOff,
    RatedGame,
    Rating,
    RatingList,
    Record,
    RefereeCall,
    Rehearsal,
    Result,
    SealedRuling,
    Season,
    SeasonDate,
    SeasonMove,
    Seeding,
    TallyTap,
    Withdrawal,
    ZoneTable,
}


@pytest.fixture
def office(client, world):
    client.force_login(User.objects.create_superuser("root"))
    return client


def test_every_list_and_form_of_the_admin_site_opens(office, world):
    Pad(world.game, world.referee).send(points(0, 10))
    verify_record(world.submit(played_log()).pk)
    for model, shown in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert office.get(reverse(f"{name}_changelist")).status_code == 200
        row = model._default_manager.first()
        if row is not None:
            assert office.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200
        if model not in {*READ_ONLY, Match}:  # a match is scheduled on the pages
            assert office.get(reverse(f"{name}_add")).status_code == 200
        assert shown.model is model


def test_records_and_results_are_not_added_changed_or_removed_by_hand(office, world):
    record = world.submit(played_log())
    verify_record(record.pk)
    for model, row in ((Record, record), (Result, record.result)):
        name = f"admin:matches_{model._meta.model_name}"
        assert office.get(reverse(f"{name}_add")).status_code == 403
        assert office.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert office.post(reverse(f"{name}_delete", args=[row.pk]), {"post": "yes"}).status_code == 403
    assert Record.objects.get() == record
