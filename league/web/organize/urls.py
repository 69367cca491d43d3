"""Addresses of the organizer pages."""

from django.urls import path

from league.web.competitions import exports
from league.web.organize import admission as answering
from league.web.organize import check_in, hall_tables, imports, ladder_closing, registration, rehearsals, seeding
from league.web.organize import draft_history as earlier_states
from league.web.organize import draft_round as organize_draft
from league.web.organize import index as organize
from league.web.organize import late_entry as walk_in
from league.web.organize import new_season as organize_new_season
from league.web.organize import print as printing
from league.web.organize import results_grid as grid
from league.web.organize import season as organize_seasons
from league.web.organize import tables as organize_tables
from league.web.organize import withdrawals as going
from league.web.players import ratings
from league.web.screens import clock_control as organize_clock
from league.web.seasons import exports as season_files

# "competitions" comes before the slug, so that a competition may be named "Tables" or "New".
ONE = "<slug:league_slug>/competitions/<slug:slug>/"
organize_urls = (
    [
        path("", organize.index, name="index"),
        path("<slug:league_slug>/", organize.home, name="home"),
        path("<slug:league_slug>/new/", organize.new, name="new"),
        path("<slug:league_slug>/new-season/", organize_new_season.new, name="new_season"),
        path("<slug:league_slug>/seasons/<slug:slug>/", organize_seasons.detail, name="season"),
        path("<slug:league_slug>/seasons/<slug:slug>/files/", season_files.staff_index, name="season_files"),
        path("<slug:league_slug>/seasons/<slug:slug>/files/<str:name>", season_files.staff_file, name="season_file"),
        path("<slug:league_slug>/clock/", organize_clock.clock, name="clock"),
        path("<slug:league_slug>/tables/", organize_tables.tables, name="tables"),
        path("<slug:league_slug>/tables/confirm/", organize_tables.confirm, name="confirm"),
        path("<slug:league_slug>/tables/setup/", hall_tables.setup, name="hall_tables"),
        path("<slug:league_slug>/grid/", grid.page, name="grid"),
        path("<slug:league_slug>/files.zip", exports.all_of_league, name="league_files"),
        path("<slug:league_slug>/import/", imports.index, name="import"),
        path("<slug:league_slug>/discarded/", earlier_states.discards, name="discarded"),
        path("<slug:league_slug>/import/results/", imports.results, name="import_results"),
        path(ONE, organize.competition, name="competition"),
        path(f"{ONE}files/", exports.staff_index, name="files"),
        path(f"{ONE}files/<str:name>", exports.staff_file, name="file"),
        path(f"{ONE}confirm-import/", imports.confirm, name="confirm_import"),
        path(f"{ONE}entrants/table/", imports.players, name="entrants_table"),
        path(f"{ONE}plan/", organize.plan, name="plan"),
        path(f"{ONE}earlier/", earlier_states.index, name="earlier"),
        path(f"{ONE}earlier/undo/", earlier_states.undo, name="undo"),
        path(f"{ONE}discard/", earlier_states.discard, name="discard"),
        path(f"{ONE}close/", ladder_closing.close, name="close_ladder"),
        path(f"{ONE}rehearsals/", rehearsals.index, name="rehearsals"),
        path(f"{ONE}rehearsals/<int:rehearsal_id>/", rehearsals.detail, name="rehearsal"),
        path(f"{ONE}rehearsals/<int:rehearsal_id>/remove/", rehearsals.delete, name="remove_rehearsal"),
        path(f"{ONE}tables/", organize_tables.tables, name="competition_tables"),
        path(f"{ONE}grid/", grid.page, name="competition_grid"),
        path(f"{ONE}rated/", ratings.count, name="rated"),
        path(f"{ONE}entrants/", organize.entrants, name="entrants"),
        path(f"{ONE}seeds/", seeding.seeds, name="seeds"),
        path(f"{ONE}registration/", registration.terms, name="registration"),
        path(f"{ONE}registration/invitations/", registration.invite, name="invite"),
        path(f"{ONE}registration/invitations/<int:invitation_id>/revoke/", registration.revoke, name="revoke"),
        path(f"{ONE}sign-ups/", answering.sign_ups, name="sign_ups"),
        path(f"{ONE}draw/", organize.draw, name="draw"),
        path(f"{ONE}rounds/", organize_draft.set_rounds, name="set_rounds"),
        path(f"{ONE}draw/next/", organize_draft.draw_next, name="draw_next"),
        path(f"{ONE}rounds/<int:number>/pairs/", organize_draft.pair, name="pair"),
        path(f"{ONE}lots/", organize.table_lots, name="table_lots"),
        path(f"{ONE}publish/", organize.publish, name="publish"),
        path(f"{ONE}rounds/<int:number>/publish/", organize.publish_round, name="publish_round"),
        path(f"{ONE}cards/", printing.cards, name="cards"),
        path(f"{ONE}slips/", printing.slips, name="slips"),
        path(f"{ONE}slots/<int:slot_id>/", organize.move, name="move"),
        path(f"{ONE}slots/<int:slot_id>/stream/", hall_tables.stream, name="stream"),
        path(f"{ONE}wishes/", hall_tables.wishes, name="wishes"),
        path(f"{ONE}check-in/", check_in.index, name="check_in"),
        path(f"{ONE}check-in/one/", check_in.act, name="check_in_one"),
        path(f"{ONE}check-in/open/", check_in.opening, name="opening"),
        path(f"{ONE}present/", check_in.present, name="present"),
        path(f"{ONE}cash/", check_in.cash, name="cash"),
        path(f"{ONE}walk-in/", walk_in.index, name="walk_in"),
        path(f"{ONE}slots/<int:slot_id>/late/", going.late, name="late"),
        path(f"{ONE}entrants/<int:entrant_id>/withdraw/", going.withdraw, name="withdraw"),
        path(f"{ONE}withdrawals/<int:withdrawal_id>/undo/", going.undo, name="undo_withdrawal"),
    ],
    "organize",
)
