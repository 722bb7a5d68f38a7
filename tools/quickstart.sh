#!/usr/bin/env bash
# From a fresh Debian 12 machine to the first picture: installs the packages, builds, renders a demo scene.
# Usage: tools/quickstart.sh [SCENE], as root or with sudo at hand. Safe to run again.

start=$PWD
source "$(dirname "$0")/build.sh" # changes the folder

[ $# -le 1 ] || fail "found $# arguments, expected at most one; usage: tools/quickstart.sh [SCENE]"
scene=scenes/balls.json
if [ $# -eq 1 ]; then
    scene=$(cd "$start" && realpath --canonicalize-missing -- "$1")
fi
picture=build/demo.png

[ -f "$scene" ] || fail "$scene: no such file"
installPackages "${buildPackages[@]}" || fail "the packages could not be installed"
buildPreset release aureole

say "rendering $scene"
build/release/src/cli/aureole render "$scene" -o "$picture" --size 640x360 --resolution 512 --spp 32 --denoise ||
    fail "the demo scene could not be rendered; its messages are above"
say "done: the picture is $PWD/$picture"
