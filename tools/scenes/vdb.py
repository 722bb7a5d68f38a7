"""Writes fog as OpenVDB files (.vdb), version 224 of the format, halves packed by zlib. src/import/vdb/vdb_file.cpp
says what stands where."""

import struct
import zlib


def text(s):
    data = s.encode()
    return struct.pack("<I", len(data)) + data


def metadata(entries, flags=()):
    """Texts by their names, and names of what is true."""
    return (struct.pack("<I", len(entries) + len(flags)) +
            b"".join(text(k) + text("string") + text(v) for k, v in entries) +
            b"".join(text(k) + text("bool") + struct.pack("<IB", 1, 1) for k in flags))


def packed(values):
    """Halves behind the size that they are packed to, or minus theirs."""
    plain = struct.pack(f"<{len(values)}e", *values)
    small = zlib.compress(plain, 9)
    return struct.pack("<q", len(small)) + small if len(small) < len(plain) else struct.pack("<q", -len(plain)) + plain


def mask(bits, size):
    return sum(1 << bit for bit in bits).to_bytes(size // 8, "little")


def node(bits, size):
    """An inner node: its children, no active values, and that all others are the background."""
    return mask(bits, size) + bytes(size // 8) + b"\0"


def place(point, shift, bits):
    x, y, z = ((c >> shift) & ((1 << bits) - 1) for c in point)
    return (x << 2 * bits) | (y << bits) | z


def byNode(leaves, shift):
    """The corners of leaves by those of the nodes that they are in."""
    nodes = {}
    for leaf in leaves:
        nodes.setdefault(tuple(c >> shift << shift for c in leaf), []).append(leaf)
    return nodes


def treeOf(values):
    """The topology of a tree of densities by (x, y, z), with the number of its uppermost nodes, and its leaves."""
    leaves = {}
    for point, value in values.items():
        leaves.setdefault(tuple(c & ~7 for c in point), {})[place(point, 0, 3)] = value
    order, topology = [], b""
    uppers = byNode(leaves, 12)
    for upper in sorted(uppers):
        lowers = byNode(uppers[upper], 7)
        inUpper = {place(lower, 7, 5): lower for lower in lowers}
        topology += struct.pack("<3i", *upper) + node(inUpper, 32768)
        for _, lower in sorted(inUpper.items()):
            inLower = {place(leaf, 3, 4): leaf for leaf in lowers[lower]}
            topology += node(inLower, 4096)
            for _, leaf in sorted(inLower.items()):
                topology += mask(leaves[leaf], 512)
                order.append(leaf)
    buffers = b"".join(mask(leaves[leaf], 512) + b"\0" + packed([v for _, v in sorted(leaves[leaf].items())])
                       for leaf in order)
    return struct.pack("<IfII", 1, 0.0, 0, len(uppers)) + topology, buffers


def gridOf(name, packing, topology, cell, origin):
    """A grid but for its leaves' buffers: `cell` apart, and (0, 0, 0) is at `origin`."""
    scale = [cell] * 3 + [1 / cell] * 3 + [1 / cell**2] * 3 + [0.5 / cell] * 3
    told = metadata([("name", name), ("class", "fog volume")], ["is_saved_as_half_float"])  # which OpenVDB goes by
    return (struct.pack("<I", packing) + told +
            text("UniformScaleTranslateMap") + struct.pack("<3d", *origin) +
            struct.pack("<15d", *scale[:3], *scale) + topology)


def entry(name, before, grid, buffers):
    """What a file says of a grid that stands behind so many bytes and this."""
    said = text(name) + text("Tree_float_5_4_3_HalfFloat") + text("")
    first = before + len(said) + 24
    return said + struct.pack("<QQQ", first, first + len(grid), first + len(grid) + buffers) + grid


def head(grids):
    return (struct.pack("<QIIIB", 0x56444220, 224, 10, 0, 1) + b"00000000-0000-0000-0000-000000000000" + metadata([]) +
            struct.pack("<I", grids))


def start(name, packing, topology, cell, origin, buffers):
    """A file of one grid, but for the buffers of its leaves, which are so many bytes."""
    return head(1) + entry(name, len(head(1)), gridOf(name, packing, topology, cell, origin), buffers)


def write(path, grids, cell, origin):
    """`grids` by name: values above 0 by (x, y, z); those are `cell` apart, and (0, 0, 0) is at `origin`."""
    data = head(len(grids))
    for name, values in grids.items():
        topology, buffers = treeOf(values)
        data += entry(name, len(data), gridOf(name, 1 | 2, topology, cell, origin), len(buffers)) + buffers
    path.write_bytes(data)


class Reader:
    """Of what `write` writes: what other programs write is refused."""

    def __init__(self, path):
        self.path, self.data, self.at = path, path.read_bytes(), 0

    def take(self, form):
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found if len(found) > 1 else found[0]

    def bytes(self, count):
        self.at += count
        return self.data[self.at - count:self.at]

    def text(self):
        return self.bytes(self.take("I")).decode()

    def metadata(self):
        return {self.text(): (self.text(), self.text())[1] for _ in range(self.take("I"))}

    def places(self, size):
        bits = int.from_bytes(self.bytes(size // 8), "little")
        return [place for place in range(size) if bits >> place & 1]

    def values(self, count):
        size = self.take("q")
        plain = zlib.decompress(self.bytes(size)) if size > 0 else self.bytes(-size)
        return struct.unpack(f"<{count}e", plain)


def corners(reader, corner, shift, bits):
    """The corners of an inner node's children."""
    children = reader.places(1 << 3 * bits)
    reader.bytes((1 << 3 * bits) // 8 + 1)
    for child in children:
        x, y, z = child >> 2 * bits, child >> bits & ((1 << bits) - 1), child & ((1 << bits) - 1)
        yield tuple(c + (i << shift) for c, i in zip(corner, (x, y, z)))


def read(path, wanted="density"):
    """(values, cell, origin) of a grid, as `write` was given them, in halves. Raises ValueError where the file is none
    of its, or has no such grid."""
    reader = Reader(path)
    if reader.take("QI") != (0x56444220, 224):
        raise ValueError(f"{path}: found no .vdb of version 224, expected one that tools/scenes/vdb.py wrote")
    reader.bytes(9 + 36)
    reader.metadata()
    names = []
    for _ in range(reader.take("I")):
        names.append(reader.text())
        kind, _ = reader.text(), reader.text()
        first, _, end = reader.take("QQQ")
        if names[-1] == wanted and kind == "Tree_float_5_4_3_HalfFloat":
            reader.at = first
            return grid(reader)
        reader.at = end
    raise ValueError(f"{path}: found the grids {', '.join(names)}, expected '{wanted}' of halves")


def grid(reader):
    if reader.take("I") != 3:
        raise ValueError(f"{reader.path}: found another packing, expected zlib of active values")
    reader.metadata()
    if reader.text() != "UniformScaleTranslateMap":
        raise ValueError(f"{reader.path}: found another map, expected one scale and a place")
    origin = reader.take("3d")
    cell = reader.take("15d")[0]
    _, _, _, count = reader.take("IfII")
    leaves = []
    for _ in range(count):
        upper = reader.take("3i")
        for lower in list(corners(reader, upper, 7, 5)):
            for leaf in list(corners(reader, lower, 3, 4)):
                leaves.append(leaf)
                reader.bytes(64)
    values = {}
    for x, y, z in leaves:
        places = reader.places(512)
        reader.bytes(1)
        for at, value in zip(places, reader.values(len(places))):
            values[(x + (at >> 6), y + (at >> 3 & 7), z + (at & 7))] = value
    return values, cell, origin
