import os

from django.core.asgi import get_asgi_application

from league.serving import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_asgi_application()
settle()
