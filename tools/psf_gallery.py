#!/usr/bin/env python3
"""Draws the generated point-spread functions as the PNG files of scenes/gallery.

Usage: psf_gallery.py AUREOLE [FOLDER]

Brightness is logarithmic, DECADES powers of ten below the peak to black, because a point-spread function shows nothing
of itself on a linear scale; hues are kept. Each is seen over a square of SIZE pixels, FOV degrees wide.
"""

import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

SIZE = 320
PICTURES = {  # name: (field of view in degrees, decades, options)
    "default": (12, 7.0, ["--kernel", "default"]),
    "airy": (0.25, 6.0, ["--kernel", "airy", "--aperture", "3"]),
    "aperture": (0.7, 6.0, ["--kernel", "aperture", "--aperture", "3", "--blades", "7", "--roundness", "0.2",
                            "--rotation", "12", "--dust", "40", "--scratches", "8", "--kernel-seed", "3"]),
    "eye": (12, 6.0, ["--kernel", "eye", "--adaptation", "0.05"]),
    "gaussians": (12, 7.0, ["--kernel", "gaussians", "--gaussian", "0.85,0.02", "--gaussian", "0.1,0.15,1,0.9,0.8",
                            "--gaussian", "0.04,0.6,1,0.6,0.35", "--gaussian", "0.01,1.5,0.5,0.7,1"]),
}


def readExr(path):
    """Width, height and the planes of a scanline file of 32-bit floats, ZIP compressed, as aureole writes."""
    data = pathlib.Path(path).read_bytes()
    position, channels, window = 8, [], None
    while data[position]:
        name, kind = data[position:position + 512].split(b"\0", 2)[:2]
        position += len(name) + len(kind) + 2
        size = struct.unpack_from("<I", data, position)[0]
        value = data[position + 4:position + 4 + size]
        position += 4 + size
        if name == b"channels":
            while value[0]:
                channel, value = value.split(b"\0", 1)
                channels.append(channel.decode())
                value = value[16:]
        elif name == b"dataWindow":
            window = struct.unpack("<4i", value)
    width, height = window[2] - window[0] + 1, window[3] - window[1] + 1
    offsets = struct.unpack_from(f"<{(height + 15) // 16}Q", data, position + 1)
    planes = {channel: [] for channel in channels}
    for chunk, offset in enumerate(offsets):
        rows = min(16, height - 16 * chunk)
        size = struct.unpack_from("<I", data, offset + 4)[0]
        raw = data[offset + 8:offset + 8 + size]
        length = rows * width * 4 * len(channels)
        raw = raw if size == length else unfilter(zlib.decompress(raw))
        values = struct.unpack(f"<{length // 4}f", raw)
        for row in range(rows):
            for index, channel in enumerate(channels):
                start = (row * len(channels) + index) * width
                planes[channel].extend(values[start:start + width])
    return width, height, planes


def unfilter(raw):
    """Undoes the differences and the split in halves that precede ZIP in an OpenEXR file."""
    out, last = bytearray(len(raw)), 128
    half = (len(raw) + 1) // 2
    for i, byte in enumerate(raw):
        last = byte if i == 0 else (last + byte - 128) & 255
        out[2 * i if i < half else 2 * (i - half) + 1] = last
    return bytes(out)


def logPixels(planes, decades):
    """sRGB bytes: the largest channel on a logarithmic scale, the others in proportion."""
    peak = max(max(plane) for plane in planes.values())
    pixels = bytearray()
    for colour in zip(planes["R"], planes["G"], planes["B"]):
        most = max(colour)
        level = max(0.0, 1 + math.log10(most / peak) / decades) if most > 0 else 0.0
        pixels.extend(round(255 * level * (value / most) ** (1 / 2.2)) if most > 0 else 0 for value in colour)
    return pixels


def writePng(path, width, height, pixels):
    """Eight bits a channel, each line as differences from the one above."""
    lines, above = bytearray(), bytes(3 * width)
    for y in range(height):
        line = pixels[3 * width * y:3 * width * (y + 1)]
        lines.append(2)
        lines.extend((a - b) & 255 for a, b in zip(line, above))
        above = line
    data = b"\x89PNG\r\n\x1a\n"
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    for kind, body in ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(lines), 9)), (b"IEND", b"")):
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    pathlib.Path(path).write_bytes(data)


def draw(kernel, picture, decades):
    width, height, planes = readExr(kernel)
    writePng(picture, width, height, logPixels(planes, decades))


def main():
    aureole = sys.argv[1]
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else
                          pathlib.Path(__file__).resolve().parent.parent / "scenes/gallery")
    with tempfile.TemporaryDirectory() as scratch:
        for name, (fov, decades, options) in PICTURES.items():
            kernel = f"{scratch}/{name}.exr"
            subprocess.run([aureole, "bloom", *options, "--kernel-size", str(SIZE - 1), "--fov", str(fov),
                            "--kernel-out", kernel], check=True)
            draw(kernel, folder / f"psf_{name}.png", decades)


if __name__ == "__main__":
    main()
