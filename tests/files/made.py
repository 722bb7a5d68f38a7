"""Extremes that are made for the purpose, each with what is to become of it."""

import itertools

import made_builds
import made_gltf
import made_meshes
import made_packed
import made_pictures
import made_text
from trial import Trial


def write_all(folder):
    """Writes the files, each into a folder of its own in `folder`. Returns pairs of a trial and its case."""
    made = []
    sources = (made_meshes, made_text, made_gltf, made_packed, made_pictures, made_builds)
    for case in itertools.chain.from_iterable(source.cases() for source in sources):
        place = folder / f"{len(made):03}"
        place.mkdir(parents=True)
        for name, content in {case.name: case.content, **case.beside}.items():
            (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        made.append((Trial("made", place / case.name, case.role), case))
    return made
