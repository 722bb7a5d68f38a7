#include "cli/output.h"

#include <algorithm>

#include "core/file.h"

namespace aureole::cli {

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

} // namespace aureole::cli
