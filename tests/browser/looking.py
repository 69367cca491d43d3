"""What a script sees of a page: faults of axe, text that is cut off or lies on other text, the way of the Tab key."""

from collections.abc import Iterator, Sequence

from axe_playwright_python.base import AXE_SCRIPT
from django.conf import settings
from playwright.sync_api import Page, expect

from tests.browser.conftest import become, leave_for
from tests.browser.pads import STORED
from tests.browser.spots import Spot

RUN_AXE = """([rules, without]) => axe.run({
    resultTypes: ['violations'],
    ...(rules && {runOnly: {type: 'rule', values: rules}}),
    rules: Object.fromEntries(without.map(rule => [rule, {enabled: false}])),
  })
  .then(found => found.violations.flatMap(rule => rule.nodes.map(node => [rule.id, node.html.slice(0, 160)])))"""
# What a theme changes: colours, and in a hall the size of the letters.
RULES_OF_A_THEME = ["color-contrast", "link-in-text-block"]
# Nothing that a script asks for is answered, nor is an answer read that is on its way.
UNANSWERED = "() => { window.fetch = Response.prototype.text = () => new Promise(() => {}); }"

SMALL_TARGETS = """least => [...document.querySelectorAll(
    'a, button, input:not([type=hidden]), select, textarea, summary')]
  .filter(one => one.checkVisibility() && !one.classList.contains('skip'))
  .filter(one => getComputedStyle(one).display !== 'inline')
  .map(one => [one.outerHTML.slice(0, 120), one.getBoundingClientRect().height])
  .filter(([, height]) => height < least - 0.5)"""

# Each run of text as it lies on the page, cut to the boxes that scroll or clip it. What floats over the page, and what
# only readers of the screen get, is left out.
TEXTS = """
  const shown = new Map();
  const frame = (one) => {
    if (!one || one === document.documentElement) return {left: -1e6, top: -1e6, right: 1e6, bottom: 1e6};
    if (shown.has(one)) return shown.get(one);
    const style = getComputedStyle(one), around = frame(one.parentElement);
    let mine = around;
    if (['fixed', 'sticky'].includes(style.position) || one.matches('.hidden, .skip')) mine = null;
    else if (around && style.overflowX !== 'visible' && one !== document.body) {
      const box = one.getBoundingClientRect();
      mine = {left: Math.max(around.left, box.left), top: Math.max(around.top, box.top),
              right: Math.min(around.right, box.right), bottom: Math.min(around.bottom, box.bottom)};
    }
    shown.set(one, mine);
    return mine;
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const boxes = [], range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const one = node.parentElement;
    if (!node.data.trim() || one.closest('script, style, noscript, option, textarea, title, desc')) continue;
    if (!one.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
    const within = frame(one);
    if (!within) continue;
    range.selectNodeContents(node);
    // Chromium gives a range of a squeezed text the width from before; the element has the right one.
    const squeezed = one.closest('[textLength]');
    for (const rect of squeezed ? [squeezed.getBoundingClientRect()] : range.getClientRects()) {
      // A line's box is taller than its letters.
      const slack = rect.height * 0.22;
      const box = {left: Math.max(rect.left + 1, within.left), right: Math.min(rect.right - 1, within.right),
                   top: Math.max(rect.top + slack, within.top), bottom: Math.min(rect.bottom - slack, within.bottom),
                   text: node.data.trim().slice(0, 40), node};
      if (box.right - box.left > 2 && box.bottom - box.top > 2) boxes.push(box);
    }
  }
"""
OVERLAPS = (
    """() => {"""
    + TEXTS
    + """
  boxes.sort((a, b) => a.top - b.top);
  const found = [];
  boxes.forEach((one, at) => {
    for (let next = at + 1; next < boxes.length && boxes[next].top < one.bottom - 1; next++) {
      const other = boxes[next];
      if (other.node !== one.node && other.left < one.right - 1 && one.left < other.right - 1) {
        found.push(`${one.text} / ${other.text}`);
      }
    }
  });
  return found.slice(0, 5);
}"""
)

# A box that hides what does not fit, and has something that does not. Boxes that scroll show it all.
CLIPPED = """() => [...document.querySelectorAll('body *')].filter(one => {
    const style = getComputedStyle(one);
    const across = ['hidden', 'clip'].includes(style.overflowX) && one.scrollWidth > one.clientWidth + 1;
    const down = ['hidden', 'clip'].includes(style.overflowY) && one.scrollHeight > one.clientHeight + 1;
    return (across || down) && one.clientWidth > 1 && one.innerText?.trim() && one.checkVisibility()
      && !one.closest('.hidden, .honey, svg');
  }).map(one => one.outerHTML.slice(0, 120))"""

# A word of five letters or more on three lines: its column has no room for words.
BROKEN = """() => {
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const around = node.parentElement;
    if (around.closest('.hidden, .honey, svg, pre, code') || !around.checkVisibility()) continue;
    for (const {index, 0: word} of node.data.matchAll(/\\p{L}{5,15}/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const {height} = range.getBoundingClientRect();
      if (height < 2.5 * parseFloat(getComputedStyle(around).fontSize)) continue;
      const lines = new Set([...range.getClientRects()].map(rect => Math.round(rect.top)));
      if (lines.size > 2) found.push(`${word}: ${around.outerHTML.slice(0, 80)}`);
    }
  }
  return found.slice(0, 5);
}"""

# What the Tab key stops at, in the order of the document; of a group of radio buttons only one.
FRAMES = "new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn))))"
STOPS = """() => {
  const groups = new Set();
  const stops = [...document.querySelectorAll(
      'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')].filter(one => {
    if (one.tabIndex < 0 || one.disabled || !one.checkVisibility({visibilityProperty: true})) return false;
    if (one.matches('summary') && one.parentElement.querySelector('summary') !== one) return false;
    if (one.type !== 'radio') return true;
    const group = [...document.querySelectorAll('[type=radio]')].filter(
      other => other.name === one.name && other.form === one.form);
    return one === (group.find(other => other.checked) ?? group[0]);
  });
  // A page that draws itself anew puts another element in the place of a stop: they are known by what they say.
  const mark = one => [one.tagName, one.id, one.name, one.getAttribute('href'), one.getAttribute('aria-label'),
    one.textContent.trim()].join('|');
  const marks = stops.map(mark);
  window.walked = {stops, seen: [], faults: []};
  const covers = (one, point) => {
    const hit = document.elementFromPoint(...point);
    const over = hit?.closest('*') && [...function* () {
      for (let at = hit; at; at = at.parentElement) {
        if (['sticky', 'fixed'].includes(getComputedStyle(at).position)) yield at;
      }
    }()].find(at => !at.contains(one));
    return Boolean(over);
  };
  document.addEventListener('focusin', ({target}) => {
    const {seen} = window.walked, after = marks.indexOf(mark(target), (seen.at(-1) ?? -1) + 1);
    seen.push(after < 0 ? marks.indexOf(mark(target)) : after);
    const style = getComputedStyle(target);
    if (style.outlineStyle === 'none' && style.boxShadow === 'none') {
      window.walked.faults.push(`no outline: ${target.outerHTML.slice(0, 120)}`);
    }
  });
  window.hiddenFocus = () => {
    const one = document.activeElement, box = one.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].map(part => [box.left + box.width * part, box.top + box.height / 2]);
    return points.every(([x, y]) => y < 0 || y > innerHeight || x < 0 || x > innerWidth || covers(one, [x, y]))
      ? one.outerHTML.slice(0, 120) : '';
  };
  // The walk begins before everything, wherever the page has put the focus.
  document.body.tabIndex = -1;
  document.body.focus();
  // Chromium stops at a box that scrolls and holds no stop: which boxes do depends on the language and the width.
  const stop = 'a[href], button, input, select, textarea, summary, [tabindex]';
  const scrollers = [...document.querySelectorAll('body *')].filter(one => {
    const {overflowX, overflowY} = getComputedStyle(one), scrolls = /auto|scroll/;
    return one.checkVisibility() && !one.matches(stop) && !one.querySelector(stop)
      && (scrolls.test(overflowX) && one.scrollWidth > one.clientWidth
        || scrolls.test(overflowY) && one.scrollHeight > one.clientHeight);
  });
  const parts = {date: 4, time: 4, 'datetime-local': 8, month: 3, week: 3};
  return {
    count: stops.length,
    presses: stops.reduce((sum, one) => sum + (parts[one.type] ?? 1), 0) + scrollers.length,
    floats: [...document.querySelectorAll('body *')].some(one => one.checkVisibility()
      && ['sticky', 'fixed'].includes(getComputedStyle(one).position) && !one.matches('th, td, caption *')),
  };
}"""
MISSED = "() => window.walked.stops.some((_, at) => !window.walked.seen.includes(at))"
SHOWN_MEANWHILE = 3  # stops that a script may show during the walk, as the pad its clock's button
WALKED = """() => {
  const {stops, seen, faults} = window.walked, mine = seen.filter(at => at >= 0);
  const missed = stops.filter((_, at) => !mine.includes(at)).map(one => `not reached: ${one.outerHTML.slice(0, 120)}`);
  const back = mine.findIndex((at, place) => place && at < mine[place - 1]);
  const turned = back < 0 ? [] : [`out of order: ${stops[mine[back]].outerHTML.slice(0, 120)}`];
  return [...faults, ...missed, ...turned].slice(0, 5);
}"""


def go(page: Page, spot: Spot, signed_in: dict[str, str], language: str = "en") -> None:
    """Open the spot as the person who looks at it, in a language."""
    if signed_in.get("as", "") != spot.user:
        page.context.clear_cookies()
        if spot.user:
            become(page, spot.user)
        signed_in["as"] = spot.user
    page.context.clear_cookies(name=settings.LANGUAGE_COOKIE_NAME)
    if language != "en":
        page.context.add_cookies(
            [{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "domain": "localhost", "path": "/"}]
        )
    leave_for(page, spot.path)
    if spot.text:
        page.get_by_label(spot.label).fill(spot.text)
        page.get_by_role("button", name=spot.button).click()
        expect(page.locator(spot.answer)).to_be_visible()
        page.wait_for_load_state()  # the answer is a page whose style sheets may still be on their way


def wait_for_pad(page: Page) -> None:
    """Wait until a pad shows what the phone keeps and the server's first answer to it; other pages are not waited for.

    Before that it is hidden, then without its clock, its taps, and the words about another phone.
    """
    if not page.locator("#pad").count():
        return
    expect(page.locator("#pad[data-ready=yes]")).to_be_visible()
    if page.locator("#pad [data-do=say_time]").count():  # the match is timed
        expect(page.locator("#pad[data-clock]")).to_be_visible()
        page.evaluate(STORED, "")  # the pad keeps the answer before it paints it; this look at the store comes after


def hold_still(page: Page) -> None:
    """Stop the page from renewing itself while it is measured.

    Without a stream it asks every few seconds, and puts another element in the place of the one that is looked at.
    """
    wait_for_pad(page)
    page.evaluate(UNANSWERED)


def axe(page: Page, rules: list[str] | None = None, without: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Each fault as the rule and the element; all rules of axe but those `without`, or only those given."""
    # A pad hides its page until its script has read what the phone keeps.
    expect(page.locator("#pad[hidden]")).to_have_count(0)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return [tuple(one) for one in page.evaluate(RUN_AXE, [rules, list(without)])]


def unreadable(page: Page) -> Iterator[tuple[str, list[str]]]:
    """Text that is cut off, text that lies on other text, and words in a column that has no room for them."""
    if clipped := page.evaluate(CLIPPED):
        yield "clipped", clipped[:3]
    if overlaps := page.evaluate(OVERLAPS):
        yield "overlap", overlaps
    if broken := page.evaluate(BROKEN):
        yield "broken", broken


def walk_by_keyboard(page: Page) -> list[str]:
    """Tab from the first stop to the last: each is reached, in the order of the document, with an outline, and no bar
    that stays in its place hides it.
    """
    page.evaluate(FRAMES)  # a script may show and hide stops after the width of the page has changed
    begun = page.evaluate(STOPS)
    hidden = []
    for press in range(begun["presses"] + SHOWN_MEANWHILE):
        # A field of a date has fewer stops in some languages: the walk ends with the last stop of the page.
        if press >= begun["count"] and not page.evaluate(MISSED):
            break
        page.keyboard.press("Tab")
        if begun["floats"] and (one := page.evaluate("window.hiddenFocus()")):
            hidden.append(f"hidden focus: {one}")
    return [*page.evaluate(WALKED), *hidden[:3]]
