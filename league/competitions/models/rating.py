"""Rows of ratings.

All but the settings are copies, made from official results and recomputed when these change.
"""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League
from league.matches.models import Game
from league.players.models import Player


class RatingList(models.Model):
    """Ratings of a league in one ruleset, and their parameters (ratings/glicko2.py)."""

    league = models.ForeignKey(League, models.CASCADE, related_name="rating_lists", verbose_name=_("league"))
    ruleset = models.CharField(_("ruleset"), max_length=40)
    period_days = models.PositiveSmallIntegerField(
        _("days of a rating period"), default=7, validators=[MinValueValidator(1), MaxValueValidator(366)]
    )
    start_rating = models.FloatField(_("rating of a newcomer"), default=1500.0)
    start_deviation = models.FloatField(_("deviation of a newcomer"), default=350.0)
    start_volatility = models.FloatField(_("volatility of a newcomer"), default=0.06)
    tau = models.FloatField(_("τ"), default=0.5)
    changed_at = models.DateTimeField(_("computed"), null=True, blank=True, editable=False)

    class Meta:
        ordering = ["league", "ruleset"]
        constraints = [
            models.UniqueConstraint(fields=["league", "ruleset"], name="a_rating_list_once"),
            models.CheckConstraint(
                condition=Q(period_days__gte=1, start_deviation__gt=0, start_volatility__gt=0, tau__gt=0),
                name="a_rating_list_can_be_computed",
            ),
        ]
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")

    def __str__(self) -> str:
        return f"{self.league}: {self.ruleset}"


class RatedGame(models.Model):
    """A counted game, as given by `ratings.services.counted`."""

    # After a merge of players these rows are recomputed, not moved (league/players/merging.py).
    MADE_ANEW = True

    rating_list = models.ForeignKey(
        RatingList, models.CASCADE, related_name="rated_games", verbose_name=_("rating list")
    )
    game = models.OneToOneField(Game, models.CASCADE, related_name="rated", verbose_name=_("game"))
    period = models.IntegerField(_("period"))
    first = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("player"))
    second = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("opponent"))
    # Of the first player, in halves: 2, 1 or 0.
    points = models.PositiveSmallIntegerField(_("points"))

    class Meta:
        ordering = ["period", "game"]
        constraints = [
            models.CheckConstraint(condition=Q(points__in=[0, 1, 2]), name="a_rated_game_gives_one_point"),
            models.CheckConstraint(condition=~Q(first=F("second")), name="a_rated_game_has_two_players"),
        ]
        indexes = [models.Index(fields=["rating_list", "period"], name="rated_games_of_a_period")]
        verbose_name = _("rated game")
        verbose_name_plural = _("rated games")

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"


class Rating(models.Model):
    """A player's rating change in one period with games.

    Periods without a game have no row: their effect on the deviation follows from their number
    (`ratings.glicko2.idle`).
    """

    MADE_ANEW = True

    rating_list = models.ForeignKey(RatingList, models.CASCADE, related_name="ratings", verbose_name=_("rating list"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="ratings", verbose_name=_("player"))
    # Periods are counted from Monday, 5 January 1970, in the time zone of the league.
    period = models.IntegerField(_("period"))
    rating_before = models.FloatField(_("rating before"))
    deviation_before = models.FloatField(_("deviation before"))
    volatility_before = models.FloatField(_("volatility before"))
    rating = models.FloatField(_("rating"))
    deviation = models.FloatField(_("deviation"))
    volatility = models.FloatField(_("volatility"))
    games = models.PositiveIntegerField(_("games"))
    played = models.PositiveIntegerField(_("games so far"))
    latest = models.BooleanField(_("latest"), default=True)

    class Meta:
        ordering = ["rating_list", "player", "period"]
        constraints = [
            models.UniqueConstraint(fields=["rating_list", "player", "period"], name="a_rating_a_period"),
            models.UniqueConstraint(
                fields=["rating_list", "player"], condition=Q(latest=True), name="one_latest_rating_a_player"
            ),
        ]
        indexes = [
            models.Index(fields=["rating_list", "period"], name="ratings_of_a_period"),
            models.Index(fields=["rating_list", "-rating"], condition=Q(latest=True), name="ratings_by_rank"),
        ]
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")

    def __str__(self) -> str:
        return f"{self.player}: {self.rating:.0f}"
