#include "session/finish_options.h"

#include "core/error.h"

namespace aureole {

FinishSettings FinishOptions::applied(FinishSettings settings) const {
    for (const auto& change : changes) {
        change(settings);
    }
    if (settings.lacksRelief()) {
        fail(ExitCode::Usage, "--thin-film: found 'shade' without --relief, expected both or none");
    }
    return settings;
}

} // namespace aureole
