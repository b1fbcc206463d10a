// SPDX-License-Identifier: Apache-2.0
#include "hw_model/blocks/engines/mac_decoder.h"

#include <cstring>

#include "hw_model/blocks/engines/conv_parts.h"
#include "hw_model/kernels/mac/mac_conv.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::hw {

namespace {

// Hashes what differs between the commands of a stream: position and operands.
std::size_t hashOf(const EngineCommand& command) {
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15;  // source: Knuth, 2^64 / golden ratio
    const auto work = command.as<MacConv>();
    const CommandHeader& header = command.header;
    std::uint64_t hash = std::uint64_t{header.operation} << 32U | header.tile;
    for (const std::uint32_t word : {work.inputSram, work.filterSram, work.outputSram}) {
        hash = (hash ^ word) * kFactor;
        hash ^= hash >> 29U;
    }
    return hash;
}

bool isOf(const DecodedConv& decoded, const EngineCommand& command) {
    return std::memcmp(&decoded.header, &command.header, sizeof(CommandHeader)) == 0 &&
           std::memcmp(&decoded.work, command.payload.data(), sizeof(MacConv)) == 0;
}

std::vector<ConvPiece> piecesOf(const MacConfig& config, const DecodedConv& decoded,
                                std::size_t threads) {
    const MacConv& work = decoded.work;
    const std::uint64_t operations =
            decoded.operations * ((work.flags & kMacDepthwise) != 0 ? kernels::kDepthwiseCost : 1);
    const ConvParts parts = partsOf(work, operations, threads);
    if (parts.count() == 1) {
        return {{work, dataAccessesOf(work, decoded.footprint), operations}};
    }
    std::vector<ConvPiece> pieces;
    pieces.reserve(parts.count());
    for (std::uint32_t i = 0; i < parts.count(); ++i) {
        const MacConv part = partOf(work, parts, i);
        pieces.push_back({part, dataAccessesOf(part, footprintOf(config, part)),
                          operations / parts.count()});
    }
    return pieces;
}

}  // namespace

DataAccesses dataAccessesOf(const MacConv& work, const Footprint& footprint) {
    DataAccesses accesses;
    accesses.addSram(footprint);
    if (keepsSums(work)) {
        accesses.addOnChip(DataPlace::kAccumulators, footprint.accumulators().range, true);
    }
    return accesses;
}

std::shared_ptr<const DecodedConv> MacDecoder::decode(const EngineCommand& command) {
    std::shared_ptr<const DecodedConv>& kept = kept_[hashOf(command) % kMostKept];
    if (kept == nullptr || !isOf(*kept, command)) {
        kept = decodeAnew(command);
    }
    return kept;
}

std::shared_ptr<const DecodedConv> MacDecoder::decodeAnew(const EngineCommand& command) const {
    auto decoded = std::make_shared<DecodedConv>();
    decoded->header = command.header;
    decoded->work = command.as<MacConv>();
    decoded->status = command.header.opcode == Opcode::kMacConv
                              ? validateCommand(command.view(), limits_)
                              : JobStatus::kBadEngine;
    if (decoded->status != JobStatus::kOk) {
        return decoded;
    }
    const MacConfig& mac = config_.mac;
    const MacConv& work = decoded->work;
    decoded->footprint = footprintOf(mac, work);
    decoded->hasBlocks = blocksOf(work).count() > 1;
    decoded->cycles = macConvCycles(mac, work);
    decoded->sramBytes = decoded->footprint.trafficBytes();
    decoded->operations = macConvOperations(work);
    decoded->activity = macActivity(mac, work);
    decoded->activity[regs::PerfEvent::kSramBytes] = decoded->sramBytes;
    if (!config_.timingOnly) {
        decoded->pieces = piecesOf(mac, *decoded, threads_);
    }
    return decoded;
}

}  // namespace vnpu::hw
