from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayersConfig(AppConfig):
    name = "league.players"
    verbose_name = _("Players")

    def ready(self) -> None:
        from league.players import receivers  # noqa: F401
