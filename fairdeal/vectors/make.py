"""Writing the vectors. They are never edited by hand: making them again must leave the tree unchanged."""

from __future__ import annotations

from pathlib import Path

from fairdeal.anchor import EVIDENCE_FILES
from fairdeal.vectors.envelope import stage_json
from fairdeal.vectors.samples import FOLDER, match_stage, sample_files, sound_samples
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
