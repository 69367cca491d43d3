"""Who plays, where, and under which name in a competition."""

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import F, OuterRef, Q
from django.db.models.functions import Greatest, Least
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import DOOR_OF_ENTRANT, LENGTH, PIN_LENGTH, new_code, new_entrant_door, new_pin
from league.accounts.folding import FOLDED
from league.accounts.lettered import NameColumn
from league.accounts.models import League, User
from league.accounts.naming import initials, is_minor

# Letters, as people count them.
LONGEST = 60
LONGEST_CLUB = 60


class Player(models.Model):
    """A person who plays. The name can be erased; the code stays, and is what sealed logs hold.

    A player who turned out to be another one is `merged_into` that one, and found nowhere until that is undone.
    """

    name = NameColumn(_("name"), letters=LONGEST, blank=True, help_text=_("Empty once it was erased."))
    # Copies, written by league/players/naming.py: what similar names have in common, and the club, number or
    # code that is shown beside the name where somebody else bears it.
    folded = models.CharField(max_length=FOLDED, blank=True, editable=False, db_index=True)
    apart = NameColumn(_("told apart by"), letters=LONGEST_CLUB, blank=True, editable=False)
    code = models.CharField(_("code"), max_length=LENGTH, unique=True, default=new_code, editable=False)
    born = models.PositiveSmallIntegerField(
        _("year of birth"),
        null=True,
        blank=True,
        help_text=_("Seen by those who manage the league only. While it makes a minor, others see initials."),
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="players",
        verbose_name=_("account"),
    )
    merged_into = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="absorbed", editable=False, verbose_name=_("is")
    )

    class Meta:
        ordering = ["name", "code"]
        verbose_name = _("player")
        verbose_name_plural = _("players")

    def __str__(self) -> str:
        return self.shown_name

    @property
    def is_minor(self) -> bool:
        """Or may be: only the year of birth is known, and it is kept only where somebody gave it."""
        return is_minor(self.born)

    @property
    def shown_name(self) -> str:
        """What everybody may read: initials of a minor, the code of somebody whose name was erased."""
        return shown_name(self.code, self.name, minor=self.is_minor)


def shown_name(code: str, name: str, *, minor: bool) -> str:
    if not name:
        return code
    return initials(name) if minor else name


class Membership(models.Model):
    """From when to when a player is of a league. `until` is the first day that is not."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="memberships", verbose_name=_("player"))
    league = models.ForeignKey(League, models.CASCADE, related_name="memberships", verbose_name=_("league"))
    club = NameColumn(pgettext_lazy("of a player", "club"), letters=LONGEST_CLUB, blank=True)
    number = models.CharField(pgettext_lazy("of a player", "member number"), max_length=20, blank=True)
    since = models.DateField(_("since"))
    until = models.DateField(_("until"), null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "league", "since"], name="a_membership_once"),
            models.CheckConstraint(
                condition=Q(until__isnull=True) | Q(until__gt=F("since")), name="a_membership_has_a_day"
            ),
        ]
        verbose_name = _("membership")
        verbose_name_plural = _("memberships")

    def __str__(self) -> str:
        return f"{self.player} – {self.league}"


# What the names of an entrant take, of rows that have one.
PEOPLE = ("entrant__player", "entrant__partner")


class Entrant(models.Model):
    """Who takes part in the competitions of a league: a player, or a pair that shares a seat. A player may also be of
    pairs; each is an entrant of its own.
    """

    league = models.ForeignKey(League, models.PROTECT, related_name="entrants", verbose_name=_("league"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="entrants", verbose_name=_("player"))
    partner = models.ForeignKey(
        Player,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="entrants_as_partner",
        verbose_name=_("partner"),
        help_text=_("Of a pair that shares a seat: the partners alternate games, the player has the first."),
    )
    # Both are printed on the entrant's slip, and are secrets: `door` opens their own page, `pin` says at somebody
    # else's phone that it is they who confirm.
    door = models.CharField(max_length=DOOR_OF_ENTRANT, unique=True, default=new_entrant_door, editable=False)
    pin = models.CharField(max_length=PIN_LENGTH, default=new_pin, editable=False)
    # Private: told to officials of the league alone, and forgotten with the name.
    needs_accessible = models.BooleanField(_("needs an accessible table"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["league", "player"], condition=Q(partner__isnull=True), name="an_entrant_once"
            ),
            # In whatever order its partners were named.
            models.UniqueConstraint(
                "league",
                Least("player", "partner"),
                Greatest("player", "partner"),
                condition=Q(partner__isnull=False),
                name="a_pair_once",
            ),
            models.CheckConstraint(
                condition=Q(partner__isnull=True) | ~Q(partner=F("player")), name="a_pair_is_two_people"
            ),
        ]
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")

    def __str__(self) -> str:
        return together(str(player) for player in self.players)

    @property
    def is_pair(self) -> bool:
        return self.partner_id is not None

    @property
    def players(self) -> list[Player]:
        """One, or the two of a pair in their order. Load `player` and `partner` with whoever is asked."""
        return [self.player, self.partner] if self.partner else [self.player]

    @property
    def full_name(self) -> str:
        """For whoever runs the evening: minors by their names too."""
        return together(player.name or player.code for player in self.players)

    @property
    def apart(self) -> str:
        """What tells those of them apart who have a namesake."""
        return " / ".join(player.apart for player in self.players if player.apart)

    @property
    def code(self) -> str:
        """Of a player the code; of a pair both."""
        return "-".join(player.code for player in self.players)

    @property
    def is_minor(self) -> bool:
        """One of them is, or may be."""
        return any(player.is_minor for player in self.players)

    def is_of(self, user_id: int | None) -> bool:
        """Whether the account is that of a player of this entrant."""
        return user_id is not None and any(player.user_id == user_id for player in self.players)

    def at_game(self, number: int, *, opener: int = 1) -> Player:
        """Whose turn it is in game `number` of a match, from 1: partners alternate, and `opener` (1 or 2) is whose the
        first game is.
        """
        return self.players[(number + opener) % len(self.players)]


def people_in(entrant: Entrant) -> list[int]:
    """By whom bookings go, for one person may be alone here and in a pair there: keys of players. No statement."""
    return [pk for pk in (entrant.player_id, entrant.partner_id) if pk]


def together(names: Iterable[str]) -> str:
    """The names of a pair as one."""
    return " & ".join(names)


def plays(player: Player | int | OuterRef) -> Q:
    """Entrants of this player, alone or in a pair."""
    return Q(player=player) | Q(partner=player)


def plays_for(user: User) -> Q:
    """Entrants of an account, alone or in a pair."""
    return Q(player__user=user) | Q(partner__user=user)


class PlayerClaim(models.Model):
    """An account says: this player is me. A manager of one of the player's leagues decides."""

    class State(models.TextChoices):
        WAITING = "waiting", pgettext_lazy("claim", "waiting")
        ACCEPTED = "accepted", pgettext_lazy("claim", "accepted")
        REFUSED = "refused", pgettext_lazy("claim", "refused")

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims", verbose_name=_("player"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims", verbose_name=_("account"))
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.WAITING)
    made_at = models.DateTimeField(_("made"))
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="decided_claims",
        verbose_name=_("decided by"),
    )

    class Meta:
        ordering = ["made_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["player", "user"], condition=Q(state="waiting"), name="a_claim_waits_once"),
            models.CheckConstraint(
                condition=Q(state="waiting", decided_at__isnull=True)
                | ~Q(state="waiting") & Q(decided_at__isnull=False),
                name="a_claim_waits_until_decided",
            ),
        ]
        verbose_name = _("claim")
        verbose_name_plural = _("claims")

    def __str__(self) -> str:
        return f"{self.user} – {self.player}"


class ClaimLink(models.Model):
    """A link that a manager hands to the person: whoever opens it, signed in, is that player. Works once.

    Only the SHA-256 of what stands in the link is kept.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="claim_links", verbose_name=_("player"))
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="made_claim_links", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"))
    used_at = models.DateTimeField(_("used"), null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("claim link")
        verbose_name_plural = _("claim links")

    def __str__(self) -> str:
        return f"{self.player}, {self.made_at:%Y-%m-%d}"


class PlayerMerge(models.Model):
    """Two players were one person: what was moved, so that it can be moved back."""

    kept = models.ForeignKey(Player, models.PROTECT, related_name="merges", verbose_name=_("kept"))
    absorbed = models.ForeignKey(Player, models.PROTECT, related_name="merged_by", verbose_name=_("absorbed"))
    # {"rows": [[model, field, before, after, [keys]], …], "user": …, "born": …}: keys only, never a name.
    moved = models.JSONField(_("moved"), default=dict)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="made_merges", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"))
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="undone_merges",
        verbose_name=_("undone by"),
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["absorbed"], condition=Q(undone_at__isnull=True), name="absorbed_by_one_player"
            ),
            models.CheckConstraint(condition=~Q(kept=F("absorbed")), name="nobody_is_merged_into_oneself"),
        ]
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")

    def __str__(self) -> str:
        return f"{self.absorbed} → {self.kept}"
