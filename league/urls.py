from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from league import health

# A single sign-in form, which counts wrong passwords; Django's own form counts none.
admin.site.login = secure_admin_login(admin.site.login)

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("league.api.urls")),
    path("", include("league.web.urls")),
]

handler400 = "league.web.shared.errors.bad_request"
handler403 = "league.web.shared.errors.forbidden"
handler404 = "league.web.shared.errors.not_found"
handler500 = "league.web.shared.errors.server_error"
