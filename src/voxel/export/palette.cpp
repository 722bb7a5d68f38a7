#include "voxel/export/palette.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "model/texture_sample.h"
#include "shared/octree/attributes.h"
#include "voxel/export/colour_clusters.h"

namespace aureole {

namespace {

constexpr std::uint32_t kMostColours = 255;
/// So many keys are told apart before they are made coarser.
constexpr std::size_t kMostKeys = std::size_t{1} << 17U;
constexpr std::size_t kMostKnown = std::size_t{1} << 20U;
/// How far apart a doubling of radiance, and metalness or roughness of 0 and 1, are beside the 1 of black and white.
constexpr double kStop = 0.05;
constexpr double kGloss = 0.2;
/// A radiance is of the albedo's hue where it differs by less than this part of its largest component, or by no more
/// than what rounding makes of albedos.
constexpr float kHue = 1.0F / 128.0F;
constexpr float kAlbedoStep = 1e-3F;

enum class Kind : std::uint32_t { Diffuse, Metal, Light, Glass };

// Keys: the sRGB codes in bits 0 to 23, the kind in bits 24 and 25, and from bit 32 a light's strength as a float, or
// roughness and, from bit 40, metalness of a metal as they are stored, or roughness of glass and from bit 37 its index;
// of glass that absorbs bit 30, and of glass that scatters its anisotropy in bits 26 to 29 and its density from bit 56.
constexpr unsigned kKindShift = 24;
constexpr unsigned kExtraShift = 32;

/// Thresholds in linear light between the codes.
const std::array<float, 255>& codeLimits() {
    static const std::array<float, 255> limits = [] {
        std::array<float, 255> values{};
        for (std::size_t code = 0; code < values.size(); ++code) {
            values[code] = srgbToLinear((static_cast<float>(code) + 0.5F) / 255.0F);
        }
        return values;
    }();
    return limits;
}

std::uint8_t srgbCode(float linear) {
    const std::array<float, 255>& limits = codeLimits();
    return static_cast<std::uint8_t>(std::upper_bound(limits.begin(), limits.end(), linear) - limits.begin());
}

std::uint64_t packCodes(const std::array<std::uint8_t, 3>& codes) {
    return codes[0] | (std::uint64_t{codes[1]} << 8U) | (std::uint64_t{codes[2]} << 16U);
}

glm::vec3 linearOf(const std::array<std::uint8_t, 3>& codes) {
    return {srgbToLinear(codes[0]), srgbToLinear(codes[1]), srgbToLinear(codes[2])};
}

std::uint64_t lightKey(const std::array<std::uint8_t, 3>& albedo, const glm::vec3& radiance, float largest) {
    std::array<std::uint8_t, 3> codes = albedo;
    const glm::vec3 colour = linearOf(albedo);
    float strength = 0.0F;
    for (int i = 0; i < 3; ++i) {
        strength = radiance[i] == largest && colour[i] > 0.0F ? largest / colour[i] : strength;
    }
    const glm::vec3 apart = glm::abs(radiance - strength * colour);
    if (strength == 0.0F || std::max({apart.x, apart.y, apart.z}) > kHue * largest + kAlbedoStep * strength) {
        codes = srgbCodes(radiance / largest);
        strength = largest;
    }
    return packCodes(codes) | (static_cast<std::uint64_t>(Kind::Light) << kKindShift) |
           (std::uint64_t{std::bit_cast<std::uint32_t>(strength)} << kExtraShift);
}

constexpr float kIorSteps = 65536.0F;
constexpr unsigned kIndexShift = 5; // of what begins at kExtraShift
constexpr std::uint64_t kIndexMask = (std::uint64_t{1} << 19U) - 1;
constexpr std::uint64_t kAbsorbs = std::uint64_t{1} << 30U;

constexpr unsigned kDensityShift = 56;
constexpr unsigned kAnisotropyShift = 26;
constexpr std::uint64_t kDensityCodes = 255; ///< in quarters of octaves, so that densities are right to 9 %
constexpr double kDensitySteps = 4.0;
constexpr double kDensityOfOne = 128.0; ///< so that they reach from 2^-31 to 2^31
constexpr double kTurns = 7.0;          ///< anisotropy is right to 1 / 14

std::uint64_t densityBits(const PaletteModel& model) {
    const double step = std::round(kDensitySteps * std::log2(double{model.density}) + kDensityOfOne);
    const auto density = static_cast<std::uint64_t>(std::clamp(step, 1.0, double{kDensityCodes}));
    const auto turn = static_cast<std::uint64_t>(std::lround(kTurns * double{model.anisotropy}) + 8);
    return (density << kDensityShift) | (turn << kAnisotropyShift);
}

void readDensity(std::uint64_t key, PaletteColour& colour) {
    const std::uint64_t density = key >> kDensityShift;
    if (density > 0) {
        colour.density = static_cast<float>(std::exp2((static_cast<double>(density) - kDensityOfOne) / kDensitySteps));
        colour.anisotropy = static_cast<float>((static_cast<double>((key >> kAnisotropyShift) & 15U) - 8.0) / kTurns);
    }
}

/// What absorbs loses light in its depth; what its surfaces tint is lost there too, and one colour says both.
std::uint64_t glassKey(const std::array<std::uint8_t, 3>& albedo, std::uint64_t roughness, const PaletteModel& model) {
    const auto index = static_cast<std::uint64_t>(std::lround(model.ior * kIorSteps));
    const std::uint64_t key =
        (static_cast<std::uint64_t>(Kind::Glass) << kKindShift) | ((roughness | (index << kIndexShift)) << kExtraShift);
    if (model.density > 0.0F) {
        return key | densityBits(model) | packCodes(srgbCodes(linearOf(albedo) * model.scattered));
    }
    return model.transmitted ? key | kAbsorbs | packCodes(srgbCodes(linearOf(albedo) * *model.transmitted))
                             : key | packCodes(albedo);
}

std::uint64_t keyOf(const shared::VoxelAttributes& attributes, const glm::vec3& radiance, const PaletteModel& model) {
    const std::array<std::uint8_t, 3> codes = srgbAlbedo(attributes);
    const float largest = std::max({radiance.x, radiance.y, radiance.z});
    if (largest > 0.0F) {
        return lightKey(codes, radiance, largest);
    }
    const std::uint64_t roughness = model.mirror ? 0U : (attributes.shading >> 18U) & 31U;
    if (model.ior > 0.0F) {
        return glassKey(codes, roughness, model);
    }
    const std::uint64_t metalness =
        model.mirror ? 15U : (attributes.albedo >> 30U) | ((attributes.shading >> 30U) << 2U);
    if (metalness == 0) {
        return packCodes(codes);
    }
    return packCodes(codes) | (static_cast<std::uint64_t>(Kind::Metal) << kKindShift) |
           ((roughness | (metalness << 8U)) << kExtraShift);
}

Kind kindOf(std::uint64_t key) {
    return static_cast<Kind>((key >> kKindShift) & 3U);
}

PaletteColour colourOf(std::uint64_t key) {
    PaletteColour colour;
    colour.srgb = {static_cast<std::uint8_t>(key), static_cast<std::uint8_t>(key >> 8U),
                   static_cast<std::uint8_t>(key >> 16U)};
    const auto extra = static_cast<std::uint32_t>(key >> kExtraShift);
    if (kindOf(key) == Kind::Light) {
        colour.strength = std::bit_cast<float>(extra);
    } else if (kindOf(key) == Kind::Metal) {
        colour.roughness = static_cast<float>(extra & 255U) / 31.0F;
        colour.metalness = static_cast<float>(extra >> 8U) / 15.0F;
    } else if (kindOf(key) == Kind::Glass) {
        colour.roughness = static_cast<float>(extra & 31U) / 31.0F;
        colour.absorbs = (key & kAbsorbs) != 0;
        colour.ior = static_cast<float>((extra >> kIndexShift) & kIndexMask) / kIorSteps;
        readDensity(key, colour);
    }
    return colour;
}

Kind kindOf(const PaletteColour& colour) {
    if (colour.strength > 0.0F) {
        return Kind::Light;
    }
    return colour.ior > 0.0F ? Kind::Glass : colour.metalness > 0.0F ? Kind::Metal : Kind::Diffuse;
}

std::array<double, 5> placeOf(const PaletteColour& colour) {
    const glm::dvec3 lab = oklab(glm::dvec3(colour.linear()));
    if (kindOf(colour) == Kind::Light) {
        return {lab.x, lab.y, lab.z, kStop * std::log2(double{colour.strength}), 0.0};
    }
    // Glass is no metal, metals have no index.
    // So that what absorbs, what scatters and what does neither are not joined.
    const double kept = colour.absorbs ? 1.0 : colour.density > 0.0F ? 2.0 : 0.0;
    return {lab.x, lab.y, lab.z, kGloss * double{colour.metalness + colour.ior} + kept,
            kGloss * double{colour.roughness}};
}

/// The mean of a cluster: of its linear colours, so that it is as light as they are together.
class Mean {
public:
    void add(const PaletteColour& colour, double weight) {
        weight_ += weight;
        linear_ += weight * glm::dvec3(colour.linear());
        stops_ += weight * (colour.strength > 0.0F ? std::log2(double{colour.strength}) : 0.0);
        metalness_ += weight * double{colour.metalness};
        roughness_ += weight * double{colour.roughness};
        ior_ += weight * double{colour.ior};
        absorbing_ += colour.absorbs ? weight : 0.0;
        density_ += weight * double{colour.density};
        anisotropy_ += weight * double{colour.anisotropy};
        kind_ = kindOf(colour);
    }
    bool empty() const { return weight_ == 0.0; }
    PaletteColour colour() const {
        PaletteColour colour;
        colour.srgb = srgbCodes(glm::vec3(linear_ / weight_));
        colour.strength = kind_ == Kind::Light ? static_cast<float>(std::exp2(stops_ / weight_)) : 0.0F;
        colour.metalness = static_cast<float>(metalness_ / weight_);
        colour.roughness = static_cast<float>(roughness_ / weight_);
        colour.ior = static_cast<float>(ior_ / weight_);
        colour.absorbs = 2.0 * absorbing_ > weight_;
        colour.density = static_cast<float>(density_ / weight_);
        colour.anisotropy = static_cast<float>(anisotropy_ / weight_);
        return colour;
    }

private:
    double weight_ = 0.0;
    glm::dvec3 linear_{0.0};
    double stops_ = 0.0;
    double metalness_ = 0.0;
    double roughness_ = 0.0;
    double ior_ = 0.0;
    double absorbing_ = 0.0; ///< the weight of those that absorb
    double density_ = 0.0;
    double anisotropy_ = 0.0;
    Kind kind_ = Kind::Diffuse;
};

/// A key without the low bits of its colour, in the middle of those that become alike, and of its strength.
std::uint64_t coarser(std::uint64_t key, std::uint32_t dropped) {
    const std::uint64_t low = (std::uint64_t{1} << dropped) - 1;
    const std::uint64_t channels = 0x010101;
    std::uint64_t coarse = (key & ~(low * channels)) | (((low + 1) >> 1U) * channels);
    if (kindOf(key) == Kind::Light) {
        const std::uint64_t mantissa = (std::uint64_t{1} << (16U + dropped)) - 1;
        coarse &= ~(mantissa << kExtraShift);
    }
    return coarse;
}

} // namespace

std::array<std::uint8_t, 3> srgbCodes(const glm::vec3& linear) {
    return {srgbCode(linear.x), srgbCode(linear.y), srgbCode(linear.z)};
}

std::array<std::uint8_t, 3> srgbAlbedo(const shared::VoxelAttributes& attributes) {
    static const std::array<std::uint8_t, 1024> codes = [] {
        std::array<std::uint8_t, 1024> table{};
        for (std::uint32_t i = 0; i < table.size(); ++i) {
            table[i] = srgbCode(shared::unpackAlbedo(i).x);
        }
        return table;
    }();
    return {codes[attributes.albedo & 1023U], codes[(attributes.albedo >> 10U) & 1023U],
            codes[(attributes.albedo >> 20U) & 1023U]};
}

glm::vec3 PaletteColour::linear() const {
    return linearOf(srgb);
}

std::uint8_t Palette::nearest(std::uint64_t key) const {
    const PaletteColour wanted = colourOf(key);
    const std::array<double, 5> place = placeOf(wanted);
    double best = std::numeric_limits<double>::infinity();
    std::size_t found = 0;
    for (std::size_t i = 0; i < colours_.size(); ++i) {
        const double distance = squaredDistance(places_[i], place);
        if (kindOf(colours_[i]) == kindOf(wanted) && distance < best) {
            best = distance;
            found = i;
        }
    }
    return static_cast<std::uint8_t>(found);
}

std::uint8_t Palette::find(const shared::VoxelAttributes& attributes, const glm::vec3& radiance,
                           const PaletteModel& model) {
    const std::uint64_t key = keyOf(attributes, radiance, model);
    const auto found = known_.find(key);
    if (found != known_.end()) {
        return found->second;
    }
    if (known_.size() >= kMostKnown) {
        known_.clear();
    }
    return known_.emplace(key, nearest(key)).first->second;
}

void PaletteBuilder::add(const shared::VoxelAttributes& attributes, const glm::vec3& radiance,
                         const PaletteModel& model) {
    const std::uint64_t key = keyOf(attributes, radiance, model);
    ++counts_[dropped_ > 0 ? coarser(key, dropped_) : key];
    if (counts_.size() > kMostKeys) {
        coarsen();
    }
}

void PaletteBuilder::coarsen() {
    constexpr std::uint32_t kMostDropped = 4;
    while (counts_.size() > kMostKeys / 2 && dropped_ < kMostDropped) {
        ++dropped_;
        std::unordered_map<std::uint64_t, std::uint64_t> coarse;
        for (const auto& [key, count] : counts_) {
            coarse[coarser(key, dropped_)] += count;
        }
        counts_ = std::move(coarse);
    }
}

Palette PaletteBuilder::finish() const {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> sorted(counts_.begin(), counts_.end());
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    Palette palette;
    palette.exact_ = dropped_ == 0 && sorted.size() <= kMostColours;
    if (palette.exact_) {
        for (const auto& [key, count] : sorted) {
            palette.known_.emplace(key, static_cast<std::uint8_t>(palette.colours_.size()));
            palette.colours_.push_back(colourOf(key));
            palette.places_.push_back(placeOf(palette.colours_.back()));
        }
        return palette;
    }
    std::vector<ColourPoint> points;
    points.reserve(sorted.size());
    for (const auto& [key, count] : sorted) {
        // By its root, so that what is rare, as lamps are, keeps a colour of its own.
        points.push_back(
            {placeOf(colourOf(key)), std::sqrt(static_cast<double>(count)), static_cast<std::uint32_t>(kindOf(key))});
    }
    const std::vector<std::uint32_t> clusters = clusterColours(points, kMostColours);
    std::vector<Mean> means(kMostColours);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        means[clusters[i]].add(colourOf(sorted[i].first), static_cast<double>(sorted[i].second));
    }
    for (const Mean& mean : means) {
        if (!mean.empty()) {
            palette.colours_.push_back(mean.colour());
            palette.places_.push_back(placeOf(palette.colours_.back()));
        }
    }
    return palette;
}

} // namespace aureole
