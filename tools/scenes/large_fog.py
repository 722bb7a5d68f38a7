#!/usr/bin/env python3
"""Writes a cloud of many voxels as an OpenVDB file.

Usage: large_fog.py OUT.vdb [--voxels N]

For trying how loading and rendering scale; nothing in scenes/ needs it. Densities repeat every 128 voxels, and the
cloud ends in steps of 8, so that leaves are written from few: 10^9 voxels take about a minute and 2.2 GB of disk.
"""

import argparse
import functools
import math
import struct

import vdb

PERIOD = 16  # leaves
LEAF = 8     # voxels


def density(x, y, z):
    """From 0.1 to 1.1, of a period of 128 voxels."""
    t = 2 * math.pi / (PERIOD * LEAF)
    swirl = math.sin(t * x + math.sin(2 * t * y)) * math.sin(t * y + math.sin(3 * t * z)) * math.sin(t * z + 1.0)
    return 0.6 + 0.3 * swirl + 0.2 * math.sin(5 * t * x) * math.sin(7 * t * y) * math.sin(4 * t * z)


@functools.cache
def leafAt(x, y, z):
    """The voxels of a leaf by its place in a period, all active."""
    side = range(LEAF)
    return bytes([255]) * 64 + b"\0" + struct.pack("<512e", *(density(LEAF * x + i, LEAF * y + j, LEAF * z + k)
                                                             for i in side for j in side for k in side))


def isInside(x, y, z, radius):
    """Whether a leaf is in the cloud: a heap with lumps, flat below."""
    lumps = 1 + 0.2 * math.sin(9 * x / radius) * math.sin(11 * y / radius + 1) * math.sin(8 * z / radius + 2)
    return y > -0.5 * radius and x * x + 1.4 * y * y + z * z < radius * radius * lumps


def leavesWithin(radius):
    reach = math.ceil(1.2 * radius)
    span = range(-reach, reach)
    return [(LEAF * x, LEAF * y, LEAF * z) for x in span for y in span for z in span
            if isInside(x + 0.5, y + 0.5, z + 0.5, radius)]


def nodes(leaves):
    """The topology of their tree, with the number of its uppermost nodes, and the leaves in its order."""
    topology, order = [], []
    uppers = vdb.byNode(leaves, 12)
    for upper in sorted(uppers):
        lowers = {vdb.place(corner, 7, 5): inside for corner, inside in vdb.byNode(uppers[upper], 7).items()}
        topology.append(struct.pack("<3i", *upper) + vdb.node(lowers, 32768))
        for _, inside in sorted(lowers.items()):
            places = {vdb.place(leaf, 3, 4): leaf for leaf in inside}
            topology.append(vdb.node(places, 4096))
            for _, leaf in sorted(places.items()):
                topology.append(bytes([255]) * 64)
                order.append(leaf)
    return struct.pack("<IfII", 1, 0.0, 0, len(uppers)) + b"".join(topology), order


def write(path, voxels):
    """At least so many; returns how many."""
    radius = (voxels / LEAF**3 / 3.15) ** (1 / 3)
    leaves = leavesWithin(radius)
    while LEAF**3 * len(leaves) < voxels:
        radius *= 1.01
        leaves = leavesWithin(radius)
    topology, order = nodes(leaves)
    start = vdb.start("density", 2, topology, 1.0, (0, 0, 0), len(order) * (65 + 2 * LEAF**3))
    with open(path, "wb") as out:
        out.write(start)
        for x, y, z in order:
            out.write(leafAt(x // LEAF % PERIOD, y // LEAF % PERIOD, z // LEAF % PERIOD))
    return LEAF**3 * len(order)


def main():
    parser = argparse.ArgumentParser(description="Writes a cloud of many voxels as an OpenVDB file.")
    parser.add_argument("out", help="file to write")
    parser.add_argument("--voxels", type=int, default=10**9, help="at least this many (default: 10^9)")
    options = parser.parse_args()
    if not 10**4 <= options.voxels <= 2**33:
        parser.error(f"--voxels: found {options.voxels}, expected 10000 to {2**33}")
    print(options.out, write(options.out, options.voxels), "voxels")


if __name__ == "__main__":
    main()
