#include "film/merge.h"

#include <algorithm>
#include <array>
#include <deque>
#include <future>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <tuple>

#include <fmt/ranges.h>

#include "core/error.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/plural.h"
#include "film/crops.h"
#include "film/film.h"
#include "film/marks.h"
#include "film/picture.h"
#include "settings/fields.h"

namespace aureole {

namespace {

/// The attributes that must agree between the parts of one picture, beside the settings that pictures note. The version
/// is among them because another one may make other samples of the same index, and the exposure because the result can
/// have only one.
constexpr std::array kMustAgree = {kVersionAttribute, kSizeAttribute,    kCameraAttribute,  kFrameAttribute,
                                   kSeedAttribute,    kBackendAttribute, kExposureAttribute};
/// The most rectangles that a warning names.
constexpr std::size_t kRectanglesNamed = 4;

/// An attribute's value in a message.
std::string quoted(const std::string& value) {
    return value.empty() ? "none" : fmt::format("'{}'", value);
}

void checkSamePicture(const Image& first, const Image& other, const std::string& firstFile,
                      const std::string& otherFile) {
    const bool cropped = first.attributes.contains(kCropAttribute) && other.attributes.contains(kCropAttribute);
    if (!cropped && (first.width != other.width || first.height != other.height)) {
        fail(ExitCode::BadInput, "{}: found {}x{} pixels, expected {}x{} as in {}", otherFile, other.width,
             other.height, first.width, first.height, firstFile);
    }
    std::vector<std::string> differences;
    const auto compare = [&](const std::string& name) {
        const std::string found = attributeOf(other, name);
        const std::string expected = attributeOf(first, name);
        if (found != expected) {
            differences.push_back(fmt::format("{} {}, expected {}", name, quoted(found), quoted(expected)));
        }
    };
    std::for_each(kMustAgree.begin(), kMustAgree.end(), compare);
    const std::vector<std::string> settings = settingsInPictures();
    std::for_each(settings.begin(), settings.end(), compare);
    // The scene's hash covers some of these, but does not tell which of them differs.
    if (differences.empty()) {
        compare(kSceneHashAttribute);
    }
    if (!differences.empty()) {
        fail(ExitCode::BadInput, "{}: found {} as in {}", otherFile, fmt::join(differences, "; "), firstFile);
    }
}

/// Refuses crops so far apart that the picture that spans them could not be written.
void checkBounds(const PixelRectangle& bounds, std::size_t channels, const std::string& file) {
    const std::uint64_t most = kMaximumImageBytes / (std::max<std::size_t>(channels, 1) * sizeof(float));
    if (bounds.width() > kMaximumImageSide || bounds.height() > kMaximumImageSide || bounds.area() > most) {
        fail(
            ExitCode::BadInput,
            "{}: found a crop with which the picture spans {} ({}x{} pixels), expected at most {} a side and {} in all",
            file, formatCrop(bounds), bounds.width(), bounds.height(), kMaximumImageSide, most);
    }
}

/// A part before its pixels are read.
struct Part {
    IndexRanges samples;
    PixelRectangle crop;
    std::size_t index = 0;
};

/// The sums of all parts so far.
class Total {
public:
    explicit Total(const PixelRectangle& bounds)
        : bounds_(bounds)
        , counts_(bounds.area())
        , evenCounts_(bounds.area()) {
        film_.width = bounds.width();
        film_.height = bounds.height();
        film_.radiance.resize(3 * counts_.size(), 0.0);
    }

    /// Adds a part, after those of lower samples.
    void add(const FilmSums& film, const PixelRectangle& crop) {
        if (!hasLayers_) {
            takeLayers(film);
        }
        addRows(film_.radiance, film.radiance, crop, 3);
        addRows(film_.squared, film.squared, crop, film_.squared.empty() ? 0 : 3);
        addRows(film_.half, film.half, crop, film_.half.empty() ? 0 : 3);
        addRows(film_.hits, film.hits, crop, film_.hits.empty() ? 0 : 1);
        for (FilmPlane& plane : film_.planes) {
            const auto other = std::find_if(film.planes.begin(), film.planes.end(),
                                            [&](const FilmPlane& p) { return p.channel == plane.channel; });
            if (plane.rule == PlaneRule::First) {
                takeFirst(plane.values, other->values, crop);
            } else {
                addRows(plane.values, other->values, crop, 1);
            }
        }
        const auto count = static_cast<std::uint32_t>(film.sampleCount());
        const auto even = static_cast<std::uint32_t>(film.evenCount());
        eachPixel(crop, [&](std::size_t to, std::size_t /*from*/) {
            counts_[to] += count;
            evenCounts_[to] += even;
        });
    }

    /// The film. All of its pixels have `samples`; where that is empty, they differ in their samples.
    FilmSums take(const IndexRanges& samples) {
        film_.samples = samples;
        if (samples.empty()) {
            film_.counts = std::move(counts_);
            film_.evenCounts = std::move(evenCounts_);
        }
        return std::move(film_);
    }

private:
    void takeLayers(const FilmSums& film) {
        hasLayers_ = true;
        film_.variance = film.variance;
        film_.sampleCounts = film.sampleCounts;
        film_.halves = film.halves;
        film_.squared.resize(film.squared.empty() ? 0 : film_.radiance.size(), 0.0);
        film_.half.resize(film.half.empty() ? 0 : film_.radiance.size(), 0.0);
        film_.hits.resize(film.hits.empty() ? 0 : counts_.size());
        for (const FilmPlane& plane : film.planes) {
            film_.planes.push_back({plane.channel, plane.rule, std::vector<double>(counts_.size())});
        }
    }

    /// Calls body(pixel of the total, pixel of the part).
    template <typename Body>
    void eachPixel(const PixelRectangle& crop, Body body) const {
        std::size_t from = 0;
        for (std::uint32_t y = crop.y0; y < crop.y1; ++y) {
            const std::size_t row = std::size_t{y - bounds_.y0} * bounds_.width() + (crop.x0 - bounds_.x0);
            for (std::size_t x = 0; x < crop.width(); ++x) {
                body(row + x, from++);
            }
        }
    }

    template <typename Values>
    void addRows(Values& sums, const Values& values, const PixelRectangle& crop, std::size_t perPixel) const {
        eachPixel(crop, [&](std::size_t to, std::size_t from) {
            for (std::size_t c = 0; c < perPixel; ++c) {
                sums[to * perPixel + c] += values[from * perPixel + c];
            }
        });
    }

    void takeFirst(std::vector<double>& sums, const std::vector<double>& values, const PixelRectangle& crop) const {
        eachPixel(crop, [&](std::size_t to, std::size_t from) {
            if (counts_[to] == 0) {
                sums[to] = values[from];
            }
        });
    }

    PixelRectangle bounds_;
    FilmSums film_;
    std::vector<std::uint32_t> counts_;     ///< samples of each pixel
    std::vector<std::uint32_t> evenCounts_; ///< samples of even index of each pixel
    bool hasLayers_ = false;                ///< whether the first part has told which
};

/// The images of parts in their order, of which the next few are read by threads of their own.
class ReadAhead {
public:
    /// `bytes` is the most that an image takes.
    ReadAhead(const PartSource& source, const std::vector<Part>& parts, std::uint64_t bytes)
        : source_(&source)
        , parts_(&parts)
        , most_(std::clamp<std::uint64_t>(kAheadBytes / std::max<std::uint64_t>(bytes, 1), 1,
                                          std::clamp(std::thread::hardware_concurrency(), 1U, kThreads))) {}

    Image next() {
        while (images_.size() < most_ && begun_ < parts_->size()) {
            images_.push_back(std::async(std::launch::async, source_->image, (*parts_)[begun_++].index));
        }
        std::future<Image> image = std::move(images_.front());
        images_.pop_front();
        return image.get();
    }

private:
    static constexpr std::uint64_t kAheadBytes = std::uint64_t{512} << 20U;
    static constexpr unsigned kThreads = 8;

    const PartSource* source_;
    const std::vector<Part>* parts_;
    std::size_t most_;
    std::size_t begun_ = 0;
    std::deque<std::future<Image>> images_;
};

/// Reads and checks all heads. Returns the first.
Image readHeads(const PartSource& source, std::vector<Part>& parts, PartCover& cover) {
    const std::vector<std::string>& files = source.files;
    Image first;
    PixelRectangle bounds;
    for (std::size_t i = 0; i < files.size(); ++i) {
        Image head = source.head(i);
        refuseProcessed(head, files[i],
                        "a part as render --samples writes it: denoising, bloom and finishing come after merging");
        if (i > 0) {
            checkSamePicture(first, head, files[0], files[i]);
        }
        parts.push_back({partSamples(head, files[i]), partCrop(head, files[i]), i});
        checkSums(head, files[i]);
        bounds = i == 0 ? parts.back().crop : boundsOf(bounds, parts.back().crop);
        checkBounds(bounds, head.channels.size(), files[i]);
        if (i == 0) {
            first = std::move(head);
        } else {
            checkLayersOf(head, files[i], first, files[0]);
            checkLayersOf(first, files[0], head, files[i]);
        }
        cover.add(parts.back().crop, parts.back().samples, i);
    }
    cover.checkApart(files);
    return first;
}

void warnOfGaps(const PartCover& cover, const CoverSummary& summary, const std::string& pictureSize) {
    const IndexRanges& samples = summary.samples;
    if (samples.size() > 1) {
        logWarning("no part has samples {}: found samples {}",
                   formatRanges(rangesWithout({{samples.front().first, samples.back().second}}, samples)),
                   formatRanges(samples));
    }
    const PixelRectangle bounds = cover.bounds();
    if (const std::string size = fmt::format("{}x{}", bounds.width(), bounds.height());
        cover.cropCount() > 1 && !pictureSize.empty() && size != pictureSize) {
        logWarning("the parts lie within crop {} of the picture of {}: the result is that crop", formatCrop(bounds),
                   pictureSize);
    }
    if (summary.isEven()) {
        return;
    }
    if (!summary.empty.empty()) {
        std::vector<std::string> crops;
        std::transform(summary.empty.begin(), summary.empty.end(), std::back_inserter(crops), formatCrop);
        logWarning("no part has {}, black in the result: crop {}{}", countOf(summary.emptyPixels, "pixel"),
                   fmt::join(crops, "; crop "), summary.moreEmpty ? "..." : "");
    }
    if (!summary.lacking.empty()) {
        std::vector<std::string> regions;
        for (const SampleRegion& region : summary.lacking) {
            regions.push_back(
                fmt::format("crop {} lacks samples {}", formatCrop(region.pixels), formatRanges(region.samples)));
        }
        logWarning("{}{}: other pixels have them", fmt::join(regions, "; "), summary.moreLacking ? "..." : "");
    }
    logWarning("the result cannot be merged further, as not all of its pixels have the same samples");
}

} // namespace

Image mergeParts(const PartSource& source) {
    if (source.files.empty()) {
        fail(ExitCode::Usage, "nothing to merge: expected at least one part");
    }
    std::vector<Part> parts;
    PartCover cover;
    const Image first = readHeads(source, parts, cover);
    std::sort(parts.begin(), parts.end(),
              [](const Part& a, const Part& b) { return std::tie(a.samples, a.crop) < std::tie(b.samples, b.crop); });
    Total total(cover.bounds());
    std::map<std::string, std::string> attributes;
    ReadAhead images(source, parts, cover.bounds().area() * first.channels.size() * sizeof(float));
    for (const Part& part : parts) {
        const std::string& file = source.files[part.index];
        const Image image = images.next();
        if (&part == &parts.front()) {
            attributes = image.attributes;
        }
        if (partSamples(image, file) != part.samples || partCrop(image, file) != part.crop) {
            fail(ExitCode::BadInput, "{}: found samples or a crop unlike those at first, expected a file that stays",
                 file);
        }
        checkLayersOf(image, file, first, source.files[0]);
        total.add(filmFromImage(image, file), part.crop);
        if (source.onAdded) {
            source.onAdded(part.index, image);
        }
    }
    const CoverSummary summary = cover.summary(kRectanglesNamed);
    warnOfGaps(cover, summary, attributeOf(first, kSizeAttribute));
    Image merged = filmImage(total.take(summary.isEven() ? summary.samples : IndexRanges()), true);
    for (const auto& [name, value] : attributes) {
        if (name != kSamplesAttribute) {
            merged.attributes.try_emplace(name, value);
        }
    }
    if (attributes.contains(kCropAttribute)) {
        merged.attributes[kCropAttribute] = formatCrop(cover.bounds());
    }
    return merged;
}

} // namespace aureole
