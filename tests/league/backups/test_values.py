"""A value is read from a backup only as a backup writes it."""

import pytest
from django.db import models

from league.backups.values import codec


@pytest.mark.parametrize(
    ("field", "written", "otherwise"),
    [
        (models.DateTimeField(), "2026-11-20T12:00:00+00:00", "2026-11-20U12:00:00+00:00"),
        (models.DateTimeField(), "2026-11-20T12:00:00.500000+00:00", "2026-11-20T12:00:00,5+00:00"),
        (models.DateField(), "2026-11-20", "20261120"),
        (models.TimeField(), "19:30:00", "19:30"),
        (models.DecimalField(), "1.50", "0_1.50"),
        (models.BinaryField(), "AQI=", "AQJ="),
        (models.BinaryField(), "AQI=", "A!QI="),
        (models.DecimalField(), "1.50", "one"),
        (models.DurationField(), 1_500_000, 1_500_000.2),
        (models.DurationField(), 1_500_000, 10**20),
        (models.DurationField(), 1, True),
        (models.PositiveIntegerField(), 12, "12"),
        (models.BigAutoField(), 12, 12.0),
        (models.SmallIntegerField(), 1, True),
        (models.BooleanField(), True, 1),
        (models.BooleanField(), True, "t"),
        (models.FloatField(), 1500.0, "1_500.0"),
        (models.FloatField(), 1500.0, 1500),
        (models.CharField(), "5", 5),
        (models.TextField(), "", {}),
        (models.UUIDField(), "6f2b7c50-6a0c-4b0c-9d5e-0a1b2c3d4e5f", "6F2B7C50-6A0C-4B0C-9D5E-0A1B2C3D4E5F"),
        (models.UUIDField(), "6f2b7c50-6a0c-4b0c-9d5e-0a1b2c3d4e5f", 5),
    ],
)
def test_another_spelling_of_a_value_is_refused(field, written, otherwise) -> None:
    encode, decode = codec(field)
    value = decode(written)
    assert encode(value) == written
    with pytest.raises(ValueError, match="is not how a backup writes"):
        decode(otherwise)
