"""``python3 manage.py rebuild --check``: what the rows of every competition say, beside what its results come to."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from league.competitions.models import Competition, Season
from league.competitions.promotions import season_differences
from league.competitions.rebuilding import differences


class Command(BaseCommand):
    help = (
        "Recompute the states of matches, the berths of draws, the ends of stages and what next seasons were made of "
        "from the official results alone, and name what the rows say otherwise. Standings are never stored. Changes "
        "nothing; fails where something differs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", required=True, help="compare, and change nothing")
        parser.add_argument("--competition", metavar="LEAGUE/SLUG", default="", help="this one alone")

    def handle(self, *args: object, **options: object) -> None:
        rows = Competition.objects.select_related("league").order_by("pk")
        if named := str(options["competition"]):
            league, _, slug = named.partition("/")
            rows = rows.filter(league__slug=league, slug=slug)
            if not rows.exists():
                raise CommandError(f"there is no competition {named}")
        wrong = 0
        for competition in rows:
            for one in differences(competition):
                wrong += 1
                self.stdout.write(f"{competition.league.slug}/{competition.slug}, {one}")
        seasons = Season.objects.filter(divisions__competition__in=rows, moves__isnull=False).distinct()
        for season in seasons.select_related("league").order_by("pk"):
            for one in season_differences(season):
                wrong += 1
                self.stdout.write(f"{season.league.slug}/{season.slug}, {one}")
        if wrong:
            raise CommandError(f"{wrong} rows are not what the results come to")
        self.stdout.write(f"{rows.count()} competitions are what their results come to")
