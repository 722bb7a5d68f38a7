#!/bin/sh
# Runs the test programs of this folder, or those named, such as: ./test gpu render
# The last line reads "N passed, N failed", counting programs.

folder=$(dirname "$(readlink -f "$0")")
if [ $# -eq 0 ]; then
    set -- $(cd "$folder/tests" && ls | sed 's/^test_//')
fi
export AUREOLE_TEST_FILES="$folder/test-files"
# Any message of the validation layer fails the tests of the GPU; AUREOLE_VALIDATION=0 does without it.
export AUREOLE_VALIDATION="${AUREOLE_VALIDATION:-1}" VK_LAYER_PATH="$folder/layers"
# Programs that run side by side must not wait for their threads by spinning.
export OMP_WAIT_POLICY="${OMP_WAIT_POLICY:-passive}"
passed=0
failed=0
for name in "$@"; do
    echo "==> $name"
    if AUREOLE_PROGRAM=tests/test_$name "$folder/aureole" --gtest_brief=1; then
        passed=$((passed + 1))
    else
        echo "FAILED: $name"
        failed=$((failed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
