#include "session/render_run.h"

#include "core/current_error.h"
#include "core/log.h"
#include "session/render_plan.h"

namespace aureole {

namespace {

void finishReport(const RenderOptions& options, const Stopwatch& total, ExitCode code, RenderReport& report) {
    report.totalSeconds = total.seconds();
    report.exitCode = code;
    printReport(report);
    if (!options.statsFile.empty()) {
        writeReport(options.statsFile, report);
    }
}

/// Of a run that failed: the figures so far. That they cannot be written is a warning beside the failure.
void finishReport(const RenderOptions& options, const Stopwatch& total, const Error& failure, RenderReport& report) {
    if (failure.code() == ExitCode::Usage) {
        return; // the options are wrong, and the name for the figures may be what is wrong about them
    }
    report.failure = failure.what();
    try {
        finishReport(options, total, failure.code(), report);
    } catch (const std::exception& error) {
        logWarning("{}", error.what());
    }
}

} // namespace

ExitCode runReported(const RenderOptions& options, const std::function<ExitCode(RenderReport&)>& body) {
    const Stopwatch total;
    setProgressStyle(options.progress);
    RenderReport report;
    report.scene = options.scene;
    report.output = options.output;
    report.backend = options.reference ? "reference" : "gpu";
    ExitCode code = ExitCode::Done;
    try {
        code = body(report);
    } catch (...) {
        const Error error = currentError();
        finishReport(options, total, error, report);
        throw Error(error);
    }
    finishReport(options, total, code, report);
    return code;
}

} // namespace aureole
