from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DisputesConfig(AppConfig):
    name = "league.disputes"
    verbose_name = _("Disputes")

    def ready(self) -> None:
        from league.disputes import receivers  # noqa: F401
