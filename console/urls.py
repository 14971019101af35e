"""One line per part of the console."""

from django.contrib import admin
from django.urls import include, path

from console.operations import health, metrics

urlpatterns = [
    path("healthz", health.alive, name="healthz"),
    path("readyz", health.ready, name="readyz"),
    path("metrics", metrics.page, name="metrics"),
    path("accounts/", include("console.accounts.urls")),
    path("operations/", include("console.operations.urls")),
    path("rules/", include("rules.urls")),
    path("admin/", admin.site.urls),
    path("", include("console.matters.urls")),
]
