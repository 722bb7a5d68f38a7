#!/usr/bin/env bash
# The Debian 12 packages that aureole needs, in the only list there is. Run by itself, it installs what is missing;
# the other scripts source it and call installPackages.

buildPackages=(
    git cmake ninja-build g++ python3
    libvulkan-dev vulkan-validationlayers mesa-vulkan-drivers glslc spirv-tools zstd libzstd-dev pkgconf
    libxxhash-dev libseccomp-dev
    libglm-dev libassimp-dev libtinyexr-dev libembree-dev libcli11-dev nlohmann-json3-dev libfmt-dev
    libpng-dev zlib1g-dev libjpeg-dev libstb-dev libwebp-dev libopenexr-dev libdraco-dev libmeshoptimizer-dev libblosc-dev
    libminizip-dev libexpat1-dev
    libgtest-dev libbenchmark-dev libfftw3-dev libnanovdb-dev
)
testPackages=(zsh fish mandoc man-db) # for the tests of completion and manual pages
lintPackages=(clang-format clang-tidy libomp-dev) # the last for clang-tidy to find omp.h
bundlePackages=(xz-utils)
packagePackages=(dpkg-dev)
packageTestPackages=(lintian fakeroot man-db)
reportPackages=(chromium) # for the tests of reports in a browser
fuzzPackages=(clang libclang-rt-dev libomp-dev) # for the targets of libFuzzer in tests/fuzz, and the preset tsan
figuresPackages=(python3-pip) # for sky_figures.sh and builds_test.py
slurmPackages=(slurm-wlm munge) # for the test of tools/slurm, which starts daemons of its own
mpiPackages=(libopenmpi-dev openmpi-bin) # for libaureole_mpi.so, which the build makes where they are, and its test

# Prints those of the named packages that are not installed.
missingPackages() {
    local package
    for package in "$@"; do
        if ! dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null | grep -q '^ii'; then
            echo "$package"
        fi
    done
}

# Installs those of the named packages that are missing; does nothing, quickly, where none is.
installPackages() {
    if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
        echo "note: this is no Debian system; assuming that the equivalents of these are installed: $*" >&2
        return 0
    fi
    local missing
    mapfile -t missing < <(missingPackages "$@")
    if [ ${#missing[@]} -eq 0 ]; then
        return 0
    fi
    local asRoot=()
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            echo "error: these packages are missing: ${missing[*]}" >&2
            echo "       run this script as root, install sudo, or have them installed" >&2
            return 1
        fi
        asRoot=(sudo)
    fi
    echo "Installing ${missing[*]}"
    "${asRoot[@]}" apt-get update -qq || return 1
    "${asRoot[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    set -euo pipefail
    installPackages "${buildPackages[@]}" "${testPackages[@]}" "${lintPackages[@]}" "${bundlePackages[@]}" \
        "${packagePackages[@]}" "${packageTestPackages[@]}" "${reportPackages[@]}" "${figuresPackages[@]}" \
        "${slurmPackages[@]}" "${mpiPackages[@]}" "${fuzzPackages[@]}"
fi
