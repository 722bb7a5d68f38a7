#!/usr/bin/env bash
# Gets the figures of Hosek and Wilkie's sky for "model": "hosek-wilkie": writes sunsky_datasets.bin, 0.6 MB, and its
# licence into FOLDER, which a scene then names as "data". They come from the Python package mitsuba, which carries
# them; pip downloads it (45 MB) from where it is set to look, PyPI unless told otherwise, and nothing is installed.
#
#   tools/sky_figures.sh FOLDER [WHEEL]
#
#   WHEEL   a wheel of mitsuba 3.9.1 that is on this machine already; then nothing is downloaded

set -euo pipefail

version=3.9.1
member=mitsuba/data/sunsky
data=sunsky_datasets.bin
sum=f110fa54ebcaf5f764da3a20bb4aafeeffd28111fcd0986f50a2489c12b294c7
byHand="or download a wheel of mitsuba $version by other means and name it: tools/sky_figures.sh FOLDER WHEEL"

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

case "$#,${1:--}" in
    [12],-*) fail "usage: tools/sky_figures.sh FOLDER [WHEEL]" ;;
    [12],*) ;;
    *) fail "usage: tools/sky_figures.sh FOLDER [WHEEL]" ;;
esac
folder=$1
wheel=${2:-}

isRight() {
    echo "$sum  $1" | sha256sum --check --status 2>/dev/null
}

if isRight "$folder/$data" && [ -s "$folder/LICENSE" ]; then
    echo "$folder/$data is there already"
    exit 0
fi
made=no
if [ ! -d "$folder" ]; then
    mkdir -p "$folder" || fail "the folder $folder cannot be made"
    made=yes
fi
work=$(mktemp -d "$folder/.sky_figures.XXXXXX") || fail "the folder $folder cannot be written to"

cleanUp() {
    rm -rf "$work"
    if [ "$made" = yes ] && [ ! -e "$folder/$data" ]; then
        rmdir "$folder"
    fi
}
trap cleanUp EXIT

if [ -z "$wheel" ]; then
    python3 -m pip --version >/dev/null 2>&1 || fail "found no pip; install Debian's python3-pip, $byHand"
    # The data are the same in all wheels of a version; this is the smallest.
    python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 30 --no-deps \
        --only-binary=:all: --platform win_amd64 --python-version 3.11 --implementation cp --abi cp311 \
        --dest "$work" "mitsuba==$version" ||
        fail "pip could not download mitsuba $version; see its message above: is there a network? Try again, $byHand"
    wheel=$(echo "$work"/*.whl)
fi
[ -f "$wheel" ] || fail "there is no file $wheel"

# takeOut FILE: to the standard output.
takeOut() {
    python3 -c 'import sys, zipfile
sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]))' "$wheel" "$member/$1" 2>"$work/problem" ||
        fail "$wheel: found no $member/$1, expected a wheel of mitsuba $version: $(tail -n 1 "$work/problem")"
}

takeOut "$data" >"$work/$data"
takeOut LICENSE | tr -d '\r' >"$work/LICENSE"
isRight "$work/$data" || fail "$wheel: $member/$data has another SHA-256 than that of mitsuba $version, $sum"
mv -f "$work/LICENSE" "$work/$data" "$folder/" || fail "the figures cannot be moved to $folder"
echo "wrote $folder/$data and its LICENSE"
