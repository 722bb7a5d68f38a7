"""Builds of Minecraft, which are NBT: lengths that lie, levels without an end, sizes without the blocks for them."""

import gzip
import struct
import zlib

from case import Case, refused

BYTE_ARRAY, STRING, LIST, COMPOUND, LONG_ARRAY = 7, 8, 9, 10, 12


def text(value):
    return struct.pack(">H", len(value)) + value.encode()


def short(value):
    return 2, struct.pack(">h", value)


def integer(value):
    return 3, struct.pack(">i", value)


def byte_array(content, length=None):
    return BYTE_ARRAY, struct.pack(">i", len(content) if length is None else length) + content


def compound(**entries):
    written = [bytes([kind]) + text(name) + content for name, (kind, content) in entries.items()]
    return COMPOUND, b"".join(written) + b"\0"


def listed(kind, contents, length=None):
    return LIST, struct.pack(">Bi", kind, len(contents) if length is None else length) + b"".join(contents)


def file_nbt(root, name="Schematic"):
    return bytes([COMPOUND]) + text(name) + root[1]


def palette(**numbers):
    return compound(**{f"minecraft:{name}": integer(number) for name, number in numbers.items()})


def file_schem(size=(2, 2, 2), blocks=b"\1" * 8, **more):
    width, height, length = map(short, size)
    return file_nbt(compound(**{"Width": width, "Height": height, "Length": length, "Version": integer(2),
                                "Palette": palette(air=0, stone=1), "BlockData": byte_array(blocks), **more}))


def bomb():
    """Four gigabytes and more of arrays that nobody asks for; packed, a thousandth of that."""
    packer = zlib.compressobj(1, wbits=31)
    packed = [packer.compress(b"\x0a\0\0")]
    piece = bytes(1 << 24)
    for _ in range(17):
        packed.append(packer.compress(b"\7\0\1a" + struct.pack(">i", 16 * len(piece))))
        packed += [packer.compress(piece) for _ in range(16)]
    return b"".join(packed) + packer.flush()


def cases():
    plain = file_schem()
    yield Case("plain.schem", gzip.compress(plain))
    yield Case("zlib.schem", zlib.compress(plain))
    yield Case("unpacked.schem", plain)
    yield Case("water.schem", gzip.compress(file_schem(Palette=palette(water=0, glass=1), blocks=b"\0\1" * 4)))
    for extension in ("schem", "schematic", "litematic", "nbt"):
        yield refused(f"empty.{extension}", b"")
        yield refused(f"zeros.{extension}", bytes(5000))
        yield refused(f"of_other_kind.{extension}", gzip.compress(file_nbt(compound(a=integer(1)))))
        yield refused(f"deep.{extension}", gzip.compress(file_nbt((COMPOUND, b"\x0a\0\1a" * 1_000_000))))
    yield refused("cut_short.schem", gzip.compress(plain)[:-30])
    yield refused("large.schem", file_schem(size=(-1, -1, -1)))
    yield refused("no_width.schem", file_schem(size=(0, 2, 2)))
    yield refused("few.schem", file_schem(blocks=b"\1" * 7))
    yield refused("many.schem", file_schem(blocks=b"\1" * 9))
    yield refused("number.schem", file_schem(blocks=b"\1" * 7 + b"\2"))
    yield refused("endless_number.schem", file_schem(blocks=b"\x81" * 80))
    yield refused("nothing.schem", file_schem(blocks=bytes(8)))
    yield refused("length.schem", file_schem(BlockData=byte_array(b"", 2**31 - 1)))
    yield refused("negative.schem", file_schem(BlockData=byte_array(b"", -1)))
    yield refused("bomb.schem", bomb())
    yield refused("far.nbt", file_nbt(compound(size=listed(3, [struct.pack(">i", 60000)] * 3),
                                               palette=listed(COMPOUND, []))))
    yield refused("sparse.nbt", file_nbt(compound(size=listed(3, [struct.pack(">i", 1000)] * 3),
                                                  palette=listed(COMPOUND, []))))
    side = compound(x=integer(-2**31), y=integer(1), z=integer(1))
    yield refused("least.litematic", file_nbt(compound(Regions=compound(a=compound(Size=side)))))
