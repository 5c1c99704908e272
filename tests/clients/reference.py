"""A second implementation of protocol `fairdeal/v1`, small and slow, made from the text of vectors/SPEC.md alone.

It answers the runner's requests on standard input for the stages in `STAGES` and shares no code with the package: where
the two agree, the text has said enough. Headings in quotation marks are those of SPEC.md.
"""

import base64
import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # run as a script, it has to find its other modules

from tests.clients.reference_base import (
    HASH,
    KEY,
    Invalid,
    Json,
    Malformed,
    Sized,
    check,
    deal,
    enc,
    hkdf,
    make_transcript,
    names,
    read_value,
    root_and_path,
    sha256,
    shuffle,
    sides,
    tagged,
)
from tests.clients.reference_bots import answer_bots
from tests.clients.reference_game import answer_exchange, answer_play
from tests.clients.reference_log import read_log

# --- "Ticket"


def decode_ticket(line: str) -> Json:
    """Give the values by their names in vectors/README.md; ValueError is for what is no base64 at all."""
    data = base64.urlsafe_b64decode(line[4:] + "=" * (-len(line) % 4))
    again = "fd1." + base64.urlsafe_b64encode(data).decode().rstrip("=")
    value, end = read_value(data[:-4], 0)
    if len(line) > 1000 or line != again or end != len(data) - 4 or data[-4:] != tagged("ticket", data[:-4])[:4]:
        raise Malformed
    shape = {"version": range(1, 2), "termsHash": HASH, "rounds": range(1, 1001), "round": range(1, 1001)}
    shape |= {"fingerprint": HASH, "path": Sized(list, range(11), HASH), "contributions": Sized(list, range(3, 9), KEY)}
    shape |= {"packs": range(1, 3), "jokers": range(0, 3, 2), "position": range(8), "seat": range(8)}
    ticket: Json = check(value, shape)
    del ticket["version"]
    if ticket["round"] > ticket["rounds"] or max(ticket["position"], ticket["seat"]) >= len(ticket["contributions"]):
        raise Malformed
    if len(ticket["path"]) != len(sides(ticket["round"] - 1, ticket["rounds"])):
        raise Malformed
    return ticket


# --- stages: what comes out for the inputs of a test ("Envelope" of vectors/README.md)


def answer_seeds(given: Json) -> Json:
    secret, terms_hash, rounds = given["secret"], given["termsHash"], given["rounds"]
    infos = [enc("round-seed", r) for r in range(1, rounds + 1)]
    seeds = [hkdf(secret, terms_hash, info, 32) for info in infos]
    prints = [tagged("fingerprint", terms_hash, r, seed) for r, seed in enumerate(seeds, 1)]
    leaves = [sha256(b"\0" + fingerprint) for fingerprint in prints]
    root, _ = root_and_path(leaves, 0)
    commitment = tagged("commitment", terms_hash, rounds, root)
    if "listed" not in given:
        if commitment != given["commitment"]:
            raise Invalid("commitment", "close.secret")
        return {}
    paths = [root_and_path(leaves, r - 1)[1] for r in given["listed"]]
    columns = {"seedInfo": infos, "seeds": seeds, "fingerprints": prints, "leaves": leaves}
    listed = {name: [column[r - 1] for r in given["listed"]] for name, column in columns.items()}
    return {**listed, "paths": paths, "root": root, "commitment": commitment}


def answer_contributions(given: Json) -> Json:
    def seal(seat: int, contribution: bytes) -> bytes:
        return tagged("contribution", given["termsHash"], given["commitment"], seat, contribution)

    if "seal" in given:
        if seal(given["seat"], given["contribution"]) != given["seal"]:
            raise Invalid("contribution-opening", f"opened[{given['seat']}]")
        return {}
    values = given["contributions"]
    return {
        "seals": [seal(seat, value) if value else b"" for seat, value in enumerate(values)],
        "encodedContributions": enc("contributions", *values),
        "transcript": make_transcript(given["termsHash"], given["commitment"], values),
    }


def answer_deal(given: Json) -> Json:
    seed, transcript, number = given["seed"], given["transcript"], given["round"]
    order = deal(seed, transcript, number, given["packs"], given["jokers"])
    return {
        "streamInfo": enc("deck", number),
        "stream": hkdf(seed, transcript, enc("deck", number), 192),
        "order": order,
        "hands": [names(order[position :: given["seats"]]) for position in range(given["seats"])],
        "blind": hkdf(seed, transcript, enc("blind", number), 16),
    }


def answer_ticket(given: Json) -> Json:
    try:
        ticket = decode_ticket(given["ticket"])
    except (Malformed, ValueError):
        raise Invalid("malformed", "") from None
    terms_hash, rounds, number = ticket["termsHash"], ticket["rounds"], ticket["round"]
    root = sha256(b"\0" + ticket["fingerprint"])
    for other, side in zip(ticket["path"], sides(number - 1, rounds), strict=True):
        root = sha256(b"\1" + (root + other if side == "right" else other + root))
    ticket["commitment"] = tagged("commitment", terms_hash, rounds, root)
    ticket["transcript"] = make_transcript(terms_hash, ticket["commitment"], ticket["contributions"])
    if "seed" in given:
        if tagged("fingerprint", terms_hash, number, given["seed"]) != ticket["fingerprint"]:
            raise Invalid("ticket-fingerprint", "seed")
        order = deal(given["seed"], ticket["transcript"], number, ticket["packs"], ticket["jokers"])
        ticket["hand"] = names(sorted(order[ticket["position"] :: len(ticket["contributions"])]))
    return ticket


def answer_shuffle(given: Json) -> Json:
    return shuffle(given["cards"], given["stream"])


def answer_codec(given: Json) -> Json:
    return read_log(given["log"])


STAGES = {
    "seeds": answer_seeds,
    "contributions": answer_contributions,
    "shuffle": answer_shuffle,
    "deal": answer_deal,
    "ticket": answer_ticket,
    "play": answer_play,
    "exchange": answer_exchange,
    "bots": answer_bots,
    "codec": answer_codec,
}


def to_bytes(value: Any) -> Any:
    if isinstance(value, list):
        return [to_bytes(entry) for entry in value]
    return bytes.fromhex(value) if isinstance(value, str) else value


def answer(request: Json) -> Json:
    if "hello" in request:
        return {"name": "reference client", "stages": list(STAGES)}
    if request["stage"] not in STAGES:
        return {"declined": "not a stage of this client"}
    as_text = ("ticket", "hand", "hands", "history", "action", "gifts", "gift", "rules")
    given = {name: value if name in as_text else to_bytes(value) for name, value in request["input"].items()}
    try:
        return {"output": STAGES[request["stage"]](given)}
    except Invalid as fault:
        return {"invalid": dict(zip(("code", "place"), fault.args, strict=True))}


def main() -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        sys.stdout.write(json.dumps({"id": request["id"], **answer(request)}, default=bytes.hex) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
