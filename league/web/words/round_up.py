"""Sentences of a round-up: standings, surprise, closest match, best hand and play, muggins. Pure."""

from collections.abc import Sequence

from django.utils.translation import npgettext, pgettext

from league.web.words.games.replay import apart


def leads(name: str, round_name: str) -> str:
    told = pgettext("round-up", "%(name)s leads the standings after %(round)s.")
    return told % {"name": apart(name), "round": round_name}


def leads_by(name: str, round_name: str, second: str, column: object, one: str, other: str) -> str:
    told = pgettext(
        "round-up",
        "%(name)s leads the standings after %(round)s, ahead of %(second)s (%(column)s: %(one)s and %(other)s).",
    )
    facts = {"name": apart(name), "round": round_name, "second": apart(second)}
    return told % {**facts, "column": column, "one": one, "other": other}


def leads_by_direct_encounter(name: str, round_name: str, second: str) -> str:
    told = pgettext(
        "round-up", "%(name)s leads the standings after %(round)s, ahead of %(second)s by the direct encounter."
    )
    return told % {"name": apart(name), "round": round_name, "second": apart(second)}


def lead_shared(names: Sequence[str], round_name: str) -> str:
    told = pgettext("round-up", "Level at the top after %(round)s: %(names)s.")
    return told % {"round": round_name, "names": ", ".join(map(apart, names))}


def final_won(name: str, other: str, score: str) -> str:
    told = pgettext("round-up", "%(name)s won the final against %(other)s, %(score)s.")
    return told % {"name": apart(name), "other": apart(other), "score": score}


def surprise(name: str, rating: int, other: str, other_rating: int) -> str:
    told = pgettext("round-up", "A surprise: %(name)s, rated %(rating)s, beat %(other)s, rated %(other_rating)s.")
    return told % {"name": apart(name), "rating": rating, "other": apart(other), "other_rating": other_rating}


def closest(name: str, other: str, score: str) -> str:
    told = pgettext("round-up", "The closest match: %(name)s against %(other)s, %(score)s.")
    return told % {"name": apart(name), "other": apart(other), "score": score}


def closest_of_several(count: int, points: int) -> str:
    told = npgettext(
        "round-up",
        "The closest matches: %(count)s of them ended with a margin of %(points)s point.",
        "The closest matches: %(count)s of them ended with a margin of %(points)s points.",
        points,
    )
    return told % {"count": count, "points": points}


def best_play(name: str, points: int, tile: str, *, of_all: bool) -> str:
    told = (
        pgettext("round-up", "The best play: %(points)s for %(tile)s, by %(name)s.")
        if of_all
        else pgettext("round-up", "The best play in the games with a log: %(points)s for %(tile)s, by %(name)s.")
    )
    return told % {"name": apart(name), "points": points, "tile": tile}


def best_play_shared(points: int, count: int, *, of_all: bool) -> str:
    told = (
        pgettext("round-up", "The best play: %(points)s points, made %(count)s times.")
        if of_all
        else pgettext("round-up", "The best play in the games with a log: %(points)s points, made %(count)s times.")
    )
    return told % {"points": points, "count": count}


def best_hand(name: str, points: int, *, of_all: bool) -> str:
    told = (
        pgettext("round-up", "The best hand: %(points)s points, by %(name)s.")
        if of_all
        else pgettext("round-up", "The best hand in the games with known hands: %(points)s points, by %(name)s.")
    )
    return told % {"name": apart(name), "points": points}


def best_hand_shared(points: int, count: int, *, of_all: bool) -> str:
    told = (
        pgettext("round-up", "The best hand: %(points)s points, %(count)s times.")
        if of_all
        else pgettext("round-up", "The best hand in the games with known hands: %(points)s points, %(count)s times.")
    )
    return told % {"points": points, "count": count}


def muggins_taken(count: int) -> str:
    told = npgettext(
        "round-up",
        "In the games with a log muggins was taken once.",
        "In the games with a log muggins was taken %(count)s times.",
        count,
    )
    return told % {"count": count}


# --- On a picture: a name or a noun beside a number ---


def short_lead(name: str) -> str:
    return pgettext("round-up picture", "Leads: %(name)s") % {"name": name}


def short_lead_by(name: str, column: object, number: str) -> str:
    told = pgettext("round-up picture", "Leads: %(name)s (%(column)s: %(number)s)")
    return told % {"name": name, "column": column, "number": number}


def short_winner(name: str) -> str:
    return pgettext("round-up picture", "Wins the final: %(name)s") % {"name": name}


def short_surprise(name: str, other: str) -> str:
    return pgettext("round-up picture", "Surprise: %(name)s – %(other)s") % {"name": name, "other": other}


def short_closest(name: str, other: str) -> str:
    return pgettext("round-up picture", "Closest: %(name)s – %(other)s") % {"name": name, "other": other}


def short_play(name: str) -> str:
    return pgettext("round-up picture", "Best play: %(name)s") % {"name": name}


def short_hand(name: str) -> str:
    return pgettext("round-up picture", "Best hand: %(name)s") % {"name": name}


def short_muggins() -> str:
    return pgettext("round-up picture", "Muggins taken")
