"""The demonstration league, played by computer players.

Every result comes from a log that was played out, submitted, verified and confirmed through the services of the site.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from league.accounts.models import League
from league.competitions.draw.advancing import advance
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.models import Competition, Slot, Stage
from league.competitions.notices import Wording, publish_notice
from league.competitions.ratings.services import rate_league
from league.competitions.registration.entries import register
from league.house.mistakes import misspelt, with_broken_rule, with_illegal_play, with_wrong_total
from league.matches.models import Match, StoredVerdict
from league.rehearsals.demo_games import hand_in_log, log_of, log_with_verdict, play_and_confirm, slots_of
from league.rehearsals.demo_people import PLAYERS, SLUG, Crew, entrants_of, evening_of, found_league
from league.rehearsals.demo_season import play_season
from league.rehearsals.live_tables import open_tables

Report = Callable[[str], None]

TONIGHT = 6
TABLES = ("1", "2", "3", "4")
# Players of the knock-out: one has a bye.
CUP = 7
NOTICES = (
    Wording(
        title="Tables 5 and 6 are open every evening",
        text="Friendly games go on at tables 5 and 6 until the last player leaves. Everybody may challenge somebody "
        "above on the ladder.",
    ),
    Wording(
        title="Announce your points aloud",
        text="Points that you do not announce are open to muggins. Say the number when your tile touches the table, "
        "and wait until the scorer has written it down.",
    ),
)


def load_demo(report: Report) -> None:
    """Create, draw and play the league up to its sixth evening, all or nothing.

    Does nothing if the league exists.
    """
    if League.objects.filter(slug=SLUG).exists():
        report("The demonstration league is there already.")
        return
    now = timezone.now()
    tonight = evening_of(now)
    with transaction.atomic():
        report(f"Founding the Harbour Domino League: {len(PLAYERS)} players, 28 matches on 7 matchdays.")
        league, crew = found_league(tonight)
        competition = _robin(league, crew, tonight)
        slots = list(slots_of(competition))
        report(f"Playing, verifying and confirming {TONIGHT - 1} matchdays …")
        for slot in slots:
            if slot.matchday.number < TONIGHT:
                play_and_confirm(slot, crew)
        report("Playing the Summer Cup, a knock-out of seven, to its end …")
        _play_cup(league, crew, tonight)
        report("Playing half a season with two divisions, a decided protest and an open one …")
        play_season(league, crew, tonight)
        report("Drawing the Winter Cup: a draft that only the organizer and the officials see …")
        _cup(league, crew, "Winter Cup", PLAYERS, start=tonight + timedelta(weeks=4))
        report("Playing tonight's matches: two wait for confirmation, one for a decision, one log must be mended …")
        _tonight([slot for slot in slots if slot.matchday.number == TONIGHT], crew)
        for wording in NOTICES:
            publish_notice(league, wording, user=crew.olga, now=tonight - timedelta(days=2))
        report("Rating the games …")
        rate_league(league.pk)
        report("Opening the live tables …")
        open_tables(now)
    _write_samples(slots[-1].match, report)


# --- Competitions ---


def _robin(league: League, crew: Crew, tonight: datetime) -> Competition:
    plan = Plan(
        name="Autumn Round Robin",
        ruleset="udl",
        starts_at=tonight - timedelta(weeks=TONIGHT - 1),
        days_between=7,
        tables=TABLES,
    )
    competition = found(league, plan, user=crew.olga)
    people = entrants_of(league)
    register(competition, [people[name] for name in PLAYERS])
    draw(competition, user=crew.olga)
    publish(competition, user=crew.olga)
    return competition


def _play_cup(league: League, crew: Crew, tonight: datetime) -> None:
    """Play the knock-out match by match; winners advance as results become official."""
    cup = _cup(league, crew, "Summer Cup", PLAYERS[:CUP], start=tonight - timedelta(weeks=10), third_place=True)
    publish(cup, user=crew.olga)
    while slot := slots_of(cup).exclude(match=None).exclude(match__state=Match.State.DECIDED).first():
        play_and_confirm(slot, crew, seed=500)
        advance(slot.match_id)


def _cup(
    league: League, crew: Crew, name: str, players: Sequence[str], *, start: datetime, third_place: bool = False
) -> Competition:
    plan = Plan(
        name=name,
        ruleset="udl",
        format=Stage.Format.SINGLE_ELIMINATION,
        third_place=third_place,
        starts_at=start,
        tables=TABLES[:2],
    )
    cup = found(league, plan, user=crew.olga)
    people = entrants_of(league)
    register(cup, [people[player] for player in players])
    draw(cup, user=crew.olga)
    return cup


# --- Tonight ---


def _tonight(slots: list[Slot], crew: Crew) -> None:
    """Play tonight's matches, which are left in different states.

    Hugo – Bo and Ana – Grace wait for confirmation, Carmen – Femi for a decision; the log of Dwight – Elena is illegal.
    """
    status = StoredVerdict.Status
    hugo_bo, ana_grace, carmen_femi, dwight_elena = slots
    evening = str(hugo_bo.matchday)
    hand_in_log(hugo_bo.match, crew.rosa, log_of(hugo_bo.match, evening, seed=61))
    corrected = log_with_verdict(ana_grace.match, evening, status.CORRECTED, with_wrong_total, start=2_000)
    hand_in_log(ana_grace.match, crew.ana, corrected)
    broken = log_with_verdict(carmen_femi.match, evening, status.VIOLATION, with_broken_rule, start=3_000)
    hand_in_log(carmen_femi.match, crew.rosa, broken)
    illegal = log_with_verdict(dwight_elena.match, evening, status.IMPOSSIBLE, with_illegal_play, start=4_000)
    hand_in_log(dwight_elena.match, crew.rosa, illegal)


def _write_samples(match: Match, report: Report) -> None:
    """Write logs to try the site with: one right, one to be fixed.

    Of the upcoming match of Ana and Bo.
    """
    folder = settings.DATA_DIR / "demo-logs"
    folder.mkdir(parents=True, exist_ok=True)
    text = log_of(match, "Round 7", seed=71)
    for name, content in (("round-7.domino", text), ("round-7-with-an-error.domino", misspelt(text))):
        (folder / name).write_text(content, encoding="utf-8")
    names = " – ".join(side.entrant.player.name for side in match.sides.all())
    report(f"Two logs of {names} (to come) to hand in yourself are in {folder}")
