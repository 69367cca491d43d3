"""What stands between a right password and being signed in."""

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.http import HttpResponse


class ConfirmAddressStage(EmailVerificationStage):
    """A new account confirms its address before it signs in. Who signed in before, or was given an account without
    that, is never asked: a site that gets a mail server later would lose its people.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        asked = user is None or (user.last_login is None and EmailAddress.objects.filter(user=user).exists())
        return super().handle() if asked else (None, True)
