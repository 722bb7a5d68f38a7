#!/usr/bin/env bash
# Tries to break aureole: fuzzed inputs, hostile files, kills, faults, long renders. Prints a table of what was tried
# and what was lost, and ends with status 1 where that is anything.
#
#   tools/hardening.sh [--quick] [FOLDER...]
#
#   --quick   some minutes; else a million inputs for each fuzz target, 300 kills and a render of an hour
#   FOLDER    of models and pictures to be tried beside those that tests/files makes
#
# What each part says stays in build/hardening.

source "$(dirname "$0")/build.sh"

quick=no
if [ "${1-}" = --quick ]; then
    quick=yes
    shift
fi
for folder in "$@"; do
    [ -d "$folder" ] || fail "found '$folder', expected a folder; usage: tools/hardening.sh [--quick] [FOLDER...]"
done

if [ "$quick" = yes ]; then
    fuzzing=(--seconds 15) kills=20 minutes=1 samples=20000
else
    fuzzing=(--runs 1000000) kills=300 minutes=60 samples=1000000
    export AUREOLE_FULL=1
fi

installPackages "${buildPackages[@]}" || fail "the packages could not be installed"
buildPreset release aureole aureole-import test_cli
program=build/release/src/cli/aureole
logs=build/hardening
mkdir -p "$logs"
lost=0
table=()

# part NAME COMMAND...: a part of it, whose words go to its log too.
part() {
    local name=$1
    shift
    say "$name"
    "$@" 2>&1 | tee "$logs/$name.log" || {
        echo "FAILED: $name, see $logs/$name.log" >&2
        lost=$((lost + 1))
        table+=("$(printf '%-16s %s' "$name" "FAILED, see $logs/$name.log")")
    }
}

# row NAME FIGURE: a line of the table.
row() {
    table+=("$(printf '%-16s %s' "$1" "${2:-?}")")
}

# faultFigures FILE: of Google Test's report in JSON, what its tests noted.
faultFigures() {
    python3 - "$1" <<'END'
import json, sys
tests = [test for suite in json.load(open(sys.argv[1]))["testsuites"] for test in suite["testsuite"]]
print(sum(int(test.get("faults", 0)) for test in tests), "in", len(tests), "tests")
END
}

part fuzzing tests/fuzz/run.sh "${fuzzing[@]}"
row "inputs fuzzed" "$(awk '$2 ~ /^[0-9]+$/ && NF >= 4 { sum += $2; targets++ }
    END { print sum + 0, "for", targets + 0, "targets" }' "$logs/fuzzing.log")"

part files python3 -B tests/files/run.py "$program" --made "$@"
row "files tried" "$(sed -nE 's/^([0-9]+) files;.*/\1/p' "$logs/files.log")"

part kills python3 -B tests/long/kills.py --aureole "$program" --kills "$kills"
row "kills survived" "$(sed -nE 's/^([0-9]+ kills in [0-9]+ runs).*/\1/p' "$logs/kills.log")"

# What notes its faults (noteFault in tests/cli/faults.h).
suites='FaultTest.*:MemoryTest.*:Devices*Test.*:CacheTest.*:CacheFaultTest.*:ClockTest.*:*InterruptTest.*:LocaleTest.*'
suites+=':OutputTest.*:PathTest.*:ResumeTest.*:StreamsTest.*'
part faults build/release/tests/cli/test_cli --gtest_filter="$suites" --gtest_output="json:$logs/faults.json"
row "faults injected" "$(faultFigures "$logs/faults.json")"

part long python3 -B tests/long/run.py --aureole "$program" --minutes "$minutes" --samples "$samples"
row "long renders" "$(tail -n 1 "$logs/long.log")"

row "parts lost" "$lost"
printf '%s\n' "${table[@]}"
[ "$lost" -eq 0 ]
