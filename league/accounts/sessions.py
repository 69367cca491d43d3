"""Sessions in the database, read by a prepared statement: each page of a signed-in user reads one."""

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.utils import timezone

from league.prepared_statements import FixedSelect, Given

SESSION = FixedSelect(lambda: Session.objects.filter(session_key=Given("key")))


class SessionStore(db.SessionStore):
    """Django's store; only the reading of a session differs."""

    def _get_session_from_db(self) -> Session | None:
        found = SESSION.models(key=self.session_key or "")
        if found and found[0].expire_date > timezone.now():
            session: Session = found[0]
            return session
        self._session_key = None
        return None
