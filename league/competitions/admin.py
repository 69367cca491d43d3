from django.contrib import admin

from league.competitions.models import Competition, Registration, Stage


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
