#include "gpu/validation.h"

#include <cstdlib>

#include "core/error.h"
#include "gpu/memory_checks.h"

namespace aureole::gpu {

Validation parseValidation(std::string_view words) {
    Validation validation;
    while (!words.empty()) {
        const std::string_view word = words.substr(0, words.find(','));
        words.remove_prefix(word.size() == words.size() ? word.size() : word.size() + 1);
        if (word == "1") {
            validation.layer = true;
        } else if (word == "bounds") {
            validation.bounds = true;
        } else if (word != "0") {
            fail(ExitCode::Usage,
                 "AUREOLE_VALIDATION: '{}', expected 0, 1, bounds, or several of them with commas between", word);
        }
    }
    return validation;
}

Validation chooseValidation(const DeviceRequest& request) {
    const char* value = std::getenv("AUREOLE_VALIDATION"); // NOLINT(concurrency-mt-unsafe)
    Validation validation = parseValidation(value == nullptr ? "" : value);
    validation.layer = validation.layer || request.validation;
    validation.bounds = validation.bounds || request.bounds;
    if (validation.bounds && memoryChecks() == nullptr) {
        fail(ExitCode::Usage, "AUREOLE_VALIDATION: found 'bounds', which only the programs of tests can check "
                              "(tests/*/test_* of a build); expected 0 or 1");
    }
    return validation;
}

} // namespace aureole::gpu
