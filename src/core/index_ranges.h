#pragma once

// Half-open ranges of indices: of samples of a pixel, and of frames of an animation.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace aureole {

/// The indices from the first to before the second.
using IndexRange = std::pair<std::uint32_t, std::uint32_t>;

/// Ranges that ascend and lie apart, as a rule; what takes others says so.
using IndexRanges = std::vector<IndexRange>;

/// Adds a range that begins where the last one ends, or beyond.
void appendRange(IndexRanges& ranges, const IndexRange& next);

/// Ranges in any order sorted, touching ones joined. Throws Error (BadInput) naming `place` where two overlap.
IndexRanges joinRanges(IndexRanges ranges, const std::string& place = "samples");

/// The indices that are in any of the ranges, which may overlap, in any order.
IndexRanges uniteRanges(IndexRanges ranges);

/// The indices of `ranges` that `others` do not have.
IndexRanges rangesWithout(const IndexRanges& ranges, const IndexRanges& others);

/// "0:16" or "0:16,32:48", and back. Throws Error (BadInput) naming `place`.
std::string formatRanges(const IndexRanges& ranges);
IndexRanges parseRanges(const std::string& text, const std::string& place = "samples");

} // namespace aureole
