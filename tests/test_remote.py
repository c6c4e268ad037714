"""Files behind a URL: the same figures as from a disk, by ranges and no more than is needed; clear errors for servers and files that do not hold."""

from __future__ import annotations

import json
import logging
import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tiny_models
from far_servers import Files, serving
from model_files import gaussian, write_safetensors
from typer.testing import CliRunner

from gnosis.cli import app
from gnosis.errors import ArgumentError
from gnosis.files import inputs, remote
from gnosis.files.remote import Address, Remote, RemoteError, place
from gnosis.models import far, files
from gnosis.models.copies import copied
from gnosis.models.files import ModelError, at_hand, open_model
from gnosis.probe import run
from gnosis.probe.settings import Settings

pytest.importorskip("aiohttp")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning", "ignore:datetime.datetime.utcnow:DeprecationWarning")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("far")
    every = tiny_models.tensors("llama")
    for kind in ("F32", "Q4_0"):
        tiny_models.write(made / f"{kind}.gguf", "llama", weights=every, kind=kind)
    rng = np.random.default_rng(0)
    (made / "tokens.txt").write_text("\n".join(" ".join(map(str, rng.integers(1, 259, n))) for n in (100, 37)) + "\n")
    for part in (1, 2):
        write_safetensors(made / f"model-0000{part}-of-00002.safetensors", {f"blk.{part}.{i}.w": gaussian(64, 96, 8 * part + i) for i in range(3)})
    named = {f"blk.{part}.{i}.w": f"model-0000{part}-of-00002.safetensors" for part in (1, 2) for i in range(3)}
    (made / "model.safetensors.index.json").write_text(json.dumps({"weight_map": named}))
    np.save(made / "w.npy", gaussian(32, 64))
    return made


@pytest.fixture
def server(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Files]:
    monkeypatch.setenv("GNOSIS_CACHE", str(tmp_path / "cache"))
    with serving(folder) as made:
        yield made


@pytest.fixture(scope="module")
def bucket(folder: Path) -> Iterator[str]:
    """An S3-compatible server with the files in a bucket."""
    pytest.importorskip("s3fs")
    boto3 = pytest.importorskip("boto3")
    moto = pytest.importorskip("moto.server")
    logging.getLogger("werkzeug").setLevel(logging.CRITICAL)
    with pytest.MonkeyPatch.context() as patch:
        started = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        started.start()
        host, port = started.get_host_and_port()
        for name, value in {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        }.items():
            patch.setenv(name, value)
        s3 = boto3.client("s3")
        s3.create_bucket(Bucket="weights")
        for path in folder.iterdir():
            s3.upload_file(str(path), "weights", f"a/{path.name}")
        try:
            yield "s3://weights/a/"
        finally:
            started.stop()


def document(*words: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["compare", *words, "--json"])
    assert done.exit_code == code, done.output
    found = json.loads(done.stdout)
    for entry in (found["original"], *found["candidates"], *(found["outputs"] or {}).get("candidates", [])):
        entry.pop("name"), entry.pop("path", None)
    return found


def error(*words: str) -> str:
    done = CliRunner().invoke(app, [*words])
    assert done.exit_code == 2 and done.stdout == "" and done.stderr.count("\n") == 1, done.output
    return done.stderr


def figures(report: Any) -> Any:
    kept = report.model_dump(exclude={"run", "digest"})
    kept["model"].pop("name"), kept["model"].pop("digest", None)
    return kept


WORDS = ("--tokens", "tokens.txt", "--length", "20", "--require", "flips<=0.9 at 0.9")


def test_a_comparison_over_http(folder: Path, server: Files) -> None:
    """Weights by ranges; outputs from a copy that is fetched once, also by a second run; the text as well from a URL."""
    near = document(str(folder / "F32.gguf"), str(folder / "Q4_0.gguf"), *WORDS[:1], str(folder / "tokens.txt"), *WORDS[2:])
    asked = (server.url("F32.gguf"), server.url("Q4_0.gguf"), *WORDS[:1], server.url("tokens.txt"), *WORDS[2:])
    assert document(*asked) == near
    sizes = {name: (folder / name).stat().st_size for name in ("F32.gguf", "Q4_0.gguf")}
    assert all(server.sent[name] <= 3.1 * size for name, size in sizes.items()), server.sent  # a header, the tensors and a copy
    server.sent.clear()
    assert document(*asked) == near
    assert all(server.sent[name] <= 2.1 * size for name, size in sizes.items()), "the copy is not fetched again"


def test_everything_over_s3(folder: Path, bucket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOSIS_CACHE", str(tmp_path))
    near = document(str(folder / "F32.gguf"), str(folder / "Q4_0.gguf"), *WORDS[:1], str(folder / "tokens.txt"), *WORDS[2:])
    assert document(f"{bucket}F32.gguf", f"{bucket}Q4_0.gguf", *WORDS[:1], f"{bucket}tokens.txt", *WORDS[2:]) == near
    settings = Settings(tensors=["*"], rows=32, positions=0)
    for name in ("model.safetensors.index.json", ""):  # an index, and the folder that it lies in
        assert figures(run.probe(open_model(bucket + name), settings)) == figures(run.probe(open_model(str(folder / "model.safetensors.index.json")), settings))
    assert "s3://weights/a/none.gguf: no such file" in error("probe", f"{bucket}none.gguf")


@pytest.mark.parametrize("name", ["F32.gguf", "Q4_0.gguf", "model.safetensors.index.json", "model-00001-of-00002.safetensors", "w.npy"])
def test_a_probe_over_http(folder: Path, server: Files, name: str) -> None:
    settings = Settings(tensors=["*"], rows=32, positions=0)
    far_report, near = run.probe(open_model(server.url(name)), settings), run.probe(open_model(str(folder / name)), settings)
    assert figures(far_report) == figures(near)
    assert far_report.tensors[0].sanity == near.tensors[0].sanity, "the second decoders have looked at it as well"


def test_the_probe_of_a_url_on_a_cluster(folder: Path, server: Files) -> None:
    distributed: Any = pytest.importorskip("distributed")
    settings = Settings(tensors=["*"], rows=32, positions=0)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL) as made,
        distributed.Client(made, set_as_default=False) as client,
    ):
        name = "model.safetensors.index.json"
        assert figures(run.probe(open_model(server.url(name)), settings, dask=client)) == figures(run.probe(open_model(str(folder / name)), settings))
        asked = (server.url("F32.gguf"), server.url("Q4_0.gguf"), *WORDS[:1], server.url("tokens.txt"), *WORDS[2:])
        near = document(str(folder / "F32.gguf"), str(folder / "Q4_0.gguf"), *WORDS[:1], str(folder / "tokens.txt"), *WORDS[2:])
        assert document(*asked, "--dask", made.scheduler_address) == near


def test_only_what_is_needed_is_read(tmp_path: Path, server: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    """A header by ranges, however it is cut, and of tensors the rows that are asked for; what is kept is bounded."""
    server.root = tmp_path
    whole = gaussian(6000, 256)
    write_safetensors(tmp_path / "m.safetensors", {"a": whole, "b": gaussian(4, 8)})
    monkeypatch.setattr(far, "FIRST", 100)
    model = open_model(server.url("m.safetensors"))
    assert server.sent["m.safetensors"] < 500
    server.sent.clear()
    rows = np.array([5999, 3, 4, 5, 3000, 0])
    assert (model.rows("a", rows) == whole[rows]).all()
    assert server.sent["m.safetensors"] == 1024 * 8, "of neighbours what lies between them"
    monkeypatch.setattr(far, "KEPT", 1 << 20)
    for first in range(0, 6000, 200):
        model.rows("a", np.arange(first, first + 200))
    (kept,) = model.fars
    assert kept is not None and sum(map(len, kept._kept.values())) <= 1 << 20
    monkeypatch.setattr(far, "FIRST", 16)
    # long lists of strings, a few bytes at a time
    tiny_models.write(tmp_path / "t.gguf", "llama", kind="F32")
    one, two = open_model(server.url("t.gguf")), open_model(str(tmp_path / "t.gguf"))
    assert one.tensors == two.tensors and all((one.all_rows(name) == two.all_rows(name)).all() for name in one.tensors)


def test_damaged_files_are_refused_as_local_ones_are(tmp_path: Path, server: Files) -> None:
    """The same sentence, with the URL in place of the path."""
    server.root = tmp_path
    good = tiny_models.write(tmp_path / "good.gguf", "llama", kind="F32").read_bytes()
    header = struct.pack("<Q", 50)
    made = {
        "empty.gguf": b"",
        "cut.gguf": good[: len(good) // 2],
        "short.gguf": good[:40],
        "magic.gguf": b"GGUX" + good[4:],
        "cut.safetensors": header + b"{}",
        "lie.safetensors": struct.pack("<Q", 1 << 40) + b"{}",
        "text.safetensors": struct.pack("<Q", 4) + b"abcd",
    }
    for name, data in made.items():
        (tmp_path / name).write_bytes(data)
        far_error, near = error("probe", server.url(name)), error("probe", str(tmp_path / name))
        assert far_error.replace(server.url(name), str(tmp_path / name)) == near


def test_servers_that_do_not_hold(server: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GNOSIS_TIMEOUT", "1")
    url = server.url("F32.gguf")
    assert f"{server.url('none.gguf')}: no such file" in error("probe", server.url("none.gguf"))
    for fault, problem in {
        "short": f"{url}: ",
        "silent": f"{url}: no answer within 1 seconds",
        "unsized": "whose length is not told",
        "refused": "500",
    }.items():
        server.fault = fault
        began = time.monotonic()
        assert problem in error("probe", url), fault
        assert time.monotonic() - began < 15
    server.fault = ""
    model = open_model(url)
    for fault, problem in {"whole": "range requests", "short": "payload|cut off|bytes", "silent": "no answer within 1"}.items():
        server.fault, server.after = fault, 1
        with pytest.raises(ModelError, match=f"(?is){url}.*({problem}).*tensor 'blk.0.ffn_up.weight' was read"):
            model.all_rows("blk.0.ffn_up.weight")
    assert "http://127.0.0.1:1/m.gguf: ClientConnectorError: Cannot connect" in error("probe", "http://127.0.0.1:1/m.gguf")
    monkeypatch.setenv("GNOSIS_TIMEOUT", "no")
    assert "GNOSIS_TIMEOUT" in error("probe", url)


def test_a_file_that_changes_is_noticed(tmp_path: Path, server: Files) -> None:
    server.root = tmp_path
    path = write_safetensors(tmp_path / "m.safetensors", {"a": gaussian(64, 64), "b": gaussian(64, 64)})
    model = open_model(server.url("m.safetensors"))
    model.all_rows("a")
    model.release("a")
    write_safetensors(path, {"a": gaussian(64, 64, 1), "b": gaussian(64, 64)})
    with pytest.raises(ModelError, match=r"m\.safetensors: it has changed since it was opened: another version; tensor 'a' was read"):
        model.all_rows("a")
    server.tagged = False
    model = open_model(server.url("m.safetensors"))
    write_safetensors(path, {"a": gaussian(64, 64, 1)})
    with pytest.raises(ModelError, match=r"it has changed since it was opened: \d+ bytes, \d+ before|bytes came of the"):
        model.all_rows("b")


def test_copies_are_made_once_for_a_version(tmp_path: Path, server: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    server.root = tmp_path
    path = write_safetensors(tmp_path / "m.safetensors", {"a": gaussian(64, 64)})
    address = Address(server.url("m.safetensors"))
    (one,) = copied([address])
    assert one.read_bytes() == path.read_bytes() and one.is_relative_to(os.environ["GNOSIS_CACHE"])
    server.sent.clear()
    assert copied([address]) == [one] and not server.sent
    write_safetensors(path, {"a": gaussian(64, 64, 1)})
    (two,) = copied([address])
    assert two != one and two.read_bytes() == path.read_bytes()
    server.tagged = False  # nothing tells this version from another one
    for _ in range(2):
        server.sent.clear()
        copied([address])
        assert server.sent
    monkeypatch.setattr("gnosis.models.copies.FREE", 1 << 60)
    with pytest.raises(ModelError, match=r"a copy takes \d+ bytes in .*, where \d+ are free"):
        copied([address])
    near = open_model(str(path))
    assert at_hand(near) is near
    with pytest.raises(ModelError, match="no name of a file"):
        copied([Address("http://127.0.0.1:1/lock")]) if server.tagged else files.at_hand(_named(server, ".."))


def _named(server: Files, name: str) -> Any:
    from gnosis.models.copies import _name

    return _name(Address(f"http://127.0.0.1:1/{name}"))


def test_addresses() -> None:
    shown = Address("https://me:secret@host/a/b%20c.gguf?X-Amz-Signature=secret#x")
    assert str(shown) == "https://host/a/b%20c.gguf" and shown.name == "b c.gguf" and shown.suffix == ".gguf" and "secret" not in repr(shown)
    assert shown.with_name("d.gguf").url == "https://me:secret@host/a/d.gguf?X-Amz-Signature=secret#x"
    assert Address("s3://b/a/m.gguf").with_name("n.gguf").url == "s3://b/a/n.gguf"
    assert place("file:///a/b%20c.gguf") == Path("/a/b c.gguf") and place("a/b") == Path("a/b")
    for wrong in ("file://host/a", "http://h/a::s3://b", "http://h/" + "a" * 5000, "http://h/\n"):
        with pytest.raises(ArgumentError):
            place(wrong)


def test_a_secret_in_a_url_is_not_shown(server: Files) -> None:
    assert "secret" not in error("probe", server.url("none.gguf") + "?key=secret")
    assert "secret" not in error("probe", "http://me:secret@127.0.0.1:1/none.gguf")


def test_an_index_leads_nowhere_else(tmp_path: Path, server: Files) -> None:
    server.root = tmp_path
    for wrong in ("../a.safetensors", "/a.safetensors", "http://h/a.safetensors", "a.safetensors?x.safetensors", "%2e%2e/a.safetensors"):
        (tmp_path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": {"a": wrong}}))
        assert "is not the name of a .safetensors file beside the index" in error("probe", server.url("model.safetensors.index.json"))


def test_texts(tmp_path: Path, server: Files, monkeypatch: pytest.MonkeyPatch) -> None:
    server.root = tmp_path
    (tmp_path / "t.txt").write_bytes(b"ab\xff")
    with pytest.raises(ArgumentError, match=r"t\.txt.*not UTF-8"):
        inputs.read_text(Address(server.url("t.txt")), "text")
    with pytest.raises(ArgumentError, match="a file of 3 bytes, more than 2"):
        inputs.read_bytes(Address(server.url("t.txt")), "text", 2)
    assert inputs.read_bytes(Address(server.url("t.txt")), "text") == b"ab\xff"


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, url, extra in (
        ("fsspec.core", "http://h/m.gguf", "remote"),
        ("s3fs", "s3://b/m.gguf", "s3"),
        ("gcsfs", "gs://b/m.gguf", "gs"),
        ("huggingface_hub", "hf://a/b/m.gguf", "hf"),
    ):
        monkeypatch.setitem(__import__("sys").modules, module, None)
        assert f"pip install 'gnosis-gates[{extra}]'" in error("probe", url)
    with pytest.raises(RemoteError, match="nothing"):
        Remote(Address("nothing://a/b"))
    assert remote.timeout() == remote.TIMEOUT
