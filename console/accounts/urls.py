"""Signing in and out, the password, the language."""

from django.urls import path

from console.accounts import views

urlpatterns = [
    path("login/", views.LoginView.as_view(), name="login"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path("password/", views.PasswordView.as_view(), name="password_change"),
    path("language/", views.language, name="set_language"),
]
