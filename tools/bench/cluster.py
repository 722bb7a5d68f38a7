#!/usr/bin/env python3
"""Measures what a picture costs that many GPUs render in ranges of samples, and predicts how far that scales.

Usage: cluster.py AUREOLE [--scene FILE] [--size WxH] [--spp N] [--device LIST] [--option ARGUMENT]... [-o FILE.json]
                  [--work SECONDS] [--launch SECONDS] [--storage GB/S]

Prints tables, in Markdown:

  start      seconds before and after the samples, with empty caches and with full ones
  parts      bytes of a part at two sizes
  merging    seconds and peak memory of 'aureole merge' for 1 to 64 parts, at both sizes, and the line through them
  check      the model against tasks that were run: their longest, and merging. --device 0,1,2,3 runs as many tasks at a
             time, each on its device; without, one after another
  model      what it predicts for --work seconds of one GPU (an hour by default) on 1 to 4096 GPUs: merged by one job,
             and merged in groups first, as many as each has parts

--spp are the samples of the check; by default as many as take 20 s. --launch is what the scheduler takes to start a
job, and --storage what the shared folder moves in all. --option is handed to 'aureole render' as it is:
--option=--backend --option=reference renders on the CPU. Needs nothing but Python and the program.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import render_stats

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
MERGED_AT_ONCE = 32  # parts; more are merged in groups first, as tools/slurm/submit.sh does it
COUNTS = [1, 2, 4, 8, 16, 32, 64]
GPUS = [1, 8, 64, 512, 4096]
BATCH = 8  # samples; ranges are whole batches


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("aureole")
    parser.add_argument("--scene", default=str(REPOSITORY / "scenes/cornell.json"))
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--spp", type=int, default=0)
    parser.add_argument("--device", default="")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--work", type=float, default=3600.0)
    parser.add_argument("--launch", type=float, default=2.0)
    parser.add_argument("--storage", type=float, default=1.0)
    parser.add_argument("--tasks", type=int, default=8, help="the most tasks of the check")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("-o", "--output")
    arguments = parser.parse_args()
    if not pathlib.Path(arguments.scene).is_file():
        parser.error(f"--scene: found no file {arguments.scene}, expected a scene")
    try:
        arguments.width, arguments.height = (int(side) for side in arguments.size.split("x"))
    except ValueError:
        parser.error(f"--size: found '{arguments.size}', expected WxH, as in 1920x1080")
    if min(arguments.width, arguments.height) < 4 or arguments.tasks < 1 or arguments.repeats < 1:
        parser.error("--size, --tasks and --repeats: expected at least 4x4, 1 and 1")
    return arguments


class Program:
    """Runs aureole with caches of its own."""

    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.devices = arguments.device.split(",") if arguments.device else [""]
        self.environment = dict(os.environ, XDG_CACHE_HOME=str(folder / "cache"))

    def path(self, name):
        return str(self.folder / name)

    def start(self, *words):
        return subprocess.Popen([self.arguments.aureole, *words], env=self.environment, stdout=subprocess.DEVNULL,
                                stderr=open(self.path("errors.txt"), "wb"))

    def finish(self, process):
        """Waits for it. Returns its peak memory in bytes."""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            text = pathlib.Path(self.path("errors.txt")).read_text(errors="replace")
            sys.exit(f"{' '.join(process.args)}\nended with {process.returncode}:\n{text}")
        return usage.ru_maxrss * 1024

    def start_render(self, name, size, samples, device=""):
        selected = ["--device", device] if device else []
        return self.start("render", self.arguments.scene, "-o", self.path(name + ".exr"), "--samples",
                          f"{samples[0]}:{samples[1]}", "--size", f"{size[0]}x{size[1]}", "--stats-json",
                          self.path(name + ".json"), "--progress", "none", *selected, *self.arguments.option)

    def render(self, name, size, samples):
        """Returns its statistics; 'wall' among the seconds is from start to end."""
        begun = time.perf_counter()
        self.finish(self.start_render(name, size, samples, self.devices[0]))
        wall = time.perf_counter() - begun
        return self.statistics(name, wall)

    def statistics(self, name, wall):
        figures = render_stats.read(self.path(name + ".json"))
        figures["seconds"]["wall"] = wall
        return figures

    def merge(self, parts):
        """Returns seconds and peak memory in bytes."""
        begun = time.perf_counter()
        peak = self.finish(self.start("merge", *parts, "-o", self.path("merged.exr")))
        return time.perf_counter() - begun, peak


def with_samples(part, samples):
    """The bytes of a part that says to have other samples: its attribute aureole.samples is replaced, and the offsets
    of its pixels, which stand behind the header, move by what that is longer."""
    at = 8
    marker = None
    while part[at] != 0:
        name_end = part.index(0, at)
        type_end = part.index(0, name_end + 1)
        size = struct.unpack_from("<i", part, type_end + 1)[0]
        if part[at:name_end] == b"aureole.samples":
            marker = (type_end + 1, size)
        if part[at:name_end] == b"dataWindow":
            _, low, _, high = struct.unpack_from("<4i", part, type_end + 5)
            height = high - low + 1
        if part[at:name_end] == b"compression":
            rows = {0: 1, 1: 1, 2: 1, 3: 16, 4: 32}[part[type_end + 5]]
        at = type_end + 5 + size
    value = f"{samples[0]}:{samples[1]}".encode()
    more = len(value) - marker[1]
    chunks = -(-height // rows)
    offsets = struct.unpack_from(f"<{chunks}Q", part, at + 1)
    return b"".join([part[:marker[0]], struct.pack("<i", len(value)), value, part[marker[0] + 4 + marker[1]:at + 1],
                     struct.pack(f"<{chunks}Q", *(offset + more for offset in offsets)), part[at + 1 + 8 * chunks:]])


def line_through(points):
    """Least squares of the relative error, so that short times count as much: (a, b) of y = a + b x."""
    weights = [1 / y**2 for _, y in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, points)) / total
    spread = sum(w * (x - mean_x)**2 for w, (x, _) in zip(weights, points))
    slope = sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, points)) / spread
    return mean_y - slope * mean_x, slope


def table(header, rows):
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print(flush=True)


def seconds(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


STAGES = ["load", "device", "build", "store", "upload", "pipelines", "write"]


def median_seconds(runs):
    return {stage: statistics.median(run["seconds"][stage] for run in runs) for stage in runs[0]["seconds"]}


def measure_start(program, size):
    """Returns the statistics of a first render, the medians of later ones, and what a task takes besides rendering."""
    cold = program.render("cold", size, (0, BATCH))
    later = [program.render("warm", size, (0, BATCH)) for _ in range(program.arguments.repeats)]
    warm = median_seconds(later)
    rest = {}
    for name, figures in (("cold", cold["seconds"]), ("warm", warm)):
        rest[name] = figures["wall"] - figures["render"]
    print(f"## Start of a task\n\n{cold['device']}, {cold['driver']}, aureole {cold['version']}; "
          f"{program.arguments.scene}, {size[0]}x{size[1]}, octree of {(cold['octree_bytes'] or 0) / 2**20:.1f} MiB\n")
    table(["seconds", *STAGES, "all but rendering"],
          [["caches empty", *(seconds(cold["seconds"][stage]) for stage in STAGES), seconds(rest["cold"])],
           ["caches full", *(seconds(warm[stage]) for stage in STAGES), seconds(rest["warm"])]])
    return {"device": cold["device"], "driver": cold["driver"], "version": cold["version"],
            "octree_bytes": cold["octree_bytes"], "cold": cold["seconds"], "warm": warm, "rest_cold": rest["cold"],
            "rest_warm": rest["warm"]}


def measure_merging(program, size):
    """Returns bytes of a part, points (parts, seconds, peak bytes), and the line through them."""
    program.render("part", size, (0, BATCH))
    part = pathlib.Path(program.path("part.exr")).read_bytes()
    parts = []
    for i in range(max(COUNTS)):
        parts.append(program.path(f"copy{i:02}.exr"))
        pathlib.Path(parts[-1]).write_bytes(with_samples(part, (BATCH * i, BATCH * (i + 1))))
    points = []
    for count in COUNTS:
        runs = [program.merge(parts[:count]) for _ in range(program.arguments.repeats)]
        points.append((count, statistics.median(run[0] for run in runs), max(run[1] for run in runs)))
    for copy in parts:
        os.remove(copy)
    fixed, each = line_through([point[:2] for point in points])
    return {"size": size, "bytes": len(part), "points": points, "fixed": fixed, "each": each}


def show_merging(merging):
    print("## Parts\n")
    table(["size", "bytes", "bytes a pixel"],
          [[f"{m['size'][0]}x{m['size'][1]}", str(m["bytes"]), f"{m['bytes'] / (m['size'][0] * m['size'][1]):.1f}"]
           for m in merging])
    print("## Merging\n")
    rows = []
    for m in merging:
        name = f"{m['size'][0]}x{m['size'][1]}"
        rows.append([f"{name}, s", *(seconds(point[1]) for point in m["points"]),
                     f"{seconds(m['fixed'])} + {m['each']:.3g} n"])
        rows.append([f"{name}, MiB", *(f"{point[2] / 2**20:.0f}" for point in m["points"]), ""])
    table(["parts", *map(str, COUNTS), "model"], rows)


class Model:
    """Seconds that a picture takes. `merging` has those of n parts, `rest` those of a task but for rendering."""

    def __init__(self, rest, merging, part_bytes, launch=0.0, storage=math.inf):
        self.rest = rest
        self.merging = merging
        self.part_bytes = part_bytes
        self.launch = launch
        self.storage = storage

    def merge(self, parts):
        """One job: it reads at the speed of the storage, where that is less than its own."""
        return self.merging["fixed"] + parts * max(self.merging["each"], self.part_bytes / self.storage)

    def render(self, work, gpus):
        """The tasks, which end together and write their parts at once."""
        return self.launch + self.rest + work / gpus + gpus * self.part_bytes / self.storage

    def flat(self, work, gpus):
        return self.render(work, gpus) + self.launch + self.merge(gpus)

    def grouped(self, work, gpus):
        if gpus <= MERGED_AT_ONCE:
            return self.flat(work, gpus)
        group = math.isqrt(gpus - 1) + 1
        groups = -(-gpus // group)
        # All groups read at once, and share the storage.
        reading = max(self.merge(group), gpus * self.part_bytes / self.storage)
        return self.render(work, gpus) + self.launch + reading + self.launch + self.merge(groups)


def measure_tasks(program, size, spp, tasks):
    """Seconds of the longest of some tasks, and of merging their parts."""
    batches = spp // BATCH
    bounds = [batches * i // tasks * BATCH for i in range(tasks + 1)]
    longest = 0.0
    for first in range(0, tasks, len(program.devices)):
        begun = time.perf_counter()
        wave = range(first, min(first + len(program.devices), tasks))
        processes = [program.start_render(f"task{i}", size, (bounds[i], bounds[i + 1]), program.devices[i - first])
                     for i in wave]
        for process in processes:
            program.finish(process)
        longest = max(longest, time.perf_counter() - begun)
    merging, _ = program.merge([program.path(f"task{i}.exr") for i in range(tasks)])
    return longest, merging


def check_model(program, size, model):
    """Runs what one machine can run. The rate of sampling is one figure for all, of a render of its own."""
    rate = program.render("rate", size, (0, BATCH))["seconds"]["render"] / BATCH
    spp = program.arguments.spp
    if spp == 0:
        spp = max(program.arguments.tasks, round(20 / rate / BATCH)) * BATCH
    spp = max(spp // BATCH, program.arguments.tasks) * BATCH
    rate = program.render("rate", size, (0, spp))["seconds"]["render"] / spp
    print(f"## The model against what was run: {spp} samples, {seconds(rate * spp)} s of rendering\n")
    rows = []
    checks = []
    tasks = 1
    while tasks <= program.arguments.tasks:
        longest, merging = measure_tasks(program, size, spp, tasks)
        share = -(-(spp // BATCH) // tasks) * BATCH  # of the task with the most
        predicted = model.rest + rate * share
        predicted_merging = model.merge(tasks)
        checks.append({"tasks": tasks, "task": longest, "merge": merging, "predicted_task": predicted,
                       "predicted_merge": predicted_merging})
        whole = longest + merging
        error = (predicted + predicted_merging) / whole - 1
        rows.append([str(tasks), seconds(longest), seconds(predicted), seconds(merging), seconds(predicted_merging),
                     seconds(whole), seconds(predicted + predicted_merging), f"{100 * error:+.1f} %"])
        tasks *= 2
    table(["tasks", "longest, s", "model", "merging, s", "model", "in all, s", "model", "model is off by"], rows)
    return {"spp": spp, "rate": rate, "checks": checks}


def predict(program, model):
    arguments = program.arguments
    print(f"## Predicted: {arguments.work:g} s of one GPU, {model.launch:g} s to launch a job, shared storage of "
          f"{arguments.storage:g} GB/s\n")
    alone = model.launch + model.rest + arguments.work
    rows = []
    predictions = []
    for gpus in GPUS:
        flat, grouped = model.flat(arguments.work, gpus), model.grouped(arguments.work, gpus)
        predictions.append({"gpus": gpus, "flat": flat, "grouped": grouped})
        rows.append([str(gpus), seconds(arguments.work / gpus), seconds(flat), f"{100 * alone / gpus / flat:.1f} %",
                     seconds(grouped), f"{100 * alone / gpus / grouped:.1f} %",
                     f"{gpus * model.part_bytes / 2**30:.2f}"])
    table(["GPUs", "rendering, s", "one merge, s", "of linear", "in groups, s", "of linear", "parts, GiB"], rows)
    each = max(model.merging["each"], model.part_bytes / model.storage) + model.part_bytes / model.storage
    print(f"With one merge the time is least at {math.sqrt(arguments.work / each):.0f} GPUs: the root of the work over "
          f"what one part more costs, {each:.3g} s.\n")
    return predictions


def main():
    arguments = parse_arguments()
    size = (arguments.width, arguments.height)
    with tempfile.TemporaryDirectory(prefix="aureole-cluster-") as folder:
        program = Program(arguments, pathlib.Path(folder))
        start = measure_start(program, size)
        merging = [measure_merging(program, (size[0] // 2, size[1] // 2)), measure_merging(program, size)]
        show_merging(merging)
        whole = merging[1]
        check = check_model(program, size, Model(start["rest_warm"], whole, whole["bytes"]))
        model = Model(start["rest_warm"], whole, whole["bytes"], arguments.launch, arguments.storage * 1e9)
        predictions = predict(program, model)
    if arguments.output:
        with open(arguments.output, "w", encoding="utf-8") as file:
            json.dump({"start": start, "merging": merging, "check": check, "predictions": predictions}, file, indent=2)


if __name__ == "__main__":
    main()
