import os

from django.core.wsgi import get_wsgi_application

from league.serving import settle

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

application = get_wsgi_application()
settle()
