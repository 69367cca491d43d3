"""Admin pages of matches, open for changes until there is a record.

Before, place, time and sides can be changed. Records and everything that follows from them are read-only.
"""

from django.contrib import admin
from django.http import HttpRequest

from league.matches.models import (
    Amendment,
    ClockEvent,
    Game,
    Match,
    Record,
    Result,
    SealedLog,
    Side,
    StoredVerdict,
    Table,
    TallyTap,
)


class ReadOnly:
    """Mixin for models whose rows are never added, changed or removed by hand."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


def has_record(match: Match | None) -> bool:
    return match is not None and Record.objects.filter(game__match=match).exists()


class SideInline(admin.TabularInline):
    model = Side
    fields = ["number", "entrant"]
    readonly_fields = ["number"]
    autocomplete_fields = ["entrant"]
    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return super().has_change_permission(request, obj) and not has_record(obj)


class GameInline(ReadOnly, admin.TabularInline):
    model = Game
    fields = readonly_fields = ["number", "code"]
    extra = 0


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin):
    list_display = ["__str__", "league", "starts_at", "table", "state", "published_at"]
    list_select_related = ["league", "table"]
    list_filter = ["league", "state"]
    date_hierarchy = "starts_at"
    fields = [
        "league",
        "ruleset",
        "options",
        "best_of",
        "level",
        "state",
        "voided_by",
        "set_aside_at",
        "table",
        "starts_at",
        "published_at",
    ]
    readonly_fields = ["league", "ruleset", "options", "best_of", "level", "state", "voided_by", "set_aside_at"]
    inlines = [SideInline, GameInline]

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Refuse, because matches come from draws, with their sides and games."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return super().has_change_permission(request, obj) and not has_record(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Match | None = None) -> bool:
        return False


@admin.register(Table)
class TableAdmin(admin.ModelAdmin):
    list_display = ["name", "league"]
    list_select_related = ["league"]
    list_filter = ["league"]


class SealedLogInline(ReadOnly, admin.StackedInline):
    model = SealedLog


class VerdictInline(ReadOnly, admin.StackedInline):
    model = StoredVerdict


@admin.register(Record)
class RecordAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["__str__", "game", "kind", "state", "submitted_by", "submitted_at"]
    list_select_related = ["game", "submitted_by"]
    list_filter = ["state", "kind"]
    inlines = [SealedLogInline, VerdictInline]


@admin.register(ClockEvent)
class ClockEventAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "number", "kind", "at", "by", "reason"]
    list_select_related = ["game", "by"]
    list_filter = ["kind"]
    date_hierarchy = "at"


@admin.register(TallyTap)
class TallyTapAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "number", "kind", "seat", "points", "by", "received_at"]
    list_select_related = ["game", "by"]
    list_filter = ["kind"]
    date_hierarchy = "received_at"


@admin.register(Result)
class ResultAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "__str__", "state", "known_by", "needs_decision", "current", "confirmed_by", "decided"]
    list_select_related = ["game", "confirmed_by"]
    list_filter = ["state", "needs_decision", "current"]


@admin.register(Amendment)
class AmendmentAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["game", "__str__", "state", "reason", "proposed_by", "closed_by", "closed_at"]
    list_select_related = ["game", "old", "proposed_by", "closed_by"]
    list_filter = ["state"]
    date_hierarchy = "proposed_at"
