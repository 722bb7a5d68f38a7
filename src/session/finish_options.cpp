#include "session/finish_options.h"

#include "core/error.h"

namespace aureole {

FinishSettings FinishOptions::applied(FinishSettings settings) const {
    for (const auto& change : changes) {
        change(settings);
    }
    return settings;
}

} // namespace aureole
