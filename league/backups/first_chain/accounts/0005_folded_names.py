from django.db import migrations

from league.accounts.folding import FoldedField, fold


def write_folded(apps, schema_editor) -> None:
    rows = apps.get_model("accounts", "League").objects.using(schema_editor.connection.alias)
    for pk, name in rows.values_list("pk", "name").iterator():
        rows.filter(pk=pk).update(folded=fold(name)[:240])


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_silence"),
    ]

    operations = [
        migrations.AddField(
            model_name="league",
            name="folded",
            field=FoldedField(blank=True, db_index=True, default="", editable=False, max_length=240, of="name"),
        ),
        migrations.RunPython(write_folded, migrations.RunPython.noop),
    ]
