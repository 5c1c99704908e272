"""Rules, logs as JSON, codes, vectors; and what holds for every command: help, version, interruption, failure."""

from __future__ import annotations

import io
import json
import re
import runpy
import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any, NoReturn

import pytest

import fairdeal
from fairdeal import version
from fairdeal.codec import encode_log
from fairdeal.codes import INCOMPLETE, NO_VERDICT, Code
from fairdeal.explain import pages
from fairdeal.ruleset import load_preset, preset_names
from fairdeal.secretfile import MatchSecret, write_secret
from tests.conftest import RNG, SAMPLES, played, process, refused, run
from tests.strategies import with_clock

COMMANDS = (
    "verify",
    "audit",
    "show",
    "deal",
    "simulate",
    "commit",
    "ticket",
    "reveal",
    "rules",
    "pack",
    "unpack",
    "explain",
    "vectors",
    "vectors make",
    "vectors check",
    "vectors run",
    "vectors answer",
)
PRESET = load_preset("president").table()


def as_toml(table: dict[str, Any]) -> str:
    """Return a flat table as TOML; JSON writes its values the same way."""
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())


# rules


def test_without_a_name_the_presets_are_listed() -> None:
    """One line a preset, whose name can be asked for, with the seats it is for and its rulebook."""
    ran = run("rules")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.text.splitlines()
    assert sorted(line.split()[0] for line in lines) == list(preset_names())
    assert re.search(r"(?m)^prezydent +4 to 8 seats  the Polish rulebook$", ran.text)
    document = run("rules", "-f", "json").json
    assert [entry["name"] for entry in document["presets"]] == [line.split()[0] for line in lines]


@pytest.mark.parametrize("name", preset_names())
def test_a_preset_is_shown_as_rules_with_sources(name: str) -> None:
    """Heading, rules with the sentences behind them, readings; the same in JSON, with every setting."""
    ran = run("rules", name)
    assert (ran.code, ran.err) == (0, "")
    assert ran.text.startswith(f"{name}: ")
    document = run("rules", name, "-f", "json").json
    assert document["format"] == "fairdeal-ruleset/2"
    assert document["settings"] == load_preset(name).table()
    for reading in document["readings"]:
        assert ran.text.count(f"[{reading['name']}: ") == 1
    assert document["readings"]
    assert document["sentences"]


def test_why_gives_reasons_and_paraphrases() -> None:
    """They are left out unless asked for."""
    plain, long = run("rules", "prezydent").text, run("rules", "prezydent", "--why").text
    for words in ("why: ", "prezydent-pl 26.1: A joker is a trump"):
        assert words in long
        assert words not in plain


def test_a_ruleset_from_json_is_the_ruleset(tmp_path: Path) -> None:
    """The settings that are printed as JSON make a file that is read as the same ruleset."""
    path = tmp_path / "mine.toml"
    path.write_text(as_toml(run("rules", "president", "-f", "json").json["settings"]))
    assert tomllib.loads(path.read_text()) == PRESET
    for form in ("text", "json", "toml"):
        assert run("rules", path, "-f", form) == run("rules", "president", "-f", form)


@pytest.mark.parametrize("name", preset_names())
def test_a_ruleset_as_toml_is_a_file_to_start_from(tmp_path: Path, name: str) -> None:
    """It is read back as it was, by this command and by those that play; with changes it has them."""
    path = tmp_path / "mine.toml"
    ran = run("rules", name, "--set", "name=mine", "--set", "titles=['ä', 'b', 'c', 'd', 'e']", "-f", "toml")
    path.write_bytes(ran.out)
    settings = run("rules", path, "-f", "json").json["settings"]
    assert settings == load_preset(name).table() | {"name": "mine", "titles": ["ä", "b", "c", "d", "e"]}
    assert run("rules", path, "-f", "toml") == ran
    assert run("simulate", "--ruleset", path, "--rng", RNG, "-o", tmp_path / "x.fdl").code == 0
    assert run("audit", tmp_path / "x.fdl", "--require", "unchanged,rules").code == 0


def test_overrides_show_in_all_forms(tmp_path: Path) -> None:
    """`--set` changes what is shown, of presets and of files."""
    path = tmp_path / "mine.toml"
    path.write_text(as_toml(PRESET | {"name": "mine"}))
    changes = ("--set", "end_at=9", "--set", "second_pack_from=never", "--set", "ties=shared")
    for name in ("president", path):
        settings = run("rules", name, *changes, "-f", "json").json["settings"]
        assert (settings["end_at"], settings["second_pack_from"], settings["ties"]) == (9, "never", "shared")
        text = run("rules", name, *changes).text
        assert "The match ends after 9 rounds." in text
        assert "; changed: second_pack_from, end_at, ties\n" in text.replace(",\nties", ", ties")
        assert "end_at = 9\n" in run("rules", name, *changes, "-f", "toml").text


def test_a_difference_shows_what_differs_and_nothing_else(tmp_path: Path) -> None:
    """Both values of every differing setting, or that there are none."""
    path = tmp_path / "mine.toml"
    path.write_text(as_toml(PRESET | {"name": "mine", "end_at": 7, "reseat": True}))
    text = run("rules", "president", "--diff", path).text
    assert text.splitlines()[0] == "president and mine play differently"
    assert "\nend at\n  president  5: " in text
    assert "\n  mine       7: " in text
    assert "\nreseat\n  president  false: " in text
    assert "readings that only mine needs\n  reseated-seat-keeps-its-number, reseat-before-the-deal\n" in text
    assert run("rules", path, "--diff", "president").text.startswith("mine and president play differently\n")
    assert "no difference" in run("rules", "president", "--diff", "president").text
    assert "\n  president  8: " in run("rules", "president", "--set", "end_at=8", "--diff", path).text
    assert "why: " in run("rules", "president", "--diff", path, "--why").text


def test_a_difference_can_be_had_as_json(tmp_path: Path) -> None:
    """Both names, every differing setting with both values, and the readings that one of them needs."""
    path = tmp_path / "mine.toml"
    path.write_text(as_toml(PRESET | {"name": "mine", "end_at": 7, "titles": list("abcde")}))
    document = run("rules", "president", "--diff", path, "-f", "json").json
    assert document["format"] == "fairdeal-difference/2"
    assert document["rulesets"] == ["president", "mine"]
    assert {key: entry["values"] for key, entry in document["settings"].items()} == {
        "end_at": [5, 7],
        "titles": [PRESET["titles"], list("abcde")],
    }
    assert document["readings"] == [["deal-rotates", "point-for-each-place-beaten"], []]
    assert run("rules", "president", "--diff", "president", "-f", "json").json["settings"] == {}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("bridge",), "there is no ruleset `bridge`"),
        (("none.toml",), "no such file or directory at none.toml"),
        (("president", "-f", "html"), "there is no format `html` at --format"),
        (("president", "--diff", "party", "-f", "toml"), "there is no format `toml` at --format"),
        (("-f", "toml"), "there is no format `toml` at --format"),
        (("--diff", "party"), "a ruleset is missing at NAME"),
        (("--set", "end_at=7"), "a ruleset is missing at NAME"),
        (("president", "--set", "end_at"), "`end_at` is not KEY=VALUE"),
        (("president", "--diff", "bridge"), "there is no ruleset `bridge`"),
        (("president", "--set", "vices_from=3"), "`vices_from` cannot be `3`"),
        (("president", "--set", "joker=wild"), "`joker` is none exactly where the pack has no jokers"),
        (("",), "there is no ruleset ``"),
    ],
)
def test_rules_that_do_not_exist_are_wrong_usage(arguments: tuple[str, ...], words: str) -> None:
    """Names and values that are none are exit code 2."""
    ran = run("rules", *arguments)
    assert (ran.code, ran.out) == (2, b"")
    assert words in ran.err


def test_every_conflict_of_a_ruleset_is_one_error() -> None:
    """All that is wrong is said at once, each with its hint."""
    ran = run("rules", "president", "--set", "joker=wild", "--set", "exchange_vice=3", "--set", "end_at=0")
    assert ran.code == 2
    blocks = re.findall(r"error: .+ at ruleset `president`\n\nhint: .+\n", ran.err)
    assert len(blocks) >= 3
    assert "\n".join(blocks) == ran.err


@pytest.mark.parametrize("text", ["name = ", "[[", "name = 1", "", "seats = [3, 8]\nseats = [3, 8]"])
def test_a_file_that_is_no_ruleset_is_wrong_usage(tmp_path: Path, text: str) -> None:
    """Broken TOML, missing and wrong settings."""
    path = tmp_path / "mine.toml"
    path.write_text(text)
    ran = run("rules", path)
    assert (ran.code, ran.out) == (2, b"")
    assert ran.err.startswith("error: ")
    path.write_bytes(b"\xff")
    refused(run("rules", path), 3, "no UTF-8 text")


# pack and unpack


@pytest.mark.parametrize("name", SAMPLES)
def test_unpack_and_pack_are_lossless(tmp_path: Path, name: str) -> None:
    """A log as JSON is the same log, byte for byte, through files and through standard streams."""
    data = bytes(SAMPLES[name]().data)
    path = tmp_path / "x.fdl"
    path.write_bytes(data)
    unpacked = run("unpack", path)
    assert (unpacked.code, unpacked.err) == (0, "")
    assert unpacked.out.isascii()
    assert unpacked.json["format"] == "fairdeal-log/1"
    assert run("unpack", "-", stdin=data) == unpacked
    assert run("pack", "-", stdin=unpacked.out) == (0, data, "")
    document = tmp_path / "x.json"
    document.write_bytes(unpacked.out)
    assert run("pack", document, "-o", tmp_path / "y.fdl") == (0, b"", "")
    assert (tmp_path / "y.fdl").read_bytes() == data


def test_unpack_takes_logs_that_no_audit_verifies() -> None:
    """Clock marks and seat events are read and written, whatever the clock did."""
    data = encode_log(with_clock())
    assert run("pack", "-", stdin=run("unpack", "-", stdin=data).out).out == data


@pytest.mark.parametrize("size", [0, 1, 100, -1])
def test_unpack_gives_no_half_log(size: int) -> None:
    """What cannot be read to its end is not turned into JSON that can."""
    data = bytes(played().data)
    refused(run("unpack", "-", stdin=data[:size]), 3, "at byte ")


def test_a_hostile_protocol_name_is_escaped_in_the_error() -> None:
    """What a log says of itself cannot reorder the terminal's line."""
    data = bytes(played().data).replace(b"\xabfairdeal/v1", b"\xabfair\xe2\x80\xaedeal", 1)
    for command in ("unpack", "show"):
        err = refused(run(command, "-", stdin=data), 3, "protocol `")
        assert not [char for char in err if char != "\n" and not char.isprintable()]


# explain


def test_codes_are_listed_with_their_titles() -> None:
    """One line a code, in the order of the specification."""
    lines = run("explain").text.splitlines()
    assert [line.split(None, 1) for line in lines] == [[str(page.code), page.title] for page in pages().values()]


@pytest.mark.parametrize("code", Code)
def test_every_code_is_explained(code: Code) -> None:
    """Title, effect, meaning, cause and what to do, in lines a terminal can show."""
    ran = run("explain", code)
    assert (ran.code, ran.err) == (0, "")
    head, *rest = ran.text.rstrip("\n").split("\n\n")
    effects = {True: "leaves the audit incomplete", False: "refutes the log"}
    effect = "there is no verdict" if code in NO_VERDICT else effects[code in INCOMPLETE]
    page = pages()[code]
    assert head == f"{code}: {page.title} ({effect})"
    assert [" ".join(part.split()) for part in rest] == [page.means, page.often, page.do]
    assert max(map(len, ran.text.splitlines())) <= 120


@pytest.mark.parametrize("code", ["", "seeds", "SEED", "seed "])
def test_an_unknown_code_is_wrong_usage(code: str) -> None:
    """The hint says where the codes are listed."""
    refused(run("explain", code), 2, f"there is no code `{code}`", "`fairdeal explain` lists the codes")


# all commands


@pytest.mark.parametrize("command", ["", *COMMANDS])
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_help_exits_0(command: str, option: str) -> None:
    """Every command says what it does and what it takes, on standard output."""
    ran = run(*command.split(), option)
    assert (ran.code, ran.err) == (0, "")
    assert ran.text.startswith(f"Usage: fairdeal {command}".strip())
    assert "\x1b" not in ran.text


def test_the_help_names_every_command_and_exit_code() -> None:
    """The first page is enough to find everything else."""
    text = run("--help").text
    for command in COMMANDS:
        assert re.search(rf"(?m)^  {command.split()[0]}  ", text), command
    for code in (0, 1, 2, 3, 10, 11, 130):
        assert re.search(rf"\b{code}\s+[a-z]", text), code


@pytest.mark.parametrize("arguments", [(), ("vectors",)])
def test_no_command_shows_the_help(arguments: tuple[str, ...]) -> None:
    """Without a command there is nothing to do, which is wrong usage."""
    ran = run(*arguments)
    assert ran.code == 2
    assert "Usage: fairdeal" in ran.text + ran.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("bogus",),
        ("--bogus",),
        ("audit",),
        ("audit", "--bogus"),
        ("show",),
        ("simulate",),
        ("commit", "-o", "x"),
        ("ticket", "x"),
        ("reveal",),
        ("pack",),
        ("unpack", "a", "b"),
        ("vectors", "bogus"),
        ("show", "x", "--round", "one"),
    ],
)
def test_a_wrong_command_line_is_exit_code_2(arguments: tuple[str, ...]) -> None:
    """Unknown commands, options and missing arguments print nothing on standard output."""
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, b"")
    assert "error" in ran.err.lower()


def test_the_version_is_that_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--version` prints name and version and does nothing else."""
    monkeypatch.setattr(version, "version", lambda name: f"7.8.9 of {name}")
    assert run("--version") == (0, b"fairdeal 7.8.9 of fairdeal\n", "")


def test_the_version_of_a_checkout_is_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run from a folder, without being installed, there is still an answer."""

    def absent(name: str) -> NoReturn:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(version, "version", absent)
    ran = run("--version")
    assert ran.code == 0
    assert ran.text.startswith("fairdeal ")


def test_an_interruption_is_130(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C ends with the shell's code and no traceback."""

    def interrupt(*_: object, **__: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("fairdeal.audit.replay", interrupt)
    assert run("audit", log).code == 130


def test_an_unexpected_error_is_1_and_shows_no_values(tmp_path: Path) -> None:
    """A failure of the tool is a plain traceback: no local variables, and so no secret."""
    secret = bytes(range(32))
    write_secret(tmp_path / "secret.json", MatchSecret(bytes(32), 3, secret))
    preamble = (
        "import fairdeal.secretfile as f\ndef broken(self):\n    hidden = self.secret\n    raise RuntimeError('x')\n"
    )
    preamble += "f.MatchSecret.tree = broken"
    ran = process("reveal", "--secret", tmp_path / "secret.json", "--round", "1", preamble=preamble)
    assert (ran.returncode, ran.stdout) == (1, b"")
    err = ran.stderr.decode()
    assert err.startswith(("Traceback", "hint: "))
    assert err.endswith("RuntimeError: x\n")
    assert secret.hex() not in err
    assert repr(secret)[2:-1] not in err
    assert "locals" not in err


def test_the_module_runs_as_the_command(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m fairdeal` is the same program."""
    monkeypatch.setattr(sys, "argv", ["fairdeal", "-q", "audit", str(log)])
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO()))
    with pytest.raises(SystemExit) as left:
        runpy.run_module("fairdeal", run_name="__main__")
    assert left.value.code == 11
    monkeypatch.undo()


def test_the_package_gives_its_public_names() -> None:
    """Each is that of its module, and no other is made up."""
    for name in fairdeal.__all__:
        assert getattr(fairdeal, name).__name__ == name
    made_up = "shuffle_unfairly"
    with pytest.raises(AttributeError, match=f"no attribute `{made_up}`"):
        getattr(fairdeal, made_up)


# vectors
