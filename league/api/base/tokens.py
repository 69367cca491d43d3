"""Tokens: make, find and revoke."""

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words
from league.accounts.graphemes import longer_than
from league.accounts.permissions import Asker
from league.api.models import LONGEST_TOKEN, Token, TokenScope
from league.errors import NotAllowed, Refused
from league.matches.hash_chain import sha256

BEGINNING = "dom_"
"""By which scanners for secrets, and people, know what it is."""
SHOWN = 10
# Otherwise a busy program would write a row with every request.
NOTE_USE_EVERY = timedelta(minutes=1)


def tokens_of(user: Asker) -> QuerySet[Token]:
    """Return the asker's tokens, newest first."""
    return Token.objects.filter(user_id=user.pk)


def usable(now: datetime) -> Q:
    unexpired = Q(expires_at__isnull=True) | Q(expires_at__gt=now)
    return unexpired & Q(revoked_at__isnull=True, user__is_active=True, user__erased_at__isnull=True)


def make_token(
    user: Asker, *, name: str, scopes: Collection[str], days: int | None = None, now: datetime | None = None
) -> tuple[Token, str]:
    """Return the new row, and the key, which is not stored. `days` of None: until revoked.

    Raises NotAllowed `sign-in`; Refused `no-name`, `no-scope`, `too-many-tokens`.
    """
    if not user.is_authenticated:
        raise NotAllowed("sign-in", _("Sign in first."))
    plain = clean_words(name)
    if not plain or longer_than(plain, LONGEST_TOKEN):
        raise Refused("no-name", _("Give the token a name of 1 to %(longest)d characters."), longest=LONGEST_TOKEN)
    chosen = [scope for scope in TokenScope.values if scope in scopes]
    if not chosen or len(chosen) != len(set(scopes)):
        raise Refused("no-scope", _("Choose at least one thing that the token may do."))
    made = now or timezone.now()
    if tokens_of(user).filter(usable(made)).count() >= settings.API_TOKENS_A_USER:
        raise Refused(
            "too-many-tokens",
            _("You have %(most)d tokens. Revoke one that is not used any more."),
            most=settings.API_TOKENS_A_USER,
        )
    key = BEGINNING + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user_id=user.pk,
        name=plain,
        prefix=key[:SHOWN],
        digest=sha256(key.encode()),
        scopes=chosen,
        created_at=made,
        expires_at=made + timedelta(days=days) if days else None,
    )
    return token, key


def token_with(key: str, now: datetime) -> Token | None:
    """Return the token of a key, with its owner.

    None if it is unknown, revoked or expired, or if the account is closed.
    """
    found = Token.objects.filter(usable(now), digest=sha256(key.encode())).select_related("user").first()
    if found and (found.last_used_at is None or found.last_used_at <= now - NOTE_USE_EVERY):
        Token.objects.filter(pk=found.pk).update(last_used_at=now)
    return found


def revoke(token: Token, *, user: Asker) -> bool:
    """Revoke a token for ever; True if this call did it.

    Raises NotAllowed `no-permission` for a token of another account.
    """
    if token.user_id != user.pk:
        raise NotAllowed("no-permission", _("You may not do this."))
    return bool(Token.objects.filter(pk=token.pk, revoked_at__isnull=True).update(revoked_at=timezone.now()))


def revoke_all(user_id: int) -> None:
    """Revoke every token of an account for ever."""
    Token.objects.filter(user=user_id, revoked_at=None).update(revoked_at=timezone.now())


def was_token(key: str) -> bool:
    """Tell whether the site ever issued this key, valid or not."""
    return Token.objects.filter(digest=sha256(key.encode())).exists()
