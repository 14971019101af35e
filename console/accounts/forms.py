"""The sign-in form: one message for every failure, and a limit on how often one may fail."""

from typing import Any

from django.contrib.auth.forms import AuthenticationForm
from django.utils.translation import gettext_lazy as _

from console.accounts import throttle


class LoginForm(AuthenticationForm):
    """The message is the same for a wrong name, a wrong password, a closed account and too many
    attempts, so that it tells a guesser nothing."""

    error_messages = {
        "invalid_login": _(
            "用户名或密码不正确，或尝试次数过多。请检查后重试，多次失败后请等待 15 分钟。"
        ),
        "inactive": _(
            "用户名或密码不正确，或尝试次数过多。请检查后重试，多次失败后请等待 15 分钟。"
        ),
    }

    def clean(self) -> dict[str, Any]:
        username = self.cleaned_data.get("username") or ""
        if not username or not self.cleaned_data.get("password") or self.request is None:
            return super().clean()
        address = self.request.META.get("REMOTE_ADDR", "")
        if not throttle.admits(username=username, address=address):
            raise self.get_invalid_login_error()
        cleaned = super().clean()
        throttle.forget(username=username, address=address)
        return cleaned
