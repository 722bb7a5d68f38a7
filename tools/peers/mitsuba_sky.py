#!/usr/bin/env python3
"""Writes what Mitsuba 3 makes of Hosek and Wilkie's sky and sun, for tests/sky/hosek_mitsuba.inc.

Usage: mitsuba_sky.py >tests/sky/hosek_mitsuba.inc     (needs the Python package mitsuba 3.9.1)

The sky: radiance in linear Rec. 709, without Mitsuba's factor of 1 / 106.7503. The sun: the mean over its disc of
spectral radiance, limb darkening included, in W/(m^2 sr nm).
"""

import math
import struct

import mitsuba

SKIES = [  # turbidity, ground albedo, the sun's elevation
    (1.0, (0.0, 0.0, 0.0), 1.0), (2.0, (0.3, 0.3, 0.3), 60.0), (3.25, (0.1, 0.5, 0.9), 30.0),
    (4.5, (1.0, 1.0, 1.0), 10.0), (6.0, (0.2, 0.1, 0.05), 0.2), (7.6, (0.6, 0.4, 0.8), 45.0),
    (9.9, (0.75, 0.0, 0.25), 4.0), (10.0, (0.0, 0.3, 1.0), 89.0),
]
SUNS = [  # turbidity, elevation
    (1.0, 1.0), (1.0, 45.0), (2.0, 10.0), (2.5, 80.0), (3.0, 2.5), (3.0, 20.0), (3.0, 60.0), (4.7, 5.0), (6.0, 33.0),
    (8.3, 12.0), (10.0, 4.0), (10.0, 70.0),
]
WAVELENGTHS = range(360, 721, 20)
CIE_Y = 106.7502593994140625  # MI_CIE_Y_NORMALIZATION is one over it
MODEL_APERTURE = 0.5358  # degrees; Mitsuba's radiance is the model's for such a sun, and less for a larger one
APERTURE = 10.0  # so large that the angles on the disc suffer nothing from single precision


def direction(elevation, azimuth):
    """Z is up; azimuth from the sun's."""
    e, a = math.radians(elevation), math.radians(azimuth)
    return mitsuba.ScalarVector3f(math.sin(a) * math.cos(e), math.cos(a) * math.cos(e), math.sin(e))


def towards(d):
    si = mitsuba.SurfaceInteraction3f()
    si.wi = -d
    return si


def places(sun):
    """28 along a spiral from the horizon to the zenith, and four at the sun's height."""
    for i in range(28):
        up = round(math.degrees(math.asin((i + 0.25) / 28)), 1)
        yield up, round(i * 137.508 % 360, 1)
    for azimuth in (0.0, 1.0, 8.0, 25.0):
        yield sun, azimuth


def writeSkies():
    print("constexpr SkyValues kSkies[] = {")
    for turbidity, albedo, sun in SKIES:
        emitter = mitsuba.load_dict({"type": "sunsky", "turbidity": turbidity, "sun_scale": 0.0,
                                     "albedo": {"type": "rgb", "value": albedo}, "sun_direction": direction(sun, 0.0)})
        print(f"    {{{turbidity}, {{{', '.join(f'{a}F' for a in albedo)}}}, {sun}, {{")
        rows = []
        for up, azimuth in places(sun):
            r, g, b = (float(v) * CIE_Y for v in emitter.eval(towards(direction(up, azimuth))))
            rows.append(f"{{{up}, {azimuth}, {{{r:.7g}, {g:.7g}, {b:.7g}}}}}")
        for i in range(0, len(rows), 2):
            print("        " + ", ".join(rows[i:i + 2]) + ",")
        print("    }},")
    print("};")


# Gauss and Legendre's nodes and weights on (0, 1): exact for the polynomial of the limb darkening.
GAUSS = [(0.5 + 0.5 * s * x, 0.5 * w) for x, w in ((0.2386191860831969, 0.4679139345726910),
                                                   (0.6612093864662645, 0.3607615730481386),
                                                   (0.9324695142031521, 0.1713244923791704)) for s in (-1, 1)]


def singleCosine(degrees):
    return struct.unpack("f", struct.pack("f", math.cos(math.radians(degrees))))[0]


def discMean(emitter, elevation, wavelengths):
    """At the sun's own height above the horizon: places on the disc that are as high as its middle."""
    total = [0.0] * len(wavelengths)
    # Mitsuba's ratio of the solid angles, in its precision: 1 less the cosine of the model's radius is 0.2 % off there.
    larger = (1.0 - singleCosine(0.5 * APERTURE)) / (1.0 - singleCosine(0.5 * MODEL_APERTURE))
    for cosine, weight in GAUSS:
        angle = math.asin(math.sin(math.radians(0.5 * APERTURE)) * math.sqrt(1.0 - cosine * cosine))
        azimuth = 2.0 * math.degrees(math.asin(math.sin(0.5 * angle) / math.cos(math.radians(elevation))))
        for first in range(0, len(wavelengths), 4):
            si = towards(direction(elevation, azimuth))
            part = (wavelengths[first:first + 4] + [500] * 3)[:4]
            si.wavelengths = part
            values = emitter.eval(si)
            for i in range(min(4, len(wavelengths) - first)):
                total[first + i] += larger * 2.0 * cosine * weight * float(values[i])
    return total


def writeSuns():
    print("constexpr SunValues kSuns[] = {")
    for turbidity, elevation in SUNS:
        emitter = mitsuba.load_dict({"type": "sunsky", "turbidity": turbidity, "sky_scale": 0.0, "complex_sun": True,
                                     "sun_aperture": APERTURE, "sun_direction": direction(elevation, 0.0)})
        values = [f"{v:.7g}" for v in discMean(emitter, elevation, list(WAVELENGTHS))]
        print(f"    {{{turbidity}, {elevation}, {{")
        for i in range(0, len(values), 10):
            print("        " + ", ".join(values[i:i + 10]) + ",")
        print("    }},")
    print("};")


def main():
    print("// Written by tools/peers/mitsuba_sky.py with Mitsuba " + mitsuba.__version__ + ".")
    print("// clang-format off")
    mitsuba.set_variant("scalar_rgb")
    writeSkies()
    mitsuba.set_variant("scalar_spectral")
    writeSuns()
    print("// clang-format on")


main()
