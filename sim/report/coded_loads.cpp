// SPDX-License-Identifier: Apache-2.0
#include "sim/report/coded_loads.h"

#include "hw_model/regs/command_reader.h"

namespace vnpu::sim {

CodedLoads codedLoadsOf(std::span<const std::byte> commands) {
    CodedLoads loads;
    hw::CommandReader reader(commands);
    hw::CommandView command;
    while (reader.next(command)) {
        if (command.header->opcode != hw::Opcode::kDmaTransfer) {
            continue;
        }
        const auto work = command.as<hw::DmaTransfer>();
        if (hw::isCoded(work)) {
            loads.codedBytes += work.codedBytes;
            loads.decodedBytes += work.rowBytes;
        }
    }
    return loads;
}

}  // namespace vnpu::sim
