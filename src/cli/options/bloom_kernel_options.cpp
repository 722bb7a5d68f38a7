#include "cli/options/bloom_kernel_options.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "cli/options/arguments.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/suggest.h"

namespace aureole::cli {

namespace {

using Names = std::vector<std::string>;

/// Adds options that only some kernels have.
class LimitedOptions {
public:
    LimitedOptions(CLI::App& command, KernelOptions& options, Names kernels)
        : command_(&command)
        , options_(&options)
        , kernels_(std::move(kernels)) {}

    CLI::Option* add(const std::string& name, const std::string& type, const std::string& help,
                     const std::function<void(const std::string&)>& read) const {
        return addValue(*command_, name, type, help,
                        [=, options = options_, kernels = kernels_](const std::string& text) {
                            options->limited.emplace_back(name, kernels);
                            read(text);
                        });
    }
    void number(const std::string& name, const std::string& type, const std::string& help, double minimum,
                double maximum, const std::function<void(double)>& set) const {
        add(name, type, help, [=](const std::string& text) { set(parseNumber(name, text, minimum, maximum)); });
    }
    void count(const std::string& name, const std::string& help, std::uint32_t maximum, std::uint32_t& out) const {
        add(name, "N", help, [=, &out](const std::string& text) { out = parseCount(name, text, 0, maximum); });
    }

private:
    CLI::App* command_;
    KernelOptions* options_;
    Names kernels_;
};

/// "WEIGHT,SIGMA" or "WEIGHT,SIGMA,R,G,B".
BloomGaussian parseGaussian(const std::string& option, const std::string& text) {
    const Names parts = splitList(text);
    if (parts.size() != 2 && parts.size() != 5) {
        fail(ExitCode::Usage, "{}: found '{}', expected WEIGHT,SIGMA or WEIGHT,SIGMA,R,G,B, as in 0.1,0.5", option,
             text);
    }
    BloomGaussian gaussian;
    gaussian.weight = parseNumber(option, parts[0], kMinimumSigma, kMaximumNumber);
    gaussian.sigma = parseNumber(option, parts[1], kMinimumSigma, kMaximumSigma);
    for (int c = 0; parts.size() == 5 && c < 3; ++c) {
        gaussian.colour[c] =
            static_cast<float>(parseNumber(option, parts[2 + static_cast<std::size_t>(c)], 0.0, kMaximumNumber));
    }
    return gaussian;
}

void addLensOptions(CLI::App& command, KernelOptions& options) {
    // Either kernel takes its own, so both get what is given.
    const LimitedOptions lens(command, options, {"airy", "aperture"});
    BloomLens& airy = options.settings.airy;
    BloomLens& aperture = options.settings.aperture.lens;
    lens.number("--f-number", "N", "Focal length over the aperture's diameter (16)", kMinimumFNumber, kMaximumFNumber,
                [&](double value) { airy.fNumber = aperture.fNumber = value; });
    lens.number("--sensor-height", "MM", "Of the sensor that the image fills (24); gives the focal length",
                kMinimumSensorHeight, kMaximumSensorHeight,
                [&](double value) { airy.sensorHeight = aperture.sensorHeight = value; });
    lens.number("--aperture", "MM", "The aperture's diameter, instead of --f-number", kMinimumApertureDiameter,
                kMaximumApertureDiameter, [&](double value) { airy.diameter = aperture.diameter = value; });
}

void addApertureOptions(CLI::App& command, KernelOptions& options) {
    const LimitedOptions limited(command, options, {"aperture"});
    BloomAperture& aperture = options.settings.aperture;
    limited.add("--blades", "N", "Of the aperture, 3 to 64 (6); 0 is a round one", [&](const std::string& text) {
        // A hole is round, or has corners.
        aperture.blades = parseCount("--blades", text, 0, kMaximumBlades);
        if (aperture.blades > 0 && aperture.blades < kMinimumBlades) {
            fail(ExitCode::Usage, "--blades: found '{}', expected a whole number from {} to {}, or 0", text,
                 kMinimumBlades, kMaximumBlades);
        }
    });
    limited.number("--roundness", "X", "Of the blades, from 0, straight (the default), to 1, a circle", 0.0, 1.0,
                   [&](double value) { aperture.roundness = value; });
    limited.number("--rotation", "DEG", "Of the aperture, counter-clockwise", -360.0, 360.0,
                   [&](double value) { aperture.rotation = value; });
    limited.count("--dust", "Specks on the aperture", kMaximumDust, aperture.dust);
    limited.count("--scratches", "Scratches on the aperture", kMaximumScratches, aperture.scratches);
    CLI::Option* image =
        limited.add("--aperture-image", "FILE", "An EXR or PNG file as aperture: its luminance is what passes",
                    [&](const std::string& text) { aperture.image = text; });
    setHint(command, image, {.files = true, .extensions = imageExtensions()});
}

void addEyeOptions(CLI::App& command, KernelOptions& options) {
    const LimitedOptions limited(command, options, {"eye"});
    BloomEye& eye = options.settings.eye;
    limited.number("--adaptation", "CD", "Luminance that the eye is adapted to, in cd/m^2 (1); less shows more glare",
                   kMinimumAdaptation, kMaximumAdaptation, [&](double value) { eye.adaptation = value; });
    limited.count("--flare-lines", "Needles of the ciliary corona (200)", kMaximumFlareLines, eye.flareLines);
}

/// Throws Error (Usage) where an option stands beside one that it takes the place of.
void checkNoneReplaced(const KernelOptions& options, const std::string& option, const Names& replaced) {
    const auto given = [&](const std::string& name) {
        return std::any_of(options.limited.begin(), options.limited.end(),
                           [&](const auto& limited) { return limited.first == name; });
    };
    const auto other = std::find_if(replaced.begin(), replaced.end(), given);
    if (given(option) && other != replaced.end()) {
        fail(ExitCode::Usage, "{}: found it with {}, expected one of the two", option, *other);
    }
}

} // namespace

void addKernelOptions(CLI::App& command, KernelOptions& options) {
    BloomSettings& settings = options.settings;
    CLI::Option* kernel =
        addValue(command, "--kernel", "NAME|FILE",
                 "'default', a pleasing glare; 'airy' or 'aperture', diffraction in a lens;\n'eye', glare of the human "
                 "eye; 'gaussians', a sum of them;\nor a point-spread function, EXR or PNG",
                 [&settings](const std::string& text) { settings.kernel = text; });
    setHint(command, kernel, {.names = generatedBloomKernels(), .files = true, .extensions = imageExtensions()});
    const LimitedOptions generated(command, options, generatedBloomKernels());
    generated.add("--kernel-size", "N", "Pixels a side of the generated kernel; as large as the image by default",
                  [&settings](const std::string& text) {
                      settings.kernelSize = parseCount("--kernel-size", text, 1, kMaximumKernelSize);
                  });
    generated.number("--fov", "DEG", "Vertical field of view of the image; as rendered by default, else 40", 0.001,
                     179.0, [&options](double value) { options.fieldOfView = value; });
    addLensOptions(command, options);
    addApertureOptions(command, options);
    addEyeOptions(command, options);
    LimitedOptions(command, options, {"aperture", "eye"})
        .add("--kernel-seed", "N", "Of dust and scratches, or of the flare lines (0)", [&](const std::string& text) {
            settings.aperture.seed = settings.eye.seed = parseCount("--kernel-seed", text, 0);
        });
    // Reads all of them at once: the first one given replaces the default ones.
    command
        .add_option_function<Names>(
            "--gaussian",
            [&options, &settings](const Names& texts) {
                options.limited.emplace_back("--gaussian", Names{"gaussians"});
                settings.gaussians.clear();
                for (const std::string& text : texts) {
                    settings.gaussians.push_back(parseGaussian("--gaussian", text));
                }
            },
            "A Gaussian: its share of the light, its sigma in degrees,\nand its colour; may be given many times")
        ->type_name("WEIGHT,SIGMA[,R,G,B]")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void checkKernelOptions(const KernelOptions& options) {
    const std::string& kernel = options.settings.kernel;
    if (!isGeneratedBloomKernel(kernel) && kernel.find('.') == std::string::npos) {
        fail(ExitCode::Usage, "--kernel: found '{}', expected one of {}, or an EXR or PNG file{}", kernel,
             fmt::join(generatedBloomKernels(), ", "), didYouMean(kernel, generatedBloomKernels()));
    }
    for (const auto& [option, kernels] : options.limited) {
        if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end()) {
            fail(ExitCode::Usage, "{}: found it with --kernel {}, expected it with {}", option, kernel,
                 fmt::join(kernels, ", "));
        }
    }
    checkNoneReplaced(options, "--aperture", {"--f-number", "--sensor-height"});
    checkNoneReplaced(options, "--aperture-image",
                      {"--blades", "--roundness", "--rotation", "--dust", "--scratches", "--kernel-seed"});
}

} // namespace aureole::cli
