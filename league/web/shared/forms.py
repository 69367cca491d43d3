"""Account forms: django-allauth's, with this site's labels and styles."""

from typing import Any

from allauth.account import forms as allauth
from django import forms
from django.contrib.auth.password_validation import validate_password
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.founding import time_zones
from league.accounts.lettered import NameField
from league.accounts.models import LONGEST_FULL_NAME, LONGEST_NAME, User

PASSWORD_HINT = _("At least 8 characters, not a common password and not your name.")


def dress(form: forms.BaseForm) -> None:
    """Style every field for the site: label above, no placeholder, no autofocus."""
    for field in form.fields.values():
        attrs = field.widget.attrs
        attrs.pop("placeholder", None)
        attrs.pop("autofocus", None)
        field.widget.attrs = attrs | ({} if isinstance(field.widget, forms.CheckboxInput) else {"class": "input"})


class DressedForm(forms.Form):
    """A form of this site; its fields have the site's styles."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        dress(self)


def first_error(form: forms.BaseForm) -> str:
    """Return the first error of a refused form, for a page with one place for it."""
    return next(iter(form.errors.values()))[0]


class SignInForm(allauth.LoginForm):
    """User name or e-mail address, and password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = pgettext_lazy("form field", "User name or e-mail")
        self.fields["login"].max_length = 254
        self.fields["login"].widget.attrs |= {"autocapitalize": "none", "maxlength": 254, "autocomplete": "username"}
        self.fields["password"].label = pgettext_lazy("form field", "Password")
        self.fields["password"].help_text = ""
        dress(self)

    def add_prefix(self, field_name: str) -> str:
        """Rename the login field for password managers."""
        return super().add_prefix("username" if field_name == "login" else field_name)


class SignUpForm(allauth.SignupForm):
    """User name, e-mail address if the site has mail, optional public name, password."""

    full_name = NameField(
        label=pgettext_lazy("form field", "Your name (optional)"),
        letters=LONGEST_FULL_NAME,
        required=False,
        help_text=_("Shown where you act: as a referee, or when you submit a log. Without it the user name is."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].label = pgettext_lazy("form field", "User name")
        self.fields["username"].help_text = _("For signing in. Letters, digits, and . + - _")
        self.fields["username"].widget.attrs |= {"autocapitalize": "none"}
        if "email" in self.fields:
            self.fields["email"].label = pgettext_lazy("form field", "E-mail address")
            self.fields["email"].help_text = _("You will get an e-mail to confirm it. It stays private.")
        self.fields["password1"].label = pgettext_lazy("form field", "Password")
        self.fields["password1"].help_text = PASSWORD_HINT
        self.order_fields(["username", "full_name", "email", "password1"])
        dress(self)

    def clean_username(self) -> str:
        name = super().clean_username()
        if "@" in name:
            raise forms.ValidationError(_("A user name has no @: others may read it, and an address is private."))
        return name

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        super().custom_signup(request, user)
        user.first_name = " ".join(self.cleaned_data.get("full_name", "").split())
        user.save(update_fields=["first_name"])


class ForgottenForm(allauth.ResetPasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = pgettext_lazy("form field", "E-mail address")
        dress(self)


class NewPasswordForm(allauth.ResetPasswordKeyForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = pgettext_lazy("form field", "New password")
        self.fields["password1"].help_text = PASSWORD_HINT
        self.fields.pop("password2", None)
        dress(self)


class ChangePasswordForm(allauth.ChangePasswordForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = pgettext_lazy("form field", "Current password")
        self.fields["password1"].label = pgettext_lazy("form field", "New password")
        self.fields["password1"].help_text = PASSWORD_HINT
        self.fields.pop("password2", None)
        dress(self)


class AddressForm(allauth.AddEmailForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["email"].label = pgettext_lazy("form field", "E-mail address")
        dress(self)


class NameForm(DressedForm):
    full_name = NameField(
        label=pgettext_lazy("form field", "Your name"),
        letters=LONGEST_FULL_NAME,
        required=False,
        help_text=_("Shown where you act: as a referee, or when you submit a log. Without it the user name is."),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )

    def clean_full_name(self) -> str:
        return " ".join(self.cleaned_data["full_name"].split())


class EraseAccountForm(forms.Form):
    """Account erasure; it cannot be undone, so it needs the user name typed."""

    with_names = forms.BooleanField(
        label=_("Take my name out of the results as well. They stay, with a code in the place of the name."),
        required=False,
    )
    typed = forms.CharField(label=pgettext_lazy("form field", "Your user name"), max_length=150)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.fields["typed"].widget.attrs |= {"autocomplete": "off", "autocapitalize": "none"}
        dress(self)

    def clean_typed(self) -> str:
        if self.cleaned_data["typed"].strip() != self.user.get_username():
            raise forms.ValidationError(_("That is not your user name. Nothing was erased."))
        return self.cleaned_data["typed"]


class FirstOwnerForm(DressedForm):
    """The first account of a site and its league."""

    league_name = NameField(
        label=pgettext_lazy("form field", "Name of your league or club"),
        letters=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    time_zone = forms.ChoiceField(label=pgettext_lazy("form field", "Time zone"), choices=())
    username = forms.CharField(
        label=pgettext_lazy("form field", "User name"),
        help_text=_("For signing in. Letters, digits, and . + - _"),
        max_length=150,
        validators=[UnicodeUsernameValidator()],
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "none"}),
    )
    full_name = NameField(
        label=pgettext_lazy("form field", "Your name (optional)"),
        letters=LONGEST_FULL_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=pgettext_lazy("form field", "E-mail address (optional)"),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
    )
    password = forms.CharField(
        label=pgettext_lazy("form field", "Password"),
        strip=False,
        help_text=PASSWORD_HINT,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    code = forms.CharField(
        label=pgettext_lazy("form field", "Setup code"),
        help_text=_("Shown in the terminal where the site was started."),
        max_length=200,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )

    def __init__(self, *args: Any, code_needed: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["time_zone"].choices = [(zone, zone.replace("_", " ")) for zone in time_zones()]
        if not code_needed:
            del self.fields["code"]

    def clean_username(self) -> str:
        if "@" in self.cleaned_data["username"]:
            raise forms.ValidationError(_("A user name has no @: others may read it, and an address is private."))
        return self.cleaned_data["username"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        if password := cleaned.get("password"):
            try:
                validate_password(password, User(username=cleaned.get("username", ""), email=cleaned.get("email", "")))
            except forms.ValidationError as weak:
                self.add_error("password", weak)
        return cleaned
