# Sourced by tests of jobs on several machines, which name a folder $scratch, and $only: the one function to run, if any.

failures=0

wrong() {
    echo "FAILED: $*" >&2
    failures=$((failures + 1))
}

# run NAME FUNCTION: in a folder of its own, unless another function was asked for.
run() {
    [ -z "$only" ] || [ "$2" = "$only" ] || return 0
    echo "--- $1"
    mkdir "$scratch/$2"
    cd "$scratch/$2"
    "$2"
}

# waitFor SECONDS COMMAND...: until it succeeds.
waitFor() {
    local end=$((SECONDS + $1))
    while ! "${@:2}" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.1
    done
}

# writeScene FRAMES: the box and the sky of the tests of the program. No colour is above 1.
writeScene() {
    cat >"$scratch/scene.json" <<END
{
  "version": 1,
  "materials": {"clay": {"albedo": [0.37, 0.61, 0.83]}},
  "assets": {"block": {"box": {"min": [-0.5, -0.5, -0.5], "max": [0.5, 0.5, 0.5]}}},
  "instances": {"block": {"asset": "block", "material": "clay"}},
  "cameras": {"front": {"position": [0, 0, 3], "target": [0, 0, 0], "verticalFov": 40}},
  "environment": {"type": "gradient", "zenith": [0.1, 0.3, 0.9], "horizon": 0.7, "ground": [0.3, 0.2, 0.1]},
  "film": {"size": [32, 24]},
  "animation": {"camera": "front", "turntable": {"frames": $1}},
  "bloom": {"kernel": "gaussians"},
  "finish": {"vignette": 0.3},
  "voxels": {"resolution": 32}
}
END
}
