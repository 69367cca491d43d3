"""Website: server-rendered pages, a folder for each area."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """No models: views, template tags and static files; mails about disputes."""

    name = "league.web"
    label = "web"

    def ready(self) -> None:
        from league.web.disputes import mails  # noqa: F401
