"""A server of files over HTTP that answers ranges, counts what is asked, and misbehaves on demand."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Files(ThreadingHTTPServer):
    """root: the folder.  sent: bytes of bodies by name.  fault: what goes wrong: "", "whole" (ranges are ignored), "short" (half of what was asked comes), "silent" (nothing comes),
    "unsized" (no length), "refused" (500).  tagged: whether versions are told."""

    daemon_threads = True

    def __init__(self, root: Path) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.root, self.fault, self.tagged, self.after = root, "", True, 0
        self.sent: dict[str, int] = {}
        self.requests: list[str] = []

    def url(self, name: str) -> str:
        return f"http://127.0.0.1:{self.server_port}/{name}"

    def handle_error(self, *_: object) -> None:
        """A reader that went away is no news."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Files

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.answer(False)

    def do_GET(self) -> None:
        self.answer(True)

    def answer(self, body: bool) -> None:
        name = self.path.lstrip("/").partition("?")[0]
        path, server = self.server.root / name, self.server
        server.requests.append(f"{self.command} {name} {self.headers.get('Range', '')}")
        fault = server.fault if body or server.fault != "short" else ""
        if fault == "silent" and (body or not server.after):
            time.sleep(20)
        if fault == "refused" or not path.is_file():
            self.send_response(500 if fault == "refused" else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        data, status = path.read_bytes(), 200
        start, end = 0, len(data)
        asked = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if asked and fault != "whole":
            start, end, status = int(asked[1]), min(int(asked[2]) + 1, len(data)), 206
            if start >= end:
                status, start, end = 416, 0, 0
        self.send_response(status)
        if server.tagged:
            self.send_header("ETag", f'"{path.stat().st_mtime_ns}"')
        if status == 206:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(data)}")
        if fault == "unsized":
            self.send_header("Connection", "close")
        else:
            self.send_header("Content-Length", str(end - start))
        self.end_headers()
        if body:
            piece = data[start:end] if fault != "short" else data[start : (start + end) // 2]
            self.wfile.write(piece)
            server.sent[name] = server.sent.get(name, 0) + len(piece)
        if fault in ("short", "unsized"):
            self.close_connection = True


@contextmanager
def serving(root: Path) -> Iterator[Files]:
    with Files(root) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
