#pragma once

// What the program and a worker say to each other. The program sends a Task and the asset's descriptor; the worker
// says that it is Ready, asks for files, logs, and ends with Failed, OutOfMemory or a Result.

#include <cstdint>
#include <string>

#include "core/log.h"
#include "sandbox/pack.h"
#include "sandbox/settings.h"

namespace aureole::sandbox {

/// Raised when these messages change. Results look after themselves (layoutOf).
inline constexpr std::uint32_t kProtocol = 8;

/// Where a worker finds its channel.
inline constexpr int kWorkerChannel = 3;

/// Bytes of a text that a worker sends other than in its result: a message, a path, a place in the asset.
inline constexpr std::size_t kLongestText = std::size_t{1} << 16U;

/// What is to be read. `option` of a Task says more.
enum class Job : std::uint8_t {
    Model, ///< option: normals have green down
    Texture,
    Exr,
    Png,     ///< option: values are linear
    Picture, ///< of another format, told apart by its first bytes
};
template <>
inline constexpr Job kLastOf<Job> = Job::Picture;
template <>
inline constexpr Isolation kLastOf<Isolation> = Isolation::None;
template <>
inline constexpr LogLevel kLastOf<LogLevel> = LogLevel::Debug;

struct Task {
    Job job = Job::Model;
    bool option = false;
    std::string part;                   ///< of a model: the name of a grid in it; "": whatever there is
    std::optional<std::string> colours; ///< of a model: the name of the grid of its colours, as ImportOptions has it
    std::vector<std::uint32_t> frames;  ///< of a model: those after the first whose voxels are read
    std::string clip;                   ///< of a model: the animation that poses it; "": none
    double seconds = 0.0;               ///< since the beginning of that
    bool loops = false;                 ///< whether it begins again behind its end
    std::string name;                   ///< the asset's path, for messages and its extension
};

template <typename Archive>
void pack(Archive& archive, Task& task) {
    archive(task.job, task.option, task.part, task.colours, task.frames, task.clip, task.seconds, task.loops,
            task.name);
}

template <typename Archive>
void pack(Archive& archive, Settings& settings) {
    archive(settings.isolation, settings.memory, settings.seconds, settings.files);
}

enum class Message : std::uint8_t {
    Ready,       ///< the errno of what is missing of Isolation::Strict, or 0
    Log,         ///< level, text
    Resolve,     ///< reference, place; answered by an Answer
    Find,        ///< reference, place; answered by an Answer
    Open,        ///< path; answered by an Answer, then the descriptor where that is Found
    Failed,      ///< exit code, text: an Error
    OutOfMemory, ///< of what the asset may take
    Result,      ///< the hash of its layout, the job's result
};
template <>
inline constexpr Message kLastOf<Message> = Message::Result;

enum class Found : std::uint8_t { Yes, Missing, Error };
template <>
inline constexpr Found kLastOf<Found> = Found::Error;

/// The program's answer to a worker's request for a file.
struct Answer {
    Found found = Found::Yes;
    std::string text; ///< the path, or the error's message
};

template <typename Archive>
void pack(Archive& archive, Answer& answer) {
    archive(answer.found, answer.text);
}

} // namespace aureole::sandbox
