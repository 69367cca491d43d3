"""Practice games against the computer."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from league.accounts.codes import new_practice_code
from league.house.levels import Level
from league.play.acts import AnyTable, table_of
from league.play.table import Terms


class PracticeGame(models.Model):
    """A game of one player, without an account, against the computer.

    `lines` is its log without the header; hands and draws of the computer are in it, and `seed` gives the boneyard, so
    a page shows it through `league.play.sight` only. `status` is the verdict on the finished log. `review`: the moves
    of the player against the best ones (`league.play.reviews`), None until it is made; a request without one is due.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=new_practice_code, editable=False)
    ruleset = models.CharField(_("rules"), max_length=40)
    level = models.CharField(_("level"), max_length=20)
    options = models.JSONField(_("house rules"), default=dict)
    seats = models.PositiveSmallIntegerField(_("players at the table"), default=2)
    seed = models.CharField(_("secret of the deal"), max_length=32, editable=False)
    lines = models.TextField(_("log"))
    status = models.CharField(_("verdict"), max_length=20, blank=True)
    started_at = models.DateTimeField(_("started"))
    moved_at = models.DateTimeField(_("last move"), db_index=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    review = models.JSONField(_("review"), null=True, blank=True)
    review_asked_at = models.DateTimeField(_("review asked"), null=True, blank=True)
    review_tries = models.PositiveSmallIntegerField(_("tries"), default=0)

    class Meta:
        verbose_name = _("practice game")
        verbose_name_plural = _("practice games")

    def __str__(self) -> str:
        return f"{self.ruleset} {self.started_at:%Y-%m-%d %H:%M}"

    @property
    def terms(self) -> Terms:
        return Terms(self.ruleset, Level(self.level), self.seed, self.options, self.seats)

    def table(self) -> AnyTable:
        """Return the table at the last line of the log."""
        return table_of(self.terms, self.lines.splitlines())
