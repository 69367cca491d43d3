"""Addresses of the pages, one name space an area."""

from django.urls import include, path

from league.web import accounts, competitions, home, matches, players, submit
from league.web import help as help_pages

home_urls = ([path("", home.index, name="index")], "home")
competition_urls = (
    [
        path("", competitions.index, name="index"),
        path("<slug:league_slug>/<slug:slug>/", competitions.detail, name="detail"),
        path("<slug:league_slug>/<slug:slug>/bracket/", competitions.bracket, name="bracket"),
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

urlpatterns = [
    path("", include(home_urls)),
    path("competitions/", include(competition_urls)),
    path("matches/", include(match_urls)),
    path("players/", include(player_urls)),
    path("submit/", include(submit_urls)),
    path("", include(account_urls)),
    path("", include(help_urls)),
]
