"""Reads the EXR files that aureole writes: scan lines of floats or halves, as they are or by zip. Writes plain ones."""

import itertools
import struct
import zlib
from array import array

PIXEL = {0: ("I", 4), 1: ("e", 2), 2: ("f", 4)}
LINES = {0: 1, 2: 1, 3: 16}  # lines of a chunk, of what is read here: none, ZIPS, ZIP


def string(data, at):
    end = data.index(0, at)
    return data[at:end].decode(), end + 1


def header(data):
    """The attributes by name, as bytes, and where they end."""
    magic, version = struct.unpack_from("<II", data)
    if magic != 20000630 or version & 0xFF != 2:
        raise ValueError("found no EXR, expected one of a single part")
    attributes = {}
    at = 8
    while data[at] != 0:
        name, at = string(data, at)
        _, at = string(data, at)
        (size,) = struct.unpack_from("<I", data, at)
        attributes[name] = data[at + 4 : at + 4 + size]
        at += 4 + size
    return attributes, at + 1


def channelList(data):
    channels = []
    at = 0
    while data[at] != 0:
        name, at = string(data, at)
        (kind,) = struct.unpack_from("<I", data, at)
        channels.append((name, *PIXEL[kind]))
        at += 16
    return channels


FLIPPED = bytes(value ^ 128 for value in range(256))


def unpacked(data):
    """Undoes zip: differences of bytes, after the even bytes and the odd ones were put apart."""
    # Each difference but the first is stored with 128 added; of an even number of them nothing is left in a byte.
    sums = bytearray(array("Q", itertools.accumulate(zlib.decompress(data))).tobytes()[::8])
    sums[1::2] = sums[1::2].translate(FLIPPED)
    half = (len(sums) + 1) // 2
    result = bytearray(len(sums))
    result[0::2] = sums[:half]
    result[1::2] = sums[half:]
    return bytes(result)


def read(path):
    """The values of each channel by name, as arrays of floats line after line, and the attributes as bytes. Raises
    ValueError for a file that is not as said above."""
    with open(path, "rb") as file:
        data = file.read()
    try:
        attributes, at = header(data)
    except (ValueError, struct.error, IndexError) as error:
        raise ValueError(f"{path}: {error}") from error
    left, top, right, bottom = struct.unpack("<4i", attributes["dataWindow"])
    width, height = right - left + 1, bottom - top + 1
    compression = attributes["compression"][0]
    if compression not in LINES:
        raise ValueError(f"{path}: found the compression {compression}, expected none, ZIPS or ZIP")
    channels = channelList(attributes["channels"])
    values = {name: array("f") for name, _, _ in channels}
    chunks = -(-height // LINES[compression])
    for offset in struct.unpack_from(f"<{chunks}Q", data, at):
        line, size = struct.unpack_from("<iI", data, offset)
        lines = min(LINES[compression], bottom + 1 - line)
        whole = lines * width * sum(size for _, _, size in channels)
        chunk = data[offset + 8 : offset + 8 + size]
        chunk = chunk if size == whole else unpacked(chunk)
        at = 0
        for _ in range(lines):
            for name, letter, bytesEach in channels:
                values[name].extend(struct.unpack_from(f"<{width}{letter}", chunk, at))
                at += width * bytesEach
    return values, attributes


def attribute(name, kind, data):
    return name.encode() + b"\0" + kind.encode() + b"\0" + struct.pack("<I", len(data)) + data


def write(path, width, height, values):
    """Writes floats, not compressed. `values` are those of each channel by name, line after line."""
    names = sorted(values)
    channels = b"".join(name.encode() + b"\0" + struct.pack("<IIII", 2, 0, 1, 1) for name in names) + b"\0"
    window = struct.pack("<4i", 0, 0, width - 1, height - 1)
    unit = struct.pack("<f", 1)
    attributes = [
        ("channels", "chlist", channels),
        ("compression", "compression", b"\0"),
        ("dataWindow", "box2i", window),
        ("displayWindow", "box2i", window),
        ("lineOrder", "lineOrder", b"\0"),
        ("pixelAspectRatio", "float", unit),
        ("screenWindowCenter", "v2f", bytes(8)),
        ("screenWindowWidth", "float", unit),
    ]
    head = struct.pack("<II", 20000630, 2) + b"".join(attribute(*one) for one in attributes)
    line = 4 * width * len(names)
    first = len(head) + 1 + 8 * height
    with open(path, "wb") as file:
        file.write(head + b"\0" + struct.pack(f"<{height}Q", *(first + y * (8 + line) for y in range(height))))
        for y in range(height):
            file.write(struct.pack("<iI", y, line))
            for name in names:
                file.write(struct.pack(f"<{width}f", *values[name][y * width:(y + 1) * width]))
