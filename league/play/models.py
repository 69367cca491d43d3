"""Practice games against the computer, and online games between people."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.notation.gamelog import GameLog
from games.notation.reading import loads
from games.ruleset import Matching
from games.rulesets import RULESETS
from league.accounts.codes import new_online_code, new_practice_code, new_seat_key
from league.accounts.lettered import NameColumn
from league.accounts.models import League
from league.house.levels import Level
from league.matches.models import Record
from league.play.acts import AnyTable, table_of
from league.play.online.table import OnlineTable, OnlineUno
from league.play.table import Terms, log_tags
from referee.deal_check import deal_tags, seed_of

NAME_LENGTH = 40
"""Most letters of a name at an online game."""


class PracticeGame(models.Model):
    """A game of one player, without an account, against the computer.

    `lines` is its log without the header; hands and draws of the computer are in it, and `seed` gives the boneyard, so
    a page shows it through `league.play.sight` only. `status` is the verdict on the finished log. `hinted`: the numbers
    of lines at which the player asked for a hint.
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
    hinted = models.JSONField(_("lines with a hint"), default=list, blank=True)

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


class OnlineGame(models.Model):
    """A game between people, each in a seat of its own.

    `lines` is its log without the header, with every hand; pages show it through `league.play.sight` only. `secret` is
    opened after the game, before it only its hash is shown.
    `players` is the number of seats; `seats` are those taken. `version` grows with every change, also of a seat.
    `marks`: acts on the game clock (`league.play.online.clock`). `waits_since`: since when the table waits for a seat.
    `due_at`: the next time at which something happens without an act, such as the bell. `fixture`: the code of a game
    of a competition, "" for a game among friends; its log is handed in there. A code and no key, for the row of a game
    may go with its draw. `lobby`: the league whose members see it as long as a seat is free.
    """

    code = models.CharField(_("code"), max_length=16, unique=True, default=new_online_code, editable=False)
    ruleset = models.CharField(_("rules"), max_length=40)
    options = models.JSONField(_("house rules"), default=dict)
    players = models.PositiveSmallIntegerField(_("players at the table"), default=2)
    move_s = models.PositiveIntegerField(_("seconds a move"), default=0)
    absence_s = models.PositiveIntegerField(_("seconds of an absence"))
    secret = models.CharField(_("secret of the deal"), max_length=64, editable=False)
    lines = models.TextField(_("log"), blank=True)
    marks = models.JSONField(_("acts on the clock"), default=list)
    version = models.PositiveIntegerField(_("version"), default=1)
    status = models.CharField(_("verdict"), max_length=20, blank=True)
    created_at = models.DateTimeField(_("created"), db_index=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    waits_since = models.DateTimeField(_("waits since"), null=True, blank=True)
    due_at = models.DateTimeField(_("next event without an act"), null=True, blank=True, db_index=True)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    lobby = models.ForeignKey(
        League,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("league of the lobby"),
    )
    fixture = models.CharField(_("code of the game of a competition"), max_length=8, blank=True)
    handed_in_at = models.DateTimeField(_("handed in"), null=True, blank=True)
    rematch_of = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="rematch", verbose_name=_("rematch of")
    )

    class Meta:
        verbose_name = _("online game")
        verbose_name_plural = _("online games")
        constraints = (
            models.UniqueConstraint(
                fields=["fixture"],
                condition=models.Q(ended_at=None) & ~models.Q(fixture=""),
                name="one_online_game_a_fixture",
            ),
        )

    def __str__(self) -> str:
        return f"{self.ruleset} {self.created_at:%Y-%m-%d %H:%M}"

    def seated(self) -> list["OnlineSeat"]:
        """Return the seats that are taken, in their order; free of a statement where they were prefetched."""
        return sorted(self.seats.all(), key=lambda seat: seat.number)

    def table(self) -> OnlineTable:
        """Return the table at the last line of the log.

        Its tags open the deal once the game has ended, unless the words of an erased player are gone.
        """
        seats = self.seated()
        names, words = [seat.name for seat in seats], [seat.words for seat in seats]
        tags = log_tags(self.ruleset, names, self.options)
        if self.ended_at is not None and not any(seat.is_erased for seat in seats):
            tags |= deal_tags(self.secret, words)
        marked = RULESETS[self.ruleset].matching is Matching.MARKINGS
        kind = OnlineUno if marked else OnlineTable
        return kind(tags, seed_of(self.secret, words), self.lines.splitlines(), self.marks)


class OnlineSeat(models.Model):
    """A seat of an online game, whose key is the secret of its player.

    `player`: the code of a player of a league, else "". `words` are the player's part of the seed. `ready_hand`:
    the hand after whose end the player asked for the next one.
    """

    game = models.ForeignKey(OnlineGame, models.CASCADE, related_name="seats", verbose_name=_("online game"))
    number = models.PositiveSmallIntegerField(_("seat"))
    key = models.CharField(_("secret of the seat"), max_length=16, default=new_seat_key, editable=False, db_index=True)
    name = NameColumn(_("name"), letters=NAME_LENGTH)
    player = models.CharField(_("code of the player"), max_length=8, blank=True, db_index=True)
    words = models.CharField(_("words for the deal"), max_length=80, blank=True)
    agreed = models.BooleanField(_("has agreed to the deal"), default=False)
    ready_hand = models.PositiveSmallIntegerField(_("ready after hand"), default=0)
    seen_at = models.DateTimeField(_("last seen"))
    greeting = models.CharField(_("greeting"), max_length=20, blank=True)
    muted = models.BooleanField(_("greetings muted"), default=False)

    class Meta:
        verbose_name = _("seat of an online game")
        verbose_name_plural = _("seats of online games")
        constraints = (models.UniqueConstraint(fields=["game", "number"], name="one_player_a_seat"),)

    def __str__(self) -> str:
        return self.name

    @property
    def is_erased(self) -> bool:
        """Whether its player was erased: the code stands in the place of the name."""
        return self.player != "" and self.name == self.player

    def away_for(self, now: datetime) -> float:
        """Return the seconds since the page of the seat last asked."""
        return max(0.0, (now - self.seen_at).total_seconds())


class MoveReview(models.Model):
    """The moves of one seat in a finished game against the best ones (`league.play.reviews`).

    The game is a practice game, an online game, or that of a log of a match; a corrected log is another record, and so
    has other reviews. `hands`: None until it is made. `public`: its player agrees that everybody sees the reviews of
    the game; they are public when all seats agree.
    """

    practice = models.OneToOneField(
        PracticeGame,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="move_review",
        verbose_name=_("practice game"),
    )
    online = models.ForeignKey(
        OnlineGame, models.CASCADE, null=True, blank=True, related_name="reviews", verbose_name=_("online game")
    )
    record = models.ForeignKey(
        Record, models.CASCADE, null=True, blank=True, related_name="move_reviews", verbose_name=_("record")
    )
    seat = models.PositiveSmallIntegerField(_("seat"), default=0)
    asked_at = models.DateTimeField(_("review asked"))
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    hands = models.JSONField(_("review"), null=True, blank=True)
    public = models.BooleanField(_("public, if all agree"), default=False)

    class Meta:
        verbose_name = _("review of moves")
        verbose_name_plural = _("reviews of moves")
        constraints = (
            models.UniqueConstraint(fields=["online", "seat"], name="one_review_a_seat_online"),
            models.UniqueConstraint(fields=["record", "seat"], name="one_review_a_seat_of_a_log"),
            models.CheckConstraint(
                condition=models.Q(practice__isnull=False, online=None, record=None)
                | models.Q(practice=None, online__isnull=False, record=None)
                | models.Q(practice=None, online=None, record__isnull=False),
                name="a_review_of_one_game",
            ),
        )

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    def log(self) -> GameLog:
        """Return the log of its game."""
        if self.record is not None:
            [log] = loads(self.record.sealed.text)
            return log
        return self.practice.table().log if self.practice is not None else self.online.table().log


class OnlineHeartbeat(models.Model):
    """The last time at which the server was there for online games: one row."""

    at = models.DateTimeField(_("last seen"))

    class Meta:
        verbose_name = _("heartbeat of online games")
        verbose_name_plural = _("heartbeats of online games")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M:%S}"
