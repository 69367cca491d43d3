"""Followed players, pairs and competitions: account rows or a signed cookie."""

from dataclasses import dataclass

from django.http import HttpRequest

from league.competitions import following
from league.competitions.following import MOST
from league.matches.models import Match
from league.matches.queries.lines import MatchLine

COOKIE = "followed"
TO_PLAY = (Match.State.SCHEDULED, Match.State.PLAYING)


@dataclass(frozen=True, slots=True)
class FollowButton:
    """The follow button; `name`: the thing to follow, `on`: whether it is followed.

    `who`: the name of a player or a pair among others on the page; empty on a page of its own.
    """

    name: str
    on: bool
    who: str = ""


def names_followed(request: HttpRequest) -> list[str]:
    """Return names followed by the account, and by this browser before the sign-in.

    One statement with an account, else none.
    """
    kept = request.get_signed_cookie(COOKIE, default="", salt=COOKIE)
    names = [name for name in kept.split(",") if name][:MOST]
    if request.user.is_authenticated:
        names = [*following.followed_by(request.user), *names]
    return list(dict.fromkeys(names))


def follow_button(request: HttpRequest, name: str) -> FollowButton:
    return FollowButton(name, name in names_followed(request))


def follow_buttons(request: HttpRequest, line: MatchLine) -> list[FollowButton]:
    """Return a button for each side of a match to come or in play; none afterwards. One statement at most."""
    if line.state not in TO_PLAY:
        return []
    followed = names_followed(request)
    sides = [(f"{'pair' if len(side.people) > 1 else 'player'}:{side.code}", side.name) for side in line.sides]
    return [FollowButton(name, name in followed, who) for name, who in sides]
