#include "gpu/submission.h"

#include <algorithm>

#include "core/error.h"
#include "core/trace.h"

namespace aureole::gpu {

Submission::State::State(std::shared_ptr<Context> owner, std::vector<std::string> passNames,
                         std::uint32_t timestampCount)
    : context(std::move(owner))
    , passes(std::move(passNames))
    , timestamps(timestampCount) {}

Submission::State::~State() {
    if (!retired) {
        context->adopt(std::move(work));
    }
}

std::vector<std::uint64_t> Submission::State::readTicks() const {
    std::vector<std::uint64_t> ticks(timestamps);
    for (std::size_t first = 0; first < ticks.size(); first += kQueriesPerPool) {
        const std::size_t queries = std::min<std::size_t>(kQueriesPerPool, ticks.size() - first);
        check(context->vk().vkGetQueryPoolResults(context->device(), work.slot.queries[first / kQueriesPerPool], 0,
                                                  static_cast<std::uint32_t>(queries), queries * sizeof(std::uint64_t),
                                                  &ticks[first], sizeof(std::uint64_t),
                                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              "vkGetQueryPoolResults", "timestamps");
    }
    return ticks;
}

void Submission::State::noteOnTimeline(const std::vector<std::uint64_t>& ticks) const {
    TimedCommands timed{submitted, TraceClock::now(), ticks.front(), {}};
    for (std::size_t i = 0; i < passes.size(); ++i) {
        timed.passes.emplace_back(passes[i], ticks[i + 2]);
    }
    if (passes.empty()) {
        timed.passes.emplace_back("commands", ticks.back());
    }
    const auto locked = context->lock();
    context->timeline()->add(std::move(timed));
}

void Submission::State::retire() {
    if (retired) {
        return;
    }
    const std::vector<std::uint64_t> ticks = readTicks();
    const std::size_t first = context->timeline() != nullptr ? 1 : 0;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        // Modulo the counter's width, so that one overflow between the two does no harm.
        const std::uint64_t elapsed = (ticks[first + i + 1] - ticks[first + i]) & context->physical().timestampMask;
        times.push_back({passes[i], static_cast<double>(elapsed) * context->physical().nanosecondsPerTick * 1e-6});
    }
    if (first != 0) {
        noteOnTimeline(ticks);
    }
    retired = true;
    context->returnSlot(std::move(work.slot));
    work.kept.clear();
    context->retire();
}

void Submission::wait() {
    if (state_ && !state_->retired) {
        const TraceSpan span("wait for device");
        state_->context->waitFor(state_->work.value);
        state_->retire();
        state_->context->checkBounds();
    }
}

bool Submission::finished() const {
    return !state_ || state_->retired || state_->context->reached(state_->work.value);
}

std::vector<PassTime> Submission::passTimes() const {
    if (!state_) {
        return {};
    }
    if (!state_->retired) {
        fail(ExitCode::Internal, "passTimes() of commands that were not waited for");
    }
    return state_->times;
}

} // namespace aureole::gpu
