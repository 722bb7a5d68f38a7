"""One run of aureole on a file from a stranger, and what came of it."""

import dataclasses
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import zlib
from pathlib import Path

PICTURE, ERROR, FAULT = "picture", "error", "fault"

# What contained the file's harm: its reader's death, or a limit that it met.
CONTAINED = re.compile(rb"its reader (died|ended|failed)|its reader's result is none|the most that --asset-")
SANITIZER = re.compile(rb"AddressSanitizer|LeakSanitizer|runtime error:|UndefinedBehaviorSanitizer")
CONTROLS = re.compile(rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]")
BAD_INPUT = 3

MODELS = ["gltf", "glb", "vox", "obj", "ply", "stl", "fbx", "dae", "3ds", "3mf", "off", "lwo", "x", "avo"]
# What a picture may be in a scene.
ROLES = {"png": ["texture", "environment", "kernel"], "jpg": ["texture"], "jpeg": ["texture"],
         "exr": ["environment", "kernel"]}


@dataclasses.dataclass
class Trial:
    """A file to try: `role` is "model", or what a picture is in its scene."""

    origin: str
    path: Path
    role: str

    @property
    def format(self):
        return extension_of(self.path)


@dataclasses.dataclass
class Outcome:
    kind: str
    why: str = ""  # of a fault
    messages: bytes = b""
    contained: bool = False
    dark: bool = False


@dataclasses.dataclass
class Runner:
    """How the program is run: `seconds` is the wall time after which a run counts as hung."""

    program: Path
    scratch: Path
    seconds: float
    backend: str = "gpu"

    def run(self, trial):
        folder = Path(tempfile.mkdtemp(dir=self.scratch))
        try:
            return self._run_in(folder, trial)
        finally:
            shutil.rmtree(folder)

    def _run_in(self, folder, trial):
        out, temporary, scene = (folder / name for name in ("out", "temporary", "scene"))
        for each in (out, temporary, scene):
            each.mkdir()
        command = [self.program, "render", input_of(trial, scene), "-o", out / "out.png", "--stats-json",
                   out / "stats.json", "--size", "16x16", "--spp", "1", "--backend", self.backend, "--progress",
                   "none", "--asset-memory", "2G", "--asset-time", f"{self.seconds / 2}s"]
        if self.backend == "gpu":
            command += ["--resolution", "64", "--no-cache", "--allow-cpu"]
        environment = dict(os.environ, TMPDIR=str(temporary), XDG_CACHE_HOME=str(self.scratch / "cache"))
        with open(folder / "messages", "w+b") as messages:
            with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=messages, stderr=messages,
                                  env=environment, cwd=temporary, start_new_session=True) as process:
                try:
                    status = process.wait(self.seconds)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, signal.SIGKILL)
                    status = None
            messages.seek(0)
            return judge(trial, status, messages.read(), out, temporary)


def extension_of(path):
    return path.suffix[1:].lower()


def input_of(trial, folder):
    """What is rendered: the model itself, or a scene in `folder` that has a copy of the picture in it."""
    if trial.role == "model":
        return trial.path.resolve()
    shutil.copyfile(trial.path, folder / trial.path.name)
    scene = {"version": 1, "assets": {"floor": {"quad": {}}},
             "instances": {"floor": {"asset": "floor", "material": "plain"}},
             "materials": {"plain": {"albedo": 0.5}},
             "cameras": {"front": {"position": [0, 1, 1], "target": [0, 0, 0]}},
             "environment": {"type": "constant", "radiance": 1}}
    # A name that is no UTF-8 has no place in a scene.
    name = os.fsencode(trial.path.name).decode("utf-8", "replace")
    if trial.role == "texture":
        scene["materials"]["plain"]["albedoTexture"] = {"file": name}
    elif trial.role == "environment":
        scene["environment"] = {"type": "image", "file": name}
    else:
        scene["bloom"] = {"kernel": name}
    path = folder / "scene.json"
    path.write_text(json.dumps(scene))
    return path


def judge(trial, status, messages, out, temporary):
    """The outcome of a run that ended with `status` (None: it was ended), `messages`, and files in two folders."""
    def fault(why):
        return Outcome(FAULT, why, messages)

    if SANITIZER.search(messages):
        return fault("a sanitizer's report")
    if status is None:
        return fault("it hung")
    if status < 0:
        return fault(f"it died of signal {-status}")
    if CONTROLS.search(messages):
        return fault("control characters in its messages")
    left = {path.name for path in [*out.iterdir(), *temporary.iterdir()]}
    if status == 0:
        return judge_picture(out, left, messages, fault)
    if status != BAD_INPUT:
        return fault(f"exit code {status}")
    if left - {"stats.json"}:
        return fault(f"it left {', '.join(sorted(left))}")
    if not any(line.startswith(b"aureole: error: ") for line in messages.splitlines()):
        return fault("no error in its messages")
    if shown(trial.path.name) not in messages:
        return fault("an error that does not name the file")
    return Outcome(ERROR, messages=messages, contained=bool(CONTAINED.search(messages)))


def judge_picture(out, left, messages, fault):
    if left != {"out.png", "stats.json"}:
        return fault(f"it left {', '.join(sorted(left))}, expected out.png")
    stats = json.loads((out / "stats.json").read_bytes())
    if not (stats["voxels"] or stats["triangles"] or stats["cells"]):
        return fault("a picture of nothing")
    return Outcome(PICTURE, messages=messages, dark=is_dark(out / "out.png"))


def is_dark(png):
    """Whether all pixels of a PNG without alpha are black. Filtered, such rows are zeros, and others are not."""
    data, at, packed = png.read_bytes(), 8, b""
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    rows = zlib.decompress(packed)
    stride = len(rows) // int.from_bytes(data[20:24], "big")
    return not any(any(rows[row + 1:row + stride]) for row in range(0, len(rows), stride))


def shown(name):
    """A file's name as messages have it."""
    return CONTROLS.sub(lambda found: b"\\x%02x" % found.group()[-1], os.fsencode(name))
