"""Website: server-rendered pages, a folder for each area."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """No models: views, template tags and static files; mails about disputes and hours."""

    name = "league.web"
    label = "web"

    def ready(self) -> None:
        from league.web.disputes import mails  # noqa: F401
        from league.web.matches import hour_mails  # noqa: F401
