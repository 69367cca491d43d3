"""Players, their memberships in leagues, and entrants of competitions."""

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
    """A person who plays. The name can be erased; the code stays, also in sealed logs.

    A duplicate is `merged_into` the other player, and hidden until that is undone.
    """

    name = NameColumn(_("name"), letters=LONGEST, blank=True, help_text=_("Empty once it was erased."))
    # Copies, written by league/players/naming.py: the folded name, and the club, number or code that is shown beside
    # the name of a namesake.
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
        """Whether the player is or may be a minor; only a year of birth may be known."""
        return is_minor(self.born)

    @property
    def shown_name(self) -> str:
        """Public name: initials of a minor, the code after erasure."""
        return shown_name(self.code, self.name, minor=self.is_minor)


def shown_name(code: str, name: str, *, minor: bool) -> str:
    if not name:
        return code
    return initials(name) if minor else name


class Membership(models.Model):
    """Membership of a player in a league. `until` is the first day without it."""

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


# Related rows needed for the names of an entrant.
PEOPLE = ("entrant__player", "entrant__partner")


class Entrant(models.Model):
    """An entrant of a league's competitions: a player, or a pair that shares a seat.

    A player may also be in pairs; each is an entrant of its own.
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
    # Printed on the entrant's slip, and secret: `door` opens their own page, `pin` confirms as them on another person's
    # phone.
    door = models.CharField(max_length=DOOR_OF_ENTRANT, unique=True, default=new_entrant_door, editable=False)
    pin = models.CharField(max_length=PIN_LENGTH, default=new_pin, editable=False)
    # Private: shown only to officials of the league, and erased with the name.
    needs_accessible = models.BooleanField(_("needs an accessible table"), default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["league", "player"], condition=Q(partner__isnull=True), name="an_entrant_once"
            ),
            # In any order of the partners.
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
        """The player, or the two partners in order.

        Load `player` and `partner` with the row.
        """
        return [self.player, self.partner] if self.partner else [self.player]

    @property
    def full_name(self) -> str:
        """Full name for the staff: minors with their names too."""
        return together(player.name or player.code for player in self.players)

    @property
    def apart(self) -> str:
        """Labels that distinguish its players from namesakes."""
        return " / ".join(player.apart for player in self.players if player.apart)

    @property
    def code(self) -> str:
        """The code of a player; both codes of a pair."""
        return "-".join(player.code for player in self.players)

    @property
    def is_minor(self) -> bool:
        """Whether one of them is or may be a minor."""
        return any(player.is_minor for player in self.players)

    def is_of(self, user_id: int | None) -> bool:
        """Return whether the account is that of a player of this entrant."""
        return user_id is not None and any(player.user_id == user_id for player in self.players)

    def at_game(self, number: int, *, opener: int = 1) -> Player:
        """Return the player of game `number` of a match, from 1.

        Partners alternate; `opener` (1 or 2) has the first game.
        """
        return self.players[(number + opener) % len(self.players)]


def people_in(entrant: Entrant) -> list[int]:
    """Return the keys of its players, by which bookings go. No statement.

    A person may be alone in one competition and in a pair in another.
    """
    return [pk for pk in (entrant.player_id, entrant.partner_id) if pk]


def together(names: Iterable[str]) -> str:
    """Join the names of a pair."""
    return " & ".join(names)


def plays(player: Player | int | OuterRef) -> Q:
    """Filter entrants of this player, alone or in a pair."""
    return Q(player=player) | Q(partner=player)


def plays_for(user: User) -> Q:
    """Filter entrants of an account, alone or in a pair."""
    return Q(player__user=user) | Q(partner__user=user)


class PlayerClaim(models.Model):
    """A claim by an account: this player is me.

    A manager of one of the player's leagues decides.
    """

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
    """A link from a manager that links a player to the account that opens it.

    Works once.

    Only the SHA-256 of its secret is kept.
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
    """A merge of two players, with the moved rows, so that it can be undone."""

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
