"""Terms as an operator writes them: every lawful file gives its terms, and every mistake is named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest

from fairdeal.codec import Log, encode_record
from fairdeal.errors import Misuse, RulesetError
from fairdeal.limits import MAX_INT, MAX_ROUNDS
from fairdeal.records import Seat, Terms
from fairdeal.ruleset import Ruleset, load_preset
from fairdeal.settings import Contributions, SeatKind
from fairdeal.sign import public_key
from fairdeal.termsfile import KEYS, SEAT_KEYS, read_terms_file

MATCH_ID = bytes(range(16))
FIRST, SECOND = (public_key(bytes([number]) * 32).hex() for number in (1, 2))
HEAD = 'sequence = 3\nruleset = "president"\n'
SEATS = '[[seats]]\nname = "Ann"\n[[seats]]\nname = "Bo"\nkind = "easy"\n[[seats]]\nname = "Cleo"\n'


def read(text: str) -> Terms:
    """Return the terms of a text."""
    return read_terms_file(text, MATCH_ID, load_preset)


def refused(text: str) -> Misuse:
    """Return the error that a text is refused with."""
    with pytest.raises(Misuse) as caught:
        read(text)
    error = caught.value
    assert error.what[:1] in ("`", error.what[:1].lower())
    assert not error.what.endswith(".")
    return error


def test_the_least_that_terms_need() -> None:
    """Sequence, ruleset and seats; all else has a default."""
    terms = read(HEAD + SEATS)
    preset = load_preset("president")
    assert terms == Terms(
        match_id=MATCH_ID,
        sequence=3,
        operator_key=b"",
        rules=preset.resolve(3),
        seats=(Seat("Ann", SeatKind.HUMAN, b""), Seat("Bo", SeatKind.EASY, b""), Seat("Cleo", SeatKind.HUMAN, b"")),
        rounds=preset.default_rounds(),
        contributions=Contributions.NONE,
        beacon="",
        bot_policy=0,
    )


def test_everything_that_terms_can_say() -> None:
    """Each key arrives in its field."""
    text = HEAD + f'rounds = 7\ncontributions = "sealed"\noperator_key = "{FIRST}"\nmatch_id = "{"ab" * 16}"\n'
    text += "[settings]\nend_at = 6\nreseat = true\n" + SEATS.replace('"Cleo"', f'"Cleo"\nkey = "{SECOND}"')
    terms = read(text)
    assert (terms.rounds, terms.contributions, terms.match_id) == (7, Contributions.SEALED, b"\xab" * 16)
    assert (terms.operator_key.hex(), terms.seats[2].key.hex()) == (FIRST, SECOND)
    assert (terms.rules.end_at, terms.rules.reseat) == (6, True)


@pytest.mark.parametrize("kind", SeatKind)
def test_every_kind_of_seat(kind: SeatKind) -> None:
    """By the names that the log's JSON uses too."""
    assert read(HEAD + SEATS.replace('"easy"', f'"{kind}"')).seats[1].kind is kind


@pytest.mark.parametrize("changes", ["", "rounds = 1000", 'contributions = "none"', f'operator_key = "{FIRST}"'])
def test_terms_that_are_read_can_be_logged(changes: str) -> None:
    """What is accepted makes a first record that decodes again."""
    terms = read(HEAD + changes + "\n" + SEATS)
    assert Log(encode_record(terms)).terms == terms


def test_the_ruleset_is_loaded_by_name_with_its_overrides() -> None:
    """Where rulesets come from is the caller's affair."""
    asked: list[tuple[str, Mapping[str, Any]]] = []

    def load(name: str, changes: Mapping[str, Any]) -> Ruleset:
        asked.append((name, changes))
        return load_preset("president", changes)

    read_terms_file(HEAD.replace("president", "mine.toml") + "[settings]\nend_at = 2\n" + SEATS, MATCH_ID, load)
    read_terms_file(HEAD + SEATS, MATCH_ID, load)
    assert asked == [("mine.toml", {"end_at": 2}), ("president", {})]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[", "no TOML: "),
        ("sequence = 3\nsequence = 3", "no TOML: "),
        ("", "`sequence` is missing"),
        ("sequence = 3", "`ruleset` is missing"),
        (HEAD, "`seats` is missing"),
        (HEAD + "more = 1\n" + SEATS, "`more` is unknown"),
        (HEAD + "beacon = ''\n" + SEATS, "`beacon` is unknown"),
        (HEAD.replace("3", "-1") + SEATS, "`sequence`: "),
        (HEAD.replace("3", str(MAX_INT + 1)) + SEATS, "`sequence`: "),
        (HEAD.replace("3", '"3"') + SEATS, "`sequence`: "),
        (HEAD.replace("3", "3.0") + SEATS, "`sequence`: "),
        (HEAD.replace("3", "true") + SEATS, "`sequence`: "),
        (HEAD.replace('"president"', "7") + SEATS, "`ruleset`"),
        (HEAD.replace('"president"', '""') + SEATS, "there is no ruleset ``"),
        (HEAD.replace("president", "bridge") + SEATS, "there is no ruleset `bridge`"),
        (HEAD + "seats = 3", "`seats` is no list of tables"),
        (HEAD + "seats = ['Ann']", "`seats` is no list of tables"),
        (HEAD + "[seats]\nname = 'Ann'", "`seats` is no list of tables"),
        (HEAD + "rounds = 0\n" + SEATS, "`rounds`: "),
        (HEAD + f"rounds = {MAX_ROUNDS + 1}\n" + SEATS, "`rounds`: "),
        (HEAD + "rounds = '5'\n" + SEATS, "`rounds`: "),
        (HEAD + "rounds = 4\n" + SEATS, "the match lasts longer than its maximum of rounds"),
        (HEAD + "contributions = 'open'\n" + SEATS, "`contributions` cannot be `open`"),
        (HEAD + "contributions = 1\n" + SEATS, "`contributions` cannot be `1`"),
        (HEAD + "contributions = ['none']\n" + SEATS, "`contributions` cannot be `['none']`"),
        (HEAD + "operator_key = 'ab'\n" + SEATS, "`operator_key` is not 32 bytes in hexadecimal"),
        (HEAD + f"operator_key = '{'zz' * 32}'\n" + SEATS, "`operator_key` is not 32 bytes"),
        (HEAD + "operator_key = 5\n" + SEATS, "`operator_key` is not 32 bytes"),
        (HEAD + f"operator_key = '{'00' * 32}'\n" + SEATS, "`operator_key` is a weak Ed25519 key"),
        (HEAD + f"operator_key = '{'ff' * 32}'\n" + SEATS, "`operator_key` is a weak Ed25519 key"),
        (HEAD + f"match_id = '{'00' * 15}'\n" + SEATS, "`match_id` is not 16 bytes in hexadecimal"),
        (HEAD + f"match_id = '{'00' * 32}'\n" + SEATS, "`match_id` is not 16 bytes in hexadecimal"),
        (HEAD + SEATS.replace('kind = "easy"', "colour = 'red'"), "`colour` is unknown"),
        (HEAD + SEATS.replace('"easy"', '"expert"'), "`kind` cannot be `expert`"),
        (HEAD + SEATS.replace('name = "Bo"\n', ""), "`name`: "),
        (HEAD + SEATS.replace('"Bo"', '""'), "`name`: "),
        (HEAD + SEATS.replace('"Bo"', "5"), "`name`: "),
        (HEAD + SEATS.replace('"Bo"', f'"{"x" * 65}"'), "`name`: "),
        (HEAD + SEATS.replace('"Bo"', f'"{"ä" * 33}"'), "`name`: "),
        (HEAD + SEATS.replace('"Bo"', '"B\\to"'), "`name`: a control character in a text"),
        (HEAD + SEATS.replace('kind = "easy"', f'key = "{"01" + "00" * 31}"'), "`key` is a weak Ed25519 key"),
        (HEAD + SEATS.replace('kind = "easy"', "key = '00'"), "`key` is not 32 bytes in hexadecimal"),
        (
            HEAD + f'operator_key = "{FIRST}"\n' + SEATS.replace('kind = "easy"', f'key = "{FIRST}"'),
            "a key is used twice",
        ),
        (
            HEAD + SEATS.replace('"Bo"', f'"Bo"\nkey="{FIRST}"').replace('"Ann"', f'"Ann"\nkey="{FIRST}"'),
            "a key is used",
        ),
        (HEAD + SEATS + SEATS + SEATS, "ruleset `president` is for 3 to 8 seats, not 9"),
        (HEAD + SEATS[: SEATS.rindex("[[")], "ruleset `president` is for 3 to 8 seats, not 2"),
        (HEAD + "seats = []", "ruleset `president` is for 3 to 8 seats, not 0"),
        (
            HEAD
            + "contributions = 'sealed'\n"
            + SEATS.replace('"Ann"', '"Ann"\nkind = "bot"').replace('"Cleo"', '"Cleo"\nkind = "hard"'),
            "sealed contributions without a human seat",
        ),
        (HEAD + "[settings]\nend_at = -1\n" + SEATS, "`end_at` cannot be `-1`"),
        (HEAD + "[settings]\nends_at = 1\n" + SEATS, "`ends_at` is no setting"),
    ],
)
def test_a_mistake_is_named(text: str, what: str) -> None:
    """Each with the key at fault, in the words of every error."""
    assert what in refused(text).what


@pytest.mark.parametrize("value", ["5", '"end_at"', "[1, 2]", "[['end_at', 2]]", "true"])
def test_settings_that_are_no_table_are_a_mistake(value: str) -> None:
    """Overrides are keys and values, and nothing that happens to look like them."""
    assert "`settings`" in refused(HEAD + f"settings = {value}\n" + SEATS).what


def test_every_conflict_of_the_settings_is_named() -> None:
    """All at once, each with its hint."""
    with pytest.raises(RulesetError) as caught:
        read(HEAD + "[settings]\nend_at = 0\nties = 'none'\nexchange_vice = 4\n" + SEATS)
    assert len(caught.value.conflicts) == 3
    assert all(what and hint for what, hint in caught.value.conflicts)


def test_unknown_keys_are_answered_with_the_known_ones() -> None:
    """The hint lists what could have been meant."""
    assert refused(HEAD + "Rounds = 5\n" + SEATS).hint == f"keys: {', '.join(KEYS)}"
    error = refused(HEAD + SEATS.replace("kind", "Kind"))
    assert (error.where, error.hint) == ("seat 1", f"keys: {', '.join(SEAT_KEYS)}")


@pytest.mark.parametrize(
    ("name", "seat"),
    [("[[seats]]\nname = 'D'\nkey = 'x'\n", "seat 3"), ("[[seats]]\nname = 'D'\nkind = 'x'\n", "seat 3")],
)
def test_a_mistake_in_a_seat_names_the_seat(name: str, seat: str) -> None:
    """Seats count from 0, as everywhere."""
    assert refused(HEAD + SEATS + name).where == seat


def test_no_text_of_a_key_that_is_wrong_is_repeated() -> None:
    """A private key pasted by mistake is not printed."""
    private = "5e" * 33
    error = refused(HEAD + f"operator_key = '{private}'\n" + SEATS)
    assert not re.search("5e5e", f"{error} {error.what} {error.hint}")
