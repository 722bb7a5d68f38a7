#!/usr/bin/env bash
# Installs Open Image Denoise for 'aureole render --denoise' and 'aureole denoise': writes its libraries (59 MB) to lib of
# FOLDER, which is ~/.local/share/aureole/oidn (aureole/oidn below $XDG_DATA_HOME), where aureole looks for them, unless
# given. They come from the Python package pyoidn, which carries them; pip downloads it (88 MB) from where it is set to
# look, PyPI unless told otherwise, and nothing else is installed. Open Image Denoise and the oneTBB with it have the
# Apache License 2.0.
#
#   tools/denoiser.sh [FOLDER [WHEEL]]
#
#   FOLDER  where aureole is told to look by AUREOLE_OIDN=FOLDER
#   WHEEL   the wheel of pyoidn 2.5.1.0 that is on this machine already; then nothing is downloaded

set -euo pipefail

version=2.5.1.0
sum=32ad13368f8de1ef63001942ad05b02a00cd732d1206d97f352d3a3f606d823e
library=libOpenImageDenoise.so.2
byHand="or download the wheel of pyoidn $version by other means and name it: tools/denoiser.sh FOLDER WHEEL"

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

case "$#,${1:-}" in
    [0-2],-*) fail "usage: tools/denoiser.sh [FOLDER [WHEEL]]" ;;
    [0-2],*) ;;
    *) fail "usage: tools/denoiser.sh [FOLDER [WHEEL]]" ;;
esac
[ "$(uname -s),$(uname -m)" = Linux,x86_64 ] ||
    fail "found $(uname -s) on $(uname -m), expected Linux on x86_64, for which the wheel's libraries are"
folder=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/aureole/oidn}
wheel=${2:-}

if [ -e "$folder/lib/$library" ] && [ "$(cat "$folder/VERSION" 2>/dev/null)" = "$version" ]; then
    echo "$folder has version $version already"
    exit 0
fi
mkdir -p "$folder/lib" || fail "the folder $folder cannot be made"
work=$(mktemp -d "$folder/.denoiser.XXXXXX") || fail "the folder $folder cannot be written to"
trap 'rm -rf "$work"' EXIT

if [ -z "$wheel" ]; then
    python3 -m pip --version >/dev/null 2>&1 || fail "found no pip; install Debian's python3-pip, $byHand"
    python3 -m pip download --quiet --disable-pip-version-check --retries 1 --timeout 30 --no-deps \
        --only-binary=:all: --platform manylinux2014_x86_64 --dest "$work" "pyoidn==$version" ||
        fail "pip could not download pyoidn $version; see its message above: is there a network? Try again, $byHand"
    wheel=$(echo "$work"/*.whl)
fi
[ -f "$wheel" ] || fail "there is no file $wheel"
echo "$sum  $wheel" | sha256sum --check --status || fail "$wheel: found another SHA-256 than that of pyoidn $version, $sum"

# What the CPU and CUDA need. aureole opens the last of them, which is there once the others are.
libraries=("libtbb.so.12" "libOpenImageDenoise_core.so.${version%.*}" "libOpenImageDenoise_device_cpu.so.${version%.*}"
    "libOpenImageDenoise_device_cuda.so.${version%.*}" "$library")
for name in "${libraries[@]}"; do
    python3 -c 'import sys, zipfile
sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read("pyoidn/oidn/lib/" + sys.argv[2]))' "$wheel" "$name" >"$work/$name" ||
        fail "$wheel: $name could not be unpacked; see the message above"
done
echo "$version" >"$work/VERSION"
for name in "${libraries[@]}"; do
    mv -f "$work/$name" "$folder/lib/" || fail "$name cannot be moved to $folder/lib"
done
mv -f "$work/VERSION" "$folder/"
echo "wrote Open Image Denoise ${version%.*} to $folder"
