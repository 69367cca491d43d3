"""Titles: the first places of a finished competition, and all its places if it is an evening of a circuit.

They are written once its last result is official, and rewritten when an amendment moves them. Code that may move them
calls `honours_due` in its own transaction; the work is done after the commit, and a sweep finds missed work. Until then
the competition shows no titles instead of old ones.
"""

import logging
from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.utils import timezone

from league.competitions.circuits import copied_places, copy_places
from league.competitions.draw.rebuilding import Disagreement
from league.competitions.formats.circuit import EveningPlace
from league.competitions.locks import locked
from league.competitions.models import Competition
from league.competitions.models.honour import LAST_PLACE, Honour
from league.competitions.official_results import finished
from league.competitions.queries.competition import CompetitionPage, page_of_competition
from league.competitions.queries.final_places import final_ranking
from league.competitions.seasons.tables import division_tables
from league.competitions.visibility import seen_competition

log = logging.getLogger(__name__)

# Limit of a sweep: a site upgraded to this edition has years of them.
A_SWEEP = 50


@transaction.atomic
def settle_honours(competition_id: int) -> bool:
    """Write the places of a finished competition by its official results.

    True if there was something to do; safe to run twice and by two at once.
    """
    competition = locked(competition_id, even_cancelled=True)
    if not finished().filter(pk=competition.pk, honours_at=None).exists():
        return False
    Honour.objects.filter(competition=competition).delete()
    Honour.objects.bulk_create(
        Honour(competition=competition, entrant_id=entrant, place=place)
        for entrant, place in places_won(competition).items()
    )
    copy_places(competition, places_for_circuits(competition))
    Competition.objects.filter(pk=competition.pk).update(honours_at=timezone.now())
    return True


def settle_missed() -> int:
    """Write all missing titles; return the number of competitions."""
    done = 0
    for one in finished().filter(honours_at=None).order_by("pk").values_list("pk", flat=True)[:A_SWEEP]:
        try:
            done += settle_honours(one)
        except Exception:  # the others must not wait for it
            log.exception("the titles of competition %d could not be written", one)
    return done


def places_won(competition: Competition) -> dict[int, int]:
    """Entrant → place, of the first three, by the rules of the competition's page.

    Of a knock-out its final ranking, of a ladder its places, of a division the table that decides promotion, else the
    standings. Empty for groups without a later stage: such a competition has no winner.
    """
    division = getattr(competition, "division", None)
    if division is not None:
        [table] = division_tables([division])
        found = [(place, entrant) for entrant, place in table.order if entrant not in table.without_rank]
    else:
        page = _public_page(competition)
        if page.stages[-1].is_knock_out or page.stages[-1].is_ladder:
            found = [(place.first, place.entrant.entrant_id) for place in final_ranking(page)]
        else:
            found = [] if page.groups else [(row.rank, row.entrant_id) for row in page.official if row.rank]
    return {entrant: place for place, entrant in found if place <= LAST_PLACE}


def places_for_circuits(competition: Competition) -> dict[int, EveningPlace]:
    """Entrant → its final places; empty if the competition is in no circuit."""
    if not competition.circuits.exists():
        return {}
    ranking = final_ranking(_public_page(competition))
    return {one.entrant.entrant_id: EveningPlace(one.first, one.last) for one in ranking}


def _public_page(competition: Competition) -> CompetitionPage:
    outsider = AnonymousUser()
    return page_of_competition(outsider, seen_competition(outsider, competition.league.slug, competition.slug))


def honour_differences(competition: Competition) -> list[Disagreement]:
    """Differences between titles or copied places and results; none while there are no titles to show."""
    if not finished().filter(pk=competition.pk, honours_at__isnull=False).exists():
        return []
    says = dict(Honour.objects.filter(competition=competition).values_list("entrant", "place"))
    should = places_won(competition)
    return [*_differing("title", says, should), *_places_differing(competition)]


def _places_differing(competition: Competition) -> list[Disagreement]:
    should = places_for_circuits(competition)
    return _differing("place in circuits", copied_places(competition), should) if should else []


def _differing(what: str, says: Mapping[int, object], should: Mapping[int, object]) -> list[Disagreement]:
    return [
        Disagreement(f"{what} of entrant {one}", "place", says.get(one), should.get(one))
        for one in sorted({*says, *should})
        if says.get(one) != should.get(one)
    ]
