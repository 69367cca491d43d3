from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0012_tables_of_the_hall")]

    operations = [
        migrations.AddIndex(
            model_name="amendment",
            index=models.Index(fields=["state"], name="amendments_by_state"),
        ),
    ]
