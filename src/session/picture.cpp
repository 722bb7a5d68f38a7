#include "session/picture.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "bloom/filter.h"
#include "core/error.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/stopwatch.h"
#include "core/threads/loop_threads.h"
#include "core/trace.h"
#include "film/layout.h"
#include "film/marks.h"
#include "film/picture.h"
#include "image/alpha.h"
#include "image/attributes.h"
#include "image/colour/meter.h"
#include "image/colour/tonemap.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "scene/exposure.h"
#include "session/adaptation.h"
#include "session/attributes.h"
#include "session/bloom.h"
#include "session/denoise/denoise_input.h"
#include "session/denoise/seen_layers.h"
#include "settings/fields.h"

namespace aureole {

namespace {

/// The first device that has not failed while it rendered; the last one where all have.
const gpu::Device& deviceForPictures(const Job& job) {
    const std::vector<ReportedDevice>& reported = job.report.devices;
    std::size_t first = 0;
    while (first + 1 < reported.size() && !reported[first].use.failure.empty()) {
        ++first;
    }
    return job.devices[first];
}

/// The job's bloom, made where there is none yet, or where its device has failed. All pictures of a job have one size.
ImageBloom& bloomFor(Job& job, glm::uvec2 size) {
    const gpu::Device& device = deviceForPictures(job);
    if (!job.bloom.filter || job.bloom.device != &device) {
        job.bloom.spareResults.clear();
        job.bloom.filter.reset(); // its memory is free before the next one takes as much
        if (job.denoiser) {
            job.denoiser->release(); // of frames, both find room in the next one, or the CPU denoises
        }
        if (job.bloom.pipelines.valid()) {
            job.bloom.pipelines.wait(); // where they failed, making the bloom tells why
            job.bloom.pipelines = {};
        }
        const TraceSpan span("make bloom");
        job.bloom.filter.emplace(device, size.x, size.y, *job.bloom.kernel, bloomMethod(job.look.bloom));
        job.bloom.device = &device;
    }
    return *job.bloom.filter;
}

/// Calls `apply` with the job's bloom, and counts and notes it in the image.
template <typename Apply>
auto bloomBy(Job& job, const FilmSums& film, Image& image, const Apply& apply) {
    return job.report.stages.time(Stage::Bloom, [&] {
        ImageBloom& bloom = bloomFor(job, {film.width, film.height});
        const double before = bloom.milliseconds();
        auto result = apply(bloom);
        markBloomed(image, "", describeBloom(job.look.bloom, *job.bloom.kernel, bloomMethod(job.look.bloom)));
        job.report.bloomMilliseconds = job.report.bloomMilliseconds.value_or(0.0) + bloom.milliseconds() - before;
        return result;
    });
}

/// The film's layers with those of more camera rays by the backend; none where these fail. Throws Error (Interrupted)
/// where a signal cut them short; one that had cut the samples is told of already.
std::optional<SeenLayers> layersBy(Job& job, const FilmSums& film, RenderBackend* backend) {
    if (backend == nullptr || film.samples.empty() || job.scene.film.denoiseRays == 0) {
        return std::nullopt;
    }
    const TraceSpan span("camera rays");
    std::atomic<bool> isCut{false};
    const auto goesOn = [&](double /*share*/) {
        isCut = isCut || interruptRequested();
        return !isCut;
    };
    std::optional<SeenLayers> seen;
    try {
        seen = seenLayers(
            film, [&](std::uint32_t first, std::uint32_t end) { return backend->layersOf(first, end, goesOn); },
            job.scene.film.denoiseRays);
    } catch (const Error& error) { // a denoiser does without
        logWarning("{}; {} is denoised without more camera rays", error.what(), job.options.output);
    }
    if (isCut && !job.report.interrupted) {
        fail(ExitCode::Interrupted, "interrupted: not all camera rays were there");
    }
    return seen;
}

/// Tells what a picture lacks by an error, perhaps an interrupt: the samples took longer than it would take to do that
/// again. A frame would not be made again, and is left out.
void warnOfLack(Job& job, const Error& error, const char* lack) {
    job.report.interrupted = job.report.interrupted || error.code() == ExitCode::Interrupted;
    logWarning("{}; {} {}", error.what(), job.options.output,
               job.report.interrupted && job.options.frames ? "is left out" : lack);
}

/// Denoises the picture, which then has the layers that were asked for alone. One of a single sample, as an interrupt
/// may leave it, has no halves.
void denoisePicture(Job& job, const FilmSums& film, Image& image, RenderBackend* backend) {
    if (job.denoiser->needsHalves() && !hasTwoHalves(film)) {
        logWarning("{}: found a single sample per pixel, expected two or more to denoise it: it stays noisy",
                   job.options.output);
    } else {
        const double before = job.denoiser->milliseconds();
        try {
            const std::optional<SeenLayers> seen = layersBy(job, film, backend);
            job.denoiser->apply(image, job.options.output, job.options.keepNoisy,
                                job.devices.empty() ? nullptr : &deviceForPictures(job), seen ? &*seen : nullptr);
            job.report.denoiser = job.denoiser->name();
            job.report.denoiseMilliseconds =
                job.report.denoiseMilliseconds.value_or(0.0) + job.denoiser->milliseconds() - before;
        } catch (const Error& error) {
            warnOfLack(job, error, "stays noisy");
        }
    }
    keepLayers(image, heldLayers(job.scene), job.scene.film.aovs);
}

/// A picture, still linear and not finished.
struct LinearPicture {
    Image image;         ///< without colours where these are in the next
    gpu::Buffer colours; ///< a plane of floats each for R, G and B, which the host can read
};

/// The picture of a film on the host.
Image makePicture(Job& job, const FilmSums& film, RenderBackend* backend) {
    Image image =
        job.report.stages.time(Stage::Film, [&] { return filmImage(film, job.options.sampleRange.has_value()); });
    addAttributes(image, job.scene, job.view, job.options, job.report);
    if (job.denoiser) {
        job.report.stages.time(Stage::Denoise, [&] { denoisePicture(job, film, image, backend); });
    } else if (job.options.changes.has(fieldOf(kFilmFields, "denoiseRays"))) {
        try {
            if (std::optional<SeenLayers> seen = layersBy(job, film, backend)) {
                addSeenLayers(image, std::move(*seen));
            }
        } catch (const Error& error) {
            warnOfLack(job, error, "has none of more camera rays");
        }
    }
    if (job.bloom.kernel) {
        bloomBy(job, film, image, [&](ImageBloom& bloom) {
            image = bloom.apply(std::move(image), job.options.output);
            return true;
        });
    }
    return image;
}

/// A buffer for what bloom makes of a film, of a picture before where one is free.
gpu::Buffer takeResult(Job& job, const ImageBloom& bloom) {
    if (job.bloom.spareResults.empty()) {
        return job.bloom.device->createBuffer(bloom.resultBytes(), gpu::MemoryKind::Readback, "bloomed picture");
    }
    gpu::Buffer buffer = std::move(job.bloom.spareResults.back());
    job.bloom.spareResults.pop_back();
    return buffer;
}

/// The picture of a film that is still on its device; empty where bloom wants to tell of its pixels, which it does of
/// images on the host.
std::optional<LinearPicture> makeResidentPicture(Job& job, const FilmSums& film, const PathTracer& tracer) {
    const TraceSpan span("picture");
    LinearPicture picture{makeImage(film.width, film.height, {}), {}};
    noteSamples(picture.image, film);
    addAttributes(picture.image, job.scene, job.view, job.options, job.report);
    const bool isUsual = bloomBy(job, film, picture.image, [&](ImageBloom& bloom) {
        if (!bloom.isWhole()) {
            return false;
        }
        picture.colours = takeResult(job, bloom);
        const auto draw = [&](gpu::CommandEncoder& commands, const BloomInput& input) {
            tracer.drawMeans(commands, input.planes, input.unusual, input.most);
        };
        return bloom.applyTo(draw, picture.colours);
    });
    return isUsual ? std::optional(std::move(picture)) : std::nullopt;
}

LinearPicture makeLinear(Job& job, const FilmSums& film, RenderBackend* backend) {
    const LoopThreads beside(threadsBesideEncoders(job));
    if (!film.radiance.empty() || backend == nullptr) {
        return {makePicture(job, film, backend), {}};
    }
    std::optional<LinearPicture> picture = makeResidentPicture(job, film, *backend->residentFilm());
    return picture ? std::move(*picture) : LinearPicture{makePicture(job, backend->film(), backend), {}};
}

/// Gives an image the colours of planes, one after the other.
void takeColours(Image& image, std::span<const std::byte> planes) {
    for (const char* name : {"R", "G", "B"}) {
        std::vector<float>& values = image.add(name).values;
        const std::size_t bytes = values.size() * sizeof(float);
        std::memcpy(values.data(), planes.data(), bytes);
        planes = planes.subspan(bytes);
    }
}

/// How the bytes of a picture's file are made.
struct Encoding {
    std::shared_ptr<const Finish> finish; ///< null: none
    ImageFormat format = ImageFormat::Exr;
    bool alone = true;                                ///< no other picture is made at the same time
    ToneMap toneMap = ToneMap::Linear;                ///< this and the next of a PNG
    std::optional<double> stops;                      ///< nothing: the picture is metered
    FilmSettings film;                                ///< says how
    bool part = false;                                ///< of a picture: it is metered once it is whole
    std::shared_future<std::optional<double>> before; ///< the stops of the frame before, where this one adapts
    std::promise<std::optional<double>> own;          ///< for the frame after
    std::string optionOutput;                         ///< what messages call the picture
    std::string output;
};

/// To be called in the order of the frames.
Encoding encodingOf(Job& job, const std::string& output) {
    Encoding encoding;
    encoding.finish = job.finish.next;
    encoding.format = job.format;
    encoding.alone = !job.options.frames;
    encoding.toneMap = job.scene.film.tonemap;
    encoding.film = job.scene.film;
    encoding.stops = exposureStops(job.scene.film, cameraOf(job.scene, job.view));
    encoding.part = job.options.sampleRange || job.options.crop;
    if (adapts(job)) {
        encoding.before = std::exchange(job.finish.stopsBefore, encoding.own.get_future().share());
    }
    encoding.optionOutput = job.options.output;
    encoding.output = output;
    return encoding;
}

struct EncodedPicture {
    std::vector<std::byte> bytes;
    double finishSeconds = 0.0;
};

/// The stops of a picture, whose colours are multiplied by its alpha: those that are set, or else metered. An EXR notes
/// what it was metered at, whatever came before it; a PNG shows it, and adapts.
double stopsOf(Encoding& how, Image& image) {
    if (how.stops) {
        return *how.stops;
    }
    std::optional<double> stops = meteredStops(image, how.film.meteredPercentile(), true, how.optionOutput);
    if (how.format == ImageFormat::Png && how.film.framesToAdapt() > 0.0) {
        const std::optional<double> before = how.before.valid() ? how.before.get() : std::nullopt;
        stops = adaptedStops(before, stops, how.film.framesToAdapt());
        how.own.set_value(stops);
    }
    image.attributes[kExposureAttribute] = exposureText(stops);
    return stops.value_or(0.0);
}

/// An EXR holds the picture as it is; a PNG has it exposed and tone mapped, its colours without their alpha.
EncodedPicture encodePicture(Image image, Encoding& how) {
    const TraceSpan span("encode");
    EncodedPicture picture;
    if (how.finish != nullptr) {
        const Stopwatch clock;
        how.finish->apply(image, how.optionOutput);
        markFinished(image, "", how.finish->describe(image));
        picture.finishSeconds = clock.seconds();
    }
    const double stops = how.part && how.format == ImageFormat::Exr ? 0.0 : stopsOf(how, image);
    if (how.format == ImageFormat::Exr) {
        picture.bytes = encodeExr(image, {}, how.output);
    } else {
        unassociateAlpha(image);
        PngOptions options;
        options.text = pngNotes(image, !how.stops);
        picture.bytes = encodePng(toneMap(image, how.toneMap, stops, how.output), options, how.output);
    }
    return picture;
}

} // namespace

bool adapts(const Job& job) {
    const FilmSettings& film = job.scene.film;
    return job.options.frames && job.format == ImageFormat::Png && film.framesToAdapt() > 0.0 &&
           !exposureStops(film, cameraOf(job.scene, job.view));
}

void adaptTo(Job& job, const std::optional<double>& stops) {
    std::promise<std::optional<double>> known;
    known.set_value(stops);
    job.finish.stopsBefore = known.get_future().share();
}

unsigned threadsBesideEncoders(const Job& job) {
    return job.options.frames ? std::max(loopThreads() / 2, 1U) : loopThreads();
}

void beginBloom(Job& job) {
    job.bloom.underWay = std::async(std::launch::async, [&job, size = job.view.cropSize] { bloomFor(job, size); });
}

void beginBloomPipelines(Job& job) {
    const gpu::Device& device = job.devices.front();
    if (device.info().isCpu) {
        return;
    }
    job.bloom.pipelines = std::async(std::launch::async, [&job, device, size = job.view.cropSize] {
        const TraceSpan span("pipelines of bloom");
        ImageBloom::makePipelines(device, size.x, size.y, *job.bloom.kernel, bloomMethod(job.look.bloom));
    });
}

std::optional<PictureUnderWay> startPicture(Job& job, const FilmSums& film, RenderBackend* backend,
                                            const std::string& output, std::shared_future<WrittenPicture> before) {
    LinearPicture linear = makeLinear(job, film, backend);
    if (job.options.frames && job.report.interrupted) {
        return std::nullopt;
    }
    // The future keeps this function, and this function the futures of the picture before it: what it holds goes with
    // its call, or each picture would keep all those before it, and a failure leave the next one waiting.
    auto write = [image = std::move(linear.image), colours = linear.colours.mapped(),
                  encoding = encodingOf(job, output), earlier = std::move(before)]() mutable -> WrittenPicture {
        Encoding how = std::move(encoding);
        const std::shared_future<WrittenPicture> fileBefore = std::move(earlier);
        const LoopThreads own(how.alone ? loopThreads() : 1);
        if (!colours.empty()) {
            takeColours(image, colours);
        }
        const EncodedPicture encoded = encodePicture(std::move(image), how);
        if (fileBefore.valid()) {
            const TraceSpan span("wait for the frame before");
            fileBefore.get();
        }
        writeFileAtomically(how.output, encoded.bytes);
        return {encoded.bytes.size(), encoded.finishSeconds};
    };
    return PictureUnderWay{output, std::move(linear.colours), std::async(std::launch::async, std::move(write)).share()};
}

void finishPicture(Job& job, PictureUnderWay picture) {
    const Stopwatch clock;
    const TraceSpan span(stageName(Stage::Write));
    const WrittenPicture written = picture.written.get();
    const double seconds = clock.seconds();
    const double finishing = std::min(written.finishSeconds, seconds);
    job.report.stages.add(Stage::Finish, finishing);
    job.report.stages.add(Stage::Write, seconds - finishing);
    job.report.outputBytes += written.bytes;
    if (picture.colours.size() > 0) {
        job.bloom.spareResults.push_back(std::move(picture.colours));
    }
}

void savePicture(Job& job, const FilmSums& film, RenderBackend* backend, const std::string& output) {
    if (std::optional<PictureUnderWay> picture = startPicture(job, film, backend, output)) {
        finishPicture(job, std::move(*picture));
    }
}

} // namespace aureole
