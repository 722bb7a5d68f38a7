"""The manual pages that the program writes. Arguments: the built program, the folder of the build, the repository."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from program import commands, help_of, options, run, words

TEXTS = Path(sys.argv[3]) / "src/cli/manual/pages"


def write(folder, texts=TEXTS):
    return run("manual", folder, "--date", "2026-02-03", "--texts", texts, "--stats-schema",
               Path(folder).parent / "stats.schema.json")


class ManualTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name) / "new" / "man1"
        result = write(cls.folder)
        assert result.returncode == 0, result.stderr

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def page(self, command):
        return self.folder / ("-".join(("aureole", *command)) + ".1")

    def shown(self, command):
        """A page as man shows it, on one line a paragraph."""
        result = subprocess.run(["mandoc", "-T", "utf8", "-O", "width=1000", self.page(command)], capture_output=True,
                                text=True, check=True, timeout=60)
        return re.sub(r".\x08", "", result.stdout)

    def test_every_command_has_a_page_and_nothing_else_has(self):
        self.assertEqual({file.name for file in self.folder.iterdir()}, {self.page(command).name for command in commands()})

    def test_pages_have_no_warning(self):
        for file in sorted(self.folder.iterdir()):
            lint = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", file], capture_output=True, text=True,
                                  check=False, timeout=60)
            self.assertEqual(lint.stdout, "")
            man = subprocess.run(["man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", file], capture_output=True,
                                 text=True, check=True, timeout=60)
            self.assertEqual(man.stderr, "")

    def test_every_option_of_the_help_is_described(self):
        for command in commands():
            text = self.shown(command)
            for names, value in options(command):
                term = ", ".join(names) + (f" {value}" if value else "")
                self.assertRegex(text, rf"(?m)^ +{re.escape(term)}( \(required\))?( .*)?$", command)

    def test_help_texts_are_whole(self):
        for command in commands():
            # The help breaks lines; both have the same words in the same order.
            text = " ".join(self.shown(command).split())
            for description in re.findall(r"^  -.*?\S  +(\S.*(?:\n {30,}\S.*)*)", help_of(command), re.MULTILINE):
                self.assertIn(" ".join(description.split()), text, command)

    def test_examples_are_as_in_the_help(self):
        for command in commands():
            examples = re.search(r"^Examples:\n((?:  .*\n?)+)", help_of(command), re.MULTILINE)
            self.assertIsNotNone(examples, command)
            for line in examples[1].splitlines():
                self.assertIn(line.strip(), self.shown(command))

    def test_pages_name_version_date_and_each_other(self):
        version = run("--version").stdout.strip()
        for command in commands():
            text = self.shown(command)
            self.assertIn(version, text)
            self.assertIn("2026-02-03", text)
            self.assertIn("75 interrupted", text)
            self.assertIn(words(command), text)
        self.assertIn("aureole-render(1)", self.shown(()))
        self.assertIn("aureole(1)", self.shown(("render",)))
        self.assertIn("aureole-bench(1)", self.shown(("bench", "fft")))

    def test_texts_are_whole(self):
        for file in TEXTS.iterdir():
            shown = " ".join(self.shown(tuple(file.stem.split("-")[1:])).split())
            text = re.sub(r"^```.*?^```$", "", file.read_text(), flags=re.MULTILINE | re.DOTALL)
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
            for paragraph in re.findall(r"(?:^[A-Z`].*\n)+", text, re.MULTILINE):
                self.assertIn(" ".join(re.sub(r"[`*]", "", paragraph).split()), shown, file.name)

    def texts(self, text, name="aureole-info.md"):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / name).write_text(text)
        return Path(folder.name)

    def test_markdown_becomes_sections_paragraphs_items_code_and_terms(self):
        text = ("# aureole info\n\n## One thing\n\nA `--word` and\n*another*, [linked](far/away.md).\n\n- first item,\n"
                "  over two lines\n- second\n\n### Below\n\n```sh\na  'b' \\\\\n.c\n```\n\n| k | u | what |\n| --- | --- | --- |\n"
                "| `key` | ms | tells |\n\nThe end.\n")
        folder = Path(self.temporary.name) / "made"
        self.assertEqual(write(folder, self.texts(text)).returncode, 0)
        roff = (folder / "aureole-info.1").read_text()
        self.assertIn('.SH ONE THING\nA \\fB\\-\\-word\\fR and \\fIanother\\fR, linked.\n'
                      '.IP \\(bu 2\nfirst item, over two lines\n.IP \\(bu 2\nsecond\n'
                      ".SS Below\n.RS 4\n.nf\na  \\(aqb\\(aq \\e\\e\n\\&.c\n.fi\n.RE\n"
                      ".TP\n\\fBkey\\fR ms\ntells\n.PP\nThe end.\n.SH EXIT STATUS\n", roff)

    def test_a_text_of_no_command_is_named(self):
        result = write(Path(self.temporary.name) / "other", self.texts("# x\n", "aureole-rendr.md"))
        self.assertEqual(result.returncode, 3)
        self.assertIn("found the text aureole-rendr.md, expected one named like the page of a command", result.stderr)

    def test_whatis_reads_the_name(self):
        result = subprocess.run(["lexgrog", self.page(("bench", "fft"))], capture_output=True, text=True, check=False,
                                timeout=60)
        self.assertIn("aureole-bench-fft - batches of Fourier transforms", result.stdout)

    def test_a_folder_that_cannot_be_made_is_named(self):
        file = self.page(())
        result = write(file / "below")
        self.assertEqual(result.returncode, 5)
        self.assertIn(str(file), result.stderr)


if __name__ == "__main__":
    unittest.main(argv=["manual_test"])
