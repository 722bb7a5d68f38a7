#!/usr/bin/env bash
# Runs all benchmarks on this machine, beside the peers that it has, and makes one page of them.
#
#   suite.sh [--quick] [--aureole PROGRAM] [-o FOLDER] [--device DEVICE] [--allow-cpu]
#
#   --quick     small sizes and few runs: to try it
#   --aureole   the program (default: aureole)
#   -o          where suite.html, suite.json, the benchmarks' own JSON and their output go (default: suite)
#
# What peers lack that the machine does not have stands below the tables that they would be in. suite.html needs nothing
# else, and 'aureole bench compare' holds one suite.json against others'.

set -u

aureole=aureole
folder=suite
quick=no
common=()
while [ $# -gt 0 ]; do
    case $1 in
        --quick) quick=yes ;;
        --aureole | -o | --device)
            [ $# -gt 1 ] || { echo "suite.sh: error: $1: found no value" >&2; exit 2; }
            case $1 in
                --aureole) aureole=$2 ;;
                -o) folder=$2 ;;
                --device) common+=(--device "$2") ;;
            esac
            shift ;;
        --allow-cpu) common+=(--allow-cpu) ;;
        *) echo "suite.sh: error: found '$1', expected --quick, --aureole, -o, --device or --allow-cpu" >&2; exit 2 ;;
    esac
    shift
done
tools=$(dirname "$(readlink -f "$0")")
case $aureole in */*) aureole=$(readlink -f "$aureole") ;; esac
# From there the benchmarks' files have short names: reports tell the command that made them, on any machine.
mkdir -p "$folder" && cd "$folder" || exit 5

failed=()
reports=()
# run NAME OPTION...: the benchmark with its --json.
run() {
    local name=$1 begin=$SECONDS
    shift
    echo "$name: aureole bench $*"
    if "$aureole" bench "$@" "${common[@]}" --json "$name.json" >"$name.txt" 2>&1; then
        reports+=("$name.json")
    else
        failed+=("$name")
        tail -n 3 "$name.txt" >&2
    fi
    echo "$name: $((SECONDS - begin)) s"
}

if [ $quick = yes ]; then
    few=(--repeats 3)
    sizes=(--items 65536) lines=(--lengths 256,1024 --sizes 64x48) picture=(--size 64x48 --kernel-size 17)
    textures=(--sizes 64 --sweep 64 --rows 4 --fused 1,4) gyroids=(--gyroid 64 --size 64x36 --rays primary,bounce1)
else
    few=()
    # Of the tilings of textures, those about the best ones.
    sizes=() lines=() picture=() textures=(--lanes 16x8,32x8 --rows 4,8 --fused 1,4) gyroids=(--gyroid 1024,2048 --rays primary,ambient,bounce1,bounce2)
fi
run scan scan "${few[@]}" "${sizes[@]}" --against all
run bloom bloom "${few[@]}" "${picture[@]}" --against all
run traverse traverse "${few[@]}" "${gyroids[@]}" --against all
run fft fft "${few[@]}" "${lines[@]}"
run texture texture "${few[@]}" "${textures[@]}"

if [ ${#reports[@]} -eq 0 ]; then
    echo "suite.sh: error: no benchmark came to an end" >&2
    exit 1
fi
python3 -c '
import json, sys
reports = [json.load(open(file, encoding="utf-8")) for file in sys.argv[2:]]
json.dump({"reports": reports}, open(sys.argv[1], "w", encoding="utf-8"), indent=1)' \
    suite.json "${reports[@]}" &&
    "$tools/report.py" suite.json -o suite.html || exit 1
echo "$folder/suite.html"
if [ ${#failed[@]} -gt 0 ]; then
    echo "suite.sh: error: these did not come to an end: ${failed[*]}" >&2
    exit 1
fi
