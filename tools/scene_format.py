#!/usr/bin/env python3
"""Writes scenes/FORMAT.md, the reference of the scene format, from scenes/aureole.schema.json.

    tools/scene_format.py [--check] [SCHEMA [PAGE]]

--check writes nothing, and fails where the page is not what the schema says.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLOURS = ("radiance", "reflectance")
NAMED = "NAME"  # what stands for a name that the scene gives

INTRO = """# The scene format

Every key of a scene file, made by `tools/scene_format.py` from `aureole.schema.json`: change that, and run it again.
[README.md](README.md) explains what belongs together, with examples.

{description}

Places are JSON pointers, as `--set` and error messages have them; `NAME` stands for a name of the scene's own, `N` for
a place in a list. Strings may have their quotes left out with `--set`.
"""


def number(value):
    """A number as people write it: 1e12, not 1000000000000.0."""
    if abs(value) >= 1e7 and f"{value:g}".find("e") > 0 and float(f"{value:g}") == value:
        return re.sub(r"e\+?(-?)0*", r"e\1", f"{value:g}")
    return re.sub(r"e-0*", "e-", f"{value:g}") if isinstance(value, float) else str(value)


def plural(kind):
    """"list of 3 numbers" from "list of 3 number", and so on; links stay as they are."""
    for one, many in (("list of", "lists of"), ("whole number", "whole numbers"), ("number", "numbers"), ("string", "strings")):
        if kind == one or kind.startswith(one + " "):
            return many + kind[len(one):]
    return kind


class Page:
    def __init__(self, schema):
        self.schema = schema
        self.sections = []  # (title, schema), in the order in which they are met
        self.places = {}  # JSON pointers by title

    def resolve(self, part):
        """A part of the schema with the definition that it refers to; what stands beside the reference goes first."""
        if "$ref" not in part:
            return part
        definition = self.resolve(self.schema["$defs"][part["$ref"].rsplit("/", 1)[1]])
        return {**definition, **{key: value for key, value in part.items() if key != "$ref"}}

    def section(self, part, path, inline):
        """Gives an object a section, and returns a link to it. `inline` is the title of one without a definition."""
        title = part["$ref"].rsplit("/", 1)[1] if "$ref" in part else inline
        if title not in self.places:
            self.places[title] = []
            self.sections.append((title, self.resolve(part), path))
        if path not in self.places[title]:
            self.places[title].append(path)
            self.visit(self.resolve(part), path, title)
        return f"[{title}](#{title.lower().replace('.', '')})"

    def visit(self, part, path, title):
        """Meets all the objects below, so that each section knows its places."""
        for variant in self.variants(part):
            for key, value in variant.get("properties", {}).items():
                self.kind(value, f"{path}/{key}", f"{title}.{key}")

    @staticmethod
    def variants(part):
        if "properties" in part or "oneOf" not in part:
            return [part]
        return part["oneOf"]

    def is_object(self, part):
        resolved = self.resolve(part)
        if "oneOf" in resolved:
            return all(self.is_object(variant) for variant in resolved["oneOf"] if "type" in variant)
        return "properties" in resolved

    @staticmethod
    def colour(part):
        """The name of a kind of colour, which has its place among the values; empty for all else."""
        name = part.get("$ref", "").rsplit("/", 1)[-1]
        return name if name in COLOURS else ""

    def kind(self, part, path, inline):
        """The type of a value and its range, as two texts. `inline` is the title of an object without a definition."""
        if self.colour(part):
            return f"[{self.colour(part)}](#values)", ""
        value = self.resolve(part)
        if "const" in value:
            kind = "string" if isinstance(value["const"], str) else "number"
            return kind, f"`{json.dumps(value['const'])}`"
        if "enum" in value:
            return "string", ", ".join(f"`{json.dumps(choice)}`" for choice in value["enum"])
        if self.is_object(part):
            return self.section(part, path, inline), ""
        if "anyOf" in value:
            return " or ".join(self.in_one(choice, path, inline) for choice in value["anyOf"]), ""
        if value["type"] == "object":
            return plural(self.in_one(value["additionalProperties"], f"{path}/{NAMED}", inline)) + " by name", ""
        if value["type"] == "array":
            return self.array(value, path, inline)
        names = {"number": "number", "integer": "whole number", "string": "string", "boolean": "`true` or `false`"}
        return names[value["type"]], self.range(value)

    def in_one(self, part, path, inline):
        kind, limits = self.kind(part, path, inline)
        return limits if "const" in self.resolve(part) else f"{kind} {limits}".strip()

    def array(self, value, path, inline):
        kind, limits = self.kind(value["items"], f"{path}/N", inline)
        low, high = value.get("minItems"), value.get("maxItems")
        count = f"{low} " if low == high and low is not None else f"{low} or more " if low else ""
        return f"list of {count}{plural(kind)}", limits

    @staticmethod
    def range(value):
        low = value.get("minimum", value.get("exclusiveMinimum"))
        if value["type"] == "string":
            return f"matches `{value['pattern']}`" if "pattern" in value else ""
        if low is None:
            return ""
        above = "above " if "exclusiveMinimum" in value else ""
        if "maximum" not in value:
            return f"{above}{number(low)} or more"
        return f"{above}{number(low)} to {number(value['maximum'])}"

    def meaning(self, value):
        """What the value is for; of an object, whose section says more, the first sentence."""
        if self.colour(value) or ("$ref" in value and "description" in value):
            return value.get("description", "")
        text = self.resolve(value).get("description", "")
        return text.split(". ")[0].rstrip(".") + "." if text and self.is_object(value) else text

    def table(self, part, path, title):
        lines = ["| key | type | range | default | meaning |", "| --- | --- | --- | --- | --- |"]
        for key, value in part.get("properties", {}).items():
            kind, limits = self.kind(value, f"{path}/{key}", f"{title}.{key}")
            resolved = self.resolve(value)
            default = f"`{json.dumps(resolved['default'])}`" if "default" in resolved else ""
            if key in part.get("required", []):
                default = "required"
            cells = [f"`{key}`", kind, limits, default, self.meaning(value)]
            lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
        return lines

    def variant_name(self, variant):
        """What tells one of several kinds of object apart: its constants, or the key that it needs."""
        properties = variant["properties"]
        constants = [f"`\"{key}\": {json.dumps(value['const'])}`" for key, value in properties.items() if "const" in value]
        return "With " + (" and ".join(constants) or " and ".join(f"`{key}`" for key in variant["required"])) + ":"

    def one_of_keys(self, part):
        """Where exactly one of some keys is needed."""
        keys = [variant["required"][0] for variant in part.get("oneOf", []) if "properties" in part]
        return [f"Exactly one of {', '.join(f'`{key}`' for key in keys)}.", ""] if keys else []

    def lines_of(self, title, part, path):
        lines = ["", f"## {title}", ""]
        places = ", ".join(f"`{place}`" for place in self.places[title] if place)
        lines += [f"At {places}.", ""] if places else []
        if "description" in part and path:
            lines += [part["description"], ""]
        lines += self.one_of_keys(part)
        variants = self.variants(part)
        for index, variant in enumerate(variants):
            if len(variants) > 1:
                lines += ["" for _ in range(index > 0)]
                description = variant.get("description", "")
                lines += [(self.variant_name(variant) + " " + description).strip(), ""]
            lines += self.table(variant, path, title)
        return lines

    def values(self):
        lines = ["", "## Values", ""]
        for name in COLOURS:
            lines.append(f"- *{name}*: {self.schema['$defs'][name]['description']}")
        return lines

    def text(self):
        self.section(self.schema, "", "scene")
        lines = [INTRO.format(description=self.schema["description"]).rstrip()]
        for title, part, path in self.sections:
            lines += self.lines_of(title, part, path)
            if title == "scene":
                lines += self.values()
        return "\n".join(lines) + "\n"


def main(arguments):
    check = "--check" in arguments
    files = [Path(argument) for argument in arguments if argument != "--check"]
    if len(files) > 2 or any(str(file).startswith("-") for file in files):
        sys.exit("usage: tools/scene_format.py [--check] [SCHEMA [PAGE]]")
    schema = files[0] if files else ROOT / "scenes/aureole.schema.json"
    page = files[1] if len(files) > 1 else ROOT / "scenes/FORMAT.md"
    text = Page(json.loads(schema.read_text())).text()
    if not check:
        page.write_text(text)
    elif not page.exists() or page.read_text() != text:
        sys.exit(f"error: {page} is not what {schema} says; run tools/scene_format.py and commit the page")


if __name__ == "__main__":
    main(sys.argv[1:])
