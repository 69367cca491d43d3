"""Addresses of the pages, one name space an area."""

from django.urls import include, path

from league.web import accounts, competitions, home, matches, organize, organize_tables, players, submit
from league.web import help as help_pages

home_urls = ([path("", home.index, name="index")], "home")
competition_urls = (
    [
        path("", competitions.index, name="index"),
        path("<slug:league_slug>/<slug:slug>/", competitions.detail, name="detail"),
    ],
    "competitions",
)
match_urls = (
    [
        path("<int:match_id>/", matches.detail, name="detail"),
        path("<int:match_id>/confirm/", matches.confirm, name="confirm"),
        path("<int:match_id>/logs/<int:record_id>/", matches.log, name="log"),
    ],
    "matches",
)
player_urls = (
    [path("", players.index, name="index"), path("<str:code>/", players.detail, name="detail")],
    "players",
)
submit_urls = (
    [path("", submit.index, name="index"), path("<str:code>/", submit.game, name="game")],
    "submit",
)
account_urls = (
    [
        path("sign-in/", accounts.sign_in, name="sign_in"),
        path("sign-out/", accounts.sign_out, name="sign_out"),
    ],
    "accounts",
)

help_urls = ([path("notation/", help_pages.notation, name="notation")], "help")

# "competitions" stands before the slug, so that a competition may be called "Tables" or "New".
ONE = "<slug:league_slug>/competitions/<slug:slug>/"
organize_urls = (
    [
        path("", organize.index, name="index"),
        path("<slug:league_slug>/", organize.home, name="home"),
        path("<slug:league_slug>/new/", organize.new, name="new"),
        path("<slug:league_slug>/tables/", organize_tables.tables, name="tables"),
        path("<slug:league_slug>/tables/confirm/", organize_tables.confirm, name="confirm"),
        path(ONE, organize.competition, name="competition"),
        path(f"{ONE}plan/", organize.plan, name="plan"),
        path(f"{ONE}tables/", organize_tables.tables, name="competition_tables"),
        path(f"{ONE}entrants/", organize.entrants, name="entrants"),
        path(f"{ONE}seeds/", organize.seeds, name="seeds"),
        path(f"{ONE}draw/", organize.draw, name="draw"),
        path(f"{ONE}publish/", organize.publish, name="publish"),
        path(f"{ONE}rounds/<int:number>/publish/", organize.publish_round, name="publish_round"),
        path(f"{ONE}slots/<int:slot_id>/", organize.move, name="move"),
    ],
    "organize",
)

urlpatterns = [
    path("", include(home_urls)),
    path("competitions/", include(competition_urls)),
    path("matches/", include(match_urls)),
    path("players/", include(player_urls)),
    path("submit/", include(submit_urls)),
    path("organize/", include(organize_urls)),
    path("", include(account_urls)),
    path("", include(help_urls)),
]
