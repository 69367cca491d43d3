"""Photos of a dispute, encoded again without metadata; looks at private material; removal after the last deadline."""

from datetime import datetime, timedelta
from io import BytesIO

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps, UnidentifiedImageError

from league.disputes.deciders import speaker
from league.disputes.entries import append, locked_dispute, refuse_unless, stage_now
from league.disputes.models import Dispute, DisputeEntry, DisputeLook, DisputePhoto
from league.disputes.permissions import reads_private
from league.disputes.queries import CaseView
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.hash_chain import sha256

MOST_BYTES = 10 * 2**20
MOST_PIXELS = 50_000_000
"""Of a JPEG, which is decoded smaller; of others half of it."""
LONGEST_EDGE = 1600
PHOTOS_OF_A_SIDE = 3
KEPT_FOR = timedelta(days=30)
State, Kind = Dispute.State, DisputeEntry.Kind


@transaction.atomic
def add_photo(
    dispute: Dispute,
    who: permissions.Visitor,
    raw: bytes,
    *,
    side: int | None = None,
    at: datetime | None = None,
) -> DisputeEntry:
    """Add a photo of a side before the ruling. `side`: by the desk in its name.

    Raises NotAllowed: those of `deciders.speaker`; Refused `no-picture`, `large-picture`, `too-many-pictures`,
    `decided-meanwhile` (409).
    """
    speaker(dispute, who, side)  # nothing is decoded for strangers
    image = encoded(raw)
    now, stage = locked_dispute(dispute)
    refuse_unless(stage, State.OPEN, State.FOUND, State.APPEALED)
    one, acting = speaker(now, who, side)
    if DisputeEntry.objects.filter(dispute=now, kind=Kind.PHOTO, for_side=acting).count() >= PHOTOS_OF_A_SIDE:
        raise Refused("too-many-pictures", _("At most %(most)d photos of a side."), most=PHOTOS_OF_A_SIDE)
    at = at or timezone.now()
    entry = append(now, Kind.PHOTO, {"sha256": sha256(image)}, by=one.user_id, side=acting, at=at)
    DisputePhoto.objects.create(entry=entry, image=image)
    return entry


def encoded(raw: bytes) -> bytes:
    """Return a photo as a JPEG without metadata, at most 1600 pixels long. Pure.

    Raises Refused `no-picture`, `large-picture`.
    """
    if len(raw) > MOST_BYTES:
        raise Refused("large-picture", _("A photo has at most %(most)d MiB."), most=MOST_BYTES // 2**20)
    try:
        with Image.open(BytesIO(raw), formats=("JPEG", "PNG", "WEBP")) as opened:
            most = MOST_PIXELS if opened.format == "JPEG" else MOST_PIXELS // 2
            if opened.width * opened.height > most:
                raise Refused("large-picture", _("This photo has too many pixels."))
            opened.draft("RGB", (LONGEST_EDGE, LONGEST_EDGE))
            upright = ImageOps.exif_transpose(opened).convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise Refused("no-picture", _("This photo can’t be read: send a JPEG, PNG or WebP.")) from None
    upright.thumbnail((LONGEST_EDGE, LONGEST_EDGE))
    clean = Image.new("RGB", upright.size)
    clean.paste(upright)
    out = BytesIO()
    clean.save(out, "JPEG", quality=80)
    return out.getvalue()


@transaction.atomic
def look_at_photo(dispute: Dispute, number: int, user: permissions.Visitor, at: datetime | None = None) -> bytes:
    """Return the photo of an entry as a JPEG, and log the look.

    Raises NotAllowed `private`; Refused `photo-removed`; DisputePhoto.DoesNotExist.
    """
    one = _reader(dispute, user)
    photo = DisputePhoto.objects.select_related("entry").get(entry__dispute=dispute, entry__number=number)
    if photo.removed_at:
        raise Refused("photo-removed", _("This photo was removed, 30 days after the case was closed."))
    DisputeLook.objects.create(dispute=dispute, user_id=one.user_id, entry=photo.entry, at=at or timezone.now())
    return bytes(photo.image)


def looked(view: CaseView, at: datetime | None = None) -> None:
    """Log a look at the statements, for everything that shows a view; nothing where it has no private words."""
    if view.private:
        at = at or timezone.now()
        DisputeLook.objects.create(dispute=view.dispute, user_id=view.one.user_id, entry=None, at=at)


def _reader(dispute: Dispute, user: permissions.Visitor) -> permissions.Actor:
    one = permissions.actor(user, dispute.match)
    if not reads_private(one, dispute, stage_now(dispute)):
        raise NotAllowed("private", _("Only the judge of the case, its second official and the appeal read this."))
    return one


def remove_old_photos(at: datetime) -> int:
    """Remove the photos of cases closed, or set aside, for 30 days after their last deadline; return how many."""
    over = Q(closed_at__lte=at - KEPT_FOR) | Q(match__set_aside_at__lte=at - KEPT_FOR)
    closed = Dispute.objects.filter(over).exclude(deadline__gt=at - KEPT_FOR)
    photos = DisputePhoto.objects.filter(removed_at=None, entry__dispute__in=closed)
    return photos.update(image=b"", removed_at=at)
