// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>

#include "driver/api/device.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/timing/npu_config.h"
#include "sim/trace/event_stream.h"
#include "sim/trace/trace_files.h"

namespace vnpu::sim {

/// Traces of a live device. Many threads report at the same time, and the events are written one
/// after another. Clients are not known before their calls, so their UIDs name them. Passes all
/// events except register accesses on to `device` and `driver`, which must outlive it and may be
/// null. Any thread.
class LiveTrace : public hw::DeviceObserver, public driver::DriverObserver {
  public:
    struct Next {
        hw::DeviceObserver* device = nullptr;
        driver::DriverObserver* driver = nullptr;
    };

    /// `kinds` and errors as for TraceFiles.
    LiveTrace(const hw::NpuConfig& config, const std::string& kinds,
              const std::filesystem::path& folder, const Next& next);

    /// Ends the traces at this device time; no events may follow. Throws std::runtime_error if
    /// something could not be written.
    void end(std::chrono::nanoseconds now);

    void onEngineCommand(const hw::EngineCommandRecord& record) override;
    void onInterruptLine(std::uint64_t cycle, bool level) override;
    void onFirmwareEvent(std::uint64_t cycle, std::string_view event, std::uint64_t jobId) override;
    void onMmuMiss(std::uint64_t cycle, hw::Engine engine, std::uint64_t virtualAddress) override;
    void onFault(std::uint64_t cycle, hw::Engine engine, hw::JobStatus status,
                 std::string_view what) override;
    void onPowerState(std::uint64_t cycle, hw::regs::PowerState state,
                      std::uint32_t level) override;
    void onControllerActivity(std::uint64_t cycle, const hw::Activity& activity) override;
    void onQueueDepth(std::uint64_t cycle, hw::Engine engine, std::uint32_t commands) override;

    void onCallBegin(std::chrono::nanoseconds now, std::string_view call, std::uint64_t id,
                     std::uint32_t uid) override;
    void onCallEnd(std::chrono::nanoseconds now, std::uint64_t id,
                   driver::ErrorStatus status) override;
    void onJobSubmitted(std::chrono::nanoseconds now, std::uint64_t jobId, std::uint64_t callId,
                        const driver::CompiledModel& model) override;
    void onJobShared(std::chrono::nanoseconds now, std::uint64_t jobId,
                     const driver::JobSharing& sharing) override;
    void onJobCompleted(std::chrono::nanoseconds now, std::uint64_t jobId,
                        driver::ErrorStatus status) override;
    void onHostCopy(std::chrono::nanoseconds now, std::uint64_t bytes) override;
    void onBufferPlaced(std::chrono::nanoseconds now,
                        const driver::BufferPlacement& placement) override;
    void onFaultReport(std::chrono::nanoseconds now, const driver::FaultReport& report) override;
    void onLog(std::chrono::nanoseconds now, std::string_view line) override;

  private:
    /// Calls `tell` with the next observer, if there is one, and with the stream.
    template <typename Observer, typename Tell>
    void pass(Observer* next, Tell tell);
    /// The same for events whose track all threads share: the times of the track never decrease.
    template <typename Tell>
    void tellInOrder(std::chrono::nanoseconds now, Tell tell);

    const Next next_;
    TraceFiles files_;
    std::mutex mutex_;  // guards what follows, and the files
    EventStream stream_;
    std::chrono::nanoseconds last_{};
};

}  // namespace vnpu::sim
