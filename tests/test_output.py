"""Writing files: what is replaced, what is written into, and what is refused before any work."""

from __future__ import annotations

import ast
import errno
import os
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from output_support import WAYS, entries, root, stage

from gnosis.files import output
from gnosis.files.output import OutputError

ROOT = Path(__file__).parents[1]


# ---- regular files -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("put", WAYS)
def test_a_new_file_has_the_mode_of_any_new_file(tmp_path, put):
    before = os.umask(0o027)
    try:
        put(tmp_path / "a", "x\n")
    finally:
        os.umask(before)
    assert (tmp_path / "a").read_bytes() == b"x\n"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o640
    assert entries(tmp_path) == ["a"]


@pytest.mark.parametrize("put", WAYS)
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o777])
def test_a_replaced_file_keeps_its_mode_and_is_another_file(tmp_path, put, mode):
    file = tmp_path / "a"
    file.write_text("old")
    file.chmod(mode)
    before = file.stat()
    put(file, "new")
    assert file.read_text() == "new"
    assert stat.S_IMODE(file.stat().st_mode) == mode
    assert file.stat().st_ino != before.st_ino
    assert entries(tmp_path) == ["a"]


@root
@pytest.mark.parametrize("put", WAYS)
def test_a_replaced_file_keeps_its_owner(tmp_path, put):
    file = tmp_path / "a"
    file.write_text("old")
    os.chown(file, 1234, 4321)
    put(file, "new")
    assert (file.stat().st_uid, file.stat().st_gid, file.read_text()) == (1234, 4321, "new")


def test_a_replaced_file_keeps_its_extended_attributes(tmp_path):
    file = tmp_path / "a"
    file.write_text("old")
    try:
        os.setxattr(file, "user.gnosis", b"kept")
    except OSError:
        pytest.skip("no extended attributes here")
    output.write(file, "new")
    assert os.getxattr(file, "user.gnosis") == b"kept"


def test_an_owner_that_cannot_be_set_keeps_its_file(tmp_path, monkeypatch):
    """Someone else's file that we may write is written in place, since a new one would be ours."""
    file = tmp_path / "a"
    file.write_text("old and longer")
    before = file.stat()

    def refused(*_):
        raise PermissionError(errno.EPERM, "no")

    fstat = os.fstat
    monkeypatch.setattr(os, "fchown", refused)
    monkeypatch.setattr(os, "fstat", lambda handle: os.stat_result((*fstat(handle)[:4], before.st_uid + 1, *fstat(handle)[5:])))
    output.write(file, "new")
    assert (file.read_text(), file.stat().st_ino) == ("new", before.st_ino)
    assert entries(tmp_path) == ["a"]


def test_a_file_that_is_a_mount_point_is_written_in_place(tmp_path, monkeypatch):
    file = tmp_path / "a"
    file.write_text("old and longer")
    before = file.stat().st_ino

    def busy(*_):
        raise OSError(errno.EBUSY, "busy")

    monkeypatch.setattr(os, "replace", busy)
    output.write(file, "new")
    assert (file.read_text(), file.stat().st_ino) == ("new", before)
    assert entries(tmp_path) == ["a"]


@pytest.mark.parametrize("put", WAYS)
@pytest.mark.parametrize("there", [True, False])
def test_links_are_followed(tmp_path, put, there):
    """To a file, and to one that is not there yet; over several links, absolute and relative ones."""
    (tmp_path / "far").mkdir()
    target = tmp_path / "far" / "file"
    if there:
        target.write_text("old")
    (tmp_path / "far" / "second").symlink_to("file")
    (tmp_path / "first").symlink_to(tmp_path / "far" / "second")
    put(tmp_path / "first", "new")
    assert target.read_text() == "new" and not target.is_symlink()
    assert (tmp_path / "first").is_symlink() and (tmp_path / "far" / "second").is_symlink()
    assert entries(tmp_path / "far") == ["file", "second"] and entries(tmp_path) == ["far", "first"]


def test_dots_after_a_link_mean_its_target(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "a" / "b")
    output.write(f"{tmp_path}/link/../file", "x")
    assert (tmp_path / "a" / "file").read_text() == "x"


def test_only_the_named_hard_link_is_replaced(tmp_path):
    (tmp_path / "a").write_text("old")
    os.link(tmp_path / "a", tmp_path / "b")
    output.write(tmp_path / "a", "new")
    assert ((tmp_path / "a").read_text(), (tmp_path / "b").read_text()) == ("new", "old")


def test_a_name_as_long_as_names_get(tmp_path):
    name = "é" * 127 + "x"  # 255 bytes
    output.write(tmp_path / name, "x")
    assert entries(tmp_path) == [name]


def test_relative_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    output.write("a", "x")
    output.write(Path("./b"), "y")
    assert entries(tmp_path) == ["a", "b"]


def test_many_writers_all_succeed_and_one_of_them_wins(tmp_path):
    texts = [f"{i}\n" * 5000 for i in range(40)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: output.write(tmp_path / "a", text), texts))
    assert (tmp_path / "a").read_text() in texts
    assert entries(tmp_path) == ["a"]


@pytest.mark.parametrize("wrong", [ValueError("no"), KeyboardInterrupt(), SystemExit(3)])
def test_nothing_is_left_after_a_failure(tmp_path, wrong):
    (tmp_path / "a").write_text("old")
    with pytest.raises(type(wrong)), output.staged(tmp_path / "a") as part:
        part.write_text("half")
        raise wrong
    assert (entries(tmp_path), (tmp_path / "a").read_text()) == (["a"], "old")


@pytest.mark.parametrize("call", ["write", "fsync", "replace", "fchmod"])
def test_a_fault_of_the_system_leaves_the_old_file(tmp_path, monkeypatch, call):
    (tmp_path / "a").write_text("old")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(OutputError, match="a: No space left on device"):
        output.write(tmp_path / "a", "new")
    monkeypatch.undo()
    assert (entries(tmp_path), (tmp_path / "a").read_text()) == (["a"], "old")


def test_an_interrupt_leaves_nothing(tmp_path):
    """A process that is interrupted while it fills the file."""
    script = (
        "import signal, sys, time\nfrom gnosis.files import output\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell in the background has it ignored
        "with output.staged(sys.argv[1]) as part:\n    part.write_text('half')\n    print('there', flush=True)\n    time.sleep(60)\n"
    )
    (tmp_path / "a").write_text("old")
    run = subprocess.Popen([sys.executable, "-c", script, str(tmp_path / "a")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert run.stdout.readline() == "there\n"
    assert len(entries(tmp_path)) == 2
    run.send_signal(2)
    run.wait(20)
    run.stdout.close()
    assert (entries(tmp_path), (tmp_path / "a").read_text()) == (["a"], "old")


def test_the_bytes_are_on_the_disk_before_the_name_is_taken(tmp_path, monkeypatch):
    calls = []
    for name in ("fsync", "replace"):
        real = getattr(os, name)
        monkeypatch.setattr(
            os, name, lambda *a, name=name, real=real: (calls.append((name, os.readlink(f"/proc/self/fd/{a[0]}") if name == "fsync" else a[1])), real(*a))[1]
        )
    output.write(tmp_path / "a", "x")
    assert [c[0] for c in calls] == ["fsync", "replace", "fsync"]
    assert calls[0][1].startswith(f"{tmp_path}/.gnosis-") and calls[2][1] == str(tmp_path)


def test_a_private_file_is_never_readable_by_others_while_it_is_written(tmp_path):
    (tmp_path / "a").write_text("old")
    (tmp_path / "a").chmod(0o600)
    with output.staged(tmp_path / "a") as part:
        assert stat.S_IMODE(part.stat().st_mode) == 0o600


# ---- what is refused, before any work ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda p: p, "is a folder"),
        (lambda p: f"{p}/", "is a folder"),
        (lambda p: p / "no" / "file", "the folder .*/no does not exist"),
        (lambda p: (p / "x").write_text("") and None or p / "x" / "file", "is not a folder"),
        (lambda p: (p / "l").symlink_to("l") or p / "l", "loop"),
        (lambda p: (p / "l").symlink_to("no/file") or p / "l", "the folder .*no does not exist"),
        (lambda p: p / ("x" * 256), "File name too long"),
        (lambda p: "", "not a path"),
        (lambda p: f"{p}/a\0b", "not a path"),
        (lambda p: "/proc/self/fd/987", "no such descriptor"),
        (lambda p: "/proc/file", "the folder /proc cannot be written"),
    ],
)
def test_what_cannot_be_written_is_named(tmp_path, make, problem):
    path = make(tmp_path)
    before = entries(tmp_path)
    for put in (output.check, lambda p: output.write(p, "x"), lambda p: stage(p, "x")):
        with pytest.raises(OutputError, match=problem) as caught:
            put(path)
        assert caught.value.filename == str(path)
        assert "\n" not in str(caught.value)
    assert entries(tmp_path) == before


def as_nobody(script: str, *args: str) -> str:
    """What a script prints that runs without the rights of root."""
    code = (
        "import os, sys\nsys.path[:0] = " + repr([p for p in sys.path if p]) + "\nimport gnosis.files.output as output\n"
        "os.setgid(65534) or os.setuid(65534) if os.geteuid() == 0 else None\n" + script
    )
    return subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True).stdout


@pytest.fixture
def open_folder():
    """A folder that anybody may reach."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        yield Path(folder)


REFUSED = "for f in (output.check, lambda p: output.write(p, 'x')):\n    try:\n        f(sys.argv[1])\n    except OSError as e:\n        print(e)\n"


def test_a_folder_without_rights_is_named(open_folder):
    (open_folder / "d").mkdir(mode=0o555)
    assert as_nobody(REFUSED, str(open_folder / "d" / "a")) == f"{open_folder}/d/a: the folder {open_folder}/d cannot be written (Permission denied)\n" * 2


def test_a_read_only_file_is_not_replaced(open_folder):
    (open_folder / "a").write_text("old")
    (open_folder / "a").chmod(0o444)
    assert as_nobody(REFUSED, str(open_folder / "a")) == f"{open_folder}/a: may not be written (mode or mount are read-only)\n" * 2
    assert (open_folder / "a").read_text() == "old"


def test_a_folder_that_may_be_written_and_not_read(open_folder):
    (open_folder / "d").mkdir()
    (open_folder / "d").chmod(0o733)
    as_nobody("output.write(sys.argv[1], 'x')", str(open_folder / "d" / "a"))
    assert (open_folder / "d" / "a").read_text() == "x"


@root
def test_another_ones_file_that_we_may_write_stays_theirs(open_folder):
    (open_folder / "a").write_text("old and longer")
    (open_folder / "a").chmod(0o666)
    as_nobody("output.write(sys.argv[1], 'x')", str(open_folder / "a"))
    assert ((open_folder / "a").read_text(), (open_folder / "a").stat().st_uid) == ("x", 0)


def test_a_check_changes_nothing(tmp_path):
    (tmp_path / "a").write_text("old")
    before = (tmp_path / "a").stat()
    output.check(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a").stat() == before and entries(tmp_path) == ["a"]


def test_an_input_is_not_replaced(tmp_path):
    (tmp_path / "in").write_text("x")
    (tmp_path / "soft").symlink_to("in")
    os.link(tmp_path / "in", tmp_path / "hard")
    for name in ("in", "soft", "hard"):
        with pytest.raises(OutputError, match="is read as well"):
            output.check(tmp_path / name, inputs=[tmp_path / "in"])
    output.check(tmp_path / "other", inputs=[tmp_path / "in", tmp_path / "not there", "smollm2"])


def test_one_file_is_not_written_twice(tmp_path):
    (tmp_path / "soft").symlink_to("a")
    with pytest.raises(OutputError, match="written twice"):
        output.check(tmp_path / "a", tmp_path / "soft")


def test_new_files_must_be_new(tmp_path):
    (tmp_path / "a").write_text("x")
    with pytest.raises(OutputError, match="the file exists"):
        output.check(tmp_path / "a", new=[tmp_path / "a"])
    output.check(tmp_path / "b", new=[tmp_path / "b"])


# ---- every command, and no other way of writing --------------------------------------------------------------------------

WRITES = {
    "write_text",
    "write_bytes",
    "savefig",
    "tofile",
    "mkstemp",
    "NamedTemporaryFile",
    "savez",
    "savez_compressed",
    "savetxt",
    "save_file",
    "copyfile",
    "copy2",
    "copytree",
    "symlink_to",
    "hardlink_to",
    "mknod",
    "mkfifo",
}
OF_OS = {"open", "replace", "rename", "renames", "link", "symlink", "truncate", "mknod", "mkfifo"}


# file → why it may write by itself, and how often it does
ALLOWED = {
    "gnosis/files/output.py": ("the one way", 7),
    "gnosis/risk/accounts.py": ("opens an account that is there, to append to it", 1),
    "gnosis/cli/export.py": ("standard output after its reader has left", 1),
    "gnosis/cli/standard.py": ("/dev/null, in place of a standard stream that cannot be written", 1),
    "gnosis/spine/lake.py": ("a temporary folder in which modules are compiled a second time", 1),
    "gnosis/spine/paths.py": ("unpacks the sources of an installed package into the cache, as a whole folder", 2),
    "gnosis/inference/record.py": ("fills the file that `output.staged` gave it", 1),
    "gnosis/models/copies.py": ("fills the file that `output.staged` gave it, and makes the lock beside it in the cache", 2),
    "gnosis/probe/sanity.py": ("a temporary file that the library of a format reads rows of a URL from", 1),
    "gnosis/models/packages.py": ("fills the file that `output.staged` gave it", 1),
    "gnosis/spine/export.py": ("fills the file that `output.staged` gave it", 1),
    "gnosis/files/pages.py": ("draws into memory", 1),
}  # conformance/ and audits/ are tools of a checkout: they write temporary folders, build/, their own locks and corpus, and no path that a user gives


def writes(tree: ast.AST) -> list[int]:
    """Lines that open a file for writing, or bring one about."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        of = node.func.value.id if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name) else ""
        modes = [
            a.value for a in [*node.args, *(k.value for k in node.keywords if k.arg == "mode")] if isinstance(a, ast.Constant) and isinstance(a.value, str)
        ]
        reads = of == "os" and name == "open" and "O_RDONLY" in ast.dump(node)
        if name in WRITES or (of == "os" and name in OF_OS and not reads) or (of == "shutil" and name in ("move", "copy")) or (of == "np" and name == "save"):
            found.append(node.lineno)
        elif name in ("open", "fdopen", "ZipFile", "memmap") and any(set(m) <= set("rwxabt+U") and set(m) & set("wxa+") for m in modes):
            found.append(node.lineno)
    return found


def test_the_scan_sees_every_way_of_writing():
    for line in (
        "open(p, 'w')",
        "p.open('xb')",
        "open(p, mode='r+')",
        "p.write_text('')",
        "os.open(p, f)",
        "os.replace(a, b)",
        "figure.savefig(p)",
        "np.save(p, a)",
        "np.savez(p)",
        "tempfile.mkstemp()",
        "os.fdopen(h, 'wb')",
        "shutil.move(a, b)",
        "np.memmap(p, mode='w+')",
        "shutil.copyfile(a, b)",
        "zipfile.ZipFile(p, 'w')",
    ):
        assert writes(ast.parse(line)), line
    for line in ("open(p)", "open(p, 'rb')", "p.open()", "text.replace('a', 'w')", "os.open(p, os.O_RDONLY)", "a.copy()"):
        assert not writes(ast.parse(line)), line


def test_nothing_else_opens_files_for_writing():
    found = {}
    for file in sorted((ROOT / "pysrc").rglob("*.py")):
        name = str(file.relative_to(ROOT / "pysrc"))
        if lines := writes(ast.parse(file.read_text(encoding="utf-8"))):
            found[name] = lines
    more = {name: lines for name, lines in found.items() if name not in ALLOWED or len(lines) > ALLOWED[name][1]}
    assert not more, more
    assert len(found["gnosis/files/output.py"]) == ALLOWED["gnosis/files/output.py"][1]
