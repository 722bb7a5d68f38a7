#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "settings/finish.h"

namespace aureole {

/// What options change of how a picture is finished.
struct FinishOptions {
    /// What each option given does to the settings, in the order of the command line.
    std::vector<std::function<void(FinishSettings&)>> changes;
    std::vector<std::string> given; ///< their names

    bool gives(std::string_view name) const { return std::find(given.begin(), given.end(), name) != given.end(); }
    /// The settings of a scene, or none, as the options change them. Throws Error (Usage) where options lack another.
    FinishSettings applied(FinishSettings settings) const;
};

} // namespace aureole
