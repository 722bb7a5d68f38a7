#pragma once

#include "core/log.h"

namespace aureole {

/// While it lives only errors are logged: for work that is done again, and has told of what there is to tell.
class QuietLog {
public:
    QuietLog();
    ~QuietLog();
    QuietLog(const QuietLog&) = delete;
    QuietLog& operator=(const QuietLog&) = delete;

private:
    LogLevel before_;
};

} // namespace aureole
