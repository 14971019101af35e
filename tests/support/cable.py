"""A network cable between a browser and a server: TCP on loopback that a test can pull out."""

import contextlib
import socket
import threading

from tests.support.ports import free_ports


class Cable:
    """Forwards its own port to `target`. Nothing passes between `pull` and `plug_in`.

    `pull("reset")` breaks the connections. `pull("silent")` leaves them open and swallows what is
    sent, as a lost radio link does: neither side is told. What was swallowed never arrives.
    """

    def __init__(self, target: int) -> None:
        self.port = free_ports(1)[0]
        self._target = target
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._pulled = ""
        self._listener = socket.create_server(("127.0.0.1", self.port))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "Cable":
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()
        self._break()

    def pull(self, how: str) -> None:
        self._pulled = how
        if how == "reset":
            self._break()

    def plug_in(self) -> None:
        self._break()
        self._pulled = ""

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self._pulled:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                near.close()
                continue
            with self._lock:
                self._ends |= {near, far}
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(source, sink), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                if not self._pulled:
                    sink.sendall(data)
        if self._pulled != "silent":
            self._close(source, sink)

    def _break(self) -> None:
        with self._lock:
            ends = list(self._ends)
        self._close(*ends)

    def _close(self, *ends: socket.socket) -> None:
        for end in ends:
            # Wakes the thread that reads from it.
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        with self._lock:
            self._ends -= set(ends)
