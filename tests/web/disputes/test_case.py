"""A case on its page: protest, facts, ruling, second official, appeal; what others see."""

import re
from datetime import date
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from PIL import Image

from league.accounts.models import Role
from league.accounts.permissions import OFFICIALS
from league.disputes import ruling
from league.disputes.models import Dispute
from league.disputes.protests import agreeing, appealing
from league.matches.logs.submission import confirm_result
from league.matches.models import NamedJudge, Result
from league.players.services import enrol
from league.web.disputes.case_parts import ruled_score
from tests.league.disputes import courtroom
from tests.league.disputes.courtroom import PLAY, now
from tests.league.world import person

pytestmark = pytest.mark.django_db


def text(answer) -> str:
    plain = " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())
    return plain.replace(" .", ".")


def protested(court) -> tuple[str, Dispute]:
    world, browser = court
    answer = browser("bob").post(
        f"/matches/{world.match.pk}/games/1/protest/",
        {"where": f"line:{PLAY}", "kind": "muggins", "miswritten": "on", "sentence": "I said five in time"},
    )
    dispute = Dispute.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/disputes/{dispute.code}/")
    return answer.headers["Location"], dispute


def test_a_protest_goes_from_the_form_to_a_ruling_that_a_second_official_confirms(court) -> None:
    world, browser = court
    address, _dispute = protested(court)
    referee = browser("referee")
    first = text(referee.get(address))
    assert "Did Bo Chen" not in text(browser("alice").get(address))
    assert "I said five in time" not in first  # before the case is taken
    page = referee.get(address)
    question = page.context["case"].question
    assert question.endswith("?")
    referee.post(address, {"do": "find", "answer": "no", "seen": page.context["case"].seen})
    page = referee.get(address)
    assert "I said five in time" in text(page)
    assert page.context["case"].decided
    sent = {"seen": page.context["case"].seen, "outcome": page.context["form"]["outcome"].value()}
    sent["reason"] = page.context["form"]["reason"].value()
    assert sent["reason"].startswith("Ana Ruiz did not call muggins after")
    assert "Proposed" in text(page)
    looked = referee.post(address, sent | {"do": "look"})
    assert "Effects" in text(looked)
    assert Dispute.objects.get().state == "found"
    digest = looked.context["preview"].stand.effect.digest
    referee.post(address, sent | {"do": "rule", "effect": digest})
    assert Dispute.objects.get().state == "waiting"
    second = browser("second_referee")
    page = second.get(address)
    assert "Confirm the ruling" in text(page)
    second.post(address, {"do": "confirm", "seen": page.context["case"].seen})
    assert Dispute.objects.get().state == "ruled"
    assert courtroom.score(world)[1] == "official"
    assert "Each side may appeal once" in text(browser("alice").get(address))


def test_a_page_that_is_overtaken_answers_409_with_what_happened(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    page = browser("referee").get(address)
    courtroom.find(dispute, world.second_referee, "yes")
    answer = browser("referee").post(address, {"do": "find", "answer": "no", "seen": page.context["case"].seen})
    assert answer.status_code == 409
    assert "facts found (second)" in text(answer)


def test_a_protest_that_the_rules_allow_no_more_is_answered_with_the_rule(court) -> None:
    world, browser = court
    sent = {"where": f"line:{PLAY}", "kind": "muggins", "sentence": "It was late"}
    answer = browser("bob").post(f"/matches/{world.match.pk}/games/1/protest/", sent)
    assert answer.status_code == 422
    assert "The hand was settled" in text(answer)
    assert "udl.total" in text(answer)
    assert not Dispute.objects.exists()


def test_strangers_are_sent_to_the_match_and_visitors_sign_in_to_protest(court) -> None:
    world, browser = court
    address, _dispute = protested(court)
    assert browser("").get(address).headers["Location"] == f"/matches/{world.match.pk}/"
    protest = f"/matches/{world.match.pk}/games/1/protest/"
    assert browser("").get(protest).headers["Location"].startswith("/sign-in/")
    assert browser("charlie").get(protest).status_code == 403


def test_sides_state_offer_and_agree(court) -> None:
    _world, browser = court
    address, _dispute = protested(court)
    alice, bob = browser("alice"), browser("bob")
    bob.post(address, {"do": "state", "text": "I was quick"})
    assert "I was quick" in text(bob.get(address))
    assert "I was quick" not in text(alice.get(address))
    bob.post(address, {"do": "offer", "what": "score", "points-1": "115", "points-2": "165"})
    page = alice.get(address)
    assert "Bo Chen proposes" in text(page)
    alice.post(address, {"do": "accept", "offer": page.context["case"].offer.number})
    assert Dispute.objects.get().state == "agreed"


def test_an_offer_without_a_winner_says_so(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    agreeing.offer(dispute, world.bob, scores=[115, 165])
    page = text(browser("alice").get(address))
    assert "Nobody has won: Ana Ruiz 115, Bo Chen 165" in page
    assert "beats" not in page.partition("proposes")[2].partition("Accept")[0]


def test_a_replay_of_a_confirmed_game_says_that_the_result_counts_until_amended(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    confirm_result(result=Result.objects.get(current=True), user=world.bob)
    courtroom.find(dispute, world.referee)
    sent = {"do": "look", "outcome": "game", "reason": "Again"}
    page = text(browser("referee").post(address, sent))
    assert "The confirmed result counts until it is amended." in page
    courtroom.rule(dispute, world.referee, "game")
    ruling.confirm_ruling(dispute, world.owner)
    desk = browser("owner").get(reverse("disputes:desk", args=[world.league.slug]))
    assert "an amendment, after the replay" in text(desk)


def test_an_appeal_goes_to_somebody_else(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    courtroom.find(dispute, world.referee, "yes")
    courtroom.rule(dispute, world.referee, "dismissed")
    answer = browser("bob").post(address, {"do": "appeal", "text": "He did not hear me"})
    assert answer.status_code == 302
    assert Dispute.objects.get().state == "appealed"
    assert "hears the appeal" in text(browser("alice").get(address))
    for name, reads in (("bob", True), ("alice", False)):
        assert ("He did not hear me" in text(browser(name).get(address))) is reads
    browser("second_referee").post(address, {"do": "take"})
    assert "He did not hear me" in text(browser("second_referee").get(address))


def test_a_dismissed_appeal_leaves_the_first_ruling(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    courtroom.find(dispute, world.referee)
    courtroom.rule(dispute, world.referee)
    ruling.confirm_ruling(dispute, world.second_referee)
    appealing.appeal(dispute, world.alice, "I called in time")
    courtroom.find(dispute, world.owner)
    page = browser("owner").get(address)
    assert "Appeal dismissed: the first ruling stands" in text(page)
    sent = {"outcome": "dismissed", "reason": "It was late", "seen": page.context["case"].seen}
    assert "The result stays as it is." in text(browser("owner").post(address, sent | {"do": "look"}))
    assert browser("owner").post(address, sent | {"do": "rule"}).status_code == 302
    public = browser("").get(reverse("rulings:detail", args=[world.league.slug, dispute.code])).context["ruling"]
    assert (str(public.label.word), public.reason) == ("Call corrected", "It was late")
    assert "165" in public.score


def test_the_public_ruling_says_nothing_of_an_appeal_before_its_ruling(court) -> None:
    world, browser = court
    _address, dispute = protested(court)
    courtroom.find(dispute, world.referee, "yes")
    courtroom.rule(dispute, world.referee, "dismissed", "She called in time")
    public = reverse("rulings:detail", args=[world.league.slug, dispute.code])
    before = browser("").get(public).context
    assert before["finding"].endswith("yes")
    appealing.appeal(dispute, world.bob, "He did not hear me")
    courtroom.find(dispute, world.owner, "no")
    courtroom.rule(dispute, world.owner, reason="A secret reason")
    assert now(dispute).state == "waiting"
    for _time in range(2):
        found = browser("").get(public).context
        assert (found["finding"], found["ruling"].reason) == (before["finding"], "She called in time")
        if now(dispute).state == "waiting":
            ruling.reject_ruling(dispute, world.second_referee)


def test_a_judge_is_named_and_accepted_where_no_official_is_free(court) -> None:
    world, browser = court
    address, _dispute = protested(court)
    Role.objects.exclude(user=world.alice).filter(league=world.league, kind__in=OFFICIALS).delete()
    Role.objects.create(user=world.alice, league=world.league, kind="owner")
    enrol(league=world.league, name="Jo Judge", since=date(2026, 1, 1), user=world.referee)
    alice, bob = browser("alice"), browser("bob")
    assert "the rule of proof of the league decides" in text(bob.get(address))
    alice.post(address, {"do": "name-judge", "name": "Jo Judge"})
    page = bob.get(address)
    assert "Jo Judge" in text(page)
    for one in (alice, bob):
        one.post(address, {"do": "accept-judge", "judge": page.context["case"].judge.player})
    judge = browser("referee").get(address)
    assert "Find the facts" in text(judge)


def test_the_desk_holds_and_plays_on(court) -> None:
    _world, browser = court
    address, _dispute = protested(court)
    referee = browser("referee")
    referee.post(address, {"do": "play-on"})
    assert Dispute.objects.get().effect == "play_on"
    assert "Play goes on under reserve." in text(referee.get(address))
    referee.post(address, {"do": "hold"})
    assert Dispute.objects.get().effect == "hold"


def test_photos_open_to_the_judge_alone(court) -> None:
    _world, browser = court
    address, dispute = protested(court)
    raw = BytesIO()
    Image.new("RGB", (8, 8), "red").save(raw, "PNG")
    sent = {"do": "photo", "photo": SimpleUploadedFile("table.png", raw.getvalue(), "image/png")}
    assert browser("bob").post(address, sent).status_code == 302
    number = dispute.entries.get(kind="photo").number
    assert browser("referee").get(f"{address}photos/{number}/").status_code == 403
    browser("referee").post(address, {"do": "take"})
    assert "Photo by Bo Chen" in text(browser("referee").get(address))
    photo = browser("referee").get(f"{address}photos/{number}/")
    assert (photo.status_code, photo.headers["Content-Type"]) == (200, "image/jpeg")
    assert browser("alice").get(f"{address}photos/{number}/").status_code == 403
    assert dispute.looks.filter(entry__number=number).count() == 1


def test_a_ruling_that_leaves_a_game_unfinished_names_no_winner() -> None:
    data = {"scores": {"1": 145, "2": 140}, "winner": None}
    assert ruled_score(data, ["Bo Chen", "Ana Ruiz"]) == "Nobody has won: Bo Chen 145, Ana Ruiz 140"
    assert ruled_score({"scores": [145, 140]}, ["Bo Chen", "Ana Ruiz"]) == "Bo Chen beats Ana Ruiz 145–140"


def test_an_official_takes_the_case_above_the_words_that_it_opens(court) -> None:
    _world, browser = court
    address, _dispute = protested(court)
    shown = text(browser("referee").get(address))
    assert shown.index("Take the case") < shown.index("Only the judge of the case reads the words of the protest.")


def test_an_agreement_on_an_official_result_leads_to_the_amendment(court) -> None:
    world, browser = court
    confirm_result(result=Result.objects.select_related("record", "game__match").get(), user=world.bob)
    address, _dispute = protested(court)
    browser("bob").post(address, {"do": "offer", "what": "score", "points-1": "115", "points-2": "165"})
    offer = browser("alice").get(address).context["case"].offer.number
    browser("alice").post(address, {"do": "accept", "offer": offer})
    shown = text(browser("alice").get(address))
    assert "Both sides agreed: Bo Chen beats Ana Ruiz 165–115. The result is confirmed already" in shown
    assert "It counts once the other side accepts it" not in shown
    amend = f"/matches/{world.match.pk}/games/1/amend/"
    assert amend in browser("referee").get(address).content.decode()
    assert amend not in browser("alice").get(address).content.decode()


def test_an_organizer_who_plays_shows_a_code_and_a_member_takes_it(court) -> None:
    world, browser = court
    address, dispute = protested(court)
    Role.objects.filter(league=world.league).exclude(kind=Role.Kind.PLAYER).delete()
    Role.objects.create(user=world.alice, league=world.league, kind=Role.Kind.OWNER)
    world.dora = person("dora")
    enrol(league=world.league, name="Dora Paz", since=date(2026, 1, 1), user=world.dora)
    alice = browser("alice")
    assert "Show a QR code for a member" in text(alice.get(address))
    shown = alice.post(address, {"do": "invite-judge"}).content.decode()
    (link,) = re.findall(r"<code class=\"link\">http://testserver(/disputes/judge/[^<]+)</code>", shown)
    assert '<path class="ink"' in shown
    assert "/disputes/judge/" not in alice.get(address).content.decode()
    assert browser("").get(link).status_code == 302
    dora = browser("dora")
    page = text(dora.get(link))
    assert "Ana Ruiz – Bo Chen" in page
    assert "I announced" not in page
    assert browser("bob").post(link).status_code == 422
    assert dora.post(link).status_code == 302
    assert dora.get(link).status_code == 404
    assert "Accept Dora Paz as the judge" in text(browser("bob").get(address))
    assert dispute.code not in dora.get("/").content.decode()
    for side in ("alice", "bob"):
        judge = NamedJudge.objects.get().player_id
        browser(side).post(address, {"do": "accept-judge", "judge": str(judge)})
    assert dispute.code in dora.get("/").content.decode()
    assert "Take the case" in text(dora.get(address))
