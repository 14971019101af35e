"""Where the drafting WebSocket is."""

from django.urls import path

from console.drafting.consumers import DraftingConsumer

websocket_urlpatterns = [path("ws/matters/<str:matter_id>/", DraftingConsumer.as_asgi())]
