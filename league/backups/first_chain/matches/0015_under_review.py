from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("matches", "0014_figures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name="result",
            index=models.Index(
                condition=models.Q(
                    models.Q(("needs_decision", True), ("contested", True), _connector="OR"), ("current", True)
                ),
                fields=["game"],
                name="results_under_review",
            ),
        ),
    ]
