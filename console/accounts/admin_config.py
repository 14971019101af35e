"""Puts the console's admin site in the place of Django's. Not beside it: the site needs models."""

from django.contrib.admin.apps import AdminConfig


class ConsoleAdminConfig(AdminConfig):
    default_site = "console.accounts.admin_site.ConsoleAdminSite"
