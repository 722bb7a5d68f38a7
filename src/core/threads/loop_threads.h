#pragma once

namespace aureole {

/// While it is there, loops of the calling thread use so many threads: where other threads have work too.
class LoopThreads {
public:
    explicit LoopThreads(unsigned count);
    ~LoopThreads();
    LoopThreads(const LoopThreads&) = delete;
    LoopThreads& operator=(const LoopThreads&) = delete;
    LoopThreads(LoopThreads&&) = delete;
    LoopThreads& operator=(LoopThreads&&) = delete;

private:
    int before_;
};

/// The threads of loops of the calling thread.
unsigned loopThreads();

} // namespace aureole
