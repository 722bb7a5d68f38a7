#!/usr/bin/env bash
# Renders a picture, or the frames of an animation, on the GPUs of a cluster that Slurm manages.
#
#   tools/slurm/submit.sh SCENE -o OUT.exr --spp N [OPTION...] [-- RENDER OPTION...]
#   tools/slurm/submit.sh SCENE -o OUT.####.exr --frames A:B [OPTION...] [-- RENDER OPTION...]
#
#   --spp N             samples per pixel of the picture, which the tasks share
#   --frames A:B        frames A to B-1, each rendered whole
#   --tasks N           ranges of samples, one task and one GPU each; 16 by default
#   --chunk N           frames of a task; 1 by default
#   --at-once N         tasks that run at the same time; as many as there are GPUs by default
#   --every TIME        between two checkpoints; 60s by default
#   --bloom scene       after merging also bloom and finish as the scene has them, with what --set after -- says
#   --bloom OPTIONS     after merging also 'aureole bloom OPTIONS'
#   --sbatch OPTIONS    for every job, such as '--partition=gpu --time=2:00:00 --account=me'
#   --gres NAME         what one task gets; gpu:1 by default, '' is nothing, for software devices
#   --aureole FILE      the program, under this name on every node; aureole by default
#   --cache FOLDER      where nodes keep octrees, instead of ~/.cache; the same for all tasks of a node
#   --wait              returns when all is done, with the exit code of the last job
#
# The folder OUT.job beside OUT holds parts, checkpoints and logs, and must be shared by all nodes, as must the scene.
# The same command given again renders what is missing. See README.md.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tools=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

mergeOnce=32 # parts that a single job merges; more are merged in groups first

usage() {
    fail "$*; tools/slurm/submit.sh --help lists the options"
}

# count NAME TEXT: a whole number above 0.
count() {
    [[ $2 =~ ^[1-9][0-9]{0,8}$ ]] || usage "$1: found '$2', expected a whole number from 1"
    echo "$2"
}

# absolute FILE: its name from any folder.
absolute() {
    local parent
    parent=$(cd "$(dirname "$1")" 2>/dev/null && pwd) || fail "$1: found no folder $(dirname "$1")"
    echo "${parent%/}/$(basename "$1")"
}

readArguments() {
    scene='' output='' spp='' frames='' tasks=16 chunk=1 atOnce='' every=60s bloom=no bloomOptions='' sbatchOptions=''
    gres=gpu:1 aureole=aureole cache='' wait=no options=()
    while [ $# -gt 0 ]; do
        case $1 in
            --help) sed -n '2,/^$/s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" && exit 0 ;;
            --wait) wait=yes && shift && continue ;;
            --) options=("${@:2}") && break ;;
            -o | --output | --spp | --frames | --tasks | --chunk | --at-once | --every | --bloom | --sbatch | --gres | \
                --aureole | --cache) [ $# -gt 1 ] || usage "$1: found nothing after it, expected a value" ;;
            -*) usage "found the option $1; options of 'aureole render' stand after --" ;;
            *)
                [ -z "$scene" ] || usage "found the scenes $scene and $1, expected one"
                scene=$1 && shift && continue
                ;;
        esac
        case $1 in
            -o | --output) output=$2 ;;
            --spp) spp=$(count "$1" "$2") ;;
            --frames) frames=$2 ;;
            --tasks) tasks=$(count "$1" "$2") ;;
            --chunk) chunk=$(count "$1" "$2") ;;
            --at-once) atOnce=%$(count "$1" "$2") ;;
            --every) every=$2 ;;
            --bloom) bloom=yes && bloomOptions=$2 ;;
            --sbatch) sbatchOptions=$2 ;;
            --gres) gres=$2 ;;
            --aureole) aureole=$2 ;;
            --cache) cache=$2 ;;
        esac
        shift 2
    done
}

checkArguments() {
    [ -n "$scene" ] || usage "found no scene"
    [ -n "$output" ] || usage "found no output, expected -o OUT.exr"
    local option
    for option in "${options[@]}"; do
        case $option in
            -o | --output | --spp | --samples | --frames | --checkpoint | --resume | --time | --noise)
                usage "found $option after --, expected it before, or not at all: tasks have their own" ;;
        esac
    done
    if [ -n "$frames" ]; then
        kind=frames
        [[ $frames =~ ^([0-9]+):([0-9]+)$ ]] && ((10#${frames%:*} < 10#${frames#*:})) ||
            usage "--frames: found '$frames', expected A:B, with A less than B"
        [[ ${output##*/} =~ ^[^#]*#+[^#]*$ ]] || usage "--frames: found the output $output, expected a run of # in it"
        [ "$bloom" = no ] || usage "--bloom: found it with --frames, which have the bloom of the scene"
        firstFrame=$((10#${frames%:*})) endFrame=$((10#${frames#*:}))
        tasks=$(((endFrame - firstFrame + chunk - 1) / chunk))
        [ -z "$spp" ] || options=(--spp "$spp" "${options[@]}")
    else
        kind=samples
        [ -n "$spp" ] || usage "found neither --spp nor --frames, expected one of them"
        if [ "$bloomOptions" = scene ]; then
            for option in "${options[@]}"; do
                [[ $option != --no-bloom && $option != --no-finish ]] ||
                    usage "found $option after -- and --bloom scene, expected one of them"
            done
        fi
        [[ $output == *.exr ]] || usage "found the output $output, expected .exr: 'aureole convert' makes a PNG of it"
        local batches=$(((spp + 7) / 8))
        if ((tasks > batches)); then
            say "$spp samples are $batches batches of 8: $batches tasks instead of $tasks"
            tasks=$batches
        fi
    fi
    # As many groups as parts in each make the least to read one after the other.
    mergeGroup=$tasks
    if ((tasks > mergeOnce)); then
        for ((mergeGroup = 1; mergeGroup * mergeGroup < tasks; ++mergeGroup)); do :; done
    fi
    [ -r "$scene" ] || fail "$scene: no such file, expected a scene"
}

checkCluster() {
    local found limit
    command -v sbatch >/dev/null && command -v scontrol >/dev/null ||
        fail "found no sbatch and scontrol, expected the commands of Slurm in PATH; without Slurm, 'aureole render" \
            "--samples A:B' on each machine and 'aureole merge' do the same"
    found=$(scontrol show config 2>&1) || fail "Slurm does not answer: ${found%%$'\n'*}"
    limit=$(sed -nE 's/^MaxArraySize *= *([0-9]+)$/\1/p' <<<"$found")
    if [ -n "$limit" ] && ((tasks >= limit)); then
        fail "found $tasks tasks, expected less than $limit, the MaxArraySize of this cluster: --tasks, or --chunk" \
            "for frames, gives fewer"
    fi
}

# Writes the plan, or checks that the folder holds the same one.
preparePlan() {
    mkdir -p "$folder/log" 2>/dev/null && [ -w "$folder" ] ||
        fail "$folder cannot be made and written, expected a folder that all nodes share"
    version=$("$aureole" --version 2>&1) || fail "$aureole cannot be run here: ${version##*$'\n'}; --aureole names it"
    local plan
    plan=$(declare -p kind scene output spp tasks chunk firstFrame endFrame every bloom bloomOptions aureole version \
        cache options mergeGroup | sed 's/^declare -/declare -g -/') # -g, as a function reads it
    if [ -e "$folder/plan" ] && [ "$plan" != "$(cat "$folder/plan")" ]; then
        diff <(cat "$folder/plan") <(echo "$plan") >&2 || true
        fail "$folder holds another render (<), as the lines above tell; remove it, or give -o another name"
    fi
    echo "$plan" >"$folder/plan"
    # So that a job ends as it began, whatever becomes of these files meanwhile.
    cp "$tools"/{common,task,merge,finish}.sh "$folder"
}

# submit SCRIPT NAME OPTION...: prints the job's number.
submit() {
    local script=$1 name=$2 log=$2.%j
    [[ " ${*:3} " != *" --array="* ]] || log=$2.%A_%a
    # The options are words for sbatch.
    # shellcheck disable=SC2086
    sbatch --parsable --job-name="aureole-$name" --output="$folder/log/$log.log" --open-mode=append \
        "${@:3}" $sbatchOptions "$folder/$script" "$folder" | cut -d';' -f1
}

submitAll() {
    local missing groups array merging=() gpu=() job
    [ -z "$gres" ] || gpu=(--gres="$gres")
    mapfile -t missing < <(missingTasks)
    if [ ${#missing[@]} -gt 0 ]; then
        # TERM a minute before the time limit: the render saves what it has, and goes on when the task is started again.
        array=$(submit task.sh task --array="$(listOf "${missing[@]}")$atOnce" --ntasks=1 --requeue --signal=TERM@60 \
            "${gpu[@]}") || fail "sbatch takes no job; its message is above"
        say "${#missing[@]} of $tasks tasks: job $array"
        merging=(--dependency=afterany:"$array")
    fi
    if [ "$kind" = samples ] && ((tasks > mergeGroup)); then
        groups=$(((tasks + mergeGroup - 1) / mergeGroup))
        array=$(submit merge.sh merge --array=0-$((groups - 1)) --ntasks=1 --requeue "${merging[@]}") ||
            fail "sbatch takes no job; its message is above"
        say "$groups groups of parts: job $array"
        merging=(--dependency=afterany:"$array")
    fi
    [ "$bloom" = yes ] || gpu=()
    [ "$wait" = no ] || merging+=(--wait)
    local status=0
    job=$(submit finish.sh finish --ntasks=1 --requeue "${gpu[@]}" "${merging[@]}") || status=$?
    [ -n "$job" ] || fail "sbatch takes no job; its message is above"
    say "the last one: job $job, logs in $folder/log"
    if [ "$wait" = yes ]; then
        cat "$folder/log/finish.$job.log"
        exit "$status"
    fi
}

readArguments "$@"
checkArguments
scene=$(absolute "$scene")
output=$(absolute "$output")
folder=${output%.*}.job
firstFrame=${firstFrame:-0} endFrame=${endFrame:-0}
checkCluster
preparePlan
submitAll
