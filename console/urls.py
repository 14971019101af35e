"""One line per part of the console."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from console.operations import health, metrics

# Pages name their icon; this one is for what asks without having read a page.
favicon = login_not_required(RedirectView.as_view(url=static("img/seal.svg")))

urlpatterns = [
    path("favicon.ico", favicon, name="favicon"),
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics.page, name="metrics"),
    path("accounts/", include("console.accounts.urls")),
    path("operations/", include("console.operations.urls")),
    path("rules/", include("rules.urls")),
    path("admin/", admin.site.urls),
    path("", include("console.matters.urls")),
]
