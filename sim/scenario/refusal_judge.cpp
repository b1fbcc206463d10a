// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/refusal_judge.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <tl/expected.hpp>

namespace vnpu::sim {

namespace {

// Exit codes of a twin.
constexpr int kMetDeadline = 0;
constexpr int kMissedDeadline = 1;
constexpr int kNeverEnded = 2;

/// The exit code of the twin, or an error if it ended otherwise.
tl::expected<int, std::string> waitFor(pid_t process) {
    int status = 0;
    while (waitpid(process, &status, 0) < 0) {
        if (errno != EINTR) {
            return tl::unexpected(std::string(std::strerror(errno)));
        }
    }
    if (!WIFEXITED(status)) {
        return tl::unexpected(fmt::format("ended by signal {}", WTERMSIG(status)));
    }
    return WEXITSTATUS(status);
}

}  // namespace

bool RefusalJudge::insists(std::uint64_t callId) {
    const std::optional<FrameEvent> event = stream_.frameOfCall(callId);
    if (!event || twinOf_) {
        return false;
    }
    const Frame frame(event->client, event->frame);
    verdicts_[frame] = RefusalVerdict::kNotJudged;
    if (!scenario_.judgesRefusals || !failure_.empty()) {
        return false;
    }
    const pid_t twin = fork();
    if (twin == 0) {
        twinOf_ = frame;
        deadlineNs_ = event->arrivalNs + scenario_.clients.at(event->client).deadlineNs;
        return true;
    }
    const auto code = twin < 0 ? tl::unexpected(std::string(std::strerror(errno))) : waitFor(twin);
    if (code && *code <= kMissedDeadline) {
        verdicts_[frame] = *code == kMetDeadline ? RefusalVerdict::kWrong : RefusalVerdict::kRight;
    } else {
        failure_ = code ? fmt::format("exit code {}", *code) : code.error();
    }
    return false;
}

void RefusalJudge::finish() const {
    if (twinOf_) {
        _exit(kNeverEnded);
    }
    if (!failure_.empty()) {
        throw std::runtime_error(fmt::format("the twin of a refused execution: {}", failure_));
    }
}

void RefusalJudge::onEngineCommand(const EngineEvent& event) {
    if (event.startNs > deadlineNs_) {
        _exit(kMissedDeadline);
    }
}

void RefusalJudge::onFrameResult(std::uint32_t client, std::uint64_t frame,
                                 bool metDeadline) const {
    if (twinOf_ == Frame(client, frame)) {
        // Ends without destructors and without flushing files, which belong to the run.
        _exit(metDeadline ? kMetDeadline : kMissedDeadline);
    }
}

std::optional<RefusalVerdict> RefusalJudge::verdictOf(std::uint32_t client,
                                                      std::uint64_t frame) const {
    const auto found = verdicts_.find(Frame(client, frame));
    return found == verdicts_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace vnpu::sim
