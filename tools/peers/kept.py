"""What a run of compare.py leaves in its folder, for a later run to join: its rows, and the mean picture of each."""

import json

import errors

SCHEMA = 1  # of the JSON
ROWS = "peers.json"


def picture(folder, row):
    """The file with the mean of a row's renders."""
    return folder / f"{row['scene']}-{row['renderer']}.exr"


def write_picture(folder, row, mean):
    errors.write_picture(picture(folder, row), mean)


def rows(folder):
    """The rows of an earlier run but those that failed. Raises ValueError where the folder is that of no such run."""
    path = folder / ROWS
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ValueError(f"{folder}: found no {ROWS}, expected the folder of an earlier run with -o") from error
    if found.get("schema") != SCHEMA:
        raise ValueError(f"{path}: found the schema {found.get('schema')}, expected {SCHEMA}")
    return [row for row in found["rows"] if "error" not in row]


def joined(folders):
    """The (row, mean picture) of several folders by (scene, renderer); of what two have, the later folder's."""
    return {
        (row["scene"], row["renderer"]): (row, errors.read_picture(picture(folder, row)))
        for folder in folders
        for row in rows(folder)
    }
