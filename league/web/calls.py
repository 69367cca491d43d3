"""Calls for the person at a phone: the list for an open page, and the subscription to notifications."""

from collections.abc import Sequence
from http import HTTPStatus

from allauth.account.signals import password_changed, password_reset
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import conditional_page, require_http_methods, require_safe

from league.accounts.models import User
from league.competitions.push import subscriptions
from league.competitions.push.keys import public_key
from league.competitions.push.subscriptions import BrowserKeys, Owner
from league.errors import Refused
from league.matches.models import Match
from league.web.shared.phone import calls_for, owners_of
from league.web.shared.staff import number_in

# Session key: the subscription of this browser, which ends when its account signs out.
SUBSCRIPTION = "subscription"


@require_safe
@conditional_page
def index(request: HttpRequest) -> HttpResponse:
    """List the calls of own matches as a part of a page; with `?match=` those of the side chosen there too."""
    number = number_in(request.GET, "match")
    match = Match.objects.filter(pk=number).first() if number else None
    return render(request, "calls/index.html", {"own": calls_for(request, match)})


@require_http_methods(["GET", "POST"])
@never_cache
def subscription(request: HttpRequest) -> JsonResponse:
    """Answer the key of the site; POST with `endpoint` and `do`: "start" (with `p256dh`, `auth`), "end", or "ask".

    `of`: "link" on the page of a personal link, whose calls are meant even if an account is signed in. The answer says
    whether the browser is subscribed to the calls of this person.
    """
    if request.method == "GET":
        return JsonResponse({"key": public_key()})
    owners, endpoint = owners_of(request), _text(request, "endpoint")
    if request.POST.get("do") == "end":
        subscriptions.unsubscribe(endpoint)
        return JsonResponse({"on": False})
    if not owners:
        refused = Refused("who-are-you", _("Sign in first, or open your own link on this phone."))
        return _refusal(refused, HTTPStatus.FORBIDDEN)
    try:
        return JsonResponse({"on": _is_on(request, owners, endpoint)})
    except Refused as refused:
        return _refusal(refused, HTTPStatus.UNPROCESSABLE_ENTITY)


def _is_on(request: HttpRequest, owners: Sequence[Owner], endpoint: str) -> bool:
    if request.POST.get("do") == "ask":
        return any(subscriptions.is_subscribed(one, endpoint) for one in owners)
    owner = owners[-1 if request.POST.get("of") == "link" else 0]
    keys = BrowserKeys(_text(request, "p256dh"), _text(request, "auth"))
    request.session[SUBSCRIPTION] = subscriptions.subscribe(owner, endpoint, keys).pk
    return True


def _text(request: HttpRequest, name: str) -> str:
    return request.POST.get(name, "").replace("\0", "")


def _refusal(refused: Refused, status: HTTPStatus) -> JsonResponse:
    return JsonResponse({"code": refused.code, "detail": str(refused)}, status=status)


@receiver(user_logged_out, dispatch_uid="web.end_subscription")
def end_subscription(*, request: HttpRequest, user: User | None, **_: object) -> None:
    """End the notifications of an account on the phone that signs out."""
    if user is not None:
        subscriptions.end(user, request.session.get(SUBSCRIPTION))


@receiver(password_changed, dispatch_uid="web.end_other_subscriptions")
def end_other_subscriptions(*, request: HttpRequest, user: User, **_: object) -> None:
    """End the notifications of an account on its other phones, as their sessions end."""
    subscriptions.end_others(user, request.session.get(SUBSCRIPTION))


@receiver(password_reset, dispatch_uid="web.end_all_subscriptions")
def end_all_subscriptions(*, user: User, **_: object) -> None:
    subscriptions.end_others(user, None)
