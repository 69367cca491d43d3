"""``python3 manage.py rebuild --check``: compare competitions with their results.

``--figures``: count the figures of players again from the logs.
"""

from argparse import ArgumentParser
from math import inf

from django.core.management.base import BaseCommand, CommandError

from league.competitions.draw.rebuilding import differences
from league.competitions.honours import honour_differences
from league.competitions.models import Competition, Season
from league.competitions.seasons.promotion import season_differences
from league.matches.logs.figures import count_missed, forget_figures, wrong_figures


class Command(BaseCommand):
    help = (
        "Recompute the states of matches, the berths of draws, the ends of stages, titles and what next seasons were "
        "made of from the official results alone, and what players did in their games from the logs, and name what the "
        "rows say otherwise. Standings are never stored. Changes nothing; fails where something differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--check", action="store_true", help="compare, and change nothing")
        what.add_argument("--figures", action="store_true", help="count anew what players did in their games")
        parser.add_argument("--competition", metavar="LEAGUE/SLUG", default="", help="this one alone")

    def handle(self, *args: object, **options: object) -> None:
        if options["figures"]:
            forget_figures()
            self.stdout.write(f"the figures of {count_missed(budget=inf)} games are counted anew")
            return
        rows = Competition.objects.select_related("league").order_by("pk")
        if named := str(options["competition"]):
            league, _, slug = named.partition("/")
            rows = rows.filter(league__slug=league, slug=slug)
            if not rows.exists():
                raise CommandError(f"there is no competition {named}")
        wrong = 0
        for competition in rows:
            for one in [*differences(competition), *honour_differences(competition)]:
                wrong += 1
                self.stdout.write(f"{competition.league.slug}/{competition.slug}, {one}")
        seasons = Season.objects.filter(divisions__competition__in=rows, moves__isnull=False).distinct()
        for season in seasons.select_related("league").order_by("pk"):
            for one in season_differences(season):
                wrong += 1
                self.stdout.write(f"{season.league.slug}/{season.slug}, {one}")
        if not named:
            for record_id in wrong_figures():
                wrong += 1
                self.stdout.write(f"record {record_id}: its figures are not what its log says")
        if wrong:
            raise CommandError(f"{wrong} rows are not what the results come to")
        self.stdout.write(f"{rows.count()} competitions are what their results come to")
