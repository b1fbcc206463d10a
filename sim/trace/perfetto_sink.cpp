// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/perfetto_sink.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/trace/power_label.h"

namespace vnpu::sim {

namespace {

constexpr std::uint64_t kTracksPerFamily = 64;  // chosen: far more than slices that can overlap
constexpr std::size_t kDramCounter = 0;
constexpr std::size_t kMacCounter = 1;
constexpr std::size_t kTlbCounter = 2;
constexpr std::size_t kFirstQueueCounter = 3;

/// Flow numbers: one per HAL call, never 0.
std::uint64_t flowOf(std::uint64_t callId) {
    return callId + 1;
}

void addIfAny(std::vector<TraceArgument>& arguments, std::string_view name, std::uint64_t value) {
    if (value != 0) {
        arguments.push_back({name, value});
    }
}

}  // namespace

PerfettoSink::Lanes PerfettoSink::makeLanes(std::uint64_t parent, std::string name,
                                            std::int32_t rank) {
    Lanes lanes;
    lanes.parent = parent;
    lanes.name = std::move(name);
    lanes.rank = rank;
    lanes.firstTrack = lastTrack_ + 1;
    lastTrack_ += kTracksPerFamily;
    writer_.addTrack(lanes.firstTrack, parent, lanes.name, rank);
    lanes.freeFromNs.push_back(0);
    return lanes;
}

std::size_t PerfettoSink::laneFor(Lanes& lanes, std::uint64_t startNs) {
    for (std::size_t i = 0; i < lanes.freeFromNs.size(); ++i) {
        if (lanes.freeFromNs[i] <= startNs) {
            return i;
        }
    }
    if (lanes.freeFromNs.size() == kTracksPerFamily) {
        return kTracksPerFamily - 1;
    }
    writer_.addTrack(trackOf(lanes, lanes.freeFromNs.size()), lanes.parent, lanes.name, lanes.rank);
    lanes.freeFromNs.push_back(0);
    return lanes.freeFromNs.size() - 1;
}

std::uint64_t PerfettoSink::addTrack(std::uint64_t parent, std::string_view name,
                                     std::int32_t rank) {
    writer_.addTrack(++lastTrack_, parent, name, rank);
    return lastTrack_;
}

std::uint64_t PerfettoSink::addProcess(std::int32_t processId, std::string_view name) {
    writer_.addProcess(++lastTrack_, processId, name, processId);
    return lastTrack_;
}

void PerfettoSink::onStart(const hw::NpuConfig& config, const std::vector<ClientInfo>& clients) {
    config_ = config;
    clients_ = clients;
    states_.resize(clients.size());
    writer_.orderProcesses();
    clientGroup_ = addProcess(1, "clients");
    std::int32_t rank = 0;
    for (const ClientInfo& client : clients) {
        clientTracks_.push_back(
                addTrack(clientGroup_, fmt::format("{} ({})", client.name, client.model), ++rank));
    }

    const std::uint64_t driverGroup = addProcess(2, "driver");
    rank = 0;
    for (const ClientInfo& client : clients) {
        jobLanes_.push_back(makeLanes(driverGroup, "jobs of " + client.name, ++rank));
    }
    jobLanes_.push_back(makeLanes(driverGroup, "jobs of others", ++rank));
    logTrack_ = addTrack(driverGroup, "log", ++rank);

    const std::uint64_t deviceGroup = addProcess(3, "npu " + config.name);
    rank = 0;
    interruptTrack_ = addTrack(deviceGroup, "interrupt line", ++rank);
    firmwareTrack_ = addTrack(deviceGroup, "firmware", ++rank);
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        const auto engine = static_cast<hw::Engine>(i);
        engineLanes_.push_back(
                hasCommands(engine)
                        ? makeLanes(deviceGroup, std::string(hw::engineName(engine)), ++rank)
                        : Lanes{});
    }
    if (hasPowerStates(config)) {
        powerTrack_ = addTrack(deviceGroup, "power", ++rank);
        beginPowerSlice(0, hw::regs::PowerState::kActive, 0);
    }
    faultTrack_ = addTrack(deviceGroup, "faults", ++rank);
    const auto addCounter = [&](const std::string& name, const std::string& unit) {
        counterTracks_.push_back(++lastTrack_);
        counterValues_.push_back(0.0);
        writer_.addCounter(lastTrack_, deviceGroup, name, unit, ++rank);
    };
    addCounter("DRAM traffic", "GB/s");
    addCounter("MAC utilization", "%");
    addCounter("TLB misses", fmt::format("per {} us", kWindowNs / 1000));
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        if (hasCommands(static_cast<hw::Engine>(i))) {
            addCounter(fmt::format("{} queue", hw::engineName(static_cast<hw::Engine>(i))),
                       "commands");
        }
    }
}

void PerfettoSink::onEnd(std::uint64_t timeNs) {
    writeWindows(UINT64_MAX);
    for (std::size_t counter = 0; counter < counterTracks_.size(); ++counter) {
        setCounter(counter, std::max(timeNs, nextWindowNs_), 0.0);
    }
    if (isInterruptOpen_) {
        writer_.endSlice(interruptTrack_, timeNs);
    }
    if (powerTrack_ != 0) {
        writer_.endSlice(powerTrack_, timeNs);
    }
    writer_.flush();
}

std::string PerfettoSink::clientName(std::uint32_t client) const {
    return client < clients_.size() ? clients_[client].name : "nobody";
}

void PerfettoSink::onFrameBegin(const FrameEvent& event) {
    states_[event.client] = {.isInFrame = true, .hasJob = false, .flow = 0};
    writer_.beginSlice(clientTracks_[event.client], event.timeNs,
                       {.name = fmt::format("frame {}", event.frame),
                        .category = "client",
                        .arguments = {{"arrival_ns", event.arrivalNs},
                                      {"waited_ns", event.timeNs - event.arrivalNs}}});
}

void PerfettoSink::onFrameEnd(const FrameEvent& event, std::string_view status) {
    ClientState& state = states_[event.client];
    PerfettoWriter::Slice end{.name = status, .category = "client"};
    if (state.hasJob) {
        end.terminatingFlows = {state.flow};
    }
    writer_.addInstant(clientTracks_[event.client], event.timeNs, end);
    writer_.endSlice(clientTracks_[event.client], event.timeNs);
    state.isInFrame = false;
}

/// The track of a user without a client in the run. Such tracks follow those of the clients in the
/// order of the first calls.
PerfettoSink::Lanes& PerfettoSink::lanesOfUser(std::uint32_t uid) {
    // Further users share the last track. chosen: far more than a device has users
    constexpr std::size_t kMostUsers = 256;
    auto found = userLanes_.find(uid);
    if (found == userLanes_.end() && userLanes_.size() < kMostUsers) {
        const auto rank = static_cast<std::int32_t>(clientTracks_.size() + userLanes_.size() + 1);
        Lanes lanes = makeLanes(clientGroup_, fmt::format("calls of uid {}", uid), rank);
        found = userLanes_.emplace(uid, std::move(lanes)).first;
    }
    return found == userLanes_.end() ? userLanes_.rbegin()->second : found->second;
}

/// The track for a slice.
std::uint64_t PerfettoSink::beginCall(const CallEvent& event) {
    if (event.client < clientTracks_.size()) {
        return clientTracks_[event.client];
    }
    Lanes& lanes = lanesOfUser(event.uid);
    const std::size_t lane = laneFor(lanes, event.timeNs);
    lanes.freeFromNs[lane] = UINT64_MAX;
    openCalls_[event.callId] = {event.uid, lane};
    return trackOf(lanes, lane);
}

void PerfettoSink::onCallBegin(const CallEvent& event) {
    writer_.beginSlice(beginCall(event), event.timeNs,
                       {.name = event.method,
                        .category = "hal",
                        .flows = {flowOf(event.callId)},
                        .arguments = {{"call", event.callId}, {"uid", event.uid}}});
}

void PerfettoSink::onCallEnd(const CallEvent& event) {
    std::uint64_t track = 0;
    if (event.client < clientTracks_.size()) {
        track = clientTracks_[event.client];
    } else if (const auto open = openCalls_.find(event.callId); open != openCalls_.end()) {
        Lanes& lanes = lanesOfUser(open->second.uid);
        lanes.freeFromNs[open->second.lane] = event.timeNs;
        track = trackOf(lanes, open->second.lane);
        openCalls_.erase(open);
    } else {
        return;
    }
    endWith(track, event.timeNs, event.status, "hal");
}

/// Ends a slice; a status other than NONE is marked at its end.
void PerfettoSink::endWith(std::uint64_t track, std::uint64_t timeNs, std::string_view status,
                           std::string_view category) {
    if (status != "NONE") {
        writer_.addInstant(track, timeNs, {.name = status, .category = category});
    }
    writer_.endSlice(track, timeNs);
}

void PerfettoSink::onJobSubmitted(const JobInfo& job) {
    if (job.client < states_.size() && states_[job.client].isInFrame) {
        states_[job.client].hasJob = true;
        states_[job.client].flow = flowOf(job.callId);
    }
    Lanes& lanes = lanesOf(job);
    OpenJob& open = jobs_[job.jobId] = {};
    open.lane = laneFor(lanes, job.submitNs);
    open.track = trackOf(lanes, open.lane);
    open.isInner = true;
    lanes.freeFromNs[open.lane] = UINT64_MAX;
    writer_.beginSlice(
            open.track, job.submitNs,
            {.name = fmt::format("job {}", job.jobId),
             .category = "driver",
             .flows = {flowOf(job.callId)},
             .arguments = {{"job", job.jobId}, {"estimate_cycles", job.model->estimatedCycles}}});
    writer_.beginSlice(open.track, job.submitNs, {.name = "queued", .category = "driver"});
}

void PerfettoSink::onJobCompleted(const JobInfo& job, std::uint64_t timeNs,
                                  std::string_view status) {
    const auto found = jobs_.find(job.jobId);
    if (found == jobs_.end()) {
        return;
    }
    const OpenJob& open = found->second;
    if (open.isInner) {
        writer_.endSlice(open.track, timeNs);
    }
    endWith(open.track, timeNs, status, "driver");
    lanesOf(job).freeFromNs[open.lane] = timeNs;
    jobs_.erase(found);
}

void PerfettoSink::addNote(std::uint64_t timeNs, std::string_view name, std::string_view text) {
    writer_.addInstant(logTrack_, timeNs, {.name = name, .category = "driver", .text = text});
}

void PerfettoSink::onHostCopy(std::uint64_t timeNs, std::uint64_t bytes) {
    addNote(timeNs, "host copy", fmt::format("{} bytes", bytes));
}

void PerfettoSink::onBufferPlaced(std::uint64_t timeNs, std::uint64_t bytes, bool isOnChip) {
    addNote(timeNs, isOnChip ? "buffer on chip" : "buffer in DRAM", fmt::format("{} bytes", bytes));
}

void PerfettoSink::onLog(std::uint64_t timeNs, std::string_view line) {
    addNote(timeNs, "log", line);
}

void PerfettoSink::onFirmwareEvent(std::uint64_t timeNs, std::string_view event,
                                   const JobInfo* job) {
    const bool isStart = event == "job-start";
    const bool isEnd = event == "job-end";
    if (isStart || isEnd) {
        windows_.onJobBoundary();
        if (isFirmwareOpen_) {
            writer_.endSlice(firmwareTrack_, timeNs);
            isFirmwareOpen_ = false;
        }
    }
    PerfettoWriter::Slice slice{.name = event, .category = "firmware"};
    std::string name;
    if (isStart && job != nullptr) {
        name = fmt::format("job {} of {}", job->jobId, clientName(job->client));
        slice.name = name;
        slice.flows = {flowOf(job->callId)};
        slice.arguments = {{"job", job->jobId}, {"commands", job->model->commandCount}};
    }
    if (isStart) {
        writer_.beginSlice(firmwareTrack_, timeNs, slice);
        isFirmwareOpen_ = true;
    } else if (!isEnd) {
        writer_.addInstant(firmwareTrack_, timeNs, slice);
    }
    const auto found = job == nullptr ? jobs_.end() : jobs_.find(job->jobId);
    if (found == jobs_.end() || !(isStart || isEnd)) {
        return;
    }
    OpenJob& open = found->second;
    if (open.isInner) {
        writer_.endSlice(open.track, timeNs);
    }
    open.isInner = isStart;
    if (isStart) {
        writer_.beginSlice(open.track, timeNs, {.name = "on device", .category = "driver"});
    }
}

std::string PerfettoSink::sliceName(const EngineEvent& event) const {
    const hw::EngineCommandRecord& record = event.record;
    if (record.operation == hw::kNoOperation || event.job == nullptr ||
        record.operation >= event.job->model->operations.size()) {
        return hw::opcodeName(record.opcode);
    }
    return fmt::format("{} #{} tile {}", event.job->model->operations[record.operation].type,
                       record.operation, record.tile);
}

void PerfettoSink::onEngineCommand(const EngineEvent& event) {
    const hw::EngineCommandRecord& record = event.record;
    Lanes& lanes = engineLanes_[hw::engineIndex(record.engine)];
    if (lanes.freeFromNs.empty()) {
        return;
    }
    const std::size_t lane = laneFor(lanes, event.startNs);
    lanes.freeFromNs[lane] = event.endNs;
    const std::string name = sliceName(event);
    PerfettoWriter::Slice slice{.name = name, .category = hw::opcodeName(record.opcode)};
    const auto found = jobs_.find(record.jobId);
    if (found != jobs_.end() && event.job != nullptr) {
        bool& hasFlow = found->second.hasFlow[hw::engineIndex(record.engine)];
        if (!hasFlow) {
            slice.flows = {flowOf(event.job->callId)};
            hasFlow = true;
        }
    }
    std::vector<TraceArgument>& arguments = slice.arguments;
    arguments = {
            {"job", record.jobId}, {"command", record.index}, {"busy_cycles", record.busyCycles}};
    addIfAny(arguments, "queued_ns", event.startNs - std::min(event.startNs, event.queuedNs));
    addIfAny(arguments, "token_stall_cycles", record.tokenStallCycles);
    addIfAny(arguments, "sram_stall_cycles", record.sramStallCycles);
    addIfAny(arguments, "dram_stall_cycles", record.dramStallCycles);
    addIfAny(arguments, hw::isDma(record.engine) ? "elements" : "operations", record.operations);
    addIfAny(arguments, "dram_bytes", record.dramBytes);
    addIfAny(arguments, "sram_bytes", record.sramBytes);
    const std::uint64_t track = trackOf(lanes, lane);
    writer_.beginSlice(track, event.startNs, slice);
    writer_.endSlice(track, event.endNs);
    windows_.onEngineCommand(event);
    writeWindows(event.endNs);
}

void PerfettoSink::onInterruptLine(std::uint64_t timeNs, bool level) {
    if (level == isInterruptOpen_) {
        return;
    }
    isInterruptOpen_ = level;
    if (level) {
        writer_.beginSlice(interruptTrack_, timeNs, {.name = "interrupt", .category = "device"});
    } else {
        writer_.endSlice(interruptTrack_, timeNs);
    }
}

void PerfettoSink::onMmuMiss(std::uint64_t timeNs, hw::Engine /*engine*/,
                             std::uint64_t /*virtualAddress*/) {
    windows_.onMmuMiss(timeNs);
}

void PerfettoSink::onFault(std::uint64_t timeNs, hw::Engine engine, hw::JobStatus status,
                           std::string_view what) {
    writer_.addInstant(
            faultTrack_, timeNs,
            {.name = fmt::format("{}: {}", hw::engineName(engine), hw::jobStatusName(status)),
             .category = "device",
             .text = what});
}

void PerfettoSink::onQueueDepth(std::uint64_t timeNs, hw::Engine engine, std::uint32_t commands) {
    windows_.onQueueDepth(timeNs, engine, commands);
}

void PerfettoSink::onPowerState(std::uint64_t timeNs, hw::regs::PowerState state,
                                std::uint32_t level) {
    if (powerTrack_ != 0) {
        writer_.endSlice(powerTrack_, timeNs);
        beginPowerSlice(timeNs, state, level);
    }
}

void PerfettoSink::beginPowerSlice(std::uint64_t timeNs, hw::regs::PowerState state,
                                   std::uint32_t level) {
    writer_.beginSlice(powerTrack_, timeNs,
                       {.name = powerLabel(config_, state, level),
                        .category = "device",
                        .arguments = {{"level", level}}});
}

void PerfettoSink::setCounter(std::size_t counter, std::uint64_t timeNs, double value) {
    if (counterValues_[counter] != value) {
        counterValues_[counter] = value;
        writer_.setCounter(counterTracks_[counter], timeNs, value);
    }
}

void PerfettoSink::setQueues(std::uint64_t timeNs,
                             const std::function<std::uint32_t(std::size_t engine)>& depthOf) {
    std::size_t counter = kFirstQueueCounter;
    for (std::size_t i = 0; i < hw::kEngineCount; ++i) {
        if (hasCommands(static_cast<hw::Engine>(i))) {
            setCounter(counter++, timeNs, depthOf(i));
        }
    }
}

void PerfettoSink::writeWindows(std::uint64_t nowNs) {
    windows_.takeComplete(nowNs, [this](std::uint64_t startNs, const CounterWindow& window) {
        if (startNs > nextWindowNs_) {  // a gap without events: no traffic, unchanged queues
            for (std::size_t counter = 0; counter < kFirstQueueCounter; ++counter) {
                setCounter(counter, nextWindowNs_, 0.0);
            }
            setQueues(nextWindowNs_, [this](std::size_t i) { return windows_.queueDepth(i); });
        }
        nextWindowNs_ = startNs + kWindowNs;
        const double cycles = static_cast<double>(kWindowNs) * config_.clockKhz * 1e-6;
        const double peak = cycles * config_.mac.rows * config_.mac.columns;
        setCounter(kDramCounter, startNs, window.dramBytes / static_cast<double>(kWindowNs));
        setCounter(kMacCounter, startNs, 100.0 * window.macOperations / peak);
        setCounter(kTlbCounter, startNs, static_cast<double>(window.tlbMisses));
        setQueues(startNs, [&](std::size_t i) { return window.maxQueueDepth[i]; });
    });
}

}  // namespace vnpu::sim
