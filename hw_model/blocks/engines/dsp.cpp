// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/dsp.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw_model/blocks/memory/dma_copies.h"
#include "hw_model/blocks/memory/sram.h"
#include "hw_model/kernels/operators/operator_table.h"
#include "hw_model/regs/command_reader.h"
#include "hw_model/regs/page_table.h"
#include "hw_model/regs/register_map.h"
#include "hw_model/regs/rounding.h"
#include "hw_model/timing/memory_timing.h"
#include "hw_model/timing/operator_timing.h"

namespace vnpu::hw {

namespace {

constexpr std::uint32_t kOnce[3] = {1, 1, 1};
constexpr std::uint32_t kNoStrides[3] = {0, 0, 0};

/// Whether computed dimensions match a descriptor, in which 0 means open.
bool agrees(const DspOperand& declared, const Dimensions& computed) {
    if (declared.rank == kAnyRank) {
        return true;
    }
    if (declared.rank != computed.rank()) {
        return false;
    }
    return std::equal(computed.begin(), computed.end(), std::begin(declared.dimensions),
                      [](std::uint32_t actual, std::uint32_t wanted) {
                          return wanted == 0 || actual == wanted;
                      });
}

Dimensions declaredDimensions(const DspOperand& operand) {
    const std::size_t rank = operand.rank == kAnyRank ? 0 : operand.rank;
    return Dimensions(std::span(operand.dimensions).first(rank));
}

}  // namespace

/// Holds the kernel's results until the operator ends.
class Dsp::Outputs final : public kernels::OutputMemory {
  public:
    explicit Outputs(Dsp& dsp) : dsp_(dsp) {}

    std::byte* place(std::size_t index, const Dimensions& dimensions,
                     std::uint64_t sizeBytes) override {
        static std::byte nothing{};
        Operand& output = dsp_.outputs()[index];
        output.dimensions = dimensions;
        output.isSettled = true;
        if (!agrees(output.description, dimensions)) {
            dsp_.fail(JobStatus::kBadOperand,
                      fmt::format("output {} has dimensions {}, computed {}", index,
                                  kernels::describe(declaredDimensions(output.description)),
                                  kernels::describe(dimensions)));
            return nullptr;
        }
        output.fits = sizeBytes <= dsp_.roomOf(output);
        if (!output.fits) {
            return nullptr;
        }
        output.data.resize(sizeBytes);
        return sizeBytes == 0 ? &nothing : output.data.data();
    }

  private:
    Dsp& dsp_;
};

void Dsp::startJob() {
    isYieldAsked_ = false;
    isStopped_ = false;
    done_ = {};
    if (parts_.config.poisonOnChip) {
        std::fill(parts_.localState.begin(), parts_.localState.end(), Sram::kPoison);
    }
}

void Dsp::writeYield(std::uint32_t value) {
    isYieldAsked_ = regs::DspYield::kRequest.get(value) != 0;
    isStopped_ = isStopped_ && regs::DspYield::kStopped.get(value) != 0;
    if (!isYieldAsked_) {
        parts_.timer.disarm(EngineTimer::kDspYieldSlot);
    } else if (isBusy_) {
        planYield();
    }
}

std::uint32_t Dsp::readYield() const {
    return regs::DspYield::kRequest.put(isYieldAsked_ ? 1 : 0) |
           regs::DspYield::kStopped.put(isStopped_ ? 1 : 0);
}

void Dsp::start() {
    failure_ = {};
    credit_ = std::exchange(done_, {});
    movedBytes_ = 0;
    isStateLost_ = false;
    isMmuFault_ = false;
    walkCycles_ = 0;
    memoryReads_.clear();
    memoryWrites_.clear();
    tableReads_.clear();
    trafficBytes_ = 0;
    writtenBytes_ = 0;
    isBusy_ = true;
    if (!prepare()) {
        const std::uint64_t cycle = command_.record.startCycle +
                                    parts_.clock.ofCore(parts_.config.dsp.startupCycles) +
                                    walkCycles_;
        isComputing_ = true;
        isMoving_ = false;
        parts_.timer.arm(EngineTimer::kDspComputeSlot, cycle);
        return;
    }
    begin();
}

bool Dsp::prepare() {
    if (command_.header.opcode != Opcode::kDspOperator) {
        return fail(JobStatus::kBadEngine,
                    fmt::format("opcode 0x{:x} on the dsp",
                                static_cast<unsigned>(command_.header.opcode)));
    }
    work_ = command_.as<DspOperator>();
    if (!readDescriptor()) {
        return false;
    }
    for (Operand& input : inputs()) {
        if (!readInput(input)) {
            return false;
        }
    }
    if (!parts_.config.timingOnly && !compute()) {
        return false;
    }
    return std::all_of(outputs().begin(), outputs().end(),
                       [this](Operand& output) { return locateOutput(output); });
}

bool Dsp::readDescriptor() {
    const std::size_t count = std::size_t{work_.inputCount} + work_.outputCount;
    if (count > kMaxDspOperands || !isOperator(static_cast<std::uint32_t>(work_.op))) {
        return fail(JobStatus::kBadOperand, fmt::format("operator {} with {} operands",
                                                        static_cast<unsigned>(work_.op), count));
    }
    std::vector<DspOperand> descriptions;
    if (!load(work_.descriptor, count, descriptions)) {
        return false;
    }
    operands_.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) {
        if (!checkOperand(descriptions[i], i)) {
            return false;
        }
        operands_[i].description = descriptions[i];
        operands_[i].dimensions = declaredDimensions(descriptions[i]);
    }
    return true;
}

bool Dsp::checkOperand(const DspOperand& operand, std::size_t index) {
    const bool isOutput = index >= work_.inputCount;
    const bool isRank =
            operand.rank <= kMaxTensorRank ||
            (operand.rank == kAnyRank && (isOutput || (operand.flags & kOperandDynamic)));
    const bool areFlags = (operand.flags & ~(kOperandOmitted | kOperandDynamic)) == 0 &&
                          !(isOutput && (operand.flags & kOperandOmitted) != 0);
    if (static_cast<std::size_t>(operand.type) >= kTensorTypeCount || !isRank || !areFlags) {
        return fail(JobStatus::kBadOperand,
                    fmt::format("operand {} has type {}, rank {}, flags 0x{:x}", index,
                                static_cast<unsigned>(operand.type), operand.rank, operand.flags));
    }
    const bool isChannel = operand.channelDimension < kMaxTensorRank &&
                           operand.channelCount == operand.dimensions[operand.channelDimension];
    if (operand.channelCount != 0 && !isChannel) {
        return fail(JobStatus::kBadOperand,
                    fmt::format("operand {} has {} scales along dimension {}", index,
                                operand.channelCount, operand.channelDimension));
    }
    return true;
}

bool Dsp::readInput(Operand& operand) {
    if (operand.isOmitted()) {
        return true;
    }
    if (operand.isDynamic() && !readShape(operand)) {
        return false;
    }
    const std::uint64_t bytes =
            parts_.config.timingOnly && operand.isDynamic() ? roomOf(operand) : operand.sizeBytes();
    if (bytes > operand.description.capacityBytes) {
        return fail(JobStatus::kBadOperand, fmt::format("input of {} bytes has room for {}", bytes,
                                                        operand.description.capacityBytes));
    }
    trafficBytes_ += bytes;
    const std::uint32_t scales = operand.description.channelCount;
    if (scales != 0 && !load(operand.description.scales, scales, operand.scales)) {
        return false;
    }
    if (bytes == 0) {
        return true;
    }
    // Scalars determine an operator's duration, so they are read even without data.
    if (parts_.config.timingOnly && !isScalar(operand.description.type)) {
        std::vector<DmaPiece> pieces;
        return locate(operand.description.data, bytes, false, pieces);
    }
    return load(operand.description.data, bytes, operand.data);
}

bool Dsp::readShape(Operand& operand) {
    if (parts_.config.timingOnly) {
        return true;
    }
    std::vector<DspShape> shapes;
    if (!load(operand.description.shape, 1, shapes)) {
        return false;
    }
    const DspShape& shape = shapes[0];
    if (shape.state != kShapeKnown || shape.rank > kMaxTensorRank) {
        return fail(JobStatus::kBadOperand,
                    fmt::format("input's shape is in state {} with rank {}, expected a known one",
                                shape.state, shape.rank));
    }
    operand.dimensions = Dimensions(std::span(shape.dimensions).first(shape.rank));
    return true;
}

bool Dsp::compute() {
    std::vector<kernels::Tensor> tensors;
    tensors.reserve(operands_.size());
    alignas(8) static std::byte nothing[8] = {};
    for (Operand& operand : operands_) {
        const DspOperand& description = operand.description;
        tensors.push_back({.type = description.type,
                           .dimensions = operand.dimensions,
                           .scale = description.scale,
                           .zeroPoint = description.zeroPoint,
                           .channelScales = operand.scales,
                           .channelDimension = description.channelDimension,
                           .data = operand.data.empty() ? nothing : operand.data.data(),
                           .isOmitted = operand.isOmitted()});
    }
    Outputs memory(*this);
    const std::span<const kernels::Tensor> all = tensors;
    kernels::OperatorCall call(all.first(work_.inputCount), all.subspan(work_.inputCount), memory);
    const JobStatus status = kernels::runOperator(work_.op, call);
    if (failure_.status != JobStatus::kOk) {
        return false;
    }
    const bool isTooLarge = std::any_of(outputs().begin(), outputs().end(),
                                        [](const Operand& output) { return !output.fits; });
    if (isTooLarge) {
        // Shapes must still be written, so the failure is reported when the operator ends.
        fail(JobStatus::kNoRoom,
             fmt::format("{}: an output has too little room", operatorName(work_.op)));
        return true;
    }
    if (status != JobStatus::kOk) {
        return fail(status, fmt::format("{}: {}", operatorName(work_.op), call.reason()));
    }
    return true;
}

bool Dsp::locateOutput(Operand& operand) {
    const bool isTold = operand.isDynamic() && (operand.isSettled || parts_.config.timingOnly);
    if (isTold && !locate(operand.description.shape, sizeof(DspShape), true, operand.shapePieces)) {
        return false;
    }
    if (failure_.status != JobStatus::kOk) {
        return true;  // no data will be written
    }
    const std::uint64_t bytes =
            parts_.config.timingOnly
                    ? std::min(roomOf(operand), operand.isDynamic()
                                                        ? operand.description.capacityBytes
                                                        : operand.sizeBytes())
                    : operand.sizeBytes();
    trafficBytes_ += bytes;
    writtenBytes_ += bytes;
    return bytes == 0 || locate(operand.description.data, bytes, true, operand.pieces);
}

std::uint64_t Dsp::roomOf(const Operand& operand) const {
    JobRegion region;
    EngineFailure why;
    const MemoryRef& data = operand.description.data;
    if (!parts_.regions.find(data, {data.offset, data.offset, false}, region, why)) {
        return 0;
    }
    return std::min(operand.description.capacityBytes, region.bytes - data.offset);
}

OperatorWork Dsp::work() const {
    std::vector<OperandShape> shapes;
    for (const Operand& operand : operands_) {
        const TensorType type = operand.description.type;
        OperandShape shape{type, operand.dimensions, operand.isOmitted()};
        const bool isSmall = type == TensorType::kInt32Scalar || type == TensorType::kBoolScalar;
        if (isSmall && operand.data.size() >= elementBytes(type)) {
            shape.isValueKnown = true;
            std::memcpy(&shape.value, operand.data.data(), elementBytes(type));
        }
        shapes.push_back(shape);
    }
    const std::span<const OperandShape> all = shapes;
    return operatorWork(work_.op, all.first(work_.inputCount), all.subspan(work_.inputCount));
}

void Dsp::begin() {
    const NpuConfig& config = parts_.config;
    const OperatorWork work = this->work();
    leaveOut(work);
    const std::uint64_t allBytes =
            busBytes(config.dma, 1, trafficBytes_ + operands_.size() * sizeof(DspOperand));
    activity_ = dspActivity(config.dsp, work);
    totalCycles_ = activity_[regs::PerfEvent::kDspCoreCycles];
    std::uint64_t cycles = totalCycles_;
    if (isResumed()) {
        cycles = config.dsp.startupCycles + totalCycles_ - std::min(credit_.cycles, totalCycles_);
        std::vector<std::byte> expected(parts_.localState.size());
        fillState(expected, credit_.cycles);
        isStateLost_ = !std::equal(expected.begin(), expected.end(), parts_.localState.begin());
    }
    runCycles_ = cycles;
    EngineCommandRecord& record = command_.record;
    record.busyCycles = parts_.clock.ofCore(cycles);
    record.dramBytes = trafficBytes_ - std::min(credit_.bytes, trafficBytes_);
    isComputing_ = true;
    isMoving_ = false;
    parts_.timer.arm(EngineTimer::kDspComputeSlot,
                     record.startCycle + std::max<std::uint64_t>(record.busyCycles, 1));
    if (credit_.bytes < allBytes) {
        beginMoving(allBytes - credit_.bytes);
    }
    if (isYieldAsked_) {
        planYield();
    }
}

// Of a table only the rows that are looked up are read, each in a page of its own.
void Dsp::leaveOut(const OperatorWork& work) {
    if (work.unreadBytes > 0) {
        // Without data, a table whose shape is only declared may have no room at all.
        const std::uint64_t pages =
                divideUp(std::max<std::uint64_t>(trafficBytes_, 1), kLargePageBytes);
        walkCycles_ = std::min(walkCycles_, divideUp(walkCycles_, pages) * work.rowsRead);
        trafficBytes_ -= std::min(work.unreadBytes, trafficBytes_ - writtenBytes_);
    }
}

void Dsp::beginMoving(std::uint64_t bytes) {
    const NpuConfig& config = parts_.config;
    const double coreRate = std::min(config.dsp.bytesPerCycle, config.interconnect.bytesPerCycle);
    const double rate =
            std::min(parts_.clock.ofCoreRate(coreRate), dramRate(config.dram, bytes, 0));
    const std::uint64_t startup = parts_.clock.ofCore(config.dsp.startupCycles);
    const std::uint64_t latency = memoryLatencyCycles(config, parts_.clock);
    EngineCommandRecord& record = command_.record;
    const std::uint64_t moving = startup + latency + transferCycles(rate, bytes);
    record.busyCycles = std::max(record.busyCycles, moving);
    isMoving_ = true;
    parts_.arbiter.start(
            MemoryArbiter::kDspFlow, record.startCycle,
            {record.startCycle + startup + latency + walkCycles_, bytes, rate, 1, 0, places()});
}

MemoryPlaces Dsp::places() const {
    return {.reads = memoryReads_,
            .writes = memoryWrites_,
            .tableReads = tableReads_,
            .tableLatencyCycles = memoryLatencyCycles(parts_.config, parts_.clock),
            .skippedBytes = credit_.bytes};
}

// The next yield point; an operator that fails stops at its failure.
void Dsp::planYield() {
    const std::uint64_t interval = parts_.config.dsp.yieldCycles;
    if (interval == 0 || failure_.status != JobStatus::kOk) {
        return;
    }
    const std::uint64_t start = command_.record.startCycle;
    const std::uint64_t points = parts_.clock.toCore(parts_.clock.now() - start) / interval + 1;
    parts_.timer.arm(EngineTimer::kDspYieldSlot, start + parts_.clock.ofCore(points * interval));
}

void Dsp::onDeadline(std::size_t timerSlot) {
    if (timerSlot == EngineTimer::kDspYieldSlot) {
        stop();
        return;
    }
    if (timerSlot == EngineTimer::kDspComputeSlot) {
        isComputing_ = false;
    } else {
        isMoving_ = false;
        movedBytes_ = parts_.arbiter.stop(MemoryArbiter::kDspFlow, parts_.clock.now());
    }
    if (!isComputing_ && !isMoving_) {
        finish();
    }
}

void Dsp::stop() {
    EngineCommandRecord& record = command_.record;
    record.endCycle = parts_.clock.now();
    const std::uint64_t elapsed = record.endCycle - record.startCycle;
    const std::uint64_t startup = isResumed() ? parts_.config.dsp.startupCycles : 0;
    const std::uint64_t elapsedCore = parts_.clock.toCore(elapsed);
    const std::uint64_t worked = elapsedCore - std::min(elapsedCore, startup);
    if (std::exchange(isMoving_, false)) {
        movedBytes_ = parts_.arbiter.stop(MemoryArbiter::kDspFlow, record.endCycle);
    }
    parts_.timer.disarm(EngineTimer::kDspComputeSlot);
    parts_.timer.disarm(EngineTimer::kDspMemorySlot);
    done_ = {std::min(credit_.cycles + worked, totalCycles_), credit_.bytes + movedBytes_};
    fillState(parts_.localState, done_.cycles);
    if (isStateLost_ && !parts_.localState.empty()) {
        parts_.localState.front() ^= std::byte{0xFF};  // lost state cannot be restored
    }
    isBusy_ = isComputing_ = isYieldAsked_ = false;
    isStopped_ = true;
    record.busyCycles = elapsed;
    record.dramBytes = std::min(movedBytes_, record.dramBytes);
    countActivity(done_.cycles, std::min(elapsedCore, runCycles_));
    parts_.interrupts.raiseController(regs::ControllerIrqStatus::kEngine.mask());
    parts_.listener.commandStopped(command_);
}

// Counts the run that ends, up to `endCycles` of the operator.
void Dsp::countActivity(std::uint64_t endCycles, std::uint64_t workedCycles) {
    Activity& activity = command_.record.activity;
    activity = partOf(activity_, std::min(credit_.cycles, totalCycles_), endCycles, totalCycles_);
    activity[regs::PerfEvent::kDspCoreCycles] = workedCycles;
    activity[regs::PerfEvent::kBusBytes] = movedBytes_;
}

// The pattern differs for every place at which an operator may stop.
void Dsp::fillState(std::span<std::byte> state, std::uint64_t doneCycles) const {
    const std::uint64_t seed = doneCycles * 31 + static_cast<std::uint64_t>(work_.op);
    for (std::size_t i = 0; i < state.size(); ++i) {
        state[i] = static_cast<std::byte>((seed >> (i % 8 * 8)) + i * 29);
    }
}

void Dsp::finish() {
    isBusy_ = false;
    parts_.timer.disarm(EngineTimer::kDspYieldSlot);
    EngineCommandRecord& record = command_.record;
    record.endCycle = parts_.clock.now();
    if (!parts_.config.timingOnly) {
        writeResults();
    }
    if (failure_.status != JobStatus::kOk) {
        reportFailure();
        return;
    }
    const std::uint64_t expected = record.startCycle + record.busyCycles + walkCycles_;
    record.dramStallCycles = record.endCycle > expected ? record.endCycle - expected : 0;
    countActivity(totalCycles_, runCycles_);
    parts_.counters.add(regs::PerfEvent::kDmaBytesRead, trafficBytes_ - writtenBytes_);
    parts_.counters.add(regs::PerfEvent::kDmaBytesWritten, writtenBytes_);
    parts_.listener.commandDone(command_);
}

void Dsp::writeResults() {
    const bool isDone = failure_.status == JobStatus::kOk;
    if (!isDone && failure_.status != JobStatus::kNoRoom) {
        return;
    }
    for (Operand& output : outputs()) {
        if (!output.shapePieces.empty()) {
            DspShape shape{};
            shape.state = output.fits ? kShapeKnown : kShapeTooLarge;
            shape.rank = static_cast<std::uint32_t>(output.dimensions.rank());
            shape.neededBytes = output.sizeBytes();
            std::copy(output.dimensions.begin(), output.dimensions.end(), shape.dimensions);
            if (!store(output.shapePieces, &shape)) {
                return;
            }
        }
        if (isStateLost_) {
            std::for_each(output.data.begin(), output.data.end(),
                          [](std::byte& byte) { byte ^= std::byte{0x80}; });
        }
        if (isDone && !store(output.pieces, output.data.data())) {
            return;
        }
    }
}

void Dsp::abort() {
    isBusy_ = isComputing_ = false;
    if (std::exchange(isMoving_, false)) {
        parts_.arbiter.stop(MemoryArbiter::kDspFlow, parts_.clock.now());
    }
}

bool Dsp::locate(const MemoryRef& reference, std::uint64_t bytes, bool isWrite,
                 std::vector<DmaPiece>& pieces) {
    JobRegion region;
    if (!parts_.regions.find(reference, {reference.offset, reference.offset + bytes, isWrite},
                             region, failure_)) {
        return false;
    }
    const DmaRows rows(region.address + reference.offset, bytes, kOnce, kNoStrides);
    const DmaTranslationResult result = translateRows({.mmu = parts_.mmu,
                                                       .contextId = command_.contextId,
                                                       .engine = Engine::kDsp,
                                                       .isWrite = isWrite},
                                                      rows, &pieces);
    walkCycles_ += result.walkCycles;
    if (parts_.config.dram.model == DramModel::kBanked) {
        std::vector<DmaPiece>& all = isWrite ? memoryWrites_ : memoryReads_;
        all.insert(all.end(), pieces.begin(), pieces.end());
        tableReads_.insert(tableReads_.end(), result.tableReads.begin(), result.tableReads.end());
    }
    if (result.status == JobStatus::kOk) {
        return true;
    }
    isMmuFault_ = result.status == JobStatus::kMmuFault;
    fault_ = {result.faultAddress, command_.contextId, Engine::kDsp, isWrite, result.isPermission};
    return fail(result.status,
                fmt::format("{} of virtual address 0x{:x} in context {}: {}",
                            isWrite ? "write" : "read", result.faultAddress, command_.contextId,
                            result.isPermission ? "not writable" : "not mapped"));
}

template <typename T>
bool Dsp::load(const MemoryRef& reference, std::uint64_t count, std::vector<T>& destination) {
    std::vector<DmaPiece> pieces;
    if (!locate(reference, count * sizeof(T), false, pieces)) {
        return false;
    }
    destination.resize(count);
    return fetch(pieces, destination.data());
}

bool Dsp::fetch(const std::vector<DmaPiece>& pieces, void* destination) {
    const auto failed = readPieces(parts_.memory, pieces, static_cast<std::byte*>(destination));
    return !failed ||
           fail(JobStatus::kBusError, fmt::format("read of bus address 0x{:x}", *failed));
}

bool Dsp::store(const std::vector<DmaPiece>& pieces, const void* bytes) {
    const auto failed = writePieces(parts_.memory, pieces, static_cast<const std::byte*>(bytes));
    return !failed ||
           fail(JobStatus::kBusError, fmt::format("write of bus address 0x{:x}", *failed));
}

bool Dsp::fail(JobStatus status, std::string what) {
    failure_ = {status, std::move(what)};
    return false;
}

void Dsp::reportFailure() {
    if (isMmuFault_ && parts_.mmu.recordFault(fault_)) {
        parts_.interrupts.raiseHost(regs::IrqStatus::kFault.mask());
    }
    parts_.listener.commandFailed(Engine::kDsp, failure_.status, failure_.what);
}

}  // namespace vnpu::hw
