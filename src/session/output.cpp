#include "session/output.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"

namespace aureole {

namespace {

/// The place where a file is or would be, the same for all paths that lead to it.
std::filesystem::path placeOf(const std::string& file) {
    std::error_code status;
    // weakly_canonical leaves the path of a file that is not there as relative as it was, so it is made absolute first.
    const std::filesystem::path absolute = std::filesystem::absolute(followLinks(file), status);
    const std::filesystem::path place = std::filesystem::weakly_canonical(absolute, status);
    return status ? absolute.lexically_normal() : place;
}

} // namespace

ImageFormat checkOutput(const std::filesystem::path& path, std::initializer_list<ImageFormat> formats) {
    const ImageFormat format = outputFormat(path);
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        const bool wantsExr = *formats.begin() == ImageFormat::Exr;
        fail(ExitCode::Usage, "{}: found the extension '{}', expected {} here", path.string(),
             path.extension().string(), wantsExr ? ".exr" : ".png");
    }
    checkWritable(path);
    return format;
}

void checkPngOption(std::string_view option, bool given, ImageFormat format, const std::string& output) {
    if (given && format != ImageFormat::Png) {
        fail(ExitCode::Usage, "{}: found it with {}, expected it with a .png alone: an EXR is linear", option, output);
    }
}

void checkFrameOptions(std::initializer_list<std::pair<std::string_view, bool>> options, bool frames) {
    for (const auto& [option, given] : options) {
        if (given && !frames) {
            fail(ExitCode::Usage, "{}: found it without --frames, expected both or none", option);
        }
    }
}

std::vector<NamedFile> filesOfScene(const std::vector<std::filesystem::path>& files) {
    std::vector<NamedFile> named;
    named.reserve(files.size());
    for (const std::filesystem::path& file : files) {
        named.push_back({"a file of the scene", file.string()});
    }
    return named;
}

void checkApart(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
    std::map<std::filesystem::path, std::string_view> owners;
    for (const NamedFile& file : read) {
        if (!file.file.empty()) {
            owners.emplace(placeOf(file.file), file.option);
        }
    }
    for (const NamedFile& file : written) {
        if (file.file.empty()) {
            continue;
        }
        const auto [owner, isNew] = owners.emplace(placeOf(file.file), file.option);
        if (!isNew) {
            fail(ExitCode::Usage, "{}: found {}, which is {} too; expected another file", file.option, file.file,
                 owner->second);
        }
    }
}

void checkExtension(const NamedFile& file, std::string_view extension) {
    if (!file.file.empty() && lowerExtension(file.file) != extension) {
        fail(ExitCode::Usage, "{}: found '{}', expected a name that ends in {}", file.option, file.file, extension);
    }
}

} // namespace aureole
