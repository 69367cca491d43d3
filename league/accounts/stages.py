"""Sign-in stages after a right password."""

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from django.http import HttpResponse

from league.accounts.models import User


class ConfirmAddressStage(EmailVerificationStage):
    """New accounts confirm their address before they sign in.

    Accounts that have signed in before, or were created by others, are never asked: else a site that gets a mail server
    later would lock its people out.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        user = self.login.user
        return super().handle() if user is None or self._signed_up_only(user) else (None, True)

    def _signed_up_only(self, user: User) -> bool:
        """Return whether the account only signed up: its primary address is unconfirmed.

        Signing up makes the address primary; copies made on other occasions are not.
        """
        waiting = EmailAddress.objects.filter(user=user, primary=True, verified=False)
        return user.last_login is None and waiting.exists()
