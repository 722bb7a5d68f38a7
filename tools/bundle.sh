#!/usr/bin/env bash
# Makes a folder with the program and the libraries it needs, which runs on another x86-64 Linux machine that has a
# Vulkan driver and a C library at least as new as this machine's.
#
#   tools/bundle.sh [--tests] [--archive] [FOLDER]
#
#   --tests     also the test programs, Vulkan's validation layer, and a script "test" that runs them
#   --archive   also FOLDER.tar.xz
#   FOLDER      build/bundle/aureole unless given; replaced if it is there
#
# What a driver may load as well (libstdc++, zlib, the Vulkan loader...) goes to fallback/ and is used only where the
# machine has none or an older one: two versions in one process would be the end of a driver built with the newer one.

source "$(dirname "$0")/build.sh"

tests=no
archive=no
folder=build/bundle/aureole
for argument in "$@"; do
    case $argument in
        --tests) tests=yes ;;
        --archive) archive=yes ;;
        -*) fail "found the option $argument; usage: tools/bundle.sh [--tests] [--archive] [FOLDER]" ;;
        *) folder=${argument%/} ;;
    esac
done

# Always the other machine's: the C library.
systemLibraries='linux-vdso|ld-linux-x86-64|lib(c|m|dl|rt|pthread|resolv|util|mvec|anl|nsl|BrokenLocale)'
# The other machine's where it is new enough. Those of a line belong together; the first one's version decides.
fallbackGroups=(
    "libstdc++.so.6 libgcc_s.so.1"
    "libz.so.1"
    "libzstd.so.1"
    "libvulkan.so.1"
)

# librariesOf FILE...: the shared libraries that programs need, as "soname path" lines.
librariesOf() {
    ldd "$@" | awk '/=> not found/ { print "missing: " $1 > "/dev/stderr"; exit 1 } / => \// { print $1, $3 }' | sort -u
}

copyLibrary() {
    local path=$1 target=$2 real
    real=$(readlink -f "$path")
    mkdir -p "$target"
    install -m 755 "$real" "$target/"
    if [ "$(basename "$path")" != "$(basename "$real")" ]; then
        ln -sf "$(basename "$real")" "$target/$(basename "$path")"
    fi
    strip --strip-unneeded "$target/$(basename "$real")" 2>/dev/null || true
    copyLicence "$real"
}

copyLicence() {
    local package
    # Since the merge of /lib into /usr/lib, dpkg may know a file by its old place.
    package=$(dpkg-query --search "$1" "${1#/usr}" 2>/dev/null | head -n 1 | cut -d: -f1) || true
    if [ -n "$package" ] && [ -f "/usr/share/doc/$package/copyright" ]; then
        mkdir -p "$folder/licences"
        cp "/usr/share/doc/$package/copyright" "$folder/licences/$package"
    fi
}

# Where a library of the loader's cache stands.
cachedLibrary() {
    /sbin/ldconfig -p | awk -v name="$1" '$1 == name && /x86-64/ && !found { print $NF; found = 1 }'
}

copyLibraries() {
    local soname path group programs
    mapfile -t programs < <(find "$folder/bin" "$folder/libexec" "$folder/tests" -type f)
    librariesOf "${programs[@]}" >"$folder/libraries.txt" || fail "a library is missing, see above"
    for group in "${fallbackGroups[@]}"; do
        for soname in $group; do
            # The Vulkan loader is opened at run time, so no program names it.
            path=$(awk -v name="$soname" '$1 == name { print $2 }' "$folder/libraries.txt")
            path=${path:-$(cachedLibrary "$soname")}
            [ -n "$path" ] || fail "found no $soname on this machine"
            copyLibrary "$path" "$folder/fallback/${group%% *}"
        done
    done
    while read -r soname path; do
        if ! [[ $soname =~ ^($systemLibraries)\.so ]] && ! [[ " ${fallbackGroups[*]} " == *" $soname "* ]]; then
            copyLibrary "$path" "$folder/lib"
        fi
    done <"$folder/libraries.txt"
    rm "$folder/libraries.txt"
}

# The validation layer, which the tests of the GPU ask for.
copyValidationLayer() {
    local manifest=/usr/share/vulkan/explicit_layer.d/VkLayer_khronos_validation.json
    local library
    library=$(cachedLibrary libVkLayer_khronos_validation.so)
    library=${library:-/usr/lib/x86_64-linux-gnu/libVkLayer_khronos_validation.so}
    copyLibrary "$library" "$folder/layers"
    sed "s|\"library_path\": *\"[^\"]*\"|\"library_path\": \"./$(basename "$library")\"|" "$manifest" \
        >"$folder/layers/$(basename "$manifest")"
}

# What tests need beside themselves, in one folder under the names that the build gives them (tests/support/test_files.h).
copyTestFiles() {
    local built=build/release/tests files=$folder/test-files kind
    mkdir -p "$files/faults"
    install -s -m 755 "$built/sandbox/aureole-hostile-worker" "$files/"
    install -s -m 644 "$built"/faults/libaureole_fault_*.so "$files/faults/"
    install -m 644 "$built/faults/fault_layer.json" "$files/faults/"
    for kind in good empty; do
        mkdir -p "$files/fake_oidn/$kind/lib"
        install -s -m 644 "$built/denoise/fake_oidn/$kind/lib/libOpenImageDenoise.so.2" "$files/fake_oidn/$kind/lib/"
    done
    install -m 644 build/release/share/stats.schema.json src/cli/manual/pages/aureole-render.md "$files/"
    ln -s ../bin/aureole ../libexec/aureole/aureole-import ../scenes "$files/"
}

writeLauncher() {
    local needed
    needed=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
    sed "s/@GLIBC@/$needed/" tools/bundle/launcher.sh >"$folder/aureole"
    chmod 755 "$folder/aureole"
    if [ "$tests" = yes ]; then
        install -m 755 tools/bundle/test.sh "$folder/test"
    fi
    cp tools/bundle/README.md "$folder/"
}

installPackages "${buildPackages[@]}" "${bundlePackages[@]}" || fail "the packages could not be installed"
if [ "$tests" = yes ]; then
    buildPreset release
else
    buildPreset release aureole aureole_benchmarks
fi

say "collecting $folder"
if [ -e "$folder" ] && [ ! -x "$folder/aureole" ]; then
    fail "$folder is there already and is no bundle; name another folder, or remove it"
fi
rm -rf "$folder"
mkdir -p "$folder/tests"
cmake --install build/release --prefix "$folder" --strip >/dev/null || fail "the program could not be installed there"
# Nearer to hand than where a system has them.
mv "$folder"/share/aureole/{scenes,tools} "$folder"/share/doc/aureole/LICENSE "$folder/"
rm -r "$folder"/share/{aureole,doc}
if [ "$tests" = yes ]; then
    find build/release/tests -type f -name 'test_*' -perm -u+x -exec install -s -m 755 -t "$folder/tests" {} +
fi
copyLibraries
if [ "$tests" = yes ]; then
    copyValidationLayer
    copyTestFiles
fi
writeLauncher
if [ "$tests" = no ]; then
    rmdir "$folder/tests"
fi

say "trying it with an empty environment, from another folder"
absolute=$(cd "$folder" && pwd)
(cd / && env -i PATH=/usr/bin:/bin HOME="${HOME:-/}" "$absolute/aureole" --version) || fail "the bundle does not run here"
(cd / && env -i PATH=/usr/bin:/bin HOME="${HOME:-/}" "$absolute/aureole" bench --help >/dev/null) ||
    fail "the bundle does not start the benchmarks here"

if [ "$archive" = yes ]; then
    say "packing $folder.tar.xz"
    tar -C "$(dirname "$folder")" -cf - "$(basename "$folder")" | xz -6 --threads=0 >"$folder.tar.xz"
    du -h "$folder.tar.xz" | cut -f1
fi
say "done: $absolute/aureole"
