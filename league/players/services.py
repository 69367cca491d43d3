"""The verbs of players: join a league, be erased."""

import unicodedata
from datetime import date

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League, User
from league.errors import Refused
from league.players.models import Entrant, Membership, Player
from league.players.signals import player_erased

LONGEST = 60
# Zero-width joiners change how Indic and Persian names are written; other format characters only deceive
# (RELIABILITY.md A-16).
JOINERS = "\u200c\u200d"


def clean_name(name: str) -> str:
    """NFC, single spaces, no control or format characters. Raises Refused `bad-name` when nothing is left or it is
    over 60 characters.
    """
    letters = unicodedata.normalize("NFC", " ".join(name.split()))
    plain = "".join(c for c in letters if c in JOINERS or unicodedata.category(c) not in {"Cc", "Cf"}).strip()
    if not plain or len(plain) > LONGEST:
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters."), longest=LONGEST)
    return plain


@transaction.atomic
def enrol(*, league: League, name: str, since: date, user: User | None = None) -> Entrant:
    """A new player of a league, who can enter its competitions."""
    player = Player.objects.create(name=clean_name(name), user=user)
    Membership.objects.create(player=player, league=league, since=since)
    return Entrant.objects.create(league=league, player=player)


@transaction.atomic
def erase(player: Player) -> None:
    """Forget the name, and in the same transaction whatever else holds it. The code stays in results and sealed logs,
    whose proofs hold as before.
    """
    Player.objects.filter(pk=player.pk).update(name="", user=None)
    player_erased.send(Player, player_id=player.pk)
