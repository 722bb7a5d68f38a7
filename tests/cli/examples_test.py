"""Runs the examples of every command's help, as they stand but for numbers that make them small. Argument: the built
program."""

import copy
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv[1])
SCENE = {
    "version": 1,
    "materials": {"white": {"albedo": 0.7}},
    "assets": {"block": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}}},
    "instances": {"block": {"asset": "block", "material": "white"},
                  "floor": {"asset": "block", "translate": [0, -1, 0]}},
    "cameras": {"front": {"position": [1, 1, 3], "target": [0, 0, 0], "verticalFov": 40}},
    "environment": {"type": "constant", "radiance": 1},
    "film": {"size": [16, 12]},
    "voxels": {"resolution": 16},
    "integrator": {"samplesPerPixel": 8},
}
TEXTURE = {"type": "reaction_diffusion", "size": [16, 12], "steps": 48, "feed": 0.037, "kill": 0.06, "spots": 2}
# What examples say, and what is run instead.
SMALLER = [
    (r"--spp \d+(,\d+)+", "--spp 8,16"),
    (r"--spp \d+\b(?!,)", "--spp 8"),
    (r"--size \d+x\d+", "--size 16x12"),
    (r"--sizes \d+x\d+", "--sizes 24x20"),
    (r"--sizes 4096 --sweep 4096", "--sizes 64 --sweep 64 --rows 4"),
    (r"/steps=\d+", "/steps=60"),
    (r"--time \S+", "--time 0.2s"),
    (r"--samples 0:64", "--samples 0:8"),
    (r"--samples 64:128", "--samples 8:16"),
    (r"--crop 0,0,640,720", "--crop 0,0,8,12"),
    (r"--crop 640,0,1280,720", "--crop 8,0,16,12"),
    (r"--frames 0:48", "--frames 0:2"),
    (r"--resolution \d+,\d+,\d+", "--resolution 16,24,32"),
    (r"--resolution \d+(?!,)\b", "--resolution 16"),
    (r"--reference \d+", "--reference 16"),
    (r"--gyroid \d+,\d+", "--gyroid 64,128"),
    (r"--items \d+", "--items 4096"),
    (r"--workgroup 128,256,512 --rows 2,4,8", "--workgroup 128,256 --rows 4"),
    (r"--lengths 1024,1280", "--lengths 64,80"),
    (r"--batch \d+", "--batch 4"),
    (r"--kernel-size \d+", "--kernel-size 9"),
    (r"--level 4", "--level 2"),
    # A machine has these of its own.
    (r"--device 1\b", "--device 0"),
    (r"--device all\b", "--device all --allow-cpu"),
]
# What is large by default, where an example does not say otherwise: which examples, what they may say, what is added.
SIZES = [
    ("render model", "--size", "--size 32x18"),
    ("render model", "--spp", "--spp 4"),
    # A software device takes longer for its kernels than for such a picture.
    ("render ", r"--backend|--device|--allow-cpu|--level|--resolution|\.avo", "--backend reference"),
    ("bench ", "--repeats", "--repeats 1"),
    ("bench scan", "--items", "--items 4096"),
    ("bench fft", "--lengths|--sizes", "--lengths 64"),
    ("bench bloom", "--size", "--size 24x20"),
    ("bench bloom", "--kernel-size", "--kernel-size 9"),
    ("bench render", "--resolution", "--resolution 16"),
    ("bench render", "--size", "--size 16x12"),
    ("bench render", "--spp", "--spp 8"),
    ("bench render", "--reference|--all", "--reference 16"),
    ("bench render", "--strategy|--all", "--strategy bsdf,mis"),
    ("bench denoise", "--resolution", "--resolution 16"),
    ("bench denoise", "--size", "--size 16x12"),
    ("bench denoise", "--reference", "--reference 16"),
    ("bench texture", "--sizes", "--sizes 64 --sweep 64 --rows 4 --fused 1,4"),
    ("bench traverse", r"--gyroid|\.json |\.avo ", "--gyroid 64"),
    ("bench traverse", "--size", "--size 16x12"),
    ("bench traverse", "--rays", "--rays primary,bounce1"),
]


def run(command, folder):
    # The validation layer looks on in the suite cli: it doubles the time of runs as small as these.
    environment = {**os.environ, "AUREOLE_VALIDATION": os.environ.get("AUREOLE_FULL", "0"), "HOME": str(folder),
                   "XDG_CACHE_HOME": str(folder / ".cache"), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True,
                          check=False, timeout=120)


def cube():
    """A closed cube as (positions, triangles)."""
    positions = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return positions, [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def glb():
    positions, triangles = cube()
    binary = b"".join(struct.pack("<3f", *p) for p in positions)
    binary += b"".join(struct.pack("<3H", *t) for t in triangles)
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(binary)}],
        "bufferViews": [{"buffer": 0, "byteLength": 96}, {"buffer": 0, "byteOffset": 96, "byteLength": 72}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3", "min": [0, 0, 0],
                       "max": [1, 1, 1]},
                      {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"}],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<2I", len(text), 0x4E4F534A) + text + struct.pack("<2I", len(binary), 0x004E4942) + binary
    return struct.pack("<3I", 0x46546C67, 2, 12 + len(chunks)) + chunks


def obj():
    positions, triangles = cube()
    return "".join(f"v {x} {y} {z}\n" for x, y, z in positions) + "".join(
        f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)


def fill(folder):
    """Makes the files that examples name and do not make themselves."""
    (folder / "bin").mkdir()
    (folder / "bin/aureole").symlink_to(PROGRAM)
    for place in ("scenes", ".zfunc", ".local/share/bash-completion/completions", ".config/fish/completions"):
        (folder / place).mkdir(parents=True)
    for name in ("scene.json", "city.json", "scenes/cornell.json", "scenes/city.json"):
        (folder / name).write_text(json.dumps(SCENE))
    (folder / "scenes/balls.json").write_text(json.dumps({**SCENE, "bloom": {"kernel": "default"}}))
    turn = copy.deepcopy(SCENE)
    turn["animation"] = {"camera": "front", "turntable": {"frames": 48}}
    (folder / "turn.json").write_text(json.dumps(turn))
    (folder / "labyrinth.json").write_text(json.dumps(TEXTURE))
    (folder / "model.glb").write_bytes(glb())
    (folder / "bunny.obj").write_text(obj())
    result = run("aureole render scene.json -o in.exr --aov albedo,halves && aureole convert in.exr -o photo.png",
                 folder)
    assert result.returncode == 0, result.stderr
    for name in ("render", "reference", "merged", "turn.00", "turn.01", "turn.001", "turn.002",
                 "noisy.000", "noisy.001"):
        shutil.copy(folder / "in.exr", folder / f"{name}.exr")
    for name in ("star", "render", "reference"):
        shutil.copy(folder / "photo.png", folder / f"{name}.png")


def helps(command=""):
    """The help of the program, of its commands and of theirs."""
    result = subprocess.run([PROGRAM, *command.split(), "--help"], capture_output=True, text=True, check=True,
                            timeout=60)
    yield command, result.stdout
    listed = re.search(r"^(?:Commands|Benchmarks):\n((?:  .*\n)+)", result.stdout, re.MULTILINE)
    for name in re.findall(r"^  ([a-z]+) ", listed[1] if listed else "", re.MULTILINE):
        yield from helps(f"{command} {name}".strip())


def smaller(example, uuid):
    for pattern, replacement in SMALLER:
        example = re.sub(pattern, replacement, example)
    example = re.sub(r"uuid:[0-9a-f]{32}", uuid, example)
    example, comment, rest = example.partition(" # ")
    for command, option, size in SIZES:
        if example.startswith(f"aureole {command}") and not re.search(option, example + " "):
            example += f" {size}"
    return example + comment + rest


class ExamplesTest(unittest.TestCase):
    def test_all_of_them_run(self):
        count = 0
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            fill(folder)
            uuid = re.search(r"uuid:[0-9a-f]{32}", run("aureole devices", folder).stdout)[0]
            for command, text in helps():
                examples = re.search(r"^Examples:\n((?:  .*\n)+)", text, re.MULTILINE)
                self.assertTrue(examples, command)
                lines = examples[1].splitlines()
                # A benchmark compiles many kernels: of its examples the first stands for all but in exhaustive runs.
                if command.startswith("bench") and os.environ.get("AUREOLE_FULL", "0") == "0":
                    lines = lines[:1]
                for example in lines:
                    count += 1
                    line = smaller(example.strip(), uuid)
                    with self.subTest(line):
                        self.assertTrue(line.startswith("aureole "), line)
                        result = run(line, folder)
                        self.assertEqual(result.returncode, 0, f"{line}\n{result.stderr}")
        self.assertGreater(count, 60)


if __name__ == "__main__":
    unittest.main(argv=["examples_test"])
