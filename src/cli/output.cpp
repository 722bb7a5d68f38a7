#include "cli/output.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/extension.h"
#include "core/file.h"

namespace aureole::cli {

namespace {

/// Where a file lies or would lie, whatever names it.
std::filesystem::path placeOf(const std::string& file) {
    std::error_code status;
    // Made absolute first: the canonical name of a file that is not there yet would stay as relative as it was.
    const std::filesystem::path absolute = std::filesystem::absolute(followLinks(file), status);
    const std::filesystem::path place = std::filesystem::weakly_canonical(absolute, status);
    return status ? absolute.lexically_normal() : place;
}

bool areOne(const std::string& a, const std::string& b) {
    return !a.empty() && !b.empty() && placeOf(a) == placeOf(b);
}

} // namespace

ImageFormat checkOutput(const std::filesystem::path& path, std::initializer_list<ImageFormat> formats) {
    const ImageFormat format = imageFormat(path, ExitCode::Usage);
    if (std::find(formats.begin(), formats.end(), format) == formats.end()) {
        const bool wantsExr = *formats.begin() == ImageFormat::Exr;
        fail(ExitCode::Usage, "{}: found the extension '{}', expected {} here", path.string(),
             path.extension().string(), wantsExr ? ".exr" : ".png");
    }
    checkWritable(path);
    return format;
}

void checkPngOptions(std::initializer_list<std::pair<std::string_view, bool>> options, ImageFormat format,
                     const std::string& output) {
    for (const auto& [option, given] : options) {
        if (given && format != ImageFormat::Png) {
            fail(ExitCode::Usage, "{}: found it with {}, expected it with a .png alone: an EXR is linear", option,
                 output);
        }
    }
}

void checkApart(const std::vector<NamedFile>& written, const std::vector<NamedFile>& read) {
    std::vector<NamedFile> others = read;
    for (const NamedFile& file : written) {
        for (const NamedFile& other : others) {
            if (areOne(file.file, other.file)) {
                fail(ExitCode::Usage, "{}: found {}, which is {} too; expected another file", file.option, file.file,
                     other.option);
            }
        }
        others.push_back(file);
    }
}

void checkExtension(const NamedFile& file, std::string_view extension) {
    if (!file.file.empty() && lowerExtension(file.file) != extension) {
        fail(ExitCode::Usage, "{}: found '{}', expected a name that ends in {}", file.option, file.file, extension);
    }
}

} // namespace aureole::cli
