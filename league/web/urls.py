"""Addresses of the pages, a name space for each area."""

from django.urls import URLPattern, include, path, re_path

from league.web import address, calls, following, home, live, offline, themes
from league.web.accounts import first
from league.web.accounts import views as accounts
from league.web.accounts.invitation import invitation
from league.web.competitions import bracket, calendars, circuits, exports, ladders, pairings, programme, rules, sign_ups
from league.web.competitions import detail as competitions
from league.web.competitions import standings as standings_pages
from league.web.disputes import call_table
from league.web.disputes import calls as referee_calls
from league.web.disputes.urls import dispute_urls, ruling_urls
from league.web.help import muggins
from league.web.help import pages as help_pages
from league.web.leagues import detail as leagues
from league.web.leagues import now, people, role_invitations
from league.web.leagues import player as player_files
from league.web.leagues.urls import notice_urls
from league.web.matches import amend, card, clock, guest, hours, keep, pad, pad_guest, reviews, score, submit, tiles
from league.web.matches import detail as matches
from league.web.organize.urls import organize_urls
from league.web.play import fixture, lobby, online, online_start
from league.web.play import review as move_review
from league.web.play import start as practice
from league.web.play import table as practice_table
from league.web.players import detail as players
from league.web.players import personal_link, ratings, search, titles
from league.web.screens import hall, scoreboard
from league.web.screens import standings as walls
from league.web.seasons import detail as seasons
from league.web.seasons import exports as season_files
from league.web.share import embed, oembed, picture_views

home_urls = (
    [
        path("", home.index, name="index"),
        path("now/", home.live, name="live"),
        path("now/scores/", home.scores, name="scores"),
        path("now/mine/", home.mine, name="mine"),
    ],
    "home",
)
# Answered by a process of streams (league/live/streams.py).
live_urls = (
    [
        path("", live.site, name="site"),
        path("matches/<int:match_id>/", live.match, name="match"),
        path("competitions/<int:competition_id>/", live.competition, name="competition"),
        path("leagues/<int:league_id>/", live.league, name="league"),
        path("halls/<int:league_id>/", live.hall, name="hall"),
        path("desks/<slug:league_slug>/", live.desk, name="desk"),
    ],
    "live",
)
following_urls = (
    [path("", following.index, name="index"), path("act/", following.act, name="act")],
    "following",
)
call_urls = (
    [path("", calls.index, name="index"), path("subscription/", calls.subscription, name="subscription")],
    "calls",
)
search_urls = (
    [path("", search.index, name="index"), path("suggest/", search.suggest, name="suggest")],
    "search",
)
competition_urls = (
    [
        path("", competitions.index, name="index"),
        path("<slug:league_slug>/<slug:slug>/", competitions.detail, name="detail"),
        path("<slug:league_slug>/<slug:slug>/now/", now.of_competition, name="now"),
        path("<slug:league_slug>/<slug:slug>/bracket/", bracket.bracket, name="bracket"),
        path("<slug:league_slug>/<slug:slug>/bracket/current/", bracket.current, name="bracket_current"),
        path("<slug:league_slug>/<slug:slug>/bracket/print/", bracket.paper, name="bracket_print"),
        path("<slug:league_slug>/<slug:slug>/standings/", standings_pages.standings, name="standings"),
        path("<slug:league_slug>/<slug:slug>/ranking/", standings_pages.ranking, name="ranking"),
        path("<slug:league_slug>/<slug:slug>/places/", standings_pages.places, name="places"),
        path("<slug:league_slug>/<slug:slug>/cross-table/", standings_pages.cross_table, name="cross_table"),
        path("<slug:league_slug>/<slug:slug>/schedule/", programme.schedule, name="schedule"),
        path("<slug:league_slug>/<slug:slug>/players/", programme.players, name="players"),
        path("<slug:league_slug>/<slug:slug>/rules/", rules.detail, name="rules"),
        path("<slug:league_slug>/<slug:slug>/share/", embed.share, name="share"),
        path("<slug:league_slug>/<slug:slug>/standings/wall/", walls.standings, name="standings_wall"),
        path("<slug:league_slug>/<slug:slug>/standings/<slug:code>/", competitions.standing, name="standing"),
        path("<slug:league_slug>/<slug:slug>/sign-up/", sign_ups.enter, name="sign_up"),
        path("<slug:league_slug>/<slug:slug>/text/", pairings.standings, name="text"),
        path("<slug:league_slug>/<slug:slug>/calendar.ics", calendars.competition, name="calendar"),
        path("<slug:league_slug>/<slug:slug>/files/", exports.index, name="files"),
        path("<slug:league_slug>/<slug:slug>/files/<str:name>", exports.file, name="file"),
        path("<slug:league_slug>/<slug:slug>/challenge/", ladders.challenge, name="challenge"),
        path("<slug:league_slug>/<slug:slug>/rounds/<int:number>/", pairings.detail, name="round"),
        path("<slug:league_slug>/<slug:slug>/rounds/<int:number>/text/", pairings.text, name="round_text"),
    ],
    "competitions",
)
match_urls = (
    [
        path("<int:match_id>/", matches.detail, name="detail"),
        path("<int:match_id>/scoreboard/", scoreboard.page, name="scoreboard"),
        path("<int:match_id>/confirm/", matches.confirm, name="confirm"),
        path("<int:match_id>/hours/", hours.hours, name="hours"),
        path("<int:match_id>/review/", reviews.review, name="review"),
        path("<int:match_id>/referee/", referee_calls.of_match, name="referee"),
        path("<int:match_id>/referee/<int:call_id>/", call_table.page, name="referee_call"),
        path("<int:match_id>/games/<int:number>/moves/", move_review.of_match, name="move_review"),
        path("<int:match_id>/games/<int:number>/score/", score.page, name="score"),
        path("<int:match_id>/games/<int:number>/amend/", amend.amend, name="amend"),
        path("<int:match_id>/amendments/<int:amendment_id>/", amend.amendment, name="amendment"),
        path("<int:match_id>/clock/", clock.state, name="clock"),
        path("<int:match_id>/clock/<int:number>/", clock.act, name="run_clock"),
        path("<int:match_id>/games/<int:number>/keep/", keep.page, name="keep"),
        path("<int:match_id>/games/<int:number>/pad/", pad.page, name="pad"),
        path("<int:match_id>/games/<int:number>/pad/taps/", pad.taps, name="pad_taps"),
        path("<int:match_id>/games/<int:number>/pad/hand-in/", pad.hand_in, name="pad_hand_in"),
        path("<int:match_id>/games/<int:number>/pad/confirm/", pad.confirm, name="pad_confirm"),
        path("<int:match_id>/games/<int:number>/pad/worker.js", pad.worker, name="pad_worker"),
        path("<int:match_id>/games/<int:number>/tiles/", tiles.page, name="tiles"),
        path("<int:match_id>/games/<int:number>/tiles/worker.js", tiles.worker, name="tiles_worker"),
        path("<int:match_id>/logs/<int:record_id>/", matches.log, name="log"),
    ],
    "matches",
)
pad_urls = (
    [
        path("", pad_guest.begin, name="begin"),
        path("<int:number>/keep/", pad_guest.keep, name="keep"),
        path("<int:number>/", pad_guest.page, name="pad"),
        path("<int:number>/taps/", pad_guest.taps, name="taps"),
        path("<int:number>/hand-in/", pad_guest.hand_in, name="hand_in"),
        path("<int:number>/confirm/", pad_guest.confirm, name="confirm"),
        path("<int:number>/worker.js", pad_guest.worker, name="worker"),
        path("<int:number>/tiles/", pad_guest.tiles, name="tiles"),
        path("<int:number>/tiles/worker.js", pad_guest.tiles_worker, name="tiles_worker"),
    ],
    "pads",
)
player_urls = (
    [
        path("", players.index, name="index"),
        path("link/<str:secret>/", players.link, name="link"),
        path("<str:code>/", players.detail, name="detail"),
        path("<str:code>/calendar.ics", calendars.player, name="calendar"),
        path("<str:code>/against/", players.opponents, name="opponents"),
        path("<str:code>/against/<str:other>/", players.against, name="against"),
        path("<str:code>/titles/", titles.index, name="titles"),
        path("<str:code>/claim/", players.claim, name="claim"),
        path("<str:code>/erase/", players.erase, name="erase"),
    ],
    "players",
)
submit_urls = (
    [
        path("", submit.index, name="index"),
        path("<str:code>/", submit.game, name="game"),
        path("<str:code>/card/", card.card, name="card"),
    ],
    "submit",
)
account_urls = (
    [
        path("first/", first.first, name="first"),
        path("sign-in/", accounts.sign_in, name="sign_in"),
        path("sign-out/", accounts.sign_out, name="sign_out"),
        path("sign-up/", accounts.sign_up, name="sign_up"),
        path("sign-up/sent/", accounts.confirm_sent, name="confirm_sent"),
        path("sign-up/confirm/<str:key>/", accounts.confirm, name="confirm"),
        path("password/forgotten/", accounts.forgotten, name="forgotten"),
        path("password/forgotten/sent/", accounts.forgotten_sent, name="forgotten_sent"),
        path("password/new/done/", accounts.new_password_done, name="new_password_done"),
        re_path(r"^password/new/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>[^/]+)/$", accounts.new_password, name="new_password"),
        path("account/", accounts.detail, name="detail"),
        path("invitation/<str:secret>/", invitation, name="invitation"),
        path("account/password/", accounts.password, name="password"),
        path("account/address/", accounts.address, name="address"),
        path("account/closed/", accounts.closed, name="closed"),
        path("account/erase/", accounts.erase, name="erase"),
    ],
    "accounts",
)
# Aliases of these pages under django-allauth's names.
ALLAUTH = {
    "account_login": "sign_in",
    "account_logout": "sign_out",
    "account_signup": "sign_up",
    "account_email_verification_sent": "confirm_sent",
    "account_confirm_email": "confirm",
    "account_reset_password": "forgotten",
    "account_reset_password_done": "forgotten_sent",
    "account_reset_password_from_key": "new_password",
    "account_reset_password_from_key_done": "new_password_done",
    "account_change_password": "password",
    # An account without a password sets one on the page for forgotten passwords.
    "account_set_password": "forgotten",
    "account_email": "address",
    "account_inactive": "closed",
}
allauth_urls = [
    URLPattern(one.pattern, one.callback, name=name)
    for name, ours in ALLAUTH.items()
    for one in account_urls[0]
    if one.name == ours
]

league_urls = (
    [
        path("", leagues.index, name="index"),
        path("new/", leagues.new, name="new"),
        path("<slug:slug>/", leagues.detail, name="detail"),
        path("<slug:slug>/now/", now.of_league, name="now"),
        path("<slug:slug>/edit/", leagues.edit, name="edit"),
        path("<slug:slug>/files.zip", exports.public_league, name="files"),
        path("<slug:slug>/calendar.ics", calendars.league, name="calendar"),
        path("<slug:slug>/tables/<int:table_id>/calendar.ics", calendars.table, name="table_calendar"),
    ],
    "leagues",
)
people_urls = (
    [
        path("roles/", people.roles, name="roles"),
        path("roles/<int:role_id>/take/", people.take_role, name="take_role"),
        path("roles/invite/", role_invitations.invite, name="invite"),
        path("roles/invitations/<int:invitation_id>/revoke/", role_invitations.revoke, name="revoke_invitation"),
        path("roles/invitations/<int:invitation_id>/decide/", role_invitations.decide, name="decide_invitation"),
        path("roles/<str:code>/reset-link/", people.reset_link, name="reset_link"),
        path("claims/", people.claims, name="claims"),
        path("claims/<int:claim_id>/", people.decide, name="decide"),
        path("players/", people.index, name="index"),
        path("players/add/", people.add, name="add"),
        path("players/paste/", people.paste, name="paste"),
        path("players/<str:code>/", player_files.detail, name="detail"),
        path("players/<str:code>/end/", player_files.end, name="end"),
        path("players/<str:code>/renew/", player_files.renew, name="renew"),
        path("players/<str:code>/link/", player_files.link, name="link"),
        path("players/<str:code>/release/", player_files.release, name="release"),
        path("players/<str:code>/personal-link/", personal_link.link, name="door"),
        path("players/<str:code>/merge/", player_files.merge, name="merge"),
        path("players/<str:code>/merges/<int:merge_id>/undo/", player_files.unmerge, name="unmerge"),
        path("players/<str:code>/erase/", player_files.erase, name="erase"),
    ],
    "people",
)

rating_urls = (
    [
        path("", ratings.index, name="index"),
        path("csv/", ratings.as_csv, name="csv"),
        path("<slug:ruleset>/settings/", ratings.settings, name="settings"),
        path("<slug:ruleset>/players/<str:code>/", ratings.player, name="player"),
    ],
    "ratings",
)

sign_up_urls = (
    [
        path("invited/<str:secret>/", sign_ups.invited, name="invited"),
        path("<str:secret>/", sign_ups.mine, name="mine"),
    ],
    "sign_ups",
)
season_urls = (
    [
        path("<slug:league_slug>/", seasons.index, name="index"),
        path("<slug:league_slug>/<slug:slug>/", seasons.detail, name="detail"),
        path("<slug:league_slug>/<slug:slug>/calendar.ics", calendars.season, name="calendar"),
        path("<slug:league_slug>/<slug:slug>/files/", season_files.index, name="files"),
        path("<slug:league_slug>/<slug:slug>/files/<str:name>", season_files.file, name="file"),
    ],
    "seasons",
)
circuit_urls = (
    [
        path("<slug:league_slug>/", circuits.index, name="index"),
        path("<slug:league_slug>/<slug:slug>/", circuits.detail, name="detail"),
        path("<slug:league_slug>/<slug:slug>/text/", circuits.text, name="text"),
        path("<slug:league_slug>/<slug:slug>/ranking.csv", circuits.table, name="table"),
    ],
    "circuits",
)
embed_urls = (
    [
        path("<slug:league_slug>/<slug:slug>/standings/", embed.standings, name="standings"),
        path("<slug:league_slug>/<slug:slug>/bracket/", embed.bracket, name="bracket"),
    ],
    "embed",
)
oembed_urls = ([path("", oembed.index, name="index")], "oembed")
hall_urls = ([path("<slug:league_slug>/", hall.detail, name="detail")], "hall")
table_urls = (
    [path("", guest.page, name="match"), path("referee/", referee_calls.at_table, name="referee")],
    "table",
)
personal_urls = (
    [
        path("<str:secret>/", personal_link.me, name="me"),
        path("<str:secret>/calendar.ics", calendars.personal, name="calendar"),
    ],
    "personal",
)
address_urls = (
    [
        path("", address.index, name="index"),
        path("trust/", address.trust, name="trust"),
        path("authority.crt", address.authority, name="authority"),
    ],
    "address",
)
ask_urls = ([path("", muggins.index, name="index")], "ask")
offline_urls = (
    [path("offline/", offline.page, name="page"), path("worker.js", offline.worker, name="worker")],
    "offline",
)
play_urls = (
    [
        path("", practice.index, name="index"),
        path("online/", online_start.index, name="online"),
        path("leagues/<slug:slug>/", lobby.lobby, name="lobby"),
        path("fixtures/<str:code>/", fixture.fixture, name="fixture"),
        path("online/<str:code>/", online.game, name="online_game"),
        path("online/<str:code>/news/", online.news, name="online_news"),
        path("online/<str:code>/log/", online.log, name="online_log"),
        path("online/<str:code>/review/", move_review.of_online_game, name="online_review"),
        path("online/<str:code>/seat/<str:key>/", online.seat, name="online_seat"),
        path("<str:code>/", practice_table.table, name="table"),
        path("<str:code>/log/", practice_table.log, name="log"),
        path("<str:code>/review/", move_review.page, name="review"),
    ],
    "play",
)
share_urls = (
    [
        path("<str:language>/matches/<int:match_id>.png", picture_views.match, name="match"),
        path(
            "<str:language>/competitions/<slug:league>/<slug:slug>.png", picture_views.competition, name="competition"
        ),
        path(
            "<str:language>/rounds/<slug:league>/<slug:slug>/<int:number>.png",
            picture_views.round_in_brief,
            name="round",
        ),
        path("<str:language>/players/<str:code>.png", picture_views.player, name="player"),
        path("<str:language>/seasons/<slug:league>/<slug:slug>.png", picture_views.season, name="season"),
        path("<str:language>/leagues/<slug:slug>.png", picture_views.league, name="league"),
    ],
    "share",
)
theme_urls = ([path("theme/", themes.choose, name="choose")], "themes")
help_urls = ([path("notation/", help_pages.notation, name="notation")], "help")

urlpatterns = [
    path("", include(home_urls)),
    path("live/", include(live_urls)),
    path("search/", include(search_urls)),
    path("following/", include(following_urls)),
    path("calls/", include(call_urls)),
    path("competitions/", include(competition_urls)),
    path("", include(dispute_urls)),
    path("matches/", include(match_urls)),
    path("t/<str:door>/pad/", include(pad_urls)),
    path("players/", include(player_urls)),
    path("submit/", include(submit_urls)),
    path("seasons/", include(season_urls)),
    path("circuits/", include(circuit_urls)),
    path("organize/", include(organize_urls)),
    path("leagues/", include(league_urls)),
    path("leagues/<slug:slug>/notices/", include(notice_urls)),
    path("leagues/<slug:slug>/rulings/", include(ruling_urls)),
    path("leagues/<slug:slug>/", include(people_urls)),
    path("leagues/<slug:slug>/ratings/", include(rating_urls)),
    path("t/<str:door>/", include(table_urls)),
    path("address/", include(address_urls)),
    path("ask/", include(ask_urls)),
    path("play/", include(play_urls)),
    path("embed/", include(embed_urls)),
    path("oembed/", include(oembed_urls)),
    path("hall/", include(hall_urls)),
    path("me/", include(personal_urls)),
    path("sign-ups/", include(sign_up_urls)),
    path("", include(account_urls)),
    path("", include(allauth_urls)),
    path("", include(help_urls)),
    path("share/", include(share_urls)),
    path("", include(theme_urls)),
    path("", include(offline_urls)),
]
