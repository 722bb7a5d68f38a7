#include "core/format_version.h"

#include <optional>

#include <fmt/format.h>

#include "core/error.h"
#include "core/to_number.h"

namespace aureole {

namespace {

/// "4", or "1 to 4".
std::string rangeText(const FormatVersions& reads) {
    return reads.oldest == reads.newest ? fmt::to_string(reads.newest)
                                        : fmt::format("{} to {}", reads.oldest, reads.newest);
}

} // namespace

void checkFormatVersion(const std::string& file, std::uint64_t found, const FormatVersions& reads) {
    if (found == 0) {
        fail(ExitCode::BadInput, "{}: the file is damaged: found version 0 of {}, expected {}", file, reads.files,
             rangeText(reads));
    }
    if (found > reads.newest) {
        fail(ExitCode::BadInput, "{}: written by a newer aureole: version {} of {}, this one reads {}", file, found,
             reads.files, rangeText(reads));
    }
    if (found < reads.oldest) {
        fail(ExitCode::BadInput, "{}: written by an older aureole: version {} of {}, this one reads {}{}{}", file,
             found, reads.files, rangeText(reads), reads.ofOlder[0] == '\0' ? "" : "; ", reads.ofOlder);
    }
}

void checkFormatVersion(const std::string& file, std::string_view found, const FormatVersions& reads) {
    const std::optional<std::uint64_t> number = toNumber<std::uint64_t>(found);
    if (!number) {
        fail(ExitCode::BadInput, "{}: the file is damaged: found version '{}' of {}, expected {}", file, found,
             reads.files, rangeText(reads));
    }
    checkFormatVersion(file, *number, reads);
}

} // namespace aureole
