#include "cli/options/bloom_kernel_options.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/ranges.h>

#include "cli/options/arguments.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/error.h"
#include "core/lines.h"
#include "core/suggest.h"
#include "image/image_file.h"

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
    void add(const Setting& setting, const std::string& help,
             const std::function<void(const SettingValue&)>& put) const {
        addSetting(*command_, setting, help,
                   [=, &setting, options = options_, kernels = kernels_](const SettingValue& value) {
                       options->limited.emplace_back(setting.option, kernels);
                       put(value);
                   });
    }
    /// The options of a table, whose values go to each of some settings.
    template <typename Fields, typename S>
    void addAll(const Fields& fields, const std::vector<S*>& targets) const {
        for (const auto& field : fields) {
            if (!field.option.empty()) {
                add(field, settingHelp(field, field.in(S{})), [&field, targets](const SettingValue& value) {
                    for (S* const target : targets) {
                        field.put(*target, value);
                    }
                });
            }
        }
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
    LimitedOptions(command, options, {"airy", "aperture"})
        .addAll(kBloomLensFields, std::vector{&options.settings.airy, &options.settings.aperture.lens});
}

void addApertureOptions(CLI::App& command, KernelOptions& options) {
    const LimitedOptions limited(command, options, {"aperture"});
    BloomAperture& aperture = options.settings.aperture;
    limited.addAll(kBloomApertureFields, std::vector{&aperture});
    CLI::Option* image =
        limited.add("--aperture-image", "FILE", "A picture file as aperture: its luminance is what passes",
                    [&](const std::string& text) { aperture.image = text; });
    setHint(command, image, {.files = true, .extensions = imageExtensions(ImageUse::Read)});
}

void addEyeOptions(CLI::App& command, KernelOptions& options) {
    LimitedOptions(command, options, {"eye"}).addAll(kBloomEyeFields, std::vector{&options.settings.eye});
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
                 "eye; 'gaussians', a sum of them;\nor a point-spread function: " +
                     imageFormatNames(ImageUse::Read),
                 [&settings](const std::string& text) { settings.kernel = text; });
    setHint(command, kernel,
            {.names = generatedBloomKernels(), .files = true, .extensions = imageExtensions(ImageUse::Read)});
    const LimitedOptions generated(command, options, generatedBloomKernels());
    const Field<BloomSettings>& size = fieldOf(kBloomFields, "kernelSize");
    generated.add(size, settingHelp(size, std::nullopt), [&](const SettingValue& value) { size.put(settings, value); });
    addSettingOf(command, fieldOf(kBloomFields, "kernelScale"), settings);
    generated.add(
        "--fov", "DEG", "Vertical field of view of the image; as rendered by default, else 40",
        [&options](const std::string& text) { options.fieldOfView = parseNumber("--fov", text, 0.001, 179.0); });
    addLensOptions(command, options);
    addApertureOptions(command, options);
    addEyeOptions(command, options);
    LimitedOptions(command, options, {"aperture", "eye"})
        .add(kBloomSeedOption, settingHelp(kBloomSeedOption, BloomAperture{}.seed), [&](const SettingValue& value) {
            settings.aperture.seed = settings.eye.seed = std::get<std::uint32_t>(value);
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
        fail(ExitCode::Usage, "--kernel: found '{}', expected one of {}, or a picture file with its extension{}",
             kernel, fmt::join(generatedBloomKernels(), ", "), didYouMean(kernel, generatedBloomKernels()));
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
