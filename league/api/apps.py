from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ApiConfig(AppConfig):
    name = "league.api"
    verbose_name = _("API")

    def ready(self) -> None:
        from league.api import receivers  # noqa: F401  # the import registers them
