// Writing through tinyexr 1.0.1, which writes channels in the order given, always a window from (0, 0), and turns
// finite values into infinite ones where they overflow a half.

#include "image/exr/exr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>

#include "core/divide_up.h"
#include "core/file.h"
#include "core/image_limits.h"
#include "core/log.h"
#include "core/parallel.h"
#include "core/plural.h"
#include "image/colour/primaries.h"
#include "image/exr/exr_header.h"
#include "image/exr/exr_strips.h"
#include "image/exr/exr_tinyexr.h"

namespace aureole {

namespace {

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestShortName = 31;
constexpr float kLargestHalf = 65504.0F;

int compressionType(ExrCompression compression) {
    switch (compression) {
    case ExrCompression::None:
        return TINYEXR_COMPRESSIONTYPE_NONE;
    case ExrCompression::Rle:
        return TINYEXR_COMPRESSIONTYPE_RLE;
    case ExrCompression::Zips:
        return TINYEXR_COMPRESSIONTYPE_ZIPS;
    case ExrCompression::Zip:
        return TINYEXR_COMPRESSIONTYPE_ZIP;
    case ExrCompression::Piz:
        return TINYEXR_COMPRESSIONTYPE_PIZ;
    }
    fail(ExitCode::Internal, "an EXR compression of value {}", static_cast<int>(compression));
}

void checkName(const std::string& kind, const std::string& name, const std::string& file) {
    if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string::npos) {
        fail(ExitCode::CannotWrite, "{}: found a {} name of {} bytes ('{}'), expected 1 to {} bytes without zeros",
             file, kind, name.size(), name.c_str(), kLongestName);
    }
}

void checkChannels(const Image& image, const std::string& file) {
    const std::uint64_t bytes = std::uint64_t{image.pixelCount()} * image.channels.size() * sizeof(float);
    if (image.width < 1 || image.height < 1 || image.width > kMaximumImageSide || image.height > kMaximumImageSide ||
        image.channels.empty() || bytes > kMaximumImageBytes) {
        fail(ExitCode::CannotWrite,
             "{}: found {} x {} pixels of {} channels, expected 1 to {} pixels a side, a channel or more and at most "
             "{} bytes",
             file, image.width, image.height, image.channels.size(), kMaximumImageSide, kMaximumImageBytes);
    }
    std::set<std::string> names;
    for (const Channel& channel : image.channels) {
        checkName("channel", channel.name, file);
        if (!names.insert(channel.name).second) {
            fail(ExitCode::CannotWrite, "{}: found the channel '{}' twice, expected every name once", file,
                 channel.name);
        }
        if (channel.values.size() != image.pixelCount()) {
            fail(ExitCode::Internal, "{}: channel '{}' has {} values, expected {}", file, channel.name,
                 channel.values.size(), image.pixelCount());
        }
    }
}

void checkAttributes(const Image& image, const std::string& file) {
    for (const auto& [name, value] : image.attributes) {
        checkName("attribute", name, file);
        if (isReservedExrAttribute(name)) {
            fail(ExitCode::CannotWrite, "{}: found a text attribute '{}', a name that OpenEXR reserves", file, name);
        }
    }
    for (const auto& [name, attribute] : image.typedAttributes) {
        checkName("attribute", name, file);
        checkName("attribute type", attribute.type, file);
        if (isReservedExrAttribute(name) || image.attributes.contains(name)) {
            fail(ExitCode::CannotWrite, "{}: found the attribute '{}' of type {}, a name that is taken", file, name,
                 attribute.type);
        }
    }
}

std::vector<const Channel*> channelsByName(const Image& image) {
    std::vector<const Channel*> sorted;
    sorted.reserve(image.channels.size());
    for (const Channel& channel : image.channels) {
        sorted.push_back(&channel);
    }
    std::sort(sorted.begin(), sorted.end(), [](const Channel* a, const Channel* b) { return a->name < b->name; });
    return sorted;
}

/// The samples of each channel as tinyexr takes them: those of the image, or of copies that fit into halves.
class Planes {
public:
    Planes(const std::vector<const Channel*>& channels, ExrPixelType type, const std::string& file) {
        copies_.reserve(channels.size());
        std::size_t clamped = 0;
        for (const Channel* channel : channels) {
            const std::vector<float>* values = &channel->values;
            if (type == ExrPixelType::Half && std::any_of(values->begin(), values->end(), overflows)) {
                clamped += static_cast<std::size_t>(std::count_if(values->begin(), values->end(), overflows));
                values = &copies_.emplace_back(clampedCopy(*values));
            }
            // tinyexr only reads them; its struct is not const-correct.
            pointers_.push_back(reinterpret_cast<unsigned char*>(const_cast<float*>(values->data())));
        }
        if (clamped > 0) {
            logWarning("{}: clamped {} beyond the range of half floats to +-{}", file, countOf(clamped, "value"),
                       kLargestHalf);
        }
    }

    /// The pointers to the rows from `row` on, of images so wide.
    std::vector<unsigned char*> from(std::size_t row, std::size_t width) const {
        std::vector<unsigned char*> pointers = pointers_;
        for (unsigned char*& pointer : pointers) {
            pointer += row * width * sizeof(float);
        }
        return pointers;
    }

private:
    static bool overflows(float value) { return std::isfinite(value) && std::abs(value) > kLargestHalf; }

    static std::vector<float> clampedCopy(std::vector<float> values) {
        for (float& value : values) {
            if (overflows(value)) {
                value = std::copysign(kLargestHalf, value);
            }
        }
        return values;
    }

    std::vector<std::vector<float>> copies_;
    std::vector<unsigned char*> pointers_;
};

/// The attributes beyond those that tinyexr writes itself. Points into the image, which has to outlive it.
std::vector<EXRAttribute> customAttributes(const Image& image) {
    std::vector<EXRAttribute> attributes;
    const auto add = [&](const std::string& name, const std::string& type, const void* value, std::size_t size) {
        EXRAttribute& attribute = attributes.emplace_back();
        name.copy(attribute.name, sizeof(attribute.name) - 1);
        type.copy(attribute.type, sizeof(attribute.type) - 1);
        attribute.value = static_cast<unsigned char*>(const_cast<void*>(value));
        attribute.size = static_cast<int>(size);
    };
    add("chromaticities", "chromaticities", kRec709Primaries.data(), sizeof(kRec709Primaries));
    for (const auto& [name, value] : image.attributes) {
        add(name, "string", value.data(), value.size());
    }
    for (const auto& [name, attribute] : image.typedAttributes) {
        add(name, attribute.type, attribute.value.data(), attribute.value.size());
    }
    return attributes;
}

bool hasLongName(const Image& image) {
    const auto isLong = [](const std::string& name) { return name.size() > kLongestShortName; };
    return std::any_of(image.channels.begin(), image.channels.end(),
                       [&](const Channel& c) { return isLong(c.name); }) ||
           std::any_of(image.attributes.begin(), image.attributes.end(),
                       [&](const auto& a) { return isLong(a.first); }) ||
           std::any_of(image.typedAttributes.begin(), image.typedAttributes.end(),
                       [&](const auto& a) { return isLong(a.first) || isLong(a.second.type); });
}

std::vector<std::byte> encodeStrip(const EXRImage& pixels, const EXRHeader& header, const std::string& file) {
    unsigned char* encoded = nullptr;
    const char* message = nullptr;
    const std::size_t size = SaveEXRImageToMemory(&pixels, &header, &encoded, &message);
    const std::unique_ptr<unsigned char, decltype(&std::free)> owner(encoded, &std::free);
    if (size == 0 || encoded == nullptr) {
        fail(ExitCode::CannotWrite, "{}: cannot be encoded: {}", file, takeMessage(message));
    }
    const auto* const first = reinterpret_cast<const std::byte*>(encoded);
    return {first, first + size};
}

} // namespace

std::vector<std::byte> encodeExr(const Image& image, const ExrOptions& options, const std::string& file) {
    checkChannels(image, file);
    checkAttributes(image, file);
    const std::vector<const Channel*> sorted = channelsByName(image);
    Planes planes(sorted, options.pixelType, file);
    TinyExrChannels channels;
    for (const Channel* channel : sorted) {
        channels.add(channel->name, TINYEXR_PIXELTYPE_FLOAT,
                     options.pixelType == ExrPixelType::Half ? TINYEXR_PIXELTYPE_HALF : TINYEXR_PIXELTYPE_FLOAT);
    }
    std::vector<EXRAttribute> attributes = customAttributes(image);

    EXRHeader header;
    InitEXRHeader(&header);
    channels.attachTo(header);
    header.compression_type = compressionType(options.compression);
    header.custom_attributes = attributes.data();
    header.num_custom_attributes = static_cast<int>(attributes.size());
    header.long_name = hasLongName(image) ? 1 : 0;

    requireMemory(image.pixelCount() * sorted.size() * sizeof(float), file);
    // Debian's tinyexr compresses one chunk after another.
    std::vector<std::vector<std::byte>> strips(divideUp(image.height, kRowsOfStrip));
    parallelFor(static_cast<std::int64_t>(strips.size()), 1, [&](std::int64_t i) {
        const std::uint32_t top = static_cast<std::uint32_t>(i) * kRowsOfStrip;
        std::vector<unsigned char*> rows = planes.from(top, image.width);
        EXRImage pixels;
        InitEXRImage(&pixels);
        pixels.images = rows.data();
        pixels.num_channels = header.num_channels;
        pixels.width = static_cast<int>(image.width);
        pixels.height = static_cast<int>(std::min(kRowsOfStrip, image.height - top));
        strips[static_cast<std::size_t>(i)] = encodeStrip(pixels, header, file);
    });
    return joinStrips(strips, image.height, file);
}

void writeExr(const std::filesystem::path& path, const Image& image, const ExrOptions& options) {
    writeFileAtomically(path, encodeExr(image, options, path.string()));
}

} // namespace aureole
