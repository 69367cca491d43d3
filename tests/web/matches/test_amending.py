"""The pages that change an official result: the effect is shown before anything is stored, two officials, a badge."""

import re

import pytest
from django.urls import reverse

from league.accounts.models import Role
from league.competitions.amendments.services import confirm_amendment
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.models import Matchday, Stage
from league.matches.models import Amendment, Match, Result
from tests.league.competitions.cup import enter_result, names, published, slot
from tests.league.competitions.draw.test_qualifying import led, meeting, turned
from tests.league.world import make_world, played_log

TYPED = {"points-1": "95", "points-2": "150", "kind": "score", "reason": "names were swapped"}


@pytest.fixture
def world(db):
    return make_world()


@pytest.fixture
def cup(world):
    """Four play, with a match for third place; everything is official."""
    made = published(world, 4, third_place=True)
    for number in (1, 2):
        for place in (1, 2):
            match = slot(made, number, place).match
            enter_result(world, match, 1)
            advance(match.pk)
    return made


def amend_url(match):
    return reverse("matches:amend", args=[match.pk, 1])


def seen_in(answer):
    """The fields of the form that name what was shown."""
    found = answer.context["found"]
    return {"seen": found.stand.digest} | ({"seen-void": found.void.digest} if found.void else {})


def propose(client, world, match, **more):
    client.force_login(world.referee)
    looked = client.post(amend_url(match), {**TYPED, **more, "do": "look"})
    return client.post(amend_url(match), {**TYPED, **more, "do": "propose", **seen_in(looked)}, follow=True)


def test_the_effect_is_shown_in_words_and_nothing_is_stored(client, world, cup):
    match = slot(cup, 1, 1).match
    client.force_login(world.referee)
    text = client.post(amend_url(match), {**TYPED, "do": "look"}).content.decode()
    for said in (
        "Ana Ruiz beats P4 150–95",
        "P4 beats Ana Ruiz 150–95",
        "150–95 (Ana Ruiz wins) becomes 95–150 (P4 wins)",
        "stays as played, with a note",
        "no longer counts; its results are kept.",
        "1 other pairing and its result do not change (published: 1).",
        "The competition is not over any more.",
    ):
        assert said in text, said
    assert not Amendment.objects.exists()
    assert Result.objects.get(game__match=match).scores == {"1": 150, "2": 95}


def test_what_waits_for_a_second_official_is_under_review_in_the_table_and_at_the_match(client, world):
    made = published(world, 3, format="round_robin")
    match = slot(made, 1, 1).match
    enter_result(world, match, 1)
    client.logout()
    table, page = (
        reverse("competitions:standings", args=["harbour", made.slug]),
        reverse("matches:detail", args=[match.pk]),
    )
    mark, told = f'<a class="under-review" href="{page}">', "an official has asked to amend the result"
    assert mark not in client.get(table).content.decode()
    assert told not in client.get(page).content.decode()
    propose(client, world, match)
    client.logout()  # everybody reads that it waits, and nobody what it says
    assert client.get(table).content.decode().count(mark) == 2
    seen = client.get(page).content.decode()
    assert told in seen
    assert TYPED["reason"] not in seen
    Amendment.objects.update(state="refused", closed_by=world.owner, closed_at=match.published_at)
    assert mark not in client.get(table).content.decode()
    assert told not in client.get(page).content.decode()


def test_it_is_proposed_and_the_other_official_sees_the_effect_and_confirms(client, world, cup):
    match = slot(cup, 1, 1).match
    text = propose(client, world, match, later="stand").content.decode()
    assert "It is proposed. Nothing changes until another official confirms it." in text
    assert "Confirm the amendment" not in text
    [waiting] = Amendment.objects.all()
    page = reverse("matches:amendment", args=[match.pk, waiting.pk])
    assert client.get(amend_url(match)).url == page
    client.force_login(world.second_referee)
    home = client.get(reverse("organize:home", args=[world.league.slug])).content.decode()
    assert page in home
    rounds = client.get(reverse("organize:competition", args=[world.league.slug, cup.slug])).content.decode()
    assert page in rounds
    looked = client.get(page)
    assert "Confirm the amendment" in looked.content.decode()
    data = {"do": "confirm", "seen": looked.context["words"].effect.digest}
    text = client.post(page, data, follow=True).content.decode()
    assert "by <bdi>Rosa Ley</bdi> and <bdi>second</bdi>; it was 150–95. Reason: <bdi>names were swapped</bdi>" in text
    assert Result.objects.get(game__match=match, current=True).scores == {"1": 95, "2": 150}
    client.logout()
    text = client.get(reverse("matches:detail", args=[match.pk])).content.decode()
    assert "names were swapped" in text
    old = client.get(reverse("matches:detail", args=[match.pk]), {"record": waiting.old.record_id})
    assert old.status_code == 200
    final = client.get(reverse("competitions:detail", args=[world.league.slug, cup.slug])).content.decode()
    assert "Stands as played, although the result of match 1 was amended" in final
    assert "Amended" in final


def test_void_matches_are_typed_for_and_say_that_they_do_not_count(client, world, cup):
    match, final = slot(cup, 1, 1).match, slot(cup, 2, 1).match
    text = propose(client, world, match, later="void").content.decode()
    assert "This voids matches. Type “Cup” to confirm." in text
    assert "It is proposed" in propose(client, world, match, later="void", word="Cup").content.decode()
    [waiting] = Amendment.objects.all()
    page = reverse("matches:amendment", args=[match.pk, waiting.pk])
    client.force_login(world.second_referee)
    assert client.post(page, {"do": "confirm"}).status_code == 422
    client.post(page, {"do": "confirm", "word": "cup"})
    assert Match.objects.get(pk=final.pk).voided_by == waiting
    text = client.get(reverse("matches:detail", args=[final.pk])).content.decode()
    assert "This match does not count: it rested on a result that was amended afterwards." in text
    assert "Void" in text


def test_what_changed_between_looking_and_proposing_is_shown_again(client, world):
    made = published(world, 4, format=Stage.Format.ROUND_ROBIN)
    match = slot(made, 1, 1).match
    enter_result(world, match, 1)
    client.force_login(world.referee)
    seen = seen_in(client.post(amend_url(match), {**TYPED, "do": "look"}))
    enter_result(world, slot(made, 1, 2).match, 1)
    answer = client.post(amend_url(match), {**TYPED, "do": "propose", **seen})
    assert answer.status_code == 422
    assert "The consequences have changed since you saw them" in answer.content.decode()
    assert not Amendment.objects.exists()


def test_a_changed_effect_is_told_to_whoever_confirms(client, world):
    made = published(world, 4, format=Stage.Format.ROUND_ROBIN)
    match = slot(made, 1, 1).match
    enter_result(world, match, 1)
    propose(client, world, match)
    enter_result(world, slot(made, 1, 2).match, 1)
    page = reverse("matches:amendment", args=[match.pk, Amendment.objects.get().pk])
    client.force_login(world.second_referee)
    assert "This is not what it changed when it was proposed" in client.get(page).content.decode()


def test_the_only_official_amends_alone_and_the_page_says_so(client, world):
    Role.objects.filter(league=world.league).exclude(user=world.referee).exclude(kind="player").delete()
    match = world.match
    enter_result(world, match, 1)
    told = propose(client, world, match).content.decode()
    assert "by the organizer alone (<bdi>Rosa Ley</bdi>)" in told
    assert Result.objects.get(game__match=match, current=True).scores == {"1": 95, "2": 150}


@pytest.mark.parametrize(("who", "answer"), [(None, 302), ("alice", 403), ("charlie", 403), ("referee", 200)])
def test_only_officials_who_do_not_play_see_the_form(client, world, who, answer):
    enter_result(world, world.match, 1)
    if who:
        client.force_login(getattr(world, who))
    assert client.get(amend_url(world.match)).status_code == answer


def test_hostile_names_and_reasons_are_escaped(client, world):
    world.ana.player.name = "<script>alert(1)</script>"
    world.ana.player.save()
    enter_result(world, world.match, 1)
    text = propose(client, world, world.match, reason="<img src=x>").content.decode()
    assert "<script>alert" not in text
    assert "<img src=x>" not in text
    assert "&lt;img src=x&gt;" in text


def test_the_form_says_what_is_wrong_and_keeps_what_was_typed(client, world):
    enter_result(world, world.match, 1)
    client.force_login(world.referee)
    for data, said in (
        ({**TYPED, "points-1": "x"}, "Points are whole numbers"),
        ({**TYPED, "reason": ""}, "Say in a few words why"),
        ({**TYPED, "points-1": "7"}, "This does not add up"),
    ):
        answer = client.post(amend_url(world.match), {**data, "do": "look"})
        assert (answer.status_code, said in answer.content.decode()) == (422, True), said
        assert f'value="{data["points-2"]}"' in answer.content.decode()


def test_hostile_fields_propose_nothing(client, world):
    enter_result(world, world.match, 1)
    client.force_login(world.referee)
    for field, value in (("kind", "x"), ("later", "\0"), ("reason", "1\0"), ("word", "\0"), ("points-1", "9" * 5000)):
        answer = client.post(amend_url(world.match), {**TYPED, field: value, "do": "propose"})
        assert answer.status_code == 422, field
        assert f'value="{TYPED["points-2"]}"' in answer.content.decode()
    assert not Amendment.objects.exists()


def test_nobody_proposes_without_having_looked(client, world):
    enter_result(world, world.match, 1)
    client.force_login(world.referee)
    answer = client.post(amend_url(world.match), {**TYPED, "do": "propose"})
    assert (answer.status_code, "Effects" in answer.content.decode()) == (422, True)
    assert not Amendment.objects.exists()


def test_the_badge_stands_wherever_the_result_does(client, world):
    league = published(world, 4, format=Stage.Format.ROUND_ROBIN, release="round_by_round")
    for place in (1, 2):
        enter_result(world, slot(league, 1, place).match, 1)
    second = Matchday.objects.get(stage__competition=league, number=2)
    publish_matchday(second, user=world.owner)
    match = slot(league, 1, 1).match
    propose(client, world, match)
    confirm_amendment(Amendment.objects.get(), world.second_referee)
    client.logout()
    for path in (
        reverse("competitions:detail", args=[world.league.slug, league.slug]),
        reverse("players:detail", args=[world.ana.player.code]),
        reverse("personal:me", args=[world.ana.door]),
        reverse("matches:detail", args=[match.pk]),
    ):
        assert "Amended</span>" in client.get(path).content.decode(), path
    page = client.get(reverse("competitions:detail", args=[world.league.slug, league.slug])).content.decode()
    assert page.count("Paired before an amendment") == 1
    assert "A result of an earlier round was amended after this one was published. Its pairings stay." in page


def test_a_corrected_log_is_pasted(client, world):
    enter_result(world, world.match, 1)
    client.force_login(world.referee)
    data = {**TYPED, "kind": "log", "log": played_log(9)}
    looked = client.post(amend_url(world.match), {**data, "do": "look"})
    assert "To become what the corrected log proves." in looked.content.decode()
    client.post(amend_url(world.match), {**data, "do": "propose", **seen_in(looked)})
    assert [(one.kind, one.state) for one in Amendment.objects.all()] == [("log", "proposed")]


@pytest.mark.slow("a long way through pages")
def test_who_would_have_gone_on_is_told_chosen_and_shown_for_ever(client, world):
    cup, _day = led(world)
    match = meeting(cup, "P4", "P5")
    client.force_login(world.referee)
    points = {f"points-{side}": str(number) for side, number in enumerate(turned(match).data["scores"], start=1)}
    typed = TYPED | points
    text = client.post(amend_url(match), {**typed, "do": "look"}).content.decode()
    for said in (
        "P5 would have gone on instead of P4; the published knock-out stays as it was drawn.",
        "P5 goes on to the published knock-out instead of P4.",
        "stays as drawn, with a note",
        "Others would go on to the knock-out, which is published",
        "Ratings: <bdi>P",
    ):
        assert said in text, said
    assert "To make them void, type" not in text, "nothing has begun, so nothing becomes void"
    unsaid = propose(client, world, match, **points)
    assert (unsaid.status_code, Amendment.objects.count()) == (422, 0)
    assert "Choose whether it stands as it was drawn" in unsaid.content.decode()
    propose(client, world, match, **points, later="stand")
    client.force_login(world.second_referee)
    waiting = Amendment.objects.get()
    address = reverse("matches:amendment", args=[match.pk, waiting.pk])
    shown = client.get(address)
    client.post(address, {"do": "confirm", "seen": shown.context["words"].effect.digest})
    waiting.refresh_from_db()
    assert waiting.state == "confirmed"
    client.logout()
    for name in ("detail", "bracket"):
        page = client.get(reverse(f"competitions:{name}", args=["harbour", cup.slug])).content.decode()
        assert page.count("Stands as drawn, although a result that it was drawn from was amended") == 1, name


def test_the_effect_tells_the_tie_breaks_of_the_order_as_the_table_writes_them(client, world):
    order = ("match_points", "sonneborn_berger", "wins")
    cup = published(world, 3, format="round_robin", tie_breaks=order)
    for match in Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk"):
        enter_result(world, match, 1)
        advance(match.pk)
    first = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("pk")[0]
    client.force_login(world.referee)
    answer = client.post(amend_url(first), {**TYPED, "do": "look"})
    told = {
        row.name: {str(name): (was, now) for name, was, now in row.numbers} for row in answer.context["words"].standings
    }
    # By hand: each has won once, 2 points for beating somebody with 2; then one wins twice, one once, one never.
    [winner] = [name for name, numbers in told.items() if numbers.get("Match points") == ("2", "4")]
    assert told[winner]["Won"] == ("1", "2"), "and wins are not said twice"
    assert "Sonneborn-Berger" not in told[winner], "4 before and after"
    assert {numbers["Sonneborn-Berger"] for name, numbers in told.items() if name != winner} == {("4", "0")}
    assert all(
        numbers["Points difference"][1][0] in "+−" for numbers in told.values() if "Points difference" in numbers
    )


def test_from_the_match_an_official_comes_to_the_amendment_that_waits_and_nobody_else_does(client, world):
    match = slot(published(world, 3, format="round_robin"), 1, 1).match
    enter_result(world, match, 1)
    propose(client, world, match)
    here = reverse("matches:amendment", args=[match.pk, Amendment.objects.get().pk])
    page = reverse("matches:detail", args=[match.pk])
    client.force_login(world.owner)
    assert here in client.get(page).content.decode()
    assert client.get(here).status_code == 200
    client.logout()
    assert here not in client.get(page).content.decode()


def test_a_pairing_that_may_change_says_so_until_another_official_decides(client, world):
    cup = published(world, 4)
    for place in (1, 2):
        match = slot(cup, 1, place).match
        enter_result(world, match, 1)
        advance(match.pk)
    match, place = slot(cup, 1, 1).match, ["harbour", cup.slug]
    addresses = [
        reverse("competitions:bracket", args=place),
        reverse("competitions:detail", args=place),
        reverse("competitions:round", args=[*place, 2]),
    ]

    def told():
        client.logout()
        return [client.get(one).content.decode().lower().count("may change") for one in addresses]

    propose(client, world, match, **{"points-1": "150", "points-2": "90"})
    assert told() == [0, 0, 0], "the same player goes on"
    Amendment.objects.update(state="refused", closed_by=world.owner, closed_at=match.published_at)
    propose(client, world, match)
    assert told() == [2, 1, 1], "the drawing and the list of the bracket"
    Amendment.objects.update(state="refused", closed_by=world.owner, closed_at=match.published_at)
    assert told() == [0, 0, 0]


def test_correct_stands_at_decided_results_for_officials_who_do_not_play_there(client, world, cup):
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.REFEREE)
    [own] = Match.objects.filter(sides__entrant=world.bo, slot__matchday__number=1)
    bracket = reverse("competitions:bracket", args=["harbour", cup.slug])
    pages = [bracket, *(reverse("matches:detail", args=[slot(cup, 1, place).match.pk]) for place in (1, 2))]

    def offered(user):
        if user:
            client.force_login(user)
        else:
            client.logout()
        return {int(one) for page in pages for one in re.findall(r"/matches/(\d+)/games/1/amend/", text_of(page))}

    def text_of(page):
        return client.get(page).content.decode()

    every = set(Match.objects.filter(slot__matchday__stage__competition=cup).values_list("pk", flat=True))
    assert offered(world.referee) == every
    assert offered(world.bob) == every - set(Match.objects.filter(sides__entrant=world.bo).values_list("pk", flat=True))
    assert own.pk not in offered(world.bob)
    for other in (world.alice, world.charlie, None):
        assert offered(other) == set()


def test_a_correction_returns_to_the_page_from_which_it_was_made(client, world):
    world.league.officials_needed = 1
    world.league.save()
    match = slot(published(world, 3, format="round_robin"), 1, 1).match
    enter_result(world, match, 1)
    client.force_login(world.referee)
    page = reverse("matches:detail", args=[match.pk])
    for back, reached in (("/organize/harbour/grid/", "/organize/harbour/grid/"), ("//evil.example/", page)):
        assert f'href="{reached}">Back</a>' in client.get(amend_url(match), {"next": back}).content.decode()
        data = {**TYPED, "next": back}
        looked = client.post(amend_url(match), {**data, "do": "look"})
        saved = client.post(amend_url(match), {**data, "do": "propose", **seen_in(looked)})
        assert saved.url == reached
        data = TYPED | {"points-1": "150", "points-2": "90"}
        again = client.post(amend_url(match), {**data, "do": "look"})
        client.post(amend_url(match), {**data, "do": "propose", **seen_in(again)})


def swiss_in_round_2(world):
    """Six play; the first sides of round 1 have won, and round 2 is published."""
    made = published(world, 6, format="swiss", rounds=3, release="round_by_round", tables=["1", "2", "3"])
    for place in (1, 2, 3):
        match = slot(made, 1, place).match
        enter_result(world, match, 1)
        advance(match.pk)
    publish_matchday(draw_next(made, user=world.owner), user=world.owner)
    return made


def test_the_second_official_chooses_whether_the_next_round_is_paired_again(client, world):
    made = swiss_in_round_2(world)
    match, before = slot(made, 1, 1).match, names(made, 2)
    assert "paired again" not in propose(client, world, match).content.decode(), "another official decides"
    here = reverse("matches:amendment", args=[match.pk, Amendment.objects.get().pk])
    public = [
        reverse("competitions:detail", args=["harbour", made.slug]),
        reverse("competitions:round", args=["harbour", made.slug, 2]),
    ]
    client.logout()
    assert all("may change" in client.get(one).content.decode().lower() for one in public)
    assert "Pairings may change" in client.get(reverse("hall:detail", args=["harbour"])).content.decode()
    client.force_login(world.second_referee)
    assert 'name="pairings"' not in client.get(here).content.decode()
    client.force_login(world.owner)
    page = client.get(here)
    assert "Effects if Round 2 is paired again" in page.content.decode()
    assert '<input type="radio" name="pairings" value="" checked>' in page.content.decode()
    shown = page.context["again"].words.effect
    refused = client.post(here, {"do": "confirm", "pairings": "again", "seen-again": "0" * 64})
    assert (refused.status_code, names(made, 2)) == (422, before)
    client.post(here, {"do": "confirm", "pairings": "again", "seen-again": shown.digest, "seen": "0" * 64})
    assert (Amendment.objects.get().state, names(made, 2) != before) == ("confirmed", True)
    client.logout()
    assert not any("may change" in client.get(one).content.decode().lower() for one in public)


def test_one_official_alone_chooses_it_below_the_preview_unless_a_match_was_called(client, world):
    world.league.confirmation_required = False
    world.league.save()
    made = swiss_in_round_2(world)
    match, before = slot(made, 1, 1).match, names(made, 2)
    client.force_login(world.owner)
    looked = client.post(amend_url(match), {**TYPED, "do": "look"})
    seen = {**seen_in(looked), "seen-again": looked.context["again"].words.effect.digest}
    Match.objects.filter(pk=slot(made, 2, 1).match.pk).update(called_at=match.published_at)
    late = client.post(amend_url(match), {**TYPED, "do": "propose", **seen, "pairings": "again"})
    told = " – ".join(before[0])
    assert f"Round 2: {told}" in late.content.decode()
    assert ('name="pairings"' in late.content.decode(), names(made, 2)) == (False, before)
    Match.objects.update(called_at=None)
    client.post(amend_url(match), {**TYPED, "do": "propose", **seen, "pairings": "again"})
    assert names(made, 2) != before


def test_the_last_step_names_the_officials_who_confirm(client, world, cup):
    client.force_login(world.referee)
    looked = client.post(amend_url(slot(cup, 1, 1).match), {**TYPED, "do": "look"}).content.decode()
    assert "another official confirms it: <bdi>owner</bdi>, <bdi>second</bdi>." in looked
    assert "Propose it" in looked
    world.league.officials_needed = 1
    world.league.save()
    looked = client.post(amend_url(slot(cup, 1, 1).match), {**TYPED, "do": "look"}).content.decode()
    assert ("Save</button>" in looked, "another official confirms it" in looked) == (True, False)


def test_the_form_shows_the_present_score_and_who_won_where_the_points_do_not_say_so(client, world):
    match = slot(published(world, 3, format="round_robin"), 1, 1).match
    enter_result(world, match, 2, points=(95, 95))
    client.force_login(world.referee)
    shown = client.get(amend_url(match)).content.decode()
    assert shown.count('value="95"') == 2
    assert '<option value="2" selected>' in shown
