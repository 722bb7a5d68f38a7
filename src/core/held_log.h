#pragma once

#include <string>
#include <vector>

#include "core/log.h"

namespace aureole {

struct LogLine {
    LogLevel level = LogLevel::Info;
    std::string text;
};

/// While it lives, what the thread that made it logs is kept, and lost unless it is taken: for work beside other work,
/// whose messages are to come in an order of their own.
class HeldLog {
public:
    HeldLog();
    ~HeldLog();
    HeldLog(const HeldLog&) = delete;
    HeldLog& operator=(const HeldLog&) = delete;

    /// What was logged so far, in its order.
    std::vector<LogLine> take();

private:
    std::vector<LogLine> lines_;
    std::vector<LogLine>* before_; ///< where the thread's messages went
};

} // namespace aureole
