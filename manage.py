#!/usr/bin/env python
"""Claimwright's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
    from django.core.management import execute_from_command_line

    from console.env import SettingsError

    try:
        execute_from_command_line(sys.argv)
    except SettingsError as error:
        sys.exit(f"{error.code}: {error}")
