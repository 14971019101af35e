"""Signing in: one message for every failure, and an end to guessing."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from console.accounts import throttle
from console.accounts.models import FailedLogin
from tests.conftest import PASSWORD

LOGIN = reverse("login")


def attempt(client: Client, username: str, password: str, **extra: Any) -> Any:
    return client.post(LOGIN, {"username": username, "password": password}, **extra)


def message(response: Any) -> list[str]:
    return list(response.context["form"].non_field_errors())


def test_the_right_password_leads_to_the_matters(client: Client, agent: Any) -> None:
    response = attempt(client, "agent", PASSWORD)
    assert response.status_code == 302
    assert response["Location"] == reverse("matters:list")


@pytest.mark.parametrize(
    ("who", "home"),
    [("rule_author", "admin:index"), ("operator", "operations:overview")],
)
def test_the_other_roles_begin_where_their_work_is(
    client: Client, request: pytest.FixtureRequest, who: str, home: str
) -> None:
    user = request.getfixturevalue(who)
    for address in (LOGIN, f"{LOGIN}?next=/"):
        response = client.post(address, {"username": user.username, "password": PASSWORD})
        assert response["Location"] == reverse(home)
        client.post(reverse("logout"))
    client.force_login(user)
    assert client.get(response["Location"]).status_code == 200


def test_the_page_that_was_asked_for_comes_after_signing_in(client: Client, agent: Any) -> None:
    response = client.post(
        f"{LOGIN}?next=/matters/new/", {"username": "agent", "password": PASSWORD}
    )
    assert response["Location"] == "/matters/new/"


def test_a_foreign_address_is_not_followed_after_signing_in(client: Client, agent: Any) -> None:
    response = client.post(
        f"{LOGIN}?next=https://evil.example/", {"username": "agent", "password": PASSWORD}
    )
    assert response["Location"] == reverse("matters:list")


def test_every_failure_reads_the_same(client: Client, agent: Any, member: Any) -> None:
    member.is_active = False
    member.save()
    messages = [
        message(attempt(client, "agent", "wrong")),
        message(attempt(client, "nobody", "wrong")),
        message(attempt(client, "member", PASSWORD)),
    ]
    for _ in range(throttle.LIMITS.account_and_address):
        attempt(client, "agent", "wrong")
    messages.append(message(attempt(client, "agent", PASSWORD)))
    assert messages[0]
    assert all(each == messages[0] for each in messages)


def test_after_repeated_failures_even_the_right_password_waits(client: Client, agent: Any) -> None:
    for _ in range(throttle.LIMITS.account_and_address):
        attempt(client, "agent", "wrong")
    assert attempt(client, "agent", PASSWORD).status_code == 200
    FailedLogin.objects.update(at=timezone.now() - throttle.WINDOW - timedelta(seconds=1))
    assert attempt(client, "agent", PASSWORD).status_code == 302


def test_a_guesser_elsewhere_does_not_lock_the_owner_out(client: Client, agent: Any) -> None:
    for _ in range(throttle.LIMITS.account_and_address):
        attempt(client, "agent", "wrong", REMOTE_ADDR="203.0.113.7")
    assert attempt(client, "agent", PASSWORD, REMOTE_ADDR="198.51.100.1").status_code == 302


def test_one_address_cannot_try_many_accounts(client: Client, agent: Any) -> None:
    for number in range(throttle.LIMITS.address):
        attempt(client, f"guess{number}", "wrong", REMOTE_ADDR="203.0.113.7")
    assert attempt(client, "agent", PASSWORD, REMOTE_ADDR="203.0.113.7").status_code == 200


def test_many_addresses_cannot_try_one_account_without_end(client: Client, agent: Any) -> None:
    for number in range(throttle.LIMITS.account):
        assert throttle.admits(username="agent", address=f"203.0.113.{number}")
    assert attempt(client, "agent", PASSWORD, REMOTE_ADDR="198.51.100.1").status_code == 200


def test_attempts_at_once_get_no_further_than_one_after_the_other(
    transactional_db: None, agent: Any
) -> None:
    checked: list[bool] = []
    together = threading.Barrier(12)

    def guess() -> None:
        together.wait()
        try:
            checked.append(throttle.admits(username="agent", address="203.0.113.7"))
        finally:
            connection.close()

    guessers = [threading.Thread(target=guess) for _ in range(12)]
    for guesser in guessers:
        guesser.start()
    for guesser in guessers:
        guesser.join()
    assert len(checked) == 12
    assert sum(checked) <= throttle.LIMITS.account_and_address


def test_another_spelling_of_the_name_is_the_same_account(client: Client, agent: Any) -> None:
    for _ in range(throttle.LIMITS.account_and_address):
        attempt(client, " AGENT", "wrong")
    assert attempt(client, "agent", PASSWORD).status_code == 200


def test_success_forgives_typing_errors(client: Client, agent: Any) -> None:
    attempt(client, "agent", "wrong")
    attempt(client, "agent", PASSWORD)
    assert not FailedLogin.objects.exists()


def test_old_failures_are_deleted_and_names_are_not_kept(client: Client, db: None) -> None:
    attempt(client, "my-secret-password", "oops")
    FailedLogin.objects.update(at=timezone.now() - throttle.WINDOW - timedelta(seconds=1))
    attempt(client, "other", "oops")
    assert FailedLogin.objects.count() == 1
    assert "other" not in str(FailedLogin.objects.values().get())


@pytest.mark.parametrize("field", ["username", "password"])
def test_an_empty_field_is_said_and_does_not_count(client: Client, db: None, field: str) -> None:
    values = {"username": "agent", "password": "x"} | {field: ""}
    response = client.post(LOGIN, values)
    assert field in response.context["form"].errors
    assert not FailedLogin.objects.exists()


def test_the_form_is_chinese_unless_the_reader_chose_english(client: Client, db: None) -> None:
    assert "登录" in client.get(LOGIN).content.decode()
    client.post(reverse("set_language"), {"language": "en", "next": LOGIN})
    assert 'lang="en"' in client.get(LOGIN).content.decode()
