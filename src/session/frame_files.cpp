#include "session/frame_files.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "core/log.h"
#include "image/attributes.h"
#include "image/exr/exr.h"
#include "image/image_file.h"

namespace aureole {

std::string frameFile(const std::string& pattern, std::uint32_t frame) {
    const std::filesystem::path path = pattern;
    const std::string name = path.filename().string();
    const std::size_t first = std::min(name.find('#'), name.size());
    const std::size_t end = std::min(name.find_first_not_of('#', first), name.size());
    if (first == end || name.find('#', end) != std::string::npos) {
        fail(ExitCode::Usage,
             "found the file name {}, expected one run of # in it for the number of a frame or an image, as in "
             "out.####.exr",
             pattern);
    }
    const std::string numbered = fmt::format("{}{:0{}}{}", name.substr(0, first), frame, end - first, name.substr(end));
    return (path.parent_path() / numbered).string();
}

namespace {

/// What a frame's file notes; nothing where it is damaged.
std::map<std::string, std::string> notesIn(const std::string& file) {
    try {
        return readExrHead(file).attributes;
    } catch (const Error&) {
        return {};
    }
}

} // namespace

void checkFramesAlike(const std::string& pattern, std::uint32_t first, std::uint32_t end,
                      const std::string& sceneHash) {
    for (std::uint32_t frame = first; frame < end; ++frame) {
        const std::string file = frameFile(pattern, frame);
        if (!pathExists(file)) {
            continue;
        }
        const auto notes = notesIn(file);
        const auto hash = notes.find(kSceneHashAttribute);
        if (hash != notes.end() && hash->second != sceneHash) {
            fail(ExitCode::BadInput,
                 "{}: found a frame of another scene, or with other settings (aureole.scene_hash is {}, expected {}): "
                 "remove it, or render all frames without --skip-existing",
                 file, hash->second, sceneHash);
        }
        const auto number = notes.find(kFrameAttribute);
        if (number != notes.end() && number->second != fmt::to_string(frame)) {
            fail(ExitCode::BadInput,
                 "{}: found frame {} of this scene ({}), expected frame {}: remove it, or render all frames without "
                 "--skip-existing",
                 file, number->second, kFrameAttribute, frame);
        }
    }
}

bool hasWholeFrame(const std::string& file) {
    if (!pathExists(file)) {
        return false;
    }
    try {
        readImage(file);
        return true;
    } catch (const Error& error) {
        if (error.code() != ExitCode::BadInput) {
            throw;
        }
        logWarning("{}; the frame is rendered again", error.what());
        return false;
    }
}

IndexRanges framesWithoutFile(const std::string& pattern, const IndexRanges& frames) {
    IndexRanges missing;
    for (const auto& [first, end] : frames) {
        for (std::uint32_t frame = first; frame < end; ++frame) {
            if (!pathExists(frameFile(pattern, frame))) {
                missing.emplace_back(frame, frame + 1);
            }
        }
    }
    return joinRanges(std::move(missing));
}

} // namespace aureole
