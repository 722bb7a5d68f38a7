#pragma once

// Pictures that a report shows side by side, or one over the other with a slider between them.

#include <optional>
#include <string>

#include "core/math.h"
#include "image/image.h"

namespace aureole::bench {

struct ReportPicture {
    std::string name;
    Image image; ///< display-referred
};

/// Two pictures of one size to compare, and what they differ in.
struct PicturePair {
    std::string title;
    std::string note;
    ReportPicture first;
    ReportPicture second;
    std::optional<ReportPicture> difference; ///< none where they are equal
};

/// The picture in whole blocks of pixels averaged, so that no side is longer than `longest`. R, G and B alone.
Image shrunkTo(const Image& image, std::uint32_t longest);
glm::uvec2 shrunkSize(const glm::uvec2& size, std::uint32_t longest); ///< of such a picture

/// A pair with FLIP's error in false colours, and its mean in the note; pictures that are equal have no such picture.
PicturePair compared(const std::string& title, const std::string& note, ReportPicture first, ReportPicture second);

} // namespace aureole::bench
