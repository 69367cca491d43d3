"""Photos without metadata, looks, removal, erasure."""

from datetime import timedelta
from io import BytesIO

import pytest
from PIL import Image

from league.disputes import sweeping
from league.disputes.chain import broken_at
from league.disputes.models import DisputeLook, DisputePhoto, DisputeText
from league.disputes.protests import photos
from league.disputes.queries import case_view
from league.errors import Refused
from league.matches.models import Match
from league.players.signals import player_erased
from tests.league.disputes.courtroom import Outcome, file, find, logged, now, rule, soon

pytestmark = pytest.mark.django_db


def refused(act, *args, **more):
    with pytest.raises(Refused) as caught:
        act(*args, **more)
    return caught.value.code


def picture(size=(2400, 100), **more):
    exif = Image.Exif()
    exif[0x010F], exif[0x0112] = "Ana's phone", 6
    out = BytesIO()
    Image.new("RGB", size, "red").save(out, "JPEG", exif=exif, comment=b"secret", **more)
    return out.getvalue()


def test_a_photo_is_turned_made_smaller_and_has_no_metadata(world):
    logged(world)
    dispute = file(world)
    raw = picture()
    assert b"Ana's phone" in raw
    entry = photos.add_photo(dispute, world.bob, raw)
    kept = bytes(DisputePhoto.objects.get().image)
    with Image.open(BytesIO(kept)) as image:
        assert (image.size, dict(image.getexif()), "comment" in image.info) == ((67, 1600), {}, False)
    assert entry.data == {"sha256": photos.sha256(kept)}


def test_what_is_no_photo_is_refused(world):
    logged(world)
    dispute = file(world)
    for raw, code in ((b"<svg/>", "no-picture"), (picture()[:200], "no-picture"), (b"x" * 11 * 2**20, "large-picture")):
        assert refused(photos.add_photo, dispute, world.bob, raw) == code
    for _ in range(3):
        photos.add_photo(dispute, world.bob, picture((9, 9)))
    assert refused(photos.add_photo, dispute, world.bob, picture((9, 9))) == "too-many-pictures"
    assert refused(photos.add_photo, dispute, world.charlie, picture((9, 9))) == "not-your-match"


def test_only_the_judge_looks_and_each_look_is_logged(world):
    logged(world)
    dispute = file(world)
    number = photos.add_photo(dispute, world.bob, picture((9, 9))).number
    for who in (world.alice, world.bob, world.referee, world.charlie):
        assert refused(photos.look_at_photo, dispute, number, who) == "private"
        photos.looked(case_view(dispute.code, who))
        assert case_view(dispute.code, who).photos == ()
    assert not DisputeLook.objects.exists()
    find(dispute, world.referee)
    photos.look_at_photo(dispute, number, world.referee)
    photos.looked(case_view(dispute.code, world.referee))
    assert [(one.user, one.entry_id is None) for one in DisputeLook.objects.all()] == [
        (world.referee, False),
        (world.referee, True),
    ]
    assert refused(photos.look_at_photo, dispute, number, world.owner) == "private"
    rule(dispute, world.referee)
    assert photos.look_at_photo(dispute, number, world.owner)


def test_photos_go_thirty_days_after_the_last_deadline(world):
    logged(world)
    dispute = file(world)
    photos.add_photo(dispute, world.bob, picture((9, 9)))
    find(dispute, world.referee, "yes")
    assert sweeping.sweep(soon(60 * 24 * 60)) == 0
    rule(dispute, world.referee, Outcome.DISMISSED)
    until = now(dispute).deadline + timedelta(days=30)
    assert sweeping.sweep(until - timedelta(seconds=1)) == 0
    assert sweeping.sweep(until) == 1
    assert bytes(DisputePhoto.objects.get().image) == b""
    assert refused(photos.look_at_photo, dispute, 2, world.referee) == "photo-removed"


def test_photos_go_thirty_days_after_the_match_was_set_aside(world):
    logged(world)
    photos.add_photo(file(world), world.bob, picture((9, 9)))
    Match.objects.filter(pk=world.match.pk).update(set_aside_at=soon(0))
    assert photos.remove_old_photos(soon() + timedelta(days=29)) == 0
    assert photos.remove_old_photos(soon() + timedelta(days=30)) == 1


def test_words_and_photos_of_an_erased_player_go_and_the_chain_stays(world):
    logged(world)
    dispute = file(world)
    photos.add_photo(dispute, world.bob, picture((9, 9)))
    player_erased.send(None, player_id=world.bo.player_id)
    assert set(DisputeText.objects.values_list("text", flat=True)) == {""}
    assert bytes(DisputePhoto.objects.get().image) == b""
    assert broken_at(list(dispute.entries.order_by("number")), dispute.code, dispute.game.code) is None
