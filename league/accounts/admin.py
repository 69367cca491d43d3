from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminPasswordChangeForm, AdminUserCreationForm

from league.accounts.models import League, Role, User
from league.accounts.signals import password_replaced


class NewUserForm(AdminUserCreationForm):
    class Meta(AdminUserCreationForm.Meta):
        model = User


class ReplacedPasswordForm(AdminPasswordChangeForm):
    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit)
        password_replaced.send(User, user_id=user.pk)
        return user


@admin.register(User)
class AccountAdmin(UserAdmin):
    add_form = NewUserForm
    change_password_form = ReplacedPasswordForm


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
