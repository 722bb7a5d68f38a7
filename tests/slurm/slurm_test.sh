#!/usr/bin/env bash
# tools/slurm on a cluster of one node, whose daemons are started for this alone: pictures that equal those of one run
# whatever happens to the tasks, and clear words where something is wrong.
#
#   tests/slurm/slurm_test.sh PROGRAM [FUNCTION]     only that one of those below
#
# Needs slurmPackages of tools/packages.sh. Exits with 1 where anything failed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/jobs.sh
source tests/slurm/cluster.sh

program=$(realpath "${1:?usage: tests/slurm/slurm_test.sh PROGRAM [FUNCTION]}")
only=${2:-}
submit=$PWD/tools/slurm/submit.sh
daemons=()
scratch=$(mktemp -d /tmp/aureole-slurm-XXXXXX)

cleanUp() {
    stopCluster
    rm -rf "$scratch"
}
trap cleanUp EXIT

# expectText TEXT FILE...: in one of them, but for line breaks.
expectText() {
    cat "${@:2}" | grep -qF -- "$1" || wrong "found no '$1' in ${*:2}: $(tail -n 5 "${@:2}")"
}

# expectRefused TEXT COMMAND...: fails and says so.
expectRefused() {
    if "${@:2}" >refused.txt 2>&1; then
        wrong "was not refused: ${*:2}"
    fi
    expectText "$1" refused.txt
}

# expectSame A B: all colours within 1e-6.
expectSame() {
    local most
    most=$("$program" compare "$1" "$2" --diff difference.exr 2>/dev/null >/dev/null &&
        "$program" info difference.exr --json |
        python3 -c 'import json, sys; print(max(c["max"] for c in json.load(sys.stdin)["channels"]))') ||
        most="no comparison"
    python3 -c 'import sys; sys.exit(not float(sys.argv[1]) <= 1e-6)' "$most" 2>/dev/null ||
        wrong "$1 and $2 differ by $most"
}

# jobOf TEXT FILE: the number of the job that submit.sh told of.
jobOf() {
    sed -nE "s/^==> .*$1.*job ([0-9]+).*/\1/p" "$2"
}

isDone() {
    [ -z "$(squeue --noheader --jobs="$1" 2>/dev/null)" ]
}

isRunning() {
    [ "$(squeue --noheader --format=%t --jobs="$1" 2>/dev/null)" = R ]
}

# A step killed, one task queued again by hand, and one preempted: all go on where they were.
interruptedTasks() {
    "$submit" "$scratch/scene.json" -o out.exr --spp 6000 --tasks 4 --every 0.2s --gres '' --bloom scene \
        --aureole "$program" -- --allow-cpu >submitted.txt
    local array last task urgent
    array=$(jobOf tasks submitted.txt)
    last=$(jobOf last submitted.txt)
    for task in 0 1 2 3; do
        waitFor 120 test -e "out.job/part.$task.ckpt" || wrong "task $task made no checkpoint"
    done
    scancel --signal=KILL "${array}_1.0"
    scontrol requeue "${array}_2"
    waitFor 60 grep -q "ended with 137: queued again" out.job/log/task."${array}_1".log || wrong "task 1 was not killed"
    # All processors are taken, or wanted by tasks of less right to them.
    urgent=$(sbatch --parsable --partition=urgent --ntasks=4 --output=/dev/null --wrap true)
    waitFor 60 isDone "$urgent" || wrong "the urgent job did not run"
    waitFor 400 isDone "$last" || wrong "the jobs did not end"
    grep -q "preempted JobId=" "$cluster/slurmctld.log" || wrong "nothing was preempted"
    for task in 1 2; do
        expectText ", start 2" out.job/log/task."${array}_$task".log
        grep -q "part.$task.ckpt has samples [0-9]*:" out.job/log/task."${array}_$task".log ||
            wrong "task $task began from its first sample"
    done
    "$program" render "$scratch/scene.json" -o single.exr --spp 6000 --allow-cpu 2>/dev/null
    expectText "left out because of --samples" out.job/log/task."${array}_1".log
    expectSame out.exr single.exr
}

# Each is rendered once; one that is damaged is rendered again.
frames() {
    local command=("$submit" "$scratch/scene.json" -o turn.##.exr --frames 1:6 --spp 4 --chunk 2 --gres '' --wait
        --aureole "$program" -- --backend reference)
    "${command[@]}" >submitted.txt || wrong "frames were not rendered: $(cat submitted.txt)"
    "$program" render "$scratch/scene.json" -o single.##.exr --frames 1:6 --backend reference --spp 4 2>/dev/null
    local frame
    for frame in 01 02 03 04 05; do
        expectSame "turn.$frame.exr" "single.$frame.exr"
    done
    [ ! -e turn.00.exr ] && [ ! -e turn.06.exr ] || wrong "frames that nobody asked for"
    local before
    before=$(stat --format=%y turn.0[1245].exr)
    truncate --size=-30 turn.03.exr
    expectRefused "damaged: " "${command[@]}"
    expectText "missing: task 1 (frames 3:5)" refused.txt
    "${command[@]}" >submitted.txt || wrong "the frame was not rendered again: $(cat submitted.txt)"
    expectText "1 of 3 tasks" submitted.txt
    expectSame turn.03.exr single.03.exr
    [ "$before" = "$(stat --format=%y turn.0[1245].exr)" ] || wrong "good frames were rendered again"
}

# More parts than one job merges; bloom and finish are those of the scene with what --set replaces.
manyParts() {
    local options=(--backend reference --size 8x6 --set /bloom/sharpen=0.5 "--set=/finish/vignette=0.8")
    "$submit" "$scratch/scene.json" -o out.exr --spp 320 --tasks 40 --gres '' --wait --aureole "$program" \
        --bloom scene -- "${options[@]}" >submitted.txt || wrong "the picture was not rendered: $(cat submitted.txt)"
    expectText "6 groups of parts" submitted.txt
    "$program" render "$scratch/scene.json" -o single.exr --spp 320 "${options[@]}" 2>/dev/null
    expectSame out.exr single.exr
}

# A task that is gone is told of, and rendered by the same command.
missingPart() {
    local command=("$submit" "$scratch/scene.json" -o out.exr --spp 24 --tasks 3 --gres '' --aureole "$program")
    local options=(-- --backend reference --size 8x6) array last
    "${command[@]}" --sbatch --begin=now+1hour "${options[@]}" >submitted.txt
    array=$(jobOf tasks submitted.txt)
    last=$(jobOf last submitted.txt)
    scancel "${array}_1"
    scontrol update jobid="$array" starttime=now
    scontrol update jobid="$last" starttime=now
    waitFor 60 isDone "$last" || wrong "the jobs did not end"
    expectText "missing: task 1 (samples 8:16)" out.job/log/finish."$last".log
    expectText "1 of 3 tasks are missing" out.job/log/finish."$last".log
    "${command[@]}" --wait "${options[@]}" >submitted.txt || wrong "the part was not rendered: $(cat submitted.txt)"
    expectText "1 of 3 tasks" submitted.txt
    "$program" render "$scratch/scene.json" -o single.exr --spp 24 --backend reference --size 8x6 \
        --no-bloom --no-finish 2>/dev/null
    expectSame out.exr single.exr
    expectRefused "holds another render" "${command[@]}" "${options[@]}" --seed 5
    expectText "seed" refused.txt
}

# Each task renders on the GPU that it was given, or on all of them.
gpusOfTasks() {
    mkdir bin
    cat >bin/nvidia-smi <<'END'
#!/bin/sh
[ "$*" = "--id=${1#--id=} --query-gpu=uuid --format=csv,noheader" ] && echo "GPU-0000000${1#--id=}-aaaa"
END
    # Notes its device, and renders without one.
    cat >bin/aureole <<END
#!/bin/bash
if [ "\$1 \$4" = "render none" ]; then
    echo "\$6" >"$PWD/device.\$SLURM_JOB_ID"
    set -- "\${@:1:4}" "\${@:7}"
fi
exec "$program" "\$@"
END
    chmod +x bin/*
    local gres expected
    for gres in gpu:1 gpu:2; do
        rm -f device.*
        env PATH="$PWD/bin:$PATH" "$submit" "$scratch/scene.json" -o "$gres.exr" --spp 64 --tasks 4 --gres "$gres" \
            --aureole "$PWD/bin/aureole" --wait -- --backend reference >submitted.txt ||
            wrong "nothing was rendered with $gres: $(cat submitted.txt)"
        expected=$'uuid:00000000-aaaa\nuuid:00000001-aaaa'
        [ "$gres" = gpu:1 ] || expected=uuid:00000000-aaaa,uuid:00000001-aaaa
        [ "$(cat device.* | sort -u)" = "$expected" ] || wrong "with $gres, found the devices $(cat device.*)"
    done
}

badSetups() {
    local command=("$submit" "$scratch/scene.json" -o out.exr --spp 16 --gres '' --aureole)
    expectRefused "found no sbatch and scontrol" env PATH=/usr/bin/none:"$(dirname "$(realpath "$(command -v sed)")")" \
        bash -c 'command() { if [ "$2" = sbatch ]; then return 1; fi; builtin command "$@"; }; export -f command
                 exec "$@"' - "${command[@]}" "$program"
    sed 's/^SlurmctldPort=.*/SlurmctldPort=1/' "$SLURM_CONF" >gone.conf
    expectRefused "Slurm does not answer" env SLURM_CONF="$PWD/gone.conf" "${command[@]}" "$program"
    expectRefused "cannot be run here" "${command[@]}" ./none
    expectRefused "expected a folder that all nodes share" \
        "$submit" "$scratch/scene.json" -o /proc/out.exr --spp 16 --aureole "$program"
    expectRefused "the MaxArraySize of this cluster" \
        "$submit" "$scratch/scene.json" -o out.exr --spp 4000 --tasks 200 --aureole "$program"
    expectRefused "found --no-finish after -- and --bloom scene" \
        "${command[@]}" "$program" --bloom scene -- --no-finish
    expectRefused "found --samples after --" "${command[@]}" "$program" -- --samples 0:4
    expectRefused "expected a run of #" "$submit" "$scratch/scene.json" -o out.exr --frames 0:4
    expectRefused "none.json: no such file" "$submit" none.json -o out.exr --spp 4
    expectRefused "found the option --tsaks" "${command[@]}" "$program" --tsaks 4
    expectRefused "--tasks: found '0'" "${command[@]}" "$program" --tasks 0

    # Another version on the nodes than where it is submitted, and a node without the shared folder.
    cat >other <<END
#!/bin/sh
[ -z "\$SLURM_JOB_ID" ] || [ "\$1" != --version ] || { echo aureole 9.9.9; exit; }
exec "$program" "\$@"
END
    chmod +x other
    expectRefused "has aureole 9.9.9 as $PWD/other, expected aureole" "${command[@]}" "$PWD/other" --wait
    expectText "9.9.9" out.job/log/task.*_0.log
    expectRefused "cannot read $PWD/none; expected" \
        env SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_JOB_ID=1 bash out.job/task.sh "$PWD/none"
}

mkdir "$scratch/c"
startCluster "$scratch/c" || {
    tail -n 5 "$scratch"/c/*.log "$scratch"/c/*.out >&2
    echo "error: the daemons of Slurm do not start; their messages are above" >&2
    exit 1
}
export XDG_CACHE_HOME=$scratch/cache
writeScene 6
run "bad setups" badSetups
run "a missing part" missingPart
run "GPUs of tasks" gpusOfTasks
run "frames" frames
run "more parts than one job merges" manyParts
run "tasks that are killed, queued again and preempted" interruptedTasks
echo "$failures failed"
[ "$failures" -eq 0 ]
