from django.contrib import admin

from league.competitions.models import Competition, Payment, Registration, Stage, Withdrawal


class RegistrationInline(admin.TabularInline):
    model = Registration
    autocomplete_fields = ["entrant"]
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
