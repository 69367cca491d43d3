import os

from django.core.asgi import get_asgi_application

from league.serving import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

pages = get_asgi_application()

from league.live.streams import Streams  # noqa: E402  models are loaded by now

application = Streams(pages)
settle()
