"""Accounts, leagues, and the roles of accounts in leagues."""

from django.contrib.auth.models import AbstractUser
from django.core.validators import URLValidator
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import LENGTH, new_code
from league.accounts.folding import FOLDED, FoldedField
from league.accounts.lettered import NameColumn
from league.accounts.naming import initials, this_year

LONGEST_FULL_NAME = 100
LONGEST_NAME = 120
LONGEST_PLACE = 120


class User(AbstractUser):
    """A person with an account.

    `code` replaces an official's name in sealed logs, so that the name can be erased.
    """

    # The whole name in one field, as the person writes it.
    first_name = NameColumn(_("first name"), letters=LONGEST_FULL_NAME, blank=True)
    code = models.CharField(_("code"), max_length=LENGTH, unique=True, default=new_code, editable=False)
    # A copy from the players that the account has claimed (league/players/claiming.py).
    initials_until = models.PositiveSmallIntegerField(
        _("initials until"), null=True, blank=True, help_text=_("The last year in which others see initials only.")
    )
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True, editable=False)

    # Address and browser of the request at a match, as a digest; not kept (league/web/shared/guests.py).
    hands = ""

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="one_account_an_email",
                condition=~models.Q(email=""),
                violation_error_message=_("There is an account with this e-mail address."),
            ),
            models.UniqueConstraint(
                Lower("username"),
                name="one_account_a_username",
                violation_error_message=_("There is an account with this name."),
            ),
        ]

    def __str__(self) -> str:
        """Return the public name: never an address.

        Initials (or code) of a minor, the code after erasure.
        """
        if self.erased_at:
            return self.code
        if self.initials_until and this_year() <= self.initials_until:
            return initials(self.get_full_name()) if self.get_full_name() else self.code
        return self.get_full_name() or (self.code if "@" in self.username else self.username)


class League(models.Model):
    """A club or federation. Every competition belongs to one."""

    name = NameColumn(_("name"), letters=LONGEST_NAME)
    folded = FoldedField(of="name", max_length=FOLDED, db_index=True)
    slug = models.SlugField(_("address"), max_length=60, unique=True)
    place = NameColumn(_("place"), letters=LONGEST_PLACE, blank=True)
    # Public, chosen by its owner (league/accounts/contacts.py).
    contact = models.CharField(_("contact"), max_length=200, blank=True)
    contact_email = models.EmailField(_("e-mail"), blank=True)
    contact_phone = models.CharField(_("telephone"), max_length=40, blank=True)
    contact_web = models.CharField(
        _("page of its own"), max_length=200, blank=True, validators=[URLValidator(["http", "https"])]
    )
    parent = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="children", verbose_name=_("part of")
    )
    confirmation_required = models.BooleanField(
        _("results are confirmed"),
        default=True,
        help_text=_("Off for casual nights: what a log proves is confirmed at once."),
    )
    second_side_proves = models.BooleanField(
        _("the second side proves itself"),
        default=False,
        help_text=_("At the table it confirms with PIN, slip or account, as in every knock-out."),
    )
    silence_minutes = models.PositiveSmallIntegerField(
        _("silence confirms after"),
        null=True,
        blank=True,
        help_text=_("Minutes after which the other side's silence confirms what a player entered. Empty: never."),
    )
    # Officials needed for one act: a result, a forfeit, a ruling, an amendment (matches/officials.py).
    officials_needed = models.PositiveSmallIntegerField(
        _("officials for one act"),
        choices=[(2, _("two, where the league has two")), (1, _("one"))],
        default=2,
        help_text=_("For results that officials enter, forfeits, rulings and amendments."),
    )
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")

    class Meta:
        ordering = ["name"]
        constraints = [
            models.CheckConstraint(condition=models.Q(officials_needed__in=[1, 2]), name="one_or_two_officials"),
        ]
        verbose_name = _("league")
        verbose_name_plural = _("leagues")

    def __str__(self) -> str:
        return self.name


class Role(models.Model):
    """Role of a person in a league. A person may have several."""

    class Kind(models.TextChoices):
        OWNER = "owner", pgettext_lazy("role", "owner")
        MANAGER = "manager", pgettext_lazy("role", "manager")
        HEAD_REFEREE = "head_referee", pgettext_lazy("role", "head referee")
        REFEREE = "referee", pgettext_lazy("role", "referee")
        DESK_HELPER = "desk_helper", pgettext_lazy("role", "desk helper")
        PLAYER = "player", pgettext_lazy("role", "player")
        READ_ONLY = "read_only", pgettext_lazy("role", "read only")

    user = models.ForeignKey(User, models.CASCADE, related_name="roles", verbose_name=_("person"))
    league = models.ForeignKey(League, models.CASCADE, related_name="roles", verbose_name=_("league"))
    kind = models.CharField(_("role"), max_length=16, choices=Kind)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "league", "kind"], name="a_role_once"),
        ]
        verbose_name = _("role")
        verbose_name_plural = _("roles")

    def __str__(self) -> str:
        return f"{self.user}: {self.get_kind_display()}"


class ResetLink(models.Model):
    """A link for a new password, made by one person for another, if there is no mail.

    Shown to the account's owner, because the holder of the link can sign in.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="reset_links", verbose_name=_("person"))
    made_by = models.ForeignKey(User, models.PROTECT, related_name="made_reset_links", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"))

    class Meta:
        ordering = ["-made_at", "-pk"]
        verbose_name = _("reset link")
        verbose_name_plural = _("reset links")

    def __str__(self) -> str:
        return f"{self.user}, {self.made_at:%Y-%m-%d}"


class RoleInvitation(models.Model):
    """A link that gives a role to one account; above player after the consent of an owner.

    Works once. Only the SHA-256 of its secret is kept.
    """

    league = models.ForeignKey(League, models.CASCADE, related_name="role_invitations", verbose_name=_("league"))
    kind = models.CharField(_("role"), max_length=16, choices=Role.Kind)
    digest = models.CharField(_("SHA-256"), max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(User, models.PROTECT, related_name="made_role_invitations", verbose_name=_("made by"))
    made_at = models.DateTimeField(_("made"))
    expires_at = models.DateTimeField(_("expires"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    taken_by = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="taken_role_invitations", verbose_name=_("taken by")
    )
    taken_at = models.DateTimeField(_("taken"), null=True, blank=True)
    decided_by = models.ForeignKey(
        User, models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("decided by")
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    accepted = models.BooleanField(_("accepted"), default=False)

    class Meta:
        ordering = ["made_at", "pk"]
        verbose_name = _("invitation to a role")
        verbose_name_plural = _("invitations to a role")

    def __str__(self) -> str:
        return f"{self.league}: {self.get_kind_display()}, {self.made_at:%Y-%m-%d}"


class Founding(models.Model):
    """The founding of the site and its first owner: a single row at most."""

    ONLY = 1

    user = models.ForeignKey(User, models.PROTECT, related_name="founded", verbose_name=_("person"))

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="a_site_is_founded_once")]
        verbose_name = _("founding of the site")
        verbose_name_plural = _("founding of the site")

    def __str__(self) -> str:
        return str(self.user)


class Attempts(models.Model):
    """Attempts at one secret by one account, person, device or address (attempts.py)."""

    key = models.CharField(_("key"), max_length=64, unique=True, editable=False)
    times = models.JSONField(_("seconds since 1970"), default=list)
    ends_at = models.DateTimeField(_("counts until"), db_index=True)

    class Meta:
        verbose_name = _("attempts")
        verbose_name_plural = _("attempts")

    def __str__(self) -> str:
        return f"{self.key[:8]}: {len(self.times)}"
