// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/live_trace.h"

#include <algorithm>
#include <vector>

namespace vnpu::sim {

using std::chrono::nanoseconds;

LiveTrace::LiveTrace(const hw::NpuConfig& config, const std::string& kinds,
                     const std::filesystem::path& folder, const Next& next)
    : next_(next), files_(kinds, folder), stream_(config, {}) {
    std::vector<EventSink*> sinks;
    files_.addSinks(sinks);
    for (EventSink* sink : sinks) {
        stream_.addSink(*sink);
    }
    stream_.begin();
}

void LiveTrace::end(nanoseconds now) {
    const std::lock_guard guard(mutex_);
    stream_.end(static_cast<std::uint64_t>(now.count()));
    files_.close();
}

template <typename Observer, typename Tell>
void LiveTrace::pass(Observer* next, Tell tell) {
    if (next != nullptr) {
        tell(*next);
    }
    const std::lock_guard guard(mutex_);
    tell(stream_);
}

template <typename Tell>
void LiveTrace::tellInOrder(nanoseconds now, Tell tell) {
    if (next_.driver != nullptr) {
        tell(*next_.driver, now);
    }
    const std::lock_guard guard(mutex_);
    last_ = std::max(last_, now);
    tell(stream_, last_);
}

void LiveTrace::onEngineCommand(const hw::EngineCommandRecord& record) {
    pass(next_.device, [&](hw::DeviceObserver& observer) { observer.onEngineCommand(record); });
}

void LiveTrace::onInterruptLine(std::uint64_t cycle, bool level) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onInterruptLine(cycle, level); });
}

void LiveTrace::onFirmwareEvent(std::uint64_t cycle, std::string_view event, std::uint64_t jobId) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onFirmwareEvent(cycle, event, jobId); });
}

void LiveTrace::onMmuMiss(std::uint64_t cycle, hw::Engine engine, std::uint64_t virtualAddress) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onMmuMiss(cycle, engine, virtualAddress); });
}

void LiveTrace::onFault(std::uint64_t cycle, hw::Engine engine, hw::JobStatus status,
                        std::string_view what) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onFault(cycle, engine, status, what); });
}

void LiveTrace::onPowerState(std::uint64_t cycle, hw::regs::PowerState state, std::uint32_t level) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onPowerState(cycle, state, level); });
}

void LiveTrace::onControllerActivity(std::uint64_t cycle, const hw::Activity& activity) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onControllerActivity(cycle, activity); });
}

void LiveTrace::onQueueDepth(std::uint64_t cycle, hw::Engine engine, std::uint32_t commands) {
    pass(next_.device,
         [&](hw::DeviceObserver& observer) { observer.onQueueDepth(cycle, engine, commands); });
}

void LiveTrace::onCallBegin(nanoseconds now, std::string_view call, std::uint64_t id,
                            std::uint32_t uid) {
    pass(next_.driver,
         [&](driver::DriverObserver& observer) { observer.onCallBegin(now, call, id, uid); });
}

void LiveTrace::onCallEnd(nanoseconds now, std::uint64_t id, driver::ErrorStatus status) {
    pass(next_.driver,
         [&](driver::DriverObserver& observer) { observer.onCallEnd(now, id, status); });
}

void LiveTrace::onJobSubmitted(nanoseconds now, std::uint64_t jobId, std::uint64_t callId,
                               const driver::CompiledModel& model) {
    pass(next_.driver, [&](driver::DriverObserver& observer) {
        observer.onJobSubmitted(now, jobId, callId, model);
    });
}

void LiveTrace::onJobShared(nanoseconds now, std::uint64_t jobId,
                            const driver::JobSharing& sharing) {
    pass(next_.driver,
         [&](driver::DriverObserver& observer) { observer.onJobShared(now, jobId, sharing); });
}

void LiveTrace::onJobCompleted(nanoseconds now, std::uint64_t jobId, driver::ErrorStatus status) {
    pass(next_.driver,
         [&](driver::DriverObserver& observer) { observer.onJobCompleted(now, jobId, status); });
}

void LiveTrace::onHostCopy(nanoseconds now, std::uint64_t bytes) {
    tellInOrder(now, [&](driver::DriverObserver& observer, nanoseconds time) {
        observer.onHostCopy(time, bytes);
    });
}

void LiveTrace::onBufferPlaced(nanoseconds now, const driver::BufferPlacement& placement) {
    tellInOrder(now, [&](driver::DriverObserver& observer, nanoseconds time) {
        observer.onBufferPlaced(time, placement);
    });
}

void LiveTrace::onFaultReport(nanoseconds now, const driver::FaultReport& report) {
    pass(next_.driver,
         [&](driver::DriverObserver& observer) { observer.onFaultReport(now, report); });
}

void LiveTrace::onLog(nanoseconds now, std::string_view line) {
    tellInOrder(now, [&](driver::DriverObserver& observer, nanoseconds time) {
        observer.onLog(time, line);
    });
}

}  // namespace vnpu::sim
