#!/usr/bin/env bash
# 'mpirun -np N aureole render': pictures that equal those of one process, whatever happens to the ranks, and clear
# words where something is wrong.
#
#   tests/mpi/mpi_test.sh PROGRAM [FUNCTION]     only that one of those below
#
# Needs mpiPackages of tools/packages.sh, and libaureole_mpi.so beside the program. Exits with 1 where anything failed.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tests/support/jobs.sh

program=$(realpath "${1:?usage: tests/mpi/mpi_test.sh PROGRAM [FUNCTION]}")
only=${2:-}
# The layer that makes devices fail (tests/faults/fault_layer.cpp).
faults=$(realpath "$(dirname "$program")/../../tests/faults")
scratch=$(mktemp -d /tmp/aureole-mpi-XXXXXX)
job=''

cleanUp() {
    [ -z "$job" ] || kill -KILL "$job" 2>/dev/null || true
    rm -rf "$scratch"
}
trap cleanUp EXIT

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_orte_base_help_aggregate=0
export XDG_CACHE_HOME=$scratch/cache
seconds=240 # the most that one run may take

# expectText TEXT FILE: somewhere in it.
expectText() {
    grep -qF -- "$1" "$2" || wrong "found no '$1' in $2: $(grep -v '^--\|^$' "$2" | head -n 8)"
}

expectNoText() {
    ! grep -qF -- "$1" "$2" || wrong "found '$1' in $2: $(grep -F -- "$1" "$2" | head -n 3)"
}

# expectEnd CODE COMMAND...: with its messages in log.txt.
expectEnd() {
    local status=0
    timeout "$seconds" "${@:2}" >log.txt 2>&1 || status=$?
    [ "$status" = "$1" ] || wrong "ended with $status, expected $1: ${*:2}: $(head -n 12 log.txt)"
}

# expectRefused CODE TEXT COMMAND...
expectRefused() {
    expectEnd "$1" "${@:3}"
    expectText "$2" log.txt
}

# expectSame A B: the same channels, and in all of them differences of at most 1e-6 of 1 or the value, if that is more.
expectSame() {
    local most
    "$program" compare "$1" "$2" --diff difference.exr >/dev/null 2>compare.txt || {
        wrong "$1 and $2 cannot be compared: $(cat compare.txt)"
        return 0
    }
    most=$("$program" info difference.exr --json | python3 -c '
import json, sys
print(max(c["max"] for c in json.load(sys.stdin)["channels"]))')
    python3 -c 'import sys; sys.exit(not float(sys.argv[1]) <= 1e-6)' "$most" || wrong "$1 and $2 differ by $most"
    diff <(channelsOf "$1") <(channelsOf "$2") >channels.txt ||
        wrong "$1 and $2 have other channels, or means of them: $(cat channels.txt)"
}

# channelsOf FILE: names, and means to 5 digits, as compare looks at colours alone.
channelsOf() {
    "$program" info "$1" --json | python3 -c '
import json, sys
for c in json.load(sys.stdin)["channels"]:
    print(c["name"], "%.5g" % c["mean"])'
}

# figure NAME FILE: of --stats-json.
figure() {
    python3 -c 'import json, sys; print(json.load(open(sys.argv[2]))[sys.argv[1]])' "$1" "$2"
}

# Of 77 samples, so that ranges differ in length and the last batch is none; with layers, bloom and finish.
equalPictures() {
    local ranks options=(--spp 77 --aov all --allow-cpu)
    "$program" render "$scratch/scene.json" -o single.exr "${options[@]}" 2>/dev/null
    for ranks in 1 2 3 7; do
        expectEnd 0 mpirun -np "$ranks" "$program" render "$scratch/scene.json" -o "$ranks.exr" "${options[@]}" \
            --stats-json "$ranks.json"
        expectSame "$ranks.exr" single.exr
        [ "$(figure samples "$ranks.json")" = 77 ] || wrong "$ranks ranks made $(figure samples "$ranks.json") samples"
        [ "$(figure devices "$ranks.json" | grep -o "'samples': [1-9]" | wc -l)" = "$ranks" ] ||
            wrong "not all of $ranks ranks rendered: $(figure devices "$ranks.json")"
        [ ! -e "$ranks.exr.parts" ] || wrong "$ranks.exr.parts was left behind"
        expectText "ranks    $ranks on 1 host" log.txt
        [ "$(grep -c '^written ' log.txt)" = 1 ] || wrong "not rank 0 alone tells what is written: $(cat log.txt)"
    done
    # A range of the samples is a part for merge; PNGs are tone-mapped after all.
    expectEnd 0 mpirun -np 3 "$program" render "$scratch/scene.json" -o part.exr --samples 30:77 --allow-cpu
    "$program" render "$scratch/scene.json" -o head.exr --samples 0:30 --allow-cpu 2>/dev/null
    "$program" merge head.exr part.exr -o merged.exr 2>/dev/null || wrong "what ranks wrote of --samples is no part"
    "$program" render "$scratch/scene.json" -o plain.exr --samples 0:77 --allow-cpu 2>/dev/null
    expectSame merged.exr plain.exr
    expectEnd 0 mpirun -np 2 "$program" render "$scratch/scene.json" -o two.png --spp 16 --allow-cpu
    "$program" render "$scratch/scene.json" -o one.png --spp 16 --allow-cpu 2>/dev/null
    "$program" compare one.png two.png --metric mse --max 1e-6 >/dev/null || wrong "PNGs of one and two differ"
}

# begin COMMAND...: in the background, with messages in job.txt, until there are three checkpoints.
begin() {
    "$@" >job.txt 2>&1 &
    job=$!
    waitFor 60 threeParts || wrong "there are no three checkpoints: $(cat job.txt)"
}

# threeParts [FOLDER...]: of a picture in them, or here.
threeParts() {
    [ "$(find "${@:-.}" -path '*out.exr.parts/samples.*.ckpt' | wc -l)" = 3 ]
}

# expectJobEnd CODE: within a bounded time.
expectJobEnd() {
    local status=0
    timeout 60 tail --pid="$job" -f /dev/null || wrong "the job does not end"
    wait "$job" || status=$?
    job=''
    [ "$status" = "$1" ] || wrong "the job ended with $status, expected $1: $(cat job.txt)"
    [ ! -e out.exr ] || wrong "a picture of what is not done was written"
    threeParts || wrong "the parts are gone: $(ls out.exr.parts)"
}

# expectStopped MOST ALL FILE: all ranks stopped, as they have less than MOST samples of ALL together, those of all but
# the one that stopped first.
expectStopped() {
    local samples
    samples=$(sed -nE "s/.*out.exr.parts has what the ranks have rendered \(([0-9]+) samples of $2\).*/\1/p" "$3")
    [ -n "$samples" ] && [ "$samples" -lt "$1" ] || wrong "found $samples samples, expected less than $1: $(cat "$3")"
}

# The third rank that mpirun started.
rankTwo() {
    pgrep --parent "$job" | sed -n 3p
}

interrupted() {
    local command=("$program" render "$scratch/scene.json" -o out.exr --spp 6000 --every 0.2s --backend reference
        --no-bloom --stats-json out.json) ranks
    "$program" render "$scratch/scene.json" -o single.exr --spp 6000 --backend reference --no-bloom 2>/dev/null
    # resume RANKS: goes on from the parts.
    resume() {
        expectEnd 0 mpirun -np "$1" "${command[@]}" --progress json
        expectText "has 3 parts of a run before" log.txt
        expectProgress "$1"
        [ "$(figure resumed_samples out.json)" -ge 3 ] || wrong "resumed from $(figure resumed_samples out.json) samples"
        expectSame out.exr single.exr
        [ ! -e out.exr.parts ] || wrong "parts were left behind: $(ls out.exr.parts)"
        rm -f out.exr
    }
    begin mpirun -np 3 "${command[@]}"
    kill -KILL "$(rankTwo)"
    expectJobEnd 137
    resume 3

    begin mpirun -np 3 "${command[@]}"
    kill -USR2 "$job"
    expectJobEnd 75
    expectText "the same command goes on from there" job.txt
    [ "$(figure exit_code out.json)" = 75 ] || wrong "the figures tell of exit code $(figure exit_code out.json)"
    # By others, and more often; a killed one's parts are all that is there.
    for ranks in 2 5; do
        resume "$ranks"
        begin mpirun -np 3 "${command[@]}"
        kill -TERM "$job" # to which Open MPI's mpirun answers with an exit code of its own
        expectJobEnd 1
    done
    # What a killed rank was writing goes with the parts.
    touch out.exr.parts/samples.0-2000.ckpt.part1
    resume 1

    # One rank alone is told to stop: all do.
    begin mpirun -np 3 "${command[@]}"
    kill -TERM "$(rankTwo)"
    expectJobEnd 75
    expectStopped 4000 6000 job.txt
    # Parts that cannot be gone on from are told of before others are rendered, which would be among them.
    expectRefused 3 "out.exr.parts: found a part with samples 0:2000, expected samples within 0:48" \
        mpirun -np 2 "${command[@]/#6000/48}"
    mv out.exr.parts/samples.2000-4000.ckpt .
    expectRefused 3 "aureole.seed is 0, expected 9; remove it" mpirun -np 3 "${command[@]}" --seed 9
    expectNoText "goes on from there" log.txt
    [ ! -e out.exr.parts/samples.2000-4000.ckpt ] || wrong "a part of another render stands among the others"
    head -c 1000 samples.2000-4000.ckpt >out.exr.parts/samples.2000-4000.ckpt
    expectRefused 3 "rank 1 on $(hostname): out.exr.parts/samples.2000-4000.ckpt" mpirun -np 3 "${command[@]}"
    mv samples.2000-4000.ckpt out.exr.parts
    resume 3
}

# A rank that has nothing to do does not end at a signal before the others have saved, or finished, their one batch.
idleRank() {
    mpirun -np 3 "$program" render "$scratch/scene.json" -o out.exr --spp 16 --size 1280x960 --backend reference \
        --no-bloom --progress json >job.txt 2>&1 &
    job=$!
    waitFor 100 grep -q '"stage":"render","done":[1-9]' job.txt || wrong "it does not render: $(cat job.txt)"
    kill -USR2 "$job"
    local status=0
    wait "$job" || status=$?
    job=''
    expectNoText "aureole: interrupted" job.txt
    case $status in
        0) [ -e out.exr ] || wrong "found no picture: $(cat job.txt)" ;;
        75) expectText "out.exr.parts has what the ranks have rendered" job.txt ;;
        *) wrong "the job ended with $status, expected 0 or 75: $(cat job.txt)" ;;
    esac
}

# The picture cannot be written in the end: the message tells of parts where there are some.
unwritable() {
    local command=("$program" render "$scratch/scene.json" -o out.exr --spp 6000 --every 0.2s --backend reference
        --no-bloom) found status
    for found in all none; do
        begin mpirun -np 3 "${command[@]}"
        mkdir out.exr
        [ "$found" = all ] || mv out.exr.parts elsewhere
        status=0
        wait "$job" || status=$?
        job=''
        [ "$status" = 5 ] || wrong "the job ended with $status, expected 5: $(cat job.txt)"
        expectText "out.exr: cannot be written" job.txt
        rmdir out.exr
        if [ "$found" = none ]; then
            expectNoText "has all parts" job.txt
            continue
        fi
        expectText "out.exr.parts has all parts, and the same command goes on from there" job.txt
        expectEnd 0 mpirun -np 2 "${command[@]}"
        expectText "has 3 parts of a run before" log.txt
        [ -e out.exr ] && [ ! -e out.exr.parts ] || wrong "found no picture, or its parts: $(ls)"
        rm out.exr
    done
}

# Ranks 0 and 1 share a folder, and rank 2 has one of its own, as on another host: parts go back to who sees them, and
# frames stay where they are.
ownFolders() {
    local command=("$program" render "$scratch/scene.json" -o out.exr --spp 6000 --backend reference --no-bloom)
    local turn=("${command[@]:0:3}" -o "turn.#.exr" --frames 0:5 --spp 4 --backend reference --no-bloom)
    mkdir here there
    "${command[@]/#out.exr/single.exr}" 2>/dev/null
    command+=(--every 0.2s) # of ranks alone
    mpirun -np 2 -wdir "$PWD/here" "${command[@]}" : -np 1 -wdir "$PWD/there" "${command[@]}" >job.txt 2>&1 &
    job=$!
    waitFor 60 threeParts here there || wrong "there are no three checkpoints: $(cat job.txt)"
    kill -USR2 "$job"
    local status=0
    wait "$job" || status=$?
    job=''
    [ "$status" = 75 ] || wrong "the job ended with $status, expected 75: $(cat job.txt)"
    [ ! -e here/out.exr.parts/samples.4000-6000.ckpt ] || wrong "the folders are one"
    expectEnd 0 mpirun -np 2 -wdir "$PWD/here" "${command[@]}" : -np 1 -wdir "$PWD/there" "${command[@]}"
    expectText "3 parts of a run before" log.txt
    expectSame here/out.exr single.exr
    [ "$(ls there)" = "" ] && [ ! -e here/out.exr.parts ] || wrong "parts were left behind: $(ls here there)"
    expectEnd 0 mpirun -np 2 -wdir "$PWD/here" "${turn[@]}" : -np 1 -wdir "$PWD/there" "${turn[@]}"
    expectText "the frames 2:3 are on the hosts that rendered them" log.txt
    [ "$(ls there)" = turn.2.exr ] && [ ! -e here/turn.2.exr ] || wrong "found other frames: $(ls here there)"
}

# One rank loses its device; the others save what they have.
lostDevice() {
    local command=("$program" render "$scratch/scene.json" -o out.exr --spp 8000 --every 0.2s --allow-cpu --size 16x12
        --no-bloom)
    expectEnd 4 mpirun -np 2 "${command[@]}" : -np 1 -x "VK_ADD_LAYER_PATH=$faults" \
        -x VK_INSTANCE_LAYERS=VK_LAYER_AUREOLE_fault -x AUREOLE_TEST_FAULT=lost:0:2 \
        -x AUREOLE_TEST_FAULT_AFTER=out.exr.parts/samples.5328-8000.ckpt "${command[@]}"
    expectText "rank 2 on $(hostname): " log.txt
    expectText "lost" log.txt
    # No more than all samples of the others, who may have come to their end.
    expectStopped 5329 8000 log.txt
    threeParts || wrong "the parts are gone: $(ls out.exr.parts)"
    expectEnd 0 mpirun -np 3 "${command[@]}"
    expectText "has 3 parts of a run before" log.txt
    "$program" render "$scratch/scene.json" -o single.exr "${command[@]:5:2}" --allow-cpu --size 16x12 --no-bloom \
        2>/dev/null
    expectSame out.exr single.exr
}

frames() {
    local command=("$program" render "$scratch/scene.json" --spp 4 --backend reference --progress json) frame
    "${command[@]}" -o single.##.exr --frames 1:7 2>/dev/null
    expectEnd 0 mpirun -np 4 "${command[@]}" -o turn.##.exr --frames 1:7 --stats-json turn.json
    expectProgress 4
    for frame in 01 02 03 04 05 06; do
        expectSame "turn.$frame.exr" "single.$frame.exr"
    done
    [ ! -e turn.00.exr ] && [ ! -e turn.07.exr ] || wrong "frames that nobody asked for"
    [ "$(figure frames turn.json)" = 6 ] || wrong "found $(figure frames turn.json) frames in the figures, expected 6"
    truncate --size=-30 turn.03.exr
    rm turn.05.exr
    expectEnd 0 mpirun -np 3 "${command[@]}" -o turn.##.exr --frames 1:7 --skip-existing --stats-json turn.json
    expectProgress 3
    [ "$(figure frames turn.json) $(figure frames_found turn.json)" = "2 4" ] ||
        wrong "found $(figure frames turn.json) new frames and $(figure frames_found turn.json) old ones, expected 2 and 4"
    expectSame turn.03.exr single.03.exr
    expectSame turn.05.exr single.05.exr
    # More ranks than frames.
    expectEnd 0 mpirun -np 4 "${command[@]}" -o few.#.exr --frames 2:4
    expectSame few.3.exr single.03.exr
}

# expectProgress RANKS: log.txt tells, from rank 0 alone, how far so many are together, straight to the end.
expectProgress() {
    python3 - "$1" <<'END' || wrong "the progress is not that of the whole: $(head -n 5 log.txt)"
import json, sys
lines = [json.loads(line) for line in open("log.txt") if line.startswith('{"stage":"render"')]
done = [line["done"] / line["total"] for line in lines]
assert lines and all(line["ranks"] == int(sys.argv[1]) for line in lines), "other lines than of all ranks"
assert done == sorted(done) and done[-1] == 1, f"goes to {done[-1]}, not straight to the end: {done}"
assert all(line["eta"] >= 0 for line in lines)
END
}

progressOfAll() {
    expectEnd 0 mpirun -np 3 "$program" render "$scratch/scene.json" -o out.exr --spp 3000 --backend reference \
        --no-bloom --progress json
    expectProgress 3
    [ "$(grep -c '"message":"written' log.txt)" = 1 ] || wrong "more than one rank tells of the picture"
}

badSetups() {
    local command=("$program" render "$scratch/scene.json" -o out.exr --backend reference --no-bloom --spp 16)
    local other=("${command[@]/#16/24}") turn=("${command[@]/#out.exr/turn.#.exr}")
    ! ldd "$program" | grep -i 'libmpi\|open-rte' || wrong "the program itself needs MPI"
    sed 's/"albedo"/"albdo"/' "$scratch/scene.json" >bad.json
    expectRefused 3 "/materials/clay/albdo" mpirun -np 3 "$program" render bad.json -o out.exr
    [ "$(grep -c albdo log.txt)" = 1 ] || wrong "the same error is told $(grep -c albdo log.txt) times"
    expectRefused 5 "/proc/out.exr: cannot be written" mpirun -np 3 "$program" render bad.json -o /proc/out.exr
    touch out.exr.parts
    expectRefused 5 "out.exr.parts" mpirun -np 2 "${command[@]}"
    rm out.exr.parts
    expectRefused 2 "--checkpoint: found it with 2 ranks" mpirun -np 2 "${command[@]}" --checkpoint out.ckpt
    expectRefused 2 "--time: found it with 2 ranks" mpirun -np 2 "${command[@]}" --time 1s
    expectRefused 2 "--noise: found it with 2 ranks" mpirun -np 2 "${command[@]}" --noise 0.1
    expectRefused 2 "adaptive sampling (/integrator/noise is 0.1)" \
        mpirun -np 2 "${command[@]}" --set /integrator/noise=0.1
    # Ranks that would render different pictures, and one that fails alone before the first sample.
    expectRefused 3 "rank 2 on $(hostname): found another picture than that of rank 0 on $(hostname): aureole.seed is 7" \
        mpirun -np 2 "${command[@]}" : -np 1 "${command[@]}" --seed 7
    # However slow rank 0 is: the others do not end before it has told.
    local i
    for i in 1 2 3 4 5; do
        expectRefused 3 "--output is other.exr, expected out.exr; samples is 0:24, expected 0:16" \
            mpirun -np 1 nice -n 19 "${command[@]}" : -np 3 "${other[@]/#out.exr/other.exr}"
    done
    expectRefused 3 "--frames is 0:4, expected 0:3" \
        mpirun -np 1 "${turn[@]}" --frames 0:3 : -np 1 "${turn[@]}" --frames 0:4
    expectRefused 3 "rank 1 on $(hostname): none.json" \
        mpirun -np 1 "${command[@]}" : -np 1 "$program" render none.json -o out.exr
    [ ! -e out.exr ] && [ ! -e out.exr.parts ] || wrong "something was written: $(ls)"

    # Processes that cannot find each other must not write the same file.
    mkdir bin
    cp "$program" bin/aureole
    expectRefused 2 "this aureole has no MPI (libaureole_mpi.so is neither $PWD/bin/libaureole_mpi.so nor" \
        mpirun -np 2 bin/aureole "${command[@]:1}"
    expectRefused 2 "found 4 processes of srun (SLURM_STEP_NUM_TASKS) without MPI, expected 'srun --mpi=pmix'" \
        env SLURM_STEP_NUM_TASKS=4 "${command[@]}"
    expectRefused 2 "but they are 1 to the MPI that aureole was built with" env PMI_SIZE=4 "${command[@]}"
    [ ! -e out.exr ] || wrong "a picture was written by processes that cannot find each other"
    expectRefused 2 "found 2 processes of mpirun (OMPI_COMM_WORLD_SIZE), expected one: only 'aureole render'" \
        mpirun -np 2 "$program" merge a.exr -o b.exr
    touch bin/libaureole_mpi.so
    expectRefused 2 "bin/libaureole_mpi.so cannot be opened" mpirun -np 2 bin/aureole "${command[@]:1}"
    rm bin/libaureole_mpi.so

    # What goes on as without mpirun.
    expectEnd 0 mpirun -np 1 bin/aureole "${command[@]:1}"
    expectEnd 0 env SLURM_STEP_NUM_TASKS=1 PMIX_NAMESPACE=a "${command[@]}"
    # shellcheck disable=SC2016
    expectEnd 0 mpirun -np 2 sh -c '"$0" "$@" -o own.$OMPI_COMM_WORLD_RANK.exr' "${command[@]:0:3}" --ranks off \
        --backend reference --no-bloom --spp 16
    expectSame own.0.exr own.1.exr
    expectEnd 0 mpirun -np 2 "$program" devices
    expectEnd 0 mpirun -np 4 "${command[@]}"
    expectText "cut into 2 parts of whole batches of 8: 2 of 4 ranks have nothing to do" log.txt
    expectSame out.exr own.0.exr
}

[ -e "$(dirname "$program")/libaureole_mpi.so" ] || {
    echo "error: found no libaureole_mpi.so beside $program; install mpiPackages, configure and build again" >&2
    exit 1
}
writeScene 7
run "bad setups" badSetups
run "1, 2, 3 and 7 ranks" equalPictures
run "progress" progressOfAll
run "frames" frames
run "ranks that are killed, jobs that are stopped" interrupted
run "a rank with nothing to do" idleRank
run "a picture that cannot be written" unwritable
run "folders that are not shared" ownFolders
run "a device that is lost" lostDevice
echo "$failures failed"
[ "$failures" -eq 0 ]
