from django.contrib import admin

from league.players.models import Entrant, Membership, Player
from league.players.naming import rename


class MembershipInline(admin.TabularInline):
    model = Membership
    extra = 0


@admin.register(Player)
class PlayerAdmin(admin.ModelAdmin):
    list_display = ["name", "code", "user"]
    list_select_related = ["user"]
    search_fields = ["name", "code"]
    autocomplete_fields = ["user"]
    readonly_fields = ["code", "apart", "merged_into"]
    inlines = [MembershipInline]

    def save_related(self, request, form, formsets, change) -> None:
        """Update namesakes after a change of name or club."""
        super().save_related(request, form, formsets, change)
        rename(form.instance, form.instance.name)


@admin.register(Entrant)
class EntrantAdmin(admin.ModelAdmin):
    list_display = ["player", "partner", "league"]
    list_select_related = ["player", "partner", "league"]
    list_filter = ["league"]
    search_fields = ["player__name", "player__code", "partner__name", "partner__code"]
    autocomplete_fields = ["player", "partner"]

    def get_readonly_fields(self, request, obj=None) -> list[str]:
        """Keep the player of an entrant fixed; duplicate players are merged on the site."""
        return ["league", "player", "partner"] if obj else []
