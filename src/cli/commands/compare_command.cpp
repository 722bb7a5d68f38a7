#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/commands/compare_windows.h"
#include "cli/commands/image_layer.h"
#include "cli/options/arguments.h"
#include "cli/standard_output.h"
#include "core/log.h"
#include "image/colour/false_colour.h"
#include "image/image_file.h"
#include "image/metrics/flip.h"
#include "image/metrics/metrics.h"
#include "image/non_finite.h"
#include "session/output.h"

namespace aureole::cli {

namespace {

struct CompareOptions {
    std::string image;
    std::string reference;
    std::string metric = "mse";
    std::optional<double> limit;
    std::optional<double> pixelsPerDegree;
    std::string difference;
    std::string layer; ///< of both; empty: their own colours
};

constexpr const char* kFlip = "flip";

std::vector<std::string> comparisonNames() {
    std::vector<std::string> names = metricNames();
    names.emplace_back(kFlip);
    return names;
}

/// FLIP compares either what is for display or what is to be exposed yet. Throws Error (Usage) for one of each.
bool highDynamicRange(const CompareOptions& options) {
    const bool image = isLinear(imageFormat(options.image));
    if (image != isLinear(imageFormat(options.reference))) {
        fail(ExitCode::Usage,
             "{} and {}: found {}, expected two EXR files (for HDR-FLIP) or two PNG files (for LDR-FLIP); "
             "'aureole convert' makes one of the other",
             options.image, options.reference, image ? "an EXR and a PNG" : "a PNG and an EXR");
    }
    return image;
}

/// What a comparison found.
struct Comparison {
    double value = 0.0;
    bool smallerIsBetter = true;
    std::string details; ///< further lines
    /// For --diff: values for an EXR, and Y from 0 to 1 for false colours.
    std::function<Image()> differences;
    std::function<Image()> map;
};

Comparison compareByMetric(const CompareOptions& options, const NamedImage& a, const NamedImage& b) {
    const Metric metric = metricFromName(options.metric);
    return {
        .value = compareImages(metric, a, b),
        .smallerIsBetter = smallerIsBetter(metric),
        .details = "",
        .differences = [=] { return differenceImage(a, b); },
        .map = [=] { return errorMap(metric, a, b); },
    };
}

Comparison compareByFlip(const CompareOptions& options, bool hdr, const NamedImage& a, const NamedImage& b) {
    const double pixelsPerDegree = options.pixelsPerDegree.value_or(kFlipPixelsPerDegree);
    const auto result =
        std::make_shared<const FlipResult>(hdr ? hdrFlip(a, b, pixelsPerDegree) : ldrFlip(a, b, pixelsPerDegree));
    std::string details =
        fmt::format("weighted median {:.9g}\nmaximum {:.9g}\n", result->weightedMedian, result->maximum);
    if (result->exposures) {
        details += fmt::format("exposures {} from {:.4f} to {:.4f}\n", result->exposures->count,
                               result->exposures->first, result->exposures->last);
    }
    return {
        .value = result->mean,
        .smallerIsBetter = true,
        .details = details,
        .differences = [result] { return result->map; },
        .map = [result] { return result->map; },
    };
}

/// An image of finite values in all channels: a layer that is not compared is broken all the same.
Image readFinite(const std::string& file) {
    Image image = readImage(file);
    if (const NonFinite bad = findNonFinite(image)) {
        fail(ExitCode::ComparisonFailed, "{}: {}", file, bad.describe());
    }
    return image;
}

/// What an image has beside its colour: layers, by the names before the dot, and channels without a layer, such as A.
std::set<std::string> layersOf(const Image& image, const std::string& file) {
    const std::array<const Channel*, 3> colour = image.rgb(file);
    std::set<std::string> layers;
    for (const Channel& channel : image.channels) {
        if (std::find(colour.begin(), colour.end(), &channel) == colour.end()) {
            layers.insert(channel.name.substr(0, channel.name.rfind('.')));
        }
    }
    return layers;
}

void warnOfLackingLayers(const NamedImage& lacking, const NamedImage& other) {
    const std::set<std::string> found = layersOf(lacking.image, lacking.name);
    const std::set<std::string> expected = layersOf(other.image, other.name);
    std::vector<std::string> missing;
    std::set_difference(expected.begin(), expected.end(), found.begin(), found.end(), std::back_inserter(missing));
    if (!missing.empty()) {
        logWarning("{}: found no {}, which {} has: only R, G and B are compared", lacking.name,
                   fmt::join(missing, ", "), other.name);
    }
}

void writeDifference(const std::string& file, ImageFormat format, const Comparison& comparison) {
    writeImage(file, format == ImageFormat::Png ? falseColour(comparison.map()) : comparison.differences());
}

ExitCode compare(const CompareOptions& options) {
    const bool byFlip = options.metric == kFlip;
    const bool hdr = byFlip && highDynamicRange(options);
    if (options.pixelsPerDegree && !byFlip) {
        fail(ExitCode::Usage, "--ppd: found --metric {}, expected flip: others do not depend on it", options.metric);
    }
    std::optional<ImageFormat> format;
    if (!options.difference.empty()) {
        format = checkOutput(options.difference, {ImageFormat::Exr, ImageFormat::Png});
        checkApart({{"--diff", options.difference}}, {{"A", options.image}, {"B", options.reference}});
    }
    Image image = readFinite(options.image);
    Image reference = readFinite(options.reference);
    if (options.layer.empty()) {
        warnOfLackingLayers({image, options.image}, {reference, options.reference});
        warnOfLackingLayers({reference, options.reference}, {image, options.image});
    } else {
        image = takeLayer(std::move(image), options.layer, options.image);
        reference = takeLayer(std::move(reference), options.layer, options.reference);
    }
    alignWindows(image, options.image, reference, options.reference);
    const NamedImage a{image, options.image};
    const NamedImage b{reference, options.reference};
    const Comparison found = byFlip ? compareByFlip(options, hdr, a, b) : compareByMetric(options, a, b);
    printOutput("{} {:.9g}\n{}", options.metric, found.value, found.details);
    if (format) {
        writeDifference(options.difference, *format, found);
    }
    if (!options.limit) {
        return ExitCode::Done;
    }
    // Written so that NaN fails.
    const bool within = found.smallerIsBetter ? found.value <= *options.limit : found.value >= *options.limit;
    if (!within) {
        fail(ExitCode::ComparisonFailed, "{}: found {} {:.9g} against {}, expected {} {:.9g}", options.image,
             options.metric, found.value, options.reference, found.smallerIsBetter ? "at most" : "at least",
             *options.limit);
    }
    return ExitCode::Done;
}

/// What the help says below the options.
constexpr const char* kCompareNotes =
    "Prints the metric and its value. Only R, G and B are compared, not alpha or layers; where one file lacks a\n"
    "layer of the other, a warning says so. Values that are not finite, in any channel, end with exit code 10. Of\n"
    "crops of a picture (render --crop, or an EXR whose data window is a part of its display window) the pixels\n"
    "are compared that both files have.\n\n"
    "flip is how different the images look to someone who flips between them, from 0 to 1: HDR-FLIP of two EXR\n"
    "files, LDR-FLIP of two PNG files. It prints the mean over all pixels, which --max is for, the weighted median\n"
    "and the maximum, and of EXR files the number of exposures compared, the first and the last in stops. Its EXR\n"
    "has the error as Y and, from EXR files, the stops at which it is seen as exposure.\n\n"
    "False colours are those of the map magma: from black, 0, by violet and orange to pale yellow, 1 and more.\n"
    "They show\n"
    "  mse, rmse, psnr   the root of the mean squared difference over R, G and B\n"
    "  relmse            the root of the relative squared difference: 1 is as much as B has there\n"
    "  ssim              1 less the similarity of the window about the pixel\n"
    "  flip              the error map\n\n"
    "Examples:\n"
    "  aureole compare render.exr reference.exr --metric relmse\n"
    "  aureole compare render.exr reference.exr --metric rmse --max 0.01 --diff difference.exr\n"
    "  aureole compare render.png reference.png --metric ssim --max 0.99\n"
    "  aureole compare render.exr reference.exr --metric rmse --layer albedo\n"
    "  aureole compare render.exr reference.exr --metric flip --max 0.05 --diff flip.png";

} // namespace

void addCompareCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "compare", "Measure how an image differs from a reference");
    const auto options = std::make_shared<CompareOptions>();
    require(addFile(*command, "A", "", "The image: " + imageFormatNames(ImageUse::Read),
                    imageExtensions(ImageUse::Read), options->image));
    require(addFile(*command, "B", "", "The reference, of the same size", imageExtensions(ImageUse::Read),
                    options->reference));
    addNameChoice(*command, "--metric", fmt::format("One of {};\nmse by default", fmt::join(comparisonNames(), ", ")),
                  comparisonNames(), [options](const std::string& name) { options->metric = name; });
    addValue(*command, "--max", "X",
             "End with exit code 10 where the difference is beyond X:\n"
             "above it, or for psnr and ssim, where more is better, below it",
             [options](const std::string& text) { options->limit = parseNumber("--max", text, -1e300, 1e300); });
    addValue(*command, "--ppd", "X",
             fmt::format("For flip: pixels per degree of vision, {:g} to {:g}; {:.2f} by default,\n"
                         "at 0.7 m from 3840 pixels over 0.7 m",
                         kFlipLeastPixelsPerDegree, kFlipMostPixelsPerDegree, kFlipPixelsPerDegree),
             [options](const std::string& text) {
                 options->pixelsPerDegree =
                     parseNumber("--ppd", text, kFlipLeastPixelsPerDegree, kFlipMostPixelsPerDegree);
             });
    addValue(*command, "--layer", "NAME",
             "Compare this layer of both, such as albedo, N or depth, and not their colours",
             [options](const std::string& text) { options->layer = text; });
    addOutput(*command, "--diff", "FILE",
              "Write the differences: |A - B| to an EXR (for flip, its error map), false\n"
              "colours of each pixel's error to a PNG",
              imageExtensions(ImageUse::Write), options->difference);
    setFooter(*command, kCompareNotes);
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return compare(*options); }; });
}

} // namespace aureole::cli
