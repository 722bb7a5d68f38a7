#!/usr/bin/env python3
"""'aureole denoise' by the real Open Image Denoise against the library itself, called from here on the same layers.

    real_oidn_test.py PROGRAM FOLDER     FOLDER has lib/libOpenImageDenoise.so.2 (tools/denoiser.sh FOLDER)
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
ON_CPU = 1
SIZE = (96, 64)
MOST = 1e-3  # of a difference, by 1 + the value


def library(folder):
    found = ctypes.CDLL(str(folder / "lib/libOpenImageDenoise.so.2"))
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    found.oidnNewDevice.restype = pointer
    found.oidnNewDevice.argtypes = [ctypes.c_int]
    found.oidnNewFilter.restype = pointer
    found.oidnNewFilter.argtypes = [pointer, ctypes.c_char_p]
    found.oidnSetSharedFilterImage.argtypes = [pointer, ctypes.c_char_p, pointer, ctypes.c_int, size, size, size, size, size]
    found.oidnSetFilterBool.argtypes = [pointer, ctypes.c_char_p, ctypes.c_bool]
    found.oidnGetDeviceError.argtypes = [pointer, ctypes.POINTER(ctypes.c_char_p)]
    for name in ("oidnCommitDevice", "oidnCommitFilter", "oidnExecuteFilter", "oidnReleaseFilter", "oidnReleaseDevice"):
        getattr(found, name).argtypes = [pointer]
    return found


def filtered(oidn, device, size, planes, flags):
    """What the filter makes of planes of 3 floats a pixel."""
    result = array("f", bytes(4 * 3 * size[0] * size[1]))
    work = oidn.oidnNewFilter(device, b"RT")
    for name, values in {**planes, "output": result}.items():
        oidn.oidnSetSharedFilterImage(work, name.encode(), values.buffer_info()[0], FLOAT3, *size, 0, 0, 0)
    for name in flags:
        oidn.oidnSetFilterBool(work, name.encode(), True)
    oidn.oidnCommitFilter(work)
    oidn.oidnExecuteFilter(work)
    oidn.oidnReleaseFilter(work)
    message = ctypes.c_char_p()
    assert oidn.oidnGetDeviceError(device, ctypes.byref(message)) == 0, message.value
    return result


def interleaved(channels, names):
    return array("f", (value for pixel in zip(*(channels[name] for name in names)) for value in pixel))


def expected(folder, size, channels):
    oidn = library(folder)
    device = oidn.oidnNewDevice(ON_CPU)
    oidn.oidnCommitDevice(device)
    albedo = interleaved(channels, ("albedo.R", "albedo.G", "albedo.B"))
    normal = interleaved(channels, ("N.X", "N.Y", "N.Z"))
    planes = {"color": interleaved(channels, "RGB"),
              "albedo": filtered(oidn, device, size, {"albedo": albedo}, []),
              "normal": filtered(oidn, device, size, {"normal": normal}, [])}
    result = filtered(oidn, device, size, planes, ["hdr", "cleanAux"])
    oidn.oidnReleaseDevice(device)
    return result, planes["color"]


def main(program, folder):
    environment = {**os.environ, "AUREOLE_OIDN": str(folder)}
    with tempfile.TemporaryDirectory() as scratch:
        noisy, clean = Path(scratch) / "noisy.exr", Path(scratch) / "clean.exr"
        for command in (["render", ROOT / "scenes/cornell.json", "-o", noisy, "--size", "{}x{}".format(*SIZE), "--spp", "4", "--aov",
                         "albedo,normal", "--backend", "reference"],
                        ["denoise", noisy, "-o", clean, "--denoiser", "oidn"]):
            subprocess.run([program, *command], env=environment, check=True)
        before, _ = exr.read(noisy)
        after, _ = exr.read(clean)
    values, colour = expected(folder, SIZE, before)
    worst = max(abs(a - b) / (1 + abs(b)) for a, b in zip(interleaved(after, "RGB"), values))
    change = max(abs(a - b) for a, b in zip(colour, values))
    print(f"largest difference {worst:.2g} of at most {MOST:g}; denoising changed up to {change:.2g}")
    assert worst <= MOST and change > 0.1


main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
