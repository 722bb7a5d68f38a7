#include "session/adaptation.h"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "core/to_number.h"
#include "image/attributes.h"
#include "image/image_file.h"
#include "session/frame_files.h"
#include "settings/limits.h"

namespace aureole {

namespace {

constexpr const char* kNoStops = "none";

} // namespace

std::string exposureText(const std::optional<double>& stops) {
    return stops ? fmt::format("{}", *stops) : kNoStops;
}

std::optional<double> adaptedStops(const std::optional<double>& before, const std::optional<double>& metered,
                                   double frames) {
    if (!before || frames <= 0.0) {
        return metered;
    }
    return metered ? *before + (1.0 - std::exp(-1.0 / frames)) * (*metered - *before) : *before;
}

std::optional<double> exposureOf(const Image& image, const std::string& file) {
    const std::string& text = attributeOf(image, kExposureAttribute);
    if (text == kNoStops) {
        return std::nullopt;
    }
    if (text.empty()) {
        fail(ExitCode::BadInput,
             "{}: found no {}, expected that of a frame whose exposure is automatic, for the next one to follow it",
             file, kExposureAttribute);
    }
    const std::optional<double> stops = toNumber<double>(text);
    if (!stops || !(std::abs(*stops) <= kMaximumExposure)) {
        fail(ExitCode::BadInput, "{}: found {} '{}', expected a number from {} to {}, or '{}'", file,
             kExposureAttribute, text, -kMaximumExposure, kMaximumExposure, kNoStops);
    }
    return stops;
}

std::optional<double> exposureIn(const std::string& file) {
    return exposureOf(readImage(file), file);
}

std::optional<double> exposureBefore(const std::string& pattern, std::uint32_t frame) {
    if (frame == 0) {
        return std::nullopt;
    }
    const std::string file = frameFile(pattern, frame - 1);
    if (!pathExists(file)) {
        fail(ExitCode::Usage,
             "{}: found no such file, expected the frame before {}: automatic exposure adapts from frame to frame. "
             "Frames in any order are EXR files, for 'aureole convert --frames', or each exposed by itself, with "
             "'exposureFrames' 0",
             file, frame);
    }
    return exposureIn(file);
}

} // namespace aureole
