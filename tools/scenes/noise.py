"""Value noise on the points of a lattice."""

import math


def stretched(values, count, period):
    """So many values, each `1 / period` of the way on to the next, between those of a ring."""
    result = []
    for i in range(count):
        at = i / period
        k, f = int(at), at - int(at)
        f = f * f * (3 - 2 * f)
        a, b = values[k % len(values)], values[(k + 1) % len(values)]
        result.append([x + f * (y - x) for x, y in zip(a, b)] if isinstance(a, list) else a + f * (b - a))
    return result


def noise(rng, size, period):
    """For each z a list by x + size[0] y, of numbers from -1 to 1 that change over `period` points, which may be one
    number or one for each axis."""
    px, py, pz = period if isinstance(period, tuple) else (period,) * 3
    lattice = [[[rng.uniform(-1, 1) for _ in range(math.ceil(size[0] / px) + 1)]
                for _ in range(math.ceil(size[1] / py) + 1)] for _ in range(math.ceil(size[2] / pz) + 1)]
    planes = [stretched([stretched(row, size[0], px) for row in plane], size[1], py) for plane in lattice]
    flat = [[x for row in plane for x in row] for plane in planes]
    return stretched(flat, size[2], pz)
