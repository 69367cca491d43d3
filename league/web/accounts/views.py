"""Sign-up, sign-in, sign-out and account pages, from django-allauth's views."""

from typing import Any

from allauth.account import views as allauth
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.accounts.adapter import remember_device
from league.errors import Refused
from league.players import services as players
from league.players.queries import claims_of, players_of
from league.web.shared.forms import EraseAccountForm, NameForm

HERE = {"area": "accounts"}


class Clothed:
    """Mixin of account forms: a refused form is a 422."""

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


class SignIn(Clothed, allauth.LoginView):
    template_name = "accounts/sign_in.html"
    extra_context = HERE

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        if self.request.user.is_authenticated:
            remember_device(self.request, response, self.request.user)
        return response


class SignUp(Clothed, allauth.SignupView):
    template_name = "accounts/sign_up.html"
    extra_context = HERE

    def form_valid(self, form: Any) -> HttpResponse:
        response = super().form_valid(form)
        if self.request.user.is_authenticated:
            remember_device(self.request, response, self.request.user)
        return response


class Forgotten(Clothed, allauth.PasswordResetView):
    template_name = "accounts/forgotten.html"
    extra_context = HERE

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.HAS_MAIL:
            raise Http404
        return super().post(*args, **kwargs)


class NewPassword(Clothed, allauth.PasswordResetFromKeyView):
    template_name = "accounts/new_password.html"
    extra_context = HERE


class ChangePassword(Clothed, allauth.PasswordChangeView):
    template_name = "accounts/password.html"
    extra_context = HERE


class Address(Clothed, allauth.EmailView):
    template_name = "accounts/address.html"
    extra_context = HERE


sign_in = SignIn.as_view()
sign_up = SignUp.as_view()
sign_out = require_POST(allauth.LogoutView.as_view())
forgotten = Forgotten.as_view()
forgotten_sent = allauth.PasswordResetDoneView.as_view(template_name="accounts/forgotten_sent.html", extra_context=HERE)
new_password = NewPassword.as_view()
new_password_done = allauth.PasswordResetFromKeyDoneView.as_view(
    template_name="accounts/new_password_done.html", extra_context=HERE
)
confirm_sent = allauth.EmailVerificationSentView.as_view(template_name="accounts/confirm_sent.html", extra_context=HERE)
confirm = allauth.ConfirmEmailView.as_view(template_name="accounts/confirm.html", extra_context=HERE)
closed = allauth.AccountInactiveView.as_view(template_name="accounts/closed.html", extra_context=HERE)
password = ChangePassword.as_view()
_address = Address.as_view()


@login_required
def address(request: HttpRequest) -> HttpResponse:
    """Change the e-mail address; only with mail to confirm it."""
    if not settings.HAS_MAIL:
        raise Http404
    return _address(request)


@login_required
def detail(request: HttpRequest) -> HttpResponse:
    """Show the user's account: name, players, password, reset links and authors."""
    form = NameForm(request.POST or None, initial={"full_name": request.user.get_full_name()})
    if request.method == "POST" and form.is_valid():
        request.user.first_name, request.user.last_name = form.cleaned_data["full_name"], ""
        request.user.save(update_fields=["first_name", "last_name"])
        messages.success(request, _("Your name is changed."))
        return redirect("accounts:detail")
    context = HERE | {
        "form": form,
        "players": players_of(request.user),
        "claims": claims_of(request.user),
        "links": players.recent_links(request.user),
    }
    return render(request, "accounts/detail.html", context, status=422 if form.errors else 200)


@login_required
def erase(request: HttpRequest) -> HttpResponse:
    """Erase the account after its user name is typed.

    On request also the players' names.
    """
    form = EraseAccountForm(request.POST or None, user=request.user)
    if request.method == "POST" and form.is_valid():
        try:
            players.erase_account(request.user, with_names=form.cleaned_data["with_names"])
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            logout(request)
            messages.success(request, _("Your account is erased, and you are signed out."))
            return redirect("home:index")
    context = HERE | {"form": form, "players": players_of(request.user)}
    return render(request, "accounts/erase.html", context, status=422 if form.errors else 200)
