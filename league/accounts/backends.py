"""Signing in with either the e-mail address or the user name."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import Q
from django.http import HttpRequest

from league.accounts.models import User


class EmailOrUsernameBackend(ModelBackend):
    def authenticate(
        self,
        request: HttpRequest | None,
        username: str | None = None,
        password: str | None = None,
        **_: object,
    ) -> User | None:
        """The account whose e-mail or user name, upper and lower case alike, and password these are.

        A password is hashed even where there is no such account, so that the time taken does not tell which accounts
        exist.
        """
        if not username or password is None:
            return None
        users = list(User.objects.filter(Q(username__iexact=username) | Q(email__iexact=username))[:2])
        if not users:
            User().set_password(password)
        # Two, where one person's user name is another's address: neither may lock the other out.
        for user in users:
            if user.check_password(password) and self.user_can_authenticate(user):
                return user
        return None
