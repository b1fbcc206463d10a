// SPDX-License-Identifier: Apache-2.0
#include "driver/execution/constant_reads.h"

#include <algorithm>
#include <unordered_map>

#include "driver/compiler/ir/accesses.h"
#include "hw_model/regs/command_reader.h"

namespace vnpu::driver {

namespace {

bool holdsConstants(const Region& region) {
    return region.kind == RegionKind::kDriverConstants || region.kind == RegionKind::kConstantPool;
}

double bytesRead(const hw::DmaTransfer& work) {
    if (hw::isCoded(work)) {
        return work.codedBytes;
    }
    double bytes = work.rowBytes;
    for (const std::uint32_t count : work.counts) {
        bytes *= count;
    }
    return bytes;
}

/// Bytes that each operation moves per cycle of its own.
std::unordered_map<std::uint32_t, double> ratesOf(const CompiledModel& compiled) {
    std::unordered_map<std::uint32_t, double> rates;
    for (const OperationEstimate& operation : compiled.operations) {
        rates[operation.operation] =
                static_cast<double>(operation.dramBytes) /
                static_cast<double>(std::max<std::uint64_t>(operation.cycles, 1));
    }
    return rates;
}

}  // namespace

std::vector<ConstantRead> constantReads(const CompiledModel& compiled) {
    const auto rates = ratesOf(compiled);
    std::vector<ConstantRead> reads;
    hw::CommandReader reader(compiled.commands);
    for (hw::CommandView command; reader.next(command);) {
        if (command.header->opcode != hw::Opcode::kDmaTransfer) {
            continue;
        }
        const auto work = command.as<hw::DmaTransfer>();
        const std::uint16_t region = work.source.space;
        const auto rate = rates.find(command.header->operation);
        if (region >= compiled.regions.size() || !holdsConstants(compiled.regions[region]) ||
            rate == rates.end()) {
            continue;
        }
        for (const Access& access : accessesOf(work)) {
            if (!access.isWrite && access.space == region) {
                reads.push_back({region, access.begin, access.end, bytesRead(work) * rate->second});
            }
        }
    }
    return reads;
}

}  // namespace vnpu::driver
