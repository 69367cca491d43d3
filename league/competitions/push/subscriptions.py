"""Subscriptions of browsers to the calls of an account, or of a personal link."""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric import ec
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.competitions.models import Followed, PushSubscription
from league.competitions.models.push import LONGEST_ENDPOINT, LONGEST_KEY
from league.competitions.push.keys import decoded
from league.competitions.push.sending import is_public
from league.errors import Refused
from league.players.models import Entrant, Player, plays

MOST = 10
"""Subscriptions of one owner; a further one replaces the oldest."""
AUTH_BYTES = 16

Owner = User | Entrant
"""An account, or the entrant of a personal link."""


@dataclass(frozen=True, slots=True)
class BrowserKeys:
    """Keys of a browser's subscription, in base64url."""

    p256dh: str
    auth: str


@transaction.atomic
def subscribe(owner: Owner, endpoint: str, keys: BrowserKeys) -> PushSubscription:
    """Send the calls of this owner to a browser; an earlier owner of the browser loses it.

    Raises Refused `bad-endpoint`, `bad-push-keys`.
    """
    if len(endpoint) > LONGEST_ENDPOINT or not is_public(endpoint):
        raise Refused("bad-endpoint", _("`endpoint` is not the https address of a push service."))
    if not _are_keys(keys):
        raise Refused("bad-push-keys", _("`p256dh` and `auth` are not the keys of a browser's subscription."))
    facts = {
        "p256dh": keys.p256dh,
        "auth": keys.auth,
        "user": owner if isinstance(owner, User) else None,
        "entrant": owner if isinstance(owner, Entrant) else None,
        "language": translation.get_language() or "",
        "created_at": timezone.now(),
    }
    made, new = PushSubscription.objects.update_or_create(endpoint=endpoint, defaults=facts)
    if not new:  # they are for its earlier owner
        made.deliveries.all().delete()
    rows = subscriptions_of(owner).order_by("-created_at", "-pk").values_list("pk", flat=True)
    PushSubscription.objects.filter(pk__in=list(rows[MOST:])).delete()
    return made


def _are_keys(keys: BrowserKeys) -> bool:
    if max(len(keys.p256dh), len(keys.auth)) > LONGEST_KEY:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(keys.p256dh))
        return len(decoded(keys.auth)) == AUTH_BYTES
    except ValueError:
        return False


def subscriptions_of(owner: Owner) -> QuerySet[PushSubscription]:
    if isinstance(owner, User):
        return PushSubscription.objects.filter(user=owner)
    return PushSubscription.objects.filter(entrant=owner)


def is_subscribed(owner: Owner, endpoint: str) -> bool:
    return subscriptions_of(owner).filter(endpoint=endpoint).exists()


def unsubscribe(endpoint: str) -> None:
    """End the subscription of a browser. Its secret address is the permission."""
    PushSubscription.objects.filter(endpoint=endpoint).delete()


def end(user: User, subscription_id: int | None) -> None:
    """End one subscription of an account."""
    if subscription_id is not None:
        PushSubscription.objects.filter(user=user, pk=subscription_id).delete()


def end_others(user: User, kept: int | None) -> None:
    """End the subscriptions of an account but one."""
    PushSubscription.objects.filter(user=user).exclude(pk=kept or 0).delete()


# --- Erasure ---


def forget_account(user_id: int) -> None:
    PushSubscription.objects.filter(user=user_id).delete()


def forget_link(entrant_id: int) -> None:
    """End the subscriptions made with the old personal link of an entrant."""
    PushSubscription.objects.filter(entrant=entrant_id).delete()


def forget_player(player_id: int) -> None:
    """End the subscriptions by links of an erased player, and of accounts without a player that follow nobody."""
    PushSubscription.objects.filter(entrant__in=Entrant.objects.filter(plays(player_id))).delete()
    left, followed = (model.objects.filter(user=OuterRef("user")) for model in (Player, Followed))
    PushSubscription.objects.filter(~Exists(left), ~Exists(followed), user__isnull=False).delete()
