"""What must hold of a long render, as functions of what was seen of it. Each returns lines (name, figure, whether it
is right)."""

import math
import statistics
from collections import namedtuple

Check = namedtuple("Check", "name figure right")

WARM_UP = 0.2  # of the time: what is still made or cached then is no leak
STRETCHES = 10  # of the time after that, of which each has its median
MOST_GROWTH = 2 << 20  # bytes
ETA_ERROR = 0.2  # of the whole time, from the first tenth on
FIRST_SECONDS = 10.0  # say too little of a machine with other work
LAST_ETA_ERROR = 0.05  # in the last quarter
Z_LIMIT = 5.0  # the mean of all pixels: once in two million runs by chance
ROUNDING = 1e-6  # of the light: what floats may cost however many samples there are


def largest(values):
    """The largest of them, or one that is no number, which max() may pass over."""
    values = list(values)
    return math.nan if any(math.isnan(value) for value in values) else max(values)


def growth(points):
    """What a line through the points (time, value) gains from the first time to the last."""
    middle = statistics.fmean(time for time, _ in points)
    spread = math.fsum((time - middle) ** 2 for time, _ in points)
    slope = math.fsum((time - middle) * value for time, value in points) / spread if spread > 0 else 0.0
    return slope * (points[-1][0] - points[0][0])


def levels(points):
    """The median of each stretch of the time: what is taken for a moment, as for the copy of a film that goes into a
    file, is no growth, and would be some where it happens to be seen late."""
    begin, end = points[0][0], points[-1][0]
    stretches = [[] for _ in range(STRETCHES)]
    for time, value in points:
        stretches[min(int(STRETCHES * (time - begin) / max(end - begin, 1e-9)), STRETCHES - 1)].append((time, value))
    return [tuple(map(statistics.median, zip(*stretch))) for stretch in stretches if stretch]


def memoryChecks(usage, begun=0.0, end=math.inf):
    """Of a render that lasted from `begun` to `end`, in seconds after the program's start: what comes later is the
    program's own end."""
    usage = [one for one in usage if one.seconds < end]
    end = usage[-1].seconds
    warm = [one for one in usage if one.seconds >= begun + WARM_UP * (end - begun)]
    checks = []
    for name, values in (
        ("memory of the host", [one.resident for one in warm]),
        ("memory of the devices", [one.deviceMemory for one in warm]),
    ):
        if not any(values):
            continue
        gained = growth(levels([(one.seconds, value) for one, value in zip(warm, values)]))
        limit = max(MOST_GROWTH, 0.01 * statistics.median(values))
        seconds = warm[-1].seconds - warm[0].seconds
        text = f"{statistics.median(values) / 2**20:.1f} MiB, {gained / 2**20:+.2f} MiB in {seconds:.0f} s"
        checks.append(Check(name, text, gained < limit))
    for name, values in (("threads", [one.threads for one in warm]), ("open files", [one.files for one in warm])):
        checks.append(Check(name, f"{min(values)} to {max(values)}", max(values) - min(values) <= 2))
    return checks


def worstError(lines, predicted, total, first):
    """The largest error of the predicted ends, as a share of the whole, from the share `first` of the time on."""
    begin = max(first * lines[-1].seconds, FIRST_SECONDS)
    return max((abs(predicted(line) - total) / total for line in lines if line.seconds >= begin), default=0.0)


def etaChecks(lines, onProcessor):
    """By the clock; on a device of software, which other programs slow down, right or wrong by its processor time."""
    end = lines[-1]
    started = [line for line in lines if line.share > 0.0]
    # What is left at the speed so far, whatever that is.
    slip = max(abs((line.seconds + line.eta) * line.share / line.seconds - 1) for line in started)
    checks = [Check("ETA", f"goes by the share that is done to {100 * slip:.2g} %", slip < 0.01)]

    def add(name, predicted, total, counts):
        tenth = worstError(started, predicted, total, 0.1)
        quarter = worstError(started, predicted, total, 0.75)
        text = f"wrong by at most {100 * tenth:.1f} % after a tenth, {100 * quarter:.1f} % in the last quarter"
        checks.append(Check(name, text, not counts or (tenth <= ETA_ERROR and quarter <= LAST_ETA_ERROR)))

    add("ETA by the clock", lambda line: line.seconds + line.eta, end.seconds, not onProcessor)
    if onProcessor:
        first = lines[0].processor
        add("ETA by the processor", lambda line: (line.processor - first) / line.share, end.processor - first, True)
    return checks


def progressChecks(lines, clockSeconds, statsSeconds):
    shares = [line.share for line in lines]
    end = lines[-1]
    whole = end.share == 1.0 and end.eta == 0.0
    # The program's own start and end lie outside of the render.
    honest = abs(end.seconds - statsSeconds) <= 0.02 * statsSeconds + 0.5 and end.seconds <= clockSeconds
    gap = max((b.seconds - a.seconds for a, b in zip(lines, lines[1:])), default=0.0)
    return [
        Check("progress", f"{len(lines)} lines, {gap:.1f} s apart at most", shares == sorted(shares) and whole),
        Check("time", f"{end.seconds:.1f} s, {statsSeconds:.1f} s by figures, {clockSeconds:.1f} s by clock", honest),
    ]


def saveChecks(saves, every, record):
    """A checkpoint waits for the batch under way, and for its own writing."""
    gaps = [b - a for a, b in zip(saves, saves[1:-1])]  # the last one comes with the end
    late = max(gaps, default=0.0)
    fewest = math.floor(record.lines[-1].seconds / (1.5 * every + 5)) + 1
    right = len(saves) >= fewest and late <= 1.5 * every + 5 and min(gaps, default=every) >= every - 0.5
    return [Check("checkpoints", f"{len(saves)} every {every:g} s, {late:.1f} s apart at most", right)]


def pixelZ(pixels, count):
    """The largest |z| that so many pixels reach once in a million times by chance."""
    return statistics.NormalDist().inv_cdf(1 - 0.5e-6 / (pixels * count))


def radianceChecks(image, expected, names="RGB"):
    """Against the closed form: each pixel, and all of them together."""
    checks = []
    for name, truth in zip(names, expected):
        values = image[name]
        pixels = len(values)
        limit = pixelZ(pixels, len(names))
        # One for all, as their light is the same: that of a pixel is small where its value happens to be.
        deviation = math.sqrt(statistics.fmean(image[f"variance.{name}"]))
        worst = max(abs(value - truth) for value in values) / math.hypot(deviation, ROUNDING * truth)
        mean = statistics.fmean(values)
        z = (mean - truth) / math.hypot(deviation / math.sqrt(pixels), ROUNDING * truth)
        text = f"{mean:.7f}, expected {truth:.7f}: z {z:+.2f}, of pixels at most {worst:.2f} (limit {limit:.1f})"
        checks.append(Check(f"radiance {name}", text, abs(z) < Z_LIMIT and worst < limit))
    return checks
