"""Writing the vectors. They are never edited by hand: making them again must leave the tree unchanged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from fairdeal.anchor import EVIDENCE_FILES
from fairdeal.vectors.envelope import stage_json
from fairdeal.vectors.samples import FOLDER, match_stage, sample_files, sound_samples
from fairdeal.vectors.stages.accumulated import accumulated_stage
from fairdeal.vectors.stages.bots import bots_stage
from fairdeal.vectors.stages.codec import codec_stage
from fairdeal.vectors.stages.deal import deal_stage, shuffle_stage
from fairdeal.vectors.stages.exchange import exchange_stage
from fairdeal.vectors.stages.perft import perft_stage
from fairdeal.vectors.stages.play import play_stage
from fairdeal.vectors.stages.receipt import receipt_stage
from fairdeal.vectors.stages.rulebooks import NAME, rulebooks_json
from fairdeal.vectors.stages.score import score_stage
from fairdeal.vectors.stages.seeds import contributions_stage, seeds_stage
from fairdeal.vectors.stages.signature import signature_stage
from fairdeal.vectors.stages.table import table_stage
from fairdeal.vectors.stages.ticket import ticket_stage


@cache
def vector_files() -> Mapping[str, bytes]:
    """Return every vector file's bytes by its path; made once in a process."""
    samples = sound_samples()
    matches, faulty = match_stage(samples)
    names = ("four-seats-signed", "three-seats", "eight-seats-all-keys")
    signed, plain, all_signed = (samples[name] for name in names)
    stages = (
        seeds_stage(),
        contributions_stage(),
        shuffle_stage(),
        deal_stage(),
        ticket_stage([signed, plain, all_signed]),
        play_stage(),
        exchange_stage(),
        table_stage(),
        score_stage(),
        perft_stage(),
        bots_stage(),
        codec_stage([signed, all_signed]),
        signature_stage(all_signed),
        receipt_stage(signed, plain),
        matches,
        accumulated_stage(),
    )
    texts = {stage.name: stage_json(stage) for stage in stages}
    texts[NAME] = rulebooks_json({name: json.loads(text) for name, text in texts.items()})
    files = {f"{name}.json": text.encode("ascii") for name, text in texts.items()}
    return MappingProxyType(files | sample_files(samples) | faulty)


def make(folder: Path) -> list[Path]:
    """Write all vectors below `folder` and remove logs and evidence there that are no longer made; return the paths.

    Other files are left alone.
    """
    files = {folder / name: data for name, data in vector_files().items()}
    for name in ("*.fdl", *EVIDENCE_FILES):
        for old in sorted((folder / FOLDER).rglob(name)):
            if old not in files:
                old.unlink()
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sorted(files)
