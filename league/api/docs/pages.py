"""Pages about the API: guide, reference, and the tokens of an account."""

from dataclasses import dataclass, field
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from league.api.base import tokens as services
from league.api.base.problems import KINDS
from league.api.docs.recipes import recipes
from league.api.docs.reference import operations
from league.api.docs.schema import description
from league.api.models import TokenScope
from league.errors import Refused

# Lifetime of a new token in days; 0 means until it is revoked.
LIVES = (
    (90, gettext_lazy("90 days")),
    (365, gettext_lazy("one year")),
    (0, gettext_lazy("until it is revoked")),
)


@dataclass(kw_only=True)
class TokenDraft:
    """Typed values of the form, kept after a mistake."""

    name: str = ""
    scopes: list[str] = field(default_factory=lambda: [TokenScope.READ])
    days: int = 90
    error: str = ""


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show five recipes with commands ready to paste, then the rules for every request."""
    context = {
        "recipes": recipes(request),
        "kinds": [(code, kind.status.value, kind.title) for code, kind in KINDS.items()],
        "area": "api",
    }
    return render(request, "api/index.html", context)


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show every operation of the OpenAPI description, without JavaScript."""
    document = description(get_language())
    return render(request, "api/reference.html", {"operations": operations(document), "area": "api"})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """Show the asker's tokens and the form for a new one.

    The key of a new token is shown only in the answer to the form.
    """
    if request.method != "POST":
        return _page(request, TokenDraft())
    draft = _draft(request)
    try:
        made, key = services.make_token(request.user, name=draft.name, scopes=draft.scopes, days=draft.days or None)
    except Refused as refused:
        draft.error = str(refused)
        return _page(request, draft, status=422)
    return _page(request, TokenDraft(), made=made, key=key)


@require_POST
@login_required
def revoke(request: HttpRequest, token_id: int) -> HttpResponse:
    token = get_object_or_404(services.tokens_of(request.user), pk=token_id)
    if services.revoke(token, user=request.user):
        messages.success(request, _("The token “%(name)s” is revoked.") % {"name": token.name})
    return redirect("api:tokens")


def _draft(request: HttpRequest) -> TokenDraft:
    days = request.POST.get("days", "")
    return TokenDraft(
        name=request.POST.get("name", ""),
        scopes=request.POST.getlist("scopes"),
        days=int(days) if days in {str(days) for days, _label in LIVES} else LIVES[0][0],
    )


def _page(request: HttpRequest, draft: TokenDraft, status: int = 200, **made: Any) -> HttpResponse:
    context = {
        "draft": draft,
        "tokens": services.tokens_of(request.user),
        "scopes": TokenScope.choices,
        "lives": LIVES,
        "area": "accounts",
        **made,
    }
    return render(request, "api/tokens.html", context, status=status)
