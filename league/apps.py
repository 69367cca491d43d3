from django.apps import AppConfig

from league import celery  # noqa: F401  # shared tasks take the app that was made last


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from django.db.backends.signals import connection_created

        from league.journal import keep_journal_ahead

        connection_created.connect(keep_journal_ahead)
