from django.contrib import admin

from league.players.models import Entrant, Membership, Player


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["name", "code", "user"]
    list_select_related = ["user"]
    search_fields = ["name", "code"]
    autocomplete_fields = ["user"]
    readonly_fields = ["code"]
    inlines = [MembershipInline]


@admin.register(Entrant)
class EntrantAdmin(admin.ModelAdmin):
    list_display = ["player", "league"]
    list_select_related = ["player", "league"]
    list_filter = ["league"]
    search_fields = ["player__name", "player__code"]
    autocomplete_fields = ["player"]
