"""Official notices of a league: publish, amend, withdraw, read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words
from league.accounts.models import League, User
from league.accounts.permissions import Act, Asker, check_may
from league.competitions.models import Competition
from league.competitions.models.notice import LONGEST_REASON, LONGEST_TEXT, LONGEST_TITLE, Notice, NoticeVersion
from league.competitions.visibility import addressed_competitions
from league.errors import Refused

MOST_OFFERED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """Text of a notice: a title of one line, and paragraphs with empty lines between."""

    title: str
    text: str


@transaction.atomic
def publish_notice(
    league: League,
    wording: Wording,
    *,
    user: User,
    competition: Competition | None = None,
    now: datetime | None = None,
) -> Notice:
    """Publish a notice. The same words again return the same notice.

    So a button that is pressed twice does no harm.

    Raises NotAllowed; Refused `bad-title`, `bad-text`; `not-of-league`, `not-published` of the competition, whose draft
    must stay secret.
    """
    check_may(user, Act.PUBLISH_NOTICES, league)
    League.objects.select_for_update().get(pk=league.pk)
    wording = _checked(wording)
    if competition is not None:
        _check_about(Competition.objects.get(pk=competition.pk), league)
    standing = _latest().filter(notice__league=league, notice__competition=competition, notice__withdrawn_at=None)
    same = standing.filter(title=wording.title, text=wording.text).first()
    if same is not None:
        return same.notice
    notice = Notice.objects.create(league=league, competition=competition)
    _write(notice, wording, number=1, user=user, now=now or timezone.now())
    return notice


@transaction.atomic
def amend_notice(notice: Notice, wording: Wording, *, user: User, seen: int, now: datetime | None = None) -> Notice:
    """Add a version to a notice; earlier versions are kept.

    `seen`: the number of the version that was read.

    Raises NotAllowed; Refused `bad-title`, `bad-text`, `withdrawn-already`, `changed-meanwhile`, `nothing-changed`.
    """
    notice = _locked(notice, user)
    last = notice.versions.select_related("published_by").get(replaced_at=None)
    if last.number != seen:
        raise Refused(
            "changed-meanwhile",
            _("Meanwhile %(who)s wrote another version. Look at it, then decide again."),
            who=last.published_by,
        )
    wording, now = _checked(wording), now or timezone.now()
    if (wording.title, wording.text) == (last.title, last.text):
        raise Refused("nothing-changed", _("That is what the notice says already."))
    NoticeVersion.objects.filter(pk=last.pk).update(replaced_at=now)
    _write(notice, wording, number=last.number + 1, user=user, now=now)
    return notice


@transaction.atomic
def withdraw_notice(notice: Notice, *, user: User, reason: str = "", now: datetime | None = None) -> Notice:
    """Withdraw a notice; its text stays, with the name and reason of the withdrawal.

    Raises NotAllowed; Refused `withdrawn-already`, `long-reason`.
    """
    notice = _locked(notice, user)
    reason = clean_words(reason)
    if len(reason) > LONGEST_REASON:
        raise Refused("long-reason", _("A reason has at most %(longest)d characters."), longest=LONGEST_REASON)
    notice.withdrawn_at, notice.withdrawn_by, notice.withdrawn_reason = now or timezone.now(), user, reason
    notice.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    return notice


def _locked(notice: Notice, user: User) -> Notice:
    check_may(user, Act.PUBLISH_NOTICES, notice.league)
    notice = Notice.objects.select_for_update().get(pk=notice.pk)
    if notice.withdrawn_at is not None:
        raise Refused("withdrawn-already", _("This notice was withdrawn already."))
    return notice


def _write(notice: Notice, wording: Wording, *, number: int, user: User, now: datetime) -> None:
    NoticeVersion.objects.create(
        notice=notice,
        number=number,
        title=wording.title,
        text=wording.text,
        published_at=now,
        published_by=user,
    )


def _checked(wording: Wording) -> Wording:
    title, text = clean_words(wording.title), clean_text(wording.text)
    if not title or len(title) > LONGEST_TITLE:
        raise Refused("bad-title", _("A title has 1 to %(longest)d characters."), longest=LONGEST_TITLE)
    if not text or len(text) > LONGEST_TEXT:
        raise Refused("bad-text", _("The text has 1 to %(longest)d characters."), longest=LONGEST_TEXT)
    return Wording(title=title, text=text)


def clean_text(text: str) -> str:
    """Clean the lines of a text, and keep at most one empty line between two.

    Lines as from `clean_words`, so that no character reverses the direction of neighbouring text.
    """
    return re.sub(r"\n{3,}", "\n\n", "\n".join(map(clean_words, text.splitlines()))).strip("\n")


def _check_about(competition: Competition, league: League) -> None:
    if competition.league_id != league.pk:
        raise Refused("not-of-league", _("%(name)s is not a competition of this league."), name=competition)
    if competition.published_at is None:
        raise Refused(
            "not-published",
            _("%(name)s is a draft that nobody sees. Publish it first, then write about it."),
            name=competition,
        )


# --- Reading ---


def visible_notices(user: Asker) -> QuerySet[NoticeVersion]:
    """Current versions of all notices, the newest first, with author and competition.

    Withdrawn notices too. One statement.
    """
    seen = Q(notice__competition=None) | Q(notice__competition__in=addressed_competitions(user).values("pk"))
    return _latest().filter(seen)


def notices_of(user: Asker, league: League) -> QuerySet[NoticeVersion]:
    """The same for one league."""
    return visible_notices(user).filter(notice__league=league)


def standing_of(user: Asker, league: League) -> QuerySet[NoticeVersion]:
    """The same without withdrawn notices."""
    return notices_of(user, league).filter(notice__withdrawn_at=None)


def standing_about(competition: Competition) -> QuerySet[NoticeVersion]:
    """Notices about this competition alone, not withdrawn, for users that see it."""
    return _latest().filter(notice__withdrawn_at=None, notice__competition=competition)


def notice_of(user: Asker, league: League, notice_id: int) -> Notice:
    """Return a visible notice. Raises Notice.DoesNotExist."""
    version = notices_of(user, league).select_related("notice__withdrawn_by").filter(notice__pk=notice_id).first()
    if version is None:
        raise Notice.DoesNotExist
    return version.notice


def versions_of(notice: Notice) -> Sequence[NoticeVersion]:
    """Versions of a notice, the latest first; the first is the current text."""
    return list(notice.versions.select_related("notice", "published_by").order_by("-number"))


def competitions_to_tell_of(league: League) -> QuerySet[Competition]:
    """Competitions that a notice may be about, the latest first, up to a list's limit."""
    published = Competition.objects.filter(league=league, published_at__isnull=False).order_by("-published_at", "-pk")
    return Competition.objects.filter(pk__in=published.values("pk")[:MOST_OFFERED]).order_by("-published_at", "-pk")


def _latest() -> QuerySet[NoticeVersion]:
    rows = NoticeVersion.objects.filter(replaced_at=None)
    return rows.select_related("notice__league", "notice__competition", "published_by").order_by("-published_at", "-pk")
