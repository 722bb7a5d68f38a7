#include "voxel/tree/dag.h"
#include "voxel/tree/packed_words.h"

namespace aureole {

std::uint64_t DagLayout::entryWords() const {
    return packedWordCount(entries, entryBits());
}

std::uint64_t DagLayout::referenceWords() const {
    const std::uint64_t words = packedWordCount(references, numberBits());
    return words + ((entryWords() + words) & 1U); // counts are read in 64 bits
}

std::uint64_t DagLayout::totalWords() const {
    return kDagHeadWords + entryWords() + referenceWords() + countWords();
}

std::uint64_t DagLayout::entryChunkWords() const {
    return packedWordCount(std::uint64_t{1} << OCTREE_DAG_CHUNK_SHIFT, entryBits());
}

std::uint64_t DagLayout::referenceChunkWords() const {
    return packedWordCount(std::uint64_t{1} << OCTREE_DAG_CHUNK_SHIFT, numberBits());
}

DagLayout dagLayout(const DagEncoding& dag) {
    return {dag.words[0], dag.words[1], dag.words[2], dag.words[3]};
}

DagReader::DagReader(const DagEncoding& dag)
    : layout_(dagLayout(dag)) {
    const std::span<const std::uint32_t> words(dag.words);
    entries_ = words.subspan(kDagHeadWords, layout_.entryWords());
    references_ = words.subspan(kDagHeadWords + entries_.size(), layout_.referenceWords());
    counts_ = words.subspan(kDagHeadWords + entries_.size() + references_.size(), layout_.countWords());
}

std::uint32_t DagReader::number(std::uint64_t entry) const {
    return packedBits(entries_, entry * layout_.entryBits(), layout_.numberBits());
}

std::uint32_t DagReader::first(std::uint64_t entry) const {
    return packedBits(entries_, entry * layout_.entryBits() + layout_.numberBits(), layout_.firstBits());
}

std::uint64_t DagReader::count(std::uint64_t entry) const {
    if (entry < layout_.upper) {
        return (std::uint64_t{counts_[2 * entry + 1]} << 32U) | counts_[2 * entry];
    }
    return packedBits(entries_, entry * layout_.entryBits() + layout_.numberBits() + layout_.firstBits(),
                      layout_.countBits());
}

std::uint32_t DagReader::leaf(std::uint64_t reference) const {
    return packedBits(references_, reference * layout_.numberBits(), layout_.numberBits());
}

} // namespace aureole
