"""Runs the program and notes, while it runs, what it says of its progress, what it takes, and when it saves."""

import json
import os
import shutil
import subprocess
import threading
import time
from dataclasses import dataclass, field

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Line:
    """A line of progress, and the processor seconds that the program had taken when it came."""

    seconds: float  # since the render began, as the program has it
    share: float
    eta: float
    processor: float


@dataclass
class Usage:
    seconds: float  # since the program was started
    resident: int  # bytes
    threads: int
    files: int
    deviceMemory: int  # bytes of all NVIDIA GPUs, 0 where there are none


@dataclass
class Record:
    code: int = 0
    seconds: float = 0.0
    ended: float = 0.0  # seconds since the start at which the last line of progress came
    lines: list = field(default_factory=list)
    usage: list = field(default_factory=list)
    saves: list = field(default_factory=list)  # seconds since the start at which the checkpoint was another
    log: list = field(default_factory=list)


def processorSeconds(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:  # gone
        return None
    return (int(fields[11]) + int(fields[12])) / TICKS


def deviceMemory():
    if shutil.which("nvidia-smi") is None:
        return 0
    query = ["nvidia-smi", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    return sum(int(word) for word in answer.stdout.split() if word.isdigit()) << 20


def usageOf(process, seconds, memoryOfDevices):
    try:
        with open(f"/proc/{process}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        files = len(os.listdir(f"/proc/{process}/fd"))
        return Usage(seconds, int(status["VmRSS"].split()[0]) << 10, int(status["Threads"]), files, memoryOfDevices)
    except (OSError, KeyError):  # gone, or about to
        return None


def readLines(process, record, start):
    """Takes the lines of stderr as they come."""
    for text in process.stderr:
        line = json.loads(text)
        if line.get("stage") == "render":
            processor = processorSeconds(process.pid)
            if processor is None:
                processor = record.lines[-1].processor if record.lines else 0.0
            record.ended = time.monotonic() - start
            record.lines.append(Line(line["seconds"], line["done"] / line["total"], line["eta"], processor))
        elif "log" in line:
            record.log.append(f"{line['log']}: {line['message']}")


def stampOf(path):
    try:
        return os.stat(path).st_mtime_ns, os.stat(path).st_ino
    except OSError:
        return None


def watch(command, checkpoint, most, every=1.0):
    """Runs the command, at most so many seconds, and looks at it every so often. There is no checkpoint before."""
    record = Record()
    start = time.monotonic()
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    reader = threading.Thread(target=readLines, args=(process, record, start))
    reader.start()
    stamp = None
    nextUsage = nextDevice = 0.0
    memory = 0
    while process.poll() is None:
        seconds = time.monotonic() - start
        if seconds > most:
            process.kill()
        found = stampOf(checkpoint)
        if found not in (None, stamp):
            stamp = found
            record.saves.append(seconds)
        if seconds >= nextDevice:
            memory = deviceMemory()
            nextDevice = seconds + 10 * every
        if seconds >= nextUsage:
            usage = usageOf(process.pid, seconds, memory)
            record.usage += [usage] if usage else []
            nextUsage = seconds + every
        time.sleep(min(every, 0.1))
    reader.join()
    record.code = process.returncode
    record.seconds = time.monotonic() - start
    return record
