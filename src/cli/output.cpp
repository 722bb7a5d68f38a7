#include "cli/output.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/file.h"

namespace aureole::cli {

namespace {

bool areOne(const std::string& a, const std::string& b) {
    std::error_code status;
    const auto place = [&](const std::string& file) { return std::filesystem::weakly_canonical(file, status); };
    return !a.empty() && !b.empty() && place(a) == place(b);
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

void checkApart(std::initializer_list<NamedFile> written, std::initializer_list<NamedFile> read) {
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

} // namespace aureole::cli
