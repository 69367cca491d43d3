"""Heads of judges (league/matches/seals.py)."""

from django.db import migrations, models

from league.matches.seals import JudgeFacts, judge_head

JUDGE = ("pk", "match", "player__code", "named_by", "named_at", "accepted")


def pin_judges(apps, schema_editor):
    judges = apps.get_model("matches", "NamedJudge").objects
    for pk, *facts in list(judges.order_by("pk").values_list(*JUDGE)):
        judges.filter(pk=pk).update(head=judge_head(JudgeFacts(*facts)))


class Migration(migrations.Migration):
    dependencies = [("matches", "0029_reviews_of_old_rows")]

    operations = [
        migrations.AddField(
            model_name="namedjudge",
            name="head",
            field=models.CharField(blank=True, editable=False, max_length=64, verbose_name="chain head"),
        ),
        migrations.RunPython(pin_judges, migrations.RunPython.noop),
    ]
