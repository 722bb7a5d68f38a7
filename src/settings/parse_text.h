#pragma once

// Reading values from text, as options and attributes of pictures have them. Every function throws Error (Usage) that
// names the option, what was found and what was expected.

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/index_ranges.h"
#include "core/math.h"
#include "settings/aov.h"

namespace aureole {

/// A whole number from minimum to maximum. `word` is what the option takes beside numbers, for the error.
std::uint32_t parseCount(const std::string& option, const std::string& text, std::uint32_t minimum,
                         std::uint32_t maximum = std::numeric_limits<std::uint32_t>::max(), std::string_view word = {});

/// Whole numbers from minimum to maximum, separated by commas.
std::vector<std::uint32_t> parseCounts(const std::string& option, const std::string& text, std::uint32_t minimum,
                                       std::uint32_t maximum);

/// A finite number from minimum to maximum. `word` is what the option takes beside numbers, for the error.
double parseNumber(const std::string& option, const std::string& text, double minimum, double maximum,
                   std::string_view word = {});

/// One of `names`.
std::string parseChoice(const std::string& option, const std::string& text, std::span<const std::string> names);

/// The place of one of `names` among them.
std::size_t parseIndex(const std::string& option, const std::string& text, std::span<const std::string> names);

/// The places of some of `names`, separated by commas, among them.
std::vector<std::size_t> parseIndices(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& names);

/// Names of AOVs, separated by commas, or "all".
AovSet parseAovs(const std::string& option, const std::string& text);

/// "1280x720", of a size that a film may have.
glm::uvec2 parseSize(const std::string& option, const std::string& text);

/// A rectangle of pixels, x1 and y1 exclusive.
struct Crop {
    glm::uvec2 low{0};
    glm::uvec2 high{0};
};

/// "x0,y0,x1,y1" with x0 < x1 and y0 < y1.
Crop parseCrop(const std::string& option, const std::string& text);

/// "first:end" with first < end, of samples or frames: any that 32 bits hold.
IndexRange parseRange(const std::string& option, const std::string& text);

/// "90", "90s", "10m" or "2h", above 0, in seconds.
double parseDuration(const std::string& option, const std::string& text);

/// "500M" or "4G": bytes, with K, M, G or T for powers of 1024, above 0.
std::uint64_t parseBytes(const std::string& option, const std::string& text);

} // namespace aureole
