"""Handing in a log: every refusal has its own sentence, and nothing that was typed is lost."""

from datetime import date
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from league.accounts.models import League, Role
from league.matches.logs.submission import Fixture, schedule_match
from league.matches.models import Game, Record
from league.players.services import enrol
from tests.web import world as small

HEAD = '[Ruleset "udl"]\n[Seat.A "Ana Ruiz"]\n[Seat.B "Bo Chen"]\n'
PLAY = "\nround 1\nA 6-6\n"


@pytest.fixture
def send(world, browse):
    """POST the form of the game of Alice and Bob, as Alice unless told otherwise."""

    def post(text: str = "", *, user=None, file: bytes | None = None, **fields: str):
        data = {"text": text} | fields
        if file is not None:
            data["file"] = SimpleUploadedFile("week3.domino", file)
        return browse(user or world.alice).post(f"/submit/{world.game().code}/", data)

    return post


def kept(answer) -> str:
    """The text that stands in the form."""
    area = answer.content.decode().split("<textarea")[1].split(">", 1)[1].split("</textarea>")[0]
    return unescape(area.removeprefix("\n"))


def told(answer) -> str:
    return unescape(answer.content.decode().split('id="submit-error"')[1].split("</form>")[0])


def test_a_pasted_log_is_received_and_being_checked(world, send, log) -> None:
    answer = send(log)
    assert answer.status_code == 302
    assert answer.url == f"/matches/{world.match.pk}/"
    record = Record.objects.get()
    assert bytes(record.upload.raw).decode() == log
    page = answer.client.get(answer.url).content.decode()
    assert "The log was received and is kept." in page
    assert "Being checked" in page


def test_line_ends_of_a_form_make_no_other_log_than_the_file(world, send, log) -> None:
    assert send(log.replace("\n", "\r\n")).status_code == 302
    answer = send(file=log.encode())
    assert Record.objects.count() == 1
    assert "This very log was submitted before. Nothing changed." in answer.client.get(answer.url).content.decode()


def test_a_log_is_verified_and_its_result_shown(world, send, log, at_once, django_capture_on_commit_callbacks) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        answer = send(file=log.encode())
    page = answer.client.get(answer.url).content.decode()
    assert "Verified" in page
    assert "Unconfirmed" in page
    assert "Being checked" not in page


REFUSALS = {
    "empty": (b"", 'The file is empty. A log begins with its tags, such as [Ruleset "udl"].'),
    "blank": (b" \r\n\t ", 'The file is empty. A log begins with its tags, such as [Ruleset "udl"].'),
    "binary": (b"\x89PNG\x00\x01", "This is not a text file. A log is plain text in UTF-8."),
    "latin 1": (HEAD.encode() + b"# Jos\xe9\n", "Line 4 is not UTF-8 text. Save the log as UTF-8 and send it again."),
    "control character": (
        HEAD.encode() + b"# \x07\n",
        "Line 4 holds the control character U+0007, which a log may not have.",
    ),
    "too large": (
        b"#" * (256 * 1024 + 1),
        "The log has 262145 bytes; at most 262144 (256 KiB) are taken for one game.",
    ),
    "two games": ((HEAD + PLAY + HEAD + PLAY).encode(), "The file holds 2 games. Hand in one game at a time."),
}


@pytest.mark.parametrize(("raw", "sentence"), REFUSALS.values(), ids=REFUSALS)
def test_a_file_that_is_no_log_is_refused_in_words_and_stores_nothing(world, send, raw, sentence) -> None:
    answer = send("typed before", file=raw)
    assert answer.status_code == 422
    assert sentence in told(answer)
    assert "Nothing was submitted" in told(answer)
    assert not Record.objects.exists()


@pytest.mark.parametrize(
    ("text", "part"),
    [
        (HEAD.replace("udl", "chess") + PLAY, "chess"),
        (HEAD.replace("Bo Chen", "Somebody Else") + PLAY, "Somebody Else"),
        ('[Game "ZZZZZZZZ"]\n' + HEAD + PLAY, "ZZZZZZZZ"),
        (HEAD.replace("\n", '\n[Option.target "100"]\n', 1) + PLAY, "target"),
        ('[Ruleset "udl"]\n' + PLAY, "seat"),
    ],
    ids=["unknown ruleset", "other seats", "other game", "other options", "no seats"],
)
def test_a_log_of_something_else_is_refused_by_name_and_the_text_is_kept(world, send, text, part) -> None:
    answer = send(text)
    assert answer.status_code == 422
    assert part.casefold() in told(answer).split("<textarea")[0].casefold()
    assert kept(answer) == text
    assert not Record.objects.exists()


def test_a_pasted_text_that_is_too_large_is_kept_too(world, send) -> None:
    text = HEAD + "# \n" * 100_000
    answer = send(text)
    assert answer.status_code == 422
    assert "256 KiB" in told(answer)
    assert kept(answer) == text


def test_an_official_game_takes_no_log_and_the_form_says_so_before(world, send, browse, log) -> None:
    small.played(world, official=True)
    sentence = f"The result of game {world.game().code} is confirmed; its log is closed."
    answer = send(log)
    assert answer.status_code == 422
    assert sentence in told(answer)
    assert kept(answer) == log
    form = unescape(browse(world.alice).get(f"/submit/{world.game().code}/").content.decode())
    assert "This game takes no log any more" in form
    assert sentence in form
    assert "Nothing was submitted" not in form
    assert "<textarea" not in form
    assert Record.objects.count() == 1


def test_strangers_are_refused_and_keep_their_text(world, send, log) -> None:
    answer = send(log, user=world.charlie)
    assert answer.status_code == 403
    assert "You neither play in this match nor are you an official of its league." in told(answer)
    assert kept(answer) == log
    assert not Record.objects.exists()


def test_a_reader_of_the_league_is_refused(world, send, log) -> None:
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.READ_ONLY)
    assert send(log, user=world.charlie).status_code == 403


def test_a_syntax_error_is_shown_at_its_line_and_the_text_is_kept(world, send) -> None:
    text = HEAD + "\nround 1\nA hand 6-6 ten\n"
    answer = send(text)
    assert answer.status_code == 422
    assert "Line 6, column 12" in told(answer)
    assert 'A hand 6-6 ten\n<span class="point" aria-hidden="true">           ^</span>' in answer.content.decode()
    assert kept(answer) == text
    assert bytes(Record.objects.get().upload.raw).decode() == text


def test_a_file_with_a_syntax_error_comes_back_as_text_to_mend(world, send) -> None:
    text = HEAD + "\nround one\n"
    answer = send("an older draft", file=text.encode())
    assert answer.status_code == 422
    assert kept(answer) == text


def test_mending_starts_from_the_log_that_was_handed_in(world, send, browse) -> None:
    text = HEAD + "\nround 1\nA hand 6-6 ten\n"
    send(text)
    record = Record.objects.get()
    address = f"/submit/{world.game().code}/?mend={record.pk}"
    answer = browse(world.alice).get(address)
    assert kept(answer).rstrip("\n") == text.rstrip("\n")
    assert "column 12" in told(answer)
    assert browse(world.alice).get(f"/submit/{world.game().code}/?mend=99999").status_code == 404
    assert browse(world.charlie).get(address).status_code == 403


def test_mending_shows_what_was_found_with_line_quote_sentence_and_rule(world, browse) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    small.judge(record, "impossible")
    html = browse(world.alice).get(f"/submit/{world.game().code}/?mend={record.pk}").content.decode()
    found = html.split('aria-labelledby="mending"')[1].split("</section>")[0]
    assert html.index('aria-labelledby="mending"') < html.index("<textarea")
    assert '<a href="#text" data-line="12">Go to line 12</a>' in found
    assert '<span class="number">12</span><code>score 85-60</code>' in found
    assert "The score after round 1 is 85-60, not 85-65" in found
    assert "<code>udl.score</code>" in found
    assert "submit.js" in html


def test_what_was_found_stays_when_the_mended_text_is_refused(world, browse) -> None:
    record = small.hand_in(world.game(), world.alice, side=1)
    small.judge(record, "impossible")
    address = f"/submit/{world.game().code}/?mend={record.pk}"
    answer = browse(world.alice).post(address, {"text": '[Ruleset "chess"]\n'})
    assert answer.status_code == 422
    assert "Go to line 12" in answer.content.decode()
    assert kept(answer) == '[Ruleset "chess"]\n'


def test_a_log_of_another_game_is_not_mended_here(world, browse) -> None:
    other = next(match for match in world.matches if match.pk != world.match.pk)
    record = small.hand_in(world.game(other), world.ref)
    small.judge(record, "impossible")
    assert browse(world.ref).get(f"/submit/{world.game().code}/?mend={record.pk}").status_code == 404


def test_the_sample_names_the_game_it_is_shown_for(world, browse) -> None:
    client, code = browse(world.alice), world.game().code
    assert f'[Game "{code}"]' in client.get(f"/submit/{code}/").content.decode()
    page = client.get("/submit/").content.decode()
    assert '[Game "4133XH1Q"]' in page
    assert "which is on the match page" in page


def test_leading_blank_lines_of_a_text_survive_the_form(world, send) -> None:
    text = "\n\n" + HEAD + "\nround one\n"
    assert kept(send(text)) == text


def test_the_list_offers_the_games_one_may_hand_in(world, browse) -> None:
    mine = browse(world.alice).get("/submit/").content.decode()
    assert mine.count("<option") == 1 + 2
    assert "Ana Ruiz – Bo Chen" in mine
    assert browse(world.charlie).get("/submit/").content.decode().count("<option") == 1
    assert "There is no game that you may hand a log in for" in browse(world.charlie).get("/submit/").content.decode()


def test_the_games_of_two_competitions_stand_under_the_name_of_theirs(world, browse) -> None:
    cup = small.knock_out(world, players=2, played=-1, best_of=3)
    second = Game.objects.get(match__slot__matchday__stage__competition=cup, number=2).code
    groups = browse(world.alice).get("/submit/").content.decode().split('<optgroup label="')[1:]
    assert [one.split('"')[0] for one in groups] == ["Cup", "Autumn Round Robin"]
    assert [one.count("<option") for one in groups] == [3, 2]
    assert f"Ana Ruiz – Bo Chen, game 2, 6 Nov ({second})" in groups[0]


def test_competitions_of_two_leagues_are_told_with_theirs(world, browse) -> None:
    Role.objects.create(user=world.charlie, league=world.league, kind=Role.Kind.REFEREE)
    hill = League.objects.get(slug="hill")
    players = [enrol(league=hill, name=name, since=date(2026, 1, 1)) for name in ("Eva", "Max")]
    agreed = {"ruleset": "udl", "options": {}, "published_at": small.FIRST, "starts_at": small.FIRST}
    schedule_match(Fixture(league=hill, entrants=players, **agreed))
    groups = browse(world.charlie).get("/submit/").content.decode().split('<optgroup label="')[1:]
    assert [one.split('"')[0] for one in groups] == ["Autumn Round Robin · Harbour", "Hill"]


def test_the_chosen_game_and_the_text_stay_after_a_mistake(world, browse) -> None:
    code = world.game().code
    text = HEAD.replace("Bo Chen", "Somebody Else") + PLAY
    answer = browse(world.alice).post("/submit/", {"game": code, "text": text})
    assert answer.status_code == 422
    assert kept(answer) == text
    assert f'<option value="{code}" selected>' in answer.content.decode()


def test_the_log_itself_may_name_its_game(world, browse, log) -> None:
    named = log.replace("\n", f'\n[Game "{world.game().code}"]\n', 1)
    answer = browse(world.alice).post("/submit/", {"text": named})
    assert answer.status_code == 302
    assert Record.objects.get().game == world.game()


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": HEAD + PLAY}, "Which game is it? Choose it from the list; the log does not say it."),
        ({"text": HEAD + PLAY, "game": "NOGAME00"}, "There is no game NOGAME00 that you can see."),
        ({"text": ""}, "The file is empty."),
    ],
)
def test_without_a_game_nothing_is_handed_in_and_the_text_is_kept(world, browse, fields, sentence) -> None:
    answer = browse(world.alice).post("/submit/", fields)
    assert answer.status_code == 422
    assert sentence in told(answer)
    assert kept(answer) == fields["text"]
    assert not Record.objects.exists()


@pytest.mark.parametrize("players", [2, 4])
def test_the_form_takes_the_same_statements_for_one_and_three_games(
    db, browse, django_assert_num_queries, players
) -> None:
    world = small.build(players=players)
    client = browse(world.alice)
    with django_assert_num_queries(8):
        html = client.get("/submit/").content.decode()
    assert html.count("<option") == players


def test_the_form_of_one_game_takes_a_fixed_number_of_statements(world, browse, django_assert_num_queries) -> None:
    client = browse(world.alice)
    with django_assert_num_queries(12):
        client.get(f"/submit/{world.game().code}/")


@pytest.mark.parametrize("logs", [1, 3])
def test_mending_takes_the_same_statements_for_one_and_three_logs(
    world, browse, django_assert_num_queries, logs
) -> None:
    for _number in range(logs):
        record = small.hand_in(world.game(), world.alice, side=1)
        small.judge(record, "impossible")
    client = browse(world.alice)
    with django_assert_num_queries(20):
        client.get(f"/submit/{world.game().code}/?mend={record.pk}")


@pytest.mark.parametrize("query", ["?record=" + "9" * 5000, "?record=x", "?record=-1"])
def test_a_number_that_is_none_is_left_alone(world, client, query) -> None:
    assert client.get(f"/matches/{world.matches[0].pk}/{query}").status_code == 200


def test_a_code_with_characters_that_no_database_takes_is_an_unknown_game(world, browse, log) -> None:
    answer = browse(world.alice).post("/submit/", {"game": "a\x00b", "text": log})
    assert answer.status_code == 422
    assert "There is no game" in told(answer)


def test_a_text_that_is_sent_after_the_session_has_ended_is_shown_again(world, client, log) -> None:
    for address in ("/submit/", f"/submit/{world.game().code}/"):
        answer = client.post(address, {"text": log})
        assert answer.status_code == 403
        assert kept(answer).strip() == log.strip()
        assert "Nothing was submitted" in answer.content.decode()
    assert not Record.objects.exists()
