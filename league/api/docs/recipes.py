"""Recipes of the guide: shell commands with names of this site where it has them."""

import shlex
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.api.base.samples import SAMPLE_LOG
from league.competitions.queries.lists import competitions
from league.matches.queries.lists import games_to_submit
from league.matches.visibility import visible_matches


@dataclass(frozen=True, slots=True)
class Recipe:
    slug: str
    title: Any
    text: Any
    command: str


@dataclass(frozen=True, slots=True)
class Names:
    """Names used in the commands; placeholders if the site has none yet."""

    league: str = "harbour"
    competition: str = "autumn"
    match: int = 1
    game: str = "7KQ2M0ZX"


STAND_INS = Names()
ANYBODY = AnonymousUser()


def names_for(request: HttpRequest) -> Names:
    """Return the latest public competition, the first public match, and a game that waits for the asker's log.

    Public ones, because the commands carry no token; each only if it exists.
    """
    found = competitions(ANYBODY).first()
    match = visible_matches(ANYBODY).order_by("pk").first()
    mine = games_to_submit(request.user)[:1]
    return Names(
        league=found.league.slug if found else STAND_INS.league,
        competition=found.slug if found else STAND_INS.competition,
        match=match.pk if match else STAND_INS.match,
        game=mine[0].code if mine else STAND_INS.game,
    )


def recipes(request: HttpRequest) -> list[Recipe]:
    site, names = request.build_absolute_uri("/").rstrip("/"), names_for(request)

    def at(view: str, query: str = "", **given: object) -> str:
        return shlex.quote(f"{site}{reverse(f'api:{view}', kwargs=given)}{query}")

    return [
        Recipe(
            "today",
            _("Today's matches"),
            _("Of one league, in its own time zone. Nobody has to sign in for what is published."),
            f"curl -s {at('matches', f'?league={names.league}&day=today')}",
        ),
        Recipe(
            "standings",
            _("Standings"),
            _("Leave the parameter out, and results that wait for confirmation count too."),
            f"curl -s {at('standings', '?table=official', league=names.league, slug=names.competition)}",
        ),
        Recipe(
            "submit",
            _("Hand in a log"),
            _(
                "With a token that may submit logs, for a game that you play in or judge. 202 means that the log is "
                "kept and being checked: its address is in the header Location. The Idempotency-Key makes retries safe."
            ),
            f"curl -si -H \"Authorization: Bearer $TOKEN\" -H 'Idempotency-Key: {names.game}-1' "
            f"-H 'Content-Type: text/plain' --data-binary @game.domino {at('logs', code=names.game)}",
        ),
        Recipe(
            "verify",
            _("Verify a log"),
            _("The referee for any text; nothing is stored, and nobody has to sign in."),
            f"curl -s -H 'Content-Type: text/plain' --data-binary {shlex.quote(SAMPLE_LOG)} {at('verify')}",
        ),
        Recipe(
            "result",
            _("The result of a match"),
            _("One entry a game: the points, who won, and whether it is provisional or official."),
            f"curl -s {at('results', f'?match={names.match}')}",
        ),
    ]
