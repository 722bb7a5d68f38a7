#include "settings/model_show.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/error.h"
#include "core/lines.h"
#include "core/suggest.h"
#include "settings/parse_text.h"

namespace aureole {

const std::vector<std::string>& stageNames() {
    static const std::vector<std::string> names = {"studio", "outdoor", "white", "none"};
    return names;
}

const std::vector<std::string>& viewNames() {
    static const std::vector<std::string> names = {"front", "side", "top", "iso"};
    return names;
}

ModelView parseView(const std::string& option, const std::string& text) {
    // Of an isometric projection all three axes look alike: tan(elevation) = 1 / sqrt(2).
    constexpr double kIsometric = 35.264389682754654;
    constexpr double kRight = 90.0;
    const std::vector<ModelView> views = {
        {0.0, 0.0, false}, {kRight, 0.0, false}, {0.0, kRight, false}, {0.5 * kRight, kIsometric, true}};
    const std::vector<std::string>& names = viewNames();
    const auto name = std::find(names.begin(), names.end(), text);
    if (name != names.end()) {
        return views[static_cast<std::size_t>(name - names.begin())];
    }
    const std::vector<std::string> parts = splitList(text);
    if (parts.size() != 2) {
        fail(ExitCode::Usage, "{}: found '{}', expected one of {}, or AZIMUTH,ELEVATION in degrees{}", option, text,
             fmt::join(names, ", "), didYouMean(text, names));
    }
    return {parseNumber(option, parts[0], -360.0, 360.0), parseNumber(option, parts[1], -kRight, kRight), false};
}

} // namespace aureole
