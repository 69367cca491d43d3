"""Website: server-rendered pages, a folder for each area."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """No models: views, template tags and static files."""

    name = "league.web"
    label = "web"
