"""How a pyetcd client is opened, and what its failures mean."""

from pathlib import Path
from typing import Any

import grpc
import pyetcd
from pyetcd import etcdrpc

from inference.etcd_settings import EtcdError, EtcdSettings

CALL_SECONDS = 3.0
RETRY_SECONDS = 0.5
CHANNEL_OPTIONS = (
    ("grpc.enable_http_proxy", 0),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1000),
    # A watch on a dead machine would otherwise stay silent for ever. etcd refuses pings more
    # frequent than every 5 s.
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 3_000),
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
)
TOKEN_TROUBLE = ("invalid auth token", "auth store is old")


def open_client(settings: EtcdSettings) -> Any:
    """A pyetcd client with failover over all endpoints, signed in when the settings name a user."""
    credentials = _credentials(settings) if settings.secure else None
    client = pyetcd.MultiEndpointEtcd3Client(
        endpoints=[_endpoint(text, credentials) for text in settings.endpoints],
        timeout=CALL_SECONDS,
        failover=True,
    )
    if settings.user:
        # Done here, not by the client: it would try one endpoint only, and its call
        # credentials are refused on a channel without TLS.
        client.metadata = (("token", _token(client, settings)),)
    return client


def _endpoint(text: str, credentials: Any) -> Any:
    netloc = text.split("://", 1)[-1].rstrip("/")
    host, _, port = netloc.rpartition(":")
    if not host or not port.isdigit():
        raise EtcdError("etcd_refused", f"An etcd endpoint is host:port, not {text!r}.")
    return pyetcd.Endpoint(
        host=host,
        port=int(port),
        secure=credentials is not None,
        creds=credentials,
        time_retry=RETRY_SECONDS,
        opts=list(CHANNEL_OPTIONS),
    )


def _credentials(settings: EtcdSettings) -> Any:
    def read(path: str) -> bytes | None:
        try:
            return Path(path).read_bytes() if path else None
        except OSError as error:
            raise EtcdError("etcd_refused", f"{path} cannot be read: {error.strerror}.") from error

    return grpc.ssl_channel_credentials(
        root_certificates=read(settings.ca),
        private_key=read(settings.key),
        certificate_chain=read(settings.cert),
    )


def _token(client: Any, settings: EtcdSettings) -> str:
    request = etcdrpc.AuthenticateRequest(name=settings.user, password=settings.password)
    for remaining in reversed(range(len(settings.endpoints))):
        try:
            return str(client.authstub.Authenticate(request, CALL_SECONDS).token)
        except grpc.RpcError as error:
            if not remaining or not unreachable(error):
                client.close()
                raise
            client.endpoint_in_use.fail()
    raise EtcdError("etcd_refused", "No etcd endpoint is configured.")


def unreachable(error: Exception) -> bool:
    """True for failures that another endpoint, or a later moment, may not have."""
    if isinstance(error, grpc.Call):
        return error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
    lost = (
        pyetcd.exceptions.ConnectionFailedError,
        pyetcd.exceptions.ConnectionTimeoutError,
        pyetcd.exceptions.NoServerAvailableError,
        pyetcd.exceptions.WatchTimedOut,
    )
    return isinstance(error, lost)


def token_trouble(error: Exception) -> bool:
    """True when signing in again would help: a restarted server has forgotten its tokens."""
    if not isinstance(error, grpc.Call):
        return False
    return any(words in (error.details() or "") for words in TOKEN_TROUBLE)
