// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/counter_windows.h"
#include "sim/trace/events.h"
#include "sim/trace/perfetto_writer.h"

namespace vnpu::sim {

/// The timeline of a run for ui.perfetto.dev. waveforms/README.md describes its tracks. Memory does
/// not grow with the length of a run. Register accesses are left out, because there are too many.
class PerfettoSink : public EventSink {
  public:
    /// `out` must outlive the sink.
    explicit PerfettoSink(std::ostream& out) : writer_(out), windows_(kWindowNs) {}

    /// Length of a counter's step. chosen: a few hundred steps in one inference of a small network
    /// on a small device.
    static constexpr std::uint64_t kWindowNs = 10'000;

    void onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) override;
    void onEnd(std::uint64_t timeNs) override;
    void onFrameBegin(const FrameEvent& event) override;
    void onFrameEnd(const FrameEvent& event, std::string_view status) override;
    void onCallBegin(const CallEvent& event) override;
    void onCallEnd(const CallEvent& event) override;
    void onJobSubmitted(const JobInfo& job) override;
    void onJobCompleted(const JobInfo& job, std::uint64_t timeNs, std::string_view status) override;
    void onHostCopy(std::uint64_t timeNs, std::uint64_t bytes) override;
    void onBufferPlaced(std::uint64_t timeNs, std::uint64_t bytes, bool isOnChip) override;
    void onLog(std::uint64_t timeNs, std::string_view line) override;
    void onEngineCommand(const EngineEvent& event) override;
    void onInterruptLine(std::uint64_t timeNs, bool level) override;
    void onFirmwareEvent(std::uint64_t timeNs, std::string_view event, const JobInfo* job) override;
    void onMmuMiss(std::uint64_t timeNs, hw::Engine engine, std::uint64_t virtualAddress) override;
    void onFault(std::uint64_t timeNs, hw::Engine engine, hw::JobStatus status,
                 std::string_view what) override;
    void onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) override;
    void onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                      std::uint32_t level) override;

  private:
    /// Tracks of one name for slices that may overlap; within a track no slices overlap, and the
    /// viewer shows the tracks as one.
    struct Lanes {
        std::uint64_t parent = 0;
        std::string name;
        std::int32_t rank = 0;
        std::uint64_t firstTrack = 0;
        std::vector<std::uint64_t> freeFromNs;  // per track; UINT64_MAX while a slice is open
    };
    struct OpenJob {
        std::uint64_t track = 0;
        std::size_t lane = 0;
        bool isInner = false;  // a slice "queued" or "on device" is open inside the job's
        std::array<bool, hw::kEngineCount> hasFlow{};  // the flow has reached this engine
    };
    /// A call of a user without a client in the run.
    struct OpenCall {
        std::uint32_t uid = 0;
        std::size_t lane = 0;
    };
    struct ClientState {
        bool isInFrame = false;
        bool hasJob = false;
        std::uint64_t flow = 0;
    };

    void beginPowerSlice(std::uint64_t timeNs, hw::regs::PowerState state, std::uint32_t level);
    std::uint64_t addTrack(std::uint64_t parent, std::string_view name, std::int32_t rank);
    std::uint64_t addProcess(std::int32_t processId, std::string_view name);
    Lanes makeLanes(std::uint64_t parent, std::string name, std::int32_t rank);
    std::size_t laneFor(Lanes& lanes, std::uint64_t startNs);
    static std::uint64_t trackOf(const Lanes& lanes, std::size_t lane) {
        return lanes.firstTrack + lane;
    }
    std::string sliceName(const EngineEvent& event) const;
    std::string clientName(std::uint32_t client) const;
    std::uint64_t beginCall(const CallEvent& event);
    Lanes& lanesOfUser(std::uint32_t uid);
    Lanes& lanesOf(const JobInfo& job) {
        return jobLanes_[std::min<std::size_t>(job.client, jobLanes_.size() - 1)];
    }
    void endWith(std::uint64_t track, std::uint64_t timeNs, std::string_view status,
                 std::string_view category);
    /// An instant on the track of the driver's log.
    void addNote(std::uint64_t timeNs, std::string_view name, std::string_view text);
    void setQueues(std::uint64_t timeNs,
                   const std::function<std::uint32_t(std::size_t engine)>& depthOf);
    void writeWindows(std::uint64_t nowNs);
    void setCounter(std::size_t counter, std::uint64_t timeNs, double value);

    PerfettoWriter writer_;
    CounterWindows windows_;
    hw::NpuConfig config_;
    std::vector<ClientInfo> clients_;
    std::vector<ClientState> states_;
    std::uint64_t lastTrack_ = 0;
    std::vector<std::uint64_t> clientTracks_;
    std::uint64_t clientGroup_ = 0;
    std::map<std::uint32_t, Lanes> userLanes_;     // by UID
    std::map<std::uint64_t, OpenCall> openCalls_;  // by id
    std::vector<Lanes> jobLanes_;                  // per client, and one for jobs without a client
    std::uint64_t logTrack_ = 0;
    std::uint64_t firmwareTrack_ = 0;
    std::uint64_t interruptTrack_ = 0;
    std::uint64_t faultTrack_ = 0;
    std::uint64_t powerTrack_ = 0;              // 0: the device has one level and never sleeps
    std::vector<Lanes> engineLanes_;            // by engine index
    std::vector<std::uint64_t> counterTracks_;  // DRAM, MAC, TLB, then the engines' queues
    std::vector<double> counterValues_;
    std::uint64_t nextWindowNs_ = 0;  // end of the last window written
    std::map<std::uint64_t, OpenJob> jobs_;
    bool isFirmwareOpen_ = false;
    bool isInterruptOpen_ = false;
};

}  // namespace vnpu::sim
