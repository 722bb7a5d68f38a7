#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aureole::texture {

inline constexpr std::size_t kMostLetters = 256;

/// The characters that drawText knows, besides line ends; small letters are drawn as capitals.
std::string knownLetters();

/// Text in round strokes, centred and as large as four fifths of the plane hold: of each cell, the top row first, the
/// share that is covered. The letters are built in, so that no font has to be found and every machine draws the same.
/// Throws Error (BadInput) for an unknown character, more than kMostLetters and nothing to draw.
std::vector<float> drawText(const std::string& text, std::uint32_t width, std::uint32_t height);

} // namespace aureole::texture
