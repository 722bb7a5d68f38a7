// "bloom".

#include <algorithm>
#include <limits>

#include "core/suggest.h"
#include "image/image_file.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

constexpr Range kSigmas{kMinimumSigma, kMaximumSigma};
constexpr Range kFNumbers{kMinimumFNumber, kMaximumFNumber};
constexpr Range kSensorHeights{kMinimumSensorHeight, kMaximumSensorHeight};
constexpr Range kApertureDiameters{kMinimumApertureDiameter, kMaximumApertureDiameter};
constexpr Range kAdaptations{kMinimumAdaptation, kMaximumAdaptation};

void readKernel(const ValueReader& value, SceneDraft& draft) {
    std::string name;
    if (!value.read(name)) {
        return;
    }
    std::string& kernel = draft.scene.bloom.kernel;
    if (isGeneratedBloomKernel(name)) {
        kernel = name;
    } else if (name.find('.') == std::string::npos) {
        // A file has an extension, so this is a slip in a name.
        value.expected("'default', 'airy', 'aperture', 'eye', 'gaussians' or an EXR or PNG file" +
                       didYouMean(name, generatedBloomKernels()));
    } else {
        readImageFile(value, draft, kernel);
    }
}

void readLens(ObjectReader& in, BloomLens& lens) {
    in.number("fNumber", lens.fNumber, kFNumbers);
    in.number("sensorHeight", lens.sensorHeight, kSensorHeights);
    double diameter = 0.0;
    if (in.number("diameter", diameter, kApertureDiameters)) {
        lens.diameter = diameter;
    }
}

void readSeed(ObjectReader& in, std::uint32_t& seed) {
    in.integer("seed", seed, 0, std::numeric_limits<std::uint32_t>::max());
}

void readAperture(ObjectReader& in, SceneDraft& draft) {
    BloomAperture& aperture = draft.scene.bloom.aperture;
    readLens(in, aperture.lens);
    readBlades(in, aperture.blades, kMaximumBlades);
    in.number("roundness", aperture.roundness, kUnit);
    in.number("rotation", aperture.rotation, {-360.0, 360.0});
    in.integer("dust", aperture.dust, 0, kMaximumDust);
    in.integer("scratches", aperture.scratches, 0, kMaximumScratches);
    readSeed(in, aperture.seed);
    if (const auto image = in.find("image")) {
        readImageFile(*image, draft, aperture.image);
    }
}

void readGaussians(const ValueReader& value, std::vector<BloomGaussian>& gaussians) {
    std::vector<BloomGaussian> found;
    const bool isArray = value.readArray([&](const ValueReader& element) {
        element.readObject([&](ObjectReader& in) {
            BloomGaussian gaussian;
            if (const auto weight = in.require("weight")) {
                weight->read(gaussian.weight, kPositive);
            }
            if (const auto sigma = in.require("sigma")) {
                sigma->read(gaussian.sigma, kSigmas);
            }
            in.colour("colour", gaussian.colour);
            found.push_back(gaussian);
        });
    });
    if (!isArray) {
        return;
    }
    if (value.json().empty()) {
        value.expected("an array of at least one Gaussian");
        return;
    }
    glm::vec3 light(0.0F);
    for (const BloomGaussian& gaussian : found) {
        light += gaussian.colour;
    }
    if (!found.empty() && !(std::min({light.x, light.y, light.z}) > 0.0F)) {
        value.expected("some red, green and blue in the colours together");
        return;
    }
    gaussians = std::move(found);
}

} // namespace

void readImageFile(const ValueReader& value, SceneDraft& draft, std::string& out) {
    if (const auto path = readAssetPath(value, draft.folder)) {
        noteErrors(value, [&] {
            imageFormat(*path, ExitCode::BadInput);
            hashFile(draft, *path);
            out = path->string();
        });
    }
}

void readBloom(ObjectReader& in, SceneDraft& draft) {
    BloomSettings& bloom = draft.scene.bloom;
    // Whoever writes down a bloom wants one.
    bloom.enabled = true;
    bloom.links = Links::Refuse;
    in.boolean("enabled", bloom.enabled);
    if (const auto kernel = in.find("kernel")) {
        readKernel(*kernel, draft);
    }
    in.integer("kernelSize", bloom.kernelSize, 0, kMaximumKernelSize);
    in.number("sharpen", bloom.sharpen, kUnit);
    in.choice<BloomPadding>("padding", bloom.padding, {{"zero", BloomPadding::Zero}, {"mirror", BloomPadding::Mirror}});
    in.choice<BloomMode>("mode", bloom.mode, {{"exact", BloomMode::Exact}, {"resampled", BloomMode::Resampled}});
    in.choice<BloomResampling>("resample", bloom.resampling,
                               {{"bilinear", BloomResampling::Bilinear}, {"kaiser", BloomResampling::Kaiser}});
    in.object("airy", [&](ObjectReader& airy) { readLens(airy, bloom.airy); });
    in.object("aperture", [&](ObjectReader& aperture) { readAperture(aperture, draft); });
    in.object("eye", [&](ObjectReader& eye) {
        eye.number("adaptation", bloom.eye.adaptation, kAdaptations);
        eye.integer("flareLines", bloom.eye.flareLines, 0, kMaximumFlareLines);
        readSeed(eye, bloom.eye.seed);
    });
    if (const auto gaussians = in.find("gaussians")) {
        readGaussians(*gaussians, bloom.gaussians);
    }
}

} // namespace aureole
