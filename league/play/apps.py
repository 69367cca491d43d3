from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "league.play"
    verbose_name = _("Practice games")

    def ready(self) -> None:
        from league.play import receivers  # noqa: F401
