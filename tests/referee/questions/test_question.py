"""Settle a muggins call The examples of RULES.md 9.4, and that an answer is what a verdict says of the same play."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from games.claims import Why
from games.layout import Layout
from games.moves import Bell, Call, Draw, Pass, Play, RoundStart, Said, Settled, Show
from games.notation.gamelog import Entry, GameLog
from games.notation.reading import dumps, loads
from games.ruleset import Spinner
from games.rulesets import get
from games.tiles import DOUBLE_SIX
from referee import verify, verify_text
from referee.playouts.pips import Habits, playout
from referee.questions.open_ends import Joined, QuestionError, ToldEnd, lay_out, layout_of, read_ends
from referee.questions.question import Owner, Question, Warn, answer
from referee.questions.record import Moment, Spoken
from tests.volume import seeds

VECTORS = json.loads((Path(__file__).parents[2] / "vectors/plays.json").read_text("utf-8"))
ENDS = {5: "3 2", 10: "6 4", 15: "6-6 3", 0: "6-6 1"}
A, B, C, D = range(4)
NAMES = ("Ana Ruiz", "Bo Chen", "Cy Dee", "Di Eng")


def muggins(seat=B, moment=Moment.AFTER_NEXT, **more):
    return Spoken(seat, Said.MUGGINS, moment, **more)


def count(number, moment=Moment.WITH_TILE, seat=A, **more):
    return Spoken(seat, Said.COUNT, moment, number, **more)


def ask(ends, *said, ruleset="udl", options=(), **more):
    rules = get(ruleset).with_options(dict(options))
    return answer(Question(rules=rules, ends=read_ends(ends), said=said, **more))


# ---- RULES.md 9.4, from the file of vectors

MOMENT_AFTER = {
    "play": Moment.BEFORE_NEXT,
    "next": Moment.AFTER_NEXT,
    "next2": Moment.AFTER_SECOND,
    "settle_open": Moment.HANDS_SHOWN,
    "settle_close": Moment.SETTLED,
    "bell": Moment.AFTER_BELL,
}


def told(vector):
    """A vector of the claims as what was said and how far the game went."""
    moment, late, said, worth = Moment.BEFORE_NEXT, 50, [], 0
    for word, *facts in vector["log"]:
        if word == "play":
            worth = facts[1]
        if word == "claim_deadline":
            late = 101
        elif word == "announce":
            said.append(count(facts[0], moment))
        elif word == "claim":
            after = late if moment is Moment.AFTER_BELL else None
            said.append(muggins("ABC".index(facts[0]), moment, after=after))
        else:
            moment = MOMENT_AFTER[word]
    return worth, said, moment


@pytest.mark.parametrize("vector", VECTORS["claims"], ids=lambda vector: vector["id"])
def test_the_examples_of_the_rules_without_times(vector):
    worth, said, reached = told(vector)
    before = vector["window"] == "BEFORE"
    bell = 80 if reached is Moment.AFTER_BELL else None
    found = ask(
        ENDS[worth],
        *said,
        ruleset="all-fives" if before else "udl",
        seats=3 if before else 2,
        reached=reached,
        bell=bell,
    )
    awards = {"scorer" if seat == A else "ABC"[seat]: points for seat, points in found.awarded.items()}
    rejected = ["ABC"[call.seat] for call in found.calls if not call.upheld]
    expected = dict(vector["awards"])
    assert (awards, rejected) == (expected, expected.pop("rejected", [])) or (
        awards | ({"rejected": rejected} if rejected else {}) == vector["awards"]
    )
    assert found.worth == worth


@pytest.mark.parametrize("vector", VECTORS["claims_timed"], ids=lambda vector: vector["id"])
def test_the_examples_of_the_rules_with_times(vector):
    scorer = vector["scorer"]
    said = [
        muggins(number, Moment.BEFORE_NEXT, after=round(at * 10))
        if what == "claim"
        else count(number, Moment.BEFORE_NEXT, scorer, after=round(at * 10))
        for at, what, number in sorted(vector["events"], key=lambda event: event[0])
    ]
    found = ask(ENDS[vector["owed"]], *said, ruleset="all-fives", seats=vector["seats"], scorer=scorer)
    awards = {"scorer" if seat == scorer else str(seat): points for seat, points in found.awarded.items()}
    assert awards == vector["awards"]


def test_every_example_is_asked():
    ids = [vector["id"] for vector in VECTORS["claims"] + VECTORS["claims_timed"]]
    assert sorted(ids) == [f"M{number:02d}" for number in range(1, 19)]


# ---- the whole answer


def test_a_whole_answer_says_sum_points_owner_and_rules():
    found = ask("6-6 5 3", muggins())
    assert (found.terms, found.count, found.worth) == ((6, 6, 5, 3), 20, 20)
    assert (found.owner, found.awarded, found.left) == (Owner.CALLER, {B: 20}, 0)
    assert [(one.seat, one.upheld, one.points, one.why) for one in found.calls] == [(B, True, 20, Why.OWED)]
    assert [(rule.id, rule.number) for rule in found.rules] == [
        ("udl.score", "0.11"),
        ("udl.announce", get("udl").rules["announce"].number),
        ("udl.muggins", "0.26"),
    ]
    (verdict,) = verify_text(found.notation)
    assert [(ruling.claimant, ruling.upheld, ruling.points) for ruling in verdict.rulings] == [(B, True, 20)]


def test_a_premature_call_leaves_the_points_to_the_scorer():
    found = ask("6-6 5 3", muggins(moment=Moment.BEFORE_NEXT))
    assert (found.owner, found.awarded, found.left) == (Owner.OPEN, {}, 20)
    assert (found.may_announce, found.may_call) == (True, ())
    assert (found.calls[0].why, found.warnings) == (Why.PREMATURE, (Warn.PREMATURE,))


def test_once_the_next_tile_fell_the_points_are_open_to_a_call():
    found = ask("6-6 5 3", reached=Moment.AFTER_NEXT)
    assert (found.owner, found.may_announce, found.may_call) == (Owner.OPEN, False, (B,))


def test_a_late_announcement_is_told_as_such():
    found = ask("6-6 5 3", count(20, Moment.AFTER_NEXT), muggins())
    assert (found.owner, found.announced, found.warnings) == (Owner.CALLER, None, (Warn.ANNOUNCED_LATE,))


def test_a_number_that_is_too_low_leaves_the_difference():
    found = ask("6-6 5 3", count(10), reached=Moment.AFTER_NEXT)
    assert (found.owner, found.awarded, found.left, found.may_call) == (Owner.SCORER, {A: 10}, 10, (B,))
    assert found.warnings == (Warn.UNDERCLAIM,)
    shared = ask("6-6 5 3", count(10), muggins())
    assert (shared.owner, shared.awarded, shared.left) == (Owner.SHARED, {A: 10, B: 10}, 0)


def test_a_number_that_is_too_high_is_corrected_or_goes_to_the_next_player():
    found = ask("6-6 5 3", count(25), muggins())
    assert (found.owner, found.awarded) == (Owner.SCORER, {A: 20})
    assert found.warnings == (Warn.OVERCLAIM, Warn.FALSE_CALL)
    foster = ask("6-6 5 3", count(25), options={"overclaim": "foster"})
    assert (foster.owner, foster.awarded, foster.left) == (Owner.NEXT_PLAYER, {B: 25}, 0)


def test_a_sum_that_is_no_multiple_of_five_and_a_sum_of_nothing_score_nothing():
    assert (ask("6-6 1", muggins()).owner, ask("6-6 1", muggins()).warnings) == (Owner.NOBODY, (Warn.FALSE_CALL,))
    blank = ask("0-0", count(5), muggins())
    assert (blank.terms, blank.count, blank.worth, blank.owner) == ((0, 0), 0, 0, Owner.NOBODY)
    assert blank.warnings == (Warn.OVERCLAIM, Warn.FALSE_CALL)


def test_a_held_call_may_still_be_voided():
    held = ask("6 4", muggins(C, Moment.BEFORE_NEXT, after=12), ruleset="all-fives", seats=3)
    assert (held.owner, held.awarded, held.may_announce) == (Owner.CALLER, {C: 10}, True)
    over = ask("6 4", muggins(C, Moment.BEFORE_NEXT, after=31), ruleset="all-fives", seats=3)
    assert (over.awarded, over.may_announce) == ({C: 10}, False)


@pytest.mark.parametrize("seconds", [None, 40])
def test_of_several_calls_at_the_same_moment_the_nearest_after_the_scorer_has_it(seconds):
    first = muggins(A, Moment.BEFORE_NEXT, after=seconds)
    second = muggins(D, Moment.BEFORE_NEXT, after=seconds, together=True)
    found = ask("6-6 3", first, second, ruleset="all-fives", seats=4, scorer=B)
    assert (found.awarded, found.owner) == ({D: 15}, Owner.CALLER)
    assert [(call.seat, call.upheld) for call in found.calls] == [(A, False), (D, True)]
    one_by_one = ask("6-6 3", first, second._replace(together=False), ruleset="all-fives", seats=4, scorer=B)
    assert one_by_one.awarded == ({A: 15} if seconds is None else {D: 15})


def test_without_times_a_ruling_that_rests_on_them_says_so():
    assert Warn.TIME_UNKNOWN in ask("6 4", muggins(moment=Moment.AFTER_BELL)).warnings
    timed = ask("6 4", muggins(moment=Moment.AFTER_BELL, after=100), bell=80)
    assert (timed.awarded, timed.warnings) == ({B: 10}, ())
    assert [rule.id for rule in timed.rules][-1] == "udl.bell"


def test_just_before_the_bell_the_scorer_has_five_seconds():
    late = count(10, Moment.AFTER_BELL, after=20)
    assert ask("6 4", late, bell=30).awarded == {A: 10}
    assert ask("6 4", late, bell=31).awarded == {}
    early = ask("6 4", muggins(moment=Moment.AFTER_BELL, after=10), bell=30)
    assert (early.calls[0].why, early.may_announce) == (Why.PREMATURE, True)


def test_a_draw_counts_as_the_next_action_only_where_an_option_says_so():
    said = muggins(moment=Moment.AFTER_DRAW)
    assert ask("6 4", said).calls[0].why is Why.PREMATURE
    assert ask("6 4", said, options={"next_action_counts_draw": "true"}).awarded == {B: 10}


@pytest.mark.parametrize("ruleset", ["muggins", "double-six"])
def test_where_points_are_booked_by_themselves_there_is_no_call(ruleset):
    found = ask("6 4", muggins(), ruleset=ruleset)
    assert (found.owner, found.awarded) == (Owner.SCORER, {A: 10})
    assert [(call.upheld, call.why) for call in found.calls] == [(False, None)]
    assert found.rules[-1].text == "There is no muggins call."


# ---- wrong questions name their field


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ("", "Say what lay open: pips, and doubles as 6-6."),
        ("5", "One end alone lies open only at a single double: write every end, a blank as 0."),
        ("7 3", "7 is no open end: write pips from 0 to 6, and a double as 6-6."),
        ("6-5 3", "6-5 is a tile with two halves: write only the half that lies open."),
        ("6-6 6-6", "There is only one 6-6 in the set."),
        ("1 2 3 4 5", "Under these rules at most 4 ends lie open."),
        (" ".join("1" * 17), "No table has more than 16 open ends."),
    ],
)
def test_ends_that_cannot_be_say_why(ends, message):
    refused_ends(ends, message, "udl")


@pytest.mark.parametrize(
    ("ends", "message"),
    [
        ("3 3 3 3 3 3 3", "Only 6 tiles have a single 3."),
        ("6 6 6 6 6 6 5 5 5 5 5 5", "No tiles of one set can leave these ends open."),
    ],
)
def test_ends_that_no_set_leaves_open_say_why(ends, message):
    refused_ends(ends, message, "double-six")


def refused_ends(ends, message, ruleset):
    with pytest.raises(QuestionError) as error:
        ask(ends, ruleset=ruleset)
    assert (error.value.field, str(error.value)) == ("ends", message)


CALL = muggins(moment=Moment.BEFORE_NEXT, after=5)
THREE = {"ruleset": "all-fives", "seats": 3}


@pytest.mark.parametrize(
    ("said", "more", "field"),
    [
        ([muggins(A)], {}, "said.0.seat"),
        ([muggins(C)], {}, "said.0.seat"),
        ([count(10, seat=B)], {}, "said.0.seat"),
        ([count(-1)], {}, "said.0.points"),
        ([muggins(moment=Moment.WITH_TILE)], {}, "said.0.when"),
        ([muggins(), count(10, Moment.BEFORE_NEXT)], {}, "said.1.when"),
        ([muggins(), muggins(moment=Moment.HANDS_SHOWN)], {}, "said.1.when"),
        ([muggins(after=6001)], {}, "said.0.seconds"),
        ([muggins(moment=Moment.BEFORE_NEXT, after=20), muggins(after=10)], {}, "said.1.seconds"),
        ([muggins(together=True)], {}, "said.0.together"),
        ([count(10), muggins(together=True)], {}, "said.1.together"),
        ([muggins()], {"bell": 10}, "bell_s"),
        ([muggins(moment=Moment.BEFORE_NEXT, after=5), muggins(moment=Moment.AFTER_BELL)], {}, "bell_s"),
        ([muggins(moment=Moment.AFTER_BELL)], {"bell": 6001}, "bell_s"),
        ([], {"seats": 3}, "seats"),
        ([], {"scorer": 2}, "scorer"),
        ([], {"ruleset": "all-fives", "reached": Moment.AFTER_BELL}, "reached"),
        ([muggins()], {"reached": Moment.SETTLED}, "reached"),
        ([muggins(moment=Moment.BEFORE_NEXT, after=20)], {"reached": Moment.AFTER_BELL, "bell": 10}, "said.0.seconds"),
        ([CALL, CALL._replace(seat=C, after=None, together=True)], THREE, "said.1.seconds"),
        ([CALL, CALL._replace(seat=C, after=6, together=True)], THREE, "said.1.seconds"),
    ],
)
def test_what_was_said_in_no_possible_way_names_the_field(said, more, field):
    with pytest.raises(QuestionError) as error:
        ask("6 4", *said, **more)
    assert error.value.field == field


def test_a_board_that_cannot_be_says_which_tile():
    def board(*names):
        tiles = tuple(
            Joined(DOUBLE_SIX.tile(name), DOUBLE_SIX.tile(on) if on else None)
            for name, _, on in (name.partition("@") for name in names)
        )
        return answer(Question(rules=get("udl"), board=tiles))

    assert board("6-6", "6-3@6-6").terms == (6, 6, 3)
    for names, message in (
        (["6-6", "6-6@6-6"], "6-6 is on the table already."),
        (["6-6", "5-4@6-6"], "5-4 fits no open end."),
        (["6-5", "5-6@6-5"], "6-5 is on the table already."),
        (["6-5", "6-1@6-5", "5-1"], "Say which tile 5-1 was joined to."),
        (["6-5", "6-1@6-5", "5-4@6-1"], "5-4 does not fit an open end of 6-1."),
    ):
        with pytest.raises(QuestionError) as error:
            board(*names)
        assert (error.value.field, str(error.value)) == ("board", message)


# ---- what lies open on real tables can be asked about


@pytest.mark.parametrize("ruleset", ["udl", "muggins", "all-fives", "double-six"])
def test_every_position_of_random_games_can_be_told_by_its_ends(ruleset):
    """The tiles found for the ends leave the same sum open."""
    spinner, told_by = get(ruleset).spinner, Counter()
    for seed in range(25):
        layout = Layout(DOUBLE_SIX, spinner)
        for entry in playout(ruleset, rng=Random(seed)).log.entries:
            if isinstance(entry.event, RoundStart):
                layout = Layout(DOUBLE_SIX, spinner)
            elif isinstance(entry.event, Play):
                layout.place(entry.event.tile.index, entry.event.on.index if entry.event.on else None)
                # The uncovered ends of a spinner add nothing, and nobody tells them.
                ends = tuple(ToldEnd(one.face.index, one.tile.double) for one in layout.open_places() if one.terms)
                if ends:
                    laid = lay_out(ends, spinner)
                    assert sorted(layout_of(laid, spinner).terms()) == sorted(layout.terms())
                    told_by[len(ends)] += 1
    assert sum(told_by.values()) > 900, told_by
    assert max(told_by) in {Spinner.NONE: (2,), Spinner.FIRST: (3, 4), Spinner.ALL: (7, 8, 9, 10)}[spinner]


def test_nine_ends_of_double_six():
    ends = read_ends("4 4-4 2 4 2-2 1 3 5 5")
    layout = layout_of(lay_out(ends, Spinner.ALL), Spinner.ALL)
    assert sum(layout.terms()) == 36


# ---- the answer is the verdict


def plays_of(log):
    """Every play of a log: its place among the entries, and the tiles of its round up to it."""
    board = []
    for place, entry in enumerate(log.entries):
        if isinstance(entry.event, RoundStart):
            board = []
        elif isinstance(entry.event, Play):
            board.append(Joined(entry.event.tile, entry.event.on))
            yield place, tuple(board)


def what_followed(log, place):
    """The entries after a play that move the windows on, with the moment each of them reaches."""
    turns, found = 0, []
    for entry in log.entries[place + 1 :]:
        event = entry.event
        if isinstance(event, Play | Pass) and turns < 2:
            turns += 1
            found.append((entry, (Moment.AFTER_NEXT, Moment.AFTER_SECOND)[turns - 1]))
        elif isinstance(event, Draw) and turns == 0:
            found.append((entry, Moment.AFTER_DRAW))
        elif isinstance(event, Show) and all(moment is Moment.HANDS_SHOWN for _, moment in found):
            found.append((entry, Moment.HANDS_SHOWN))
        elif isinstance(event, Settled) and found and found[-1][1] is Moment.HANDS_SHOWN:
            found.append((entry, Moment.SETTLED))
        elif not isinstance(event, Call):
            break
    return found


def remarks(rng, moment, seats, scorer, released, until):
    """What is said in one stretch of time, at random: entries, and the same as a question tells it."""
    entries, said = [], []
    times = sorted(rng.randint(released, until) for _ in range(3)) if released is not None else [None] * 3
    for at in times[: rng.choice((0, 0, 1, 1, 2, 3))]:
        after = None if at is None else at - released
        if rng.random() < 0.4:
            number = rng.choice((5, 10, 15, 20))
            entries.append(Entry(0, at, Call(scorer, Said.COUNT, number)))
            said.append(Spoken(scorer, Said.COUNT, moment, number, after))
        else:
            seat = rng.choice([seat for seat in range(seats) if seat != scorer])
            entries.append(Entry(0, at, Call(seat, Said.MUGGINS)))
            said.append(Spoken(seat, Said.MUGGINS, moment, None, after))
    return entries, said


def random_case(ruleset, seed):
    """A play-out cut after a play, with random things said about it: the log and the question that say the same."""
    rng = Random(seed)
    seats = rng.choice(range(get(ruleset).seats[0], get(ruleset).seats[1] + 1))
    habits = Habits(timed=rng.random() < 0.5, miss=0.3, slip=0.1, seconds=4.0)
    log = loads(dumps(playout(ruleset, seats=NAMES[:seats], rng=rng, habits=habits).log))[0]
    options = {"muggins": rng.choice(("after_next", "before_next")), "announce": "manual", "target": "100000"}
    options |= {
        "next_action_counts_draw": rng.choice(("true", "false")),
        "overclaim": rng.choice(("correct", "foster")),
    }
    options |= {"clock_s": "80000"} if get(ruleset).clock_s else {}
    rules = get(ruleset).with_options(options)
    place, board = rng.choice(list(plays_of(log)))
    made = log.entries[place]
    scorer, released = made.event.seat, made.at
    entries = [entry for entry in log.entries[:place] if not isinstance(entry.event, Bell)]
    call = rng.choice((None, None, 5, 10, 20))
    entries.append(Entry(0, made.at, replace(made.event, call=call)))
    said = [] if call is None else [Spoken(scorer, Said.COUNT, Moment.WITH_TILE, call)]
    moment = Moment.BEFORE_NEXT
    followed = what_followed(log, place)[: rng.randint(0, 4)]
    reached = None
    for entry, reaching in [*followed, (None, None)]:
        until = entry.at if entry and entry.at is not None else (released or 0) + 40
        last = max((one.at for one in entries if one.at is not None), default=0)
        low = None if released is None else max(last, released)
        new, told_now = remarks(rng, moment, seats, scorer, low, max(until, low or 0))
        told_now = [one._replace(after=None if low is None else one.after + low - released) for one in told_now]
        entries += new
        said += told_now
        if entry is not None:
            entries.append(entry)
            moment = reaching or moment
            reached = reaching or reached
    tags = log.tags | {f"Option.{key}": value for key, value in options.items()}
    tags.pop("Result", None)
    case = loads(dumps(GameLog(tags, entries)))[0]
    question = Question(rules=rules, board=board, seats=seats, scorer=scorer, said=tuple(said), reached=reached)
    return case, place - sum(isinstance(e.event, Bell) for e in log.entries[:place]), question


@pytest.mark.slow("random claims")
@pytest.mark.parametrize("ruleset", ["udl", "muggins", "all-fives", "double-six"])
def test_for_random_claims_the_answer_is_the_verdict_on_the_play(ruleset):
    owners, compared = Counter(), 0
    cases = seeds(300, least=150)
    for seed in cases:
        log, place, question = random_case(ruleset, seed)
        verdict = verify(log)
        line = log.entries[place].line
        play = next(one for one in verdict.plays if one.line == line)
        found = answer(question)
        assert (found.count, found.worth) == (play.count, play.worth), seed
        assert found.awarded == play.awarded, (seed, question.said, dumps(log), found.notation)
        calls = [
            one for one in log.entries[place + 1 :] if isinstance(one.event, Call) and one.event.said is Said.MUGGINS
        ]
        rulings = {ruling.line: ruling for ruling in verdict.rulings}
        about = [rulings[call.line] for call in calls]
        here = [(one.claimant, one.upheld and one.play == line, one.points * (one.play == line)) for one in about]
        assert [(one.seat, one.upheld, one.points) for one in found.calls] == here, (seed, dumps(log))
        owners[found.owner] += 1
        compared += len(calls)
    assert compared > len(cases) / 3
    assert min(owners[owner] for owner in (Owner.SCORER, Owner.CALLER, Owner.NOBODY)) > len(cases) / 60, owners
