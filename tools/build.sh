# Sourced by the scripts beside it: say(), fail(), installPackages() and buildPreset().

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source tools/packages.sh

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# buildPreset PRESET [TARGET...]: configures and builds; all targets where none is named.
buildPreset() {
    local preset=$1
    shift
    local launcher=()
    if command -v ccache >/dev/null; then
        launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    say "configuring build/$preset"
    cmake --preset "$preset" "${launcher[@]}" --log-level=WARNING ||
        fail "cmake could not configure build/$preset; its messages are above"
    say "building build/$preset"
    cmake --build --preset "$preset" ${1:+--target "$@"} || fail "the build of build/$preset failed; its messages are above"
}
