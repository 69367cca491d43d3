from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm

from league.accounts.models import League, Role, User


class NewUserForm(AdminUserCreationForm):
    class Meta(AdminUserCreationForm.Meta):
        model = User


@admin.register(User)
class AccountAdmin(UserAdmin):
    add_form = NewUserForm


class RoleInline(admin.TabularInline):
    model = Role
    autocomplete_fields = ["user"]
    extra = 0


@admin.register(League)
class LeagueAdmin(admin.ModelAdmin):
    list_display = ["name", "parent", "confirmation_required", "time_zone"]
    list_select_related = ["parent"]
    prepopulated_fields = {"slug": ["name"]}
    search_fields = ["name", "slug"]
    inlines = [RoleInline]
