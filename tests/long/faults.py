#!/usr/bin/env python3
"""Things that go wrong at each moment of a command: nothing half-written stays, and the exit code says what it was.

    tests/long/faults.py --aureole PROGRAM --faults FOLDER [--steps N] [--only COMMAND]

A device is lost at each of its submissions, and out of memory at each of its allocations (with N below 20, at some); a
disk is full after so many bytes, and a command interrupted after so many seconds, N of each from none to all. FOLDER has
the layer and the libraries of tests/faults. Each fault must end the command with the documented code, or do no harm;
what it leaves must be whole, and the next run with the same cache must give the bytes of one that was left alone. Ends
with status 1 where something is wrong.
"""

import argparse
import itertools
import json
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import kills
import scenes

QUEEN = str(Path(__file__).resolve().parents[2] / "scenes" / "chess" / "queen.glb")
SMALL = ["--size", "48x36", "--progress", "none"]
FRAMES = {"camera": "inside", "turntable": {"frames": 4}}
COMMANDS = {
    "picture": ["render", "bloom.json", "-o", "out.exr", *SMALL, "--spp", "8", "--denoise", "builtin"],
    "model": ["render", QUEEN, "-o", "out.png", *SMALL, "--spp", "4", "--resolution", "200"],
    "frames": ["render", "bloom.json", "-o", "out.#.png", *SMALL, "--spp", "4", "--frames", "0:4"],
    "reference": ["render", "bloom.json", "-o", "out.exr", *SMALL, "--spp", "64", "--backend", "reference"],
    "voxelize": ["voxelize", QUEEN, "-o", "out.avo", "--resolution", "600", "--progress", "none"],
    "voxelize on the device": ["voxelize", QUEEN, "-o", "out.avo", "--resolution", "300", "--progress", "none",
                               "--voxelizer", "gpu", "--device", "0", "--allow-cpu"],
    "render on the device": ["render", QUEEN, "-o", "out.png", *SMALL, "--spp", "4", "--resolution", "300",
                             "--surface", "cubes", "--voxelizer", "gpu"],
}  # fmt: skip
# What another picture may come of: the CPU, whose last bits are others, no filter, or one that is told less.
TOLD = ("made by the CPU: ", "; the CPU denoises", "stays noisy", "denoised without more camera rays")
MOST_STEPS = 20  # from which on each call of a device fails once
DONE, NO_DEVICE, CANNOT_WRITE, OUT_OF_MEMORY, INTERRUPTED = 0, 4, 5, 6, 75


class Task(kills.Round):
    """A command in a folder of its own, where several files may come of it."""

    def __init__(self, aureole, command, folder, pipelines=None):
        super().__init__(aureole, command, folder, pipelines)
        scene = scenes.boxScene((0.37, 0.61, 0.83)) | {"bloom": {"enabled": True}, "animation": FRAMES}
        scenes.write(folder / "bloom.json", scene)
        self.command += ["--stats-json", "stats.json"] if command[0] == "render" else []

    def run(self, variables=None, interruptedAfter=None):
        """The exit code, None of one that hung, and what was said."""
        process = self.start(variables)
        try:
            if interruptedAfter is not None:
                time.sleep(interruptedAfter)
                process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return None, "hung"
        return process.returncode, errors

    def outputs(self):
        return {path.name: path.read_bytes() for path in self.folder.glob("out*") if ".part" not in path.name}

    def halves(self):
        """Files that are not whole, or that nobody asked for."""
        known = {"box.json", "bloom.json", "cache", "stats.json", *self.outputs()}
        left = [path.name for path in self.folder.iterdir() if path.name not in known]
        left += [str(path) for path in self.cache.rglob("*.part*")]
        stats = self.folder / "stats.json"
        if stats.exists():
            json.loads(stats.read_text())
        return left


def faultsOf(task, seconds, options):
    """Kind by kind: what the command may end with, and its faults, of which those of devices have no end."""
    layer = {"VK_ADD_LAYER_PATH": str(options.faults), "VK_INSTANCE_LAYERS": "VK_LAYER_AUREOLE_fault"}
    disk = {"LD_PRELOAD": str(options.faults / "libaureole_fault_disk.so")}
    for kind, code in (("lost", NO_DEVICE), ("memory", OUT_OF_MEMORY)):
        calls = itertools.count(0, max(1, MOST_STEPS // options.steps))
        yield kind, code, ({"variables": {**layer, "AUREOLE_TEST_FAULT": f"{kind}:0:{n}"}} for n in calls)
    written = sum(path.stat().st_size for path in task.folder.rglob("*") if path.is_file())
    room = [int(written * (step / options.steps) ** 3) for step in range(options.steps)]
    yield "disk", CANNOT_WRITE, ({"variables": {**disk, "AUREOLE_TEST_DISK": f"{n}:{{}}"}} for n in room)
    moments = [1.2 * seconds * step / options.steps for step in range(options.steps)]
    yield "interrupt", INTERRUPTED, ({"interruptedAfter": moment} for moment in moments)


def whatIsWrong(task, fault, codes, expected):
    """How the command ended, and what is wrong with that; None where nothing is."""
    code, said = task.run(**fault)
    if code == -signal.SIGINT and not said and not task.outputs():
        return code, None  # before the program has begun to listen
    if code not in codes:
        return code, f"ended with {code}: {said.strip()[-300:]}"
    if code != DONE and not said.strip():
        return code, f"ended with {code} without a word"
    if code == DONE and task.outputs().keys() != expected.keys():
        return code, f"made {list(task.outputs())}"
    if task.halves():
        return code, f"left {task.halves()}"
    for name, content in task.outputs().items():
        if content != expected[name] and subprocess.run([task.command[0], "info", name], cwd=task.folder,
                                                        capture_output=True, check=False).returncode != 0:  # fmt: skip
            return code, f"left a damaged {name}"
        if content != expected[name] and code != INTERRUPTED and not any(words in said for words in TOLD):
            return code, f"left another {name}"
    again, said = task.run()
    if again != DONE:
        return code, f"the next run ended with {again}: {said.strip()[-300:]}"
    return code, None if task.outputs() == expected else "the next run gave other bytes"


def tryAll(kind, options, folder):
    """All faults of one command: how many there were, how many ended it, and how many went wrong."""
    alone = Task(options.aureole, COMMANDS[kind], folder / "alone")
    _, said = alone.run()  # fills the cache, so that the next run takes as long as those with faults
    if "device" in kind and "made by the CPU" in said:
        raise SystemExit(f"{kind}: the device makes no voxels: {said}")
    start = time.monotonic()
    code, said = alone.run()
    seconds = time.monotonic() - start
    expected = alone.outputs()
    if code != DONE or not expected:
        raise SystemExit(f"{kind}: ended with {code} by itself: {said}")
    tried = met = wrong = 0
    for name, code, faults in faultsOf(alone, seconds, options):
        harmless = 0
        for number, fault in enumerate(faults):
            task = Task(options.aureole, COMMANDS[kind], folder / f"{name}-{number}", alone.cache)
            for key, value in fault.get("variables", {}).items():
                fault["variables"][key] = value.format(task.folder)
            ended, problem = whatIsWrong(task, fault, {DONE, code}, expected)
            tried += 1
            met += ended != DONE
            if problem:
                wrong += 1
                print(f"WRONG  {kind}, {name} {number}: {problem}", flush=True)
            harmless = harmless + 1 if ended == DONE else 0
            if code in (NO_DEVICE, OUT_OF_MEMORY) and harmless == 4:
                break  # the command has no more such calls
    return tried, met, wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aureole", required=True, type=Path, help="the program")
    parser.add_argument("--faults", required=True, type=Path, help="the folder of the layer and the libraries")
    parser.add_argument("--steps", type=int, default=MOST_STEPS, help="moments and sizes of disks")
    parser.add_argument("--only", choices=COMMANDS, help="one command")
    options = parser.parse_args()
    options.aureole, options.faults = options.aureole.resolve(), options.faults.resolve()
    sums = [0, 0, 0]
    with tempfile.TemporaryDirectory(prefix="aureole-faults-") as name:
        kinds = [options.only] if options.only else list(COMMANDS)
        for kind in kinds:
            folder = Path(name) / kind.replace(" ", "-")
            folder.mkdir()
            figures = tryAll(kind, options, folder)
            print(f"{kind}: {figures[0]} faults, {figures[1]} ended it, {figures[2]} wrong", flush=True)
            sums = [a + b for a, b in zip(sums, figures)]
    print(f"{sums[0]} faults in {len(kinds)} commands, {sums[1]} ended them, {sums[2]} wrong")
    return 1 if sums[2] else 0


if __name__ == "__main__":
    sys.exit(main())
