from django.contrib import admin

from league.competitions.models import (
    Adjustment,
    Applicant,
    Challenge,
    Circuit,
    CircuitPlace,
    Competition,
    Division,
    DrawJob,
    EarlierState,
    Followed,
    Honour,
    HourProposal,
    Invitation,
    Notice,
    NoticeVersion,
    Payment,
    PlayOff,
    RatedGame,
    Rating,
    RatingList,
    Registration,
    Rehearsal,
    Season,
    SeasonDate,
    SeasonMove,
    Seeding,
    Stage,
    StageEntry,
    Withdrawal,
)


class RegistrationInline(admin.TabularInline):
    model = Registration
    autocomplete_fields = ["entrant"]
    readonly_fields = ["lot"]  # drawn once
    extra = 0


@admin.register(Competition)
class CompetitionAdmin(admin.ModelAdmin):
    list_display = ["name", "league", "ruleset", "published_at"]
    list_select_related = ["league"]
    list_filter = ["league"]
    readonly_fields = ["published_at", "pairs"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [RegistrationInline]


class ToBeRead(admin.ModelAdmin):
    """Read only: the services write these rows."""

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Applicant)
class ApplicantAdmin(ToBeRead):
    list_display = ["__str__", "competition", "state", "made_at", "decided_by"]
    list_select_related = ["player", "competition", "decided_by"]
    list_filter = ["state", "competition"]


@admin.register(Invitation)
class InvitationAdmin(ToBeRead):
    list_display = ["__str__", "competition", "uses", "made_by", "expires_at", "revoked_at"]
    list_select_related = ["competition", "made_by"]


@admin.register(Seeding)
class SeedingAdmin(ToBeRead):
    list_display = ["competition", "how", "made_by", "made_at", "undone_at"]
    list_select_related = ["competition", "made_by"]


@admin.register(Stage)
class StageAdmin(admin.ModelAdmin):
    list_display = ["__str__", "competition", "format", "finished_at"]
    list_select_related = ["competition"]
    readonly_fields = ["finished_at"]


@admin.register(StageEntry)
class StageEntryAdmin(admin.ModelAdmin):
    list_display = ["entrant", "stage", "seed", "place", "group"]
    list_select_related = ["entrant__player", "entrant__partner", "stage__competition"]
    autocomplete_fields = ["entrant"]


@admin.register(Payment)
class PaymentAdmin(admin.ModelAdmin):
    """Read only: the desk takes and returns money."""

    list_display = ["entrant", "competition", "amount", "taken_by", "taken_at", "returned_at"]
    list_select_related = ["entrant__player", "entrant__partner", "competition", "taken_by"]
    list_filter = ["competition"]

    def has_add_permission(self, request: object) -> bool:
        return False

    def has_change_permission(self, request: object, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: object, obj: object = None) -> bool:
        return False


@admin.register(Withdrawal)
class WithdrawalAdmin(PaymentAdmin):
    """Read only: withdrawals on the page of the competition rule the forfeits."""

    list_display = ["entrant", "competition", "made_by", "made_at", "undone_at"]
    list_select_related = ["entrant__player", "entrant__partner", "competition", "made_by"]


@admin.register(DrawJob)
class DrawJobAdmin(PaymentAdmin):
    """Read only: requested draws and their outcomes."""

    list_display = ["competition", "season", "what", "asked_by", "asked_at", "done_at", "refused_code"]
    list_select_related = ["competition", "season", "asked_by"]


@admin.register(Challenge)
class ChallengeAdmin(PaymentAdmin):
    """Read only: challenges on the page of the ladder make and remove their matches."""

    list_display = ["challenger", "challenged", "stage", "made_at", "made_by", "closed_how"]
    list_select_related = ["challenger__player", "challenged__player", "stage__competition", "made_by"]
    list_filter = []


@admin.register(HourProposal)
class HourProposalAdmin(PaymentAdmin):
    """Read only: the two sides agree on the page of the match."""

    list_display = ["match", "entrant", "first", "second", "made_at", "agreed_at"]
    list_select_related = ["match", "entrant__player", "entrant__partner"]
    list_filter = []


@admin.register(RatingList)
class RatingListAdmin(PaymentAdmin):
    """Read only: settings change on the page of the league, which recomputes the list."""

    list_display = ["league", "ruleset", "period_days", "changed_at"]
    list_select_related = ["league"]
    list_filter = ["league"]


@admin.register(Rating)
class RatingAdmin(PaymentAdmin):
    """Read only: ratings follow from the games."""

    list_display = ["player", "rating_list", "period", "rating", "deviation", "latest"]
    list_select_related = ["player", "rating_list__league"]
    list_filter = ["rating_list", "latest"]


@admin.register(RatedGame)
class RatedGameAdmin(PaymentAdmin):
    """Read only: results decide which games count."""

    list_display = ["game", "rating_list", "period", "first", "second", "points"]
    list_select_related = ["game", "rating_list__league", "first", "second"]
    list_filter = ["rating_list"]


@admin.register(EarlierState)
class EarlierStateAdmin(PaymentAdmin):
    """Read only: the organizer's page restores an earlier state."""

    list_display = ["name", "league", "before", "made_by", "made_at", "restored_at"]
    list_select_related = ["league", "made_by"]
    list_filter = ["league"]
    exclude = ["rows"]


@admin.register(Season)
class SeasonAdmin(PaymentAdmin):
    """Read only, with all its parts: seasons are managed on their own pages."""

    list_display = ["name", "league", "starts_on", "published_at", "closed_at"]
    list_select_related = ["league"]
    list_filter = ["league"]


@admin.register(Division)
class DivisionAdmin(PaymentAdmin):
    list_display = ["name", "season", "level", "promote", "relegate", "play_off"]
    list_select_related = ["season"]
    list_filter = ["season"]


@admin.register(SeasonDate)
class SeasonDateAdmin(PaymentAdmin):
    list_display = ["season", "number", "starts_at"]
    list_select_related = ["season"]
    list_filter = ["season"]


@admin.register(PlayOff)
class PlayOffAdmin(PaymentAdmin):
    list_display = ["competition", "upper", "number"]
    list_select_related = ["upper", "competition"]
    list_filter = ["upper__season"]


@admin.register(SeasonMove)
class SeasonMoveAdmin(PaymentAdmin):
    list_display = ["entrant", "season", "from_level", "to_level", "why"]
    list_select_related = ["entrant__player", "season"]
    list_filter = ["season"]


@admin.register(Rehearsal)
class RehearsalAdmin(PaymentAdmin):
    """Read only: requested rehearsals and their reports."""

    list_display = ["competition", "seed", "entrants", "asked_by", "asked_at", "done_at", "refused_code"]
    list_select_related = ["competition", "asked_by"]


@admin.register(Honour)
class HonourAdmin(PaymentAdmin):
    """Read only: titles follow from official results."""

    list_display = ["entrant", "competition", "place"]
    list_select_related = ["entrant__player", "entrant__partner", "competition"]


@admin.register(Adjustment)
class AdjustmentAdmin(PaymentAdmin):
    """Read only: the pages of the competition give and remove points."""

    list_display = ["registration", "points", "reason", "made_by", "made_at", "undone_at"]
    list_select_related = ["registration__entrant__player", "registration__entrant__partner", "made_by"]
    list_filter = ["registration__competition"]


@admin.register(Circuit)
class CircuitAdmin(PaymentAdmin):
    """Read only: the pages of the league change a circuit."""

    list_display = ["name", "league", "points_by", "counted"]
    list_select_related = ["league"]
    list_filter = ["league"]


@admin.register(CircuitPlace)
class CircuitPlaceAdmin(PaymentAdmin):
    """Read only: places follow from official results."""

    list_display = ["registration", "first", "last"]
    list_select_related = ["registration__entrant__player", "registration__entrant__partner"]
    list_filter = ["registration__competition"]


@admin.register(Notice)
class NoticeAdmin(PaymentAdmin):
    """Read only: versions stay; the pages of the league amend or withdraw a notice."""

    list_display = ["__str__", "competition", "withdrawn_at", "withdrawn_by"]
    list_select_related = ["league", "competition", "withdrawn_by"]
    list_filter = ["league"]


@admin.register(NoticeVersion)
class NoticeVersionAdmin(PaymentAdmin):
    list_display = ["title", "number", "published_at", "published_by", "replaced_at"]
    list_select_related = ["published_by"]
    list_filter = ["notice__league"]


@admin.register(Followed)
class FollowedAdmin(admin.ModelAdmin):
    list_display = ["user", "what", "since"]
    list_select_related = ["user"]
    search_fields = ["what"]
    autocomplete_fields = ["user"]
