#include "cli/commands/finish_image.h"

#include "core/log.h"
#include "film/marks.h"
#include "image/non_finite.h"
#include "session/bloom.h"

namespace aureole::cli {

void finishImage(Image& image, const Finish& finish, const std::string& layer, const std::string& file,
                 std::string_view option) {
    if (const glm::uvec2 whole = wholeSize(image); whole != glm::uvec2(image.width, image.height)) {
        logWarning("{}: found a crop of {}x{} pixels, expected the picture of {}x{}: {} takes its middle and its size "
                   "for the picture's",
                   file, image.width, image.height, whole.x, whole.y, option);
    }
    if (const NonFinite bad = findNonFinite(image)) {
        logWarning("{}: {}; {} may spread them", file, bad.describe(), option);
    }
    finish.apply(image, file);
    markFinished(image, layer, finish.describe(image));
}

} // namespace aureole::cli
