"""Admin pages of disputes and calls for the referee, read-only; statements and photos are not among them."""

from django.contrib import admin

from league.disputes.models import Caller, CourtRules, Dispute, DisputeEntry, RefereeCall, SealedRuling, ZoneTable
from league.matches.admin import ReadOnly


class EntryInline(ReadOnly, admin.TabularInline):
    model = DisputeEntry
    fields = readonly_fields = ["number", "kind", "by", "for_side", "at", "head"]
    extra = 0


@admin.register(Dispute)
class DisputeAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["code", "match", "kind", "state", "outcome", "raised_at", "deadline"]
    list_select_related = ["match"]
    list_filter = ["state", "kind", "outcome"]
    date_hierarchy = "raised_at"
    inlines = [EntryInline]


@admin.register(SealedRuling)
class SealedRulingAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["sha256", "amends", "results_in"]


@admin.register(CourtRules)
class CourtRulesAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["league", "proof", "hears", "minutes_in_hall", "minutes_elsewhere", "appeal_minutes"]
    list_select_related = ["league"]


class CallerInline(ReadOnly, admin.TabularInline):
    model = Caller
    fields = readonly_fields = ["reason", "called_at", "by", "side", "withdrawn_at"]
    extra = 0


@admin.register(RefereeCall)
class RefereeCallAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["match", "reason", "called_at", "taken_by", "ended_at", "ended_by"]
    list_select_related = ["match", "taken_by", "ended_by"]
    inlines = [CallerInline]


@admin.register(ZoneTable)
class ZoneTableAdmin(ReadOnly, admin.ModelAdmin):
    list_display = ["competition", "table", "official"]
    list_select_related = ["competition", "table", "official"]
