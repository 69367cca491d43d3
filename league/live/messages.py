"""Messages of changes: public facts, read by the code of the pages as an outsider sees them.

A change that an outsider can't see has no message: not even its time gets out (A-17). Only the desk of its league gets
the key of the match or competition.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
DESK = "desk"

Messages = dict[str, list[dict[str, object]]]
"""By topic: `site`, `match:7`, `competition:5`, `league:3`, `hall:3`, `desk:3`."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """The public state of a match: its running score in words, by language, and a fingerprint of the rest."""

    tally: Mapping[str, str]
    rest: str


class Messenger:
    """Makes the messages of changes. It keeps the last state of each match, and repeats none."""

    def __init__(self) -> None:
        self.last: dict[int, PublicState | None] = {}

    def messages_of(self, changes: Sequence[Changed]) -> Messages:
        """Return the messages of these changes. At most nine statements."""
        found: Messages = {}
        clocks = {change.match_id for change in changes if change.clock}
        matches = _keys(change.match_id for change in changes)
        public = {change.match_id for change in changes if not change.desk}
        places = _places_of(matches)
        states = _public_states([match for match in matches if match in public])
        for match, place in places.items():
            message = self._message(match, states.get(match), clock=match in clocks) if match in public else {}
            for topic in place.public if message else ():
                found.setdefault(topic, []).append(message)
            found.setdefault(place.desk, []).append(message or {"match": match})
        for topic, competition in _topics_of_competitions(changes):
            found.setdefault(topic, []).append({"competition": competition})
        return found

    def repeated(self, matches: Iterable[int]) -> list[dict[str, object]] | None:
        """Return the last messages of these matches; None if a match has none."""
        if not all(match in self.last for match in matches):
            return None
        states = [(match, self.last[match]) for match in matches]
        return [{"match": match, "tally": now.tally, "more": True} for match, now in states if now]

    def _message(self, match: int, now: PublicState | None, *, clock: bool) -> dict[str, object]:
        """Return the message of a change; empty if its public state is the last one."""
        before = self.last.get(match)
        if len(self.last) >= MOST_REMEMBERED:
            self.last.clear()
        self.last[match] = now
        if now is None:
            return {"match": match, "tally": {}, "more": True} if before else {}
        more = before is None or before.rest != now.rest
        if not more and not clock and before.tally == now.tally:
            return {}
        return {"match": match, "tally": now.tally, "more": more} | ({"clock": True} if clock else {})


def as_text(messages: Iterable[dict[str, object]]) -> str:
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def has_changed(topic: str, since: datetime) -> bool:
    """Return whether the topic changed since; outside of the desk only what was public once. One statement."""
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
    found = LiveChange.objects.filter(concerned, at__gte=since)
    if kind != DESK:
        found = found.filter(~Exists(DRAFTS), ~Exists(NEVER_PUBLIC), desk=False)
    return found.exists()


# A reopened competition has cards of its former draw.
EVER_PUBLIC = Q(published_at__isnull=False) | Q(former_cards__isnull=False)
# Reopening hides matches too; their competition has a change of its own.
DRAFTS = Match.objects.filter(pk=OuterRef("match_id"), published_at=None, set_aside_at=None)
NEVER_PUBLIC = Competition.objects.filter(~EVER_PUBLIC, pk=OuterRef("competition_id"))


def of_topic(changes: Iterable[Changed], topic: str) -> set[int] | None:
    """Return the changed matches of a topic; None if its pages have to look. Two statements.

    They have to after a change of a competition that was public once, and a desk after every change of its league.
    """
    kind, _colon, key = topic.partition(":")
    seen = [change for change in changes if kind == DESK or not change.desk]
    competitions = {change.competition_id for change in seen if change.competition_id is not None}
    wanted = Q(league=key) if kind == DESK else EVER_PUBLIC
    if competitions and Competition.objects.filter(wanted, pk__in=competitions).exists():
        return None
    places = _places_of(_keys(change.match_id for change in seen))
    if kind == DESK:
        return None if any(place.desk == topic for place in places.values()) else set()
    return {match for match, place in places.items() if topic in place.public}


@dataclass(frozen=True, slots=True)
class MatchTopics:
    """Topics of a match."""

    public: list[str]
    desk: str


def _keys(given: Iterable[int | None]) -> list[int]:
    return [key for key in dict.fromkeys(given) if key is not None]


def _places_of(matches: Sequence[int]) -> dict[int, MatchTopics]:
    """Return the topics of each match. One statement."""
    rows = Match.objects.filter(pk__in=matches).values_list("pk", "league", "slot__matchday__stage__competition")
    found = {}
    for match, league, competition in rows:
        public = [f"match:{match}", f"league:{league}", f"hall:{league}", SITE]
        found[match] = MatchTopics(public + ([f"competition:{competition}"] if competition else []), f"{DESK}:{league}")
    return found


def _public_states(matches: Sequence[int]) -> dict[int, PublicState]:
    shown = list(visible_matches(OUTSIDER).filter(pk__in=matches, set_aside_at=None).select_related("league", "table"))
    calls = {match.pk: (match.called_at, match.here_at, match.on_hold) for match in shown}
    return {line.id: PublicState(tally_of(line), _rest_of(line, calls[line.id])) for line in match_lines(shown)}


def tally_of(line: MatchLine) -> dict[str, str]:
    """Return the running score in the words of the pages, by language; empty without one."""
    return {code: _score_in(code, line) for code, _name in settings.LANGUAGES} if line.live else {}


def _score_in(code: str, line: MatchLine) -> str:
    with translation.override(code), timezone.override(line.time_zone):
        return render_to_string("components/live_score.html", {"line": line})


def _rest_of(line: MatchLine, called: object) -> str:
    sides = [(side.entrant_id, side.score, side.points, side.won) for side in line.sides]
    known = [(game.number, game.known, game.outcome, game.contested, game.amended) for game in line.games]
    facts = (line.state, line.table, line.starts_at, line.checking, line.contested, line.needs_decision, line.void)
    return sha256(repr((facts, line.no_result, sides, known, called)).encode()).hexdigest()[:16]


def _topics_of_competitions(changes: Iterable[Changed]) -> Iterator[tuple[str, int]]:
    """Yield topics with the changed competition. Two statements, none without any."""
    changed = {change.competition_id: not change.desk for change in sorted(changes, key=lambda change: not change.desk)}
    changed.pop(None, None)
    if not changed:
        return
    rows = addressed_competitions(OUTSIDER).filter(pk__in=[key for key, is_public in changed.items() if is_public])
    for competition, league in rows.values_list("pk", "league"):
        for topic in (f"competition:{competition}", f"league:{league}", f"hall:{league}", SITE):
            yield topic, competition
    for competition, league in Competition.objects.filter(pk__in=changed).values_list("pk", "league"):
        yield f"{DESK}:{league}", competition
