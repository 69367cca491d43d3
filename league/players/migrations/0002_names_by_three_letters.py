from django.db import migrations

from league.players.migrations._names_by_three_letters import forget_index, index_names


class Migration(migrations.Migration):
    dependencies = [("players", "0001_tables")]
    operations = [migrations.RunPython(index_names, forget_index)]
