"""The renderers of the comparison: which are there, and how each is told to render."""

import contextlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import errors

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "bench"))

import render_stats  # noqa: E402

PACKAGES = {"mitsuba": ("mitsuba", "mitsuba==3.9.1"), "cycles": ("bpy", "bpy==4.5.15")}  # to import, for pip
DEVICES = {"mitsuba": {"gpu": "cuda_ad_rgb", "cpu": "llvm_ad_rgb"}, "cycles": {"gpu": "CUDA", "cpu": "CPU"}}
NAMES = ("aureole", *PACKAGES)


def missing(name, options):
    """Why a renderer cannot be run, or nothing."""
    if name == "aureole":
        found = shutil.which(options.aureole)
        return "" if found else f"found no program {options.aureole}; build it, or name it by --aureole"
    module, package = PACKAGES[name]
    python = getattr(options, f"{name}_python")
    if not shutil.which(python):
        return f"found no program {python}, expected a Python by --{name}-python"
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{module}') is None)"
    if subprocess.run([python, "-c", code], check=False).returncode:
        return f"{python} has no module {module}; '{python} -m pip install {package}' installs it"
    return ""


class Aureole:
    """The program on a scene file. Seconds are those of tracing, as its statistics tell them."""

    name = "aureole"

    def __init__(self, options, scene, folder):
        self.scene, self.options, self.file = scene, options, folder / "aureole.exr"
        self.statistics = folder / "aureole.json"
        stats = self.run(1, 0)
        self.about = {
            "version": stats["version"],
            "device": stats["device"],
            "driver": stats["driver"],
            "voxels": stats["voxels"],
            "options": options.aureole_option,
        }

    def run(self, spp, seed):
        command = [
            self.options.aureole,
            "render",
            self.scene,
            "-o",
            self.file,
            "--no-bloom",
            "--spp",
            spp,
            "--seed",
            seed,
            "--set",
            "/film/filter=box",
            "--stats-json",
            self.statistics,
            "--progress",
            "none",
        ]
        # The reference backend uses no device, and refuses what is about one.
        on_device = "reference" not in " ".join(self.options.aureole_option)
        command += ["--allow-cpu"] if self.options.device == "cpu" and on_device else []
        command += ["--size", self.options.size] if self.options.size else []
        command = [str(word) for word in [*command, *self.options.aureole_option]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"'{' '.join(command)}' ended with {done.returncode}: {done.stderr[-500:].strip()}")
        return render_stats.read(self.statistics)

    def render(self, spp, seed):
        return self.run(spp, seed)["seconds"]["render"]

    def picture(self):
        return errors.read_picture(self.file)

    def close(self):
        pass


class Peer:
    """A renderer in a process of its own (worker.py), on a scene that convert.py wrote."""

    def __init__(self, name, options, converted, folder):
        self.name, self.file = name, folder / f"{name}.exr"
        size = options.size.split("x") if options.size else ["0", "0"]
        device = getattr(options, f"{name}_device") or DEVICES[name][options.device]
        self.log = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        command = [getattr(options, f"{name}_python"), HERE / f"{name}_worker.py", converted, *size, device]
        self.process = subprocess.Popen(
            [str(word) for word in command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        try:
            self.about = self.answer()
        except Exception:
            self.close()
            raise

    def answer(self):
        line = self.process.stdout.readline()
        answer = json.loads(line) if line else {"error": f"the process ended with {self.process.wait()}"}
        if "error" in answer:
            self.log.seek(0)
            raise RuntimeError(f"{answer['error']}; it said last:\n{self.log.read()[-1500:].strip()}")
        return answer

    def render(self, spp, seed):
        with contextlib.suppress(BrokenPipeError):  # of a process that has ended; answer() says why
            print(json.dumps({"spp": spp, "seed": seed, "file": str(self.file)}), file=self.process.stdin, flush=True)
        return self.answer()["seconds"]

    def picture(self):
        return errors.read_picture(self.file)

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        self.log.close()
