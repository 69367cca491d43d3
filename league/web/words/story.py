"""Sentences of a match's story: facts of its result, in words that suit a player and a pair. Pure."""

from django.utils.translation import npgettext, pgettext

from league.web.words.games.replay import apart


def led_throughout(name: str) -> str:
    return pgettext("story", "%(name)s led from the first points on.") % {"name": apart(name)}


def led_by_play(name: str, hand: int, points: int, tile: str) -> str:
    told = npgettext(
        "story",
        "%(name)s took the lead for good in hand %(hand)s, with %(points)s point for %(tile)s.",
        "%(name)s took the lead for good in hand %(hand)s, with %(points)s points for %(tile)s.",
        points,
    )
    return told % {"name": apart(name), "hand": hand, "points": points, "tile": tile}


def led_by_muggins(name: str, hand: int, points: int) -> str:
    told = npgettext(
        "story",
        "%(name)s took the lead for good in hand %(hand)s, with %(points)s point by muggins.",
        "%(name)s took the lead for good in hand %(hand)s, with %(points)s points by muggins.",
        points,
    )
    return told % {"name": apart(name), "hand": hand, "points": points}


def led_by_hand_end(name: str, hand: int, points: int) -> str:
    told = npgettext(
        "story",
        "%(name)s took the lead for good with the %(points)s point at the end of hand %(hand)s.",
        "%(name)s took the lead for good with the %(points)s points at the end of hand %(hand)s.",
        points,
    )
    return told % {"name": apart(name), "hand": hand, "points": points}


def led_since(name: str, hand: int) -> str:
    told = pgettext("story", "%(name)s took the lead for good in hand %(hand)s.")
    return told % {"name": apart(name), "hand": hand}


def was_behind(name: str, points: int) -> str:
    told = npgettext(
        "story", "%(name)s had been %(points)s point behind.", "%(name)s had been %(points)s points behind.", points
    )
    return told % {"name": apart(name), "points": points}


def decided_by_muggins(name: str, points: int, margin: int) -> str:
    told = npgettext(
        "story",
        "Muggins gave %(name)s %(points)s point, more than the margin of %(margin)s.",
        "Muggins gave %(name)s %(points)s points, more than the margin of %(margin)s.",
        points,
    )
    return told % {"name": apart(name), "points": points, "margin": margin}


def ended_by_bell(hand: int) -> str:
    return pgettext("story", "The bell ended the game in hand %(hand)s.") % {"hand": hand}


def ended_in_overtime(hand: int) -> str:
    return pgettext("story", "The game ended in overtime, in hand %(hand)s.") % {"hand": hand}


# --- By hands: the plays are not known ---


def led_after_every_hand(name: str) -> str:
    return pgettext("story", "%(name)s led after every hand.") % {"name": apart(name)}


def led_after_hand(name: str, hand: int) -> str:
    told = pgettext("story", "%(name)s led after hand %(hand)s and after every later one.")
    return told % {"name": apart(name), "hand": hand}


def led_after_last_hand(name: str, hand: int) -> str:
    told = pgettext("story", "%(name)s took the lead with the last hand, number %(hand)s.")
    return told % {"name": apart(name), "hand": hand}


def largest_hand(name: str, hand: int, points: int) -> str:
    told = npgettext(
        "story",
        "The largest hand: %(points)s point for %(name)s, in hand %(hand)s.",
        "The largest hand: %(points)s points for %(name)s, in hand %(hand)s.",
        points,
    )
    return told % {"name": apart(name), "hand": hand, "points": points}


# --- By the score alone ---


def margin_only(name: str, points: int) -> str:
    told = npgettext("story", "%(name)s won by %(points)s point.", "%(name)s won by %(points)s points.", points)
    return told % {"name": apart(name), "points": points}


def last_game_decided(number: int, score: str) -> str:
    told = pgettext("story", "The last game, number %(number)s, decided the match: %(score)s.")
    return told % {"number": number, "score": score}


def lost_first_games(name: str, count: int) -> str:
    told = npgettext(
        "story",
        "%(name)s lost the first game and won the match.",
        "%(name)s lost the first %(count)s games and won the match.",
        count,
    )
    return told % {"name": apart(name), "count": count}
