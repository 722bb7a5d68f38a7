"""tools/bench/plot.py and charts.py: charts in proportion, and which charts tables become. Argument: the repository."""

import re
import sys
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

sys.path.insert(0, str(Path(sys.argv.pop(), "tools/bench")))

from charts import fft_charts, finished, traverse_charts
from plot import (Bar, BarChart, LineChart, chart_markup, count_text, escape, figure_text, line_or_bar_chart, nice_top,
                  svg_file)


def line_chart(lines, **more):
    return LineChart("a title", "items", "share", [(0.0, "1"), (1.0, "2"), (4.0, "16")], lines, mark_name="copy",
                     **{"mark": 1.0, **more})


def dots(markup, kind="c0"):
    return [(float(x), float(y)) for x, y in re.findall(rf'<circle class="{kind}" cx="([0-9.]+)" cy="([0-9.]+)"', markup)]


class PlotTest(unittest.TestCase):
    def test_lines_are_drawn_in_proportion(self):
        markup = chart_markup(line_chart({"up": [(0, 0), (1, 0.5), (4, 1)]}))
        first, second, third = dots(markup)
        self.assertAlmostEqual((second[0] - first[0]) / (third[0] - first[0]), 0.25, delta=1e-3)
        self.assertAlmostEqual((first[1] - second[1]) / (first[1] - third[1]), 0.5, delta=1e-3)
        self.assertEqual(float(re.search(r'class="mark" d="M54 ([0-9.]+)H', markup)[1]), third[1], "the mark is at 1")
        self.assertIn("<title>up, 2: 0.500 share</title>", markup)
        self.assertIn("</span>copy</li>", markup)

    def test_logarithmic_axes_span_decades(self):
        lines = {"down": [(0, 0.2), (1, 0.02), (4, 0.0002)], "none": [(0, 0)]}
        markup = chart_markup(line_chart(lines, mark=0.0, logarithmic=True))
        first, second, third = dots(markup)
        self.assertAlmostEqual((third[1] - second[1]) / (second[1] - first[1]), 2.0, delta=1e-2)
        for label in ("1", "0.1", "0.01", "0.001", "0.0001"):
            self.assertIn(f">{label}<", markup)
        self.assertNotIn(">0.2<", markup)
        self.assertEqual(dots(markup, "c1"), [], "no place for 0")
        narrow = chart_markup(line_chart({"narrow": [(0, 0.04), (1, 0.03)]}, mark=0.0, logarithmic=True))
        self.assertIn(">0.02<", narrow, "steps within a decade")

    def test_ticks_that_run_into_each_other_are_left_out(self):
        chart = line_chart({"a": [(0, 1)]})
        chart.ticks = [(0.0, "1024"), (0.3, "1280"), (1.0, "2048"), (5.9, "15360"), (6.0, "16384")]
        markup = chart_markup(chart)
        shown = [label for _, label in chart.ticks if f">{label}<" in markup]
        self.assertEqual(shown, ["1024", "2048", "16384"])

    def test_one_value_of_each_line_makes_bars(self):
        chart = line_or_bar_chart(line_chart({"a": [(1, 0.25)], "b": [(1, 0.5)]}))
        self.assertIsInstance(chart, BarChart)
        self.assertEqual([(bar.label, bar.parts, bar.mark) for bar in chart.bars], [("a", [0.25], 1.0), ("b", [0.5], 1.0)])
        self.assertIsInstance(line_or_bar_chart(line_chart({"a": [(0, 1), (1, 1)]})), LineChart)

    def test_bars_their_parts_and_marks_are_drawn_in_proportion(self):
        chart = BarChart("times", "us", [Bar("a", [1, 3], mark=2), Bar("b", [8, 0], "eight", low=4, high=8)],
                         ["first", "second"], "floor")
        markup = chart_markup(chart)
        rects = [tuple(map(float, found)) for found in
                 re.findall(r'<rect class="c\d" x="([0-9.]+)" y="[0-9.]+" width="([0-9.]+)"', markup)]
        self.assertEqual(len(rects), 4)
        whole = rects[2][1]  # 8
        self.assertAlmostEqual(rects[0][1] / whole, 1 / 8, delta=1e-3)
        self.assertAlmostEqual(rects[1][0] / whole, 1 / 8, delta=1e-3)
        self.assertAlmostEqual(rects[1][1] / whole, 3 / 8, delta=1e-3)
        self.assertAlmostEqual(float(re.search(r'class="mark" d="M([0-9.]+) ', markup)[1]) / whole, 2 / 8, delta=1e-3)
        low, high = map(float, re.search(r'class="whisker" d="M([0-9.]+) .*?H([0-9.]+)m', markup).groups())
        self.assertAlmostEqual(low / high, 0.5, delta=1e-3)
        self.assertIn(">4.000</text>", markup)  # the sum
        self.assertIn(">eight</text>", markup)

    def test_nothing_and_one_value_are_borne(self):
        empty = BarChart("", "", [Bar("a", [0.0])])
        for chart in (empty, line_chart({"a": []}), line_chart({"a": [(0, 0)]}, mark=0.0),
                      line_chart({"a": [(0, 0)]}, mark=0.0, logarithmic=True)):
            self.assertNotRegex(chart_markup(chart), "nan|inf")
        ElementTree.fromstring(svg_file([]))

    def test_text_stays_text(self):
        self.assertEqual(escape('<script>alert("1")</script> & \x01\n'),
                         "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp;   ")
        chart = line_chart({"</svg>": [(0, 1)]})
        chart.title = "a <b> & c"
        for markup in (chart_markup(chart), svg_file([chart])):
            ElementTree.fromstring(markup)
            self.assertIn("a &lt;b&gt; &amp; c", markup)
            self.assertEqual(markup.count("</svg>"), 1)

    def test_figures_are_told_as_in_the_terminal(self):
        self.assertEqual([figure_text(n) for n in (0.0, 0.00123456, 0.5, 12.34, 1234.5)],
                         ["0.000", "0.00123", "0.500", "12.3", "1234"])
        self.assertEqual([count_text(n) for n in (1 << 20, 1 << 28, 16384, 1280, 9999)],
                         ["1 Mi", "256 Mi", "16 Ki", "1280", "9999"])
        self.assertEqual([nice_top(n) for n in (0.0, 0.9, 7.0, 60.0)], [0.2, 1.0, 8.0, 60.0])


class ChartsTest(unittest.TestCase):
    def test_transforms_have_a_line_for_each_kind_in_order_of_length(self):
        def row(name, length, share):
            return {"": name, "length": length, "of copy": share}

        document = {"tables": [{"rows": [row("64 complex, slot order", 64, 0.5), row("16 complex, slot order", 16, 0.25)]},
                               {"rows": [row("64 real, slot order", 64, 0.75)]}]}
        (chart,) = finished(fft_charts(document))
        self.assertEqual(chart.lines, {"complex, slot order": [(4.0, 0.25), (6.0, 0.5)],
                                       "real, slot order": [(6.0, 0.75)]})
        self.assertEqual(chart.ticks, [(4.0, "16"), (6.0, "64")])

    def test_traversal_shows_the_fastest_by_resolution_and_strategies_by_bounce(self):
        def rays(name, rates):
            return {"title": f"{name}: tree", "rows": [{"": strategy, "rays of": kind, "Mray/s": rate, "quartile 1": 1,
                                                        "quartile 3": 99} for strategy, kind, rate in rates]}

        fine = [("thread", "primary", 40.0), ("thread", "bounce1", 10.0), ("sorted 2/3", "primary", 25.0),
                ("sorted 4/6", "primary", 30.0), ("sorted 4/6", "bounce4", 20.0)]
        coarse = [("thread", "primary", 50.0), ("sorted 4/6", "primary", 60.0)]
        document = {"tables": [rays("fine", fine), rays("coarse", coarse),
                               {"title": "fastest", "rows": [{"": "fine", "resolution": 256},
                                                             {"": "coarse", "resolution": 64}]}]}
        charts = finished(traverse_charts(document))
        by_resolution, by_bounce = charts[:2]
        self.assertEqual(by_resolution.lines["primary"], [(6.0, 60.0), (8.0, 40.0)], "the coarser one first")
        self.assertEqual(by_resolution.lines["bounce4"], [(8.0, 20.0)])
        self.assertNotIn("shadow", by_resolution.lines)
        self.assertEqual(by_resolution.ticks, [(6.0, "64"), (8.0, "256")])
        self.assertEqual(by_bounce.title, "fine, 256 voxels a side")
        self.assertEqual(by_bounce.lines, {"thread": [(0.0, 40.0), (1.0, 10.0)], "sorted": [(0.0, 30.0), (4.0, 20.0)]})
        self.assertEqual([label for _, label in by_bounce.ticks], ["primary", "1", "4"])
        self.assertEqual([chart.title for chart in charts[2:]],
                         ["primary rays, fine", "bounce1 rays, fine", "bounce4 rays, fine"])
        self.assertEqual([bar.high for bar in charts[2].bars], [99] * 3)


if __name__ == "__main__":
    unittest.main()
