"""What the tables of each benchmark look like as charts. All take the document that 'aureole bench --json' writes, and
say the same as its tables."""

import math

from plot import Bar, BarChart, LineChart, count_text, figure_text, line_or_bar_chart

COPY = "a plain copy of as many bytes"
RAY_SETS = ("primary", "ambient", "shadow", "bounce1", "bounce2", "bounce3", "bounce4")


def has(table, column):
    return bool(table["rows"]) and column in table["rows"][0]


def measured(document):
    """The tables but for what the driver tells of kernels, which comes last where it tells anything."""
    return [table for table in document["tables"] if not table["title"].startswith("Kernels")]


def add_lines(chart, rows, x_key, y_key, name_of):
    """Adds rows to lines of `y_key` against the binary logarithm of `x_key`, by name, in order of appearance; those
    without a name are left out."""
    ticks = dict(chart.ticks)
    for row in rows:
        if name := name_of(row):
            x = math.log2(row[x_key])
            chart.lines.setdefault(name, []).append((x, row[y_key]))
            ticks[x] = count_text(row[x_key])
    chart.ticks = sorted(ticks.items())


def finished(charts):
    """Those with a value, their lines in order of x, and as bars where there are no lines."""
    result = []
    for chart in charts:
        if isinstance(chart, BarChart):
            result += [chart] if chart.bars else []
        elif chart.lines:
            for points in chart.lines.values():
                points.sort(key=lambda point: point[0])
            result.append(line_or_bar_chart(chart))
    return result


def shares_of_copy(title, table):
    bars = [Bar(row[""], [row["of copy"]], mark=1.0) for row in table["rows"]]
    return BarChart(title, "share of a copy", bars, mark_name=COPY)


def microseconds_text(microseconds):
    return figure_text(microseconds) + " µs" if microseconds < 1000.0 else figure_text(microseconds / 1000.0) + " ms"


def scan_charts(document):
    """Shares of a copy against the number of items, and sorts."""
    charts = []
    for index, table in enumerate(document["tables"]):
        if has(table, "Gkeys/s"):
            chart = LineChart("Sorts" + table["title"][table["title"].index(" "):], "keys", "Gkeys/s")
            add_lines(chart, table["rows"], "keys", "Gkeys/s", lambda row: row[""])
            charts.append(chart)
        elif index == 0 and has(table, "of copy"):
            chart = LineChart("Sums over the device", "items", "share of a copy", mark=1.0, mark_name=COPY)
            add_lines(chart, table["rows"], "items", "of copy", lambda row: "" if row[""] == "copy" else row[""])
            charts.append(chart)
        elif has(table, "of copy"):
            charts.append(shares_of_copy("Sums within subgroups and workgroups", table))
    return charts


def fft_charts(document):
    """Shares of a copy against the length; of images, as bars."""
    lines = LineChart("Transforms of lines", "values a line", "share of a copy", mark=1.0, mark_name=COPY)
    images = []
    for table in document["tables"]:
        if has(table, "length"):  # "complex, natural order" of "64 complex, natural order"
            add_lines(lines, table["rows"], "length", "of copy", lambda row: row[""].split(" ", 1)[1])
        if has(table, "height"):
            images.append(shares_of_copy("Transforms of images", table))
    return [lines, *images]


def bloom_charts(document):
    """Times beside the floor, the three passes, and times of others, exact ones and near ones."""
    whole = BarChart("From film to output, one run of a chain", "µs", mark_name=f"floor: {COPY}")
    passes = BarChart("The three passes, timed apart", "µs", series=["first", "second", "third"])
    peers = BarChart("The same convolutions by others", "µs", mark_name="without padding and cropping")
    near = BarChart("Blooms that come near it, and their errors", "µs")
    for row in next((table["rows"] for table in document["tables"] if has(table, "of floor")), []):
        time = row["whole us"]
        whole.bars.append(Bar(row[""], [time], f"{microseconds_text(time)}, {row['of floor']:.2f} × floor",
                              mark=row["floor us"]))
        parts = [row["first us"], row["second us"], row["third us"]]
        passes.bars.append(Bar(row[""], parts, microseconds_text(sum(parts))))
    for row in next((table["rows"] for table in document["tables"] if has(table, "core us")), []):
        text = f"{microseconds_text(row['whole us'])}, {row['times']:.2f} × aureole's"
        peers.bars.append(Bar(f"{row['']}, {row['by']}", [row["whole us"]], text, mark=row["core us"] or 0.0))
    for row in next((table["rows"] for table in document["tables"] if has(table, "of the glare")), []):
        text = f"{microseconds_text(row['whole us'])}, error {figure_text(row['error'])}"
        near.bars.append(Bar(f"{row['']}, {row['by']}", [row["whole us"]], text))
    return [whole, passes, peers, near]


def texture_charts(document):
    """Shares of a copy: of each size, and of each tiling, as bars."""
    charts = []
    for table in document["tables"]:
        if table["title"].startswith("tilings"):
            charts.append(shares_of_copy("T" + table["title"][1:], table))
            continue
        sizes = LineChart("Sizes", "cells a side", "share of a copy", mark=1.0, mark_name=COPY)
        add_lines(sizes, table["rows"], "size", "of copy", lambda row: row[""])
        charts.append(sizes)
    return charts


def scenes_of(document):
    """The octrees of a traversal: their names, surfaces, resolutions, rows of rays, and rows of whole paths where there
    are some. The last table names them in the order of the others."""
    fastest = measured(document)[-1]["rows"]
    scenes = []
    for table in measured(document):
        following = fastest[len(scenes)] if len(scenes) < len(fastest) else None
        if following and table["title"].startswith(following[""] + ": "):
            scenes.append({"name": following[""], "title": table["title"].split(":")[0], "paths": [],
                           "resolution": following["resolution"], "surface": following.get("surface"),
                           "rays": table["rows"]})
        elif has(table, "Msamples/s") and scenes:
            scenes[-1]["paths"] = table["rows"]
    return scenes


def rates_of(scene):
    """{strategy: {set of rays: Mray/s}}, each of its best tuning: 'persistent 4/6' is one of 'persistent'."""
    rates = {}
    for row in scene["rays"]:
        strategy = rates.setdefault(row[""].split(" ")[0], {})
        strategy[row["rays of"]] = max(row["Mray/s"], strategy.get(row["rays of"], 0.0))
    return rates


def rate_lines(document):
    """Rays a second against the resolution, a line for each set of rays, and, of the octree with the most voxels a side,
    against the bounce, a line for each strategy. Of several surfaces, the first one's."""
    scenes = scenes_of(document)
    if not scenes:
        return []
    scenes = [scene for scene in scenes if scene["surface"] == scenes[0]["surface"]]
    scenes.sort(key=lambda scene: scene["resolution"])
    by_resolution = LineChart("The fastest strategy of each", "voxels along the longest side", "Mray/s")
    for rays in RAY_SETS:
        points = [(math.log2(max(scene["resolution"], 1)), max(rates.get(rays, 0.0) for rates in found.values()))
                  for scene in scenes if (found := rates_of(scene))]
        if points := [point for point in points if point[1] > 0.0]:
            by_resolution.lines[rays] = points
    used = {x for points in by_resolution.lines.values() for x, _ in points}
    by_resolution.ticks = sorted({math.log2(max(s["resolution"], 1)): str(s["resolution"]) for s in scenes
                                  if math.log2(max(s["resolution"], 1)) in used}.items())
    by_bounce = LineChart(f"{scenes[-1]['name']}, {scenes[-1]['resolution']} voxels a side", "bounce", "Mray/s")
    places = {"primary": (0.0, "primary"), **{f"bounce{i}": (float(i), str(i)) for i in range(1, 5)}}
    for strategy, rates in rates_of(scenes[-1]).items():
        if points := [(places[rays][0], rates[rays]) for rays in places if rates.get(rays, 0.0) > 0.0]:
            by_bounce.lines[strategy] = points
    used = {x for points in by_bounce.lines.values() for x, _ in points}
    by_bounce.ticks = [place for place in places.values() if place[0] in used]
    return [chart for chart in (by_resolution, by_bounce) if chart.lines]


def peer_charts(document):
    """Mray/s of peers beside the fastest strategy's, by set of rays, in the last octree that has some."""
    rows = next((table["rows"] for table in reversed(document["tables"]) if has(table, "same voxel")), [])
    title = next((table["title"] for table in reversed(document["tables"]) if has(table, "same voxel")), "")
    charts = []
    for rays in dict.fromkeys(row["rays of"] for row in rows):
        own = [row for row in rows if row["rays of"] == rays]
        bars = [Bar("aureole", [own[0]["aureole"]])]
        bars += [Bar(row[""], [row["Mray/s"]], low=row["quartile 1"], high=row["quartile 3"]) for row in own]
        charts.append(BarChart(f"{title}, {rays}", "Mray/s", bars))
    return charts


def traverse_charts(document):
    """The lines above; Mray/s of each strategy with its quartiles, by set of rays, in the octree with the most voxels a
    side, and of peers; and of whole paths."""
    charts = rate_lines(document)
    scenes = scenes_of(document)
    if scenes:
        finest = max(scenes, key=lambda scene: scene["resolution"])
        for rays in dict.fromkeys(row["rays of"] for row in finest["rays"]):
            bars = [Bar(row[""], [row["Mray/s"]], low=row["quartile 1"], high=row["quartile 3"])
                    for row in finest["rays"] if row["rays of"] == rays]
            charts.append(BarChart(f"{rays} rays, {finest['title']}", "Mray/s", bars))
    if len({scene["surface"] for scene in scenes}) > 1:
        for rays in RAY_SETS:
            bars = [Bar(f"{scene['surface']}, {scene['resolution']} voxels a side", [rate]) for scene in scenes
                    if (rate := max(rates.get(rays, 0.0) for rates in rates_of(scene).values())) > 0.0]
            charts.append(BarChart(f"The same {rays} rays to each surface", "Mray/s", bars))
    paths = BarChart("Whole paths", "Mray/s")
    for scene in scenes:
        size = f", {scene['surface']}, {scene['resolution']} voxels a side" if len(scenes) > 1 else ""
        for row in scene["paths"]:
            text = f"{figure_text(row['Mray/s'])}, {figure_text(row['Msamples/s'])} Msamples/s"
            paths.bars.append(Bar(row[""] + size, [row["Mray/s"]], text))
    return [*charts, *peer_charts(document), paths]


def speed_charts(table):
    """Samples a second of many scenes, and the share of the traversal benchmark."""
    speed = BarChart(f"Speed, {table['title']}", "Msamples/s")
    share = BarChart("Rays a second of whole paths", "share of first bounces")
    for row in table["rows"]:
        text = f"{figure_text(row['Msamples/s'])}, {figure_text(row['Mray/s'])} Mray/s"
        speed.bars.append(Bar(f"{row['']}, {row['surface']}", [row["Msamples/s"]], text))
        if row["of bounce1"] is not None:
            share.bars.append(Bar(f"{row['']}, {row['surface']}", [row["of bounce1"]]))
    return [speed, share]


def render_charts(document):
    """Errors against samples, samples a second and efficiencies; or the speeds of many scenes."""
    if has(document["tables"][0], "of bounce1"):
        return speed_charts(document["tables"][0])
    falling = LineChart("Error against samples", "samples per pixel", "relmse", logarithmic=True)
    add_lines(falling, document["tables"][0]["rows"], "samples", "relmse", lambda row: row[""])
    rates = measured(document)[-1]
    speed = BarChart("Speed", "Msamples/s")
    efficiency = BarChart(f"Efficiency, {rates['title']}", "1/(relmse s)")
    for row in rates["rows"]:
        text = f"{figure_text(row['Msamples/s'])}, {figure_text(row['Mray/s'])} Mray/s"
        speed.bars.append(Bar(row[""], [row["Msamples/s"]], text, low=row["quartile 1"], high=row["quartile 3"]))
        if row["efficiency"] is not None:
            efficiency.bars.append(Bar(row[""], [row["efficiency"]]))
    return [falling, speed, efficiency]


def denoise_charts(document):
    """Errors against samples, of each scene, and times."""
    charts = []
    for table in document["tables"]:
        if has(table, "relmse"):
            falling = LineChart(table["title"], "samples per pixel", "relmse", logarithmic=True)
            add_lines(falling, table["rows"], "samples", "relmse", lambda row: row[""])
            charts.append(falling)
        elif has(table, "filter ms"):
            bars = [Bar(row[""], [row["filter ms"], row["host ms"]], f"{figure_text(row['ms'])} ms") for row in table["rows"]]
            charts.append(BarChart(table["title"], "ms", bars, series=["filter", "host"]))
    return charts


# Of each benchmark: the title of its page, what was measured and how to read it, and its charts.
PAGES = {
    "scan": ("Scans, reductions and sorts",
             "32-bit sums, and sorts of keys with values, each checked for what it computed. The share of a copy is the "
             "rate at which bytes are read and written, held against a plain copy of the same items on the same device: "
             "1 is what memory allows.", scan_charts),
    "fft": ("Fourier transforms",
            "Batches of forward transforms of lines and of images in fp32, each checked against the spectrum of an "
            "impulse. The share of a copy is the rate at which values are read and written (by both passes of images), "
            "held against a plain copy of as many bytes on the same device: 1 is what memory allows.", fft_charts),
    "bloom": ("Bloom",
              "The convolution of an image of three fp32 planes with a kernel, from film to output, checked about bright "
              "pixels. The floor is the time of a plain copy that moves as many bytes as the three passes must read and "
              "write.", bloom_charts),
    "texture": ("Reaction-diffusion textures",
                "Steps of the Gray-Scott model, each variant checked against a reference in double before it is timed. The "
                "share of a copy counts each cell read and written once a step, held against a plain copy of as many "
                "bytes: 1 is what memory allows a step that is stored, and steps that are fused can pass it.",
                texture_charts),
    "traverse": ("Rays through octrees",
                 "Rays a second by several strategies, each of which found the same hits, ray by ray, before its speed "
                 "was told. Whiskers reach from the first to the third quartile.", traverse_charts),
    "render": ("Whole paths",
               "Ways of sampling one scene: what they cost, and how their error falls with the samples. The error is the "
               "relative mean squared one of 'aureole compare --metric relmse', averaged over the runs; efficiency is "
               "one by error and seconds, so that twice as much needs half the time for a picture as good.",
               render_charts),
    "denoise": ("Denoisers",
                "Pictures of few samples, noisy and denoised, against pictures of many by another seed. Errors are those of "
                "'aureole compare': relmse is relative and squared, flip what someone sees who flips between the two. "
                "'mean %' is how much brighter than the noisy picture one became. Times are medians of whole calls: the "
                "filter on its device, and what the host prepares and transfers.", denoise_charts),
}
