"""Signing in and out, by Django's own views."""

from django.contrib.auth import views as auth
from django.contrib.auth.forms import AuthenticationForm
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


class SignInForm(AuthenticationForm):
    """User name or e-mail address, and password."""

    error_messages = {
        "invalid_login": _("No account has this name or address with this password."),
        "inactive": _("This account is closed."),
    }

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = pgettext_lazy("form field", "User name or e-mail")
        self.fields["username"].max_length = 254
        self.fields["username"].widget.attrs |= {"class": "input", "autocapitalize": "none", "maxlength": 254}
        # No autofocus: it would skip the heading for readers and open a keyboard on telephones unasked.
        del self.fields["username"].widget.attrs["autofocus"]
        self.fields["password"].widget.attrs |= {"class": "input"}


class SignIn(auth.LoginView):
    template_name = "accounts/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True
    extra_context = {"area": "accounts"}

    def form_invalid(self, form: SignInForm) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=422)


def sign_in(request: HttpRequest) -> HttpResponse:
    return SignIn.as_view()(request)


def sign_out(request: HttpRequest) -> HttpResponse:
    """By POST only, so that no picture or prefetch signs anybody out."""
    return auth.LogoutView.as_view(next_page="home:index")(request)
