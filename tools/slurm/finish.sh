#!/usr/bin/env bash
# After all tasks: merges the parts and blooms the picture, or tells which frames are missing. Slurm runs it; submit.sh
# submits it.

source "$1/common.sh" ||
    { echo "error: $(hostname) cannot read $1; expected the folder of the job, under the same name on all nodes" >&2 &&
        exit 1; }
loadPlan "$1"
checkNode

# A frame that cannot be read gets another name, so that it is missing.
setDamagedAside() {
    local frame file found
    for ((frame = firstFrame; frame < endFrame; ++frame)); do
        file=$(fileOfFrame "$frame")
        if [ -e "$file" ] && ! found=$("$aureole" info "$file" 2>&1 >/dev/null); then
            printf 'damaged: %s\n' "$found" >&2
            mv "$file" "$file.damaged"
        fi
    done
}

tellMissing() {
    local missing task
    mapfile -t missing < <(missingTasks)
    [ ${#missing[@]} -gt 0 ] || return 0
    for task in "${missing[@]:0:8}"; do
        printf 'missing: %s; its log is %s\n' "$(describeTask "$task")" "$folder/log/task.*_$task.log" >&2
    done
    fail "${#missing[@]} of $tasks tasks are missing; the command that submitted them, given again, renders only these"
}

# The parts, or what merge.sh made of them.
listParts() {
    local i
    parts=()
    if ((tasks <= mergeGroup)); then
        for ((i = 0; i < tasks; ++i)); do
            parts+=("$(partOf "$i")")
        done
        return
    fi
    for ((i = 0; i < (tasks + mergeGroup - 1) / mergeGroup; ++i)); do
        [ -e "$(groupOf "$i")" ] || fail "$(groupOf "$i") is missing: see $folder/log/merge.*_$i.log"
        parts+=("$(groupOf "$i")")
    done
}

# Adds what the tasks replaced in the scene to `words`: bloom and finish may be among it.
addOverrides() {
    local i
    for ((i = 0; i < ${#options[@]}; ++i)); do
        case ${options[i]} in
            --set) words+=(--set "${options[++i]}") ;;
            --set=*) words+=("${options[i]}") ;;
        esac
    done
}

mergeParts() {
    local merged=$output samples
    [ "$bloom" = no ] || merged=$folder/merged.exr
    listParts
    "$aureole" merge "${parts[@]}" -o "$merged"
    samples=$("$aureole" info "$merged" | sed -nE 's/^ *aureole\.samples +//p')
    [ "$samples" = "0:$spp" ] || fail "$merged has the samples $samples, expected 0:$spp: a part is not what it was"
    if [ "$bloom" = yes ]; then
        local words
        if [ "$bloomOptions" = scene ]; then
            words=(--scene "$scene")
            addOverrides
        else
            read -ra words <<<"$bloomOptions"
        fi
        "$aureole" bloom "$merged" -o "$output" "${words[@]}"
    fi
}

if [ "$kind" = frames ]; then
    setDamagedAside
fi
tellMissing
if [ "$kind" = samples ]; then
    mergeParts
    say "$output has all $spp samples; $folder is no longer needed"
else
    say "all frames of $firstFrame:$endFrame are there"
fi
