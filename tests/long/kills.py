#!/usr/bin/env python3
"""Renders that are killed at random moments, again and again, and go on: nothing is lost.

    tests/long/kills.py --aureole PROGRAM [--kills N] [--seed N]

Each round runs one command in a folder and with a cache of its own, sends it SIGKILL at a random moment, and runs it
again, until it ends by itself. Its picture must then have the bytes of one that was left alone, and nothing but whole
files and the remains of the killed may lie about. Ends with status 1 where something is wrong.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import scenes

ALBEDO = (0.37, 0.61, 0.83)  # sums that are rounded, so that their order shows
RENDER = ["render", "box.json", "-o", "out.exr", "--size", "24x16", "--checkpoint", "a.ckpt", "--resume", "a.ckpt"]
RENDER += ["--every", "0.01s", "--progress", "none"]
COMMANDS = {
    "render": [*RENDER, "--spp", "400"],
    "layers": [*RENDER, "--spp", "160", "--aov", "all"],
    "adaptive": [*RENDER, "--spp", "400", "--noise", "0.05"],
    "two devices": [*RENDER, "--spp", "320", "--device", "0,0"],
    "reference": [*RENDER, "--spp", "2000", "--backend", "reference"],
    "large octree": [*RENDER, "--spp", "16", "--resolution", "500"],
    "voxelize": ["voxelize", "box.json", "-o", "out.avo", "--resolution", "600"],
}


class Round:
    """A command in a folder of its own. Of its devices' pipelines, the cache has those that `pipelines` has."""

    def __init__(self, aureole, command, folder, pipelines=None):
        self.command = [aureole, *command]
        self.output = folder / command[command.index("-o") + 1]
        self.folder = folder
        self.cache = folder / "cache"
        folder.mkdir()
        scenes.write(folder / "box.json", scenes.boxScene(ALBEDO))
        if pipelines and pipelines.exists():
            shutil.copytree(pipelines, self.cache, ignore=shutil.ignore_patterns("octrees"))

    def start(self, variables=None):
        environment = dict(os.environ, XDG_CACHE_HOME=str(self.cache), **(variables or {}))
        return subprocess.Popen(self.command, cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True)

    def alone(self):
        """The seconds and the bytes of a run that is left alone."""
        start = time.monotonic()
        process = self.start()
        _, errors = process.communicate(timeout=600)
        if process.returncode != 0:
            raise SystemExit(f"{self.command}: ended with {process.returncode}: {errors}")
        return time.monotonic() - start, self.output.read_bytes()

    def leftovers(self):
        """Files that nobody asked for, but those that the killed were writing."""
        asked = {"box.json", "cache", "a.ckpt", self.output.name}
        return [name for name in os.listdir(self.folder) if name not in asked and ".part" not in name]


def survive(task, seconds, most, chance):
    """Kills and starts again until the command ends by itself, at most so many times killed. Returns how often it was
    killed, and what went wrong."""
    killed = 0
    while True:
        process = task.start()
        if killed < most:
            # Later each time, so that it comes to an end; early ones hit the start-up.
            time.sleep(chance.uniform(0, seconds * (0.3 + 0.2 * killed)))
            process.kill()
        try:
            _, errors = process.communicate(timeout=600)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return killed, f"hung after {killed} kills"
        if process.returncode == 0:
            return killed, None
        if process.returncode != -9:
            return killed, f"ended with {process.returncode} after {killed} kills: {errors}"
        killed += 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--aureole", required=True, type=Path, help="the program")
    parser.add_argument("--kills", type=int, default=200, help="how many, at least")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    options = parser.parse_args()
    aureole = options.aureole.resolve()
    chance = random.Random(options.seed)
    kills = runs = lost = 0
    with tempfile.TemporaryDirectory(prefix="aureole-kills-") as name:
        folder = Path(name)
        pipelines = None
        alone = {}
        for kind, command in COMMANDS.items():
            task = Round(aureole, command, folder / f"alone {kind}", pipelines)
            alone[kind] = task.alone()
            pipelines = task.cache
        while kills < options.kills:
            kind = chance.choice(list(COMMANDS))
            seconds, expected = alone[kind]
            task = Round(aureole, COMMANDS[kind], folder / f"{runs}", pipelines if chance.random() < 0.9 else None)
            killed, wrong = survive(task, seconds, min(6, options.kills - kills), chance)
            if wrong is None and task.output.read_bytes() != expected:
                wrong = f"other bytes after {killed} kills"
            if wrong is None and task.leftovers():
                wrong = f"left {task.leftovers()}"
            if wrong is not None:
                lost += 1
                print(f"WRONG  {kind}: {wrong}", flush=True)
            kills += killed
            runs += 1
            shutil.rmtree(task.folder)
    print(f"{kills} kills in {runs} runs of {len(COMMANDS)} kinds, {lost} lost")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
