#include "film/crops.h"

#include <algorithm>

#include "core/error.h"
#include "image/attributes.h"

namespace aureole {

namespace {

/// The pixels that two rectangles share. Where they share none, the result has x1 <= x0 or y1 <= y0.
PixelRectangle intersection(const PixelRectangle& a, const PixelRectangle& b) {
    return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

bool hasPixels(const PixelRectangle& rectangle) {
    return rectangle.x0 < rectangle.x1 && rectangle.y0 < rectangle.y1;
}

/// The regions of the rows from y0 to y1, in which no crop begins or ends, from left to right. `crops` are in the
/// order of x0.
std::vector<SampleRegion> regionsOfRows(const std::vector<SampleRegion>& crops, const PixelRectangle& bounds,
                                        std::uint32_t y0, std::uint32_t y1) {
    std::vector<const SampleRegion*> here;
    std::vector<std::uint32_t> columns = {bounds.x0, bounds.x1};
    for (const SampleRegion& crop : crops) {
        if (crop.pixels.y0 <= y0 && y1 <= crop.pixels.y1) {
            here.push_back(&crop);
            columns.insert(columns.end(), {crop.pixels.x0, crop.pixels.x1});
        }
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    std::vector<SampleRegion> regions;
    std::vector<const SampleRegion*> open; // the crops that the current column of pixels crosses
    auto next = here.begin();
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
        std::erase_if(open, [&](const SampleRegion* crop) { return crop->pixels.x1 <= columns[i]; });
        for (; next != here.end() && (*next)->pixels.x0 == columns[i]; ++next) {
            open.push_back(*next);
        }
        IndexRanges samples;
        for (const SampleRegion* crop : open) {
            samples.insert(samples.end(), crop->samples.begin(), crop->samples.end());
        }
        samples = uniteRanges(std::move(samples));
        if (!regions.empty() && regions.back().samples == samples) {
            regions.back().pixels.x1 = columns[i + 1];
        } else {
            regions.push_back({{columns[i], y0, columns[i + 1], y1}, std::move(samples)});
        }
    }
    return regions;
}

} // namespace

std::string formatCrop(const PixelRectangle& crop) {
    return cropText({{crop.x0, crop.y0}, {crop.x1, crop.y1}});
}

PixelRectangle boundsOf(const PixelRectangle& a, const PixelRectangle& b) {
    return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

PixelRectangle partCrop(const Image& part, const std::string& file) {
    const auto found = part.attributes.find(kCropAttribute);
    if (found == part.attributes.end()) {
        return {0, 0, part.width, part.height};
    }
    try {
        const auto [low, high] = parseCrop(kCropAttribute, found->second);
        if (high - low == glm::uvec2(part.width, part.height)) {
            return {low.x, low.y, high.x, high.y};
        }
    } catch (const Error&) { // NOLINT(bugprone-empty-catch): refused below, by another text than an option would be
    }
    fail(ExitCode::BadInput, "{}: found {} '{}', expected x0,y0,x1,y1 of {}x{} pixels", file, kCropAttribute,
         found->second, part.width, part.height);
}

void PartCover::add(const PixelRectangle& crop, const IndexRanges& samples, std::size_t index) {
    std::vector<Piece>& pieces = crops_[crop];
    for (const auto& range : samples) {
        pieces.emplace_back(range, index);
    }
}

void PartCover::checkApart(const std::vector<std::string>& files) const {
    const auto check = [&](std::vector<Piece> pieces, const PixelRectangle& pixels) {
        std::sort(pieces.begin(), pieces.end());
        for (std::size_t i = 1; i < pieces.size(); ++i) {
            const auto& [before, first] = pieces[i - 1];
            const auto& [range, second] = pieces[i];
            if (range.first < before.second) {
                fail(ExitCode::BadInput,
                     "{}: found samples {}:{} of crop {}, which overlap samples {}:{} of {} there, expected others",
                     files[second], range.first, range.second, formatCrop(pixels), before.first, before.second,
                     files[first]);
            }
        }
    };
    for (auto crop = crops_.begin(); crop != crops_.end(); ++crop) {
        check(crop->second, crop->first);
        // The others are sorted by x0, so the first that begins at the right edge or later ends the search.
        for (auto other = std::next(crop); other != crops_.end() && other->first.x0 < crop->first.x1; ++other) {
            if (const PixelRectangle shared = intersection(crop->first, other->first); hasPixels(shared)) {
                std::vector<Piece> both = crop->second;
                both.insert(both.end(), other->second.begin(), other->second.end());
                check(std::move(both), shared);
            }
        }
    }
}

PixelRectangle PartCover::bounds() const {
    PixelRectangle all = crops_.begin()->first;
    for (const auto& [crop, pieces] : crops_) {
        all = boundsOf(all, crop);
    }
    return all;
}

void PartCover::visitRegions(const std::function<void(const SampleRegion&)>& visit) const {
    std::vector<SampleRegion> crops;
    std::vector<std::uint32_t> rows;
    for (const auto& [crop, pieces] : crops_) {
        IndexRanges ranges;
        ranges.reserve(pieces.size());
        for (const auto& [range, index] : pieces) {
            ranges.push_back(range);
        }
        crops.push_back({crop, uniteRanges(std::move(ranges))});
        rows.insert(rows.end(), {crop.y0, crop.y1});
    }
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    const PixelRectangle all = bounds();
    std::vector<SampleRegion> above; // regions of the rows above, which may go on in the rows below
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
        std::vector<SampleRegion> regions = regionsOfRows(crops, all, rows[i], rows[i + 1]);
        auto region = regions.begin();
        for (const SampleRegion& ended : above) {
            region = std::find_if(region, regions.end(),
                                  [&](const SampleRegion& below) { return below.pixels.x0 >= ended.pixels.x0; });
            if (region != regions.end() && region->pixels.x0 == ended.pixels.x0 &&
                region->pixels.x1 == ended.pixels.x1 && region->samples == ended.samples) {
                region->pixels.y0 = ended.pixels.y0;
            } else {
                visit(ended);
            }
        }
        above = std::move(regions);
    }
    std::for_each(above.begin(), above.end(), visit);
}

CoverSummary PartCover::summary(std::size_t most) const {
    CoverSummary summary;
    for (const auto& [crop, pieces] : crops_) {
        for (const auto& [range, index] : pieces) {
            summary.samples.push_back(range);
        }
    }
    summary.samples = uniteRanges(std::move(summary.samples));
    const auto note = [&](auto& list, bool& more, auto entry) {
        more = list.size() == most;
        if (!more) {
            list.push_back(std::move(entry));
        }
    };
    visitRegions([&](const SampleRegion& region) {
        if (region.samples.empty()) {
            summary.emptyPixels += region.pixels.area();
            note(summary.empty, summary.moreEmpty, region.pixels);
        } else if (region.samples != summary.samples) {
            note(summary.lacking, summary.moreLacking,
                 SampleRegion{region.pixels, rangesWithout(summary.samples, region.samples)});
        }
    });
    return summary;
}

} // namespace aureole
