"""The pages that tools/bench/report.py draws of what the benchmarks write. Arguments: the built program, the repository.

With AUREOLE_FULL=1 also as Chromium shows them; a folder in AUREOLE_REPORTS then gets the pages and pictures of them.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from chromium import Chromium

PROGRAM = Path(sys.argv[1])
REPORT = Path(sys.argv[2], "tools/bench/report.py")
HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
# A file name; slashes cannot be in it.
HOSTILE = "<script>alert('1')<!--&amp;\"]]>.json"
SCENE = {
    "version": 1,
    "materials": {"grey": {"albedo": 0.5}},
    "assets": {"block": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}}},
    "instances": {"block": {"asset": "block", "material": "grey"}},
    "cameras": {"front": {"position": [1, 1, 3], "target": [0, 0, 0], "verticalFov": 40}},
    "environment": {"type": "constant", "radiance": 1},
}
BENCHMARKS = {
    "scan": ["scan", "--items", "4096,8192,10000"],
    "fft": ["fft", "--lengths", "64,80", "--sizes", "24x20"],
    "bloom": ["bloom", "--size", "21x13", "--kernel-size", "9", "--symmetric", "--pictures", "--against", "fftw,boxes"],
    "texture": ["texture", "--sizes", "40,70", "--sweep", "50", "--lanes", "8x4", "--rows", "4", "--fused", "1,3"],
    "traverse": ["traverse", "{scene}", "--resolution", "16,32", "--surface", "cubes,planes", "--strategy", "thread,sorted",
                 "--rays", "primary,shadow,bounce1,bounce2", "--size",
                 "48x32", "--paths", "--against", "tree64"],
    "render": ["render", "{scene}", "--resolution", "16", "--size", "48x32", "--spp", "32", "--reference", "64",
               "--strategy", "lights,mis,sobol", "--pictures"],
    "speeds": ["render", "--all", "{scenes}", "--resolution", "16", "--size", "16x16", "--spp", "8"],
    "denoise": ["denoise", "{scene}", "--resolution", "16", "--size", "48x32", "--spp", "8,16", "--reference", "64",
                "--pictures"],
}


def setUpModule():
    global folder, pages
    folder = tempfile.TemporaryDirectory()
    place = Path(os.environ.get("AUREOLE_REPORTS") or folder.name)
    scene = Path(folder.name, HOSTILE)
    scene.write_text(json.dumps(SCENE))
    scenes = Path(folder.name, "scenes")
    scenes.mkdir()
    Path(scenes, "block.json").write_text(json.dumps(SCENE))
    pages = {}
    for name, arguments in BENCHMARKS.items():
        page = place / f"{name}.html"
        command = [PROGRAM, "bench", *(a.format(scene=scene, scenes=scenes) for a in arguments), "--repeats", "1", "--allow-cpu", "--json",
                   place / f"{name}.json"]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200,
                                env={**os.environ, "XDG_CACHE_HOME": folder.name, "AUREOLE_OIDN": folder.name})
        assert result.returncode == 0, result.stderr
        drawn = draw(place / f"{name}.json", page)
        assert (drawn.returncode, drawn.stdout, drawn.stderr) == (0, "", ""), drawn.stderr
        pages[name] = Page(page, result.stdout)


def draw(file, output):
    return subprocess.run([sys.executable, "-B", REPORT, file, "-o", output], capture_output=True, text=True, check=False,
                          timeout=60)


def tearDownModule():
    folder.cleanup()


class Page:
    def __init__(self, file, printed):
        self.file = file
        self.printed = printed
        self.text = file.read_text(encoding="utf-8")
        self.root = ElementTree.fromstring(self.text)  # well-formed, or it throws
        self.json = json.loads(file.with_suffix(".json").read_text())

    def all(self, tag, kind=None):
        return [e for e in self.root.iter() if e.tag in (HTML + tag, SVG + tag)
                and (kind is None or kind in e.get("class", "").split())]


def text_of(element):
    return "".join(element.itertext())


FAKE = """#!/bin/sh
# An aureole that has measured all but textures: its reports are files beside it.
echo "$*" >>"$(dirname "$0")/log"
case $* in
    *"texture"*"--json"*) echo "no texture here" >&2; exit 1 ;;
esac
benchmark=$2
while [ $# -gt 0 ]; do
    [ "$1" = --json ] && cp "$(dirname "$0")/$benchmark"[.-]* "$(dirname "$2")"
    shift
done
exit 0
"""


class SuiteTest(unittest.TestCase):
    def test_all_benchmarks_make_one_page(self):
        place = Path(folder.name, "suite")
        fake = place / "aureole"
        place.mkdir()
        for name in ("scan", "fft", "bloom", "traverse"):
            for file in pages[name].file.parent.glob(f"{name}[.-]*"):  # the JSON, and pictures
                shutil.copy(file, place)
        fake.write_text(FAKE)
        fake.chmod(0o700)
        result = subprocess.run([REPORT.with_name("suite.sh"), "--quick", "--aureole", fake, "-o", place / "out",
                                 "--device", "0"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("these did not come to an end: texture", result.stderr)
        self.assertIn("no texture here", result.stderr)
        log = (place / "log").read_text().splitlines()
        self.assertEqual([line.split()[1] for line in log], ["scan", "bloom", "traverse", "fft", "texture"])
        for line in log:
            self.assertIn("--device 0", line)
            self.assertTrue(line.endswith(f"--json {line.split()[1]}.json"), line)  # wherever the folder is
            self.assertEqual(" --against all " in line, line.split()[1] in ("scan", "bloom", "traverse"), line)
        self.assertRegex(result.stdout, "\ntraverse: [0-9]+ s\n")
        names = ("scan", "bloom", "traverse", "fft")
        reports = json.loads((place / "out/suite.json").read_text())["reports"]
        self.assertEqual([report["benchmark"] for report in reports], list(names))
        page = Page(place / "out/suite.html", "")
        self.assertEqual([text_of(e) for e in page.all("h2")], [text_of(pages[name].all("h1")[0]) for name in names])
        for kind in ("lines", "bars", "table"):
            self.assertEqual(len(page.all("figure", kind)),
                             sum(len(pages[name].all("figure", kind)) for name in names))
        self.assertIn(reports[0]["device"], text_of(page.all("h1")[0]))

    def test_wrong_options_are_named(self):
        for options in (["--fast"], ["-o"]):
            result = subprocess.run([REPORT.with_name("suite.sh"), *options], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 2)
            self.assertIn(options[0], result.stderr)


class ReportTest(unittest.TestCase):
    def each(self):
        for name, page in pages.items():
            with self.subTest(name):
                yield name, page

    def test_nothing_is_asked_for_elsewhere(self):
        for _, page in self.each():
            for element in page.root.iter():
                for attribute in ("src", "href", "data", "action", "poster", "srcset"):
                    self.assertRegex(element.get(attribute, "data:"), "^data:", element.tag)
                self.assertNotIn(element.tag, [HTML + tag for tag in ("link", "iframe", "object", "embed", "base", "form")])
            style = text_of(page.all("style")[0])
            self.assertNotRegex(style, r"url\(|@import|@font-face")
            self.assertFalse(re.search(r"https?://", re.sub(r' xmlns="[^"]*"', "", page.text)))

    def test_the_policy_lets_the_script_run_and_nothing_else(self):
        for _, page in self.each():
            policy = next(e for e in page.all("meta") if e.get("http-equiv") == "Content-Security-Policy").get("content")
            self.assertTrue(policy.startswith("default-src 'none';"), policy)
            scripts = page.all("script")
            self.assertEqual(len(scripts), 1)
            digest = base64.b64encode(hashlib.sha256(text_of(scripts[0]).encode()).digest()).decode()
            self.assertIn(f"script-src 'sha256-{digest}';", policy)
            self.assertFalse([a for e in page.root.iter() for a in e.keys() if a.startswith("on") or a == "style"])

    def test_tables_are_those_of_the_json(self):
        for _, page in self.each():
            figures = page.all("figure", "table")
            self.assertEqual(len(figures), len(page.json["tables"]))
            for figure, table in zip(figures, page.json["tables"]):
                self.assertEqual(text_of(figure.find(HTML + "figcaption")), table["title"])
                self.assertIn(table["title"], page.printed)
                self.assertEqual([text_of(e) for e in figure.iter(HTML + "li")], table["notes"])
                keys = [e.get("data-key") for e in figure.iter(HTML + "th")]
                rows = [[self.value_of(cell) for cell in row] for row in figure.iter(HTML + "tr")][1:]
                self.assertEqual([dict(zip(keys, row)) for row in rows], table["rows"])

    @staticmethod
    def value_of(cell):
        if cell.get("data-value") is not None:
            return json.loads(cell.get("data-value"))
        return None if text_of(cell) == "-" else text_of(cell)

    def test_cells_are_told_as_in_the_terminal(self):
        for _, page in self.each():
            for row in page.all("tr"):
                for cell in row.findall(HTML + "td"):
                    self.assertIn(text_of(cell), page.printed)

    def test_the_head_says_what_ran(self):
        for name, page in self.each():
            facts = dict(zip(map(text_of, page.all("dt")), map(text_of, page.all("dd"))))
            self.assertEqual(facts["Device"], page.json["device"])
            self.assertEqual(facts["Driver"], page.json["driver"])
            version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.strip()
            self.assertEqual("aureole " + facts["aureole"], version)
            self.assertRegex(facts["Date"], r"^20\d\d-\d\d-\d\d \d\d:\d\d UTC$")
            self.assertTrue(facts["Command"].startswith(f"aureole bench {BENCHMARKS[name][0]} "), facts["Command"])
            self.assertEqual(len(page.all("h1")), 1)

    def test_plots_show_the_rows(self):
        shapes = {"scan": (2, 1), "fft": (1, 1), "bloom": (0, 4), "texture": (1, 1), "traverse": (2, 10), "render": (1, 2), "speeds": (0, 1),
                  "denoise": (1, 1)}
        for name, page in self.each():
            found = (len(page.all("figure", "lines")), len(page.all("figure", "bars")))
            self.assertEqual(found, shapes[name])
        tables = pages["fft"].json["tables"]
        self.assertEqual(len(pages["fft"].all("polyline")), 4)
        self.assertEqual(len(pages["fft"].all("circle")), sum(len(table["rows"]) for table in tables[:2]))
        told = {text_of(e) for e in pages["fft"].all("title")}
        for row in tables[0]["rows"]:
            length, kind = row[""].split(" ", 1)
            value = row["of copy"]  # of such small transforms any, where other programs run beside
            share = f"{value:.3g}" if value < 0.01 else f"{value:.{3 if value < 10 else 1 if value < 1000 else 0}f}"
            self.assertIn(f"{kind}, {length}: {share} share of a copy", told)
        self.assertEqual(len(pages["bloom"].all("rect", "track")), 2 * 2 + 2 * 2 + 3 * 2)  # passes and whole, a peer beside aureole, and one for three kernels

    def test_pictures_are_within_the_page(self):
        sizes = {"scan": [], "fft": [], "bloom": [(320, 180)] * 2 + [(21, 13)] * 6, "texture": [], "traverse": [],
                 "render": [(48, 32)] * 2, "speeds": [], "denoise": [(48, 32)] * 4}
        for name, page in self.each():
            for picture in page.all("img"):
                data = base64.b64decode(picture.get("src").removeprefix("data:image/png;base64,"), validate=True)
                self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
                self.assertEqual(struct.unpack(">II", data[16:24]), (int(picture.get("width")), int(picture.get("height"))))
            pairs = [e for e in page.all("div") if e.get("class") == "pair"]
            found = [(int(e.get("width")), int(e.get("height"))) for pair in pairs for e in pair.iter(HTML + "img")]
            self.assertEqual(found, sizes[name])

    def test_names_of_scenes_stay_text(self):
        for name in ("traverse", "render", "denoise"):
            page = pages[name]
            self.assertNotIn("<script>alert", page.text)
            self.assertTrue(any(HOSTILE in text_of(e) for kind in ("h2", "h3", "caption", "figcaption", "td")
                                for e in page.all(kind)), name)

    def test_line_charts_alone_are_an_svg_of_their_own(self):
        output = Path(folder.name, "traverse.svg")
        self.assertEqual(draw(pages["traverse"].file.with_suffix(".json"), output).returncode, 0)
        root = ElementTree.parse(output).getroot()
        self.assertEqual(root.tag, SVG + "svg")
        # Of the first panel a line for each set of rays but those without a rate, from 16 to 32; of the second, one for
        # each strategy.
        panels = root.findall(SVG + "g")
        self.assertEqual(len(panels), 2)
        texts = [[text_of(e) for e in panel.iter(SVG + "text")] for panel in panels]
        self.assertLess(texts[0].index("16"), texts[0].index("32"))
        for name in ("primary", "shadow", "bounce1"):
            self.assertIn(name, texts[0])
        self.assertNotIn("bounce2", texts[0], "a box is convex: there is no second bounce")
        self.assertIn("sorted", texts[1])
        self.assertTrue(any(HOSTILE in text for text in texts[1]))

    def test_what_is_no_result_of_a_benchmark_is_refused_by_name(self):
        file = Path(folder.name, "other.json")
        for text, expected in (("{", "found no JSON"), ("[]", "/benchmark None"), ('{"benchmark": "fftt"}', "'fftt'"),
                               ('{"benchmark": "fft"}', "no table"), ('{"benchmark": "fft", "tables": 3}', "no table")):
            file.write_text(text)
            result = draw(file, Path(folder.name, "other.html"))
            self.assertEqual(result.returncode, 1, text)
            self.assertIn(str(file), result.stderr)
            self.assertIn(expected, result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        self.assertFalse(Path(folder.name, "other.html").exists())

    def test_pictures_are_only_those_beside_the_json(self):
        document = json.loads(pages["bloom"].file.with_suffix(".json").read_text())
        file = Path(folder.name, "changed.json")
        for name, expected in (("../secret.png", "a folder in the name"), ("/etc/passwd", "a folder in the name"),
                               ("none.png", "cannot be read"), ("changed.json", "no PNG file")):
            document["pictures"][0]["first"]["file"] = name
            file.write_text(json.dumps(document))
            result = draw(file, Path(folder.name, "changed.html"))
            self.assertEqual(result.returncode, 1)
            self.assertIn(name, result.stderr)
            self.assertIn(expected, result.stderr)

    def test_a_page_that_cannot_be_written_is_an_error(self):
        Path(folder.name, "folder.html").mkdir()
        for place, expected in (("missing/report.html", 1), ("folder.html", 1), ("page.htm", 2)):
            result = draw(pages["fft"].file.with_suffix(".json"), Path(folder.name, place))
            self.assertEqual(result.returncode, expected)
            self.assertIn(str(Path(folder.name, place)), result.stderr)
            self.assertNotIn("Traceback", result.stderr)
        self.assertEqual(list(Path(folder.name).glob("*.part")), [])

    def test_files_of_older_versions_are_drawn(self):
        document = json.loads(pages["fft"].file.with_suffix(".json").read_text())
        for key in ("aureole", "date", "command", "repeats", "pictures"):
            del document[key]
        file = Path(folder.name, "old.json")
        file.write_text(json.dumps(document))
        self.assertEqual(draw(file, file.with_suffix(".html")).returncode, 0)


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Chromium()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()

    def open(self, name, **options):
        self.browser.open(pages[name].file, **options)

    def shoot(self, name):
        if os.environ.get("AUREOLE_REPORTS"):
            self.browser.screenshot(Path(os.environ["AUREOLE_REPORTS"], name + ".png"))

    def test_pages_load_alone_and_without_a_message(self):
        for name in pages:
            for dark in (False, True):
                with self.subTest(name, dark=dark):
                    self.open(name, dark=dark)
                    self.shoot(name + ("-dark" if dark else ""))
                    others = [url for url in self.browser.requests if not url.startswith("data:")]
                    self.assertEqual(others, [pages[name].file.resolve().as_uri()])
                    self.assertEqual(self.browser.problems, [])
                    self.assertEqual(self.browser.evaluate("document.querySelectorAll('td').length"),
                                     sum(len(row) for table in pages[name].json["tables"] for row in table["rows"]))
                    self.assertTrue(self.browser.evaluate(
                        "Array.from(document.images).every(i => i.complete && i.naturalWidth > 0)"))
                    ink, paper = self.browser.evaluate(
                        "[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
                    self.assertEqual(sum(map(int, re.findall(r"\d+", ink))) > sum(map(int, re.findall(r"\d+", paper))), dark)

    def test_the_policy_stops_what_a_page_should_not_do(self):
        self.open("fft")
        self.browser.evaluate("""(() => { const image = new Image(); image.src = 'http://127.0.0.1:9/a.png';
            const script = document.createElement('script'); script.textContent = 'window.ran = 1';
            document.body.append(image, script); })()""")
        self.assertIsNone(self.browser.evaluate("window.ran"))
        self.assertTrue(any("Content Security Policy" in text for text in self.browser.problems), self.browser.problems)

    def test_no_text_runs_into_another_or_out_of_the_page(self):
        overlaps = """Array.from(document.querySelectorAll('svg')).flatMap(svg => {
            const boxes = Array.from(svg.querySelectorAll('text')).map(t => [t.textContent, t.getBoundingClientRect()]);
            return boxes.flatMap(([a, p], i) => boxes.slice(i + 1).filter(([b, q]) =>
                p.left < q.right && q.left < p.right && p.top + 1 < q.bottom && q.top + 1 < p.bottom)
                .map(([b]) => [svg.getAttribute('aria-label'), a, b])); })"""
        beyond = """Array.from(document.querySelectorAll('svg text, figcaption, dd, p, li, h1, h2, h3, .scroll'))
            .filter(e => { const box = e.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; })
            .map(e => e.textContent)"""
        for name in pages:
            for width in (1280, 700, 400):
                with self.subTest(name, width=width):
                    self.open(name, width=width)
                    if width == 400:
                        self.shoot(name + "-phone")
                    self.assertEqual(self.browser.evaluate(overlaps), [])
                    self.assertEqual(self.browser.evaluate(beyond), [])
                    self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)

    def test_the_slider_uncovers_the_second_picture(self):
        shown = "getComputedStyle(document.querySelector('.pair .second')).clipPath"
        box = """(() => { const pair = document.querySelector('.pair'); pair.scrollIntoView();
            const box = pair.getBoundingClientRect(); return [box.left, box.top, box.width, box.height]; })()"""
        for name in ("bloom", "render", "denoise"):
            with self.subTest(name):
                self.open(name)
                left, top, width, height = self.browser.evaluate(box)
                self.assertIn("50%", self.browser.evaluate(shown))
                self.browser.drag((left + width / 2, top + height / 2), (left + width / 4, top + height / 2))
                split = float(re.search(r"([0-9.]+)%", self.browser.evaluate(shown))[1])
                self.assertAlmostEqual(split, 25, delta=1)
                self.shoot(name + "-slid")

    def test_tables_are_sorted_by_a_click_on_a_heading(self):
        self.open("fft")
        column = "Array.from(document.querySelectorAll('table')[0].tBodies[0].rows).map(r => +r.children[%d].dataset.value)"
        keys = list(pages["fft"].json["tables"][0]["rows"][0])
        place = keys.index("us")
        click = f"document.querySelectorAll('table')[0].querySelectorAll('th')[{place}].querySelector('button').click()"
        self.browser.evaluate(click)
        rising = self.browser.evaluate(column % place)
        self.assertEqual(rising, sorted(row["us"] for row in pages["fft"].json["tables"][0]["rows"]))
        self.browser.evaluate(click)
        self.assertEqual(self.browser.evaluate(column % place), rising[::-1])

    def test_without_script_and_on_paper_pictures_stand_side_by_side(self):
        boxes = """Array.from(document.querySelectorAll('.pair img')).slice(0, 2)
            .map(i => { const box = i.getBoundingClientRect(); return [box.left, box.right, box.top]; })"""
        self.open("bloom", script=False)
        self.shoot("bloom-no-script")
        self.check_beside(self.browser.evaluate(boxes))
        self.open("bloom")
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.check_beside(self.browser.evaluate(boxes))
        if os.environ.get("AUREOLE_REPORTS"):
            self.browser.print(Path(os.environ["AUREOLE_REPORTS"], "bloom.pdf"))
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def check_beside(self, boxes):
        (first_left, first_right, first_top), (second_left, _, second_top) = boxes
        self.assertLess(first_left, first_right)
        self.assertLessEqual(first_right, second_left)
        self.assertEqual(first_top, second_top)


if __name__ == "__main__":
    unittest.main(argv=["report_test", "ReportTest", "SuiteTest"] + ["BrowserTest"] * (os.environ.get("AUREOLE_FULL") == "1"))
