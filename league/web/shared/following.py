"""Followed players, pairs and competitions: account rows or a signed cookie."""

from dataclasses import dataclass

from django.http import HttpRequest

from league.competitions import following
from league.competitions.following import MOST

COOKIE = "followed"


@dataclass(frozen=True, slots=True)
class FollowButton:
    """The follow button; `name`: the thing to follow, `on`: whether it is followed."""

    name: str
    on: bool


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
