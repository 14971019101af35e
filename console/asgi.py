"""HTTP goes to Django, its bodies bounded; WebSockets to the consumers of drafts, behind session
and host checks."""

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.conf import settings
from django.core.asgi import get_asgi_application

from console.bodies import BoundedBodies
from console.origins import SameOrigin

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "console.settings")
http = get_asgi_application()

from console.drafting.routing import websocket_urlpatterns  # noqa: E402 - needs loaded apps

application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(http, limit=settings.MAX_BODY_BYTES),
        "websocket": AllowedHostsOriginValidator(
            SameOrigin(
                AuthMiddlewareStack(URLRouter(websocket_urlpatterns)),
                trusted=settings.CSRF_TRUSTED_ORIGINS,
            )
        ),
    }
)
