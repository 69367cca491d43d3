"""Problem details (RFC 9457): one shape for every refusal, with its `code`.

docs/api.md has the table of codes.
"""

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions
from rest_framework.response import Response

from league.errors import NotAllowed, Refused
from league.outages import Outage, outage_of

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="api"'
RETRY_SOON = 5  # seconds


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A line of the table of errors.

    `title` is always the same; `detail` of a problem describes the case.
    """

    status: HTTPStatus
    title: Any


KINDS: Mapping[str, ProblemKind] = {
    "bad-request": ProblemKind(HTTPStatus.BAD_REQUEST, _("The request cannot be understood.")),
    "bad-parameter": ProblemKind(HTTPStatus.BAD_REQUEST, _("A parameter is unknown or has no such value.")),
    "bad-json": ProblemKind(HTTPStatus.BAD_REQUEST, _("The body is not JSON as this API takes it.")),
    "bad-key": ProblemKind(HTTPStatus.BAD_REQUEST, _("The Idempotency-Key cannot be used.")),
    "sign-in": ProblemKind(HTTPStatus.UNAUTHORIZED, _("Sign in, or send a token.")),
    "invalid-token": ProblemKind(HTTPStatus.UNAUTHORIZED, _("The token is not valid.")),
    "csrf": ProblemKind(HTTPStatus.FORBIDDEN, _("The browser's request lacks its CSRF token.")),
    "insufficient-scope": ProblemKind(HTTPStatus.FORBIDDEN, _("The token lacks a scope.")),
    "no-permission": ProblemKind(HTTPStatus.FORBIDDEN, _("You may not do this.")),
    "not-your-match": ProblemKind(HTTPStatus.FORBIDDEN, _("You neither play in this match nor judge in its league.")),
    "own-submission": ProblemKind(HTTPStatus.FORBIDDEN, _("You can't confirm a result that your own side submitted.")),
    "under-review": ProblemKind(HTTPStatus.FORBIDDEN, _("Two entries differ, or somebody disagrees.")),
    "needs-official": ProblemKind(HTTPStatus.FORBIDDEN, _("An official of neither side has to decide.")),
    "not-found": ProblemKind(HTTPStatus.NOT_FOUND, _("There is nothing here that you can see.")),
    "method-not-allowed": ProblemKind(HTTPStatus.METHOD_NOT_ALLOWED, _("This address does not take that method.")),
    "not-acceptable": ProblemKind(HTTPStatus.NOT_ACCEPTABLE, _("The API answers in JSON.")),
    "already-official": ProblemKind(HTTPStatus.CONFLICT, _("The result is confirmed already.")),
    "match-decided": ProblemKind(HTTPStatus.CONFLICT, _("The match is decided.")),
    "no-result": ProblemKind(HTTPStatus.CONFLICT, _("A newer log has replaced this result.")),
    "being-checked": ProblemKind(HTTPStatus.CONFLICT, _("A newer log is being checked.")),
    "in-progress": ProblemKind(HTTPStatus.CONFLICT, _("The same request is being answered.")),
    "length-required": ProblemKind(HTTPStatus.LENGTH_REQUIRED, _("Send the length of the body.")),
    "too-large": ProblemKind(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("The body is too large.")),
    "unsupported-media-type": ProblemKind(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("This type of body is not taken here.")),
    "bad-field": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("A field of the body is missing or wrong.")),
    "key-reused": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This Idempotency-Key came with another request.")),
    "empty-file": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log is empty.")),
    "binary": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log is not text.")),
    "not-utf8": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log is not UTF-8.")),
    "control-character": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log holds a control character.")),
    "several-games": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log holds more than one game.")),
    "another-game": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log is of another game.")),
    "unknown-ruleset": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log names an unknown ruleset.")),
    "wrong-ruleset": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log has another ruleset than the match.")),
    "wrong-options": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log has other options than the match.")),
    "no-seats": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log does not say who sits where.")),
    "wrong-seats": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log is of other players.")),
    "unreadable-sheet": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The sheet cannot be read.")),
    "does-not-add-up": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The sheet does not add up.")),
    "not-the-desk": ProblemKind(HTTPStatus.FORBIDDEN, _("Only the desk enters a card for both sides.")),
    "level-too-low": ProblemKind(HTTPStatus.CONFLICT, _("The match needs a fuller source.")),
    "better-known": ProblemKind(HTTPStatus.CONFLICT, _("The game is known from more already.")),
    "effect-changed": ProblemKind(HTTPStatus.CONFLICT, _("The amendment would change something else than was seen.")),
    "choose-later": ProblemKind(HTTPStatus.CONFLICT, _("Later matches have begun: choose what becomes of them.")),
    "overtaken": ProblemKind(HTTPStatus.CONFLICT, _("The result is another one by now.")),
    "closed-already": ProblemKind(HTTPStatus.CONFLICT, _("The amendment is closed already.")),
    "proposed-already": ProblemKind(HTTPStatus.CONFLICT, _("An amendment of this game waits already.")),
    "not-official": ProblemKind(HTTPStatus.CONFLICT, _("Only a confirmed result can be amended.")),
    "nothing-changes": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("That is the result as it stands.")),
    "no-reason": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("A reason is missing.")),
    "long-reason": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The reason is too long.")),
    "import-mistakes": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The file cannot be imported as it is.")),
    "import-differs": ProblemKind(HTTPStatus.CONFLICT, _("An entry from this file has changed here since.")),
    "paste-unclear": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("It is not clear who is meant.")),
    "bad-score": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a score of this match.")),
    "log-without-result": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("No official result follows from this log.")),
    "type-it": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("Matches would become void: type the name.")),
    "already-published": ProblemKind(HTTPStatus.CONFLICT, _("The competition is published.")),
    "being-drawn": ProblemKind(HTTPStatus.CONFLICT, _("A draw is being made.")),
    "cancelled": ProblemKind(HTTPStatus.GONE, _("The competition was cancelled.")),
    "is-over": ProblemKind(HTTPStatus.CONFLICT, _("The competition is over, so it can’t be cancelled.")),
    "has-begun": ProblemKind(HTTPStatus.CONFLICT, _("Play has begun, so it stays published.")),
    "has-logs": ProblemKind(HTTPStatus.CONFLICT, _("There are results already, so the draw can’t be undone.")),
    "registration-over": ProblemKind(
        HTTPStatus.CONFLICT, _("The competition is drawn and published: nobody signs up any more.")
    ),
    "registration-closed": ProblemKind(HTTPStatus.CONFLICT, _("Registration is closed.")),
    "by-invitation": ProblemKind(HTTPStatus.FORBIDDEN, _("This is by invitation only.")),
    "not-your-player": ProblemKind(HTTPStatus.FORBIDDEN, _("The player does not belong to your account.")),
    "too-many-wait": ProblemKind(HTTPStatus.CONFLICT, _("Too many sign-ups wait for an answer.")),
    "plays-already": ProblemKind(HTTPStatus.CONFLICT, _("Somebody plays in another pair already.")),
    "already-registered": ProblemKind(HTTPStatus.CONFLICT, _("Somebody is registered already.")),
    "bad-name": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a name.")),
    "is-pair": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("Here everybody plays alone.")),
    "no-partner": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The name of one partner is missing.")),
    "bad-partner": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The name of the partner is not a name.")),
    "one-person": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("A pair is two people.")),
    "bad-year": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a year of birth.")),
    "bad-partner-year": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a year of birth of a partner.")),
    "bad-club": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The name of the club is too long.")),
    "long-contact": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The contact is too long.")),
    "long-word": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The word to the organizers is too long.")),
    "bad-hour": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The end of registration needs a time zone.")),
    "bad-places": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("There cannot be so many places.")),
    "bad-invitation": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("There is no such invitation.")),
    "too-many-invitations": ProblemKind(HTTPStatus.CONFLICT, _("Too many invitations are out already.")),
    "no-places": ProblemKind(HTTPStatus.CONFLICT, _("There are not so many places.")),
    "sign-ups-unclear": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("It is not clear who is meant by a sign-up.")),
    "wrong-choice": ProblemKind(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The player that was chosen is none of those who may be meant.")
    ),
    "other-plan": ProblemKind(HTTPStatus.CONFLICT, _("The plan was another one when they signed up.")),
    "state-gone": ProblemKind(HTTPStatus.CONFLICT, _("The state is not kept any more.")),
    "changed-meanwhile": ProblemKind(HTTPStatus.CONFLICT, _("Another person has changed the draft meanwhile.")),
    "restored-already": ProblemKind(HTTPStatus.CONFLICT, _("This was brought back already.")),
    "draw-too-large": ProblemKind(HTTPStatus.CONFLICT, _("The draw is too large to be kept.")),
    "round-published": ProblemKind(HTTPStatus.CONFLICT, _("A round was published since.")),
    "entrants-gone": ProblemKind(HTTPStatus.CONFLICT, _("An entrant of that snapshot no longer exists.")),
    "results-changed": ProblemKind(HTTPStatus.CONFLICT, _("Results have changed since that was paired.")),
    "in-season": ProblemKind(HTTPStatus.CONFLICT, _("The competition belongs to a season.")),
    "has-payments": ProblemKind(HTTPStatus.CONFLICT, _("Fees were paid, so the draft can’t be discarded.")),
    "sign-ups-wait": ProblemKind(HTTPStatus.CONFLICT, _("Sign-ups wait for an answer.")),
    "in-use": ProblemKind(HTTPStatus.CONFLICT, _("The draft is still needed.")),
    "there-again": ProblemKind(HTTPStatus.CONFLICT, _("It was imported again meanwhile.")),
    "no-end": ProblemKind(HTTPStatus.CONFLICT, _("A ladder has no end to play to.")),
    "bad-entrants": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("A rehearsal cannot have so many players.")),
    "bad-seed": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a random seed.")),
    "rehearsal-too-large": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("So many matches are not rehearsed here.")),
    "not-a-ladder": ProblemKind(HTTPStatus.CONFLICT, _("The competition is not a ladder.")),
    "not-published": ProblemKind(HTTPStatus.CONFLICT, _("The competition is not published.")),
    "not-yours": ProblemKind(HTTPStatus.FORBIDDEN, _("You can challenge for yourself only.")),
    "not-registered": ProblemKind(HTTPStatus.CONFLICT, _("Somebody does not take part here.")),
    "open-challenge": ProblemKind(HTTPStatus.CONFLICT, _("Somebody has a challenge to play already.")),
    "out-of-reach": ProblemKind(HTTPStatus.CONFLICT, _("The place is out of reach.")),
    "challenge-closed": ProblemKind(HTTPStatus.CONFLICT, _("The challenge is closed already.")),
    "begun-already": ProblemKind(HTTPStatus.CONFLICT, _("The match has begun.")),
    "ladder-closed": ProblemKind(HTTPStatus.CONFLICT, _("The ladder is closed: its places are final.")),
    "other-entrants": ProblemKind(HTTPStatus.CONFLICT, _("Somebody was added or taken out meanwhile.")),
    "seeds-changed": ProblemKind(HTTPStatus.CONFLICT, _("The order was changed meanwhile.")),
    "lots-drawn": ProblemKind(HTTPStatus.CONFLICT, _("Lots were drawn already, and are drawn once.")),
    "nobody-rated": ProblemKind(HTTPStatus.CONFLICT, _("Nobody has a rating in this ruleset.")),
    "not-the-last": ProblemKind(HTTPStatus.CONFLICT, _("The order was changed since.")),
    "drawn-already": ProblemKind(HTTPStatus.CONFLICT, _("The draw was made with this order.")),
    "not-drawn": ProblemKind(HTTPStatus.CONFLICT, _("Nothing is drawn yet.")),
    "out-of-turn": ProblemKind(HTTPStatus.CONFLICT, _("Another round is published before it.")),
    "results-missing": ProblemKind(HTTPStatus.CONFLICT, _("Results of earlier rounds are missing.")),
    "decided-meanwhile": ProblemKind(HTTPStatus.CONFLICT, _("Somebody acted in this dispute meanwhile.")),
    "offer-changed": ProblemKind(HTTPStatus.CONFLICT, _("Another outcome was proposed meanwhile.")),
    "own-offer": ProblemKind(HTTPStatus.FORBIDDEN, _("The other side accepts an outcome.")),
    "not-your-protest": ProblemKind(
        HTTPStatus.FORBIDDEN, _("Only the side or official that filed a protest withdraws it.")
    ),
    "joined": ProblemKind(HTTPStatus.CONFLICT, _("Others protest as well, so the dispute is decided.")),
    "appealed-already": ProblemKind(HTTPStatus.CONFLICT, _("There is only one appeal.")),
    "too-late": ProblemKind(HTTPStatus.CONFLICT, _("The time for it is over.")),
    "nobody-hears": ProblemKind(HTTPStatus.CONFLICT, _("Nobody is left to hear an appeal.")),
    "not-the-judge": ProblemKind(HTTPStatus.FORBIDDEN, _("Only the judge of the case does this.")),
    "no-referee": ProblemKind(HTTPStatus.CONFLICT, _("A referee is refused after taking the case, before the ruling.")),
    "refused-already": ProblemKind(HTTPStatus.CONFLICT, _("Each side refuses one referee only.")),
    "nobody-else": ProblemKind(HTTPStatus.CONFLICT, _("Nobody else could decide the protest.")),
    "needs-proof": ProblemKind(HTTPStatus.FORBIDDEN, _("This needs a slip, its PIN or an account.")),
    "no-picture": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("This is not a JPEG, PNG or WebP.")),
    "large-picture": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The picture is too large.")),
    "too-many-pictures": ProblemKind(HTTPStatus.CONFLICT, _("Each side adds three photos at most.")),
    "photo-removed": ProblemKind(HTTPStatus.GONE, _("The photo was removed, 30 days after the last deadline.")),
    "private": ProblemKind(HTTPStatus.FORBIDDEN, _("Only those who decide the case read this.")),
    "no-such-judge": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("No such member may judge this match.")),
    "official-is-free": ProblemKind(HTTPStatus.CONFLICT, _("An official is free to decide.")),
    "not-under-review": ProblemKind(HTTPStatus.CONFLICT, _("The result is not under review.")),
    "judge-changed": ProblemKind(HTTPStatus.CONFLICT, _("Another judge was named meanwhile.")),
    "no-side": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The match has no such side.")),
    "needs-answer": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The question needs an answer.")),
    "no-question": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The proposal has no question.")),
    "party": ProblemKind(HTTPStatus.FORBIDDEN, _("A party of the match does not decide.")),
    "refused-by-side": ProblemKind(HTTPStatus.FORBIDDEN, _("This person stepped back, or a side refused them.")),
    "decided-before": ProblemKind(HTTPStatus.FORBIDDEN, _("An appeal goes to somebody who did not decide.")),
    "own-ruling": ProblemKind(HTTPStatus.FORBIDDEN, _("Another official confirms a ruling.")),
    "no-such-line": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The log has no move at this line.")),
    "no-such-hand": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The card has no such hand or points.")),
    "no-record": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The record is of another game.")),
    "no-sentence": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The words are missing.")),
    "long-sentence": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The words are too long.")),
    "not-admitted": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The rules do not allow this protest any more.")),
    "confirmed-by-side": ProblemKind(HTTPStatus.CONFLICT, _("The side has confirmed the result.")),
    "through-the-desk": ProblemKind(HTTPStatus.FORBIDDEN, _("After two dismissed protests the desk files the next.")),
    "not-begun": ProblemKind(HTTPStatus.CONFLICT, _("The match has not begun.")),
    "own-protest": ProblemKind(HTTPStatus.FORBIDDEN, _("The official filed this protest.")),
    "more-than-two": ProblemKind(HTTPStatus.CONFLICT, _("More than two sides play in this match.")),
    "facts-first": ProblemKind(HTTPStatus.CONFLICT, _("The facts are found before a ruling.")),
    "no-proposal": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The record decides nothing here.")),
    "game-goes-on": ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("By this ruling the game is not over.")),
    "stated-already": ProblemKind(HTTPStatus.CONFLICT, _("The side has given its statement.")),
    "throttled": ProblemKind(HTTPStatus.TOO_MANY_REQUESTS, _("Too many requests.")),
    "internal": ProblemKind(HTTPStatus.INTERNAL_SERVER_ERROR, _("Something went wrong here.")),
    **{one.code: ProblemKind(HTTPStatus.SERVICE_UNAVAILABLE, one.sentence) for one in Outage},
}
REFUSED = ProblemKind(HTTPStatus.UNPROCESSABLE_ENTITY, _("The request was refused."))
FORBIDDEN = ProblemKind(HTTPStatus.FORBIDDEN, _("You may not do this."))


class Malformed(exceptions.APIException):
    """A request refused before any service sees it.

    `code` is one of KINDS, `errors` name the places.
    """

    def __init__(self, code: str, detail: Any, *, errors: list[dict[str, str]] | None = None, wait: int = 0) -> None:
        super().__init__(detail, code)
        self.status_code = KINDS[code].status
        self.code = code
        self.errors = errors
        self.wait = wait


def problem(request: HttpRequest, code: str, detail: Any = "", kind: ProblemKind | None = None, **more: Any) -> dict:
    """Return the object of RFC 9457; by default `detail` repeats the title."""
    kind = kind or KINDS[code]
    return {
        "type": request.build_absolute_uri(f"{reverse('api:index')}#{code}"),
        "title": str(kind.title),
        "status": int(kind.status),
        "detail": str(detail or kind.title),
        "instance": request.path,
        "code": code,
        **more,
    }


def answer(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """Handle an error for the REST framework.

    None leaves an unforeseen error to the site's own handling.
    """
    request = context["request"]
    found = _of(error)
    if found is None:
        return None
    code, detail, kind, more = found
    if field := getattr(context.get("view"), "fields_of", {}).get(code):
        more = {"errors": [{"field": field, "detail": str(detail)}]} | more
    data = problem(request, code, detail, kind, **more)
    response = Response(data, status=data["status"], content_type=CONTENT_TYPE)
    if data["status"] == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = CHALLENGE
    if wait := _wait(error):
        response["Retry-After"] = str(wait)
    return response


_BY_EXCEPTION: tuple[tuple[type[Exception], str], ...] = (
    (Http404, "not-found"),
    (exceptions.NotFound, "not-found"),
    (exceptions.NotAuthenticated, "sign-in"),
    (exceptions.MethodNotAllowed, "method-not-allowed"),
    (exceptions.NotAcceptable, "not-acceptable"),
    (exceptions.UnsupportedMediaType, "unsupported-media-type"),
    (exceptions.ParseError, "bad-json"),
    (RequestDataTooBig, "too-large"),
    (SuspiciousOperation, "bad-request"),
    (PermissionDenied, "no-permission"),
)

Found = tuple[str, Any, ProblemKind | None, dict[str, Any]]


def _of(error: Exception) -> Found | None:
    """Return code, detail, the kind if the table lacks it, and further members."""
    if isinstance(error, Refused):
        return _refused(error)
    if isinstance(error, Malformed):
        return error.code, error.detail, None, {"errors": error.errors} if error.errors else {}
    if isinstance(error, exceptions.AuthenticationFailed):
        return "invalid-token", error.detail, None, {}
    if isinstance(error, exceptions.PermissionDenied):
        # The framework itself raises it only for a failed CSRF check.
        return "csrf", error.detail, None, {}
    if isinstance(error, exceptions.ValidationError):
        return "bad-field", "", None, {"errors": places(error.detail)}
    if isinstance(error, exceptions.Throttled):
        return "throttled", _("Ask again in %(wait)d s.") % {"wait": _wait(error)}, None, {}
    if outage := outage_of(error):
        log.error("%s", error)
        return outage.code, "", None, {}
    return next(((code, "", None, {}) for kind, code in _BY_EXCEPTION if isinstance(error, kind)), None)


def _refused(refused: Refused) -> Found:
    """Describe a refusal, if known with its place in the log or a sheet's findings."""
    kind = KINDS.get(refused.code) or (FORBIDDEN if isinstance(refused, NotAllowed) else REFUSED)
    more: dict[str, Any] = {name: refused.facts[name] for name in ("line", "column") if name in refused.facts}
    if judged := refused.facts.get("judged"):
        more["errors"] = [
            {"field": f"rounds.{row}" if row else "sheet", "detail": detail} for row, detail in judged.findings
        ]
    return refused.code, str(refused), kind, more


def places(detail: Any) -> list[dict[str, str]]:
    """`{"log": ["…"]}` → `[{"field": "log", "detail": "…"}]`"""
    by_name = detail if isinstance(detail, Mapping) else {"": detail}
    return [{"field": str(name), "detail": str(one)} for name, said in by_name.items() for one in _each(said)]


def _each(said: Any) -> list[Any]:
    return list(said) if isinstance(said, list | tuple) else [said]


def _wait(error: Exception) -> int:
    """Return the seconds after which to ask again; 0 if that would not help."""
    if isinstance(error, exceptions.Throttled):
        return math.ceil(error.wait or RETRY_SOON)
    if isinstance(error, Malformed):
        return error.wait
    outage = outage_of(error) if not isinstance(error, Refused | exceptions.APIException) else None
    return outage.wait if outage else 0
