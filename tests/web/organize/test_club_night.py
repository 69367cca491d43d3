"""The pages of a club night: check-in, fees, newcomers, pairings for phone, wall and chat, the personal link."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.accounts.models import Role
from league.competitions import jobs
from league.competitions.attendance.check_in import check_in, open_check_in
from league.competitions.attendance.withdrawals import forfeit_left, open_matches, withdraw
from league.competitions.draw import publishing
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.stages import draw
from league.competitions.models import Berth, Competition, DrawJob, Matchday, Payment, Registration, Slot, Withdrawal
from league.competitions.registration.entries import register, unregister
from league.matches.logs.submission import confirm_result
from league.matches.models import Game, Match, Result
from league.players.models import Entrant, Player
from league.players.services import enrol
from league.web.organize.forms.competition_form import as_planned
from tests.web import world as small

HOSTILE = '</textarea><script>alert("1")</script>'
BY_ROUND = Competition.Release.ROUND_BY_ROUND


def night(world, count=5, *, published=True, name="Tuesday", born=None, **plan):
    """A round robin of the world's three and more; the last one was born in `born`."""
    more = [
        enrol(league=world.league, name=f"{HOSTILE[:40]} {number}", since=small.FIRST.date())
        for number in range(4, count)
    ]
    if count > 3:
        more.append(enrol(league=world.league, name="Young Yara", since=small.FIRST.date(), born=born))
    made = {"name": name, "ruleset": "udl", "starts_at": timezone.now(), "tables": ("1", "2", "3")} | plan
    competition = found(world.league, Plan(**made), user=world.owner)
    register(competition, [*world.entrants, *more][:count])
    draw(competition, user=world.owner)
    if published:
        publish(competition, user=world.owner)
    competition.refresh_from_db()
    return competition


def organize(competition, name, *more):
    return reverse(f"organize:{name}", args=["harbour", competition.slug, *more])


def here(competition):
    rows = competition.registrations.filter(checked_in_at__isnull=False).order_by("seed")
    return [row.entrant.player.name for row in rows.select_related("entrant__player")]


def text(answer):
    return answer.content.decode()


# --- Check-in ---


def test_one_tap_checks_in_and_another_takes_it_back(world, browse):
    cup, ana = night(world), world.entrants[0]
    client = browse(world.ref)
    page = client.get(organize(cup, "check_in"))
    assert "<strong>0</strong> of 5 are here" in text(page)
    answer = client.post(organize(cup, "check_in_one"), {"entrant": ana.pk, "do": "in"})
    assert answer.url == f"{organize(cup, 'check_in')}?done={ana.pk}#entrant-{ana.pk}"
    assert here(cup) == ["Ana Ruiz"]
    after = text(client.get(answer.url.partition("#")[0]))
    assert "<strong>1</strong> of 5 are here" in after
    assert f'id="in-{ana.pk}" autofocus' in after, "the keyboard goes on from there"
    client.post(organize(cup, "check_in_one"), {"entrant": ana.pk, "do": "out"})
    assert here(cup) == []


def test_the_fee_of_somebody_who_was_taken_out_is_given_back_at_the_cash(world, browse):
    cup, (ana, bo, _cleo) = night(world, published=False), world.entrants
    Competition.objects.filter(pk=cup.pk).update(fee=500, currency="€")
    client, one, cash = browse(world.ref), organize(cup, "check_in_one"), organize(cup, "cash")
    for entrant in (ana, bo):
        client.post(one, {"entrant": entrant.pk, "do": "paid", "owed": 500})
    kept, left = Payment.objects.order_by("pk")
    assert "Given back" not in text(client.get(cash))
    unregister(cup, bo, user=world.owner)
    page = text(client.get(cash))
    assert page.count("Given back") == page.count(f'name="payment" value="{left.pk}"') == 1
    for _twice in range(2):
        assert client.post(cash, {"payment": left.pk}).status_code == 302
    for row in (kept, left):
        row.refresh_from_db()
    assert (kept.returned_by, left.returned_by) == (None, world.ref)
    assert "given back by ref" in text(client.get(cash))


def test_a_search_that_finds_one_waits_for_enter(world, browse):
    cup = night(world)
    page = text(browse(world.ref).get(organize(cup, "check_in"), {"q": "cléo"}))
    cleo = world.entrants[2]
    assert page.count('class="arrival"') == 1
    assert f'id="in-{cleo.pk}" autofocus' in page
    nobody = text(browse(world.ref).get(organize(cup, "check_in"), {"q": "nobody"}))
    assert "No registered player has a name like this." in nobody


def test_fees_are_taken_in_full_in_part_and_let_off(world, browse):
    cup, (ana, bo, cleo) = night(world), world.entrants
    Competition.objects.filter(pk=cup.pk).update(fee=500, currency="€")
    client, one = browse(world.ref), organize(cup, "check_in_one")
    assert text(client.get(organize(cup, "check_in"))).count("Take 5.00 €") == 5
    for _twice in range(2):
        client.post(one, {"entrant": ana.pk, "do": "paid", "owed": 500})
    client.post(one, {"entrant": bo.pk, "do": "paid", "owed": 500, "amount": "2,50"})
    client.post(one, {"entrant": cleo.pk, "do": "free", "reason": "<b>guest</b>"})
    for wrong in ("x", "-1", "1e9", "1.234", "NaN", "sNaN", "1e999999", "1e9999999999", "1\0"):
        client.post(one, {"entrant": bo.pk, "do": "paid", "owed": 250, "amount": wrong})
    assert [payment.amount for payment in Payment.objects.all()] == [500, 250]
    page = text(client.get(organize(cup, "cash")))
    assert "7.50 €" in page
    assert "Still owed by those who are registered: 12.50 €." in page
    assert "&lt;b&gt;guest&lt;/b&gt;" in page
    client.post(one, {"entrant": ana.pk, "do": "back", "payment": Payment.objects.first().pk})
    assert "given back by ref" in text(client.get(organize(cup, "cash")))


def test_who_is_absent_is_named_before_the_draw_is_made_without_them(world, browse):
    cup = night(world, published=False)
    for entrant in world.entrants:
        check_in(cup, entrant, user=world.ref)
    client = browse(world.owner)
    page = text(client.get(organize(cup, "present")))
    assert "3 players are checked in." in page
    assert "Young Yara" in page
    absent = list(cup.registrations.filter(checked_in_at=None).values_list("entrant", flat=True))
    stale = client.post(organize(cup, "present"), {"absent": absent[:1]}, follow=True)
    assert "Somebody came or went meanwhile." in text(stale)
    assert cup.registrations.count() == 5
    done = client.post(organize(cup, "present"), {"absent": absent}, follow=True)
    assert "2 players were taken out, and the draw is made." in text(done)
    assert here(cup) == ["Ana Ruiz", "Bo Chen", "Cleo Diaz"]
    again = client.post(organize(cup, "present"), {"absent": absent}, follow=True)
    assert "Somebody came or went meanwhile." in text(again)
    publishing.publish(cup, user=world.owner)
    assert "Somebody came or went" not in text(client.get(organize(cup, "competition"))), "it is drawn and published"


def planned(competition, **changes):
    """What the form of a draft holds, as a browser sends it."""
    held = as_planned(competition) | {"starts_at": "2026-11-27T19:00"} | changes
    return {key: value for key, value in held.items() if value not in {None, False}}


def test_the_plan_says_the_fee_the_wait_and_how_well_results_are_known(world, browse):
    cup = night(world, published=False)
    client, address = browse(world.owner), organize(cup, "plan")
    evening = {"fee": "12,50", "currency": " € ", "level": "card", "final_level": "log", "forfeit_after_min": "5"}
    assert client.post(address, planned(cup, do="create", **evening)).status_code == 302
    cup.refresh_from_db()
    assert (cup.fee, cup.currency, cup.level, cup.final_level, cup.forfeit_after_min) == (1250, "€", "card", "log", 5)
    assert set(Match.objects.filter(slot__matchday__stage__competition=cup).values_list("level", flat=True)) == {"card"}
    again = client.get(address).context["form"]
    assert (again["fee"].value(), again["level"].value()) == ("12.50", "card")
    refused = client.post(address, planned(cup, do="create", fee="five"))
    assert (refused.status_code, "An amount is written like 5 or 12.50." in text(refused)) == (422, True)


def test_a_plan_that_says_nothing_of_the_evening_takes_bare_scores_and_no_fee(world):
    cup = night(world)
    assert (cup.fee, cup.currency, cup.level, cup.final_level, cup.forfeit_after_min) == (0, "", "score", "score", 15)


# --- Late entry ---


def test_a_new_name_takes_one_step_and_a_doubtful_one_two(world, browse):
    cup = night(world)
    client, address = browse(world.owner), organize(cup, "late_entry")
    assert "(bye)" not in text(client.get(address)), "no round is running"
    doubtful = client.post(address, {"name": "Ána Ruiz", "asked": "1"})
    assert doubtful.status_code == 200
    assert "Or is it Ana Ruiz" in text(doubtful)
    done = client.post(address, {"name": "Zoe Late", "asked": "1"}, follow=True)
    assert "Zoe Late: 5 matches, first in Round 1 against Ana Ruiz." in text(done)
    full = client.get(address)
    assert "No place is left in the draw of Tuesday. Nothing has begun: reopen it and draw it again." in text(full)
    assert organize(cup, "reopen") in full.content.decode()
    late = client.post(address, {"name": "Zed Later", "asked": "1"})
    assert (late.status_code, Player.objects.filter(name="Zed Later").exists()) == (422, False)


def test_a_bye_of_a_double_elimination_is_offered_with_what_follows(world, browse):
    cup = night(world, format="double_elimination")
    client, address = browse(world.owner), organize(cup, "late_entry")
    page = text(client.get(address))
    assert page.count("(bye). The losers’ bracket gets 1 more match.") == 3
    assert "The next match waits for the winner." in page
    done = client.post(address, {"name": "Zoe Late"}, follow=True)
    assert "Zoe Late: 1 match, in Winners’ round 1 against " in text(done)


def test_without_a_bye_a_newcomer_gets_a_match_against_everybody_once_play_has_begun(world, browse):
    cup = night(world)
    client, address = browse(world.owner), organize(cup, "late_entry")
    client.post(address, {"name": "Zoe Late", "asked": "1"})
    game = Game.objects.filter(match__slot__matchday__stage__competition=cup).first()
    game.records.create(submitted_by=world.ref, submitted_at=timezone.now(), upload_sha256="0" * 64)
    page = text(client.get(address))
    assert "No bye is free. All pairings stay; a match against each player is added:" in page
    assert "The draw gets 6 more rounds." in page
    done = client.post(address, {"name": "Zed Later", "asked": "1"}, follow=True)
    assert "Zed Later: 6 matches, first in Round 6 against Ana Ruiz." in text(done)


def test_a_newcomer_is_told_the_group(world, browse):
    cup = night(world, format="groups", groups=2, then="single_elimination", advance_each=1)
    page = text(browse(world.owner).get(organize(cup, "late_entry")))
    assert "In group 1, the smallest with byes." in page


def test_one_button_takes_the_last_late_entry_back(world, browse):
    cup = night(world)
    client, address = browse(world.owner), organize(cup, "late_entry")
    assert "Last late entry" not in text(client.get(address))
    came = client.post(address, {"name": "Zoe Late", "asked": "1"}, follow=True)
    row = cup.registrations.get(entrant__player__name="Zoe Late")
    undo = reverse("organize:undo_late_entry", args=["harbour", cup.slug, row.entrant_id])
    for page in (came, client.get(address)):
        assert "Last late entry: <bdi>Zoe Late</bdi>" in text(page)
        assert f'action="{undo}"' in page.content.decode()
    back = client.post(undo, follow=True)
    assert "Zoe Late is out of the draw again. The rest is as before." in text(back)
    assert cup.registrations.count() == 5
    drawn = cup.registrations.get(seed=1)
    undo = reverse("organize:undo_late_entry", args=["harbour", cup.slug, drawn.entrant_id])
    assert "was drawn with the others. Withdraw them instead." in text(client.post(undo, follow=True))


def test_a_full_knock_out_offers_a_preliminary_match(world, browse):
    cup = night(world, count=4, format="single_elimination")
    client, address = browse(world.owner), organize(cup, "late_entry")
    assert "Preliminary match against <bdi>Young Yara</bdi>, the lowest seed" in text(client.get(address))
    done = client.post(address, {"name": "Zoe Late"}, follow=True)
    assert "Zoe Late: 1 match, in Quarter-finals against Young Yara." in text(done)


def test_pressing_twice_lets_a_newcomer_in_once_and_says_so(world, browse):
    cup = night(world)
    address = organize(cup, "late_entry")
    client = browse(world.owner)
    client.post(address, {"name": "Zoe Late", "asked": "1"})
    again = client.post(address, {"name": "Zoe Late", "asked": "1"}, follow=True)
    assert (again.status_code, again.redirect_chain[0][0]) == (200, organize(cup, "check_in"))
    assert "Zoe Late is registered for" in text(again)
    assert Registration.objects.filter(competition=cup, entrant__player__name="Zoe Late").count() == 1


def test_who_was_let_in_a_while_ago_is_still_refused(world, browse):
    """The control: that is no second press."""
    cup = night(world, published=False)
    client = browse(world.owner)
    client.post(organize(cup, "late_entry"), {"name": "Zoe Late", "asked": "1"})
    Registration.objects.update(checked_in_at=timezone.now() - timedelta(minutes=1))
    again = client.post(organize(cup, "late_entry"), {"name": "Zoe Late", "asked": "1"})
    assert (again.status_code, "is registered for" in text(again)) == (422, True)


def test_two_names_or_none_are_refused_in_words(world, browse):
    cup = night(world)
    for name in ("", "  "):
        answer = browse(world.owner).post(organize(cup, "late_entry"), {"name": name})
        assert (answer.status_code, "Write one name." in text(answer)) == (422, True)
    answer = browse(world.owner).post(organize(cup, "late_entry"), {"name": "Zoe\0", "slot": "9" * 30})
    assert (answer.status_code, "Null characters are not allowed." in text(answer)) == (422, True)


def test_a_knock_out_lets_choose_whom_the_newcomer_meets(world, browse):
    cup = night(world, format="single_elimination")
    client, address = browse(world.owner), organize(cup, "late_entry")
    page = text(client.get(address))
    assert page.count('name="slot"') == 3
    slot = Slot.objects.get(matchday__stage__competition=cup, matchday__number=1, number=1)
    client.post(address, {"name": "Zoe Late", "slot": slot.pk})
    assert sorted(str(one.entrant) for one in slot.berths.all()) == ["Ana Ruiz", "Zoe Late"]
    again = client.post(address, {"name": "Zed Late", "slot": slot.pk})
    assert (again.status_code, "This bye was taken meanwhile" in text(again)) == (422, True)


# --- Leaving, and late ---


def test_the_rule_is_told_before_somebody_is_withdrawn_and_it_is_taken_back(world, browse):
    cup, ana = night(world), world.entrants[0]
    client, address = browse(world.owner), organize(cup, "withdraw", world.entrants[0].pk)
    page = text(client.get(address))
    assert "If fewer than half of the matches were played, none counts in the standings." in page
    assert "4 unplayed matches become forfeits" in page
    assert 'value="Left early"' in client.get(address).content.decode()
    assert client.post(address, {"reason": " "}).status_code == 422
    done = text(client.post(address, {"reason": "<i>ill</i>"}, follow=True))
    assert "Ana Ruiz has left, and 4 games are forfeited." in done
    assert "4 forfeits wait for the other side or another official." in done
    assert "&lt;i&gt;ill&lt;/i&gt;" in done
    again = organize(cup, "undo_withdrawal", Withdrawal.objects.get().pk)
    back = client.post(again, follow=True)
    assert "Taken back: the forfeits count for nothing." in text(back)
    assert not Match.objects.exclude(state=Match.State.SCHEDULED).exists()
    assert ana.registrations.count() == 2
    home = organize(cup, "competition")
    client.post(address, {"reason": "ill"})
    again = organize(cup, "undo_withdrawal", Withdrawal.objects.get(undone_at=None).pk)
    assert again in client.get(home).content.decode()
    confirm_result(result=Result.objects.filter(current=True).first(), user=world.ref)
    assert again not in client.get(home).content.decode(), "it would be refused: a forfeit is confirmed"
    Withdrawal.objects.filter(undone_at=None).update(made_at=timezone.now() - timedelta(minutes=12))
    late = client.get(home).content.decode()
    assert again not in late
    assert "Ana Ruiz left more than 10 minutes ago: the forfeits stay, and no round is left to pair." in late


def test_after_ten_minutes_the_page_brings_a_player_back_to_the_rounds_to_come(world, browse):
    cup = night(world, format="swiss", rounds=3)
    client = browse(world.owner)
    client.post(organize(cup, "withdraw", world.entrants[0].pk), {"reason": "ill"})
    done = Withdrawal.objects.get()
    Withdrawal.objects.update(made_at=timezone.now() - timedelta(minutes=12))
    again = organize(cup, "undo_withdrawal", done.pk)
    assert again in text(client.get(organize(cup, "competition")))
    told = text(client.post(again, follow=True))
    assert "Ana Ruiz plays again from the next round on. The forfeits stay." in told
    assert len(done.forfeits) == Result.objects.filter(record__in=done.forfeits, current=True).count() == 1


def test_matches_that_wait_for_a_ruling_have_a_link(world, browse):
    cup, (ana, bo, _cleo) = night(world, release=BY_ROUND), world.entrants
    manager, helper = small.account("manager"), small.account("helper")
    Player.objects.filter(pk=bo.player_id).update(user=manager)
    Role.objects.create(user=manager, league=world.league, kind=Role.Kind.MANAGER)
    Role.objects.create(user=helper, league=world.league, kind=Role.Kind.DESK_HELPER)
    publish_matchday(Matchday.objects.get(stage__competition=cup, number=2), user=world.owner, reason="late")
    ours = Match.objects.filter(slot__matchday__stage__competition=cup, sides__entrant=ana).get(sides__entrant=bo)
    Match.objects.filter(pk=ours.pk).update(published_at=timezone.now())
    withdraw(cup, ana, user=manager, reason="ill")
    home, at_match = organize(cup, "competition"), reverse("matches:detail", args=[ours.pk])
    at_grid = f"{organize(cup, 'competition_grid')}?match={ours.pk}"

    def badges(user):
        found = re.findall(
            r'<a class="badge warm" href="([^"]+)">(?:<svg.*?</svg>)?([^<]*)</a>', text(browse(user).get(home))
        )
        return [(address, told.strip()) for address, told in found]

    assert badges(world.ref) == [(at_grid, "1 match waits for a ruling")]
    assert badges(manager) == [(at_match, "1 match waits for another official")]
    assert badges(helper) == [(at_match, "1 match waits for a ruling")]
    row = browse(world.ref).get(at_grid, follow=True)
    assert f'value="forfeit:{ours.pk}"' in text(row)
    assert row.request["QUERY_STRING"] == f"row={ours.games.get().pk}"
    other = Match.objects.filter(slot__matchday__stage__competition=cup, published_at=None, sides__entrant=ana)
    assert other.exists(), "what is not published waits for nobody yet"


def test_a_referee_who_ruled_in_the_match_of_the_organizer_takes_the_withdrawal_back(world, browse):
    cup, bo = night(world), world.entrants[1]
    manager = small.account("manager")
    Player.objects.filter(pk=bo.player_id).update(user=manager)
    Role.objects.create(user=manager, league=world.league, kind=Role.Kind.MANAGER)
    home, done = organize(cup, "competition"), withdraw(cup, bo, user=manager, reason="ill")
    again = organize(cup, "undo_withdrawal", done.pk)
    assert again in text(browse(manager).get(home))
    assert again not in text(browse(world.ref).get(home))
    assert browse(world.ref).post(again).status_code == 403
    for match in open_matches(cup, bo):
        forfeit_left(match, user=world.ref)
    sentence = f"{world.ref} has ruled on your own match. Only they or another organizer can take this back."
    page = text(browse(manager).get(home))
    assert (again in page, sentence in page) == (False, True)
    assert again in text(browse(world.ref).get(home))
    assert "Taken back: the forfeits count for nothing." in text(browse(world.ref).post(again, follow=True))


def test_forfeits_of_the_only_official_wait_for_nobody_and_say_so(world, browse):
    cup = night(world)
    Role.objects.filter(league=world.league).exclude(user=world.owner).delete()
    address = organize(cup, "withdraw", world.entrants[0].pk)
    done = text(browse(world.owner).post(address, {"reason": "ill"}, follow=True))
    assert "Ana Ruiz has left, and 4 games are forfeited." in done
    assert "for the other side" not in done
    assert set(Result.objects.values_list("confirmed_how", flat=True)) == {"alone"}


def test_a_late_side_is_awaited_in_sight_of_all_and_then_forfeits(world, browse):
    cup = night(world)
    slot = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1, match__isnull=False).first()
    absent = slot.berths.get(number=1).entrant
    client, address = browse(world.ref), organize(cup, "late", slot.pk)
    client.post(address, {"entrant": absent.pk, "do": "wait"})
    everybody = text(browse(None).get(reverse("competitions:round", args=["harbour", cup.slug, 1])))
    assert f"<bdi>{absent}</bdi> is awaited since" in everybody
    wall = text(browse(None).get(reverse("competitions:round", args=["harbour", cup.slug, 1]) + "?wall=1"))
    assert f"<bdi>{absent}</bdi>: forfeit from" in wall, "one line of a projector is short"
    early = client.post(address, {"entrant": absent.pk, "do": "forfeit"}, follow=True)
    assert f"{absent} has time until" in text(early)
    Berth.objects.filter(slot=slot, entrant=absent).update(awaited_since=timezone.now() - timedelta(minutes=16))
    done = client.post(address, {"entrant": absent.pk, "do": "forfeit"}, follow=True)
    assert "The match is forfeited" in text(done)
    assert "1 forfeit waits for the other side or another official." in text(done)
    assert "This match has begun: nobody is awaited any more." in text(client.get(address))


def test_two_late_sides_whose_time_is_up_both_forfeit(world, browse):
    cup = night(world)
    slot = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1, match__isnull=False).first()
    client, address = browse(world.ref), organize(cup, "late", slot.pk)
    for berth in slot.berths.all():
        assert "Nobody came" not in text(client.get(address))
        client.post(address, {"entrant": berth.entrant_id, "do": "wait"})
        Berth.objects.filter(pk=berth.pk).update(awaited_since=timezone.now() - timedelta(minutes=16))
    assert "Nobody came" in text(client.get(address))
    assert "Nobody came: both have lost." in text(client.post(address, {"do": "nobody"}, follow=True))
    assert Result.objects.get(game__match=slot.match_id, current=True).winner is None
    match = text(client.get(f"/matches/{slot.match_id}/"))
    assert ("Forfeited by both" in match, "Won by forfeit" in match) == (True, False)


def test_the_next_round_is_published_without_a_late_table_from_the_screen_of_tables(world, browse):
    cup = night(world, release=BY_ROUND)
    client = browse(world.owner)
    page = text(client.get(organize(cup, "competition_tables")))
    assert page.count("Publish Round 2 without it") == 2
    assert 'value="Table 1 is late"' in page
    client.post(organize(cup, "publish_round", 2), {"reason": "Table 1 is late"})
    day = Matchday.objects.get(stage__competition=cup, number=2)
    assert (day.missing_before, day.reason) == (2, "Table 1 is late")
    shown = text(browse(None).get(reverse("competitions:round", args=["harbour", cup.slug, 2])))
    assert "Published while 2 confirmed results of Round 1 were missing: Table 1 is late" in shown
    helper = text(browse(world.ref).get(organize(cup, "competition_tables")))
    assert "without it" not in helper


# --- A round ---


def round_of(browse, cup, number=1, user=None, **asked):
    return text(browse(user).get(reverse("competitions:round", args=["harbour", cup.slug, number]), asked))


def test_a_round_names_everybody_once_by_name_and_every_match_once_by_table(world, browse):
    cup = night(world)
    by_name = round_of(browse, cup, sort="name")
    assert by_name.count('class="pairing-row') == 5
    assert by_name.index("<b><bdi>Bo Chen") < by_name.index("<b><bdi>Cleo Diaz") < by_name.index("<b><bdi>Ana Ruiz")
    by_table = round_of(browse, cup)
    assert by_table.count('class="pairing-row') == 2
    assert "Bye: <bdi>Ana Ruiz</bdi>" in by_table


def test_a_hostile_name_stays_a_name(world, browse):
    cup = night(world)
    for asked in ({}, {"sort": "name"}, {"wall": "1"}):
        page = round_of(browse, cup, **asked)
        assert "<script>alert" not in page
        assert "&lt;/textarea&gt;&lt;script&gt;alert" in page
    copied = browse(None).get(reverse("competitions:round_text", args=["harbour", cup.slug, 1]))
    assert "<script>alert" not in text(copied)


def test_own_pairing_stands_on_top_for_whoever_is_signed_in(world, browse):
    cup = night(world)
    assert "You have a bye in this round." in round_of(browse, cup, user=world.alice)
    mine = round_of(browse, cup, user=world.bob)
    assert '<p class="mine screen">' in mine
    assert '<p class="mine' not in round_of(browse, cup, user=world.charlie)


def test_nobody_learns_from_a_sheet_where_a_minor_sits_but_the_minor(world, browse):
    cup = night(world, count=4, born=timezone.now().year - 10)
    Player.objects.filter(name="Young Yara").update(user=world.charlie)
    table = Slot.objects.get(berths__entrant__player__name="Young Yara", matchday__number=1).table.name
    row = f'<span class="hidden">Table </span>{table}</span>'
    for who in (None, world.alice, world.ref, world.owner, world.charlie):
        for asked in ({}, {"sort": "name"}, {"wall": "1"}, {"wall": "1", "sort": "table"}):
            page = round_of(browse, cup, user=who, **asked)
            assert "Young Yara" not in page
            assert "Y. Y." in page
            assert row not in page
            assert f"Table {table} ·" not in page
    assert f"<strong>Table {table}</strong>" in round_of(browse, cup, user=world.charlie)


def test_a_grown_up_has_a_table_on_the_same_sheet(world, browse):
    """The control."""
    cup = night(world, count=4, born=1980)
    table = Slot.objects.get(berths__entrant__player__name="Young Yara", matchday__number=1).table.name
    assert f'<span class="hidden">Table </span>{table}</span>' in round_of(browse, cup, sort="name")
    assert f"Table {table} ·" in round_of(browse, cup)


def test_a_hidden_round_says_how_many_are_here_and_no_more(world, browse):
    cup = night(world, release=BY_ROUND)
    check_in(cup, world.entrants[0], user=world.ref)
    for who in (None, world.owner):
        page = round_of(browse, cup, 2, who)
        assert "This round is not published yet." in page
        assert "1 of 5 players is checked in." in page
        assert "Bo Chen" not in page
    copied = browse(world.owner).get(reverse("competitions:round_text", args=["harbour", cup.slug, 2]))
    assert copied.status_code == 404


def test_a_draft_and_a_round_that_is_not_there_are_absent_for_everybody(world, browse):
    draft = night(world, published=False)
    for cup, number in ((draft, 1), (world.competition, 9), (world.competition, 10**30)):
        path = f"/competitions/harbour/{cup.slug}/rounds/{number}/"
        assert browse(world.owner).get(path).status_code == 404


def test_a_moved_match_says_so_and_the_sheet_has_a_new_version(world, browse):
    cup = night(world)
    assert "Version 1" in round_of(browse, cup)
    slot = Slot.objects.filter(matchday__stage__competition=cup, matchday__number=1, match__isnull=False).first()
    later = timezone.now() + timedelta(days=3)
    move(slot, user=world.owner, table=slot.table, starts_at=later)
    page = round_of(browse, cup)
    assert "Version 2" in page
    assert page.count("changed ") == 1


def test_the_projector_turns_its_pages_without_javascript(world, browse):
    cup = night(world, count=33)
    first = round_of(browse, cup, wall="1")
    assert first.count('class="pairing-row') == 14
    assert '<noscript><meta http-equiv="refresh" content="10;url=?wall=1&amp;page=2"></noscript>' in first
    last = round_of(browse, cup, wall="1", page="3")
    assert last.count('class="pairing-row') == 5
    assert "url=?wall=1&amp;page=1" in last


def test_the_text_for_a_chat_has_names_tables_and_hours(world, browse):
    cup = night(world)
    page = browse(None).get(reverse("competitions:round_text", args=["harbour", cup.slug, 1]))
    lines = page.context["text"].splitlines()
    assert (lines[0], lines[-1]) == ("Tuesday, Round 1", "Bye: Ana Ruiz")
    assert lines[3].startswith("Table 1 · ")
    assert lines[3].endswith(" · Bo Chen – Young Yara")
    by_name = browse(None).get(page.request["PATH_INFO"], {"sort": "name"}).context["text"]
    assert "Ana Ruiz: Bye" in by_name


def test_the_standings_for_a_chat_say_what_each_number_is(world, browse):
    small.played(world, official=True)
    page = browse(None).get(reverse("competitions:text", args=["harbour", world.competition.slug]))
    assert page.context["text"].splitlines()[3:] == [
        "1. Ana Ruiz: P 1 · W 1 · +/− +55 · For 150",
        "2. Cleo Diaz: P 0 · W 0 · +/− 0 · For 0",
        "3. Bo Chen: P 1 · W 0 · +/− −55 · For 95",
    ]


# --- The personal link ---


def me(entrant):
    return reverse("personal:me", args=[entrant.door])


def test_the_personal_link_shows_table_opponent_and_last_result_to_nobody_else(world, browse):
    cup, bo = night(world), world.entrants[1]
    answer = browse(None).get(me(bo))
    page = text(answer)
    slot = Slot.objects.get(berths__entrant=bo, matchday__number=1, matchday__stage__competition=cup)
    assert f"Table {slot.table.name}" in page
    assert "Young Yara" in page
    assert answer["Cache-Control"] == "max-age=0, no-cache, no-store, must-revalidate, private"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["X-Robots-Tag"] == "noindex, nofollow, noarchive"
    assert browse(None).get(me(bo).lower()).status_code == 200, "as people type it"
    assert browse(None).get("/me/ABCDEFGHJKMNPQRS/").status_code == 404


def test_a_minor_finds_the_table_on_the_own_page_and_others_are_initials(world, browse):
    night(world, count=4, born=timezone.now().year - 10)
    yara = Entrant.objects.get(player__name="Young Yara")
    page = text(browse(None).get(me(yara)))
    slot = Slot.objects.get(berths__entrant=yara, matchday__number=1)
    assert f"Table {slot.table.name}" in page
    assert "Young Yara" not in page
    opponent = slot.berths.exclude(entrant=yara).get().entrant
    assert "Y. Y." in text(browse(None).get(me(opponent)))


def test_players_check_themselves_in_where_it_is_open_and_the_desk_always(world, browse):
    cup, bo = night(world), world.entrants[1]
    closed = browse(None).post(me(bo), {"competition": cup.pk}, follow=True)
    assert "Check in at the desk" in text(closed)
    assert here(cup) == []
    assert ": check in at the desk." not in text(browse(None).get(me(bo))), "an evening without a check-in asks nobody"
    assert "Check in Bo Chen" in text(browse(world.ref).get(me(bo)))
    browse(world.ref).post(me(bo), {"competition": cup.pk})
    assert here(cup) == ["Bo Chen"]
    assert ": check in at the desk." in text(browse(None).get(me(world.entrants[0])))
    open_check_in(cup, user=world.owner, to_players=True)
    ana = world.entrants[0]
    assert "I am here" in text(browse(None).get(me(ana)))
    browse(None).post(me(ana), {"competition": cup.pk})
    assert here(cup) == ["Ana Ruiz", "Bo Chen"]
    assert browse(None).post(me(ana), {"competition": 10**9}).status_code == 404


def test_a_slip_scanned_at_the_desk_checks_in_for_a_draft_of_which_its_player_learns_nothing(world, browse):
    cup, bo = night(world, published=False, name="Secret Cup"), world.entrants[1]
    assert "Secret Cup" not in text(browse(None).get(me(bo)))
    assert "Secret Cup" in text(browse(world.ref).get(me(bo)))
    browse(world.ref).post(me(bo), {"competition": cup.pk})
    assert here(cup) == ["Bo Chen"]
    closed = browse(None).post(me(bo), {"competition": cup.pk}, follow=True)
    assert "Check in at the desk" in text(closed)


def test_a_lost_link_is_made_anew_and_the_old_one_opens_nothing(world, browse):
    bo = world.entrants[1]
    address = reverse("people:door", args=["harbour", bo.player.code])
    old, pin = bo.door, bo.pin
    assert old in text(browse(world.owner).get(address))
    browse(world.owner).post(address)
    bo.refresh_from_db()
    assert bo.door != old
    assert len(pin) == len(bo.pin) == 4
    assert [browse(None).get(f"/me/{one}/").status_code for one in (old, bo.door)] == [404, 200]


def test_no_page_that_others_read_holds_a_door_or_a_pin(world, browse):
    cup, entrants = night(world), list(Entrant.objects.all())
    match = Match.objects.filter(slot__matchday__stage__competition=cup).first()
    paths = [
        reverse("competitions:detail", args=["harbour", cup.slug]),
        *(reverse("competitions:round", args=["harbour", cup.slug, 1]) + asked for asked in ("", "?wall=1")),
        reverse("competitions:round_text", args=["harbour", cup.slug, 1]),
        reverse("competitions:text", args=["harbour", cup.slug]),
        reverse("matches:detail", args=[match.pk]),
        reverse("players:detail", args=[world.entrants[0].player.code]),
        organize(cup, "check_in"),
        organize(cup, "competition"),
        "/api/v1/players",
        f"/api/v1/matches/{match.pk}",
        f"/api/v1/competitions/harbour/{cup.slug}/rounds",
    ]
    for path in paths:
        answer = browse(world.owner).get(path)
        assert answer.status_code == 200, path
        assert [one.door for one in entrants if one.door in text(answer)] == [], path
        assert match.door not in text(answer), path


# --- Statements ---


PAGES = (
    "/organize/harbour/competitions/tuesday/check-in/",
    "/organize/harbour/competitions/tuesday/cash/",
    "/organize/harbour/competitions/tuesday/late-entry/",
    "/organize/harbour/competitions/tuesday/tables/",
    "/competitions/harbour/tuesday/rounds/1/",
    "/competitions/harbour/tuesday/rounds/1/?sort=name&wall=1",
    "/competitions/harbour/tuesday/rounds/1/text/",
    "/competitions/harbour/tuesday/text/",
)


def test_a_page_takes_the_same_statements_for_few_and_for_forty(world, browse):
    counts = {path: set() for path in PAGES}
    client = browse(world.owner)
    for count in (3, 5, 39):
        Competition.objects.filter(slug="tuesday").update(slug=f"before-{count}")
        cup = night(world, count=count, name=f"Tuesday {count}", release=BY_ROUND, tables=("1", "2", "3"))
        Competition.objects.filter(pk=cup.pk).update(slug="tuesday", fee=500)
        rows = {"competition": cup, "amount": 500, "taken_at": timezone.now(), "taken_by": world.ref}
        Payment.objects.bulk_create(Payment(entrant_id=row.entrant_id, **rows) for row in cup.registrations.all())
        for path in PAGES:
            with CaptureQueriesContext(connection) as asked:
                assert client.get(path).status_code == 200
            counts[path].add(len(asked))
    assert {path: found for path, found in counts.items() if len(found) > 1} == {}


@pytest.mark.parametrize("count", [3, 5, 39])
def test_the_personal_page_takes_the_same_statements_for_any_evening(world, browse, count, django_assert_num_queries):
    night(world, count=count)
    with django_assert_num_queries(15):  # four keep in the session whose slip it was
        assert browse(None).get(me(world.entrants[1])).status_code == 200


def test_a_large_draw_with_those_who_are_here_is_made_in_the_background(world, browse, monkeypatch):
    monkeypatch.setattr(jobs, "AT_ONCE", 0)
    cup = night(world, 3, published=False)
    check_in(cup, world.entrants[0], user=world.owner)
    check_in(cup, world.entrants[1], user=world.owner)
    client = browse(world.owner)
    answer = client.post(organize(cup, "present"), {"absent": [world.entrants[2].pk]}, follow=True)
    assert answer.redirect_chain[-1][0].endswith("#drawing")
    job = DrawJob.objects.get()
    assert (job.done_at, cup.registrations.count()) == (None, 3)
    check_in(cup, world.entrants[2], user=world.owner)
    jobs.carry_out(job.pk)
    assert "Somebody came or went meanwhile." in text(client.get(organize(cup, "competition")))
    assert cup.registrations.count() == 3
