#include "bench/peers/boxes/boxes_peer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "bench_shaders.h"
#include "core/divide_up.h"
#include "shared/specialization.h"

namespace aureole::bench {

namespace {

constexpr std::uint32_t kTile = 32; ///< pixels a side, of a workgroup
constexpr std::size_t kMostTerms = 4;

/// The push constants of box_difference.comp.
struct BoxPush {
    std::uint64_t sums;
    std::uint64_t target;
    std::uint64_t image;
    std::uint32_t width;
    std::uint32_t lines;
    std::uint32_t radius;
    std::uint32_t isFirst;
    glm::vec3 weights;
    glm::vec3 own;
};

glm::vec3 toVec3(const BlurWeights& weights) {
    return {weights[0], weights[1], weights[2]};
}

scan::ScanPlan planLines(const gpu::Device& device, std::uint64_t items, std::uint32_t width) {
    scan::ScanOptions options;
    options.maximumCount = items;
    options.type = scan::Type::F32;
    options.level = scan::Level::Workgroup;
    options.segment = width;
    return scan::plan(device, options);
}

gpu::Pipeline makeDifference(const gpu::Device& device, bool transposes, bool adds) {
    return device.createPipeline(
        {.name = "bench.box",
         .shader = shaders::peer_box_difference(),
         .pushConstantBytes = sizeof(BoxPush),
         .specialization = {{SPEC_BOXES_TRANSPOSES, transposes ? 1U : 0U}, {SPEC_BOXES_ADDS, adds ? 1U : 0U}}});
}

std::vector<double> responseOf(const KernelSamples& samples, const std::vector<double>& profile) {
    const auto reach = static_cast<int>(profile.size() / 2);
    const double* const middle = profile.data() + reach;
    std::vector<double> response;
    for (const glm::ivec2& offset : samples.offsets()) {
        const bool within = std::abs(offset.x) <= reach && std::abs(offset.y) <= reach;
        response.push_back(within ? middle[offset.x] * middle[offset.y] : 0.0);
    }
    return response;
}

} // namespace

std::array<std::uint32_t, kBoxPasses> boxRadii(double sigma) {
    const double count = kBoxPasses;
    const double ideal = std::sqrt(12.0 * sigma * sigma / count + 1.0);
    const double radius = std::floor((ideal - 1.0) / 2.0);
    const double width = 2.0 * radius + 1.0; // the odd one below the ideal; the others are wider by two
    const double narrow =
        (12.0 * sigma * sigma - count * width * width - 4.0 * count * width - 3.0 * count) / (-4.0 * width - 4.0);
    std::array<std::uint32_t, kBoxPasses> radii{};
    for (std::size_t i = 0; i < radii.size(); ++i) {
        radii.at(i) = static_cast<std::uint32_t>(radius) + (static_cast<double>(i) < std::round(narrow) ? 0U : 1U);
    }
    return radii;
}

std::vector<double> boxProfile(const std::array<std::uint32_t, kBoxPasses>& radii) {
    std::vector<double> profile = {1.0};
    for (const std::uint32_t radius : radii) {
        std::vector<double> wider(profile.size() + 2 * std::size_t{radius}, 0.0);
        for (std::size_t i = 0; i < profile.size(); ++i) {
            for (std::size_t j = 0; j <= 2 * std::size_t{radius}; ++j) {
                wider[i + j] += profile[i] / (2.0 * radius + 1.0);
            }
        }
        profile = std::move(wider);
    }
    return profile;
}

BoxesPeer::BoxesPeer(const gpu::Device& device, const glm::uvec2& size, const BlurWeights& own,
                     std::vector<BoxTerm> terms)
    : size_(size)
    , own_(own)
    , terms_(std::move(terms))
    , rows_(planLines(device, items(), size.x))
    , columns_(planLines(device, items(), size.y))
    , difference_(makeDifference(device, false, false))
    , transposing_(makeDifference(device, true, false))
    , adding_(makeDifference(device, true, true))
    , sums_(device.createBuffer(items() * sizeof(float), gpu::MemoryKind::Device, "bench sums"))
    , blurred_(device.createBuffer(items() * sizeof(float), gpu::MemoryKind::Device, "bench blurred")) {}

std::string BoxesPeer::name() const {
    return fmt::format("boxes, {} x {}", terms_.size(), kBoxPasses);
}

void BoxesPeer::execute(gpu::CommandEncoder& commands, std::uint64_t output, std::uint64_t input) {
    for (std::size_t term = 0; term < terms_.size(); ++term) {
        std::uint64_t source = input;
        for (const bool alongRows : {true, false}) {
            for (std::size_t pass = 0; pass < kBoxPasses; ++pass) {
                const bool isLast = pass + 1 == kBoxPasses;
                BoxPush push{};
                push.sums = sums_.address();
                push.target = isLast && !alongRows ? output : blurred_.address();
                push.image = input;
                push.width = alongRows ? size_.x : size_.y;
                push.lines = alongRows ? size_.y : size_.x;
                push.radius = terms_[term].radii.at(pass);
                push.isFirst = term == 0 ? 1 : 0;
                push.weights = toVec3(terms_[term].weights);
                push.own = toVec3(own_);
                (alongRows ? rows_ : columns_).execute(commands, source, sums_.address(), items());
                commands.dispatchBarrier();
                commands.dispatch(!isLast     ? difference_
                                  : alongRows ? transposing_
                                              : adding_,
                                  push, divideUp(push.width, kTile), divideUp(push.lines, kTile), 3);
                commands.dispatchBarrier();
                source = blurred_.address();
            }
        }
    }
    commands.barrier();
}

std::unique_ptr<BlurSum> fitBoxes(const gpu::Device& device, const glm::uvec2& size, const BloomKernel& kernel) {
    constexpr double kLeast = 0.7;      // pixels
    constexpr double kRatio = 1.189207; // from one standard deviation to the next, a quarter of an octave
    constexpr double kWorth = 0.95;     // of the residual: what another term has to leave at most
    const KernelSamples samples(kernel);
    std::vector<BoxTerm> candidates;
    BlurResponses responses;
    const double widest = std::max(kernel.width, kernel.height) / 4.0 + kLeast;
    double sigma = kLeast;
    while (sigma <= widest) {
        candidates.push_back({boxRadii(sigma), {}});
        responses.push_back(responseOf(samples, boxProfile(candidates.back().radii)));
        sigma *= kRatio;
    }
    // The one that helps most, then the next one beside it.
    std::vector<std::size_t> chosen;
    BlurResponses used = {imageResponse(samples)};
    BlurFit best = fitBlurs(samples, used);
    while (chosen.size() < kMostTerms) {
        BlurFit next;
        std::size_t which = candidates.size();
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            used.push_back(responses[i]);
            BlurFit fit = fitBlurs(samples, used);
            used.pop_back();
            if (which == candidates.size() || fit.residual < next.residual) {
                next = std::move(fit);
                which = i;
            }
        }
        if (!chosen.empty() && next.residual > kWorth * best.residual) {
            break;
        }
        chosen.push_back(which);
        used.push_back(responses[which]);
        best = std::move(next);
    }
    std::vector<BoxTerm> terms;
    for (std::size_t i = 0; i < chosen.size(); ++i) {
        terms.push_back({candidates[chosen[i]].radii, best.weights[i + 1]});
    }
    return std::make_unique<BoxesPeer>(device, size, best.weights[0], std::move(terms));
}

} // namespace aureole::bench
