"""Hiding of the last round of an unfinished log (T-09, A-17)."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.accounts.models import Role, User
from league.matches.hash_chain import ROUND_LINE
from league.matches.logs import unfinished as held_back
from league.matches.logs.submission import judge_text, verify_record
from league.matches.logs.unfinished import RESULT_TAG
from league.matches.models import KnownBy, Record
from league.matches.queries.match import match_page
from league.matches.results.entering import enter_sheet
from tests.league.world import play, played_log
from tests.volume import seeds


def unfinished(seed: int) -> Iterator[str]:
    """Yield a game cut off after each line of its last round."""
    lines = played_log(seed).splitlines()
    last = max(number for number, line in enumerate(lines) if ROUND_LINE.match(line))
    for end in range(last + 2, len(lines) - 1):
        yield "\n".join(lines[:end]) + "\n"


def tail(text: str) -> list[str]:
    return text[list(ROUND_LINE.finditer(text))[-1].start() :].splitlines()


@pytest.fixture
def record(world) -> Record:
    text = list(unfinished(7))[-4]  # before the last play, which reaches the target
    made = world.submit(text)
    verify_record(made.pk)
    return Record.objects.select_related("game__match", "verdict", "sealed").get(pk=made.pk)


def seen_log(world, user) -> str:
    return "\n".join(line.text for line in match_page(user, world.match.pk).games[0].log)


def answers(world, record: Record, user: User | None) -> list[str]:
    """Return the answers of all addresses that show the record or its verdict."""
    client = Client()
    if user:
        client.force_login(user)
    api = f"/api/v1/records/{record.pk}"
    paths = [
        f"/matches/{world.match.pk}/",
        f"/matches/{world.match.pk}/games/1/replay/",
        api,
        f"{api}/verdict?plays=true",
        f"/api/v1/games/{record.game.code}/records",
    ]
    return [client.get(path).content.decode() for path in paths]


def marks(record: Record) -> set[str]:
    """Return texts of the last round and its verdict: lines, heads of the chain."""
    lines = [
        line.strip() for line in tail(record.sealed.text) if line.strip() not in held_back.cut_text(record.sealed.text)
    ]
    assert lines
    sealed = record.sealed
    return {line for line in lines if " " in line} | {"[Result", sealed.heads[-1], sealed.sha256, record.upload_sha256}


def test_others_read_the_rounds_before_and_nothing_of_the_last_one(world, record) -> None:
    assert record.verdict.status == "incomplete"
    for user in (None, world.bob, world.charlie):
        for answer in answers(world, record, user):
            assert not [mark for mark in marks(record) if mark in answer]
        assert seen_log(world, user or AnonymousUser())
    for user in (world.alice, world.referee):
        assert seen_log(world, user).count("\n") + 1 == len(record.sealed.text.splitlines())


@pytest.mark.parametrize("result", [True, False])
def test_no_head_covers_a_result_in_the_tags(world, result) -> None:
    text = RESULT_TAG.sub("", list(unfinished(7))[-4])
    made = world.submit('[Result "A 25 B 10"]\n' + text if result else text)
    verify_record(made.pk)
    heads = Client().get(f"/api/v1/records/{made.pk}").json()["heads"]
    assert heads == ([] if result else made.sealed.heads[:-1])


def test_a_playing_official_reads_as_a_player(world, record) -> None:
    Role.objects.create(user=world.bob, league=world.league, kind=Role.Kind.REFEREE)
    for answer in answers(world, record, world.bob):
        assert not [mark for mark in marks(record) if mark in answer]


@pytest.mark.slow("every answer with an impossible log")
def test_a_line_that_cannot_be_true_does_not_open_the_last_round(world, record) -> None:
    """The verdict also names missed points; others read of the impossible line only."""
    text = record.sealed.text + "A 6-6 on 6-6\n"
    wrong = world.submit(text)
    verify_record(wrong.pk)
    wrong = Record.objects.select_related("game__match", "verdict", "sealed").get(pk=wrong.pk)
    assert wrong.verdict.status == "impossible"
    for user in (None, world.bob):
        assert not [mark for mark in marks(wrong) for answer in answers(world, wrong, user) if mark in answer]
    (found,) = Client().get(f"/api/v1/records/{wrong.pk}/verdict").json()["findings"][-1:]
    assert (found["line"], found["severity"]) == (len(text.splitlines()), "impossible")


def test_an_impossible_log_that_says_its_game_is_over_is_shown(world, record) -> None:
    wrong = world.submit(record.sealed.text + "A 6-6 on 6-6\nend\n")
    verify_record(wrong.pk)
    assert len(seen_log(world, AnonymousUser()).splitlines()) == len(wrong.sealed.text.splitlines())


def test_without_the_protection_everybody_reads_it(world, record, monkeypatch) -> None:
    """The control."""
    monkeypatch.setattr(held_back, "is_held", lambda *_given: False)
    shown = "\n".join(answers(world, record, None))
    assert [mark for mark in marks(record) if mark in shown]


def test_once_something_else_says_how_the_game_ended_all_of_it_is_shown(world, record) -> None:
    before = seen_log(world, AnonymousUser())
    enter_sheet(world.game, world.referee, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    page = match_page(AnonymousUser(), world.match.pk, record_id=record.pk)
    assert len(page.games[0].log) > len(before.splitlines())


def test_a_score_of_the_other_side_opens_it_to_nobody(world, record) -> None:
    enter_sheet(world.game, world.bob, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    for user in (None, world.bob):
        for answer in answers(world, record, user):
            assert not [mark for mark in marks(record) if mark in answer]


def test_a_finished_log_is_shown_whole(world) -> None:
    made = world.submit(played_log(7))
    verify_record(made.pk)
    assert len(seen_log(world, AnonymousUser()).splitlines()) == len(played_log(7).splitlines())


@pytest.mark.parametrize("seed", seeds(40))
def test_the_verdict_is_cut_before_the_last_round_at_every_line(seed: int) -> None:
    for text in unfinished(seed):
        verdict = judge_text(text)
        cut = held_back.cut_verdict(verdict, text)
        kept = len(held_back.cut_text(text).splitlines())
        assert (
            max([one.get("line", 0) for one in cut.findings] + [one["line"] for one in cut.rulings], default=0) <= kept
        )
        assert len(cut.rounds) == len(ROUND_LINE.findall(text)) - 1
        assert cut.scores == (cut.rounds[-1]["scores"] if cut.rounds else {})
        assert not cut.winner


def test_points_on_the_word_of_all_rounds_are_not_told(record) -> None:
    record.verdict.points_on_word = 25
    assert not held_back.cut_verdict(record.verdict, record.sealed.text).points_on_word


def test_what_is_said_of_the_whole_log_is_not_told(record) -> None:
    record.verdict.evidence = "partial"
    record.verdict.findings = [{"code": "unverified-points", "severity": "note"}]
    cut = held_back.cut_verdict(record.verdict, record.sealed.text)
    assert (cut.evidence, cut.findings) == ("", [])


def test_the_games_of_these_tests_end() -> None:
    """The control: otherwise nothing was cut off."""
    assert play(7).log
    assert judge_text(played_log(7)).ended
