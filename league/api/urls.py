"""Addresses of the API and of the pages about it."""

from django.urls import include, path, re_path

from league.api.base.not_found import Nothing
from league.api.docs import pages
from league.api.docs.schema import SchemaView
from league.api.resources.amendments import (
    AmendmentClosing,
    AmendmentConfirmation,
    AmendmentDetail,
    AmendmentOutlook,
    GameAmendments,
)
from league.api.resources.circuits import CircuitDetail, CircuitList, CircuitRanking
from league.api.resources.competitions import CompetitionDetail, CompetitionList, RankingList
from league.api.resources.court import JudgeAcceptance, JudgeNaming, LeagueCourt, PhotoFile, PhotoUpload
from league.api.resources.dispute_rulings import (
    Facts,
    GivenRuling,
    RulingConfirmation,
    RulingList,
    RulingOutlook,
    RulingRejection,
    RulingTextFile,
    SteppingBack,
    TakenCase,
)
from league.api.resources.disputes import (
    Agreement,
    AppealFiling,
    ChosenEffect,
    DisputeDetail,
    DisputeList,
    GameProtest,
    JudgeRefusal,
    ProtestOutlook,
    ProtestWithdrawal,
    SideOffer,
    SideStatement,
)
from league.api.resources.files import FileDetail, FileList
from league.api.resources.games import GameDetail, GameList, LogHandingIn
from league.api.resources.ladders import ChallengeWithdrawal, LadderChallenges, LadderPlaceList
from league.api.resources.leagues import LeagueDetail, LeagueList
from league.api.resources.matches import MatchDetail, MatchList
from league.api.resources.muggins import MugginsQuestion
from league.api.resources.notices import NoticeList
from league.api.resources.organize.admissions import (
    CompetitionSignUps,
    SignUpAcceptance,
    SignUpDepartures,
    SignUpReconsideration,
    SignUpRefusal,
)
from league.api.resources.organize.draft_history import (
    DiscardedDrafts,
    DraftDiscarding,
    DraftReturn,
    EarlierStateRestoration,
    EarlierStates,
)
from league.api.resources.organize.draws import (
    CompetitionCancellation,
    CompetitionDraws,
    CompetitionPublication,
    CompetitionReopening,
    DrawDetail,
    RoundPublication,
)
from league.api.resources.organize.imports import CompetitionImports, ImportRehearsal
from league.api.resources.organize.invitations import (
    CompetitionInvitations,
    CompetitionRegistration,
    InvitationRevocation,
)
from league.api.resources.organize.late_entries import CompetitionLateEntries, LateEntryUndoing
from league.api.resources.organize.next_step import DayDetail
from league.api.resources.organize.rehearsals import CompetitionRehearsals, RehearsalDetail, RehearsalRemoval
from league.api.resources.organize.seeding import CompetitionSeeds, SeedingUndoing
from league.api.resources.players import PlayerDetail, PlayerList
from league.api.resources.ratings import RatingPeriods, RatingRows
from league.api.resources.records import GameRecords, RecordDetail, VerdictDetail
from league.api.resources.results import Confirmation, ResultDetail, ResultList
from league.api.resources.rounds import RoundList
from league.api.resources.rulesets import RulesetDetail, RulesetList
from league.api.resources.season_files import SeasonFileDetail, SeasonFileList
from league.api.resources.seasons import SeasonDetail, SeasonList
from league.api.resources.sheets import SheetEntry
from league.api.resources.sign_ups import OwnSignUps, SignUpDetail, SignUpWithdrawal
from league.api.resources.standings import StandingsDetail
from league.api.resources.verify import Verification

v1 = [
    path("leagues", LeagueList.as_view(), name="leagues"),
    path("leagues/<str:slug>", LeagueDetail.as_view(), name="league"),
    path("leagues/<str:slug>/notices", NoticeList.as_view(), name="notices"),
    path("leagues/<str:slug>/court", LeagueCourt.as_view(), name="court-rules"),
    path("leagues/<str:slug>/rulings", RulingList.as_view(), name="rulings"),
    path("leagues/<str:slug>/ratings", RatingRows.as_view(), name="ratings"),
    path("leagues/<str:slug>/ratings/<str:ruleset>/<str:code>", RatingPeriods.as_view(), name="rating"),
    path("leagues/<str:slug>/imports", CompetitionImports.as_view(), name="imports"),
    path("leagues/<str:slug>/imports/preview", ImportRehearsal.as_view(), name="import-preview"),
    path("players", PlayerList.as_view(), name="players"),
    path("players/<str:code>", PlayerDetail.as_view(), name="player"),
    path("competitions", CompetitionList.as_view(), name="competitions"),
    path("competitions/<str:league>/<str:slug>", CompetitionDetail.as_view(), name="competition"),
    path("competitions/<str:league>/<str:slug>/standings", StandingsDetail.as_view(), name="standings"),
    path("competitions/<str:league>/<str:slug>/ranking", RankingList.as_view(), name="ranking"),
    path("competitions/<str:league>/<str:slug>/day", DayDetail.as_view(), name="day"),
    path("competitions/<str:league>/<str:slug>/rounds", RoundList.as_view(), name="rounds"),
    path(
        "competitions/<str:league>/<str:slug>/rounds/<int:number>/publication",
        RoundPublication.as_view(),
        name="round-publication",
    ),
    path("competitions/<str:league>/<str:slug>/publication", CompetitionPublication.as_view(), name="publication"),
    path("competitions/<str:league>/<str:slug>/reopening", CompetitionReopening.as_view(), name="reopening"),
    path("competitions/<str:league>/<str:slug>/cancellation", CompetitionCancellation.as_view(), name="cancellation"),
    path("competitions/<str:league>/<str:slug>/registration", CompetitionRegistration.as_view(), name="registration"),
    path("competitions/<str:league>/<str:slug>/invitations", CompetitionInvitations.as_view(), name="invitations"),
    path("competitions/<str:league>/<str:slug>/sign-ups", CompetitionSignUps.as_view(), name="competition-sign-ups"),
    path("competitions/<str:league>/<str:slug>/sign-ups/acceptance", SignUpAcceptance.as_view(), name="acceptance"),
    path("competitions/<str:league>/<str:slug>/sign-ups/refusal", SignUpRefusal.as_view(), name="refusal"),
    path("competitions/<str:league>/<str:slug>/sign-ups/departures", SignUpDepartures.as_view(), name="departures"),
    path("competitions/<str:league>/<str:slug>/seeds", CompetitionSeeds.as_view(), name="seeds"),
    path("competitions/<str:league>/<str:slug>/late-entries", CompetitionLateEntries.as_view(), name="late-entries"),
    path(
        "competitions/<str:league>/<str:slug>/late-entries/undoing",
        LateEntryUndoing.as_view(),
        name="late-entry-undoing",
    ),
    path("competitions/<str:league>/<str:slug>/draws", CompetitionDraws.as_view(), name="draws"),
    path("competitions/<str:league>/<str:slug>/earlier-states", EarlierStates.as_view(), name="earlier-states"),
    path(
        "competitions/<str:league>/<str:slug>/earlier-states/<int:state_id>/restoration",
        EarlierStateRestoration.as_view(),
        name="restoration",
    ),
    path("competitions/<str:league>/<str:slug>/discarding", DraftDiscarding.as_view(), name="discarding"),
    path("competitions/<str:league>/<str:slug>/rehearsals", CompetitionRehearsals.as_view(), name="rehearsals"),
    path("competitions/<str:league>/<str:slug>/ladder", LadderPlaceList.as_view(), name="ladder"),
    path("competitions/<str:league>/<str:slug>/challenges", LadderChallenges.as_view(), name="challenges"),
    path("leagues/<str:slug>/discarded", DiscardedDrafts.as_view(), name="discarded"),
    path("leagues/<str:slug>/discarded/<int:state_id>/return", DraftReturn.as_view(), name="draft-return"),
    path("sign-ups", OwnSignUps.as_view(), name="sign-ups"),
    path("sign-ups/<int:sign_up_id>", SignUpDetail.as_view(), name="sign-up"),
    path("sign-ups/<int:sign_up_id>/withdrawal", SignUpWithdrawal.as_view(), name="sign-up-withdrawal"),
    path("sign-ups/<int:sign_up_id>/reconsideration", SignUpReconsideration.as_view(), name="reconsideration"),
    path("invitations/<int:invitation_id>/revocation", InvitationRevocation.as_view(), name="revocation"),
    path("seedings/<int:seeding_id>/undoing", SeedingUndoing.as_view(), name="seeding-undoing"),
    path("draws/<int:draw_id>", DrawDetail.as_view(), name="draw"),
    path("rehearsals/<int:rehearsal_id>", RehearsalDetail.as_view(), name="rehearsal"),
    path("rehearsals/<int:rehearsal_id>/removal", RehearsalRemoval.as_view(), name="rehearsal-removal"),
    path("challenges/<int:challenge_id>/withdrawal", ChallengeWithdrawal.as_view(), name="challenge-withdrawal"),
    path("seasons", SeasonList.as_view(), name="seasons"),
    path("seasons/<str:league>/<str:slug>", SeasonDetail.as_view(), name="season"),
    path("seasons/<str:league>/<str:slug>/files", SeasonFileList.as_view(), name="season_files"),
    path("seasons/<str:league>/<str:slug>/files/<str:name>", SeasonFileDetail.as_view(), name="season_file"),
    path("circuits", CircuitList.as_view(), name="circuits"),
    path("circuits/<str:league>/<str:slug>", CircuitDetail.as_view(), name="circuit"),
    path("circuits/<str:league>/<str:slug>/ranking", CircuitRanking.as_view(), name="circuit-ranking"),
    path("competitions/<str:league>/<str:slug>/files", FileList.as_view(), name="files"),
    path("competitions/<str:league>/<str:slug>/files/<str:name>", FileDetail.as_view(), name="file"),
    path("matches", MatchList.as_view(), name="matches"),
    path("matches/<int:match_id>", MatchDetail.as_view(), name="match"),
    path("games", GameList.as_view(), name="games"),
    path("games/<str:code>", GameDetail.as_view(), name="game"),
    path("games/<str:code>/records", GameRecords.as_view(), name="game-records"),
    path("games/<str:code>/logs", LogHandingIn.as_view(), name="logs"),
    path("games/<str:code>/sheets", SheetEntry.as_view(), name="sheets"),
    path("games/<str:code>/amendments", GameAmendments.as_view(), name="amendments"),
    path("games/<str:code>/amendments/preview", AmendmentOutlook.as_view(), name="amendment-preview"),
    path("games/<str:code>/disputes", GameProtest.as_view(), name="protest"),
    path("games/<str:code>/disputes/preview", ProtestOutlook.as_view(), name="protest-preview"),
    path("disputes", DisputeList.as_view(), name="disputes"),
    path("disputes/<str:code>", DisputeDetail.as_view(), name="dispute"),
    path("disputes/<str:code>/statements", SideStatement.as_view(), name="statement"),
    path("disputes/<str:code>/offers", SideOffer.as_view(), name="offer"),
    path("disputes/<str:code>/agreement", Agreement.as_view(), name="agreement"),
    path("disputes/<str:code>/withdrawal", ProtestWithdrawal.as_view(), name="protest-withdrawal"),
    path("disputes/<str:code>/judge", TakenCase.as_view(), name="judge"),
    path("disputes/<str:code>/judge/refusal", JudgeRefusal.as_view(), name="judge-refusal"),
    path("disputes/<str:code>/judge/stepping-back", SteppingBack.as_view(), name="stepping-back"),
    path("disputes/<str:code>/judge/naming", JudgeNaming.as_view(), name="judge-naming"),
    path("disputes/<str:code>/judge/acceptance", JudgeAcceptance.as_view(), name="judge-acceptance"),
    path("disputes/<str:code>/photos", PhotoUpload.as_view(), name="photos"),
    path("disputes/<str:code>/photos/<int:number>", PhotoFile.as_view(), name="photo"),
    path("disputes/<str:code>/effect", ChosenEffect.as_view(), name="dispute-effect"),
    path("disputes/<str:code>/facts", Facts.as_view(), name="facts"),
    path("disputes/<str:code>/rulings", GivenRuling.as_view(), name="ruling"),
    path("disputes/<str:code>/rulings/preview", RulingOutlook.as_view(), name="ruling-preview"),
    path("disputes/<str:code>/rulings/<int:number>.ruling", RulingTextFile.as_view(), name="ruling-text"),
    path("disputes/<str:code>/confirmation", RulingConfirmation.as_view(), name="ruling-confirmation"),
    path("disputes/<str:code>/rejection", RulingRejection.as_view(), name="ruling-rejection"),
    path("disputes/<str:code>/appeal", AppealFiling.as_view(), name="appeal"),
    path("amendments/<int:amendment_id>", AmendmentDetail.as_view(), name="amendment"),
    path("amendments/<int:amendment_id>/confirmation", AmendmentConfirmation.as_view(), name="amendment-confirmation"),
    path("amendments/<int:amendment_id>/closing", AmendmentClosing.as_view(), name="amendment-closing"),
    path("records/<int:record_id>", RecordDetail.as_view(), name="record"),
    path("records/<int:record_id>/verdict", VerdictDetail.as_view(), name="verdict"),
    path("results", ResultList.as_view(), name="results"),
    path("results/<int:result_id>", ResultDetail.as_view(), name="result"),
    path("results/<int:result_id>/confirmation", Confirmation.as_view(), name="confirmation"),
    path("rulesets", RulesetList.as_view(), name="rulesets"),
    path("rulesets/<str:key>", RulesetDetail.as_view(), name="ruleset"),
    path("verify", Verification.as_view(), name="verify"),
    path("muggins", MugginsQuestion.as_view(), name="muggins"),
    path("schema/", SchemaView.as_view(), name="schema"),
    re_path("", Nothing.as_view()),
]

app_name = "api"
urlpatterns = [
    path("api/", pages.index, name="index"),
    path("api/reference/", pages.reference, name="reference"),
    path("api/v1/", include(v1)),
    path("account/tokens/", pages.tokens, name="tokens"),
    path("account/tokens/<int:token_id>/revoke/", pages.revoke, name="revoke"),
]
