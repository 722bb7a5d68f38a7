"""PNG, JPEG and EXR: sizes that lie, damage, numbers that are none."""

import struct
import zlib

from case import Case, refused, unharmed

JPEG_HEAD = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"


def chunk(name, content, checksum=None):
    code = zlib.crc32(name + content) if checksum is None else checksum
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", code)


def png(width=2, height=2, kind=2, depth=8, rows=None, more=b"", **head):
    if rows is None:
        rows = (b"\0" + b"\x80" * ((width * {0: 1, 2: 3, 3: 1, 6: 4}[kind] * depth + 7) // 8)) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">2I5B", width, height, depth, kind, 0, 0, 0), **head) +
            more + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b""))


def pngs():
    for role in ("texture", "environment", "kernel"):
        yield Case("plain.png", png(), role=role)
        yield Case("Größe 大.png", png(), role=role)
        yield Case("deep.png", png(depth=16), role=role)
        yield Case("palette.png", png(kind=3, more=chunk(b"PLTE", bytes(range(256)) * 3)), role=role)
        yield unharmed("no_such_colour.png", png(kind=3, more=chunk(b"PLTE", bytes(30))), role=role)
        yield refused("checksum.png", png(checksum=1), role=role)
        yield refused("no_size.png", png(0, 0), role=role)
        yield refused("few_rows.png", png(rows=b"\0" * 3), role=role)
        yield refused("cut_short.png", png()[:-30], role=role)
        yield refused("larger_than_its_file.png", png(2**31 - 1, 2**31 - 1, rows=b"\0"), role=role)
        yield refused("empty.png", b"", role=role)
        # 800 million pixels in a hundred kilobytes.
        yield refused("bomb.png", png(28_000, 28_000, kind=0, depth=1), role=role)
    yield Case("long.png", png(16384, 1), role="texture")
    yield refused("too_long.png", png(16385, 1), role="texture")
    text = zlib.compress(bytes(100_000_000), 9)
    yield unharmed("text_bomb.png", png(more=chunk(b"zTXt", b"Comment\0\0" + text)), role="texture")
    yield unharmed("profile_bomb.png", png(more=chunk(b"iCCP", b"name\0\0" + text)), role="texture")


def jpegs():
    size = struct.pack(">HBHHB", 17, 8, 65535, 65535, 3) + b"\1\x22\0\2\x11\1\3\x11\1"
    yield refused("no_tables.jpg", JPEG_HEAD + b"\xff\xc0" + size + b"\xff\xd9", role="texture")
    yield refused("head_alone.jpg", JPEG_HEAD, role="texture")
    yield refused("empty.jpg", b"", role="texture")
    yield refused("markers.jpg", JPEG_HEAD + b"\xff\xd0" * 100_000, role="texture")
    yield refused("no_picture.jpg", b"text", "expected a picture: EXR, PNG", role="texture")


def attribute(name, kind, value):
    return name + b"\0" + kind + b"\0" + struct.pack("<I", len(value)) + value


def exr(values, width=None, window=None, names=(b"B", b"G", b"R"), offset=None):
    """One row of 32-bit floats, the same in all channels."""
    width = len(values) if width is None else width
    window = (0, 0, width - 1, 0) if window is None else window
    channels = b"".join(name + b"\0" + struct.pack("<iIii", 2, 0, 1, 1) for name in names) + b"\0"
    head = b"\x76\x2f\x31\1\2\0\0\0" + attribute(b"channels", b"chlist", channels)
    head += attribute(b"compression", b"compression", b"\0") + attribute(b"lineOrder", b"lineOrder", b"\0")
    head += attribute(b"dataWindow", b"box2i", struct.pack("<4i", *window))
    head += attribute(b"displayWindow", b"box2i", struct.pack("<4i", *window))
    head += attribute(b"pixelAspectRatio", b"float", struct.pack("<f", 1))
    head += attribute(b"screenWindowCenter", b"v2f", bytes(8)) + attribute(b"screenWindowWidth", b"float", bytes(4))
    head += b"\0"
    row = struct.pack(f"<{len(values)}f", *values) * len(names)
    start = len(head) + 8 if offset is None else offset
    return head + struct.pack("<Q", start) + struct.pack("<iI", window[1], len(row)) + row


def exrs():
    for role in ("environment", "kernel"):
        yield Case("plain.exr", exr([1.0, 2.0]), role=role)
        yield Case("grey.exr", exr([1.0, 2.0], names=[b"Y"]), role=role)
        yield refused("nan.exr", exr([1.0, float("nan")]), role=role)
        yield refused("inf.exr", exr([1.0, float("inf")]), role=role)
        yield refused("offset.exr", exr([1.0, 2.0], offset=2**63), role=role)
        yield refused("window.exr", exr([1.0, 2.0], window=(-2**31, -2**31, 2**31 - 1, 2**31 - 1)), role=role)
        yield refused("turned_window.exr", exr([1.0, 2.0], window=(5, 5, 0, 0)), role=role)
        yield refused("larger_than_its_file.exr", exr([1.0], window=(0, 0, 29_999, 29_999)), role=role)
        yield Case("any_name.exr", exr([1.0, 2.0], names=[b"Q"]), role=role)
        yield refused("same_names.exr", exr([1.0, 2.0], names=[b"R"] * 3), role=role)
        yield refused("cut_short.exr", exr([1.0, 2.0])[:-9], role=role)
        yield refused("zeros.exr", bytes(5000), role=role)
        yield refused("empty.exr", b"", role=role)
    yield refused("too_bright.exr", exr([3e38, 3e38]), role="environment")
    yield refused("negative.exr", exr([1.0, -1.0]), role="environment")
    yield refused("dark.exr", exr([0.0, 0.0]), role="kernel")


def cases():
    yield from pngs()
    yield from jpegs()
    yield from exrs()
