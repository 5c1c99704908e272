"""Where logs are found: files, folders, zip and tar files, streams, URLs, and all that only looks like one of them."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Literal

import pytest

from fairdeal.archive import place, places, tars, urls
from fairdeal.archive.listing import sorted_names
from fairdeal.archive.place import Place, Trouble, read_place
from fairdeal.archive.places import expected
from tests.archive.making import archive, name_of, written_to
from tests.archive.running import Line, audited, lines
from tests.conftest import played

LOGS = list(archive(6))
STREAM = b"".join(LOGS)
STARTS = list(accumulate(map(len, LOGS), initial=0))
VERIFIED = "verified"
UNREADABLE = "unreadable"
Write = Callable[[Path], Path]


@pytest.fixture
def audit(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., list[Line]]:
    """Return what audits names and returns a line for each log."""
    store = tmp_path_factory.mktemp("store") / "audits.sqlite"
    return lambda *names, standard=b"": lines(audited(names, store, standard=standard))


def whys(*names: object) -> dict[str, str]:
    """Return why what could not be looked into could not."""
    return {one.name: one.what for one in places.places(map(str, names), {}) if isinstance(one, Trouble)}


def folder_of(path: Path) -> Path:
    return written_to(path / "logs", LOGS)


def zip_of(path: Path) -> Path:
    with zipfile.ZipFile(path / "logs.zip", "w", zipfile.ZIP_DEFLATED) as file:
        for number, data in enumerate(LOGS, 1):
            file.writestr(name_of(number), data)
    return path / "logs.zip"


def tar_of(ending: str) -> Write:
    def write(path: Path) -> Path:
        mode: Literal["w:gz", "w:"] = "w:gz" if ending == ".tgz" else "w:"
        with tarfile.TarFile.open(str(path / f"logs{ending}"), mode) as file:
            for number, data in enumerate(LOGS, 1):
                entry = tarfile.TarInfo(name_of(number))
                entry.size = len(data)
                file.addfile(entry, io.BytesIO(data))
        return path / f"logs{ending}"

    return write


def stream_of(path: Path) -> Path:
    (path / "logs.fdl").write_bytes(STREAM)
    return path / "logs.fdl"


WRITERS = {"folder": folder_of, "zip": zip_of, "tar": tar_of(".tar"), "packed tar": tar_of(".tgz"), "stream": stream_of}


def names_in(kind: str, path: Path) -> list[str]:
    """Return how the logs are called that a writer wrote to a path."""
    if kind == "stream":
        return [str(path), *(f"{path}@{start}" for start in STARTS[1:-1])]
    return [f"{path}{'/' if kind == 'folder' else ':'}{name_of(number)}" for number in range(1, len(LOGS) + 1)]


@pytest.mark.parametrize("large", [1, 1_000, places.LARGE])
@pytest.mark.parametrize("kind", WRITERS)
def test_all_logs_in_order_wherever_they_are(
    tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch, kind: str, large: int
) -> None:
    """Whether the workers split what they are given, or it is so large that it is split before."""
    monkeypatch.setattr(places, "LARGE", large)
    path = WRITERS[kind](tmp_path)
    assert audit(path) == [Line(name, VERIFIED) for name in names_in(kind, path)]


@pytest.mark.parametrize("large", [1, places.LARGE])
def test_a_folder_of_everything(
    tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch, large: int
) -> None:
    """Folders, archives and streams in folders, gone through by name, but for what has another ending."""
    monkeypatch.setattr(places, "LARGE", large)
    (tmp_path / "c").mkdir()
    paths = {kind: writer(tmp_path / "c" if kind == "folder" else tmp_path) for kind, writer in WRITERS.items()}
    (tmp_path / "readme.txt").write_bytes(LOGS[0])
    (tmp_path / "broken.link").symlink_to(tmp_path / "none")
    order = ["folder", "stream", "tar", "packed tar", "zip"]
    assert audit(tmp_path) == [Line(name, VERIFIED) for kind in order for name in names_in(kind, paths[kind])]


def test_names_in_the_order_given_also_twice(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    folder = folder_of(tmp_path)
    one, two = folder / name_of(1), folder / name_of(2)
    assert audit(two, one, two) == [Line(str(name), VERIFIED) for name in (two, one, two)]


def test_other_members_of_archives_are_none_of_our_business(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        file.writestr("readme.txt", b"")
        file.writestr("a.FDL", LOGS[0])
    with tarfile.open(tmp_path / "b.tar", "w") as packed:
        for name in ("readme.txt", "b.FDL"):
            entry = tarfile.TarInfo(name)
            entry.size = len(LOGS[0])
            packed.addfile(entry, io.BytesIO(LOGS[0]))
    assert audit(tmp_path) == [
        Line(f"{tmp_path}/a.zip:a.FDL", VERIFIED),
        Line(f"{tmp_path}/b.tar:b.FDL", VERIFIED),
    ]


def test_standard_input_may_be_closed() -> None:
    assert list(places.places(["-"], {})) == [Trouble("-", "standard input is closed")]


def test_errors_of_other_libraries_are_lines(audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that fetch what is behind URLs have errors of their own."""

    def fails(name: str) -> object:
        raise LookupError(name)

    monkeypatch.setattr(urls, "_fsspec", lambda: SimpleNamespace(open=fails, core=SimpleNamespace(url_to_fs=fails)))
    assert audit("web://a.fdl") == [Line("web://a.fdl", UNREADABLE)]
    assert whys("web://a.fdl") == {"web://a.fdl": "lookuperror: web://a.fdl"}


def test_standard_input_is_a_stream(audit: Callable[..., list[Line]]) -> None:
    names = ["-", *(f"-@{start}" for start in STARTS[1:-1])]
    assert audit("-", standard=STREAM) == [Line(name, VERIFIED) for name in names]
    assert audit("-", standard=b"") == []


def test_several_logs_in_a_member(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """A member of an archive may be a stream as well."""
    with zipfile.ZipFile(tmp_path / "logs.zip", "w") as file:
        file.writestr("all.fdl", STREAM)
    name = f"{tmp_path / 'logs.zip'}:all.fdl"
    expected_names = [name, *(f"{name}@{start}" for start in STARTS[1:-1])]
    assert audit(tmp_path / "logs.zip") == [Line(one, VERIFIED) for one in expected_names]


def test_a_pipe_that_is_named_is_read_to_its_end(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_bytes, args=(STREAM,))
    writer.start()
    found = audit(pipe)
    writer.join()
    assert [line.verdict for line in found] == [VERIFIED] * len(LOGS)


def test_behind_a_malformed_log_there_is_one_line(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """With the offset from which nothing is read, in a small file, a large one, and on standard input."""
    data = LOGS[0] + LOGS[1] + b"\xc1" + LOGS[2] + LOGS[3]
    (tmp_path / "a.fdl").write_bytes(data)
    rest = len(LOGS[0] + LOGS[1])
    for name, standard in ((str(tmp_path / "a.fdl"), b""), ("-", data)):
        assert audit(name, standard=standard) == [
            Line(name, VERIFIED),
            Line(f"{name}@{len(LOGS[0])}", "no verdict"),
            Line(f"{name}@{rest}", UNREADABLE),
        ]


def test_a_large_log_is_one(tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LARGE", 100)
    (tmp_path / "a.fdl").write_bytes(bytes(played().data))
    assert audit(tmp_path / "a.fdl") == [Line(str(tmp_path / "a.fdl"), VERIFIED)]


# --- what cannot be looked into


def test_what_cannot_be_read_is_a_line_and_the_rest_is_audited(
    tmp_path: Path, audit: Callable[..., list[Line]]
) -> None:
    """Links in circles, folders in themselves, pipes, devices, sockets: a line each, no waiting, all else audited."""
    folder = folder_of(tmp_path)
    os.mkfifo(folder / "a-pipe.fdl")
    (folder / "b-device.fdl").symlink_to("/dev/zero")
    (folder / "c-circle.fdl").symlink_to(folder / "c-circle.fdl")
    (folder / "d-dangling.fdl").symlink_to(folder / "none")
    (folder / "e-itself").symlink_to(folder)
    (folder / "f-folder.fdl").mkdir()
    (folder / "g.zip").write_bytes(b"no zip file")
    (folder / "h.tar").write_bytes(b"no tar file")
    (folder / "i.tgz").write_bytes(gzip.compress(b"no tar file"))
    (folder / "j.tar.xz").write_bytes(b"no xz file")
    (folder / "k.fdl").write_bytes(LOGS[0])
    verdicts = dict(audit(folder, tmp_path / "none", "a\0b", "n" * 5_000))
    sound = {f"{folder}/{name_of(number)}" for number in range(1, len(LOGS) + 1)} | {f"{folder}/k.fdl"}
    assert {name for name, verdict in verdicts.items() if verdict == VERIFIED} == sound
    assert {name for name, verdict in verdicts.items() if verdict == UNREADABLE} == whys(
        folder, tmp_path / "none", "a\0b", "n" * 5_000
    ).keys()
    why = {name.rpartition("/")[2]: what for name, what in whys(folder).items()}
    assert why == {
        "a-pipe.fdl": "no plain file",
        "b-device.fdl": "no plain file",
        "c-circle.fdl": "too many levels of symbolic links",
        "d-dangling.fdl": "no such file or directory",
        "e-itself": "a folder inside itself",
        "g.zip": "no zip file that can be read: it has no directory",
        "h.tar": why["h.tar"],
        "i.tgz": why["i.tgz"],
        "j.tar.xz": why["j.tar.xz"],
    }
    assert all(
        why[name].startswith("no tar file that can be read from here on: ") for name in ("h.tar", "i.tgz", "j.tar.xz")
    )


def test_links_that_make_many_ways(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """Twenty-five folders with two links each to the next one: each folder is gone through some times only."""
    folders = [tmp_path / "ways" / f"d{number:02}" for number in range(25)]
    for number, folder in enumerate(folders):
        folder.mkdir(parents=True)
        if number:
            for name in "ab":
                (folders[number - 1] / name).symlink_to(folder)
    (folders[-1] / "z.fdl").write_bytes(LOGS[0])
    found = audit(folders[0])
    assert [line.verdict for line in found].count(VERIFIED) == places.MAX_WAYS
    assert len(found) < 2 * 25 * places.MAX_WAYS
    assert set(whys(folders[0]).values()) == {f"more than {places.MAX_WAYS} links lead to this folder"}


def test_harmless_links(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """What is the latest and what is the best may be the same."""
    folder = folder_of(tmp_path / "2024")
    names = [tmp_path / "by" / kind for kind in ("best", "latest")]
    (tmp_path / "by").mkdir()
    for name in names:
        name.symlink_to(folder)
    assert audit(tmp_path / "by", *names) == [
        Line(f"{name}/{name_of(number)}", VERIFIED) for name in names * 2 for number in range(1, len(LOGS) + 1)
    ]


def test_links_in_a_tar_are_told(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """A tar keeps the second name of a file as a link, whose log would be missing without a word."""
    one, two = tmp_path / "a.fdl", tmp_path / "b.fdl"
    one.write_bytes(LOGS[0])
    two.hardlink_to(one)
    path = tmp_path / "logs.tar"
    with tarfile.open(path, "w") as file:
        file.add(one, "a.fdl")
        file.add(two, "b.fdl")
    assert audit(path) == [Line(f"{path}:a.fdl", VERIFIED), Line(f"{path}:b.fdl", UNREADABLE)]


def test_folders_too_deep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, audit: Callable[..., list[Line]]) -> None:
    monkeypatch.setattr(places, "MAX_DEPTH", 3)
    deep = tmp_path / "a" / "b" / "c"
    deep.mkdir(parents=True)
    (deep / "d.fdl").write_bytes(LOGS[0])
    (tmp_path / "a" / "z.fdl").write_bytes(LOGS[0])
    assert audit(tmp_path) == [Line(str(deep), UNREADABLE), Line(str(tmp_path / "a" / "z.fdl"), VERIFIED)]


def test_a_folder_that_cannot_be_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, audit: Callable[..., list[Line]]
) -> None:
    """Whatever the system says is the line, and the folders beside it are gone through."""
    for name in ("a", "b", "c"):
        written_to(tmp_path / name, LOGS[:1])

    def refuse(folder: Path) -> object:
        if folder.name == "b":
            raise PermissionError(13, "Permission denied", str(folder))
        return sorted_names(folder)

    monkeypatch.setattr("fairdeal.archive.places.sorted_names", refuse)
    assert [line.verdict for line in audit(tmp_path)] == [VERIFIED, UNREADABLE, VERIFIED]
    assert whys(tmp_path) == {str(tmp_path / "b"): "permission denied"}


def test_what_vanishes_or_changes_after_it_was_listed(tmp_path: Path) -> None:
    """A file that is gone, a pipe in its place, a file cut short: an error that is expected, never a wait."""
    path = tmp_path / "a.fdl"
    with pytest.raises(FileNotFoundError):
        read_place(Place("a", str(path)))
    os.mkfifo(path)
    with pytest.raises(ValueError, match="no plain file"):
        read_place(Place("a", str(path)))
    path.unlink()
    path.write_bytes(b"0123456789")
    assert read_place(Place("a", str(path), start=8, size=2)) == b"89"
    for start, size in ((8, 3), (80, 1)):
        with pytest.raises(ValueError, match="it ends too early"):
            read_place(Place("a", str(path), start=start, size=size))


def test_encrypted_and_nested_members(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, audit: Callable[..., list[Line]]
) -> None:
    """An encrypted member is a line; an archive in an archive is none of our business."""
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("a.fdl", LOGS[0])
        file.writestr("b.fdl", LOGS[1])
        file.writestr("inner.zip", zip_of(tmp_path_factory.mktemp("inner")).read_bytes()[:500])
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    assert audit(path) == [Line(f"{path}:a.fdl", UNREADABLE), Line(f"{path}:b.fdl", VERIFIED)]
    assert whys(path) == {f"{path}:a.fdl": "it is encrypted"}


def test_damaged_members(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """A member whose bytes were changed is a line, in a worker and where it is too large for one."""
    path = zip_of(tmp_path)
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x03\x04") + 60] ^= 0xFF
    path.write_bytes(data)
    for large in (1, places.LARGE):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(places, "LARGE", large)
            assert [line.verdict for line in audit(path)] == [UNREADABLE, *[VERIFIED] * (len(LOGS) - 1)]


@pytest.mark.parametrize("ending", [".tar", ".tgz"])
def test_a_tar_file_cut_short(tmp_path: Path, audit: Callable[..., list[Line]], ending: str) -> None:
    """What comes before is audited."""
    path = tar_of(ending)(tmp_path)
    path.write_bytes(path.read_bytes()[: 3_000 if ending == ".tar" else -200])
    *before, last = audit(path)
    assert before
    assert before[0].verdict == VERIFIED
    assert {line.verdict for line in before} <= {VERIFIED, UNREADABLE}
    assert last == Line(str(path), UNREADABLE)


def test_bombs(tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Members of far more zeros than a log may have bytes, in both kinds of archives, and the rest audited."""
    monkeypatch.setattr(tars, "UNPACKED", 60_000_000)
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("a.fdl", LOGS[0])
        with file.open("b.fdl", "w") as bomb:
            for _ in range(40):
                bomb.write(bytes(1_000_000))
        file.writestr("c.fdl", LOGS[1])
    with tarfile.open(tmp_path / "b.tgz", "w:gz") as packed:
        for name, size in (("a.fdl", 0), ("b.fdl", 40_000_000), ("c.fdl", 0), ("d.fdl", 40_000_000), ("e.fdl", 0)):
            entry = tarfile.TarInfo(name)
            entry.size = size or len(LOGS[0])
            packed.addfile(entry, io.BytesIO(bytes(size) or LOGS[0]))
    one, two = tmp_path / "a.zip", tmp_path / "b.tgz"
    assert audit(tmp_path) == [
        Line(f"{one}:a.fdl", VERIFIED),
        Line(f"{one}:b.fdl", "no verdict"),
        Line(f"{one}:c.fdl", VERIFIED),
        Line(f"{two}:a.fdl", VERIFIED),
        Line(f"{two}:b.fdl", "no verdict"),
        Line(f"{two}:c.fdl", VERIFIED),
        Line(f"{two}:d.fdl", "no verdict"),
        Line(str(two), UNREADABLE),
    ]


NAMES = [
    b"new\nline.fdl",
    b"\x1b[31mred.fdl",
    b"\xff\xfe.fdl",
    "right\u202eleft.fdl".encode(),
    b'quote".fdl',
    b"a:b@c.fdl",
]


def test_names_of_all_kinds(tmp_path: Path, audit: Callable[..., list[Line]]) -> None:
    """Names with line ends, escapes, and of bytes that are no text, also kept and found again."""
    for name in NAMES:
        (tmp_path / os.fsdecode(name)).write_bytes(LOGS[0])
    for _ in range(2):
        found = audit(tmp_path)
        assert [os.fsencode(name).rpartition(b"/")[2] for name, _ in found] == sorted(NAMES)
        assert {verdict for _, verdict in found} == {VERIFIED}


def test_names_below_the_working_folder_are_as_given(
    tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder_of(tmp_path)
    monkeypatch.chdir(tmp_path)
    for given, prefix in ((".", "logs/"), ("logs", "logs/"), ("logs/", "logs/"), ("./logs", "./logs/")):
        assert audit(given) == [Line(prefix + name_of(number), VERIFIED) for number in range(1, len(LOGS) + 1)]


# --- URLs


def test_urls(tmp_path: Path, audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch) -> None:
    """One, a stream of several, or all below one that ends in a slash, by name."""
    folder = folder_of(tmp_path)
    (folder / "sub").mkdir()
    (folder / "sub" / "all.fdl").write_bytes(STREAM)
    (folder / "other.txt").write_bytes(b"")
    url = f"file://{folder}"
    stream = [f"{url}/sub/all.fdl", *(f"{url}/sub/all.fdl@{start}" for start in STARTS[1:-1])]
    names = [f"{url}/{name_of(number)}" for number in range(1, len(LOGS) + 1)]
    for large in (1, places.LARGE):
        monkeypatch.setattr(places, "LARGE", large)
        assert audit(names[1]) == [Line(names[1], VERIFIED)]
        assert audit(f"{url}/sub/all.fdl") == [Line(name, VERIFIED) for name in stream]
        assert audit(f"{url}/") == [Line(name, VERIFIED) for name in names + stream]


@pytest.mark.parametrize("url", ["file:///none/a.fdl", "file:///none/", "nowhere://a", "://", "memory://none/"])
def test_urls_that_lead_nowhere(audit: Callable[..., list[Line]], url: str) -> None:
    assert audit(url) == [Line(url, UNREADABLE)]


def test_urls_without_their_extra(audit: Callable[..., list[Line]], monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(urls, "import_module", missing)
    assert audit("https://example.com/a.fdl") == [Line("https://example.com/a.fdl", UNREADABLE)]
    assert "pip install fsspec" in whys("https://example.com/a.fdl")["https://example.com/a.fdl"]


# --- how many there will be


def test_how_many_are_expected(tmp_path: Path) -> None:
    """Of plain files and folders it is known; of all else it is not."""
    folder = folder_of(tmp_path)
    assert expected([str(folder)]) == len(LOGS)
    assert expected([str(folder), str(folder / name_of(1)), str(tmp_path / "none"), "n" * 5_000]) == len(LOGS) + 3
    for other in ("-", "file://a", str(zip_of(tmp_path)), str(tar_of(".tgz")(tmp_path)), str(tmp_path)):
        assert expected([str(folder), other]) is None


def test_how_many_are_in_a_large_file_is_not_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(places, "LARGE", 100)
    assert expected([str(stream_of(tmp_path))]) is None


def test_the_label_is_the_logs_own_name(tmp_path: Path) -> None:
    """By which its evidence is found: without folders and ending, and none that leads elsewhere."""
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file:
        for name in ("one.fdl", "sub/two.three.fdl", "...fdl", "..fdl", ".fdl", "four:five@6.fdl"):
            file.writestr(name, LOGS[0])
    labels = [one.label for one in places.places([str(tmp_path)], {}) if isinstance(one, Place)]
    assert labels == ["one", "two.three", "", "", ".fdl", "four:five@6"]


def test_one_of_several_logs_has_no_name_of_its_own() -> None:
    found = [one for one in places.pieces(Place("a", "/a", label="a"), io.BytesIO(STREAM)) if isinstance(one, tuple)]
    assert {one[0].label for one in found if isinstance(one[0], Place)} == {""}
    (only,) = places.pieces(Place("a", "/a", label="a"), io.BytesIO(LOGS[0]))
    assert only == (Place("a", "/a", size=len(LOGS[0]), label="a", single=True), LOGS[0])


def test_reading_stops_where_a_log_has_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "MAX_LOG_BYTES", 1_000)
    (tmp_path / "a.fdl").write_bytes(bytes(5_000))
    assert len(read_place(Place("a", str(tmp_path / "a.fdl")))) == 1_001
    assert len(read_place(Place("a", str(tmp_path / "a.fdl"), size=10))) == 10
