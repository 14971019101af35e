"""The Celery application. Workers run `celery -A console worker -P threads`.

Drafting tasks wait for the network almost all of their time, so threads, not processes, carry them;
cancelling is cooperative (console/drafting), never a killed child.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")

app = Celery("claimwright")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
