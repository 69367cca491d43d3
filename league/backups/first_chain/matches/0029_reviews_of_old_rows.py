"""Results that wait, weighed anew: a ruling that waits for another official does not end a review any more, and where
more than a card is asked for, a log with points on its word waits for a decision.
"""

from django.db import migrations

from league.matches.knowledge_level import suffices
from league.matches.models import LEVELS
from league.matches.results.awards import awards_of, lists_awards
from league.matches.results.match_outcome import GameOutcome, official_standing, provisional_standing
from league.matches.results.standing import outcome, source
from league.matches.results.weighing import Statement, weigh

AT_ONCE = 500
RELATED = ("record__verdict", "record__sealed", "record__score_sheet", "game__match")


def weigh_open(apps, schema_editor):
    """Of games without replies, which are of this edition; what was imported is weighed by nobody."""
    results, replies = apps.get_model("matches", "Result"), apps.get_model("matches", "Reply")
    waiting = results.objects.filter(current=True, state="provisional", game__match__voided_by=None)
    waiting = waiting.exclude(game__in=replies.objects.values("result__game")).exclude(record__via="import")
    matches = set()
    for game, match in waiting.order_by("pk").values_list("game", "game__match"):
        rows = results.objects.filter(game=game, record__withdrawn_at=None).select_related(*RELATED)
        if changed := _weighed({row.pk: row for row in rows.order_by("record__turn", "record")}):
            results.objects.bulk_update(changed, ["current", "contested", "needs_decision"], batch_size=AT_ONCE)
            matches.add(match)
    for match in apps.get_model("matches", "Match").objects.filter(pk__in=matches).order_by("pk"):
        _settle(match, list(results.objects.filter(game__match=match, current=True)))


def _weighed(rows):
    """The rows that change."""
    listing = [row for row in rows.values() if lists_awards(row.record)]
    several = len({_source(row) for row in listing}) > 1
    awards = {row.pk: awards_of(row.record) for row in listing} if several else {}
    found = weigh([_statement(row, awards.get(row.pk)) for row in rows.values()], confirmation_required=True)
    changed = []
    for row in rows.values():
        contested = found.reviewed and row.pk in {found.current, *found.contested}
        should = row.pk == found.current, contested, contested or not _is_sound(row)
        if should != (row.current, row.contested, row.needs_decision):
            row.current, row.contested, row.needs_decision = should
            changed.append(row)
    return changed


def _statement(row, awards):
    return Statement(
        key=row.pk,
        source=_source(row),
        rank=-LEVELS.index(row.known_by) if row.known_by in LEVELS else 0,
        outcome=outcome(row),
        awards=awards,
        sound=_is_sound(row),
        signed=row.record.signed,
        ruling=row.record.kind == "ruled",
        alone=row.record.alone,
    )


def _source(row):
    return source(row.record.for_side, row.record.submitted_by_id)


def _is_sound(row):
    is_enough = row.record.kind != "log" or suffices(row.known_by, row.game.match.level)
    return is_enough and row.record.verdict.status != "violation"


def _settle(match, standing):
    """As `results.settle` does, of a match that is not decided by it."""
    games = [GameOutcome(one.winner, one.state == "official", one.needs_decision) for one in standing]
    sides = match.sides.count()
    if official_standing(match.best_of, games, sides=sides).over:
        return
    over = provisional_standing(match.best_of, games, sides=sides).over or len(games) == match.best_of
    match.state = "provisional" if over else "playing"
    match.save(update_fields=["state"])


class Migration(migrations.Migration):
    dependencies = [("matches", "0028_heads_of_taps_and_replies")]

    operations = [migrations.RunPython(weigh_open, migrations.RunPython.noop)]
