#!/usr/bin/env python3
"""Prints a libFuzzer dictionary of the keys and names in a JSON Schema: schema_words.py SCHEMA"""

import json
import sys


def words(value):
    """The keys of all properties and the texts of all choices."""
    if isinstance(value, list):
        for part in value:
            yield from words(part)
    elif isinstance(value, dict):
        yield from value.get("properties", {})
        yield from (name for name in value.get("enum", []) if isinstance(name, str))
        if isinstance(value.get("const"), str):
            yield value["const"]
        for part in value.values():
            yield from words(part)


def main():
    with open(sys.argv[1], encoding="utf-8") as schema:
        found = set(words(json.load(schema)))
    for word in sorted(found):
        print(json.dumps('"%s"' % word))


main()
