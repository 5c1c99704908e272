"""Archives of sound matches with known faults between them, and what must be found for each."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fairdeal.codes import Code
from fairdeal.records import CloseReason
from tests.archive.making import OPERATORS, SEAT_KEYS, Wanted, fresh, name_of, value, written

MINE, OTHERS = OPERATORS[:2]
FIRST_OF_OTHERS = 5  # the other operator's numbers begin with it


class Planted(NamedTuple):
    """A finding that must come: its code, words that its text holds, and the files that it names."""

    code: Code
    words: str
    names: tuple[str, ...] = ()


def wanted(number: int) -> Wanted:
    """Return the match under a number of the archive: one in ten is void, one in seven has contributions."""
    if number % 10 == 3:
        reason = (CloseReason.STOPPED, CloseReason.NOT_OPENED)[number // 10 % 2]
        owing = reason is CloseReason.NOT_OPENED
        return Wanted(
            number,
            key=MINE,
            contributions=fresh(number),
            seat_keys=SEAT_KEYS,
            close=reason,
            blamed=2 if owing else None,
            opened=2 if owing else 3,
        )
    return Wanted(number, key=MINE, contributions=fresh(number) if number % 7 == 0 else None)


def sound(count: int) -> Iterator[tuple[str, bytes]]:
    """Yield the logs of an archive without any fault, by name.

    Beside those of one operator there are another's with the same numbers, copies, beginnings of running matches, and
    matches of nobody in particular.
    """
    for number in range(1, count + 1):
        yield f"mine/{name_of(number)}", written(wanted(number))
    for number in range(FIRST_OF_OTHERS, FIRST_OF_OTHERS + count // 10):
        yield f"others/{name_of(number)}", written(Wanted(1_000_000 + number, sequence=number, key=OTHERS))
        yield f"nobody/{name_of(number)}", written(Wanted(2_000_000 + number, sequence=number))
    for number in range(count - count // 10, count):
        yield f"copies/{name_of(number)}", written(wanted(number))
        yield f"begun/{name_of(number)}", written(wanted(number))[: 200 + number % 300]


def planted(count: int) -> tuple[dict[str, bytes | None], list[Planted]]:
    """Return what to change in an archive of so many matches, None for a log to leave out, and what must be found.

    Each fault has its own part of the archive.
    """
    at = [count * part // 12 for part in range(1, 12)]
    mine = [f"mine/{name_of(number)}" for number in range(count + 1)]
    files: dict[str, bytes | None] = {}
    expected: list[Planted] = []

    def plant(name: str, made: Wanted, *found: Planted) -> None:
        files[name] = written(made)
        expected.extend(found)

    files[mine[at[0]]] = None
    expected.append(Planted(Code.SEQUENCE_GAP, f"number {at[0]} is missing"))
    files[mine[at[1]]] = files[mine[at[1] + 1]] = None
    expected.append(Planted(Code.SEQUENCE_GAP, f"numbers {at[1]} to {at[1] + 1} are missing"))
    new = 3_000_000
    twice = (mine[at[2]], "x/number.fdl")
    plant(
        twice[1],
        Wanted(new, sequence=at[2], key=MINE),
        Planted(Code.SEQUENCE_REPEATED, f"have number {at[2]}", twice),
        Planted(Code.EQUIVOCATION, f"have number {at[2]}", twice),
    )
    secret = value("secret", at[3])
    made = Wanted(new + 1, sequence=FIRST_OF_OTHERS - 1, key=OTHERS, secret=secret)
    plant("x/secret.fdl", made, Planted(Code.SECRET_REPEATED, secret.hex(), (mine[at[3]], "x/secret.fdl")))
    match_id = value("match", at[4])[:16]
    plant(
        "x/match.fdl",
        Wanted(new + 2, match_id=match_id),
        Planted(Code.MATCH_ID_REPEATED, match_id.hex(), (mine[at[4]], "x/match.fdl")),
    )
    commitment = value("commitment", 0)
    for name in ("x/commitment-1.fdl", "x/commitment-2.fdl"):
        plant(name, Wanted(new + 3 + len(files), commitment=commitment))
    names = ("x/commitment-1.fdl", "x/commitment-2.fdl")
    expected.append(Planted(Code.COMMITMENT_REPEATED, commitment.hex(), names))
    number = at[5] // 7 * 7
    given = fresh(number)
    reused = Wanted(new + 20, contributions=(value("a", 0), given[0], value("b", 0)))
    if wanted(number).close is CloseReason.BY_RULE or wanted(number).opened:
        plant("x/seat.fdl", reused, Planted(Code.CONTRIBUTION_REUSED, given[0].hex(), (mine[number], "x/seat.fdl")))
    number = next(one for one in range(at[6], count) if wanted(one).close is CloseReason.BY_RULE)
    told = (mine[number], "x/signed.fdl")
    plant(
        told[1],
        wanted(number)._replace(leads=1),
        Planted(Code.LOGS_DIFFER, "round[1].trick[1].play[1]", told),
        Planted(Code.EQUIVOCATION, "round[1].trick[1].play[1]", told),
    )
    for leads in (0, 2):
        files[f"x/unsigned-{leads}.fdl"] = written(Wanted(new + 30, leads=leads))
    expected.append(Planted(Code.LOGS_DIFFER, "round[1]", ("x/unsigned-0.fdl", "x/unsigned-2.fdl")))
    return files, expected


def written_archive(folder: Path, count: int, changes: dict[str, bytes | None] | None = None) -> Path:
    """Write an archive of sound matches into a folder, with changes, and return the folder."""
    made = dict(changes or {})
    for name, data in sound(count):
        content = made.pop(name, data)
        if content is not None:
            _write(folder / name, content)
    for name, left in made.items():
        if left is not None:
            _write(folder / name, left)
    return folder


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
