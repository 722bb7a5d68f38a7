// Checkpoints. What is accepted is the same when written and read again.

#include <cstring>
#include <vector>

#include "core/hash.h"
#include "film/checkpoint.h"
#include "mutator.h"

namespace aureole::fuzz {

namespace {

/// Makes the checksum right, without which a reader looks no further.
void seal(std::span<std::byte> file) {
    if (file.size() < sizeof(std::uint64_t)) {
        return;
    }
    const std::span<std::byte> content = file.first(file.size() - sizeof(std::uint64_t));
    const std::uint64_t sum = checksum(content);
    std::memcpy(file.data() + content.size(), &sum, sizeof(sum));
}

bool isSame(const FilmState& a, const FilmState& b) {
    return a.samples == b.samples && a.adaptive == b.adaptive && a.activeTiles == b.activeTiles &&
           a.tileSamples == b.tileSamples && a.film == b.film && a.layers == b.layers;
}

} // namespace

void runInput(Bytes input) {
    const std::filesystem::path file = written("render.ckpt", input);
    Checkpoint checkpoint;
    if (!goesThrough(file.string(), [&] { checkpoint = readCheckpoint(file); })) {
        return;
    }
    const std::filesystem::path copy = folder() / "copy.ckpt";
    writeCheckpoint(copy, checkpoint);
    const Checkpoint again = readCheckpoint(copy);
    require(again.identity == checkpoint.identity, "a checkpoint keeps its identity");
    require(isSame(again.state, checkpoint.state), "a checkpoint keeps its film");
}

std::vector<std::byte> mutateInput(Bytes input, std::size_t maximumSize, unsigned seed) {
    std::vector<std::byte> mutated = mutateBytes(input, maximumSize);
    if (isMended(seed)) {
        seal(mutated);
    }
    return mutated;
}

} // namespace aureole::fuzz
