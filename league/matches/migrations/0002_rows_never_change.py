from django.db import migrations

from league.matches.migrations._rows_never_change import guard, unguard


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_tables")]

    operations = [migrations.RunPython(guard, unguard)]
