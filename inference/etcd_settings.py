"""Where etcd is and how it lets us in, as one value that every port is given."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


class EtcdError(Exception):
    """`code` is etcd_unreachable (try again later) or etcd_refused (settings or permission)."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class EtcdSettings:
    """`endpoints` are host:port, or with a scheme (https:// asks for TLS). Files are PEM paths."""

    endpoints: tuple[str, ...] = ("127.0.0.1:2479",)
    ca: str = ""
    cert: str = ""
    key: str = ""
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "EtcdSettings":
        """Reads CLAIMWRIGHT_ETCD (comma-separated), _CA, _CERT, _KEY, _USER, _PASSWORD[_FILE]."""
        prefix = "CLAIMWRIGHT_ETCD"
        listed = environment.get(prefix, "")
        endpoints = tuple(part.strip() for part in listed.split(",") if part.strip())
        password = environment.get(f"{prefix}_PASSWORD", "")
        if file := environment.get(f"{prefix}_PASSWORD_FILE"):
            password = Path(file).read_text(encoding="utf-8").strip()
        return cls(
            endpoints=endpoints or cls.endpoints,
            ca=environment.get(f"{prefix}_CA", ""),
            cert=environment.get(f"{prefix}_CERT", ""),
            key=environment.get(f"{prefix}_KEY", ""),
            user=environment.get(f"{prefix}_USER", ""),
            password=password,
        )

    @property
    def secure(self) -> bool:
        return bool(self.ca or self.cert) or any(e.startswith("https://") for e in self.endpoints)
