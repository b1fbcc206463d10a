// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/dma_channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "hw_model/kernels/decoder/weight_decoder.h"
#include "hw_model/timing/memory_timing.h"

namespace vnpu::hw {

namespace {

// chosen: a row counter of 24 bits; bounds the host's work for one command
constexpr std::uint64_t kMaxRows = 1ULL << 24;
// chosen: a byte counter of 32 bits; bounds the host's work for one command, too
constexpr std::uint64_t kMaxPayloadBytes = 1ULL << 32;
constexpr std::uint32_t kAccumulatorWidth = 4;
// chosen: several posted transfers together hold less than some 20 MiB
constexpr std::size_t kMostPostedPieces = 1U << 16;
// chosen: the time to copy a byte, in multiply-accumulates of the matrix kernels
constexpr std::uint64_t kOperationsPerByte = 10;

}  // namespace

DmaChannel::DmaChannel(std::size_t channel, const Parts& parts)
    : channel_(channel), parts_(parts) {}

void DmaChannel::start() {
    failure_ = {};
    walkCycles_ = 0;
    tableReads_.clear();
    usesMemory_ = false;
    if (!decode()) {
        reportFailure();
        return;
    }
    isBusy_ = true;
    if ((source_.isUsed && !translate(source_, false)) || !translate(destination_, true)) {
        failLater(command_.record.startCycle +
                  parts_.clock.ofCore(parts_.config.dma.startupCycles) + walkCycles_);
        return;
    }
    begin();
    if (!parts_.config.timingOnly) {
        moveAtStart();
    }
}

bool DmaChannel::decode() {
    codedBytes_ = 0;
    std::uint32_t sourceStrides[3] = {};
    std::uint32_t destinationStrides[3] = {};
    MemoryRef source{};
    MemoryRef destination{};
    if (command_.header.opcode == Opcode::kDmaTransfer) {
        const auto work = command_.as<DmaTransfer>();
        source = work.source;
        destination = work.destination;
        rowBytes_ = work.rowBytes;
        codedBytes_ = work.codedBytes;
        std::copy(std::begin(work.counts), std::end(work.counts), counts_);
        std::copy(std::begin(work.sourceStrides), std::end(work.sourceStrides), sourceStrides);
        std::copy(std::begin(work.destinationStrides), std::end(work.destinationStrides),
                  destinationStrides);
        source_.isUsed = true;
        if (isCoded() && !checkDecoding(work)) {
            return false;
        }
    } else if (command_.header.opcode == Opcode::kDmaFill) {
        const auto work = command_.as<DmaFill>();
        destination = work.destination;
        rowBytes_ = work.rowBytes;
        std::copy(std::begin(work.counts), std::end(work.counts), counts_);
        std::copy(std::begin(work.destinationStrides), std::end(work.destinationStrides),
                  destinationStrides);
        pattern_ = work.pattern;
        patternBytes_ = work.patternBytes;
        source_.isUsed = false;
        if ((patternBytes_ != 1 && patternBytes_ != 4) || rowBytes_ % patternBytes_ != 0) {
            fail(JobStatus::kBadOperand, fmt::format("pattern of {} bytes", patternBytes_));
            return false;
        }
    } else {
        fail(JobStatus::kBadEngine, fmt::format("opcode 0x{:x} on a dma channel",
                                                static_cast<unsigned>(command_.header.opcode)));
        return false;
    }
    const std::uint64_t planes = std::uint64_t{counts_[0]} * counts_[1];
    if (rowBytes_ == 0 || planes == 0 || counts_[2] == 0 || planes > kMaxRows ||
        planes * counts_[2] > kMaxRows || planes * counts_[2] * rowBytes_ > kMaxPayloadBytes) {
        fail(JobStatus::kBadOperand, fmt::format("{} x {} x {} rows of {} bytes", counts_[0],
                                                 counts_[1], counts_[2], rowBytes_));
        return false;
    }
    rows_ = planes * counts_[2];
    destination_.isUsed = true;
    const bool isWithin = source_.isUsed && source.space == destination.space;
    if (isWithin && (source.space == kSpaceAccumulators || source.space == kSpaceDspState)) {
        fail(JobStatus::kBadOperand, fmt::format("copy within space 0x{:x}", source.space));
        return false;
    }
    const std::uint32_t sourceRowBytes = isCoded() ? codedBytes_ : rowBytes_;
    return (!source_.isUsed || decodeSide(source_, source, sourceRowBytes, sourceStrides)) &&
           decodeSide(destination_, destination, rowBytes_, destinationStrides);
}

bool DmaChannel::checkDecoding(const DmaTransfer& work) {
    if (parts_.config.decoder.bytesPerCycle == 0) {
        fail(JobStatus::kBadOperand,
             fmt::format("{} coded bytes for a device without decoders", codedBytes_));
        return false;
    }
    const bool isOneRow = std::all_of(std::begin(work.counts), std::end(work.counts),
                                      [](std::uint32_t count) { return count == 1; });
    if (!isOneRow || placeOf(work.source.space) != Place::kRegion ||
        placeOf(work.destination.space) != Place::kSram) {
        fail(JobStatus::kBadOperand, "a coded transfer other than one row from memory to sram");
        return false;
    }
    return true;
}

DmaChannel::Place DmaChannel::placeOf(std::uint16_t space) {
    switch (space) {
        case kSpaceSram:
            return Place::kSram;
        case kSpaceAccumulators:
            return Place::kAccumulators;
        case kSpaceDspState:
            return Place::kDspState;
        default:
            return Place::kRegion;
    }
}

std::uint64_t DmaChannel::onChipSize(Place place) const {
    switch (place) {
        case Place::kSram:
            return parts_.sram.sizeBytes();
        case Place::kAccumulators:
            return parts_.sram.accumulatorBytes();
        case Place::kDspState:
            return parts_.config.dsp.stateBytes;
        case Place::kRegion:
            break;
    }
    return 0;
}

std::byte* DmaChannel::onChipBytes(const Side& side) {
    switch (side.place) {
        case Place::kSram:
            return parts_.sram.bytes();
        case Place::kAccumulators:
            return parts_.sram.accumulators();
        case Place::kDspState:
            return parts_.dspState.data();
        case Place::kRegion:
            break;
    }
    return nullptr;
}

bool DmaChannel::decodeSide(Side& side, const MemoryRef& reference, std::uint32_t rowBytes,
                            const std::uint32_t (&strides)[3]) {
    side.place = placeOf(reference.space);
    side.isResident = false;
    side.pieces.clear();
    const DmaRows offsets(reference.offset, rowBytes, counts_, strides);
    if (side.isOnChip()) {
        const std::uint64_t size = onChipSize(side.place);
        if (offsets.end() > size) {
            fail(side.place == Place::kAccumulators ? JobStatus::kOutOfAccumulator
                                                    : JobStatus::kOutOfSram,
                 fmt::format("0x{:x}..0x{:x} of {} bytes", offsets.base(), offsets.end(), size));
            return false;
        }
        side.rows = offsets;
        side.onChipRange = StridedRange(reference.offset, rowBytes);
        for (std::size_t d = 3; d-- > 0;) {
            side.onChipRange.repeat(counts_[d], strides[d]);
        }
        return true;
    }
    JobRegion region;
    if (!parts_.regions.find(reference, {offsets.base(), offsets.end(), &side == &destination_},
                             region, failure_.why)) {
        return false;
    }
    side.rows = DmaRows(region.address + reference.offset, rowBytes, counts_, strides);
    side.rowVisits =
            dramRowVisits(parts_.config.dram, {.runBytes = rowBytes,
                                               .counts = {counts_[0], counts_[1], counts_[2]},
                                               .strides = {strides[0], strides[1], strides[2]}});
    return true;
}

bool DmaChannel::translate(Side& side, bool isWrite) {
    const bool needsPieces =
            !parts_.config.timingOnly || parts_.config.dram.model == DramModel::kBanked;
    if (side.isOnChip()) {
        if (needsPieces) {
            listRows(side.rows, side.pieces);
        }
        return true;
    }
    const DmaTranslationResult result =
            translateRows({.mmu = parts_.mmu,
                           .contextId = command_.contextId,
                           .engine = engine(),
                           .isWrite = isWrite},
                          side.rows, needsPieces ? &side.pieces : nullptr);
    walkCycles_ += result.walkCycles;
    tableReads_.insert(tableReads_.end(), result.tableReads.begin(), result.tableReads.end());
    side.busFirst = result.busFirst;
    side.busEnd = result.busEnd;
    side.isResident = parts_.resident.holds(side.busFirst, side.busEnd - side.busFirst);
    if (result.status == JobStatus::kOk) {
        return true;
    }
    fail(result.status,
         fmt::format("{} of virtual address 0x{:x} in context {}: {}", isWrite ? "write" : "read",
                     result.faultAddress, command_.contextId,
                     result.isPermission ? "not writable" : "not mapped"));
    failure_.isMmuFault = result.status == JobStatus::kMmuFault;
    failure_.fault = {result.faultAddress, command_.contextId, engine(), isWrite,
                      result.isPermission};
    return false;
}

Footprint DmaChannel::footprint() const {
    const std::uint64_t payload = payloadBytes();
    Footprint footprint;
    if (source_.isIn(Place::kSram)) {
        footprint.read(source_.onChipRange, payload);
    }
    if (destination_.isIn(Place::kSram)) {
        footprint.write(destination_.onChipRange, payload);
    }
    if (source_.isIn(Place::kAccumulators)) {
        footprint.useAccumulators(source_.onChipRange, false);
    } else if (destination_.isIn(Place::kAccumulators)) {
        footprint.useAccumulators(destination_.onChipRange, true);
    }
    for (const Side* side : {&source_, &destination_}) {
        if (side->isUsed && side->isResident) {
            footprint.useResident(side == &source_ ? sourceBytes() : payload);
        }
    }
    return footprint;
}

std::uint32_t DmaChannel::memorySides() const {
    return (source_.isMemory() ? 1U : 0U) + (destination_.isMemory() ? 1U : 0U);
}

double DmaChannel::dramRateOf(std::uint64_t bytes) const {
    const auto rateOf = [&](const Side& side) {
        return dramRate(parts_.config.dram, bytes, side.rowVisits);
    };
    if (!source_.isMemory() || !destination_.isMemory()) {
        return rateOf(source_.isMemory() ? source_ : destination_);
    }
    const double from = rateOf(source_);
    const double to = rateOf(destination_);
    return from == to ? from : 2.0 / (1.0 / from + 1.0 / to);
}

MemoryPlaces DmaChannel::places() const {
    MemoryPlaces places;
    if (source_.isMemory()) {
        places.reads = source_.pieces;
    }
    if (destination_.isMemory()) {
        places.writes = destination_.pieces;
    }
    places.tableReads = tableReads_;
    places.tableLatencyCycles = memoryLatencyCycles(parts_.config, parts_.clock);
    return places;
}

double DmaChannel::onChipRate(const Footprint& onChip, std::uint64_t bytes) const {
    const NpuConfig& config = parts_.config;
    double rate = config.dma.bytesPerCycle;
    if (isCoded()) {
        // While `bytes` arrive, the decoder passes all decoded bytes on to the port.
        const double share = static_cast<double>(bytes) / static_cast<double>(payloadBytes());
        return std::min({rate, share * config.decoder.bytesPerCycle,
                         std::min(share, 1.0) * config.sram.portBytes});
    }
    if (onChip.trafficBytes() != 0) {
        // Both sides of a copy within the resident memory share its only port.
        const double passes = onChip.residentBytes() > payloadBytes() ? 2.0 : 1.0;
        rate = std::min(rate, config.sram.portBytes / passes);
    }
    if (!onChip.accumulators().range.isEmpty()) {
        rate = std::min(rate, double{kAccumulatorWidth} * config.mac.outputLanes);
    }
    if (source_.isIn(Place::kDspState) || destination_.isIn(Place::kDspState)) {
        rate = std::min(rate, static_cast<double>(config.dsp.bytesPerCycle));
    }
    return rate;
}

void DmaChannel::begin() {
    const NpuConfig& config = parts_.config;
    const DeviceClock& clock = parts_.clock;
    const Footprint onChip = footprint();
    const std::uint32_t sides = memorySides();
    usesMemory_ = sides != 0;
    const std::uint64_t bytes =
            usesMemory_ ? busBytes(config.dma, rows_, isCoded() ? codedBytes_ : rowBytes_)
                        : sourceBytes();
    double rate = onChipRate(onChip, bytes);
    if (usesMemory_) {
        rate = std::min(rate, static_cast<double>(config.interconnect.bytesPerCycle) / sides);
    }
    rate = clock.ofCoreRate(rate);
    const double dram = usesMemory_ ? dramRateOf(bytes) : 0;
    if (usesMemory_) {
        rate = std::min(rate, dram / sides);
    }
    const std::uint64_t startup =
            clock.ofCore(config.dma.startupCycles + (isCoded() ? config.decoder.startupCycles : 0));
    const std::uint64_t latency = usesMemory_ ? memoryLatencyCycles(config, clock) : 0;
    const std::uint64_t streaming = transferCycles(rate, bytes);

    EngineCommandRecord& record = command_.record;
    record.busyCycles = startup + latency + streaming;
    record.sramStallCycles =
            parts_.sram.begin(slot(), {engine(), record.index, record.busyCycles}, onChip);
    const double slowRate =
            record.sramStallCycles == 0
                    ? rate
                    : static_cast<double>(bytes) /
                              static_cast<double>(streaming + record.sramStallCycles);
    record.dramBytes = sourceBytes() * sides;
    record.sramBytes = onChip.trafficBytes();
    record.activity[regs::PerfEvent::kSramBytes] = onChip.trafficBytes() - onChip.residentBytes();
    record.activity[regs::PerfEvent::kResidentBytes] = onChip.residentBytes();
    record.activity[regs::PerfEvent::kAccumulatorBytes] =
            onChip.accumulators().range.isEmpty() ? 0 : payloadBytes();
    record.activity[regs::PerfEvent::kBusBytes] = bytes * sides;

    const std::uint64_t request = record.startCycle + startup + latency + walkCycles_;
    if (usesMemory_) {
        parts_.arbiter.start(channel_, record.startCycle,
                             {request, bytes, slowRate, sides, dram, places()});
    } else {
        // Nothing else of the command uses DRAM, so its walks do not compete.
        const std::uint64_t walks =
                tableReads_.size() *
                (dramLatencyCycles(config.dram) + clock.ofCore(config.interconnect.latencyCycles));
        parts_.timer.arm(timerSlot(), request + walks + streaming + record.sramStallCycles);
    }
}

void DmaChannel::onDeadline(std::size_t /*timerSlot*/) {
    isBusy_ = false;
    if (failure_.why.status != JobStatus::kOk) {
        abort();
        reportFailure();
        return;
    }
    EngineCommandRecord& record = command_.record;
    record.endCycle = parts_.clock.now();
    if (usesMemory_) {
        parts_.arbiter.stop(channel_, record.endCycle);
    }
    const std::byte spoilMask = parts_.sram.end(slot());
    if (!parts_.config.timingOnly && !moveAtEnd(spoilMask)) {
        reportFailure();
        return;
    }
    const std::uint64_t expected =
            record.startCycle + record.busyCycles + walkCycles_ + record.sramStallCycles;
    record.dramStallCycles = record.endCycle > expected ? record.endCycle - expected : 0;
    if (source_.isMemory()) {
        parts_.counters.add(regs::PerfEvent::kDmaBytesRead, sourceBytes());
    }
    if (destination_.isMemory()) {
        parts_.counters.add(regs::PerfEvent::kDmaBytesWritten, payloadBytes());
    }
    parts_.listener.commandDone(command_);
}

void DmaChannel::abort() {
    isBusy_ = false;
    parts_.sram.end(slot());
    if (usesMemory_) {
        usesMemory_ = false;
        parts_.arbiter.stop(channel_, parts_.clock.now());
    }
}

void DmaChannel::moveAtStart() {
    if (isCoded()) {
        decodeWeights();
        return;
    }
    if (source_.isUsed && !source_.isOnChip() && postCopies(DmaCopies::Direction::kLoad)) {
        return;
    }
    if (source_.isIn(Place::kSram) && destination_.isIn(Place::kSram) && postOnChipCopy()) {
        return;
    }
    if (source_.isUsed && source_.isOnChip() && !destination_.isOnChip()) {
        return;  // a store reads SRAM at its end: nothing may have changed it meanwhile
    }
    if (!source_.isUsed) {
        fillPattern(stage_);
    } else if (!gather(stage_)) {
        return;
    }
    if (destination_.isOnChip()) {
        scatter(stage_);
    }
}

// Decodes immediately, as the end of the transfer must know of damage; only the copy into SRAM is
// posted. The source is neither waited for nor posted unless something still writes it.
void DmaChannel::decodeWeights() {
    parts_.work.finishFor({DataPlace::kBus, false, source_.busFirst, source_.busEnd, {}});
    stage_.resize(codedBytes_);
    if (const auto failed = readPieces(parts_.memory, source_.pieces, stage_.data())) {
        fail(JobStatus::kBusError, fmt::format("read of bus address 0x{:x}", *failed));
        return;
    }
    std::vector<std::byte> decoded(payloadBytes());
    const auto fault = kernels::decodeWeights(stage_, decoded);
    if (fault != kernels::WeightCodeFault::kNone) {
        fail(JobStatus::kBadCode, fmt::format("{} in a coded block of {} bytes for {}",
                                              kernels::describe(fault), codedBytes_, rowBytes_));
        return;
    }
    DataAccesses accesses;
    accesses.addOnChip(DataPlace::kSram, destination_.onChipRange, true);
    parts_.work.post(accesses, payloadBytes() * kOperationsPerByte,
                     [bytes = std::move(decoded), pieces = destination_.pieces,
                      sram = parts_.sram.bytes()] { scatterPieces(bytes.data(), pieces, sram); });
}

// Posts the copy as deferred work; false if there are too many pieces, memory without pointers, or
// on-chip memory that other blocks use as well.
bool DmaChannel::postCopies(DmaCopies::Direction direction) {
    const bool isLoad = direction == DmaCopies::Direction::kLoad;
    const Side& onChip = isLoad ? destination_ : source_;
    const Side& memory = isLoad ? source_ : destination_;
    const bool isWatched = onChip.place == Place::kSram || onChip.place == Place::kAccumulators;
    if (!isWatched || std::max(onChip.pieces.size(), memory.pieces.size()) > kMostPostedPieces) {
        return false;
    }
    DmaCopies copies(direction, onChipBytes(onChip), onChip.pieces, memory.pieces, parts_.memory);
    if (!copies.isPossible()) {
        return false;
    }
    DataAccesses accesses;
    accesses.addOnChip(onChip.place == Place::kSram ? DataPlace::kSram : DataPlace::kAccumulators,
                       onChip.onChipRange, isLoad);
    accesses.addBus(memory.busFirst, memory.busEnd, !isLoad);
    parts_.work.post(accesses, payloadBytes() * kOperationsPerByte,
                     [moved = std::move(copies)] { moved.run(); });
    return true;
}

// The same for a copy within SRAM.
bool DmaChannel::postOnChipCopy() {
    if (std::max(source_.pieces.size(), destination_.pieces.size()) > kMostPostedPieces) {
        return false;
    }
    DataAccesses accesses;
    accesses.addOnChip(DataPlace::kSram, source_.onChipRange, false);
    accesses.addOnChip(DataPlace::kSram, destination_.onChipRange, true);
    const std::uint64_t payload = payloadBytes();
    parts_.work.post(
            accesses, payload * kOperationsPerByte,
            [from = source_.pieces, to = destination_.pieces, payload, sram = parts_.sram.bytes()] {
                std::vector<std::byte> bytes(payload);  // the ranges may overlap
                gatherPieces(sram, from, bytes.data());
                scatterPieces(bytes.data(), to, sram);
            });
    return true;
}

bool DmaChannel::moveAtEnd(std::byte spoilMask) {
    const bool isStore = source_.isUsed && source_.isOnChip() && !destination_.isOnChip();
    if (isStore && spoilMask == std::byte{0} && postCopies(DmaCopies::Direction::kStore)) {
        return true;
    }
    if (destination_.isOnChip()) {
        if (spoilMask != std::byte{0}) {
            parts_.work.finish();
            forEachRow(destination_.pieces, [&](std::uint64_t address, std::uint64_t count) {
                std::byte* const bytes = onChipBytes(destination_) + address;
                std::for_each(bytes, bytes + count, [&](std::byte& byte) { byte ^= spoilMask; });
                return true;
            });
        }
        return true;
    }
    if (isStore && !gather(stage_)) {
        return false;
    }
    if (spoilMask != std::byte{0}) {
        std::for_each(stage_.begin(), stage_.end(), [&](std::byte& byte) { byte ^= spoilMask; });
    }
    return scatter(stage_);
}

bool DmaChannel::gather(std::vector<std::byte>& bytes) {
    parts_.work.finish();
    bytes.resize(payloadBytes());
    if (source_.isOnChip()) {
        gatherPieces(onChipBytes(source_), source_.pieces, bytes.data());
        return true;
    }
    if (const auto failed = readPieces(parts_.memory, source_.pieces, bytes.data())) {
        fail(JobStatus::kBusError, fmt::format("read of bus address 0x{:x}", *failed));
        return false;
    }
    return true;
}

bool DmaChannel::scatter(std::span<const std::byte> bytes) {
    parts_.work.finish();
    if (destination_.isOnChip()) {
        scatterPieces(bytes.data(), destination_.pieces, onChipBytes(destination_));
        return true;
    }
    if (const auto failed = writePieces(parts_.memory, destination_.pieces, bytes.data())) {
        fail(JobStatus::kBusError, fmt::format("write of bus address 0x{:x}", *failed));
        return false;
    }
    return true;
}

void DmaChannel::fillPattern(std::vector<std::byte>& bytes) const {
    bytes.resize(payloadBytes());
    if (patternBytes_ == 1) {
        std::fill(bytes.begin(), bytes.end(), static_cast<std::byte>(pattern_ & 0xFFU));
        return;
    }
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(pattern_)) {
        std::memcpy(&bytes[i], &pattern_, sizeof(pattern_));
    }
}

void DmaChannel::fail(JobStatus status, std::string what) {
    failure_.why = {status, std::move(what)};
}

void DmaChannel::failLater(std::uint64_t cycle) {
    parts_.timer.arm(timerSlot(), cycle);
}

void DmaChannel::reportFailure() {
    if (failure_.isMmuFault && parts_.mmu.recordFault(failure_.fault)) {
        parts_.interrupts.raiseHost(regs::IrqStatus::kFault.mask());
    }
    parts_.listener.commandFailed(engine(), failure_.why.status, failure_.why.what);
}

}  // namespace vnpu::hw
