from django.contrib import admin

from league.competitions.models import (
    Competition,
    DrawJob,
    Payment,
    RatedGame,
    Rating,
    RatingList,
    Registration,
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
    readonly_fields = ["published_at"]
    prepopulated_fields = {"slug": ["name"]}
    inlines = [RegistrationInline]


@admin.register(Stage)
class StageAdmin(admin.ModelAdmin):
    list_display = ["__str__", "competition", "format", "finished_at"]
    list_select_related = ["competition"]
    readonly_fields = ["finished_at"]


@admin.register(StageEntry)
class StageEntryAdmin(admin.ModelAdmin):
    list_display = ["entrant", "stage", "seed", "place", "group"]
    list_select_related = ["entrant__player", "stage__competition"]
    autocomplete_fields = ["entrant"]


@admin.register(Payment)
class PaymentAdmin(admin.ModelAdmin):
    """To be read: the desk takes money and gives it back."""

    list_display = ["entrant", "competition", "amount", "taken_by", "taken_at", "returned_at"]
    list_select_related = ["entrant__player", "competition", "taken_by"]
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
    list_select_related = ["entrant__player", "competition", "made_by"]


@admin.register(DrawJob)
class DrawJobAdmin(PaymentAdmin):
    """To be read: what was asked for, and what came of it."""

    list_display = ["competition", "what", "asked_by", "asked_at", "done_at", "refused_code"]
    list_select_related = ["competition", "asked_by"]


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
