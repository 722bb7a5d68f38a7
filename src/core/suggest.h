#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aureole {

/// The candidate nearest to `word` by edit distance, or "" where none is near enough to be a plausible slip.
std::string nearestName(std::string_view word, std::span<const std::string> candidates);

/// `nearestName` as the end of an error message: " (did you mean 'x'?)", or "".
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace aureole
