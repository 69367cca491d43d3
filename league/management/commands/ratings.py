"""``python3 manage.py ratings [--check]``: recompute the ratings, or compare them."""

from argparse import ArgumentParser
from collections.abc import Iterator

from django.core.management.base import BaseCommand, CommandError

from league.accounts.models import League
from league.competitions.models import RatingList
from league.competitions.ratings import services as ratings
from league.management.telling import check_reachable, in_words

MOST_TOLD = 20


class Command(BaseCommand):
    help = "Make the ratings anew from the games. The site may go on running."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing, and say where the lists differ")
        parser.add_argument("--league", metavar="SLUG", help="the lists of one league only")

    def handle(self, *, check: bool, league: str | None, **_options: object) -> None:
        check_reachable()
        with in_words():
            leagues = League.objects.order_by("slug")
            if league is not None:
                leagues = leagues.filter(slug=league)
                if not leagues.exists():
                    raise CommandError(f"There is no league {league}. The address of a league stands in its page's.")
            lists = [one for found in leagues for one in self._lists(found)]
            if check:
                self._check(lists)
            else:
                self._make(lists)

    @staticmethod
    def _lists(league: League) -> Iterator[RatingList]:
        """Yield the rating lists of a league, including missed ones."""
        rulesets = ratings.rulesets_of(league.pk)
        known = {one.ruleset: one for one in RatingList.objects.filter(league=league).select_related("league")}
        for ruleset in rulesets:
            yield known.get(ruleset) or RatingList(league=league, ruleset=ruleset)

    def _make(self, lists: list[RatingList]) -> None:
        for one in lists:
            ratings.recompute(one.league, one.ruleset)
            self.stdout.write(f"{told(one)}, computed anew.")

    def _check(self, lists: list[RatingList]) -> None:
        wrong = 0
        for one in lists:
            found = ratings.differences(one)
            wrong += bool(found)
            if not found:
                self.stdout.write(f"{told(one)}, as a rebuild gives them.")
            for line in found[:MOST_TOLD]:
                self.stdout.write(f"{one.league.slug} {one.ruleset}: {line}")
            if len(found) > MOST_TOLD:
                self.stdout.write(f"… and {len(found) - MOST_TOLD} more.")
        if wrong:
            verb = "differs" if wrong == 1 else "differ"
            raise CommandError(f"{wrong} of {len(lists)} lists {verb}: `manage.py ratings` makes them anew.")


def told(one: RatingList) -> str:
    games, players = ratings.size(one)
    return f"{one.league.slug} {one.ruleset}: {games} game{'s'[: games != 1]}, {players} player{'s'[: players != 1]}"
