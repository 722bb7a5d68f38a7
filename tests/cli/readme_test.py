"""Runs what the README and the manual pages show in blocks of ```console, and holds it against what they show.
Arguments: the built program, the repository; with --update as the third, pages get the outputs as they are now, with
their times: of commands whose outputs are shortened by "...", only where they differ.

A line that begins with "$ " is a command, the lines below it are all that it prints. Each page is run from its top to
its end, in a folder that has the repository's scenes. A command ends with 0, but for one that prints an error. What is
shown and what is printed are the same, but for this:

- a line "..." stands for any lines;
- messages (standard error) may stand before or after the output;
- times and rates (numbers with a unit of time, Mray/s, a second) may be others;
- a line that begins with "device" tells of the machine from there on, and so does every line of 'aureole devices';
- numbers with a decimal point, and numbers of rays, may differ by 1 %, since devices round differently; those of
  'aureole bench' may be any."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, ROOT = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
TIME = re.compile(r"(\d+ h )?(\d+ min )?\d+(\.\d+)? (s|ms|us|min|h)\b")
RATE = re.compile(r"\d+(\.\d+)? (Mray/s|million a second)")
NUMBER = re.compile(r"(-?\d+(?:\.\d+)?(?:e[-+]\d+)?(?: rays\b)?)")


def pages():
    return [ROOT / "README.md", *sorted((ROOT / "src/cli/manual/pages").glob("*.md"))]


def blocks(page):
    """Of each block of a page, its commands as (command, lines that are shown)."""
    for block in re.findall(r"^```console\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        commands = []
        while lines:
            line = lines.pop(0)
            if line.startswith("$ "):
                while line.endswith("\\"):
                    line += "\n" + lines.pop(0)
                commands.append((line[2:], []))
            else:
                commands[-1][1].append(line)
        yield commands


def anchors(page):
    """What links to the headings of a page are called."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


def run(command, folder):
    # The validation layer looks on in the suite cli: it doubles the time of runs as small as these.
    environment = {**os.environ, "AUREOLE_VALIDATION": os.environ.get("AUREOLE_FULL", "0"),
                   "XDG_CACHE_HOME": str(folder / ".cache"), "PATH": f"{folder / 'bin'}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True,
                          text=True, check=False, timeout=600)


def close(shown, printed, bench):
    if "." not in shown and not shown.endswith("rays"):
        return shown == printed
    a, b = float(shown.split()[0]), float(printed.split()[0])
    return bench or abs(a - b) <= 0.01 * max(abs(a), abs(b)) + 1e-6


def same_line(shown, printed, command):
    if command.startswith("aureole devices") or (shown.startswith("device ") and printed.startswith("device ")):
        return True
    texts = []
    for text in (shown, printed):
        text = RATE.sub("RATE", TIME.sub("TIME", " ".join(text.split())))
        texts.append(NUMBER.split(text))
    if len(texts[0]) != len(texts[1]) or texts[0][::2] != texts[1][::2]:
        return False
    bench = command.startswith("aureole bench ")
    return all(close(a, b, bench) for a, b in zip(texts[0][1::2], texts[1][1::2]))


def same(shown, printed, command):
    """Whether all lines are the same; "..." stands for any."""
    if not shown:
        return not printed
    if shown[0] == "...":
        return any(same(shown[1:], printed[skipped:], command) for skipped in range(len(printed) + 1))
    return bool(printed) and same_line(shown[0], printed[0], command) and same(shown[1:], printed[1:], command)


def folder_with_scenes(name):
    folder = Path(name)
    (folder / "bin").mkdir()
    (folder / "bin/aureole").symlink_to(PROGRAM)
    (folder / "scenes").symlink_to(ROOT / "scenes")
    return folder


def differences(page, folder, times=False):
    """Runs a page and yields (command, shown, printed, status) of what is not as it is shown; with `times`, of all that
    is shown whole."""
    for commands in blocks(page):
        for command, shown in commands:
            result = run(command, folder)
            output, messages = result.stdout.splitlines(), result.stderr.splitlines()
            right = same(shown, messages + output, command) or same(shown, output + messages, command)
            fails = any(line.startswith("aureole: error: ") for line in shown)
            if not right or (result.returncode != 0) != fails or (times and "..." not in shown):
                printed = messages + output if result.returncode == 0 else output + messages
                yield command, shown, printed, result.returncode


def update():
    with tempfile.TemporaryDirectory() as name:
        folder = folder_with_scenes(name)
        for page in pages():
            text = page.read_text()
            for command, shown, printed, _ in list(differences(page, folder, times=True)):
                old = "\n".join(["$ " + command, *shown]) + "\n"
                assert text.count(old) >= 1, old
                text = text.replace(old, "\n".join(["$ " + command, *printed]) + "\n", 1)
            page.write_text(text)


class ReadmeTest(unittest.TestCase):
    def test_examples_print_what_is_shown(self):
        with tempfile.TemporaryDirectory() as name:
            folder = folder_with_scenes(name)
            for page in pages():
                for command, shown, printed, status in differences(page, folder):
                    with self.subTest(f"{page.name}: {command}"):
                        self.fail("\n".join(["shown:", *shown, f"printed, and ended with {status}:", *printed]))

    def test_the_readme_has_an_example_of_every_kind(self):
        commands = " ".join(command for block in blocks(ROOT / "README.md") for command, _ in block)
        for word in ("render", "voxelize", "export", "bloom", "texture", "merge", "compare", "info", "validate",
                     "devices", "bench"):
            self.assertIn(f"aureole {word} ", commands + " ")

    def test_links_lead_to_what_is_there(self):
        others = [ROOT / name for name in ("CONTRIBUTING.md", "scenes/README.md", "tests/bench/README.md")]
        for page in [*pages(), *others, *ROOT.glob("tests/bench/record/*.md")]:
            for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
                name, _, anchor = link.partition("#")
                file = page.parent / name if name else page
                with self.subTest(f"{page.name}: {link}"):
                    self.assertTrue("://" in link or file.exists())
                    if anchor:
                        self.assertIn(anchor, anchors(file))

    def test_the_readme_is_short(self):
        self.assertLessEqual(len((ROOT / "README.md").read_text().splitlines()), 300)

    def test_differences_are_seen(self):
        line = "render   8 samples per pixel in 3.6 s, 573866 rays, 0.16 Mray/s"
        self.assertTrue(same_line(line, "render   8 samples per pixel in 1 min 2 s, 573900 rays, 2.10 Mray/s", "aureole render"))
        self.assertFalse(same_line(line, "render   9 samples per pixel in 3.6 s, 573866 rays, 0.16 Mray/s", "aureole render"))
        self.assertFalse(same_line(line, "render   8 samples per pixel in 3.6 s, 593866 rays, 0.16 Mray/s", "aureole render"))
        self.assertFalse(same_line("rmse 0.0226", "rmse 0.0236", "aureole compare"))
        self.assertTrue(same(["a", "...", "c"], ["a", "b", "b", "c"], "aureole info"))
        self.assertFalse(same(["a", "..."], ["b"], "aureole info"))
        self.assertFalse(same(["a"], ["a", "b"], "aureole info"))


if __name__ == "__main__":
    if sys.argv[3:] == ["--update"]:
        update()
    else:
        unittest.main(argv=["readme_test"])
