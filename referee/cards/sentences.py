"""Sentences of findings on cards and tallies, by name.

`referee.sentences` includes them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CARD_SENTENCES: Final[Mapping[str, str]] = {
    # unreadable cards
    "card-not-a-card": 'a card is an object with "scores", not %(given)s',
    "card-nested": "the JSON is nested deeper than any card",
    "card-unknown-field": "%(field)s is no field of a card; the fields are %(known)s",
    "card-missing": "%(field)s is missing",
    "card-numbers": "%(field)s needs %(seats)s whole numbers from 0 to %(most)s, one for each seat, not %(given)s",
    "card-number": "%(field)s is a whole number from 0 to %(most)s, not %(given)s",
    "card-word": "%(field)s is one of %(known)s, not %(given)s",
    "card-seat": "%(field)s is a seat from 0 to %(last)s, not %(given)s",
    "card-tile": "%(field)s is a tile such as 6-6, or none, not %(given)s",
    "card-time": "%(field)s is a time such as 19:05, not %(given)s",
    "card-list": "%(field)s is a list, not %(given)s",
    "card-object": "%(field)s is an object with fields, not %(given)s",
    "card-too-many": "%(field)s has %(count)s lines, and at most %(most)s are read",
    "card-seats": "this game is not for %(seats)s players",
    "tally-order": "the taps are numbered from 1 without a gap; this one should be %(due)s, not %(given)s",
    "tally-undo": "this undoes tap %(given)s, which does not come before it",
    # cards
    "card-not-fives": "%(seat)s has %(points)s: points come in multiples of %(step)s here",
    "card-round-too-much": "%(seat)s has %(points)s points: one round gives a player at most %(most)s",
    "card-round-too-much-together": "the plays of this round make %(points)s points: all of them give at most %(most)s",
    "card-round-too-much-bonus": "%(seat)s has %(points)s round-end points: the tiles left give at most %(most)s",
    "card-no-play-points": "a play scores nothing in this game, %(seat)s has %(points)s points in play",
    "card-no-muggins": "there is no muggins in this game, %(seat)s has %(points)s points from it",
    "card-no-spinner": "this game has no spinner, %(spinner)s is written",
    "card-not-a-double": "a spinner is a double, or none: %(spinner)s is not",
    "card-wrong-lead": "the highest double is led, so there is a spinner in this round",
    "card-wrong-lead-low": "the highest double is led, and only %(left)s tiles are not dealt: "
    "the spinner can't be %(spinner)s",
    "card-over-before": "%(seat)s had %(points)s after this round: the game was over, and more rounds are written",
    "card-over-before-bell": "the bell ended the game in this round at %(scores)s, and more rounds are written",
    "card-void-points": "%(seat)s had %(points)s before the end of the round: the game was over, "
    "round-end points are void",
    "card-void-points-overtime": "in overtime the first points win: there are no round-end points after points in play",
    "card-two-at-target": "%(scores)s: the first player with %(target)s wins at once, so two can't have it",
    "card-too-far": "%(seat)s has %(points)s: from below %(target)s no single award goes further than %(most)s; "
    "a penalty that did it must be written",
    "card-too-far-round": "%(seat)s has %(points)s: from below %(target)s no round goes further than %(most)s; "
    "a penalty that did it must be written",
    "card-too-far-overtime": "%(scores)s: the first award of an overtime wins, and none gives more than %(most)s",
    "card-too-far-cap": "%(seat)s has %(points)s: no score is written above %(target)s here",
    "card-level": "%(scores)s: the score is level, so the game is not over",
    "card-no-clock": "this game is played without a clock: no bell ends it",
    "card-no-chips": "this game is played without chips",
    "card-no-bonus": "the bell cut this round: it has no round-end points, %(seat)s has %(points)s",
    "card-wrong-pips": "%(points)s pips are left: the set has %(most)s",
    "card-wrong-pips-tiles": "%(points)s tiles are left: at most %(most)s can be",
    "card-wrong-pips-few": "%(seat)s can't hold %(points)s pips on %(tiles)s tiles",
    "card-wrong-pips-out": "%(seat)s played the last tile and has %(points)s left",
    "card-wrong-pips-nobody": "somebody played the last tile, but every hand has something left",
    "card-wrong-pips-blocked": "the round is blocked, but %(seat)s has no tile left",
    "card-wrong-total": "%(seat)s: the points of this round make %(due)s, not %(points)s",
    "card-wrong-total-least": "%(seat)s: the points of this round make at least %(due)s, not %(points)s",
    "card-wrong-total-most": "%(seat)s: this round can't make more than %(due)s of it, %(points)s is written",
    "card-wrong-score": "%(seat)s: the rounds make %(due)s, the final score is %(points)s",
    "card-wrong-score-least": "%(seat)s: the rounds make at least %(due)s, the final score is %(points)s",
    "card-wrong-score-most": "%(seat)s: so many rounds can't make more than %(due)s, the final score is %(points)s",
    "card-wrong-winner": "%(scores)s: %(leader)s has more points, but %(winner)s is written as the winner",
    "card-wrong-end-target": "%(scores)s: nobody has reached the target, %(target)s",
    "card-wrong-end-bell": "%(scores)s: the target, %(target)s, is reached, so the game did not end at the bell",
    "card-wrong-end-overtime": "%(scores)s: the target, %(target)s, is reached, so the game did not end in overtime",
    "card-wrong-end-after-bell": "rounds were played after the bell, so the game did not end at the bell",
    "card-not-over": "%(scores)s: nobody has reached the target, %(target)s, so the game is not over",
    "card-wrong-clock-over": "the clock shows %(shown)s, and the bell rang at %(bell)s",
    "card-wrong-clock-early": "the clock shows %(shown)s, but the bell rings at %(bell)s",
    "card-wrong-clock-hours": "from %(started)s to %(stopped)s the clock can't have run %(shown)s",
    "card-wrong-clock-bell": "from %(started)s to %(stopped)s is less than %(bell)s: the bell can't have rung",
    "card-wrong-clock-backwards": "the game stopped at %(stopped)s, before it started at %(started)s",
    "card-wrong-chips": "at %(scores)s the chips left are %(due)s, not %(chips)s",
    "card-wrong-bonus": "with %(left)s left the round-end points of %(seat)s are %(due)s, not %(points)s",
    "card-bonus-of-loser": "%(seat)s has %(points)s round-end points and did not win the round",
    "card-bonus-of-several": "only the winner of a round has round-end points",
    "card-wrong-round-winner": "%(seat)s did not win this round: %(left)s are left",
    "card-wrong-forfeit": "a forfeited game is written %(due)s, not %(scores)s",
    "card-wrong-forfeit-winner": "%(seat)s forfeited at %(scores)s and can't be the winner",
    "card-rare-lead": "no double was led or played in this round: that is so in at most 1 of %(odds)s rounds",
    "card-long-game": "from %(started)s to %(stopped)s is longer than the clock of %(bell)s, unless it was stopped",
    # tallies
    "card-tap-not-fives": "tap %(tap)s: %(seat)s has %(points)s; points come in multiples of %(step)s here",
    "card-tap-no-muggins": "tap %(tap)s: there is no muggins in this game",
    "card-tap-no-play-points": "tap %(tap)s: a play scores nothing in this game",
    "card-award-too-big": "tap %(tap)s: %(points)s points for one play, and no play gives more than %(most)s",
    "card-award-too-big-bonus": "tap %(tap)s: %(points)s round-end points, and the tiles left give at most %(most)s",
    "card-after-end": "tap %(tap)s: the game was over at %(scores)s",
    "card-after-end-bell": "tap %(tap)s: after the bell only the last play counts, which gives at most %(most)s",
    "card-clock-backwards": "tap %(tap)s: the clock shows %(now)s, after %(before)s",
    "card-missing-spinner": "tap %(tap)s: the round ended without a word on its spinner",
}
