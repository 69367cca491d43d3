from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MatchesConfig(AppConfig):
    name = "league.matches"
    verbose_name = _("Matches")

    def ready(self) -> None:
        from league.matches import health, receivers  # noqa: F401
