#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aureole {

/// The candidate that `word` likely stands for: one letter off; else one that has the word in it ('verticalFov' for
/// 'fov'), or whose initials it is ('samplesPerPixel' for 'spp'), or that is in the word; else the nearest by edit
/// distance. "" where none is near enough. For parts, case and the dashes of options do not count.
std::string nearestName(std::string_view word, std::span<const std::string> candidates);

/// `nearestName` as the end of an error message: " (did you mean 'x'?)", or "".
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);

} // namespace aureole
