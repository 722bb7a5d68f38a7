#!/usr/bin/env bash
# Merges one group of parts, where there are so many that a single job would read them for too long. Slurm runs it as an
# array; submit.sh submits it.

source "$1/common.sh" ||
    { echo "error: $(hostname) cannot read $1; expected the folder of the job, under the same name on all nodes" >&2 &&
        exit 1; }
loadPlan "$1"
checkNode

group=$SLURM_ARRAY_TASK_ID
first=$((group * mergeGroup))
end=$((first + mergeGroup < tasks ? first + mergeGroup : tasks))
parts=()
for ((task = first; task < end; ++task)); do
    [ -e "$(partOf "$task")" ] || fail "$(describeTask "$task") is missing"
    parts+=("$(partOf "$task")")
done
"$aureole" merge "${parts[@]}" -o "$(groupOf "$group")"
