"""Receipts, published lists, keys and contributions as people hand them over, and folders of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairdeal import anchor
from fairdeal.anchor import (
    OPERATOR_KEY,
    TICKETS,
    by_seat,
    format_receipt,
    merge,
    parse_hex,
    parse_of_seat,
    parse_published,
    parse_receipt,
    read_folder,
    read_shared,
    read_text,
)
from fairdeal.errors import Malformed, Misuse
from fairdeal.evidence import Evidence, Receipt
from fairdeal.limits import MAX_INT
from fairdeal.sign import public_key, signed_message, verify
from fairdeal.ticket import encode_ticket
from tests.strategies import hashes, many, receipts, simulated, some

A, B = "ab" * 32, "0f" * 32
TEXT = f"{A}:1234:{B}"
SIGNED = f"{TEXT}:{'5c' * 64}"


def line(number: int, value: bytes = bytes(32)) -> str:
    """Return one line of a published list."""
    return f"{number} {value.hex()}\n"


@given(receipts)
@many
def test_a_receipt_comes_back(receipt: Receipt) -> None:
    """A receipt, signed or not, is read back from its line."""
    assert parse_receipt(format_receipt(receipt)) == receipt


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        TEXT[:-1],
        TEXT + "0",
        TEXT[1:],
        TEXT + ":",
        TEXT + "\n",
        " " + TEXT,
        TEXT.upper(),
        TEXT.replace("1234", ""),
        TEXT.replace("1234", "01234"),
        TEXT.replace("1234", "00"),
        TEXT.replace("1234", "-1"),
        TEXT.replace("1234", "+1"),
        TEXT.replace("1234", "1_234"),
        TEXT.replace("1234", "12 34"),
        TEXT.replace("1234", "0x10"),
        TEXT.replace("1234", "\u0661"),
        TEXT.replace("1234", "1e3"),
        TEXT.replace("1234", str(MAX_INT + 1)),
        TEXT.replace("1234", "9" * 17),
        TEXT.replace("ab", "ag", 1),
        SIGNED[:-1],
        SIGNED + "0",
        SIGNED + ":" + A,
        TEXT.replace(":", ";"),
        TEXT.replace(":", " : "),
    ],
)
def test_what_is_no_receipt(text: str) -> None:
    """One spelling: small hexadecimal letters, a plain number, exact lengths and nothing around them."""
    with pytest.raises(Malformed, match="no receipt") as caught:
        parse_receipt(text)
    assert caught.value.offset == 0
    assert caught.value.hint


@given(st.text(max_size=30))
@some
def test_any_text_is_a_receipt_or_malformed(text: str) -> None:
    """No text raises anything else."""
    for whole in (text, f"{A}:{text}:{B}", TEXT + text):
        try:
            receipt = parse_receipt(whole)
        except Malformed:
            continue
        assert format_receipt(receipt) == whole


def test_offsets_reach_from_nothing_to_the_largest_integer() -> None:
    """Offsets 0 and 2**53 - 1 are taken."""
    assert parse_receipt(f"{A}:0:{B}").offset == 0
    assert parse_receipt(f"{A}:{MAX_INT}:{B}") == Receipt(bytes.fromhex(A), MAX_INT, bytes.fromhex(B))


def test_receipts_of_a_match_are_signed_by_its_operator() -> None:
    """A signed receipt survives its line, and its signature is of exactly what the line says."""
    done = simulated(4, 2, sealed=True, signed=True)
    receipt = parse_receipt(format_receipt(done.receipt(done.lock)))
    message = signed_message(receipt.terms_hash, 0, receipt.offset, receipt.digest)
    assert verify(public_key(done.keys[0]), receipt.signature, message)


@given(st.integers(0, 10**6), st.lists(hashes, max_size=20), st.sampled_from(["\n", "\r\n"]), st.booleans())
@many
def test_a_published_list_comes_back(first: int, values: list[bytes], ending: str, ended: bool) -> None:
    """Numbers that rise by one from any first, with or without an end of the last line."""
    text = ending.join(f"{first + at} {value.hex()}" for at, value in enumerate(values)) + ending * (
        ended and bool(values)
    )
    assert dict(parse_published(text)) == {first + at: value for at, value in enumerate(values)}


@pytest.mark.parametrize(
    ("numbers", "bad"),
    [
        ([0, 2], 1),
        ([1, 2, 4], 2),
        ([2, 1], 1),
        ([5, 4, 3], 1),
        ([7, 7], 1),
        ([1, 2, 2], 2),
        ([1, 2, 1], 2),
        ([9, 11], 1),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_numbers_that_do_not_rise_by_one(numbers: list[int], bad: int, ending: str) -> None:
    """A gap, a step back or a number twice is malformed at the line it shows in: it could hide a second deal."""
    lines = [f"{number} {A}{ending}" for number in numbers]
    with pytest.raises(Malformed, match="published list") as caught:
        parse_published("".join(lines))
    assert caught.value.offset == sum(len(one) for one in lines[:bad])


@pytest.mark.parametrize(
    "bad",
    [
        "",
        " ",
        "12",
        f"12  {A}",
        f"12\t{A}",
        f" 12 {A}",
        f"12 {A} ",
        f"012 {A}",
        f"12 {A.upper()}",
        f"12 {A[:-1]}",
        f"12 {A}0",
        f"-12 {A}",
        f"+12 {A}",
        f"1_2 {A}",
        f"\u0661\u0662 {A}",
        f"12 {A}\x0b",
        f"12 {A}\u2028",
        f"12 {A}\x85",
        f"12 é{A[2:]}",
        f"{A} 12",
        "# a remark",
        f"12 {A}\0",
        f"\ufeff12 {A}",
    ],
)
def test_lines_that_are_no_lines_of_a_list(bad: str) -> None:
    """Each foreign line is malformed at its own first byte, counted in bytes."""
    before = line(10) + line(11)
    with pytest.raises(Malformed, match="no line of a published list") as caught:
        parse_published(before + bad + "\n" + line(13))
    assert caught.value.offset == len(before)


def test_numbers_beyond_any_match_are_refused() -> None:
    """No match has a sequence number above 2**53 - 1, so no list has."""
    assert dict(parse_published(line(MAX_INT))) == {MAX_INT: bytes(32)}
    with pytest.raises(Malformed):
        parse_published(line(MAX_INT + 1))


def test_an_empty_list_lists_nothing() -> None:
    """An operator who has published nothing yet has an empty list."""
    assert dict(parse_published("")) == {}


@given(st.binary(max_size=70))
@some
def test_hexadecimal_comes_back(data: bytes) -> None:
    """Bytes of the length asked for are read from small and capital digits."""
    assert parse_hex(data.hex(), len(data)) == parse_hex(data.hex().upper(), len(data)) == data
    with pytest.raises(Misuse, match="bytes in hexadecimal"):
        parse_hex(data.hex(), len(data) + 1)


WRONG_SEEDS = ["", "00", A[:-1], A[:-2], A + "0", A + "00", "0x" + A[2:], A[:-1] + "g", " " + A[1:], A + "\n"]
WRONG_SEEDS += [A[:-2] + "\u0661\u0661", "ab " * 21 + "a", "a text of 64 letters".ljust(64), "12345678"]


@pytest.mark.parametrize("text", WRONG_SEEDS)
def test_what_is_no_seed(text: str) -> None:
    """A seed of 32 bits, of text, of another length or in another encoding is refused and never padded."""
    with pytest.raises(Misuse, match="32 bytes in hexadecimal") as caught:
        parse_hex(text)
    assert caught.value.hint


@pytest.mark.parametrize(
    "text", ["", "0", f"8={A}", f"-1={A}", f"00={A}", f"1={A[1:]}", f"1:{A}", f"1 = {A}", f"1={A}\n", A]
)
def test_what_is_no_value_of_a_seat(text: str) -> None:
    """SEAT=HEX has a seat 0 to 7 and 32 bytes."""
    with pytest.raises(Misuse, match="SEAT=HEX"):
        parse_of_seat(text)


@given(st.dictionaries(st.integers(0, 7), hashes))
@some
def test_values_by_seat(values: dict[int, bytes]) -> None:
    """Values of several seats are read, capital digits too; one seat twice is refused."""
    texts = [f"{seat}={value.hex()}" for seat, value in values.items()]
    pairs = [parse_of_seat(text) for text in texts]
    assert pairs == [parse_of_seat(text.upper()) for text in texts]
    assert by_seat(pairs) == values
    if pairs:
        with pytest.raises(Misuse, match="given twice"):
            by_seat([*pairs, pairs[0]])


def filled(folder: Path) -> Evidence:
    """Write every file of evidence of a simulated match into a folder, and return what they say."""
    done = simulated(4, 2, sealed=True, signed=True)
    keys = {signer: public_key(key) for signer, key in done.keys.items()}
    held = [done.receipt(offset) for offset in (done.lock, len(done.data))]
    listed = {0: bytes(32), 1: done.tree.commitment()}
    files = {
        anchor.TICKETS: [encode_ticket(ticket) for ticket in done.tickets],
        anchor.RECEIPTS: [format_receipt(receipt) for receipt in held],
        anchor.PUBLISHED: [f"{number} {value.hex()}" for number, value in listed.items()],
        anchor.OPERATOR_KEY: [keys[0].hex()],
        anchor.SEAT_KEYS: [f"{signer - 1}={key.hex()}" for signer, key in keys.items() if signer],
        anchor.CONTRIBUTIONS: [f"{seat}={value.hex()}" for seat, value in enumerate(done.contributions)],
    }
    assert set(files) == set(anchor.EVIDENCE_FILES)
    for name, lines in files.items():
        (folder / name).write_text("".join(f"{one}\n" for one in lines), encoding="utf-8", newline="\n")
    contributions = dict(enumerate(done.contributions))
    return Evidence(tuple(done.tickets), tuple(held), (), (listed,), keys, contributions)


def test_a_folder_is_read_whole(tmp_path: Path) -> None:
    """Every kind of evidence is read from its file."""
    expected = filled(tmp_path)
    assert read_folder(tmp_path) == expected


@pytest.mark.parametrize("name", anchor.EVIDENCE_FILES)
def test_each_file_may_stand_alone_or_be_left_out(tmp_path: Path, name: str) -> None:
    """A file that is not there says nothing, and any one of them is enough."""
    expected = filled(tmp_path)
    (tmp_path / name).rename(tmp_path / "left-out")
    without = read_folder(tmp_path)
    for other in anchor.EVIDENCE_FILES:
        (tmp_path / other).unlink(missing_ok=True)
    (tmp_path / "left-out").rename(tmp_path / name)
    alone = read_folder(tmp_path)
    assert alone != Evidence()
    assert merge(without, alone) == expected


def test_a_folder_without_evidence_is_a_mistake(tmp_path: Path) -> None:
    """An empty folder, or one of other files, is never taken for evidence that says nothing."""
    (tmp_path / "ticket.txt").write_text("", encoding="utf-8")
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(Misuse, match="no evidence") as caught:
            read_folder(folder)
        assert anchor.TICKETS in caught.value.hint


@pytest.mark.parametrize("name", [anchor.TICKETS, anchor.RECEIPTS, anchor.PUBLISHED])
def test_a_malformed_line_names_its_file_and_byte(tmp_path: Path, name: str) -> None:
    """The error says which file, and counts its offset from the start of that file to the line at fault."""
    filled(tmp_path)
    path = tmp_path / name
    first = path.read_text(encoding="utf-8").splitlines()[0]
    path.write_text(f"{first}\nnonsense\n", encoding="utf-8", newline="\n")
    with pytest.raises(Malformed, match=name) as caught:
        read_folder(tmp_path)
    assert len(first) + 1 <= caught.value.offset <= len(first) + 1 + len("nonsense")


@pytest.mark.parametrize("name", [anchor.OPERATOR_KEY, anchor.SEAT_KEYS, anchor.CONTRIBUTIONS])
def test_a_wrong_value_names_its_file(tmp_path: Path, name: str) -> None:
    """A value that is none is malformed, with the file's name."""
    filled(tmp_path)
    (tmp_path / name).write_text("nonsense\n", encoding="utf-8")
    with pytest.raises(Malformed, match=name):
        read_folder(tmp_path)


@pytest.mark.parametrize("name", [anchor.SEAT_KEYS, anchor.CONTRIBUTIONS])
def test_a_seat_given_twice_names_its_file(tmp_path: Path, name: str) -> None:
    """Two values of one seat in a file are malformed, with the file's name."""
    filled(tmp_path)
    (tmp_path / name).write_text(f"1={A}\n1={B}\n", encoding="utf-8")
    with pytest.raises(Malformed, match=name):
        read_folder(tmp_path)


def test_two_operator_keys_are_a_mistake(tmp_path: Path) -> None:
    """Nobody is trusted twice: the user must say which key."""
    (tmp_path / anchor.OPERATOR_KEY).write_text(f"{A}\n{B}\n", encoding="utf-8")
    with pytest.raises(Malformed, match="more than one operator key"):
        read_folder(tmp_path)


@pytest.mark.parametrize("name", anchor.EVIDENCE_FILES)
def test_files_that_are_no_text(tmp_path: Path, name: str) -> None:
    """Bytes that are no UTF-8 are malformed where they begin, and are never decoded as something else."""
    (tmp_path / name).write_bytes(b"1234\xff\xfe")
    with pytest.raises(Malformed, match=name) as caught:
        read_folder(tmp_path)
    assert caught.value.offset == 4
    with pytest.raises(Malformed, match="UTF-8"):
        read_text(tmp_path / name)


def test_merge_keeps_all_and_lets_the_second_decide() -> None:
    """Evidence given twice adds up; of two keys or contributions of one seat the second is used."""
    receipt = Receipt(bytes(32), 1, bytes(32))
    first = Evidence((), (receipt,), (b"1",), ({1: b"C"},), {0: b"k", 1: b"l"}, {0: b"c"})
    second = Evidence((), (), (b"2",), ({2: b"D"},), {1: b"m"}, {1: b"d"})
    expected = Evidence((), (receipt,), (b"1", b"2"), ({1: b"C"}, {2: b"D"}), {0: b"k", 1: b"m"}, {0: b"c", 1: b"d"})
    assert merge(first, second) == expected
    assert merge(Evidence(), first) == merge(first, Evidence()) == first


@pytest.mark.parametrize(
    "make", [Path.mkdir, lambda path: path.symlink_to("nothing"), os.mkfifo], ids=["folder", "link to nothing", "pipe"]
)
def test_evidence_that_is_there_and_cannot_be_read_is_not_passed_over(
    make: Callable[[Path], None], tmp_path: Path
) -> None:
    """Without it, a log would be held against less than was meant."""
    (tmp_path / TICKETS).write_text("")
    make(tmp_path / OPERATOR_KEY)
    for read in (read_folder, read_shared):
        with pytest.raises(Misuse, match=f"no plain file with evidence at .*{OPERATOR_KEY}"):
            read(tmp_path)
