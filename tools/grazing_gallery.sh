#!/bin/sh
# Renders scenes/grazing.json with every surface, and on its triangles, to the PNG files of scenes/gallery.
#
# Usage: grazing_gallery.sh AUREOLE [FOLDER] [OPTION...]
#
# Options go to every 'aureole render', such as --spp 4 for a quick look.
set -eu

aureole=$1
scenes=$(cd "$(dirname "$0")/../scenes" && pwd)
folder=${2:-$scenes/gallery}
shift "$(($# < 2 ? $# : 2))"

for surface in cubes planes field; do
    "$aureole" render "$scenes/grazing.json" -o "$folder/grazing_$surface.png" --surface "$surface" "$@"
done
"$aureole" render "$scenes/grazing.json" -o "$folder/grazing_triangles.png" --backend reference "$@"
