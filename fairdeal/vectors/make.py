"""Writing the vectors. They are never edited by hand: making them again must leave the tree unchanged."""

from __future__ import annotations

from pathlib import Path

from fairdeal.vectors.envelope import stage_json
from fairdeal.vectors.samples import match_stage, sample_files, sound_samples
from fairdeal.vectors.stages import (
    codec_stage,
    contributions_stage,
    deal_stage,
    seeds_stage,
    shuffle_stage,
    ticket_stage,
)


def vector_files() -> dict[str, bytes]:
    """Return every vector file's bytes by its path."""
    samples = sound_samples()
    matches, faulty = match_stage(samples)
    small = [samples[name] for name in ("four-seats-signed", "three-seats", "eight-seats-all-keys")]
    stages = (
        seeds_stage(),
        contributions_stage(),
        shuffle_stage(),
        deal_stage(),
        ticket_stage(small),
        codec_stage(small),
        matches,
    )
    files = {f"{stage.name}.json": stage_json(stage).encode("ascii") for stage in stages}
    return files | sample_files(samples) | faulty


def make(folder: Path) -> list[Path]:
    """Write all vectors below `folder` and remove files there that are no longer made; return the paths, sorted."""
    files = {folder / name: data for name, data in vector_files().items()}
    for old in sorted(folder.rglob("*")):
        if old.is_file() and old not in files:
            old.unlink()
    for path, data in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return sorted(files)
