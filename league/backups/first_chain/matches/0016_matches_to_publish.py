from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0015_under_review")]

    operations = [
        migrations.AddIndex(
            model_name="match",
            index=models.Index(condition=models.Q(published_at=None), fields=["id"], name="matches_to_publish"),
        ),
    ]
