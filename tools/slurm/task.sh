#!/usr/bin/env bash
# One task of the array: a range of samples or of frames on one GPU. Slurm runs it; submit.sh submits it.
#
# aureole exits with 75 when a signal made it save a checkpoint: the task is then queued again and goes on from there.
# So it is after a device was lost (4) or something killed the program (above 128), as another node may do better, but
# only three times without a new checkpoint.

source "$1/common.sh" ||
    { echo "error: $(hostname) cannot read $1; expected the folder of the job, under the same name on all nodes" >&2 &&
        exit 1; }
loadPlan "$1"

task=$SLURM_ARRAY_TASK_ID
job=${SLURM_ARRAY_JOB_ID}_$task
tries=3

# The GPUs that Slurm gave this task, as --device takes them. Vulkan does not heed CUDA_VISIBLE_DEVICES, so that without
# this all tasks of a node would take the same one where no cgroup hides the others.
chooseDevice() {
    local given uuid list=''
    if [ -z "${CUDA_VISIBLE_DEVICES:-}" ] || [[ " ${options[*]} " == *" --device"[\ =]* ]]; then
        return
    fi
    for given in ${CUDA_VISIBLE_DEVICES//,/ }; do
        uuid=$given # it may be one already
        if [[ $given =~ ^[0-9]+$ ]]; then
            uuid=$(nvidia-smi --id="$given" --query-gpu=uuid --format=csv,noheader 2>/dev/null) || return 0
        fi
        [[ $uuid == GPU-* ]] || return 0
        list+=${list:+,}uuid:${uuid#GPU-}
    done
    device=(--device "$list")
}

# Where the samples of the task are while it is under way.
checkpoint=$folder/part.$task.ckpt
partial=$folder/part.$task.partial.exr
failures=$folder/part.$task.failures

# The command that goes on where the last one stopped.
makeCommand() {
    command=("$aureole" render "$scene" --progress none "${device[@]}" "${options[@]}")
    if [ "$kind" = frames ]; then
        command+=(-o "$output" --frames "$(framesOf "$task")" --skip-existing)
    else
        command+=(-o "$partial" --samples "$(rangeOf "$task")" --checkpoint "$checkpoint" --resume "$checkpoint"
            --every "$every")
    fi
}

# Changes whenever the task comes forward.
standing() {
    if [ "$kind" = frames ]; then
        local frame range
        range=$(framesOf "$task")
        for ((frame = ${range%:*}; frame < ${range#*:}; ++frame)); do
            stat --format=%y "$(fileOfFrame "$frame")" 2>/dev/null || true
        done
    else
        stat --format=%y "$checkpoint" 2>/dev/null || true
    fi
}

# queueAgain WHY
queueAgain() {
    say "$(describeTask "$task"): $1: queued again"
    trap '' TERM # to queue it again ends this run of it
    scontrol requeue "$job" || say "Slurm has done so already"
    exit 75
}

# Counts the failures in a row, without anything new to go on from.
countFailure() {
    local before=0
    if [ -e "$failures" ] && [ "$1" = same ]; then
        before=$(cat "$failures")
    fi
    echo $((before + 1)) >"$failures"
    echo $((before + 1))
}

checkNode
if [ "$kind" = samples ] && [ -e "$(partOf "$task")" ]; then
    say "$(describeTask "$task") is there already"
    exit 0
fi
device=()
chooseDevice
makeCommand
say "$(describeTask "$task") on $(hostname)${SLURM_RESTART_COUNT:+, start $((SLURM_RESTART_COUNT + 1))}"
before=$(standing)
status=0
# A step of its own, as signals of the time limit and of preemption go to steps.
srun --ntasks=1 --cpus-per-task="${SLURM_CPUS_PER_TASK:-1}" "${command[@]}" || status=$?
progress=new
[ "$(standing)" != "$before" ] || progress=same

if [ "$status" = 0 ]; then
    if [ "$kind" = samples ]; then
        mv "$partial" "$(partOf "$task")"
        rm -f "$checkpoint"
    fi
    rm -f "$failures"
elif [ "$status" = 75 ] && [ "$progress" = new ]; then
    queueAgain "it was stopped and has saved what it had"
elif [ "$status" = 75 ] || [ "$status" = 4 ] || [ "$status" -gt 128 ]; then
    if [ "$(countFailure "$progress")" -le "$tries" ]; then
        queueAgain "it ended with $status"
    fi
    fail "$(describeTask "$task") ended with $status, and has nothing new after $tries more tries: its time limit may" \
        "be too short for a checkpoint, or this node has no working GPU"
else
    say "$(describeTask "$task") failed with $status, as its message above tells; to try again would not help"
    exit "$status"
fi
