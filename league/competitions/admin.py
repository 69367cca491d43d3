from django.contrib import admin

from league.competitions.models import (
    Applicant,
    Challenge,
    Competition,
    Division,
    DrawJob,
    EarlierState,
    Followed,
    Honour,
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
    """Written by the services alone."""

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
    """To be read: the desk takes money and gives it back."""

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
    """To be read: who has left is withdrawn on the page of the competition, which rules the forfeits."""

    list_display = ["entrant", "competition", "made_by", "made_at", "undone_at"]
    list_select_related = ["entrant__player", "entrant__partner", "competition", "made_by"]


@admin.register(DrawJob)
class DrawJobAdmin(PaymentAdmin):
    """To be read: what was asked for, and what came of it."""

    list_display = ["competition", "season", "what", "asked_by", "asked_at", "done_at", "refused_code"]
    list_select_related = ["competition", "season", "asked_by"]


@admin.register(Challenge)
class ChallengeAdmin(PaymentAdmin):
    """To be read: a challenge is made and taken back on the page of the ladder, which makes its match."""

    list_display = ["challenger", "challenged", "stage", "made_at", "made_by", "closed_how"]
    list_select_related = ["challenger__player", "challenged__player", "stage__competition", "made_by"]
    list_filter = []


@admin.register(RatingList)
class RatingListAdmin(PaymentAdmin):
    """To be read: the settings are changed on the page of the league, which computes the list anew."""

    list_display = ["league", "ruleset", "period_days", "changed_at"]
    list_select_related = ["league"]
    list_filter = ["league"]


@admin.register(Rating)
class RatingAdmin(PaymentAdmin):
    """To be read: ratings follow from the games."""

    list_display = ["player", "rating_list", "period", "rating", "deviation", "latest"]
    list_select_related = ["player", "rating_list__league"]
    list_filter = ["rating_list", "latest"]


@admin.register(RatedGame)
class RatedGameAdmin(PaymentAdmin):
    """To be read: which games count follows from their results."""

    list_display = ["game", "rating_list", "period", "first", "second", "points"]
    list_select_related = ["game", "rating_list__league", "first", "second"]
    list_filter = ["rating_list"]


@admin.register(EarlierState)
class EarlierStateAdmin(PaymentAdmin):
    """To be read: the organizer's page leads back to it."""

    list_display = ["name", "league", "before", "made_by", "made_at", "restored_at"]
    list_select_related = ["league", "made_by"]
    list_filter = ["league"]
    exclude = ["rows"]


@admin.register(Season)
class SeasonAdmin(PaymentAdmin):
    """To be read, like what belongs to it: a season is planned, closed and followed on its own pages."""

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
    """To be read: what was asked for, and the report."""

    list_display = ["competition", "seed", "entrants", "asked_by", "asked_at", "done_at", "refused_code"]
    list_select_related = ["competition", "asked_by"]


@admin.register(Honour)
class HonourAdmin(PaymentAdmin):
    """To be read: titles follow from official results."""

    list_display = ["entrant", "competition", "place"]
    list_select_related = ["entrant__player", "entrant__partner", "competition"]


@admin.register(Notice)
class NoticeAdmin(PaymentAdmin):
    """To be read: what was said stays, and is amended or withdrawn on the pages of the league."""

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
