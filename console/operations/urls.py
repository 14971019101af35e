"""Pages of the operators."""

from django.urls import path

from console.operations import views

app_name = "operations"
urlpatterns = [path("", views.overview, name="overview")]
