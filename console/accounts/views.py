"""Signing in and out, the password, the language."""

from typing import cast

from django.contrib import messages
from django.contrib.auth import views as auth_views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm
from django.http import HttpResponse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.i18n import set_language

from console.accounts import audit
from console.accounts.forms import LoginForm
from console.accounts.models import User

# Also before signing in: the form itself must be readable.
language = login_not_required(set_language)


class LoginView(auth_views.LoginView):
    template_name = "accounts/login.html"
    authentication_form = LoginForm
    redirect_authenticated_user = True

    def get_success_url(self) -> str:
        """The page that was asked for; the bare address means "where my work is"."""
        asked_for = self.get_redirect_url()
        return cast(User, self.request.user).home if asked_for in ("", "/") else asked_for


@method_decorator(login_not_required, name="dispatch")
class LogoutView(auth_views.LogoutView):
    """Reachable without a session: who signs out in one tab may do so in the other as well."""


class PasswordView(auth_views.PasswordChangeView):
    """Changing the password ends the user's other sessions and keeps this one."""

    template_name = "accounts/password_change.html"

    def get_success_url(self) -> str:
        return cast(User, self.request.user).home

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_valid(form)
        user = form.user
        audit.record(actor=user, action="password.change", target=f"user:{user.pk}")
        messages.success(self.request, _("密码已更改。"))
        return response
