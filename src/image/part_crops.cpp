#include "image/part_crops.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <span>

#include "core/error.h"

namespace aureole {

namespace {

constexpr const char* kCropAttribute = "aureole.crop";

/// Four numbers separated by commas, and nothing else.
bool parseCorners(const std::string& text, std::array<std::uint32_t, 4>& corners) {
    const char* at = text.data();
    const char* const end = at + text.size();
    for (std::size_t i = 0; i < corners.size(); ++i) {
        if (i > 0 && (at == end || *at++ != ',')) {
            return false;
        }
        const auto [next, error] = std::from_chars(at, end, corners.at(i));
        if (error != std::errc()) {
            return false;
        }
        at = next;
    }
    return at == end;
}

bool intersect(const PixelRectangle& a, const PixelRectangle& b) {
    return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

} // namespace

std::string formatCrop(const PixelRectangle& crop) {
    return fmt::format("{},{},{},{}", crop.x0, crop.y0, crop.x1, crop.y1);
}

PixelRectangle partCrop(const Image& part, const std::string& file) {
    const auto found = part.attributes.find(kCropAttribute);
    if (found == part.attributes.end()) {
        return {0, 0, part.width, part.height};
    }
    std::array<std::uint32_t, 4> corners{};
    const bool parsed = parseCorners(found->second, corners);
    const PixelRectangle crop{corners[0], corners[1], corners[2], corners[3]};
    if (!parsed || crop.x1 <= crop.x0 || crop.y1 <= crop.y0 || crop.width() != part.width ||
        crop.height() != part.height) {
        fail(ExitCode::BadInput, "{}: found {} '{}', expected x0,y0,x1,y1 of {}x{} pixels", file, kCropAttribute,
             found->second, part.width, part.height);
    }
    return crop;
}

void PartCover::add(const PixelRectangle& crop, const SampleRanges& samples, std::size_t index) {
    std::vector<Piece>& pieces = crops_[crop];
    for (const auto& range : samples) {
        pieces.emplace_back(range, index);
    }
}

void PartCover::checkApart(const std::vector<std::string>& files) const {
    const auto check = [&](std::vector<Piece> pieces) {
        std::sort(pieces.begin(), pieces.end());
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            const auto& [before, first] = pieces[i - 1];
            const auto& [range, second] = pieces[i];
            if (range.first < before.second) {
                fail(ExitCode::BadInput,
                     "{}: found samples {}:{}, expected others than {}:{} of {}, which overlap them", files[second],
                     range.first, range.second, before.first, before.second, files[first]);
            }
        }
    };
    for (auto crop = crops_.begin(); crop != crops_.end(); ++crop) {
        check(crop->second);
        // In the order of x0, so that those from the right edge on lie beside it.
        for (auto other = std::next(crop); other != crops_.end() && other->first.x0 < crop->first.x1; ++other) {
            if (intersect(crop->first, other->first)) {
                std::vector<Piece> both = crop->second;
                both.insert(both.end(), other->second.begin(), other->second.end());
                check(std::move(both));
            }
        }
    }
}

PixelRectangle PartCover::bounds() const {
    PixelRectangle all = crops_.begin()->first;
    for (const auto& [crop, pieces] : crops_) {
        all = {std::min(all.x0, crop.x0), std::min(all.y0, crop.y0), std::max(all.x1, crop.x1),
               std::max(all.y1, crop.y1)};
    }
    return all;
}

SampleRanges PartCover::samplesOf(const std::vector<Piece>& pieces) {
    SampleRanges ranges;
    ranges.reserve(pieces.size());
    for (const auto& [range, index] : pieces) {
        ranges.push_back(range);
    }
    return joinRanges(std::move(ranges));
}

SampleRanges PartCover::commonSamples() const {
    const SampleRanges first = samplesOf(crops_.begin()->second);
    std::uint64_t area = 0;
    for (const auto& [crop, pieces] : crops_) {
        if (samplesOf(pieces) != first) {
            return {};
        }
        area += crop.area();
    }
    // With equal samples, crops that overlap would have been refused.
    return area == bounds().area() ? first : SampleRanges{};
}

std::string PartCover::describeDifference() const {
    const auto& [firstCrop, firstPieces] = *crops_.begin();
    const SampleRanges first = samplesOf(firstPieces);
    for (const auto& [crop, pieces] : crops_) {
        if (const SampleRanges samples = samplesOf(pieces); samples != first) {
            return fmt::format("crop {} has samples {}, and {} has {}", formatCrop(firstCrop), formatSamples(first),
                               formatCrop(crop), formatSamples(samples));
        }
    }
    return {};
}

std::vector<PixelRectangle> emptyRectangles(std::vector<std::uint32_t> counts, const PixelRectangle& bounds,
                                            std::size_t most) {
    std::vector<PixelRectangle> found;
    const std::size_t width = bounds.width();
    for (std::size_t at = 0; at < counts.size() && found.size() < most; ++at) {
        if (counts[at] != 0) {
            continue;
        }
        const std::size_t x = at % width;
        const std::size_t y = at / width;
        std::size_t x1 = x;
        while (x1 < width && counts[y * width + x1] == 0) {
            ++x1;
        }
        const auto isEmptyRow = [&](std::size_t row) {
            const std::span<const std::uint32_t> pixels(&counts[row * width + x], x1 - x);
            return std::all_of(pixels.begin(), pixels.end(), [](std::uint32_t count) { return count == 0; });
        };
        std::size_t y1 = y;
        for (; y1 < bounds.height() && isEmptyRow(y1); ++y1) {
            std::fill_n(counts.begin() + static_cast<std::ptrdiff_t>(y1 * width + x), x1 - x, 1U); // counted
        }
        found.push_back({bounds.x0 + static_cast<std::uint32_t>(x), bounds.y0 + static_cast<std::uint32_t>(y),
                         bounds.x0 + static_cast<std::uint32_t>(x1), bounds.y0 + static_cast<std::uint32_t>(y1)});
    }
    return found;
}

} // namespace aureole
