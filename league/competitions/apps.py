from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CompetitionsConfig(AppConfig):
    name = "league.competitions"
    verbose_name = _("Competitions")

    def ready(self) -> None:
        from league.competitions import receivers  # noqa: F401
