"""Background work. `celery -A league worker`, `celery -A league beat`."""

import logging
import os
from datetime import datetime
from typing import Any

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# Seconds. The sender is a page for a waiting person, and a message is only a hint; a listening worker has the longer
# limits of the settings.
SENDING = {"socket_connect_timeout": 0.3, "socket_timeout": 0.3, "max_retries": 0}


class Queues(Celery):
    """Celery that gives up early on a hanging broker when it sends."""

    def connection_for_write(self, url: str | None = None, **options: Any) -> Any:
        target = url or self.conf.broker_write_url or self.conf.broker_url
        if str(target).startswith("redis"):
            options["transport_options"] = {**(options.get("transport_options") or {}), **SENDING}
        return super().connection_for_write(url, **options)


app = Queues("league")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# A package without models, so not an app of Django.
app.autodiscover_tasks(["league.rehearsals"])

log = logging.getLogger(__name__)


def send(name: str, *arguments: int, eta: datetime | None = None) -> bool:
    """Send a task by its name, and return whether the broker took it.

    By name, because services import no tasks. A lost message costs only time: a sweep finds the row (STACK.md 1).
    """
    if name not in app.tasks:
        app.loader.import_default_modules()
    task = app.tasks[name]
    try:
        if eta is None:
            task.delay(*arguments)
        else:
            task.apply_async(arguments, eta=eta)
    except Exception as error:
        log.warning("%s%s waits for the sweep, the broker did not take it: %s", name, arguments, error)
        return False
    return True
