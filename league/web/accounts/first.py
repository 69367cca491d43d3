"""First account of a site, with its league. Open only while no account exists."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from league.accounts import services
from league.errors import Refused
from league.web.shared.forms import FirstOwnerForm


@never_cache
@sensitive_post_parameters("password", "code")
def first(request: HttpRequest) -> HttpResponse:
    """Create the first account.

    `?code=` fills in the setup code; `serve` prints an address with it.
    """
    if not services.is_empty():
        raise Http404
    needed = services.code_needed(request.META.get("REMOTE_ADDR", ""))
    if needed:
        services.setup_code()  # created now if missing, so that its file can be read
    initial = {"code": request.GET.get("code", "")[:200], "time_zone": settings.TIME_ZONE}
    form = FirstOwnerForm(request.POST or None, code_needed=needed, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            return _found(request, dict(form.cleaned_data), needed)
        except Refused as refused:
            form.add_error("code" if refused.code in {"wrong-code", "too-many-codes"} else None, str(refused))
    return render(
        request, "accounts/first.html", {"form": form, "area": "accounts"}, status=422 if form.errors else 200
    )


def _found(request: HttpRequest, given: dict[str, str], needed: bool) -> HttpResponse:
    code = given.pop("code", "")
    if needed:
        services.check_code(code)
    user, league = services.found_site(**given)
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[0])
    messages.success(request, _("The site is yours. Now create your first event: its name, the players and the rules."))
    return redirect("organize:new", league.slug)
