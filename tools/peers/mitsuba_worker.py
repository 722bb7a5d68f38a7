"""Renders with Mitsuba 3 what compare.py asks for (worker.py)."""

import ctypes
import pathlib
import sys
import time
from array import array

import worker

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))

import exr  # noqa: E402

PASS = 1 << 27  # samples of all pixels that are traced at once, which bounds memory
SEEDS = 1 << 12  # that a render takes at most, one for each pass


def write(bitmap, width, height, file):
    """Mitsuba itself writes compressions of EXR that are not read here."""
    values = array("f", ctypes.string_at(bitmap.__array_interface__["data"][0], bitmap.buffer_size()))
    exr.write(file, width, height, {name: values[i::3] for i, name in enumerate("RGB")})


def start(folder, size, variant):
    import mitsuba as mi

    mi.set_variant(variant)
    import drjit as dr
    import mitsuba_scene

    scene, integrator, width, height = mitsuba_scene.load(pathlib.Path(folder), size)
    most = max(1, PASS // (width * height))

    def render(spp, seed, file):
        """Passes are added up on the device."""
        started, total, done = time.perf_counter(), 0.0, 0
        while done < spp:
            samples = min(most, spp - done)
            image = mi.render(scene, integrator=integrator, spp=samples, seed=seed * SEEDS + done // most)
            total, done = total + image * samples, done + samples
            dr.eval(total)
        dr.sync_thread()
        seconds = time.perf_counter() - started
        write(mi.Bitmap(total / spp), width, height, file)
        return seconds

    return {"version": mi.__version__, "device": variant}, render


if __name__ == "__main__":
    worker.serve(start)
