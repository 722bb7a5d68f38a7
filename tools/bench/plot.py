"""Line and bar charts as SVG: what report.py and variance.py draw. Python's standard library only."""

import html
import math
from dataclasses import dataclass, field

WIDTH = 480.0  # of a chart, in its own units
COLOURS = 7  # of the lines; dashed ones follow once they are used up
# Okabe and Ito, "Color Universal Design" (2008); report.css has them for pages.
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#b8608f", "#2f9bd6", "#c98a00", "#5b6570")


@dataclass
class LineChart:
    """Lines of (x, y) by name, over ticks of (x, label)."""
    title: str
    x_label: str
    y_label: str
    ticks: list = field(default_factory=list)
    lines: dict = field(default_factory=dict)
    mark: float = 0.0  # a value to hold the lines against; 0: none
    mark_name: str = ""
    logarithmic: bool = False  # the axis of values; what is not above 0 is left out


@dataclass
class Bar:
    """One bar, of one part for each series of its chart, side by side."""
    label: str
    parts: list
    text: str = ""  # the value as it is told; empty: the sum of the parts
    mark: float = 0.0
    low: float = 0.0  # where the value may lie, such as its quartiles; none where both are 0
    high: float = 0.0


@dataclass
class BarChart:
    """Horizontal bars from 0."""
    title: str
    unit: str
    bars: list = field(default_factory=list)
    series: list = field(default_factory=list)  # names of the parts; one alone needs none
    mark_name: str = ""


def escape(text):
    """Text for markup; what is no character of a document becomes a space."""
    return html.escape("".join(" " if ord(c) < 32 else c for c in text), quote=False).replace('"', "&quot;")


def figure_text(number):
    """A number as tables and charts tell it, and as the benchmarks print it."""
    if 0.0 < number < 0.01:
        return f"{number:.3g}"
    return f"{number:.{3 if number < 10 else 1 if number < 1000 else 0}f}"


def count_text(count):
    """A count on an axis: "4 Ki" for 4096, "100" for 100."""
    for power, name in ((30, "Gi"), (20, "Mi"), (10, "Ki")):
        if count >= 2 ** power and count % 2 ** power == 0:
            return f"{count / 2 ** power:g} {name}"
    return f"{count:.0f}"


def nice_step(most):
    """The step of 1, 2 or 5 times a power of ten that reaches `most` in at most six."""
    power = 10.0 ** math.floor(math.log10(most / 6.0))
    return next((digit * power for digit in (1.0, 2.0, 5.0) if digit * power * 6.0 >= most), 10.0 * power)


def nice_top(most):
    """The multiple of that step, at least one, that is not below `most`."""
    step = nice_step(most if most > 0.0 else 1.0)
    return step * max(math.ceil(most / step), 1)


def series_class(index):
    return f"c{index % COLOURS}" + (" dashed" if index // COLOURS % 2 == 1 else "")


def text_at(x, y, anchor, text, kind="tick"):
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>\n'


class LineDrawing:
    """Lines over a grid, as SVG elements."""
    LEFT, RIGHT, TOP, BOTTOM = 54.0, WIDTH - 16.0, 26.0, 246.0
    HEIGHT = BOTTOM + 42.0

    def __init__(self, chart):
        self.chart = chart
        self.low, self.high = min(chart.ticks), max(chart.ticks)
        # The outer labels reach neither into those of the other axis nor out of the picture.
        self.left_inset = max(10.0, self.half_width(self.low[1]))
        self.right_inset = max(0.0, self.half_width(self.high[1]) - (WIDTH - self.RIGHT))
        self.scale_values()

    @staticmethod
    def half_width(label):
        return 4.0 * len(label)  # at its largest

    def x(self, value):
        low, high = self.low[0], self.high[0]
        width = self.RIGHT - self.right_inset - self.LEFT - self.left_inset
        return self.LEFT + self.left_inset + width * ((value - low) / (high - low) if high > low else 0.5)

    def y(self, value):
        share = (math.log10(value / self.bottom) / math.log10(self.top / self.bottom) if self.chart.logarithmic
                 else value / self.top)
        return self.BOTTOM - (self.BOTTOM - self.TOP) * share

    def scale_values(self):
        values = [y for points in self.chart.lines.values() for _, y in points]
        most = max([self.chart.mark, *values])
        self.bottom, self.top = 1.0, 10.0
        if not self.chart.logarithmic:
            self.top = nice_top(most)
        elif most > 0.0:
            self.bottom = 10.0 ** math.floor(math.log10(min(v for v in [most, *values] if v > 0.0)))
            self.top = max(10.0 ** math.ceil(math.log10(most)), 10.0 * self.bottom)

    def steps(self):
        """Where lines of the grid stand."""
        if not self.chart.logarithmic:
            step = nice_step(self.top)
            return [i * step for i in range(math.floor(self.top * 1.001 / step) + 1)]
        decades = round(math.log10(self.top / self.bottom))
        digits = (1.0, 2.0, 5.0) if decades <= 2 else (1.0,)
        values = [digit * self.bottom * 10.0 ** i for i in range(decades + 1) for digit in digits]
        return [value for value in values if value <= self.top * 1.001]

    def grid(self):
        svg = ""
        for value in self.steps():
            svg += f'<path class="{"grid" if svg else "axis"}" d="M{self.LEFT:g} {self.y(value):.1f}H{self.RIGHT:g}"/>\n'
            svg += text_at(self.LEFT - 7.0, self.y(value) + 4.0, "end", f"{value:g}")
        if self.chart.mark > 0.0:
            svg += f'<path class="mark" d="M{self.LEFT:g} {self.y(self.chart.mark):.1f}H{self.RIGHT:g}"/>\n'
        return svg

    def labels(self):
        """Those of ticks that would run into the one before are left out; the last one stays."""
        gap = 8.0
        svg = text_at(self.LEFT - 7.0, self.TOP - 13.0, "start", self.chart.y_label, "name")
        svg += text_at((self.LEFT + self.RIGHT) / 2.0, self.BOTTOM + 36.0, "middle", self.chart.x_label, "name")
        last_begins = self.x(self.high[0]) - self.half_width(self.high[1])
        free = 0.0
        for tick in sorted(self.chart.ticks):
            at, half = self.x(tick[0]), self.half_width(tick[1])
            if tick != self.high and (at - half < free or at + half + gap > last_begins):
                continue
            svg += f'<path class="axis" d="M{at:.1f} {self.BOTTOM:g}v4"/>\n'
            svg += text_at(at, self.BOTTOM + 17.0, "middle", tick[1])
            free = at + half + gap
        return svg

    def line(self, name, points, index):
        labels = dict(self.chart.ticks)
        shown = [(x, y) for x, y in points if y > 0.0 or not self.chart.logarithmic]
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in shown)
        svg = f'<polyline class="{series_class(index)}" points="{path}"/>\n'
        for x, y in shown:
            told = f"{name}, {labels.get(x, f'{x:g}')}: {figure_text(y)} {self.chart.y_label}"
            svg += (f'<circle class="{series_class(index)}" cx="{self.x(x):.1f}" cy="{self.y(y):.1f}" r="3.6">'
                    f"<title>{escape(told)}</title></circle>\n")
        return svg

    def svg(self):
        return self.grid() + self.labels() + "".join(
            self.line(name, points, index) for index, (name, points) in enumerate(self.chart.lines.items()))


class BarDrawing:
    """Bars below their labels, as wide as the picture, so that no label is too long for its place."""
    PITCH, LABEL, BAR, THICKNESS = 38.0, 14.0, 20.0, 11.0

    def __init__(self, chart):
        self.chart = chart
        self.most = max([0.0, *(max(sum(bar.parts), bar.mark, bar.high) for bar in chart.bars)])
        self.height = self.PITCH * len(chart.bars)

    def x(self, value):
        return (WIDTH - 2.0) * value / self.most if self.most > 0.0 else 0.0

    def bar(self, bar, y):
        top = y + self.BAR
        svg = text_at(0.0, y + self.LABEL, "start", bar.label, "label")
        svg += text_at(WIDTH, y + self.LABEL, "end", bar.text or figure_text(sum(bar.parts)), "value")
        svg += f'<rect class="track" x="0" y="{top:.1f}" width="{WIDTH:g}" height="{self.THICKNESS:g}"/>\n'
        begin = 0.0
        for index, part in enumerate(bar.parts):
            name = self.chart.series[index] + " " if index < len(self.chart.series) else ""
            told = f"{bar.label}: {name}{figure_text(part)} {self.chart.unit}"
            svg += (f'<rect class="{series_class(index)}" x="{self.x(begin):.1f}" y="{top:.1f}" '
                    f'width="{self.x(part):.1f}" height="{self.THICKNESS:g}"><title>{escape(told)}</title></rect>\n')
            begin += part
        if bar.high > 0.0:
            svg += (f'<path class="whisker" d="M{self.x(bar.low):.1f} {top + self.THICKNESS / 2.0 - 2.5:.1f}'
                    f'v5m0 -2.5H{self.x(bar.high):.1f}m0 -2.5v5"/>\n')
        if bar.mark > 0.0:
            svg += f'<path class="mark" d="M{self.x(bar.mark):.1f} {top - 3.0:.1f}v{self.THICKNESS + 6.0:g}"/>\n'
        return svg

    def svg(self):
        return "".join(self.bar(bar, index * self.PITCH) for index, bar in enumerate(self.chart.bars))


def line_or_bar_chart(chart):
    """The chart, or its values as bars where all have the same x, so that there would be no lines."""
    if len({x for points in chart.lines.values() for x, _ in points}) > 1:
        return chart
    place = chart.ticks[0][1] if chart.ticks else ""
    bars = [Bar(name, [y], mark=chart.mark) for name, points in chart.lines.items() for _, y in points]
    return BarChart(f"{chart.title}, {place} {chart.x_label}", chart.y_label, bars, mark_name=chart.mark_name)


def chart_markup(chart):
    """The chart as an HTML figure around SVG, with its title and legend; report.css has its colours. Each value is told
    where the pointer rests. Text may have any characters."""
    if isinstance(chart, LineChart):
        drawing = LineDrawing(chart)
        kind, title, height, names = "lines", chart.title, drawing.HEIGHT, list(chart.lines)
    else:
        drawing = BarDrawing(chart)
        kind, title, height = "bars", f"{chart.title}, {chart.unit}" if chart.unit else chart.title, drawing.height
        names = chart.series if len(chart.series) > 1 else []
    keys = "".join(f'<li><span class="key {series_class(i)}"></span>{escape(name)}</li>\n' for i, name in enumerate(names))
    if chart.mark_name:
        keys += f'<li><span class="key mark"></span>{escape(chart.mark_name)}</li>\n'
    legend = f'<ul class="legend">\n{keys}</ul>\n' if keys else ""
    return (f'<figure class="chart {kind}">\n<figcaption>{escape(title)}</figcaption>\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH:g} {height:g}" role="img" '
            f'aria-label="{escape(title)}">\n{drawing.svg()}</svg>\n{legend}</figure>\n')


def svg_file(charts):
    """Line charts side by side as an SVG of its own, legends below."""
    style = """text { fill: #1c2024; font-size: 13px; } .tick, .name { fill: #5b6570; font-size: 12px; }
.title { font-weight: 600; } path { fill: none; stroke: #d9dee3; } .grid { stroke: #eceff2; } .axis { stroke: #5b6570; }
.mark { stroke: #1c2024; stroke-width: 1.5; stroke-dasharray: 5 4; } polyline { fill: none; stroke-width: 2; }
.dashed { stroke-dasharray: 6 4; } .key { stroke-width: 3; } circle { stroke: #fff; stroke-width: 1.2; }
"""
    for index, colour in enumerate(PALETTE):
        style += f"polyline.c{index}, path.c{index} {{ stroke: {colour}; }} circle.c{index} {{ fill: {colour}; }}\n"
    gap, title, row = 24.0, 28.0, 20.0
    rows = max([0, *((len(chart.lines) + 1) // 2 for chart in charts)])
    height = title + LineDrawing.HEIGHT + row * (rows + 1)
    svg = ""
    for place, chart in enumerate(charts):
        svg += f'<g transform="translate({gap + place * (WIDTH + gap):g} {title:g})">\n'
        svg += text_at(WIDTH / 2.0, -8.0, "middle", chart.title, "title") + LineDrawing(chart).svg()
        for index, name in enumerate(chart.lines):
            x, y = LineDrawing.LEFT + index % 2 * 210.0, LineDrawing.HEIGHT + row * (1 + index // 2)
            svg += f'<path class="key {series_class(index)}" d="M{x:g} {y - 4.0:g}h24"/>\n'
            svg += text_at(x + 30.0, y, "start", name, "label")
        svg += "</g>\n"
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {gap + len(charts) * (WIDTH + gap):g} {height:g}" '
            f'font-family="sans-serif">\n<style>{style}</style>\n<rect width="100%" height="100%" fill="#fff"/>\n{svg}'
            "</svg>\n")
