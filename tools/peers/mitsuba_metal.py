"""Mitsuba's rough conductor made as near as can be to aureole's metals: Schlick's Fresnel, height-correlated masking
and Turquin's compensation (2019) for light that is scattered between microfacets several times."""

import functools
import math

SAMPLES = 1 << 15


def fresnel(cosine, n, k):
    """The reflectance of a conductor of the complex index n + ik."""
    sine2 = 1 - cosine * cosine
    t0 = n * n - k * k - sine2
    a2b2 = math.sqrt(max(t0 * t0 + 4 * n * n * k * k, 0))
    a = math.sqrt(max((a2b2 + t0) / 2, 0))
    t1, t2 = a2b2 + cosine * cosine, 2 * cosine * a
    rs = (t1 - t2) / (t1 + t2)
    t3, t4 = cosine * cosine * a2b2 + sine2 * sine2, t2 * sine2
    return rs / 2 * (1 + (t3 - t4) / (t3 + t4))


def schlick(cosine, f0):
    return f0 + (1 - f0) * (1 - cosine) ** 5


@functools.cache
def index_of(f0):
    """The (n, k) that reflects f0 at right angles and elsewhere as nearly what Schlick's formula says as possible."""
    f0 = min(f0, 0.9999)
    cosines = [0.01 + 0.99 * i / 99 for i in range(100)]
    wanted = [(c, c * math.sqrt(1 - c * c) + 1e-3, schlick(c, f0)) for c in cosines]
    low, high = max((1 - f0) / (1 + f0), 1e-5), (1 + math.sqrt(f0)) / (1 - math.sqrt(f0))
    best = None
    for i in range(400):
        n = low * (high / low) ** (i / 399)
        k2 = (f0 * (n + 1) ** 2 - (n - 1) ** 2) / (1 - f0)
        if k2 >= 0:
            error = sum(weight * (fresnel(c, n, math.sqrt(k2)) - value) ** 2 for c, weight, value in wanted)
            best = min(best or (error, n, math.sqrt(k2)), (error, n, math.sqrt(k2)))
    return best[1], best[2]


def reflected(alpha, u0, u1, u2):
    """(cosine out, cosine of the half vector, cosine in) of a cosine-weighted direction that a GGX microfacet, drawn
    from those that can be seen (Dupuy and Benyoub 2023), reflects; the last is below 0 where it is lost."""
    cos_out, sin_out = math.sqrt(u0), math.sqrt(1 - u0)
    x, z = alpha * sin_out, cos_out
    length = math.hypot(x, z)
    x, z = x / length, z / length
    angle, height = 2 * math.pi * u1, (1 - u2) * (1 + z) - z
    radius = math.sqrt(max(0, 1 - height * height))
    h = (alpha * (radius * math.cos(angle) + x), alpha * radius * math.sin(angle), height + z)
    length = math.hypot(*h)
    cos_half = (sin_out * h[0] + cos_out * h[2]) / length
    return cos_out, min(max(cos_half, 0), 1), 2 * cos_half * h[2] / length - cos_out


def masking(alpha, cosine):
    """Smith's Lambda."""
    cosine = max(cosine, 1e-4)
    return (math.sqrt(1 + alpha * alpha * (1 / (cosine * cosine) - 1)) - 1) / 2


@functools.cache
def compensation(roughness, f0):
    """By what factor the mean albedo of aureole's metal is above that of Mitsuba's, whose masking is separable and
    which gives nothing back. One number, no function of the angle."""
    n, k = index_of(f0)
    alpha = max(roughness**2, 1e-3)
    bins = [[0.0, 0] for _ in range(40)]  # the white albedo by the outgoing cosine: sum and count
    found, mitsuba = [], 0.0
    for i in range(SAMPLES):
        # Roberts' evenly spread points.
        u = [(0.5 + (i + 1) * g) % 1 for g in (0.8191725134, 0.6710436067, 0.5497004779)]
        cos_out, cos_half, cos_in = reflected(alpha, *u)
        out, into = masking(alpha, cos_out), masking(alpha, cos_in)
        correlated, separable = ((1 + out) / (1 + out + into), 1 / (1 + into)) if cos_in > 1e-6 else (0, 0)
        place = bins[min(int(cos_out * 40), 39)]
        place[0] += correlated
        place[1] += 1
        found.append((schlick(cos_half, f0) * correlated, place))
        mitsuba += fresnel(max(cos_half, 1e-3), n, k) * separable
    ours = 0.0
    for value, (total, count) in found:
        albedo = max(total / count, 1e-3)
        ours += value * (1 + f0 * (1 - albedo) / albedo)
    return ours / mitsuba
