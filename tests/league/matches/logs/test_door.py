"""Bad input: each kind has its own answer, nothing is stored and nothing is lost."""

import pytest

from games.notation.reading import MAX_BYTES
from games.rulesets import KEYS
from league.errors import Refused
from league.matches.logs.submission import submit_log
from league.matches.models import Match, Record, Result, SealedLog, Upload
from tests.league.world import SHORT_LOG

EMPTY = 'The file is empty. A log begins with its tags, such as [Ruleset "udl"].'


def stored():
    return [model.objects.count() for model in (Record, SealedLog, Upload, Result)]


def refusal(world, raw, **changes):
    before = stored()
    with pytest.raises(Refused) as caught:
        submit_log(**{"game": world.game, "user": world.alice, "raw": raw, **changes})
    assert stored() == before
    return caught.value.code, str(caught.value)


def log(*tags, ruleset="udl", a="Ana Ruiz", b="Bo Chen", tail="\nround 1\nend\n"):
    head = [f'[Ruleset "{ruleset}"]', f'[Seat.A "{a}"]', f'[Seat.B "{b}"]', *tags]
    return ("\n".join(head) + "\n" + tail).encode()


def test_what_is_no_text_is_refused(world):
    assert refusal(world, b"") == ("empty-file", EMPTY)
    assert refusal(world, b"\x00\x01") == ("binary", "This is not a text file. A log is plain text in UTF-8.")
    assert refusal(world, b"\xff\xfe")[0] == "not-utf8"
    assert refusal(world, SHORT_LOG.encode() + b"\x1b[31m")[0] == "control-character"


@pytest.mark.slow("replays 256 KiB")
def test_256_kib_and_a_byte_is_refused_and_256_kib_is_taken(world):
    filled = log().ljust(MAX_BYTES, b"\n")
    assert refusal(world, filled + b"\n") == (
        "too-large",
        "The log has 262145 bytes; at most 262144 (256 KiB) are taken for one game.",
    )
    assert submit_log(game=world.game, user=world.alice, raw=filled).created


def test_an_unknown_ruleset_is_refused(world):
    assert refusal(world, log(ruleset="tiddlywinks")) == (
        "unknown-ruleset",
        f"No ruleset is called “tiddlywinks”. Known: {', '.join(KEYS)}.",
    )


def test_a_log_of_another_ruleset_than_the_fixtures_is_refused(world):
    Match.objects.update(ruleset="muggins")
    assert refusal(world, log()) == (
        "wrong-ruleset",
        "The log is of a game of “udl”; this match is played as “muggins”.",
    )


def test_other_options_than_the_fixtures_are_refused_and_named(world):
    assert refusal(world, log('[Option.target "100"]')) == (
        "wrong-options",
        "The log is played with other options than this match: target 100 instead of 150.",
    )
    Match.objects.update(options={"target": 100})
    assert refusal(world, log()) == (
        "wrong-options",
        "The log is played with other options than this match: target 150 instead of 100.",
    )
    code, sentence = refusal(world, log('[Option.target "many"]'))
    assert (code, "target is a number" in sentence) == ("wrong-options", True)
    assert submit_log(game=world.game, user=world.alice, raw=log('[Option.target "100"]')).created


def test_an_option_spelled_out_as_it_is_anyway_is_no_difference(world):
    assert submit_log(game=world.game, user=world.alice, raw=log('[Option.target "150"]')).created


def test_several_games_in_one_file_are_refused(world):
    assert refusal(world, log() + log()) == (
        "several-games",
        "The file holds 2 games. Hand in one game at a time.",
    )


def test_a_log_of_another_game_is_refused_and_names_it_to_those_who_may_know_of_it(world):
    other = world.fixture(entrants=[world.bo, world.ana]).games.get()
    sentence = "This log says that it is of game {}; this is game {}."
    assert refusal(world, log(f'[Game "{other.code}"]')) == (
        "another-game",
        sentence.format(f"{other.code} (Bo Chen – Ana Ruiz)", world.game.code),
    )
    Match.objects.filter(games=other).update(published_at=None)
    assert refusal(world, log(f'[Game "{other.code}"]'))[1] == sentence.format(other.code, world.game.code)
    assert refusal(world, log('[Game "7KQ2M9XC"]'))[1] == sentence.format("7KQ2M9XC", world.game.code)
    assert submit_log(game=world.game, user=world.alice, raw=log(f'[Game "{world.game.code.lower()}"]')).created


@pytest.mark.parametrize(
    ("a", "b"),
    [("Ana Ruiz", "Cy Diaz"), ("Ana Ruiz", "Ana Ruiz"), ("", "Bo Chen"), ("Ana", "Bo"), ("?", "?")],
)
def test_seats_that_do_not_match_the_fixture_are_refused(world, a, b):
    assert refusal(world, log(a=a, b=b)) == (
        "wrong-seats",
        f"The log is of {a} – {b}; this match is between Ana Ruiz – Bo Chen.",
    )


def test_a_log_without_seats_is_refused(world):
    assert refusal(world, b'[Ruleset "udl"]\nround 1\nend\n') == (
        "no-seats",
        'The log does not say who sits where. It needs the tags [Seat.A "…"] and [Seat.B "…"].',
    )


def test_seats_may_be_swapped_written_in_any_case_or_as_player_codes(world):
    ana, bo = world.ana.player.code, world.bo.player.code
    for a, b, seats in (
        ("BO  CHEN", "ana ruiz", {"A": 2, "B": 1}),
        (ana.lower(), bo, {"A": 1, "B": 2}),
        (bo, "Ana Ruiz", {"A": 2, "B": 1}),
    ):
        assert submit_log(game=world.game, user=world.alice, raw=log(a=a, b=b)).record.seats == seats


def test_namesakes_are_told_apart_by_their_codes_only(world):
    world.bo.player.name = "Ana Ruiz"
    world.bo.player.save()
    assert refusal(world, log(b="Ana Ruiz"))[0] == "wrong-seats"
    raw = log(a=world.bo.player.code, b=world.ana.player.code)
    assert submit_log(game=world.game, user=world.alice, raw=raw).record.seats == {"A": 2, "B": 1}


def test_a_syntax_error_is_stored_and_waits_for_its_verdict(world):
    record = submit_log(game=world.game, user=world.alice, raw=log(tail="round 1\nA plays the ten\n")).record
    assert record.state == Record.State.RECEIVED
    assert record.sealed.text.endswith("round 1\nA plays the ten\n")


def test_a_broken_seat_tag_is_stored_without_the_name(world):
    raw = b'[Ruleset "udl"]\n[Seat.A "Ana Ruiz]\n[Seat.B "Bo Chen"]\nround 1\n'
    record = submit_log(game=world.game, user=world.alice, raw=raw).record
    ana, bo = world.ana.player.code, world.bo.player.code
    assert record.seats == {"B": 2}
    assert record.sealed.text == f'[Ruleset "udl"]\n[Seat.A "{ana}]\n[Seat.B "{bo}"]\nround 1\n'


def test_a_log_with_an_error_whose_seats_are_others_is_refused_all_the_same(world):
    assert refusal(world, log(b="Cy Diaz", tail="round 1\nA plays the ten\n"))[0] == "wrong-seats"


def test_the_referees_name_becomes_a_code_and_an_unknown_one_goes(world):
    def sealed(name):
        raw = log(f'[Referee "{name}"]')
        return submit_log(game=world.game, user=world.alice, raw=raw).record.sealed.text.splitlines()[3]

    assert sealed("rosa ley") == f'[Referee "{world.referee.code}"]'
    assert sealed("Bo Chen") == f'[Referee "{world.bo.player.code}"]'
    assert sealed("Nobody Known") == '[Referee ""]'


def test_every_other_byte_of_the_log_is_kept_line_ends_included(world):
    raw = log('[Event "Week 3"] # cold').replace(b"\n", b"\r\n") + "note “ñ”  \r\n\r\n".encode()
    record = submit_log(game=world.game, user=world.alice, raw=raw, filename="a\x00b\n.domino").record
    expected = raw.decode().replace("Ana Ruiz", world.ana.player.code).replace("Bo Chen", world.bo.player.code)
    assert record.sealed.text == expected
    assert bytes(Upload.objects.get(record=record).raw) == raw
    assert record.upload.filename == "ab.domino"
