"""Sign-in by e-mail address or user name."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import HttpRequest

from league.accounts.models import User
from league.prepared_statements import FixedSelect, Given


class EmailOrUsernameBackend(ModelBackend):
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_: object,
    ) -> User | None:
        """Return the account with this password and e-mail or user name, in any case.

        A password is hashed even without such an account, so that the time taken does not show which accounts exist.
        """
        if not username or password is None:
            return None
        users = list(User.objects.filter(Q(username__iexact=username) | Q(email__iexact=username))[:2])
        if not users:
            User().set_password(password)
        # Two accounts match if one person's user name is another's address: neither may lock the other out.
        for user in users:
            if user.check_password(password) and self.user_can_authenticate(user):
                return user
        return None

    def get_user(self, user_id: int) -> User | None:
        """Return the account of a session, if it may sign in."""
        found = ACCOUNT.models(user=user_id)
        return found[0] if found and self.user_can_authenticate(found[0]) else None


ACCOUNT = FixedSelect(lambda: User.objects.filter(pk=Given("user")))
