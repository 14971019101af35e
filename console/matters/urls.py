"""Pages and JSON of matters; the workspace's script derives its addresses from the workspace's."""

from django.urls import path

from console.matters import api, uploads, views

app_name = "matters"
urlpatterns = [
    path("", views.start, name="list"),
    path("matters/new/", views.new, name="new"),
    path("matters/<uuid:matter_id>/", views.workspace, name="workspace"),
    path("matters/<uuid:matter_id>/state/", api.state, name="state"),
    path("matters/<uuid:matter_id>/disclosure/", uploads.disclosure, name="disclosure"),
    path("matters/<uuid:matter_id>/operations/", api.operations, name="operations"),
    path("matters/<uuid:matter_id>/versions/", api.versions, name="versions"),
    path("matters/<uuid:matter_id>/versions/<int:revision>/", api.version, name="version"),
    path("matters/<uuid:matter_id>/versions/<int:revision>/restore/", api.restore, name="restore"),
    path("matters/<uuid:matter_id>/export.docx", api.export, name="export"),
]
