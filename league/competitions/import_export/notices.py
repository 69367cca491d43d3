"""Notices of a league as values of its file, each with all its versions."""

from typing import Any

from league.accounts.models import League
from league.accounts.permissions import Asker
from league.competitions.models import NoticeVersion
from league.competitions.notices import notices_of


def notices_told(user: Asker, league: League) -> list[dict[str, Any]]:
    """The newest notice first; versions in order. Two statements."""
    latest = list(notices_of(user, league))
    versions: dict[int, list[NoticeVersion]] = {}
    rows = NoticeVersion.objects.filter(notice__in=[one.notice_id for one in latest]).select_related("published_by")
    for row in rows.order_by("notice", "number"):
        versions.setdefault(row.notice_id, []).append(row)
    return [
        {
            "competition": one.notice.competition.slug if one.notice.competition else None,
            "withdrawn_at": one.notice.withdrawn_at.isoformat() if one.notice.withdrawn_at else None,
            "withdrawn_reason": one.notice.withdrawn_reason,
            "versions": [_version(version) for version in versions[one.notice_id]],
        }
        for one in latest
    ]


def _version(version: NoticeVersion) -> dict[str, Any]:
    return {
        "title": version.title,
        "text": version.text,
        "published_at": version.published_at.isoformat(),
        "published_by": str(version.published_by),
    }
