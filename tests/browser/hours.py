"""The hour of the site and of the pages that look at it: it stands still until a test moves it."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page

# How many requests of the page's scripts wait for their answer or its text. What a script does with an answer, it does
# in the same turn, so that a request which follows is counted before the message arrives. Messages need no timer, which
# would stand still.
COUNT = """() => {
  let waiting = 0, waiters = [];
  const {port1, port2} = new MessageChannel(), look = () => port2.postMessage('');
  port1.onmessage = () => { if (!waiting) waiters.splice(0).forEach(done => done()); };
  window.settled = () => new Promise(done => { waiters.push(done); look(); });
  const counted = (object, name) => {
    const real = object[name];
    object[name] = function (...given) {
      waiting += 1;
      const answer = real.apply(this, given), over = () => { waiting -= 1; look(); };
      answer.then(over, over);
      return answer;
    };
  };
  counted(window, 'fetch');
  for (const name of ['text', 'json']) counted(Response.prototype, name);
  // Playwright's clock knows of no entries: the page itself came in no time.
  const entries = () => [{requestStart: performance.now(), responseStart: performance.now()}];
  performance.getEntriesByType = kind => kind === 'navigation' ? entries() : [];
}"""
STEP = timedelta(seconds=1)


class Hours:
    """`timezone.now()` of the site, and `Date`, `performance.now()` and every timer of the pages that `show` it."""

    def __init__(self) -> None:
        self.now = timezone.now().replace(microsecond=0)
        self._pages: list[Page] = []

    def show(self, page: Page) -> Page:
        """Before the page goes anywhere."""
        # The page's clock runs until it is paused, and cannot go back: a slow machine has an hour for it.
        page.clock.install(time=self.now - timedelta(hours=1))
        page.clock.pause_at(self.now)
        page.add_init_script(f"({COUNT})()")
        self._pages.append(page)
        return page

    def run(self, seconds: float, *, answered: bool = True) -> None:
        """Let the time pass in small steps. What a page asks for is answered before the next one, but where a test
        keeps the answers back.
        """
        end = self.now + timedelta(seconds=seconds)
        while self.now < end:
            if answered:
                self.settle()
            step = min(STEP, end - self.now)
            self.now += step
            for page in self._pages:
                page.clock.run_for(step / timedelta(milliseconds=1))
        if answered:
            self.settle()

    def settle(self) -> None:
        """Wait for the answers to what the scripts of the pages have asked for."""
        for page in self._pages:
            page.evaluate("window.settled()")


@pytest.fixture
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    """A time of the test's own, for the site and for the pages that it is shown to."""
    made = Hours()
    monkeypatch.setattr(timezone, "now", lambda: made.now)
    return made
