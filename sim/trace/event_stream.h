// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/api/device.h"
#include "hw_model/blocks/base/device_observer.h"
#include "hw_model/timing/npu_config.h"
#include "sim/trace/events.h"

namespace vnpu::sim {

/// The stream of all events of a run, or of a live device. It observes the device, the driver and
/// the clients, connects calls, jobs, operations and clients, converts device cycles to
/// nanoseconds, and passes the events to the sinks one at a time. It keeps only calls and jobs in
/// progress. Any thread, except for register accesses, which come without the lock on the
/// simulation thread, because only sinks of runs in virtual time use them.
class EventStream : public hw::DeviceObserver, public driver::DriverObserver {
  public:
    /// Without `clients`, calls are known by their UIDs only.
    EventStream(const hw::NpuConfig& config, std::vector<ClientInfo> clients);

    /// To be called before begin(). The sink must outlive the run.
    void addSink(EventSink& sink) { sinks_.push_back(&sink); }

    void begin();
    void end(std::uint64_t timeNs);

    /// The observer for the platform: null without sinks.
    EventStream* observer() { return sinks_.empty() ? nullptr : this; }

    /// The next HAL call of this client's UID belongs to `client` (several clients may share a
    /// UID).
    void announceCall(std::uint32_t client);
    void beginFrame(std::uint32_t client, std::uint64_t frame, std::uint64_t arrivalNs,
                    std::uint64_t timeNs);
    void endFrame(std::uint32_t client, std::uint64_t timeNs, std::string_view status);

    /// The latest frame of the client that made the call; nothing for an unknown call.
    std::optional<FrameEvent> frameOfCall(std::uint64_t callId) const;

    /// The time of the edge of a device cycle.
    std::uint64_t timeOf(std::uint64_t cycle) const { return cycle * periodPs_ / 1000; }

    void onEngineCommand(const hw::EngineCommandRecord& record) override;
    void onRegisterAccess(std::uint64_t cycle, bool write, bool fromController,
                          std::uint32_t offset, std::uint32_t value) override;
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
    void onLog(std::chrono::nanoseconds now, std::string_view line) override;

  private:
    struct ClientState {
        bool isInFrame = false;
        FrameEvent frame;
    };
    struct KnownModel {
        const driver::CompiledModel* model = nullptr;
        std::shared_ptr<const ModelInfo> info;
    };

    /// Calls the function of every sink.
    template <typename... Parameters, typename... Arguments>
    void send(void (EventSink::*event)(Parameters...), const Arguments&... arguments) const {
        for (EventSink* sink : sinks_) {
            (sink->*event)(arguments...);
        }
    }
    /// The time of an event on the track that all threads share, where times never decrease.
    std::uint64_t inOrder(std::chrono::nanoseconds now);
    const JobInfo* findJob(std::uint64_t jobId) const;
    std::shared_ptr<const ModelInfo> infoOf(const driver::CompiledModel& model);
    std::uint32_t clientOf(std::uint32_t uid);

    hw::NpuConfig config_;
    std::uint64_t periodPs_;
    std::vector<ClientInfo> clients_;
    std::vector<ClientState> states_;
    std::vector<EventSink*> sinks_;
    mutable std::mutex mutex_;  // guards what follows, states_, and the sinks; a leaf
    std::map<std::uint32_t, std::uint32_t> announced_;  // UID to client
    std::map<std::uint64_t, CallEvent> calls_;          // by id; the latest ones
    std::map<std::uint64_t, JobInfo> jobs_;             // submitted, not completed
    std::vector<KnownModel> models_;
    std::uint64_t lastNs_ = 0;  // see inOrder()
};

}  // namespace vnpu::sim
