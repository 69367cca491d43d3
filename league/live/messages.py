"""Messages of changes: public facts, read by the code of the pages as an outsider sees them.

A change of which an outsider sees nothing has no message: not even its time gets out (A-17).
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q
from django.template.loader import render_to_string
from django.utils import timezone, translation

from league.competitions.models import Competition
from league.competitions.visibility import addressed_competitions
from league.live.log import Changed
from league.live.models import LiveChange
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, match_lines
from league.matches.visibility import visible_matches

OUTSIDER = AnonymousUser()
MOST_REMEMBERED = 4096
SITE = "site"

Messages = dict[str, list[dict[str, object]]]
"""By topic: `site`, `match:7`, `competition:5`, `league:3`, `hall:3`."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The public state of a match: the words of its running score by language, a fingerprint of all else."""

    tally: Mapping[str, str]
    stands: str


class Messenger:
    """Makes the messages of changes. It remembers what was said last of a match, so as to say nothing twice."""

    def __init__(self) -> None:
        self.said: dict[int, PublicState | None] = {}

    def messages_of(self, changes: Sequence[Changed]) -> Messages:
        """Return the messages of these changes. At most eight statements."""
        found: Messages = {}
        clocks = {one.match_id for one in changes if one.clock}
        of_matches = list(dict.fromkeys(one.match_id for one in changes if one.match_id is not None))
        places = _places_of(of_matches)
        seen = _public_states(of_matches)
        competitions = _public_competitions(changes)
        for match in of_matches:
            told = self._news(match, seen.get(match), clock=match in clocks)
            for topic in places.get(match, ()) if told else ():
                found.setdefault(topic, []).append(told)
        for competition, league in competitions:
            for topic in (f"competition:{competition}", f"league:{league}", f"hall:{league}", SITE):
                found.setdefault(topic, []).append({"competition": competition})
        return found

    def repeated(self, matches: Iterable[int]) -> list[dict[str, object]] | None:
        """Return the last words on these matches; None if there are none of one of them."""
        if not all(match in self.said for match in matches):
            return None
        states = [(match, self.said[match]) for match in matches]
        return [{"match": match, "tally": now.tally, "more": True} for match, now in states if now]

    def _news(self, match: int, now: PublicState | None, *, clock: bool) -> dict[str, object]:
        before = self.said.get(match)
        if len(self.said) >= MOST_REMEMBERED:
            self.said.clear()
        self.said[match] = now
        if now is None:
            return {"match": match, "tally": {}, "more": True} if before else {}
        more = before is None or before.stands != now.stands
        if not more and not clock and before.tally == now.tally:
            return {}
        return {"match": match, "tally": now.tally, "more": more} | ({"clock": True} if clock else {})


def as_text(messages: Iterable[dict[str, object]]) -> str:
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def has_changed(topic: str, since: datetime) -> bool:
    """Return whether anything changed that may concern the topic, and was public ever. One statement."""
    kind, _colon, key = topic.partition(":")
    if kind == "match":
        concerned = Q(match_id=key)
    elif kind == "competition":
        concerned = Q(competition_id=key) | Q(
            match_id__in=Match.objects.filter(slot__matchday__stage__competition=key).values("pk")
        )
    elif kind == SITE:
        concerned = Q()
    else:
        matches, competitions = (rows.filter(league=key).values("pk") for rows in (Match.objects, Competition.objects))
        concerned = Q(match_id__in=matches) | Q(competition_id__in=competitions)
    return LiveChange.objects.filter(concerned, ~Exists(DRAFTS), ~Exists(NEVER_PUBLIC), at__gte=since).exists()


# A reopened competition has cards of its former draw.
EVER_PUBLIC = Q(published_at__isnull=False) | Q(former_cards__isnull=False)
# Reopening hides matches too; the change of their competition tells it.
DRAFTS = Match.objects.filter(pk=OuterRef("match_id"), published_at=None, set_aside_at=None)
NEVER_PUBLIC = Competition.objects.filter(~EVER_PUBLIC, pk=OuterRef("competition_id"))


def of_topic(changes: Iterable[Changed], topic: str) -> set[int] | None:
    """Return the changed matches of a topic; None if a competition changed that was public ever. Two statements."""
    changes = list(changes)
    asked = {one.competition_id for one in changes if one.competition_id is not None}
    if asked and Competition.objects.filter(EVER_PUBLIC, pk__in=asked).exists():
        return None
    places = _places_of([one.match_id for one in changes if one.match_id])
    return {match for match, topics in places.items() if topic in topics}


def _places_of(matches: Sequence[int]) -> dict[int, list[str]]:
    """Return the topics of each match. One statement."""
    rows = Match.objects.filter(pk__in=matches).values_list("pk", "league", "slot__matchday__stage__competition")
    found = {}
    for match, league, competition in rows:
        found[match] = [f"match:{match}", f"league:{league}", f"hall:{league}", SITE]
        found[match] += [f"competition:{competition}"] if competition else []
    return found


def _public_states(matches: Sequence[int]) -> dict[int, PublicState]:
    shown = list(visible_matches(OUTSIDER).filter(pk__in=matches, set_aside_at=None).select_related("league", "table"))
    calls = {one.pk: (one.called_at, one.here_at, one.on_hold) for one in shown}
    return {line.id: PublicState(tally_of(line), _stands(line, calls[line.id])) for line in match_lines(shown)}


def tally_of(line: MatchLine) -> dict[str, str]:
    """Return the running score in the words of the pages, by language; empty without one."""
    return {code: _said_in(code, line) for code, _name in settings.LANGUAGES} if line.live else {}


def _said_in(code: str, line: MatchLine) -> str:
    with translation.override(code), timezone.override(line.time_zone):
        return render_to_string("components/live_score.html", {"line": line})


def _stands(line: MatchLine, called: object) -> str:
    sides = [(side.entrant_id, side.score, side.points, side.won) for side in line.sides]
    known = [(game.number, game.known, game.outcome, game.contested, game.amended) for game in line.games]
    facts = (line.state, line.table, line.starts_at, line.checking, line.contested, line.needs_decision, line.void)
    return sha256(repr((facts, line.no_result, sides, known, called)).encode()).hexdigest()[:16]


def _public_competitions(changes: Iterable[Changed]) -> list[tuple[int, int]]:
    """Return the keys of those that outsiders see, each with its league. One statement, none without any."""
    asked = {one.competition_id for one in changes if one.competition_id is not None}
    return list(addressed_competitions(OUTSIDER).filter(pk__in=asked).values_list("pk", "league")) if asked else []
