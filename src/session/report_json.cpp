#include "session/report_json.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <type_traits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/file.h"

namespace aureole {

namespace {

using OrderedJson = nlohmann::ordered_json;

/// The version of the statistics (CONTRIBUTING, "Versions of files").
constexpr int kSchema = 1;

/// A figure of an S: its key, what it tells, what its value is in JSON Schema, and that value.
template <typename S>
struct Figure {
    const char* key;
    const char* description;
    OrderedJson schema;
    std::function<OrderedJson(const S&)> value;
};

template <typename T>
constexpr bool kIsOptional = false;
template <typename T>
constexpr bool kIsOptional<std::optional<T>> = true;

/// What JSON Schema says of values of a type; of numbers, that they are not below 0.
template <typename T>
OrderedJson schemaOf() {
    if constexpr (kIsOptional<T>) {
        OrderedJson schema = schemaOf<typename T::value_type>();
        schema["type"] = {schema["type"], "null"};
        return schema;
    } else if constexpr (std::is_same_v<T, bool>) {
        return {{"type", "boolean"}};
    } else if constexpr (std::is_same_v<T, std::string>) {
        return {{"type", "string"}};
    } else {
        return {{"type", std::is_integral_v<T> ? "integer" : "number"}, {"minimum", 0}};
    }
}

template <typename T>
OrderedJson jsonOf(const T& value) {
    if constexpr (kIsOptional<T>) {
        return value ? OrderedJson(*value) : OrderedJson(nullptr);
    } else {
        return value;
    }
}

/// The figure that a member, or a function of an S, has: none is null.
template <typename S, typename Get>
Figure<S> figure(const char* key, const char* description, const Get& get) {
    using Value = std::remove_cvref_t<std::invoke_result_t<const Get&, const S&>>;
    return {key, description, schemaOf<Value>(), [get](const S& of) { return jsonOf(std::invoke(get, of)); }};
}

std::optional<std::string> orNone(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

/// A text of a report; none where it is empty.
auto textOr(std::string RenderReport::*text) {
    return [text](const RenderReport& report) { return orNone(report.*text); };
}

/// A figure of the octree, if there is one.
template <typename T>
auto ofOctree(T OctreeFigures::*figure) {
    return [figure](const RenderReport& report) {
        return report.made.octree ? std::optional<T>((*report.made.octree).*figure) : std::nullopt;
    };
}

std::optional<std::uint64_t> cellsOf(const RenderReport& report) {
    const std::optional<OctreeFigures>& octree = report.made.octree;
    return octree && octree->cells ? std::optional<std::uint64_t>(octree->voxels) : std::nullopt;
}

template <typename S>
OrderedJson toJson(const S& of, const std::vector<Figure<S>>& figures) {
    OrderedJson json;
    for (const Figure<S>& figure : figures) {
        json[figure.key] = figure.value(of);
    }
    return json;
}

/// What JSON Schema says of an object that has all of these figures, and no others.
template <typename S>
OrderedJson objectSchema(const std::vector<Figure<S>>& figures) {
    OrderedJson schema = {{"type", "object"}, {"required", OrderedJson::array()}, {"additionalProperties", false}};
    for (const Figure<S>& figure : figures) {
        schema["required"].push_back(figure.key);
        OrderedJson& property = schema["properties"][figure.key] = figure.schema;
        property["description"] = figure.description;
    }
    return schema;
}

const std::vector<Figure<ReportedDevice>>& deviceFigures() {
    static const std::vector<Figure<ReportedDevice>> figures = {
        figure<ReportedDevice>("index", "As aureole devices lists it.", &ReportedDevice::index),
        figure<ReportedDevice>("name", "Its name.", &ReportedDevice::name),
        figure<ReportedDevice>("uuid", "Its UUID, 32 hexadecimal digits.", &ReportedDevice::uuid),
        figure<ReportedDevice>("driver", "Its driver.", &ReportedDevice::driver),
        figure<ReportedDevice>("samples",
                               "Samples of a pixel that it rendered in this run, added up over all frames: those of "
                               "pictures that were not written included, those from before --resume not.",
                               [](const ReportedDevice& device) { return device.use.samples; }),
        figure<ReportedDevice>("rays",
                               "Rays that it traced, added up over all frames: those of samples that were lost with it "
                               "included.",
                               [](const ReportedDevice& device) { return device.use.rays; }),
        figure<ReportedDevice>("seconds", "Wall time that it rendered for, added up over all frames.",
                               [](const ReportedDevice& device) { return device.use.seconds; }),
        figure<ReportedDevice>("failure", "Why it dropped out: lost, or out of memory; null where it did not.",
                               [](const ReportedDevice& device) { return orNone(device.use.failure); }),
    };
    return figures;
}

OrderedJson devicesJson(const RenderReport& report) {
    OrderedJson list = OrderedJson::array();
    for (const ReportedDevice& device : report.devices) {
        list.push_back(toJson(device, deviceFigures()));
    }
    return list;
}

const std::vector<Figure<RenderReport>>& stageFigures() {
    static const std::vector<Figure<RenderReport>> figures = [] {
        std::vector<Figure<RenderReport>> made;
        for (std::size_t i = 0; i < kStages.size(); ++i) {
            const auto stage = static_cast<Stage>(i);
            made.push_back(
                figure<RenderReport>(kStages.at(i).name, kStages.at(i).description,
                                     [stage](const RenderReport& report) { return report.stages.of(stage); }));
        }
        made.push_back(figure<RenderReport>("total", "From the start of the command to the writing of this file.",
                                            &RenderReport::totalSeconds));
        return made;
    }();
    return figures;
}

/// All that is written of a render, in its order. The schema and the help are made of it.
const std::vector<Figure<RenderReport>>& renderFigures() {
    static const std::vector<Figure<RenderReport>> figures = {
        {"schema",
         "The version of this schema. Keys may be added under the same number; one that goes, or means something "
         "else, makes it another.",
         {{"const", kSchema}},
         [](const RenderReport&) { return OrderedJson(kSchema); }},
        figure<RenderReport>("version", "The version of aureole.",
                             [](const RenderReport&) { return std::string(AUREOLE_VERSION); }),
        figure<RenderReport>("scene", "The scene, model or octree, as on the command line.", &RenderReport::scene),
        figure<RenderReport>("scene_hash",
                             "Of the scene file, its settings (with --set) and its assets: 16 hexadecimal digits. The "
                             "attribute aureole.scene_hash of the picture. Null where the scene could not be loaded.",
                             textOr(&RenderReport::sceneHash)),
        figure<RenderReport>("output", "The picture, as on the command line; of frames, with # for their numbers.",
                             &RenderReport::output),
        figure<RenderReport>("device",
                             "The name of the Vulkan device, of several all names, as 2 x NAME; CPU with --backend "
                             "reference. Null where the run failed before one was open.",
                             textOr(&RenderReport::device)),
        figure<RenderReport>("driver", "Its driver; Embree with --backend reference. Null where device is.",
                             textOr(&RenderReport::driver)),
        {"devices",
         "The devices that rendered, in the order of --device; empty with --backend reference.",
         {{"type", "array"}, {"items", objectSchema(deviceFigures())}},
         &devicesJson},
        {"backend",
         "What traced the paths.",
         {{"enum", {"gpu", "reference"}}},
         [](const RenderReport& report) { return OrderedJson(report.backend); }},
        figure<RenderReport>("width", "Of the picture, in pixels; null where the scene could not be loaded.",
                             &RenderReport::width),
        figure<RenderReport>("height", "Of the picture, in pixels; null where the scene could not be loaded.",
                             &RenderReport::height),
        figure<RenderReport>("seed", "Of the samples; null where the scene could not be loaded.", &RenderReport::seed),
        figure<RenderReport>(
            "samples",
            "Samples of a pixel; with --noise the most that one has, of frames those of the frame that "
            "has most. 0 where no picture was written.",
            &RenderReport::samplesPerPixel),
        figure<RenderReport>("samples_total",
                             "Samples of all pixels together, in the pictures written, those from before --resume "
                             "included.",
                             &RenderReport::samplesTotal),
        figure<RenderReport>("sample_ranges",
                             "The indices of the samples, ends exclusive: 0:64, or 0:16,32:48. Of frames, those of the "
                             "last one. Null where no picture was written.",
                             textOr(&RenderReport::samples)),
        figure<RenderReport>("fewest_samples",
                             "Of frames, samples of a pixel of the frame that has fewest; null otherwise.",
                             &RenderReport::fewestSamples),
        figure<RenderReport>("frames", "Frames written; null without --frames. All figures are those of all frames.",
                             &RenderReport::frames),
        figure<RenderReport>("frames_found", "Frames that --skip-existing left out; null without --frames.",
                             &RenderReport::framesFound),
        figure<RenderReport>("interrupted", "Whether a signal ended the render early.", &RenderReport::interrupted),
        figure<RenderReport>("exit_code",
                             "The exit code of the run: 0 done, 75 interrupted, others where it failed. Nothing is "
                             "written of a run that a signal ends before the first sample, or whose options are wrong.",
                             [](const RenderReport& report) { return static_cast<std::uint32_t>(report.exitCode); }),
        figure<RenderReport>("failure",
                             "What the run failed of, as stderr has it; null where it is done or interrupted. Figures "
                             "are then those of the stages before; samples and output_bytes are of pictures written, "
                             "rays and devices of all work.",
                             textOr(&RenderReport::failure)),
        figure<RenderReport>("noise", "The relative error that --noise asked for; null without it.",
                             &RenderReport::noise),
        figure<RenderReport>("mean_samples", "With --noise, samples of a pixel on average; null without it.",
                             &RenderReport::meanSamples),
        figure<RenderReport>("pixels_left", "With --noise, pixels that did not reach the error; null without it.",
                             &RenderReport::pixelsLeft),
        figure<RenderReport>("voxels", "Solid voxels of the octree; of planes, cells. Null with --backend reference.",
                             ofOctree(&OctreeFigures::voxels)),
        figure<RenderReport>("cells",
                             "Of planes, cells, each for one voxel or many: the same number as voxels; null otherwise.",
                             &cellsOf),
        figure<RenderReport>("octree_bytes",
                             "Bytes of the octree with its attributes, on the device. Null with --backend reference.",
                             ofOctree(&OctreeFigures::octreeBytes)),
        figure<RenderReport>("voxelizer",
                             "Who has made the octree's voxels: the CPU, or a device; of several octrees the first "
                             "device. Null with --backend reference.",
                             [](const RenderReport& report) {
                                 const std::optional<OctreeFigures>& octree = report.made.octree;
                                 return !octree                 ? std::optional<std::string>()
                                        : octree->maker.empty() ? std::optional<std::string>("CPU")
                                                                : std::optional(octree->maker);
                             }),
        figure<RenderReport>("octree_cached", "Whether the octree came from the cache. Null with --backend reference.",
                             ofOctree(&OctreeFigures::cached)),
        figure<RenderReport>("output_bytes", "Bytes of the files of the pictures written.", &RenderReport::outputBytes),
        figure<RenderReport>("triangles", "Triangles of the scene; null on the gpu backend, which has none left.",
                             [](const RenderReport& report) { return report.made.triangles; }),
        figure<RenderReport>("resumed_samples", "Samples of a pixel that the checkpoint held; null without --resume.",
                             &RenderReport::resumedSamples),
        figure<RenderReport>("rays", "Rays traced in this run: those of paths and those to lights.",
                             &RenderReport::rays),
        figure<RenderReport>("rays_per_second", "rays by seconds.render.", &RenderReport::raysPerSecond),
        figure<RenderReport>("denoiser", "What denoised the pictures; null where they were not.",
                             textOr(&RenderReport::denoiser)),
        figure<RenderReport>("denoise_milliseconds",
                             "Milliseconds that the denoiser's filter ran, on the device or the CPU, preparation and "
                             "transfers left out; null without denoising.",
                             &RenderReport::denoiseMilliseconds),
        figure<RenderReport>(
            "bloom_milliseconds",
            "Milliseconds of the bloom on the device, transfers left out; where it read the film there, "
            "with the division of the film by its samples. null without bloom.",
            &RenderReport::bloomMilliseconds),
        {"seconds", "Wall time of every stage, in seconds; 0 for what was not done.", objectSchema(stageFigures()),
         [](const RenderReport& report) { return toJson(report, stageFigures()); }},
    };
    return figures;
}

template <typename S>
std::vector<std::string> keysOf(const std::vector<Figure<S>>& figures) {
    std::vector<std::string> keys;
    std::transform(figures.begin(), figures.end(), std::back_inserter(keys),
                   [](const Figure<S>& figure) { return figure.key; });
    return keys;
}

void write(const std::filesystem::path& path, const OrderedJson& json) {
    // Paths need not be UTF-8.
    const std::string text = json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    writeFileAtomically(path, std::as_bytes(std::span(text)));
}

} // namespace

void writeReport(const std::filesystem::path& path, const RenderReport& report) {
    write(path, toJson(report, renderFigures()));
}

void writeReportSchema(const std::filesystem::path& path) {
    OrderedJson schema = {
        {"$schema", "https://json-schema.org/draft/2020-12/schema"},
        {"title", fmt::format("aureole render --stats-json, schema {}", kSchema)},
        {"description",
         "What one run of 'aureole render' did. Every key is always there, null where it has no meaning. Readers "
         "pass over keys that they do not know: later versions may add some."}};
    schema.update(objectSchema(renderFigures()));
    write(path, schema);
}

std::vector<std::string> reportKeys() {
    return keysOf(renderFigures());
}

std::vector<std::string> reportStages() {
    return keysOf(stageFigures());
}

} // namespace aureole
