"""Fixtures, their games, and the records and results of each game."""

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.accounts.codes import DOOR_OF_MATCH, LENGTH, new_code, new_match_door
from league.accounts.lettered import NameColumn
from league.accounts.models import League
from league.matches.models.amendment import Amendment
from league.matches.models.clock import ClockEvent  # noqa: F401
from league.matches.models.judge import NamedJudge  # noqa: F401
from league.matches.models.record import ScoreSheet, SealedLog, StoredVerdict, Upload  # noqa: F401
from league.matches.models.row_check import AdoptedVerdict, RowCheck  # noqa: F401
from league.matches.models.tally import TallyTap  # noqa: F401
from league.players.models import Entrant, Player

LONGEST_TABLE = 40
LONGEST_REASON = 200


class Table(models.Model):
    """A place to play."""

    league = models.ForeignKey(League, models.CASCADE, related_name="tables", verbose_name=_("league"))
    name = NameColumn(_("name"), letters=LONGEST_TABLE)
    # In the order of the hall; equal places by name.
    place = models.PositiveSmallIntegerField(_("place in the order"), default=0)
    accessible = models.BooleanField(pgettext_lazy("furniture", "accessible"), default=False)
    stream = models.BooleanField(pgettext_lazy("furniture", "on the stream"), default=False)
    # No match is called or planned there.
    out_of_order = models.BooleanField(pgettext_lazy("furniture", "out of order"), default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["league", "name"], name="a_table_once")]
        verbose_name = pgettext_lazy("furniture", "table")
        verbose_name_plural = pgettext_lazy("furniture", "tables")

    def __str__(self) -> str:
        return self.name


class KnownBy(models.TextChoices):
    """Source of a result, for ever shown beside its score."""

    LOG = "log", _("verified from the log")
    TALLY = "tally", _("checked tally")
    CARD = "card", _("checked card")
    SCORE = "score", _("recorded")
    RULED = "ruled", _("ruled")


# From the best source to the weakest. A ruling is no evidence, so it has no level.
LEVELS = (KnownBy.LOG, KnownBy.TALLY, KnownBy.CARD, KnownBy.SCORE)


class Match(models.Model):
    """A fixture: best of N games. A match knows no competition.

    Outsiders see it once `published_at` is set.
    """

    had_replies: bool  # added by queries/match.py
    first_left: int | None  # added by competitions/queries/results_grid.py, as `last_left` is
    last_left: int | None

    class State(models.TextChoices):
        SCHEDULED = "scheduled", pgettext_lazy("match", "upcoming")
        PLAYING = "playing", pgettext_lazy("match", "being played")
        PROVISIONAL = "provisional", pgettext_lazy("match", "provisional")
        DECIDED = "decided", pgettext_lazy("match", "official")

    league = models.ForeignKey(League, models.PROTECT, related_name="matches", verbose_name=_("league"))
    ruleset = models.CharField(_("ruleset"), max_length=40)
    options = models.JSONField(_("options"), default=dict, blank=True)
    best_of = models.PositiveSmallIntegerField(_("best of"), default=1)
    table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="matches",
        verbose_name=pgettext_lazy("furniture", "table"),
    )
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True, db_index=True)
    # The lowest level its games need (`LEVELS`).
    level = models.CharField(
        _("to be known by"), max_length=8, choices=[(one.value, one.label) for one in LEVELS], default=KnownBy.SCORE
    )
    # In the QR code on its card: guest access at the table, without an account.
    door = models.CharField(max_length=DOOR_OF_MATCH, unique=True, default=new_match_door, editable=False)
    state = models.CharField(_("state"), max_length=16, choices=State, default=State.SCHEDULED, db_index=True)
    published_at = models.DateTimeField(_("published"), null=True, blank=True)
    # By the desk, before the match's hour or after its day (guests.py).
    door_opened_at = models.DateTimeField(_("opened for entry by code"), null=True, blank=True, editable=False)
    # By the dispatcher: when it was called to its table, and since when all its players are there.
    called_at = models.DateTimeField(_("called"), null=True, blank=True, editable=False)
    here_at = models.DateTimeField(_("all here"), null=True, blank=True, editable=False)
    # Not called by the dispatcher until it is released.
    on_hold = models.BooleanField(_("on hold"), default=False, editable=False)
    # It depended on a result that was amended, and no longer counts: decided, without a current result.
    voided_by = models.ForeignKey(
        Amendment, models.PROTECT, null=True, blank=True, related_name="voided", verbose_name=_("void since")
    )
    # Nobody plays it: it depended on a result that was taken back, or the others left its table. Nobody sees it.
    set_aside_at = models.DateTimeField(_("set aside"), null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(voided_by__isnull=True) | Q(state="decided"), name="a_void_match_is_closed"
            ),
            # An even number of games could end level.
            models.CheckConstraint(condition=Q(best_of__in=[1, 3, 5, 7, 9, 11]), name="best_of_an_odd_number"),
        ]
        # Few are not published; the visibility filter finds them by this index (visibility.py).
        indexes = [models.Index(fields=["id"], condition=Q(published_at=None), name="matches_to_publish")]
        verbose_name = _("match")
        verbose_name_plural = _("matches")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


class Side(models.Model):
    """A side of a match, numbered from 1 in the order of the fixture."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="sides", verbose_name=_("match"))
    number = models.PositiveSmallIntegerField(_("number"))
    entrant = models.ForeignKey(Entrant, models.PROTECT, related_name="sides", verbose_name=_("entrant"))
    # Of a pair: which partner, 1 or 2, plays the first game of the match.
    opener = models.PositiveSmallIntegerField(_("first game by"), default=1, editable=False)
    # The phone that chose this side first with the table code, and whether it proved itself with the PIN.
    device = models.CharField(max_length=32, blank=True, editable=False)
    device_proved = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="a_side_number_once"),
            models.UniqueConstraint(fields=["match", "entrant"], name="nobody_meets_oneself"),
            models.CheckConstraint(condition=Q(number__gte=1), name="sides_count_from_one"),
            models.CheckConstraint(condition=Q(opener__in=[1, 2]), name="a_pair_has_two_partners"),
        ]
        verbose_name = _("side")
        verbose_name_plural = _("sides")

    def __str__(self) -> str:
        return str(self.entrant)

    def player_of(self, game: int) -> Player:
        """Return the player of game `game` of the match, from 1.

        A log may name the partner instead.
        """
        return self.entrant.at_game(game, opener=self.opener)


class Game(models.Model):
    """One game of a match. A log names its `code` in the tag `[Game "…"]`."""

    # Added by queries (queries/lines.py, queries/match.py).
    current_results: "list[Result]"
    has_log: bool
    has_unchecked_log: bool
    records_newest_first: "list[Record]"

    match = models.ForeignKey(Match, models.CASCADE, related_name="games", verbose_name=_("match"))
    number = models.PositiveSmallIntegerField(_("number"), default=1)
    code = models.CharField(_("code"), max_length=LENGTH, unique=True, default=new_code, editable=False)
    # A copy from the events of its clock, used to find bells that are due; null while the clock is not running.
    rings_at = models.DateTimeField(_("rings"), null=True, blank=True, db_index=True, editable=False)
    # A copy from its taps: the public running score (tally/services.py).
    tally = models.JSONField(_("running score"), null=True, blank=True, editable=False)
    # Of its last tap, so that a removed tail is found. No page shows it, because the last tap may be private.
    taps_head = models.CharField(_("chain head"), max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["match", "number"]
        constraints = [models.UniqueConstraint(fields=["match", "number"], name="a_game_number_once")]
        verbose_name = _("game")
        verbose_name_plural = _("games")

    def __str__(self) -> str:
        return self.code


class Record(models.Model):
    """A log, tally, score card or score submitted for a game.

    Kept for ever; a correction is a new record that names the one before it.
    """

    class State(models.TextChoices):
        RECEIVED = "received", _("being checked")
        VERIFIED = "verified", _("checked")

    class Via(models.TextChoices):
        """Way of submission.

        `TABLE`: without an account, by the table code or a player's slip.
        """

        ACCOUNT = "account", pgettext_lazy("record came in", "signed in")
        DESK = "desk", pgettext_lazy("record came in", "typed by the desk")
        TABLE = "table", pgettext_lazy("record came in", "at the table")
        IMPORT = "import", pgettext_lazy("record came in", "imported")

    game = models.ForeignKey(Game, models.PROTECT, related_name="records", verbose_name=_("game"))
    kind = models.CharField(_("kind"), max_length=8, choices=KnownBy, default=KnownBy.LOG)
    # Null if entered at the table without an account.
    submitted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="records",
        verbose_name=_("submitted by"),
    )
    via = models.CharField(_("came in"), max_length=8, choices=Via, default=Via.ACCOUNT)
    # By an official, if one official is enough. The act stays valid if the league has two later.
    alone = models.BooleanField(_("by one official alone"), default=False, editable=False)
    # Of a phone without an account: its key, and a digest of its address and browser (results/second_side.py).
    device = models.CharField(max_length=80, blank=True, editable=False)
    # The typed card bears the signatures of both sides.
    signed = models.BooleanField(_("signed by both"), default=False)
    # Reason of an official's ruling. May name somebody, so it can be emptied.
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    # Undone by its submitter within minutes. It is kept, but no longer counts.
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    # The submitter's role: the number of the side, or null for an official. Roles change; this act does not.
    for_side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    submitted_at = models.DateTimeField(_("submitted"))
    replaces = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="replaced_by", verbose_name=_("replaces")
    )
    state = models.CharField(_("state"), max_length=8, choices=State, default=State.RECEIVED)
    # Of the bytes without a byte order mark and with LF at line ends: the same log on every system. Of anything but a
    # log: of its content, its submitter and how often they submitted, for two sides may submit the same.
    upload_sha256 = models.CharField(_("SHA-256 of the upload"), max_length=64)
    seats = models.JSONField(_("seats"), default=dict, help_text=_('Which side sits where: {"A": 1, "B": 2}.'))
    # Of each pair, by number of the side, the code of the partner named in the log: the log decides who played.
    partners = models.JSONField(_("partners who played"), default=dict, blank=True, editable=False)
    # One more than the highest of the game each time an earlier log of it is submitted again.
    turn = models.PositiveIntegerField(_("turn"), default=0, editable=False)
    # The codes of the players at submission, by side number; and the head of the chain (seals.py).
    sides = models.JSONField(_("sides"), default=dict, editable=False)
    head = models.CharField(_("chain head"), max_length=64, blank=True, editable=False)
    # A log whose verdict came after its game was settled: it has no result.
    too_late = models.BooleanField(_("checked too late"), default=False, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                "game", "upload_sha256", Coalesce("for_side", 0), name="the_same_log_of_a_side_once"
            ),
            models.CheckConstraint(
                condition=Q(via="table", for_side__isnull=False) | Q(submitted_by__isnull=False),
                name="a_record_comes_from_somebody",
            ),
        ]
        indexes = [models.Index(fields=["submitted_at"], condition=Q(state="received"), name="records_to_verify")]
        verbose_name = _("record")
        verbose_name_plural = _("records")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"

    @property
    def order(self) -> tuple[int, int]:
        """Sort key of a game's logs, later ones greater (`IN_ORDER` for the database)."""
        return self.turn, self.pk


IN_ORDER = ("turn", "pk")


# States and means of a confirmation without an account.
CONFIRMED = ("official", "amended")
WITHOUT_ACCOUNT = ("side", "pin", "signed", "agreed", "silence", "amended", "alone")


class Result(models.Model):
    """The score of a game by side, copied from its record.

    Provisional until somebody else confirms it.
    """

    class State(models.TextChoices):
        PROVISIONAL = "provisional", pgettext_lazy("result", "provisional")
        OFFICIAL = "official", pgettext_lazy("result", "official")
        # It was official until it was amended, or its match became void.
        AMENDED = "amended", pgettext_lazy("result", "amended")

    class Confirmation(models.TextChoices):
        """Means of confirmation."""

        PERSON = "person", pgettext_lazy("result confirmed", "by somebody signed in")
        SIDE = "side", pgettext_lazy("result confirmed", "by the other side at the table")
        PIN = "pin", pgettext_lazy("result confirmed", "by the other side, with its PIN")
        SIGNED = "signed", pgettext_lazy("result confirmed", "both signed the card")
        AGREED = "agreed", pgettext_lazy("result confirmed", "two entered the same")
        SILENCE = "silence", pgettext_lazy("result confirmed", "the other side said nothing in time")
        AMENDED = "amended", pgettext_lazy("result confirmed", "it amends an official result")
        ALONE = "alone", pgettext_lazy("result confirmed", "by the organizer alone")

    class OneDevice(models.TextChoices):
        """Whether both sides entered from one device (`ALIKE`: address and browser)."""

        NO = "", ""
        SAME = "same", pgettext_lazy("result confirmed", "both sides from one phone")
        ALIKE = "alike", pgettext_lazy("result confirmed", "both sides from one address and browser")

    public_reviews: int | None  # added by queries/match.py

    game = models.ForeignKey(Game, models.PROTECT, related_name="results", verbose_name=_("game"))
    record = models.OneToOneField(Record, models.PROTECT, related_name="result", verbose_name=_("record"))
    scores = models.JSONField(_("scores"), help_text=_('Points by number of the side: {"1": 150, "2": 95}.'))
    # By number of the side, as the scores are.
    winner = models.PositiveSmallIntegerField(_("winner"), null=True, blank=True)
    ended = models.CharField(_("ended by"), max_length=12, blank=True)
    state = models.CharField(_("state"), max_length=12, choices=State, default=State.PROVISIONAL)
    known_by = models.CharField(_("known by"), max_length=8, choices=KnownBy, default=KnownBy.LOG)
    needs_decision = models.BooleanField(_("needs a decision"), default=False)
    # Another entry differs, or a side disagrees, until both agree or an official decides.
    contested = models.BooleanField(_("under review"), default=False)
    current = models.BooleanField(_("current"), default=True)
    entered_at = models.DateTimeField(_("entered"), db_index=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="confirmed_results",
        verbose_name=_("confirmed by"),
    )
    confirmed_at = models.DateTimeField(_("confirmed"), null=True, blank=True)
    confirmed_how = models.CharField(_("confirmed how"), max_length=8, choices=Confirmation, blank=True)
    # Set if the second side did not prove itself; that side is asked again (results/second_side.py).
    one_device = models.CharField(_("one device"), max_length=5, choices=OneDevice, blank=True, editable=False)
    # It needed a decision, which was made with its confirmation.
    decided = models.BooleanField(_("decided"), default=False)
    # Given by the official who took this entry. May name somebody, so it can be emptied.
    reason = models.CharField(_("reason of the decision"), max_length=LONGEST_REASON, blank=True)
    # The seal of an official result, also after an amendment (seals.py); else empty.
    seal = models.CharField(_("seal"), max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["game"], condition=Q(current=True), name="one_current_result_a_game"),
            models.CheckConstraint(
                condition=Q(current=True, state__in=["provisional", "official"])
                | Q(current=False, state__in=["provisional", "amended"]),
                name="an_official_result_stays",
            ),
            models.CheckConstraint(
                condition=Q(confirmed_by__isnull=True, confirmed_at__isnull=True, confirmed_how="")
                | Q(confirmed_by__isnull=False, confirmed_at__isnull=False, confirmed_how="person", state__in=CONFIRMED)
                | Q(confirmed_at__isnull=False, state__in=CONFIRMED, confirmed_how__in=WITHOUT_ACCOUNT),
                name="confirmed_is_official",
            ),
            models.CheckConstraint(
                condition=Q(decided=False) | Q(needs_decision=False, confirmed_by__isnull=False),
                name="decided_by_somebody",
            ),
        ]
        # Few of many, and every table and list filters by them.
        indexes = [
            models.Index(
                fields=["game"],
                condition=Q(Q(needs_decision=True) | Q(contested=True), current=True),
                name="results_under_review",
            )
        ]
        verbose_name = _("result")
        verbose_name_plural = _("results")

    def __str__(self) -> str:
        return "–".join(str(points) for points in self.scores.values())


class Reply(models.Model):
    """An answer to an entry of another source: "I disagree" or "I accept it".

    Kept for ever. An agreement replaces the source's earlier entry; a disagreement puts the result under review.
    """

    result = models.ForeignKey(Result, models.PROTECT, related_name="replies", verbose_name=_("result"))
    agrees = models.BooleanField(_("agrees"))
    # May name somebody, so it can be emptied.
    sentence = models.CharField(_("sentence"), max_length=LONGEST_REASON, blank=True)
    for_side = models.PositiveSmallIntegerField(_("for side"), null=True, blank=True)
    said_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="replies",
        verbose_name=_("said by"),
    )
    said_at = models.DateTimeField(_("said"))
    # The `Record.order` of the record before it.
    turn = models.PositiveIntegerField(default=0, editable=False)
    after = models.PositiveBigIntegerField(default=0, editable=False)
    # Chains it to the reply before it and to its record (seals.py).
    head = models.CharField(_("chain head"), max_length=64, blank=True, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(for_side__isnull=False) | Q(said_by__isnull=False), name="a_reply_comes_from_somebody"
            ),
        ]
        verbose_name = _("reply")
        verbose_name_plural = _("replies")

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}"


def unchecked_logs(game: int | OuterRef) -> models.QuerySet[Record]:
    return Record.objects.filter(game=game, state=Record.State.RECEIVED)


def log_unchecked() -> Exists:
    """Annotate a result: a later log, or one by others, waits for its verdict."""
    later = Q(turn__gt=OuterRef("record__turn")) | Q(turn=OuterRef("record__turn"), pk__gt=OuterRef("record"))
    logs = unchecked_logs(OuterRef("game")).annotate(side=Coalesce("for_side", 0))
    return Exists(logs.filter(later | ~Q(side=Coalesce(OuterRef("record__for_side"), 0))))
