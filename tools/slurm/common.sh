# shellcheck shell=bash disable=SC2154
# Sourced by the scripts beside it; what they share is set by loadPlan.

set -euo pipefail

say() {
    printf '==> %s\n' "$*"
}

fail() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}

# loadPlan FOLDER: what submit.sh wrote there.
loadPlan() {
    folder=$1
    # shellcheck source=/dev/null
    source "$folder/plan"
    if [ -n "$cache" ]; then
        export XDG_CACHE_HOME=$cache
    fi
}

# Fails where this node could not do its share.
checkNode() {
    if ! (: >"$folder/.writable.$$") 2>/dev/null; then
        fail "$(hostname) cannot write to $folder; expected a folder that is shared, writable and not full"
    fi
    rm -f "$folder/.writable.$$"
    local found
    found=$("$aureole" --version 2>&1) ||
        fail "$(hostname) cannot run $aureole: ${found##*$'\n'}; --aureole names a program that all nodes have"
    if [ "$found" != "$version" ]; then
        fail "$(hostname) has $found as $aureole, expected $version as at submission: samples of another version may" \
            "be others"
    fi
}

# rangeOf TASK: the samples of a task, as A:B. Bounds are multiples of 8, the batch by which a render is checkpointed.
rangeOf() {
    local batches=$(((spp + 7) / 8))
    local first=$((batches * $1 / tasks * 8)) end=$((batches * ($1 + 1) / tasks * 8))
    echo "$first:$((end < spp ? end : spp))"
}

# framesOf TASK: the frames of a task, as A:B.
framesOf() {
    local first=$((firstFrame + $1 * chunk)) end=$((firstFrame + ($1 + 1) * chunk))
    echo "$first:$((end < endFrame ? end : endFrame))"
}

# partOf TASK: the file of its samples. It is there when all of them are in it.
partOf() {
    printf '%s/part.%05d.exr' "$folder" "$1"
}

# groupOf GROUP: what merge.sh makes of a group of parts.
groupOf() {
    printf '%s/group.%05d.exr' "$folder" "$1"
}

# fileOfFrame NUMBER: its number stands for the run of # in the output's name.
fileOfFrame() {
    local name=${output##*/} hashes
    hashes=${name//[^#]/}
    printf "%s/%s%0${#hashes}d%s" "$(dirname "$output")" "${name%%#*}" "$1" "${name##*#}"
}

# missingTasks: the tasks whose part or frames are not there, one to a line.
missingTasks() {
    local task frame range
    for ((task = 0; task < tasks; ++task)); do
        if [ "$kind" = samples ]; then
            [ -e "$(partOf "$task")" ] || echo "$task"
            continue
        fi
        range=$(framesOf "$task")
        for ((frame = ${range%:*}; frame < ${range#*:}; ++frame)); do
            if [ ! -s "$(fileOfFrame "$frame")" ]; then
                echo "$task"
                break
            fi
        done
    done
}

# describeTask TASK: what it renders.
describeTask() {
    if [ "$kind" = samples ]; then
        echo "task $1 (samples $(rangeOf "$1"))"
    else
        echo "task $1 (frames $(framesOf "$1"))"
    fi
}

# listOf NUMBER...: as sbatch --array takes it, 0-3,7.
listOf() {
    local list='' first=$1 last=$1 number
    for number in "${@:2}" end; do
        if [ "$number" = $((last + 1)) ]; then
            last=$number
            continue
        fi
        list+=${list:+,}$first
        [ "$first" = "$last" ] || list+=-$last
        first=$number
        last=$number
    done
    echo "$list"
}
