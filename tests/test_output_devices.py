"""Writing files: devices, pipes, sockets and descriptors, and files that grow."""

from __future__ import annotations

import os
import pty
import socket
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from output_support import WAYS, entries, root

from gnosis.files import output
from gnosis.files.output import OutputError


def null(folder: Path) -> Path:
    """A null device of our own."""
    device = folder / "null"
    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    return device


# ---- what is written into ----------------------------------------------------------------------------------------------


@root
@pytest.mark.parametrize("put", WAYS)
def test_a_device_stays_a_device(tmp_path, put):
    device = null(tmp_path)
    (tmp_path / "link").symlink_to(device)
    before = device.stat()
    for path in (device, tmp_path / "link"):
        output.check(path)
        put(path, "x" * 100_000)
    assert device.stat()[:6] == before[:6] and stat.S_ISCHR(device.stat().st_mode)
    assert entries(tmp_path) == ["link", "null"]


@root
def test_a_full_device_says_so(tmp_path):
    device = tmp_path / "full"
    os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 7))
    with pytest.raises(OutputError, match="full: No space left on device"):
        output.write(device, "x")
    assert stat.S_ISCHR(device.stat().st_mode)


@pytest.mark.parametrize("put", WAYS)
def test_a_fifo_gets_the_text(tmp_path, put):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    got = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_text()))
    output.check(fifo)
    reader.start()
    put(fifo, "x" * 300_000)
    reader.join(20)
    assert got == ["x" * 300_000] and stat.S_ISFIFO(fifo.stat().st_mode) and entries(tmp_path) == ["fifo"]


def test_a_fifo_that_nobody_reads(tmp_path, monkeypatch):
    monkeypatch.setattr(output, "PATIENCE", 0.2)
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(OutputError, match="a FIFO that nobody reads"):
        output.write(tmp_path / "fifo", "x")


def test_a_fifo_whose_reader_leaves(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    handle = os.open(tmp_path / "fifo", os.O_RDONLY | os.O_NONBLOCK)
    threading.Timer(0.3, os.close, [handle]).start()
    with pytest.raises(OutputError, match="Broken pipe"):
        output.write(tmp_path / "fifo", "x" * 10_000_000)


def test_a_terminal_gets_the_text():
    leader, follower = pty.openpty()
    try:
        name = os.ttyname(follower)
        output.check(name)
        output.write(name, "hello")
        assert os.read(leader, 5) == b"hello" and stat.S_ISCHR(os.stat(name).st_mode)
    finally:
        os.close(leader), os.close(follower)


def test_a_socket_gets_the_text(tmp_path, monkeypatch):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        output.write(path, "hello")
        end, _ = server.accept()
        with end:
            assert end.recv(100) == b"hello"
    with pytest.raises(OutputError, match="Connection refused"):
        output.write(path, "x")
    assert stat.S_ISSOCK(path.stat().st_mode)


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "/proc/thread-self/fd/{}", "{}/link"])
@pytest.mark.parametrize("put", WAYS)
def test_an_own_descriptor_is_written_where_it_stands(tmp_path, name, put):
    """Also when a regular file is behind it, which others have open as well: it is neither replaced nor begun anew."""
    with open(tmp_path / "a", "w") as file:
        print("first", file=file, flush=True)
        before = os.fstat(file.fileno()).st_ino
        (tmp_path / "link").symlink_to(f"/dev/fd/{file.fileno()}")
        path = name.format(tmp_path if "link" in name else file.fileno())
        output.check(path)
        put(path, "second\n")
        print("third", file=file, flush=True)
    assert (tmp_path / "a").read_text() == "first\nsecond\nthird\n"
    assert (tmp_path / "a").stat().st_ino == before and entries(tmp_path) == ["a", "link"]


def test_a_descriptor_for_reading_only(tmp_path):
    (tmp_path / "a").write_text("x")
    with open(tmp_path / "a") as file:
        for put in (output.check, lambda p: output.write(p, "y")):
            with pytest.raises(OutputError, match="open for reading only"):
                put(f"/dev/fd/{file.fileno()}")


def test_a_descriptor_that_is_a_pipe_without_waiting():
    """Another end of it has been made non-blocking; all of the text arrives all the same."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    got = []

    def read():
        time.sleep(0.2)
        with open(reader, "rb") as file:
            got.append(len(file.read()))

    thread = threading.Thread(target=read)
    thread.start()
    output.write(f"/dev/fd/{writer}", "x" * 1_000_000)
    os.close(writer)
    thread.join(20)
    assert got == [1_000_000]


@pytest.mark.parametrize("where", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
@pytest.mark.parametrize("behind", ["pipe", "file"])
def test_standard_output(tmp_path, where, behind):
    script = "import sys\nfrom gnosis.files import output\nprint('first')\noutput.check(sys.argv[1])\noutput.write(sys.argv[1], 'second\\n')\nprint('third')\n"
    if behind == "pipe":
        found = subprocess.run([sys.executable, "-c", script, where], capture_output=True, text=True, check=True).stdout
    else:
        with open(tmp_path / "a", "w") as file:
            subprocess.run([sys.executable, "-c", script, where], stdout=file, check=True)
        found = (tmp_path / "a").read_text()
    assert found == "first\nsecond\nthird\n"


def test_what_another_process_has_open(tmp_path):
    with open(tmp_path / "a", "w") as file:
        file.write("first\n")
        file.flush()
        run = subprocess.Popen(["sleep", "60"], stdout=file)
    try:
        before = (tmp_path / "a").stat().st_ino
        output.write(f"/proc/{run.pid}/fd/1", "second\n")
        assert ((tmp_path / "a").read_text(), (tmp_path / "a").stat().st_ino) == ("first\nsecond\n", before)
    finally:
        run.kill()
        run.wait()


# ---- files that grow -----------------------------------------------------------------------------------------------------


def test_a_growing_file_is_new(tmp_path):
    out = output.create(tmp_path / "a")
    out.file.write(b"x")
    out.close()
    assert (tmp_path / "a").read_bytes() == b"x"
    with pytest.raises(FileExistsError):
        output.create(tmp_path / "a")
    (tmp_path / "dangling").symlink_to("b")
    output.create(tmp_path / "dangling").close()
    assert entries(tmp_path) == ["a", "b", "dangling"]
    with pytest.raises(OutputError, match="does not exist"):
        output.create(tmp_path / "no" / "a")


def test_a_growing_file_that_is_taken_away(tmp_path):
    out = output.create(tmp_path / "a")
    out.file.write(b"x")
    out.remove()
    assert entries(tmp_path) == []


def test_a_growing_descriptor_is_never_taken_away(tmp_path):
    with open(tmp_path / "a", "wb") as file:
        out = output.create(f"/dev/fd/{file.fileno()}")
        out.file.write(b"x")
        out.remove()
    assert (tmp_path / "a").read_bytes() == b"x"


@root
def test_a_growing_device(tmp_path):
    device = null(tmp_path)
    out = output.create(device)
    out.file.write(b"x")
    out.sync()
    out.close()
    output.create(device).remove()
    assert stat.S_ISCHR(device.stat().st_mode)
