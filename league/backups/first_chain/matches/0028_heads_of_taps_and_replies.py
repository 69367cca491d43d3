"""Store the head of the last tap of a game, and heads of replies (sealing.py)."""

from itertools import groupby

from django.db import migrations, models
from django.db.models import OuterRef, Subquery

from league.matches.seals import ReplyFacts, reply_head

REPLY = ("pk", "result__game", "result__record__head", "agrees", "for_side", "said_by", "said_at", "turn", "after")
AT_ONCE = 500


def pin_taps(apps, schema_editor):
    taps = apps.get_model("matches", "TallyTap").objects.filter(game=OuterRef("pk")).order_by("-number")
    games = apps.get_model("matches", "Game").objects.filter(taps__isnull=False).distinct()
    apps.get_model("matches", "Game").objects.filter(pk__in=games.values("pk")).update(
        taps_head=Subquery(taps.values("head")[:1])
    )


def chain_replies(apps, schema_editor):
    model = apps.get_model("matches", "Reply")
    rows = model.objects.order_by("result__game", "pk").values_list(*REPLY)
    changed = []
    for _game, of_game in groupby(rows, key=lambda row: row[1]):
        head = ""
        for pk, _same, *facts in of_game:
            head = reply_head(head, ReplyFacts(*facts))
            changed.append(model(pk=pk, head=head))
    model.objects.bulk_update(changed, ["head"], batch_size=AT_ONCE)


class Migration(migrations.Migration):
    dependencies = [("matches", "0027_judges")]

    operations = [
        migrations.AddField(
            model_name="game",
            name="taps_head",
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head"),
        ),
        migrations.AddField(
            model_name="reply",
            name="head",
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head"),
        ),
        migrations.RunPython(pin_taps, migrations.RunPython.noop),
        migrations.RunPython(chain_replies, migrations.RunPython.noop),
    ]
