"""The table of a comparison, in Markdown, from its rows."""

HEAD = [
    "scene",
    "renderer",
    "Msamples/s",
    "relMSE at {spp} spp",
    "less worst 0.1 %",
    "s to relMSE 1e-3",
    "mean by {base}'s",
    "less worst 0.1 %",
    "blocks differ by",
    "z of the mean",
    "z of blocks",
]


def seconds(goal):
    """Those that were not reached, or that a quick comparison scaled, have a '~'."""
    return f"{'~' if goal['from'] == 'scaled' else ''}{goal['seconds']:.3g}"


def scores(row):
    """How far its mean is from the base's by their noise; nothing where that is not known."""
    if "score" not in row:
        return ["", ""]
    found = row["score"]
    return [f"{found['mean']:.1f}", f"{found['spread']:.2f}, to {found['most']:.1f} of {found['blocks']}"]


def cells(row):
    if "error" in row:
        return [row["scene"], row["renderer"], "failed"] + [""] * 8
    return [
        row["scene"],
        row["renderer"],
        f"{row['samples_per_second'] / 1e6:.3g}",
        f"{row['relmse']:.3g}",
        f"{row['relmse_trimmed']:.3g}",
        seconds(row["goal"]),
        f"{row['mean_ratio']:.4f}",
        f"{row['mean_ratio_trimmed']:.4f}",
        f"{100 * row['block_difference']:.2g} %",
        *scores(row),
    ]


def lines(rows):
    """The lines of the table; rows that failed are told below it, with what went wrong."""
    good = [row for row in rows if "error" not in row]
    bases = sorted({row["base"] for row in good})
    words = {"spp": good[0]["spp"] if good else 64, "base": bases[0] if len(bases) == 1 else "the base"}
    table = [[title.format(**words) for title in HEAD], ["---", "---"] + ["---:"] * 9, *map(cells, rows)]
    yield from ("| " + " | ".join(row) + " |" for row in table)
    for row in rows:
        if "error" in row:
            yield f"{row['scene']}, {row['renderer']}: {row['error']}"
    for who in sorted({f"{row['renderer']} {row['version']} on {row['device']}" for row in good}):
        yield who
