#pragma once

// The models of a scene's assets, some of them read ahead.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>

#include "import/import.h"
#include "scene/json/read_together.h"

namespace aureole {

/// A model as importModel is to read it.
struct ModelSource {
    std::filesystem::path path;
    ImportOptions options;

    bool operator==(const ModelSource&) const = default;
};

/// How many files, the first ones of these sizes in bytes, are read at once, so that what their readers are likely to
/// take stays within `memory` bytes: at least one, and at most kFilesAtOnce.
std::size_t filesAtOnce(std::span<const std::uint64_t> sizes, std::uint64_t memory);

/// Reads models one after the other, as whoever asks for them sees it; while one is read, so are some of those that are
/// expected behind it.
class ModelReads {
public:
    /// Announces a model, behind those that were announced before.
    void expect(ModelSource source);

    /// The model, as by importModel, whose errors are thrown and whose messages are logged now.
    ImportedModel take(const ModelSource& source);

private:
    struct Read {
        ModelSource source;
        std::optional<ReadOutcome> outcome{}; ///< none: it is not read yet
        ImportedModel model{};
    };

    void readFirst();

    std::deque<Read> reads_; ///< what is expected, in its order
};

} // namespace aureole
