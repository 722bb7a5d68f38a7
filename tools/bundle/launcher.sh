#!/bin/sh
# Starts aureole with the libraries of this folder; those in fallback/ only where this machine has none or older ones.
#
#   aureole ARGUMENTS...
# With AUREOLE_PROGRAM=tests/test_gpu another program of this folder is started instead.

folder=$(dirname "$(readlink -f "$0")")

needed=@GLIBC@
found=$(getconf GNU_LIBC_VERSION 2>/dev/null | cut -d' ' -f2)
if [ -n "$found" ] && [ "$(printf '%s\n%s\n' "$needed" "$found" | sort -V | head -n 1)" != "$needed" ]; then
    echo "aureole: found the GNU C library $found, expected $needed or newer" >&2
    exit 1
fi

ldconfig=$(command -v ldconfig || echo /sbin/ldconfig)
libraries=$folder/lib
for fallback in "$folder"/fallback/*; do
    name=$(basename "$fallback")
    ours=$(basename "$(readlink -f "$fallback/$name")")
    theirs=$("$ldconfig" -p 2>/dev/null | awk -v name="$name" '$1 == name && /x86-64/ { print $NF; exit }')
    if [ -n "$theirs" ]; then
        theirs=$(basename "$(readlink -f "$theirs")")
    fi
    # File names end in the full version: libz.so.1.2.13.
    if [ -z "$theirs" ] || [ "$(printf '%s\n%s\n' "$ours" "$theirs" | sort -V | tail -n 1)" != "$theirs" ]; then
        libraries=$libraries:$fallback
    fi
done
LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
exec "$folder/${AUREOLE_PROGRAM:-bin/aureole}" "$@"
