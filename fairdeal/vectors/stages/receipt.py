"""The vectors of receipts: what one holds, whether it fits a log, and every other spelling, which is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from fairdeal.anchor import format_receipt, parse_receipt
from fairdeal.codec import Log, encode_action, encode_record
from fairdeal.codes import Code
from fairdeal.errors import Malformed
from fairdeal.evidence import Receipt, weigh_receipt
from fairdeal.hashing import file_digest
from fairdeal.limits import MAX_INT
from fairdeal.records import OPERATOR, Actions, Commitment
from fairdeal.report import Judgement
from fairdeal.sign import public_key, sign, signed_message
from fairdeal.simulate import Simulated
from fairdeal.texts import unhex
from fairdeal.vectors.envelope import Group, Stage, Test, draws_for
from fairdeal.vectors.stages.cases import refused
from fairdeal.vectors.stages.claims import claimed

INPUTS: Final = ("receipt", "log", "operatorKey")
PLACE: Final = "receipt[1]"
NOTHING: Final = bytes(32)
UNKNOWN_KIND: Final = b"\x91\x0c"
CLOCK_MARK: Final = b"\xcc\x80"


def recompute(test: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a receipt holds and how far it reaches in the log, or what is wrong with it (SPEC, "Receipts")."""
    try:
        receipt = parse_receipt(test["receipt"])
    except Malformed:
        return refused(Code.MALFORMED, "")
    log, key, judge = Log(unhex(test["log"])), unhex(test.get("operatorKey", "")), Judgement()
    fits = weigh_receipt(receipt, PLACE, log, key or None, judge)
    if judge.findings:
        return refused(judge.findings[0].code, judge.findings[0].place)
    return {
        "termsHash": receipt.terms_hash.hex(),
        "offset": receipt.offset,
        "digest": receipt.digest.hex(),
        "signature": receipt.signature.hex(),
        "fits": fits,
        "signed": fits and bool(receipt.signature and (key or log.terms.operator_key)),
        "reaches": log.boundary(receipt.offset) if fits else 0,
    }


def receipt_stage(signed: Simulated, unsigned: Simulated) -> Stage:
    """Return the tests of receipts, for a match whose operator has a key and for one whose operator has none."""
    header = [
        "One receipt, without the end of its line, held against a log, and perhaps the operator's key as known from",
        "elsewhere. Valid: its values, an empty signature if it has none; whether it `fits`; whether the operator",
        "`signed` it, which takes a key; and the byte it `reaches`, the end of the last record that ends at or before",
        "its offset. One whose offset is inside the terms is no finding, does not fit and reaches 0. Invalid: it is",
        f"malformed, without a place, or a finding at `{PLACE}`.",
    ]
    whole, running = bytes(signed.data), _running(signed)
    groups = [
        Group({"log": whole.hex()}, list(_against_signed(signed))),
        Group({"log": bytes(unsigned.data).hex()}, list(_against_unsigned(unsigned))),
        Group({"log": running.hex()}, list(_against_broken(running))),
        Group({"log": _marked(unsigned).hex()}, list(_against_marked(unsigned))),
    ]
    return Stage("receipt", header, groups=groups)


class _Against:
    """The tests of receipts of one log; the log stands once for all of them."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.terms_hash = Log(data).terms_hash

    def receipt(self, offset: int) -> Receipt:
        """Return the receipt of the first bytes, without a signature."""
        return Receipt(self.terms_hash, offset, file_digest(self.data[:offset]))

    def test(self, comment: str, receipt: Receipt | str, code: str = "", key: bytes = b"") -> Test:
        """Return the test; a code has the receipt as its place, except a malformed one, which has none."""
        text = receipt if isinstance(receipt, str) else format_receipt(receipt)
        given = {"receipt": text, "log": self.data.hex(), **({"operatorKey": key.hex()} if key else {})}
        test = claimed(recompute, comment, given, code, "" if code in ("", Code.MALFORMED) else PLACE)
        del test["log"]
        return test


def signed_by(private: bytes, receipt: Receipt, signer: int = OPERATOR) -> Receipt:
    """Return the receipt with a signature over what it says."""
    message = signed_message(receipt.terms_hash, signer, receipt.offset, receipt.digest)
    return receipt._replace(signature=sign(private, message))


def _against_signed(sample: Simulated) -> Iterator[Test]:
    """Yield receipts of a match whose operator signs."""
    data = bytes(sample.data)
    at, log, private = _Against(data), Log(data), sample.keys[OPERATOR]
    key, end = public_key(private), len(data)
    lock = at.receipt(sample.lock)
    strange = draws_for("receipt key").take(32)
    yield at.test("the lock, signed", sample.receipt(sample.lock))
    yield at.test("the lock, unsigned", lock)
    yield at.test("the lock, signed, with the operator's key from elsewhere", sample.receipt(sample.lock), key=key)
    yield at.test("the end of the log", sample.receipt(end))
    yield at.test("the end of the terms", at.receipt(log.terms_end))
    yield at.test("one byte inside the terms", at.receipt(log.terms_end - 1))
    yield at.test("offset 0", at.receipt(0))
    yield at.test("inside the terms with a digest of nothing", Receipt(log.terms_hash, 10, NOTHING))
    yield at.test("inside the terms with a signature of nobody", at.receipt(10)._replace(signature=bytes(64)))
    yield at.test("one byte before the lock: it reaches the record before", at.receipt(sample.lock - 1))
    yield at.test("one byte behind the lock: it reaches the lock", at.receipt(sample.lock + 1))
    yield at.test("the middle of a play of the first round", at.receipt(_inside_a_play(log)))
    yield at.test("behind the second action of a run", at.receipt(_behind_two_actions(log)))
    yield at.test("one byte before the end", at.receipt(end - 1))
    beyond = Receipt(log.terms_hash, end + 1, file_digest(data + b"\x00"))
    yield at.test("one byte beyond the end", beyond, Code.RECEIPT_BEYOND)
    yield at.test("one byte beyond the end, signed", signed_by(private, beyond), Code.RECEIPT_BEYOND)
    yield at.test("far beyond the end", beyond._replace(offset=MAX_INT), Code.RECEIPT_BEYOND)
    yield at.test("another digest", lock._replace(digest=NOTHING), Code.RECEIPT_DIGEST)
    shorter = at.receipt(sample.lock)._replace(offset=sample.lock + 1)
    yield at.test("the digest of one byte less", shorter, Code.RECEIPT_DIGEST)
    yield at.test("another digest, signed", signed_by(private, lock._replace(digest=NOTHING)), Code.RECEIPT_DIGEST)
    yield at.test("another match", lock._replace(terms_hash=NOTHING), Code.RECEIPT_TERMS)
    far = signed_by(strange, Receipt(NOTHING, MAX_INT, NOTHING))
    yield at.test("another match, beyond the end, with another's signature", far, Code.RECEIPT_TERMS)
    yield at.test("another match, offset 0", Receipt(NOTHING, 0, NOTHING), Code.RECEIPT_TERMS)
    yield from _signatures(at, lock, private, strange)
    yield from _other_spellings(at, sample.receipt(sample.lock))


def _signatures(at: _Against, lock: Receipt, private: bytes, strange: bytes) -> Iterator[Test]:
    """Yield signatures that are not the operator's of what the receipt says."""
    wrong = Code.RECEIPT_SIGNATURE
    signed = signed_by(private, lock)
    yield at.test("a signature of zeros", lock._replace(signature=bytes(64)), wrong)
    yield at.test("a signature by another key", signed_by(strange, lock), wrong)
    yield at.test("a signature as seat 0's", signed_by(private, lock, signer=1), wrong)
    yield at.test("a signature of another offset", signed._replace(offset=lock.offset + 1), wrong)
    yield at.test("a signature of another digest", signed._replace(digest=NOTHING), wrong)
    far = signed._replace(offset=MAX_INT)
    yield at.test("a signature of another offset, beyond the end", far, wrong)
    yield at.test("the key from elsewhere is another than in the terms", signed, wrong, public_key(strange))
    other = signed_by(strange, lock)
    yield at.test("signed by a key from elsewhere that is not in the terms", other, key=public_key(strange))


def _against_unsigned(sample: Simulated) -> Iterator[Test]:
    """Yield receipts of a match whose terms name no operator's key."""
    at = _Against(bytes(sample.data))
    private, strange = draws_for("receipt operator").take(32), draws_for("receipt key").take(32)
    signed = signed_by(private, at.receipt(sample.lock))
    yield at.test("no key in the terms, no signature", at.receipt(sample.lock))
    yield at.test("no key in the terms: the signature cannot be looked at", signed)
    yield at.test("no key in the terms, but from elsewhere", signed, key=public_key(private))
    yield at.test("the key from elsewhere, no signature", at.receipt(sample.lock), key=public_key(private))
    yield at.test("the key from elsewhere is another's", signed, Code.RECEIPT_SIGNATURE, public_key(strange))
    nobody = at.receipt(sample.lock)._replace(signature=bytes(64), digest=NOTHING)
    yield at.test("no key in the terms, and another digest", nobody, Code.RECEIPT_DIGEST)


def _running(sample: Simulated) -> bytes:
    """Return a log that is sound up to a record of an unknown kind."""
    return bytes(sample.data[: sample.lock]) + UNKNOWN_KIND


def _against_broken(data: bytes) -> Iterator[Test]:
    """Yield receipts around the first byte that does not parse."""
    at, whole = _Against(data), len(data) - len(UNKNOWN_KIND)
    yield at.test("the last whole record before one of an unknown kind", at.receipt(whole))
    yield at.test("the first byte of a record of an unknown kind", at.receipt(whole + 1), Code.RECEIPT_BEYOND)
    yield at.test("the end of a record of an unknown kind", at.receipt(len(data)), Code.RECEIPT_BEYOND)


def _marked(sample: Simulated) -> bytes:
    """Return a log with passes that have a mark, then a mark and a marker, then a mark again, and a record behind."""
    passes = CLOCK_MARK + b"\xff" + CLOCK_MARK + b"\xf7\xff" + CLOCK_MARK + b"\xff"
    return bytes(sample.data[: sample.lock]) + passes + encode_record(Commitment(NOTHING))


def _against_marked(sample: Simulated) -> Iterator[Test]:
    """Yield receipts around clock marks and a marker: each is one record with its pass."""
    data, lock = _marked(sample), sample.lock
    at = _Against(data)
    yield at.test("between a clock mark and its pass: it reaches the record before", at.receipt(lock + 2))
    yield at.test("a record with a clock mark", at.receipt(lock + 3))
    yield at.test("between a clock mark and its marker", at.receipt(lock + 5))
    yield at.test("between a marker and its pass", at.receipt(lock + 6))
    yield at.test("behind the second of three records with clock marks", at.receipt(lock + 7))
    yield at.test("behind the last of three records with clock marks", at.receipt(lock + 10))
    yield at.test("behind records with clock marks", at.receipt(len(data)))


def _behind_two_actions(log: Log) -> int:
    """Return where the second action of a round ends."""
    runs = [(item.start, item.record.actions) for item in log.items if isinstance(item.record, Actions)]
    start, actions = next(run for run in runs if len(run[1]) > 2)
    return start + sum(len(encode_action(action)) for action in actions[:2])


def _inside_a_play(log: Log) -> int:
    """Return an offset between the head of a play and its card."""
    return next(item.start for item in log.items if isinstance(item.record, Actions)) + 1


def _other_spellings(at: _Against, receipt: Receipt) -> Iterator[Test]:
    """Yield texts that are no receipt, each close to one."""
    terms, digest, signature = receipt.terms_hash.hex(), receipt.digest.hex(), receipt.signature.hex()
    offset = str(receipt.offset)
    parts = [terms, offset, digest, signature]

    def other(index: int, text: str) -> str:
        return ":".join([*parts[:index], text, *parts[index + 1 :]])

    whole = ":".join(parts)
    texts = [
        ("nothing", ""),
        ("the terms hash alone", terms),
        ("two parts", f"{terms}:{offset}"),
        ("five parts", f"{whole}:{digest}"),
        ("a colon behind three parts", f"{terms}:{offset}:{digest}:"),
        ("a colon in front", f":{whole}"),
        ("terms hash and digest of 62 digits", f"{terms[2:]}:{offset}:{digest[2:]}"),
        ("a terms hash of 63 digits", other(0, terms[1:])),
        ("a terms hash of 66 digits", other(0, terms + "00")),
        ("a digest of 63 digits", other(2, digest[1:])),
        ("a digest of 66 digits", other(2, digest + "00")),
        ("a signature of 126 digits", other(3, signature[2:])),
        ("a signature of 130 digits", other(3, signature + "00")),
        ("an upper-case terms hash", other(0, terms.upper())),
        ("an upper-case digit in the digest", other(2, _one_upper(digest))),
        ("an upper-case signature", other(3, signature.upper())),
        ("a terms hash with a letter that is no digit", other(0, "g" + terms[1:])),
        ("a terms hash with 0x in front", other(0, "0x" + terms[2:])),
        ("no offset", other(1, "")),
        ("an offset with a leading zero", other(1, "0" + offset)),
        ("offset 00", other(1, "00")),
        ("an offset with a plus sign", other(1, "+" + offset)),
        ("an offset with a minus sign", other(1, "-" + offset)),
        ("offset -0", other(1, "-0")),
        ("an offset with a fraction", other(1, offset + ".0")),
        ("an offset with an exponent", other(1, "1e3")),
        ("an offset in hexadecimal", other(1, hex(receipt.offset))),
        ("an offset with a separator", other(1, "1_000")),
        ("an offset in other digits than ASCII's", other(1, "\u0663\u0663\u0669")),
        ("a blank in front of the offset", other(1, " " + offset)),
        ("offset 2^53", other(1, str(MAX_INT + 1))),
        ("offset 2^64", other(1, str(2**64))),
        ("an offset of a hundred digits", other(1, "9" * 100)),
        ("a blank at the end", f"{whole} "),
        ("a blank in front", f" {whole}"),
        ("a line feed at the end", f"{whole}\n"),
        ("a carriage return at the end", f"{whole}\r"),
        ("a second receipt on the next line", f"{whole}\n{whole}"),
        ("a byte order mark in front", f"\ufeff{whole}"),
        ("semicolons for colons", whole.replace(":", ";")),
        ("wide colons for colons", whole.replace(":", "\uff1a")),
        ("a receipt in quotes", f'"{whole}"'),
        ("the prefix of a ticket in front", f"fd1.{whole}"),
    ]
    for comment, text in texts:
        yield at.test(comment, text, Code.MALFORMED)


def _one_upper(digits: str) -> str:
    """Return hexadecimal digits with the first letter in upper case."""
    at = next(index for index, digit in enumerate(digits) if digit.isalpha())
    return digits[:at] + digits[at].upper() + digits[at + 1 :]
