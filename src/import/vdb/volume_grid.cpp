#include "import/vdb/volume_grid.h"

#include <algorithm>

#include "core/error.h"
#include "core/suggest.h"

namespace aureole::vdb {

namespace {

bool isReadable(const GridTitle& title) {
    return title.kind == kLevelSetKind && (title.type == "float" || title.type == "half");
}

std::string described(const GridTitle& title) {
    return fmt::format("'{}' ({} of {})", title.name, title.kind.empty() ? "no kind given," : title.kind, title.type);
}

std::string describedAll(const std::vector<GridTitle>& titles) {
    constexpr std::size_t kShown = 8;
    std::string all;
    for (std::size_t i = 0; i < titles.size() && i < kShown; ++i) {
        all += (i > 0 ? ", " : "") + described(titles[i]);
    }
    return titles.size() > kShown ? fmt::format("{} and {} more", all, titles.size() - kShown) : all;
}

/// Why it cannot be read, behind what it is.
const char* lackOf(const GridTitle& title) {
    return title.kind == kFogKind ? ": fog is rendered by participating media, which there are not yet" : "";
}

} // namespace

std::size_t chooseGrid(const std::vector<GridTitle>& titles, const std::string& wanted, const std::string& file) {
    if (titles.empty()) {
        fail(ExitCode::BadInput, "{}: holds no grid, expected a level set", file);
    }
    const auto found = wanted.empty() ? std::find_if(titles.begin(), titles.end(), isReadable)
                                      : std::find_if(titles.begin(), titles.end(),
                                                     [&](const GridTitle& title) { return title.name == wanted; });
    if (found != titles.end() && isReadable(*found)) {
        return static_cast<std::size_t>(found - titles.begin());
    }
    if (found != titles.end()) {
        fail(ExitCode::BadInput, "{}: found the grid {}, expected a level set of floats or halves{}", file,
             described(*found), lackOf(*found));
    }
    if (wanted.empty()) {
        fail(ExitCode::BadInput, "{}: found {} {}, expected a level set of floats or halves{}", file,
             titles.size() == 1 ? "the grid" : "the grids", describedAll(titles), lackOf(titles.front()));
    }
    std::vector<std::string> names;
    for (const GridTitle& title : titles) {
        names.push_back(title.name);
    }
    fail(ExitCode::BadInput, "{}: found no grid '{}', expected one of {}{}", file, wanted, describedAll(titles),
         didYouMean(wanted, names));
}

} // namespace aureole::vdb
