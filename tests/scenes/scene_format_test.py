"""scenes/FORMAT.md is what tools/scene_format.py makes of the schema, and has all of it. Argument: the repository."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(sys.argv[1])
SCHEMA = ROOT / "scenes/aureole.schema.json"
PAGE = ROOT / "scenes/FORMAT.md"


def run(*arguments):
    command = [sys.executable, "-B", ROOT / "tools/scene_format.py", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def objects(part):
    """All objects with keys of their own anywhere in the schema."""
    if isinstance(part, dict):
        if isinstance(part.get("properties"), dict):
            yield part
        for value in part.values():
            yield from objects(value)
    elif isinstance(part, list):
        for value in part:
            yield from objects(value)


class SceneFormatTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        result = run("--check")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_every_key_has_a_row_with_its_default_range_and_meaning(self):
        schema = json.loads(SCHEMA.read_text())
        rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
        count = 0
        for part in objects(schema):
            for key, value in part["properties"].items():
                expected = [f"| `{key}` |"]
                if "default" in value:
                    expected.append(f"| `{json.dumps(value['default'])}` |")
                if isinstance(value.get("minimum"), int) and isinstance(value.get("maximum"), int):
                    expected.append(f"| {value['minimum']} to {value['maximum']} |")
                expected += [f"`{json.dumps(choice)}`" for choice in value.get("enum", [])]
                if "description" in value and "oneOf" not in value and "properties" not in value:
                    expected.append(f"| {value['description']} |")
                found = [row for row in rows if all(text in row for text in expected)]
                self.assertTrue(found, f"no row has all of {expected}")
                count += 1
        self.assertGreater(count, 150)

    def test_links_lead_to_headings(self):
        text = PAGE.read_text()
        headings = {line[3:].lower().replace(".", "") for line in text.splitlines() if line.startswith("## ")}
        self.assertEqual({link for link in re.findall(r"\(#([^)]*)\)", text)} - headings, set())

    def test_a_change_of_the_schema_is_noticed(self):
        schema = json.loads(SCHEMA.read_text())
        schema["$defs"]["voxels"]["properties"]["resolution"]["default"] = 513
        with tempfile.TemporaryDirectory() as folder:
            changed = Path(folder) / "schema.json"
            changed.write_text(json.dumps(schema))
            result = run("--check", changed, PAGE)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("tools/scene_format.py", result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
