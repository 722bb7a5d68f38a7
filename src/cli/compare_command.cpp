#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "image/metrics.h"
#include "image/non_finite.h"

namespace aureole::cli {

namespace {

struct CompareOptions {
    std::string image;
    std::string reference;
    std::string metric = "mse";
    std::optional<double> limit;
    std::string difference;
};

void requireFinite(const Image& image, const std::string& file) {
    const std::array<const Channel*, 3> colour = image.rgb(file);
    if (const NonFinite bad = findNonFinite(colour, image.width)) {
        fail(ExitCode::ComparisonFailed, "{}: {}", file, bad.describe());
    }
}

ExitCode compare(const CompareOptions& options) {
    const Metric metric = metricFromName(options.metric);
    if (!options.difference.empty()) {
        checkOutput(options.difference, {ImageFormat::Exr, ImageFormat::Png});
    }
    const Image image = readImage(options.image);
    const Image reference = readImage(options.reference);
    requireFinite(image, options.image);
    requireFinite(reference, options.reference);
    const NamedImage a{image, options.image};
    const NamedImage b{reference, options.reference};
    const double value = compareImages(metric, a, b);
    fmt::print("{} {:.9g}\n", options.metric, value);
    if (!options.difference.empty()) {
        writeImage(options.difference, differenceImage(a, b));
    }
    if (!options.limit) {
        return ExitCode::Done;
    }
    const bool smaller = smallerIsBetter(metric);
    // Written so that NaN fails.
    const bool within = smaller ? value <= *options.limit : value >= *options.limit;
    if (!within) {
        fail(ExitCode::ComparisonFailed, "{}: found {} {:.9g} against {}, expected {} {:.9g}", options.image,
             options.metric, value, options.reference, smaller ? "at most" : "at least", *options.limit);
    }
    return ExitCode::Done;
}

} // namespace

void addCompareCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("compare", "Measure how an image differs from a reference");
    const auto options = std::make_shared<CompareOptions>();
    command->add_option("A", options->image, "The image, EXR or PNG")->required()->type_name("");
    command->add_option("B", options->reference, "The reference, of the same size")->required()->type_name("");
    addValue(*command, "--metric", "NAME", fmt::format("One of {}; mse by default", fmt::join(metricNames(), ", ")),
             [options](const std::string& text) { options->metric = parseChoice("--metric", text, metricNames()); });
    addValue(*command, "--max", "X",
             "End with exit code 10 where the difference is beyond X:\n"
             "above it, or for psnr and ssim, where more is better, below it",
             [options](const std::string& text) { options->limit = parseNumber("--max", text, -1e300, 1e300); });
    addValue(*command, "--diff", "FILE", "Write |A - B| to an EXR or PNG",
             [options](const std::string& text) { options->difference = text; });
    command->footer("Prints the metric and its value. Values that are not finite end with exit code 10.\n\n"
                    "Examples:\n"
                    "  aureole compare render.exr reference.exr --metric relmse\n"
                    "  aureole compare render.exr reference.exr --metric rmse --max 0.01 --diff difference.exr\n"
                    "  aureole compare render.png reference.png --metric ssim --max 0.99");
    command->callback([options, &invocation] { invocation.run = [options] { return compare(*options); }; });
}

} // namespace aureole::cli
