#!/usr/bin/env python3
"""'aureole denoise' by the real Open Image Denoise against the library itself, called from here on the same layers and on
the same device, by each quality.

    real_oidn_test.py PROGRAM FOLDER [QUALITY...]

    FOLDER   has lib/libOpenImageDenoise.so.2 (tools/denoiser.sh FOLDER)
    QUALITY  fast, balanced or high; all of them unless given
"""

import ctypes
import os
import subprocess
import sys
import tempfile
from array import array
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import exr

FLOAT3 = 3
DEVICES = {"the CPU": 1, "the GPU by CUDA": 3}
QUALITIES = {"fast": 4, "balanced": 5, "high": 6}
SIZE = (96, 64)
MOST = 1e-3  # of a difference, by 1 + the value


def library(folder):
    found = ctypes.CDLL(str(folder / "lib/libOpenImageDenoise.so.2"))
    pointer, size, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p
    found.oidnNewDevice.restype = found.oidnNewFilter.restype = found.oidnNewBuffer.restype = pointer
    found.oidnNewDevice.argtypes = [ctypes.c_int]
    found.oidnNewFilter.argtypes = [pointer, text]
    found.oidnNewBuffer.argtypes = [pointer, size]
    found.oidnWriteBuffer.argtypes = found.oidnReadBuffer.argtypes = [pointer, size, size, pointer]
    found.oidnSetFilterImage.argtypes = [pointer, text, pointer, ctypes.c_int, size, size, size, size, size]
    found.oidnSetFilterBool.argtypes = [pointer, text, ctypes.c_bool]
    found.oidnSetFilterInt.argtypes = [pointer, text, ctypes.c_int]
    found.oidnGetDeviceError.argtypes = [pointer, ctypes.POINTER(text)]
    for name in ("oidnCommitDevice", "oidnCommitFilter", "oidnExecuteFilter", "oidnReleaseFilter", "oidnReleaseBuffer",
                 "oidnReleaseDevice"):
        getattr(found, name).argtypes = [pointer]
    return found


def filtered(oidn, device, quality, planes, flags):
    """What the filter makes of planes of 3 floats a pixel."""
    result = array("f", bytes(4 * 3 * SIZE[0] * SIZE[1]))
    work = oidn.oidnNewFilter(device, b"RT")
    buffers = []
    for name, values in {**planes, "output": result}.items():
        buffers.append(oidn.oidnNewBuffer(device, 4 * len(values)))
        oidn.oidnWriteBuffer(buffers[-1], 0, 4 * len(values), values.buffer_info()[0])
        oidn.oidnSetFilterImage(work, name.encode(), buffers[-1], FLOAT3, *SIZE, 0, 0, 0)
    for name in flags:
        oidn.oidnSetFilterBool(work, name.encode(), True)
    oidn.oidnSetFilterInt(work, b"quality", quality)
    oidn.oidnCommitFilter(work)
    oidn.oidnExecuteFilter(work)
    oidn.oidnReadBuffer(buffers[-1], 0, 4 * len(result), result.buffer_info()[0])
    oidn.oidnReleaseFilter(work)
    for buffer in buffers:
        oidn.oidnReleaseBuffer(buffer)
    message = ctypes.c_char_p()
    assert oidn.oidnGetDeviceError(device, ctypes.byref(message)) == 0, message.value
    return result


def interleaved(channels, names):
    return array("f", (value for pixel in zip(*(channels[name] for name in names)) for value in pixel))


def expected(folder, number, quality, channels):
    oidn = library(folder)
    device = oidn.oidnNewDevice(number)
    oidn.oidnCommitDevice(device)
    planes = {"color": interleaved(channels, "RGB")}
    for name, of in (("albedo", ("albedo.R", "albedo.G", "albedo.B")), ("normal", ("N.X", "N.Y", "N.Z"))):
        planes[name] = filtered(oidn, device, quality, {name: interleaved(channels, of)}, [])
    result = filtered(oidn, device, quality, planes, ["hdr", "cleanAux"])
    oidn.oidnReleaseDevice(device)
    return result


def compare(folder, quality, before, after, note):
    device = next(name for name in DEVICES if f" on {name}, {quality} quality" in note)
    values = expected(folder, DEVICES[device], QUALITIES[quality], before)
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(interleaved(after, "RGB"), values))
    change = max(abs(a - b) for a, b in zip(interleaved(before, "RGB"), values))
    print(f"{quality} on {device}: largest difference {worst:.2g} of at most {MOST:g}; denoising changed up to {change:.2g}")
    assert worst <= MOST and change > 0.1
    return values


def main(program, folder, qualities):
    environment = {**os.environ, "AUREOLE_OIDN": str(folder)}
    with tempfile.TemporaryDirectory() as scratch:
        noisy, clean = Path(scratch) / "noisy.exr", Path(scratch) / "clean.exr"

        def run(*command):
            subprocess.run([program, *command], env=environment, check=True)

        run("render", ROOT / "scenes/cornell.json", "-o", noisy, "--size", "{}x{}".format(*SIZE), "--spp", "4", "--aov",
            "albedo,normal", "--backend", "reference")
        before, _ = exr.read(noisy)
        results = []
        for quality in qualities:
            run("denoise", noisy, "-o", clean, "--denoiser", "oidn", "--denoise-quality", quality)
            after, attributes = exr.read(clean)
            results.append(compare(folder, quality, before, after, attributes["aureole.denoise"].decode()))
        assert len({values.tobytes() for values in results}) == len(results), "each quality has a picture of its own"


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3:] or list(QUALITIES))
