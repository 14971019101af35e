"""One line per part of the console."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("accounts/", include("console.accounts.urls")),
    path("operations/", include("console.operations.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("console.matters.urls")),
]
