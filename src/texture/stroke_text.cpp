#include "texture/stroke_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <glm/glm.hpp>

#include "core/error.h"

namespace aureole::texture {

namespace {

/// Polylines apart by '|', of points "xy" on a grid of 4 x 6, y upwards.
struct Letter {
    char name;
    std::string_view strokes;
};

constexpr std::array kLetters = {
    Letter{'A', "00 26 40|12 32"},
    Letter{'B', "00 06 36 45 44 33 03|33 42 41 30 00"},
    Letter{'C', "45 36 16 05 01 10 30 41"},
    Letter{'D', "00 06 26 44 42 20 00"},
    Letter{'E', "46 06 00 40|03 33"},
    Letter{'F', "46 06 00|03 33"},
    Letter{'G', "45 36 16 05 01 10 30 41 43 23"},
    Letter{'H', "00 06|40 46|03 43"},
    Letter{'I', "10 30|20 26|16 36"},
    Letter{'J', "01 10 20 31 36"},
    Letter{'K', "00 06|46 03 40"},
    Letter{'L', "06 00 40"},
    Letter{'M', "00 06 23 46 40"},
    Letter{'N', "00 06 40 46"},
    Letter{'O', "10 01 05 16 36 45 41 30 10"},
    Letter{'P', "00 06 36 45 44 33 03"},
    Letter{'Q', "10 01 05 16 36 45 41 30 10|22 40"},
    Letter{'R', "00 06 36 45 44 33 03|23 40"},
    Letter{'S', "45 36 16 05 04 13 33 42 41 30 10 01"},
    Letter{'T', "06 46|26 20"},
    Letter{'U', "06 01 10 30 41 46"},
    Letter{'V', "06 20 46"},
    Letter{'W', "06 10 23 30 46"},
    Letter{'X', "00 46|06 40"},
    Letter{'Y', "06 23 46|23 20"},
    Letter{'Z', "06 46 00 40"},
    Letter{'0', "10 01 05 16 36 45 41 30 10|01 45"},
    Letter{'1', "15 26 20|10 30"},
    Letter{'2', "05 16 36 45 44 00 40"},
    Letter{'3', "06 46 23 33 42 41 30 10 01"},
    Letter{'4', "30 36 02 42"},
    Letter{'5', "46 06 03 33 42 41 30 10 01"},
    Letter{'6', "36 16 05 01 10 30 41 42 33 03"},
    Letter{'7', "06 46 10"},
    Letter{'8', "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33"},
    Letter{'9', "10 30 41 45 36 16 05 04 13 43"},
    Letter{'.', "20 20"},
    Letter{',', "21 10"},
    Letter{'!', "26 22|20 20"},
    Letter{'?', "05 16 36 45 44 23 22|20 20"},
    Letter{'-', "13 33"},
    Letter{'+', "13 33|24 22"},
    Letter{'=', "14 34|12 32"},
    Letter{':', "24 24|21 21"},
    Letter{'/', "00 46"},
    Letter{'\'', "26 25"},
    Letter{'(', "36 25 21 30"},
    Letter{')', "16 25 21 10"},
    Letter{' ', ""},
};

constexpr float kAdvance = 6.0F;    // units from letter to letter
constexpr float kLineHeight = 9.0F; // and from line to line
constexpr float kRadius = 0.45F;    // of the strokes
constexpr float kShare = 0.8F;      // of the plane

const Letter& letterOf(char character) {
    const char capital = character >= 'a' && character <= 'z' ? static_cast<char>(character - 'a' + 'A') : character;
    const auto* const found = std::find_if(kLetters.begin(), kLetters.end(),
                                           [capital](const Letter& letter) { return letter.name == capital; });
    if (found == kLetters.end()) {
        const auto code = static_cast<unsigned char>(character);
        const bool printable = code > 32 && code < 127;
        fail(ExitCode::BadInput, "text: found {}, expected letters and digits of ASCII or one of {}",
             printable ? fmt::format("'{}'", character) : fmt::format("the byte {}", code), ". , ! ? - + = : / ' ( )");
    }
    return *found;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines(1);
    for (const char character : text) {
        if (character == '\n') {
            lines.emplace_back();
        } else {
            lines.back().push_back(character);
        }
    }
    return lines;
}

class TextPlane {
public:
    TextPlane(std::uint32_t width, std::uint32_t height)
        : width_(width)
        , height_(height)
        , coverage_(std::size_t{width} * height, 0.0F) {}

    /// A stroke between places in cells, y downwards.
    void draw(const glm::vec2& from, const glm::vec2& to, float radius) {
        const glm::vec2 size(width_, height_);
        const glm::uvec2 low(glm::clamp(glm::floor(glm::min(from, to) - radius - 1.0F), glm::vec2(0.0F), size));
        const glm::uvec2 high(glm::clamp(glm::ceil(glm::max(from, to) + radius + 1.0F), glm::vec2(0.0F), size));
        const glm::vec2 along = to - from;
        const float squared = std::max(glm::dot(along, along), 1e-12F);
        for (std::uint32_t y = low.y; y < high.y; ++y) {
            for (std::uint32_t x = low.x; x < high.x; ++x) {
                const glm::vec2 place = glm::vec2(x, y) + 0.5F - from;
                const float share = glm::clamp(glm::dot(place, along) / squared, 0.0F, 1.0F);
                const float covered = glm::clamp(radius - glm::length(place - share * along) + 0.5F, 0.0F, 1.0F);
                float& cell = coverage_[std::size_t{y} * width_ + x];
                cell = std::max(cell, covered);
            }
        }
    }

    std::vector<float> take() { return std::move(coverage_); }

private:
    std::uint32_t width_;
    std::uint32_t height_;
    std::vector<float> coverage_;
};

/// `origin` is the place of the letter's (0, 0), `scale` the cells of a unit.
void drawLetter(const Letter& letter, const glm::vec2& origin, float scale, TextPlane& plane) {
    const auto pointAt = [&](std::size_t i) {
        const glm::vec2 unit(letter.strokes[i] - '0', letter.strokes[i + 1] - '0');
        return origin + scale * glm::vec2(unit.x, -unit.y);
    };
    for (std::size_t i = 0; i + 4 < letter.strokes.size(); i += 3) {
        if (letter.strokes[i + 2] != '|') {
            plane.draw(pointAt(i), pointAt(i + 3), kRadius * scale);
        }
    }
}

} // namespace

std::string knownLetters() {
    std::string names;
    for (const Letter& letter : kLetters) {
        names.push_back(letter.name);
    }
    return names;
}

std::vector<float> drawText(const std::string& text, std::uint32_t width, std::uint32_t height) {
    if (text.size() > kMostLetters) {
        fail(ExitCode::BadInput, "text: found {} characters, expected at most {}", text.size(), kMostLetters);
    }
    if (text.find_first_not_of(" \n") == std::string::npos) {
        fail(ExitCode::BadInput, "text: found nothing to draw, expected a letter or more");
    }
    const std::vector<std::string> lines = linesOf(text);
    std::size_t longest = 0;
    for (const std::string& line : lines) {
        longest = std::max(longest, line.size());
    }
    const glm::vec2 size(width, height);
    const auto count = static_cast<float>(lines.size());
    const glm::vec2 units(static_cast<float>(longest) * kAdvance - 2.0F + 2.0F * kRadius,
                          (count - 1.0F) * kLineHeight + 6.0F + 2.0F * kRadius);
    const float scale = kShare * std::min(size.x / units.x, size.y / units.y);
    TextPlane plane(width, height);
    for (std::size_t row = 0; row < lines.size(); ++row) {
        const float across = static_cast<float>(lines[row].size()) * kAdvance - 2.0F;
        const float down = static_cast<float>(row) * kLineHeight + 6.0F - 0.5F * ((count - 1.0F) * kLineHeight + 6.0F);
        glm::vec2 origin = 0.5F * size + scale * glm::vec2(-0.5F * across, down);
        for (const char character : lines[row]) {
            drawLetter(letterOf(character), origin, scale, plane);
            origin.x += scale * kAdvance;
        }
    }
    return plane.take();
}

} // namespace aureole::texture
