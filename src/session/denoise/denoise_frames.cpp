#include "session/denoise/denoise_frames.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/stopwatch.h"
#include "film/marks.h"
#include "film/picture.h"
#include "image/attributes.h"
#include "image/exr/exr.h"
#include "session/denoise/reprojection.h"
#include "session/frame_files.h"
#include "session/output.h"

namespace aureole {

namespace {

/// The frames that are read: those of the range, which must be there, and those beside it that are.
std::vector<std::uint32_t> framesToRead(const DenoiseFrames& frames) {
    const auto [first, end] = frames.frames;
    std::vector<std::uint32_t> numbers;
    const std::uint64_t last = std::min<std::uint64_t>(std::uint64_t{end} + kFramesBeside, UINT32_MAX);
    for (std::uint64_t number = first - std::min(first, kFramesBeside); number < last; ++number) {
        const auto frame = static_cast<std::uint32_t>(number);
        const std::string file = frameFile(frames.input, frame);
        const bool isAsked = frame >= first && frame < end;
        if (pathExists(file)) {
            numbers.push_back(frame);
        } else if (isAsked) {
            fail(ExitCode::BadInput, "{}: found no such file, expected all frames of --frames {}:{}", file, first, end);
        }
    }
    return numbers;
}

void checkAlike(const Image& frame, const std::string& file, const Image& first, const std::string& firstFile) {
    if (frame.width != first.width || frame.height != first.height) {
        fail(ExitCode::BadInput, "{}: found {}x{} pixels, expected {}x{} as {} has them", file, frame.width,
             frame.height, first.width, first.height, firstFile);
    }
    for (const char* const name : {kSceneHashAttribute, kCropAttribute}) {
        if (attributeOf(frame, name) != attributeOf(first, name)) {
            fail(ExitCode::BadInput, R"({}: found {} "{}", expected "{}" as {} has it: frames of one animation)", file,
                 name, attributeOf(frame, name), attributeOf(first, name), firstFile);
        }
    }
    checkLayersOf(frame, file, first, firstFile);
    // Each has the layers of the other. NOLINTNEXTLINE(readability-suspicious-call-argument)
    checkLayersOf(first, firstFile, frame, file);
}

/// A frame that was denoised by itself, or helps others.
struct Frame {
    std::uint32_t number = 0;
    std::string file;
    Image image;                                ///< as it was read, until it is written
    Denoiser::Picture picture;                  ///< its features and names alone
    std::vector<std::vector<glm::vec3>> lights; ///< this and the next: of each colour, as FrameView has them
    std::vector<std::vector<float>> direct;
    std::vector<float> noise;
    Sight sight;

    FrameView viewOf(std::size_t colour) const {
        return {sight, picture.features, noise, lights[colour], direct[colour]};
    }
};

Frame readFrame(Denoiser& denoiser, const DenoiseFrames& frames, std::uint32_t number, const gpu::Device* device) {
    Frame frame;
    frame.number = number;
    frame.file = frameFile(frames.input, number);
    frame.image = readExr(frame.file);
    refuseProcessed(frame.image, frame.file, kDenoisedInput);
    const std::optional<SeenLayers> seen = seenLayersIn(frame.image, frame.file);
    frame.picture = denoiser.pictureOf(frame.image, frame.file, seen ? &*seen : nullptr);
    frame.sight = sightOf(frame.image, frame.file);
    frame.sight.depth = frame.picture.features.depth; // as camera rays tell it, where the file has them
    frame.noise = noiseOf(frame.picture.features, frame.picture.half, frame.picture.otherHalf);
    for (FrameColour& colour : denoiser.clean(frame.picture, device)) {
        frame.lights.push_back(lightsOf(frame.picture.features, colour.light));
        frame.direct.push_back(std::move(colour.direct));
    }
    for (std::vector<float>* const done : {&frame.picture.whole, &frame.picture.half, &frame.picture.otherHalf}) {
        *done = {};
    }
    return frame;
}

/// The frame's colours with the help of the others.
std::vector<std::vector<float>> steadyColours(const Frame& frame, const std::deque<Frame>& window) {
    std::vector<std::vector<float>> colours;
    for (std::size_t i = 0; i < frame.lights.size(); ++i) {
        std::vector<FrameView> others;
        for (const Frame& other : window) {
            if (other.lights.size() != frame.lights.size()) {
                fail(ExitCode::BadInput, "{}: found {} colours to denoise, expected {} as {} has", other.file,
                     other.lights.size(), frame.lights.size(), frame.file);
            }
            if (other.number != frame.number) {
                others.push_back(other.viewOf(i));
            }
        }
        colours.push_back(steadyColour(frame.viewOf(i), others));
    }
    return colours;
}

} // namespace

void checkDenoiseFrames(const DenoiseFrames& frames) {
    const auto [first, end] = frames.frames;
    const std::vector<std::uint32_t> numbers = framesToRead(frames);
    std::vector<NamedFile> read;
    std::optional<Image> model;
    std::string modelFile;
    for (const std::uint32_t number : numbers) {
        const std::string file = frameFile(frames.input, number);
        read.push_back({"IN", file});
        Image head = readExrHead(file);
        refuseProcessed(head, file, kDenoisedInput);
        if (model) {
            checkAlike(head, file, *model, modelFile);
        } else {
            model = std::move(head);
            modelFile = file;
        }
    }
    std::vector<NamedFile> written;
    for (std::uint32_t frame = first; frame < end; ++frame) {
        written.push_back({"--output", frameFile(frames.output, frame)});
    }
    checkApart(written, read);
}

void denoiseFrames(Denoiser& denoiser, const DenoiseFrames& frames, const gpu::Device* device) {
    const std::vector<std::uint32_t> numbers = framesToRead(frames);
    std::deque<Frame> window;
    auto next = numbers.begin();
    for (std::uint32_t number = frames.frames.first; number < frames.frames.second; ++number) {
        const Stopwatch clock;
        while (!window.empty() && std::uint64_t{window.front().number} + kFramesBeside < number) {
            window.pop_front();
        }
        for (; next != numbers.end() && *next <= std::uint64_t{number} + kFramesBeside; ++next) {
            window.push_back(readFrame(denoiser, frames, *next, device));
        }
        Frame& frame =
            *std::find_if(window.begin(), window.end(), [&](const Frame& one) { return one.number == number; });
        Image image = std::move(frame.image);
        denoiser.put(image, frame.file, frames.keepNoisy, frame.picture, steadyColours(frame, window),
                     window.size() - 1);
        const std::string output = frameFile(frames.output, number);
        writeExr(output, image);
        logInfo("{}: {} in {}", output, *denoiseMark(image), formatDuration(clock.seconds()));
    }
}

} // namespace aureole
