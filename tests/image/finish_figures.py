"""Prints the figures of tests/image/finish_figures_test.cpp: the finishing chain's colours, in numpy. Needs numpy alone.

    python3 tests/image/finish_figures.py
"""

import numpy as np

WIDTH, HEIGHT = 12, 9
MAP_WIDTH, MAP_HEIGHT = 5, 4
PALETTE = np.array([[0.0, 0.02, 0.1], [0.9, 0.2, 0.05], [1.0, 0.9, 0.6]])
LOW, HIGH, PALETTE_AMOUNT = 0.1, 0.9, 0.75
STRENGTH, ANGLE = 1.5, np.radians(115.0)
THICKNESS, INDEX, SPREAD, FILM_AMOUNT = 380.0, 1.45, 0.8, 0.6
VIGNETTE = 0.65


def gauss(t, height, peak, below, above):
    return height * np.exp(-0.5 * ((t - peak) * np.where(t < peak, below, above)) ** 2)


def observer(t):
    """The CIE 1931 observer after Wyman, Sloan and Shirley (2013)."""
    x = gauss(t, 0.362, 442.0, 0.0624, 0.0374) + gauss(t, 1.056, 599.8, 0.0264, 0.0323) + gauss(
        t, -0.065, 501.1, 0.0490, 0.0382)
    y = gauss(t, 0.821, 568.8, 0.0213, 0.0247) + gauss(t, 0.286, 530.9, 0.0613, 0.0322)
    z = gauss(t, 1.217, 437.0, 0.0845, 0.0278) + gauss(t, 0.681, 459.0, 0.0385, 0.0725)
    return np.stack([x, y, z])


TO_RGB = np.linalg.inv(np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                                 [0.0193339, 0.1191920, 0.9503041]]))


def film(thickness):
    """What a film reflects of white, over the most of any wavelength: beams between its faces, summed as a series."""
    waves = np.linspace(380.0, 780.0, 4001)
    face = (1.0 - INDEX) / (1.0 + INDEX)
    turn = np.exp(4j * np.pi * INDEX * thickness / waves)
    amplitude = face - face * (1.0 - face**2) * turn / (1.0 - face**2 * turn)
    most = (2.0 * face / (1.0 + face**2)) ** 2
    light = TO_RGB @ observer(waves)
    return np.maximum((light * np.abs(amplitude) ** 2 / most).sum(axis=1) / light.sum(axis=1), 0.0)


def heights(u, v):
    """The relief's map, bilinear between the middles of its pixels."""
    y, x = np.mgrid[0:MAP_HEIGHT, 0:MAP_WIDTH]
    table = 0.5 + 0.4 * np.sin(1.3 * x + 0.7 * y)
    px = np.clip(u * MAP_WIDTH - 0.5, 0, MAP_WIDTH - 1)
    py = np.clip(v * MAP_HEIGHT - 0.5, 0, MAP_HEIGHT - 1)
    x0, y0 = np.floor(px).astype(int), np.floor(py).astype(int)
    x1, y1 = np.minimum(x0 + 1, MAP_WIDTH - 1), np.minimum(y0 + 1, MAP_HEIGHT - 1)
    fx, fy = px - x0, py - y0
    return ((table[y0, x0] * (1 - fx) + table[y0, x1] * fx) * (1 - fy)
            + (table[y1, x0] * (1 - fx) + table[y1, x1] * fx) * fy)


def finished(shade):
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH]
    picture = np.stack([0.1 * x, 0.12 * y, 0.05 * (x + y)], axis=-1)
    light = picture @ np.array([0.2126, 0.7152, 0.0722])
    t = np.clip((light - LOW) / (HIGH - LOW), 0, 1) * (len(PALETTE) - 1)
    tones = np.stack([np.interp(t, np.arange(len(PALETTE)), PALETTE[:, c]) for c in range(3)], axis=-1)
    tones *= np.maximum(light / HIGH, 1)[..., None]
    colour = (1 - PALETTE_AMOUNT) * picture + PALETTE_AMOUNT * tones
    u, v = (x + 0.5) / WIDTH, (y + 0.5) / HEIGHT
    du, dv = np.cos(ANGLE) / (2 * MAP_WIDTH), -np.sin(ANGLE) / (2 * MAP_HEIGHT)
    lit = np.maximum(1 + STRENGTH * (heights(u - du, v - dv) - heights(u + du, v + dv)), 0)[..., None]
    tint = 2 * np.stack([[film(THICKNESS * (1 + SPREAD * np.clip(h, 0, 1))) for h in row] for row in heights(u, v)])
    if shade:
        colour *= lit + FILM_AMOUNT * np.maximum(1 - lit, 0) * tint
    else:
        colour *= lit * (1 - FILM_AMOUNT + FILM_AMOUNT * tint)
    square = ((x + 0.5 - WIDTH / 2) ** 2 + (y + 0.5 - HEIGHT / 2) ** 2) / (WIDTH**2 + HEIGHT**2) * 4
    corner = np.arccos((1 - VIGNETTE) ** 0.25)
    return colour * (np.cos(np.arctan(np.tan(corner) * np.sqrt(square))) ** 4)[..., None]


for shade in (False, True):
    picture = finished(shade)
    for x, y in ((0, 0), (11, 0), (3, 2), (6, 4), (9, 5), (2, 7), (11, 8)):
        values = ", ".join(f"{v:.6f}" for v in picture[y, x])
        print(f"    {{{str(shade).lower()}, {x}, {y}, {{{values}}}}},")
