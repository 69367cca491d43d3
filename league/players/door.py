"""Renew the link of an entrant after a lost slip, the PIN after many guesses."""

from django.db import transaction

from league.accounts.codes import new_entrant_door, new_pin
from league.accounts.models import User
from league.accounts.permissions import Act, check_may
from league.players.models import Entrant
from league.players.signals import link_renewed


@transaction.atomic
def renew_door(entrant: Entrant, *, by: User) -> Entrant:
    """Replace link and PIN of an entrant; the old ones become void. Raises NotAllowed."""
    check_may(by, Act.MANAGE_PEOPLE, entrant.league)
    entrant = Entrant.objects.select_for_update(of=("self",)).get(pk=entrant.pk)
    entrant.door, entrant.pin = new_entrant_door(), new_pin()
    entrant.save(update_fields=["door", "pin"])
    link_renewed.send(Entrant, entrant_id=entrant.pk)
    return entrant


@transaction.atomic
def renew_pin(entrant: Entrant, *, by: User) -> Entrant:
    """Give an entrant a new PIN and a new count; the link of the slip stays.

    Raises NotAllowed.
    """
    check_may(by, Act.RUN_DESK, entrant.league)
    entrant = Entrant.objects.select_for_update(of=("self",)).get(pk=entrant.pk)
    entrant.pin = _another_pin(entrant.pin)
    entrant.save(update_fields=["pin"])
    return entrant


def _another_pin(old: str) -> str:
    while (pin := new_pin()) == old:
        pass
    return pin
