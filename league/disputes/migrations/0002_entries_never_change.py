from django.db import migrations

from league.disputes.migrations._entries_never_change import guard, unguard


class Migration(migrations.Migration):
    dependencies = [("disputes", "0001_tables")]

    operations = [migrations.RunPython(guard, unguard)]
