#!/usr/bin/env bash
# Builds the fuzz targets, makes their seeds, and runs them one after another.
#
#   tests/fuzz/run.sh [--runs N | --seconds N] [TARGET...]
#
# Each target runs N inputs, or N seconds (20 unless told otherwise); all targets where none is named. The inputs that
# reach new code stay in build/fuzz/corpus, for the next run. Ends with status 1 where there is a finding; the input
# then lies in build/fuzz/findings.

source "$(dirname "$0")/../../tools/build.sh"

usage="usage: tests/fuzz/run.sh [--runs N | --seconds N] [TARGET...]"
limit=-max_total_time=20
case "${1-}" in
    --runs | --seconds)
        [[ "${2-}" =~ ^[1-9][0-9]*$ ]] || fail "$1: found '${2-}', expected a whole number from 1; $usage"
        [ "$1" = --runs ] && limit=-runs=$2 || limit=-max_total_time=$2
        shift 2
        ;;
    -*) fail "found '$1'; $usage" ;;
esac

mapfile -t all < <(cd tests/fuzz && printf '%s\n' *_fuzz.cpp | sed 's/_fuzz\.cpp$//')
targets=("$@")
[ $# -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
    [ -e "tests/fuzz/${target}_fuzz.cpp" ] || fail "found the target '$target', expected one of: ${all[*]}"
done

installPackages "${fuzzPackages[@]}" || fail "the packages could not be installed"
buildPreset fuzz fuzz_seeds "${targets[@]/#/fuzz_}"

base=$PWD/build/fuzz
memory=${TMPDIR:-/tmp}
[ -w /dev/shm ] && memory=/dev/shm # each input is a file
TMPDIR=$(mktemp -d "$memory/aureole-fuzz-XXXXXX")
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
# Threads of OpenMP would wait for inputs in a loop that takes the core. What an allocator cannot give is for the code
# to refuse, as without a sanitizer.
export OMP_NUM_THREADS=1 ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1
export UBSAN_OPTIONS=print_stacktrace=1
rm -rf "$base/seeds"
"$base/tests/fuzz/fuzz_seeds" "$base/seeds"

# The dictionary of a target.
dictionary() {
    if [ "$1" = scene_json ]; then
        python3 tests/fuzz/schema_words.py scenes/aureole.schema.json >"$TMPDIR/scene_json.dict"
        echo "$TMPDIR/scene_json.dict"
    else
        echo "tests/fuzz/dict/$1.dict"
    fi
}

# runTarget TARGET: a line of the table; fails where there is a finding.
runTarget() {
    local corpus=$base/corpus/$1 findings=$base/findings/$1 log=$base/$1.log status=0 words options=()
    mkdir -p "$corpus" "$findings" "$base/seeds/$1"
    words=$(dictionary "$1")
    [ -e "$words" ] && options+=("-dict=$words")
    nice "$base/tests/fuzz/fuzz_$1" "$limit" -rss_limit_mb=2048 -timeout=20 -print_final_stats=1 \
        -artifact_prefix="$findings/" "${options[@]}" "$corpus" "$base/seeds/$1" >"$log" 2>&1 || status=$?
    local inputs coverage
    inputs=$(sed -nE 's/^stat::number_of_executed_units: *//p' "$log")
    coverage=$(sed -nE 's/.* cov: ([0-9]+) .*/\1/p' "$log" | tail -n 1)
    local finding="none"
    [ "$status" -eq 0 ] || finding=$(sed -nE 's/.*Test unit written to (.*)/\1/p' "$log" | tail -n 1)
    printf '%-12s %10s %9s  %s\n' "$1" "${inputs:-?}" "${coverage:-?}" "${finding:-see $log}"
    if [ "$status" -ne 0 ]; then
        grep -E -m 3 'broken promise|ERROR:|runtime error|SUMMARY|terminate called' "$log" >&2 || true
        echo "again: TMPDIR=/tmp build/fuzz/tests/fuzz/fuzz_$1 '$finding'; all of it: $log" >&2
        return 1
    fi
}

printf '%-12s %10s %9s  %s\n' target inputs coverage finding
found=0
for target in "${targets[@]}"; do
    runTarget "$target" || found=1
done
exit "$found"
