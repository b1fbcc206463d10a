// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/event_stream.h"

#include <android/hardware/neuralnetworks/1.3/types.h>

#include <algorithm>
#include <iterator>

namespace vnpu::sim {

namespace {

std::uint64_t countNs(std::chrono::nanoseconds time) {
    return static_cast<std::uint64_t>(time.count());
}

/// The clock period of the device in the simulation: rounded to a picosecond, the time resolution
/// of SystemC.
std::uint64_t periodPicoseconds(std::uint32_t clockKhz) {
    constexpr std::uint64_t kPicosecondsPerMillisecond = 1'000'000'000;
    return (kPicosecondsPerMillisecond + clockKhz / 2) / clockKhz;
}

constexpr std::size_t kMaxKnownCalls = 4096;   // chosen: far more than can be in progress at once
constexpr std::size_t kMaxKnownModels = 1024;  // chosen: likewise; a dropped model is read again

bool describes(const ModelInfo& info, const driver::CompiledModel& model) {
    return info.commandCount == model.commandCount &&
           info.estimatedCycles == model.estimatedCycles &&
           info.operations.size() == model.operations.size();
}

}  // namespace

EventStream::EventStream(const hw::NpuConfig& config, std::vector<ClientInfo> clients)
    : config_(config),
      periodPs_(periodPicoseconds(config.clockKhz)),
      clients_(std::move(clients)),
      states_(clients_.size()) {}

void EventStream::begin() {
    send(&EventSink::onStart, config_, clients_);
}

void EventStream::end(std::uint64_t timeNs) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onEnd, timeNs);
}

void EventStream::announceCall(std::uint32_t client) {
    const std::lock_guard guard(mutex_);
    announced_[clients_.at(client).uid] = client;
}

void EventStream::beginFrame(std::uint32_t client, std::uint64_t frame, std::uint64_t arrivalNs,
                             std::uint64_t timeNs) {
    announceCall(client);
    const std::lock_guard guard(mutex_);
    states_.at(client) = {true, {client, frame, arrivalNs, timeNs}};
    send(&EventSink::onFrameBegin, states_[client].frame);
}

void EventStream::endFrame(std::uint32_t client, std::uint64_t timeNs, std::string_view status) {
    const std::lock_guard guard(mutex_);
    ClientState& state = states_.at(client);
    state.isInFrame = false;
    state.frame.timeNs = timeNs;
    send(&EventSink::onFrameEnd, state.frame, status);
}

std::optional<FrameEvent> EventStream::frameOfCall(std::uint64_t callId) const {
    const std::lock_guard guard(mutex_);
    const auto found = calls_.find(callId);
    if (found == calls_.end() || found->second.client == kNoClient) {
        return std::nullopt;
    }
    return states_.at(found->second.client).frame;
}

const JobInfo* EventStream::findJob(std::uint64_t jobId) const {
    const auto found = jobs_.find(jobId);
    return found == jobs_.end() ? nullptr : &found->second;
}

void EventStream::onEngineCommand(const hw::EngineCommandRecord& record) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onEngineCommand,
         EngineEvent{.record = record,
                     .queuedNs = timeOf(record.queuedCycle),
                     .waitNs = timeOf(record.startCycle - record.tokenStallCycles),
                     .startNs = timeOf(record.startCycle),
                     .endNs = timeOf(record.endCycle),
                     .job = findJob(record.jobId)});
}

void EventStream::onRegisterAccess(std::uint64_t cycle, bool write, bool fromController,
                                   std::uint32_t offset, std::uint32_t value) {
    send(&EventSink::onRegisterAccess, timeOf(cycle), write, fromController, offset, value);
}

void EventStream::onInterruptLine(std::uint64_t cycle, bool level) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onInterruptLine, timeOf(cycle), level);
}

void EventStream::onFirmwareEvent(std::uint64_t cycle, std::string_view event,
                                  std::uint64_t jobId) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onFirmwareEvent, timeOf(cycle), event, findJob(jobId));
}

void EventStream::onMmuMiss(std::uint64_t cycle, hw::Engine engine, std::uint64_t virtualAddress) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onMmuMiss, timeOf(cycle), engine, virtualAddress);
}

void EventStream::onFault(std::uint64_t cycle, hw::Engine engine, hw::JobStatus status,
                          std::string_view what) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onFault, timeOf(cycle), engine, status, what);
}

void EventStream::onPowerState(std::uint64_t cycle, hw::regs::PowerState state,
                               std::uint32_t level) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onPowerState, timeOf(cycle), state, level);
}

void EventStream::onControllerActivity(std::uint64_t cycle, const hw::Activity& activity) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onControllerActivity, timeOf(cycle), activity);
}

void EventStream::onQueueDepth(std::uint64_t cycle, hw::Engine engine, std::uint32_t commands) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onQueueDepth, timeOf(cycle), engine, commands);
}

std::uint32_t EventStream::clientOf(std::uint32_t uid) {
    if (const auto found = announced_.find(uid); found != announced_.end()) {
        const std::uint32_t client = found->second;
        announced_.erase(found);
        return client;
    }
    std::uint32_t only = kNoClient;
    for (std::uint32_t i = 0; i < clients_.size(); ++i) {
        if (clients_[i].uid == uid) {
            if (only != kNoClient) {
                return kNoClient;
            }
            only = i;
        }
    }
    return only;
}

void EventStream::onCallBegin(std::chrono::nanoseconds now, std::string_view call, std::uint64_t id,
                              std::uint32_t uid) {
    const std::lock_guard guard(mutex_);
    CallEvent event;
    event.callId = id;
    event.timeNs = countNs(now);
    event.uid = uid;
    event.method = call;
    event.client = clientOf(uid);
    if (event.client != kNoClient && states_[event.client].isInFrame) {
        event.frame = states_[event.client].frame.frame;
    }
    send(&EventSink::onCallBegin, event);
    calls_[id] = std::move(event);
}

void EventStream::onCallEnd(std::chrono::nanoseconds now, std::uint64_t id,
                            driver::ErrorStatus status) {
    const std::lock_guard guard(mutex_);
    const auto found = calls_.find(id);
    if (found == calls_.end()) {
        return;
    }
    CallEvent& event = found->second;
    event.timeNs = countNs(now);
    event.status = android::hardware::neuralnetworks::V1_3::toString(status);
    send(&EventSink::onCallEnd, event);
    // An asynchronous call may end before its job is submitted, so ended calls are kept for a
    // while. Calls that have not ended are always kept.
    for (auto call = calls_.begin(); call != calls_.end() && calls_.size() > kMaxKnownCalls;) {
        call = call->second.status.empty() ? std::next(call) : calls_.erase(call);
    }
}

std::shared_ptr<const ModelInfo> EventStream::infoOf(const driver::CompiledModel& model) {
    for (const KnownModel& known : models_) {
        if (known.model == &model && describes(*known.info, model)) {
            return known.info;
        }
    }
    auto info = std::make_shared<ModelInfo>();
    info->estimatedCycles = model.estimatedCycles;
    info->commandCount = model.commandCount;
    for (const driver::OperationEstimate& estimate : model.operations) {
        info->operations.push_back({estimate.name, estimate.cycles, estimate.macs,
                                    estimate.dramBytes, estimate.isFolded});
    }
    if (models_.size() == kMaxKnownModels) {
        models_.erase(models_.begin());
    }
    models_.push_back({&model, info});
    return info;
}

void EventStream::onJobSubmitted(std::chrono::nanoseconds now, std::uint64_t jobId,
                                 std::uint64_t callId, const driver::CompiledModel& model) {
    const std::lock_guard guard(mutex_);
    JobInfo job;
    job.jobId = jobId;
    job.callId = callId;
    job.submitNs = countNs(now);
    job.model = infoOf(model);
    if (const auto call = calls_.find(callId); call != calls_.end()) {
        job.client = call->second.client;
        job.frame = call->second.frame;
    }
    send(&EventSink::onJobSubmitted, jobs_.insert_or_assign(jobId, std::move(job)).first->second);
}

void EventStream::onJobShared(std::chrono::nanoseconds /*now*/, std::uint64_t jobId,
                              const driver::JobSharing& sharing) {
    const std::lock_guard guard(mutex_);
    if (const auto found = jobs_.find(jobId); found != jobs_.end()) {
        found->second.costs = sharing;
    }
}

void EventStream::onJobCompleted(std::chrono::nanoseconds now, std::uint64_t jobId,
                                 driver::ErrorStatus status) {
    const std::lock_guard guard(mutex_);
    const auto found = jobs_.find(jobId);
    if (found == jobs_.end()) {
        return;
    }
    send(&EventSink::onJobCompleted, found->second, countNs(now),
         android::hardware::neuralnetworks::V1_3::toString(status));
    jobs_.erase(found);
}

std::uint64_t EventStream::inOrder(std::chrono::nanoseconds now) {
    return lastNs_ = std::max(lastNs_, countNs(now));
}

void EventStream::onHostCopy(std::chrono::nanoseconds now, std::uint64_t bytes) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onHostCopy, inOrder(now), bytes);
}

void EventStream::onBufferPlaced(std::chrono::nanoseconds now,
                                 const driver::BufferPlacement& placement) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onBufferPlaced, inOrder(now), placement.sizeBytes,
         placement.place == driver::MemoryPlace::kOnChip);
}

void EventStream::onLog(std::chrono::nanoseconds now, std::string_view line) {
    const std::lock_guard guard(mutex_);
    send(&EventSink::onLog, inOrder(now), line);
}

}  // namespace vnpu::sim
