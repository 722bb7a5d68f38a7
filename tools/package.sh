#!/usr/bin/env bash
# Makes the Debian package build/package/aureole_VERSION-1_ARCH.deb.
#
#   tools/package.sh [--test]
#
#   --test   also has lintian check it, installs it in an empty folder, renders one of its scenes there, and removes it

source "$(dirname "$0")/build.sh"

test=$(onlyFlag --test "$@")

folder=$PWD/build/package

makePackage() {
    installPackages "${buildPackages[@]}" "${packagePackages[@]}" || fail "the packages could not be installed"
    buildPreset release aureole aureole_benchmarks
    say "packing"
    rm -rf "$folder"
    # World-readable whatever the umask of the caller.
    (umask 022 && cpack --config build/release/CPackConfig.cmake -B "$folder" >/dev/null) ||
        fail "cpack failed; its messages are above"
    rm -rf "$folder/_CPack_Packages"
    package=$(find "$folder" -name '*.deb')
    dpkg-deb --info "$package"
}

checkPackage() {
    say "lintian"
    lintian --fail-on error "$package" || fail "lintian finds errors in $package"
    say "looking for what it depends on"
    apt-get install --simulate "$package" >/dev/null || fail "apt cannot install $package here"
}

# inRoot COMMAND...: dpkg on the empty folder, as if that were a machine of its own.
inRoot() {
    fakeroot dpkg --root="$root" --log=/dev/null --force-not-root --force-depends "$@"
}

tryPackage() {
    root=$(mktemp -d)
    work=$(mktemp -d)
    trap 'rm -rf "$root" "$work"' EXIT
    mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
    touch "$root"/var/lib/dpkg/{status,available}

    say "installing in $root"
    inRoot --install "$package" 2>&1 | grep -v '^dpkg: warning\|depends on\|is not installed' || true
    [ -x "$root/usr/bin/aureole" ] || fail "$package did not install"
    local program=(env -i PATH=/usr/bin:/bin HOME="$work" "$root/usr/bin/aureole")
    cd "$work"
    "${program[@]}" --version || fail "the installed program does not run"
    "${program[@]}" render "$root/usr/share/aureole/scenes/cornell.json" -o picture.png --size 64x64 --resolution 64 \
        --spp 4 --allow-cpu || fail "the installed program does not render"
    "${program[@]}" info picture.png || fail "the picture cannot be read"
    "${program[@]}" bench fft --lengths 64 --batch 4 --repeats 1 --json fft.json --allow-cpu ||
        fail "the installed program does not start the benchmarks"
    "$root/usr/share/aureole/tools/bench/report.py" fft.json -o fft.html || fail "the benchmark's report cannot be made"
    man --warnings -l "$root/usr/share/man/man1/aureole.1.gz" >page.txt 2>warnings.txt
    [ -s page.txt ] && [ ! -s warnings.txt ] || fail "man has warnings: $(cat warnings.txt)"

    say "removing it"
    inRoot --purge aureole >/dev/null 2>&1 || fail "the package cannot be removed"
    local left
    left=$(find "$root" -path "$root/var" -prune -o ! -type d -print)
    [ -z "$left" ] || fail "the package left files behind: $left"
    [ ! -e "$root/usr/share/aureole" ] || fail "the package left folders behind"
}

makePackage
if [ "$test" = yes ]; then
    installPackages "${packageTestPackages[@]}" || fail "the packages could not be installed"
    checkPackage
    tryPackage
fi
say "done: $package"
