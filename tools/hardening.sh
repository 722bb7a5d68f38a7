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
    fuzzing=(--seconds 15) kills=20 steps=3 minutes=1 samples=20000 frames=200
else
    fuzzing=(--runs 1000000) kills=300 steps=20 minutes=60 samples=1000000 frames=10000
    export AUREOLE_FULL=1
fi

installPackages "${buildPackages[@]}" || fail "the packages could not be installed"
buildPreset release aureole aureole-import test_session
program=build/release/src/cli/aureole
logs=build/hardening
mkdir -p "$logs"
lost=0
whole=yes # whether the part before ended well
table=()

# part NAME COMMAND...: a part of it, whose words go to its log too.
part() {
    local name=$1
    shift
    say "$name"
    whole=yes
    "$@" 2>&1 | tee "$logs/$name.log" || {
        whole=no
        echo "FAILED: $name, see $logs/$name.log" >&2
        lost=$((lost + 1))
        table+=("$(printf '%-16s %s' "$name" "FAILED, see $logs/$name.log")")
    }
}

# row NAME FIGURE: a line of the table. A part that ended well and has no figure did not do what it is for.
row() {
    if [ -z "${2-}" ] && [ "$whole" = yes ]; then
        echo "FAILED: found no figure of '$1', see $logs" >&2
        lost=$((lost + 1))
    fi
    table+=("$(printf '%-16s %s' "$1" "${2:-?}")")
}

# faultFigures FILE FILTER: of Google Test's report in JSON, what its tests noted; nothing where a pattern of the filter
# met no test, of which Google Test says nothing, or where the tests of one were skipped or noted no fault.
faultFigures() {
    python3 - "$@" <<'END'
import fnmatch, json, sys
report, patterns = json.load(open(sys.argv[1])), sys.argv[2].split(":")
tests = [(f"{suite['name']}.{test['name']}", test) for suite in report["testsuites"] for test in suite["testsuite"]]
ran = [(name, int(test.get("faults", 0))) for name, test in tests if test.get("result") == "COMPLETED"]
for pattern in patterns:
    if not sum(faults for name, faults in ran if fnmatch.fnmatchcase(name, pattern)):
        sys.exit(f"found no fault in tests of '{pattern}'")
print(sum(faults for _, faults in ran), "in", len(ran), "tests")
END
}

part fuzzing tests/fuzz/run.sh "${fuzzing[@]}"
row "inputs fuzzed" "$(awk '$2 ~ /^[0-9]+$/ && NF >= 4 { sum += $2; targets++ }
    END { print sum + 0, "for", targets + 0, "targets" }' "$logs/fuzzing.log")"

part files python3 -B tests/files/run.py "$program" --made "$@"
row "files tried" "$(sed -nE 's/^([0-9]+) files;.*/\1/p' "$logs/files.log")"

part kills python3 -B tests/long/kills.py --aureole "$program" --kills "$kills"
row "kills survived" "$(sed -nE 's/^([0-9]+ kills in [0-9]+ runs).*/\1/p' "$logs/kills.log")"

part moments python3 -B tests/long/faults.py --aureole "$program" --faults build/release/tests/faults --steps "$steps"
row "faults in time" "$(tail -n 1 "$logs/moments.log")"

# What notes its faults (noteFault in tests/support/faults.h).
suites='FaultTest.*:MemoryTest.*:Devices*Test.*:CacheTest.*:CacheFaultTest.*:ClockTest.*:*InterruptTest.*:LocaleTest.*'
suites+=':OutputTest.*:PathTest.*:ResumeTest.*:StatsTest.*:StreamsTest.*'
rm -f "$logs/faults.json"
part faults build/release/tests/session/test_session --gtest_filter="$suites" --gtest_output="json:$logs/faults.json"
row "faults injected" "$(faultFigures "$logs/faults.json" "$suites")"

part long python3 -B tests/long/run.py --aureole "$program" --minutes "$minutes" --samples "$samples" \
    --frames "$frames"
row "long renders" "$(tail -n 1 "$logs/long.log")"

row "parts lost" "$lost"
printf '%s\n' "${table[@]}"
[ "$lost" -eq 0 ]
