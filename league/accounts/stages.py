"""What stands between a right password and being signed in."""

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.http import HttpResponse

from league.accounts.models import User


class ConfirmAddressStage(EmailVerificationStage):
    """A new account confirms its address before it signs in. Who signed in before, or was given an account without
    that, is never asked: a site that gets a mail server later would lose its people.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        return super().handle() if user is None or self._signed_up_only(user) else (None, True)

    def _signed_up_only(self, user: User) -> bool:
        """Signing up makes the address the primary one; copies that are made on other occasions are not."""
        waiting = EmailAddress.objects.filter(user=user, primary=True, verified=False)
        return user.last_login is None and waiting.exists()
