#include "session/picture.h"

#include <filesystem>
#include <system_error>

#include "bloom/filter.h"
#include "film/picture.h"
#include "image/colour/tonemap.h"
#include "image/exr/exr.h"
#include "image/png/png.h"
#include "scene/exposure.h"
#include "session/attributes.h"

namespace aureole {

namespace {

/// The first device that has not failed while it rendered; the last one where all have.
const gpu::Device& deviceForBloom(const Job& job) {
    const std::vector<ReportedDevice>& reported = job.report.devices;
    std::size_t first = 0;
    while (first + 1 < reported.size() && !reported[first].use.failure.empty()) {
        ++first;
    }
    return job.devices[first];
}

void bloomPicture(Job& job, Image& image) {
    double milliseconds = 0.0;
    const BloomMethod method = bloomMethod(job.scene.bloom);
    image = bloom(deviceForBloom(job), image, *job.kernel, method, job.options.output, &milliseconds);
    markBloomed(image, "", describeBloom(job.scene.bloom, *job.kernel, method));
    job.report.bloomMilliseconds = job.report.bloomMilliseconds.value_or(0.0) + milliseconds;
}

void finishPicture(const Job& job, Image& image) {
    job.finish->apply(image, job.options.output);
    markFinished(image, "", job.finish->describe(image));
}

/// The whole way from the film to the picture, still linear. The film is on the host here, and bloom uploads the image
/// made of it: a film that stays on its device would be bloomed there instead of between filmImage and bloomPicture.
Image makePicture(Job& job, const FilmSums& film) {
    StageTimes& stages = job.report.stages;
    Image image = filmImage(film, job.options.sampleRange.has_value());
    addAttributes(image, job.scene, job.view, job.options, job.report);
    if (job.kernel) {
        stages.time(Stage::Bloom, [&] { bloomPicture(job, image); });
    }
    if (job.finish) {
        stages.time(Stage::Finish, [&] { finishPicture(job, image); });
    }
    return image;
}

/// An EXR holds the picture as it is; a PNG has it exposed and tone mapped, its colours without their alpha.
void writePicture(const Job& job, const Image& image, const std::string& output) {
    if (job.format == ImageFormat::Exr) {
        writeExr(output, image);
        return;
    }
    Image colours = image;
    unassociateAlpha(colours);
    const Scene& scene = job.scene;
    const double stops = exposureStops(scene.film, cameraOf(scene, job.view));
    writePng(output, toneMap(colours, scene.film.tonemap, stops, output));
}

} // namespace

void savePicture(Job& job, const FilmSums& film, const std::string& output) {
    const Image image = makePicture(job, film);
    job.report.stages.time(Stage::Write, [&] { writePicture(job, image, output); });
    std::error_code gone; // another program may be quick to remove the file
    const std::uintmax_t bytes = std::filesystem::file_size(output, gone);
    job.report.outputBytes += gone ? 0 : bytes;
}

} // namespace aureole
