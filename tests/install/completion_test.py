"""Completion in real shells. Argument: the built program."""

import os
import pty
import re
import select
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

from program import PROGRAM, commands, options, run

BASH = r"""
source "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
function=$(complete -p aureole) && function=${function#*-F } && ${function% *} aureole "${!#}" "${COMP_WORDS[COMP_CWORD - 1]}"
((${#COMPREPLY[@]})) && printf '%s\n' "${COMPREPLY[@]}"
"""
ARGUMENTS = r"""aureole() { printf '%s' 'GIV''EN'; printf '<%s>' "$@"; printf '%s\n' 'GIV''EN'; }"""


class Shells(unittest.TestCase):
    """A folder with the scripts, and files of many kinds to complete."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.files = cls.folder / "files"
        (cls.files / "a folder").mkdir(parents=True)
        for name in ("my scene.json", "model.glb", "UPPER.JSON", "picture.exr", "picture.png", "notes.txt",
                     "octree.avo", "plot.svg", "mesh.obj", "it's.json", "a folder/inner one.json"):
            (cls.files / name).touch()
        for shell in ("bash", "zsh", "fish"):
            script = run("completion", shell)
            assert script.returncode == 0 and script.stderr == "", script.stderr
            (cls.folder / shell).write_text(script.stdout)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def bash(self, *line):
        """What bash offers for the last word of a line that readline has broken into words."""
        command = ["bash", "--norc", "-c", BASH, "bash", self.folder / "bash", "aureole", *line]
        result = subprocess.run(command, cwd=self.files, capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(result.stderr, "")
        return sorted(result.stdout.splitlines())

    def fish(self, line):
        command = f"source {self.folder}/fish; complete -C {quoted(line)}"
        result = subprocess.run(["fish", "--no-config", "-c", command], cwd=self.files, capture_output=True, text=True,
                                check=True, timeout=120, env={**os.environ, "HOME": str(self.folder)})
        self.assertEqual(result.stderr, "")
        return sorted(row.split("\t")[0] for row in result.stdout.splitlines())

    def typed(self, shell, line):
        """The arguments that aureole gets when `line` is typed at a prompt, tabs and all."""
        setup = {"bash": f"source {self.folder}/bash",
                 "zsh": f"autoload -U compinit; compinit -u -D; source {self.folder}/zsh"}[shell]
        start = self.folder / f".{shell}rc"
        start.write_text(f"{setup}\n{ARGUMENTS}\nPS1='READY'\n")
        command = {"bash": ["bash", "--noprofile", "--rcfile", str(start), "-i"], "zsh": ["zsh", "-d", "-i"]}[shell]
        try:
            child, terminal = pty.fork()
        except OSError as error:  # a container without /dev/pts
            self.skipTest(f"there is no prompt to type at: {error}")
        if child == 0:
            os.chdir(self.files)
            os.environ.update({"TERM": "vt100", "ZDOTDIR": str(self.folder), "INPUTRC": "/dev/null", "COLUMNS": "200"})
            os.execvp(command[0], command)
        try:
            self.wait_for(terminal, r"READY")
            os.write(terminal, line.encode())
            # The shell answers a tab before it reads on, so that the line's end may follow at once.
            os.write(terminal, b"\n")
            return re.findall(r"<([^>]*)>", self.wait_for(terminal, r"GIVEN(.*)GIVEN"))
        finally:
            os.close(terminal)
            os.waitpid(child, 0)

    def wait_for(self, terminal, pattern):
        text = ""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if select.select([terminal], [], [], 1)[0]:
                text += os.read(terminal, 4096).decode(errors="replace")
                found = re.search(pattern, text, re.DOTALL)
                if found:
                    return found[0]
        self.fail(f"the shell never wrote {pattern}, but: {text}")


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def choices_of(command, option):
    """What the program itself says that an option may be, when it is given something else; none where it is free."""
    # The unknown option keeps commands that need no argument from running.
    result = run(*command, option, "no-such", "--no-such")
    found = re.search(rf"{option}: found 'no-such', expected one of (.*?)(, or (an |[A-Z]).*)?$", result.stderr, re.MULTILINE)
    return sorted(re.sub(r" \(did you mean.*", "", found[1]).split(", ")) if found else []


class CompletionTest(Shells):
    def test_bash_completes_commands(self):
        self.assertEqual(self.bash(""), sorted(command[0] for command in commands() if len(command) == 1))
        self.assertEqual(self.bash("vo"), ["voxelize"])
        self.assertEqual(self.bash("bench", ""), sorted(command[1] for command in commands() if len(command) == 2))
        self.assertEqual(self.bash("bench", "t"), ["texture", "traverse"])
        self.assertNotIn("manual", self.bash(""))

    def test_all_shells_complete_every_option(self):
        for command in commands():
            listed = options(command)
            everything = sorted(name for names, _ in listed for name in names)
            self.assertEqual(self.bash(*command, "-"), everything)
            line = " ".join(("aureole", *command))
            long_ones = [name for name in everything if name.startswith("--")]
            self.assertEqual([name for name in self.fish(line + " --") if name.startswith("--")], long_ones)
            script = (self.folder / "zsh").read_text()
            function = re.search(rf"^_{'_'.join(('aureole', *command))}\(\) {{\n(.*?)^}}", script, re.S | re.M)
            self.assertIsNotNone(function, command)
            for name in everything:
                self.assertRegex(function[1], rf"\W{re.escape(name)}[=+[]", command)

    def test_choices_are_those_that_the_program_takes(self):
        checked = 0
        for command in commands():
            for names, value in options(command):
                choices = choices_of(command, names[-1]) if value else []
                if not choices:
                    continue
                checked += 1
                for name in names:
                    offered = [word for word in self.bash(*command, name, "") if "." not in word and " " not in word]
                    self.assertEqual(offered, choices, (command, name))
        # tonemap, sampler, mode, padding, axis...
        self.assertGreater(checked, 20)

    def test_fish_completes_choices(self):
        for command, option in ((("render",), "--tonemap"), (("bloom",), "--padding"), (("bench", "scan"), "--method")):
            line = " ".join(("aureole", *command, option, ""))
            self.assertEqual(self.fish(line), choices_of(command, option))
        self.assertIn("albedo,normal", self.fish("aureole render --aov albedo,nor"))

    def test_the_start_of_a_choice_narrows_it(self):
        self.assertEqual(self.bash("render", "my scene.json", "--tonemap", "a"), ["aces", "agx"])
        self.assertEqual(self.bash("render", "--tonemap", "=", "ag"), ["agx"])
        self.assertEqual(self.bash("render", "--tonemap", "="), choices_of(("render",), "--tonemap"))

    def test_lists_are_completed_after_each_comma(self):
        self.assertEqual(self.bash("render", "--aov", "albedo,no"), ["albedo,normal"])
        self.assertEqual(self.bash("bench", "traverse", "--rays", "primary,bounce"),
                         [f"primary,bounce{i}" for i in (1, 2, 3, 4)])

    def test_files_are_completed_by_extension(self):
        scenes = sorted(["a folder", "my scene.json", "model.glb", "UPPER.JSON", "octree.avo", "mesh.obj", "it's.json"])
        self.assertEqual(self.bash("render", ""), scenes)
        self.assertEqual(self.bash("render", "-o", ""), ["a folder", "picture.exr", "picture.png"])
        self.assertEqual(self.bash("render", "--output", "pic"), ["picture.exr", "picture.png"])
        self.assertEqual(self.bash("bloom", ""), ["a folder", "picture.exr"])
        self.assertEqual(self.bash("merge", "picture.exr", "pic"), ["picture.exr"])
        self.assertEqual(self.bash("bench", "traverse", "--json", ""), self.bash("bench", "fft", "--json", ""))
        self.assertIn("my scene.json", self.bash("bench", "traverse", "--json", ""))
        self.assertNotIn("plot.svg", self.bash("bench", "traverse", "--json", ""))
        # A checkpoint may have any name.
        self.assertIn("notes.txt", self.bash("render", "--resume", ""))
        # The kernel is a name or a file.
        self.assertEqual(self.bash("bloom", "--kernel", "a"), ["a folder", "airy", "aperture"])
        self.assertIn("picture.png", self.bash("bloom", "--kernel", ""))

    def test_names_with_spaces(self):
        self.assertEqual(self.bash("render", "my"), ["my scene.json"])
        self.assertEqual(self.bash("render", "my\\ sc"), ["my scene.json"])
        self.assertEqual(self.bash("render", "\"my sc"), ["my scene.json"])
        self.assertEqual(self.bash("render", "a\\ folder/"), ["a folder/inner one.json"])
        self.assertEqual(self.bash("render", "-o", "out.png", "it\\'s"), ["it's.json"])

    def test_every_file_option_completes_files(self):
        checked = 0
        for command in commands():
            for names, value in options(command):
                if re.search("FILE|OUT", value):
                    self.assertNotEqual(self.bash(*command, names[-1], "p") + self.bash(*command, names[-1], ""), [],
                                        (command, names))
                    checked += 1
        self.assertGreater(checked, 12)

    def test_what_takes_no_known_word_completes_nothing(self):
        self.assertEqual(self.bash("render", "--spp", ""), [])
        self.assertEqual(self.bash("render", "--device", ""), [])
        self.assertEqual(self.bash("devices", ""), [])
        # The second argument: render has only one.
        self.assertEqual(self.bash("render", "my scene.json", ""), [])
        # The value of an option is no argument, nor are its parts at '=' and ':'.
        self.assertEqual(self.bash("render", "--set", "/film/size", "=", "[64,64]", "my"), ["my scene.json"])
        self.assertEqual(self.bash("render", "--frames", "0", ":", "8", "my"), ["my scene.json"])

    def test_bash_at_a_prompt(self):
        self.assertEqual(self.typed("bash", "aureole rend\tmy\t-o pic\tpng --tonem\tag\t"),
                         ["render", "my scene.json", "-o", "picture.png", "--tonemap", "agx"])
        self.assertEqual(self.typed("bash", "aureole validate a\tin\t"), ["validate", "a folder/inner one.json"])

    def test_zsh_at_a_prompt(self):
        self.assertEqual(self.typed("zsh", "aureole rend\tmy\t-o picture.p\t--tonem\tag\t"),
                         ["render", "my scene.json", "-o", "picture.png", "--tonemap=agx"])
        self.assertEqual(self.typed("zsh", "aureole bench tr\t--strat\tsor\t"),
                         ["bench", "traverse", "--strategy=sorted"])

    def test_fish_completes_commands_and_files(self):
        self.assertEqual(self.fish("aureole "), self.bash(""))
        self.assertEqual(self.fish("aureole bench "), self.bash("bench", ""))
        self.assertEqual(self.fish("aureole bloom --mode "), ["exact", "resampled"])
        self.assertEqual(self.fish("aureole bench bloom --axis "), ["columns", "rows"])
        self.assertEqual(self.fish("aureole render -o pic"), ["picture.exr", "picture.png"])
        self.assertEqual(self.fish("aureole render my"), ["my scene.json"])

    def test_scripts_have_no_error_of_syntax(self):
        for shell, option in (("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")):
            result = subprocess.run([shell, option, self.folder / shell], capture_output=True, text=True, check=False,
                                    timeout=60)
            self.assertEqual((result.returncode, result.stderr), (0, ""), shell)

    def test_another_shell_is_refused_with_those_that_are_known(self):
        result = run("completion", "csh")
        self.assertEqual(result.returncode, 2)
        self.assertIn("expected one of bash, zsh, fish", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=["completion_test"])
