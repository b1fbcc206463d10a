// SPDX-License-Identifier: Apache-2.0
#include "sim/qemu/qemu_session.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <ctime>
#include <stdexcept>
#include <utility>

namespace vnpu::sim {

using std::chrono::nanoseconds;
using std::chrono::steady_clock;

namespace {

// chosen: enough for a burst of memory maps, few enough that the device goes on
constexpr int kMostRequestsAtOnce = 64;

}  // namespace

QemuSession::QemuSession(const DeviceCard::Options& options, Pace pace, Sockets sockets)
    : card_(options),
      wires_(std::move(sockets.qtest)),
      function_(card_, wires_, options.log),
      clock_(pace),
      channel_(std::move(sockets.proxy)),
      stop_(std::move(sockets.stop)) {
    card_.connect(function_);
}

QemuSession::End QemuSession::run() {
    std::uint64_t edgesSeen = 0;
    while (true) {
        const bool wasAccessed = serveRequests();
        wires_.exchange();
        if (channel_.isClosed() || wires_.isClosed()) {
            return End::kDisconnected;
        }
        if (isStopped_) {
            return End::kStopped;
        }
        const Pace::WallTime wall = steady_clock::now();
        const nanoseconds now = card_.now();
        if (wasAccessed || card_.interruptEdges() != edgesSeen) {
            edgesSeen = card_.interruptEdges();
            clock_.noteActivity(now, wall);
        }
        const Pace::Step step = clock_.next(now, card_.nextEvent(), wall);
        if (step.sleepUntil) {
            wait(step.sleepUntil);
        } else {
            card_.advance(step.runUntil - now);
            wires_.exchange();
            wait(std::nullopt);
        }
    }
}

bool QemuSession::serveRequests() {
    for (int count = 0; count < kMostRequestsAtOnce; ++count) {
        auto request = channel_.receive();
        if (!request) {
            throw std::runtime_error(
                    fmt::format("QEMU does not keep to the protocol: {}", request.error()));
        }
        if (!*request) {
            return count != 0;
        }
        if (const auto value = function_.serve(std::move(**request))) {
            if (const auto answered = channel_.answer(*value); !answered) {
                throw std::runtime_error(answered.error());
            }
        }
    }
    return true;
}

/// Returns at once without a time.
void QemuSession::wait(std::optional<Pace::WallTime> until) {
    constexpr short kRead = POLLIN;
    const short qtestEvents = wires_.hasUnsent() ? POLLIN | POLLOUT : POLLIN;
    pollfd files[] = {{channel_.socket(), kRead, 0},
                      {wires_.socket(), qtestEvents, 0},
                      {stop_.get(), kRead, 0}};
    timespec left{};
    if (until && *until != Pace::WallTime::max()) {
        const auto time = std::max(nanoseconds(*until - steady_clock::now()), nanoseconds(0));
        left.tv_sec = time.count() / 1'000'000'000;
        left.tv_nsec = time.count() % 1'000'000'000;
    }
    ppoll(files, std::size(files), until == Pace::WallTime::max() ? nullptr : &left, nullptr);
    isStopped_ = files[2].revents != 0;
}

}  // namespace vnpu::sim
