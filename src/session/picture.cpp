#include "session/picture.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "bloom/filter.h"
#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/stopwatch.h"
#include "film/layout.h"
#include "film/picture.h"
#include "image/attributes.h"
#include "image/colour/meter.h"
#include "image/colour/tonemap.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "scene/exposure.h"
#include "session/adaptation.h"
#include "session/attributes.h"
#include "session/bloom.h"
#include "session/denoise_input.h"

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
ImageBloom& bloomFor(Job& job, const Image& image) {
    const gpu::Device& device = deviceForPictures(job);
    if (!job.bloom || job.bloomDevice != &device) {
        job.bloom.reset(); // its memory is free before the next one takes as much
        if (job.denoiser) {
            job.denoiser->release(); // of frames, both find room in the next one, or the CPU denoises
        }
        job.bloom.emplace(device, image.width, image.height, *job.kernel, bloomMethod(job.look.bloom));
        job.bloomDevice = &device;
    }
    return *job.bloom;
}

void bloomPicture(Job& job, Image& image) {
    ImageBloom& bloom = bloomFor(job, image);
    const double before = bloom.milliseconds();
    image = bloom.apply(std::move(image), job.options.output);
    markBloomed(image, "", describeBloom(job.look.bloom, *job.kernel, bloomMethod(job.look.bloom)));
    job.report.bloomMilliseconds = job.report.bloomMilliseconds.value_or(0.0) + bloom.milliseconds() - before;
}

/// Denoises the picture, which then has the layers that were asked for alone. One of a single sample, as an interrupt
/// may leave it, has no halves.
void denoisePicture(Job& job, const FilmSums& film, Image& image) {
    if (job.denoiser->needsHalves() && !hasTwoHalves(film)) {
        logWarning("{}: found a single sample per pixel, expected two or more to denoise it: it stays noisy",
                   job.options.output);
    } else {
        const double before = job.denoiser->milliseconds();
        try {
            job.denoiser->apply(image, job.options.output, job.options.keepNoisy,
                                job.devices.empty() ? nullptr : &deviceForPictures(job));
            job.report.denoiser = job.denoiser->name();
            job.report.denoiseMilliseconds =
                job.report.denoiseMilliseconds.value_or(0.0) + job.denoiser->milliseconds() - before;
        } catch (const Error& error) { // the samples took longer than it would take to denoise them again
            job.report.interrupted = job.report.interrupted || error.code() == ExitCode::Interrupted;
            logWarning("{}; {} {}", error.what(), job.options.output,
                       job.report.interrupted && job.options.frames ? "is left out" : "stays noisy");
        }
    }
    keepLayers(image, heldLayers(job.scene), job.scene.film.aovs);
}

/// The picture, still linear and not finished. The film is on the host here, and bloom uploads the image made of it: a
/// film that stays on its device would be bloomed there instead of between filmImage and bloomPicture.
Image makePicture(Job& job, const FilmSums& film) {
    Image image = filmImage(film, job.options.sampleRange.has_value());
    addAttributes(image, job.scene, job.view, job.options, job.report);
    if (job.denoiser) {
        job.report.stages.time(Stage::Denoise, [&] { denoisePicture(job, film, image); });
    }
    if (job.kernel) {
        job.report.stages.time(Stage::Bloom, [&] { bloomPicture(job, image); });
    }
    return image;
}

/// How the bytes of a picture's file are made.
struct Encoding {
    std::shared_ptr<const Finish> finish; ///< null: none
    ImageFormat format = ImageFormat::Exr;
    ToneMap toneMap = ToneMap::Linear; ///< this and the next of a PNG
    std::optional<double> stops;       ///< nothing: the picture is metered
    FilmSettings film;                 ///< says how
    bool part = false;                 ///< of a picture: it is metered once it is whole
    std::shared_future<double> before; ///< the stops of the frame before, where this one adapts
    std::promise<double> own;          ///< for the frame after
    std::string optionOutput;          ///< what messages call the picture
    std::string output;
};

/// To be called in the order of the frames.
Encoding encodingOf(Job& job, const std::string& output) {
    Encoding encoding;
    encoding.finish = job.finish;
    encoding.format = job.format;
    encoding.toneMap = job.scene.film.tonemap;
    encoding.film = job.scene.film;
    encoding.stops = exposureStops(job.scene.film, cameraOf(job.scene, job.view));
    encoding.part = job.options.sampleRange || job.options.crop;
    if (adapts(job)) {
        encoding.before = std::exchange(job.stopsBefore, encoding.own.get_future().share());
    }
    encoding.optionOutput = job.options.output;
    encoding.output = output;
    return encoding;
}

/// The stops of a picture, whose colours are multiplied by its alpha: those that are set, or else metered. An EXR notes
/// what it was metered at, whatever came before it; a PNG shows it, and adapts.
double stopsOf(Encoding& how, Image& image) {
    if (how.stops) {
        return *how.stops;
    }
    double stops = meteredStops(image, how.film.exposurePercentile, true, how.optionOutput);
    if (how.format == ImageFormat::Png && how.film.exposureFrames > 0.0) {
        const std::optional<double> before = how.before.valid() ? std::optional(how.before.get()) : std::nullopt;
        stops = adaptedStops(before, stops, how.film.exposureFrames);
        how.own.set_value(stops);
    }
    image.attributes[kExposureAttribute] = exposureText(stops);
    return stops;
}

/// An EXR holds the picture as it is; a PNG has it exposed and tone mapped, its colours without their alpha.
EncodedPicture encodePicture(Image image, Encoding& how) {
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
        if (!how.stops) {
            options.text[kExposureAttribute] = image.attributes.at(kExposureAttribute);
        }
        picture.bytes = encodePng(toneMap(image, how.toneMap, stops, how.output), options, how.output);
    }
    return picture;
}

} // namespace

bool adapts(const Job& job) {
    const FilmSettings& film = job.scene.film;
    return job.options.frames && job.format == ImageFormat::Png && film.exposureFrames > 0.0 &&
           !exposureStops(film, cameraOf(job.scene, job.view));
}

void adaptTo(Job& job, const std::optional<double>& stops) {
    std::promise<double> known;
    if (stops) {
        known.set_value(*stops);
        job.stopsBefore = known.get_future().share();
    } else {
        job.stopsBefore = {};
    }
}

PictureUnderWay startPicture(Job& job, const FilmSums& film, const std::string& output) {
    Image image = makePicture(job, film);
    return {output, std::async(std::launch::async, [image = std::move(image), how = encodingOf(job, output)]() mutable {
                return encodePicture(std::move(image), how);
            })};
}

void writePicture(Job& job, PictureUnderWay picture) {
    const Stopwatch clock;
    const EncodedPicture encoded = picture.encoded.get();
    writeFileAtomically(picture.output, encoded.bytes);
    const double seconds = clock.seconds();
    const double finishing = std::min(encoded.finishSeconds, seconds);
    job.report.stages.add(Stage::Finish, finishing);
    job.report.stages.add(Stage::Write, seconds - finishing);
    job.report.outputBytes += encoded.bytes.size();
}

void savePicture(Job& job, const FilmSums& film, const std::string& output) {
    writePicture(job, startPicture(job, film, output));
}

} // namespace aureole
