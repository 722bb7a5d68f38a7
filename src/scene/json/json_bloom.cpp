// "bloom".

#include <algorithm>

#include "core/suggest.h"
#include "image/image_file.h"
#include "scene/json/json_fields.h"
#include "scene/json/scene_draft.h"
#include "settings/fields.h"

namespace aureole {

namespace {

constexpr Range kSigmas{kMinimumSigma, kMaximumSigma};

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
        value.expected("'default', 'airy', 'aperture', 'eye', 'gaussians' or a picture file" +
                       didYouMean(name, generatedBloomKernels()));
    } else {
        readImageFile(value, draft, kernel);
    }
}

void readAperture(ObjectReader& in, SceneDraft& draft) {
    BloomAperture& aperture = draft.scene.bloom.aperture;
    readFields(in, kBloomLensFields, aperture.lens);
    readFields(in, kBloomApertureFields, aperture);
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
            imageFormat(*path);
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
    readFields(in, kBloomFields, bloom);
    if (const auto kernel = in.find("kernel")) {
        readKernel(*kernel, draft);
    }
    in.object("airy", [&](ObjectReader& airy) { readFields(airy, kBloomLensFields, bloom.airy); });
    in.object("aperture", [&](ObjectReader& aperture) { readAperture(aperture, draft); });
    in.object("eye", [&](ObjectReader& eye) { readFields(eye, kBloomEyeFields, bloom.eye); });
    if (const auto gaussians = in.find("gaussians")) {
        readGaussians(*gaussians, bloom.gaussians);
    }
}

} // namespace aureole
