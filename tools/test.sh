#!/usr/bin/env bash
# Installs the packages, builds and runs all tests. The last line reads "N passed, N failed".
#
#   tools/test.sh          the release build and its tests
#   tools/test.sh --full   also the tests of the label "sweep", the exhaustive sweeps of the others (one of which
#                          downloads 45 MB from PyPI, see tests/sky/hosek_figures_test.cpp), whether tests give every
#                          option, reports in Chromium, tools/slurm on daemons of its own, ranks of Open MPI, Open
#                          Image Denoise (88 MB from PyPI, into build/oidn), builds of Minecraft (writers of 20 MB from
#                          PyPI), the tests under AddressSanitizer and UndefinedBehaviorSanitizer, those with threads
#                          under ThreadSanitizer, those of the GPU with every memory access of shaders checked, some
#                          minutes of tools/hardening.sh, the Debian package, clang-format and clang-tidy

source "$(dirname "$0")/build.sh"

full=$(onlyFlag --full "$@")

passed=0
failed=0
jobs=$(nproc)

# Any message of the validation layers fails the tests of the GPU.
export AUREOLE_VALIDATION=1
if [ "$full" = yes ]; then
    export AUREOLE_FULL=1
fi

# runTests PRESET: runs the preset's tests and adds their counts to passed and failed.
runTests() {
    say "testing: $1"
    local log=build/$1.log summary status=0
    ctest --preset "$1" --parallel 2 | tee "$log" || status=$?
    summary=$(sed -nE 's/.* tests passed, ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/p' "$log")
    [ -n "$summary" ] || fail "ctest ran no test of the preset $1"
    local bad=${summary% *} all=${summary#* }
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ]; then
        fail "ctest ended with status $status although no test failed"
    fi
    failed=$((failed + bad))
    passed=$((passed + all - bad))
}

# check NAME COMMAND...: counts as one test.
check() {
    local name=$1
    shift
    say "$name"
    if "$@"; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name" >&2
        failed=$((failed + 1))
    fi
}

# The suites of the GPU, with every memory access of shaders checked: some three times as slow as without.
checkBounds() {
    local suite status=0
    for suite in gpu scan fft texture bloom render; do
        AUREOLE_VALIDATION=1,bounds MESA_SHADER_CACHE_DISABLE=true OMP_WAIT_POLICY=passive \
            timeout 7200 "build/release/tests/$suite/test_$suite" --gtest_brief=1 || status=1
    done
    return "$status"
}

# Those parts of the suites that have several threads.
checkThreads() {
    local suites=(core ranks sandbox image import gpu scene film voxel integrator render reference) suite filter status=0
    buildPreset tsan "${suites[@]/#/test_}"
    for suite in "${suites[@]}"; do
        filter='*'
        if [ "$suite" = render ]; then
            filter='DeviceTeam*:SampleQueue*:SameVoxels.BackendsAgreeInEveryPixel:GridInstance.*'
        elif [ "$suite" = integrator ]; then
            filter='LightTrees.*'
        elif [ "$suite" = reference ]; then
            filter='Adaptive.*:Layers.*:Volumes.*' # the rest renders by the same threads
        elif [ "$suite" = sandbox ]; then
            # A reader that crashes or takes too much memory dies in another way where the sanitizer is.
            filter='-IsolatedReadTest.DeathIsAnErrorOfTheAsset:IsolatedReadTest.MemoryIsLimited'
        fi
        # What is not instrumented (OpenMP's runtime, the driver, Embree) orders its threads unseen.
        AUREOLE_VALIDATION='' OMP_NUM_THREADS=4 TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
            timeout 7200 "build/tsan/tests/$suite/test_$suite" --gtest_brief=1 --gtest_filter="$filter" || status=1
    done
    return "$status"
}

# Which options the tests of the program gave to it, sweeps included. No test of CTest, which would begin with those that
# it waits for: then two run side by side that compile the same shaders.
checkOptions() {
    python3 -B tests/cli/options_covered_test.py build/release/src/cli/aureole build/release/tests cli session bench
}

checkFormat() {
    git ls-files -z '*.cpp' '*.h' '*.comp' '*.glsl' | xargs -0 clang-format --dry-run -Werror
}

# The library that users install, into a folder of the build.
checkOidn() {
    tools/denoiser.sh build/oidn && python3 -B tests/denoise/real_oidn_test.py build/release/src/cli/aureole build/oidn
}

# By the commands of the preset release, which compiles up to 16 files as one: clang-tidy goes through headers once for
# all of them. Told to analyse what is included too, it finds what it finds in each file alone, but for names that one
# of them takes by "using" and another uses. The check of includes would find the 16. Paths are followed through short
# functions of the project alone: through all and the standard library they take five times as long as all else. Some
# arguments are g++'s.
checkTidy() {
    sed -nE 's/^ *"file": "(.*\.(cpp|cxx))",?$/\1/p' build/release/compile_commands.json |
        grep -v precompiled | sort -u |
        xargs -P "$jobs" -n 1 clang-tidy --quiet --checks=-bugprone-suspicious-include \
        --extra-arg=-Xclang --extra-arg=-analyzer-opt-analyze-headers --extra-arg=-Xclang --extra-arg=-analyzer-config \
        --extra-arg=-Xclang --extra-arg=mode=shallow,c++-stdlib-inlining=false,c++-template-inlining=false \
        --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unused-command-line-argument -p build/release &&
        git ls-files -z 'tests/fuzz/*.cpp' | xargs -0 -P "$jobs" -n 1 clang-tidy --quiet -p build/fuzz
}

# clang-tidy goes on beside checks that leave cores idle: startTidy, and the check endTidy. It ends with this script, by
# its process group.
startTidy() {
    say "clang-tidy begins, its words in build/tidy.log"
    set -m
    (renice -n 19 "$BASHPID" >/dev/null && checkTidy) >build/tidy.log 2>&1 </dev/null &
    set +m
    tidy=$!
    trap 'kill -- "-$tidy" 2>/dev/null || true' EXIT
}

endTidy() {
    wait "$tidy" || { cat build/tidy.log; return 1; }
}

installPackages "${buildPackages[@]}" "${testPackages[@]}" || fail "the packages could not be installed"
if [ "$full" = yes ]; then
    installPackages "${figuresPackages[@]}" "${reportPackages[@]}" "${mpiPackages[@]}" || fail "the packages could not be installed"
fi
buildPreset release
rm -f build/release/tests/*/test_*.options
runTests release

if [ "$full" = yes ]; then
    runTests sweeps
    check "Options" checkOptions
    installPackages "${lintPackages[@]}" "${fuzzPackages[@]}" "${slurmPackages[@]}" || fail "the packages could not be installed"
    buildPreset asan
    # Sweeps take too long under the sanitizers, and say nothing more there. Nor does validation.
    unset AUREOLE_FULL
    AUREOLE_VALIDATION='' runTests asan
    buildPreset fuzz # of which clang-tidy needs the commands
    startTidy
    check "ThreadSanitizer" checkThreads
    check "Bounds of memory accesses" checkBounds
    check "Hardening" tools/hardening.sh --quick
    check "Slurm" tests/slurm/slurm_test.sh build/release/src/cli/aureole
    check "MPI" tests/mpi/mpi_test.sh build/release/src/cli/aureole
    check "Open Image Denoise" checkOidn
    check "Builds of Minecraft" python3 -B tests/files/builds_test.py build/release/src/cli/aureole
    check "Debian package" tools/package.sh --test
    check "clang-format" checkFormat
    check "clang-tidy" endTidy
fi

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
