"""Where the editor's JSON endpoints are. The page itself is part of the admin (rules/admin.py)."""

from django.urls import path

from rules import benchviews, regressionviews, views

app_name = "rules"
urlpatterns = [
    path("bench/check/", benchviews.check, name="check"),
    path("bench/judge/", benchviews.judge, name="judge"),
    path("bench/explain/", benchviews.explain, name="explain"),
    path("bench/sample/", benchviews.sample, name="sample"),
    path("import/", views.imported, name="import"),
    path("examples/", views.example, name="example"),
    path("packs/<slug:slug>/", views.overview, name="overview"),
    path("packs/<slug:slug>/begin/", views.begin, name="begin"),
    path("packs/<slug:slug>/go-back/", views.go_back, name="go-back"),
    path("packs/<slug:slug>/four-eyes/", views.four_eyes, name="four-eyes"),
    path("packs/<slug:slug>/<int:version_id>/", views.version, name="version"),
    path("packs/<slug:slug>/<int:version_id>/save/", views.save, name="save"),
    path("packs/<slug:slug>/<int:version_id>/export/", views.export, name="export"),
    path("packs/<slug:slug>/<int:version_id>/give-back/", views.give_back, name="give-back"),
    path(
        "packs/<slug:slug>/<int:version_id>/regression/",
        regressionviews.regression,
        name="regression",
    ),
    path(
        "packs/<slug:slug>/<int:version_id>/regression/stop/",
        regressionviews.stop,
        name="regression-stop",
    ),
    path("packs/<slug:slug>/<int:version_id>/<slug:name>/", views.step, name="step"),
]
