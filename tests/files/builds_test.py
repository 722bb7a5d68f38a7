#!/usr/bin/env python3
"""Random builds of Minecraft, written by other programs' writers, against what aureole makes of them.

    python3 tests/files/builds_test.py PROGRAM

The Python packages nbtlib, litemapy and mcschematic, which pip downloads from PyPI, write the same build as .schem
(Sponge 2), .schem (Sponge 3), .schematic, .litematic and .nbt. Each is voxelised with a voxel for a block and exported
as .vox. A block that is next to nothing or to what is clear must be there, no voxel may be where there is no block, and
blocks of one name must have one colour. tools/test.sh --full runs this; it needs a network.
"""

import collections
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

SIZE = (19, 14, 17)
WRITERS = ["nbtlib==2.0.4", "litemapy==0.11.0b0", "mcschematic==11.4.4"]
CLEAR = {"glass", "water", "red_stained_glass"}
# The old numbers of blocks, with their data.
NUMBERS = {"air": (0, 0), "stone": (1, 0), "oak_planks": (5, 0), "spruce_log": (17, 1), "red_wool": (35, 14),
           "light_blue_wool": (35, 3), "glass": (20, 0), "water": (9, 0), "gold_block": (41, 0), "glowstone": (89, 0),
           "red_stained_glass": (95, 14), "poppy": (38, 0), "rail": (66, 0), "sandstone": (24, 0)}
NOTHING = {"air", "poppy", "rail"}


def random_build(seed):
    """A block's name for each place: lumps of one kind, so that some are hidden."""
    chooser = random.Random(seed)
    build = {(x, y, z): "air" for x in range(SIZE[0]) for y in range(SIZE[1]) for z in range(SIZE[2])}
    for _ in range(25):
        low = [chooser.randrange(side - 1) for side in SIZE]
        high = [min(side, at + chooser.randrange(1, 8)) for at, side in zip(low, SIZE)]
        name = chooser.choice(sorted(NUMBERS))
        for place in build:
            if all(a <= p < b for a, p, b in zip(low, place, high)):
                build[place] = name
    build[(0, 0, 0)] = build[tuple(side - 1 for side in SIZE)] = "stone"  # so that the voxels are as wide as the build
    return build


def in_order(build):
    return [build[(x, y, z)] for y in range(SIZE[1]) for z in range(SIZE[2]) for x in range(SIZE[0])]


def write_all(build, folder):
    import litemapy
    import mcschematic
    import nbtlib
    import numpy
    from nbtlib import tag

    sponge = mcschematic.MCSchematic()
    region = litemapy.Region(0, 0, 0, *SIZE)
    for place, name in build.items():
        sponge.setBlock(place, "minecraft:" + name)
        region[place] = litemapy.BlockState("minecraft:" + name)
    sponge.save(str(folder), "sponge2", mcschematic.Version.JE_1_19_2)
    region.as_schematic(name="a", author="b", description="c").save(str(folder / "a.litematic"))

    names = sorted(set(build.values()))
    sides = {key: tag.Short(side) for key, side in zip(("Width", "Height", "Length"), SIZE)}
    numbers = numpy.array([names.index(name) for name in in_order(build)], numpy.int8)
    palette = tag.Compound({"minecraft:" + name: tag.Int(i) for i, name in enumerate(names)})
    third = tag.Compound({"Version": tag.Int(3), "DataVersion": tag.Int(3955), **sides,
                          "Blocks": tag.Compound({"Palette": palette, "Data": tag.ByteArray(numbers)})})
    nbtlib.File({"Schematic": third}, gzipped=True).save(str(folder / "sponge3.schem"))
    old = [NUMBERS[name] for name in in_order(build)]
    nbtlib.File({"Materials": tag.String("Alpha"), **sides,
                 "Blocks": tag.ByteArray(numpy.array([n for n, _ in old], numpy.uint8).astype(numpy.int8)),
                 "Data": tag.ByteArray(numpy.array([d for _, d in old], numpy.int8))},
                gzipped=True, root_name="Schematic").save(str(folder / "old.schematic"))
    states = tag.List[tag.Compound]([tag.Compound({"Name": tag.String("minecraft:" + name)}) for name in names])
    blocks = tag.List[tag.Compound]([
        tag.Compound({"pos": tag.List[tag.Int]([tag.Int(p) for p in place]), "state": tag.Int(names.index(name))})
        for place, name in build.items()])
    nbtlib.File({"DataVersion": tag.Int(3955), "size": tag.List[tag.Int]([tag.Int(side) for side in SIZE]),
                 "palette": states, "blocks": blocks}, gzipped=True).save(str(folder / "structure.nbt"))
    return ["sponge2.schem", "sponge3.schem", "old.schematic", "a.litematic", "structure.nbt"]


def chunks(content):
    at = 20  # behind the heads of the file and of MAIN
    while at < len(content):
        size, = struct.unpack_from("<i", content, at + 4)
        yield content[at:at + 4].decode(), content[at + 12:at + 12 + size]
        at += 12 + size


def voxels_of(file):
    """The colours of the voxels by their places, the least of which is (0, 0, 0)."""
    found = {}
    size = None
    for name, chunk in chunks(file.read_bytes()):
        if name == "SIZE":
            size = struct.unpack("<iii", chunk)
        elif name == "XYZI":
            for at in range(4, len(chunk), 4):
                x, y, z, colour = chunk[at:at + 4]
                found[(x, z, size[1] - 1 - y)] = colour  # MagicaVoxel has z up
    return found


def problems_of(build, voxels):
    def is_seen(place):
        if build[place] in CLEAR:
            return True
        for axis in range(3):
            for step in (-1, 1):
                near = list(place)
                near[axis] += step
                other = build.get(tuple(near), "air")
                if other in NOTHING or other in CLEAR:
                    return True
        return False

    solid = {place for place, name in build.items() if name not in NOTHING}
    missing = {place for place in solid if is_seen(place)} - set(voxels)
    colours = collections.defaultdict(set)
    for place, colour in voxels.items():
        if place in solid and is_seen(place):
            colours[build[place]].add(colour)
    if missing:
        yield f"{len(missing)} blocks are missing, as the one at {min(missing)}"
    if set(voxels) - solid:
        yield f"{len(set(voxels) - solid)} voxels are no blocks, as the one at {min(set(voxels) - solid)}"
    for name, several in colours.items():
        if len(several) > 1:
            yield f"'{name}' has {len(several)} colours"
    if len({min(colour) for colour in colours.values()}) < len(colours):
        yield "blocks of different names have one colour"


def main():
    program = sys.argv[1]
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target",
                        str(folder / "packages"), *WRITERS], check=True)
        sys.path.insert(0, str(folder / "packages"))
        for seed in range(6):
            build = random_build(seed)
            for file in write_all(build, folder):
                octree, vox = folder / "build.avo", folder / "build.vox"
                subprocess.run([program, "voxelize", str(folder / file), "-o", str(octree), "--resolution",
                                str(max(SIZE))], check=True, capture_output=True)
                subprocess.run([program, "export", str(octree), "-o", str(vox)], check=True, capture_output=True)
                for problem in problems_of(build, voxels_of(vox)):
                    print(f"build {seed}, {file}: {problem}")
                    failures += 1
                octree.unlink()
                vox.unlink()
    print(f"{failures} faults in 6 builds of 5 formats")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
