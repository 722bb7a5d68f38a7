#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace aureole::gpu {

/// Sets an environment variable for as long as it lives. Vulkan's loader reads them anew for each instance.
class ScopedEnvironment {
public:
    ScopedEnvironment(const char* name, const char* value)
        : name_(name) {
        if (const char* before = std::getenv(name); before != nullptr) { // NOLINT(concurrency-mt-unsafe)
            before_ = before;
        }
        ::setenv(name, value, 1); // NOLINT(concurrency-mt-unsafe)
    }
    ~ScopedEnvironment() {
        if (before_) {
            ::setenv(name_, before_->c_str(), 1); // NOLINT(concurrency-mt-unsafe)
        } else {
            ::unsetenv(name_); // NOLINT(concurrency-mt-unsafe)
        }
    }
    ScopedEnvironment(const ScopedEnvironment&) = delete;
    ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;
    ScopedEnvironment(ScopedEnvironment&&) = delete;
    ScopedEnvironment& operator=(ScopedEnvironment&&) = delete;

private:
    const char* name_;
    std::optional<std::string> before_;
};

} // namespace aureole::gpu
