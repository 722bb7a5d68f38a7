# Sourced by the scripts beside it: say(), fail(), onlyFlag(), installPackages() and buildPreset().

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

# onlyFlag FLAG ARGUMENT...: says yes where the arguments are that flag, no where there are none, and fails on all others.
onlyFlag() {
    local flag=$1
    shift
    case "$*" in
        "") echo no ;;
        "$flag") echo yes ;;
        *) fail "found '$*', expected nothing or $flag; usage: tools/$(basename "$0") [$flag]" ;;
    esac
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
