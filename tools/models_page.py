#!/usr/bin/env python3
"""Makes a page of models as `aureole render MODEL` shows them, each beside a picture of it from elsewhere.

    tools/models_page.py AUREOLE LIST FOLDER [--size 640x480] [--blender PYTHON] [-- OPTION...]

LIST is a JSON file, such as tools/models_page.json: an array of {"file": ..., "url": ..., "licence": ..., "title": ...,
"beside": ..., "from": ..., "options": [...]}, paths relative to it. A file that has a "url" is fetched from there into
FOLDER/models, unless it lies there already, and so is a picture "beside" that is a URL. "beside" is a picture of the
file by who published it, and "from" says whose it is; "blender" instead of a path has Blender's Cycles render the file,
from the same place and under lights from the same sides, by a PYTHON that has the package bpy. "options" are of this
model's render, those behind -- of all. FOLDER gets index.html and the pictures, none of which is made again where it
lies there already: a machine with a GPU may make some of them. What aureole says of a file stands below its picture.
"""

import argparse
import html
import json
import pathlib
import shutil
import subprocess
import sys
import urllib.request

STYLE = """body { font: 15px sans-serif; margin: 2em; background: #eee }
main { display: flex; flex-wrap: wrap; gap: 1.5em }
figure { margin: 0; background: #fff; padding: 0.5em }
img { height: 300px; vertical-align: top }
figcaption { max-width: 800px; padding-top: 0.4em }
pre { white-space: pre-wrap; font-size: 11px; color: #666; margin: 0.3em 0 0 }"""


def render(program, model, options, target):
    """Returns what aureole said of the file: warnings, or its error. It is kept beside the picture."""
    said = target.with_suffix(".txt")
    if target.exists() and said.exists():
        return said.read_text()
    done = subprocess.run([program, "render", model, "-o", target, *options], capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if "warning: " in line or "error: " in line]
    said.write_text("\n".join(line.replace(f"{model}: ", "").replace(f"{target}: ", "") for line in lines))
    return said.read_text()


def fetched(url, folder, name):
    """The file of a URL, which is fetched once."""
    target = folder / "models" / name
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        part = target.with_suffix(target.suffix + ".part")
        with urllib.request.urlopen(url, timeout=60) as source, part.open("wb") as copy:
            shutil.copyfileobj(source, copy)
        part.rename(target)
    return target.resolve()


def beside(entry, folder, blender, size, model, target):
    """The name of the picture from elsewhere in the page's folder; None where there is none."""
    picture = entry.get("beside")
    if picture == "blender":
        if target.exists():
            return target.name
        if blender is None:
            return None
        worker = pathlib.Path(__file__).resolve().parent / "peers/blender_model.py"
        subprocess.run([blender, worker, model, target, size], check=True, stdout=subprocess.DEVNULL)
        return target.name
    if picture is None:
        return None
    suffix = pathlib.Path(picture).suffix
    copy = target.with_suffix(suffix)
    is_url = picture.startswith("https://")
    source = fetched(picture, target.parent, model.name + suffix) if is_url else folder / picture
    shutil.copyfile(source, copy)
    return copy.name


def figure(entry, ours, theirs, said):
    title = html.escape(entry.get("title", entry["file"]))
    source = "Blender (Cycles)" if entry.get("beside") == "blender" else html.escape(entry.get("from", ""))
    pictures = f'<img src="{ours}" alt="aureole">' if ours else ""
    if theirs:
        pictures += f' <img src="{theirs}" alt="{source}">'
    caption = f"<b>{title}</b>" + (f": aureole, and {source}" if theirs else "")
    caption += f"<br>{html.escape(entry['licence'])}" if "licence" in entry else ""
    return f"<figure>{pictures}<figcaption>{caption}<pre>{html.escape(said)}</pre></figcaption></figure>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path, metavar="AUREOLE")
    parser.add_argument("list", type=pathlib.Path, metavar="LIST")
    parser.add_argument("folder", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--size", default="640x480", metavar="WxH")
    parser.add_argument("--blender", metavar="PYTHON")
    split = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    arguments, common = parser.parse_args(sys.argv[1:split]), sys.argv[split + 1:]
    arguments.folder.mkdir(parents=True, exist_ok=True)
    figures = []
    for number, entry in enumerate(json.loads(arguments.list.read_text()), 1):
        model = (fetched(entry["url"], arguments.folder, entry["file"]) if "url" in entry
                 else (arguments.list.parent / entry["file"]).resolve())
        name = f"{number:02}_{model.name.replace('.', '_')}"
        ours = arguments.folder / f"{name}.png"
        options = ["--size", arguments.size, *common, *entry.get("options", [])]
        said = render(arguments.program.resolve(), model, options, ours)
        theirs = beside(entry, arguments.list.parent, arguments.blender, arguments.size, model,
                        arguments.folder / f"{name}_beside.png")
        print(f"{name}: {said or 'nothing to say'}", file=sys.stderr, flush=True)
        figures.append(figure(entry, ours.name if ours.exists() else None, theirs, said))
    page = ["<!DOCTYPE html>", '<html lang="en"><meta charset="utf-8"><title>Models</title>', f"<style>{STYLE}</style>",
            "<main>", *figures, "</main></html>"]
    (arguments.folder / "index.html").write_text("\n".join(page) + "\n")


if __name__ == "__main__":
    main()
