"""Time that each layer made for speed saves: `python -m tests.benchmarks.bench_layers [entrants] [--only NAME]`.

Each layer is switched off while all others stay on: prepared statements are built by Django each time, HTML built in
Python is written by an equal template, a cache finds nothing. Pages and acts that the layer serves run with and without
it in turn. Printed is the least work of several looks, of this process and of PostgreSQL's, in CPU milliseconds; a star
marks the slowest page. A layer goes if that page costs at most a fifth more without it. Both answers must be the same.
On a database of its own, dropped afterwards: SQLite, or what DATABASE_URL names.
"""

import argparse
import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from datetime import timedelta
from itertools import count, islice
from types import SimpleNamespace
from unittest import mock

os.environ.setdefault("DATABASE_URL", "")

from tests.benchmarks import bench_site
from tests.benchmarks.bench_pages import club, founded, knock_out, play, swiss
from tests.benchmarks.bench_verification import is_about_160_lines
from tests.benchmarks.large_site import NOW

WORTH = 1.2
FEW_LOOKS, LOOKS, LONG_S = 3, 15, 4
ROBIN = 100
MIDDLE = 200
LOGS = 8
Off = Callable[[], AbstractContextManager[object]]
CHANGING = re.compile(rb'csrfmiddlewaretoken" value="[^"]+"|nonce-?="?[^"]+"|\d\d:\d\d:\d\d|"age[^,]+')


def main(entrants: int, only: str) -> int:
    with bench_site.database():
        from django.core.cache import cache

        from tests.league.world import make_world

        cache._max_entries = 10_000  # as many as Redis would hold
        world = make_world()
        world.owner.username = "harbour"  # the other owner takes that name
        world.owner.save()
        pages = {name: visit(path) for name, path in everything(world, entrants).items()}
        for _ in range(10):
            pages["home"]()  # it draws two boards a look
        pages["verify 8 logs"] = verified(world, is_about_160_lines)
        pages["verify 8 long logs"] = verified(world, is_long)
        print(f"{'layer':32} {'page':40} {'on':>8} {'off':>8}  times", flush=True)
        for layer, (off, names) in layers(pages).items():
            if any(one in layer for one in only.split(",")):
                table(layer, off, {name: pages[name] for name in names})
    return 0


def table(layer: str, off: Off, pages: dict[str, Callable[[], bytes]]) -> None:
    made_anew = nullcontext if layer == PUBLIC else bench_site.pages_made_each_time
    with made_anew():
        found = {name: compared(page, off) for name, page in pages.items()}
    slowest = max(found, key=lambda name: found[name][1])
    for name, (on, without, same) in found.items():
        star = ("* stays" if without > WORTH * on else "* goes") if name == slowest else ""
        print(f"{layer:32} {name:40} {on:8.1f} {without:8.1f} {without / on:6.2f} {same}{star}", flush=True)


def compared(page: Callable[[], bytes], off: Off) -> tuple[float, float, str]:
    """(CPU ms with the layer, without it, what is wrong with the answers)"""
    clock = bench_site.Clock()
    answers = []
    for state in (nullcontext, off):  # what a process computes once
        with state():
            answers.append(CHANGING.sub(b"", page()))
    least = [float("inf"), float("inf")]
    begun = time.perf_counter()
    for look in count(1):
        for number, state in enumerate((nullcontext, off)):
            with state():
                least[number] = min(least[number], sum(clock.of(page)[:2]))
        spent = time.perf_counter() - begun
        if look >= LOOKS or (spent > LONG_S and (look >= FEW_LOOKS or spent > 3 * LONG_S)):
            break
    return *least, "" if answers[0] == answers[1] else difference(*answers)


def difference(one: bytes, other: bytes) -> str:
    at = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"OTHER ANSWER {one[at - 60 : at + 60]!r} {other[at - 60 : at + 60]!r} "


# --- Pages and acts ---


def everything(world, entrants: int) -> dict[str, str]:
    """Play the competitions; the address of each page by name."""
    from league.matches.logs.submission import verify_record
    from tests.league.world import played_log

    matches = [world.fixture(starts_at=NOW - timedelta(hours=hours)) for hours in range(12)]
    for seed, match in enumerate(matches, start=7):
        verify_record(world.submit(played_log(seed), game=match.games.get()).pk)
    match = max(matches, key=lambda one: len(one.games.get().records.get().sealed.text)).pk
    league, owner, people = club(entrants)
    for number in sorted({MIDDLE, entrants}):
        swiss(league, owner, people[:number])
        knock_out(league, owner, people[:number])
    robin = founded(league, owner, people[:ROBIN], name="Robin", format="round_robin")
    for number in range(1, ROBIN):
        play(owner, robin, number)
    code = people[0].player.code
    found = {
        "home": "/",
        "match with its log": f"/matches/{match}/",
        "round robin": "/competitions/bench/robin/",
        "player": f"/players/{code}/",
        "API: matches": "/api/v1/matches?page_size=100",
        "API: games": "/api/v1/games?page_size=100",
        "API: results": "/api/v1/results?page_size=100",
        "API: players": "/api/v1/players?page_size=100",
        "API: competitions": "/api/v1/competitions?page_size=100",
        "API: terms of a round robin": "/api/v1/competitions/bench/robin/standings?terms=all&page_size=100",
        "API: rounds of a round robin": "/api/v1/competitions/bench/robin/rounds?page_size=100",
        "picture of a match": f"/share/en/matches/{match}.png",
    }
    for name, size in (("200", MIDDLE), ("all", entrants)):
        slug = f"bench/swiss-{size}"
        found |= {
            f"Swiss of {name}": f"/competitions/{slug}/",
            f"Swiss of {name}, in another order": f"/competitions/{slug}/?sort=points_for",
            f"Swiss of {name}, last page": f"/competitions/{slug}/?page=1000",
            f"Swiss of {name}, a player": f"/competitions/{slug}/standings/{code}/",
            f"Swiss of {name}, places by round": f"/competitions/{slug}/places/?player={code}",
            f"Swiss of {name}, cross-table": f"/competitions/{slug}/cross-table/?player={code}",
            f"Swiss of {name}, schedule": f"/competitions/{slug}/schedule/",
            f"Swiss of {name}, embedded": f"/embed/{slug}/standings/?rows=100",
            f"Swiss of {name}, round": f"/competitions/{slug}/rounds/3/",
            f"Swiss of {name}, round by name": f"/competitions/{slug}/rounds/3/?sort=name",
            f"knock-out of {name}": f"/competitions/bench/knock-out-{size}/",
            f"knock-out of {name}, bracket": f"/competitions/bench/knock-out-{size}/bracket/",
            f"knock-out of {name}, schedule": f"/competitions/bench/knock-out-{size}/schedule/",
            f"API: rounds of {name}": f"/api/v1/competitions/{slug}/rounds?page_size=100",
            f"API: rounds of {name}, knock-out": f"/api/v1/competitions/bench/knock-out-{size}/rounds?page_size=100",
            f"API: standings of {name}": f"/api/v1/competitions/{slug}/standings",
            f"API: standings of {name}, terms": f"/api/v1/competitions/{slug}/standings?terms=all&page_size=100",
            f"picture of {name}": f"/share/en/competitions/{slug}.png",
        }
    return found


def visit(path: str) -> Callable[[], bytes]:
    from django.test import Client

    client = Client(headers={"host": "localhost"})

    def page() -> bytes:
        answer = client.get(path)
        assert answer.status_code == 200, (path, answer.status_code, answer.content[:300])
        return answer.content

    return page


def is_long(text: str) -> bool:
    return text.count("\n") > 170


def verified(world, wanted: Callable[[str], bool]) -> Callable[[], bytes]:
    """Verify some logs, and take it back."""
    from django.db import transaction

    from league.matches.logs import submission
    from tests.league.world import played_log

    records = []
    with mock.patch.object(submission, "queue_verification"):
        for text in islice(filter(wanted, map(played_log, count())), LOGS):
            world.match = world.fixture()
            records.append(world.submit(text).pk)

    def act() -> bytes:
        with transaction.atomic():
            for record in records:
                submission.verify_record(record)
            transaction.set_rollback(True)
        return b""

    return act


# --- Layers ---

PUBLIC = "cache: public pages"


def layers(everywhere: Iterable[str]) -> dict[str, tuple[Off, list[str]]]:
    """How each is switched off, and the pages it serves."""
    parts = ("in another order", "last page", "a player", "places by round", "cross-table", "embedded")
    tables = ["Swiss of 200", "Swiss of all", *(f"Swiss of all, {part}" for part in parts)]
    tables += ["API: standings of all", "API: terms of a round robin"]
    rows = ["Swiss of 200", "Swiss of all", "Swiss of all, in another order", "Swiss of all, last page"]
    matches = ["Swiss of all, last page", "Swiss of all, round", "Swiss of all, schedule", "knock-out of all"]
    matches += ["knock-out of all, bracket", "round robin", "home", "player"]
    shapes = ["knock-out of all", "knock-out of all, bracket", "knock-out of all, schedule", "Swiss of all, schedule"]
    shapes += ["API: rounds of all", "API: rounds of all, knock-out", "knock-out of 200, bracket"]
    api = [name for name in everywhere if name.startswith("API")]
    found: dict[str, tuple[Off, list[str]]] = {
        "prepared: verification": (unprepared, ["verify 8 logs", "verify 8 long logs"]),
        "prepared: fingerprint": (unprepared, tables),
        "serializer plan": (unplanned, api),
        "HTML: matches": (templates(MATCH_TAGS), matches),
        "HTML: rows of standings": (templates(STANDINGS_TAGS), rows),
        "HTML: steps and boards": (templates(REPLAY_TAGS), ["match with its log"]),
        "cache: tables": (unshelved, tables),
        "cache: tables, late by 3 s": (punctual, tables),
        "cache: shape of the draw": (unshaped, shapes),
        "cache: boards of cards": (uncached_boards, ["home"]),
        "cache: pictures": (uncached_pictures, ["picture of a match", "picture of 200", "picture of all"]),
    }
    names = ["home", "player", "match with its log", "Swiss of all", "Swiss of all, round", "knock-out of all"]
    found[PUBLIC] = (bench_site.pages_made_each_time, names)
    return found


@contextmanager
def patched(*changes: tuple[object, str, object]) -> Iterator[None]:
    with ExitStack() as stack:
        for where, name, value in changes:
            stack.enter_context(mock.patch.object(where, name, value))
        yield


@contextmanager
def unprepared() -> Iterator[None]:
    """Querysets built and compiled each time, rows saved as Django does."""
    from league.prepared_statements import FixedInsert, FixedSelect, FixedUpdate, Given

    now: dict[str, object] = {}

    def rows(self: FixedSelect, **given: object) -> list[list[object]]:
        now.update(given)
        return [list(row) for row in self._build()]

    def run(self: FixedUpdate, **given: object) -> int:
        now.update(given)
        values = {name: now[one.name] if isinstance(one, Given) else one for name, one in self._values.items()}
        return self._build().update(**values)

    with patched(
        (Given, "as_sql", lambda self, *_: ("%s", [now[self.name]])),
        (FixedSelect, "rows", rows),
        (FixedSelect, "models", lambda self, **given: now.update(given) or list(self._build())),
        (FixedUpdate, "run", run),
        (FixedInsert, "run", lambda _self, row: row.save(force_insert=True)),
    ):
        yield


def unplanned() -> AbstractContextManager[None]:
    from rest_framework.serializers import Serializer

    from league.api.base.serializers import Fields

    return patched((Fields, "to_representation", Serializer.to_representation))


def unshelved() -> AbstractContextManager[None]:
    from league.competitions.standings.cache import Shelf

    nothing = {"get_many": lambda *_: {}, "put": lambda *_: None}
    return patched(*((Shelf, name, value) for name, value in nothing.items()))


def punctual() -> AbstractContextManager[None]:
    """Fingerprints computed at each look; the other entries are read by several at once."""
    from league.competitions.standings import cache

    others = SimpleNamespace(get_many=cache.cache.get_many, set_many=cache.cache.set_many)
    others.get = others.set = lambda *_: None
    return patched((cache, "cache", others))


def unshaped() -> AbstractContextManager[None]:
    from league.api.resources.organize import rounds as api
    from league.competitions.draw_shape import read_shape
    from league.competitions.queries import bracket, programme, rounds, staff

    return patched(*((module, "shape_of", read_shape) for module in (api, bracket, programme, rounds, staff)))


def uncached_boards() -> AbstractContextManager[None]:
    from league.web.charts import mini_boards

    return patched((mini_boards, "cache", bench_site.DummyCache("", {})), (mini_boards, "MOST_DRAWN", 1000))


def uncached_pictures() -> AbstractContextManager[None]:
    from league.web.share import picture_views

    return patched((picture_views, "cache", bench_site.DummyCache("", {})))


# --- Templates instead of HTML built in Python ---

APART = '{% if ONE.apart %} <small class="apart"><bdi>{{ ONE.apart }}</bdi></small>{% endif %}'
BADGE = '<span class="badge {{ label.tone }}">{% icon label.icon %}{{ label.word }}</span>'
KNOWN = (
    f"{{% if match.known %}}{{% known_label match.known as label %}}{BADGE}{{% endif %}}"
    f"{{% if match.amended %}}{{% if match.known %}}\n{{% endif %}}{{% amended_label as label %}}{BADGE}{{% endif %}}"
)
HOUR = '{% timezone \\2 %}<time datetime="{{ \\1|date:"c" }}">{{ \\1|date:"j M, H:i" }}</time>{% endtimezone %}'
BERTH = (
    "{% if berth.entrant is None or berth.absent %}{% include 'components/berth.html' %}{% else %}"
    f"<bdi>{{{{ berth.entrant.name }}}}</bdi>{APART.replace('ONE', 'berth.entrant')}{{% endif %}}"
)
MATCH_TAGS = {
    r"{% match_sides match %}": (
        "{% for one in match.sides %}{% if not forloop.first %}\n{% endif %}"
        '<p class="line{% if one.won %} won{% endif %}"><span>{% if one.won %}<span class="won-mark">{% icon "crown" %}'
        '<span class="hidden">{% trans "Winner:" context "before a name" %} </span></span>{% endif %}'
        f"<bdi>{{{{ one.name }}}}</bdi>{APART.replace('ONE', 'one')}"
        '</span><span class="points">{% if one.score is None %}<span aria-hidden="true">–</span>'
        '<span class="hidden">{% trans "no score yet" context "match" %}</span>{% else %}{{ one.score }}{% endif %}'
        "</span></p>{% endfor %}"
    ),
    r"{% match_badges (\S+) slot %}": (
        "{% with match=\\1 %}{% if slot %}{% slot_label slot as label %}{% else %}{% match_label match as label %}"
        f"{{% endif %}}{BADGE}\n{KNOWN}{{% endwith %}}"
    ),
    r"{% known_badges match %}": KNOWN,
    r"{% match_link match %}": (
        '<a class="open" href="{% url "matches:detail" match.id %}"><span class="hidden">{% for one in match.sides %}'
        "{% if not forloop.first %} – {% endif %}{{ one.name }}{% endfor %}, </span>{% if match.starts_at %}"
        + HOUR.replace("\\1", "match.starts_at").replace("\\2", "match.time_zone")
        + '{% else %}{% trans "Open the match" context "link" %}{% endif %}</a>'
    ),
    r"{% match_hour (\S+) (\S+) %}": HOUR,
    r"{% berth_name berth %}": BERTH,
    r"{% paired slot %}": (
        '{% for berth in slot.berths %}<span class="side{% if berth.won %} won{% endif %}{% if berth.absent %} absent'
        f'{{% endif %}}">{BERTH}{{% if berth.score is not None %}} <span class="points">{{{{ berth.score }}}}</span>'
        "{% endif %}</span>{% endfor %}"
    ),
    r"{% pairing_end slot (\S+) (\S+) %}": (
        '{% if slot.starts_at %}{% timezone \\1 %}<time datetime="{{ slot.starts_at|date:"c" }}">'
        '{{ slot.starts_at|date:"H:i" }}</time>{% endtimezone %}{% endif %}{% if slot.match is not None and not \\2 %}'
        '<a class="screen" href="{% url "matches:detail" slot.match.id %}">{% trans "Open" context "link: match" %}'
        '<span class="hidden"> {% for berth in slot.berths %}{% if not forloop.first %} – {% endif %}'
        "{{ berth.entrant.name }}{% endfor %}</span></a>{% endif %}"
    ),
}
STANDINGS_TAGS = {
    r"{% standings_rows standings at_tables %}": (
        "{% for line in standings.lines %}{% if not forloop.first %}\n{% endif %}<tr{% if standings.followed and "
        'line.row.code == standings.followed.code %} class="followed"{% endif %}>'
        '<td class="rank{% if line.zone %} zone {{ line.zone.tone }}{% endif %}">{{ line.row.rank }}{% if line.moved %}'
        '{% with far=line.moved|far %} <span class="moved {% if line.moved > 0 %}good{% else %}bad{% endif %}">'
        '<span aria-hidden="true">{% if line.moved > 0 %}▲{% else %}▼{% endif %}{{ far }}</span><span class="hidden">'
        '{% if line.moved > 0 %}{% blocktrans count count=far trimmed context "standings" %}{{ count }} place up since '
        "the round before{% plural %}{{ count }} places up since the round before{% endblocktrans %}{% else %}"
        '{% blocktrans count count=far trimmed context "standings" %}{{ count }} place down since the round before'
        "{% plural %}{{ count }} places down since the round before{% endblocktrans %}{% endif %}</span></span>"
        '{% endwith %}{% endif %}{% if line.zone %} <span class="led {{ line.zone.tone }}">{% icon line.zone.icon %}'
        '<span class="hidden">{{ line.zone.word }}</span></span>{% endif %}</td>'
        '<th scope="row" class="name"><a class="plain-link" href="{% url \'players:detail\' line.row.code %}">'
        "{% initials_badge line.row.name line.row.code %}<bdi>"
        f"{{{{ line.row.name }}}}</bdi></a>{APART.replace('ONE', 'line')}"
        '{% with review=standings.review|of:line.row.entrant_id %}{% if review %} <a class="under-review" '
        'href="{% url \'matches:detail\' review %}">{% icon "scales" %}'
        '{% trans "under review" context "result of a match" %}</a>{% endif %}{% endwith %}</th>'
        '<td>{{ line.row.played }}</td>{% for cell in line.cells %}{% if cell.direct %}<td class="direct">'
        '{% include "components/direct_encounter.html" %}</td>{% else %}<td{% if cell.strong %} class="strong"'
        '{% endif %}><a class="figure" '
        'href="{{ standings.rows_at }}{{ line.row.code }}/{{ standings.query }}#{{ cell.key }}">'
        "{{ cell.text }}</a></td>{% endif %}{% endfor %}"
        '{% if "won" not in standings.shown_fields %}<td>{{ line.row.won }}</td>{% endif %}'
        "{% if standings.drawn %}<td>{{ line.row.drawn }}</td>{% endif %}"
        "{% if not at_tables %}<td>{{ line.row.lost }}</td>{% endif %}"
        '{% if "points_for" not in standings.shown_fields %}<td>{{ line.row.points_for }}</td>{% endif %}'
        "{% if not at_tables %}<td>{{ line.row.points_against }}</td>{% endif %}"
        '{% if standings.rated %}<td>{{ line.rating|default_if_none:"–" }}</td>{% endif %}<td class="text">'
        '{% if at_tables %}{% include "components/places.html" with places=line.row.places %}{% elif line.row.form %}'
        '<ul class="results">{% for one in line.row.form %}{% if one == "W" %}<li class="won"><abbr title="'
        '{% trans "won" context "result of a match" %}">{% trans "W" context "won, as one letter" %}</abbr></li>'
        '{% elif one == "L" %}<li class="lost"><abbr title="{% trans "lost" context "result of a match" %}">'
        '{% trans "L" context "lost, as one letter" %}</abbr></li>{% else %}<li class=""><abbr title="'
        '{% trans "drawn" context "result of a match" %}">{% trans "D" context "drawn, as one letter" %}</abbr></li>'
        '{% endif %}{% endfor %}</ul>{% else %}<span aria-hidden="true">–</span>{% endif %}</td></tr>{% endfor %}'
    )
}
REPLAY_TAGS = {
    r"{% steps round sheet.anchor %}": (
        '{% for step in round.steps %}<li id="{{ step.anchor }}" class="{% if step.is_play %}play{% endif %}'
        '{% if step.findings %}{% if step.is_play %} {% endif %}marked{% endif %}" data-k="{{ step.placed }}" '
        'data-flags="{{ step.flags }}" data-held="{{ step.held }}" data-hands="{{ step.hands }}" '
        'data-yard="{{ step.boneyard }}"{% if step.at is not None %} data-at="{{ step.at }}"{% endif %} '
        'data-scores="{{ step.scores|join:"|" }}"{% if step.to_act is not None %} data-turn="{{ step.to_act }}"'
        '{% endif %}><a class="number" href="#{{ step.anchor }}">{{ step.number }}</a> {% if step.time %}<time>'
        '{{ step.time }}</time> {% endif %}<span class="said">{{ step.sentence|with_tiles }}</span>{% if step.sum %} '
        '<span class="worked">{{ step.sum }} → {{ step.worth }}</span>{% endif %}{% if step.scored %} <b class="score">'
        '{{ step.scores|join:" – " }}</b>{% endif %}{% if step.ends %}<span class="hidden open-ends"> '
        "{% blocktrans with ends=step.ends trimmed %}Open: {{ ends }}.{% endblocktrans %}</span>{% endif %}"
        "{% for finding in step.findings %}{% finding_label finding.code finding.severity as label %} "
        '<span class="mark {{ label.tone }}">{% icon label.icon %}{{ label.word }}: {% if finding.names_tiles %}'
        "{{ finding.sentence|with_tiles }}{% else %}{{ finding.sentence }}{% endif %}{% if finding.rule_number %} "
        '<a href="#{{ sheet.anchor }}{{ finding.line }}">{{ finding.rule_number }}</a>{% endif %}</span>{% endfor %}'
        "</li>{% endfor %}"
    ),
    r"{% board round replay %}": (
        '<svg class="board" viewBox="{{ round.picture.box|roomy }}" role="img" aria-label="'
        '{% blocktrans with number=round.number ends=round.ends|default:"–" trimmed %}Table at the end of round '
        '{{ number }}. Open: {{ ends }}.{% endblocktrans %}" focusable="false">{% for tile in round.picture.tiles %}'
        '<g class="t{% if tile.spinner %} spinner{% endif %}" data-n="{{ tile.number }}"><g transform="translate('
        '{{ tile.x|g }} {{ tile.y|g }}){% if tile.turn %}rotate({{ tile.turn }}){% endif %}"><use href="#tile"/>'
        '<use href="#h{{ tile.first }}" y="-.5"/><use href="#h{{ tile.second }}" y=".5"/></g></g>{% endfor %}'
        '<g class="flags">{% for x, y, word in round|flags %}<g transform="translate({{ x }} {{ y }})">'
        '<circle r=".42"/><text y=".2">{{ word }}</text></g>{% endfor %}</g></svg>'
    ),
}


def templates(tags: dict[str, str]) -> Off:
    """The pages with these tags written out."""
    from django.conf import settings

    sources = {}
    [root] = settings.TEMPLATES[0]["DIRS"]
    for path in root.rglob("*.html"):
        source = path.read_text("utf-8")
        written = source
        for tag, told in tags.items():
            written = re.sub(tag, f"{{% load i18n tz domino layers %}}{told}", written)
        if written != source:
            sources[path.relative_to(root).as_posix()] = written
    return lambda: other_templates(repr(sorted(tags)), sources)


def far(places: int) -> int:
    return abs(places)


COMPILED: dict[str, dict[str, object]] = {}


@contextmanager
def other_templates(name: str, sources: dict[str, str]) -> Iterator[None]:
    """Templates compiled apart, these from other sources."""
    from django.template import Library, Origin, Template, engines

    from league.web.matches import replay_html
    from league.web.words import labels

    engine = engines["django"].engine
    if "layers" not in engine.template_libraries:
        library = engine.template_libraries["layers"] = Library()
        library.simple_tag(labels.of_known, name="known_label")
        library.filter("far", far)
        library.filter("g", lambda number: f"{number:g}")
        library.filter("roomy", lambda box: " ".join(f"{one:g}" for one in replay_html._roomy(box)))
        library.filter("flags", lambda shown: [one.split(",", 2) for one in shown.steps[-1].flags.split(";") if one])
    [loader] = engine.template_loaders
    if name not in COMPILED:
        COMPILED[name] = {
            path: Template(source, Origin(path, path, loader), path, engine) for path, source in sources.items()
        }
    loader.get_template_cache, kept = COMPILED[name], loader.get_template_cache
    try:
        yield
    finally:
        loader.get_template_cache = kept


if __name__ == "__main__":
    asked = argparse.ArgumentParser()
    asked.add_argument("entrants", nargs="?", type=int, default=7000)
    asked.add_argument("--only", default="")
    given = asked.parse_args()
    sys.exit(main(given.entrants, given.only))
