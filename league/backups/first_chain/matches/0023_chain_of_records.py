"""Compute heads and seals of existing records and results (sealing.py)."""

from itertools import groupby

from django.db import migrations, models

from league.matches.seals import CODES, RecordFacts, ResultFacts, record_head, result_seal

GIVES_RESULT = ("verified", "consistent", "corrected", "violation")
AT_ONCE = 500

RECORD = (
    "pk", "game", "game__code", "game__number", "game__match", "game__match__ruleset", "game__match__options", "kind",
    "submitted_by", "for_side", "via", "signed", "submitted_at", "replaces", "upload_sha256", "seats", "partners",
    "sealed__sha256", "score_sheet__sha256", "verdict__status", "result",
)  # fmt: skip
RESULT = (
    "pk", "record__head", "scores", "winner", "ended", "known_by", "confirmed_how", "confirmed_by", "confirmed_at",
    "decided",
)  # fmt: skip


def chain(apps, schema_editor):
    record_model = apps.get_model("matches", "Record")
    side_model = apps.get_model("matches", "Side")
    after = 0
    while games := list(_games(record_model, after)):
        rows = record_model.objects.filter(game__in=games).order_by("game", "pk").values_list(*RECORD)
        met = {}
        sides = side_model.objects.filter(match__games__in=games).order_by("match", "number").distinct()
        for match, number, *both in sides.values_list("match", "number", *CODES):
            met.setdefault(match, {})[str(number)] = [code for code in both if code]
        changed = []
        for _game, of_game in groupby(rows, key=lambda row: row[1]):
            head = ""
            for row in of_game:
                head = record_head(head, _facts(row, met.get(row[4], {})))
                too_late = row[7] == "log" and row[19] in GIVES_RESULT and row[20] is None
                changed.append(record_model(pk=row[0], head=head, sides=met.get(row[4], {}), too_late=too_late))
        record_model.objects.bulk_update(changed, ["head", "sides", "too_late"], batch_size=AT_ONCE)
        after = games[-1]


def _games(record_model, after):
    rows = record_model.objects.filter(game__gt=after).order_by("game").values_list("game", flat=True).distinct()
    return rows[:AT_ONCE]


def _facts(row, sides):
    (
        _pk, _game, code, number, _match, ruleset, options, kind, by, side, via, signed, at, replaces, upload, seats,
        partners, sealed, sheet, _status, _result,
    ) = row  # fmt: skip
    return RecordFacts(
        code, number, ruleset, options, kind, by, side, via, signed, at, replaces, upload, seats, partners, sides,
        sealed or sheet or "",
    )  # fmt: skip


def seal(apps, schema_editor):
    model = apps.get_model("matches", "Result")
    after = 0
    official = model.objects.filter(state__in=["official", "amended"]).order_by("pk")
    while rows := list(official.filter(pk__gt=after).values_list(*RESULT)[:AT_ONCE]):
        changed = [model(pk=pk, seal=result_seal(ResultFacts(*facts))) for pk, *facts in rows]
        model.objects.bulk_update(changed, ["seal"], batch_size=AT_ONCE)
        after = rows[-1][0]


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0022_one_device"),
    ]

    operations = [
        migrations.AddField(
            model_name="record",
            name="head",
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head"),
        ),
        migrations.AddField(
            model_name="record",
            name="sides",
            field=models.JSONField(default=dict, editable=False, verbose_name="sides"),
        ),
        migrations.AddField(
            model_name="record",
            name="too_late",
            field=models.BooleanField(default=False, editable=False, verbose_name="checked too late"),
        ),
        migrations.AddField(
            model_name="result",
            name="seal",
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name="seal"),
        ),
        migrations.RunPython(chain, migrations.RunPython.noop),
        migrations.RunPython(seal, migrations.RunPython.noop),
    ]
