from django.contrib import admin
from django.http import HttpRequest

from league.api.models import Token


@admin.register(Token)
class TokenAdmin(admin.ModelAdmin):
    """To see and to revoke. A token is made by its owner, for only then is its key shown."""

    list_display = ["name", "prefix", "user", "created_at", "last_used_at", "expires_at", "revoked_at"]
    list_select_related = ["user"]
    fields = ["name", "prefix", "user", "scopes", "created_at", "last_used_at", "expires_at", "revoked_at"]
    readonly_fields = [name for name in fields if name != "revoked_at"]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False
