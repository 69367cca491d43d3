"""Texts of the score pad's script, in the reader's language.

The script fills `%(name)s`.
"""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.ruleset import Matching, Ruleset
from games.settlement import terms


def unit_left(rules: Ruleset) -> Any:
    """Return the unit of the hands counted at the end of a round."""
    if terms(rules)["domino"]["tiles"]:
        return pgettext("tally pad", "tiles left")
    if rules.matching is Matching.MARKINGS:
        return pgettext("tally pad", "points left")
    return pgettext("tally pad", "pips left")


def words() -> dict[str, Any]:
    return {
        "open": pgettext("tally pad", "+%(points)s, not final"),
        "chips": pgettext("tally pad", "%(count)s chips left"),
        "round": pgettext("tally pad", "Hand %(number)s"),
        "nothing": pgettext("tally pad", "nothing yet"),
        "nobody": pgettext("tally pad", "nobody"),
        "how": pgettext("tally pad", "How did hand %(number)s end?"),
        "gives": pgettext("tally pad", "%(points)s points for %(name)s"),
        "reached": pgettext("tally pad", "%(name)s has %(score)s. Is the game over?"),
        "keeper": pgettext("tally pad", "%(name)s is scoring since %(since)s."),
        "score_said": pgettext("tally pad", "%(first)s %(own)s, %(second)s %(other)s. Hand %(round)s."),
        "time_said": pgettext("tally pad", "The clock shows %(time)s."),
        "mine": pgettext("tally pad", "Not taken, safe on this phone: %(taps)s"),
        "take_over": pgettext("tally pad", "Take over"),
        "take_over_with": pgettext("tally pad", "Take over, add mine"),
        "set_aside": pgettext("tally pad", "set aside when the tally was taken over"),
        "all_sent": pgettext("tally pad", "All sent"),
        "unsent": pgettext("tally pad", "%(count)s unsent, safe on this phone"),
        "offline": pgettext("tally pad", "Offline since %(since)s"),
        "safe": pgettext("tally pad", "taps are kept on this phone"),
        "sign_in": pgettext("tally pad", "sign in to send"),
        "desk": pgettext("tally pad", "needs the desk:"),
        "gone": pgettext("tally pad", "needs the desk: this match is not here any more."),
        "full": pgettext("tally pad", "THE LAST TAP WAS NOT KEPT: this phone has no room. Write on paper."),
        "aside": pgettext("tally pad", "%(count)s set aside, tell the desk"),
        "not_handed_in": pgettext("tally pad", "%(result)s Not submitted."),
        "handing": pgettext("tally pad", "%(result)s Submitting …"),
        "hands_in_later": pgettext("tally pad", "%(result)s It will be submitted as soon as there is a network."),
        "handed_in": pgettext("tally pad", "%(result)s Submitted."),
        "said": pgettext("pad", "%(result)s."),
        "yes": pgettext("pad", "it is right"),
        "again": pgettext("pad", "tap again to confirm"),
        "agrees": pgettext("pad", "agrees"),
        "word_yes": pgettext("pad", "%(name)s confirms"),
        "word_no": pgettext("pad", "%(name)s disagrees"),
        "confirm": pgettext("pad", "Confirm"),
        "review": pgettext("pad", "Put it under review"),
        "whole": pgettext("pad", "the result"),
        "not_heard": pgettext("pad", "No network: say it again later, here or on your own phone."),
        "taps": {
            "points": pgettext("tally pad", "%(name)s +%(points)s"),
            "muggins": pgettext("tally pad", "muggins %(name)s +%(points)s"),
            "penalty": pgettext("tally pad", "penalty, %(name)s +%(points)s"),
            "round_end": pgettext("tally pad", "end of hand, %(name)s +%(points)s"),
            "undo": pgettext("tally pad", "taken back"),
            "bell": pgettext("tally pad", "the bell"),
            "end": pgettext("tally pad", "end of the game"),
            "take_over": pgettext("tally pad", "taken over"),
        },
        "ruled": pgettext("tally pad", "Ruled by %(by)s: %(tap)s"),
        "results": {
            "target": _("%(winner)s beat %(loser)s %(own)s–%(other)s, by the target."),
            "bell": _("%(winner)s beat %(loser)s %(own)s–%(other)s, at the bell."),
            "overtime": _("%(winner)s beat %(loser)s %(own)s–%(other)s, in overtime."),
            "forfeit": _("%(winner)s beat %(loser)s %(own)s–%(other)s, by forfeit."),
        },
        "clock": {
            "not-started": pgettext("clock of the tally pad", "Start"),
            "running": pgettext("clock of the tally pad", "Pause"),
            "paused": pgettext("clock of the tally pad", "Go on"),
        },
    }
