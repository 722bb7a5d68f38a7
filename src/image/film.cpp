#include "image/film.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <numeric>

#include "core/error.h"
#include "core/log.h"

namespace aureole {

namespace {

constexpr const char* kSamplesAttribute = "aureole.samples";
/// What must agree between the parts of one picture; the hash last, because it covers some of the others and says less.
constexpr std::array kIdentity = {"aureole.size", "aureole.crop",    "aureole.camera",
                                  "aureole.seed", "aureole.backend", "aureole.scene_hash"};
constexpr std::array kMeans = {"R", "G", "B"};
constexpr std::array kMoments = {"moment.R", "moment.G", "moment.B"};

const std::string& attribute(const Image& image, const char* name) {
    static const std::string none;
    const auto found = image.attributes.find(name);
    return found == image.attributes.end() ? none : found->second;
}

/// Ranges sorted, touching ones joined; fails where two overlap.
SampleRanges joinRanges(SampleRanges ranges) {
    std::sort(ranges.begin(), ranges.end());
    SampleRanges joined;
    for (const auto& range : ranges) {
        if (!joined.empty() && range.first < joined.back().second) {
            fail(ExitCode::BadInput, "samples {}:{} and {}:{} overlap", joined.back().first, joined.back().second,
                 range.first, range.second);
        }
        if (!joined.empty() && range.first == joined.back().second) {
            joined.back().second = range.second;
        } else {
            joined.push_back(range);
        }
    }
    return joined;
}

SampleRanges partSamples(const Image& part, const std::string& file) {
    const std::string& samples = attribute(part, kSamplesAttribute);
    if (samples.empty()) {
        fail(ExitCode::BadInput, "{}: has no attribute {}, expected a part made by render --samples", file,
             kSamplesAttribute);
    }
    return parseSamples(samples);
}

} // namespace

std::uint64_t FilmSums::sampleCount() const {
    return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const auto& range) { return sum + (range.second - range.first); });
}

std::string formatSamples(const SampleRanges& ranges) {
    std::string text;
    for (const auto& [first, end] : ranges) {
        text += fmt::format("{}{}:{}", text.empty() ? "" : ",", first, end);
    }
    return text;
}

SampleRanges parseSamples(const std::string& text) {
    SampleRanges ranges;
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&](std::uint32_t& value) {
        const auto [next, error] = std::from_chars(at, end, value);
        const bool good = error == std::errc();
        at = next;
        return good;
    };
    while (true) {
        std::uint32_t first = 0;
        std::uint32_t last = 0;
        if (!number(first) || at == end || *at++ != ':' || !number(last) || last <= first) {
            fail(ExitCode::BadInput, "found samples '{}', expected first:end with first below end, as in 0:64", text);
        }
        ranges.emplace_back(first, last);
        if (at == end) {
            return joinRanges(std::move(ranges));
        }
        if (*at++ != ',') {
            fail(ExitCode::BadInput, "found samples '{}', expected ranges separated by commas, as in 0:64,128:192",
                 text);
        }
    }
}

Image filmImage(const FilmSums& film, bool moments) {
    Image image = makeImage(film.width, film.height, {"R", "G", "B"});
    if (moments) {
        for (const char* name : kMoments) {
            image.add(name);
        }
    }
    const double scale = 1.0 / static_cast<double>(std::max<std::uint64_t>(film.sampleCount(), 1));
    for (std::size_t c = 0; c < 3; ++c) {
        for (std::size_t i = 0; i < image.pixelCount(); ++i) {
            image.channels[c].values[i] = static_cast<float>(film.radiance[3 * i + c] * scale);
            if (moments) {
                image.channels[3 + c].values[i] = static_cast<float>(film.squared[3 * i + c] * scale);
            }
        }
    }
    image.attributes[kSamplesAttribute] = formatSamples(film.samples);
    return image;
}

FilmSums filmFromImage(const Image& part, const std::string& file) {
    FilmSums film;
    film.width = part.width;
    film.height = part.height;
    film.samples = partSamples(part, file);
    film.radiance.resize(3 * part.pixelCount());
    film.squared.resize(3 * part.pixelCount());
    const auto count = static_cast<double>(film.sampleCount());
    for (std::size_t c = 0; c < 3; ++c) {
        const Channel* mean = part.find(kMeans[c]);
        const Channel* moment = part.find(kMoments[c]);
        if (mean == nullptr || moment == nullptr) {
            fail(ExitCode::BadInput, "{}: has no channel {}, expected a part made by render --samples", file,
                 mean == nullptr ? kMeans[c] : kMoments[c]);
        }
        for (std::size_t i = 0; i < part.pixelCount(); ++i) {
            film.radiance[3 * i + c] = static_cast<double>(mean->values[i]) * count;
            film.squared[3 * i + c] = static_cast<double>(moment->values[i]) * count;
        }
    }
    return film;
}

namespace {

void checkSamePicture(const Image& first, const Image& other, const std::string& firstFile,
                      const std::string& otherFile) {
    if (first.width != other.width || first.height != other.height) {
        fail(ExitCode::BadInput, "{}: found {}x{} pixels, expected {}x{} as in {}", otherFile, other.width,
             other.height, first.width, first.height, firstFile);
    }
    for (const char* name : kIdentity) {
        if (attribute(first, name) != attribute(other, name)) {
            fail(ExitCode::BadInput, "{}: found {} '{}', expected '{}' as in {}", otherFile, name,
                 attribute(other, name), attribute(first, name), firstFile);
        }
    }
}

} // namespace

Image mergeParts(const std::vector<Image>& parts, const std::vector<std::string>& files) {
    if (parts.empty()) {
        fail(ExitCode::Usage, "nothing to merge: expected at least one part");
    }
    std::vector<std::pair<SampleRanges, std::size_t>> order;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        checkSamePicture(parts[0], parts[i], files[0], files[i]);
        order.emplace_back(partSamples(parts[i], files[i]), i);
    }
    std::sort(order.begin(), order.end());
    FilmSums total;
    SampleRanges ranges;
    for (const auto& [unused, index] : order) {
        const FilmSums film = filmFromImage(parts[index], files[index]);
        if (total.radiance.empty()) {
            total = film;
        } else {
            std::transform(total.radiance.begin(), total.radiance.end(), film.radiance.begin(), total.radiance.begin(),
                           std::plus<>());
            std::transform(total.squared.begin(), total.squared.end(), film.squared.begin(), total.squared.begin(),
                           std::plus<>());
        }
        ranges.insert(ranges.end(), film.samples.begin(), film.samples.end());
    }
    total.samples = joinRanges(ranges);
    if (total.samples.size() > 1) {
        logWarning("samples are missing between the parts: found {}", formatSamples(total.samples));
    }
    Image merged = filmImage(total, true);
    for (const auto& [name, value] : parts[0].attributes) {
        merged.attributes.try_emplace(name, value);
    }
    return merged;
}

} // namespace aureole
